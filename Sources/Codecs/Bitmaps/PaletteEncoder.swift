// Encoding bitmaps of up to 256 colours as a palette and indices.

extension Palette {
  private static let mostColors = 256

  /// Appends the palette image, packed by `encoder`; false, with nothing appended, where the pixels
  /// have more than 256 colours or a wide colour that a palette cannot hold exactly.
  public static func encode(
    _ pixels: UnsafeRawBufferPointer, format: PixelFormat, width: Int, height: Int, rowStride: Int,
    with encoder: inout LZFSEEncoder, appendingTo output: inout [UInt8]
  ) -> Bool {
    let unpacked: [UInt8]?
    switch format {
    case .argb:
      unpacked = index(
        Picture<UInt32>(pixels: pixels, width: width, height: height, stride: rowStride)
      ) { $0.byteSwapped }
    case .rgbw:
      unpacked = index(
        Picture<UInt64>(pixels: pixels, width: width, height: height, stride: rowStride),
        stored: wideEntry)
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

  /// Blue, green, red, alpha in ten thousandths; nil where that changes the colour.
  private static func wideEntry(_ color: UInt64) -> UInt64? {
    var entry: UInt64 = 0
    for (target, lane) in zip([0, 1, 2, 3] as [UInt64], [2, 1, 0, 3] as [UInt64]) {
      let bits = UInt16(truncatingIfNeeded: color >> (16 * lane))
      guard let value = HalfFloat.value(bits) else { return nil }
      let scaled = (value * unit).rounded()
      guard (0...65535).contains(scaled) else { return nil }
      // Compared as it will be read: there is no negative zero among whole numbers.
      let stored = UInt64(scaled)
      guard HalfFloat.bits(Double(stored) / unit) == bits else { return nil }
      entry |= stored << (16 * target)
    }
    return entry
  }

  private static func index<Color: BitwiseCopyable>(
    _ picture: Picture<Color>, stored: (Color) -> Color?
  ) -> [UInt8]? {
    var table = ColorTable<Color>()
    var indices: [UInt8] = []
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

  /// Packs rows of indices from the high bits of 16-bit words down.
  private static func pack(_ indices: [UInt8], bits: Int, width: Int, to output: inout [UInt8]) {
    for row in stride(from: 0, to: indices.count, by: max(1, width)) {
      var word: UInt16 = 0
      var used = 0
      for index in indices[row..<row + width] {
        word |= UInt16(index) << UInt16(16 - bits - used)
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
    /// Open addressing over twice as many places as colours; 0 is a free place.
    private var places = [UInt16](repeating: 0, count: 1024)
    private var last: (color: Color, index: UInt8)?

    mutating func index(of color: Color) -> UInt8? {
      if let last, last.color == color { return last.index }
      var place = Int(truncatingIfNeeded: (UInt64(color) &* 0x9E37_79B9_7F4A_7C15) >> 54)
      while places[place] != 0 {
        let index = Int(places[place]) - 1
        if colors[index] == color {
          last = (color, UInt8(index))
          return UInt8(index)
        }
        place = (place + 1) % places.count
      }
      guard colors.count < mostColors else { return nil }
      colors.append(color)
      places[place] = UInt16(colors.count)
      last = (color, UInt8(colors.count - 1))
      return last?.index
    }
  }
}
