// `carve extract`: writes the contents of an archive as ordinary files, or as catalogues.

import ArchiveTools
import Builds
import Bytes
import CPosix
import CatalogCompiler
import CatalogModel
import CommandLineKit
import Documents
import Host
import Synchronization

struct ExtractArguments: Sendable {
  var archive: ByteString = ""
  var output: ByteString?
  /// The folder for catalogues; nil if ordinary files are written.
  var catalog: ByteString?
  var isJSON = false
  var drawingScale: Int?
  var jobs: Int?
}

let extractCommand = Command(
  "extract", summary: "Write the contents of an archive as files",
  discussion: """
    Makes a folder for each asset and writes its renditions into it: pictures as PNG, not \
    premultiplied, and cut out of their atlases; colours as JSON; data sets, vectors, JPEG and \
    HEIF files as the archive stores them. With --png, each vector is drawn too, at any scale, \
    into a PNG beside it; carve info lists the features that a drawing leaves out. Files have the \
    names of their sources, made safe; if two files of an asset have the same name, words for \
    their variants are added. Renditions without a file, such as the table of an icon's sizes, are \
    counted; damaged renditions are named, and the command exits with 1. A folder that does not \
    exist yet appears whole or not at all.

    With --catalog, writes catalogues instead, from which 'carve compile' makes an equal archive: \
    sets with all their slots, slices, insets and properties, groups for namespaces, layered icons \
    beside the catalogue. The folder appears whole or not at all, and must be new or empty. The \
    report lists what the archive does not tell, and the command line that compiles the \
    catalogues.
    """,
  defaults: ExtractArguments(),
  operands: [.one(.archive, \.archive, help: "the archive")],
  options: [
    .folder("output", short: "o", "DIR", \.output, help: "the folder to write into"),
    .folder(
      "catalog", "DIR", \.catalog,
      help: "write catalogues into a new folder, instead of ordinary files"),
    .flag("json", \.isJSON, help: "with --catalog, print what the archive does not tell as JSON"),
    .number(
      "png", "SCALE", in: 1...64, \.drawingScale,
      help: "draw vectors too, at SCALE pixels per point"),
    .number("jobs", short: "j", "N", in: 1...256, \.jobs, help: "use N processors"),
  ],
  examples: [
    Example("carve extract Assets.car -o assets", "write everything into assets/"),
    Example("carve extract Assets.car -o assets --png 8", "draw vectors too, eight times as large"),
    Example("carve extract Assets.car --catalog sources", "write catalogues into sources/"),
  ]
) { (arguments, terminal) throws(CommandFailure) in
  if let folder = arguments.catalog { return try recover(arguments, into: folder, terminal) }
  guard let folder = arguments.output else {
    throw .usage("--output DIR or --catalog DIR is missing")
  }
  if arguments.isJSON { throw .usage("--json needs --catalog") }
  return try withArchiveBytes(arguments.archive) { (bytes) throws(CommandFailure) in
    let writer = try ExtractionWriter(wholeFolder: folder, terminal: terminal)
    let skipped: [SkippedRendition]
    do throws(ExtractError<CommandFailure>) {
      skipped = try extractArchive(
        bytes, drawingScale: arguments.drawingScale, jobs: arguments.jobs ?? availableProcessors()
      ) { (file) throws(CommandFailure) in try writer.write(file) }
    } catch {
      switch error {
      case .format(let error): throw CommandFailure(error, in: arguments.archive)
      case .body(let failure): throw failure
      }
    }
    try writer.finish()
    terminal.progress("")
    return report(skipped, of: arguments.archive, writer.count, folder, terminal)
  }
}

/// Writes catalogues of an archive, and prints what the archive does not tell.
private func recover(
  _ arguments: ExtractArguments, into folder: ByteString, _ terminal: Terminal
) throws(CommandFailure) -> ExitStatus {
  if arguments.output != nil || arguments.drawingScale != nil {
    throw .usage("--catalog cannot be combined with --output or --png")
  }
  return try withArchiveBytes(arguments.archive) { (bytes) throws(CommandFailure) in
    let output = try newFolder(folder)
    let report: RecoveryReport
    do throws(ExtractError<OutputError>) {
      report = try recoverCatalogs(of: bytes, jobs: arguments.jobs ?? availableProcessors()) {
        (file) throws(OutputError) in try output.write(file.bytes, to: file.path)
      }
    } catch {
      switch error {
      case .format(let error): throw CommandFailure(error, in: arguments.archive)
      case .body(let error): throw CommandFailure(error)
      }
    }
    try writing { () throws(OutputError) in try output.commit() }
    let text = arguments.isJSON ? report.json(folder).text : report.text(folder).droppingLastNewline
    terminal.print(text)
    return report.hasDamage ? .inputErrors : .fine
  }
}

