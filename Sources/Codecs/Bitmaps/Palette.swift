// Decodes and encodes bitmaps of few colours (`palette-img`): a list of colours and, for each
// pixel, an index of 1, 2, 4, 8 or 16 bits. The whole is one LZFSE stream.

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
    let colors = try readColors(&reader, count: count, format: format)
    let bits = indexBits(colors: count)
    let rowBytes = indexRowBytes(width: rows.width, bits: bits)
    for y in 0..<rows.height {
      let at = reader.offset
      let indices = try reader.take(rowBytes)
      let row = rows.base + y * rows.stride
      guard unpackRow(indices, bits: bits, colors: colors, to: row, width: rows.width) else {
        throw .corrupt(at: at)
      }
    }
    guard reader.remaining == 0 else { throw .corrupt(at: reader.offset) }
  }

  /// Reads the colours in memory order, in the low bytes of words.
  private static func readColors(
    _ reader: inout ByteReader, count: Int, format: PixelFormat
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
    _ indices: UnsafeRawBufferPointer, bits: Int, colors: Colors,
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

// MARK: - Encoding

extension Palette {
  /// Appends the palette image, packed by `encoder`. Returns false and appends nothing if the
  /// pixels have more than `mostColors` (at most 16,384) colours, or a wide colour that a palette
  /// cannot store exactly.
  package static func encode(
    _ pixels: UnsafeRawBufferPointer, format: PixelFormat, width: Int, height: Int, rowStride: Int,
    mostColors: Int = 256, with encoder: inout LZFSEEncoder, appendingTo output: inout [UInt8]
  ) -> Bool {
    let unpacked: [UInt8]?
    switch format {
    case .argb:
      unpacked = index(
        Picture<UInt32>(pixels: pixels, width: width, height: height, stride: rowStride), mostColors
      ) { $0.byteSwapped }
    case .rgbw:
      unpacked = index(
        Picture<UInt64>(pixels: pixels, width: width, height: height, stride: rowStride),
        mostColors, stored: wideEntry)
    default: unpacked = nil
    }
    guard let unpacked else { return false }
    unpacked.withUnsafeBytes { encoder.encode($0, appendingTo: &output) }
    return true
  }

  private struct Picture<Color: FixedWidthInteger & BitwiseCopyable> {
    let pixels: UnsafeRawBufferPointer
    let width: Int
    let height: Int
    let stride: Int

    func color(_ x: Int, _ y: Int) -> Color {
      let offset = y * stride + x * MemoryLayout<Color>.size
      return Color(littleEndian: pixels.loadUnaligned(fromByteOffset: offset, as: Color.self))
    }
  }

  /// Returns blue, green, red, alpha in ten thousandths; nil if that changes the colour.
  private static func wideEntry(_ color: UInt64) -> UInt64? {
    var entry: UInt64 = 0
    for (target, lane) in zip([0, 1, 2, 3] as [UInt64], [2, 1, 0, 3] as [UInt64]) {
      let bits = UInt16(truncatingIfNeeded: color >> (16 * lane))
      guard let value = HalfFloat.value(bits) else { return nil }
      let scaled = (value * unit).rounded()
      guard (0...65535).contains(scaled) else { return nil }
      // The comparison uses the value that will be read: whole numbers have no negative zero.
      let stored = UInt64(scaled)
      guard HalfFloat.bits(Double(stored) / unit) == bits else { return nil }
      entry |= stored << (16 * target)
    }
    return entry
  }

  private static func index<Color: BitwiseCopyable>(
    _ picture: Picture<Color>, _ mostColors: Int, stored: (Color) -> Color?
  ) -> [UInt8]? {
    var table = ColorTable<Color>(most: mostColors)
    var indices: [UInt16] = []
    indices.reserveCapacity(picture.width * picture.height)
    for y in 0..<picture.height {
      for x in 0..<picture.width {
        guard let index = table.index(of: picture.color(x, y)) else { return nil }
        indices.append(index)
      }
    }
    if table.colors.isEmpty { return nil }
    var output: [UInt8] = []
    output.append(littleEndian: mark)
    output.append(littleEndian: version)
    output.append(littleEndian: UInt16(table.colors.count))
    for color in table.colors {
      guard let entry = stored(color) else { return nil }
      output.append(littleEndian: entry)
    }
    pack(indices, bits: indexBits(colors: table.colors.count), width: picture.width, to: &output)
    return output
  }

  /// Packs rows of indices into 16-bit words, highest bits first.
  private static func pack(_ indices: [UInt16], bits: Int, width: Int, to output: inout [UInt8]) {
    for row in stride(from: 0, to: indices.count, by: max(1, width)) {
      var word: UInt16 = 0
      var used = 0
      for index in indices[row..<row + width] {
        word |= index << UInt16(16 - bits - used)
        used += bits
        if used == 16 {
          output.append(littleEndian: word)
          word = 0
          used = 0
        }
      }
      if used > 0 { output.append(littleEndian: word) }
    }
  }

  /// Numbers colours in the order of their first use.
  private struct ColorTable<Color: FixedWidthInteger> {
    private(set) var colors: [Color] = []
    private let most: Int
    private let shift: UInt64
    /// A hash table with open addressing, at least twice as many cells as colours; 0 is a free
    /// cell.
    private var cells: [UInt16]
    private var last: (color: Color, index: UInt16)?

    init(most: Int) {
      self.most = min(most, 1 << 14)
      let bits = 1 + Int.bitWidth - self.most.leadingZeroBitCount
      shift = UInt64(64 - bits)
      cells = [UInt16](repeating: 0, count: 1 << bits)
    }

    mutating func index(of color: Color) -> UInt16? {
      if let last, last.color == color { return last.index }
      var cell = Int(truncatingIfNeeded: (UInt64(color) &* 0x9E37_79B9_7F4A_7C15) >> shift)
      while cells[cell] != 0 {
        let index = Int(cells[cell]) - 1
        if colors[index] == color {
          last = (color, UInt16(index))
          return UInt16(index)
        }
        cell = (cell + 1) % cells.count
      }
      guard colors.count < most else { return nil }
      colors.append(color)
      cells[cell] = UInt16(colors.count)
      last = (color, UInt16(colors.count - 1))
      return last?.index
    }
  }
}
