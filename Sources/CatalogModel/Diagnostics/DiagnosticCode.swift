// All codes of diagnostics, of the reader, the checks and the compiler. A code is stable for ever.
// What each means and how to mend it is in CodePages.swift.

public enum DiagnosticCode: String, CaseIterable, Sendable, Hashable {
  case jsonSyntax = "json-syntax"
  case missingFile = "missing-file"
  case unsupportedSet = "unsupported-set"
}

/// What there is to say about a code, whatever the catalogue.
public struct CodePage: Sendable, Hashable {
  /// What a finding of this code has where nothing else is said.
  public var severity: Severity
  public var meaning: String
  /// What the author of the catalogue can do.
  public var remedy: String

  init(_ severity: Severity, _ meaning: String, _ remedy: String) {
    self.severity = severity
    self.meaning = meaning
    self.remedy = remedy
  }
}

extension DiagnosticCode {
  public var page: CodePage {
    switch self {
    case .jsonSyntax:
      CodePage(
        .error, "A file is not JSON.", "Correct the place named; Xcode cannot read it either.")
    case .missingFile:
      CodePage(.warning, "An entry names a file that is not there.", "Add it, or clear the entry.")
    case .unsupportedSet:
      CodePage(.error, "Carve does not compile this type of set.", "Leave the set out.")
    }
  }
}
