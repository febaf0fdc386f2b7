// Decides which findings are shown and which fail a build: by options (--werror, --no-warn,
// --min-severity) and by the settings of the catalogues, for every command that prints diagnostics.

import Bytes
import Documents

package struct DiagnosticPolicy: Sendable, Hashable {
  /// `--werror`: every warning is an error.
  package var warningsAreErrors = false
  /// `--werror=CODE`: findings of these codes are errors, including notes.
  package var errorCodes: Set<DiagnosticCode> = []
  /// `--no-warn=CODE`: findings of these codes are not shown, unless they are errors.
  package var silentCodes: Set<DiagnosticCode> = []
  /// `--min-severity`: findings of a lower severity are not shown.
  package var minimum = Severity.note
  /// The codes whose findings are shown even below the lowest severity.
  package var codesInSpiteOfMinimum: Set<DiagnosticCode> = []
  /// The settings of the catalogues that have some. Options override them.
  package var settings: [FoundSettings] = []

  package init() {}

  /// Creates the policy from two lists of codes. Throws the first word that is not a code.
  package init(
    warningsAreErrors: Bool, errorCodes: [String], silentCodes: [String]
  ) throws(UnknownCode) {
    self.warningsAreErrors = warningsAreErrors
    for word in errorCodes { self.errorCodes.insert(try diagnosticCode(word)) }
    for word in silentCodes { self.silentCodes.insert(try diagnosticCode(word)) }
  }

  /// Returns the findings that are shown, with the severities that the policy gives them.
  package func applied(to diagnostics: [Diagnostic]) -> [Diagnostic] {
    var answers = ExceptionAnswers()
    return diagnostics.compactMap { diagnostic in
      if diagnostic.severity == .error { return diagnostic }
      if errorCodes.contains(diagnostic.code), !isExcepted(diagnostic, &answers) {
        var diagnostic = diagnostic
        diagnostic.severity = .error
        return diagnostic
      }
      if silentCodes.contains(diagnostic.code) { return nil }
      guard var severity = severityBySettings(of: diagnostic, &answers) else { return nil }
      if warningsAreErrors, severity == .warning { severity = .error }
      if severity < minimum, !codesInSpiteOfMinimum.contains(diagnostic.code) { return nil }
      var diagnostic = diagnostic
      diagnostic.severity = severity
      return diagnostic
    }
  }

  /// Returns whether a finding is shown.
  package func shows(_ diagnostic: Diagnostic) -> Bool { !applied(to: [diagnostic]).isEmpty }

  /// Returns the number of findings that the settings leave out.
  package func countLeftOut(of diagnostics: [Diagnostic]) -> Int {
    if settings.isEmpty { return 0 }
    var answers = ExceptionAnswers()
    return diagnostics.count {
      $0.severity != .error && severityBySettings(of: $0, &answers) == nil
    }
  }

  /// Returns the severity of a finding by the settings of its catalogue; nil if they leave it out.
  private func severityBySettings(
    of diagnostic: Diagnostic, _ answers: inout ExceptionAnswers
  ) -> Severity? {
    guard let (settings, place) = settings(for: diagnostic) else { return diagnostic.severity }
    return settings.severity(of: diagnostic, at: place, &answers)
  }

  /// Returns whether the settings of its catalogue state an exception for the finding. No option
  /// overrides it.
  private func isExcepted(
    _ diagnostic: Diagnostic, _ answers: inout ExceptionAnswers
  ) -> Bool {
    guard let (settings, place) = settings(for: diagnostic) else { return false }
    return settings.hasException(for: diagnostic, at: place, &answers)
  }

  /// Returns the settings of a finding's catalogue, and its path from the folder of the settings.
  private func settings(for diagnostic: Diagnostic) -> (ProjectSettings, ByteString)? {
    for catalog in settings {
      if let place = catalog.place(of: diagnostic.file) { return (catalog.settings, place) }
    }
    return nil
  }
}

/// A word that was given as a code but is not one.
package struct UnknownCode: Error, Sendable, Hashable {
  package var word: String
  /// The most similar code; nil if no code is similar.
  package var nearest: String?

  package init(word: String, nearest: String?) {
    self.word = word
    self.nearest = nearest
  }

  package var message: String {
    "'\(word)' is not the code of a finding"
      + (nearest.map { "; did you mean '\($0)'?" } ?? "; 'carve lint --list' shows all")
  }
}

/// Returns the code that a word of a command line names.
package func diagnosticCode(_ word: String) throws(UnknownCode) -> DiagnosticCode {
  if let code = DiagnosticCode(rawValue: word) { return code }
  throw UnknownCode(
    word: word, nearest: nearest(to: word, in: DiagnosticCode.allCases.map(\.rawValue)))
}
