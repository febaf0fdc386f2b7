// PNG pictures inside of other files, for readers that have no library: chunks, palettes,
// interlaced passes, and the conversion of samples to pixels. The tools read files of PNG through
// libraries, which are faster (Imaging/PNG).

import Bytes

/// A picture with eight bits for each channel: red, green, blue and alpha, not premultiplied, in
/// rows without gaps.
package struct PNGPicture: Sendable {
  package var width: Int
  package var height: Int
  package var pixels: [UInt8]
  /// Whether the file stores grey, to which a profile with one curve belongs.
  package var isGray: Bool
  /// The ICC profile in the file; empty if it has no profile.
  package var profile: [UInt8]
  /// The four numbers of the coding-independent code points; empty if the file has none.
  package var codePoints: [UInt8]
}

package struct PNGDecoder {
  private enum Colors: Int {
    case gray = 0
    case rgb = 2
    case palette = 3
    case grayAlpha = 4
    case rgba = 6

    var channels: Int {
      switch self {
      case .gray, .palette: 1
      case .grayAlpha: 2
      case .rgb: 3
      case .rgba: 4
      }
    }

    func allows(depth: Int) -> Bool {
      switch self {
      case .gray: [1, 2, 4, 8, 16].contains(depth)
      case .palette: [1, 2, 4, 8].contains(depth)
      case .rgb, .grayAlpha, .rgba: depth == 8 || depth == 16
      }
    }
  }

  /// The pixels of one pass: the first one, and the distances to the next. A picture that is not
  /// interlaced has one pass.
  private struct Pass {
    let x: Int
    let y: Int
    let across: Int
    let down: Int
    var width = 0
    var height = 0
  }

  private let data: BigEndianBytes
  private let budget: Budget
  private var width = 0
  private var height = 0
  private var depth = 0
  private var colors = Colors.gray
  private var isInterlaced = false
  private var palette = 0..<0
  private var transparency = 0..<0
  private var profile: [UInt8] = []
  private var codePoints: [UInt8] = []
  private var compressed: [UInt8] = []

  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Returns whether a file begins like a PNG.
  package static func begins(_ bytes: [UInt8]) -> Bool { bytes.starts(with: signature) }

  /// Decodes a picture. A damaged file is refused as a whole. If the budget is exceeded, the error
  /// means nothing; the budget says so.
  package static func decode(
    _ bytes: [UInt8], budget: Budget
  ) throws(CodecError) -> PNGPicture {
    budget.spend(.copiedBytes, 2 * bytes.count)
    let before = budget.memoryHeld(by: .samples)
    defer { budget.hold(.samples, bytes: before) }
    var decoder = PNGDecoder(bytes, budget)
    try decoder.readChunks()
    return try decoder.picture()
  }

  private init(_ bytes: [UInt8], _ budget: Budget) {
    data = BigEndianBytes(bytes)
    self.budget = budget
  }

  // MARK: Chunks

  private mutating func readChunks() throws(CodecError) {
    guard PNGDecoder.begins(data.bytes), data.u32(12) == 0x4948_4452 else { throw .corrupt(at: 0) }
    var position = 8
    while true {
      guard data.count - position >= 12 else { throw .truncated(at: data.count) }
      let length = data.u32(position)
      guard length <= data.count - position - 12 else { throw .truncated(at: data.count) }
      let body = position + 8..<position + 8 + length
      let sum = data.bytes.withUnsafeBytes {
        Checksum.crc32(UnsafeRawBufferPointer(rebasing: $0[position + 4..<body.upperBound]))
      }
      guard Int(sum) == data.u32(body.upperBound) else { throw .corrupt(at: position) }
      if data.u32(position + 4) == 0x4945_4E44 { return }
      try read(data.u32(position + 4), body)
      position = body.upperBound + 4
    }
  }

  private mutating func read(_ kind: Int, _ body: Range<Int>) throws(CodecError) {
    switch kind {
    case 0x4948_4452: try readHeader(body)
    case 0x504C_5445: if compressed.isEmpty, palette.isEmpty { palette = body }
    case 0x7452_4E53: readTransparency(body)
    case 0x4944_4154:
      guard budget.borrow(.samples, bytes: body.count) else { throw .truncated(at: 0) }
      compressed += data.bytes[body]
    case 0x6943_4350: readProfile(body)
    case 0x6349_4350: if body.count == 4 { codePoints = Array(data.bytes[body]) }
    case 0x4367_4249: throw .unsupported("Apple's kind of PNG")
    default:
      // A chunk whose name begins with a capital is needed to show the picture.
      if kind & 0x2000_0000 == 0 { throw .unsupported("a PNG with a chunk that is not known") }
    }
  }

  private mutating func readHeader(_ body: Range<Int>) throws(CodecError) {
    let start = body.lowerBound
    guard body.count == 13, width == 0 else { throw .corrupt(at: start) }
    width = data.u32(start)
    height = data.u32(start + 4)
    depth = data.u8(start + 8)
    guard (1...1 << 16).contains(width), (1...1 << 16).contains(height),
      let colors = Colors(rawValue: data.u8(start + 9)), colors.allows(depth: depth),
      data.u16(start + 10) == 0, data.u8(start + 12) < 2
    else { throw .corrupt(at: start) }
    self.colors = colors
    isInterlaced = data.u8(start + 12) == 1
  }

  /// Reads the alphas of the palette, or the transparent colour. As in libpng, a chunk at the wrong
  /// place, of a wrong size, or for another kind of picture counts for nothing.
  private mutating func readTransparency(_ body: Range<Int>) {
    guard compressed.isEmpty, transparency.isEmpty else { return }
    let isSound =
      switch colors {
      case .gray: body.count == 2
      case .rgb: body.count == 6
      case .palette: body.count <= min(palette.count / 3, 1 << depth)
      case .grayAlpha, .rgba: false
      }
    if isSound { transparency = body }
  }

  /// Reads a profile: a name of at most 79 bytes, its end, the method 0, and a zlib stream. A
  /// profile that cannot be read is left out. A profile without tables for all colours is always
  /// smaller than a megabyte.
  private mutating func readProfile(_ body: Range<Int>) {
    guard profile.isEmpty, let end = data.bytes[body.prefix(80)].firstIndex(of: 0),
      end + 2 < body.upperBound, data.u8(end + 1) == 0
    else { return }
    let most = min(1 << 20, (body.upperBound - end) * 1_032)
    guard budget.borrow(.samples, bytes: most) else { return }
    budget.spend(.decompressedBytes, most / 4)
    profile = [UInt8](unsafeUninitializedCapacity: most) { room, count in
      count = data.bytes.withUnsafeBytes {
        Inflate.salvage(
          zlib: UnsafeRawBufferPointer(rebasing: $0[end + 2..<body.upperBound]),
          into: UnsafeMutableRawBufferPointer(room)
        ).written
      }
    }
  }

  // MARK: Pixels

  private var passes: [Pass] {
    guard isInterlaced else {
      return [Pass(x: 0, y: 0, across: 1, down: 1, width: width, height: height)]
    }
    let all = [
      Pass(x: 0, y: 0, across: 8, down: 8), Pass(x: 4, y: 0, across: 8, down: 8),
      Pass(x: 0, y: 4, across: 4, down: 8), Pass(x: 2, y: 0, across: 4, down: 4),
      Pass(x: 0, y: 2, across: 2, down: 4), Pass(x: 1, y: 0, across: 2, down: 2),
      Pass(x: 0, y: 1, across: 1, down: 2),
    ]
    return all.map { pass in
      var pass = pass
      pass.width = (width - pass.x + pass.across - 1) / pass.across
      pass.height = (height - pass.y + pass.down - 1) / pass.down
      return pass
    }.filter { $0.width > 0 && $0.height > 0 }
  }

  private func rowBytes(_ width: Int) -> Int { (width * colors.channels * depth + 7) / 8 }

  private mutating func picture() throws(CodecError) -> PNGPicture {
    let passes = self.passes
    let count = passes.reduce(0) { $0 + $1.height * (rowBytes($1.width) + 1) }
    // Deflate makes at most 1,032 bytes from one.
    guard width > 0, count / 1_032 <= compressed.count, colors != .palette || !palette.isEmpty
    else { throw .corrupt(at: 0) }
    let isFinished = colors == .rgba && depth == 8 && !isInterlaced
    let size = width * height * 4
    // The inflated rows are charged for inflating them and for undoing their filters.
    guard budget.borrow(.samples, bytes: count + (isFinished ? 0 : size)),
      budget.spend(.decompressedBytes, 2 * count), budget.spend(.samples, 2 * width * height)
    else { throw .truncated(at: 0) }
    var rows = try inflated(count)
    if isFinished {
      let left = rows.withUnsafeMutableBufferPointer {
        PNGFilters.undo($0, rowBytes: 4 * width, pixelBytes: 4)
      }
      rows.removeLast(rows.count - left)
    } else {
      rows = expanded(&rows, passes, size)
    }
    return PNGPicture(
      width: width, height: height, pixels: rows, isGray: colors == .gray || colors == .grayAlpha,
      profile: profile, codePoints: codePoints)
  }

  private func inflated(_ count: Int) throws(CodecError) -> [UInt8] {
    var result = (written: 0, needsMore: false, isWhole: false)
    let rows = [UInt8](unsafeUninitializedCapacity: count) { room, size in
      result = compressed.withUnsafeBytes {
        Inflate.salvage(zlib: $0, into: UnsafeMutableRawBufferPointer(room), verifies: true)
      }
      size = result.written
    }
    // Some programs write more data than the picture needs.
    guard rows.count == count, result.isWhole || result.needsMore else { throw .corrupt(at: 0) }
    return rows
  }

  /// Undoes the filters of all passes, and converts their samples to pixels.
  private func expanded(_ rows: inout [UInt8], _ passes: [Pass], _ size: Int) -> [UInt8] {
    let pixelBytes = max(1, colors.channels * depth / 8)
    let reader = SampleReader(colors: colors, depth: depth, palette: table, key: key)
    return [UInt8](unsafeUninitializedCapacity: size) { target, filled in
      rows.withUnsafeMutableBufferPointer { rows in
        var start = 0
        for pass in passes {
          let rowBytes = rowBytes(pass.width)
          let part = start..<start + pass.height * (rowBytes + 1)
          let stored = UnsafeMutableBufferPointer(rebasing: rows[part])
          _ = PNGFilters.undo(stored, rowBytes: rowBytes, pixelBytes: pixelBytes)
          for row in 0..<pass.height {
            let source = UnsafeBufferPointer(
              rebasing: stored[row * rowBytes..<(row + 1) * rowBytes])
            let first = (pass.y + row * pass.down) * width + pass.x
            reader.write(source, pass.width, to: target, first: first, step: pass.across)
          }
          start = part.upperBound
        }
      }
      filled = size
    }
  }

  /// The colours of the palette with their alphas, as four bytes each, with the red one lowest.
  private var table: [UInt32] {
    guard colors == .palette else { return [] }
    return (0..<256).map { index in
      guard 3 * index + 2 < palette.count else { return 0xFF00_0000 }
      func part(_ channel: Int) -> UInt32 {
        UInt32(data.u8(palette.lowerBound + 3 * index + channel)) << UInt32(8 * channel)
      }
      let alpha =
        index < transparency.count ? UInt32(data.u8(transparency.lowerBound + index)) : 255
      return part(0) | part(1) | part(2) | alpha << 24
    }
  }

  /// The samples of the one colour that is transparent; empty if every colour is shown. Bits above
  /// the depth do not count.
  private var key: [Int] {
    guard colors != .palette else { return [] }
    return (0..<transparency.count / 2).map {
      data.u16(transparency.lowerBound + 2 * $0) & (1 << depth - 1)
    }
  }

  // MARK: Samples

  /// Converts the samples of rows to pixels.
  private struct SampleReader {
    let colors: Colors
    let depth: Int
    let palette: [UInt32]
    let key: [Int]

    func write(
      _ source: UnsafeBufferPointer<UInt8>, _ count: Int,
      to target: UnsafeMutableBufferPointer<UInt8>, first: Int, step: Int
    ) {
      let channels = colors.channels
      for index in 0..<count {
        let offset = index * channels
        let pixel: UInt32
        switch colors {
        case .palette: pixel = palette[sample(source, offset)]
        case .gray, .grayAlpha:
          let gray = sample(source, offset)
          let isKey = key.count == 1 && key[0] == gray
          let alpha = channels == 2 ? byte(sample(source, offset + 1)) : isKey ? 0 : 255
          pixel = byte(gray) * 0x1_0101 | alpha << 24
        case .rgb, .rgba:
          let parts = (
            sample(source, offset), sample(source, offset + 1), sample(source, offset + 2)
          )
          let isKey = key.count == 3 && parts == (key[0], key[1], key[2])
          let alpha = channels == 4 ? byte(sample(source, offset + 3)) : isKey ? 0 : 255
          pixel = byte(parts.0) | byte(parts.1) << 8 | byte(parts.2) << 16 | alpha << 24
        }
        let at = 4 * (first + index * step)
        for channel in 0..<4 {
          target[at + channel] = UInt8(truncatingIfNeeded: pixel >> UInt32(8 * channel))
        }
      }
    }

    @inline(__always)
    private func sample(_ source: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
      switch depth {
      case 8: return Int(source[index])
      case 16: return Int(source[2 * index]) << 8 | Int(source[2 * index + 1])
      default:
        let bit = index * depth
        return Int(source[bit >> 3]) >> (8 - depth - bit & 7) & (1 << depth - 1)
      }
    }

    /// Returns a sample with eight bits.
    @inline(__always)
    private func byte(_ sample: Int) -> UInt32 {
      switch depth {
      case 8: UInt32(sample)
      case 16: UInt32((sample * 255 + 32_895) >> 16)
      default: UInt32(sample * 255 / (1 << depth - 1))
      }
    }
  }
}
