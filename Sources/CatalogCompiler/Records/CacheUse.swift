// Counts the use of a cache by a run.

import Synchronization

/// Counters that all threads use.
final class CacheUse: Sendable {
  private let hits = Atomic<Int>(0)
  private let misses = Atomic<Int>(0)
  private let added = Atomic<Int>(0)
  private let fetched = Atomic<Int>(0)

  /// Counts a picture that came from the remote cache.
  func countFetched() { fetched.add(1, ordering: .relaxed) }

  func count(isHit: Bool) {
    if isHit {
      hits.add(1, ordering: .relaxed)
    } else {
      misses.add(1, ordering: .relaxed)
    }
  }

  func count(added bytes: Int) { added.add(bytes, ordering: .relaxed) }

  var counts: CacheCounts {
    CacheCounts(
      hits: hits.load(ordering: .relaxed), misses: misses.load(ordering: .relaxed),
      added: added.load(ordering: .relaxed), fetched: fetched.load(ordering: .relaxed))
  }
}

/// The hits and misses of a cache, and the bytes that were added.
package struct CacheCounts: Sendable, Hashable {
  package var hits = 0
  package var misses = 0
  package var added = 0
  /// The number of hits that came from a remote cache.
  package var fetched = 0
}
