// Files of the cache. A file is read only if it belongs to the user, and it is written completely
// or not at all. A file that cannot be read or written is treated as absent.

import Bytes
import CPosix
import Host

enum CacheFile {
  static let largest = 1 << 30

  /// Returns the bytes of a file that belongs to the user, and updates its time of use. Nil if it
  /// cannot be read.
  static func read(_ path: ByteString) -> [UInt8]? {
    (try? readWhole(path)).flatMap { $0 }
  }

  /// Returns the same bytes, and throws if the file cannot be read. Returns nil if it belongs to
  /// another user.
  static func readWhole(_ path: ByteString) throws(FileError) -> [UInt8]? {
    try readOwnFile(path, limit: largest, marksUseAfter: CacheFolder.memoryOfUse)
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
