// Decodes pixels into memory of the caller. If the stored pixels already have the requested layout,
// they are decoded in place; otherwise through memory that a DecodingRoom keeps within the caller's
// limits.

import Archive
import CPosix
import Codecs

extension Catalog {
  /// Writes the pixels of a variant, from the top row down. Row `y` starts at `y * rowStride`; the
  /// bytes between the end of a row and the next row may be overwritten. A variant that is shown
  /// mirrored is written as it is stored. A vector is drawn at the size of its page: see
  /// `vectorPage(of:)`. A JPEG file is decoded with its profile, and not turned: see
  /// `orientation(of:)`.
  public func decode(
    _ variant: Variant, as layout: PixelLayout, space: PixelSpace = .sRGB,
    into destination: UnsafeMutableRawBufferPointer, rowStride: Int,
    limits: DecodeLimits = DecodeLimits()
  ) throws(CatalogError) {
    try checkSize()
    var room = DecodingRoom()
    try decode(
      variant, as: layout, space, into: destination, rowStride: rowStride, limits, &room)
  }

  /// Decodes with memory that may serve the next picture too. The caller has called `checkSize`.
  func decode(
    _ variant: Variant, as layout: PixelLayout, _ space: PixelSpace,
    into destination: UnsafeMutableRawBufferPointer, rowStride: Int, _ limits: DecodeLimits,
    _ room: inout DecodingRoom
  ) throws(CatalogError) {
    if variant.isVector {
      let target = VectorTarget(
        layout: layout, space: space, pixels: destination, rowStride: rowStride)
      return try drawVector(variant, nil, target, limits, &room)
    }
    if variant.content == .jpeg {
      return try decodeJPEG(
        variant, as: layout, space, into: destination, rowStride: rowStride, limits, &room)
    }
    let picture = try picture(of: variant, limits)
    try Catalog.checkRoom(
      destination, rowStride: rowStride, width: picture.width, height: picture.height,
      layout: layout)
    guard let base = destination.baseAddress else { return }
    room.begin(limits, self, pixels: picture.width * picture.height)
    if picture.isWhole, picture.stored.isStored(as: layout, space) {
      try room.decode(picture, into: destination, rowStride: rowStride)
      guard picture.stored == .argb, layout == .rgba8 else { return }
      for y in 0..<picture.height {
        let row = base + y * rowStride
        PixelConversion.swapRedAndBlue(row, to: row, width: picture.width)
      }
      return
    }
    let conversion = PixelConversion(source: picture.stored, layout: layout, space: space)
    let source = try room.pixels(of: picture)
    for y in 0..<picture.height {
      // The size of the destination was checked above: every row of the picture fits.
      conversion.convert(
        source.first + y * source.stride, to: base + y * rowStride, width: picture.width)
    }
  }

  /// Returns the bytes that `decode` needs for rows without gaps. The size is the one that the file
  /// states, which may be any number: this throws if the picture is larger than `decode` accepts
  /// with these limits.
  public func decodedSize(
    of variant: Variant, as layout: PixelLayout, limits: DecodeLimits = DecodeLimits()
  ) throws(CatalogError) -> Int {
    let pixels =
      try variant.isVector
      ? vectorPage(of: variant, limits: limits).pixelSize : variant.pixelSize
    let (width, height) = (pixels.width, pixels.height)
    guard width <= limits.width, height <= limits.height,
      let size = (width * layout.bytesPerPixel).times(height)
    else { throw .overLimit(width: width, height: height) }
    return size
  }

  static func checkRoom(
    _ destination: UnsafeMutableRawBufferPointer, rowStride: Int, width: Int, height: Int,
    layout: PixelLayout
  ) throws(CatalogError) {
    // Each of the two is below 2^32, but their product and a stride may be any number.
    let row = width * layout.bytesPerPixel
    guard rowStride >= row, let all = rowStride.times(max(0, height - 1)),
      all <= destination.count - row
    else { throw .bufferTooSmall(needed: row.times(height) ?? .max) }
  }

