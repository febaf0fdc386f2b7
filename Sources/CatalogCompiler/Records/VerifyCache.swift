// Looks through a whole cache: an entry that is damaged is taken away, before a run would find it so.

import Bytes
import CPosix
import Host

extension CacheFolder {
  /// Reads every entry. What cannot be read, or is of another version, is no better than damaged.
  package func verify(jobs: Int) -> (whole: Int, damaged: Int) {
    let entries = contents().entries
    let damaged = parallelMap(entries, jobs: jobs) { entry -> Bool in
      let bytes = CacheFile.read(entry.path) ?? []
      // An entry that lies under another name than its own is that of nothing.
      let isWhole =
        entry.isRun
        ? RunRecord(bytes)?.key.hexadecimal == entry.digits
        : PictureCache.isWhole(bytes, of: entry.digits)
      if isWhole { return false }
      removeFile(entry.path)
      return true
    }
    let count = damaged.count { $0 }
    return (entries.count - count, count)
  }
}
