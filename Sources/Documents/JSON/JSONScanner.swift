// Divides a JSON text into tokens. It is the only code of Carve that walks over such a text:
// json-c, which reads the values (JSONParser.swift), keeps no positions. PlacedJSON.swift makes
// values with places of the tokens, and JSONSurvey below counts them. The text need not be JSON.

struct JSONScanner {
  let bytes: [UInt8]
  /// The offset of the next byte.
  private(set) var offset: Int

  /// Creates a scanner that is after the byte-order mark, if the text has one.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    offset = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// The next byte, which tells the kind of the next token; nil at the end of the text.
  var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  mutating func skipSpace() {
    while let byte, JSONScanner.isSpace(byte) { offset += 1 }
  }

  /// Takes a token: a bracket, a comma, a colon, a string with its quotes, or a word. A word is a
  /// number, true, false, null, or anything else without space. Returns nil for a string without an
  /// end.
  mutating func take() -> Range<Int>? {
    let start = offset
    guard let first = byte else { return nil }
    offset += 1
    if first == UInt8(ascii: "\"") { return takeRestOfString() ? start..<offset : nil }
    if JSONScanner.isMark(first) { return start..<offset }
    while let byte, !JSONScanner.isMark(byte), !JSONScanner.isSpace(byte) { offset += 1 }
    return start..<offset
  }

  /// Moves after the closing quote. Returns false if the string has none.
  private mutating func takeRestOfString() -> Bool {
    while let byte {
      offset += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == UInt8(ascii: "\"") { return true }
    }
    offset = bytes.count
    return false
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

  /// Returns whether a byte is a token by itself, or a quote.
  static func isMark(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"),
      UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "\""):
      true
    default: false
    }
  }
}

/// The facts about a text that json-c does not report.
package struct JSONSurvey {
  /// The number of commas and opening brackets. It is at least the number of values other than the
  /// root.
  package private(set) var separators = 0
  /// The number of colons. Each member of an object has exactly one.
  package private(set) var colons = 0
  /// The offsets of commas that are separated from a closing bracket only by space.
  package private(set) var trailingCommas: [Int] = []
  /// The first form that json-c accepts in its strict mode although Apple's reader does not: single
  /// quotes, and the words NaN and Infinity.
  package private(set) var laxity: JSONSyntaxError?
  /// The first mark of a merge conflict, or the first comment.
  package private(set) var foreign: JSONSyntaxError?

  package init(_ bytes: [UInt8]) {
    var scanner = JSONScanner(bytes)
    var comma: Int?
    while true {
      scanner.skipSpace()
      guard let byte = scanner.byte else { break }
      let start = scanner.offset
      let token = scanner.take()
      switch byte {
      case UInt8(ascii: ","):
        separators += 1
        // The second of two commas is not a trailing comma, but an error.
        comma = comma == nil ? start : nil
        continue
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        if let comma { trailingCommas.append(comma) }
      case UInt8(ascii: "["), UInt8(ascii: "{"): separators += 1
      case UInt8(ascii: ":"): colons += 1
      case UInt8(ascii: "\""): break
      default:
        if laxity == nil, let token { laxity = JSONSurvey.laxity(in: bytes, token) }
        if foreign == nil, let token { foreign = JSONSurvey.foreign(in: bytes, token) }
      }
      comma = nil
    }
  }

  private static func foreign(in bytes: [UInt8], _ word: Range<Int>) -> JSONSyntaxError? {
    let text = bytes[word]
    let words: String
    if text.starts(with: "//".utf8) || text.starts(with: "/*".utf8) || text.first == 0x23 {
      words = "JSON has no comments"
    } else if ["<<<<<<<", "=======", ">>>>>>>", "|||||||"].contains(where: {
      text.elementsEqual($0.utf8)
    }) {
      words = "the conflict of a merge is not resolved"
    } else {
      return nil
    }
    return JSONSyntaxError(reason: .syntax(words), offset: word.lowerBound)
  }

  private static func laxity(in bytes: [UInt8], _ word: Range<Int>) -> JSONSyntaxError? {
    for offset in word {
      switch bytes[offset] {
      case UInt8(ascii: "'"):
        return JSONSyntaxError(
          reason: .syntax("a string is written in double quotes, not in single quotes"),
          offset: offset)
      case UInt8(ascii: "N"), UInt8(ascii: "I"):
        return JSONSyntaxError(reason: .syntax("a word that is not a number"), offset: offset)
      default: break
      }
    }
    return nil
  }
}
