// The deepmap family: bitmaps in tiles of predicted residuals, palettes or plain pixels. Each tile
// is packed by LZFSE or LZVN. This file reads the headers of both generations; DeepMapBlob.swift
// has what they share.

/// The size of one body, and the rows of it to decode.
struct DeepMapRequest {
  var format: PixelFormat
  var width: Int
  /// The height of the whole body.
  var height: Int
  var rows: Range<Int>

  fileprivate func target(
    _ memory: UnsafeMutableRawBufferPointer, stride: Int
  ) throws(CodecError) -> PixelRows {
    try PixelRows(
      memory, bytesPerPixel: format.bytesPerPixel, width: width, height: rows.count,
      stride: stride)
  }
}

/// The first generation (`dmap`), with tiles of 256 × 256 pixels.
enum DeepMap {
  static let rowsTogether = 256

  /// Decodes the requested rows, which are whole tiles, to the start of `destination`.
  static func decode(
    _ source: UnsafeRawBufferPointer, _ request: DeepMapRequest,
    into destination: UnsafeMutableRawBufferPointer, rowStride: Int
  ) throws(CodecError) {
    let target = try request.target(destination, stride: rowStride)
    var reader = ByteReader(source)
    try skipWrapper(&reader, version: 5)
    guard try reader.u32() == 0x7061_6D64 else { throw .corrupt(at: 16) }
    var blob = try DeepMapBlob(&reader, request.format)
    blob.tileWidth = rowsTogether
    blob.tileHeight = rowsTogether
    // In the first generation alpha always has its own plane. Tools leave 0 in the word that says
    // so in the second generation, so the word is ignored here.
    if blob.method == .palette { try blob.readPalette(&reader, alphaPlane: true) }
    try blob.decodeTiles(&reader, rows: request.rows, of: request.height, into: target)
  }
}

/// The second generation (`dmp2`), which states the size of its tiles.
enum DeepMap2 {
  static let mark: UInt32 = 0x3270_6D64  // dmp2

  /// Returns how many rows of a body are decoded together: the height of a tile.
  static func rowsTogether(_ source: UnsafeRawBufferPointer) throws(CodecError) -> Int {
    var reader = ByteReader(source)
    reader.offset = min(26, source.count)
    return max(1, Int(try reader.u16()))
  }

  /// Decodes the requested rows, which are whole tiles, to the start of `destination`.
  static func decode(
    _ source: UnsafeRawBufferPointer, _ request: DeepMapRequest,
    into destination: UnsafeMutableRawBufferPointer, rowStride: Int
  ) throws(CodecError) {
    let target = try request.target(destination, stride: rowStride)
    var reader = ByteReader(source)
    try skipWrapper(&reader, version: 1)
    guard try reader.u32() == mark else { throw .corrupt(at: 16) }
    var blob = try DeepMapBlob(&reader, request.format)
    blob.tileWidth = Int(try reader.u16())
    blob.tileHeight = Int(try reader.u16())
    guard blob.quality <= 1 || blob.method == .raw else {
      throw .unsupported("this quality of deepmap2")
    }
    if blob.method == .palette { try blob.readPalette(&reader, alphaPlane: nil) }
    try blob.decodeTiles(&reader, rows: request.rows, of: request.height, into: target)
  }
}

/// Skips the wrapper of both generations: version, pixel format and length.
private func skipWrapper(_ reader: inout ByteReader, version: UInt32) throws(CodecError) {
  guard try reader.u32() == version else { throw .corrupt(at: 0) }
  _ = try reader.u32()
  let length = try reader.u64()
  guard length == UInt64(reader.remaining) else { throw .corrupt(at: 8) }
}
