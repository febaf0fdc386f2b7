// The devices for which an archive is thinned, as what they can ask for together.

import Traits

package struct ThinningTarget: Sendable {
  /// One for each device.
  package let reaches: [Reach]

  package init(_ reaches: [Reach]) { self.reaches = reaches }

  /// The reach of every device that the app and the system allow.
  package init(
    _ devices: [Device], app: AppTraits = AppTraits(), os: OSVersion? = nil
  ) throws(ReachError) {
    var reaches: [Reach] = []
    for device in devices { reaches.append(try Reach(of: device, app: app, os: os)) }
    self.reaches = reaches
  }

  /// One environment for each way in which some device can order these keys.
  package func environments(distinguishedBy keys: [VariantKey]) -> [Environment] {
    if reaches.count == 1 { return reaches[0].environments(distinguishedBy: keys) }
    var seen: Set<Environment> = []
    return reaches.flatMap { $0.environments(distinguishedBy: keys) }
      .filter { seen.insert($0).inserted }
  }

  /// The axes that signatures tell apart and on which nobody has published what a device asks for.
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
  /// Whether an axis decides anything among the keys: they differ on it, or one may be refused.
  func distinguishes(_ axis: Axis) -> Bool {
    let plain = VariantKey()
    if axis == .scale { return keys.contains { $0.scale != keys[0].scale } }
    return keys.contains { $0.value(on: axis) != plain.value(on: axis) }
  }
}
