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
  /// The folders that were made, in order.
  private var madeFolders: [ByteString] = []
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
    guard !isTrial, folders.insert(path).inserted else { return }
    func make() -> Int32 {
      if path.withCString({ mkdir($0, 0o777) }) != 0 { return carve_errno() }
      madeFolders.append(path)
      return 0
    }
    var code = make()
    if code == ENOENT, parentFolder(path) != path {
      try makeFolder(parentFolder(path))
      code = make()
    }
    if code == 0 || code == EEXIST { return }
    throw OutputError(operation: "create", path: path, code: code)
  }

  /// Gives up the files, and removes the folders that were made if nothing is in them.
  package func discard() {
    entries = []
    for folder in madeFolders.reversed() { _ = folder.withCString { rmdir($0) } }
    madeFolders = []
  }

  /// Puts every file in its place, except files whose bytes are already there. Calls `inspect` with
  /// each file before it gets its name, if it can be read back.
  package func commit(
    _ inspect: (PreparedOutput) -> Void = { _ in }
  ) throws(OutputError) {
    if isTrial { return }
    try checkDifferentPlaces()
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
  private func checkDifferentPlaces() throws(OutputError) {
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
    if code == ENOENT || code == ENOTDIR { return }
    throw OutputError(operation: "remove", path: path, code: code)
  }
  if survivesPowerCut { sync(parentFolder(path)) }
}
