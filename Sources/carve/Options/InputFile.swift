// The input of a command: an archive, a bundle with one, or catalogues that are compiled first.

import Builds
import Bytes
import CPosix
import CarveRuntime
import CatalogCompiler
import CatalogModel
import CommandLineKit
import Documents
import Host
import Queries
import Traits

/// Calls `body` with the bytes of an archive. A folder is first compiled to an unnamed temporary
/// file.
func withInput(
  _ path: ByteString, _ arguments: some CatalogCompiling, for platform: Platform? = nil,
  _ terminal: Terminal, refused: ([Diagnostic]) -> Void = { _ in },
  _ body: (UnsafeRawBufferPointer) throws(CommandFailure) -> ExitStatus
) throws(CommandFailure) -> ExitStatus {
  try withInput([path], arguments, for: platform, terminal, refused: refused, body)
}

/// Calls `body` with the bytes of one archive, or of the archive that several catalogues are
/// compiled into. Calls `refused` with the findings if the catalogues have errors.
func withInput(
  _ paths: [ByteString], _ arguments: some CatalogCompiling, for platform: Platform? = nil,
  _ terminal: Terminal, refused: ([Diagnostic]) -> Void = { _ in },
  _ body: (UnsafeRawBufferPointer) throws(CommandFailure) -> ExitStatus
) throws(CommandFailure) -> ExitStatus {
  let options = try arguments.compiling.options(or: platform)
  if paths.count == 1, let archive = archiveInBundle(paths[0]) {
    let file = try openFile(archive)
    return try body(file.bytes)
  }
  if try !areFolders(paths), let path = paths.first(where: { !isFolder($0) }) {
    guard paths.count == 1 else {
      throw .usage("\(path) is not a catalogue; only catalogues can be combined")
    }
    let file = try openFile(path)
    return try body(file.bytes)
  }
  let whole = try unthinnedArchive()
  defer { withExtendedLifetime(whole) {} }
  var build = Build(.archive(of: paths), options)
  try arguments.makeProduct(
    of: &build, in: whole, terminal,
    consequence: paths.count == 1
      ? "the catalogue cannot be read" : "the catalogues cannot be read")
  if build.report.isRefused {
    refused(build.report.diagnostics)
    return .inputErrors
  }
  return try body(try bytes(of: whole))
}

extension CatalogCompiling {
  /// Returns the files from which two versions of catalogues are made; nil if a side is an archive.
  func unchangedSources(
    before: [ByteString], after: [ByteString]
  ) throws(CommandFailure) -> UnchangedSources? {
    guard try areFolders(before), try areFolders(after),
      (before + after).allSatisfy({ archiveInBundle($0) == nil })
    else { return nil }
    return UnchangedSources(before: try tables(of: before), after: try tables(of: after))
  }

  private func tables(of catalogs: [ByteString]) throws(CommandFailure) -> [CandidateTable] {
    let platform = try compiling.target().platform
    let options = try compiling.queryOptions()
    var tables: [CandidateTable] = []
    for catalog in catalogs {
      let witness = WitnessedTree(.disk)
      let source = try queried { () throws(QueryError) in
        try CandidateSource(catalog: catalog, options, in: witness.tree)
      }
      tables.append(source.table(for: platform))
      if let trouble = witness.trouble { throw CommandFailure(trouble) }
    }
    return tables
  }
}

/// Returns the archive of an app, a framework or a bundle; nil if the path is not a folder with
/// one. Apps for the Mac have a folder for their resources. The bundles of packages for the Mac
/// have one since Xcode 27.
func archiveInBundle(_ path: ByteString) -> ByteString? {
  let kind = pathExtension(withoutTrailingSlashes(path))
  guard isFolder(path), !["", "xcassets", "xcstickers", "icon"].contains(kind) else { return nil }
  return ["Contents/Resources/Assets.car", "Resources/Assets.car", "Assets.car"]
    .map { joined(path, $0) }
    .first { (try? FileTree.disk.status($0))?.kind == .file }
}

/// A mapped input. If another program changes it, the command fails (`changedInput`).
struct InputFile: ~Copyable, Sendable {
  private let file: MappedFile
  private let number: Int32

  fileprivate init(_ path: ByteString) throws(CatalogError) {
    file = try MappedFile(at: path)
    // A change within a step of the clock for files would not change the time of the file.
    _ = FileIdentity(path)?.settles()
    let message = "\(onOneLine(path)) changed while it was read; run the command again"
    number = carve_add_input(file.descriptor, file.bytes.count, message)
  }

  deinit { carve_close_input(number) }

  var bytes: UnsafeRawBufferPointer { file.bytes }
}

/// Returns the failure of a command that reads an input which has changed; nil if none has.
func changedInput() -> CommandFailure? {
  carve_changed_input().map { .inputOutput(String(cString: $0)) }
}

/// Maps a file, or the archive in a bundle.
func openFile(_ given: ByteString) throws(CommandFailure) -> InputFile {
  let path = archiveInBundle(given) ?? given
  do throws(CatalogError) {
    return try InputFile(path)
  } catch {
    throw CommandFailure(error, in: path)
  }
}

/// Returns the bytes of a file that an option names.
func readFile(_ path: ByteString, atMost limit: Int) throws(CommandFailure) -> [UInt8] {
  do throws(FileError) {
    return try FileTree.disk.read(path, limit)
  } catch {
    throw CommandFailure(error, reading: path)
  }
}

/// Creates the temporary file of an archive that is only needed during the command.
func unthinnedArchive() throws(CommandFailure) -> UnthinnedArchive {
  try writing { () throws(OutputError) in try UnthinnedArchive() }
}

/// Returns the bytes of a compiled archive.
func bytes(of whole: UnthinnedArchive) throws(CommandFailure) -> UnsafeRawBufferPointer {
  do throws(FileError) { return try whole.bytes() } catch {
    throw CommandFailure(error, reading: whole.name)
  }
}

extension String {
  var droppingLastNewline: String { hasSuffix("\n") ? String(dropLast()) : self }
}
