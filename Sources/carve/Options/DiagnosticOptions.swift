// The options about diagnostics that several commands share: the format, which findings are shown,
// and which make the command fail. SettingsOptions.swift finds the settings of catalogues.

import CPosix
import CatalogModel
import CommandLineKit
import Documents

struct DiagnosticArguments: Sendable {
  var format = DiagnosticFormat.text
  var warningsAreErrors = false
  var errorCodes: [String] = []
  var silentCodes: [String] = []
  var minimum = Severity.note
  /// The codes that `--min-severity` does not hide.
  var codesInSpiteOfMinimum: Set<DiagnosticCode> = []
  var showsAll = false
  var isVerbose = false
  /// The settings of the catalogues that have some.
  var settings: [FoundSettings] = []

  func policy() throws(CommandFailure) -> DiagnosticPolicy {
    do throws(UnknownCode) {
      var policy = try DiagnosticPolicy(
        warningsAreErrors: warningsAreErrors, errorCodes: errorCodes, silentCodes: silentCodes)
      policy.minimum = minimum
      policy.codesInSpiteOfMinimum = codesInSpiteOfMinimum
      policy.settings = settings
      return policy
    } catch {
      throw .usage(error.message)
    }
  }

  /// The number of findings of one code that are shown individually.
  private static let foldingLimit = 5

  /// Returns the findings as text, with colours if the output shows colours.
  func text(of findings: [Diagnostic], _ terminal: Terminal, inResults: Bool = false) -> String {
    format.text(
      of: findings, limit: showsAll ? nil : DiagnosticArguments.foldingLimit, pages: .named
    ) {
      terminal.tinted($0, $1.tint, inResults: inResults)
    }
  }

  /// Prints findings to standard error.
  func print(_ findings: [Diagnostic], _ terminal: Terminal) {
    let text = text(of: findings, terminal)
    if !text.isEmpty { terminal.diagnose(text.droppingLastNewline) }
  }

  /// Prints findings, among them errors that end a run, and what follows from them.
  func printRefusal(
    _ findings: [Diagnostic], _ terminal: Terminal, consequence: String = "nothing was written"
  ) {
    print(findings, terminal)
    if format != .text { return }
    let errors = findings.count { $0.severity == .error }
    terminal.diagnose("\(counted(errors, "error")); \(consequence)")
  }
}

extension PageAddress {
  /// The pages that the environment names, or else the manual.
  static var named: PageAddress {
    PageAddress(variable: getenv("CARVE_FINDINGS_URL").map { String(cString: $0) })
  }
}

extension Severity {
  fileprivate var tint: TerminalColor {
    switch self {
    case .error: .red
    case .warning: .yellow
    case .note: .cyan
    }
  }
}

/// The arguments of a command that prints diagnostics.
protocol DiagnosticReporting {
  var diagnostics: DiagnosticArguments { get set }
  /// The lowest severity of findings that are shown by default.
  static var usualSeverity: Severity { get }
  /// The description of `--verbose`.
  static var verboseHelp: String { get }
}

extension DiagnosticReporting {
  static var usualSeverity: Severity { .note }
  static var verboseHelp: String { "name the settings (.carve.json) that are used" }
}

extension Option where Arguments: DiagnosticReporting {
  static var diagnosticOptions: [Option] {
    [
      .choice(
        "diagnostics", "FORMAT", \.diagnostics.format,
        help: "print diagnostics as text, json, sarif (2.1.0) or github annotations"),
      .flagOrList(
        "werror", "CODE", listedBy: WordList.codes.words, \.diagnostics.warningsAreErrors,
        \.diagnostics.errorCodes, admitting: { DiagnosticCode(rawValue: $0) != nil },
        help: "make every warning an error, or findings of these codes"),
      .list(
        "no-warn", "CODE", listedBy: WordList.codes.words, separator: ",",
        \.diagnostics.silentCodes,
        help: "do not show findings of this code, unless they are errors"),
      .choice(
        "min-severity", "SEVERITY", \.diagnostics.minimum,
        help: "show findings from this severity on (\(Arguments.usualSeverity.rawValue))"),
      .flag("verbose", short: "v", \.diagnostics.isVerbose, help: Arguments.verboseHelp),
    ]
  }

  /// The options of commands that print findings as text.
  static var foldingOptions: [Option] {
    [
      .flag(
        "all", \.diagnostics.showsAll,
        help:
          "show all findings; without it, findings of one code beyond five are only counted, "
          + "except for errors"
      )
    ]
  }
}
