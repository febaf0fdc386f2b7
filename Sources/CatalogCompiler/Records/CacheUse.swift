// What a run asked of a cache, and what it found.

import Synchronization

/// Counts on all threads.
final class CacheUse: Sendable {
  private let hits = Atomic<Int>(0)
  private let misses = Atomic<Int>(0)
  private let added = Atomic<Int>(0)
  private let fetched = Atomic<Int>(0)

  /// A picture came from the cache of another machine.
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

/// How often a cache had what was looked for, and the bytes that were added.
package struct CacheCounts: Sendable, Hashable {
  package var hits = 0
  package var misses = 0
  package var added = 0
  /// Those of the hits that came from a remote cache.
  package var fetched = 0
}
