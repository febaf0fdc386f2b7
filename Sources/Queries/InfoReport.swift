// The reports of `info` and of Apple's `assetutil --info`: the table of an archive's renditions,
// the same facts as JSON, and the lines about an object.

import Archive
import ArchiveTools
import Bytes
import CatalogCompiler
import CatalogModel
import Documents
import Host
import Traits

package enum RenditionOrder: String, CaseIterable, Sendable { case name, bytes }

/// The renditions that a report shows.
package struct RenditionSelection: Sendable {
  /// Parts of the names of assets in any case; empty for all names.
  package var names: [ByteString] = []
  /// Parts of the kinds of renditions in any case; empty for all kinds.
  package var kinds: [String] = []
  package var minimumSize = 0
  package var order = RenditionOrder.name

  package init() {}
}

extension ArchiveReport {
  /// Returns the places of the selected renditions, in the requested order.
  package func places(_ selection: RenditionSelection) -> [Int] {
    func holds(_ text: String, _ words: [String]) -> Bool {
      let folded = text.lowercased()
      return words.isEmpty || words.contains { folded.contains($0.lowercased()) }
    }
    let shown = renditions.indices.filter { place in
      holds(renditions[place].name.text, selection.names.map(\.text))
        && holds(renditions[place].type, selection.kinds)
        && charges[place] >= selection.minimumSize
    }
    if selection.order == .name { return shown }
    return shown.sorted { (charges[$1], $0) < (charges[$0], $1) }
  }

  /// Returns why nothing is selected, with what could have been meant; nil if something is. Atlases
  /// do not count unless their kind is named: their names are made by a compiler.
  package func hint(about selection: RenditionSelection) -> String? {
    let namesAtlases = selection.kinds.contains { $0.lowercased().hasPrefix("pack") }
    func found(_ part: RenditionSelection) -> [Int] {
      places(part).filter { namesAtlases || renditions[$0].type != "PackedImage" }
    }
    if renditions.isEmpty || !found(selection).isEmpty { return nil }
    var part = RenditionSelection()
    part.kinds = selection.kinds
    if found(part).isEmpty {
      let known = Set(renditions.map(\.type)).sorted()
      return "no rendition has a kind with \(quotedList(part.kinds)); the kinds are "
        + listed(known, joinedBy: "and")
    }
    (part.kinds, part.names) = ([], selection.names)
    if found(part).isEmpty {
      let known = Set(found(RenditionSelection()).map { renditions[$0].name }).sorted()
      let near = part.names.lazy.map { suggestion(for: $0, in: known) }.first { !$0.isEmpty }
      return "no asset has a name with \(quotedList(part.names))\(near ?? "")"
    }
    part.kinds = selection.kinds
    guard let largest = found(part).map({ charges[$0] }).max() else {
      return "no rendition has both such a name and such a kind"
    }
    return "no such rendition has \(grouped(selection.minimumSize)) bytes; the largest has "
      + grouped(largest)
  }

  /// Returns the lines about the archive, then a row for each of some renditions, then the parts
  /// that drawings leave out.
  package func lines(about shown: [Int]) -> [String] {
    let header = archive.header
    let tool = header.toolVersion.filter { !$0.isNewline }
    let place = metadata.map { metadata in
      ([metadata.platform, metadata.platformVersion].filter { !$0.isEmpty }).joined(separator: " ")
    }
    let first =
      "\(tool)\(place.map { ", \($0)" } ?? ""), CoreUI \(header.coreUIVersion), "
      + "storage \(header.storageVersion)"
    let counts =
      "\(counted(facetCount, "name")), \(counted(renditions.count, "rendition")), "
      + "\(grouped(archive.bytes.count)) bytes"
    let remarks = remarks(on: shown)
    return [first, counts, ""] + alignedColumns(rows(shown), right: [5])
      + (remarks.isEmpty ? [] : [""]) + remarks
  }

  /// Returns the table: renditions, then their sum, or the parts of the file if all are shown.
  private func rows(_ shown: [Int]) -> [[String]] {
    var rows = [["NAME", "KIND", "VARIANT", "SIZE", "STORED AS", "BYTES"]]
    for place in shown { rows.append(row(place)) }
    if shown.count < renditions.count {
      let bytes = shown.reduce(0) { $0 + charges[$1] }
      rows.append(["\(grouped(shown.count)) of these", "", "", "", "", grouped(bytes)])
    } else if let parts {
      rows += [
        ["pictures", "", "", "", "", grouped(parts.pictures)],
        ["index", "", "", "", "", grouped(parts.index)],
        ["names and keys", "", "", "", "", grouped(parts.tables)],
      ]
    }
    return rows
  }

