// Files of the cache: read where they are the user's own, written whole or not at all. What cannot be
// read or written is not in the cache, and no more.

import CPosix
import Host

enum CacheFile {
  static let largest = 1 << 30

  static func read(_ path: String) -> [UInt8]? { try? FileTree.disk.read(path, largest) }

  /// Makes the folders that are missing, the cache's own among them.
  @discardableResult
  static func write(_ bytes: [UInt8], to path: String) -> Bool {
    let folder = OutputFile.folder(of: path)
    do throws(OutputError) {
      if !make(folder) { return false }
      var file = try OutputFile(path: path, survivesPowerCut: false)
      try file.append(bytes)
      try file.commit()
      return true
    } catch {
      return false
    }
  }

  /// The folder of the cache and one in it: who may look into them is the user alone.
  private static func make(_ folder: String) -> Bool {
    func isMade(_ path: String) -> Bool { mkdir(path, 0o700) == 0 || carve_errno() == EEXIST }
    return isMade(OutputFile.folder(of: folder)) && isMade(folder)
  }
}
