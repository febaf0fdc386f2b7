// What thinning saved, and why: bytes and renditions by device, by axis and by asset. Values only;
// how they read is in ThinningReportText.swift and ThinningReportJSON.swift.

import Archive
import Traits

/// Renditions and the bytes of their blocks.
package struct Amount: Sendable, Hashable {
  package var count = 0
  package var bytes = 0

  package init() {}

  init(_ count: Int, bytes: Int) {
    self.count = count
    self.bytes = bytes
  }

  static func += (sum: inout Amount, other: Amount) {
    sum.count += other.count
    sum.bytes += other.bytes
  }
}

/// One device of the target, as if it alone were thinned for.
package struct DeviceSavings: Sendable {
  package var identifier: String
  package var name: String
  package var kept = Amount()
  package var dropped = Amount()
  /// In the order of the axes; axes that dropped nothing are left out.
  package var byAxis: [(axis: Axis, amount: Amount)] = []
  package var assets: [AssetSavings] = []
}

/// What became of one name.
package struct AssetSavings: Sendable {
  package var name: String
  package var kept = Amount()
  package var dropped = Amount()
  /// The most bytes first.
  package var drops: [(key: VariantKey, reason: DropReason, amount: Amount)] = []
}

package struct ThinningReport: Sendable {
  package var devices: [DeviceSavings] = []
  /// The tag behind each number in `VariantKey.locale`.
  package var languages: [UInt16: String] = [:]
  /// What is kept whatever the device, by the reason.
  package var whole: [(reason: WholeReason, amount: Amount)] = []
  /// Axes of which nobody has published what a device asks for: every value is kept.
  package var openAxes: [(device: String, axes: [Axis])] = []
  /// Names of which no variant is left, because no window of any device shows one.
  package var emptyAssets: [String] = []
  /// Atlases that ship pixels which nobody needs.
  package var untouchedAtlasCount = 0
}

extension ThinningReport {
  /// What thinning for a device keeps and drops, and why.
  static func savings(
    of device: Device, plan: ThinningPlan, in inventory: Inventory,
    environments: @escaping DistinctEnvironments
  ) -> DeviceSavings {
    var ledger = Ledger(inventory, plan, environments: environments)
    ledger.enter()
    return ledger.savings(of: device)
  }
}

/// Goes through the renditions of an archive once and charges each to its asset.
private struct Ledger {
  let inventory: Inventory
  let plan: ThinningPlan
  let environments: DistinctEnvironments
  private var reasons: [[DropReason?]]
  private var kept = Amount()
  private var axes: [Axis: Amount] = [:]
  private var assets: [String: AssetSavings] = [:]
  private var dropPlaces: [String: [Drop: Int]] = [:]
  /// Blocks that several keys share count once.
  private var seen = Set<BlockID>()

  private struct Drop: Hashable {
    var key: VariantKey
    var reason: DropReason
  }

  init(_ inventory: Inventory, _ plan: ThinningPlan, environments: @escaping DistinctEnvironments) {
    self.inventory = inventory
    self.plan = plan
    self.environments = environments
    reasons = zip(inventory.signatures, plan.decision.kept).map { signature, kept in
      let dropped = kept.indices.filter { !kept[$0] }
      var reasons = [DropReason?](repeating: nil, count: kept.count)
      if dropped.isEmpty { return reasons }
      let list = environments(signature)
      for ordinal in dropped { reasons[ordinal] = signature.dropReason(of: ordinal, over: list) }
      return reasons
    }
  }

  mutating func enter() {
    // Kept ones first, so that a block that is kept for one key is not charged to another.
    for entry in inventory.entries.indices where plan.selection.isKept[entry] {
      enterKept(entry)
    }
    for group in inventory.groups {
      for (ordinal, entry) in inventory.members[group.members].enumerated()
      where !plan.selection.isKept[entry] {
        guard let reason = reasons[group.signature][ordinal] else { continue }
        enterDropped(entry, inventory.signatures[group.signature].keys[ordinal], reason)
      }
    }
    for carrier in inventory.atlases + inventory.sizeTables { enterCarrier(carrier) }
  }

