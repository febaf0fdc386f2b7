// `carve compile`: makes one archive of catalogues. Translates the options, calls the compiler and
// prints.

import ArchiveTools
import Builds
import Bytes
import CPosix
import CatalogCompiler
import CatalogModel
import CommandLineKit
import Documents
import Host
import Queries
import Traits

struct CompileArguments: Sendable, CatalogCompiling, DeviceTargeting, SymbolWriting {
  var catalogs: [ByteString] = []
  var output: ByteString?
  var optimization = OptimizationGoal.standard
  var keepsExactPixels = false
  var packsSprites = true
  var writesIndex = true
  var rasterizesVectors = true
  var keepsVectors = false
  var drawsIcons = true
  var drawsGlass = true
  var incompleteTypes: [String] = []
  var makesObject = false
  /// The groups that other objects contain.
  var without: [ByteString] = []
  var memory: Int?
  var mostVectorPixels: Int?
  var depfile: ByteString?
  var touches = false
  var optionFile: ByteString?
  var compiling = CatalogArguments()
  var symbols = ConstantFiles()
  /// The name of the enumeration if no other is given.
  var usualType: String?
  var diagnostics = DiagnosticArguments()
  /// The devices to thin for; empty for an archive that serves all devices.
  var thinning = DeviceArguments()
  var showsTimings = false
  var timingForm: TimingForm?
  var comparesContents = false
  var watches = false
  var showsTool = false
}

let compileCommand = Command(
  "compile", summary: "Compile catalogues into one archive",
  discussion: """
    Reads the catalogues, reports what is wrong with them, and writes an Assets.car that Apple's \
    run time and Carve's own library read. If there are errors, no file is written or changed; an \
    archive whose bytes would be the same is left untouched (--touch sets its time). The same \
    sources give the same bytes on every machine.

    --optimization chooses the cost of compressing: standard stores the same pixels as Apple's \
    tool; identical also stores the same bytes, and takes 1.5 to 2.5 times the processor time; \
    space makes the archive a twentieth smaller, and takes about 14 times as long; time saves 5 to \
    40 % of the time, and makes the archive 1.2 to 2.7 times as large. Docs/reference-speed.md has \
    figures.

    --swift and --c write constants for the ids of the assets beside the archive, as 'carve \
    symbols' does.

    With --watch the command keeps running, caches pictures as with --cache, and puts pictures \
    that change into the archive within some hundredths of a second. While the catalogues have \
    errors, the archive stays as it was. Programs that read the archive see the old one or the new \
    one; after a power failure its contents are not guaranteed.

    With --object, one catalogue or one group of it is compiled into an object; 'carve link' makes \
    an archive from objects, byte for byte the archive that compiling the catalogues together \
    makes. A group that --without leaves out has an object of its own.
    """,
  defaults: CompileArguments(),
  operands: [
    .many(
      .catalog, \.catalogs,
      help:
        "the catalogues; if several use a name, the first wins. With --object, one catalogue or "
        + "one group of it"
    )
  ],
  options: allCompileOptions,
  moreOptions: OptionFileUse(
    \.optionFile,
    refusing: ["output", "depfile", "touch", "swift", "c", "bundle", "options", "watch"]
  ) { (given) throws(CommandFailure) in
    var arguments = given
    _ = try arguments.prepare(.silent)
    _ = try arguments.diagnostics.policy()
    _ = try arguments.thinning.version()
  },
  examples: [
    Example("carve compile Assets.xcassets -o Assets.car", "compile for every iPhone and iPad"),
    Example(
      "carve compile Assets.xcassets -o thin.car --device iPhone8,1",
      "compile only what an iPhone 6s can ever show"),
    Example(
      "carve compile Assets.xcassets -o build/ --platform macosx --app-icon AppIcon",
      "write build/Assets.car for the Mac, with the app's icon"),
    Example(
      "carve compile Assets.xcassets -o Assets.car --watch",
      "compile again whenever the catalogue changes"),
    Example(
      "carve compile --object Assets.xcassets/Icons -o Icons.caro",
      "compile one group only, for 'carve link'"),
  ]
) { (arguments, terminal) throws(CommandFailure) in
  try compile(arguments, terminal)
}

private func compile(
  _ arguments: CompileArguments, _ terminal: Terminal
) throws(CommandFailure) -> ExitStatus {
  if arguments.showsTool { terminal.diagnose(ownPlace()) }
  if arguments.watches { return try watch(arguments, terminal) }
  var change = RunChange()
  return try runCompile(arguments, terminal, &change)
}

