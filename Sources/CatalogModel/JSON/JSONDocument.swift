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
      note(
        .jsonByteOrderMark, "the file starts with a byte-order mark", file: file, fix: "remove it")
    } else if original.count.isMultiple(of: 2), let text = textOfUTF16(original) {
      bytes = text
      note(
        .jsonEncoding, "the file is UTF-16, not UTF-8", file: file, fix: "write it as UTF-8")
    }
    text = bytes
    let survey = JSONSurvey(bytes)
    if survey.separators > JSONDocument.valueLimit {
      diagnostics = [
        Diagnostic(
          .jsonTooLarge, "the file holds more than \(JSONDocument.valueLimit) values", file: file)
      ]
      isRewritable = false
      return
    }
    let shown = prefix > 0 ? original : bytes
    do throws(JSONSyntaxError) {
      value = try parse(bytes, survey, shown: shown, prefix: prefix, file: file)
    } catch {
      isRewritable = false
      report(error, prefix: prefix, in: shown, file)
      return
    }
    findRepeatedKeys(in: shown, colons: survey.colons, file: file)
  }

  private mutating func parse(
    _ bytes: [UInt8], _ survey: JSONSurvey, shown: [UInt8], prefix: Int, file: ByteString
  ) throws(JSONSyntaxError) -> JSONValue {
    do throws(JSONSyntaxError) {
      let value = try parseJSON(bytes)
      if let error = survey.laxity { throw error }
      return value
    } catch {
      // json-c says what it expects in place of a comment.
      if let foreign = survey.foreign, foreign.offset <= error.offset { throw foreign }
      guard case .syntax = error.reason else { throw error }
      let commas = survey.trailingCommas
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
    _ code: DiagnosticCode, _ message: String, file: ByteString, fix: String
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

  private mutating func findRepeatedKeys(in bytes: [UInt8], colons: Int, file: ByteString) {
    guard let value, value.memberCount != colons else { return }
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
