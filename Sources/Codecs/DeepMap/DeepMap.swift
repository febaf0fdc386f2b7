// The deepmap family: bitmaps in tiles of predicted residuals, palettes or plain pixels. Each tile
// is packed by LZFSE or LZVN. This file reads the headers of both generations, and contains what
// they have in common.

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

// MARK: - The common part of both generations

// The common part of both generations of deepmap: the stored pixel formats, the methods, and the
// walk over the tiles. DeepMapResiduals.swift undoes the prediction.

/// The pixels of a deepmap, which may lack the alpha of the rendition's format.
struct DeepMapPixels {
  let hasColor: Bool
  let hasAlpha: Bool
  let isWide: Bool

  init?(code: UInt8) {
    guard [1, 2, 3, 4, 0x11, 0x12, 0x13, 0x14].contains(code) else { return nil }
    hasColor = code & 15 > 2
    hasAlpha = code & 1 == 0
    isWide = code & 0x10 != 0
  }

  /// The number of predicted channels: all but alpha.
  var channels: Int { hasColor ? 3 : 1 }
  var bytesPerPixel: Int { (channels + (hasAlpha ? 1 : 0)) * (isWide ? 2 : 1) }

  func fits(_ format: PixelFormat) -> Bool {
    switch format {
    case .argb: hasColor && !isWide
    case .ga8: !hasColor && !isWide
    case .gray: !hasColor && !isWide && !hasAlpha
    case .rgbw: hasColor && isWide
    case .ga16: !hasColor && isWide
    default: false
    }
  }
}

struct DeepMapPalette {
  /// Colours in memory order.
  var colors: [UInt32] = []
  var hasAlphaPlane = false
}

struct DeepMapBlob {
  enum Method: UInt8 { case raw = 1, residuals, packedPixels, palette }

  let method: Method
  let quality: UInt8
  let parameter: UInt8
  let pixels: DeepMapPixels
  let format: PixelFormat
  var tileWidth = 0
  var tileHeight = 0
  var palette = DeepMapPalette()

  init(_ reader: inout ByteReader, _ format: PixelFormat) throws(CodecError) {
    let at = reader.offset
    guard let method = Method(rawValue: try reader.byte()) else {
      throw .unsupported("this method of deepmap")
    }
    self.method = method
    quality = try reader.byte()
    parameter = try reader.byte()
    guard let pixels = DeepMapPixels(code: try reader.byte()), pixels.fits(format) else {
      throw .corrupt(at: at + 3)
    }
    self.pixels = pixels
    self.format = format
  }

  /// Reads the palette. If `alphaPlane` is nil, the size of an entry says whether alpha has its own
  /// plane: it does if the entries have 3 bytes. Entries take up 4 bytes in both cases.
  mutating func readPalette(
    _ reader: inout ByteReader, alphaPlane: Bool?
  ) throws(CodecError) {
    let at = reader.offset
    let count = Int(try reader.u16())
    let entry = try reader.u16()
    // Indices are bytes and entries have 4 bytes, so a palette makes no other pixels than these.
    guard (1...257).contains(count), alphaPlane != nil || entry == 3 || entry == 4,
      format == .argb
    else {
      throw .corrupt(at: at)
    }
    for _ in 0..<count { palette.colors.append(try reader.u32()) }
    palette.hasAlphaPlane = alphaPlane ?? (entry == 3)
  }

  /// Decodes some of the `height` rows; `target` holds only them. Skips tiles that reach beyond
  /// them (see `rowsTogether`).
  func decodeTiles(
    _ reader: inout ByteReader, rows: Range<Int>, of height: Int, into target: PixelRows
  ) throws(CodecError) {
    if method == .raw {
      let row = target.width * pixels.bytesPerPixel
      let body = try reader.take(row * height)
      let part = body[row * rows.lowerBound..<row * rows.upperBound]
      expand(UnsafeRawBufferPointer(rebasing: part), into: target)
    } else {
      try walkTiles(&reader, rows, of: height, into: target)
    }
    guard reader.remaining == 0 else { throw .corrupt(at: reader.offset) }
  }

