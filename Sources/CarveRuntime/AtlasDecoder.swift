// Pictures of one atlas, one after the other: the atlas is decoded once and kept until another is
// asked for. Decoding itself is Decode.swift's.

/// Decodes pictures of one catalogue and remembers the atlas of the last one that lay in an atlas.
/// It takes the memory of one atlas at most, within the limits of the call, and gives it back when it
/// goes or when told to. It belongs to one thread at a time, which the compiler sees to: it is not
/// `Sendable`. Threads have one each, over the same catalogue.
public final class AtlasDecoder {
  public let catalog: Catalog
  private var kept: UInt32?
  private var buffer = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  /// How many atlases were decoded.
  package private(set) var decodedCount = 0

  public init(_ catalog: Catalog) { self.catalog = catalog }

  deinit { buffer.deallocate() }

  /// As `Catalog.decode`.
  public func decode(
    _ variant: Variant, as layout: PixelLayout, space: PixelSpace = .sRGB,
    into destination: UnsafeMutableRawBufferPointer, rowStride: Int,
    limits: DecodeLimits = DecodeLimits()
  ) throws(CatalogError) {
    try catalog.decode(
      variant, as: layout, space, into: destination, rowStride: rowStride, limits, keeping: self)
  }

  /// Gives the memory of the atlas back.
  public func forgetAtlas() {
    buffer.deallocate()
    buffer = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    kept = nil
  }

  /// `size` bytes with the pixels of an atlas. The size is compared too: whoever reads the buffer
  /// goes by what the file says now.
  func pixels(
    of atlas: UInt32, size: Int,
    _ decode: (UnsafeMutableRawBufferPointer) throws(CatalogError) -> Void
  ) throws(CatalogError) -> UnsafeMutableRawBufferPointer {
    if kept == atlas, buffer.count == size { return buffer }
    kept = nil
    if buffer.count != size {
      forgetAtlas()
      buffer = .allocate(byteCount: size, alignment: 16)
    }
    try decode(buffer)
    decodedCount += 1
    kept = atlas
    return buffer
  }
}
