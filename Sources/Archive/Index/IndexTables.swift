// From the trees of an archive to the assets of an index: which renditions belong to which name,
// and of which kind they are. The writer of an archive and the opening of one without an index both
// come here.

import Traits

/// A rendition as the trees have it, with the facts of its block.
public struct TreeRendition: Sendable {
  public var key: RenditionKey
  /// The range of the block in the file.
  public var range: Range<Int>
  public var facts: RenditionFacts

  public init(key: RenditionKey, range: Range<Int>, facts: RenditionFacts) {
    self.key = key
    self.range = range
    self.facts = facts
  }
}

extension IndexWriter {
  /// The index of an archive that may have none, or a wrong one.
  public static func bytes(of archive: Archive) throws(FormatError) -> [UInt8] {
    var renditions: [TreeRendition] = []
    renditions.reserveCapacity(try archive.renditionCount())
    try archive.forEachRendition { (entry) throws(FormatError) in
      let block = try archive.bytes.slice(
        at: entry.range.lowerBound, count: entry.range.count, "a rendition")
      renditions.append(
        TreeRendition(key: entry.key, range: entry.range, facts: RenditionFacts(block: block)))
    }
    let facets = try archive.facets()
    let numbers = try VariantNumbers(of: archive)
    let localizations = try archive.localizations()
    do throws(IndexError) {
      return try bytes(
        facets: facets, renditions: renditions, numbers: numbers, localizations: localizations)
    } catch {
      throw FormatError(
        .number("the number of renditions", found: renditions.count, expected: "below 2^32"), at: 0)
    }
  }

  /// The index of tables that are about to be written, in whatever order.
  public static func bytes(
    facets: [Facet], renditions: [TreeRendition], numbers: VariantNumbers,
    localizations: [NamedNumber]
  ) throws(IndexError) -> [UInt8] {
    var shelves = Shelves(renditions, numbers, localizations)
    let assets = facets.flatMap { shelves.assets(of: $0) }
    return try bytes(assets: assets, atlases: shelves.atlases)
  }
}

/// Renditions by the asset to which they belong.
private struct Shelves {
  private let renditions: [TreeRendition]
  private let numbers: VariantNumbers
  /// Where an archive numbers its localizations in a way of its own.
  private var localeOfNumber: [UInt16: UInt16] = [:]
  private var byAsset: [UInt32: [Int]] = [:]
  private var placeOfAtlas: [RenditionKey: Int] = [:]
  private(set) var atlases: [IndexedRendition] = []

  init(
    _ renditions: [TreeRendition], _ numbers: VariantNumbers, _ localizations: [NamedNumber]
  ) {
    self.renditions = renditions
    self.numbers = numbers
    for entry in localizations {
      let known = nameIdentifier(entry.name.utf8)
      if known != entry.number { localeOfNumber[entry.number] = known }
    }
    for (place, rendition) in renditions.enumerated() {
      if rendition.key.element == Element.atlas {
        keepAtlas(rendition)
      } else {
        byAsset[Shelves.shelf(rendition.key.element, rendition.key.identifier), default: []]
          .append(place)
      }
    }
  }

  private static func shelf(_ element: UInt16, _ identifier: UInt16) -> UInt32 {
    UInt32(element) << 16 | UInt32(identifier)
  }

  private mutating func keepAtlas(_ rendition: TreeRendition) {
    if placeOfAtlas[rendition.key] != nil { return }
    placeOfAtlas[rendition.key] = atlases.count
    atlases.append(
      IndexedRendition(key: VariantKey(), record: Shelves.record(rendition), slicing: nil))
  }

  private static func record(_ rendition: TreeRendition) -> RenditionRecord {
    var record = rendition.facts.record
    record.blockOffset = UInt64(rendition.range.lowerBound)
    record.blockLength = UInt32(clamping: rendition.range.count)
    return record
  }

  /// One name may be a picture, a colour and data at once. A shelf is emptied by its first name, so
  /// that no number of names makes more of the renditions than there are.
  mutating func assets(of facet: Facet) -> [IndexedAsset] {
    guard let element = facet.element, let identifier = facet.identifier,
      let places = byAsset.removeValue(forKey: Shelves.shelf(element, identifier))
    else { return [] }
    var byKind: [AssetKind: [(preference: UInt64, rendition: IndexedRendition)]] = [:]
    for place in places {
      let rendition = renditions[place]
      let layout = RenditionLayout(rawValue: rendition.facts.record.layout)
      guard let kind = AssetKind(part: rendition.key.part, layout: layout),
        let indexed = indexed(rendition)
      else { continue }
      byKind[kind, default: []].append((Shelves.preference(rendition), indexed))
    }
    return AssetKind.allCases.compactMap { kind in
      guard let found = byKind[kind] else { return nil }
      // The sort is stable: equals stay in the order of the tree.
      let ordered = found.sorted { $0.preference > $1.preference }
      return IndexedAsset(
        name: Array(facet.name.utf8), kind: kind, identifier: identifier,
        renditions: ordered.map { $0.rendition })
    }
  }

  private func indexed(_ rendition: TreeRendition) -> IndexedRendition? {
    guard var key = numbers.variant(of: rendition.key) else { return nil }
    key.locale = localeOfNumber[key.locale] ?? key.locale
    if rendition.facts.record.layout == RenditionLayout.vector.rawValue { key.scale = 0 }
    return IndexedRendition(
      key: key, record: Shelves.record(rendition), slicing: rendition.facts.slicing,
      atlas: rendition.facts.atlas.flatMap { placeOfAtlas[$0] })
  }

  /// Which of several renditions under one key is found by name: of an icon's sizes the largest, of
  /// a symbol's weights and sizes the regular and medium one.
  private static func preference(_ rendition: TreeRendition) -> UInt64 {
    let record = rendition.facts.record
    if record.content == RenditionContent.other.rawValue { return 0 }
    if rendition.key.part == Part.symbol {
      let isRegular = rendition.key[.glyphWeight] == 4
      return 1 + (isRegular ? 2 : 0) + (rendition.key[.glyphSize] == 2 ? 1 : 0)
    }
    return 1 + UInt64(min(record.pixelWidth, 1 << 30)) * UInt64(min(record.pixelHeight, 1 << 30))
  }
}
