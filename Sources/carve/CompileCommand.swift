// `carve compile`: catalogues to one archive. Translates the options, calls the compiler, prints.

import ArchiveTools
import AssetSymbols
import CPosix
import CatalogCompiler
import CatalogModel
import CommandLineKit
import Documents
import Host
import Traits

struct CompileArguments: Sendable, CatalogCompiling, DeviceTargeting, SymbolWriting {
  var catalogs: [String] = []
  var output: String?
  var optimization = OptimizationGoal.standard
  var keepsExactPixels = false
  var packsSprites = true
  var writesIndex = true
  var rasterizesVectors = true
  var drawsIcons = true
  var incompleteTypes: [String] = []
  var memory: Int?
  var depfile: String?
  var touches = false
  var optionFile: String?
  var compiling = CatalogArguments()
  var symbols = SymbolArguments()
  var diagnostics = DiagnosticArguments()
  /// The devices to thin for; none for an archive that serves all.
  var target = DeviceArguments()
  var showsTimings = false
  var timingForm: TimingForm?
  var comparesContents = false
}

let compileCommand = Command(
  "compile", summary: "Compile catalogues into one archive",
  discussion: """
    Reads the catalogues, says what is wrong with them, and writes an Assets.car that Apple's run \
    time and Carve's own library read. Where there are errors no file is written or changed; an \
    archive whose bytes would be the same is left untouched (--touch sets its time). The same \
    sources give the same bytes on every machine.

    --optimization chooses what compressing costs: standard stores Apple's pixels; identical also \
    its bytes, in 1.5 times the processor time; space is a tenth smaller and takes 7 times as long; \
    time takes half of it and is an eighth larger. make bench measures all four.

    --swift and --c write constants for the ids of the assets beside the archive, as 'carve symbols' does.
    """,
  defaults: CompileArguments(),
  operands: [
    .many(.catalog, \.catalogs, help: "the catalogues; the first that has a name wins it")
  ],
  options: allCompileOptions,
  examples: [
    Example("carve compile Assets.xcassets -o Assets.car", "compile for every iPhone and iPad"),
    Example(
      "carve compile Assets.xcassets -o thin.car --device iPhone8,1",
      "compile only what an iPhone 6s can ever show"),
    Example(
      "carve compile Assets.xcassets -o build/ --platform macosx --app-icon AppIcon",
      "write build/Assets.car for the Mac, with the app's icon"),
  ]
) { (arguments, terminal) throws(CommandFailure) in
  var arguments = arguments
  if let file = arguments.optionFile {
    arguments = try filled(
      arguments, from: file, options: allCompileOptions,
      others: ["output", "depfile", "touch", "swift", "c", "bundle", "options"])
  }
  return try runCompile(arguments, terminal)
}

private let allCompileOptions =
  compileOptions + Option<CompileArguments>.symbolOptions + Option<CompileArguments>.deviceOptions
  + Option<CompileArguments>.catalogOptions

private let compileOptions: [Option<CompileArguments>] = [
  .path(
    "output", short: "o", "ARCHIVE-or-DIR", extensions: ["car"], \.output,
    help: "the archive to write, or the folder to write Assets.car into"
  ).required,
  .choice(
    "optimization", "GOAL", \.optimization,
    help: "write the smallest archive (space), the soonest one (time) or Apple's bytes (identical)"),
  .flag(
    "exact-pixels", \.keepsExactPixels,
    help: "change no pixel by a bit, where Apple's tool rounds colours by one"),
  .flag(
    "no-packing", \.packsSprites, setting: false,
    help: "give every small picture a block of its own"),
  .flag(
    "no-index", \.writesIndex, setting: false,
    help: "leave out Carve's lookup index; readers then build it when they open the archive"),
  .flag(
    "no-rasters", \.rasterizesVectors, setting: false,
    help: "store vectors without bitmaps; programs that draw no vectors then show nothing"),
  .flag(
    "no-icon-bitmaps", \.drawsIcons, setting: false,
    help: "store layered icons as stacks alone, which systems of 2025 and later show"),
  .list(
    "allow-incomplete", "TYPE", of: CompileOptions.incompleteTypes.map(\.rawValue),
    \.incompleteTypes,
    help: "compile sets of a type as far as their form is known, and say what is missing"),
  .number(
    "memory", "MB", in: 1...65_536, \.memory,
    help: "megabytes of pictures that may wait in memory for their atlas (36)"),
  .path("depfile", "FILE", extensions: ["d"], \.depfile, help: "list what was read, for make"),
  .touch(\.touches),
  .path(
    "options", "FILE", extensions: ["carve"], \.optionFile,
    help: "read more options from a file, one a line; # begins a comment"),
  .flag(
    "cache-verify", \.comparesContents,
    help: "compare what is in the files with what the cache remembers, whatever their times"),
  .flagOrChoice(
    "timing", "FORM", \.showsTimings, \.timingForm,
    help: "print how long each pass took: as text, as json, or as a trace that Perfetto opens"),
]

