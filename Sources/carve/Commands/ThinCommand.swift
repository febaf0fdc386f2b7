// `carve thin`: keeps what devices can ever show. Translates the options, calls the thinner and
// prints.

import Archive
import ArchiveTools
import Bytes
import CPosix
import CatalogModel
import CommandLineKit
import Documents
import Host
import Queries
import Traits

enum ReportForm: String, CaseIterable, Sendable {
  case none, summary, text, markdown, json

  /// The length of the report in words; nil for other forms.
  var length: ReportLength? {
    switch self {
    case .none, .json: nil
    case .summary: .summary
    case .text: .full
    case .markdown: .markdown
    }
  }
}

struct ThinArguments: DeviceTargeting, CatalogCompiling, IndexWriting {
  var input: ByteString = ""
  var output: ByteString?
  var thinning = DeviceArguments()
  var compiling = CatalogArguments()
  /// An icon that is left out is missing on all devices.
  var diagnostics = DiagnosticArguments(
    minimum: usualSeverity, codesInSpiteOfMinimum: [.iconNotChosen])
  var forAllDevices = false
  var proves = false
  var report = ReportForm.none
  var budget: String?
  var touches = false
  var index = IndexArguments()

  static let usualSeverity = Severity.warning
  static let verboseHelp =
    "name the settings (.carve.json) that are used, and report which devices cannot run the app, "
    + "and why"

  /// All input files.
  var inputFiles: [NamedFile?] {
    NamedFile.operands([input]) + [
      NamedFile("--info-plist", thinning.infoPlist),
      // A size is not a file.
      NamedFile(
        "--budget", budget.flatMap { SizeBudget.bytes(of: $0) == nil ? ByteString($0) : nil }),
    ]
  }
}

let thinCommand = Command(
  "thin", summary: "Keep what devices can ever show",
  discussion: """
    A variant is kept if any window of the devices shows it, in any orientation, split, style, \
    contrast, language, text size and system; everything else is dropped. Renditions are copied as \
    they are. Pictures that no device needs are removed from atlases, if that makes the atlases \
    smaller. Textures, the groups and gradients of layered icons, lists of sprite atlases and of \
    AR resources, and renditions with more in their keys than traits are always kept.

    If a trait of a device has not been published, everything that any value could need is kept, \
    and a note says so. --prove reads the complete archive again and compares every answer with the \
    full one. If an answer differs, no archive is written.

    --budget takes the size of the file, such as 12MB, or a JSON file with any of these keys:

      "file": "12MB"                   each archive that is written; with several models, --device \
    writes one for all of them
      "pictures": "9MB"                the pictures that each device keeps
      "devices": {"iPad5,3": "8MB"}    the pictures that single devices keep
      "assets": {"Hero": "200KB"}      single assets, on each device
      "groups": {"Icons": "1MB"}       namespaces, or folders of a catalogue, on each device

    The JSON report of an earlier run is a budget, too: nothing may be larger than it was. A table \
    shows each limit, what is used of it and what is left, in the form of --report. A limit that \
    is exceeded, or whose name does not exist, is an error.
    """,
  defaults: ThinArguments(),
  operands: [
    .one(.archiveOrCatalog, \.input, help: "the archive to thin; a catalogue is compiled first")
  ],
  options: thinOptions + Option<ThinArguments>.indexOptions
    + Option<ThinArguments>.deviceOptions + Option<ThinArguments>.catalogOptions,
  examples: [
    Example(
      "carve thin Assets.car --device iPhone8,1 -o thin.car --prove --report text",
      "thin for one phone, prove it, and report what was saved"),
    Example(
      "carve thin Assets.car --all-devices -o variants/",
      "write one archive for each group of equal devices, and the size reports"),
    Example(
      "carve thin Assets.car --device iPhone8,1 -o thin.car --budget 12MB",
      "exit with 1 if the thinned archive is larger than that"),
  ]
) { (arguments, terminal) throws(CommandFailure) in
  try runThin(arguments, terminal)
}

private let thinOptions: [Option<ThinArguments>] = [
  .path(
    "output", short: "o", "ARCHIVE-or-DIR", extensions: ["car"], \.output,
    help: "the archive to write; with --all-devices the folder"
  ).required,
  .flag(
    "all-devices", \.forAllDevices,
    help: "write one archive for each group of devices that need the same, and Apple's reports"),
  .flag(
    "prove", \.proves, help: "compare the answers of both archives; exit with 1 if one differs"),
  .choice(
    "report", "FORM", \.report,
    help:
      "report what was dropped: the sums, or every variant and why; markdown has the sums, for a "
      + "comment"
  ),
  .path(
    "budget", "SIZE-or-FILE", extensions: ["json"], \.budget,
    help: "a limit of the file such as 12MB, a JSON file of limits, or an earlier JSON report"),
  .touch(\.touches),
]

