// Prints diagnostics as text, for people and for programs. The diagnostics are sorted already.

import Bytes
import Documents

package enum DiagnosticFormat: String, CaseIterable, Sendable, Hashable {
  case text, json, sarif, github

  /// Returns the text for a list of findings. In the format for people, findings of one code beyond
  /// `limit` are only counted, and `paint` colours words by their severity. Reports in SARIF link
  /// to `pages`.
  package func text(
    of diagnostics: [Diagnostic], limit: Int? = nil, pages: PageAddress = .manual,
    paint: (String, Severity) -> String = { word, _ in word }
  ) -> String {
    switch self {
    case .text:
      let (shown, rest) = diagnostics.folded(beyond: limit)
      return shown.map { $0.text(paint) }.joined() + rest
    case .json: return jsonText(of: diagnostics)
    case .sarif: return sarifText(of: diagnostics, pages: pages)
    case .github: return githubText(of: diagnostics)
    }
  }
}

extension [Diagnostic] {
  /// Returns the first findings of each code, and a line that counts the others. All errors are
  /// shown.
  fileprivate func folded(beyond limit: Int?) -> (shown: [Diagnostic], rest: String) {
    guard let limit else { return (self, "") }
    var counts: [DiagnosticCode: Int] = [:]
    let shown = filter { diagnostic in
      if diagnostic.severity == .error { return true }
      counts[diagnostic.code, default: 0] += 1
      return counts[diagnostic.code, default: 0] <= limit
    }
    let more = counts.filter { $0.value > limit }.sorted {
      ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue)
    }.map { "\(grouped($0.value - limit)) of \($0.key.rawValue)" }
    return (
      shown, more.isEmpty ? "" : "and more: \(more.joined(separator: ", ")); --all shows them\n"
    )
  }

  /// The numbers of findings, such as "3 errors, 1 warning"; nil if there are no findings.
  package var summary: String? {
    let counts = [Severity.error, .warning, .note].compactMap { severity -> String? in
      let count = count { $0.severity == severity }
      return count == 0 ? nil : counted(count, severity.rawValue)
    }
    return counts.isEmpty ? nil : counts.joined(separator: ", ")
  }
}

extension Diagnostic {
  /// The text `path:line:column: severity: message [code]`, then a line for each note.
  package var text: String { text { word, _ in word } }

  fileprivate func text(_ paint: (String, Severity) -> String) -> String {
    let message = onOneLine(self.message)
    let note = paint(Severity.note.rawValue, .note)
    var text =
      "\(place(file, line: line, column: column)): \(paint(severity.rawValue, severity)): \(message) "
      + "[\(code.rawValue)]\n"
    for other in notes {
      text +=
        "\(place(other.file, line: other.line, column: other.column)): \(note): \(onOneLine(other.message))\n"
    }
    if let fix {
      text +=
        "\(place(file, line: line, column: column)): \(note): \(fix.kind.option) will \(fix.summary)\n"
    }
    return text
  }

  /// The finding as a workflow command of GitHub Actions, which shows it beside the line of the
  /// file.
  fileprivate var githubText: String {
    var properties = ["file=\(escaped(onOneLine(file.text), inProperty: true))"]
    if let line { properties.append("line=\(line)") }
    if let column { properties.append("col=\(column)") }
    properties.append("title=\(code.rawValue)")
    let notes = notes.map { note in
      "\n\(place(note.file, line: note.line, column: note.column)): \(onOneLine(note.message))"
    }.joined()
    return "::\(severity.rawValue) \(properties.joined(separator: ","))::"
      + "\(escaped(onOneLine(message) + notes))\n"
  }
}

/// Returns workflow commands of GitHub Actions for errors and warnings. The service shows ten
/// annotations of a kind for a step, so the others and the notes are only counted, in a last line.
private func githubText(of diagnostics: [Diagnostic]) -> String {
  let most = 10
  var text = ""
  var shown = 0
  for severity in [Severity.error, .warning] {
    let annotations = diagnostics.filter { $0.severity == severity }.prefix(most)
    shown += annotations.count
    text += annotations.map(\.githubText).joined()
  }
  guard shown < diagnostics.count, let summary = diagnostics.summary else { return text }
  return text + "::notice title=carve::\(summary); \(grouped(shown)) of them are shown here\n"
}

/// Returns a file with its line and column, if they are known.
private func place(_ file: ByteString, line: Int?, column: Int?) -> String {
  var place = onOneLine(file)
  if let line { place += ":\(line)" }
  if line != nil, let column { place += ":\(column)" }
  return place
}

private func escaped(_ text: String, inProperty: Bool = false) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "%": result += "%25"
    case "\r": result += "%0D"
    case "\n": result += "%0A"
    case ":" where inProperty: result += "%3A"
    case "," where inProperty: result += "%2C"
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result
}

// MARK: - JSON

/// Returns one object, `{"version": 1, "diagnostics": […]}`. Its keys never change.
private func jsonText(of diagnostics: [Diagnostic]) -> String {
  let list = JSONValue.array(diagnostics.map { jsonValue(of: $0) })
  return text(of: .object([member("diagnostics", list), member("version", .integer(1))]))
}

