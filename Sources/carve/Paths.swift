// Where commands write: folders stand for the file inside of them.

import Bytes
import CPosix
import CatalogCompiler
import CommandLineKit
import Host

/// A folder, or a path that ends like one, means the Assets.car in it, or what else is made.
func archivePath(_ path: ByteString, named name: ByteString = "Assets.car") -> ByteString {
  if path.endsWithSlash { return path + name }
  return isFolder(path) ? joined(path, name) : path
}

/// The archive that `-o` means, in a folder that is there: one that is named with a slash at its end is
/// made. Where nothing can be written is noticed before any work is done.
func outputArchive(
  _ path: ByteString, named name: ByteString = "Assets.car", _ terminal: Terminal
) throws(CommandFailure) -> ByteString {
  let archive = archivePath(path, named: name)
  if archive.withCString({ carve_is_special($0) }) { return archive }
  let folder = OutputFile.folder(of: archive)
  if isInCatalog(folder) {
    throw .usage(
      "\(archive) would lie in a catalogue, which is read and not written; name another place")
  }
  if path.endsWithSlash {
    try writing { () throws(OutputError) in try OutputSet().makeFolder(folder) }
  }
  guard folder.withCString({ access($0, W_OK | X_OK) }) == 0 else {
    throw .inputOutput("\(archive): cannot create: \(String(cString: strerror(carve_errno())))")
  }
  if archive == path, lastComponent(path) != "", !lastComponent(path).contains(UInt8(ascii: ".")),
    path.withCString({ access($0, F_OK) }) != 0
  {
    let what = pathExtension(name) == "caro" ? "object" : "archive"
    terminal.diagnose("note: \(path) is the \(what) itself; '\(path)/' means \(path)/\(name)")
  }
  return archive
}

/// Whether a folder, which need not be there, is a catalogue or lies in one.
private func isInCatalog(_ folder: ByteString) -> Bool {
  let path = (try? FileTree.disk.realPath(folder)) ?? folder
  return path.components.contains {
    $0.hasSuffix(".xcassets") || $0.hasSuffix(".xcstickers")
  }
}

/// Says of catalogues that are not there what every command says of a file.
func checkCatalogs(_ paths: [ByteString]) throws(CommandFailure) {
  for path in paths {
    do throws(FileError) {
      if try FileTree.disk.status(path).kind == .folder { continue }
    } catch {
      throw CommandFailure(error, reading: path)
    }
    if let failure = CommandFailure.object(in: path) { throw failure }
  }
}

func isFolder(_ path: ByteString) -> Bool {
  var status = stat()
  return path.withCString({ stat($0, &status) }) == 0 && carve_is_folder(&status)
}

/// Whether every path leads to a folder. Throws if the system does not say.
func areFolders(_ paths: [ByteString]) throws(CommandFailure) -> Bool {
  for path in paths where !isFolder(path) {
    do throws(FileError) {
      if try FileTree.disk.status(path).kind != .folder { return false }
    } catch {
      if error == .notFound || error == .notAFolder { return false }
      throw CommandFailure(error, reading: path)
    }
  }
  return true
}

extension Terminal {
  /// A line about an archive that was written. It is no result where that may be the archive itself:
  /// nothing else belongs into a pipe that gets one.
  func summarize(_ archive: ByteString, _ line: String) {
    if archive.withCString({ carve_is_special($0) }) { diagnose(line) } else { print(line) }
  }
}

/// Makes an archive newer than what it was made of, also where its bytes were there before.
func touch(_ path: ByteString) throws(CommandFailure) {
  // A device or a pipe keeps no archive.
  if path.withCString({ carve_is_special($0) }) || path.withCString({ carve_touch($0) }) == 0 {
    return
  }
  throw .system("set the time of \(path)")
}

extension Option {
  /// `--touch`, of commands that leave an output whose bytes are there untouched.
  static func touch(_ field: Field<Bool>) -> Option {
    .flag(
      "touch", field,
      help: "set the time of the archive even where its bytes did not change, for make")
  }
}

/// Writes a small file like any other output: whole or not at all. What can be made again of another file
/// need not survive that the power goes.
func writeFile(
  _ bytes: [UInt8], to path: ByteString, survivesPowerCut: Bool = true
) throws(CommandFailure) {
  try writing { () throws(OutputError) in
    var file = try OutputFile(path: path, survivesPowerCut: survivesPowerCut)
    try file.append(bytes)
    try file.commit()
  }
}
