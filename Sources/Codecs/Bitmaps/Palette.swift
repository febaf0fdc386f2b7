// Decodes bitmaps of few colours (`palette-img`): a list of colours and, for each pixel, an index
// of 1, 2, 4, 8 or 16 bits. The whole is one LZFSE stream. PaletteEncoder.swift encodes.

package enum Palette {
  static let mark: UInt32 = 0xCAFE_F00D
  static let version: UInt32 = 1
  static let headerSize = 10
  /// Wide colours are stored in ten thousandths.
  static let unit = 10_000.0

  /// Returns the least of 1, 2, 4, 8 and 16 bits that can number these colours.
  static func indexBits(colors: Int) -> Int {
    [1, 2, 4, 8].first { colors <= 1 << $0 } ?? 16
  }

  /// Returns the bytes of a row of indices, which is padded to 16 bits.
  static func indexRowBytes(width: Int, bits: Int) -> Int { (width * bits + 15) / 16 * 2 }

  /// Decodes `height` rows of `width` pixels; row `y` starts at `y * rowStride` in `destination`.
  package static func decode(
    _ source: UnsafeRawBufferPointer, format: PixelFormat, width: Int, height: Int,
    into destination: UnsafeMutableRawBufferPointer, rowStride: Int
  ) throws(CodecError) {
    guard format == .argb || format == .rgbw else {
      throw .unsupported("a palette image of this pixel format")
    }
    let rows = try PixelRows(
      destination, bytesPerPixel: format.bytesPerPixel, width: width, height: height,
      stride: rowStride)
    guard LZFSE.begins(source) else {
      try decodeIndexed(source, format, into: rows)
      return
    }
    let size = try LZFSE.sizes(source).decoded
    let most =
      headerSize + Int(UInt16.max) * format.bytesPerPixel
      + indexRowBytes(width: width, bits: 16) * height
    guard size <= most else { throw .corrupt(at: 0) }
    let unpacked = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    defer { unpacked.deallocate() }
    let written = try LZFSE.decode(source, into: unpacked)
    // Offsets in the unpacked bytes are meaningless in the source.
    do throws(CodecError) {
      try decodeIndexed(UnsafeRawBufferPointer(rebasing: unpacked[..<written]), format, into: rows)
    } catch {
      throw .corrupt(at: 0)
    }
  }

  private static func decodeIndexed(
    _ bytes: UnsafeRawBufferPointer, _ format: PixelFormat, into rows: PixelRows
  ) throws(CodecError) {
    var reader = ByteReader(bytes)
    guard try reader.u32() == mark, try reader.u32() <= version else { throw .corrupt(at: 0) }
    let count = Int(try reader.u16())
    guard count > 0 else { throw .corrupt(at: 8) }
    let colors = try readColors(&reader, count, format)
    let bits = indexBits(colors: count)
    let rowBytes = indexRowBytes(width: rows.width, bits: bits)
    for y in 0..<rows.height {
      let at = reader.offset
      let indices = try reader.take(rowBytes)
      let row = rows.base + y * rows.stride
      guard unpackRow(indices, bits, colors, to: row, width: rows.width) else {
        throw .corrupt(at: at)
      }
    }
    guard reader.remaining == 0 else { throw .corrupt(at: reader.offset) }
  }

  /// Reads the colours in memory order, in the low bytes of words.
  private static func readColors(
    _ reader: inout ByteReader, _ count: Int, _ format: PixelFormat
  ) throws(CodecError) -> Colors {
    if format == .argb {
      var colors: [UInt32] = []
      for _ in 0..<count { colors.append(try reader.u32().byteSwapped) }
      return .narrow(colors)
    }
    var colors: [UInt64] = []
    for _ in 0..<count {
      var color: UInt64 = 0
      for lane in [2, 1, 0, 3] as [UInt64] {
        color |= UInt64(HalfFloat.bits(Double(try reader.u16()) / unit)) << (16 * lane)
      }
      colors.append(color)
    }
    return .wide(colors)
  }

  private enum Colors {
    case narrow([UInt32])
    case wide([UInt64])
  }

  private static func unpackRow(
    _ indices: UnsafeRawBufferPointer, _ bits: Int, _ colors: Colors,
    to row: UnsafeMutableRawPointer, width: Int
  ) -> Bool {
    switch colors {
    case .narrow(let colors): unpack(indices, bits, colors, to: row, width: width)
    case .wide(let colors): unpack(indices, bits, colors, to: row, width: width)
    }
  }

  private static func unpack<Color: FixedWidthInteger & BitwiseCopyable>(
    _ indices: UnsafeRawBufferPointer, _ bits: Int, _ colors: [Color],
    to row: UnsafeMutableRawPointer, width: Int
  ) -> Bool {
    colors.withUnsafeBufferPointer { colors in
      var window: UInt16 = 0
      let perWord = 16 / bits
      for x in 0..<width {
        if x % perWord == 0 {
          // A row of indices has a word for each group of pixels that has begun.
          window = UInt16(
            littleEndian: indices.loadUnaligned(fromByteOffset: x / perWord * 2, as: UInt16.self))
        }
        let index = Int(window >> (16 - UInt16(bits)))
        guard index < colors.count else { return false }
        row.storeBytes(
          of: colors[index].littleEndian, toByteOffset: x * MemoryLayout<Color>.size,
          as: Color.self)
        window = bits == 16 ? 0 : window << UInt16(bits)
      }
      return true
    }
  }
}