/// Returns the budget of `--budget`; if it is not given, that of the settings.
func readBudget(
  _ text: String?, settings: FoundSettings?
) throws(CommandFailure) -> SizeBudget? {
  if text != nil { return try readBudget(text) }
  guard let settings else { return nil }
  if let path = settings.budget, SizeBudget.bytes(of: path) == nil {
    do throws(FileError) { _ = try FileTree.disk.status(ByteString(path)) } catch {
      let failure = CommandFailure(error, reading: ByteString(path))
      throw CommandFailure(failure.status, settings.stating(failure.message, at: "/budget"))
    }
  }
  return try readBudget(settings.budget)
}

/// Returns the budget of an option's text, which is a size or the name of a file.
func readBudget(_ text: String?) throws(CommandFailure) -> SizeBudget? {
  guard let text else { return nil }
  if let bytes = SizeBudget.bytes(of: text) { return SizeBudget(total: bytes) }
  let path = ByteString(text)
  let file: [UInt8]
  do throws(CommandFailure) { file = try readFile(path, atMost: FileLimit.budget) } catch {
    // A word that is no path was probably meant as a size.
    if text.contains("/") || text.hasSuffix(".json") { throw error }
    throw .usage("\(BudgetError.notASize(text))")
  }
  do throws(BudgetFileError) {
    return try SizeBudget(json: file, file: path)
  } catch {
    throw .input("\(error.place): \(error.error)")
  }
}

/// A run of the command, with the archive open.
struct ThinRun {
  let arguments: ThinArguments
  let terminal: Terminal
  let budget: SizeBudget?
  let bytes: UnsafeRawBufferPointer
}

private func runThin(
  _ given: ThinArguments, _ terminal: Terminal
) throws(CommandFailure) -> ExitStatus {
  var arguments = given
  given.compiling.warnOfTarget(ofArchives: [given.input], terminal)
  try arguments.followSettings(of: [given.input], terminal)
  if !given.forAllDevices {
    arguments.thinning.models =
      arguments.diagnostics.settings.first.models(unless: given.thinning.models)
  }
  arguments.budget = given.budget ?? arguments.diagnostics.settings.first?.budget
  let devices = try arguments.thinning.devices(terminal)
  if arguments.forAllDevices != devices.isEmpty {
    throw .usage(
      devices.isEmpty
        ? "name a device to thin for with --device, or give --all-devices"
        : "--device and --all-devices exclude each other")
  }
  let budget = try readBudget(given.budget, settings: arguments.diagnostics.settings.first)
  return try withInput(
    arguments.input, arguments, for: devices.first?.platform, terminal
  ) { [arguments] (bytes) throws(CommandFailure) in
    let run = ThinRun(arguments: arguments, terminal: terminal, budget: budget, bytes: bytes)
    return arguments.forAllDevices ? try run.thinForAll() : try run.thin(for: devices)
  }
}

extension ThinRun {
  /// Writes one archive that serves all of the devices.
  func thin(for devices: [Device]) throws(CommandFailure) -> ExitStatus {
    let output = try outputArchive(arguments.output ?? "", terminal)
    try checkPlaces([NamedFile("--output", output)], reading: arguments.inputFiles)
    if arguments.proves, output.withCString({ carve_is_special($0) }) {
      throw .usage("--prove reads the written archive, but \(output) cannot hold an archive")
    }
    var thinner = try reported { () throws(ThinningError) in try Thinner(bytes) }
    guard let names = limitedNames(in: thinner.opened.inventory.facets) else { return .inputErrors }
    try noteIdleLanguages(thinner)
    let outputs = OutputSet()
    let (target, plan, written) = try write(for: devices, to: .part(of: outputs, output), &thinner)
    if budget?.total != nil, devices.count > 1 {
      terminal.diagnose(
        "note: the limit of the file applies to what \(counted(devices.count, "device")) need "
          + "together")
    }
    var proof: TimedProof?
    if arguments.proves {
      let file = try writing { () throws(OutputError) in try outputs.mapped(output) }
      defer { withExtendedLifetime(file) {} }
      proof = try prove(file.bytes, thinner.opened, target)
    }
    var report: ThinningReport?
    if arguments.report != .none || budget != nil {
      report = try reported { () throws(ThinningError) in try thinner.report(plan, for: target) }
    }
    let result = ThinResult(
      path: output, written: written, fullByteCount: bytes.count, report: report,
      proof: proof, budget: uses(in: report, output, written, names))
    if result.isProved { try writing { () throws(OutputError) in try outputs.commit() } }
    if arguments.touches, result.isGood { try touch(output) }
    terminal.print(result, arguments.report)
    return result.isGood ? .fine : .inputErrors
  }

