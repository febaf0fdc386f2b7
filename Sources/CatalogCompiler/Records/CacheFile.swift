// Files of the cache: read where they are the user's own, written whole or not at all. What cannot be
// read or written is not in the cache, and no more.

import Bytes
import CPosix
import Host

enum CacheFile {
  static let largest = 1 << 30

  /// The bytes of a file that nobody else has written; that it was used stays known.
  static func read(_ path: ByteString) -> [UInt8]? {
    (try? readWhole(path)).flatMap { $0 }
  }

  /// The same for a caller that has to know why a file cannot be read. Returns nil for the file of another user.
  static func readWhole(_ path: ByteString) throws(FileError) -> [UInt8]? {
    try readOwnFile(path, limit: largest, marksUseAfter: CacheFolder.memoryOfUse)
  }

  /// Writes a file, and its folder where that is missing.
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
