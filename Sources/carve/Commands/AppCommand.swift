// `carve app`: prints the report about a finished app, compares two builds of it, and writes its
// icon or descriptions of its archives.

import Apps
import Archive
import ArchiveTools
import Bytes
import CarveRuntime
import CommandLineKit
import Documents
import Host
import Preview
import Queries
import Traits

/// The forms of descriptions for other tools.
enum DescriptionForm: String, CaseIterable, Sendable {
  case sentry, assetutil
}

struct AppArguments: Sendable {
  var app: ByteString = ""
  var baseline: ByteString?
  var isJSON = false
  var isMarkdown = false
  var page: ByteString?
  var maximumGrowth: String?
  var budget: String?
  var icon: ByteString?
  var style: String?
  var description: String?
  var output: ByteString?
  var jobs: Int?

  /// All input files.
  fileprivate var inputFiles: [NamedFile?] {
    NamedFile.operands([app]) + [
      NamedFile("--baseline", baseline),
      NamedFile(
        "--budget", budget.flatMap { SizeBudget.bytes(of: $0) == nil ? ByteString($0) : nil }),
    ]
  }
}

let appCommand = Command(
  "app", summary: "Show what a finished app carries",
  discussion: """
    Reads an .ipa or another ZIP file, an .app, an .xcarchive or any folder, and finds the bundles \
    in it (the app, extensions, frameworks, resource bundles, its watch app and App Clip), their \
    archives and their loose pictures. Prints the facts of each Info.plist; a line for each \
    archive; what the devices of each family download of all archives, thinned for the windows \
    that the Info.plist allows; the largest assets; pictures with equal pixels, in one archive or \
    in several; similar pictures under other names; and the size that loose pictures would have in \
    a catalogue. Nothing is unpacked to the disk.

    With --baseline the command compares two builds: it prints what grew and shrank, and why. \
    --max-growth and --budget are gates: the command exits with 1 if a device downloads more, and \
    names it. --html writes one page for all archives: a map of bytes, and the page of 'carve \
    preview' for each archive, with pictures of at most 256 pixels. --icon and --as write files \
    and print no report.

    Parts that cannot be read are named on standard error, the rest is reported, and the command \
    exits with 1.
    """,
  defaults: AppArguments(),
  operands: [
    .one(.app, \.app, help: "the .ipa, .app, .xcarchive or folder")
  ],
  options: appOptions,
  examples: [
    Example("carve app Shop.ipa", "what each device downloads, and what is there twice"),
    Example(
      "carve app Shop.ipa --baseline Old.ipa --max-growth 2% --markdown",
      "what grew, for a comment; exit with 1 if a device downloads 2% more"),
    Example("carve app Shop.ipa --html shop.html", "a page with a map and every asset"),
    Example("carve app Shop.ipa --icon icon.png --style dark", "the icon as a PNG file"),
    Example("carve app Shop.xcarchive --json", "the report for programs"),
  ]
) { (arguments, terminal) throws(CommandFailure) in
  try arguments.check()
  return try withApp(arguments.app) { (files) throws(CommandFailure) in
    let run = AppRun(arguments: arguments, files: files, terminal: terminal)
    if let icon = arguments.icon { return try run.writeIcon(to: icon) }
    if let form = arguments.description { return try run.describe(form) }
    if let page = arguments.page { return try run.writePage(to: page) }
    guard let baseline = arguments.baseline else { return try run.report() }
    return try withApp(baseline) { (older) throws(CommandFailure) in
      try run.compare(with: older, at: baseline)
    }
  }
}

