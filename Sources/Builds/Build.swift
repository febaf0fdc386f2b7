// One run that makes an archive or an object, and the files that belong to it. Every command that
// compiles or links uses it, and so does Apple's build step (module DropIn). The steps in order:
//
//   recall          the answer of the last run, if a cache has its record, and nothing or only
//                   pictures changed; then no other step follows
//   makeProduct     reads the catalogues once, plans, encodes, writes the product
//   thin            writes an archive that was made whole for the devices of a target
//   writeConstants, sources with ids, and a rule for make
//     writeDepfile
//   place           puts all outputs in place together, and records the run
//
// The caller prints the findings between the steps.

import ArchiveTools
import AssetSymbols
import Bytes
import CPosix
import CatalogCompiler
import CatalogModel
import Documents
import Host

/// The files that a run writes.
package struct BuildFiles: Sendable {
  package var product: ByteString
  package var constants = ConstantFiles()
  package var depfile: ByteString?

  package init(product: ByteString) { self.product = product }

  package var paths: [ByteString] {
    [product, constants.swift, constants.header, depfile].compactMap { $0 }
  }
}

package struct Build {
  private let product: Product
  package let files: BuildFiles
  package var options: CompileOptions
  package let outputs: OutputSet
  private let base: FileTree
  private var witness: WitnessedTree
  private var recorder: InputRecorder?
  /// The last run, if the store has its record.
  private var earlier: EarlierRun?
  /// The changes since the last run; nil if its record is missing or answers this run.
  package private(set) var changes: PathChanges?
  private let recordStore: RunRecordStore?
  /// Whether the digest of a large output is recorded, too. A run that repeats most of an earlier
  /// one would take a fifth more time.
  private var digestsLargeOutputs = true
  /// The assets that get constants, with all icons; nil if no constants are requested.
  private var constants: SymbolAssets?
  /// The diagnostics about constants.
  private var clashes: [Diagnostic] = []
  private var thinnedSize: Int?
  package private(set) var report = CompileReport()
  /// The passes of the run and their times.
  package private(set) var clock = PassClock()

  /// Creates a run. If there is a store, the run is recorded when its outputs are in place. A trial
  /// does all work, and puts no output in its place.
  package init(
    _ product: Product, _ options: CompileOptions, _ files: BuildFiles = BuildFiles(product: ""),
    in tree: FileTree = .disk, recordedIn recordStore: RunRecordStore? = nil, isTrial: Bool = false
  ) {
    (self.product, self.options, self.files) = (product, options, files)
    self.recordStore = recordStore
    outputs = OutputSet(survivesPowerCut: options.survivesPowerCut, isTrial: isTrial)
    base = if case .link(let objects) = product { objects.tree } else { tree }
    witness = WitnessedTree(base)
  }

  /// The tree in which the run reads. It records the inputs if the run is recorded.
  package var tree: FileTree { witness.tree }

  /// The first failure of the system while files were read; nil if every call succeeded.
  package var trouble: WitnessedTree.Failure? { witness.trouble }

  // MARK: Recalling

  /// Returns the answer of the last run if the store has it and nothing changed since, or only
  /// pictures did, which are then put into the product. Returns nil if everything must be made.
  /// `touches` states whether the caller sets the time of the product afterwards. If `isRefused`
  /// returns true for the findings of an answer, no picture is put into the product: the steps that
  /// follow find the same errors, and write nothing.
  package mutating func recall(
    comparesContents: Bool, touches: Bool, isRefused: (RunAnswer) -> Bool = { _ in false }
  ) throws(OutputError) -> RunAnswer? {
    let recalled = recordStore?.recall(comparesContents: comparesContents, jobs: options.jobs)
    digestsLargeOutputs = comparesContents || touches || recalled == nil
    switch recalled {
    case nil: return nil
    case .unchanged(let answer):
      clock.end("record", items: answer.pathCount)
      return answer
    case .pictures(let changed, let earlier):
      self.earlier = earlier
      if !isRefused(changed.answer),
        let answer = try changed.update(options, in: files.product, touches: touches, &clock)
      {
        return answer
      }
      changes = changed.changes
      return nil
    case .changed(let changes, let earlier):
      (self.changes, self.earlier) = (changes, earlier)
      return nil
    }
  }

  // MARK: Making

  /// Reads the catalogues once and makes the product, in `whole` if that is given.
  package mutating func makeProduct(
    in whole: UnthinnedArchive? = nil, _ observer: CompileObserver
  ) throws(CompileError) {
    options.listsInputs = files.depfile != nil
    options.remembersPixels = recordStore != nil && whole == nil && product.isArchiveOfCatalogs
    // An object has to record all that is read for it.
    let earlier = product.isArchiveOfCatalogs ? earlier : nil
    if recordStore != nil {
      let recorder = InputRecorder(base, after: earlier)
      (self.recorder, witness) = (recorder, WitnessedTree(recorder.watchedTree))
    }
    clock = PassClock()
    let compilation = Compilation(product, in: tree, options, observer, after: earlier)
    let contents = compilation.read()
    clock.end("read", items: contents.inputCount)
    if files.constants.areRequested { constants = SymbolAssets(contents) }
    report = try compilation.compile(
      consume contents, to: whole?.destination ?? .part(of: outputs, files.product), clock: clock)
    clock = report.clock
  }

  /// Reads the catalogues, for a caller that changes or divides them.
  package func read() -> CatalogContents {
    Compilation(product, in: tree, options).read()
  }

  /// Makes an archive of catalogues that were read. Several archives may be made.
  package func makeArchive(
    of contents: consuming CatalogContents, to destination: Destination, options: CompileOptions,
    _ observer: CompileObserver
  ) throws(CompileError) -> CompileReport {
    try Compilation(product, in: tree, options, observer).compile(
      consume contents, to: destination)
  }

  /// Thins the archive that was made, for the devices of a target.
  package mutating func thin(
    _ whole: Thinner, for target: ThinningTarget
  ) throws(ThinningError) {
    var thinner = whole
    let size = try thinner.write(for: target, to: .part(of: outputs, files.product))
    thinnedSize = size
    clock.end("thin", bytes: size)
  }

  // MARK: Files beside the product

  /// Writes the requested constants. Returns diagnostics about constants whose names differ from
  /// those of their assets.
  package mutating func writeConstants() throws(OutputError) -> [Diagnostic] {
    guard var assets = constants else { return [] }
    constants = nil
    assets.icons.removeAll { !report.iconNames.contains($0.name) }
    clashes = try files.constants.write(
      assets, archive: lastComponent(files.product), to: outputs)
    clock.end("symbols")
    return clashes
  }

  /// Writes the requested rule for make. Returns a note about inputs that it cannot name; nil if it
  /// names all. `inputs` are the objects of a link, and the files that the caller has read.
  package func writeDepfile(
    on inputs: [ByteString]
  ) throws(OutputError) -> String? {
    guard let path = files.depfile else { return nil }
    let rules = Depfile(
      of: files.paths.filter { $0 != path }, on: isLink ? inputs : report.inputs + inputs)
    try outputs.write(rules.bytes, to: path)
    return rules.note(path)
  }

  /// Puts all outputs in place, and records the run. Returns its results.
  package mutating func place() throws(OutputError) -> RunAnswer {
    var answer = RunAnswer()
    answer.stages = report.stages
    answer.constantFindings = clashes
    (answer.nameCount, answer.renditionCount) = (report.nameCount, report.renditionCount)
    (answer.byteCount, answer.thinnedSize) = (report.byteCount, thinnedSize)
    try commit(answer)
    clock.end("place", items: outputs.paths.count)
    return answer
  }

  private func commit(_ answer: RunAnswer) throws(OutputError) {
    guard let recordStore, let recorder else { return try outputs.commit() }
    var written: [WrittenFile] = []
    try outputs.commit { output in
      if let file = WrittenFile(output, isDigested: digestsLargeOutputs) { written.append(file) }
    }
    if written.count < outputs.paths.count { return }
    // Frees the memory that encoding has left, so that it does not add to that of the record.
    carve_trim_memory()
    recordStore.keep(
      answer, inputs: recorder.observations(jobs: options.jobs), outputs: written, report.pixels,
      in: files.product)
  }
}

extension Build {
  /// Whether the product is an archive of objects.
  package var isLink: Bool {
    if case .link = product { true } else { false }
  }
}

extension Product {
  fileprivate var isArchiveOfCatalogs: Bool {
    if case .archive = self { true } else { false }
  }
}
