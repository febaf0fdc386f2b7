// A JSON file of a catalogue: its value, and findings about the forms that are accepted although
// they are not strict JSON. Like other tools, it also reads a BOM, UTF-16, and commas before a
// closing bracket.

import Bytes
import Documents

struct JSONDocument {
  /// The value; nil if the text could not be read.
  var value: JSONValue?
  /// The text as UTF-8, without a byte-order mark.
  private(set) var text: [UInt8] = []
  var diagnostics: [Diagnostic] = []
  /// Whether the value can be rewritten. If not, writing it would lose something about which only a
  /// person can decide.
  var isRewritable = true

  /// The greatest size of a file in bytes. A Contents.json of a real catalogue has some hundred
  /// kilobytes at most.
  static let sizeLimit = 4 << 20
  /// The greatest number of values. Each value costs up to a kilobyte while it is read. Real files
  /// have some thousands.
  static let valueLimit = 50_000

  init(_ original: [UInt8], file: ByteString) {
    var bytes = original
    // The number of bytes of the file before the text that is parsed.
    var prefix = 0
    if original.starts(with: [0xEF, 0xBB, 0xBF]) {
      prefix = 3
      bytes.removeFirst(prefix)
      note(.jsonByteOrderMark, "the file starts with a byte-order mark", file, "remove it")
    } else if let text = utf16Text(original) {
      bytes = text
      note(.jsonEncoding, "the file is UTF-16, not UTF-8", file, "write it as UTF-8")
    }
    text = bytes
    if separatorCount(bytes) > JSONDocument.valueLimit {
      diagnostics = [
        Diagnostic(
          .jsonTooLarge, "the file holds more than \(JSONDocument.valueLimit) values", file: file)
      ]
      isRewritable = false
      return
    }
    let shown = prefix > 0 ? original : bytes
    do throws(JSONSyntaxError) {
      value = try parse(bytes, shown: shown, prefix: prefix, file: file)
    } catch {
      isRewritable = false
      report(error, prefix: prefix, in: shown, file)
      return
    }
    findRepeatedKeys(in: shown, file: file)
  }

  private mutating func parse(
    _ bytes: [UInt8], shown: [UInt8], prefix: Int, file: ByteString
  ) throws(JSONSyntaxError) -> JSONValue {
    do throws(JSONSyntaxError) {
      let value = try parseJSON(bytes)
      if let error = laxity(in: bytes) { throw error }
      return value
    } catch {
      guard case .syntax = error.reason else { throw error }
      let commas = trailingCommas(in: bytes)
      guard !commas.isEmpty else { throw error }
      var mended = bytes
      for comma in commas { mended[comma] = UInt8(ascii: " ") }
      // If the text is still wrong without these commas, the first error of the original text is
      // reported.
      guard let value = try? parseJSON(mended) else { throw error }
      for comma in commas.prefix(10) {
        let place = lineAndColumn(of: comma + prefix, in: shown)
        var diagnostic = Diagnostic(
          .jsonTrailingComma, "a comma before a closing bracket is not JSON", file: file)
        (diagnostic.line, diagnostic.column) = place
        diagnostic.fix = Fix("remove the comma")
        diagnostics.append(diagnostic)
      }
      return value
    }
  }

  private mutating func note(
    _ code: DiagnosticCode, _ message: String, _ file: ByteString, _ fix: String
  ) {
    var diagnostic = Diagnostic(code, message, file: file)
    (diagnostic.line, diagnostic.column) = (1, 1)
    diagnostic.fix = Fix(fix)
    diagnostics.append(diagnostic)
  }

  private mutating func report(
    _ error: JSONSyntaxError, prefix: Int, in bytes: [UInt8], _ file: ByteString
  ) {
    var diagnostic =
      switch error.reason {
      case .tooDeep:
        Diagnostic(.jsonTooDeep, error.words, file: file)
      case .invalidUTF8: Diagnostic(.jsonEncoding, error.words, file: file)
      case .unexpectedEnd: Diagnostic(.jsonSyntax, "the file ends too early", file: file)
      case .syntax(let reason): Diagnostic(.jsonSyntax, "not JSON: \(reason)", file: file)
      }
    diagnostic.severity = .error
    (diagnostic.line, diagnostic.column) = lineAndColumn(of: error.offset + prefix, in: bytes)
    diagnostics.append(diagnostic)
  }

