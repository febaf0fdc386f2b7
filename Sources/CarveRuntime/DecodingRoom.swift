// The memory of decoding: the memory of the codecs, an atlas that is kept, and rows that are about
// to be converted. It exists for one call, or in a decoder for many calls. The sizes come from the
// file, so every request is counted against the caller's limits and may be refused.

import CPosix
import Codecs

#if !CARVE_WITHOUT_VECTORS
  import Vectors
#endif

/// The memory of one call that decodes or draws, or of a decoder.
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
