// Assets whose variants have the same set of keys share every decision: it is made once.

/// A set of variant keys, sorted. A variant's ordinal is its place here.
public struct Signature: Sendable, Hashable {
  public let keys: [VariantKey]

  public init(_ keys: some Sequence<VariantKey>) {
    self.keys = Set(keys).sorted()
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

  public static let none = UInt16.max

  public init(of signatures: [Signature], in environment: Environment) {
    self.environment = environment
    winners = signatures.map { signature in
      environment.winner(among: signature.keys).map { UInt16($0) } ?? View.none
    }
  }
}
