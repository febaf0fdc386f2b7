// The changes from one build of an app to the next, as text for people, as Markdown and as JSON.

import Apps
import Bytes
import Documents
import Traits

extension AppChanges {
  /// Returns the changes as lines. The paths are those of the two builds.
  package func lines(from before: ByteString, to after: ByteString) -> [String] {
    [title(before, after)] + (sections.isEmpty ? [] : [""]) + sections.lines
  }

  package func markdown(from before: ByteString, to after: ByteString) -> String {
    "### \(title(before, after).escapedForMarkdown)\n\n\(sections.markdown)"
  }

  private func title(_ before: ByteString, _ after: ByteString) -> String {
    let names = [before, after].map { onOneLine(lastComponent(withoutTrailingSlashes($0))) }
    return "\(names[0]) → \(names[1]): \(AppChanges.sizes(files)) in all files"
  }

  private static func sizes(_ change: SizeChange) -> String {
    let (old, new) = (grouped(change.before ?? 0), grouped(change.after ?? 0))
    return change.growth == 0 ? "\(new) bytes" : "\(old) → \(new) bytes (\(signed(change.growth)))"
  }

  private var sections: [ReportSection] {
    var sections = deviceSections
    sections.append(table(bundles, "BUNDLE") { $0.path.isEmpty ? "the app" : $0.path.text })
    sections.append(table(archives, "ARCHIVE") { $0.path.text })
    sections.append(table(assets, "ASSET") { "\(onOneLine($0.asset)) (\(onOneLine($0.path)))" })
    sections.append(table(loose, "LOOSE PICTURE") { $0.path.text })
    if copies.growth != 0 {
      sections.append(
        ReportSection(remarks: [
          "One copy of each of the equal pictures would save: \(AppChanges.sizes(copies))"
        ]))
    }
    if isEmpty { sections.append(ReportSection(remarks: ["Both builds have the same sizes."])) }
    return sections.filter { !$0.lines.isEmpty }
  }

  /// For each program a table of the families of devices: those that changed least and most.
  private var deviceSections: [ReportSection] {
    let programs = Set(devices.map(\.program)).sorted()
    return programs.map { program in
      let name = program.isEmpty ? "PICTURES OF the app" : "PICTURES OF \(program)"
      var rows = [[name, "DEVICES", "BEFORE", "AFTER", "CHANGE", ""]]
      for idiom in Idiom.allCases {
        let family = devices.filter { $0.program == program && $0.device.idiom == idiom }
        guard let least = family.min(by: { $0.bytes.growth < $1.bytes.growth }),
          let most = family.max(by: { $0.bytes.growth < $1.bytes.growth })
        else { continue }
        let ends =
          least.bytes.growth == most.bytes.growth
          ? [(most, "")] : [(least, "least growth"), (most, "most growth")]
        for (change, words) in ends {
          rows.append([
            words.isEmpty ? idiom.name : "\(idiom.name), \(words)", grouped(family.count),
            change.bytes.before.map(grouped) ?? "-", change.bytes.after.map(grouped) ?? "-",
            signed(change.bytes.growth), change.device.name,
          ])
        }
      }
      return ReportSection(rows: rows, right: [1, 2, 3, 4])
    }
  }

  private func table(
    _ parts: [ChangedPart], _ noun: String, _ name: (ChangedPart) -> String
  ) -> ReportSection {
    if parts.isEmpty { return ReportSection() }
    var rows = [[noun, "BEFORE", "AFTER", "CHANGE", "CAUSE"]]
    let ordered = parts.sorted { a, b in
      let (mine, theirs) = (abs(a.bytes.growth), abs(b.bytes.growth))
      return mine == theirs ? (a.path, a.asset) < (b.path, b.asset) : mine > theirs
    }
    for part in ordered.prefix(AppReport.mostListed) {
      rows.append([
        name(part), part.bytes.before.map(grouped) ?? "-", part.bytes.after.map(grouped) ?? "-",
        signed(part.bytes.growth), part.cause,
      ])
    }
    let more = parts.count - AppReport.mostListed
    return ReportSection(
      rows: rows, right: [1, 2, 3],
      remarks: more > 0 ? ["and \(grouped(more)) more; --json lists all"] : [])
  }
}

extension ExcessiveGrowth: CustomStringConvertible {
  package var description: String {
    let first = devices.first?.identifier ?? ""
    let others = devices.count > 1 ? " and \(counted(devices.count - 1, "more device"))" : ""
    let name = program.isEmpty ? "" : " of \(onOneLine(program))"
    return "\(first)\(others): the pictures\(name) grew from \(grouped(before)) to "
      + "\(grouped(after)) bytes; \(grouped(most)) are allowed"
  }
}

// MARK: - JSON

extension AppChanges {
  package var json: JSONOutput {
    [
      "files": files.json, "copies": copies.json,
      "bundles": .array(bundles.map(\.json)), "archives": .array(archives.map(\.json)),
      "assets": .array(assets.map(\.json)), "loose": .array(loose.map(\.json)),
      "devices": .array(
        devices.map { change in
          .object(
            [
              .init("program", .name(change.program)),
              .init("device", .string(change.device.identifier)),
            ] + change.bytes.members)
        }),
    ]
  }
}

extension SizeChange {
  fileprivate var members: [JSONOutput.Member] {
    [
      .init("before", before.map { .integer($0) } ?? .null),
      .init("after", after.map { .integer($0) } ?? .null),
    ]
  }

  fileprivate var json: JSONOutput { .object(members) }
}

extension ChangedPart {
  fileprivate var json: JSONOutput {
    var members: [JSONOutput.Member] = [.init("path", .name(path))]
    if !asset.isEmpty { members.append(.init("asset", .name(asset))) }
    return .object(members + bytes.members + [.init("cause", .string(cause))])
  }
}