  /// Returns the stored picture of a variant; if the picture lies in an atlas, as a part of the
  /// atlas. The caller has called `checkSize`.
  func picture(
    of variant: Variant, _ limits: DecodeLimits
  ) throws(CatalogError) -> StoredPicture {
    let number = variant.choice.rendition
    guard let record = storage.index.pointee.record(of: Int(number)) else { throw .noSuchRendition }
    let rendition = try rendition(number)
    switch RenditionContent(rawValue: record.kinds.content) ?? .other {
    case .bitmap: return try StoredPicture(rendition, limits)
    case .atlasLink:
      guard let number = try atlas(of: rendition) else { throw .noSuchRendition }
      let atlas = try StoredPicture(try self.rendition(number), limits)
      let place: InternalLink.Place?
      do throws(FormatError) { place = try rendition.placeInAtlas() } catch { throw .format(error) }
      guard let place, let part = atlas.part(place, of: number) else {
        throw .noSuchRendition
      }
      return part
    case let content: throw .wrongContent(content)
    }
  }

  /// Returns the number of the atlas in which a picture lies; nil if the archive does not have it.
  func atlas(of rendition: Rendition) throws(CatalogError) -> UInt32? {
    do throws(FormatError) {
      return try rendition.atlasKey().flatMap { storage.index.pointee.atlas($0) }.flatMap {
        UInt32(exactly: $0)
      }
    } catch {
      throw .format(error)
    }
  }
}

/// A bitmap in the file, or a part of one.
struct StoredPicture {
  let stored: StoredPixels
  private let payload: BitmapPayload
  private let bytesPerRow: Int
  let wholeWidth: Int
  let wholeHeight: Int
  /// The upper left corner of the requested part, and its size.
  private(set) var x = 0
  private(set) var y = 0
  private(set) var width: Int
  private(set) var height: Int
  /// The number of the atlas that contains this part.
  private(set) var atlas: UInt32?

  init(_ rendition: Rendition, _ limits: DecodeLimits) throws(CatalogError) {
    let header = rendition.header
    width = Int(header.width)
    height = Int(header.height)
    wholeWidth = width
    wholeHeight = height
    guard width > 0, height > 0, width <= limits.width, height <= limits.height else {
      throw .overLimit(width: width, height: height)
    }
    do throws(CodecError) { payload = try BitmapPayload(rendition.payload.buffer) } catch {
      throw .codec(error)
    }
    guard let stored = StoredPixels(header, compression: payload.compression)
    else { throw .unsupported("a bitmap of this pixel format") }
    self.stored = stored
    do throws(FormatError) {
      bytesPerRow = try rendition.bytesPerRow().map { Int($0) } ?? width * stored.bytesPerPixel
    } catch {
      throw .format(error)
    }
  }

  var wholeSize: PixelSize { PixelSize(width: wholeWidth, height: wholeHeight) }
  var isWhole: Bool { width == wholeWidth && height == wholeHeight }

  /// Returns a part of the atlas; nil if the link reaches beyond the atlas. Links count rows from
  /// the bottom.
  func part(_ link: InternalLink.Place, of atlas: UInt32) -> StoredPicture? {
    let right = Int(link.x) + Int(link.width)
    let top = Int(link.y) + Int(link.height)
    guard link.width > 0, link.height > 0, right <= wholeWidth, top <= wholeHeight else {
      return nil
    }
    var part = self
    part.x = Int(link.x)
    part.y = wholeHeight - top
    part.width = Int(link.width)
    part.height = Int(link.height)
    part.atlas = atlas
    return part
  }

  /// Returns the size of the extra memory that decoding rows to such a destination needs.
  func scratchSize(
    rows: Range<Int>, for destination: UnsafeMutableRawBufferPointer, rowStride: Int
  ) throws(CatalogError) -> Int {
    do throws(CodecError) {
      return try payload.scratchSize(
        rows: rows, height: wholeHeight, bytesPerRow: bytesPerRow, for: destination,
        rowStride: rowStride)
    } catch {
      throw .codec(error)
    }
  }

  /// Returns the rows of the whole bitmap that must be decoded to get the rows of the part.
  func span() throws(CatalogError) -> Range<Int> {
    do throws(CodecError) { return try payload.span(of: y..<y + height, height: wholeHeight) } catch
    {
      throw .codec(error)
    }
  }

