// The compilation: the passes in order. Each pass is a function from values to values. Only the
// last one writes to disk, and only if no diagnostic is an error.
//
//   1 read     folders and Contents.json to asset sets           CatalogModel
//   2 plan     asset sets to renditions for the target           Planning/
//   3 encode   pictures to compressed blocks, on all cores       Encoding/, Pictures/
//   4 write    tables, index, archive                            WriteArchive.swift

import Archive
import Bytes
import CPosix
import CatalogModel
import Codecs
import Documents
import Host
import Traits

/// The purpose for which pictures are compressed. The raw values are those of Apple's option
/// `--optimization`.
package enum OptimizationGoal: String, CaseIterable, Sendable {
  case standard, identical, space, time

  var codec: Optimization {
    switch self {
    case .standard: .standard
    case .identical: .identical
    case .space: .space
    case .time: .time
    }
  }
}

package struct CompileOptions: Sendable {
  package var target: CompileTarget
  package var icons: IconSelection
  package var optimization = OptimizationGoal.standard
  /// Whether every pixel is stored exactly. Apple's tool changes some colours by one step when it
  /// rounds.
  package var keepsExactPixels = false
  /// Whether small pictures are packed into atlases.
  package var packsSprites = true
  /// Whether vectors get bitmaps at every scale. Otherwise only the vector is stored.
  package var rasterizesVectors = true
  /// Whether layered icons get bitmaps. They are drawn without glass, and only if there is no icon
  /// set of the same name.
  package var drawsIcons = true
  /// The set types that are compiled although only a part of their format is known.
  package var allowsIncomplete: Set<SetType> = []
  /// The set types of whose format only a part is known.
  package static let incompleteTypes: [SetType] = [.solidImageStack]
  /// Whether Carve's lookup index is written. Without it, the run time builds the tables when it
  /// opens the archive.
  package var writesIndex = true
  /// Whether an archive without renditions is written. A diagnostic then reports that it is empty.
  package var writesEmptyArchive = true
  /// The part of one catalogue that is compiled into an object; nil if an archive is made.
  package var object: ObjectScope?
  /// The objects that are linked. They contain the finished blocks of their renditions.
  package var objects: LinkedObjects?
  /// The folder that keeps compressed pictures for later runs; nil if there is no cache.
  package var cache: ByteString?
  /// The limit of that folder in bytes.
  package var cacheLimit = CacheFolder.usualLimit
  /// The server that keeps compressed pictures for several machines; nil if there is no remote
  /// cache.
  package var remoteCache: HTTPAddress?
  /// The secret that signs the entries on that server; nil if entries are neither signed nor
  /// verified.
  package var remoteSecret: [UInt8]?
  /// Whether the report lists the files and folders that the archive depends on.
  package var listsInputs = true
  /// Whether the report states which block holds the pixels of which file.
  package var remembersPixels = false
  /// Whether outputs are flushed to the disk before they get their names.
  package var survivesPowerCut = true
  package var jobs = availableProcessors()
  /// The sums of the times that threads spend on each kind of work; nil if times are not measured.
  package var work: WorkTimes?
  /// The limit of the memory of all pictures that are made at the same time, in bytes. One picture
  /// may be larger; it is then made alone. Nil for a limit that fits the number of jobs.
  package var memory: Int?
  /// The limit for the pixels of one bitmap of a vector.
  package var mostVectorPixels = 1 << 26

  package init(target: CompileTarget, icons: IconSelection = .named([])) {
    self.target = target
    self.icons = icons
  }
}

extension CompileOptions {
  /// The number of threads that make pictures.
  package var threads: Int { jobs + waitingThreads }

  /// The number of threads beyond those that compute. An answer of a remote cache takes the time of
  /// the network, and meanwhile the processors can do other work.
  var waitingThreads: Int { remoteCache == nil ? 0 : 16 }
}

/// The result of a compilation: its diagnostics, its counts, and the parts of the report that were
/// requested.
package struct CompileReport: Sendable {
  /// All diagnostics, sorted, with line and column.
  package var diagnostics: [Diagnostic] = []
  /// The diagnostics of each stage, before the caller changed their severities.
  package private(set) var stages: [[Diagnostic]] = []
  /// Whether the archive was not written because of errors.
  package var isRefused = false
  package var nameCount = 0
  /// The names of the icons that have renditions.
  package var iconNames: Set<ByteString> = []
  package var renditionCount = 0
  package var byteCount = 0
  /// The counts of the cache; nil if the run has no cache.
  package var cache: CacheCounts?
  /// The reason why the remote cache could not be used fully; nil if nothing went wrong.
  package var cacheTrouble: String?
  /// The blocks that hold the pixels of each file; nil if the options do not ask for them.
  package var pixels: PixelPlaces?
  /// Every file and folder that the archive depends on; empty if the options do not ask for them.
  package var inputs: [ByteString] = []
  /// The passes and their times, in order. The caller can add passes of its own.
  package var clock = PassClock()

  package init() {}
}