  private func remarks(on shown: [Int]) -> [String] {
    shown.compactMap { place in
      let rendition = renditions[place]
      return rendition.drawingRemark.map { remark in
        let variant = rendition.variant.isEmpty ? "" : " (\(rendition.variant))"
        return onOneLine("\(rendition.name)\(variant) \(remark)")
      }
    }
  }

  private func row(_ place: Int) -> [String] {
    let rendition = renditions[place]
    let header = rendition.rendition.header
    let format = header.pixelFormat.description
    let stored = [format, rendition.compression ?? ""].filter { !$0.isEmpty }
    return [
      rendition.name.text, rendition.type, rendition.variant,
      rendition.color ?? (rendition.width == 0 ? "" : "\(rendition.width)×\(rendition.height)"),
      header.layout == .internalLink ? "atlas" : stored.joined(separator: " "),
      charges[place] > 0
        ? grouped(charges[place]) : header.layout == .atlas ? "in its pictures" : "shared",
    ]
  }
}

extension ObjectFile {
  /// Returns the lines about an object, and about its settings.
  package func lines(about path: ByteString) -> [String] {
    let left = scope.without.map { joined(scope.name, $0.joined(separator: "/")) }
    return [
      "\(path): an object of \(scope.label)"
        + (left.isEmpty ? "" : " without \(left.joined(separator: ", "))")
        + ": \(counted(assetCount, "asset")), \(counted(blockCount, "block")), "
        + "\(grouped(byteCount)) bytes",
      "  \(settings.words.joined(separator: " "))",
    ]
  }
}

// MARK: - The contents of an archive

// The contents of an archive, with the keys of Apple's `assetutil --info`: an object about the
// archive, then one for each rendition. The table for people shows the same facts.

