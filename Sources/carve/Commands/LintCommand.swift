// `carve lint`: prints all findings about catalogues without compiling them, and applies the safe
// fixes. This file has the options; LintRun.swift does the work.

import Bytes
import CatalogCompiler
import CatalogModel
import CommandLineKit
import Documents

struct LintArguments: Sendable, CatalogCompiling {
  var catalogs: [ByteString] = []
  var diagnostics = DiagnosticArguments()
  var listsCodes = false
  var fixes = false
  var fixing: Fixing?
  var isDryRun = false
  var checksFormat = false
  var devices: [String] = []
  var baseline: ByteString?
  var updatesBaseline = false
  var summary: ByteString?
  var bases: [ByteString] = []
  var budget: String?
  var writesSettings = false
  var sources: [ByteString] = []
  var projects: [ByteString] = []
  var names: [ByteString] = []
  var compiling = CatalogArguments()

  static let verboseHelp =
    "name the settings (.carve.json) that are used, and count the findings that they leave out"
}

/// The changes that `--fix` makes in addition to those that are always right.
enum Fixing: String, CaseIterable, Sendable {
  case all, format

  var kinds: Set<FixKind> {
    switch self {
    case .all: [.certain, .review]
    case .format: [.certain, .format]
    }
  }
}

let lintCommand = Command(
  "lint", summary: "Report what is wrong with catalogues, without compiling them",
  discussion: """
    Reads catalogues as the compiler does, and the headers of their pictures, and prints every \
    finding with its file, line and column. Errors prevent the compilation of a catalogue; \
    warnings report results that differ from what its author probably intended; notes are \
    information. The findings include what compile leaves out for the platform that is named; \
    without one, what it leaves out for every platform that shows some of the asset.

    With --fix, findings that need no decision are fixed: spelling, misplaced keys, superfluous \
    commas, byte-order marks, entries without effect. The meaning of a catalogue does not change, \
    and a second run has nothing to fix. --fix=all also makes the changes that a finding suggests \
    and that change what is compiled, such as a similar name of a file: look at the result. The \
    rest of a file keeps its format; --fix=format also formats each Contents.json as Xcode does.

    Settings are read from a file .carve.json beside the catalogues or above them, up to the root \
    of the repository; --init writes one. It changes severities, leaves findings out, and names \
    the platform, icons and devices of the app, for all commands that read catalogues. Options \
    override it. With --baseline, only findings that are not in the baseline are shown.

    With --sources or --project, sources are read as text: Swift, Objective-C, C++, interface \
    files, property lists, JSON, HTML, style sheets, tables of strings. Findings then also name \
    assets that no source uses, and names that sources ask for and no catalogue has. An asset that \
    may be used, for example because its name can be put together, is counted and not reported.

    --summary FILE writes Markdown for the page of a run in continuous integration: counts, the \
    new findings, the limit, use and rest of the budget for each device, and with --base the \
    growth: that of all icons if none is named and there is no budget, or of those in the archive \
    that --base names. To measure sizes, the command compiles the catalogues if there are no \
    errors. An exceeded limit is an error.
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
      help:
        "make the fixes that need no decision; all: also likely ones; format: also format as "
        + "Xcode does"),
    .flag(
      "dry-run", \.isDryRun, help: "with --fix: print what would be changed, and change nothing"),
    .flag(
      "check-format", \.checksFormat, help: "report files that Xcode would format differently"),
    .list(
      "device", "MODEL[,MODEL...]", listedBy: WordList.devices.words, \.devices,
      help: "check what these devices show; without it, all devices"),
    .path(
      "baseline", "FILE", extensions: ["json"], \.baseline,
      help: "do not show findings that the file contains, and list those that no longer occur"),
    .flag(
      "update-baseline", \.updatesBaseline,
      help: "write the findings into the file of --baseline; errors are not accepted"),
    .path(
      "summary", "FILE", extensions: ["md"], \.summary,
      help:
        "also write counts, sizes and the first findings as Markdown; to the file that "
        + "GITHUB_STEP_SUMMARY names, they are appended"),
    .list(
      "sources", "DIR", \.sources,
      help: "report assets that the sources below a folder do not use, and names that are missing"),
    .list(
      "project", "PROJECT", \.projects,
      help:
        "report uses of assets that only other targets of an .xcodeproj or a Package.swift have; "
        + "without --sources, the sources below its folder are read"),
    .list("why", "NAME", \.names, help: "print only the uses of an asset, with their places"),
    .list(
      "base", "ARCHIVE-or-CATALOG", \.bases,
      help:
        "with --summary: an archive or catalogues before the change, and the growth since then"),
    .path(
      "budget", "SIZE-or-FILE", extensions: ["json"], \.budget,
      help: "with --summary: limits for each device, as for thin; without it, those of the settings"
    ),
    .flag(
      "init", \.writesSettings,
      help:
        "write the settings .carve.json and their schema into this folder, with the platform, "
        + "icons, devices, sources and severities of the other options"),
    .flag(
      "list", \.listsCodes,
      help:
        "print the pages of all codes, or of the codes that are given in place of catalogues, as "
        + "explain-code does"),
    .jobs,
  ] + Option<LintArguments>.targetOptions,
  examples: [
    Example("carve lint Assets.xcassets", "print what is wrong"),
    Example("carve explain-code missing-scale", "print what a code means and what to do"),
    Example("carve lint --fix --dry-run Assets.xcassets", "print what --fix would change"),
    Example(
      "carve lint --init --platform iphoneos --app-icon AppIcon --no-warn missing-scale",
      "write settings"),
    Example(
      "carve lint Assets.xcassets --baseline lint.json --update-baseline",
      "accept the present findings"),
    Example("carve lint --sources . Assets.xcassets", "print what no source uses"),
    Example("carve lint --sources . --why star Assets.xcassets", "print what uses an asset"),
    Example(
      "carve lint Assets.xcassets --summary sum.md --base main/Assets.xcassets --device iPhone17,1",
      "write what a change adds"),
    Example(
      "carve lint --diagnostics sarif Assets.xcassets > lint.sarif",
      "write a report for code scanning"),
  ]
) { (arguments, terminal) throws(CommandFailure) in
  try runLint(arguments, terminal)
}
