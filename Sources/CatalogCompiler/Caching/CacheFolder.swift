// The folder of a cache: its owner, its size, and the removal of entries if it is too large.
//
//   xx/yyyy…      pictures; xx are the first two digits of the key    PictureCache
//   runs/yyyy…    records of runs                                     RunRecordStore
//   size          the bytes that each run added, as numbers of 8 bytes
//   lock          locked by a run that removes entries
//
// No run depends on an entry, and several runs use the folder at the same time. Every file may be
// removed at any time; a reader that has it open reads it to the end.

import Bytes
import CDeflate
import CPosix
import CatalogModel
import Host

package struct CacheFolder: Sendable {
  package let path: ByteString
  /// The limit for the size of all entries in bytes.
  package let limit: Int

  package static let usualLimit = CompileOptions.usualCacheLimit
  /// The precision of the time of use, in seconds. It is an hour, so that reading an entry rarely
  /// writes.
  static let memoryOfUse = 3_600
  /// The age in seconds after which unfinished files of killed runs are removed.
  private static let oldestUnfinished: Int64 = 86_400

  /// Creates the folder if it is missing; nil if it cannot be used (see `prepare`).
  package init?(_ path: ByteString, limit: Int = CacheFolder.usualLimit) {
    if CacheFolder.prepare(path) != nil { return nil }
    self.init(sound: path, limit: limit)
  }

  /// Creates the value for a folder for which `prepare` returned nil.
  package init(sound path: ByteString, limit: Int = CacheFolder.usualLimit) {
    self.path = path
    self.limit = limit
  }

  /// Creates the folder if it is missing. Returns the reason why it cannot be a cache; nil if it
  /// can.
  package static func prepare(_ path: ByteString) -> ByteString? {
    if path.withCString({ mkdir($0, 0o700) }) == 0 { return nil }
    var code = carve_errno()
    var status = stat()
    let isThere = path.withCString { stat($0, &status) } == 0
    if !isThere, code == EEXIST { code = carve_errno() }
    guard isThere, carve_is_folder(&status) else {
      return "cannot create the folder: \(String(cString: strerror(code)))"
    }
    if status.st_uid != geteuid() { return "the folder belongs to another user" }
    // Entries that other users can write are not trusted. Those users could also remove entries.
    if status.st_mode & 0o002 != 0 { return "every user may write to the folder" }
    if status.st_mode & 0o020 != 0 {
      return "the group of the folder may write to it; 'chmod g-w' removes that permission"
    }
    return nil
  }
}

/// A call to the system that failed on a file of a cache.
package struct CacheTrouble: Sendable, Hashable {
  package var attempt: String
  package var path: ByteString
  package var reason: String

  init(attempt: String, path: ByteString, reason: String) {
    (self.attempt, self.path, self.reason) = (attempt, path, reason)
  }

  init(attempt: String, path: ByteString, code: Int32) {
    self.init(attempt: attempt, path: path, reason: String(cString: strerror(code)))
  }

  package var description: String { "cannot \(attempt) \(path): \(reason)" }
}

/// The files of a cache.
package struct CacheContents: Sendable {
  package struct Entry: Sendable {
    package var path: ByteString
    package var size: Int
    /// The time when the entry was written or used, in nanoseconds since 1970.
    package var used: Int64
    package var isRun: Bool
    /// The hexadecimal digits of the key, as the path states them.
    var digits: String
  }

  package var entries: [Entry] = []
  /// The unfinished files of runs that were killed. Files of running processes are not included.
  var unfinished: [ByteString] = []
  var folders: [ByteString] = []
  /// The first file or folder that could not be read.
  package fileprivate(set) var trouble: CacheTrouble?

  package var byteCount: Int { entries.reduce(0) { $0 + $1.size } }
}

extension CacheFolder {
  /// Returns every file that looks like an entry. The folder of a cache may contain other files,
  /// too.
  package func contents() -> CacheContents {
    var contents = CacheContents()
    let now = FileIdentity.now()
    let witness = WitnessedTree(.disk)
    let tree = witness.tree
    for folder in (try? tree.list(path)) ?? [] where folder.kind == .folder {
      let isRuns = folder.name == "runs"
      guard isRuns || CacheFolder.isKey(folder.name, digits: 2), !folder.isLink else { continue }
      let inner = joined(path, folder.name)
      contents.folders.append(inner)
      for file in (try? tree.list(inner)) ?? [] where file.kind == .file && !file.isLink {
        let path = joined(inner, file.name)
        guard let identity = FileIdentity(path) else {
          // Another run may have removed the file.
          let code = carve_errno()
          if code != ENOENT, contents.trouble == nil {
            contents.trouble = CacheTrouble(attempt: "read", path: path, code: code)
          }
          continue
        }
        if CacheFolder.isKey(file.name, digits: isRuns ? 32 : 30) {
          contents.entries.append(
            CacheContents.Entry(
              path: path, size: file.size, used: identity.modified, isRun: isRuns,
              digits: (isRuns ? file.name : folder.name + file.name).text))
        } else if file.name.hasPrefix(".carve-"),
          now &- identity.changed > CacheFolder.oldestUnfinished * 1_000_000_000
        {
          contents.unfinished.append(path)
        }
      }
    }
    if let trouble = witness.trouble {
      contents.trouble = CacheTrouble(
        attempt: "read", path: trouble.path, reason: trouble.error.reason)
    }
    return contents
  }

