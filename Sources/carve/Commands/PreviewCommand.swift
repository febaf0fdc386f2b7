// `carve preview`: one page that shows every asset on every device, in every window and style.
// Translates the options, calls Preview.

import Bytes
import CPosix
import CarveRuntime
import CatalogModel
import CommandLineKit
import Documents
import Host
import Preview
import Queries
import Traits

struct PreviewArguments: Sendable, CatalogCompiling {
  var inputs: [ByteString] = []
  var output: ByteString?
  var compiling = CatalogArguments()
  var diagnostics = DiagnosticArguments(minimum: .error)
  var globs: [ByteString] = []
  var devices: [String] = []
  var makesThumbnails = false
  var keepsSizes = false
  var showsTimings = false
  var takesTogether = false
  var pictureFolder: ByteString?
  var serves = false
  var port: Int?
}

let previewCommand = Command(
  "preview", summary: "Show every asset on every device, in one page",
  discussion: """
    Writes one HTML file that needs no other files. It shows each asset at its size for the \
    device, window and style that are chosen in the page, with the answer of resolve and its \
    reason; fallbacks and missing variants are marked. Catalogues are compiled first. For two \
    inputs the page also shows what changed from the first to the second.
    """,
  defaults: PreviewArguments(),
  operands: [
    .many(
      .archiveOrCatalog, \.inputs,
      help: "an archive or a catalogue; two are compared, the older one first")
  ],
  options: [
    .path(
      "output", short: "o", "FILE", extensions: ["html"], \.output, help: "the page to write"),
    .flag(
      "together", \.takesTogether,
      help: "treat all catalogues as those of one app, and compare nothing"),
    .list(
      "assets", "GLOB", separator: ",", \.globs,
      help: "only assets whose names match, such as 'Icons/*'; ? matches one byte"),
    .list(
      "devices", "MODEL[,MODEL...]", listedBy: WordList.devices.words, \.devices,
      help: "only these devices; without it, all devices of the platform"),
    .flag(
      "thumbnails", \.makesThumbnails,
      help: "scale down pictures with a side of more than 256 pixels, not 512"),
    .flag(
      "full-size", \.keepsSizes, help: "scale down no pictures, which makes the page larger"
    ).excluding("thumbnails"),
    .folder(
      "png", "DIR", \.pictureFolder,
      help: "write pictures of what changed into a folder: before, after, marked"),
    .flag(
      "serve", \.serves,
      help: "serve the page at an address of this machine, and update it whenever a file changes"),
    .number(
      "port", "N", in: 1...65535, \.port, help: "the port of --serve; without it, any free port"),
    .flag("timing", \.showsTimings, help: "print the time that each pass took"),
  ] + Option<PreviewArguments>.catalogOptions,
  examples: [
    Example("carve preview Assets.xcassets -o preview.html", "see a catalogue"),
    Example("carve preview old.car Assets.car -o changes.html", "see what changed"),
    Example("carve preview --serve Assets.xcassets", "see it while you edit it"),
    Example(
      "carve preview Assets.car --devices iPhone15,2,iPad13,4 --assets 'Icons/*' -o icons.html",
      "a smaller page"),
  ]
) { (given, terminal) throws(CommandFailure) in
  var arguments = given
  given.compiling.warnOfTarget(ofArchives: given.inputs, terminal)
  try arguments.followSettings(of: given.inputs, terminal)
  arguments.devices = arguments.diagnostics.settings.first.models(unless: given.devices)
  let run = try PreviewRun(arguments, terminal)
  return arguments.serves ? try serve(run) : try run.write()
}

/// A run of the command, or the work that the server does after each change of a file.
struct PreviewRun: Sendable {
  let arguments: PreviewArguments
  let terminal: Terminal
  /// The older archive or catalogue; nil if nothing is compared.
  let older: ByteString?
  let inputs: [ByteString]
  private let devices: [Device]

  init(_ given: PreviewArguments, _ terminal: Terminal) throws(CommandFailure) {
    var arguments = given
    let isComparison = given.inputs.count == 2 && !given.takesTogether
    // The page shows all icons unless an option selects some, or an archive is compared.
    var isAsArchive = false
    if isComparison { isAsArchive = try arguments.followArchive(given.inputs[0], given.inputs[1]) }
    if !isAsArchive, given.compiling.namedIcons.isEmpty {
      arguments.compiling.includesAllIcons = true
    }
    self.arguments = arguments
    self.terminal = terminal
    let found = given.inputs.map { archiveInBundle($0) ?? $0 }
    older = isComparison ? found[0] : nil
    inputs = isComparison ? [found[1]] : found
    devices = try DeviceArguments(models: given.devices).devices(terminal)
    if inputs.count > 1, !given.takesTogether {
      throw .usage(
        "only two inputs can be compared; give --together for several catalogues of one app")
    }
    if given.pictureFolder != nil, older == nil {
      throw .usage("--png draws what changed; give two archives or catalogues")
    }
    if given.showsTimings, given.serves {
      throw .usage("--timing describes one run; give it with --output")
    }
    if given.port != nil, !given.serves { throw .usage("--port is the port of --serve") }
    if given.serves, given.output != nil {
      throw .usage("--serve shows the page and --output writes it; give only one of them")
    }
    if !given.serves, given.output == nil, given.pictureFolder == nil {
      throw .usage("preview needs --output FILE, --serve or --png DIR")
    }
    try checkPlaces(
      [NamedFile("--output", given.output)], reading: NamedFile.operands(given.inputs))
  }

