// The contents of an archive, with the keys of Apple's `assetutil --info`: an object about the
// archive, then one for each rendition. The table for people shows the same facts.

import Archive
import ArchiveTools
import Bytes
import CatalogCompiler
import Documents
import Traits

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
      variants: try VariantNumbers(of: archive), platform: archive.platform)
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
    for (index, entry) in opened.inventory.entries.enumerated() {
      costOfKey[entry.key] = costs.bytes[index]
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
    let opacity =
      (try? opaqueParts(
        of: atlases.mapValues(\.rendition), links,
        PictureAllowance(fileSize: archive.bytes.count))) ?? [:]
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
