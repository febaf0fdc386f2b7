// Which variants some window can ever show: the decision of thinning, made once for each signature.
// The rule is Traits'; which windows there are is the reach's; what is copied is in Selection.swift.

import Traits

/// The environments of a reach that a signature can tell apart. Each answers for all like it.
package typealias DistinctEnvironments = (Signature) -> [Environment]

/// For every signature, which of its ordinals win somewhere in a reach.
package struct Decision: Sendable, Hashable {
  /// By signature number, then by ordinal.
  package private(set) var kept: [[Bool]]

  /// Keeps nothing.
  init(signatures: [Signature]) {
    kept = signatures.map { [Bool](repeating: false, count: $0.keys.count) }
  }

  init(kept: [[Bool]]) { self.kept = kept }

  /// What thinning for the devices of both keeps.
  package mutating func formUnion(_ other: Decision) {
    for signature in kept.indices {
      for ordinal in kept[signature].indices where other.kept[signature][ordinal] {
        kept[signature][ordinal] = true
      }
    }
  }
}

/// Decides each signature once for each distinct list of environments, however many devices share
/// the list.
package struct Decider {
  package let signatures: [Signature]
  private var known: [[[Environment]: [Bool]]]
  /// How many decisions were not known from before.
  package private(set) var decisionCount = 0

  package init(_ signatures: [Signature]) {
    self.signatures = signatures
    known = Array(repeating: [:], count: signatures.count)
  }

  /// What a reach keeps.
  package mutating func decide(over reach: DistinctEnvironments) -> Decision {
    var kept: [[Bool]] = []
    kept.reserveCapacity(signatures.count)
    for (number, signature) in signatures.enumerated() {
      let environments = reach(signature)
      if let answer = known[number][environments] {
        kept.append(answer)
        continue
      }
      let answer = signature.winners(over: environments)
      known[number][environments] = answer
      decisionCount += 1
      kept.append(answer)
    }
    return Decision(kept: kept)
  }
}
