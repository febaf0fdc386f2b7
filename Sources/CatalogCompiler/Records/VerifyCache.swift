// Looks through a whole cache: an entry that is damaged is taken away, before a run would find it so.

import Bytes
import CPosix
import CatalogModel
import Host

extension CacheFolder {
  /// What is known of a cache in which every entry was read.
  package struct Verification: Sendable {
    package var whole = 0
    package var damaged = 0
    /// What could not be listed, read or removed first.
    package var trouble: CacheTrouble?
  }

  private enum Judgement: Sendable {
    case whole, damaged
    case trouble(CacheTrouble)
  }

  /// Reads every entry. An entry of another version or another user is no better than a damaged one; an entry
  /// that the system does not show stays.
  package func verify(jobs: Int) -> Verification {
    let contents = contents()
    var found = Verification()
    found.trouble = contents.trouble
    for judgement in parallelMap(contents.entries, jobs: jobs, CacheFolder.judge) {
      switch judgement {
      case .whole: found.whole += 1
      case .damaged: found.damaged += 1
      case .trouble(let trouble): found.trouble = found.trouble ?? trouble
      }
    }
    return found
  }

  private static func judge(_ entry: CacheContents.Entry) -> Judgement {
    do throws(FileError) {
      let bytes = try CacheFile.readWhole(entry.path) ?? []
      let isWhole = entry.isRun ? RunRecord(bytes) != nil : PictureCache.isWhole(bytes)
      if isWhole { return .whole }
    } catch {
      return .trouble(CacheTrouble(attempt: "read", path: entry.path, reason: error.reason))
    }
    if entry.path.withCString(unlink) == 0 || carve_errno() == ENOENT { return .damaged }
    return .trouble(CacheTrouble(attempt: "remove", path: entry.path, code: carve_errno()))
  }
}
