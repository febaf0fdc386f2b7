// The savings of thinning and their reasons: bytes and renditions by device, by axis and by asset;
// as values, as text for people and as JSON.

import Archive
import Bytes
import Documents
import Traits

/// A number of renditions and their bytes: their blocks, and their shares of atlases.
package struct Amount: Sendable, Hashable {
  package var count = 0
  package var bytes = 0

  package init() {}

  init(_ count: Int, bytes: Int) {
    self.count = count
    self.bytes = bytes
  }

  package static func += (sum: inout Amount, other: Amount) {
    sum.count += other.count
    sum.bytes += other.bytes
  }
}

/// The savings for one device of the target, as if the archive were thinned for this device alone.
package struct DeviceSavings: Sendable {
  package var identifier: String
  package var name: String
  /// The platform of the device's system.
  package var platform: Platform
  package var kept = Amount()
  package var dropped = Amount()
  /// The amounts that were dropped, in the order of the axes. Axes that dropped nothing are left
  /// out.
  package var byAxis: [(axis: Axis, amount: Amount)] = []
  package var assets: [AssetSavings] = []

  package init(identifier: String, name: String, platform: Platform) {
    (self.identifier, self.name, self.platform) = (identifier, name, platform)
  }
}

/// The savings for one name.
package struct AssetSavings: Sendable {
  package var name: ByteString
  package var kept = Amount()
  package var dropped = Amount()
  /// The variants that were dropped, those with the most bytes first.
  package var drops: [(key: VariantKey, reason: DropReason, amount: Amount)] = []

  package init(name: ByteString) { self.name = name }
}

/// The report of thinning an archive for a target.
package struct ThinningReport: Sendable {
  package var devices: [DeviceSavings] = []
  /// The language tag of each number in `VariantKey.locale`.
  package var languages: [UInt16: String] = [:]
  /// The renditions that are kept for every device, by the reason.
  package var alwaysKept: [(reason: AlwaysKeptReason, amount: Amount)] = []
  /// The axes on which the value of a device is not published. Variants of every value are kept.
  package var openAxes: [(device: String, axes: [Axis])] = []
  /// The names that lost all their variants, because no window of any device shows one.
  package var emptyAssets: [ByteString] = []
  /// The number of atlases that keep pixels of dropped pictures.
  package var untouchedAtlasCount = 0
  /// The parts of the full archive.
  package var full = FileParts(file: 0, pictures: 0, index: 0)
  /// The bytes of the renditions of the thinned archive.
  package var pictures = 0

  package init() {}
}

extension ThinningReport {
  /// Returns the renditions that thinning for a device keeps and drops, with the reasons.
  static func savings(
    of device: Device, plan: ThinningPlan, in inventory: Inventory,
    environments: @escaping EnvironmentsOfSignature
  ) -> DeviceSavings {
    var ledger = Ledger(inventory, plan, environments: environments)
    ledger.enter()
    return ledger.savings(of: device)
  }
}

/// The sums of a report. They are computed by one pass over the renditions of an archive, which
/// charges each rendition to its asset.
private struct Ledger {
  let inventory: Inventory
  let plan: ThinningPlan
  let environments: EnvironmentsOfSignature
  private var reasons: [[DropReason?]]
  private var kept = Amount()
  private var axes: [Axis: Amount] = [:]
  private var assets: [ByteString: AssetSavings] = [:]
  private var dropIndices: [ByteString: [Drop: Int]] = [:]
  /// The bytes of the kept renditions as they will be written.
  private let charges: Charges
  /// The bytes that atlases lose, by the pictures that were dropped from them.
  private let losses: [Int: Int]
  /// The blocks that have been counted. A block that several keys share counts once.
  private var seen: BlockSet
  /// The atlases whose bytes are charged to the pictures in them.
  private let linkedAtlases: Set<Int>

  private struct Drop: Hashable {
    var key: VariantKey
    var reason: DropReason
  }

