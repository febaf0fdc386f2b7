// Writes a folder of many files that appears whole or not at all. The files are written below a
// folder with another name beside the place, which is renamed at the end:
//
//     .carve-HASH.folder/…    while the files are written
//     the place               after the rename
//
// A request to end (SIGINT, SIGTERM, SIGHUP) removes the unfinished folder. A run holds a lock on
// it (flock). So a folder under such a name that is not locked was left by a killed run, and the
// next run with this place removes it.

import Bytes
import CPosix
import Synchronization

package final class OutputFolder: Sendable {
  package let path: ByteString
  private let unfinished: ByteString
  private let descriptor: Int32
  /// The index of the unfinished folder among the paths that a signal removes.
  private let leftover: Atomic<Int32>
  private let isPlaced = Atomic<Bool>(false)

  /// Begins a folder. Throws if something is at the place that is no empty folder.
  package init(_ path: ByteString) throws(OutputError) {
    let path = withoutTrailingSlashes(path)
    self.path = path
    let name = UnfinishedName(of: path).path(0) + ".folder"
    unfinished = name
    var code = OutputFolder.obstacle(at: path)
    var (found, noted): (Int32, Int32) = (-1, -1)
    if code == nil {
      holdingSignals {
        (found, code) = OutputFolder.create(name)
        if code == nil { noted = name.withCString(carve_add_leftover) }
      }
    }
    if let code { throw OutputError(operation: "create the folder", path: path, code: code) }
    descriptor = found
    leftover = Atomic(noted)
  }

  /// Creates and locks a folder; a leftover of a run that has ended is emptied. Returns the
  /// system's error number if that fails.
  private static func create(_ name: ByteString) -> (descriptor: Int32, code: Int32?) {
    for _ in 0..<100 {
      let isNew = name.withCString({ mkdir($0, 0o777) }) == 0
      if !isNew, carve_errno() != EEXIST { return (-1, carve_errno()) }
      let found = name.withCString(carve_open_own)
      if found < 0, carve_errno() == ENOENT { continue }
      if found < 0 { return (-1, carve_errno()) }
      if carve_lock(found) != 0, carve_errno() == EWOULDBLOCK {
        close(found)
        return (-1, EBUSY)
      }
      // Before the lock, the run that made the folder may have placed or removed it.
      if name.withCString({ carve_is_same(found, $0) }),
        isNew || name.withCString(carve_remove_contents)
      {
        return (found, nil)
      }
      close(found)
    }
    return (-1, EBUSY)
  }

  deinit {
    if !isPlaced.load(ordering: .relaxed) {
      _ = unfinished.withCString(carve_remove_contents)
      unfinished.withCString { _ = rmdir($0) }
    }
    dropLeftover()
    close(descriptor)
  }

  /// Returns why nothing can be placed; nil if nothing is there, or an empty folder.
  private static func obstacle(at path: ByteString) -> Int32? {
    var status = stat()
    if path.withCString({ lstat($0, &status) }) != 0 {
      let code = carve_errno()
      return code == ENOENT ? nil : code
    }
    guard carve_is_folder(&status) else { return EEXIST }
    guard let folder = path.withCString(carve_open_folder) else { return carve_errno() }
    defer { closedir(folder) }
    while let entry = carve_next_entry(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { ByteString(cString: $0) }
      }
      if name != "." && name != ".." { return ENOTEMPTY }
    }
    return nil
  }

  /// Writes a file. Its path is relative to the folder, and no component of it is "..". Several
  /// threads may call this at once.
  package func write(_ bytes: [UInt8], to relative: ByteString) throws(OutputError) {
    let parts = relative.components
    guard let last = parts.last, !parts.contains(".."), !relative.contains(0) else {
      throw OutputError(operation: "write outside of the folder", path: path, code: EINVAL)
    }
    let place = joined(try makeFolders(Array(parts.dropLast())), last)
    let file = place.withCString(carve_open_new)
    if file < 0 { throw failure("create", relative) }
    defer { close(file) }
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        pwrite(file, $0.baseAddress?.advanced(by: done), $0.count - done, off_t(done))
      }
      if count < 0, carve_errno() == EINTR { continue }
      if count < 0 { throw failure("write", relative) }
      done += count
    }
  }

  private func makeFolders(_ parts: [ByteString]) throws(OutputError) -> ByteString {
    var place = unfinished
    for part in parts {
      place = joined(place, part)
      // Another file may lie in the same folder.
      if place.withCString({ mkdir($0, 0o777) }) != 0, carve_errno() != EEXIST {
        throw failure("create the folder", parts.joined(separator: "/"))
      }
    }
    return place
  }

  private func failure(_ operation: String, _ relative: ByteString) -> OutputError {
    let code = carve_errno()
    return OutputError(operation: operation, path: joined(path, relative), code: code)
  }

  /// Gives the folder its name.
  package func commit() throws(OutputError) {
    try OutputFile.checkInputs(for: path)
    // After the rename, the name may belong to the folder of another run.
    dropLeftover()
    let code = renameFile(unfinished, to: path)
    if code != 0 {
      throw OutputError(operation: "create the folder", path: path, code: carve_errno())
    }
    isPlaced.store(true, ordering: .relaxed)
    parentFolder(path).withCString { carve_sync_folder($0) }
  }

  private func dropLeftover() { carve_drop_leftover(leftover.exchange(-1, ordering: .relaxed)) }
}