  /// Returns the limits of the budget with their use.
  func uses(
    in report: ThinningReport?, _ path: ByteString, _ written: WrittenArchive,
    _ names: LimitedNames, twins: [Device] = []
  ) -> BudgetTable {
    guard let budget else { return BudgetTable() }
    let file = budget.use(ofFile: path.text, byteCount: written.byteCount)
    let others =
      report.map { budget.uses(in: $0, twins: twins, folders: names.folders ?? [:]) } ?? []
    return BudgetTable([file].compactMap { $0 } + others, leftOutIcons: names.leftOutIcons)
  }

  /// Returns the names that the budget may limit. Reports limits that limit nothing, and returns
  /// nil if there are any.
  fileprivate func limitedNames(in facets: FacetTable) -> LimitedNames? {
    guard let budget else { return LimitedNames(assets: []) }
    let isCatalog = isFolder(arguments.input) && archiveInBundle(arguments.input) == nil
    let names =
      isCatalog
      ? LimitedNames(assets: facets.names, of: readCatalogs([arguments.input], in: .disk))
      : LimitedNames(assets: facets.names)
    let idle = budget.idleLimits(among: names)
    for limit in idle {
      terminal.diagnose("\(limit.place): \(terminal.tinted("error:", .red)) \(limit.reason)")
    }
    return idle.isEmpty ? names : nil
  }

  private func noteIdleLanguages(_ thinner: Thinner) throws(CommandFailure) {
    let known = try reported { () throws(ThinningError) in try thinner.languages() }
    try arguments.thinning.note(idleLanguagesFor: known, terminal)
  }

  /// Decides which renditions are kept, and writes the archive.
  fileprivate func write(
    for devices: [Device], to output: Destination, _ thinner: inout Thinner
  ) throws(CommandFailure) -> (
    target: ThinningTarget, plan: ThinningPlan, written: WrittenArchive
  ) {
    let target = ThinningTarget(try arguments.thinning.reaches(of: devices, in: thinner))
    try warn(about: devices, thinner, of: arguments.input, terminal)
    let plan = try reported { () throws(ThinningError) in
      try thinner.plan(thinner.decide(for: target))
    }
    let written = try reported { () throws(ThinningError) in
      try thinner.opened.write(plan, to: output, writesIndex: arguments.index.isWritten)
    }
    return (target, plan, written)
  }

  /// Proves the result, which is read from the written file.
  func prove(
    _ written: UnsafeRawBufferPointer, _ full: OpenedArchive, _ target: ThinningTarget
  ) throws(CommandFailure) -> TimedProof {
    let start = PassClock.now()
    let proof = try reported { () throws(ThinningError) in
      try Proof(full: full, writtenTo: written, target: target)
    }
    return TimedProof(proof: proof, seconds: PassClock.now() - start)
  }

  func reported<Value>(
    _ work: () throws(ThinningError) -> Value
  ) throws(CommandFailure) -> Value {
    try reporting(about: arguments.input, work)
  }
}

/// Warns about devices that never read such an archive: thinning for them is allowed, but rarely
/// intended. Errors name `input`.
func warn(
  about devices: [Device], _ thinner: Thinner, of input: ByteString, _ terminal: Terminal
) throws(CommandFailure) {
  let metadata = try reporting(about: input) { () throws(ThinningError) in try thinner.metadata() }
  guard let platform = metadata?.platform, !platform.isEmpty else { return }
  for device in devices { device.warn(ofArchiveFor: platform, terminal) }
}