  init(
    _ inventory: Inventory, _ plan: ThinningPlan, environments: @escaping EnvironmentsOfSignature
  ) {
    self.inventory = inventory
    self.plan = plan
    self.environments = environments
    charges = Charges(keptBy: plan, of: inventory)
    seen = BlockSet(limit: inventory.blockLimit)
    linkedAtlases = Set(plan.selection.links.map(\.frame.atlas))
    let dropped = plan.selection.links.filter { !plan.selection.isKept[$0.entry] }
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
    // Kept renditions come first, so that a block that is kept for one key is not charged to a
    // dropped key.
    for entry in inventory.entries.indices where plan.selection.isKept[entry] {
      enterKept(entry)
    }
    for group in inventory.groups {
      for (ordinal, entry) in inventory.members[group.members].enumerated()
      where !plan.selection.isKept[entry] {
        guard let reason = reasons[group.signature][ordinal] else { continue }
        enterDropped(
          entry, key: inventory.signatures[group.signature].keys[ordinal], reason: reason)
      }
    }
    for carrier in inventory.atlases + inventory.sizeTables { enterCarrier(carrier) }
  }

  private func name(_ entry: Int) -> ByteString { inventory.name(of: entry) ?? "(unnamed)" }

  private mutating func enterKept(_ entry: Int) {
    _ = seen.insert(inventory.entries.block(at: entry))
    // Its bytes are charged to the pictures in it.
    if charges.sharedAtlases.contains(entry) { return }
    let amount = Amount(1, bytes: charges.bytes[entry])
    kept += amount
    let name = inventory.isAtlas[entry] ? "(atlases)" : name(entry)
    assets[name, default: AssetSavings(name: name)].kept += amount
  }

  private mutating func enterDropped(_ entry: Int, key: VariantKey, reason: DropReason) {
    let isNew = seen.insert(inventory.entries.block(at: entry))
    let own = isNew ? inventory.entries.range(at: entry).count : 0
    charge(Amount(1, bytes: own + (losses[entry] ?? 0)), to: name(entry), key: key, reason: reason)
  }

  private mutating func charge(
    _ amount: Amount, to name: ByteString, key: VariantKey, reason: DropReason
  ) {
    axes[reason.axis, default: Amount()] += amount
    var asset = assets[name] ?? AssetSavings(name: name)
    asset.dropped += amount
    let drop = Drop(key: key, reason: reason)
    if let index = dropIndices[name]?[drop] {
      asset.drops[index].amount += amount
    } else {
      dropIndices[name, default: [:]][drop] = asset.drops.count
      asset.drops.append((key, reason, amount))
    }
    assets[name] = asset
  }

  /// Enters a table of sizes or an atlas that is dropped or becomes smaller. The reason follows
  /// from the key of the carrier alone. If pictures of the archive lie in the atlas, its bytes are
  /// already charged to the dropped pictures.
  private mutating func enterCarrier(_ entry: Int) {
    let isAtlas = inventory.isAtlas[entry]
    if isAtlas, linkedAtlases.contains(entry) { return }
    let old = inventory.entries.range(at: entry).count
    let isKept = plan.selection.isKept[entry]
    let new = isKept ? plan.byteCount(of: entry, in: inventory) : 0
    guard new < old else { return }
    let variant = inventory.variant(of: entry) ?? VariantKey()
    let own = Signature([variant])
    let reason = own.dropReason(of: 0, over: environments(own))
    charge(
      Amount(isKept ? 0 : 1, bytes: old - new), to: isAtlas ? "(atlases)" : name(entry),
      key: variant,
      reason: reason)
  }

