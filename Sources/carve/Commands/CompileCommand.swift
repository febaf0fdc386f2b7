// `carve compile`: makes one archive of catalogues. Translates the options, calls the compiler and
// prints.

import ArchiveTools
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

struct CompileArguments: Sendable, CatalogCompiling, DeviceTargeting, SymbolWriting {
  var catalogs: [ByteString] = []
  var output: ByteString?
  var optimization = OptimizationGoal.standard
  var keepsExactPixels = false
  var packsSprites = true
  var writesIndex = true
  var rasterizesVectors = true
  var drawsIcons = true
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
  var symbols = SymbolArguments()
  var diagnostics = DiagnosticArguments()
  /// The devices to thin for; empty for an archive that serves all devices.
  var target = DeviceArguments()
  var showsTimings = false
  var timingForm: TimingForm?
  var comparesContents = false
  var watches = false
}

let compileCommand = Command(
  "compile", summary: "Compile catalogues into one archive",
  discussion: """
    Reads the catalogues, reports what is wrong with them, and writes an Assets.car that Apple's \
    run time and Carve's own library read. If there are errors, no file is written or changed; an \
    archive whose bytes would be the same is left untouched (--touch sets its time). The same \
    sources give the same bytes on every machine.

    --optimization chooses the cost of compressing: standard stores the same pixels as Apple's \
    tool; identical also stores the same bytes, and takes 1.5 times the processor time; space \
    makes the archive a tenth smaller, and takes 7 times as long; time takes half as long, and \
    makes the archive an eighth larger. make bench measures all four.

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
  var arguments = arguments
  if let file = arguments.optionFile {
    arguments = try filled(
      arguments, from: file.text, options: allCompileOptions,
      others: ["output", "depfile", "touch", "swift", "c", "bundle", "options", "watch"])
  }
  if arguments.watches { return try watch(arguments, terminal) }
  var news = CompileNews()
  return try runCompile(arguments, terminal, &news)
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
  .number(
    "max-vector-pixels", "N", in: 1...(1 << 28), \.mostVectorPixels,
    help: "the most pixels that one bitmap of a vector may have (67108864)"),
  .flag(
    "no-icon-bitmaps", \.drawsIcons, setting: false,
    help: "store layered icons only as stacks, which systems of 2025 and later show"),
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
    help: "read more options from a file, one on each line; # begins a comment"),
  .flag(
    "cache-verify", \.comparesContents,
    help: "compare the contents of files with the cache, even if their times are the same"),
  .flag(
    "watch", \.watches,
    help:
      "compile again whenever a file changes, and report lookups with a different result; "
      + "interrupt to end"
  ),
]

/// The result of one of several runs.
struct CompileNews {
  /// Whether a run that finds no change prints nothing.
  var isQuiet = false
  var isUnchanged = false
  /// The pictures that changed, if nothing else changed.
  var files: [ByteString] = []
}

func runCompile(
  _ arguments: CompileArguments, _ terminal: Terminal, _ news: inout CompileNews
) throws(CommandFailure) -> ExitStatus {
  let devices = try arguments.target.devices()
  if devices.isEmpty, arguments.target.saysMore {
    throw .usage(
      "--os, --info-plist and --language describe devices to thin for; name a device with --device")
  }
  var options = try arguments.options(for: devices)
  try arguments.symbols.check()
  try checkCatalogs(arguments.catalogs)
  options.object = try arguments.scope()
  let output = try outputArchive(
    arguments.output ?? "", named: options.object?.fileName ?? "Assets.car", terminal)
  try arguments.checkPlaces(output)
  let memory = arguments.memory(with: options, writing: arguments.outputs(output))
  var clock = PassClock()
  if let answer = try arguments.remembered(by: memory, options, output, &clock, terminal) {
    (news.isUnchanged, news.files) = (answer.isUnchanged, answer.changedFiles)
    if news.isQuiet, news.isUnchanged { return .fine }
    let times = TimingReport(passes: clock.timings, threads: options.threads)
    arguments.printTimings(times, output, terminal)
    if let refusal = try replay(answer, arguments, terminal) { return refusal }
    return try conclude(arguments, answer, output, terminal)
  }
  var run = CompileRun(arguments: arguments, output: output, terminal: terminal)
  if let memory { run.remember(in: memory) }
  return try run.run(options, for: devices)
}

extension CompileArguments {
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
    if !target.models.isEmpty || symbols.isAsked || !writesIndex {
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

  func options(for devices: [Device]) throws(CommandFailure) -> CompileOptions {
    var options = try compiling.options(or: devices.first?.platform)
    options.optimization = optimization
    options.keepsExactPixels = keepsExactPixels
    options.packsSprites = packsSprites
    options.writesIndex = writesIndex
    options.rasterizesVectors = rasterizesVectors
    options.drawsIcons = drawsIcons
    options.survivesPowerCut = !watches
    options.allowsIncomplete = Set(incompleteTypes.compactMap { SetType(rawValue: $0) })
    if let memory { options.memory = memory << 20 }
    if let mostVectorPixels { options.mostVectorPixels = mostVectorPixels }
    return options
  }
}
