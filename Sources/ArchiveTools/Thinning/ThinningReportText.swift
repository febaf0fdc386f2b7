// Writes the report of thinning as text, for people.

import Documents
import Traits

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

  private var deviceTable: [String] {
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
    return alignedColumns(rows, right: [2, 3, 4, 5, 6])
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
          let why = drop.reason.text(about: drop.key, on: device.name, language: language)
          return [
            "   ", grouped(drop.amount.bytes),
            "\(why) (\(times)\(drop.key.summary(language: language)))",
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

  func language(_ number: UInt16) -> String { languages[number] ?? "number \(number)" }

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
    for (reason, amount) in whole {
      notes.append("\(reason.rawValue) are kept for every device: \(amount.text)")
    }
    if untouchedAtlasCount > 0 {
      notes.append(
        "\(untouchedAtlasCount) atlas\(untouchedAtlasCount == 1 ? "" : "es") would not shrink "
          + "without the pictures that were dropped, and were left unchanged"
      )
    }
    for name in emptyAssets {
      notes.append("\"\(name)\" is left out: no window of the devices shows a variant of it")
    }
    return notes
  }
}
