// The build step: the passes in order. Each is a function from values to values; only the last
// writes to disk, and only when no diagnostic is an error.
//
//   1 read     folders and Contents.json to asset sets           CatalogModel
//   2 plan     asset sets to renditions for the target           Planning/
//   3 encode   pictures to compressed blocks, on all cores       Encoding/, Pictures/
//   4 write    tables, index, archive                            here

import Archive
import Bytes
import CPosix
import CatalogModel
import Codecs
import Documents
import Host
import Traits

/// What pictures are compressed for, by the name of Apple's option.
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
  /// No pixel changes by a bit, where Apple's tool rounds colours by one.
  package var keepsExactPixels = false
  /// Small pictures share atlases.
  package var packsSprites = true
  /// Vectors get bitmaps of every scale; without them only the vector is stored.
  package var rasterizesVectors = true
  /// Layered icons get bitmaps, drawn plainly where no icon set has them.
  package var drawsIcons = true
  /// Sets of these types are compiled as far as their form is known.
  package var allowsIncomplete: Set<SetType> = []
  /// The types of which a part is known.
  package static let incompleteTypes: [SetType] = [.solidImageStack]
  /// Carve's lookup index, without which readers build the tables when they open the archive.
  package var writesIndex = true
  /// An archive without a rendition is written all the same, and said to be empty.
  package var writesEmptyArchive = true
  /// The part of one catalogue that is compiled into an object; nil for an archive of all.
  package var object: ObjectScope?
  /// The objects that are linked: what came of their files is in them.
  package var objects: LinkedObjects?
  /// A folder that keeps compressed pictures from one run to the next; nil for none.
  package var cache: ByteString?
  /// Bytes that may lie in it.
  package var cacheLimit = CacheFolder.usualLimit
  /// A server that keeps them for many machines; nil for none.
  package var remoteCache: HTTPAddress?
  /// What entries of that server are signed with; nil if signatures are neither made nor asked for.
  package var remoteSecret: [UInt8]?
  /// Whether the report lists what the archive depends on.
  package var listsInputs = true
  /// Whether the report says which pixels went into which block.
  package var remembersPixels = false
  /// Whether outputs are on the disk for good before they get their names.
  package var survivesPowerCut = true
  package var jobs = availableProcessors()
  /// Where the times of threads are added up; nil where nobody asks.
  package var work: WorkTimes?
  /// Bytes that all pictures of the run may take together, beside one that is larger; nil for as many as
  /// these jobs use well.
  package var memory: Int?
  /// The pixels that one bitmap of a vector may have.
  package var mostVectorPixels = 1 << 26

  package init(target: CompileTarget, icons: IconSelection = .named([])) {
    self.target = target
    self.icons = icons
  }
}

extension CompileOptions {
  /// How many threads make pictures.
  package var threads: Int { jobs + waitingThreads }

  /// Threads beyond those that compute. A remote cache takes the time of the way to it, in which processors could
  /// do something else.
  var waitingThreads: Int { remoteCache == nil ? 0 : 16 }
}

/// What a compilation found out and did.
package struct CompileReport: Sendable {
  /// Sorted, with line and column.
  package var diagnostics: [Diagnostic] = []
  /// What each stage found, before the caller judged it.
  package private(set) var stages: [[Diagnostic]] = []
  /// Whether errors kept the archive from being written.
  package var isRefused = false
  package var nameCount = 0
  /// The icons of which something is compiled.
  package var iconNames: Set<ByteString> = []
  package var renditionCount = 0
  package var byteCount = 0
  /// What the cache had; nil where none is used.
  package var cache: CacheCounts?
  /// Why the remote cache was of less use than it could be; nil where nothing went wrong.
  package var cacheTrouble: String?
  /// Which pixels went into which block, where that was asked for.
  package var pixels: PixelPlaces?
  /// Every file and folder that the archive depends on, where that was asked for.
  package var inputs: [ByteString] = []
  /// The passes and their times, in order; it goes on for who does more.
  package var clock = PassClock()

  package init() {}
}

package enum CompileError: Error, Sendable {
  case output(OutputError)
  case archive(ArchiveError)
}

/// What the caller decides while the compilation runs.
package struct CompileObserver {
  /// Severities after `--werror` and `--no-warn`; the compiler asks before it writes.
  package var judge: ([Diagnostic]) -> [Diagnostic]
  /// Renditions done, renditions in all.
  package var progress: (Int, Int) -> Void

  package init(
    judge: @escaping ([Diagnostic]) -> [Diagnostic] = { $0 },
    progress: @escaping (Int, Int) -> Void = { _, _ in }
  ) {
    self.judge = judge
    self.progress = progress
  }
}

/// Compiles catalogues into one archive. Where a diagnostic is an error nothing is written.
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

/// Compiles what was read of catalogues, and perhaps changed by the caller. Who does not need the assets
/// any more gives them away, for the plan takes their place in memory.
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

/// The plan, with what the files say against it.
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

/// What is said where nothing was compiled, and the findings about the assets are all no errors.
func emptyArchive(
  of contents: CatalogContents, _ platform: TargetPlatform, _ found: [Diagnostic]
) -> Diagnostic {
  let assets = contents.assets
  // Who has icons alone is told of each that it is left out, and how to have it.
  let icons = Set(found.lazy.filter { $0.code == .iconNotChosen }.map(\.file))
  let onlyIcons =
    !icons.isEmpty && assets.allSatisfy { !$0.hasContent || icons.contains($0.folder) }
  let reason =
    assets.isEmpty
    ? "there are no assets"
    : onlyIcons
      ? "it has icons alone, and --app-icon names none of them"
      : "nothing in the catalogues (\(counted(assets.count, "asset"))) is "
        + "compiled for \(platform.rawValue); --platform names another platform"
  var diagnostic = Diagnostic(
    .emptyArchive, "the archive is empty: \(reason)", file: contents.catalogs.first?.path ?? "")
  // Whoever begins an app has slots, and no pictures yet: there is nothing that could be missing.
  if !assets.contains(where: \.hasContent) { diagnostic.severity = .note }
  return diagnostic
}

extension CompileReport {
  /// Adds what a stage found; an error in it ends the run.
  package mutating func add(_ found: [Diagnostic], _ judge: ([Diagnostic]) -> [Diagnostic]) {
    stages.append(found)
    diagnostics = inPrintingOrder(judge(diagnostics + found))
    isRefused = diagnostics.contains { $0.severity == .error }
  }
}
