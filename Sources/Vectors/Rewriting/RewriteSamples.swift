// Writes samples of pictures, and curves of profiles, in fewer bytes: what cannot be seen becomes
// the colour beside it, rows become differences, and few colours become numbers of a palette.

import Codecs

/// Rows of samples, as a stream of a PDF has them after its filters were undone.
struct StoredSamples {
  private(set) var bytes: [UInt8]
  let rowBytes: Int
  let components: Int
  /// The bits of a sample: 8 or 16, or fewer in numbers of colours.
  let bits: Int
  /// The number of bytes whose compression takes time: those that can be seen, and a quarter of the
  /// others, which repeat their neighbours.
  private(set) var busyBytes: Int

  /// The bytes of all samples of a pixel.
  private var pixelBytes: Int { components * bits / 8 }
  var columns: Int { rowBytes / pixelBytes }

  init(_ bytes: [UInt8], rowBytes: Int, components: Int, bits: Int, busyBytes: Int? = nil) {
    self.bytes = bytes
    self.rowBytes = rowBytes
    self.components = components
    self.bits = bits
    self.busyBytes = busyBytes ?? bytes.count
  }

  /// Returns the number of busy bytes among those of a picture.
  static func busyBytes(of count: Int, seen: Int) -> Int { seen + (count - seen) / 4 }

  /// Returns the number of busy bytes among `count` bytes that were made of these samples.
  private func busyBytes(of count: Int) -> Int {
    bytes.isEmpty ? count : count * busyBytes / bytes.count
  }

  /// Returns the bytes of a colour profile as rows of pairs, because its curves are numbers of two
  /// bytes; nil if the bytes are no profile or do not fill such rows.
  init?(profile: [UInt8]) {
    guard (512...1 << 16).contains(profile.count),
      profile[36..<40].elementsEqual("acsp".utf8),
      let rowBytes = stride(from: 512, to: 1200, by: 2).first(where: { profile.count % $0 == 0 })
    else { return nil }
    self.init(profile, rowBytes: rowBytes, components: 2, bits: 8)
  }

  /// Continues the pixels at the edges of a box to the edges of the picture.
  mutating func fill(outside box: PixelBox) {
    guard !box.isEmpty, box.x1 <= columns, box.y1 * rowBytes <= bytes.count else { return }
    let size = pixelBytes
    busyBytes = StoredSamples.busyBytes(of: bytes.count, seen: box.area * size)
    let height = bytes.count / rowBytes
    for y in box.y0..<box.y1 {
      let row = y * rowBytes
      let first = row + box.x0 * size
      for place in 0..<box.x0 * size { bytes[row + place] = bytes[first + place % size] }
      for place in box.x1 * size..<rowBytes { bytes[row + place] = bytes[row + place - size] }
    }
    for y in 0..<height where y < box.y0 || y >= box.y1 {
      let source = min(max(y, box.y0), box.y1 - 1) * rowBytes
      for place in 0..<rowBytes { bytes[y * rowBytes + place] = bytes[source + place] }
    }
  }

  // MARK: Palettes

  /// Returns the pixels as numbers of colours, and the colours; nil if there are more than 256
  /// colours, the colours are many for so few pixels, or the samples are no bytes of three
  /// components.
  func numbered() -> (numbers: StoredSamples, colors: [UInt8])? {
    guard components == 3, bits == 8 else { return nil }
    var numbers: [UInt32: UInt8] = [:]
    var pixels: [UInt32] = []
    pixels.reserveCapacity(bytes.count / 3)
    var last = UInt32.max
    for offset in stride(from: 0, to: bytes.count, by: 3) {
      let color =
        UInt32(bytes[offset]) << 16 | UInt32(bytes[offset + 1]) << 8 | UInt32(bytes[offset + 2])
      pixels.append(color)
      if color == last { continue }
      last = color
      if numbers.updateValue(0, forKey: color) == nil, numbers.count > 256 { return nil }
    }
    guard numbers.count * 12 <= bytes.count else { return nil }
    let colors = numbers.keys.sorted()
    for (number, color) in colors.enumerated() { numbers[color] = UInt8(number) }
    let bits = colors.count > 16 ? 8 : colors.count > 4 ? 4 : colors.count > 2 ? 2 : 1
    let newRow = (columns * bits + 7) / 8
    var result = [UInt8](repeating: 0, count: newRow * (bytes.count / rowBytes))
    var (number, previous) = (UInt8(0), UInt32.max)
    for (index, color) in pixels.enumerated() {
      if color != previous { (number, previous) = (numbers[color] ?? 0, color) }
      let bit = index % columns * bits
      result[index / columns * newRow + bit >> 3] |= number << UInt8(8 - bits - bit & 7)
    }
    let table = colors.flatMap { [UInt8($0 >> 16), UInt8($0 >> 8 & 255), UInt8($0 & 255)] }
    let samples = StoredSamples(
      result, rowBytes: newRow, components: 1, bits: bits, busyBytes: busyBytes(of: result.count))
    return (samples, table)
  }

