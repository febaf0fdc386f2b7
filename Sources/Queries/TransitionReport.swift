// The report about the assets that look different after a window of a device becomes another one:
// the device is turned or unfolded, or the screen is divided.

import Bytes
import Documents
import Traits

/// The assets that change when one window becomes another.
package struct WindowTransition: Sendable {
  package struct Change: Sendable {
    package var name: ByteString
    package var kind: AssetKind
    package var before: Result<Resolution, AmbiguousAnswer>
    package var after: Result<Resolution, AmbiguousAnswer>
  }

  package var from: Query
  package var to: Query
  /// The number of assets that were compared.
  package var assetCount: Int
  package var changes: [Change]
  /// The suppositions about the device on which the answers rest, in words, each once.
  package private(set) var remarks: [String] = []

  package init(from: Query, to: Query, in source: CandidateSource) {
    self.from = from
    self.to = to
    let table = source.table(for: from)
    // Assets with the same keys share one decision.
    var changing: [[VariantKey]: Bool] = [:]
    var changes: [Change] = []
    for asset in table.assets {
      let keys = asset.keys
      // Whether an asset has a wide variant, too, depends on its file.
      let mayWiden = asset.candidates.contains(where: \.mayWiden)
      if changing[keys] == false, !mayWiden { continue }
      let before = from.answer(about: asset, in: table)
      let after = to.answer(about: asset, in: table)
      let isChange = !WindowTransition.agree(before, after)
      for answer in [before, after] where changing[keys] == nil {
        if let remark = try? answer.get().remark(about: from.device), !remarks.contains(remark) {
          remarks.append(remark)
        }
      }
      if !mayWiden { changing[keys] = isChange }
      if isChange {
        changes.append(Change(name: asset.name, kind: asset.kind, before: before, after: after))
      }
    }
    assetCount = table.assets.count
    self.changes = changes
  }

  /// Returns whether two answers about one asset show the same variant in the same direction.
  private static func agree(
    _ before: Result<Resolution, AmbiguousAnswer>, _ after: Result<Resolution, AmbiguousAnswer>
  ) -> Bool {
    switch (before, after) {
    case (.success(let before), .success(let after)):
      before.explanation.winner == after.explanation.winner
        && before.isMirrored == after.isMirrored
    case (.failure(let before), .failure(let after)): before.names == after.names
    default: false
    }
  }
}

extension Query {
  fileprivate func answer(
    about asset: AssetCandidates, in table: CandidateTable
  ) -> Result<Resolution, AmbiguousAnswer> {
    Result { () throws(AmbiguousAnswer) in
      try resolution(of: asset.name, asset.kind, in: table)
    }
  }

  /// The window with its size and its size classes, for people.
  fileprivate var windowText: String {
    guard let window else { return "a window whose size classes are not known" }
    let held = window.orientation == .any ? "" : "\(window.orientation.rawValue) "
    let size = window.points.map { "\(sizeText($0)) points" } ?? "any size"
    return "\(held)\(window.mode.rawValue): \(size), \(width?.name ?? "unknown") width, "
      + "\(window.heightClass?.name ?? "unknown") height"
  }

  fileprivate var windowJSON: JSONOutput {
    [
      "window": .string(window?.mode.rawValue ?? "full"),
      "orientation": .string(window?.orientation.rawValue ?? "any"),
      "points": window?.pointsJSON ?? .null, "width": classJSON(width),
      "height": classJSON(window?.heightClass),
    ]
  }
}

// MARK: - Text and JSON

extension WindowTransition {
  /// The lines about the changes, without the window from which they start.
  package var text: String {
    let count =
      changes.isEmpty
      ? "no asset changes"
      : "\(changes.count) of \(counted(assetCount, "asset")) "
        + (changes.count == 1 ? "changes" : "change")
    var text = "to \(to.windowText): \(count)\n"
    for change in changes {
      text += "  \(change.name) (\(change.kind.name)): \(words(change.before))"
      text += " becomes \(words(change.after))\n"
    }
    for remark in remarks { text += "  supposed: \(remark)\n" }
    return text
  }