  func write() throws(CommandFailure) -> ExitStatus {
    var isDamaged = false
    let status = try withPage { (page, old, new) throws(CommandFailure) in
      isDamaged = !page.damaged.isEmpty
      if let folder = arguments.pictureFolder { try draw(page, old, new, into: folder) }
      guard let output = arguments.output else { return }
      let size = try write(page, to: output)
      terminal.print("\(output): \(page.summary), \(grouped(size)) bytes")
      printTimings(page.clock, byteCount: size)
    }
    return status == .fine && isDamaged ? .inputErrors : status
  }

  /// Prints the times of the run if they are asked for. The clock began with the run, and the page
  /// was written last.
  private func printTimings(_ measured: PassClock, byteCount: Int) {
    guard arguments.showsTimings else { return }
    var clock = measured
    clock.end("write", bytes: byteCount)
    for line in TimingReport(passes: clock.timings).lines { terminal.diagnose(line) }
  }

  /// Calls `body` with the page, the bytes of the older archive, and the bytes of the archive
  /// itself; or `refused` with the findings if a catalogue has errors.
  func withPage(
    refused: ([Diagnostic]) -> Void = { _ in },
    _ body: (PageData, UnsafeRawBufferPointer?, UnsafeRawBufferPointer) throws(CommandFailure)
      -> Void
  ) throws(CommandFailure) -> ExitStatus {
    var clock = PassClock()
    guard let older else {
      return try withInput(inputs, arguments, terminal, refused: refused) {
        (bytes) throws(CommandFailure) in
        if isFolder(inputs[0]) { clock.end("compile") }
        try body(try page(of: bytes, nil, clock), nil, bytes)
        return .fine
      }
    }
    return try withInput(older, arguments, terminal, refused: refused) {
      (old) throws(CommandFailure) in
      try withInput(inputs, arguments, terminal, refused: refused) {
        (bytes) throws(CommandFailure) in
        if isFolder(inputs[0]) { clock.end("compile") }
        try body(try page(of: bytes, old, clock), old, bytes)
        return .fine
      }
    }
  }

  private func page(
    of bytes: UnsafeRawBufferPointer, _ old: UnsafeRawBufferPointer?, _ clock: PassClock
  ) throws(CommandFailure) -> PageData {
    var options = PreviewOptions(title: title(of: inputs))
    options.globs = arguments.globs
    if arguments.makesThumbnails { options.longestSide = PreviewOptions.thumbnailSide }
    if arguments.keepsSizes { options.longestSide = nil }
    options.devices = devices
    options.comparesArchives = old != nil
    if try areFolders(inputs) {
      let places = try sourcePlaces()
      options.source = { name, kind, key in places.place(of: name, kind, key) }
    }
    var page: PageData
    do throws(CatalogError) {
      page = try PageData(of: bytes, options, clock: clock)
    } catch {
      throw CommandFailure(error, in: inputs[0])
    }
    for rendition in page.damaged { terminal.diagnose("\(onOneLine(inputs[0])): \(rendition)") }
    if page.isEmpty, !arguments.globs.isEmpty {
      throw .input(
        "no asset matches \(quotedList(arguments.globs)); --assets takes names such as 'Icons/*'")
    }
    guard let old, let older else { return page }
    let sources = try arguments.unchangedSources(before: [older], after: inputs)
    do throws(PreviewError) {
      try page.compare(bytes, with: old, titled: title(of: [older])) { name, key in
        sources?.isUnchanged(name, key)
      }
    } catch {
      switch error {
      case .archive(let error): throw CommandFailure(error, in: older)
      case .thinning(let error): throw CommandFailure(error, in: "\(older), \(inputs[0])")
      }
    }
    return page
  }

  /// Returns the places, in the catalogues, of the variants of their archive.
  private func sourcePlaces() throws(CommandFailure) -> SourcePlaces {
    let platform = try arguments.compiling.target().platform
    let options = try arguments.compiling.queryOptions()
    var places = SourcePlaces()
    for catalog in inputs {
      let witness = WitnessedTree(.disk)
      let source = try queried { () throws(QueryError) in
        try CandidateSource(catalog: catalog, options, in: witness.tree)
      }
      places.add(source.table(for: platform))
      if let trouble = witness.trouble { throw CommandFailure(trouble) }
    }
    return places
  }

