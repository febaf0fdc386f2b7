// The report about an app as text for people, as tables for a comment on a change, and as JSON.

import Apps
import ArchiveTools
import Bytes
import Documents
import Traits

extension AppReport {
  /// The number of assets and groups of copies that the text lists.
  static let mostListed = 20

  /// Returns the report as lines. `root` is the path of the app.
  package func lines(about root: ByteString) -> [String] { sections(about: root).lines }

  /// Returns the report as Markdown, with the largest parts folded.
  package func markdown(about root: ByteString) -> String {
    "### \(title(of: root).escapedForMarkdown)\n\n"
      + sections(about: root).dropFirst().map(\.markdown).joined()
  }

  private func title(of root: ByteString) -> String {
    "\(onOneLine(lastComponent(withoutTrailingSlashes(root)))): "
      + "\(counted(bundles.count { $0.bundle.kind != .loose }, "bundle")), "
      + "\(counted(archives.count, "archive")), "
      + "\(counted(fileCount, "file")), \(grouped(byteCount)) bytes"
  }

  private func sections(about root: ByteString) -> [ReportSection] {
    var sections = [ReportSection(title: title(of: root)), ReportSection(remarks: programLines)]
    sections.append(archiveTable)
    sections += programs.filter { !$0.families.isEmpty }.map(table)
    sections += [droppedSection, largestAssets]
    sections.append(
      copies(duplicates, "Equal pictures", "of which one copy each would save"))
    sections.append(
      copies(
        similar, "Similar pictures",
        "in other sizes, or with differences of at most 2 of 255, of which one copy each would save"
      ))
    sections.append(ReportSection(remarks: programs.flatMap(looseLines)))
    return sections.filter { !$0.lines.isEmpty }
  }

  // MARK: Programs

  /// The facts of the Info.plist of each program, on a line.
  private var programLines: [String] {
    programs.compactMap { program in
      let bundle = bundles[program.bundle].bundle
      // A program without Info.plist, archives and pictures has nothing to say.
      let isEmpty = program.archiveBytes + program.looseBytes == 0 && bundle.identifier == nil
      return bundle.kind == .loose || isEmpty ? nil : "\(bundle.name): \(bundle.facts)"
    }
  }

  // MARK: Tables

  private var archiveTable: ReportSection {
    if archives.isEmpty { return ReportSection() }
    var rows = [["BUNDLE", "VERSION", "ARCHIVE", "NAMES", "RENDITIONS", "BYTES", "LARGEST KINDS"]]
    for contents in bundles {
      let bundle = contents.bundle
      for number in contents.archives {
        let archive = archives[number]
        let isFirst = number == contents.archives.lowerBound
        let inside = archive.path.relative(to: bundle.path) ?? archive.path
        let kinds = (archive.sizes?.kinds ?? []).filter { $0.bytes > 0 }.prefix(3)
        rows.append([
          isFirst ? bundle.title : "",
          isFirst ? bundle.version ?? "" : "", inside.text,
          archive.sizes.map { grouped($0.nameCount) } ?? "?",
          archive.sizes.map { grouped($0.renditionCount) } ?? "?", grouped(archive.byteCount),
          kinds.map { "\($0.name) \(grouped($0.bytes))" }.joined(separator: ", "),
        ])
      }
    }
    let sum = archives.reduce(0) { $0 + $1.byteCount }
    rows.append(["all", "", "", "", "", grouped(sum), ""])
    return ReportSection(rows: rows, right: [3, 4, 5])
  }

  private func table(of program: ProgramSizes) -> ReportSection {
    let bundle = bundles[program.bundle].bundle
    let name = bundle.kind == .loose ? "the folder" : bundle.name.text
    var rows = [["ARCHIVES OF \(name)", "DEVICES", "SMALLEST", "", "LARGEST", ""]]
    for family in program.families {
      rows.append([
        family.idiom.name, grouped(family.count), grouped(family.smallest.bytes),
        family.smallest.device.name, grouped(family.largest.bytes), family.largest.device.name,
      ])
    }
    rows.append(["not thinned", "", grouped(program.archiveBytes), "", "", ""])
    return ReportSection(rows: rows, right: [1, 2, 4])
  }

  /// The bytes that thinning drops, by axis, for the device that downloads most of each archive.
  private var droppedSection: ReportSection {
    var sums: [Axis: Int] = [:]
    for archive in archives {
      let largest = archive.sizes?.devices.max { $0.bytes < $1.bytes }
      for (axis, amount) in largest?.savings.byAxis ?? [] { sums[axis, default: 0] += amount.bytes }
    }
    let parts = Axis.allCases.compactMap { axis in
      sums[axis].map { "\(axis.name) \(grouped($0))" }
    }
    if parts.isEmpty { return ReportSection() }
    return ReportSection(remarks: [
      "Thinning drops at least (by the trait that no window of the largest device has): "
        + parts.joined(separator: ", ")
    ])
  }

