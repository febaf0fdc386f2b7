// Reads punctuation of code: dots, signs, and the commas, colons and question marks that divide
// arguments and conditions.

extension CodeScanner {
  /// Reads a byte that belongs to no word, number, bracket, comment or literal.
  mutating func punctuation(_ byte: UInt8) {
    position += 1
    switch byte {
    case UInt8(ascii: "."):
      base =
        last == .identifier
        ? .identifier : last == .close || last == .stringLiteral ? .close : .none
      last = .dot
    case UInt8(ascii: "\\"): last = .backslash
    case UInt8(ascii: "+"):
      brackets[brackets.count - 1].isJoined = true
      last = .plus
    case UInt8(ascii: "="):
      // "+=" adds to a string, too.
      if last == .plus { return }
      if last == .identifier { assignedKey = lastKey }
      last = isComparison ? .other : .equals
    case UInt8(ascii: ","):
      endArgument()
      last = .comma
    case UInt8(ascii: ":"): colon()
    // A literal after "@" is one of Objective-C; "?" and "!" do not separate members.
    case UInt8(ascii: "@"): break
    case UInt8(ascii: "?"), UInt8(ascii: "!"):
      if byte == UInt8(ascii: "?") { question() }
      let isChain = position < bytes.count && bytes[position] == UInt8(ascii: ".")
      if !isChain || last != .identifier && last != .close { last = .other }
    case UInt8(ascii: ";"):
      isInCases = false
      last = .other
    default: last = .other
    }
  }

  /// Whether the equals sign before the position belongs to "==", "!=", "<=" or ">=".
  var isComparison: Bool {
    if position < bytes.count, bytes[position] == UInt8(ascii: "=") { return true }
    guard position > 1 else { return false }
    switch bytes[position - 2] {
    case UInt8(ascii: "="), UInt8(ascii: "!"), UInt8(ascii: "<"), UInt8(ascii: ">"): return true
    default: return false
    }
  }

  /// Reads a number sign: of a string literal of Swift, a comment of Python, or a macro of C.
  mutating func numberSign() {
    guard language == .swift else {
      if language == .python, skipsComments { return skipLine(looksUp: true) }
      position += 1
      last = .other
      if language == .c { macroSign() }
      return
    }
    var count = 0
    while position + count < bytes.count, bytes[position + count] == UInt8(ascii: "#") {
      count += 1
    }
    if position + count < bytes.count, bytes[position + count] == UInt8(ascii: "\"") {
      position += count
      stringLiteral(hashes: count)
    } else {
      position += count
      last = .other
    }
  }

  /// Reads a colon: after a label, a key, or the second value of a condition.
  mutating func colon() {
    let top = brackets.count - 1
    isInCases = false
    guard brackets[top].conditions == 0 else {
      brackets[top].conditions -= 1
      endArgumentPart()
      keyBeforeColon = nil
      last = last == .stringLiteral ? .colon : .other
      return
    }
    if last == .identifier { beginArgument(label: identifier) }
    keyBeforeColon = last == .stringLiteral ? lastLiteral : nil
    last = .colon
  }

  /// Reads a question mark: of a condition, of a value that replaces nil, or of an optional value.
  mutating func question() {
    let next = position < bytes.count ? bytes[position] : 0
    if next == UInt8(ascii: "?") {
      position += 1
      endArgumentPart()
      return
    }
    let isAfterBlank = position > 1 && bytes[position - 2] <= 32
    // In Swift, a question mark after a value belongs to it.
    guard next != UInt8(ascii: "."), isAfterBlank || language != .swift else { return }
    let top = brackets.count - 1
    brackets[top].conditions += 1
    if next == UInt8(ascii: ":") {
      endArgumentPart()
    } else {
      // The condition gives no name.
      brackets[top].dynamic = []
      (brackets[top].hasLiteral, brackets[top].isJoined) = (false, false)
    }
  }
}
