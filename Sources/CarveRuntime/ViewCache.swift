// Views that were asked for before, so that a window that turns, or is shown to the system in the
// other size class and back, pays for each environment once. Readers take no lock: a place is
// filled once and stays until the catalogue goes.

import Synchronization
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

  var place: Int {
    let mixed = (device ^ window &* 0x9E37_79B9_7F4A_7C15) &* 0xD6E8_FEB8_6659_FD93
    return Int(truncatingIfNeeded: mixed >> 58)
  }
}

/// Room for the environments of an app's life: a style, a contrast and a few window classes, on one
/// or two displays. A server that renders for all devices holds its views itself.
struct ViewCache: ~Copyable, @unchecked Sendable {
  /// Unmanaged references to decisions, 0 for a free place. On the heap, and plain numbers, because
  /// the compiler of Embedded Swift knows no other array of atomics.
  private let places: UnsafeMutablePointer<Atomic<UInt>>
  static let capacity = 64
  /// How far from its place a view may lie.
  static let reach = 8

  init() {
    places = .allocate(capacity: ViewCache.capacity)
    for place in 0..<ViewCache.capacity { (places + place).initialize(to: Atomic(0)) }
  }

  deinit {
    for place in 0..<ViewCache.capacity {
      ViewCache.decisions(places[place].load(ordering: .acquiring))?.release()
    }
    places.deallocate()
  }

  private static func decisions(_ reference: UInt) -> Unmanaged<Decisions>? {
    UnsafeRawPointer(bitPattern: reference).map { Unmanaged.fromOpaque($0) }
  }

  func find(_ environment: Environment, _ traits: PackedEnvironment) -> Unmanaged<Decisions>? {
    for step in 0..<ViewCache.reach {
      let place = (traits.place &+ step) & (ViewCache.capacity - 1)
      guard let found = ViewCache.decisions(places[place].load(ordering: .acquiring)) else {
        return nil
      }
      let isIt = found._withUnsafeGuaranteedRef {
        $0.traits == traits && $0.environment.languages == environment.languages
      }
      if isIt { return found }
    }
    return nil
  }

  /// Keeps the view if there is a free place. Two threads may keep the same view twice: harmless.
  func keep(_ decisions: Decisions) {
    let kept = Unmanaged.passRetained(decisions)
    let reference = UInt(bitPattern: kept.toOpaque())
    for step in 0..<ViewCache.reach {
      let place = (decisions.traits.place &+ step) & (ViewCache.capacity - 1)
      let outcome = places[place].compareExchange(
        expected: 0, desired: reference, ordering: .acquiringAndReleasing)
      if outcome.exchanged { return }
    }
    kept.release()
  }
}