private let appOptions: [Option<AppArguments>] = [
  .path(
    "baseline", "APP", extensions: AppArguments.extensions, \.baseline,
    help: "an older build: compare both"),
  .text(
    "max-growth", "SIZE-or-PERCENT", \.maximumGrowth,
    help: "with --baseline, exit with 1 if the download of a device grows by more than this size "
      + "(200KB) or share (2%)"),
  .path(
    "budget", "SIZE-or-FILE", extensions: ["json"], \.budget,
    help: "a limit of the archives of each device such as 12MB, or a JSON file of limits as of "
      + "'carve thin'"),
  .flag("json", \.isJSON, help: "print JSON"),
  .flag("markdown", \.isMarkdown, help: "print tables for a comment on a change")
    .excluding("json"),
  .path(
    "html", "FILE", extensions: ["html"], \.page,
    help: "write a page: a map of bytes, and every asset of every archive"),
  .path("icon", "FILE", extensions: ["png"], \.icon, help: "write the largest icon as a PNG file"),
  .choice(
    "style", "STYLE", of: ["dark", "tinted"], \.style,
    help: "the style of the icon; light if not given"),
  .choice(
    "as", "FORM", of: DescriptionForm.allCases.map(\.rawValue), \.description,
    help: "describe each archive below the folder of --output: the files of sentry-cli, or the "
      + "JSON of assetutil -I"
  ).excluding("icon"),
  .folder("output", short: "o", "DIR", \.output, help: "the folder for the files of --as"),
  .number("jobs", short: "j", "N", in: 1...256, \.jobs, help: "use N processors"),
]

extension AppArguments {
  fileprivate static let extensions = ["ipa", "zip", "app", "appex", "framework", "xcarchive"]

  /// Refuses options that mean nothing together.
  fileprivate func check() throws(CommandFailure) {
    if maximumGrowth != nil, baseline == nil {
      throw .usage("--max-growth needs --baseline, the older build")
    }
    if style != nil, icon == nil { throw .usage("--style belongs to --icon") }
    if (description == nil) != (output == nil) {
      throw .usage("--as and --output belong together")
    }
    let writes = icon != nil || description != nil
    if writes, isJSON || isMarkdown || page != nil || baseline != nil || budget != nil {
      throw .usage("--icon and --as print no report and compare nothing")
    }
    if page != nil, isJSON || isMarkdown || baseline != nil {
      throw .usage("--html writes the report about one build as a page, and prints none")
    }
    try checkPlaces([NamedFile("--icon", icon), NamedFile("--html", page)], reading: inputFiles)
  }
}

extension ValueForm {
  fileprivate static let app = ValueForm.path("APP", extensions: AppArguments.extensions)
}

/// Calls `body` with the files of a folder, or of a ZIP file.
private func withApp(
  _ path: ByteString, _ body: (AppFiles) throws(CommandFailure) -> ExitStatus
) throws(CommandFailure) -> ExitStatus {
  if isFolder(path) {
    let files: AppFiles
    do throws(AppTrouble) { files = try AppFiles(folder: path) } catch {
      throw .inputOutput("cannot read \(error.path): \(error.reason)")
    }
    return try body(files)
  }
  return try withArchiveBytes(path) { (bytes) throws(CommandFailure) in
    let files: AppFiles
    do throws(ZIPError) { files = try AppFiles(zip: bytes) } catch {
      throw .input("\(path) \(error)")
    }
    return try body(files)
  }
}

/// A run of the command on the files of an app.
private struct AppRun {
  let arguments: AppArguments
  let files: AppFiles
  let terminal: Terminal

  private var jobs: Int { arguments.jobs ?? availableProcessors() }

  /// Reads an app, and names on standard error what cannot be read.
  private func read(_ files: AppFiles, _ depth: AppReport.Depth) -> (AppReport, ExitStatus) {
    let report = AppReport(files, depth, jobs: jobs) { terminal.progress(onOneLine($0)) }
    terminal.progress("")
    diagnose(report.troubles)
    return (report, report.troubles.isEmpty ? .fine : .inputErrors)
  }

  private func diagnose(_ troubles: [AppTrouble]) {
    for trouble in troubles {
      terminal.diagnose("\(onOneLine(trouble.path)): \(onOneLine(trouble.reason))")
    }
  }

  // MARK: Reports

  func report() throws(CommandFailure) -> ExitStatus {
    let budget = try readBudget(arguments.budget)
    let (report, status) = read(files, .full)
    let excesses = excesses(of: report, over: budget)
    if arguments.isJSON {
      terminal.print(report.json(excesses: excesses).text)
    } else if arguments.isMarkdown {
      terminal.write(report.markdown(about: arguments.app))
    } else {
      for line in report.lines(about: arguments.app) { terminal.print(line) }
    }
    return excesses.isEmpty ? status : .inputErrors
  }

