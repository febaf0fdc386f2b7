// The outputs of a run that writes several files. All of them are complete on the disk before the
// first one gets its name. OutputFile.swift writes each one.
//
//     commit                                  a kill here leaves
//       prepare report, symbols, archive      all old files
//       place report                          a new report; the others are old
//       place symbols                         new report and symbols; an old archive
//       place archive                         all new files
//       remove files of earlier runs
//
// Every single file is old or new, never half. The archive is last, so after a kill it is older
// than its sources, and make runs the command again. A failure for lack of space happens in the
// first step, when all old files are still in place.

import Bytes
import CPosix

/// A file that is complete but has no name yet.
package struct PreparedOutput {
  package let path: ByteString
  package let identity: FileIdentity
  /// A function that passes the bytes of the file piece by piece to its argument. It returns false
  /// if they cannot be read back.
  package let read: ((UnsafeRawBufferPointer) -> Void) -> Bool
}

/// Files of one run that belong together. None of them is visible before `commit`, and none is
/// placed if one of them could not be written. They get their names in an order on which make can
/// rely: the archive last, so that a new archive implies that the other files are new. Files are
/// removed after all others are placed.
package final class OutputSet {
  /// A class, because an array cannot contain a non-copyable value.
  private final class Entry {
    let path: ByteString
    var file: OutputFile?
    var isNew = false
    let isArchive: Bool

    init(_ file: consuming OutputFile, isArchive: Bool) {
      path = file.path
      self.isArchive = isArchive
      self.file = consume file
    }
  }

  private var entries: [Entry] = []
  private var stale: [ByteString] = []
  private var folders: Set<ByteString> = []
  /// Whether the files are synced to the disk before they get their names.
  package let survivesPowerCut: Bool
  /// Whether the run is a trial: its files are complete for a moment, and none gets a name.
  private let isTrial: Bool

  package init(survivesPowerCut: Bool = true, isTrial: Bool = false) {
    (self.survivesPowerCut, self.isTrial) = (survivesPowerCut, isTrial)
  }

  /// The paths of the files, in the order in which they were added.
  package var paths: [ByteString] { entries.map(\.path) }

  /// Adds a complete file. Archives get their names after all other files. The first archive is the
  /// run's own; it is placed last.
  package func add(_ file: consuming OutputFile, isArchive: Bool = false) {
    entries.append(Entry(file, isArchive: isArchive))
  }

  /// Returns the bytes of a file that was added and has no name yet, mapped into memory.
  package func mapped(_ path: ByteString) throws(OutputError) -> MappedScratch {
    guard let file = try entries.last(where: { $0.path == path })?.file?.mapped() else {
      throw OutputError(operation: "read", path: path, code: EBADF)
    }
    return file
  }

  /// Creates a file, which the caller fills and then adds.
  func file(
    at path: ByteString, isKnownToDiffer: Bool = false
  ) throws(OutputError) -> OutputFile {
    if isTrial { return try OutputFile(ScratchFile(), as: path) }
    return try OutputFile(
      path: path, survivesPowerCut: survivesPowerCut, isKnownToDiffer: isKnownToDiffer)
  }

  /// Adds a file with these bytes.
  package func write(_ bytes: [UInt8], to path: ByteString) throws(OutputError) {
    var file = try file(at: path)
    try file.append(bytes)
    add(file)
  }

  /// Removes a file of an earlier run after the new files are placed.
  package func remove(_ path: ByteString) { stale.append(path) }

  /// Makes a folder, and the folders above it if they do not exist.
  package func makeFolder(_ path: ByteString) throws(OutputError) {
    guard !isTrial, folders.insert(path).inserted, path.withCString({ mkdir($0, 0o777) }) != 0
    else { return }
    var code = carve_errno()
    if code == ENOENT, OutputFile.folder(of: path) != path {
      try makeFolder(OutputFile.folder(of: path))
      code = path.withCString({ mkdir($0, 0o777) }) == 0 ? 0 : carve_errno()
    }
    if code == 0 || code == EEXIST { return }
    throw OutputError(operation: "create", path: path, code: code)
  }

  /// Puts every file in its place, except files whose bytes are already there. Calls `inspect` with
  /// each file before it gets its name, if it can be read back.
  package func commit(
    _ inspect: (PreparedOutput) -> Void = { _ in }
  ) throws(OutputError) {
    if isTrial { return }
    try checkPlaces()
    for entry in entries {
      entry.isNew = try entry.file?.prepare() ?? false
    }
    for entry in entries {
      guard let identity = entry.file?.identity else { continue }
      inspect(
        PreparedOutput(path: entry.path, identity: identity) { entry.file?.read($0) ?? false })
    }
    for entry in entries.filter({ !$0.isArchive }) + entries.filter(\.isArchive).reversed() {
      guard let file = entry.file.take() else { continue }
      try file.place(entry.isNew)
    }
    for path in stale where !paths.contains(path) { try removeOutput(path, survivesPowerCut) }
  }

  /// Throws if two files have the same place, because the first would be lost.
  private func checkPlaces() throws(OutputError) {
    var seen: Set<[UInt8]> = []
    for entry in entries where entry.file?.keepsBytes == true {
      guard seen.insert(realPlace(entry.path)).inserted else {
        throw OutputError(
          operation: "write two outputs to the same place", path: entry.path, code: EEXIST)
      }
    }
  }
}

