// Names, strings and numbers of PDF syntax.

extension PDFLexer {
  mutating func readName() -> String {
    position += 1
    let start = position
    var hasEscape = false
    while position < end, !Self.isBlank(bytes[position]), !Self.isDelimiter(bytes[position]) {
      if bytes[position] == UInt8(ascii: "#") { hasEscape = true }
      position += 1
    }
    guard hasEscape else { return String(decoding: bytes[start..<position], as: UTF8.self) }
    var name: [UInt8] = []
    var index = start
    while index < position {
      if bytes[index] == UInt8(ascii: "#"), index + 2 < position,
        let high = Self.hexDigit(bytes[index + 1]), let low = Self.hexDigit(bytes[index + 2])
      {
        name.append(high << 4 | low)
        index += 3
      } else {
        name.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: name, as: UTF8.self)
  }

  static func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }

  mutating func readHexString() -> [UInt8] {
    position += 1
    var result: [UInt8] = []
    var half: UInt8?
    while position < end {
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: ">") { break }
      guard let digit = Self.hexDigit(byte) else { continue }
      if let high = half {
        result.append(high << 4 | digit)
        half = nil
      } else {
        half = digit
      }
    }
    if let high = half { result.append(high << 4) }
    return result
  }

  mutating func readString() -> [UInt8] {
    position += 1
    var result: [UInt8] = []
    var open = 1
    while position < end {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "("): open += 1
      case UInt8(ascii: ")"):
        open -= 1
        if open == 0 { return result }
      case UInt8(ascii: "\\"):
        if let escaped = readEscape() { result.append(escaped) }
        continue
      default: break
      }
      result.append(byte)
    }
    return result
  }

  /// Reads the character that an escape sequence means; returns nil for an escaped line end.
  private mutating func readEscape() -> UInt8? {
    guard position < end else { return nil }
    let byte = bytes[position]
    position += 1
    switch byte {
    case UInt8(ascii: "n"): return 10
    case UInt8(ascii: "r"): return 13
    case UInt8(ascii: "t"): return 9
    case UInt8(ascii: "b"): return 8
    case UInt8(ascii: "f"): return 12
    case 13:
      if position < end, bytes[position] == 10 { position += 1 }
      return nil
    case 10: return nil
    case 0x30...0x37:
      var value = Int(byte) - 0x30
      var count = 1
      while count < 3, position < end, bytes[position] >= 0x30, bytes[position] <= 0x37 {
        value = value * 8 + Int(bytes[position]) - 0x30
        position += 1
        count += 1
      }
      return UInt8(truncatingIfNeeded: value)
    default: return byte
    }
  }

  /// Returns the number that a word means; nil if it is not a number. Fifteen digits are exact;
  /// further digits only change the scale.
  static func number(_ word: ArraySlice<UInt8>) -> PDFValue? {
    var index = word.startIndex
    var negative = false
    while index < word.endIndex,
      word[index] == UInt8(ascii: "-") || word[index] == UInt8(ascii: "+")
    {
      if word[index] == UInt8(ascii: "-") { negative = true }
      index += 1
    }
    var mantissa = 0
    var scale = 0
    var digits = 0
    var hasPoint = false
    while index < word.endIndex {
      let byte = word[index]
      if byte >= 0x30, byte <= 0x39 {
        digits += 1
        if mantissa < 100_000_000_000_000 {
          mantissa = mantissa * 10 + Int(byte) - 0x30
          if hasPoint { scale += 1 }
        } else if !hasPoint {
          scale -= 1
        }
      } else if byte == UInt8(ascii: "."), !hasPoint {
        hasPoint = true
      } else if byte == UInt8(ascii: "-") || byte == UInt8(ascii: "."), digits > 0 {
        // Some writers print `12.-5` and `1.2.3`; readers stop at the second sign or point.
        break
      } else {
        return nil
      }
      index += 1
    }
    guard digits > 0 || hasPoint else { return nil }
    if !hasPoint, scale == 0 { return .integer(negative ? -mantissa : mantissa) }
    guard scale >= -30, scale <= 30 else { return .real(0) }
    var power = 1.0
    for _ in 0..<abs(scale) { power *= 10 }
    let value = scale > 0 ? Double(mantissa) / power : Double(mantissa) * power
    return .real(negative ? -value : value)
  }
}
