// The outputs of one run that has several: all of them are whole beside their places before the first
// gets its name. What one output is, and how it gets there, is OutputFile's business.

import Bytes
import CPosix

/// A file that has all its bytes, and no name yet.
package struct PreparedOutput {
  package let path: ByteString
  package let identity: FileIdentity
  /// Shows its bytes piece by piece; false where they cannot be had.
  package let read: ((UnsafeRawBufferPointer) -> Void) -> Bool
}

/// Files of one run that belong together. Nothing of them is seen before `commit`, and nothing ever
/// if one of them could not be written. They get their names in an order that make can trust: what a run has
/// beside its archive first and the archive last, so that a new archive stands for all of it. What goes, goes
/// after all have come.
package final class OutputSet {
  /// An array cannot hold what is not copyable.
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
  /// Whether the files are on the disk for good when they get their names.
  package let survivesPowerCut: Bool

  package init(survivesPowerCut: Bool = true) { self.survivesPowerCut = survivesPowerCut }

  /// In the order in which they were added.
  package var paths: [ByteString] { entries.map(\.path) }

  /// Adds a file that has all its bytes. Archives get their names after all other files; of several the first
  /// one, which is the run's own, last.
  package func add(_ file: consuming OutputFile, isArchive: Bool = false) {
    entries.append(Entry(file, isArchive: isArchive))
  }

  /// Adds a file of these bytes.
  package func write(_ bytes: [UInt8], to path: ByteString) throws(OutputError) {
    var file = try OutputFile(path: path, survivesPowerCut: survivesPowerCut)
    try file.append(bytes)
    add(file)
  }

  /// What an earlier run put there, and this one does not, goes when the others have come.
  package func remove(_ path: ByteString) { stale.append(path) }

  /// Makes a folder with all that it lies in; those that are there stay.
  package func makeFolder(_ path: ByteString) throws(OutputError) {
    guard folders.insert(path).inserted, path.withCString({ mkdir($0, 0o777) }) != 0 else { return }
    var code = carve_errno()
    if code == ENOENT, OutputFile.folder(of: path) != path {
      try makeFolder(OutputFile.folder(of: path))
      code = path.withCString({ mkdir($0, 0o777) }) == 0 ? 0 : carve_errno()
    }
    if code == 0 || code == EEXIST { return }
    throw OutputError(operation: "create", path: path, code: code)
  }

  /// Puts every file in its place; those whose bytes are there stay untouched.
  /// `inspect` sees each before it gets its name, as long as it can be read back.
  package func commit(
    _ inspect: (PreparedOutput) -> Void = { _ in }
  ) throws(OutputError) {
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

  /// Two files for one place: the first would be lost.
  private func checkPlaces() throws(OutputError) {
    var seen: Set<[UInt8]> = []
    for entry in entries where entry.file?.keepsBytes == true {
      guard seen.insert(realPlace(entry.path)).inserted else {
        throw OutputError(
          operation: "write a second output to one place", path: entry.path, code: EEXIST)
      }
    }
  }
}

/// Removes what an earlier run has written, and has the folder synced. That nothing is there is no failure.
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