/// Returns the version and the path of this program.
private func ownPlace() -> String {
  let path = try? FileTree.disk.realPath("/proc/self/exe")
  return "carve \(carveVersion): \(path.map { onOneLine($0.text) } ?? "its path is unknown")"
}

private let allCompileOptions =
  Option<CompileArguments>.archiveOptions + compileOptions
  + Option<CompileArguments>.symbolOptions + Option<CompileArguments>.deviceOptions
  + Option<CompileArguments>.catalogOptions

extension Option<CompileArguments> {
  /// The options about the archive itself, which compiling and linking share.
  static var archiveOptions: [Option] {
    [
      .path(
        "output", short: "o", "ARCHIVE-or-DIR", extensions: ["car"], \.output,
        help: "the archive to write, or the folder to write Assets.car into"
      ).required,
      .flag(
        "no-index", \.writesIndex, setting: false,
        help: "leave out Carve's lookup index; readers then build it when they open the archive"),
      .number(
        "memory", "MB", in: 1...65_536, \.memory,
        help:
          "megabytes that all pictures together may take at one time; a single larger picture "
          + "is still compiled (256, or 64 for each job)"
      ),
      .path(
        "depfile", "FILE", extensions: ["d"], \.depfile,
        help: "list the files that were read, for make"),
      .touch(\.touches),
      .flagOrChoice(
        "timing", "FORM", \.showsTimings, \.timingForm,
        help: "print how long each pass took: as text, as json, or as a trace that Perfetto opens"),
    ]
  }
}

private let compileOptions: [Option<CompileArguments>] = [
  .choice(
    "optimization", "GOAL", \.optimization,
    help:
      "optimize for a small archive (space), for speed (time) or for the bytes of Apple's tool "
      + "(identical)"
  ),
  .flag(
    "exact-pixels", \.keepsExactPixels,
    help: "keep every pixel exact; Apple's tool changes some colour components by one"),
  .flag(
    "no-packing", \.packsSprites, setting: false,
    help: "give every small picture a block of its own"),
  .flag(
    "no-rasters", \.rasterizesVectors, setting: false,
    help: "store vectors without bitmaps; programs that cannot draw vectors then show nothing"),
  .flag(
    "keep-vectors", \.keepsVectors,
    help: "store PDF and SVG files byte for byte, with what their drawings do not need"),
  .number(
    "max-vector-pixels", "N", in: 1...(1 << 28), \.mostVectorPixels,
    help:
      "the most pixels that one bitmap of a vector may have (\(CompileOptions.usualMostVectorPixels))"
  ),
  .flag(
    "no-icon-bitmaps", \.drawsIcons, setting: false,
    help: "store layered icons only as stacks, which systems of 2025 and later show"),
  .flag(
    "plain-icons", \.drawsGlass, setting: false,
    help: "draw the bitmaps of layered icons without glass"),
  .list(
    "allow-incomplete", "TYPE", of: CompileOptions.incompleteTypes.map(\.rawValue),
    \.incompleteTypes,
    help: "compile sets of a type as far as their form is known, and report what is missing"),
  .flag(
    "object", \.makesObject,
    help: "compile one catalogue, or one group of it, into an object for 'carve link'"),
  .list(
    "without", "GROUP", \.without,
    help: "leave a group out of the object; the group has an object of its own"),
  .path(
    "options", "FILE", extensions: ["carve"], \.optionFile,
    help:
      "read more options from a file, one on each line; a line that begins with # is a comment. An "
      + "option of the command line replaces all lines of the file with this option"),
  .text(
    "usual-type", "NAME", \.usualType,
    help: "the name for --type if neither the command line nor the file of --options gives one"),
  .flag(
    "cache-verify", \.comparesContents,
    help:
      "compare the contents of files with those of the last run, even if their times are the same"
  ),
  .flag(
    "watch", \.watches,
    help:
      "compile again whenever a file changes, and report lookups with a different result; "
      + "interrupt to end"
  ),
  .flag(
    "show-tool", \.showsTool,
    help: "print first which program compiles, and its version, for logs of builds"),
]

// MARK: - One run

/// The changes that one of several runs found.
struct RunChange {
  /// Whether a run that finds no change prints nothing.
  var isQuiet = false
  var isUnchanged = false
  /// The pictures that changed, if nothing else changed.
  var files: [ByteString] = []
  /// The settings of the catalogues in this run; before it, those in the last run.
  var settings: [FoundSettings] = []
}

