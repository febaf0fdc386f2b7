// The decision of thinning: the variants that some window can show, decided once for each
// signature. Traits contains the rule and the reach, which lists the windows. Selection.swift
// selects the entries that are copied.

import Traits

/// A function that returns the environments of a reach that the keys of a signature distinguish.
/// Each environment represents all environments that order the keys in the same way.
package typealias EnvironmentsOfSignature = (Signature) -> [Environment]

/// For every signature, whether each of its keys wins in some environment of a reach.
package struct Decision: Sendable, Hashable {
  /// Whether a key is kept, by the number of the signature and the number of the key.
  package private(set) var kept: [[Bool]]

  /// Creates a decision that keeps nothing.
  init(signatures: [Signature]) {
    kept = signatures.map { [Bool](repeating: false, count: $0.keys.count) }
  }

  init(kept: [[Bool]]) { self.kept = kept }

  /// Adds the keys that the other decision keeps.
  package mutating func formUnion(_ other: Decision) {
    for signature in kept.indices {
      for ordinal in kept[signature].indices where other.kept[signature][ordinal] {
        kept[signature][ordinal] = true
      }
    }
  }
}

/// Decides once for each signature and each different list of environments, even if many devices
/// have the same list.
package struct Decider {
  package let signatures: [Signature]
  private var known: [[[Environment]: [Bool]]]
  /// The number of decisions that had to be computed.
  package private(set) var decisionCount = 0

  package init(_ signatures: [Signature]) {
    self.signatures = signatures
    known = Array(repeating: [:], count: signatures.count)
  }

  /// Returns the decision for a reach, whose environments a function returns.
  package mutating func decide(over environmentsOf: EnvironmentsOfSignature) -> Decision {
    var kept: [[Bool]] = []
    kept.reserveCapacity(signatures.count)
    for (number, signature) in signatures.enumerated() {
      let environments = environmentsOf(signature)
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
