// Which findings are shown and which fail a build: --werror and --no-warn, for every command that
// prints diagnostics.

import Documents

package struct DiagnosticPolicy: Sendable, Hashable {
  /// `--werror`: every warning is an error.
  package var warningsAreErrors = false
  /// `--werror=CODE`: findings of these codes are errors, notes too.
  package var errorCodes: Set<DiagnosticCode> = []
  /// `--no-warn=CODE`: findings of these codes are not shown, unless they are errors.
  package var silentCodes: Set<DiagnosticCode> = []
  /// `--min-severity`: what is less is not shown.
  package var minimum = Severity.note

  package init() {}

  /// The policy of two lists of codes as written; throws the first word that is no code.
  package init(
    warningsAreErrors: Bool, errorCodes: [String], silentCodes: [String]
  ) throws(UnknownCode) {
    self.warningsAreErrors = warningsAreErrors
    for word in errorCodes { self.errorCodes.insert(try code(word)) }
    for word in silentCodes { self.silentCodes.insert(try code(word)) }
  }

  /// The findings that are left, with the severities that they get.
  package func applied(to diagnostics: [Diagnostic]) -> [Diagnostic] {
    diagnostics.compactMap { diagnostic in
      var diagnostic = diagnostic
      if diagnostic.severity == .error { return diagnostic }
      if silentCodes.contains(diagnostic.code) { return nil }
      if errorCodes.contains(diagnostic.code) { diagnostic.severity = .error }
      if warningsAreErrors, diagnostic.severity == .warning { diagnostic.severity = .error }
      return diagnostic.severity < minimum ? nil : diagnostic
    }
  }
}

/// A word that was given as a code and is none.
package struct UnknownCode: Error, Sendable, Hashable {
  package var word: String
  /// The code that was most likely meant.
  package var nearest: String?

  package init(word: String, nearest: String?) {
    self.word = word
    self.nearest = nearest
  }

  package var message: String {
    "'\(word)' is not the code of a diagnostic"
      + (nearest.map { "; did you mean '\($0)'?" } ?? "; 'carve lint --list' shows all")
  }
}

private func code(_ word: String) throws(UnknownCode) -> DiagnosticCode {
  if let code = DiagnosticCode(rawValue: word) { return code }
  throw UnknownCode(
    word: word, nearest: nearest(to: word, in: DiagnosticCode.allCases.map(\.rawValue)))
}