  // MARK: Differences

  /// The ways to store rows.
  enum Rows: CaseIterable {
    /// The samples themselves, without filters.
    case plain
    /// The differences from the left neighbour in each row. They compress best if rows repeat one
    /// another in part.
    case left
    /// One of PNG's filters for each row.
    case chosen

    /// The price of a byte, in decompressed bytes.
    var cost: Int {
      switch self {
      case .plain: 0
      case .left: 2
      case .chosen: 12
      }
    }
  }

  func rows(_ rows: Rows) -> [UInt8] {
    switch rows {
    case .plain: bytes
    case .left: leftDifferences()
    case .chosen: filtered().rows
    }
  }

  /// Returns rows from the middle with at most this number of bytes, and at least one row.
  func part(of most: Int) -> StoredSamples {
    let (height, few) = (bytes.count / rowBytes, max(1, most / rowBytes))
    guard few < height else { return self }
    let start = (height - few) / 2 * rowBytes
    return StoredSamples(
      Array(bytes[start..<start + few * rowBytes]), rowBytes: rowBytes, components: components,
      bits: bits, busyBytes: busyBytes(of: few * rowBytes))
  }

  /// The parameters with which a reader undoes the filters of the rows.
  var parameters: PDFDictionary {
    var parameters = PDFDictionary()
    parameters.append("Predictor", .integer(15))
    if components > 1 { parameters.append("Colors", .integer(components)) }
    if bits != 8 { parameters.append("BitsPerComponent", .integer(bits)) }
    parameters.append("Columns", .integer(columns))
    return parameters
  }

  private func leftDifferences() -> [UInt8] {
    let size = pixelBytes
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + bytes.count / rowBytes)
    for start in stride(from: 0, to: bytes.count, by: rowBytes) {
      result.append(1)
      result += bytes[start..<start + size]
      for offset in start + size..<start + rowBytes {
        result.append(bytes[offset] &- bytes[offset - size])
      }
    }
    return result
  }

  /// Returns the rows of a profile with filters; nil if these do not help, because the profile has
  /// no curves that are tables.
  func predictedCurves() -> [UInt8]? {
    let (rows, unevenness, plain) = filtered()
    return unevenness > 2 * plain ? rows : nil
  }

  /// Returns the rows with one of PNG's filters each: the one whose bytes are the most uneven in
  /// their frequencies, which compresses best; and the unevenness of the bytes with and without
  /// filters.
  private func filtered() -> (rows: [UInt8], unevenness: Int, plain: Int) {
    let size = pixelBytes
    var (sum, plain) = (0, 0)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + bytes.count / rowBytes)
    // A pixel of zeros lies before each row, and a row of zeros above the first one.
    var (row, above) = ([UInt8](repeating: 0, count: size + rowBytes), [UInt8]())
    above = row
    var rows = [UInt8](repeating: 0, count: 5 * rowBytes)
    var counts = [UInt32](repeating: 0, count: 5 * 256)
    for start in stride(from: 0, to: bytes.count, by: rowBytes) {
      row.replaceSubrange(size..., with: bytes[start..<start + rowBytes])
      counts.withUnsafeMutableBufferPointer { counts in
        counts.update(repeating: 0)
        rows.withUnsafeMutableBufferPointer { rows in
          for index in 0..<rowBytes {
            let (byte, left) = (row[index + size], row[index])
            let (up, corner) = (above[index + size], above[index])
            let mean = UInt8((UInt16(left) + UInt16(up)) >> 1)
            let guesses = (UInt8(0), left, up, mean, paethNeighbour(left, up, corner))
            @inline(__always) func note(_ filter: Int, _ guess: UInt8) {
              rows[filter &* rowBytes &+ index] = byte &- guess
              counts[filter << 8 | Int(byte &- guess)] &+= 1
            }
            note(0, guesses.0)
            note(1, guesses.1)
            note(2, guesses.2)
            note(3, guesses.3)
            note(4, guesses.4)
          }
        }
      }
      var (best, most) = (0, -1)
      for filter in 0..<5 {
        let squares = counts[filter << 8..<(filter + 1) << 8].reduce(0) { $0 + Int($1) * Int($1) }
        if filter == 0 { plain += squares }
        if squares > most { (best, most) = (filter, squares) }
      }
      sum += most
      result.append(UInt8(best))
      result += rows[best * rowBytes..<(best + 1) * rowBytes]
      swap(&row, &above)
    }
    return (result, sum, plain)
  }
}
