// Why thinning drops a variant: the axis to which its bytes are charged, and what beat it there.
// How a reason reads is in DropReasonText.swift.

import Documents
import Traits

/// Why no window of a reach shows a variant.
package struct DropReason: Sendable, Hashable {
  package enum Cause: Sendable, Hashable {
    /// No window has the variant's value on the axis, nor a value that falls back to it.
    case unreachable
    /// Each of the variant's values is reached by some window, but no window has all of them.
    case neverTogether
    /// Wherever the variant could be shown, this one is nearer.
    case beaten(by: VariantKey)
  }

  package let axis: Axis
  package let cause: Cause
}

extension Signature {
  /// Why an ordinal wins in none of the environments.
  func dropReason(of ordinal: Int, over environments: [Environment]) -> DropReason {
    let key = keys[ordinal]
    if let axis = Signature.axesByPlainness.first(where: { axis in
      environments.allSatisfy { $0.position(of: key, on: axis) == nil }
    }) {
      return DropReason(axis: axis, cause: .unreachable)
    }
    return defeat(of: key, over: environments) ?? separation(of: key, over: environments)
  }

  /// What people name first when they say for which device a picture is made.
  private static let axesByPlainness: [Axis] =
    [.idiom] + Axis.allCases.filter { $0 != .idiom }

  /// The weakest axis on which the key loses where it could be shown, and what beats it there: that
  /// is where it comes nearest to winning. Nil where it can be shown nowhere.
  private func defeat(of key: VariantKey, over environments: [Environment]) -> DropReason? {
    var nearest: DropReason?
    for environment in environments where environment.rank(of: key) != nil {
      guard let ordinal = environment.winner(among: keys) else { continue }
      let winner = keys[ordinal]
      let lost = Axis.allCases.first { axis in
        environment.position(of: winner, on: axis) ?? 0
          < environment.position(of: key, on: axis) ?? 0
      }
      guard let lost, lost.rawValue > nearest?.axis.rawValue ?? 0 || nearest == nil else {
        continue
      }
      nearest = DropReason(axis: lost, cause: .beaten(by: winner))
    }
    return nearest
  }

  /// The obstacle in the environment that comes nearest to showing the key.
  private func separation(of key: VariantKey, over environments: [Environment]) -> DropReason {
    func obstacles(_ environment: Environment) -> [Axis] {
      Axis.allCases.filter { environment.position(of: key, on: $0) == nil }
    }
    let nearest = environments.map(obstacles).min { $0.count < $1.count }
    return DropReason(axis: nearest?.first ?? .idiom, cause: .neverTogether)
  }
}