  private func walkTiles(
    _ reader: inout ByteReader, _ rows: Range<Int>, of height: Int, into target: PixelRows
  ) throws(CodecError) {
    guard tileWidth > 0, tileHeight > 0 else { throw .corrupt(at: reader.offset) }
    // A file that is too short for the lengths of its tiles justifies no allocation.
    let across = (target.width + tileWidth - 1) / tileWidth
    let down = (height + tileHeight - 1) / tileHeight
    guard across * down <= reader.remaining / 4 else { throw .truncated(at: reader.bytes.count) }
    let most = unpackedSize(min(tileWidth, target.width), min(tileHeight, height))
    let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: most + 16, alignment: 16)
    defer { scratch.deallocate() }
    for y in stride(from: 0, to: height, by: tileHeight) {
      let tileRows = y..<min(height, y + tileHeight)
      let isWanted = tileRows.clamped(to: rows) == tileRows
      for x in stride(from: 0, to: target.width, by: tileWidth) {
        let tile = try reader.take(Int(try reader.u32()))
        guard isWanted else { continue }
        let rectangle = target.tile(
          x: x, y: y - rows.lowerBound, width: min(tileWidth, target.width - x),
          height: tileRows.count)
        do throws(CodecError) {
          let size = unpackedSize(rectangle.width, rectangle.height)
          let bytes = try unpack(tile, size: size, scratch)
          guard decode(bytes, into: rectangle) else { throw .corrupt(at: 0) }
        } catch {
          throw error.moved(by: reader.offset - tile.count)
        }
      }
    }
  }

  private func unpackedSize(_ width: Int, _ height: Int) -> Int {
    let area = width * height
    switch method {
    case .raw, .packedPixels: return area * pixels.bytesPerPixel
    case .palette: return palette.hasAlphaPlane ? 2 * area : area
    case .residuals:
      return (pixels.hasAlpha ? area : 0) + height + 2 * pixels.channels * area
    }
  }

  /// Returns the unpacked bytes of a tile; encoders may pad them to a multiple of 16.
  private func unpack(
    _ tile: UnsafeRawBufferPointer, size: Int, _ scratch: UnsafeMutableRawBufferPointer
  ) throws(CodecError) -> UnsafeRawBufferPointer {
    let padded = method == .packedPixels ? size : (size + 15) & ~15
    let target = UnsafeMutableRawBufferPointer(rebasing: scratch[..<padded])
    let written =
      LZFSE.begins(tile)
      ? try LZFSE.decode(tile, into: target) : try LZVN.decode(tile, into: target)
    guard written >= size else { throw .truncated(at: tile.count) }
    return UnsafeRawBufferPointer(rebasing: target[..<size])
  }

  /// Decodes a tile from its unpacked bytes, which have the right size.
  private func decode(_ bytes: UnsafeRawBufferPointer, into tile: PixelRows) -> Bool {
    switch method {
    case .raw, .packedPixels:
      expand(bytes, into: tile)
      return true
    case .palette: return look(bytes, into: tile)
    case .residuals:
      return DeepMapResiduals(self, bytes, tile).decode()
    }
  }

  private func look(_ bytes: UnsafeRawBufferPointer, into tile: PixelRows) -> Bool {
    let area = tile.width * tile.height
    let first = palette.hasAlphaPlane ? area : 0
    for y in 0..<tile.height {
      for x in 0..<tile.width {
        let position = y * tile.width + x
        let index = Int(bytes[first + position])
        guard index < palette.colors.count else { return false }
        var color = palette.colors[index]
        if palette.hasAlphaPlane { color = color & 0xFF_FFFF | UInt32(bytes[position]) << 24 }
        tile.base.storeBytes(
          of: color.littleEndian, toByteOffset: y * tile.stride + 4 * x, as: UInt32.self)
      }
    }
    return true
  }

  /// Copies whole pixels, and adds alpha if the format has it and the blob does not.
  private func expand(_ bytes: UnsafeRawBufferPointer, into tile: PixelRows) {
    guard let source = bytes.baseAddress else { return }
    let stored = pixels.bytesPerPixel
    let unit = pixels.isWide ? 2 : 1
    let alpha = pixels.isWide ? HalfFloat.one : 0xFF
    for y in 0..<tile.height {
      let row = tile.base + y * tile.stride
      let line = source + y * tile.width * stored
      if stored == tile.bytesPerPixel {
        row.copyMemory(from: line, byteCount: tile.width * stored)
        continue
      }
      for x in 0..<tile.width {
        let pixel = row + x * tile.bytesPerPixel
        pixel.copyMemory(from: line + x * stored, byteCount: stored)
        (pixel + stored).copyMemory(from: [alpha.littleEndian], byteCount: unit)
      }
    }
  }
}
