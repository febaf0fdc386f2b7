// The paths of outputs. A path of a folder means a file in the folder.

import Bytes
import CPosix
import CommandLineKit
import Host

/// Returns the path of an output. A folder, or a path that ends with a slash, means the file `name`
/// in it, which is Assets.car by default.
func archivePath(_ path: ByteString, named name: ByteString = "Assets.car") -> ByteString {
  if path.endsWithSlash { return path + name }
  return isFolder(path) ? joined(path, name) : path
}

/// Returns the archive that `-o` means, in a folder that exists: a folder that is written with a
/// slash at its end is created. Throws before any work is done if the output cannot be written.
func outputArchive(
  _ path: ByteString, named name: ByteString = "Assets.car", _ terminal: Terminal
) throws(CommandFailure) -> ByteString {
  let archive = archivePath(path, named: name)
  if archive.withCString({ carve_is_special($0) }) { return archive }
  let folder = parentFolder(archive)
  if isInCatalog(folder) {
    throw .usage(
      "\(archive) would lie in a catalogue, which is an input; choose another place")
  }
  if path.endsWithSlash {
    try writing { () throws(OutputError) in try OutputSet().makeFolder(folder) }
  }
  // The dot makes the system say that a file is not a folder.
  guard joined(folder, ".").withCString({ access($0, W_OK | X_OK) }) == 0 else {
    throw .inputOutput("\(archive): cannot create: \(String(cString: strerror(carve_errno())))")
  }
  if archive == path, path != "-", lastComponent(path) != "",
    !lastComponent(path).contains(UInt8(ascii: ".")),
    path.withCString({ access($0, F_OK) }) != 0
  {
    let what = pathExtension(name) == "caro" ? "object" : "archive"
    terminal.diagnose("note: \(path) is the \(what) itself; '\(path)/' means \(path)/\(name)")
  }
  return archive
}

/// Returns whether a folder, which may not exist, is a catalogue or lies in one.
private func isInCatalog(_ folder: ByteString) -> Bool {
  let path = (try? FileTree.disk.realPath(folder)) ?? folder
  return path.components.contains {
    $0.hasSuffix(".xcassets") || $0.hasSuffix(".xcstickers")
  }
}

/// Throws if two outputs are the same file, or if an output is an input of the command.
func checkPlaces(
  _ outputs: [NamedFile?], reading inputs: [NamedFile?]
) throws(CommandFailure) {
  if let output = outputs.compactMap({ $0 }).first(where: { $0.path == "-" }) {
    throw .usage("\(output.option) writes a file, not standard output; ./- names a file like that")
  }
  do throws(OutputClash) {
    try checkOutputs(outputs.compactMap { $0 }, inputs: inputs.compactMap { $0 })
  } catch {
    throw .usage(error.message)
  }
}

extension NamedFile {
  /// Returns the inputs that a command reads without an option.
  static func operands(_ paths: [ByteString]) -> [NamedFile] {
    paths.map { NamedFile("the input", $0) }
  }
}

/// Throws if a catalogue does not exist, with the message that every command gives for a file.
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

/// Throws if a catalogue is given twice: each of its assets would clash with itself.
func checkDifferent(_ catalogs: [ByteString]) throws(CommandFailure) {
  var seen: Set<ByteString> = []
  for catalog in catalogs {
    let place = (try? FileTree.disk.realPath(catalog)) ?? catalog
    if !seen.insert(place).inserted {
      throw .usage("\(catalog) is given twice; name each catalogue once")
    }
  }
}

func isFolder(_ path: ByteString) -> Bool {
  var status = stat()
  return path.withCString({ stat($0, &status) }) == 0 && carve_is_folder(&status)
}

/// Returns whether every path leads to a folder. Throws if the system does not answer.
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
  /// Prints a line about an archive that was written. If the archive may have gone to standard
  /// output, the line goes to standard error: a pipe that receives an archive must receive nothing
  /// else.
  func summarize(_ archive: ByteString, _ line: String) {
    if archive.withCString({ carve_is_special($0) }) { diagnose(line) } else { print(line) }
  }
}

/// Makes an archive newer than its inputs, even if its bytes did not change.
func touch(_ path: ByteString) throws(CommandFailure) {
  // A device or a pipe stores no archive.
  if path.withCString({ carve_is_special($0) }) || path.withCString({ carve_touch($0) }) == 0 {
    return
  }
  throw .system("set the time of \(path)")
}

extension Option {
  /// Returns the option `--touch`, for commands that do not write an output if its bytes are
  /// already there.
  static func touch(_ field: Field<Bool>) -> Option {
    .flag(
      "touch", field,
      help: "set the time of the archive even if its bytes did not change, for make")
  }
}

/// Writes a small file like any other output: completely or not at all. A file that can be made
/// again from another file need not survive a power failure.
func writeFile(
  _ bytes: [UInt8], to path: ByteString, survivesPowerCut: Bool = true
) throws(CommandFailure) {
  try writing { () throws(OutputError) in
    var file = try OutputFile(path: path, survivesPowerCut: survivesPowerCut)
    try file.append(bytes)
    try file.commit()
  }
}

/// Makes a folder unless it exists, and the folders above it. Returns whether it is new.
@discardableResult
func makeFolder(_ path: ByteString) throws(CommandFailure) -> Bool {
  if path.withCString({ mkdir($0, 0o777) }) == 0 { return true }
  let isMissing = carve_errno() == ENOENT
  if carve_errno() == EEXIST { return false }
  let failure = CommandFailure.system("create the folder \(path)")
  let parent = parentFolder(withoutTrailingSlashes(path))
  if isMissing, parent != path, try makeFolder(parent) { return try makeFolder(path) }
  throw failure
}

/// `--index` and `--no-index` of a command that changes an archive.
struct IndexArguments: Sendable {
  var isAdded = false
  var isLeftOut = false

  /// Whether the output has an index; nil if it depends on the input.
  var isWritten: Bool? { isLeftOut ? false : isAdded ? true : nil }
}

protocol IndexWriting: Sendable {
  var index: IndexArguments { get set }
}

extension Option where Arguments: IndexWriting {
  static var indexOptions: [Option] {
    [
      .flag(
        "index", \.index.isAdded, help: "write Carve's lookup index, even if the archive has none"),
      .flag(
        "no-index", \.index.isLeftOut,
        help: "leave out Carve's lookup index; readers then build it when they open the archive"
      ).excluding("index"),
    ]
  }
}
