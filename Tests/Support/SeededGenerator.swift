// Random numbers that can be repeated: every failure names its seed.

import Foundation

/// The generator SplitMix64. The same seed gives the same numbers everywhere.
public struct SeededGenerator: RandomNumberGenerator, CustomStringConvertible {
  public let seed: UInt64
  private var state: UInt64

  public init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// Returns a generator for one test. Its seed is `CARVE_SEED` if that is set, otherwise
  /// `fallback`.
  ///
  /// Put the generator itself into the comment of an expectation: it is shown as `CARVE_SEED=…`,
  /// which can be pasted before `make test`.
  public static func forTest(_ fallback: UInt64) -> SeededGenerator {
    let given = ProcessInfo.processInfo.environment["CARVE_SEED"].flatMap { UInt64($0) }
    return SeededGenerator(seed: given ?? fallback)
  }

  public var description: String { "CARVE_SEED=\(seed)" }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// Returns a value of the range. All values are equally likely.
  public mutating func pick(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &self)
  }

  public mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
  }
}
