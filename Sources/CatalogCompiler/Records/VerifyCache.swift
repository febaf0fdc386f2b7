// Verifies a whole cache: removes damaged entries before a run finds them.

import Bytes
import CPosix
import Host

extension CacheFolder {
  /// The result of reading every entry of a cache.
  package struct Verification: Sendable {
    package var intact = 0
    package var damaged = 0
    /// The first file that could not be listed, read or removed.
    package var trouble: CacheTrouble?
  }

  private enum EntryCheck: Sendable {
    case intact, damaged
    case trouble(CacheTrouble)
  }

  /// Reads every entry. Entries of other versions or other users count as damaged and are removed.
  /// An entry that cannot be read because of an error of the system stays.
  package func verify(jobs: Int) -> Verification {
    let contents = contents()
    var found = Verification()
    found.trouble = contents.trouble
    for check in parallelMap(contents.entries, jobs: jobs, CacheFolder.check) {
      switch check {
      case .intact: found.intact += 1
      case .damaged: found.damaged += 1
      case .trouble(let trouble): found.trouble = found.trouble ?? trouble
      }
    }
    return found
  }

  private static func check(_ entry: CacheContents.Entry) -> EntryCheck {
    do throws(FileError) {
      let bytes = try CacheFile.readWhole(entry.path) ?? []
      // An entry under the name of another key is damaged, too.
      let isIntact =
        entry.isRun
        ? RunRecord(bytes)?.key.hexadecimal == entry.digits
        : PictureCache.isIntact(bytes, of: entry.digits)
      if isIntact { return .intact }
    } catch {
      return .trouble(CacheTrouble(attempt: "read", path: entry.path, reason: error.reason))
    }
    if entry.path.withCString(unlink) == 0 || carve_errno() == ENOENT { return .damaged }
    return .trouble(CacheTrouble(attempt: "remove", path: entry.path, code: carve_errno()))
  }
}
