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
  /// Whether anything was read otherwise than it is written, as other readers may not do it: a
  /// number with two signs, a word that is no value, an array without an end. Only a lexer that
  /// reads references looks for all of it.
  private(set) var hasMended = false
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
      } else if byte == UInt8(ascii: ")") {
        hasMended = true
        position += 1
      } else if Self.isBlank(byte) {
        position += 1
      } else {
        return
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
      if readsReferences {
        if !Self.isPlain(bytes[start..<position]) { hasMended = true }
        if case .integer(let number) = value, let found = reference(number) { return .value(found) }
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
    case "nan", "-nan", "inf", "-inf", "NaN":
      hasMended = true
      return .value(.integer(0))
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
    let isOfUpdate = bytes[digits..<ahead] != [0x30]
    skip()
    guard ahead < end, bytes[ahead] == UInt8(ascii: "R") else { return nil }
    if ahead + 1 < end, !Self.isBlank(bytes[ahead + 1]), !Self.isDelimiter(bytes[ahead + 1]) {
      return nil
    }
    position = ahead + 1
    // The generation is not compared.
    if isOfUpdate { hasMended = true }
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
      case .arrayEnd: return .array(values)
      case .end, .keyword("endobj"), .keyword("endstream"):
        hasMended = true
        return .array(values)
      default: hasMended = true
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
        case .dictionaryEnd, .end:
          hasMended = true
          return .dictionary(dictionary)
        case .keyword("endobj"), .keyword("stream"):
          hasMended = true
          position = before
          return .dictionary(dictionary)
        default: hasMended = true
        }
      case .dictionaryEnd: return .dictionary(dictionary)
      case .end, .keyword("endobj"), .keyword("stream"):
        hasMended = true
        return .dictionary(dictionary)
      default: hasMended = true
      }
    }
  }
}

// MARK: - Names, strings and numbers

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
        let high = hexDigit(bytes[index + 1]), let low = hexDigit(bytes[index + 2])
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

  /// Returns the bytes of hexadecimal digits, up to a `>` or the end.
  static func bytes(ofHex digits: [UInt8]) -> [UInt8] {
    var lexer = PDFLexer([UInt8(ascii: "<")] + digits, budget: nil)
    return lexer.readHexString()
  }

  mutating func readHexString() -> [UInt8] {
    position += 1
    var result: [UInt8] = []
    var half: UInt8?
    while position < end {
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: ">") { break }
      guard let digit = hexDigit(byte) else { continue }
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

  /// Returns whether a word is a number as the standard describes it.
  static func isPlain(_ word: ArraySlice<UInt8>) -> Bool {
    var (digits, points) = (0, 0)
    for (index, byte) in word.enumerated() {
      switch byte {
      case 0x30...0x39: digits += 1
      case UInt8(ascii: "."): points += 1
      case UInt8(ascii: "-"), UInt8(ascii: "+"): if index > 0 { return false }
      default: return false
      }
    }
    return digits > 0 && points <= 1
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

// MARK: - Values

enum PDFValue {
  case null
  case boolean(Bool)
  case integer(Int)
  case real(Double)
  case string([UInt8])
  case name(String)
  case array([PDFValue])
  case dictionary(PDFDictionary)
  indirect case stream(PDFStream)
  case reference(Int)

  var isNull: Bool {
    if case .null = self { return true }
    return false
  }

  /// The value as a number, which is always finite (see `PDFLexer.number`).
  var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    default: nil
    }
  }

  var int: Int? {
    switch self {
    case .integer(let value): value
    case .real(let value): Int(exactly: value.rounded(.towardZero))
    default: nil
    }
  }

  var bool: Bool? {
    if case .boolean(let value) = self { return value }
    return nil
  }

  var name: String? {
    if case .name(let value) = self { return value }
    return nil
  }

  var string: [UInt8]? {
    if case .string(let value) = self { return value }
    return nil
  }

  var array: [PDFValue]? {
    if case .array(let value) = self { return value }
    return nil
  }

  /// The dictionary, or the dictionary of the stream.
  var dictionary: PDFDictionary? {
    switch self {
    case .dictionary(let value): value
    case .stream(let value): value.dictionary
    default: nil
    }
  }

  var stream: PDFStream? {
    if case .stream(let value) = self { return value }
    return nil
  }

  var reference: Int? {
    if case .reference(let value) = self { return value }
    return nil
  }
}

extension PDFValue {
  /// The memory that the value itself takes in an array.
  var keptBytes: Int {
    switch self {
    case .string(let bytes): MemoryLayout<PDFValue>.stride + 32 + bytes.count
    case .name(let name): MemoryLayout<PDFValue>.stride + name.utf8.count
    default: MemoryLayout<PDFValue>.stride
    }
  }
}

/// A dictionary with its keys in the order of the file. Nearly all dictionaries have fewer than ten
/// keys and are searched from the front; a larger one has an index.
struct PDFDictionary {
  struct Entry {
    var key: String
    var value: PDFValue
  }

  private(set) var entries: [Entry] = []
  /// The first index of each key, if there are many keys.
  private var indices: [String: Int] = [:]

  private static let mostUnindexed = 16

  var isEmpty: Bool { entries.isEmpty }

  subscript(key: String) -> PDFValue { index(of: key).map { entries[$0].value } ?? .null }

  private func index(of key: String) -> Int? {
    if !indices.isEmpty { return indices[key] }
    return entries.firstIndex { $0.key == key }
  }

  mutating func append(_ key: String, _ value: PDFValue) {
    entries.append(Entry(key: key, value: value))
    guard entries.count > PDFDictionary.mostUnindexed else { return }
    let first = indices.isEmpty ? 0 : entries.count - 1
    for index in first..<entries.count where indices[entries[index].key] == nil {
      indices[entries[index].key] = index
    }
  }

  mutating func set(_ key: String, _ value: PDFValue) {
    if let index = index(of: key) { entries[index].value = value } else { append(key, value) }
  }
}

struct PDFStream {
  var dictionary: PDFDictionary
  /// The bytes as they are stored, before any filter is undone.
  var bytes: ArraySlice<UInt8>
  /// The number of the stream's object; 0 if the stream is not an object of its own.
  var number = 0
}
