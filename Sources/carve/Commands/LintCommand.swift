// `carve lint`: prints all findings about catalogues without compiling them, and applies the safe
// fixes.

import Bytes
import CatalogCompiler
import CatalogModel
import CommandLineKit
import Documents
import Host
import Traits

struct LintArguments: Sendable, CatalogCompiling {
  var catalogs: [ByteString] = []
  var diagnostics = DiagnosticArguments()
  var listsCodes = false
  var fixes = false
  var fixing: Fixing?
  var isDryRun = false
  var checksFormat = false
  var compiling = CatalogArguments()
}

/// The changes that `--fix` makes in addition to fixing findings.
enum Fixing: String, CaseIterable, Sendable { case format }

let lintCommand = Command(
  "lint", summary: "Report what is wrong with catalogues, without compiling them",
  discussion: """
    Reads catalogues as the compiler does, and the headers of their pictures, and prints every \
    finding with its file, line and column. Errors prevent the compilation of a catalogue; \
    warnings report results that differ from what its author probably intended; notes are \
    information. The findings include everything that compile leaves out: for the platform that is \
    named, or else for any platform.

    With --fix, findings that need no decision are fixed: spelling, misplaced keys, superfluous \
    commas, byte-order marks, entries without effect. The rest of a file keeps its format; \
    --fix=format also formats each Contents.json as Xcode does. The meaning of a catalogue does \
    not change, and a second run has nothing to fix.
    """,
  defaults: LintArguments(),
  operands: [
    .many(
      .catalog, orNone: true, \.catalogs,
      help:
        "the catalogues; if several use a name, the first wins. Other folders are searched for "
        + "catalogues, and catalogues that lie side by side are checked as those of one app"
    )
  ],
  options: Option<LintArguments>.diagnosticOptions + Option<LintArguments>.foldingOptions + [
    .flagOrChoice(
      "fix", "HOW", \.fixes, \.fixing,
      help: "apply the safe fixes, or format as Xcode does as well"),
    .flag(
      "dry-run", \.isDryRun, help: "with --fix: print what would be changed, and change nothing"),
    .flag(
      "check-format", \.checksFormat, help: "report files that Xcode would format differently"),
    .flag(
      "list", \.listsCodes,
      help:
        "print the meaning and the remedy of every code, or of those that are given in place of "
        + "catalogues"),
    .jobs,
  ] + Option<LintArguments>.targetOptions,
  examples: [
    Example("carve lint Assets.xcassets", "print what is wrong"),
    Example("carve lint --list missing-scale", "print what a code means and what to do"),
    Example("carve lint --fix --dry-run Assets.xcassets", "print what --fix would change"),
    Example(
      "carve lint --diagnostics sarif Assets.xcassets > lint.sarif",
      "write a report for code scanning"),
  ]
) { (arguments, terminal) throws(CommandFailure) in
  try runLint(arguments, terminal)
}

/// Returns the pages of these codes, or of all codes if the list is empty.
private func pages(of words: [ByteString]) throws(CommandFailure) -> String {
  if words.isEmpty { return diagnosticPages() }
  var pages: [String] = []
  for word in words {
    do throws(UnknownCode) { pages.append(try diagnosticCode(word.text).pageText) } catch {
      throw .usage(error.message)
    }
  }
  return pages.joined(separator: "\n")
}

private func runLint(
  _ arguments: LintArguments, _ terminal: Terminal
) throws(CommandFailure) -> ExitStatus {
  if arguments.listsCodes {
    terminal.write(try pages(of: arguments.catalogs))
    return .fine
  }
  guard !arguments.catalogs.isEmpty else { throw .usage("lint needs at least one CATALOG") }
  if arguments.isDryRun, !arguments.fixes { throw .usage("--dry-run needs --fix") }
  let policy = try arguments.diagnostics.policy()
  let options = try lintOptions(arguments)
  let reading = ReadingOptions(jobs: options.jobs)
  try checkCatalogs(arguments.catalogs)
  var groups = catalogGroups(of: arguments.catalogs, in: .disk)
  // If icons are named, all catalogues belong to one app.
  if arguments.icons != .all { groups = [groups.flatMap { $0 }] }
  func read() -> [CatalogContents] {
    groups.map { readCatalogs($0, in: .disk, options: reading) }
  }
  var all = read()
  if arguments.fixes {
    let rewrites = all.flatMap { contents in
      planFixes(
        of: contents.diagnostics, in: contents, tree: .disk, jobs: options.jobs,
        formats: arguments.fixing == .format)
    }
    try apply(rewrites, isDryRun: arguments.isDryRun, terminal)
    if !arguments.isDryRun, !rewrites.isEmpty { all = read() }
  }
  let targets = try arguments.targets
  let found = all.flatMap { contents in
    lint(contents, in: .disk, options: options)
      + planFindings(
        of: contents, for: targets, icons: arguments.icons, in: .disk, saysIfEmpty: true)
  }
  let findings = policy.applied(to: inPrintingOrder(found))
  terminal.write(arguments.diagnostics.text(of: findings, terminal, inResults: true))
  if arguments.diagnostics.format == .text, let summary = findings.summary {
    terminal.print(
      "\(summary) in \(counted(all.reduce(0) { $0 + $1.catalogs.count }, "catalogue"))")
  }
  return findings.contains { $0.severity == .error } ? .inputErrors : .fine
}

/// Writes the files and prints their names on standard error: standard output is for the report.
private func apply(
  _ rewrites: [Rewrite], isDryRun: Bool, _ terminal: Terminal
) throws(CommandFailure) {
  for rewrite in rewrites {
    if !isDryRun {
      try writeFile(rewrite.bytes, to: rewrite.file)
    }
    let verb = isDryRun ? "would fix" : "fixed"
    terminal.diagnose("\(verb) \(rewrite.file): \(rewrite.summaries.joined(separator: "; "))")
  }
  let count = rewrites.count
  let files = "\(count) file\(count == 1 ? "" : "s")"
  terminal.diagnose(isDryRun ? "\(files) to fix" : "\(files) fixed")
}

private func lintOptions(_ arguments: LintArguments) throws(CommandFailure) -> LintOptions {
  let compiling = arguments.compiling
  let target = try compiling.target()
  var options = LintOptions()
  options.jobs = compiling.jobs ?? availableProcessors()
  options.checksFormat = arguments.checksFormat
  options.platform = compiling.platform == nil ? nil : target.platform.system
  options.idioms = target.families.map(\.idiom)
  options.minimum = compiling.minimum == nil ? nil : target.minimum
  return options
}

extension LintArguments {
  /// The targets for which the catalogues may be compiled.
  fileprivate var targets: [CompileTarget] {
    get throws(CommandFailure) {
      if compiling.platform != nil { return [try compiling.target()] }
      var targets: [CompileTarget] = []
      for platform: Platform in [.iOS, .macOS, .tvOS, .watchOS, .visionOS] {
        targets.append(
          CompileTarget(
            platform: TargetPlatform(platform), families: try compiling.target().families))
      }
      return targets
    }
  }

  /// If no icon is named, every icon may be compiled.
  fileprivate var icons: IconSelection {
    compiling.appIcons.isEmpty ? .all : compiling.icons
  }
}