  /// Decodes the rows of such a span, or all rows of the whole bitmap. The first row is written to
  /// the start of `destination`.
  func decode(
    _ rows: Range<Int>, into destination: UnsafeMutableRawBufferPointer, rowStride: Int,
    _ scratch: inout DecodingScratch
  ) throws(CatalogError) {
    do throws(CodecError) {
      try payload.decode(
        format: stored.format, width: wholeWidth, height: wholeHeight, rows: rows,
        bytesPerRow: bytesPerRow, into: destination, rowStride: rowStride, &scratch)
    } catch {
      throw .codec(error)
    }
  }

  /// The row stride at which deflated and LZFSE rows are decoded in place.
  var bestStride: Int {
    let rowBytes = wholeWidth * stored.bytesPerPixel
    return bytesPerRow >= rowBytes && bytesPerRow <= rowBytes + 4096 ? bytesPerRow : rowBytes
  }
}

// MARK: - Memory for decoding

// The memory of decoding: the memory of the codecs, an atlas that is kept, and rows that are about
// to be converted. It exists for one call, or in a decoder for many calls. The sizes come from the
// file, so every request is counted against the caller's limits and may be refused.

#if !CARVE_WITHOUT_VECTORS
  import Vectors
#endif

struct DecodingRoom: ~Copyable {
  /// Whether atlases are decoded whole and the last one is kept.
  private let keepsAtlas: Bool
  private var scratch = DecodingScratch()
  /// Rows as they are stored in the file, if the rows in memory have another stride.
  private var padded = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private var atlas = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private var kept: UInt32?
  private var rows = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  /// Pixels in the layout of a target, before they are drawn.
  private var converted = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  #if !CARVE_WITHOUT_VECTORS
    /// The rasteriser of vectors; nil until the first vector is drawn.
    private var rasterizer: KeptRasterizer?
  #endif
  /// The bytes that the call may still allocate.
  private(set) var left = 0
  /// The number of atlases that were decoded to be kept.
  private(set) var decodedCount = 0

  init(keepsAtlas: Bool = false) { self.keepsAtlas = keepsAtlas }

  deinit {
    free(padded.baseAddress)
    free(atlas.baseAddress)
    free(rows.baseAddress)
    free(converted.baseAddress)
  }

  /// Begins a call with its own limits, whose result has `pixels` pixels.
  mutating func begin(_ limits: DecodeLimits, _ catalog: Catalog, pixels: Int) {
    left = limits.scratch(fileSize: catalog.fileSize, pixels: pixels)
  }

  /// Raises the limit of a call that learns only now how many pixels its result has.
  mutating func extend(_ limits: DecodeLimits, _ catalog: Catalog, pixels: Int) {
    let size = catalog.fileSize
    left +=
      limits.scratch(fileSize: size, pixels: pixels) - limits.scratch(fileSize: size, pixels: 0)
  }

  /// Counts memory for a picture of this size.
  mutating func take(_ size: Int, width: Int, height: Int) throws(CatalogError) {
    guard size <= left else { throw .overLimit(width: width, height: height) }
    left -= size
  }

  /// Frees all memory.
  mutating func release() {
    scratch.release()
    kept = nil
    for buffer in [padded, atlas, rows, converted] { free(buffer.baseAddress) }
    padded = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    atlas = padded
    rows = padded
    converted = padded
    #if !CARVE_WITHOUT_VECTORS
      rasterizer = nil
    #endif
  }

  /// Returns room for the pixels of a drawing, four bytes each. It is valid until the next call of
  /// this function.
  mutating func canvas(_ size: PixelSize) throws(CatalogError) -> UnsafeMutableRawPointer {
    // No side of a drawing is longer than 16,384 pixels.
    let bytes = size.width * size.height * 4
    try take(bytes, width: size.width, height: size.height)
    try fit(&converted, bytes)
    guard let base = converted.baseAddress else { throw .bufferTooSmall(needed: bytes) }
    return base
  }

  #if !CARVE_WITHOUT_VECTORS
    /// Draws with the memory of the previous drawing.
    mutating func draw(
      _ drawing: Drawing, _ placement: PagePlacement, into pixels: UnsafeMutableRawBufferPointer,
      rowStride: Int
    ) throws(VectorError) {
      let own = rasterizer ?? KeptRasterizer()
      // If drawing fails, the memory of the rasteriser is freed.
      rasterizer = nil
      try own.draw(drawing, placement, into: pixels, bytesPerRow: rowStride, memory: left / 2)
      rasterizer = own
    }
  #endif

