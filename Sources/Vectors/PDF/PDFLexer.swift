// Reads words and values of PDF syntax, in files, content streams, functions and CMaps. Reading
// never fails: a word that is not a value becomes a keyword, and an incomplete value ends with the
// data.

import Bytes

enum PDFToken {
  case value(PDFValue)
  case keyword(String)
  case arrayEnd
  case dictionaryEnd
  /// `{` and `}`, which only functions use.
  case braceOpen, braceClose
  case end
}

struct PDFLexer {
  let bytes: [UInt8]
  var position: Int
  let end: Int
  /// Whether `1 0 R` is a reference. In content streams it is three words.
  let readsReferences: Bool
  /// The budget that is charged for the bytes that are read, and for the memory of values in arrays
  /// and dictionaries.
  private let budget: Budget?
  /// The memory that was borrowed for values.
  private(set) var held = 0
  private var depth = 0
  /// The place where the last number or keyword begins. It cannot be computed from the text of the
  /// keyword, which is longer than its bytes if they are not valid UTF-8.
  private(set) var wordStart = 0

  static let maximalDepth = 64

  init(
    _ bytes: [UInt8], at position: Int = 0, end: Int? = nil, references: Bool = false,
    budget: Budget?
  ) {
    self.bytes = bytes
    self.budget = budget
    self.end = min(end ?? bytes.count, bytes.count)
    self.position = min(max(position, 0), self.end)
    readsReferences = references
  }

  static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || (byte >= 9 && byte <= 13 && byte != 11) || byte == 0
  }

  static func isDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "<"), UInt8(ascii: ">"),
      UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"),
      UInt8(ascii: "/"), UInt8(ascii: "%"):
      true
    default: false
    }
  }

  /// Skips blanks, comments, and each `)` without an opening one.
  mutating func skipBlanks() {
    while position < end {
      let byte = bytes[position]
      if byte == UInt8(ascii: "%") {
        while position < end, bytes[position] != 10, bytes[position] != 13 { position += 1 }
      } else if !Self.isBlank(byte), byte != UInt8(ascii: ")") {
        return
      } else {
        position += 1
      }
    }
  }

  private func peek(_ offset: Int = 0) -> UInt8 {
    position + offset < end ? bytes[position + offset] : 0
  }

  /// Reads the next value; returns null if the next token is not a value.
  mutating func value() -> PDFValue {
    if case .value(let value) = next() { return value }
    return .null
  }

  /// Reads the next token; returns the end if the budget is exceeded.
  mutating func next() -> PDFToken {
    let start = position
    let token = read()
    if depth == 0, let budget, !budget.spend(.lexedBytes, position - start) { return .end }
    return token
  }

  /// Gives back the memory of the values that were read.
  mutating func releaseValues() {
    if held > 0 { budget?.giveBack(.values, bytes: held) }
    held = 0
  }

  /// Charges a value that an array or a dictionary keeps. Returns false if the budget is exceeded.
  private mutating func keep(_ bytes: Int) -> Bool {
    guard let budget else { return true }
    // An array that grows can have room for twice its elements.
    held += 2 * bytes
    return budget.borrow(.values, bytes: 2 * bytes) && budget.spend(.tableEntries, 2)
  }

  private mutating func read() -> PDFToken {
    skipBlanks()
    guard position < end else { return .end }
    switch bytes[position] {
    case UInt8(ascii: "/"): return .value(.name(readName()))
    case UInt8(ascii: "("): return .value(.string(readString()))
    case UInt8(ascii: "<"):
      if peek(1) != UInt8(ascii: "<") { return .value(.string(readHexString())) }
      position += 2
      return .value(readDictionary())
    case UInt8(ascii: ">"):
      position += peek(1) == UInt8(ascii: ">") ? 2 : 1
      return .dictionaryEnd
    case UInt8(ascii: "["):
      position += 1
      return .value(readArray())
    case UInt8(ascii: "]"):
      position += 1
      return .arrayEnd
    case UInt8(ascii: "{"):
      position += 1
      return .braceOpen
    case UInt8(ascii: "}"):
      position += 1
      return .braceClose
    default: return word()
    }
  }

  private mutating func word() -> PDFToken {
    let start = position
    wordStart = start
    while position < end, !Self.isBlank(bytes[position]), !Self.isDelimiter(bytes[position]) {
      position += 1
    }
    // No number begins with a letter.
    if start == position || bytes[start] < UInt8(ascii: "A"),
      let value = Self.number(bytes[start..<position])
    {
      if readsReferences, case .integer(let number) = value, let found = reference(number) {
        return .value(found)
      }
      return .value(value)
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    // Words of one or two letters are operators; the words of values are longer.
    if position - start < 3 { return .keyword(text) }
    switch text {
    case "true": return .value(.boolean(true))
    case "false": return .value(.boolean(false))
    case "null": return .value(.null)
    // Some writers print a value that is not a finite number as C does.
    case "nan", "-nan", "inf", "-inf", "NaN": return .value(.integer(0))
    default: return .keyword(text)
    }
  }

  /// Reads a reference if a generation and `R` follow the number of an object; otherwise returns
  /// nil.
  private mutating func reference(_ number: Int) -> PDFValue? {
    guard number >= 0 else { return nil }
    var ahead = position
    func skip() { while ahead < end, Self.isBlank(bytes[ahead]) { ahead += 1 } }
    skip()
    let digits = ahead
    while ahead < end, ahead < digits + 5, bytes[ahead] >= 0x30, bytes[ahead] <= 0x39 { ahead += 1 }
    guard ahead > digits else { return nil }
    skip()
    guard ahead < end, bytes[ahead] == UInt8(ascii: "R") else { return nil }
    if ahead + 1 < end, !Self.isBlank(bytes[ahead + 1]), !Self.isDelimiter(bytes[ahead + 1]) {
      return nil
    }
    position = ahead + 1
    return .reference(number)
  }

  private mutating func readArray() -> PDFValue {
    var values: [PDFValue] = []
    guard depth < Self.maximalDepth else { return .null }
    depth += 1
    defer { depth -= 1 }
    while true {
      switch next() {
      case .value(let value):
        guard keep(value.keptBytes) else { return .array(values) }
        values.append(value)
      case .arrayEnd, .end: return .array(values)
      case .keyword("endobj"), .keyword("endstream"): return .array(values)
      default: continue
      }
    }
  }

  private mutating func readDictionary() -> PDFValue {
    var dictionary = PDFDictionary()
    guard depth < Self.maximalDepth else { return .null }
    depth += 1
    defer { depth -= 1 }
    while true {
      switch next() {
      case .value(.name(let key)):
        let before = position
        switch next() {
        case .value(let value):
          guard keep(value.keptBytes + key.utf8.count + 64) else { return .dictionary(dictionary) }
          dictionary.append(key, value)
        case .dictionaryEnd, .end: return .dictionary(dictionary)
        case .keyword("endobj"), .keyword("stream"):
          position = before
          return .dictionary(dictionary)
        default: continue
        }
      case .dictionaryEnd, .end: return .dictionary(dictionary)
      case .keyword("endobj"), .keyword("stream"): return .dictionary(dictionary)
      default: continue
      }
    }
  }
}