  /// Compares the app with an older build.
  func compare(with older: AppFiles, at path: ByteString) throws(CommandFailure) -> ExitStatus {
    let limit = try growthLimit()
    let budget = try readBudget(arguments.budget)
    let (before, firstStatus) = read(older, .full)
    let (after, secondStatus) = read(files, .full)
    let changes = AppChanges(from: before, to: after)
    var excesses = excesses(of: after, over: budget)
    for excess in limit.map({ changes.excesses(over: $0) }) ?? [] {
      excesses.append("\(excess)")
      diagnose(error: "\(excess)")
    }
    if arguments.isJSON {
      var members: [JSONOutput.Member] = [
        .init("before", before.json(excesses: [])), .init("after", after.json(excesses: [])),
        .init("changes", changes.json),
      ]
      if !excesses.isEmpty {
        members.append(.init("excesses", .array(excesses.map { .string($0) })))
      }
      terminal.print(JSONOutput.object(members).text)
    } else if arguments.isMarkdown {
      terminal.write(changes.markdown(from: path, to: arguments.app))
    } else {
      for line in changes.lines(from: path, to: arguments.app) { terminal.print(line) }
    }
    return excesses.isEmpty && firstStatus == .fine ? secondStatus : .inputErrors
  }

  private func growthLimit() throws(CommandFailure) -> GrowthLimit? {
    guard let text = arguments.maximumGrowth else { return nil }
    guard let limit = GrowthLimit(text) else {
      throw .usage("--max-growth takes a size such as 200KB or a share such as 2%, not '\(text)'")
    }
    return limit
  }

  /// Names the limits of a budget that are exceeded, and those that limit nothing.
  private func excesses(of report: AppReport, over budget: SizeBudget?) -> [String] {
    guard let budget else { return [] }
    let idle = budget.idleLimits(among: LimitedNames(assets: report.assetNames))
    let excesses = idle.map(\.sentence) + report.excesses(over: budget).map { onOneLine("\($0)") }
    for excess in excesses { diagnose(error: excess) }
    return excesses
  }

  private func diagnose(error: String) {
    terminal.diagnose("\(terminal.tinted("error:", .red)) \(error)")
  }

  // MARK: Files

  /// Writes the page of the app: the report, and the page of each archive that can be read.
  func writePage(to path: ByteString) throws(CommandFailure) -> ExitStatus {
    let budget = try readBudget(arguments.budget)
    let (report, status) = read(files, .full)
    let excesses = excesses(of: report, over: budget)
    let names = zip(report.archives, report.archiveNames)
    let archives = names.filter { $0.0.sizes != nil }
    let page = AppPage(
      title: onOneLine(lastComponent(withoutTrailingSlashes(arguments.app))),
      archives: archives.map { AppPage.Archive(path: $0.0.path, name: $0.1) },
      report: report.json(excesses: excesses))
    var troubles: [AppTrouble] = []
    let size = try writing { () throws(OutputError) in
      var output = try OutputFile(path: path)
      try output.append(page.head)
      for (number, (archive, _)) in archives.enumerated() {
        terminal.progress(onOneLine(archive.path))
        let data: PageData
        do throws(AppTrouble) { data = try pageData(of: archive) } catch {
          troubles.append(error)
          try output.append(page.fault(onOneLine(error.reason), number: number))
          continue
        }
        try page.write(data, number: number) { (bytes) throws(OutputError) in
          try output.append(bytes)
        }
      }
      try output.append(page.end)
      let size = output.byteCount
      try output.commit()
      return size
    }
    terminal.progress("")
    diagnose(troubles)
    terminal.print("\(path): \(counted(archives.count, "archive")), \(grouped(size)) bytes")
    return excesses.isEmpty && troubles.isEmpty ? status : .inputErrors
  }

