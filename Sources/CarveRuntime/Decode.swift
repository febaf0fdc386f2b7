// Decodes pixels into memory of the caller. If the stored pixels already have the requested layout,
// they are decoded in place; otherwise through memory that a DecodingRoom keeps within the caller's
// limits.

import Archive
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
      let frame: InternalLink.Frame?
      do throws(FormatError) { frame = try rendition.frameInAtlas() } catch { throw .format(error) }
      guard let frame, let part = atlas.part(frame, of: number) else {
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
  func part(_ link: InternalLink.Frame, of atlas: UInt32) -> StoredPicture? {
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
