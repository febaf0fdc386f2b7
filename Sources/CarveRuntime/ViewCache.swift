// Views that were asked for before, so that a window that turns, or is shown to the system in the
// other size class and back, pays for each environment once. Of more than there is room for, those
// go that were not asked for the longest.

import CPosix
import Traits

/// The scalar traits in two words, which tell nearly all environments apart.
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

/// A list that is made when it is asked for first, and kept: asking for one row after the other would make it for
/// each.
final class KeptList<Row: Sendable>: @unchecked Sendable {
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  /// Read and written only with `lock` held.
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

/// Room for the environments of an app's life: a style, a contrast and a few window classes, on one
/// or two displays. A server that renders for all devices holds its views itself.
final class ViewCache: @unchecked Sendable {
  static let capacity = 64
  // A lock of the system, for a few comparisons: the one of the standard library is not there in
  // Embedded Swift. It guards `kept`; lookups never come here.
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  /// The view that was asked for last comes first.
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

  /// Two threads may keep equal views at the same time: harmless.
  func keep(_ decisions: Decisions) {
    pthread_mutex_lock(lock)
    let last = kept.count == ViewCache.capacity ? kept.removeLast() : nil
    kept.insert(decisions, at: 0)
    pthread_mutex_unlock(lock)
    // What is freed is freed when others may go on.
    withExtendedLifetime(last) {}
  }
}