package enum CompileError: Error, Sendable {
  case output(OutputError)
  case archive(ArchiveError)
}

/// Functions of the caller that the compilation calls.
package struct CompileObserver {
  /// A function that sets the severities as `--werror` and `--no-warn` ask. It is called before the
  /// archive is written.
  package var judge: ([Diagnostic]) -> [Diagnostic]
  /// A function that receives the number of finished tasks and the number of all tasks.
  package var progress: (Int, Int) -> Void

  package init(
    judge: @escaping ([Diagnostic]) -> [Diagnostic] = { $0 },
    progress: @escaping (Int, Int) -> Void = { _, _ in }
  ) {
    self.judge = judge
    self.progress = progress
  }
}

/// Compiles catalogues into one archive, or into an object if the options have a scope. Writes
/// nothing if a diagnostic is an error.
package func compile(
  _ catalogs: [ByteString], in tree: FileTree, options: CompileOptions, to destination: Destination,
  observer: CompileObserver = CompileObserver()
) throws(CompileError) -> CompileReport {
  if let scope = options.object {
    return try compileObject(
      scope, in: tree, options: options, to: destination, observer: observer)
  }
  var clock = PassClock()
  let contents = readCatalogs(
    catalogs, in: tree,
    options: ReadingOptions(jobs: options.jobs, listsInputs: options.listsInputs))
  clock.end("read", items: contents.inputCount)
  return try compile(
    consume contents, in: tree, options: options, to: destination, observer: observer,
    clock: clock)
}

/// Compiles catalogues that were read, and perhaps changed by the caller. `contents` is consumed,
/// so that the memory of the assets is free before pictures are encoded.
package func compile(
  _ contents: consuming CatalogContents, in tree: FileTree, options: CompileOptions,
  to destination: Destination, observer: CompileObserver = CompileObserver(),
  clock: PassClock = PassClock()
) throws(CompileError) -> CompileReport {
  var report = CompileReport()
  var clock = clock
  let catalogs = contents.catalogs.map(\.path)
  report.inputs = contents.inputs
  var plan = makePlan(of: contents, in: tree, options)
  plan.checkIcons(options.icons, among: contents.assets, catalogs: catalogs)
  report.iconNames = Set(plan.renditions.lazy.filter { $0.kind == .icon }.map(\.facet))
  let found = located(plan.diagnostics, in: tree)
  report.add(contents.diagnostics + found, observer.judge)
  clock.end("plan", items: plan.renditions.count)
  if !report.isRefused {
    let empty = emptyArchive(of: contents, options.target.platform, plan.diagnostics)
    contents.assets = []
    carve_trim_memory()
    try plan.write(to: destination, tree, options, observer, ifEmpty: empty, &report, &clock)
  }
  report.clock = clock
  return report
}

/// Returns the plan, with the diagnostics about the headers of pictures and about vectors.
func makePlan(
  of contents: CatalogContents, in tree: FileTree, _ options: CompileOptions
) -> Plan {
  var plan = Plan(
    of: contents.assets, for: options.target, icons: options.icons,
    rasterizesVectors: options.rasterizesVectors, drawsIcons: options.drawsIcons,
    allowsIncomplete: options.allowsIncomplete)
  plan.reportMisfits(in: tree)
  if !options.rasterizesVectors { plan.checkVectors(in: tree, jobs: options.jobs) }
  return plan
}

/// Returns the diagnostic for an archive without renditions, for a run in which no diagnostic is an
/// error.
func emptyArchive(
  of contents: CatalogContents, _ platform: TargetPlatform, _ found: [Diagnostic]
) -> Diagnostic {
  let assets = contents.assets
  // If a catalogue has only icons, a diagnostic about each one says that it is left out and how to
  // compile it.
  let icons = Set(found.lazy.filter { $0.code == .iconNotChosen }.map(\.file))
  let onlyIcons =
    !icons.isEmpty && assets.allSatisfy { !$0.hasContent || icons.contains($0.folder) }
  let reason =
    assets.isEmpty
    ? "there are no assets"
    : onlyIcons
      ? "the catalogues hold only icons, and --app-icon names none of them"
      : "no asset of the catalogues (\(counted(assets.count, "asset"))) is compiled for "
        + "\(platform.rawValue); choose another platform with --platform"
  var diagnostic = Diagnostic(
    .emptyArchive, "the archive is empty: \(reason)", file: contents.catalogs.first?.path ?? "")
  // A new app has slots without pictures: nothing can be missing yet.
  if !assets.contains(where: \.hasContent) { diagnostic.severity = .note }
  return diagnostic
}

extension CompileReport {
  /// Adds the diagnostics of a stage. An error among them ends the run.
  package mutating func add(_ found: [Diagnostic], _ judge: ([Diagnostic]) -> [Diagnostic]) {
    stages.append(found)
    diagnostics = inPrintingOrder(judge(diagnostics + found))
    isRefused = diagnostics.contains { $0.severity == .error }
  }
}
