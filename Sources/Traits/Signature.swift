// Assets whose variants have the same set of keys share every decision: it is made once.

/// A set of variant keys, sorted. A variant's ordinal is its place here.
package struct Signature: Sendable, Hashable {
  package let keys: [VariantKey]

  package init(_ keys: some Sequence<VariantKey>) {
    var sorted = keys.sorted()
    var count = 0
    for key in sorted where count == 0 || sorted[count - 1] != key {
      sorted[count] = key
      count += 1
    }
    sorted.removeSubrange(count...)
    self.keys = sorted
  }

  package func ordinal(of key: VariantKey) -> Int? {
    let index = keys.partitioningIndex { $0 >= key }
    return index < keys.count && keys[index] == key ? index : nil
  }
}

extension Signature {
  /// Which ordinals win in some of the environments.
  package func winners(over environments: some Sequence<Environment>) -> [Bool] {
    var kept = [Bool](repeating: false, count: keys.count)
    for environment in environments {
      if let winner = environment.winner(among: keys) { kept[winner] = true }
    }
    return kept
  }
}

extension RandomAccessCollection {
  /// The first index whose element satisfies a predicate that never turns false again.
  @inlinable package func partitioningIndex(where predicate: (Element) -> Bool) -> Index {
    var low = startIndex
    var count = distance(from: startIndex, to: endIndex)
    while count > 0 {
      let half = count / 2
      let middle = index(low, offsetBy: half)
      if predicate(self[middle]) {
        count = half
      } else {
        low = index(after: middle)
        count -= half + 1
      }
    }
    return low
  }
}

/// What one environment shows of a signature: an ordinal, and whether it is drawn mirrored.
@frozen package struct Winner: Sendable, Hashable, BitwiseCopyable {
  @usableFromInline let bits: UInt32

  @usableFromInline static let none = UInt32.max
  @usableFromInline static let mirrored: UInt32 = 1 << 31

  /// Memory holds fewer than 2^31 keys of 16 bytes in one signature.
  package init(of request: borrowing Request, among keys: UnsafeBufferPointer<VariantKey>) {
    if let ordinal = request.winner(among: keys) {
      let isMirrored = request.environment.mirrors(keys[ordinal])
      bits = UInt32(ordinal) | (isMirrored ? Winner.mirrored : 0)
    } else {
      bits = Winner.none
    }
  }

  /// Nil where no key is eligible.
  @inlinable @inline(__always) package var ordinal: Int? {
    bits == Winner.none ? nil : Int(bits & ~Winner.mirrored)
  }

  /// Of an ordinal that is not nil.
  @inlinable @inline(__always) package var isMirrored: Bool { bits & Winner.mirrored != 0 }
}