/// The facts about an archive and its renditions.
package struct ArchiveReport {
  package let archive: Archive
  package let metadata: CatalogMetadata?
  package let renditions: [RenditionReport]
  /// The bytes that each rendition costs.
  package let charges: [Int]
  /// The sizes of the parts of the file; nil if the archive is damaged.
  package let parts: FileParts?
  /// The renditions that cannot be read.
  package let damaged: [DamagedRendition]
  package let facetCount: Int
  private let names: FacetNames
  private let keyWords: KeyWords
  private let appearances: [NamedNumber]

  /// Reads the renditions in the order of their names; renditions of one name stay in the order of
  /// the archive.
  package init(_ archive: Archive) throws(FormatError) {
    self.archive = archive
    metadata = try archive.metadata()
    appearances = try archive.appearances()
    let localizations = try archive.localizations()
    names = try FacetNames(of: archive)
    keyWords = try KeyWords(of: archive)
    facetCount = names.count
    let words = NumberNames(
      appearances: appearances, localizations: localizations,
      variants: try VariantNumbers(of: archive), platform: metadata?.system)
    let found = try archive.readableRenditions()
    var damaged = found.damaged
    var reports: [RenditionReport] = []
    reports.reserveCapacity(found.readable.count)
    let columns = Set(archive.keyFormat.columns)
    let facts = BlockFacts(fileSize: archive.bytes.count)
    for (entry, rendition) in found.readable {
      do throws(FormatError) {
        reports.append(
          try RenditionReport(
            entry, rendition, name: names[entry.key], words: words, columns: columns,
            facts: facts))
      } catch {
        damaged.append((entry.key, error))
      }
    }
    self.damaged = damaged.map { [names, keyWords] rendition in
      DamagedRendition(rendition.key, rendition.error, names: names, words: keyWords)
    }
    let sorted = reports.enumerated().sorted { a, b in
      a.element.name == b.element.name
        ? a.offset < b.offset
        : a.element.name < b.element.name
    }.map(\.element)
    renditions = sorted
    (charges, parts) = ArchiveReport.charges(of: sorted, in: archive)
  }

  /// Returns the charge of each rendition. The bytes of a damaged archive cannot be divided among
  /// the renditions: each rendition is then charged its own block.
  private static func charges(
    of renditions: [RenditionReport], in archive: Archive
  ) -> ([Int], FileParts?) {
    guard let opened = try? OpenedArchive(archive), let costs = try? opened.charges() else {
      return (renditions.map(\.entry.range.count), nil)
    }
    var costOfKey: [RenditionKey: Int] = [:]
    for (place, entry) in opened.inventory.entries.enumerated() {
      costOfKey[entry.key] = costs.bytes[place]
    }
    return (
      renditions.map { costOfKey[$0.entry.key] ?? $0.entry.range.count },
      try? opened.parts(pictures: costs.sum)
    )
  }

  /// Returns the whole report, or only the renditions of one asset, and all damaged renditions.
  /// `isDump` adds the members that only `assetutil` prints.
  package func json(
    named name: ByteString? = nil, keys: Set<RenditionKey>? = nil, isDump: Bool = false
  ) -> (output: JSONOutput, damaged: [DamagedRendition]) {
    var objects = [header(isDump: isDump)]
    var damaged = damaged
    let shown = renditions.filter {
      (name == nil || $0.name == name) && keys?.contains($0.entry.key) ?? true
    }
    let packed = packedParts(shown)
    for rendition in shown {
      do throws(FormatError) {
        objects.append(try rendition.json(packed: packed[rendition.entry.key]))
      } catch {
        damaged.append(
          DamagedRendition(rendition.entry.key, error, names: names, words: keyWords))
      }
    }
    return (.array(objects), damaged)
  }

  /// Returns the facts that pictures in atlases take from their atlas.
  private func packedParts(_ shown: [RenditionReport]) -> [RenditionKey: PackedPart] {
    var atlases: [RenditionKey: RenditionReport] = [:]
    for report in renditions where report.rendition.header.layout == .atlas {
      atlases[report.entry.key] = report
    }
    let links = shown.compactMap { report in
      (try? report.rendition.link()).flatMap { $0 }.map { (key: report.entry.key, link: $0) }
    }
    let opacity = (try? opaqueParts(of: atlases.mapValues(\.rendition), links)) ?? [:]
    var parts: [RenditionKey: PackedPart] = [:]
    for (key, link) in links {
      parts[key] = PackedPart(
        compression: atlases[link.target]?.compression, isOpaque: opacity[key])
    }
    return parts
  }

  /// The version of Apple's tool that prints these keys.
  private static let dumpToolVersion = 972.1

  private func header(isDump: Bool) -> JSONOutput {
    let header = archive.header
    var members: [JSONOutput.Member] = []
    if !appearances.isEmpty {
      let sorted = appearances.sorted { $0.name < $1.name }
      members.append(
        .init(
          "Appearances",
          .object(sorted.map { .init($0.name, .integer(Int($0.number))) })))
    }
    members.append(.init("AssetStorageVersion", .string(header.toolVersion)))
    if let metadata { members.append(.init("Authoring Tool", .string(metadata.authoringTool))) }
    members.append(.init("CoreUIVersion", .integer(Int(header.coreUIVersion))))
    if isDump { members.append(.init("DumpToolVersion", .number(ArchiveReport.dumpToolVersion))) }
    members.append(
      .init("Key Format", .array(archive.keyFormat.columns.map { .string($0.name) })))
    members.append(.init("MainVersion", .string(header.mainVersion)))
    if let metadata {
      members.append(.init("Platform", .string(metadata.platform)))
      members.append(.init("PlatformVersion", .string(metadata.platformVersion)))
    }
    members.append(.init("SchemaVersion", .integer(Int(header.schemaVersion))))
    members.append(.init("StorageVersion", .integer(Int(header.storageVersion))))
    if let metadata, !metadata.thinningArguments.isEmpty {
      // Apple's tool prints this for every archive that it has thinned.
      if isDump {
        members.append(.init("Thinning With CoreUI Version", .integer(Int(Int32.max))))
      }
      members.append(.init("ThinningParameters", .string(metadata.thinningArguments)))
    }
    if header.timestamp != 0 || isDump {
      members.append(.init("Timestamp", .integer(Int(header.timestamp))))
    }
    return .object(members)
  }
}

/// The facts that a picture takes from its atlas.
struct PackedPart {
  var compression: String?
  var isOpaque: Bool?
}

/// The names of numbers that only this archive defines.
struct NumberNames {
  private let appearances: [UInt16: String]
  private let localizations: [UInt16: String]
  private let variants: VariantNumbers
  /// The platform to whose system versions the numbers refer.
  let platform: Platform?

  init(
    appearances: [NamedNumber], localizations: [NamedNumber], variants: VariantNumbers,
    platform: Platform?
  ) {
    self.appearances = NumberNames.byNumber(appearances)
    self.localizations = NumberNames.byNumber(localizations)
    self.variants = variants
    self.platform = platform
  }

  private static func byNumber(_ table: [NamedNumber]) -> [UInt16: String] {
    Dictionary(table.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the traits of a key; nil if the key holds a value that is not a trait.
  func traits(of key: RenditionKey) -> VariantKey? { variants.variant(of: key) }

  func language(_ key: RenditionKey) -> String? { localizations[key[.localization]] }

  func appearance(_ number: UInt16) -> String { appearances[number] ?? "\(number)" }
  func localization(_ number: UInt16) -> String { localizations[number] ?? "\(number)" }
}

extension CatalogMetadata {
  /// The system that reads archives of this platform.
  fileprivate var system: Platform? {
    TargetPlatform.allCases.first { $0.archiveName == platform }?.system
  }
}