/// Begins a folder that appears whole or not at all. The folders above it are made.
func newFolder(_ path: ByteString) throws(CommandFailure) -> OutputFolder {
  let parent = parentFolder(withoutTrailingSlashes(path))
  if !isFolder(parent) { try makeFolder(parent) }
  do throws(OutputError) { return try OutputFolder(path) } catch {
    if error.code == ENOTEMPTY || error.code == EEXIST {
      throw .usage("\(path) exists already; name a new or an empty folder")
    }
    throw CommandFailure(error)
  }
}

private func report(
  _ skipped: [SkippedRendition], of archive: ByteString, _ count: Int, _ folder: ByteString,
  _ terminal: Terminal
) -> ExitStatus {
  for rendition in skipped where rendition.isDamage {
    let variant = rendition.variant.isEmpty ? "" : " (\(onOneLine(rendition.variant)))"
    let name = "\"\(onOneLine(rendition.name))\"\(variant)"
    terminal.diagnose("\(onOneLine(archive)): \(name) is damaged: \(rendition.reason)")
  }
  var reasons: [String: Int] = [:]
  for rendition in skipped where !rendition.isDamage { reasons[rendition.reason, default: 0] += 1 }
  for (reason, number) in reasons.sorted(by: { $0.key < $1.key }) {
    terminal.diagnose("left out \(counted(number, "rendition")): \(reason)")
  }
  terminal.print("\(folder): \(counted(count, "file"))")
  return skipped.contains { $0.isDamage } ? .inputErrors : .fine
}

/// A writer of files below a folder, which several threads use at once.
final class ExtractionWriter: Sendable {
  private struct State {
    var count = 0
    /// The folders that exist.
    var folders: Set<ByteString> = []
  }

  private let state = Mutex(State())
  private let folder: ByteString
  /// The folder that appears whole at the end; nil if files are written into one that is there.
  private let whole: OutputFolder?
  private let terminal: Terminal

  init(folder: ByteString, terminal: Terminal) {
    (self.folder, self.terminal, whole) = (folder, terminal, nil)
  }

  /// Begins a folder that appears whole or not at all, if nothing is at its place.
  init(wholeFolder folder: ByteString, terminal: Terminal) throws(CommandFailure) {
    (self.folder, self.terminal) = (folder, terminal)
    let isThere: Bool
    do throws(FileError) { isThere = try FileTree.disk.exists(folder) } catch {
      throw CommandFailure(error, reading: folder)
    }
    if isThere {
      whole = nil
      return
    }
    var folders: Set<ByteString> = []
    if let failure = ExtractionWriter.makeFolders(of: withoutTrailingSlashes(folder), &folders) {
      throw failure
    }
    whole = try newFolder(folder)
  }

  /// Gives a whole folder its name, if it has a file.
  func finish() throws(CommandFailure) {
    guard let whole, count > 0 else { return }
    try writing { () throws(OutputError) in try whole.commit() }
  }

  var count: Int { state.withLock { $0.count } }

  func write(_ file: ExtractedFile) throws(CommandFailure) {
    if let whole {
      try writing { () throws(OutputError) in try whole.write(file.bytes, to: file.path) }
    } else {
      let path: ByteString = "\(folder)/\(file.path)"
      if let failure = state.withLock({ ExtractionWriter.makeFolders(of: path, &$0.folders) }) {
        throw failure
      }
      try writeFile(file.bytes, to: path, survivesPowerCut: false)
    }
    let done = state.withLock { state in
      state.count += 1
      return state.count
    }
    terminal.progress("\(counted(done, "file"))")
  }

  private static func makeFolders(
    of path: ByteString, _ folders: inout Set<ByteString>
  ) -> CommandFailure? {
    var parent: ByteString = ""
    for component in path.split(separator: "/", omittingEmptySubsequences: false).dropLast() {
      parent += parent.isEmpty && component.isEmpty ? "/" : "\(component)/"
      guard folders.insert(parent).inserted else { continue }
      do throws(CommandFailure) { try makeFolder(parent) } catch { return error }
    }
    return nil
  }
}