extension Terminal {
  /// Prints the result of thinning.
  fileprivate func print(_ result: ThinResult, _ form: ReportForm) {
    if form == .json {
      summarize(result.path, JSONOutput.object(result.members).text)
    } else if result.isProved {
      for text in result.texts(form.length) { summarize(result.path, text) }
      if form == .none {
        for note in result.report?.notes ?? [] { diagnose("note: \(note)") }
      }
      if let proof = result.proofText { summarize(result.path, proof) }
    }
    if form != .json, result.isProved,
      let table = form == .markdown ? result.budget.markdown : result.budget.text
    {
      summarize(result.path, table.droppingLastNewline)
    }
    printTroubles(of: result, isWritten: result.isProved)
  }

  fileprivate func printTroubles(of result: ThinResult, isWritten: Bool) {
    if isWritten, let growth = result.growth { diagnose("note: \(growth)") }
    for trouble in result.troubles { diagnose("\(tinted("error:", .red)) \(trouble)") }
  }
}

// MARK: - All devices

// `--all-devices` writes one archive for each group of devices that get the same archive, and the
// reports that Apple's tools write about them.

extension ThinRun {
  fileprivate func thinForAll() throws(CommandFailure) -> ExitStatus {
    let folder = arguments.output ?? ""
    var thinner = try reported { () throws(ThinningError) in try Thinner(bytes) }
    guard let names = limitedNames(in: thinner.opened.inventory.facets) else { return .inputErrors }
    try noteIdleLanguages(thinner)
    let isNew = try makeFolder(folder)
    // If nothing was written into the new folder, it is removed: the system removes no folder that
    // has files.
    defer { if isNew { folder.withCString { _ = rmdir($0) } } }
    return try thinForAll(into: folder, names, &thinner)
  }

  /// Writes the archives and the reports. They get their names together when all are complete.
  private func thinForAll(
    into folder: ByteString, _ names: LimitedNames, _ thinner: inout Thinner
  ) throws(CommandFailure) -> ExitStatus {
    let metadata = try reported { () throws(ThinningError) in try thinner.metadata() }
    let reaches = try allReaches(thinner, platform: metadata?.platform)
    let groups = thinner.groups(of: reaches) { done in
      terminal.progress("deciding for device \(done) of \(reaches.count)")
    }
    let oldNames = namesOfEarlierRun(in: folder)
    for name in groups.map({ ByteString($0.fileName) }) + oldNames {
      try checkPlaces(
        [NamedFile("--output", joined(folder, name))], reading: arguments.inputFiles)
    }
    let outputs = OutputSet()
    var results: [ThinResult] = []
    var deliverables: [Deliverable] = []
    for (number, group) in groups.enumerated() {
      terminal.progress("writing archive \(number + 1) of \(groups.count)")
      let (result, deliverable) = try write(
        group, in: folder, of: outputs, names, &thinner, metadata)
      results.append(result)
      deliverables.append(deliverable)
    }
    terminal.progress("")
    let sizes = Array(appThinningText(deliverables, of: "Assets").utf8)
    try writing { () throws(OutputError) in
      try outputs.write(sizes, to: folder + "/App Thinning Size Report.txt")
      try outputs.write(appThinningPropertyList(deliverables), to: listPath(in: folder))
      for name in oldNames { outputs.remove(joined(folder, name)) }
      if results.allSatisfy(\.isProved) { try outputs.commit() }
    }
    if arguments.touches {
      for result in results where result.isGood { try touch(result.path) }
    }
    printGroups(results, deliverables, decisions: thinner.decisionCount)
    return results.allSatisfy(\.isGood) ? .fine : .inputErrors
  }

  private func listPath(in folder: ByteString) -> ByteString {
    joined(folder, "app-thinning.plist")
  }

  /// Returns the archives of an earlier run. They are removed if the new run does not replace them:
  /// a program that takes all archives of the folder must not get archives of another app, or for
  /// fewer devices. Only archives that the list of the earlier run names are removed; others belong
  /// to the user.
  private func namesOfEarlierRun(in folder: ByteString) -> [ByteString] {
    guard let list = try? FileTree.disk.read(listPath(in: folder), FileLimit.document) else {
      return []
    }
    return archiveNames(inAppThinningPropertyList: list).map { ByteString($0) }
  }

