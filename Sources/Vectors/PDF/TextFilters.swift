// The simple filters of streams: bytes as text, run lengths, and LZW.

enum TextFilters {
  static func ascii85(_ source: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(source.count)
    var group: UInt32 = 0
    var count = 0
    for byte in source {
      switch byte {
      case UInt8(ascii: "!")...UInt8(ascii: "u"):
        group = group &* 85 &+ UInt32(byte - 33)
        count += 1
        if count == 5 {
          append(group, 4, to: &result)
          (group, count) = (0, 0)
        }
      case UInt8(ascii: "z") where count == 0: append(0, 4, to: &result)
      case UInt8(ascii: "~"):
        finish(group, count, &result)
        return result
      default: continue
      }
    }
    finish(group, count, &result)
    return result
  }

  /// Appends the bytes of an incomplete group: two to four digits at the end encode one to three
  /// bytes.
  private static func finish(_ group: UInt32, _ count: Int, _ result: inout [UInt8]) {
    guard count >= 2 else { return }
    var group = group
    for _ in count..<5 { group = group &* 85 &+ 84 }
    append(group, count - 1, to: &result)
  }

  private static func append(_ group: UInt32, _ count: Int, to result: inout [UInt8]) {
    for index in 0..<count {
      result.append(UInt8(truncatingIfNeeded: group >> UInt32(24 - 8 * index)))
    }
  }

  static func hex(_ source: [UInt8]) -> [UInt8] {
    var lexer = PDFLexer([UInt8(ascii: "<")] + source, budget: nil)
    return lexer.readHexString()
  }

  static func runLengths(_ source: [UInt8], limit: Int) -> [UInt8] {
    var result: [UInt8] = []
    var position = 0
    while position + 1 < source.count, source[position] != 128, result.count < limit {
      let length = Int(source[position])
      if length < 128 {
        result.append(contentsOf: source[(position + 1)..<min(position + 2 + length, source.count)])
        position += length + 2
      } else {
        result.append(contentsOf: repeatElement(source[position + 1], count: 257 - length))
        position += 2
      }
    }
    return result
  }
}

enum LZWDecoder {
  private static let clear = 256
  private static let stop = 257

  /// Decodes LZW data. If `early` is true, codes become longer one code before they must.
  static func decode(_ source: [UInt8], early: Bool, limit: Int) -> [UInt8] {
    var result: [UInt8] = []
    // The text of a code is a range of the text that was already written.
    var starts = [Int](repeating: 0, count: 4096)
    var lengths = [Int](repeating: 0, count: 4096)
    var (next, width) = (258, 9)
    var last: (start: Int, length: Int)?
    var (window, bits) = (0, 0)
    for byte in source {
      window = (window << 8 | Int(byte)) & 0xFF_FFFF
      bits += 8
      guard bits >= width else { continue }
      bits -= width
      let code = window >> bits & (1 << width - 1)
      if code == stop || result.count > limit { break }
      if code == clear {
        (next, width, last) = (258, 9, nil)
        continue
      }
      let start = result.count
      if code < 256 {
        result.append(UInt8(code))
      } else if code < next {
        for index in starts[code]..<starts[code] + lengths[code] { result.append(result[index]) }
      } else if code == next, let last {
        for index in last.start..<last.start + last.length { result.append(result[index]) }
        result.append(result[start])
      } else {
        break
      }
      if let last, next < 4096 {
        (starts[next], lengths[next]) = (last.start, last.length + 1)
        next += 1
      }
      last = (start, result.count - start)
      let full = next + (early ? 1 : 0)
      width = full >= 2048 ? 12 : full >= 1024 ? 11 : full >= 512 ? 10 : 9
    }
    return result
  }
}
