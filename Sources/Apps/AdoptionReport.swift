// The report on a catalogue of loose pictures: what was guessed, what is left out and missing, and
// what devices would download; as text and as JSON.

import Bytes
import Documents

package struct AdoptionReport: Sendable {
  package var sets = 0
  package var pictures = 0
  /// The bytes of the loose pictures, which every device downloads now.
  package var bytes = 0
  /// The pictures without a stated scale.
  var unscaled = 0
  var ninePatches = 0
  private(set) var guesses: [(path: ByteString, reason: String)] = []
  private(set) var left: [(path: ByteString, reason: String)] = []
  /// The sets that lack pictures for scales of devices.
  var missing: [(set: ByteString, scales: String)] = []
  /// The parts of Android's folders that state something that catalogues do not have.
  var ignored: [ByteString: Int] = [:]
  /// The sizes that devices would download, if they were measured.
  var devices: [DeviceShare] = []

  mutating func guess(_ path: ByteString, _ reason: String) { guesses.append((path, reason)) }

  mutating func leave(_ path: ByteString, _ reason: String) { left.append((path, reason)) }
}

extension AdoptionReport {
  private static let mostShown = 20

  package func text(_ output: ByteString) -> String {
    var lines = [
      "\(onOneLine(output)): \(counted(sets, "image set")) of \(counted(pictures, "picture"))"
    ]
    if ninePatches > 0 {
      lines.append(
        "\(counted(ninePatches, "picture")) with the border of a nine-patch became sliced")
    }
    if unscaled > 0 { lines.append("guessed: \(counted(unscaled, "picture")) without a scale: 1x") }
    for (word, count) in ignored.sorted(by: { $0.key < $1.key }) {
      lines.append(
        "guessed: \(quoted(word)) in the folders of \(counted(count, "picture")) states nothing "
          + "that catalogues have")
    }
    lines += listed("guessed", guesses.map { "\(onOneLine($0.path)): \(onOneLine($0.reason))" })
    lines += leftOut
    lines += listed("missing", missing.map { "\(onOneLine($0.set)): \($0.scales)" })
    let sizes = devices.map(\.bytes)
    if let least = sizes.min(), let most = sizes.max() {
      lines.append("now: \(grouped(bytes)) bytes of loose pictures on every device")
      lines.append(
        "in the catalogue, thinned: "
          + (least == most ? grouped(least) : "\(grouped(least)) to \(grouped(most))")
          + " bytes on a device")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The lines about pictures that are left out.
  package var leftOut: [String] {
    listed("left out", left.map { "\(onOneLine($0.path)): \(onOneLine($0.reason))" })
  }

  private func listed(_ title: String, _ rows: [String]) -> [String] {
    let shown = rows.prefix(AdoptionReport.mostShown).map { "\(title): \($0)" }
    if rows.count == shown.count { return Array(shown) }
    return shown + ["\(title): and \(rows.count - shown.count) more"]
  }

  package func json(_ output: ByteString) -> JSONOutput {
    func rows(_ rows: [(path: ByteString, reason: String)]) -> JSONOutput {
      .array(rows.map { ["path": .name($0.path), "reason": .string($0.reason)] })
    }
    return [
      "catalog": .name(output), "sets": .integer(sets), "pictures": .integer(pictures),
      "bytes": .integer(bytes), "ninePatches": .integer(ninePatches),
      "withoutScale": .integer(unscaled), "guessed": rows(guesses), "leftOut": rows(left),
      "ignored": .object(
        ignored.sorted { $0.key < $1.key }.map { .init($0.key, .integer($0.value)) }),
      "missing": .array(
        missing.map { ["set": .name($0.set), "scales": .string($0.scales)] }),
      "devices": .array(
        devices.map { share in
          [
            "devices": .array(share.devices.map { .string($0.identifier) }),
            "bytes": .integer(share.bytes),
          ]
        }),
    ]
  }
}
