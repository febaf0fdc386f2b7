// The report about an app as text for people, as tables for a comment on a change, and as JSON.

import Apps
import ArchiveTools
import Bytes
import Documents
import Traits

extension AppReport {
  /// The number of assets and groups of copies that the text lists.
  private static let mostListed = 20

  /// Returns the report as lines. `root` is the path of the app.
  package func lines(about root: ByteString) -> [String] {
    var lines = [
      "\(onOneLine(lastComponent(withoutTrailingSlashes(root)))): "
        + "\(counted(bundles.count { $0.bundle.kind != .loose }, "bundle")), "
        + "\(counted(archives.count, "archive")), "
        + "\(counted(fileCount, "file")), \(grouped(byteCount)) bytes"
    ]
    if !archives.isEmpty { lines += [""] + archiveTable }
    for program in programs where !program.families.isEmpty { lines += [""] + table(of: program) }
    lines += droppedLines
    lines += largestAssets
    lines += copyLines(
      duplicates, "Equal pictures", "of which one copy each would save")
    lines += copyLines(
      similar, "Similar pictures",
      "(in other sizes, or with differences of at most 2 of 255), of which one copy each would save"
    )
    for program in programs { lines += looseLines(program) }
    return lines
  }

  // MARK: Tables

  private var archiveTable: [String] {
    var rows = [["BUNDLE", "VERSION", "ARCHIVE", "NAMES", "RENDITIONS", "BYTES", "LARGEST KINDS"]]
    for contents in bundles {
      let bundle = contents.bundle
      for number in contents.archives {
        let archive = archives[number]
        let isFirst = number == contents.archives.lowerBound
        let inside = archive.path.relative(to: bundle.path) ?? archive.path
        let kinds = (archive.sizes?.kinds ?? []).prefix(3).map { "\($0.name) \(grouped($0.bytes))" }
        rows.append([
          isFirst ? "\(bundle.name) (\(bundle.kind.rawValue))" : "",
          isFirst ? bundle.version ?? "" : "", inside.text,
          archive.sizes.map { grouped($0.nameCount) } ?? "?",
          archive.sizes.map { grouped($0.renditionCount) } ?? "?", grouped(archive.byteCount),
          kinds.joined(separator: ", "),
        ])
      }
    }
    let sum = archives.reduce(0) { $0 + $1.byteCount }
    rows.append(["all", "", "", "", "", grouped(sum), ""])
    return alignedColumns(rows, right: [3, 4, 5])
  }

  private func table(of program: ProgramSizes) -> [String] {
    let name = bundles[program.bundle].bundle.name
    var rows = [["DOWNLOADED OF \(name)'S ARCHIVES", "DEVICES", "SMALLEST", "", "LARGEST", ""]]
    for family in program.families {
      rows.append([
        family.idiom.name, grouped(family.count), grouped(family.smallest.bytes),
        family.smallest.device.name, grouped(family.largest.bytes), family.largest.device.name,
      ])
    }
    rows.append(["not thinned", "", grouped(program.archiveBytes), "", "", ""])
    return alignedColumns(rows, right: [1, 2, 4])
  }

  /// The bytes that thinning drops, by axis, for the device that downloads most of each archive.
  private var droppedLines: [String] {
    var sums: [Axis: Int] = [:]
    for archive in archives {
      let largest = archive.sizes?.devices.max { $0.bytes < $1.bytes }
      for (axis, bytes) in largest?.dropped ?? [] { sums[axis, default: 0] += bytes }
    }
    let parts = Axis.allCases.compactMap { axis in
      sums[axis].map { "\(axis.name) \(grouped($0))" }
    }
    if parts.isEmpty { return [] }
    return [
      "",
      "Thinning drops at least (by the trait that no window of the largest device has): "
        + parts.joined(separator: ", "),
    ]
  }

  private var largestAssets: [String] {
    var all: [(asset: ByteString, archive: ByteString, share: SizeShare<ByteString>)] = []
    for archive in archives {
      for share in archive.sizes?.assets ?? [] { all.append((share.name, archive.path, share)) }
    }
    all.sort { a, b in
      a.share.bytes == b.share.bytes
        ? (a.asset, a.archive) < (b.asset, b.archive) : a.share.bytes > b.share.bytes
    }
    if all.isEmpty { return [] }
    var rows = [["LARGEST ASSETS", "RENDITIONS", "BYTES", "ARCHIVE"]]
    for (asset, archive, share) in all.prefix(AppReport.mostListed) {
      rows.append([asset.text, grouped(share.count), grouped(share.bytes), archive.text])
    }
    return [""] + alignedColumns(rows, right: [1, 2])
  }

  private func copyLines(
    _ groups: [DuplicateGroup], _ title: String, _ explanation: String
  ) -> [String] {
    if groups.isEmpty { return [] }
    let saved = groups.reduce(0) { $0 + $1.saved }
    var lines = [
      "",
      "\(title): \(counted(groups.count, "group")), \(explanation) \(grouped(saved)) bytes",
    ]
    var rows: [[String]] = []
    for group in groups.prefix(AppReport.mostListed) {
      let size = group.pictures[0].fingerprint
      rows.append([
        "  \(grouped(group.saved))", "\(size.width)×\(size.height)",
        group.pictures.prefix(6).map(\.text).joined(separator: " = ")
          + (group.pictures.count > 6 ? " and \(group.pictures.count - 6) more" : ""),
      ])
    }
    lines += alignedColumns(rows, right: [0])
    if groups.count > AppReport.mostListed {
      lines.append("  and \(grouped(groups.count - AppReport.mostListed)) more; --json lists all")
    }
    return lines
  }

  private func looseLines(_ program: ProgramSizes) -> [String] {
    guard let loose = program.loose else { return [] }
    let name = bundles[program.bundle].bundle.name
    var text =
      "Loose pictures of \(name): \(counted(loose.count, "file")), \(grouped(loose.bytes)) bytes "
      + "on every device"
    let bytes = loose.catalog.map(\.bytes)
    if let least = bytes.min(), let most = bytes.max() {
      text +=
        "; \(grouped(loose.compiledCount)) of them (\(grouped(loose.compiledBytes)) bytes) would "
        + "take \(grouped(least)) to \(grouped(most)) bytes in a catalogue, by the device"
    }
    return ["", text]
  }
}

extension FoundPicture {
  var text: String { asset.isEmpty ? onOneLine(path) : "\(onOneLine(asset)) (\(onOneLine(path)))" }
}

// MARK: - JSON

extension AppReport {
  package var json: JSONOutput {
    [
      "bytes": .integer(byteCount), "files": .integer(fileCount),
      "bundles": .array(bundles.map(json)), "programs": .array(programs.map(json)),
      "duplicates": .array(duplicates.map(\.json)), "similar": .array(similar.map(\.json)),
      "troubles": .array(
        troubles.map { ["path": .name($0.path), "reason": .string($0.reason)] }),
    ]
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
              "scale": .integer(Int(picture.scale)), "idiom": .string(picture.idiom.name),
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
      "dropped": .object(dropped.map { .init($0.axis.name, .integer($0.bytes)) }),
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
