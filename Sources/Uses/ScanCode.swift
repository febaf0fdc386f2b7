// Scans a source in Swift, Objective-C, C++ or a language with similar string literals and
// comments. This file has the state of the scanner and the loop over the tokens; the files whose
// names begin with Code have a topic each. A source that breaks the rules of its language is
// scanned to its end.

struct CodeScanner {
  let bytes: SourceBytes
  let language: CodeLanguage
  let lookup: TextLookup
  let isGenerated: Bool
  let skipsComments: Bool
  var found = Evidence()
  /// The offset of the next byte.
  var position = 0

  // Brackets.
  /// The brackets that are open, the outermost first. The first one is the whole source.
  var brackets = [OpenBracket(byte: 0)]
  /// The number of open brackets that are too deep to be kept.
  var skippedBrackets = 0

  // Tokens.
  /// The token before the position.
  var last = CodeToken.none
  /// The last identifier with its hash, and the identifier that qualifies it: the one before a dot.
  var identifier = 0..<0
  var lastKey = emptyHash
  var qualifier = 0..<0
  /// The token before the last dot: none, an identifier, or the end of a value.
  var base = CodeToken.none
  /// Whether the last identifier belongs to a type of generated symbols.
  var isInAssets = false

  // Declarations and assignments.
  var declarations = CodeDeclarations()
  /// The hash of the identifier to which the last value was assigned.
  var assignedKey = emptyHash
  /// Whether identifiers name cases of an enumeration.
  var isInCases = false
  /// Whether a line has ended after a case: only a comma continues the list of cases.
  var endsCases = false
  /// Whether the code is the body of a macro of C.
  var isInMacro = false

  // String literals and comments.
  /// The hash of the last string literal, and of one before a colon.
  var lastLiteral = emptyHash
  var keyBeforeColon: UInt64?
  /// The number of string literals around the code that is being scanned.
  var depth = 0
  /// Whether literals of several lines are read; false if one of them has no end.
  var readsLongLiterals = true
  /// The end of the last line whose words were looked up.
  var lookedUpEnd = 0
  /// The offset at which a comment begins that does not end.
  var openComment: Int?

  /// The greatest number of open brackets that are kept.
  static let mostBrackets = 512

  init(
    _ bytes: SourceBytes, _ language: CodeLanguage, _ names: AssetNames, skipsComments: Bool = true
  ) {
    self.bytes = bytes
    self.language = language
    self.skipsComments = skipsComments
    lookup = TextLookup(names: names)
    isGenerated = language == .swift && isGeneratedSource(bytes)
    if isGenerated { found.beginAliases() }
  }

  mutating func scan() {
    while position < bytes.count { scanToken() }
    while brackets.count > 1 { closeBracket() }
    finishEvidence()
  }

  /// Scans one token.
  mutating func scanToken() {
    let byte = bytes[position]
    // A comment can precede the comma.
    if endsCases, byte > 32, byte != UInt8(ascii: "/") {
      if byte != UInt8(ascii: ",") { isInCases = false }
      endsCases = false
    }
    switch byte {
    case 10, 13: endLine()
    case 0...32: position += 1
    case UInt8(ascii: "/"): slash()
    case UInt8(ascii: "\""): stringLiteral(hashes: 0)
    case UInt8(ascii: "#"): numberSign()
    case UInt8(ascii: "'"): apostrophe()
    case UInt8(ascii: "`"): backquote()
    case UInt8(ascii: "-") where language == .lua && isDoubled(byte),
      UInt8(ascii: "[") where language == .lua && isDoubled(byte):
      luaCommentOrLiteral(byte)
    case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): openBracket(byte)
    case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): closeBracket()
    default:
      if isDigit(byte) {
        skipNumber()
      } else if isIdentifierByte(byte) {
        word()
      } else {
        punctuation(byte)
      }
    }
  }

  /// Returns whether the byte at the position, and the one after it, is this byte.
  func isDoubled(_ byte: UInt8) -> Bool {
    position + 1 < bytes.count && bytes[position + 1] == byte
  }

  mutating func endLine() {
    if isInCases, last != .comma { endsCases = true }
    if isInMacro {
      let before = position > 0 && bytes[position - 1] == 13 ? position - 2 : position - 1
      isInMacro = before >= 0 && bytes[before] == UInt8(ascii: "\\")
    }
    position += 1
  }

  mutating func skipNumber() {
    while position < bytes.count, isIdentifierByte(bytes[position]) { position += 1 }
    last = .other
  }

  /// Adds the evidence that only the whole source gives.
  mutating func finishEvidence() {
    if declarations.usesFunctionName {
      for name in declarations.values {
        found.add(lookup.names.named(name.hash), .declaration, at: name.range.lowerBound)
      }
    }
    if declarations.decodes { found.decoded.formUnion(declarations.strings) }
    guard isGenerated else { return }
    // Constants that are not used elsewhere prove nothing.
    found.hits = []
    found.asked = []
    found.takesAll = nil
    (found.identifiers, found.members) = ([:], [:])
  }
}
