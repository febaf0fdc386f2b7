// Writes diagnostics as JSON and reads them back, for the record of a run. Only the summary of a
// fix is kept, because records are never used to change files.

import Bytes
import Documents

extension Diagnostic {
  /// The diagnostic as JSON.
  package var stored: JSONOutput {
    var members: [JSONOutput.Member] = [
      .init("severity", .string(severity.rawValue)), .init("code", .string(code.rawValue)),
      .init("file", .name(file)), .init("message", .string(message)),
    ]
    func add(_ key: String, _ text: String?) {
      if let text { members.append(.init(key, .string(text))) }
    }
    func add(_ key: String, _ number: Int?) {
      if let number { members.append(.init(key, .integer(number))) }
    }
    add("pointer", pointer?.text)
    if isAboutKey { members.append(.init("key", true)) }
    add("line", line)
    add("column", column)
    add("subject", subject?.text)
    add("fix", fix?.summary)
    if let fix, fix.kind != .certain { add("fixKind", fix.kind.rawValue) }
    if !notes.isEmpty { members.append(.init("notes", .array(notes.map(\.stored)))) }
    return .object(members)
  }

  /// Returns nil if a member is missing or comes from another version.
  package init?(stored value: JSONValue) {
    guard let severity = value.text("severity").flatMap(Severity.init),
      let code = value.text("code").flatMap(DiagnosticCode.init), let file = value.name("file"),
      let message = value.text("message")
    else { return nil }
    self.init(code, message, file: file, pointer: value.name("pointer"))
    self.severity = severity
    isAboutKey = value["key"] != nil
    (line, column) = (value.wholeNumber("line"), value.wholeNumber("column"))
    subject = value.name("subject")
    let kind = value.text("fixKind").flatMap(FixKind.init)
    fix = value.text("fix").map { Fix($0, kind: kind ?? .certain) }
    if case .array(let values)? = value["notes"] {
      notes = values.compactMap(Note.init(stored:))
      if notes.count != values.count { return nil }
    }
  }
}

extension Note {
  fileprivate var stored: JSONOutput {
    var members: [JSONOutput.Member] = [
      .init("file", .name(file)), .init("message", .string(message)),
    ]
    if let pointer { members.append(.init("pointer", .name(pointer))) }
    if let line { members.append(.init("line", .integer(line))) }
    if let column { members.append(.init("column", .integer(column))) }
    return .object(members)
  }

  fileprivate init?(stored value: JSONValue) {
    guard let file = value.name("file"), let message = value.text("message") else { return nil }
    self.init(message, file: file, pointer: value.name("pointer"))
    (line, column) = (value.wholeNumber("line"), value.wholeNumber("column"))
  }
}
