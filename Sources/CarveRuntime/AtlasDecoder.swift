// Decodes and draws several pictures in a row, with memory that is kept between the calls.

/// A decoder of pictures of one archive, which remembers the atlas of the last picture that lay
/// in an atlas. It keeps the memory that its calls needed, each within its limits: one atlas, rows
/// of the largest picture that had to be converted or stretched, the memory of the largest vector,
/// and 52 KB for the codecs. It frees this memory in `forgetAtlas` and when the decoder is
/// deinitialised. A call allocates nothing if its picture is not larger than earlier ones, except
/// some memory for each tile of deepmap2. A decoder belongs to one thread at a time; the compiler
/// enforces that, because the class is not `Sendable`. Each thread has a decoder of its own over
/// the same archive.
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

  /// Draws as `Catalog.drawSymbol` does. The symbol must be of this archive.
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
