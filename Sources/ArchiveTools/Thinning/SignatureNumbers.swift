// Numbers the signatures of an archive's groups while the groups are read. Equal sets of keys get
// one number. Almost every set is equal to the set before it, so that one is compared first.

import Traits

/// The signatures that were found, and the set of keys that is being read.
struct SignatureNumbers {
  private(set) var signatures: [Signature] = []
  private var packed: [[UInt64]] = []
  private var numberOfPacked: [[UInt64]: Int] = [:]
  private var current: [UInt64] = []
  private var last = 0

  /// Begins a set of keys.
  mutating func begin() { current.removeAll(keepingCapacity: true) }

  /// Adds a key, which must not be smaller than the key before it. Returns false if both are equal;
  /// then the key is not added.
  mutating func add(_ high: UInt64, _ low: UInt64) -> Bool {
    let count = current.count
    if count > 0, current[count - 2] == high, current[count - 1] == low { return false }
    current.append(high)
    current.append(low)
    return true
  }

  /// Ends the set and returns the number of its signature.
  mutating func finish() -> Int {
    if last < packed.count, packed[last] == current { return last }
    if let known = numberOfPacked[current] {
      last = known
      return known
    }
    last = packed.count
    packed.append(current)
    numberOfPacked[current] = last
    let keys = stride(from: 0, to: current.count, by: 2).compactMap {
      VariantKey(high: current[$0], low: current[$0 + 1])
    }
    signatures.append(Signature(keys))
    return last
  }
}