func runCompile(
  _ given: CompileArguments, _ terminal: Terminal, _ change: inout RunChange
) throws(CommandFailure) -> ExitStatus {
  var arguments = given
  let (devices, options) = try arguments.prepare(terminal)
  // Other settings may give other severities to the findings of the same archive.
  if change.settings != arguments.diagnostics.settings { change.isQuiet = false }
  change.settings = arguments.diagnostics.settings
  try checkCatalogs(arguments.catalogs)
  try checkDifferent(arguments.catalogs)
  let scope = try arguments.scope()
  let files = arguments.files(
    try outputArchive(arguments.output ?? "", named: scope?.fileName ?? "Assets.car", terminal))
  try arguments.checkPlaces(files)
  var build = Build(
    scope.map { .object($0) } ?? .archive(of: arguments.catalogs), options, files,
    recordedIn: arguments.recordStore(with: options, writing: files))
  let policy = try arguments.diagnostics.policy()
  let recalled = try writing { () throws(OutputError) in
    try build.recall(
      comparesContents: arguments.comparesContents, touches: arguments.touches,
      isRefused: { RecordedFindings(of: $0, arguments, policy).isRefused })
  }
  guard let answer = recalled else {
    return try makeAnew(&build, arguments, for: devices, terminal)
  }
  terminal.warn(ofRemoteCache: answer.cacheTrouble)
  (change.isUnchanged, change.files) = (answer.isUnchanged, answer.changedFiles)
  if change.isQuiet, change.isUnchanged { return .fine }
  let times = TimingReport(passes: build.clock.timings, threads: options.threads)
  arguments.printTimings(times, files.product, terminal)
  let found = RecordedFindings(of: answer, arguments, policy)
  found.print(by: arguments.diagnostics, terminal)
  if found.isRefused { return .inputErrors }
  return try conclude(arguments, answer, files, terminal)
}

/// Makes everything that a build writes, and prints the result. The caller knows that no record of
/// an earlier run answers.
func makeAnew(
  _ build: inout Build, _ arguments: CompileArguments, for devices: [Device] = [],
  _ terminal: Terminal
) throws(CommandFailure) -> ExitStatus {
  carve_bound_spare_memory()
  let work = arguments.showsTimings ? WorkTimes(keepsSpans: arguments.timingForm == .trace) : nil
  build.options.work = work
  let status = try makeOutputs(of: &build, arguments, for: devices, terminal)
  let times = TimingReport(
    passes: build.clock.timings, spans: work?.spans ?? [], threads: build.options.threads,
    cache: build.report.cache, changes: build.changes)
  arguments.printTimings(times, build.files.product, terminal)
  return status
}

/// Makes the product, thins it if devices are named, and puts all outputs in place.
private func makeOutputs(
  of build: inout Build, _ arguments: CompileArguments, for devices: [Device],
  _ terminal: Terminal
) throws(CommandFailure) -> ExitStatus {
  if devices.isEmpty {
    try arguments.makeProduct(of: &build, terminal)
    if build.report.isRefused { return .inputErrors }
  } else {
    let whole = try unthinnedArchive()
    try arguments.makeProduct(of: &build, in: whole, terminal)
    if build.report.isRefused { return .inputErrors }
    try thin(&build, whole, arguments, for: devices, terminal)
  }
  if arguments.symbols.areRequested {
    let clashes = try writing { () throws(OutputError) in try build.writeConstants() }
    let found = try arguments.diagnostics.policy().applied(to: clashes)
    if found.contains(where: { $0.severity == .error }) {
      arguments.diagnostics.printRefusal(inPrintingOrder(found), terminal)
      return .inputErrors
    }
    arguments.diagnostics.print(inPrintingOrder(found), terminal)
  }
  // The catalogues name their own inputs.
  let inputs = build.isLink ? arguments.catalogs : []
  let note = try writing { () throws(OutputError) in
    try build.writeDepfile(
      on: inputs + arguments.settingsFiles + [arguments.optionFile].compactMap { $0 })
  }
  if let note { terminal.diagnose(note) }
  let answer = try writing { () throws(OutputError) in try build.place() }
  return try conclude(arguments, answer, build.files, terminal)
}