  /// Decodes the whole bitmap; row `y` starts at `y * rowStride`.
  mutating func decode(
    _ picture: StoredPicture, into destination: UnsafeMutableRawBufferPointer, rowStride: Int
  ) throws(CatalogError) {
    try decode(0..<picture.wholeHeight, of: picture, into: destination, rowStride: rowStride)
  }

  private mutating func decode(
    _ rows: Range<Int>, of picture: StoredPicture,
    into destination: UnsafeMutableRawBufferPointer, rowStride: Int
  ) throws(CatalogError) {
    let size = try picture.scratchSize(rows: rows, for: destination, rowStride: rowStride)
    if size > 0 {
      try take(size, width: picture.wholeWidth, height: picture.wholeHeight)
      scratch.lend(UnsafeMutableRawBufferPointer(start: nil, count: 0))
      try fit(&padded, size)
      scratch.lend(padded)
    }
    try picture.decode(rows, into: destination, rowStride: rowStride, &scratch)
  }

  /// Returns the address of the first pixel of a picture, and the stride of its rows. The pixels
  /// have the stored format and are valid until the room is used again.
  mutating func pixels(
    of picture: StoredPicture
  ) throws(CatalogError) -> (first: UnsafeRawPointer, stride: Int) {
    let stride = picture.bestStride
    // The picture's rectangle lies within the whole bitmap, and all its rows are decoded.
    let first = picture.x * picture.stored.bytesPerPixel
    // If an atlas is too large to be kept, only the rows that the picture needs are decoded.
    if keepsAtlas, let number = picture.atlas,
      let whole = stride.times(picture.wholeHeight), whole <= left
    {
      return (
        try atlas(number, picture: picture, stride: stride) + (first + picture.y * stride), stride
      )
    }
    let span = try picture.span()
    let size = try self.size(stride: stride, rows: span.count, of: picture.wholeSize)
    try fit(&rows, size)
    let exact = UnsafeMutableRawBufferPointer(rebasing: rows[..<size])
    try decode(span, of: picture, into: exact, rowStride: stride)
    guard let base = rows.baseAddress else { throw .bufferTooSmall(needed: size) }
    return (UnsafeRawPointer(base) + (first + (picture.y - span.lowerBound) * stride), stride)
  }

  /// Returns room for the converted pixels of a picture. It is valid until the next call of this
  /// function.
  mutating func target(
    for picture: PixelSize, stride: Int
  ) throws(CatalogError) -> UnsafeMutableRawPointer {
    let size = try size(stride: stride, rows: picture.height, of: picture)
    try fit(&converted, size)
    guard let base = converted.baseAddress else { throw .bufferTooSmall(needed: size) }
    return base
  }

  /// Returns the pixels of an atlas, which is decoded unless it is the kept one. The size is
  /// compared too: the caller reads pixels according to the size that the file states now.
  private mutating func atlas(
    _ number: UInt32, picture: StoredPicture, stride: Int
  ) throws(CatalogError) -> UnsafeRawPointer {
    let size = try size(stride: stride, rows: picture.wholeHeight, of: picture.wholeSize)
    if kept != number || atlas.count != size {
      kept = nil
      if atlas.count != size { try allocate(size, &atlas) }
      try decode(picture, into: atlas, rowStride: stride)
      decodedCount += 1
      kept = number
    }
    guard let base = atlas.baseAddress else { throw .bufferTooSmall(needed: size) }
    return UnsafeRawPointer(base)
  }

  /// Counts the memory of the rows and returns its size with 64 bytes more: wide copies of the
  /// codecs may write beyond the last row.
  private mutating func size(
    stride: Int, rows: Int, of picture: PixelSize
  ) throws(CatalogError) -> Int {
    guard let size = stride.times(rows), size <= .max - 64 else {
      throw .overLimit(width: picture.width, height: picture.height)
    }
    try take(size, width: picture.width, height: picture.height)
    return size + 64
  }
}

private func fit(
  _ buffer: inout UnsafeMutableRawBufferPointer, _ size: Int
) throws(CatalogError) {
  if buffer.count < size { try allocate(size, &buffer) }
}

