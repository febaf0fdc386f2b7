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
  .flag("timing", \.showsTimings, help: "print how long each pass took"),
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
  let outputs = OutputSet()
  let place = Destination.part(of: outputs, output)
  if devices.isEmpty {
    let report = try compileArchive(arguments, options, to: place, terminal)
    if report.isRefused { return .inputErrors }
    return try finish(arguments, report, output, outputs, thinnedSize: nil, terminal)
  }
  // The whole archive is made first: thinning it later then gives the same bytes.
  let compiled = try scratchFile()
  let report = try compileArchive(arguments, options, to: .scratch(compiled), terminal)
  if report.isRefused { return .inputErrors }
  let file = try openFile(compiled)
  let thinnedSize = try writeThinned(
    file.bytes, of: arguments.catalogs.first ?? "", for: arguments.target, to: place, terminal)
  return try finish(arguments, report, output, outputs, thinnedSize: thinnedSize, terminal)
}

/// Compiles, and prints what was found on the way.
private func compileArchive(
  _ arguments: CompileArguments, _ options: CompileOptions, to destination: Destination,
  _ terminal: Terminal
) throws(CommandFailure) -> CompileReport {
  let report = try arguments.compileCatalogs(
    arguments.catalogs, options, to: destination, terminal)
  if arguments.showsTimings { printTimings(report, terminal) }
  return report
}

private func finish(
  _ arguments: CompileArguments, _ report: CompileReport, _ output: String, _ outputs: OutputSet,
  thinnedSize: Int?, _ terminal: Terminal
) throws(CommandFailure) -> ExitStatus {
  let policy = try arguments.diagnostics.policy()
  do throws(OutputError) {
    if arguments.symbols.isAsked {
      var assets = SymbolAssets(readCatalogs(arguments.catalogs, in: .disk))
      assets.icons.removeAll { !report.iconNames.contains($0.name) }
      let archive = String(output.split(separator: "/").last ?? "")
      let found = policy.applied(
        to: try arguments.symbols.write(assets, archive: archive, to: outputs))
      arguments.diagnostics.print(inPrintingOrder(found), terminal)
      if found.contains(where: { $0.severity == .error }) { return .inputErrors }
    }
    if let depfile = arguments.depfile {
      let made = [output, arguments.symbols.swift, arguments.symbols.header].compactMap { $0 }
      try outputs.write(
        Array(
          dependencies(of: made, on: report.inputs + [arguments.optionFile].compactMap { $0 }).utf8),
        to: depfile)
    }
    try outputs.commit()
  } catch {
    throw CommandFailure(error)
  }
  if arguments.touches {
    for path in [output, arguments.symbols.swift, arguments.symbols.header].compactMap({ $0 }) {
      try touch(path)
    }
  }
  let size =
    thinnedSize.map { "\(grouped($0)) of" }
    ?? "\(counted(report.nameCount, "name")), \(counted(report.renditionCount, "rendition")),"
  terminal.summarize(output, "\(output): \(size) \(grouped(report.byteCount)) bytes")
  return .fine
}

extension CompileArguments {
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

private func printTimings(_ report: CompileReport, _ terminal: Terminal) {
  for timing in report.timings {
    let tenths = Int((timing.seconds * 10_000).rounded())
    terminal.diagnose("\(timing.pass): \(tenths / 10).\(tenths % 10) ms")
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
