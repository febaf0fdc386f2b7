// Reads string literals of code from their opening quote to their end, with escaped characters and
// the code in them.

import Bytes

extension CodeScanner {
  /// Reads an apostrophe: of a string literal or, in C, of a character.
  mutating func apostrophe() {
    switch language {
    case .swift: position += 1
    case .script, .python, .lua, .page: stringLiteral(quote: UInt8(ascii: "'"), hashes: 0)
    case .c:
      // A character such as '"' ends on its line.
      var end = position + 1
      while end < bytes.count, end - position < 12, bytes[end] != UInt8(ascii: "'"),
        bytes[end] != 10
      {
        end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
      }
      let isCharacter = end < bytes.count && bytes[end] == UInt8(ascii: "'")
      position = isCharacter ? end + 1 : position + 1
      last = .other
    }
  }

  /// Reads a backquote: of a string literal, a regular expression or an identifier.
  mutating func backquote() {
    if language.isScript, readsLongLiterals,
      position == 0 || bytes[position - 1] != UInt8(ascii: "/")
    {
      return readStringLiteral(quote: UInt8(ascii: "`"), count: 1, hashes: 0, end: nil)
    }
    // The quote belongs to a regular expression, or in Swift to an identifier.
    if language.isScript { lookUpLine(around: position) }
    position += 1
  }

  /// Reads a string literal between quotes; in Swift also with number signs, or of several lines.
  mutating func stringLiteral(quote: UInt8 = UInt8(ascii: "\""), hashes: Int) {
    let isLong =
      language != .c && readsLongLiterals && position + 2 < bytes.count
      && bytes[position + 1] == quote
      && bytes[position + 2] == quote
    if isLong {
      position += 2
      readStringLiteral(quote: quote, count: 3, hashes: hashes, end: nil)
    } else {
      readStringLiteral(quote: quote, count: 1, hashes: hashes, end: 10)
    }
  }

  /// Reads a string literal from its opening quote. It ends at as many quotes, at the byte `end`,
  /// or with the file.
  mutating func readStringLiteral(quote: UInt8, count: Int, hashes: Int, end: UInt8?) {
    let start = position
    position += 1
    let isAfterSlash = start > 0 && bytes[start - 1] == UInt8(ascii: "/")
    var literal = StringLiteral(start: start, isAfterPlus: last == .plus, isLong: end == nil)
    noteReceiver(of: &literal)
    var isClosed = false
    while position < bytes.count {
      let byte = bytes[position]
      if byte == end { break }
      if byte == quote, endsLiteral(quote, count, hashes) {
        position += count + hashes
        isClosed = true
        break
      }
      if byte == UInt8(ascii: "\\"), isEscape(hashes) {
        readEscape(hashes, end, &literal)
      } else if quote == UInt8(ascii: "`"), byte == UInt8(ascii: "$"), position + 1 < bytes.count,
        bytes[position + 1] == UInt8(ascii: "{")
      {
        position += 1
        interpolation(&literal, end)
      } else {
        literal.add(byte)
        position += 1
      }
    }
    finishLiteral(&literal)
    last = .stringLiteral
    if !isClosed, end != nil || isAfterSlash { lookUpLine(around: start) }
    if !isClosed, end == nil {
      // The quote begins no literal: the rest of the file is code.
      readsLongLiterals = false
      position = start + 1
    }
    guard isClosed, language != .c else { return }
    if isAfterSlash { lookUpLine(around: start) }
    if isBeforeSlash { lookUpLine(around: position - 1) }
  }