  private func name(_ entry: Int) -> String { inventory.name(of: entry) ?? "(unnamed)" }

  private mutating func enterKept(_ entry: Int) {
    let size = plan.byteCount(of: entry, in: inventory)
    let isNew = seen.insert(inventory.entries[entry].block).inserted
    let amount = Amount(1, bytes: isNew ? size : 0)
    kept += amount
    let name = inventory.isAtlas(entry) ? "(atlases)" : name(entry)
    assets[name, default: AssetSavings(name: name)].kept += amount
  }

  private mutating func enterDropped(_ entry: Int, _ key: VariantKey, _ reason: DropReason) {
    let isNew = seen.insert(inventory.entries[entry].block).inserted
    let amount = Amount(1, bytes: isNew ? inventory.entries[entry].range.count : 0)
    charge(amount, to: name(entry), key, reason)
  }

  private mutating func charge(
    _ amount: Amount, to name: String, _ key: VariantKey, _ reason: DropReason
  ) {
    axes[reason.axis, default: Amount()] += amount
    var asset = assets[name] ?? AssetSavings(name: name)
    asset.dropped += amount
    let drop = Drop(key: key, reason: reason)
    if let place = dropPlaces[name]?[drop] {
      asset.drops[place].amount += amount
    } else {
      dropPlaces[name, default: [:]][drop] = asset.drops.count
      asset.drops.append((key, reason, amount))
    }
    assets[name] = asset
  }

  /// An atlas or a table goes, or shrinks, for the reason for which its members went.
  private mutating func enterCarrier(_ entry: Int) {
    let old = inventory.entries[entry].range.count
    let isKept = plan.selection.isKept[entry]
    let new = isKept ? plan.byteCount(of: entry, in: inventory) : 0
    guard new < old else { return }
    let member = inventory.isAtlas(entry) ? plan.selection.droppedLink(of: entry) : nil
    let variant = inventory.variant(of: member ?? entry) ?? VariantKey()
    let own = Signature([variant])
    let reason = member.flatMap { whyDropped($0) } ?? own.dropReason(of: 0, over: environments(own))
    let name = inventory.isAtlas(entry) ? "(atlases)" : name(entry)
    charge(Amount(isKept ? 0 : 1, bytes: old - new), to: name, variant, reason)
  }

  private func whyDropped(_ entry: Int) -> DropReason? {
    let shared = inventory.sharedKey(of: entry)
    let place = inventory.groups.partitioningIndex { $0.shared >= shared }
    guard place < inventory.groups.count, inventory.groups[place].shared == shared else {
      return nil
    }
    let group = inventory.groups[place]
    let ordinal = inventory.members[group.members].firstIndex(of: entry)
    return ordinal.flatMap { reasons[group.signature][$0 - group.members.lowerBound] }
  }

  func savings(of device: Device) -> DeviceSavings {
    var savings = DeviceSavings(identifier: device.identifier, name: device.name)
    savings.kept = kept
    for axis in Axis.allCases {
      guard let amount = axes[axis] else { continue }
      savings.byAxis.append((axis, amount))
      savings.dropped += amount
    }
    savings.assets = assets.values.map { asset in
      var asset = asset
      asset.drops.sort { ($1.amount.bytes, $0.key) < ($0.amount.bytes, $1.key) }
      return asset
    }.sorted { a, b in
      if a.dropped.bytes != b.dropped.bytes { return a.dropped.bytes > b.dropped.bytes }
      return a.name.utf8.lexicographicallyPrecedes(b.name.utf8)
    }
    return savings
  }
}

extension Inventory {
  func isAtlas(_ entry: Int) -> Bool { entries[entry].key.element == Element.atlas }

  func sharedKey(of entry: Int) -> SharedKey {
    SharedKey(entries[entry].key, isData: outlines[entry].layout == .data)
  }
}

extension Selection {
  /// Some picture of an atlas that is not kept.
  func droppedLink(of atlas: Int) -> Int? {
    atlasOfLink.filter { $0.value == atlas && !isKept[$0.key] }.keys.min()
  }
}