  private var largestAssets: ReportSection {
    var all: [(asset: ByteString, archive: ByteString, share: SizeShare<ByteString>)] = []
    for archive in archives {
      for share in archive.sizes?.assets ?? [] where share.bytes > 0 {
        all.append((share.name, archive.path, share))
      }
    }
    all.sort { a, b in
      a.share.bytes == b.share.bytes
        ? (a.asset, a.archive) < (b.asset, b.archive) : a.share.bytes > b.share.bytes
    }
    if all.isEmpty { return ReportSection() }
    var rows = [["LARGEST ASSETS", "RENDITIONS", "BYTES", "ARCHIVE"]]
    for (asset, archive, share) in all.prefix(AppReport.mostListed) {
      rows.append([asset.text, grouped(share.count), grouped(share.bytes), archive.text])
    }
    return ReportSection(rows: rows, right: [1, 2])
  }

  private func copies(
    _ groups: [DuplicateGroup], _ title: String, _ explanation: String
  ) -> ReportSection {
    if groups.isEmpty { return ReportSection() }
    let saved = groups.reduce(0) { $0 + $1.saved }
    var section = ReportSection(
      title: "\(title): \(counted(groups.count, "group")), \(explanation) \(grouped(saved)) bytes",
      rows: [["SAVED", "ON A DEVICE", "SIZE", "PICTURES"]], right: [0, 1])
    for group in groups.prefix(AppReport.mostListed) {
      let size = group.pictures[0].fingerprint
      let onDevice = group.savedOnDevices.values.max() ?? 0
      section.rows.append([
        grouped(group.saved), "\(onDevice > 0 ? "≤ " : "")\(grouped(onDevice))",
        "\(size.width)×\(size.height)",
        group.pictures.prefix(6).map(\.text).joined(separator: " = ")
          + (group.pictures.count > 6 ? " and \(group.pictures.count - 6) more" : ""),
      ])
    }
    if groups.count > AppReport.mostListed {
      section.remarks = [
        "and \(grouped(groups.count - AppReport.mostListed)) more; --json lists all"
      ]
    }
    return section
  }

  private func looseLines(_ program: ProgramSizes) -> [String] {
    guard let loose = program.loose else { return [] }
    let bundle = bundles[program.bundle].bundle
    let name = bundle.kind == .loose ? "the folder" : bundle.name.text
    var text =
      "Loose pictures of \(name): \(counted(loose.count, "file")), \(grouped(loose.bytes)) bytes "
      + "on every device"
    let bytes = loose.catalog.map(\.bytes)
    if let least = bytes.min(), let most = bytes.max() {
      text +=
        "; \(grouped(loose.compiledCount)) of them (\(grouped(loose.compiledBytes)) bytes) would "
        + (least == most
          ? "take \(grouped(least)) bytes in a catalogue"
          : "take \(grouped(least)) to \(grouped(most)) bytes in a catalogue, by the device")
    }
    return [text]
  }
}

extension AppBundle {
  /// The facts of the Info.plist in words.
  fileprivate var facts: String {
    var words: [String] = []
    if let identifier { words.append(identifier) }
    let numbers = [version, build.map { "(\($0))" }].compactMap { $0 }
    if !numbers.isEmpty { words.append("version \(numbers.joined(separator: " "))") }
    if let platform {
      let oldest = oldestSystem.map { " \($0) or newer" } ?? ""
      words.append("\(platform.rawValue)\(oldest)")
    }
    let known = [1: "iPhone", 2: "iPad", 3: "TV", 4: "watch", 6: "Mac", 7: "vision"]
    if !families.isEmpty {
      words.append("for " + families.map { known[$0] ?? "family \($0)" }.joined(separator: " and "))
    }
    if let turned = traits.phoneOrientations, turned.count == 1, let only = turned.first {
      words.append("on phones in \(only)")
    }
    if traits.requiresFullScreen { words.append("in the full screen only") }
    if !languages.isEmpty { words.append("languages \(languages.joined(separator: ", "))") }
    return words.isEmpty ? "has no Info.plist" : words.joined(separator: "; ")
  }
}

extension FoundPicture {
  var text: String { asset.isEmpty ? onOneLine(path) : "\(onOneLine(asset)) (\(onOneLine(path)))" }
}

// MARK: - JSON

extension AppReport {
  /// Returns the report with the limits that were exceeded, if there are any.
  package func json(excesses: [String]) -> JSONOutput {
    var members: [JSONOutput.Member] = [
      .init("bytes", .integer(byteCount)), .init("files", .integer(fileCount)),
      .init("bundles", .array(bundles.map(json))), .init("programs", .array(programs.map(json))),
      .init("duplicates", .array(duplicates.map(\.json))),
      .init("similar", .array(similar.map(\.json))),
      .init(
        "troubles",
        .array(troubles.map { ["path": .name($0.path), "reason": .string($0.reason)] })),
    ]
    if !excesses.isEmpty {
      members.append(.init("excesses", .array(excesses.map { .string($0) })))
    }
    return .object(members)
  }

