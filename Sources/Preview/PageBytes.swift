// The bytes of each device: what thinning keeps and drops, and on which axes.

import ArchiveTools
import Bytes
import Documents
import Traits

struct PageBytes: Sendable {
  struct Group: Sendable {
    /// The devices of the group, which all keep the same.
    var devices: [Device]
    var savings: DeviceSavings
    /// The largest drops with their reasons.
    var drops: [(name: ByteString, bytes: Int, reason: String)]
  }

  private(set) var total = 0
  private(set) var groups: [Group] = []

  init(_ opened: Thinner, devices: [Device]) throws(ThinningError) {
    var thinner = opened
    total = thinner.opened.archive.bytes.count
    var reaches: [(device: Device, reach: Reach)] = []
    for device in devices {
      if let reach = try? thinner.reach(of: device) { reaches.append((device, reach)) }
    }
    for group in thinner.groups(of: reaches) {
      guard let reach = group.target.reaches.first else { continue }
      let plan = try thinner.plan(group.decision, repacksAtlases: false)
      let report = try thinner.report(plan, for: ThinningTarget([reach]))
      guard let savings = report.devices.first else { continue }
      groups.append(
        Group(
          devices: group.devices, savings: savings,
          drops: PageBytes.drops(of: savings) { report.languages[$0] }))
    }
  }

  /// Returns the assets that lose most, each with the reason for its largest part.
  private static func drops(
    of savings: DeviceSavings, language: (UInt16) -> String?
  ) -> [(name: ByteString, bytes: Int, reason: String)] {
    savings.assets.filter { $0.dropped.bytes > 0 }.prefix(mostDrops).map { asset in
      let reason = asset.drops.first.map {
        $0.reason.text(about: $0.key, on: savings, language: language)
      }
      return (asset.name, asset.dropped.bytes, reason ?? "")
    }
  }

  private static let mostDrops = 40

  var json: JSONOutput {
    [
      "total": .integer(total),
      "groups": .array(
        groups.map { group in
          [
            "devices": .array(group.devices.map { .string($0.identifier) }),
            "kept": .integer(group.savings.kept.bytes),
            "keptCount": .integer(group.savings.kept.count),
            "dropped": .integer(group.savings.dropped.bytes),
            "droppedCount": .integer(group.savings.dropped.count),
            "axes": .array(
              group.savings.byAxis.map {
                [.string($0.axis.name), .integer($0.amount.bytes), .integer($0.amount.count)]
              }),
            "drops": .array(
              group.drops.map { [.name($0.name), .integer($0.bytes), .string($0.reason)] }),
          ]
        }),
    ]
  }
}