  func savings(of device: Device) -> DeviceSavings {
    var savings = DeviceSavings(
      identifier: device.identifier, name: device.name, platform: device.platform)
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

// MARK: - Text for people

extension Amount {
  /// `12 renditions, 34,567 bytes`
  var text: String {
    "\(grouped(count)) rendition\(count == 1 ? "" : "s"), \(grouped(bytes)) bytes"
  }
}

extension ThinningReport {
  /// The largest number of assets that are named for a device. The others are summed up.
  private static let mostAssets = 40

  package var text: String {
    var lines = deviceTable
    for device in devices { lines += [""] + section(about: device) }
    lines += notes.map { "note: \($0)" }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The number of assets that the summary names.
  private static let mostSummarized = 10

  /// The sums for the devices, the bytes that each axis drops, and the assets that lose most.
  package var summary: String {
    var lines = deviceTable
    let head = devices.map(\.identifier)
    let axes = Axis.allCases.filter { axis in
      devices.contains { $0.byAxis.contains { $0.axis == axis } }
    }
    let byAxis = axes.map { axis in
      [axis.name]
        + devices.map { device in
          grouped(device.byAxis.first { $0.axis == axis }?.amount.bytes ?? 0)
        }
    }
    lines += ReportTable(head: ["bytes dropped by axis"] + head, rows: byAxis).lines
    var losses: [ByteString: [Int]] = [:]
    for (index, device) in devices.enumerated() {
      for asset in device.assets where asset.dropped.bytes > 0 {
        losses[asset.name, default: Array(repeating: 0, count: devices.count)][index] =
          asset.dropped.bytes
      }
    }
    let order = losses.sorted { a, b in
      let (mine, theirs) = (a.value.reduce(0, +), b.value.reduce(0, +))
      return mine == theirs ? a.key < b.key : mine > theirs
    }
    let shown = order.prefix(ThinningReport.mostSummarized)
    let rows = shown.map { name, bytes in [name.text] + bytes.map { grouped($0) } }
    lines += ReportTable(head: ["bytes dropped by asset"] + head, rows: rows).lines
    if order.count > shown.count {
      lines.append("and \(grouped(order.count - shown.count)) more assets")
    }
    lines += notes.map { "note: \($0)" }
    return lines.joined(separator: "\n") + "\n"
  }

  private var deviceTable: [String] {
    alignedColumns(deviceRows, right: [2, 3, 4, 5, 6])
  }

  /// The sums for the devices as a table in Markdown.
  package var markdown: String { markdownTable(deviceRows, right: [2, 3, 4, 5, 6]) }

  /// The sums for the devices, after a row with the heads of the columns.
  private var deviceRows: [[String]] {
    var rows = [["device", "name", "pictures", "bytes", "dropped", "bytes", "saved"]]
    for device in devices {
      let all = device.kept.bytes + device.dropped.bytes
      let tenths = all == 0 ? 0 : device.dropped.bytes * 1000 / all
      rows.append([
        device.identifier, device.name, grouped(device.kept.count), grouped(device.kept.bytes),
        grouped(device.dropped.count), grouped(device.dropped.bytes),
        "\(tenths / 10).\(tenths % 10) %",
      ])
    }
    return rows
  }

  private func section(about device: DeviceSavings) -> [String] {
    guard !device.byAxis.isEmpty else { return ["\(device.name): nothing to drop"] }
    var lines = ["dropped for \(device.name), by axis"]
    lines += alignedColumns(
      device.byAxis.map {
        ["  \($0.axis.name)", grouped($0.amount.count), grouped($0.amount.bytes)]
      }, right: [1, 2])
    lines += ["", "dropped for \(device.name), by asset"]
    let thinned = device.assets.filter { !$0.drops.isEmpty }
    for asset in thinned.prefix(ThinningReport.mostAssets) {
      let all = grouped(asset.kept.bytes + asset.dropped.bytes)
      lines.append("  \(asset.name): \(asset.dropped.text) of \(all)")
      lines += alignedColumns(
        asset.drops.map { drop in
          let times = drop.amount.count > 1 ? "\(grouped(drop.amount.count)) × " : ""
          let why = drop.reason.text(about: drop.key, on: device) { languages[$0] }
          return [
            "   ", grouped(drop.amount.bytes),
            "\(why) (\(times)\(summary(of: drop.key, on: device)))",
          ]
        }, right: [1])
    }
    if thinned.count > ThinningReport.mostAssets {
      let rest = thinned.dropFirst(ThinningReport.mostAssets)
      let bytes = rest.reduce(0) { $0 + $1.dropped.bytes }
      lines.append("  and \(grouped(rest.count)) more: \(grouped(bytes)) bytes")
    }
    return lines
  }

  /// Returns a table of the parts of the written archive, compared with the parts of the full
  /// archive.
  package func partsText(of written: FileParts) -> String {
    let rows = parts(of: written).map { name, kept, all in
      ["  \(name)", grouped(kept), "of", grouped(all)]
    }
    return alignedColumns(rows, right: [1, 3]).joined(separator: "\n")
  }

  fileprivate func parts(of written: FileParts) -> [(name: String, kept: Int, all: Int)] {
    [
      ("pictures", written.pictures, full.pictures), ("index", written.index, full.index),
      ("names and keys", written.tables, full.tables),
    ]
  }

  /// Returns the same parts as JSON.
  package func partsJSON(of written: FileParts) -> [JSONOutput.Member] {
    parts(of: written).map { name, kept, all in
      .init(
        name == "names and keys" ? "tables" : name,
        .object([.init("bytes", .integer(kept)), .init("fullBytes", .integer(all))]))
    }
  }

  private func summary(of key: VariantKey, on device: DeviceSavings) -> String {
    key.summary(language: languages[key.locale], platform: device.platform)
  }

  /// The facts that the user has to know in addition to the numbers.
  package var notes: [String] {
    var notes: [String] = []
    for (device, axes) in openAxes {
      let names = axes.map(\.name).joined(separator: ", ")
      notes.append(
        "\(device): no published source states its \(names); everything that any value could "
          + "need is kept"
      )
    }
    for (reason, amount) in alwaysKept {
      notes.append("\(reason.rawValue) are kept for every device: \(amount.text)")
    }
    if untouchedAtlasCount > 0 {
      notes.append(
        "\(untouchedAtlasCount) atlas\(untouchedAtlasCount == 1 ? " was" : "es were") left unchanged, "
          + "because packing them again would save little or is not possible"
      )
    }
    for name in emptyAssets {
      notes.append("\"\(name)\" is left out: no window of the devices shows a variant of it")
    }
    return notes
  }
}

/// A table of the summary, with a column for each device.
private struct ReportTable {
  var head: [String]
  var rows: [[String]]

  /// The lines, after an empty one; nothing if the table has no rows.
  var lines: [String] {
    rows.isEmpty ? [] : [""] + alignedColumns([head] + rows, right: Set(1..<head.count))
  }
}

// MARK: - JSON

// Scripts read the JSON, so its keys do not change.

extension Amount {
  var json: [JSONOutput.Member] {
    [.init("renditions", .integer(count)), .init("bytes", .integer(bytes))]
  }
}

extension ThinningReport {
  package var json: JSONOutput {
    [
      "devices": .array(devices.map(json)),
      "notes": .array(notes.map { .string($0) }),
    ]
  }

  private func json(_ device: DeviceSavings) -> JSONOutput {
    [
      "device": .string(device.identifier),
      "name": .string(device.name),
      "kept": .object(device.kept.json),
      "dropped": .object(device.dropped.json),
      "byAxis": .object(
        device.byAxis.map { .init($0.axis.name, .object($0.amount.json)) }),
      "assets": .array(device.assets.map { json($0, on: device) }),
    ]
  }

  private func json(_ asset: AssetSavings, on device: DeviceSavings) -> JSONOutput {
    [
      "asset": .name(asset.name),
      "kept": .object(asset.kept.json),
      "dropped": .object(asset.dropped.json),
      "drops": .array(
        asset.drops.map { drop in
          .object(
            [
              .init("variant", .string(summary(of: drop.key, on: device))),
              .init("axis", .string(drop.reason.axis.name)),
              .init(
                "why",
                .string(drop.reason.text(about: drop.key, on: device) { languages[$0] })),
            ] + drop.amount.json)
        }),
    ]
  }
}
