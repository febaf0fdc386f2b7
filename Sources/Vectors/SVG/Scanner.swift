// Reads words and numbers of attributes and style sheets.

/// A position in a range of the text. A function that finds what it reads moves the position after
/// it; otherwise the position stays.
struct Scanner {
  let bytes: UnsafeBufferPointer<UInt8>
  private(set) var position: Int
  let end: Int

  init(_ bytes: UnsafeBufferPointer<UInt8>, _ range: ByteRange) {
    self.bytes = bytes
    position = Int(range.start)
    end = Int(range.end)
  }

  /// Makes a scanner of another range of the same text.
  init(_ other: Scanner, _ range: ByteRange) { self.init(other.bytes, range) }

  var isAtEnd: Bool { position >= end }
  /// The next byte; 0 at the end.
  var next: UInt8 { position < end ? bytes[position] : 0 }
  var rest: ByteRange { ByteRange(position, end) }

  mutating func advance() { position += 1 }

  mutating func skipSpace() { while position < end, bytes[position] <= 32 { position += 1 } }

  mutating func skipSpaceAndComma() {
    skipSpace()
    if next == UInt8(ascii: ",") {
      position += 1
      skipSpace()
    }
  }

  /// Reads one byte if it is this one. Returns whether it was read.
  mutating func read(_ byte: StaticString) -> Bool {
    guard position < end, bytes[position] == byte.utf8Start[0] else { return false }
    position += 1
    return true
  }

  /// Reads a text if it is here, even inside of a word. Returns whether it was read.
  mutating func readStart(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard position + count <= end else { return false }
    for i in 0..<count where bytes[position + i] != text.utf8Start[i] { return false }
    position += count
    return true
  }

  /// Reads a word in upper or lower case if it ends there. Returns whether it was read.
  mutating func readWord(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard position + count <= end else { return false }
    for i in 0..<count where lowercase(bytes[position + i]) != word.utf8Start[i] { return false }
    if position + count < end, isWordPart(bytes[position + count]) { return false }
    position += count
    return true
  }

  /// Reads letters, digits, hyphens, underscores and bytes beyond ASCII.
  mutating func readWord() -> ByteRange {
    let start = position
    while position < end, isWordPart(bytes[position]) { position += 1 }
    return ByteRange(start, position)
  }

  /// Reads up to a byte for which `stop` is true. That byte is not read.
  mutating func readUntil(_ stop: (UInt8) -> Bool) -> ByteRange {
    let start = position
    while position < end, !stop(bytes[position]) { position += 1 }
    return ByteRange(start, position)
  }

  private func isWordPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), 0x80...:
      return true
    default: return false
    }
  }

  /// Reads a decimal number. Digits after the first nineteen have no influence on it.
  mutating func readNumber() -> Double? {
    let start = position
    let isNegative = next == UInt8(ascii: "-")
    if isNegative || next == UInt8(ascii: "+") { position += 1 }
    var mantissa: UInt64 = 0
    var exponent = 0
    var hasDigits = false
    var isFraction = false
    while position < end {
      let byte = bytes[position]
      if byte == UInt8(ascii: "."), !isFraction {
        isFraction = true
      } else if byte &- UInt8(ascii: "0") < 10 {
        hasDigits = true
        if mantissa < 1_000_000_000_000_000_000 {
          mantissa = mantissa * 10 + UInt64(byte &- UInt8(ascii: "0"))
          if isFraction { exponent -= 1 }
        } else if !isFraction {
          exponent += 1
        }
      } else {
        break
      }
      position += 1
    }
    guard hasDigits else {
      position = start
      return nil
    }
    exponent += readExponent()
    let value = decimal(mantissa, exponent)
    return isNegative ? -value : value
  }

  private mutating func readExponent() -> Int {
    guard next | 0x20 == UInt8(ascii: "e") else { return 0 }
    var at = position + 1
    guard at < end else { return 0 }
    let isNegative = bytes[at] == UInt8(ascii: "-")
    if isNegative || bytes[at] == UInt8(ascii: "+") { at += 1 }
    guard at < end, bytes[at] &- UInt8(ascii: "0") < 10 else { return 0 }
    var value = 0
    while at < end, bytes[at] &- UInt8(ascii: "0") < 10 {
      if value < 10_000 { value = value * 10 + Int(bytes[at] &- UInt8(ascii: "0")) }
      at += 1
    }
    position = at
    return isNegative ? -value : value
  }
}

/// Returns mantissa · 10^exponent. If both factors are exact, which holds in all usual files, the
/// result is the nearest number; otherwise it is close.
private func decimal(_ mantissa: UInt64, _ exponent: Int) -> Double {
  var value = Double(mantissa)
  var rest = exponent
  if mantissa == 0 { return 0 }
  while rest < 0, rest > -400 {
    let step = min(-rest, 22)
    value /= tens[step]
    rest += step
  }
  while rest > 0, rest < 400 {
    let step = min(rest, 22)
    value *= tens[step]
    rest -= step
  }
  return rest == 0 ? value : rest < 0 ? 0 : .infinity
}

private let tens: [Double] = [
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
  1e18, 1e19, 1e20, 1e21, 1e22,
]

@inline(__always) func lowercase(_ byte: UInt8) -> UInt8 {
  byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
}

/// A length in pixels, or a percentage of a length that is not known yet.
struct Length {
  var value: Double
  var isShare: Bool

  init(_ value: Double, isShare: Bool = false) {
    self.value = value
    self.isShare = isShare
  }

  /// Returns the length in pixels; a percentage refers to `whole`.
  func resolved(_ whole: Double) -> Double { isShare ? value * whole / 100 : value }
}

extension Scanner {
  /// Reads a number with a unit of CSS, at 96 pixels for each inch.
  mutating func readLength(fontSize: Double, rootFontSize: Double = 16) -> Length? {
    guard let number = readNumber() else { return nil }
    if read("%") { return Length(number, isShare: true) }
    let units: [(StaticString, Double)] = [
      ("px", 1), ("pt", 4.0 / 3), ("pc", 16), ("in", 96), ("cm", 96 / 2.54), ("mm", 96 / 25.4),
      ("em", fontSize), ("rem", rootFontSize), ("ex", fontSize / 2), ("ch", fontSize / 2),
      ("q", 96 / 101.6),
    ]
    guard isWordPart(next) else { return Length(number) }
    for (unit, size) in units where readWord(unit) { return Length(number * size) }
    return nil
  }
}
