// A diagnostic: a finding about the user's catalogue, as a value. Which codes exist is in
// DiagnosticCode.swift; how a list is printed is in DiagnosticFormat.swift.

import Bytes

package enum Severity: String, Sendable, Hashable, Comparable, CaseIterable {
  case note, warning, error

  package static func < (a: Severity, b: Severity) -> Bool { a.rank < b.rank }

  private var rank: Int {
    switch self {
    case .note: 0
    case .warning: 1
    case .error: 2
    }
  }
}

/// A second place that a finding speaks of.
package struct Note: Sendable, Hashable {
  package var file: ByteString
  package var pointer: ByteString?
  package var message: String
  package var line: Int?
  package var column: Int?

  package init(_ message: String, file: ByteString, pointer: ByteString? = nil) {
    self.message = message
    self.file = file
    self.pointer = pointer
  }
}

/// A finding about one place of a catalogue.
package struct Diagnostic: Sendable, Hashable {
  package var severity: Severity
  package var code: DiagnosticCode
  /// A path as the user gave it: the catalogue's own path and what follows in it.
  package var file: ByteString
  /// Where in a JSON file, as a JSON pointer ("/images/2/filename"); nil for the file as a whole.
  package var pointer: ByteString?
  /// Whether the key of the pointer is meant, and not its value.
  package var isAboutKey = false
  /// From 1; filled in by `located(_:in:)` where a pointer says what is meant.
  package var line: Int?
  package var column: Int?
  package var message: String
  /// The name that the finding is about, where its place does not say it.
  package var subject: ByteString?
  package var notes: [Note] = []
  /// What `carve lint --fix` does about it; nil where only a person can decide.
  package var fix: Fix?

  /// A finding with the severity that its code has by default.
  package init(
    _ code: DiagnosticCode, _ message: String, file: ByteString, pointer: ByteString? = nil,
    notes: [Note] = []
  ) {
    severity = code.page.severity
    self.code = code
    self.file = file
    self.pointer = pointer
    self.message = message
    self.notes = notes
  }
}

extension Diagnostic: Comparable {
  /// By file, then place in it, then code: the order of printing.
  package static func < (a: Diagnostic, b: Diagnostic) -> Bool {
    if a.file != b.file { return a.file < b.file }
    if a.line != b.line { return (a.line ?? 0) < (b.line ?? 0) }
    if a.column != b.column { return (a.column ?? 0) < (b.column ?? 0) }
    if a.pointer != b.pointer { return (a.pointer ?? "") < (b.pointer ?? "") }
    if a.code != b.code { return a.code.rawValue < b.code.rawValue }
    if a.message != b.message { return ByteString(a.message) < ByteString(b.message) }
    return ByteString(a.notes.first?.message ?? "") < ByteString(b.notes.first?.message ?? "")
  }
}

/// Sorted as printed, without repeats.
package func inPrintingOrder(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
  var result: [Diagnostic] = []
  for diagnostic in diagnostics.sorted() where result.last != diagnostic {
    result.append(diagnostic)
  }
  return result
}