  private func pageData(of archive: AppArchive) throws(AppTrouble) -> PageData {
    guard let index = files.index(of: archive.path) else {
      throw AppTrouble(path: archive.path, reason: FileError.notFound.reason)
    }
    let bytes = try files.read(index)
    var options = PreviewOptions(title: onOneLine(archive.path))
    options.longestSide = PreviewOptions.thumbnailSide
    do throws(CatalogError) {
      return try bytes.withUnsafeBufferPointer { (file) throws(CatalogError) in
        try PageData(of: UnsafeRawBufferPointer(file), options)
      }
    } catch {
      throw AppTrouble(path: archive.path, reason: "\(error)")
    }
  }

  func writeIcon(to path: ByteString) throws(CommandFailure) -> ExitStatus {
    let style: Style = arguments.style.flatMap { Style(named: $0) } ?? .any
    let (report, status) = read(files, .list)
    let icon: [UInt8]
    do throws(IconTrouble) { icon = try files.icon(of: report, style: style) } catch {
      throw .input("\(arguments.app): \(error)")
    }
    try writeFile(icon, to: path)
    terminal.print("\(path): \(grouped(icon.count)) bytes")
    return status
  }

  /// Writes a description of each archive below a folder, in the folders of the app.
  func describe(_ form: String) throws(CommandFailure) -> ExitStatus {
    let folder = withoutTrailingSlashes(arguments.output ?? "")
    let (report, status) = read(files, .list)
    let writer = ExtractionWriter(folder: folder, terminal: terminal)
    var troubles: [AppTrouble] = []
    for archive in report.archives {
      guard let index = files.index(of: archive.path) else { continue }
      let bytes: [UInt8]
      do throws(AppTrouble) { bytes = try files.read(index) } catch {
        troubles.append(error)
        continue
      }
      let description = ArchiveDescription(path: archive.path, jobs: jobs, writer: writer)
      troubles += try bytes.withUnsafeBufferPointer { (buffer) throws(CommandFailure) in
        let file = UnsafeRawBufferPointer(buffer)
        return form == DescriptionForm.sentry.rawValue
          ? try description.writeParsedAssets(file) : try description.writeInfo(file)
      }
    }
    terminal.progress("")
    diagnose(troubles)
    terminal.print("\(folder): \(counted(writer.count, "file"))")
    return troubles.isEmpty ? status : .inputErrors
  }
}

/// The description of one archive of an app.
private struct ArchiveDescription {
  let path: ByteString
  let jobs: Int
  let writer: ExtractionWriter

  /// The JSON file: Assets.json beside the place of Assets.car.
  private var list: ByteString {
    joined(parentFolder(path), withoutExtension(lastComponent(path)) + ".json")
  }

  private func trouble(_ name: ByteString, _ reason: String) -> AppTrouble {
    AppTrouble(path: path, reason: "\(quoted(name)): \(reason)")
  }

  /// Writes the rows and pictures of sentry-cli. Returns what cannot be read.
  func writeParsedAssets(
    _ file: UnsafeRawBufferPointer
  ) throws(CommandFailure) -> [AppTrouble] {
    let assets: ParsedAssets
    do throws(ExtractError<CommandFailure>) {
      assets = try parsedAssets(file, at: path, jobs: jobs) {
        [path, writer] (picture) throws(CommandFailure) in
        let place = joined(parentFolder(path), picture.path)
        try writer.write(ExtractedFile(path: place, bytes: picture.bytes))
      }
    } catch {
      switch error {
      case .format(let error): return [AppTrouble(path: path, reason: "\(error)")]
      case .body(let failure): throw failure
      }
    }
    try writer.write(ExtractedFile(path: list, bytes: Array(assets.rows.text.utf8)))
    return assets.skipped.filter(\.isDamage).map { trouble($0.name, $0.reason) }
  }

  /// Writes the report of `assetutil -I`. Returns what cannot be read.
  func writeInfo(_ file: UnsafeRawBufferPointer) throws(CommandFailure) -> [AppTrouble] {
    let report: ArchiveReport
    do throws(FormatError) { report = try ArchiveReport(try Archive(file)) } catch {
      return [AppTrouble(path: path, reason: "\(error)")]
    }
    let json = report.json(isDump: true)
    let text = json.output.spacedText + "\n"
    try writer.write(ExtractedFile(path: list, bytes: Array(text.utf8)))
    return json.damaged.map { trouble($0.name, "\($0.error)") }
  }
}