/// Replaces a buffer by memory of a size that a file states. Throws if the system has too little
/// memory.
func allocate(_ size: Int, _ buffer: inout UnsafeMutableRawBufferPointer) throws(CatalogError) {
  free(buffer.baseAddress)
  buffer = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  guard let base = malloc(max(size, 1)) else { throw .noMemory(bytes: size) }
  buffer = UnsafeMutableRawBufferPointer(start: base, count: size)
}

extension Int {
  /// Returns the product; nil if it overflows, because the factors come from files.
  func times(_ other: Int) -> Int? {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? nil : product
  }
}

// MARK: - Pictures of one atlas

// A decoder for several pictures in a row. It keeps the last atlas that it decoded, and the memory
// that decoding takes. DrawSliced.swift stretches pictures.

/// A decoder of pictures of one catalogue, which remembers the atlas of the last picture that lay
/// in an atlas. It keeps the memory that its calls needed, each within its limits: one atlas, rows
/// of the largest picture that had to be converted or stretched, the memory of the largest vector,
/// and 52 KB for the codecs. It frees this memory in `forgetAtlas` and when the decoder is
/// deinitialised. A call allocates nothing if its picture is not larger than earlier ones, except
/// some memory for each tile of deepmap2. A decoder belongs to one thread at a time; the compiler
/// enforces that, because the class is not `Sendable`. Each thread has a decoder of its own over
/// the same catalogue.
public final class AtlasDecoder {
  public let catalog: Catalog
  /// Used by the C interface, which has called `checkSize` before.
  var room = DecodingRoom(keepsAtlas: true)
  /// The number of atlases that were decoded.
  package var decodedCount: Int { room.decodedCount }

  public init(_ catalog: Catalog) { self.catalog = catalog }

  /// Decodes as `Catalog.decode` does.
  public func decode(
    _ variant: Variant, as layout: PixelLayout, space: PixelSpace = .sRGB,
    into destination: UnsafeMutableRawBufferPointer, rowStride: Int,
    limits: DecodeLimits = DecodeLimits()
  ) throws(CatalogError) {
    try catalog.checkSize()
    try catalog.decode(
      variant, as: layout, space, into: destination, rowStride: rowStride, limits, &room)
  }

  /// Draws as `Catalog.drawSliced` does.
  public func drawSliced(
    _ variant: Variant, as layout: PixelLayout, space: PixelSpace = .sRGB, width: Int, height: Int,
    into destination: UnsafeMutableRawBufferPointer, rowStride: Int,
    limits: DecodeLimits = DecodeLimits()
  ) throws(CatalogError) {
    try catalog.checkSize()
    try catalog.drawSliced(
      variant, as: layout, space, width: width, height: height, into: destination,
      rowStride: rowStride, limits, &room)
  }

  /// Draws as `Catalog.drawVector` does. The memory of the rasteriser is kept; the file is read
  /// each time.
  public func drawVector(
    _ variant: Variant, as layout: PixelLayout, space: PixelSpace = .sRGB, width: Int, height: Int,
    tint: Tint? = nil, into destination: UnsafeMutableRawBufferPointer, rowStride: Int,
    limits: DecodeLimits = DecodeLimits()
  ) throws(CatalogError) {
    try catalog.checkSize()
    let target = VectorTarget(
      layout: layout, space: space, tint: tint, isMirrored: variant.isMirrored,
      pixels: destination, rowStride: rowStride)
    try catalog.drawVector(
      variant, PixelSize(width: width, height: height), target, limits, &room)
  }

  /// Draws as `Catalog.drawSymbol` does. The symbol must be of this catalogue.
  public func drawSymbol(
    _ symbol: Symbol, _ rendering: SymbolRendering = .monochrome,
    tint: Tint = Tint(red: 0, green: 0, blue: 0), as layout: PixelLayout,
    space: PixelSpace = .sRGB, width: Int, height: Int,
    into destination: UnsafeMutableRawBufferPointer, rowStride: Int,
    limits: DecodeLimits = DecodeLimits()
  ) throws(CatalogError) {
    let target = VectorTarget(
      layout: layout, space: space, tint: tint, isMirrored: symbol.isMirrored, pixels: destination,
      rowStride: rowStride)
    try catalog.drawSymbol(
      symbol, rendering, PixelSize(width: width, height: height), target, limits, &room)
  }

  /// Frees the memory of the atlas and all other memory that the decoder keeps.
  public func forgetAtlas() { room.release() }
}