  private static func isKey(_ name: ByteString, digits: Int) -> Bool {
    name.count == digits && name.bytes.allSatisfy { 48...57 ~= $0 || 97...102 ~= $0 }
  }

  /// Removes every entry, and the folder if it contains nothing else. Returns the number and size
  /// of the removed entries.
  package func clear() -> (count: Int, byteCount: Int, trouble: CacheTrouble?) {
    let contents = contents()
    var removed = (count: 0, byteCount: 0, trouble: contents.trouble)
    /// Removes a file or folder that may be absent. A folder with other files stays.
    func remove(_ path: ByteString, by call: (UnsafePointer<CChar>) -> Int32) -> Bool {
      if path.withCString(call) == 0 { return true }
      let code = carve_errno()
      if ![ENOENT, ENOTEMPTY, EEXIST].contains(code), removed.trouble == nil {
        removed.trouble = CacheTrouble(attempt: "remove", path: path, code: code)
      }
      return false
    }
    for entry in contents.entries where remove(entry.path, by: unlink) {
      removed.count += 1
      removed.byteCount += entry.size
    }
    for path in contents.unfinished { _ = remove(path, by: unlink) }
    for name in ["size", "lock"] as [ByteString] { _ = remove(joined(path, name), by: unlink) }
    for folder in contents.folders + [path] { _ = remove(folder, by: rmdir) }
    return removed
  }

  /// Adds the bytes that a run has added to the sum, and removes entries if the sum exceeds the
  /// limit.
  func grow(by count: Int) {
    if count <= 0 { return }
    let file = joined(path, "size")
    var sizes = CacheFile.read(file) ?? []
    // If the file is missing or not valid, the entries are counted instead.
    let isKnown = !sizes.isEmpty && sizes.count % 8 == 0 && sizes.count <= 1 << 16
    sizes.append(number: UInt64(count))
    var total: UInt64 = 0
    for offset in stride(from: 0, to: sizes.count - 7, by: 8) {
      total = total.addingReportingOverflow(sizes.number(at: offset)).partialValue
    }
    if isKnown, total <= UInt64(limit) {
      var number: [UInt8] = []
      number.append(number: UInt64(count))
      appendToFile(number, file)
      return
    }
    makeRoom(counting: file)
  }

  /// Removes the entries that were used longest ago, until a fifth of the limit is free.
  private func makeRoom(counting file: ByteString) {
    // Another run that holds the lock is already doing this.
    let lock = joined(path, "lock").withCString(carve_open_append)
    if lock < 0 { return }
    defer { close(lock) }
    if carve_lock(lock) != 0 { return }
    let contents = contents()
    for path in contents.unfinished { removeFile(path) }
    var total = contents.byteCount
    if total > limit {
      for entry in contents.entries.sorted(by: { $0.used < $1.used }) {
        if total <= limit / 5 * 4 { break }
        if removeFile(entry.path) { total -= entry.size }
      }
    }
    var number: [UInt8] = []
    number.append(number: UInt64(max(0, total)))
    CacheFile.write(number, to: file)
  }

  private func appendToFile(_ bytes: [UInt8], _ path: ByteString) {
    let descriptor = path.withCString(carve_open_append)
    if descriptor < 0 { return }
    defer { close(descriptor) }
    // If only a part of the number is written, the next run counts the entries.
    _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
  }
}

/// Calls `unlink(2)`. Returns false if the file could not be removed.
@discardableResult
func removeFile(_ path: ByteString) -> Bool { path.withCString { unlink($0) } == 0 }

// MARK: - Files

// Files of the cache. A file is read only if it belongs to the user, and it is written completely
// or not at all. A file that cannot be read or written is treated as absent.

enum CacheFile {
  /// Returns the checksum of a file, by which a truncated or damaged file is detected. Only the
  /// user writes these files, so a change on purpose need not be detected.
  static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    UInt64(carve_crc32(0, bytes.baseAddress, bytes.count)) << 32
      | UInt64(bytes.count & 0xFFFF_FFFF)
  }

  /// Returns the bytes of a file that belongs to the user, and updates its time of use. Nil if it
  /// cannot be read.
  static func read(_ path: ByteString) -> [UInt8]? {
    (try? readWhole(path)).flatMap { $0 }
  }

  /// Returns the same bytes, and throws if the file cannot be read. Returns nil if it belongs to
  /// another user.
  static func readWhole(_ path: ByteString) throws(FileError) -> [UInt8]? {
    try readOwnFile(
      path, limit: FileLimit.cacheEntry, marksUseAfter: CacheFolder.memoryOfUse)
  }

  /// Writes a file, and creates its folder if that is missing.
  @discardableResult
  static func write(_ bytes: [UInt8], to path: ByteString) -> Bool {
    do throws(OutputError) {
      guard parentFolder(path).withCString({ mkdir($0, 0o700) }) == 0 || carve_errno() == EEXIST
      else {
        return false
      }
      var file = try OutputFile(path: path, survivesPowerCut: false)
      try file.append(bytes)
      try file.commit()
      return true
    } catch {
      return false
    }
  }
}
