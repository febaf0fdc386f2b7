// Encodes bitmaps of few colours as a palette and indices.

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
    /// A hash table with open addressing, at least twice as many places as colours; 0 is a free
    /// place.
    private var places: [UInt16]
    private var last: (color: Color, index: UInt16)?

    init(most: Int) {
      self.most = min(most, 1 << 14)
      let bits = 1 + Int.bitWidth - self.most.leadingZeroBitCount
      shift = UInt64(64 - bits)
      places = [UInt16](repeating: 0, count: 1 << bits)
    }

    mutating func index(of color: Color) -> UInt16? {
      if let last, last.color == color { return last.index }
      var place = Int(truncatingIfNeeded: (UInt64(color) &* 0x9E37_79B9_7F4A_7C15) >> shift)
      while places[place] != 0 {
        let index = Int(places[place]) - 1
        if colors[index] == color {
          last = (color, UInt16(index))
          return UInt16(index)
        }
        place = (place + 1) % places.count
      }
      guard colors.count < most else { return nil }
      colors.append(color)
      places[place] = UInt16(colors.count)
      last = (color, UInt16(colors.count - 1))
      return last?.index
    }
  }
}
