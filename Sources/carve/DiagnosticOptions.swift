// The options about diagnostics that several commands share: how they are printed, which are shown,
// which fail the command.

import CatalogModel
import CommandLineKit

struct DiagnosticArguments: Sendable {
  var format = DiagnosticFormat.text
  var warningsAreErrors = false
  var errorCodes: [String] = []
  var silentCodes: [String] = []

  func policy() throws(CommandFailure) -> DiagnosticPolicy {
    do throws(UnknownCode) {
      return try DiagnosticPolicy(
        warningsAreErrors: warningsAreErrors, errorCodes: errorCodes, silentCodes: silentCodes)
    } catch {
      throw .usage(error.message)
    }
  }
}

/// The arguments of a command that prints diagnostics.
protocol DiagnosticReporting {
  var diagnostics: DiagnosticArguments { get set }
}

extension Option where Arguments: DiagnosticReporting {
  static var diagnosticOptions: [Option] {
    [
      .choice(
        "diagnostics", "FORMAT", \.diagnostics.format,
        help: "print diagnostics as text, json, sarif (2.1.0) or github annotations"),
      .flagOrList(
        "werror", "CODE", listedBy: WordList.codes.words, \.diagnostics.warningsAreErrors,
        \.diagnostics.errorCodes,
        help: "make every warning an error, or findings of these codes"),
      .list(
        "no-warn", "CODE", listedBy: WordList.codes.words, separator: ",",
        \.diagnostics.silentCodes,
        help: "do not show findings of this code, unless they are errors"),
    ]
  }
}