/// Thins the archive that was compiled for all devices.
private func thin(
  _ build: inout Build, _ whole: UnthinnedArchive, _ arguments: CompileArguments,
  for devices: [Device], _ terminal: Terminal
) throws(CommandFailure) {
  defer { withExtendedLifetime(whole) {} }
  let input = arguments.catalogs.first ?? ""
  let bytes = try bytes(of: whole)
  // The Info.plist decides which renditions are kept, so it is recorded as an input.
  if let list = arguments.thinning.infoPlist { _ = try? build.tree.read(list, FileLimit.source) }
  let thinner = try reporting(about: input) { () throws(ThinningError) in try Thinner(bytes) }
  let target = ThinningTarget(try arguments.thinning.reaches(of: devices, in: thinner))
  try warn(about: devices, thinner, of: input, terminal)
  let languages = try reporting(about: input) { () throws(ThinningError) in
    try thinner.languages()
  }
  try arguments.thinning.note(idleLanguagesFor: languages, terminal)
  try reporting(about: input) { () throws(ThinningError) in try build.thin(thinner, for: target) }
}

/// Ends a run whose outputs are in place: touches them if requested, and prints the summary.
private func conclude(
  _ arguments: CompileArguments, _ answer: RunAnswer, _ files: BuildFiles, _ terminal: Terminal
) throws(CommandFailure) -> ExitStatus {
  let output = files.product
  if arguments.touches {
    for path in files.paths where path != arguments.depfile { try touch(path) }
  }
  let size =
    answer.thinnedSize.map { "\(grouped($0)) of" }
    ?? "\(counted(answer.nameCount, "name")), \(counted(answer.renditionCount, "rendition")),"
  let line = "\(output): \(size) \(grouped(answer.byteCount)) bytes"
  // If the times are printed for a program, they are the result on standard output.
  if arguments.printsTimesAsResult {
    terminal.diagnose(line)
  } else {
    terminal.summarize(output, line)
  }
  return .fine
}

/// The findings of a recorded run, with the severities of this run.
private struct RecordedFindings {
  private var report = CompileReport()
  /// Those about constants, which are printed separately; nil if no constants were requested.
  private var clashes: [Diagnostic]?

  private var hasClashes: Bool { clashes?.contains { $0.severity == .error } ?? false }
  var isRefused: Bool { report.isRefused || hasClashes }

  init(of answer: RunAnswer, _ arguments: CompileArguments, _ policy: DiagnosticPolicy) {
    for stage in answer.stages where !report.isRefused { report.add(stage, policy.applied) }
    if arguments.symbols.areRequested, !report.isRefused {
      clashes = inPrintingOrder(policy.applied(to: answer.constantFindings))
    }
  }

  func print(by diagnostics: DiagnosticArguments, _ terminal: Terminal) {
    if report.isRefused { return diagnostics.printRefusal(report.diagnostics, terminal) }
    diagnostics.print(report.diagnostics, terminal)
    guard let clashes else { return }
    if hasClashes {
      diagnostics.printRefusal(clashes, terminal)
    } else {
      diagnostics.print(clashes, terminal)
    }
  }
}

extension CompileArguments {
  fileprivate var printsTimesAsResult: Bool {
    showsTimings && timingForm != nil && timingForm != .text
  }

  fileprivate func printTimings(
    _ report: TimingReport, _ output: ByteString, _ terminal: Terminal
  ) {
    guard showsTimings else { return }
    // /dev/stdout may lead to a file, which the archive then replaces.
    let isOutputFree = !output.withCString({ carve_is_special($0) }) && !output.hasPrefix("/dev/")
    let text: String
    switch timingForm ?? .text {
    case .text:
      // Text goes where the findings go; the other forms are results.
      for line in report.lines { terminal.diagnose(line) }
      return
    case .json: text = report.json.text
    case .trace: text = report.trace.line
    }
    if isOutputFree { terminal.print(text) } else { terminal.diagnose(text) }
  }
}

// MARK: - From arguments to a build

extension CompileArguments {
  /// Follows the settings of the catalogues, and checks the values of the options.
  fileprivate mutating func prepare(
    _ terminal: Terminal
  ) throws(CommandFailure) -> (devices: [Device], options: CompileOptions) {
    try followSettings(of: catalogs, terminal)
    let devices = try thinning.devices(terminal)
    if devices.isEmpty, thinning.saysMore {
      throw .usage(
        "--os, --info-plist and --language describe devices to thin for; name a device with "
          + "--device")
    }
    let options = try options(for: devices)
    if comparesContents, options.cache == nil, !compiling.cache.isRefused {
      throw .usage("--cache-verify belongs to --cache")
    }
    if symbols.type == nil { symbols.type = usualType }
    try symbols.check()
    return (devices, options)
  }