/// Removes a file of an earlier run and syncs its folder. It is no failure if the file does not
/// exist.
package func removeOutput(
  _ path: ByteString, _ survivesPowerCut: Bool = true,
  syncing sync: (ByteString) -> Void = { $0.withCString { carve_sync_folder($0) } }
) throws(OutputError) {
  if path.withCString({ unlink($0) }) != 0 {
    let code = carve_errno()
    if code == ENOENT { return }
    throw OutputError(operation: "remove", path: path, code: code)
  }
  if survivesPowerCut { sync(OutputFile.folder(of: path)) }
}

// MARK: - Outputs with one place

// Finds files of a run that are the same file: two outputs with one place, one of which would be
// lost, and outputs that would replace an input. Every command checks this before it writes
// anything.

/// A file or folder of a run, and its name on the command line: an option, or a word for an
/// operand.
package struct NamedFile: Sendable, Hashable {
  package var option: String
  package var path: ByteString

  /// Returns nil if the option is not given.
  package init?(_ option: String, _ path: ByteString?) {
    guard let path else { return nil }
    self.init(option, path)
  }

  package init(_ option: String, _ path: ByteString) {
    self.option = option
    self.path = path
  }

  fileprivate var words: String { "\(option) \(path)" }
}

/// An output that would be lost, or that would replace an input.
package struct OutputClash: Error, Sendable, Hashable {
  package enum Reason: Sendable, Hashable { case sameOutput, isInput, inInput }

  package var output: NamedFile
  package var other: NamedFile
  package var reason: Reason

  package var message: String {
    switch reason {
    case .sameOutput:
      "\(other.words) and \(output.words) are the same file; give each output a file of its own"
    case .isInput:
      "\(output.words) and \(other.words) are the same file; choose another place for the output"
    case .inInput:
      "\(output.words) would lie in \(other.words), which is an input; choose another place for "
        + "the output"
    }
  }
}

/// Throws if two outputs are one file, or if an output is an input or lies in an input folder.
/// Compares paths without links, and the device and inode numbers of existing files. A device that
/// keeps no bytes, such as /dev/null, may be named several times.
package func checkOutputs(
  _ outputs: [NamedFile], inputs: [NamedFile]
) throws(OutputClash) {
  let read = inputs.map { (file: $0, place: FilePlaceOnDisk($0.path)) }
  var written: [(file: NamedFile, place: FilePlaceOnDisk)] = []
  for output in outputs {
    let place = FilePlaceOnDisk(output.path)
    if place.keepsNothing { continue }
    for (other, there) in written where there.isSame(as: place) {
      throw OutputClash(output: output, other: other, reason: .sameOutput)
    }
    for (input, there) in read {
      if there.isSame(as: place) {
        throw OutputClash(output: output, other: input, reason: .isInput)
      }
      if there.isFolder, place.path.starts(with: there.path + [UInt8(ascii: "/")]) {
        throw OutputClash(output: output, other: input, reason: .inInput)
      }
    }
    written.append((output, place))
  }
}

/// The file to which a path leads.
private struct FilePlaceOnDisk {
  /// The absolute path without links.
  let path: [UInt8]
  private var file: (device: UInt64, inode: UInt64)?
  private(set) var isFolder = false
  private(set) var keepsNothing = false

  init(_ given: ByteString) {
    path = realPlace(given)
    var status = stat()
    guard given.withCString({ stat($0, &status) }) == 0 else { return }
    file = (UInt64(status.st_dev), UInt64(status.st_ino))
    isFolder = carve_is_folder(&status)
    keepsNothing = carve_is_character_device(&status)
  }

  func isSame(as other: FilePlaceOnDisk) -> Bool {
    if path == other.path { return true }
    guard let file, let others = other.file else { return false }
    return file == others
  }
}

/// Returns the absolute path without links to which a path leads. Components that do not exist are
/// kept as they are written.
package func realPlace(_ path: ByteString) -> [UInt8] {
  let slash = UInt8(ascii: "/")
  var place: [UInt8] = []
  let given = path.bytes
  if given.first != slash, let current = carve_real_path(".") {
    place = Array(UnsafeRawBufferPointer(start: current, count: strlen(current)))
    if place == [slash] { place = [] }
    free(current)
  }
  // The components that are not followed yet, the next one last.
  var waiting: [ArraySlice<UInt8>] = given.split(separator: slash).reversed()
  var linksLeft = FileTree.mostLinks
  while let name = waiting.popLast() {
    if name.elementsEqual(".".utf8) { continue }
    if name.elementsEqual("..".utf8) {
      if let last = place.lastIndex(of: slash) { place.removeSubrange(last...) }
      continue
    }
    let inner = place + [slash] + name
    guard linksLeft > 0, let target = target(ofLink: inner) else {
      place = inner
      continue
    }
    linksLeft -= 1
    if target.first == slash { place = [] }
    waiting += target.split(separator: slash).reversed()
  }
  return place.isEmpty ? [slash] : place
}

/// Returns the path in a symbolic link; nil if the path is not a link.
package func target(ofLink path: ByteString) -> ByteString? {
  target(ofLink: path.bytes).map { ByteString(bytes: $0) }
}

private func target(ofLink path: [UInt8]) -> [UInt8]? {
  if path.contains(0) { return nil }
  var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
  let name = path.map { CChar(bitPattern: $0) } + [0]
  let count = readlink(name, &buffer, buffer.count)
  return count > 0 ? buffer.prefix(count).map { UInt8(bitPattern: $0) } : nil
}