private func runCompile(
  _ arguments: CompileArguments, _ terminal: Terminal
) throws(CommandFailure) -> ExitStatus {
  let devices = try arguments.target.devices()
  if devices.isEmpty, arguments.target.saysMore {
    throw .usage(
      "--os, --info-plist and --language are about devices to thin for; name one by --device")
  }
  let options = try arguments.options(for: devices)
  try arguments.symbols.check()
  try checkCatalogs(arguments.catalogs)
  let output = try outputArchive(arguments.output ?? "", terminal)
  let memory = arguments.memory(with: options, writing: arguments.outputs(output))
  var clock = PassClock()
  if let answer = memory?.answer(
    comparesContents: arguments.comparesContents, jobs: options.jobs)
  {
    clock.end("record", items: answer.pathCount)
    arguments.printTimings(TimingReport(passes: clock.timings), output, terminal)
    if let refusal = try replay(answer, arguments, terminal) { return refusal }
    return try conclude(arguments, answer, output, terminal)
  }
  var run = CompileRun(arguments: arguments, output: output, terminal: terminal)
  if let memory { run.remember(in: memory) }
  return try run.run(options, for: devices)
}

/// One compilation: what it reads, and the files that it writes together.
private struct CompileRun {
  let arguments: CompileArguments
  let output: String
  let terminal: Terminal
  let outputs = OutputSet()
  var tree = FileTree.disk
  var memory: RunMemory?
  var recorder: InputRecorder?
  private var clock = PassClock()
  private var cache: CacheCounts?

  init(arguments: CompileArguments, output: String, terminal: Terminal) {
    self.arguments = arguments
    self.output = output
    self.terminal = terminal
  }

  mutating func remember(in memory: RunMemory) {
    let recorder = InputRecorder(.disk)
    (self.memory, self.recorder, tree) = (memory, recorder, recorder.watchedTree)
  }

  mutating func run(
    _ options: CompileOptions, for devices: [Device]
  ) throws(CommandFailure) -> ExitStatus {
    var options = options
    if arguments.showsTimings {
      options.work = WorkTimes(keepsSpans: arguments.timingForm == .trace)
    }
    let status = try make(options, for: devices)
    let times = TimingReport(
      passes: clock.timings, spans: options.work?.spans ?? [], threads: options.jobs, cache: cache)
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
    // The whole archive is made first: thinning it later then gives the same bytes.
    let compiled = try scratchFile()
    let report = try compile(options, to: .scratch(compiled))
    if report.isRefused { return .inputErrors }
    let file = try openFile(compiled)
    // What it says decides what is kept.
    if let list = arguments.target.infoPlist { _ = try? tree.read(list, 1 << 30) }
    let thinnedSize = try writeThinned(
      file.bytes, of: arguments.catalogs.first ?? "", for: arguments.target, to: place, terminal)
    clock.end("thin", bytes: thinnedSize)
    return try finish(report, thinnedSize: thinnedSize, jobs: options.jobs)
  }

  /// Compiles, and prints what was found on the way.
  private mutating func compile(
    _ options: CompileOptions, to destination: Destination
  ) throws(CommandFailure) -> CompileReport {
    let report = try arguments.compileCatalogs(
      arguments.catalogs, in: tree, options, to: destination, terminal)
    (clock, cache) = (report.clock, report.cache)
    return report
  }