  /// Whether a slash is here that begins no comment.
  var isBeforeSlash: Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: "/") else { return false }
    let next = position + 1 < bytes.count ? bytes[position + 1] : 0
    return next != UInt8(ascii: "/") && next != UInt8(ascii: "*")
  }

  /// Returns whether the quotes and number signs that end a literal begin at the position.
  func endsLiteral(_ quote: UInt8, _ count: Int, _ hashes: Int) -> Bool {
    guard position + count + hashes <= bytes.count else { return false }
    for offset in 0..<count where bytes[position + offset] != quote { return false }
    for offset in 0..<hashes where bytes[position + count + offset] != UInt8(ascii: "#") {
      return false
    }
    return true
  }

  // MARK: Escaped characters and interpolations

  /// Returns whether the number signs that begin an escape follow the backslash at the position.
  func isEscape(_ hashes: Int) -> Bool {
    guard position + hashes + 1 < bytes.count else { return false }
    for offset in 0..<hashes where bytes[position + 1 + offset] != UInt8(ascii: "#") {
      return false
    }
    return true
  }

  /// Reads a backslash and what it escapes: a character, a line end or an interpolation.
  mutating func readEscape(_ hashes: Int, _ end: UInt8?, _ literal: inout StringLiteral) {
    position += 1 + hashes
    let byte = bytes[position]
    if byte == UInt8(ascii: "("), language == .swift {
      interpolation(&literal, end)
      return
    }
    if byte == end { return }
    position += 1
    switch byte {
    case UInt8(ascii: "n"), UInt8(ascii: "t"), UInt8(ascii: "r"): literal.add(10)
    case UInt8(ascii: "u"), UInt8(ascii: "x"), UInt8(ascii: "U"): escapedCharacter(byte, &literal)
    case 48...55 where language == .c: literal.add(octal(byte))
    case 10, 13: break
    default: literal.add(byte)
    }
  }

  /// Reads an escaped character that is written as its number.
  mutating func escapedCharacter(_ kind: UInt8, _ literal: inout StringLiteral) {
    let isBraced = position < bytes.count && bytes[position] == UInt8(ascii: "{")
    if isBraced { position += 1 }
    let most = isBraced ? 8 : kind == UInt8(ascii: "x") ? 2 : kind == UInt8(ascii: "U") ? 8 : 4
    var (value, count): (UInt32, Int) = (0, 0)
    while position < bytes.count, count < most, let digit = hexDigit(bytes[position]) {
      value = value << 4 | UInt32(digit)
      position += 1
      count += 1
    }
    if isBraced, position < bytes.count, bytes[position] == UInt8(ascii: "}") { position += 1 }
    if kind == UInt8(ascii: "x"), language == .c {
      literal.add(UInt8(truncatingIfNeeded: value))
    } else if let scalar = Unicode.Scalar(value) {
      for byte in String(Character(scalar)).utf8 { literal.add(byte) }
    }
  }

  /// Reads the rest of a character whose number has octal digits.
  mutating func octal(_ first: UInt8) -> UInt8 {
    var value = Int(first - 48)
    var count = 1
    while position < bytes.count, count < 3, (48...55).contains(bytes[position]) {
      value = value * 8 + Int(bytes[position] - 48)
      position += 1
      count += 1
    }
    return UInt8(truncatingIfNeeded: value)
  }

  /// Scans the code in a literal up to its closing bracket.
  mutating func interpolation(_ literal: inout StringLiteral, _ end: UInt8?) {
    literal.divide()
    guard depth < 16, brackets.count < CodeScanner.mostBrackets - 1 else {
      position += 1
      return
    }
    depth += 1
    let (outerLast, outerIdentifier, outerCases) = (last, identifier, isInCases)
    let outerKey = lastKey
    let count = brackets.count
    let isWhole = literal.isValue(at: position, in: bytes)
    last = .other
    openBracket(bytes[position])
    // A pattern has the names of which the value is a part.
    if !isWhole { brackets[brackets.count - 1].isName = false }
    while position < bytes.count, brackets.count > count {
      if let end, bytes[position] == end { break }
      scanToken()
    }
    while brackets.count > count { brackets.removeLast() }
    (last, identifier, isInCases) = (outerLast, outerIdentifier, outerCases)
    lastKey = outerKey
    depth -= 1
  }
}