  /// Returns the reach of every device of the platform that runs the app.
  private func allReaches(
    _ thinner: Thinner, platform: String?
  ) throws(CommandFailure) -> [(device: Device, reach: Reach)] {
    let app = try arguments.thinning.app()
    let os = try arguments.thinning.version()
    var reaches: [(device: Device, reach: Reach)] = []
    var left: [(device: Device, reason: ReachError)] = []
    for device in Device.all(reading: platform) {
      do throws(ReachError) {
        reaches.append((device, try thinner.reach(of: device, app: app, os: os)))
      } catch {
        left.append((device, error))
      }
    }
    if !left.isEmpty {
      let more = arguments.diagnostics.isVerbose ? ":" : " (--verbose names them)"
      let are = left.count == 1 ? "is" : "are"
      terminal.diagnose(
        "note: \(counted(left.count, "device")) cannot run the app and \(are) left out\(more)")
    }
    if arguments.diagnostics.isVerbose {
      for (device, reason) in left { terminal.diagnose("  \(device.name): \(reason)") }
    }
    if reaches.isEmpty {
      throw .input("no known device reads archives of the platform '\(platform ?? "ios")'")
    }
    return reaches
  }

  /// Writes the archive of a group among the outputs of the run.
  private func write(
    _ group: DeviceGroup, in folder: ByteString, of outputs: OutputSet, _ names: LimitedNames,
    _ thinner: inout Thinner, _ metadata: CatalogMetadata?
  ) throws(CommandFailure) -> (result: ThinResult, deliverable: Deliverable) {
    let path = joined(folder, ByteString(group.fileName))
    let plan = try reported { () throws(ThinningError) in try thinner.plan(group.decision) }
    let written = try reported { () throws(ThinningError) in
      try thinner.opened.write(
        plan, to: .part(of: outputs, path), writesIndex: arguments.index.isWritten)
    }
    let file = try writing { () throws(OutputError) in try outputs.mapped(path) }
    defer { withExtendedLifetime(file) {} }
    let proof = try arguments.proves ? prove(file.bytes, thinner.opened, group.target) : nil
    var report: ThinningReport?
    if arguments.report != .none || budget != nil {
      // All devices of the group keep the same renditions, so the first one represents them.
      let first = ThinningTarget(Array(group.target.reaches.prefix(1)))
      report = try reported { () throws(ThinningError) in try thinner.report(plan, for: first) }
    }
    let result = ThinResult(
      path: path, written: written, fullByteCount: bytes.count, report: report,
      proof: proof, budget: uses(in: report, path, written, names, twins: group.devices))
    let stated = metadata.flatMap { OSVersion($0.platformVersion) }
    let deliverable = Deliverable(
      fileName: group.fileName, devices: group.devices, byteCount: result.byteCount,
      compressedByteCount: compressedSize(of: file.bytes),
      osVersion: try arguments.thinning.version() ?? stated ?? OSVersion(0))
    return (result, deliverable)
  }

  private func printGroups(
    _ results: [ThinResult], _ deliverables: [Deliverable], decisions: Int
  ) {
    let areWritten = results.allSatisfy(\.isProved)
    if arguments.report == .json {
      let list = zip(results, deliverables).map { result, deliverable -> JSONOutput in
        .object(
          [
            .init("models", .array(deliverable.devices.map { .string($0.identifier) }))
          ] + result.members)
      }
      terminal.print(
        JSONOutput.object([
          .init("groups", .array(list)), .init("decisions", .integer(decisions)),
        ]).text)
    } else if areWritten {
      var rows = [["archive", "bytes", "of", "devices"]]
      for (result, deliverable) in zip(results, deliverables) {
        rows.append([
          deliverable.fileName, grouped(result.byteCount), grouped(result.fullByteCount),
          deliverable.devices.map(\.identifier).joined(separator: " "),
        ])
      }
      let budget = BudgetTable(
        results.flatMap(\.budget.uses), leftOutIcons: results.first?.budget.leftOutIcons ?? [])
      if arguments.report == .markdown {
        terminal.write(markdownTable(rows, right: [1, 2]))
        if let table = budget.markdown { terminal.print("\n" + table.droppingLastNewline) }
      } else {
        for line in alignedColumns(rows, right: [1, 2]) { terminal.print(line) }
        if let table = budget.text { terminal.print("\n" + table) }
      }
    }
    for result in results { terminal.printTroubles(of: result, isWritten: areWritten) }
    if arguments.report != .json {
      let proofs = results.compactMap { $0.proof?.proof }
      if !proofs.isEmpty, proofs.allSatisfy(\.holds) {
        let answers = proofs.reduce(0) { $0 + $1.answerCount }
        terminal.print(
          "proved: \(counted(proofs.count, "archive")) give the same answers in "
            + "\(grouped(answers)) environments")
      }
    }
  }
}