  private func json(_ contents: BundleContents) -> JSONOutput {
    let bundle = contents.bundle
    var members: [JSONOutput.Member] = [
      .init("path", .name(bundle.path)), .init("kind", .string(bundle.kind.rawValue)),
      .init("name", .name(bundle.name)),
    ]
    let facts: [(String, String?)] = [
      ("identifier", bundle.identifier), ("version", bundle.version), ("build", bundle.build),
      ("platform", bundle.platform?.rawValue), ("oldestSystem", bundle.oldestSystem?.description),
      ("icon", bundle.iconName),
    ]
    for (key, value) in facts { if let value { members.append(.init(key, .string(value))) } }
    members += [
      .init("families", .array(bundle.families.map { .integer($0) })),
      .init("languages", .array(bundle.languages.map { .string($0) })),
      .init("requiresFullScreen", .bool(bundle.traits.requiresFullScreen)),
      .init("bytes", .integer(contents.byteCount)),
      .init("archives", .array(contents.archives.map { json(archives[$0]) })),
      .init(
        "loose",
        .array(
          contents.loose.map { picture in
            [
              "path": .name(picture.path), "bytes": .integer(picture.bytes),
              "scale": .integer(Int(picture.key.scale)),
              "idiom": .string(picture.key.idiom.name),
              "isIcon": .bool(picture.isIcon),
            ]
          })),
    ]
    return .object(members)
  }

  private func json(_ archive: AppArchive) -> JSONOutput {
    var members: [JSONOutput.Member] = [
      .init("path", .name(archive.path)), .init("bytes", .integer(archive.byteCount)),
    ]
    guard let sizes = archive.sizes else { return .object(members) }
    func shares<Name>(_ shares: [SizeShare<Name>], _ name: (Name) -> JSONOutput) -> JSONOutput {
      .array(
        shares.map {
          ["name": name($0.name), "renditions": .integer($0.count), "bytes": .integer($0.bytes)]
        })
    }
    members += [
      .init("names", .integer(sizes.nameCount)),
      .init("renditions", .integer(sizes.renditionCount)),
      .init(
        "parts",
        [
          "pictures": .integer(sizes.parts.pictures), "index": .integer(sizes.parts.index),
          "tables": .integer(sizes.parts.tables),
        ]),
      .init("kinds", shares(sizes.kinds) { .string($0) }),
      .init("assets", shares(sizes.assets) { .name($0) }),
      .init("devices", .array(sizes.devices.map(\.json))),
    ]
    return .object(members)
  }

  private func json(_ program: ProgramSizes) -> JSONOutput {
    var members: [JSONOutput.Member] = [
      .init("path", .name(bundles[program.bundle].bundle.path)),
      .init("archiveBytes", .integer(program.archiveBytes)),
      .init("looseBytes", .integer(program.looseBytes)),
      .init(
        "devices",
        .object(program.devices.map { .init($0.device.identifier, .integer($0.bytes)) })),
    ]
    if let loose = program.loose {
      members.append(
        .init(
          "loose",
          [
            "files": .integer(loose.count), "bytes": .integer(loose.bytes),
            "compiledFiles": .integer(loose.compiledCount),
            "compiledBytes": .integer(loose.compiledBytes),
            "catalog": .array(loose.catalog.map(\.json)),
          ]))
    }
    return .object(members)
  }
}

extension DeviceShare {
  fileprivate var json: JSONOutput {
    [
      "devices": .array(devices.map { .string($0.identifier) }), "bytes": .integer(bytes),
      "dropped": .object(
        savings.byAxis.map { .init($0.axis.name, .integer($0.amount.bytes)) }),
    ]
  }
}

extension DuplicateGroup {
  fileprivate var json: JSONOutput {
    [
      "saved": .integer(saved),
      "width": .integer(pictures[0].fingerprint.width),
      "height": .integer(pictures[0].fingerprint.height),
      "pictures": .array(
        pictures.map {
          ["path": .name($0.path), "asset": .name($0.asset), "bytes": .integer($0.bytes)]
        }),
      "savedOnDevices": .object(
        savedOnDevices.sorted { $0.key < $1.key }.map { .init($0.key, .integer($0.value)) }),
    ]
  }
}

extension AppReport {
  /// The names of the archives among those of the app: the bundle and the path in it.
  package var archiveNames: [String] {
    var names = [String](repeating: "", count: archives.count)
    for contents in bundles {
      for number in contents.archives {
        let path = archives[number].path
        let inside = path.relative(to: contents.bundle.path) ?? path
        names[number] = onOneLine("\(contents.bundle.title): \(inside)")
      }
    }
    return names
  }
}

extension AppBundle {
  /// The name with the kind. Files that lie in no bundle have no name.
  fileprivate var title: String {
    kind == .loose ? "(\(kind.rawValue))" : "\(name) (\(kind.rawValue))"
  }
}