  /// Returns the scope of an object; nil for an archive.
  fileprivate func scope() throws(CommandFailure) -> ObjectScope? {
    guard makesObject else {
      if without.isEmpty { return nil }
      throw .usage("--without needs --object")
    }
    guard catalogs.count == 1 else {
      throw .usage(
        "an object holds one catalogue, or one group of it; compile each catalogue separately")
    }
    if !thinning.models.isEmpty || symbols.areRequested || !writesIndex {
      throw .usage(
        "--device, --swift, --c and --no-index apply to archives; use them with 'carve link', "
          + "or with 'carve thin' after it"
      )
    }
    let witness = WitnessedTree(.disk)
    let scope: ObjectScope
    do throws(ObjectError) {
      scope = try ObjectScope(catalogs[0], without: without, in: witness.tree)
    } catch {
      throw .input(error.message)
    }
    if let trouble = witness.trouble { throw CommandFailure(trouble) }
    return scope
  }

  /// Returns the files that a run writes.
  func files(_ product: ByteString) -> BuildFiles {
    var files = BuildFiles(product: product)
    files.constants = symbols
    files.depfile = depfile
    return files
  }

  fileprivate func options(for devices: [Device]) throws(CommandFailure) -> CompileOptions {
    var options = try compiling.options(or: devices.first?.platform)
    options.optimization = optimization
    options.keepsExactPixels = keepsExactPixels
    options.packsSprites = packsSprites
    options.writesIndex = writesIndex
    options.rasterizesVectors = rasterizesVectors
    options.keepsVectors = keepsVectors
    options.drawsIcons = drawsIcons
    options.drawsGlass = drawsGlass
    options.survivesPowerCut = !watches
    options.allowsIncomplete = Set(incompleteTypes.compactMap { SetType(rawValue: $0) })
    if let memory { options.memory = memory << 20 }
    if let mostVectorPixels { options.mostVectorPixels = mostVectorPixels }
    return options
  }

  /// Returns the store of the record of this command line; nil if there is no cache, or if an
  /// output, such as a pipe, cannot be compared later.
  fileprivate func recordStore(
    with options: CompileOptions, writing files: BuildFiles
  ) -> RunRecordStore? {
    guard !files.paths.contains(where: { $0.withCString(carve_is_special) }),
      let path = options.cache,
      let cache = CacheFolder(path, limit: options.cacheLimit), let here = try? currentFolder()
    else { return nil }
    // The key contains a description of all arguments, which Swift makes by reflection: an argument
    // that is added is in the key without a change here. If an argument were missing in the key, a
    // run would get the answer of another one; one too many only costs a run.
    var shown = self
    // These arguments change no output, or are applied to each answer again.
    shown.diagnostics = DiagnosticArguments()
    shown.compiling.jobs = nil
    shown.compiling.cache = CacheArguments()
    shown.memory = nil
    shown.touches = false
    shown.showsTimings = false
    shown.timingForm = nil
    shown.comparesContents = false
    shown.watches = false
    shown.showsTool = false
    // A rule for make names the files with settings.
    return RunRecordStore(
      cache: cache,
      words: [
        "compile", here, ByteString(programIdentity), "\(String(describing: shown))",
      ]
        + files.paths + (depfile == nil ? [] : settingsFiles))
  }

  /// Throws if an output would be lost, would replace an input, or has a name that a rule of make
  /// cannot contain. `catalogs` may be objects, too.
  func checkPlaces(_ files: BuildFiles) throws(CommandFailure) {
    let outputs =
      [NamedFile("--output", files.product)] + symbols.named + [NamedFile("--depfile", depfile)]
    try carve.checkPlaces(
      outputs,
      reading: NamedFile.operands(catalogs) + [
        NamedFile("--options", optionFile), NamedFile("--info-plist", thinning.infoPlist),
      ])
    if depfile == nil { return }
    for file in outputs.dropLast().compactMap({ $0 }) where !Depfile.canName(file.path) {
      throw .usage(
        "make or ninja would misread the name of \(file.option) \(file.path) in the rule of "
          + "--depfile; give the file another name, or name it relative to this folder"
      )
    }
  }
}

/// The identity of this build of the tool: another build may give other answers, even with the same
/// version.
private var programIdentity: String {
  var path = [UInt8](repeating: 0, count: Int(PATH_MAX))
  let length = path.withUnsafeMutableBytes { buffer in
    carve_tool_path(buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count)
  }
  guard length > 0, let identity = FileIdentity(ByteString(bytes: Array(path[..<length])))
  else { return "" }
  return "\(identity.size) \(identity.modified)"
}
