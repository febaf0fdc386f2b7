// Pictures one after the other: the atlas of the last one that lay in an atlas is kept, and so is the
// memory that decoding takes. Decoding itself is Decode.swift's, drawing DrawSliced.swift's.

/// Decodes pictures of one catalogue and remembers the atlas of the last one that lay in an atlas.
/// It keeps what its calls needed, each within its limits: one atlas, rows of the largest picture that
/// had to be converted or stretched, what the largest vector needed, 52 KB for the codecs. It gives the memory back when it goes or
/// when told to; as long as pictures grow no larger it asks for none. It belongs to one thread at a
/// time, which the compiler sees to: it is not `Sendable`. Threads have one each, over the same
/// catalogue.
public final class AtlasDecoder {
  public let catalog: Catalog
  /// For the C interface, which has called `checkSize` when it gets here.
  var room = DecodingRoom(keepsAtlas: true)
  /// How many atlases were decoded.
  package var decodedCount: Int { room.decodedCount }

  public init(_ catalog: Catalog) { self.catalog = catalog }

  /// As `Catalog.decode`.
  public func decode(
    _ variant: Variant, as layout: PixelLayout, space: PixelSpace = .sRGB,
    into destination: UnsafeMutableRawBufferPointer, rowStride: Int,
    limits: DecodeLimits = DecodeLimits()
  ) throws(CatalogError) {
    try catalog.checkSize()
    try catalog.decode(
      variant, as: layout, space, into: destination, rowStride: rowStride, limits, &room)
  }

  /// As `Catalog.drawSliced`.
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

  /// As `Catalog.drawVector`. The rasteriser's memory is kept, the file is read each time.
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

  /// As `Catalog.drawSymbol`, of a symbol of this catalogue.
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

  /// Gives the memory of the atlas, and all other, back.
  public func forgetAtlas() { room.release() }
}
