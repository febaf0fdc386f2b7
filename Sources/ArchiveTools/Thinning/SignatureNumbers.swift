// Numbers the signatures of an archive's groups while they are read: equal sets of keys get one
// number, and almost every set is the one that came just before.

import Traits

struct SignatureNumbers {
  private(set) var signatures: [Signature] = []
  private var packed: [[UInt64]] = []
  private var numberOfPacked: [[UInt64]: Int] = [:]
  private var current: [UInt64] = []
  private var last = 0

  /// Begins a set.
  mutating func begin() { current.removeAll(keepingCapacity: true) }

  /// Adds a key to the set, not smaller than the one before; false where it is the same.
  mutating func add(_ high: UInt64, _ low: UInt64) -> Bool {
    let count = current.count
    if count > 0, current[count - 2] == high, current[count - 1] == low { return false }
    current.append(high)
    current.append(low)
    return true
  }

  /// The number of the set.
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
