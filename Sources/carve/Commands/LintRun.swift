// The work of `carve lint`: reads catalogues by their settings, fixes them, compares the findings
// with a baseline, and prints them. `--init` writes settings.

import Bytes
import CPosix
import CatalogCompiler
import CatalogModel
import CommandLineKit
import Documents
import Host
import Queries
import Traits
import Uses

func runLint(
  _ arguments: LintArguments, _ terminal: Terminal
) throws(CommandFailure) -> ExitStatus {
  if arguments.listsCodes {
    terminal.write(try codePages(arguments.catalogs.map(\.text)))
    return .fine
  }
  if arguments.writesSettings { return try writeSettings(arguments, terminal) }
  guard !arguments.catalogs.isEmpty else { throw .usage("lint needs at least one CATALOG") }
  if arguments.isDryRun, !arguments.fixes { throw .usage("--dry-run needs --fix") }
  if arguments.updatesBaseline, arguments.baseline == nil {
    throw .usage("--update-baseline needs --baseline FILE")
  }
  try checkCatalogs(arguments.catalogs)
  if arguments.summary == nil, !arguments.bases.isEmpty || arguments.budget != nil {
    throw .usage("--base and --budget need --summary FILE")
  }
  try checkPlaces(
    [NamedFile("--summary", arguments.summary)],
    reading: NamedFile.operands(arguments.catalogs)
      + [NamedFile("--baseline", arguments.baseline)]
      + arguments.bases.map { NamedFile("--base", $0) })
  return try LintRun(arguments, terminal).run()
}

// MARK: - One run

/// Catalogues that are checked together, with the target that options and their settings give.
struct LintGroup {
  var catalogs: [ByteString]
  var target: CatalogTarget
}

private struct LintRun {
  private let terminal: Terminal
  private let arguments: LintArguments
  private let groups: [LintGroup]
  private let policy: DiagnosticPolicy
  private let jobs: Int
  private let places: UsePlaces

  init(_ given: LintArguments, _ terminal: Terminal) throws(CommandFailure) {
    self.terminal = terminal
    var arguments = given
    var groups = catalogGroups(of: given.catalogs, in: .disk)
    try arguments.findSettings(of: groups.flatMap { $0 }, terminal)
    // If icons are named, all catalogues belong to one app.
    if !given.compiling.appIcons.isEmpty { groups = [groups.flatMap { $0 }] }
    var targeted: [LintGroup] = []
    for catalogs in groups { targeted.append(try arguments.group(catalogs)) }
    places = try UsePlaces(given, settings: arguments.diagnostics.settings)
    arguments.diagnostics.settings += places.settings
    (self.arguments, self.groups) = (arguments, targeted)
    policy = try arguments.diagnostics.policy()
    jobs = given.compiling.jobs ?? availableProcessors()
  }

  private func read() -> [CatalogContents] {
    groups.map { readCatalogs($0.catalogs, in: .disk, options: ReadingOptions(jobs: jobs)) }
  }

  func run() throws(CommandFailure) -> ExitStatus {
    var all = read()
    if arguments.fixes {
      let rewrites = all.flatMap { contents in
        planFixes(
          of: contents.diagnostics.filter(policy.shows), in: contents,
          tree: .disk, jobs: jobs, kinds: arguments.fixing?.kinds ?? [.certain])
      }
      try apply(rewrites, isDryRun: arguments.isDryRun, terminal)
      if !arguments.isDryRun, !rewrites.isEmpty { all = read() }
    }
    let uses = try places.report(of: all, jobs: jobs)
    if !arguments.names.isEmpty { return try printUses(uses) }
    let found = inPrintingOrder(
      (uses?.diagnostics ?? [])
        + zip(all, groups).flatMap { contents, group in
          lint(contents, in: .disk, options: group.target.options)
            + planFindings(
              of: contents, for: group.target.targets, icons: group.target.icons, in: .disk,
              saysIfEmpty: true)
        })
    let comparison = try compareWithBaseline(found)
    let findings = policy.applied(to: comparison?.new ?? found)
    let count = all.reduce(0) { $0 + $1.catalogs.count }
    print(findings, comparison, leftOut: policy.countLeftOut(of: found), catalogCount: count)
    if let uses { print(uses) }
    let hasErrors = findings.contains { $0.severity == .error }
    guard let file = arguments.summary else { return hasErrors ? .inputErrors : .fine }
    var summary = LintSummary(
      findings: findings, catalogCount: count, knownCount: comparison?.knownCount,
      gone: comparison?.gone.map(\.text) ?? [])
    let troubles = try hasErrors ? [] : addSizes(of: all, to: &summary)
    try write(summary.markdown, to: file)
    for trouble in troubles { terminal.diagnose("\(terminal.tinted("error:", .red)) \(trouble)") }
    return hasErrors || !troubles.isEmpty ? .inputErrors : .fine
  }

