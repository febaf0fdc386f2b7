// `carve lint`: all findings about catalogues without compiling them, and the safe fixes.

import CatalogModel
import CommandLineKit

struct LintArguments: Sendable, DiagnosticReporting {
  var catalogs: [String] = []
  var diagnostics = DiagnosticArguments()
  var listsCodes = false
  var jobs: Int?
}

let lintCommand = Command(
  "lint", summary: "Say what is wrong with catalogues, without compiling them",
  discussion: """
    Reads catalogues as the compiler does, and the headers of their pictures, and prints every \
    finding with its file, line and column. Errors are what keeps a catalogue from being compiled; \
    warnings are what it will not do as its author meant; notes are worth knowing.
    """,
  defaults: LintArguments(),
  operands: [
    .many(.catalog, orNone: true, \.catalogs, help: "the catalogues, the first wins a name")
  ],
  options: Option<LintArguments>.diagnosticOptions + [
    .flag("list", \.listsCodes, help: "print what every code means and how to mend it"),
    .number("jobs", short: "j", "N", in: 1...256, \.jobs, help: "use N processors"),
  ],
  examples: [
    Example("carve lint Assets.xcassets", "print what is wrong"),
    Example(
      "carve lint --diagnostics sarif Assets.xcassets > lint.sarif",
      "write a report for code scanning"),
  ]
) { (arguments, terminal) throws(CommandFailure) in
  try runLint(arguments, terminal)
}

private func runLint(
  _ arguments: LintArguments, _ terminal: Terminal
) throws(CommandFailure) -> ExitStatus {
  if arguments.listsCodes {
    terminal.write(diagnosticPages())
    return .fine
  }
  guard !arguments.catalogs.isEmpty else {
    throw .usage("lint needs at least one CATALOG")
  }
  let policy = try arguments.diagnostics.policy()
  let options = ReadingOptions(jobs: arguments.jobs ?? availableProcessors())
  let contents = readCatalogs(arguments.catalogs, in: .disk, options: options)
  let findings = policy.applied(to: lint(contents, in: .disk))
  terminal.write(arguments.diagnostics.format.text(of: findings))
  return findings.contains { $0.severity == .error } ? .inputErrors : .fine
}