  private func write(_ page: PageData, to path: ByteString) throws(CommandFailure) -> Int {
    try writing { () throws(OutputError) in
      var output = try OutputFile(path: path)
      try page.write { (bytes) throws(OutputError) in try output.append(bytes) }
      let size = output.byteCount
      try output.commit()
      return size
    }
  }

  private func draw(
    _ page: PageData, _ old: UnsafeRawBufferPointer?, _ new: UnsafeRawBufferPointer,
    into folder: ByteString
  ) throws(CommandFailure) {
    guard let old, let difference = page.difference else { return }
    try makeFolder(folder)
    var count = 0
    let undrawn = try difference.drawPictures(
      from: old, to: new
    ) { (picture) throws(CommandFailure) in
      let path = joined(folder, picture.fileName)
      try writeFile(picture.bytes, to: path, survivesPowerCut: false)
      count += 1
    }
    terminal.print("\(folder): \(counted(count, "picture"))")
    if !undrawn.isEmpty {
      terminal.diagnose(
        "note: --png cannot draw all pictures of \(quotedList(undrawn, joinedBy: "and"))")
    }
  }
}

/// Returns the names of the inputs; if two have the same name, with the folders that contain them.
private func title(of paths: [ByteString]) -> String {
  let names = paths.map { lastComponent($0) }
  let titles = paths.indices.map { place in
    let isAlone = names.filter { $0 == names[place] }.count == 1
    return
      (isAlone ? names[place] : paths[place].components.suffix(2).joined(separator: "/")).text
  }
  if titles.count <= mostTitles { return titles.joined(separator: ", ") }
  return "\(titles[0]) and \(counted(titles.count - 1, "other"))"
}

private let mostTitles = 3

// MARK: - Serving

/// Serves the page at an address of this machine, and makes it again after each change of a file.
private func serve(_ run: PreviewRun) throws(CommandFailure) -> ExitStatus {
  let preview = ServedPreview(run)
  if let trouble = preview.refresh() {
    throw .input(preview.isRefused ? "the catalogue has the errors above" : trouble)
  }
  var server: LoopbackServer
  do throws(OutputError) {
    server = try LoopbackServer(port: UInt16(run.arguments.port ?? 0))
  } catch {
    throw CommandFailure(error)
  }
  run.terminal.print("http://127.0.0.1:\(server.port)/ shows \(preview.summary)")
  run.terminal.print("it follows every change; interrupt to end")
  _ = run.terminal.flush()
  server.run(preview)
  throw .system("serve the page any longer")
}

/// The page, and the watch over its inputs.
private final class ServedPreview: ServedPage {
  private let run: PreviewRun
  private(set) var page: [UInt8] = []
  private(set) var summary = ""
  /// Whether the catalogue has errors, which the terminal lists.
  private(set) var isRefused = false
  private var watch: FolderWatch?

  init(_ run: PreviewRun) { self.run = run }

  var watched: Int32 {
    if let descriptor = watch?.descriptor { descriptor } else { -1 }
  }

  var lookingPause: Int32 { watch?.lookingPause ?? -1 }

  func takeChanges() -> Bool { watch?.take() != nil || watch?.looksOtherwise() == true }

  func refresh() -> String? {
    // The watch starts before the files are read, so that it misses no change.
    let last = self.watch
    let watch = FolderWatch(run.arguments.inputs, in: .disk)
    run.terminal.warn(of: watch, after: last)
    self.watch = watch
    // The next page is made of the changed inputs.
    defer { carve_forget_closed_inputs() }
    var bytes: [UInt8] = []
    var errors: [Diagnostic] = []
    do throws(CommandFailure) {
      let status = try run.withPage(refused: { findings in
        errors = findings.filter { $0.severity == .error }
      }) { (page, _, _) throws(CommandFailure) in
        page.write(for: .served) { bytes += $0 }
        summary = page.summary
      }
      if let failure = changedInput() { return failure.message }
      isRefused = status != .fine
      if isRefused { return troubleText(of: errors) }
    } catch {
      return error.message
    }
    page = bytes
    return nil
  }
}

/// Returns the errors for which a catalogue has no page, as far as they are read at once; the
/// terminal lists all of them.
private func troubleText(of errors: [Diagnostic]) -> String {
  let shown = errors.prefix(mostErrors)
  let text = DiagnosticFormat.text.text(of: Array(shown)).droppingLastNewline
  let rest = errors.count - shown.count
  return rest == 0 ? text : "\(text)\nand \(counted(rest, "error")) more, which the terminal lists"
}

private let mostErrors = 20