  private mutating func finish(
    _ report: CompileReport, thinnedSize: Int?, jobs: Int
  ) throws(CommandFailure) -> ExitStatus {
    let policy = try arguments.diagnostics.policy()
    var clashes: [Diagnostic] = []
    let answer: RunAnswer
    do throws(OutputError) {
      if arguments.symbols.isAsked {
        var assets = SymbolAssets(readCatalogs(arguments.catalogs, in: tree))
        assets.icons.removeAll { !report.iconNames.contains($0.name) }
        let archive = String(output.split(separator: "/").last ?? "")
        clashes = try arguments.symbols.write(assets, archive: archive, to: outputs)
        let found = policy.applied(to: clashes)
        arguments.diagnostics.print(inPrintingOrder(found), terminal)
        clock.end("symbols")
        if found.contains(where: { $0.severity == .error }) { return .inputErrors }
      }
      if let depfile = arguments.depfile {
        let made = arguments.outputs(output).filter { $0 != depfile }
        let read = report.inputs + [arguments.optionFile].compactMap { $0 }
        try outputs.write(Array(dependencies(of: made, on: read).utf8), to: depfile)
      }
      answer = RunAnswer(report, symbols: clashes, thinnedSize: thinnedSize)
      try outputs.commit(remembering: answer, in: memory, recorder, jobs: jobs)
      clock.end("place", items: outputs.paths.count)
    } catch {
      throw CommandFailure(error)
    }
    return try conclude(arguments, answer, output, terminal)
  }
}

/// What is done and said where the outputs are as they should be.
private func conclude(
  _ arguments: CompileArguments, _ answer: RunAnswer, _ output: String, _ terminal: Terminal
) throws(CommandFailure) -> ExitStatus {
  if arguments.touches {
    for path in arguments.outputs(output) where path != arguments.depfile { try touch(path) }
  }
  let size =
    answer.thinnedSize.map { "\(grouped($0)) of" }
    ?? "\(counted(answer.nameCount, "name")), \(counted(answer.renditionCount, "rendition")),"
  let line = "\(output): \(size) \(grouped(answer.byteCount)) bytes"
  // Times that a program reads are the result then.
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

  fileprivate func printTimings(_ report: TimingReport, _ output: String, _ terminal: Terminal) {
    guard showsTimings else { return }
    // A file may stand behind /dev/stdout, which the archive then replaces.
    let isOutputFree = !carve_is_special(output) && !output.hasPrefix("/dev/")
    report.print(timingForm ?? .text, isOutputFree: isOutputFree, terminal)
  }

  func options(for devices: [Device]) throws(CommandFailure) -> CompileOptions {
    var options = try compiling.options(or: devices.first?.platform)
    options.optimization = optimization
    options.keepsExactPixels = keepsExactPixels
    options.packsSprites = packsSprites
    options.writesIndex = writesIndex
    options.rasterizesVectors = rasterizesVectors
    options.drawsIcons = drawsIcons
    options.allowsIncomplete = Set(incompleteTypes.compactMap { SetType(rawValue: $0) })
    if let memory { options.memory = memory << 20 }
    return options
  }
}

/// A rule in make's syntax.
private func dependencies(of outputs: [String], on inputs: [String]) -> String {
  // No name in a rule of make can hold the end of a line; the folder that holds it is listed.
  let inputs = inputs.filter { !$0.utf8.contains(UInt8(ascii: "\n")) }
  let rest = inputs.map { " \\\n  " + escapedForMake($0) }.joined()
  // The empty rules keep make going when an input is deleted.
  return outputs.map(escapedForMake).joined(separator: " ") + ":" + rest + "\n\n"
    + inputs.map { escapedForMake($0) + ":\n" }.joined()
}

/// A backslash protects blanks, number signs and colons. Another one before it must be doubled, and
/// only there.
private func escapedForMake(_ path: String) -> String {
  var result = ""
  var backslashes = 0
  for scalar in path.unicodeScalars {
    switch scalar {
    case " ", "\t", "#", ":":
      result += String(repeating: "\\", count: backslashes + 1)
    case "$": result += "$"
    default: break
    }
    backslashes = scalar == "\\" ? backslashes + 1 : 0
    result.unicodeScalars.append(scalar)
  }
  return result
}