private func jsonValue(of diagnostic: Diagnostic) -> JSONValue {
  var members = placeMembers(
    diagnostic.file, pointer: diagnostic.pointer, line: diagnostic.line,
    column: diagnostic.column)
  members += [
    member("code", .text(diagnostic.code.rawValue)),
    member("message", .text(diagnostic.message)),
    member("severity", .text(diagnostic.severity.rawValue)),
  ]
  if let fix = diagnostic.fix {
    members += [
      member("fix", .text(fix.summary)), member("fixOption", .text(fix.kind.option)),
    ]
  }
  if !diagnostic.notes.isEmpty {
    members.append(
      member(
        "notes",
        .array(
          diagnostic.notes.map { note in
            .object(
              placeMembers(
                note.file, pointer: note.pointer, line: note.line, column: note.column) + [
                  member("message", .text(note.message))
                ])
          })))
  }
  return .object(members)
}

private func placeMembers(
  _ file: ByteString, pointer: ByteString?, line: Int?, column: Int?
) -> [JSONMember] {
  var members = [member("file", .string(file))]
  if let pointer { members.append(member("pointer", .string(pointer))) }
  if let line { members.append(member("line", .integer(Int64(line)))) }
  if let column { members.append(member("column", .integer(Int64(column)))) }
  return members
}

func member(_ key: ByteString, _ value: JSONValue) -> JSONMember {
  JSONMember(key: key, value: value)
}

func text(of value: JSONValue) -> String {
  harmlessJSON(String(decoding: formattedJSON(value), as: UTF8.self))
}

// MARK: - SARIF, the Static Analysis Results Interchange Format, version 2.1.0

func sarifText(of diagnostics: [Diagnostic], pages: PageAddress) -> String {
  let codes = Set(diagnostics.map(\.code)).sorted { $0.rawValue < $1.rawValue }
  let driver = JSONValue.object([
    member("informationUri", .string("man:carve(1)")),
    member("name", .string("carve")),
    member("rules", .array(codes.map { rule($0, pages) })),
    member("semanticVersion", .text(carveVersion)),
    member("version", .text(carveVersion)),
  ])
  let run = JSONValue.object([
    member("columnKind", .string("unicodeCodePoints")),
    member("results", .array(diagnostics.map { result($0, codes) })),
    member("tool", .object([member("driver", driver)])),
  ])
  return text(
    of: .object([
      member("$schema", .string("https://json.schemastore.org/sarif-2.1.0.json")),
      member("runs", .array([run])),
      member("version", .string("2.1.0")),
    ]))
}

private func rule(_ code: DiagnosticCode, _ pages: PageAddress) -> JSONValue {
  let page = code.page
  return .object([
    member("defaultConfiguration", .object([member("level", .text(page.severity.rawValue))])),
    member(
      "fullDescription", .object([member("text", .text("\(page.meaning) \(page.why)"))])),
    member(
      "help",
      .object([member("markdown", .text(page.text)), member("text", .text(page.remedy))])),
    member("helpUri", .text(pages.address(of: code))),
    member("id", .text(code.rawValue)),
    member("shortDescription", .object([member("text", .text(page.meaning))])),
  ])
}

private func result(_ diagnostic: Diagnostic, _ codes: [DiagnosticCode]) -> JSONValue {
  var members = [
    member("level", .text(diagnostic.severity.rawValue)),
    member("locations", .array([location(of: diagnostic)])),
    member("message", .object([member("text", .text(diagnostic.message))])),
    member(
      "partialFingerprints",
      .object([
        member("carve/v1", .text(fingerprint(of: diagnostic)))
      ])),
    member("ruleId", .text(diagnostic.code.rawValue)),
  ]
  if let index = codes.firstIndex(of: diagnostic.code) {
    members.append(member("ruleIndex", .integer(Int64(index))))
  }
  if !diagnostic.notes.isEmpty {
    let related = diagnostic.notes.map { note in
      JSONValue.object([
        member("message", .object([member("text", .text(note.message))])),
        member(
          "physicalLocation", physicalLocation(note.file, line: note.line, column: note.column)),
      ])
    }
    members.append(member("relatedLocations", .array(related)))
  }
  return .object(members)
}

private func location(of diagnostic: Diagnostic) -> JSONValue {
  var members = [
    member(
      "physicalLocation",
      physicalLocation(
        diagnostic.file, line: diagnostic.line, column: diagnostic.column))
  ]
  if let pointer = diagnostic.pointer, !pointer.isEmpty {
    let logical = JSONValue.object([member("fullyQualifiedName", .string(pointer))])
    members.append(member("logicalLocations", .array([logical])))
  }
  return .object(members)
}

private func physicalLocation(_ file: ByteString, line: Int?, column: Int?) -> JSONValue {
  var members = [
    member("artifactLocation", .object([member("uri", .text(uriReference(file)))]))
  ]
  if let line {
    var region = [member("startLine", .integer(Int64(line)))]
    if let column { region.append(member("startColumn", .integer(Int64(column)))) }
    members.append(member("region", .object(region)))
  }
  return .object(members)
}

/// Returns a path as a URI reference. Every byte is escaped except unreserved characters and
/// slashes.
private func uriReference(_ path: ByteString) -> String {
  let digits = Array("0123456789ABCDEF")
  var reference = path.isAbsolute ? "file://" : ""
  for byte in path.bytes {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
      reference.unicodeScalars.append(Unicode.Scalar(byte))
    default: reference += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
    }
  }
  return reference
}

/// Returns a number that stays the same if lines move: a hash of the code, the file, the pointer
/// and the message.
private func fingerprint(of diagnostic: Diagnostic) -> String {
  let text = [
    ByteString(diagnostic.code.rawValue), diagnostic.file, diagnostic.pointer ?? "",
    ByteString(diagnostic.message),
  ]
  return FNV1a(text.joined(separator: "\u{0}").bytes).digits
}
