// A cache of views. A window that turns, or that the system shows briefly in the other size class,
// pays for each environment once. If the cache is full, the view that was unused for the longest
// time is removed.

import CPosix
import Traits

/// The scalar traits in two words, by which nearly all environments differ.
struct PackedEnvironment: Sendable, Hashable {
  let device: UInt64
  let window: UInt64

  init(_ environment: Environment) {
    device =
      UInt64(environment.graphics.classes) << 32 | UInt64(environment.subtype) << 16
      | UInt64(environment.memory) << 8 | UInt64(environment.osGeneration)
    var window = UInt64(environment.idiom.rawValue) << 8 | UInt64(environment.scale)
    window = window << 8 | UInt64(environment.width.rawValue) << 4
    window |= UInt64(environment.height.rawValue)
    window = window << 8 | UInt64(environment.style.rawValue) << 4
    window |= UInt64(environment.contrast.rawValue)
    window = window << 8 | UInt64(environment.gamut.rawValue) << 4
    window |= UInt64(environment.direction.rawValue)
    self.window = window << 8 | UInt64(environment.contentSize.rawValue)
  }
}

/// A list that is made on first use and then kept: a caller that asks for its rows one by one would
/// make it anew for each row.
final class KeptList<Row: Sendable>: @unchecked Sendable {
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  /// The rows, read and written only while `lock` is held.
  private var rows: [Row]?

  init() {
    lock = .allocate(capacity: 1)
    pthread_mutex_init(lock, nil)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  func value(_ make: () -> [Row]) -> [Row] {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    if let rows { return rows }
    let made = make()
    rows = made
    return made
  }
}

/// Views for the environments of an app's life: a style, a contrast and a few window classes, on
/// one or two displays. A server that renders for all devices keeps its views itself.
final class ViewCache: @unchecked Sendable {
  static let capacity = 64
  // A lock of the system, held for a few comparisons: Embedded Swift does not have the lock of the
  // standard library. It guards `kept`; lookups never use it.
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  /// The kept views; the one that was used last is the first.
  private var kept: [Decisions] = []

  init() {
    lock = .allocate(capacity: 1)
    pthread_mutex_init(lock, nil)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  func find(_ environment: Environment, _ traits: PackedEnvironment) -> Decisions? {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    let place = kept.firstIndex {
      $0.traits == traits && $0.environment.languages == environment.languages
    }
    guard let place else { return nil }
    if place > 0 { kept.insert(kept.remove(at: place), at: 0) }
    return kept[0]
  }

  /// Keeps a view. Two threads may keep equal views at the same time, which is harmless.
  func keep(_ decisions: Decisions) {
    pthread_mutex_lock(lock)
    let last = kept.count == ViewCache.capacity ? kept.removeLast() : nil
    kept.insert(decisions, at: 0)
    pthread_mutex_unlock(lock)
    // The removed view is freed after the lock is released, so that other threads need not wait.
    withExtendedLifetime(last) {}
  }
}
