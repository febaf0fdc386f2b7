// The compilation: the passes in order.
//
//   1 read     folders and Contents.json to asset sets           CatalogModel
//   2 plan     asset sets to renditions for the target           Planning/
//   3 encode   pictures to compressed blocks, on all cores       Encoding/, Pictures/
//   4 write    an archive, or an object                          ArchiveOutput.swift, Objects/
//
// `encode` appends each finished block to a file beside the output that has no name yet. `write`
// appends the tables. The file gets its name if no diagnostic is an error: `carve compile` names it
// together with its other outputs.
//
// The passes are the same for every product:
//
//   product   reads                              blocks come from     blocks go into
//   archive   the catalogues                     the encoders         `ArchiveOutput`
//   object    a part of one catalogue, and       the encoders         `ObjectOutput`
//             records the answers of the disk
//   link      the answers in objects             the objects, and     `ArchiveOutput`
//                                                the encoders
//
// The folders use each other in one direction only (FoldersTests.swift tests it):
//
//   Pictures ◀── Planning ◀── Caching ◀── Encoding ◀── Objects, Records ◀── the files here

import Archive
import Bytes
import CPosix
import CatalogModel
import Host
import Traits

/// The product of a compilation, with its sources.
package enum Product: Sendable {
  /// An archive of catalogues.
  case archive(of: [ByteString])
  /// An object of one catalogue, or of a part of it.
  case object(ObjectScope)
  /// An archive of objects, which contain the finished blocks of their renditions.
  case link(LinkedObjects)

  /// The paths or names of the catalogues.
  package var catalogs: [ByteString] {
    switch self {
    case .archive(let catalogs): catalogs
    case .object(let scope): [scope.catalog]
    case .link(let objects): objects.catalogs
    }
  }
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
  /// The names under which programs find the pictures of an icon. A layered icon without bitmaps
  /// has none.
  package var iconNames: Set<ByteString> = []
  /// The names under which a property list can name an icon (`RenditionPlan.listedIcons`).
  package var listedIcons: Set<ByteString> = []
  package var renditionCount = 0
  package var byteCount = 0
  /// The counts of the cache; nil if the run has no cache.
  package var cache: CacheCounts?
  /// The reason why the remote cache could not be used fully; nil if nothing went wrong.
  package var cacheTrouble: String?
  /// The blocks that hold the pixels of each file; nil if the options do not request them.
  package var pixels: PixelPlaces?
  /// Every file and folder that the archive depends on; empty if the options do not request them.
  package var inputs: [ByteString] = []
  /// The files of sources, as diagnostics name them, of which at least one rendition is stored;
  /// empty if the options do not request them.
  package var stored: Set<ByteString> = []
  /// The passes and their times, in order. The caller can add passes of its own.
  package var clock = PassClock()

  package init() {}

  /// Adds the diagnostics of a stage. An error among them ends the run.
  package mutating func add(_ found: [Diagnostic], _ applyPolicy: ([Diagnostic]) -> [Diagnostic]) {
    stages.append(found)
    diagnostics = inPrintingOrder(applyPolicy(diagnostics + found))
    isRefused = diagnostics.contains { $0.severity == .error }
  }
}

/// Functions of the caller that the compilation calls.
package struct CompileObserver {
  /// A function that sets the severities by `--werror` and `--no-warn`. It is called before the
  /// archive is written.
  package var applyPolicy: ([Diagnostic]) -> [Diagnostic]
  /// A function that receives the number of finished tasks and the number of all tasks.
  package var progress: (Int, Int) -> Void

  package init(
    applyPolicy: @escaping ([Diagnostic]) -> [Diagnostic] = { $0 },
    progress: @escaping (Int, Int) -> Void = { _, _ in }
  ) {
    self.applyPolicy = applyPolicy
    self.progress = progress
  }
}

