// Prints diagnostics in the Static Analysis Results Interchange Format, version 2.1.0, for code
// scanning services.

import Bytes
import Documents

func sarifText(of diagnostics: [Diagnostic]) -> String {
  let codes = Set(diagnostics.map(\.code)).sorted { $0.rawValue < $1.rawValue }
  let driver = JSONValue.object([
    member("informationUri", .string("man:carve(1)")),
    member("name", .string("carve")),
    member("rules", .array(codes.map { rule($0) })),
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

private func rule(_ code: DiagnosticCode) -> JSONValue {
  .object([
    member(
      "defaultConfiguration", .object([member("level", .text(code.page.severity.rawValue))])),
    member("help", .object([member("text", .text(code.page.remedy))])),
    member("helpUri", .string("man:carve-lint(1)#\(code.rawValue)")),
    member("id", .text(code.rawValue)),
    member("shortDescription", .object([member("text", .text(code.page.meaning))])),
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
        member("physicalLocation", physicalLocation(note.file, note.line, note.column)),
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
      physicalLocation(diagnostic.file, diagnostic.line, diagnostic.column))
  ]
  if let pointer = diagnostic.pointer, !pointer.isEmpty {
    let logical = JSONValue.object([member("fullyQualifiedName", .string(pointer))])
    members.append(member("logicalLocations", .array([logical])))
  }
  return .object(members)
}

private func physicalLocation(_ file: ByteString, _ line: Int?, _ column: Int?) -> JSONValue {
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
  var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  let text = [
    ByteString(diagnostic.code.rawValue), diagnostic.file, diagnostic.pointer ?? "",
    ByteString(diagnostic.message),
  ]
  for byte in text.joined(separator: "\u{0}").bytes {
    hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
  }
  let digits = String(hash, radix: 16)
  return String(repeating: "0", count: 16 - digits.count) + digits
}
