// The devices for which an archive is thinned, as the environments that they can present together.

import Traits

/// The reaches of the devices of a target.
package struct ThinningTarget: Sendable {
  /// The reaches, one for each device.
  package let reaches: [Reach]

  package init(_ reaches: [Reach]) { self.reaches = reaches }

  /// Returns one environment for each order into which an environment of any device puts these
  /// keys.
  package func environments(distinguishedBy keys: [VariantKey]) -> [Environment] {
    if reaches.count == 1 { return reaches[0].environments(distinguishedBy: keys) }
    var seen: Set<Environment> = []
    return reaches.flatMap { $0.environments(distinguishedBy: keys) }
      .filter { seen.insert($0).inserted }
  }

  /// Returns, for each device, the axes that the signatures distinguish and on which the value of
  /// the device is not published.
  package func openAxes(
    in signatures: [Signature]
  ) -> [(device: String, axes: [Axis])] {
    let used = Axis.allCases.filter { axis in
      signatures.contains { $0.distinguishes(axis) }
    }
    return reaches.compactMap { reach in
      let open = reach.unknown.filter { used.contains($0) }
      return open.isEmpty ? nil : (reach.device, open)
    }
  }
}

extension Signature {
  /// Returns whether an axis influences the decision among the keys: they differ on it, or an
  /// environment can refuse one because of it.
  func distinguishes(_ axis: Axis) -> Bool {
    if axis == .scale { return keys.contains { $0.scale != keys[0].scale } }
    return keys.contains { $0.value(on: axis) != axis.row.unconstrained }
  }
}