  /// Adds the sizes of the catalogues of each app, and returns the sentences about limits that are
  /// exceeded.
  private func addSizes(
    of all: [CatalogContents], to summary: inout LintSummary
  ) throws(CommandFailure) -> [String] {
    if groups.count > 1, !arguments.bases.isEmpty || arguments.budget != nil {
      throw .usage(
        "--base and --budget need the catalogues of one app; name them instead of their folder")
    }
    var troubles: [String] = []
    for (group, contents) in zip(groups, all) {
      let (sizes, isAsked) = try arguments.sizes(of: group.catalogs, contents, terminal)
      if let sizes {
        let title = groups.count > 1 ? group.catalogs.map(\.text).joined(separator: ", ") : ""
        summary.sections.append((title, sizes.markdown))
        troubles += sizes.troubles
      } else if isAsked {
        troubles.append("\(onOneLine(group.catalogs[0])): errors prevent the compilation")
      }
    }
    return troubles
  }

  private func print(
    _ findings: [Diagnostic], _ comparison: Baseline.Comparison?, leftOut: Int, catalogCount: Int
  ) {
    terminal.write(arguments.diagnostics.text(of: findings, terminal, inResults: true))
    if arguments.diagnostics.isVerbose, leftOut > 0 {
      terminal.diagnose("\(counted(leftOut, "finding")) left out by the settings")
    }
    let file = onOneLine(arguments.baseline ?? "")
    for entry in (comparison?.gone ?? []).prefix(LintRun.mostListed) {
      terminal.diagnose("\(file): gone: \(entry.text)")
    }
    if let count = comparison?.gone.count, count > 0 {
      let more =
        count > LintRun.mostListed ? " and \(grouped(count - LintRun.mostListed)) more" : ""
      terminal.diagnose(
        "\(file): \(counted(count, "finding")) of the baseline\(more.isEmpty ? "" : ",\(more),") "
          + "\(count == 1 ? "is" : "are") gone; --update-baseline removes \(count == 1 ? "it" : "them")"
      )
    }
    guard arguments.diagnostics.format == .text else { return }
    let known = comparison.map { "; \(grouped($0.knownCount)) in the baseline" } ?? ""
    guard findings.summary != nil || comparison != nil else { return }
    terminal.print(
      "\(findings.summary ?? "no findings") in \(counted(catalogCount, "catalogue"))\(known)")
  }

  // MARK: Uses

  /// Prints the counts, and the sources that were not read.
  private func print(_ uses: UseReport) {
    if arguments.diagnostics.format == .text { terminal.print(uses.summary) }
    for source in uses.unread.prefix(LintRun.mostListed) {
      terminal.diagnose("not read: \(onOneLine(source.path)): \(source.reason)")
    }
    if uses.unread.count > LintRun.mostListed {
      terminal.diagnose("not read: \(grouped(uses.unread.count - LintRun.mostListed)) more")
    }
  }

  /// Prints every use of the assets that `--why` names.
  private func printUses(_ uses: UseReport?) throws(CommandFailure) -> ExitStatus {
    guard let uses else {
      throw .usage("--why needs --sources, --project, or \"sources\" in the settings")
    }
    var texts: [String] = []
    for name in arguments.names {
      guard let text = uses.uses(of: name) else {
        throw .input("no catalogue has an asset \(quoted(name))\(uses.advice(for: name))")
      }
      texts.append(text)
    }
    terminal.write(texts.joined(separator: "\n"))
    return .fine
  }

  /// The greatest number of entries of a baseline that are named as gone, and of sources that are
  /// named as not read.
  private static let mostListed = 10

  // MARK: Baseline

  /// Returns the findings that are not in the baseline; nil without a baseline. Updates the file
  /// first if this is requested.
  private func compareWithBaseline(
    _ found: [Diagnostic]
  ) throws(CommandFailure) -> Baseline.Comparison? {
    guard let file = arguments.baseline else { return nil }
    let here: ByteString
    do throws(FileError) { here = try currentFolder() } catch {
      throw CommandFailure(error, reading: file)
    }
    let folder = parentFolder(absolutePath(file, in: here))
    func place(_ path: ByteString) -> ByteString {
      CatalogModel.path(from: folder, to: absolutePath(path, in: here))
    }
    let folders = groups.flatMap(\.catalogs) + places.sources
    let unexamined: Set<DiagnosticCode> = places.isEmpty ? DiagnosticCode.ofUses : []
    var baseline = try readBaseline(file)
    if arguments.updatesBaseline {
      let old = baseline.json
      baseline.update(
        with: found.filter(policy.shows), about: folders,
        unexamined: unexamined, place: place)
      let isNew = try !exists(file)
      if isNew || baseline.json != old { try writeFile(baseline.json, to: file) }
      terminal.diagnose("\(onOneLine(file)): \(counted(baseline.count, "finding"))")
    }
    return baseline.comparison(
      with: found, about: folders, unexamined: unexamined, place: place)
  }

