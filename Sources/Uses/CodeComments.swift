// Skips comments of code. If it is uncertain whether a part is a comment, its words are looked up.

extension CodeScanner {
  /// Reads a slash: of a comment, a regular expression, a URL or a division.
  mutating func slash() {
    let next = position + 1 < bytes.count ? bytes[position + 1] : 0
    let before = position > 0 ? bytes[position - 1] : 0
    let hasComments = skipsComments && language != .python && language != .lua
    // In a regular expression, "\/" is a slash.
    let isEscaped = before == UInt8(ascii: "\\") && language != .c
    if next == UInt8(ascii: "/"), hasComments {
      if isEscaped
        || language != .c && (before == UInt8(ascii: ":") || before == UInt8(ascii: "["))
      {
        lookUpLine(around: position)
        position += 2
        last = .other
      } else {
        skipLine(looksUp: language == .page)
      }
    } else if next == UInt8(ascii: "*"), hasComments, !isEscaped {
      skipComment()
    } else {
      position += 1
      last = .other
    }
  }

  /// Skips a comment between "/*" and "*/". In Swift, a comment can contain others.
  mutating func skipComment() {
    let start = position
    var depth = 0
    while position < bytes.count {
      let next = position + 1 < bytes.count ? bytes[position + 1] : 0
      if bytes[position] == UInt8(ascii: "/"), next == UInt8(ascii: "*") {
        if depth == 0 || language == .swift { depth += 1 }
        position += 2
      } else if bytes[position] == UInt8(ascii: "*"), next == UInt8(ascii: "/") {
        depth -= 1
        position += 2
        if depth == 0 { return }
      } else {
        position += 1
      }
    }
    position = bytes.count
    openComment = openComment ?? start
  }

  /// Reads a comment ("--") or a long literal ("[[star]]") of Lua.
  mutating func luaCommentOrLiteral(_ byte: UInt8) {
    if byte == UInt8(ascii: "-"), skipsComments { return skipLine(looksUp: true) }
    position += 2
    last = .other
    guard byte == UInt8(ascii: "[") else { return }
    let start = position
    while position < bytes.count,
      !(bytes[position] == UInt8(ascii: "]") && isDoubled(bytes[position]))
    {
      position += 1
    }
    let literal = rebased(bytes, start..<position)
    lookup.findParts(of: literal, at: start, &found)
    lookup.findPieces(of: literal, at: start, &found)
    position = min(position + 2, bytes.count)
  }

  /// Moves to the end of the line. `looksUp` states that the line may be code and no comment; then
  /// its words are looked up.
  mutating func skipLine(looksUp: Bool) {
    var start = position
    while position < bytes.count, bytes[position] != 10, bytes[position] != 13 { position += 1 }
    guard looksUp else { return }
    let sign = bytes[start]
    while start < position, bytes[start] == sign { start += 1 }
    lookup.findParts(of: rebased(bytes, start..<position), at: start, &found)
  }

  /// Looks up the words of a line. A quote in a regular expression such as `/"/` begins a literal
  /// for the scanner, which then takes the next literal for code.
  mutating func lookUpLine(around start: Int) {
    guard start >= lookedUpEnd else { return }
    var (first, end) = (start, start)
    while first > 0, bytes[first - 1] != 10 { first -= 1 }
    while end < bytes.count, bytes[end] != 10 { end += 1 }
    lookedUpEnd = end
    lookup.findParts(of: rebased(bytes, first..<end), at: first, &found)
  }
}
