// From the trees of an archive to the assets of an index: which renditions belong to which name,
// and of which kind they are. The writer of an archive and the opening of one without an index both
// come here.

import Traits

/// The renditions of the trees, by their places; what is said of one is looked up when it is asked.
protocol TreeRenditions {
  var count: Int { get }
  func key(_ place: Int) -> RenditionKey
  /// The range of the block in the file.
  func range(_ place: Int) -> Range<Int>
  func facts(_ place: Int) -> RenditionFacts
}

/// The renditions of an archive that may have no index, or a wrong one.
private struct StoredRenditions: TreeRenditions {
  let archive: Archive
  let entries: RenditionTable

  var count: Int { entries.count }
  func key(_ place: Int) -> RenditionKey { entries.key(at: place) }
  func range(_ place: Int) -> Range<Int> { entries.range(at: place) }

  func facts(_ place: Int) -> RenditionFacts {
    // The ranges were found to lie in the file when the entries were read.
    RenditionFacts(
      block: Bytes(UnsafeRawBufferPointer(rebasing: archive.bytes.buffer[range(place)])))
  }
}

extension IndexWriter {
  /// The index of an archive that may have none, or a wrong one.
  package static func bytes(of archive: Archive) throws(FormatError) -> [UInt8] {
    let renditions = StoredRenditions(
      archive: archive, entries: try archive.renditionTable(passingOverOutside: true))
    var facets = try FacetTable(of: archive)
    facets.sort()
    let numbers = try VariantNumbers(of: archive)
    let localizations = try archive.localizations()
    do throws(IndexError) {
      return try bytes(
        facets: facets, renditions: renditions, numbers: numbers, localizations: localizations)
    } catch {
      throw FormatError(.noIndex(error), at: 0)
    }
  }

  /// The index of tables that are about to be written: facets sorted, renditions in whatever order.
  static func bytes(
    facets: FacetTable, renditions: some TreeRenditions, numbers: VariantNumbers,
    localizations: [NamedNumber]
  ) throws(IndexError) -> [UInt8] {
    let shelves = Shelves(renditions, facets, numbers, localizations)
    var tables = IndexTables(assets: facets.count, renditions: renditions.count)
    var found: [Found] = []
    var kept: [KeyedRendition] = []
    var first = 0
    while first < facets.count {
      // Names of an archive that others made may repeat.
      var end = first + 1
      while end < facets.count, facets.hasEqualNames(first, end) { end += 1 }
      shelves.find(under: first..<end, &found)
      try tables.add(found, in: facets, &kept)
      first = end
    }
    try tables.finish(atlases: shelves.atlases)
    return try tables.laidOut(shelves.indexed)
  }
}

/// A rendition that a name stands for.
private struct Found {
  var kind: LookupKind
  var facet: Int
  /// Of several renditions under one key, the one with the highest is found by name.
  var preference: UInt64
  var rendition: KeyedRendition

  static func precedes(_ a: Found, _ b: Found) -> Bool {
    if a.kind != b.kind { return a.kind.rawValue < b.kind.rawValue }
    if a.facet != b.facet { return a.facet < b.facet }
    if a.rendition.key != b.rendition.key { return a.rendition.key < b.rendition.key }
    return a.preference == b.preference
      ? a.rendition.number < b.rendition.number : a.preference > b.preference
  }
}

extension IndexTables {
  /// Adds what one name stands for, in the order of `precedes`: an asset of each kind. `kept` is
  /// room that is used again.
  fileprivate mutating func add(
    _ found: [Found], in facets: FacetTable, _ kept: inout [KeyedRendition]
  ) throws(IndexError) {
    var next = 0
    while next < found.count {
      let kind = found[next].kind
      let facet = found[next].facet
      kept.removeAll(keepingCapacity: true)
      while next < found.count, found[next].kind == kind {
        if found[next].facet == facet, kept.last?.key != found[next].rendition.key {
          kept.append(found[next].rendition)
        }
        next += 1
      }
      let row = facets.rows[facet]
      try add(
        name: facets.bytes[row.start..<row.nameEnd], kind, identifier: row.identifier ?? 0, kept)
    }
  }
}

/// Renditions by the asset to which they belong.
private struct Shelves<Renditions: TreeRenditions> {
  private let renditions: Renditions
  private let numbers: VariantNumbers
  /// Where an archive numbers its localizations in a way of its own.
  private var localeOfNumber: [UInt16: UInt16] = [:]
  /// Element, identifier and place of each rendition, sorted.
  private var places: [UInt64] = []
  /// By facet, where its renditions stand in `places`.
  private var shelves: [Range<UInt32>]
  private var placeOfAtlas: [RenditionKey: Int] = [:]
  private(set) var atlases: [UInt32] = []

