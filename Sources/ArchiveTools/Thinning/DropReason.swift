// The reason why thinning drops a variant: the axis to which its bytes are charged, and the variant
// that wins there. DropReasonText.swift writes a reason as text.

import Documents
import Traits

/// The reason why no window of a reach shows a variant.
package struct DropReason: Sendable, Hashable {
  package enum Cause: Sendable, Hashable {
    /// No window has the variant's value on the axis, and no window has a value that falls back to
    /// it.
    case unreachable
    /// Each of the variant's values is shown in some window, but no window shows all of them.
    case neverTogether
    /// This variant wins in windows that could show the dropped one.
    case beaten(by: VariantKey)
  }

  package let axis: Axis
  package let cause: Cause
}

extension Signature {
  /// Returns the reason why the key with this number wins in no environment.
  func dropReason(of ordinal: Int, over environments: [Environment]) -> DropReason {
    let key = keys[ordinal]
    if let axis = Signature.axesByPlainness.first(where: { axis in
      environments.allSatisfy { $0.position(of: key, on: axis) == nil }
    }) {
      return DropReason(axis: axis, cause: .unreachable)
    }
    return defeat(of: key, over: environments) ?? separation(of: key, over: environments)
  }

  /// The axes in the order in which an unreachable value is looked for. The idiom comes first,
  /// because people first name the device for which a picture is made.
  private static let axesByPlainness: [Axis] =
    [.idiom] + Axis.allCases.filter { $0 != .idiom }

  /// Finds the weakest axis on which the key loses in an environment that could show it, and the
  /// key that wins there. On this axis the key comes nearest to winning. Nil if no environment
  /// could show the key.
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

  /// Returns the first obstacle in the environment with the fewest obstacles for the key.
  private func separation(of key: VariantKey, over environments: [Environment]) -> DropReason {
    func obstacles(_ environment: Environment) -> [Axis] {
      Axis.allCases.filter { environment.position(of: key, on: $0) == nil }
    }
    let nearest = environments.map(obstacles).min { $0.count < $1.count }
    return DropReason(axis: nearest?.first ?? .idiom, cause: .neverTogether)
  }
}
