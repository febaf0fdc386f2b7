// The report about one asset in every window of some devices: a table for people, or one object for
// each line.

import Bytes
import Documents
import Traits

/// One asset in several windows.
package struct AssetInWindows: Sendable {
  /// The variant that one window shows; if it is not known, the reason.
  package struct Row: Sendable {
    package var query: Query
    package var result: Result<Resolution, AmbiguousAnswer>
  }

  package var rows: [Row]

  package init(
    of name: ByteString, _ kind: AssetKind, for queries: [Query], in source: CandidateSource
  ) {
    rows = queries.map { query in
      let result = Result { () throws(AmbiguousAnswer) in
        try query.resolution(of: name, kind, in: source.table(for: query))
      }
      return Row(query: query, result: result)
    }
  }

  /// Whether a window shows the asset, or may show it.
  package var showsSomething: Bool { rows.contains(where: \.showsSomething) }

  /// The rows as a table for people.
  package var text: String {
    var cells = [["DEVICE", "ORIENTATION", "WINDOW", "POINTS", "WIDTH", "HEIGHT", "SHOWS"]]
    cells += rows.map { row in
      let window = row.query.window
      let width = row.query.width
      return [
        row.query.device?.identifier ?? "-", window?.orientation.rawValue ?? "-",
        window?.mode.rawValue ?? "-", window?.points.map(sizeText) ?? "-",
        window == nil ? "-" : width?.name ?? "unknown", window?.heightClass?.name ?? "-",
        row.answer,
      ]
    }
    return aligned(cells)
  }

  /// The rows as objects, one on each line.
  package var lines: String {
    rows.map { row in
      let window = row.query.window
      var members: [JSONOutput.Member] = [
        .init("device", .string(row.query.device?.identifier ?? ""))
      ]
      if let window {
        members += [
          .init("orientation", .string(window.orientation.rawValue)),
          .init("window", .string(window.mode.rawValue)), .init("points", window.pointsJSON),
          .init("width", classJSON(row.query.width)),
          .init("height", classJSON(window.heightClass)),
        ]
      }
      switch row.result {
      case .success(let resolution): members += resolution.members
      case .failure(let ambiguous):
        members.append(.init("unknown", .array(ambiguous.axes.map { .string($0.name) })))
      }
      return JSONOutput.object(members).line + "\n"
    }.joined()
  }
}

extension AssetInWindows.Row {
  /// Whether the window shows the asset; true if that is not known.
  var showsSomething: Bool {
    if case .success(let resolution) = result { resolution.winner != nil } else { true }
  }

  fileprivate var answer: String {
    switch result {
    case .success(let resolution):
      let supposed = resolution.suppositions.map(\.rawValue).joined(separator: ", ")
      let remark = supposed.isEmpty ? "" : " (supposed: \(supposed))"
      guard let winner = resolution.winner else {
        return "nothing (\(resolution.reason))" + remark
      }
      return winner.label + (resolution.isMirrored ? " (mirrored)" : "") + remark
    case .failure(let ambiguous):
      return ambiguous.names.joined(separator: " or ") + " (unknown: "
        + ambiguous.axes.map(\.name).joined(separator: ", ") + ")"
    }
  }
}