  init(
    _ renditions: Renditions, _ facets: FacetTable, _ numbers: VariantNumbers,
    _ localizations: [NamedNumber]
  ) {
    self.renditions = renditions
    self.numbers = numbers
    shelves = Array(repeating: 0..<0, count: facets.count)
    for entry in localizations {
      let known = nameIdentifier(entry.name.utf8)
      if known != entry.number { localeOfNumber[entry.number] = known }
    }
    places.reserveCapacity(renditions.count)
    for place in 0..<renditions.count {
      let key = renditions.key(place)
      if key.element == Element.atlas, key.part != Part.spriteAtlas {
        if placeOfAtlas[key] == nil {
          placeOfAtlas[key] = atlases.count
          atlases.append(UInt32(place))
        }
      } else {
        let asset = FacetTable.asset(element: key.element, identifier: key.identifier)
        places.append(UInt64(asset) << 32 | UInt64(place))
      }
    }
    places.sort(byBitsFrom: 32)
    assign(facets)
  }

  /// Gives each facet its renditions; of several with one number, the first has them, so that no
  /// number of names makes more of the renditions than there are.
  private mutating func assign(_ facets: FacetTable) {
    var assets: [UInt64] = []
    assets.reserveCapacity(facets.count)
    for (number, row) in facets.rows.enumerated() {
      if let asset = row.asset { assets.append(UInt64(asset) << 32 | UInt64(number)) }
    }
    assets.sort(byBitsFrom: 32)
    var next = 0
    for asset in assets {
      while next < places.count, places[next] >> 32 < asset >> 32 { next += 1 }
      let start = next
      while next < places.count, places[next] >> 32 == asset >> 32 { next += 1 }
      shelves[Int(asset & 0xFFFF_FFFF)] = UInt32(start)..<UInt32(next)
    }
  }

  /// What facets of one name stand for: it may be a picture, a colour and data at once.
  func find(under facets: Range<Int>, _ found: inout [Found]) {
    found.removeAll(keepingCapacity: true)
    for facet in facets {
      for shelf in shelves[facet] {
        let place = Int(places[Int(shelf)] & 0xFFFF_FFFF)
        let key = renditions.key(place)
        let facts = renditions.facts(place)
        // A table of an icon's sizes is found by its sizes alone; here it would win where no picture
        // has its scale.
        guard facts.layout != .multisize,
          let kind = AssetKind(part: key.part, layout: facts.layout),
          let variant = variant(of: key, facts.layout)
        else { continue }
        let rendition = Found(
          kind: LookupKind(kind), facet: facet, preference: preference(key, facts.record),
          rendition: KeyedRendition(key: variant, number: UInt32(place)))
        found.append(rendition)
        if kind == .symbol, let glyph = key.details.glyph {
          var drawing = rendition
          drawing.kind = LookupKind(glyph)
          found.append(drawing)
        }
      }
    }
    if found.count > 1 { found.sort(by: Found.precedes) }
  }

  private func variant(of key: RenditionKey, _ layout: RenditionLayout) -> VariantKey? {
    guard var variant = numbers.variant(of: key) else { return nil }
    if !localeOfNumber.isEmpty { variant.locale = localeOfNumber[variant.locale] ?? variant.locale }
    if layout == .vector { variant.scale = 0 }
    return variant
  }

  /// What the index says of the rendition at a place.
  func indexed(_ place: UInt32) -> IndexedRendition {
    let facts = renditions.facts(Int(place))
    let range = renditions.range(Int(place))
    var block = BlockRecord()
    block.offset = UInt64(range.lowerBound)
    block.length = UInt32(clamping: range.count)
    return IndexedRendition(
      key: VariantKey(), record: facts.record, block: block,
      atlas: facts.atlas.flatMap { placeOfAtlas[$0] })
  }
}

/// Which of several renditions under one key is found by name: of an icon's sizes the largest, of
/// a symbol's weights and sizes the regular and medium one.
private func preference(_ key: RenditionKey, _ record: RenditionRecord) -> UInt64 {
  if record.kinds.content == RenditionContent.other.rawValue { return 0 }
  if key.part == Part.symbol {
    return 1 + UInt64(key.details.glyph?.preference ?? 0)
  }
  return 1 + UInt64(min(record.pixelWidth, 1 << 30)) * UInt64(min(record.pixelHeight, 1 << 30))
}
