// Assets whose variants have the same set of keys share every decision: it is made once.

/// A set of variant keys, sorted. A variant's ordinal is its place here.
public struct Signature: Sendable, Hashable {
  public let keys: [VariantKey]

  public init(_ keys: some Sequence<VariantKey>) {
    var sorted = keys.sorted()
    var count = 0
    for key in sorted where count == 0 || sorted[count - 1] != key {
      sorted[count] = key
      count += 1
    }
    sorted.removeSubrange(count...)
    self.keys = sorted
  }

  public func ordinal(of key: VariantKey) -> Int? {
    let index = keys.partitioningIndex { $0 >= key }
    return index < keys.count && keys[index] == key ? index : nil
  }
}

extension RandomAccessCollection {
  /// The first index whose element satisfies a predicate that never turns false again.
  @inlinable public func partitioningIndex(where predicate: (Element) -> Bool) -> Index {
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

/// For one environment, the winning ordinal of every signature of a catalogue.
public struct View: Sendable, Hashable {
  public let environment: Environment
  /// By signature number; `none` where nothing is eligible.
  public let winners: [UInt16]
  /// A bit for each signature: whether its winner is to be drawn mirrored.
  let mirrored: [UInt64]

  public static let none = UInt16.max

  public init(of signatures: [Signature], in environment: Environment) {
    self.environment = environment
    let request = Request(environment)
    var mirrored = [UInt64](repeating: 0, count: (signatures.count + 63) / 64)
    winners = [UInt16](unsafeUninitializedCapacity: signatures.count) { winners, count in
      for (number, signature) in signatures.enumerated() {
        // An ordinal beyond the range cannot be named; no catalogue has so many keys in one set.
        let winner = signature.keys.withUnsafeBufferPointer { request.winner(among: $0) }
        winners.initializeElement(at: number, to: winner.map { UInt16(clamping: $0) } ?? View.none)
        if let winner, environment.mirrors(signature.keys[winner]) {
          mirrored[number >> 6] |= 1 << UInt64(number & 63)
        }
      }
      count = signatures.count
    }
    self.mirrored = mirrored
  }

  /// Whether the winner of this signature is to be drawn mirrored.
  public func isMirrored(_ signature: Int) -> Bool {
    mirrored[signature >> 6] >> UInt64(signature & 63) & 1 == 1
  }
}