  private func readBaseline(_ file: ByteString) throws(CommandFailure) -> Baseline {
    if try !exists(file) {
      if arguments.updatesBaseline { return Baseline() }
      throw .inputOutput(
        "cannot read \(file): \(FileError.notFound.reason); --update-baseline writes it")
    }
    let bytes = try readFile(file, atMost: FileLimit.document)
    do throws(SettingsError) { return try Baseline(json: bytes, file: file) } catch {
      throw CommandFailure(error)
    }
  }

  // MARK: Summary

  /// Writes Markdown. The file of a step of GitHub Actions may have the output of other commands.
  private func write(_ text: String, to file: ByteString) throws(CommandFailure) {
    var bytes: [UInt8] = []
    if getenv("GITHUB_STEP_SUMMARY").map({ ByteString(cString: $0) }) == file, try exists(file) {
      bytes = try readFile(file, atMost: FileLimit.document)
    }
    try writeFile(bytes + text.utf8, to: file)
  }
}

private func exists(_ file: ByteString) throws(CommandFailure) -> Bool {
  do throws(FileError) { return try FileTree.disk.exists(file) } catch {
    throw CommandFailure(error, reading: file)
  }
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
  let files = counted(rewrites.count, "file")
  terminal.diagnose(isDryRun ? "\(files) to fix" : "\(files) fixed")
}

// MARK: - The target of a group

extension LintArguments {
  /// Returns the settings of the first of some catalogues that has some.
  func settings(of catalogs: [ByteString]) -> FoundSettings? {
    catalogs.lazy.compactMap { catalog in
      diagnostics.settings.first { $0.catalog == withoutTrailingSlashes(catalog) }
    }.first
  }

  /// Returns catalogues with the target by the options and by the settings of the first of them.
  func group(_ catalogs: [ByteString]) throws(CommandFailure) -> LintGroup {
    var compiling = compiling
    let own = settings(of: catalogs)
    if let own { compiling.fromSettings = SettingsTarget(own.settings) }
    let target = try compiling.target()
    let hasPlatform = compiling.platform != nil || compiling.fromSettings.platform != nil
    if hasPlatform, let contradiction = target.contradiction { throw .usage(contradiction) }
    var options = LintOptions()
    options.jobs = compiling.jobs ?? availableProcessors()
    options.checksFormat = checksFormat
    options.platform = hasPlatform ? target.platform.system : nil
    options.idioms = target.families.map(\.idiom)
    let hasMinimum = compiling.minimum != nil || compiling.fromSettings.minimum != nil
    options.minimum = hasMinimum ? target.minimum : nil
    let models = own.models(unless: devices)
    if !models.isEmpty {
      options.devices = try DeviceArguments(models: models).devices()
    }
    return LintGroup(
      catalogs: catalogs,
      target: CatalogTarget(
        options: options, targets: hasPlatform ? [target] : try everyTarget(compiling),
        // If no icon is named, every icon may be compiled.
        icons: compiling.namedIcons.isEmpty ? .all : compiling.icons))
  }

  /// Returns the targets for which catalogues may be compiled if no platform is named.
  private func everyTarget(
    _ compiling: CatalogArguments
  ) throws(CommandFailure) -> [CompileTarget] {
    var targets: [CompileTarget] = []
    for platform: Platform in [.iOS, .macOS, .tvOS, .watchOS, .visionOS] {
      targets.append(
        CompileTarget(
          platform: TargetPlatform(platform), families: try compiling.target().families))
    }
    return targets
  }
}

// MARK: - Writing settings

/// Writes `.carve.json` with the values of the options, and the schema beside it.
private func writeSettings(
  _ arguments: LintArguments, _ terminal: Terminal
) throws(CommandFailure) -> ExitStatus {
  guard arguments.catalogs.isEmpty else {
    throw .usage("--init writes into this folder, and takes no CATALOG")
  }
  var settings = ProjectSettings()
  settings.platform = arguments.compiling.platform
  if arguments.compiling.minimum != nil {
    settings.minimum = try arguments.compiling.target().minimum
  }
  settings.icons = arguments.compiling.appIcons
  settings.sources = arguments.sources.map(withoutTrailingSlashes)
  settings.projects = arguments.projects.map(withoutTrailingSlashes)
  settings.devices = try DeviceArguments(models: arguments.devices).devices().map(\.identifier)
  let policy = try arguments.diagnostics.policy()
  for code in policy.errorCodes { settings.severities[code] = .error }
  for code in policy.silentCodes where code.page.severity != .error {
    settings.severities[code] = .off
  }
  let file = ProjectSettings.fileName
  if try exists(file) {
    throw .input("\(file) exists already; change it, or remove it first")
  }
  let schema: ByteString = ".carve.schema.json"
  try writeFile(Array(schemaText(of: .settings).utf8), to: schema)
  try writeFile(settings.text(schema: schema.text), to: file)
  terminal.diagnose("wrote \(file) and its schema \(schema)")
  return .fine
}
