// The deepmap family: bitmaps in tiles of predicted residuals, palettes or plain pixels, each tile
// packed by LZFSE or LZVN. What both generations share lies in DeepMapBlob; this file reads their
// headers.

/// The first generation (`dmap`), in tiles of 256 × 256 pixels.
package enum DeepMap {
  /// Decodes `height` rows of `width` pixels; row `y` starts at `y * rowStride` in `destination`.
  package static func decode(
    _ source: UnsafeRawBufferPointer, format: PixelFormat, width: Int, height: Int,
    into destination: UnsafeMutableRawBufferPointer, rowStride: Int
  ) throws(CodecError) {
    let rows = try PixelRows(
      destination, bytesPerPixel: format.bytesPerPixel, width: width, height: height,
      stride: rowStride)
    var reader = ByteReader(source)
    try skipWrapper(&reader, version: 5)
    guard try reader.u32() == 0x7061_6D64 else { throw .corrupt(at: 16) }
    var blob = try DeepMapBlob(&reader, format)
    blob.tileWidth = 256
    blob.tileHeight = 256
    // Here alpha always lies beside the indices, so that the word that says so in the second
    // generation says nothing: tools leave 0 in it.
    if blob.method == .palette { try blob.readPalette(&reader, alphaPlane: true) }
    try blob.decodeTiles(&reader, into: rows)
  }
}

/// The second generation (`dmp2`), which states the size of its tiles.
package enum DeepMap2 {
  static let mark: UInt32 = 0x3270_6D64  // dmp2

  /// Decodes `height` rows of `width` pixels; row `y` starts at `y * rowStride` in `destination`.
  package static func decode(
    _ source: UnsafeRawBufferPointer, format: PixelFormat, width: Int, height: Int,
    into destination: UnsafeMutableRawBufferPointer, rowStride: Int
  ) throws(CodecError) {
    let rows = try PixelRows(
      destination, bytesPerPixel: format.bytesPerPixel, width: width, height: height,
      stride: rowStride)
    var reader = ByteReader(source)
    try skipWrapper(&reader, version: 1)
    guard try reader.u32() == mark else { throw .corrupt(at: 16) }
    var blob = try DeepMapBlob(&reader, format)
    blob.tileWidth = Int(try reader.u16())
    blob.tileHeight = Int(try reader.u16())
    guard blob.quality <= 1 || blob.method == .raw else {
      throw .unsupported("this quality of deepmap2")
    }
    if blob.method == .palette { try blob.readPalette(&reader, alphaPlane: nil) }
    try blob.decodeTiles(&reader, into: rows)
  }
}

/// Version, pixel format and length in front of both.
private func skipWrapper(_ reader: inout ByteReader, version: UInt32) throws(CodecError) {
  guard try reader.u32() == version else { throw .corrupt(at: 0) }
  _ = try reader.u32()
  let length = try reader.u64()
  guard length == UInt64(reader.remaining) else { throw .corrupt(at: 8) }
}
