// What thinning saved, and why: bytes and renditions by device, by axis and by asset. Values only;
// how they read is in ThinningReportText.swift and ThinningReportJSON.swift.

import Archive
import Bytes
import Traits

/// Renditions and what they cost: their blocks, and their shares of atlases.
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
  package var name: ByteString
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
  package var emptyAssets: [ByteString] = []
  /// Atlases that ship pixels which nobody needs.
  package var untouchedAtlasCount = 0
  /// The full archive.
  package var full = FileParts(file: 0, pictures: 0, index: 0)
  /// The renditions of the thinned one.
  package var pictures = 0
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
  private var assets: [ByteString: AssetSavings] = [:]
  private var dropPlaces: [ByteString: [Drop: Int]] = [:]
  /// What is kept, as it will be written.
  private let charges: Charges
  /// What atlases lose, by the pictures that went.
  private let losses: [Int: Int]
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
    charges = Charges(keptBy: plan, of: inventory)
    let dropped = plan.selection.placeOfLink.filter { !plan.selection.isKept[$0.key] }
    let shares = Charges.shares(of: dropped) { atlas in
      let isKept = plan.selection.isKept[atlas]
      let left = isKept ? plan.byteCount(of: atlas, in: inventory) : 0
      return inventory.entries[atlas].range.count - left
    }
    losses = Dictionary(shares.map { ($0.link, $0.bytes) }, uniquingKeysWith: +)
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

  private func name(_ entry: Int) -> ByteString { inventory.name(of: entry) ?? "(unnamed)" }

  private mutating func enterKept(_ entry: Int) {
    seen.insert(inventory.entries[entry].block)
    // The pictures in it bear it.
    if charges.sharedAtlases.contains(entry) { return }
    let amount = Amount(1, bytes: charges.bytes[entry])
    kept += amount
    let name = inventory.isAtlas(entry) ? "(atlases)" : name(entry)
    assets[name, default: AssetSavings(name: name)].kept += amount
  }

  private mutating func enterDropped(_ entry: Int, _ key: VariantKey, _ reason: DropReason) {
    let isNew = seen.insert(inventory.entries[entry].block).inserted
    let own = isNew ? inventory.entries[entry].range.count : 0
    charge(Amount(1, bytes: own + (losses[entry] ?? 0)), to: name(entry), key, reason)
  }

  private mutating func charge(
    _ amount: Amount, to name: ByteString, _ key: VariantKey, _ reason: DropReason
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

  /// A table of sizes goes, or shrinks, for the reason for which it is not reached; so does an atlas that
  /// nothing leads to.
  private mutating func enterCarrier(_ entry: Int) {
    let isAtlas = inventory.isAtlas(entry)
    if isAtlas, plan.selection.placeOfLink.values.contains(where: { $0.atlas == entry }) { return }
    let old = inventory.entries[entry].range.count
    let isKept = plan.selection.isKept[entry]
    let new = isKept ? plan.byteCount(of: entry, in: inventory) : 0
    guard new < old else { return }
    let variant = inventory.variant(of: entry) ?? VariantKey()
    let own = Signature([variant])
    let reason = own.dropReason(of: 0, over: environments(own))
    charge(
      Amount(isKept ? 0 : 1, bytes: old - new), to: isAtlas ? "(atlases)" : name(entry), variant,
      reason)
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
      return a.name < b.name
    }
    return savings
  }
}

extension Inventory {
  func isAtlas(_ entry: Int) -> Bool { entries[entry].key.element == Element.atlas }
}
