// Reads brackets of code: calls with the labels of their arguments, subscripts and blocks.

extension CodeScanner {
  /// Reads an opening bracket, with the callee or the declaration before it.
  mutating func openBracket(_ byte: UInt8) {
    let follows = followsValue
    position += 1
    defer { last = .open }
    guard brackets.count < CodeScanner.mostBrackets else {
      skippedBrackets += 1
      return
    }
    let top = brackets.count - 1
    var bracket = OpenBracket(byte: byte)
    bracket.wasInCases = isInCases
    switch byte {
    case UInt8(ascii: "("):
      isInCases = false
      if last == .identifier {
        (bracket.callee, bracket.qualifier) = (identifier, qualifier)
        bracket.calleeKey = lastKey
        bracket.takesNames = Words.callees.contains(lastKey)
      }
      if bracket.callee.isEmpty || Words.transforms.contains(bracket.calleeKey) {
        bracket.isName = brackets[top].isName || brackets[top].isNaming
      }
    case UInt8(ascii: "["):
      bracket.isSubscript = follows
      // In Objective-C, the value of `[item icon]`.
      if !follows, language == .c {
        bracket.isName = brackets[top].isName || brackets[top].isNaming
      }
    default:
      bracket.owner =
        language != .c ? declarations.lastKey : last == .identifier ? lastKey : emptyHash
    }
    brackets.append(bracket)
  }

  /// Whether the bracket that begins here follows a value without a blank.
  var followsValue: Bool {
    guard position > 0 else { return false }
    switch bytes[position - 1] {
    case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "?"), UInt8(ascii: "!"),
      UInt8(ascii: "\""), UInt8(ascii: "."), UInt8(ascii: "}"):
      return true
    case let byte: return isIdentifierByte(byte)
    }
  }

  /// Reads a closing bracket, or closes a bracket at the end of the source.
  mutating func closeBracket() {
    if position < bytes.count { position += 1 }
    last = .close
    if skippedBrackets > 0 {
      isInCases = false
      skippedBrackets -= 1
      return
    }
    let top = brackets.count - 1
    let key = brackets[top].key
    endArgument()
    guard brackets.count > 1 else {
      isInCases = false
      return
    }
    let bracket = brackets.removeLast()
    isInCases = bracket.byte == UInt8(ascii: "(") && bracket.wasInCases
    if let key { noteKeyedName(key, below: top - 1) }
    if var asked = bracket.asked {
      asked.namesBundle = bracket.hasBundle
      asked.isOwnBundle = bracket.isOwnBundle
      found.add(asked)
    }
  }

  // MARK: Arguments

  /// Begins an argument with a label.
  mutating func beginArgument(label: Range<Int>) {
    let top = brackets.count - 1
    brackets[top].label = label
    brackets[top].labelKey = lastKey
    brackets[top].dynamic = []
    brackets[top].isBundleLabel = Words.bundles.contains(lastKey)
    if brackets[top].isBundleLabel { brackets[top].hasBundle = true }
  }

  mutating func endArgument() {
    endArgumentPart()
    let top = brackets.count - 1
    brackets[top].label = 0..<0
    brackets[top].labelKey = emptyHash
    brackets[top].isBundleLabel = false
    brackets[top].conditions = 0
  }

  /// Ends a part of an argument. If the part joins a string literal with other
  /// values, a pattern has the name.
  mutating func endArgumentPart() {
    let top = brackets.count - 1
    if !(brackets[top].hasLiteral && brackets[top].isJoined) {
      for name in brackets[top].dynamic { found.add(name) }
    }
    brackets[top].dynamic = []
    (brackets[top].hasLiteral, brackets[top].isJoined) = (false, false)
  }

  /// Reads an identifier in the argument that is a bundle.
  mutating func readBundle(_ key: UInt64) {
    let top = brackets.count - 1
    if key == Words.main || key == Words.nothing { brackets[top].hasBundle = false }
    if key == Words.module { (brackets[top].hasBundle, brackets[top].isOwnBundle) = (false, true) }
  }
}