/// A compilation whose caller reads the catalogues by `read`, and may use or change them before it
/// calls `compile`.
package struct Compilation {
  private let product: Product
  private let options: CompileOptions
  private let observer: CompileObserver
  private let earlier: EarlierRun?
  /// The tree in which the catalogues are read and planned.
  private let tree: FileTree
  /// The tree in which the files of pictures are read.
  private let pictures: FileTree
  /// The recorder of the answers of the disk, if the product is an object.
  private let answers: AnswerRecorder?

  package init(
    _ product: Product, in tree: FileTree, _ options: CompileOptions,
    _ observer: CompileObserver = CompileObserver(), after earlier: EarlierRun? = nil
  ) {
    (self.product, self.options, self.observer) = (product, options, observer)
    self.earlier = earlier
    if case .object(let scope) = product {
      pictures = scope.tree(over: tree)
      let recorder = AnswerRecorder(scope, over: pictures)
      (answers, self.tree) = (recorder, recorder.tree)
    } else {
      (answers, self.tree, pictures) = (nil, tree, tree)
    }
  }

  /// Reads the catalogues.
  package func read() -> CatalogContents {
    readCatalogs(
      product.catalogs, in: tree,
      options: ReadingOptions(jobs: options.jobs, listsInputs: options.listsInputs))
  }

  /// Plans, encodes and writes the product. `contents` is consumed, so that the memory of the
  /// assets is free before pictures are encoded. `clock` has the times of the passes so far.
  package func compile(
    _ contents: consuming CatalogContents, to destination: Destination,
    clock: PassClock = PassClock()
  ) throws(CompileError) -> CompileReport {
    var report = CompileReport()
    report.clock = clock
    report.inputs = contents.inputs
    let plan = plan(of: contents)
    report.iconNames = Set(plan.renditions.lazy.filter { $0.kind == .icon }.map(\.facet))
    report.listedIcons = plan.listedIcons
    var found = contents.diagnostics + located(plan.diagnostics, in: tree)
    if !options.isPlatformChosen, !plan.renditions.isEmpty, answers == nil {
      found += assetsOfOtherPlatforms(in: contents, plan, options.target.platform)
    }
    report.add(found, observer.applyPolicy)
    report.clock.end("plan", items: plan.renditions.count)
    if report.isRefused { return report }
    let empty = emptyArchive(
      of: contents, options.target.platform, plan.diagnostics, isPlanned: !plan.renditions.isEmpty)
    let assetCount = contents.assets.count
    contents.assets = []
    contents.otherImageSets = [:]
    carve_trim_memory()
    let numbers = try numbers(of: plan)
    let file: FileSink
    do throws(OutputError) { file = try FileSink(destination) } catch { throw .output(error) }
    if let answers {
      let output = ObjectOutput(plan, answers, options, assetCount: assetCount, into: file)
      encode(plan, numbers, into: output, &report)
      try write(output, ifEmpty: nil, &report)
    } else {
      let output = ArchiveOutput(plan, numbers, options, into: file)
      encode(plan, numbers, into: output, &report)
      try write(output, ifEmpty: empty, &report)
      report.pixels = output.pixels
      report.stored = output.stored ?? []
    }
    return report
  }

  private func numbers(of plan: RenditionPlan) throws(CompileError) -> NameNumbers {
    do throws(ArchiveError) {
      return try NameNumbers(plan.renditions.lazy.map(\.facet))
    } catch {
      throw .archive(error)
    }
  }

  /// Returns the plan, with the diagnostics about icons, the headers of pictures and vectors.
  private func plan(of contents: CatalogContents) -> RenditionPlan {
    var plan = RenditionPlan(
      of: contents.assets, for: options.target, icons: options.icons,
      rasterizesVectors: options.rasterizesVectors, drawsIcons: options.drawsIcons,
      drawsGlass: options.drawsGlass, allowsIncomplete: options.allowsIncomplete,
      otherImageSets: contents.otherImageSets, namesOptions: options.namesOptions)
    plan.reportMisfits(in: tree, jobs: options.jobs)
    if !options.rasterizesVectors { plan.checkVectors(in: tree, jobs: options.jobs) }
    // Whether a chosen icon exists is known when all catalogues are, at the link.
    if answers == nil {
      plan.checkIcons(options.icons, in: contents, for: options.target)
    }
    return plan
  }

  /// Encodes the renditions of a plan, and appends their blocks to the output.
  private func encode(
    _ plan: RenditionPlan, _ numbers: NameNumbers, into output: some EncodingOutput,
    _ report: inout CompileReport
  ) {
    let cache = PictureCache(options, known: earlier?.pictures ?? KnownPictures())
    let settings = EncodingSettings(
      plan, in: pictures, options, numbers: numbers, cache: cache, for: purpose)
    let encoding = Encoding(
      plan, settings: settings, jobs: options.jobs, progress: observer.progress)
    let found = encoding.run(into: output)
    cache?.settle()
    (report.cache, report.cacheTrouble) = (cache?.counters.counts, cache?.trouble)
    report.clock.end(
      "encode", items: output.count, bytes: output.byteCount,
      parts: options.work?.parts ?? [])
    report.add(located(found, in: tree), observer.applyPolicy)
  }

  /// Completes an output whose blocks are encoded. If a diagnostic is an error, the old file is
  /// left as it is. `empty` is the diagnostic about an output without renditions.
  private func write(
    _ output: some EncodingOutput, ifEmpty empty: Diagnostic?, _ report: inout CompileReport
  ) throws(CompileError) {
    if !report.isRefused, output.count == 0, let empty {
      guard options.writesEmptyArchive else { return }
      report.add([empty], observer.applyPolicy)
    }
    guard !report.isRefused else { return }
    (report.nameCount, report.renditionCount) = try output.finish()
    report.byteCount = output.byteCount
    report.clock.end(
      "write", items: answers == nil ? report.renditionCount : nil, bytes: report.byteCount)
  }

  private var purpose: EncodingPurpose {
    switch product {
    case .archive: .archive
    case .object: .object(recording: tree)
    case .link(let objects): .link(objects)
    }
  }
}