  private mutating func findRepeatedKeys(in bytes: [UInt8], file: ByteString) {
    guard let value, memberCount(value) != colonCount(bytes) else { return }
    isRewritable = false
    for (pointer, offset) in repeatedKeys(in: bytes) {
      var diagnostic = Diagnostic(
        .jsonDuplicateKey,
        "the key \(quoted(pointerTokens(pointer).last ?? "")) occurs twice in "
          + "one object; the last one counts", file: file, pointer: pointer)
      (diagnostic.line, diagnostic.column) = lineAndColumn(of: offset, in: bytes)
      diagnostics.append(diagnostic)
    }
  }
}

/// Returns the first form that json-c accepts in its strict mode although Apple's reader does not:
/// single quotes, and the words NaN and Infinity.
private func laxity(in bytes: [UInt8]) -> JSONSyntaxError? {
  var found: JSONSyntaxError?
  forEachOutsideStrings(bytes) { offset, byte in
    guard found == nil else { return }
    if byte == UInt8(ascii: "'") {
      found = JSONSyntaxError(
        reason: .syntax("a string is written in double quotes, not in single quotes"),
        offset: offset)
    } else if byte == UInt8(ascii: "N") || byte == UInt8(ascii: "I") {
      found = JSONSyntaxError(reason: .syntax("a word that is not a number"), offset: offset)
    }
  }
  return found
}

private func memberCount(_ value: JSONValue) -> Int {
  switch value {
  case .array(let elements): elements.reduce(0) { $0 + memberCount($1) }
  case .object(let members): members.reduce(members.count) { $0 + memberCount($1.value) }
  default: 0
  }
}

/// Returns the number of colons outside of strings. Each member has exactly one.
private func colonCount(_ bytes: [UInt8]) -> Int {
  var count = 0
  forEachOutsideStrings(bytes) { _, byte in if byte == UInt8(ascii: ":") { count += 1 } }
  return count
}

/// Returns the number of commas and opening brackets outside of strings. It is at least the number
/// of values other than the root.
private func separatorCount(_ bytes: [UInt8]) -> Int {
  var count = 0
  forEachOutsideStrings(bytes) { _, byte in
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "{"): count += 1
    default: break
    }
  }
  return count
}

/// Returns the offsets of commas that are separated from a closing bracket only by space.
private func trailingCommas(in bytes: [UInt8]) -> [Int] {
  var commas: [Int] = []
  var pending: Int?
  forEachOutsideStrings(bytes) { offset, byte in
    switch byte {
    case UInt8(ascii: ","): pending = pending == nil ? offset : nil
    case UInt8(ascii: "]"), UInt8(ascii: "}"):
      if let comma = pending { commas.append(comma) }
      pending = nil
    case 9...13, 32: break
    default: pending = nil
    }
  }
  return commas
}

/// Calls the body with each byte outside of strings, and with the opening quotes.
private func forEachOutsideStrings(_ bytes: [UInt8], _ body: (Int, UInt8) -> Void) {
  var isInString = false
  var isEscaped = false
  for (offset, byte) in bytes.enumerated() {
    if isEscaped {
      isEscaped = false
    } else if isInString {
      isEscaped = byte == UInt8(ascii: "\\")
      isInString = byte != UInt8(ascii: "\"")
    } else {
      isInString = byte == UInt8(ascii: "\"")
      body(offset, byte)
    }
  }
}

/// Returns the text of a UTF-16 file with a byte-order mark, as UTF-8; nil for other files.
private func utf16Text(_ bytes: [UInt8]) -> [UInt8]? {
  guard bytes.count >= 2, bytes.count % 2 == 0 else { return nil }
  let isBig = bytes[0] == 0xFE && bytes[1] == 0xFF
  guard isBig || (bytes[0] == 0xFF && bytes[1] == 0xFE) else { return nil }
  var units: [UInt16] = []
  for at in stride(from: 2, to: bytes.count, by: 2) {
    let high = UInt16(isBig ? bytes[at] : bytes[at + 1])
    units.append(high << 8 | UInt16(isBig ? bytes[at + 1] : bytes[at]))
  }
  return Array(String(decoding: units, as: UTF16.self).utf8)
}