  /// The line about the window from which the changes start.
  package var heading: String {
    let device = from.device.map { "\($0.identifier) (\($0.name)), " } ?? ""
    return "\(device)from \(from.windowText)\n"
  }

  private func words(_ answer: Result<Resolution, AmbiguousAnswer>) -> String {
    switch answer {
    case .success(let resolution): resolution.sentence
    case .failure(let ambiguous):
      ambiguous.names.joined(separator: " or ") + " (unknown: "
        + ambiguous.axes.map(\.name).joined(separator: ", ") + ")"
    }
  }

  package var json: JSONOutput {
    [
      "device": from.device.map { .string($0.identifier) } ?? .null, "from": from.windowJSON,
      "to": to.windowJSON, "assets": .integer(assetCount),
      "changes": .array(
        changes.map { change in
          [
            "asset": .name(change.name), "kind": .string(change.kind.name),
            "before": json(change.before), "after": json(change.after),
          ]
        }),
    ]
  }

  private func json(_ answer: Result<Resolution, AmbiguousAnswer>) -> JSONOutput {
    switch answer {
    case .success(let resolution): .object(resolution.members)
    case .failure(let ambiguous):
      ["unknown": .array(ambiguous.axes.map { .string($0.name) })]
    }
  }
}

extension QueryWords {
  /// Returns the windows of a transition. A window is the name of a mode, or a mode and an
  /// orientation with a comma between them. Without `to`, there is one for each other window.
  package func transitions(
    from: String?, to: String?, localeNumber: (String) -> UInt16
  ) throws(QueryError) -> [(from: Query, to: Query)] {
    let start = try window(named: from ?? WindowMode.full.rawValue, "--from", localeNumber)
    var words = self
    words.windows = "all"
    guard let to else {
      return try words.queries(localeNumber: localeNumber)
        .filter { $0.shown != start.shown }.map { (start, $0) }
    }
    let (mode, orientation) = try parts(of: to, "--to")
    if mode.hasOneSize {
      let end = try window(named: to, "--to", localeNumber)
      if end.shown == start.shown { throw .usage("--from and --to name the same window") }
      return [(start, end)]
    }
    // Windows of free size can have several classes.
    let found = try words.queries(localeNumber: localeNumber).filter { query in
      guard let window = query.window, window.mode == mode, query.shown != start.shown else {
        return false
      }
      return orientation == nil || window.orientation == .any
        || window.orientation.rawValue == orientation
    }
    if found.isEmpty {
      throw .usage("\(start.device?.identifier ?? "the device") has no \(to) window")
    }
    return found.map { (start, $0) }
  }

  /// Returns the mode and the orientation of a window's name.
  private func parts(
    of name: String, _ option: String
  ) throws(QueryError) -> (mode: WindowMode, orientation: String?) {
    let parts = name.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let orientations = [Orientation.portrait, .landscape].map(\.rawValue)
    guard parts.count <= 2, let mode = WindowMode(rawValue: parts[0]),
      parts.count == 1 || orientations.contains(parts[1])
    else {
      throw .usage(
        "\(option) needs a window such as 'full' or 'split-1/2,landscape', not '\(name)'")
    }
    return (mode, parts.count == 2 ? parts[1] : nil)
  }

  private func window(
    named name: String, _ option: String, _ localeNumber: (String) -> UInt16
  ) throws(QueryError) -> Query {
    let (mode, orientation) = try parts(of: name, option)
    guard mode.hasOneSize else {
      throw .usage("\(option) needs a window of one size, not '\(name)'")
    }
    var words = self
    words.window = mode.rawValue
    words.orientation = orientation
    let queries = try words.queries(localeNumber: localeNumber)
    guard queries.count == 1, let query = queries.first else {
      throw .usage("transitions are about one device; name one with --device")
    }
    return query
  }
}
