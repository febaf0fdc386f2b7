// One run of a compilation or of a link: reads the inputs, writes all outputs together, and prints.

import AssetSymbols
import Bytes
import CPosix
import CatalogCompiler
import CatalogModel
import CommandLineKit
import Documents
import Host
import Queries
import Traits

/// A compilation: its inputs, and the files that it writes together.
struct CompileRun {
  let arguments: CompileArguments
  let output: ByteString
  let terminal: Terminal
  let outputs: OutputSet
  var tree = FileTree.disk
  var memory: RunMemory?
  var recorder: InputRecorder?
  /// The objects to link; nil for a compilation.
  var objects: LinkedObjects?
  private var clock = PassClock()
  private var cache: CacheCounts?

  init(arguments: CompileArguments, output: ByteString, terminal: Terminal) {
    self.arguments = arguments
    self.output = output
    self.terminal = terminal
    outputs = OutputSet(survivesPowerCut: !arguments.watches)
  }

  init(
    linking objects: LinkedObjects, arguments: CompileArguments, output: ByteString,
    terminal: Terminal
  ) {
    self.init(arguments: arguments, output: output, terminal: terminal)
    self.objects = objects
    tree = objects.tree
  }

  private var catalogs: [ByteString] { objects?.catalogs ?? arguments.catalogs }

  mutating func remember(in memory: RunMemory) {
    let recorder = InputRecorder(.disk)
    (self.memory, self.recorder, tree) = (memory, recorder, recorder.watchedTree)
  }

  mutating func run(
    _ options: CompileOptions, for devices: [Device]
  ) throws(CommandFailure) -> ExitStatus {
    carve_bound_spare_memory()
    var options = options
    options.listsInputs = arguments.depfile != nil
    options.remembersPixels = memory != nil && devices.isEmpty && options.object == nil
    if arguments.showsTimings {
      options.work = WorkTimes(keepsSpans: arguments.timingForm == .trace)
    }
    let status = try make(options, for: devices)
    let times = TimingReport(
      passes: clock.timings, spans: options.work?.spans ?? [], threads: options.threads,
      cache: cache)
    arguments.printTimings(times, output, terminal)
    return status
  }

  private mutating func make(
    _ options: CompileOptions, for devices: [Device]
  ) throws(CommandFailure) -> ExitStatus {
    let place = Destination.part(of: outputs, output)
    if devices.isEmpty {
      let report = try compile(options, to: place)
      if report.isRefused { return .inputErrors }
      return try finish(report, thinnedSize: nil, jobs: options.jobs)
    }
    // The whole archive is made first, so that thinning it later gives the same bytes.
    let compiled = try scratchFile()
    let report = try compile(options, to: .scratch(compiled))
    if report.isRefused { return .inputErrors }
    let file = try openFile(compiled)
    // The Info.plist decides which renditions are kept, so it is recorded as an input.
    if let list = arguments.target.infoPlist { _ = try? tree.read(list, 1 << 30) }
    let thinnedSize = try writeThinned(
      file.bytes, of: catalogs.first ?? "", for: arguments.target, to: place, terminal)
    clock.end("thin", bytes: thinnedSize)
    return try finish(report, thinnedSize: thinnedSize, jobs: options.jobs)
  }

  /// Compiles and prints the findings.
  private mutating func compile(
    _ options: CompileOptions, to destination: Destination
  ) throws(CommandFailure) -> CompileReport {
    let report = try arguments.compileCatalogs(
      catalogs, in: tree, options, to: destination, terminal)
    (clock, cache) = (report.clock, report.cache)
    return report
  }

  private mutating func finish(
    _ report: CompileReport, thinnedSize: Int?, jobs: Int
  ) throws(CommandFailure) -> ExitStatus {
    let policy = try arguments.diagnostics.policy()
    var clashes: [Diagnostic] = []
    let answer: RunAnswer
    let assets = try symbolAssets(report)
    do throws(OutputError) {
      if let assets {
        let archive = lastComponent(output)
        clashes = try arguments.symbols.write(assets, archive: archive, to: outputs)
        let found = policy.applied(to: clashes)
        arguments.diagnostics.print(inPrintingOrder(found), terminal)
        clock.end("symbols")
        if found.contains(where: { $0.severity == .error }) { return .inputErrors }
      }
      if let depfile = arguments.depfile {
        let made = arguments.outputs(output).filter { $0 != depfile }
        let inputs = objects == nil ? report.inputs : arguments.catalogs
        let read = inputs + [arguments.optionFile].compactMap { $0 }
        let rules = Depfile(of: made, on: read)
        if let note = rules.note(depfile) { terminal.diagnose(note) }
        try outputs.write(rules.bytes, to: depfile)
      }
      answer = RunAnswer(report, symbols: clashes, thinnedSize: thinnedSize)
      try outputs.commit(
        remembering: answer, in: memory, recorder, jobs: jobs, report.pixels, in: output)
      clock.end("place", items: outputs.paths.count)
    } catch {
      throw CommandFailure(error)
    }
    return try conclude(arguments, answer, output, terminal)
  }

  /// Returns the assets that get constants; nil if no constants are requested.
  private func symbolAssets(_ report: CompileReport) throws(CommandFailure) -> SymbolAssets? {
    guard arguments.symbols.isAsked else { return nil }
    let witness = WitnessedTree(tree)
    var assets = SymbolAssets(readCatalogs(catalogs, in: witness.tree))
    if let trouble = witness.trouble { throw CommandFailure(trouble) }
    assets.icons.removeAll { !report.iconNames.contains($0.name) }
    return assets
  }
}

/// Ends a run whose outputs are in place: touches them if requested, and prints the summary.
func conclude(
  _ arguments: CompileArguments, _ answer: RunAnswer, _ output: ByteString, _ terminal: Terminal
) throws(CommandFailure) -> ExitStatus {
  if arguments.touches {
    for path in arguments.outputs(output) where path != arguments.depfile { try touch(path) }
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

extension CompileArguments {
  fileprivate var printsTimesAsResult: Bool {
    showsTimings && timingForm != nil && timingForm != .text
  }

  func printTimings(_ report: TimingReport, _ output: ByteString, _ terminal: Terminal) {
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
