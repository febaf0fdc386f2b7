// The history of catalogues as text for people, and as JSON for programs and for the page.

import Apps
import Bytes
import Documents
import History
import Traits

extension CatalogHistory {
  /// The number of digits of a commit's name in texts.
  private static let shortName = 10
  /// The greatest number of assets that the text lists for a commit.
  private static let mostAssets = 3

  /// Returns the history as lines. `catalogs` are the catalogues as the user named them.
  package func lines(about catalogs: [ByteString]) -> [String] {
    var sections = [ReportSection(title: title(catalogs), remarks: remarks)]
    sections += [lineTable, moveTable].filter { $0.rows.count > 1 }
    return sections.lines
  }

  private func title(_ catalogs: [ByteString]) -> String {
    let names = catalogs.map { onOneLine($0) }.joined(separator: ", ")
    let days = [commits.first?.date, commits.last?.date].compactMap { $0 }
    let span = Set(days).count == 1 ? days[0] : days.joined(separator: " to ")
    return "\(names): \(counted(commits.count, "commit")), \(span); "
      + "\(counted(treeCount, "different catalogue")) compiled"
  }

  /// Remarks about what is not in the history.
  private var remarks: [String] {
    var remarks: [String] = []
    if isCut {
      remarks.append(
        "The clone is shallow: it has no older commits; 'git fetch --unshallow' gets them.")
    }
    let absent = states.count { $0 == .absent }
    if absent > 0 {
      remarks.append("\(counted(absent, "commit")) without the catalogue.")
    }
    var named: Set<CommitState> = []
    for (commit, state) in zip(commits, states) {
      guard case .refused(let reason) = state, named.insert(state).inserted else { continue }
      let count = states.count { $0 == state }
      let others = count > 1 ? " and \(counted(count - 1, "other commit"))" : ""
      remarks.append("\(short(commit))\(others): not compiled: \(onOneLine(reason))")
    }
    return remarks
  }

  private func short(_ commit: GitCommit) -> String {
    commit.id.prefix(CatalogHistory.shortName).text
  }

  private var lineTable: ReportSection {
    var rows = [["DEVICES", "FIRST", "LAST", "CHANGE", "LARGEST", "IN"]]
    rows += lines.map { row($0.title, $0.bytes) }
    rows.append(row("not thinned", commits.indices.map { sizes(of: $0)?.byteCount }))
    return ReportSection(rows: rows, right: [1, 2, 3, 4])
  }

  private func row(_ title: String, _ bytes: [Int?]) -> [String] {
    let known = bytes.enumerated().compactMap { index, bytes in bytes.map { (index, $0) } }
    guard let first = known.first, let last = known.last,
      let largest = known.max(by: { $0.1 < $1.1 })
    else { return [title, "", "", "", "", ""] }
    return [
      title, grouped(first.1), grouped(last.1), signed(last.1 - first.1), grouped(largest.1),
      short(commits[largest.0]),
    ]
  }

  /// The commits that changed a size, the newest first.
  private var moveTable: ReportSection {
    var rows = [["COMMIT", "DATE", "NOT THINNED", "DEVICES", "ASSETS", "SUBJECT"]]
    for move in moves.reversed() {
      let commit = commits[move.commit]
      rows.append([
        short(commit), commit.date, signed(move.bytes.growth),
        text(of: move.lines.compactMap { $0 }),
        text(of: move.assets), commit.subject,
      ])
    }
    return ReportSection(rows: rows, right: [2, 3])
  }

  private func text(of growths: [Int]) -> String {
    guard let least = growths.min(), let most = growths.max() else { return "" }
    return least == most ? signed(least) : "\(signed(least)) to \(signed(most))"
  }

  private func text(of changes: [AssetChange]) -> String {
    let few = changes.prefix(CatalogHistory.mostAssets).map { change in
      let cause =
        change.bytes.before == nil ? "new " : change.bytes.after == nil ? "removed " : ""
      return "\(cause)\(onOneLine(change.name)) \(signed(change.bytes.growth))"
    }
    let rest = changes.count - few.count
    return few.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }
}

extension HistoryLine {
  /// The name of the first device, and the number of the others.
  var title: String {
    let others = devices.count - 1
    return (devices.first?.name ?? "") + (others > 0 ? " and \(counted(others, "other"))" : "")
  }
}

// MARK: - JSON

extension CatalogHistory {
  package func json(about catalogs: [ByteString]) -> JSONOutput {
    [
      "catalogs": .array(catalogs.map { .name($0) }),
      "isCut": .bool(isCut),
      "trees": .integer(treeCount),
      "commits": .array(commits.indices.map(commitJSON)),
      "lines": .array(
        lines.map { line in
          [
            "devices": .array(line.devices.map { .string($0.identifier) }),
            "names": .array(line.devices.map { .string($0.name) }),
            "idiom": .string(line.devices.first?.idiom.name ?? ""),
            "bytes": .array(line.bytes.map { $0.map { .integer($0) } ?? .null }),
          ]
        }),
      "moves": .array(moves.map(\.json)),
    ]
  }

  private func commitJSON(_ number: Int) -> JSONOutput {
    let commit = commits[number]
    var members: [JSONOutput.Member] = [
      .init("id", .name(commit.id)), .init("date", .string(commit.date)),
      .init("author", .string(commit.author)), .init("subject", .string(commit.subject)),
    ]
    switch states[number] {
    case .absent: members.append(.init("state", "absent"))
    case .refused(let reason):
      members += [.init("state", "refused"), .init("reason", .string(reason))]
    case .compiled:
      members.append(.init("state", "compiled"))
      guard let sizes = sizes(of: number) else { break }
      members += [
        .init("bytes", .integer(sizes.byteCount)), .init("names", .integer(sizes.nameCount)),
        .init("renditions", .integer(sizes.renditionCount)),
      ]
    }
    return .object(members)
  }
}

extension HistoryMove {
  fileprivate var json: JSONOutput {
    [
      "commit": .integer(commit),
      "bytes": .integer(bytes.growth),
      "lines": .array(lines.map { $0.map { .integer($0) } ?? .null }),
      "assets": .array(
        assets.map { change in
          [
            "name": .name(change.name),
            "before": change.bytes.before.map { .integer($0) } ?? .null,
            "after": change.bytes.after.map { .integer($0) } ?? .null,
          ]
        }),
    ]
  }
}

extension CatalogHistory {
  /// The numbers of commits, lines and changes, in words.
  package var summary: String {
    "\(counted(commits.count, "commit")), \(counted(lines.count, "line")), "
      + "\(counted(moves.count, "change"))"
  }
}
