// A diagnostic: a finding about the user's catalogue, as a value, and the change with which
// `carve lint --fix` mends it (Lint/PlanFixes.swift). DiagnosticCode.swift lists the codes;
// DiagnosticFormat.swift prints diagnostics.

import Bytes
import Documents

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

/// A second place that a finding refers to.
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
  /// A path in the form that the user gave: the catalogue's own path and the rest of the path in
  /// it.
  package var file: ByteString
  /// The place in a JSON file, as a JSON pointer ("/images/2/filename"); nil for the file as a
  /// whole.
  package var pointer: ByteString?
  /// Whether the finding is about the key at the pointer, and not about its value.
  package var isAboutKey = false
  /// The line, from 1. `located(_:in:)` fills it in for a finding with a pointer.
  package var line: Int?
  package var column: Int?
  package var message: String
  /// The name that the finding is about, if its place does not contain the name.
  package var subject: ByteString?
  package var notes: [Note] = []
  /// The change that `carve lint --fix` makes; nil if only a person can decide.
  package var fix: Fix?

  /// Creates a finding with the default severity of its code.
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

extension Diagnostic {
  /// Returns the finding with other paths of files.
  package func moved(to place: (ByteString) -> ByteString) -> Diagnostic {
    var moved = self
    moved.file = place(file)
    for index in moved.notes.indices { moved.notes[index].file = place(notes[index].file) }
    return moved
  }
}

extension Diagnostic: Comparable {
  /// Orders findings as they are printed: by file, then by place in the file, then by code. That an
  /// archive is empty comes last, after its causes.
  package static func < (a: Diagnostic, b: Diagnostic) -> Bool {
    if (a.code == .emptyArchive) != (b.code == .emptyArchive) { return b.code == .emptyArchive }
    if a.file != b.file { return a.file < b.file }
    if a.line != b.line { return (a.line ?? 0) < (b.line ?? 0) }
    if a.column != b.column { return (a.column ?? 0) < (b.column ?? 0) }
    if a.pointer != b.pointer { return (a.pointer ?? "") < (b.pointer ?? "") }
    if a.code != b.code { return a.code.rawValue < b.code.rawValue }
    if a.message != b.message { return ByteString(a.message) < ByteString(b.message) }
    return ByteString(a.notes.first?.message ?? "") < ByteString(b.notes.first?.message ?? "")
  }
}

/// Returns the findings in the order of printing, without repetitions.
package func inPrintingOrder(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
  var result: [Diagnostic] = []
  for diagnostic in diagnostics.sorted() where result.last != diagnostic {
    result.append(diagnostic)
  }
  return result
}

// MARK: - Fixes

/// A change of a JSON file: one that keeps its meaning, or one that the author probably meant.
package struct Fix: Sendable, Hashable {
  /// The step of the fix, in the imperative: `write "cap-insets"`.
  package var summary: String
  package var kind: FixKind
  /// The changes; empty if it is enough to rewrite the file (a BOM, a comma too many).
  var edits: [Edit]

  init(_ summary: String, _ edits: [Edit] = [], kind: FixKind = .certain) {
    self.summary = summary
    self.kind = kind
    self.edits = edits
  }
}

/// One change of a JSON value. The pointers refer to the file before any change.
enum Edit: Sendable, Hashable {
  case rename(pointer: ByteString, to: ByteString)
  case replace(pointer: ByteString, with: JSONValue)
  case remove(pointer: ByteString)
  /// Moves a member into the object with this name in the root. The object is created if it does
  /// not exist.
  case move(pointer: ByteString, toObject: ByteString)
}
