// The state of the scanner of code: open brackets, tokens, declarations, and string
// literals while they are read.

/// The families of languages that differ in their string literals and comments.
enum CodeLanguage: Sendable, Hashable {
  case swift, c
  /// A language with the comments of C.
  case script
  /// Languages with comments after "#" and "--", in which "//" is an operator.
  case python, lua
  /// A page with parts in several languages.
  case page

  var isScript: Bool { self != .swift && self != .c }
}

/// A bracket that is open, with the identifiers before and in it.
struct OpenBracket {
  /// The byte of the bracket; 0 for the whole source.
  var byte: UInt8
  /// The identifier before the bracket, and its hash; for "[" the first identifier in it.
  var callee = 0..<0
  var calleeKey = emptyHash
  /// Whether the callee can take the name of an asset.
  var takesNames = false
  /// The identifier before the callee and a dot.
  var qualifier = 0..<0
  /// The label of the argument, and its hash.
  var label = 0..<0
  var labelKey = emptyHash
  /// The name that the call asks for, if it is known.
  var asked: AskedName?
  var hasBundle = false
  var isOwnBundle = false
  /// Whether the label names a bundle.
  var isBundleLabel = false
  /// Whether the part of the argument has a string literal, and whether it has a plus.
  var hasLiteral = false
  var isJoined = false
  /// The identifiers by which the part of the argument may give a name.
  var dynamic: [DynamicName] = []
  /// The last identifier in a subscript.
  var key: DynamicName?
  /// The number of conditions ("?") without the colon of their second value.
  var conditions = 0
  /// Whether the bracket follows a value, as in `item["icon"]`.
  var isSubscript = false
  /// Whether a call takes the value of the bracket as a name, as in `Image((name))`.
  var isName = false
  /// The hash of the identifier that is declared before a brace.
  var owner = emptyHash
  /// Whether the bracket is among the cases of an enumeration.
  var wasInCases = false

  /// Whether the bracket may be that of a call.
  var isCall: Bool { byte != UInt8(ascii: "{") && !callee.isEmpty }

  /// Whether the argument is the name of an asset.
  var isNaming: Bool {
    takesNames && isCall && Words.calls[CallName(callee: calleeKey, label: labelKey)] != nil
  }
}

/// The kinds of tokens.
enum CodeToken {
  case none, identifier, keyword, dot, backslash, plus, open, close, comma, colon, equals
  case stringLiteral, other
}

/// The declarations of a source.
struct CodeDeclarations {
  enum Kind { case none, value, type }

  /// The kind of the declaration whose name follows.
  var next = Kind.none
  /// The identifier that was declared last, and its hash.
  var last = 0..<0
  var lastKey = emptyHash
  /// The identifiers of values and functions.
  var values: [(range: Range<Int>, hash: UInt64)] = []
  /// The hashes of the variables of type String whose declarations give them no value.
  var strings: [UInt64] = []
  /// Whether the source has a type that is decoded from documents.
  var decodes = false
  /// Whether the source uses `#function`, the name of a declaration as a string literal.
  var usesFunctionName = false
}

/// A string literal while it is read.
struct StringLiteral {
  var start: Int
  var isAfterPlus: Bool
  var isLong: Bool
  /// The kind of asset for which a call takes the literal.
  var kind: NameKind?
  /// Whether the literal is an argument of a function that adds it to another string.
  var isAdded = false
  /// Whether the literal is directly after a bracket.
  var isFirst = false
  /// The hashes of the identifiers that have the literal as their value.
  var constants: [UInt64] = []
  /// The fixed texts before the parts that only a run knows.
  var pieces: [[UInt8]] = []
  var current: [UInt8] = []

  init(start: Int, isAfterPlus: Bool, isLong: Bool) {
    (self.start, self.isAfterPlus, self.isLong) = (start, isAfterPlus, isLong)
  }

  mutating func add(_ byte: UInt8) { current.append(byte) }

  mutating func divide() {
    pieces.append(current)
    current = []
  }

  /// Whether the literal begins or ends as a part of a name does: "_dark", "icon-", "Group/".
  var separators: (before: Bool, after: Bool) {
    func separates(_ byte: UInt8?) -> Bool {
      byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "/")
        || byte == UInt8(ascii: ".")
    }
    return (separates(current.first), separates(current.last))
  }

  var hasSeparatorAtEnd: Bool {
    let (before, after) = separators
    guard before || after, current.count <= 64 else { return false }
    return current.contains(where: isWordByte)
      && current.allSatisfy { isWordByte($0) || $0 == 95 || (45...47).contains($0) || $0 == 32 }
  }

  /// Returns whether the literal consists of the value in the bracket that begins at an offset.
  func isValue(at offset: Int, in bytes: SourceBytes) -> Bool {
    guard pieces.count == 1, pieces[0].isEmpty else { return false }
    var depth = 0
    for end in offset..<min(offset + TextLookup.longestName, bytes.count) {
      if bytes[end] == UInt8(ascii: "(") || bytes[end] == UInt8(ascii: "{") { depth += 1 }
      if bytes[end] == UInt8(ascii: ")") || bytes[end] == UInt8(ascii: "}") { depth -= 1 }
      if depth == 0 {
        let next = end + 1 < bytes.count ? bytes[end + 1] : 0
        return next == UInt8(ascii: "\"") || next == UInt8(ascii: "`")
      }
    }
    return false
  }
}
