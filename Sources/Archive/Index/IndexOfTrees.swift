// Turns the trees of an archive into the assets of an index: decides which renditions belong to
// which name, and of which kind they are. The writer of an archive and the opening of an archive
// without an index both call this code.

import Traits

/// The renditions of the trees, by their rows. The key, the block and the facts of a rendition
/// are read when they are requested.
protocol TreeRenditions {
  var count: Int { get }
  func key(_ row: Int) -> RenditionKey
  func block(_ row: Int) -> BlockID
  func facts(_ row: Int) -> RenditionFacts
}

/// The renditions of an archive that may have no index, or a wrong one.
private struct StoredRenditions: TreeRenditions {
  let archive: Archive
  let entries: RenditionTable

  var count: Int { entries.count }
  func key(_ row: Int) -> RenditionKey { entries.key(at: row) }
  func block(_ row: Int) -> BlockID { entries.block(at: row) }

  func facts(_ row: Int) -> RenditionFacts {
    // The ranges were checked to lie in the file when the table was read.
    RenditionFacts(
      block: FileBytes(
        UnsafeRawBufferPointer(rebasing: archive.bytes.buffer[entries.range(at: row)]))
    )
  }
}

/// Makes the index of an archive.
package enum IndexWriter {
  /// Returns the index of an archive that may have no index, or a wrong one.
  package static func bytes(of archive: Archive) throws(FormatError) -> [UInt8] {
    let renditions = StoredRenditions(
      archive: archive, entries: try archive.renditionTable(passingOverOutside: true))
    var facets = try FacetTable(of: archive)
    facets.sort()
    let numbers = try VariantNumbers(of: archive)
    let localizations = try archive.localizations()
    do throws(IndexError) {
      return try bytes(
        facets: facets, names: { facets.rows[$0].nameBlock },
        addresses: { (try? archive.store.range(of: $0))?.lowerBound }, renditions: renditions,
        numbers: numbers, localizations: localizations)
    } catch {
      throw FormatError(.noIndex(error), at: 0)
    }
  }

  /// Returns the index of tables that are about to be written. The facets are sorted; the
  /// renditions have any order. `names` returns the block that holds the name of a facet, and
  /// `addresses` where a block lies in the file, or nil if it does not lie there.
  static func bytes(
    facets: FacetTable, names: (Int) -> BlockID, addresses: (BlockID) -> Int?,
    renditions: some TreeRenditions, numbers: VariantNumbers, localizations: [NamedNumber]
  ) throws(IndexError) -> [UInt8] {
    let grouped = GroupedRenditions(renditions, facets, numbers, localizations)
    let places = NamePlaces(facets.rows.indices.map(names), addresses)
    var tables = IndexTables(
      assets: facets.count, renditions: renditions.count, firstName: places.first)
    var found: [NamedRendition] = []
    var kept: [KeyedRendition] = []
    var first = 0
    while first < facets.count {
      // In an archive of another tool, several facets may have one name.
      var end = first + 1
      while end < facets.count, facets.hasEqualNames(first, end) { end += 1 }
      grouped.find(under: first..<end, &found)
      try tables.add(found, in: facets, places, &kept)
      first = end
    }
    try tables.finish(atlases: grouped.atlases)
    return try tables.laidOut(grouped.indexed)
  }
}

/// Where the names of the facets lie in a file.
private struct NamePlaces {
  /// The block of the name that lies first; 0 if there is no name.
  let first: BlockID
  private let firstAddress: Int
  private let addresses: [Int?]

  init(_ blocks: [BlockID], _ address: (BlockID) -> Int?) {
    addresses = blocks.map(address)
    var first: (block: BlockID, address: Int)?
    for (block, address) in zip(blocks, addresses) {
      guard let address, first.map({ address < $0.address }) ?? true else { continue }
      first = (block, address)
    }
    (self.first, firstAddress) = first ?? (BlockID(0), 0)
  }

  /// Returns the number of bytes from the first name to that of a facet; nil if the name does not
  /// lie in the file.
  subscript(facet: Int) -> UInt32? {
    addresses[facet].flatMap { UInt32(exactly: $0 - firstAddress) }
  }
}

/// A rendition that belongs to a name.
private struct NamedRendition {
  var kind: LookupKind
  var facet: Int
  /// If several renditions have the same key, the one with the highest preference is found by name.
  var preference: UInt64
  var rendition: KeyedRendition

  static func precedes(_ a: NamedRendition, _ b: NamedRendition) -> Bool {
    if a.kind != b.kind { return a.kind.rawValue < b.kind.rawValue }
    if a.facet != b.facet { return a.facet < b.facet }
    if a.rendition.key != b.rendition.key { return a.rendition.key < b.rendition.key }
    return a.preference == b.preference
      ? a.rendition.number < b.rendition.number : a.preference > b.preference
  }
}

extension IndexTables {
  /// Adds the assets of one name: one for each kind. `found` is sorted by `precedes`. `kept` is an
  /// array whose memory is used again.
  fileprivate mutating func add(
    _ found: [NamedRendition], in facets: FacetTable, _ places: NamePlaces,
    _ kept: inout [KeyedRendition]
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
      guard let place = places[facet] else { continue }
      try add(
        name: facets.bytes[row.start..<row.nameEnd], at: place, kind,
        identifier: row.identifier ?? 0, kept)
    }
  }
}

/// The renditions, grouped by the asset to which they belong.
private struct GroupedRenditions<Renditions: TreeRenditions> {
  private let renditions: Renditions
  private let numbers: VariantNumbers
  /// The hash of a localization's name, by the localization's number in the archive. Contains only
  /// the numbers that are not the hash.
  private var localeOfNumber: [UInt16: UInt16] = [:]
  /// One number for each rendition, from the highest bits to the lowest: element, identifier,
  /// row. Sorted by element and identifier.
  private var rowsByAsset: [UInt64] = []
  /// For each facet, the range of its renditions in `rowsByAsset`.
  private var rowsOfFacet: [Range<UInt32>]
  private(set) var atlases: [(key: RenditionKey, number: UInt32)] = []

  init(
    _ renditions: Renditions, _ facets: FacetTable, _ numbers: VariantNumbers,
    _ localizations: [NamedNumber]
  ) {
    self.renditions = renditions
    self.numbers = numbers
    rowsOfFacet = Array(repeating: 0..<0, count: facets.count)
    for entry in localizations {
      let known = nameIdentifier(entry.name.utf8)
      if known != entry.number { localeOfNumber[entry.number] = known }
    }
    rowsByAsset.reserveCapacity(renditions.count)
    var known = Set<RenditionKey>()
    for row in 0..<renditions.count {
      let key = renditions.key(row)
      if key.isAtlas {
        if known.insert(key).inserted { atlases.append((key, UInt32(row))) }
      } else {
        let asset = FacetTable.asset(element: key.element, identifier: key.identifier)
        rowsByAsset.append(UInt64(asset) << 32 | UInt64(row))
      }
    }
    rowsByAsset.sort(byBitsFrom: 32)
    assign(facets)
  }

  /// Gives each facet its renditions. If several facets have the same element and identifier, the
  /// first of them gets the renditions, so that an archive with many such names does not multiply
  /// them.
  private mutating func assign(_ facets: FacetTable) {
    var assets: [UInt64] = []
    assets.reserveCapacity(facets.count)
    for (number, row) in facets.rows.enumerated() {
      if let asset = row.asset { assets.append(UInt64(asset) << 32 | UInt64(number)) }
    }
    assets.sort(byBitsFrom: 32)
    var next = 0
    for asset in assets {
      while next < rowsByAsset.count, rowsByAsset[next] >> 32 < asset >> 32 { next += 1 }
      let start = next
      while next < rowsByAsset.count, rowsByAsset[next] >> 32 == asset >> 32 { next += 1 }
      rowsOfFacet[Int(asset & 0xFFFF_FFFF)] = UInt32(start)..<UInt32(next)
    }
  }

  /// Finds the renditions of facets that have one name, and sorts them. One name may be a picture,
  /// a colour and data at the same time.
  func find(under facets: Range<Int>, _ found: inout [NamedRendition]) {
    found.removeAll(keepingCapacity: true)
    for facet in facets {
      for place in rowsOfFacet[facet] {
        let row = Int(rowsByAsset[Int(place)] & 0xFFFF_FFFF)
        let key = renditions.key(row)
        let facts = renditions.facts(row)
        // A table of an icon's sizes is not a picture. As a candidate it would win in windows of
        // its own scale if no picture had this scale.
        guard facts.layout != .multisize,
          let kind = AssetKind(part: key.part, layout: facts.layout),
          let variant = variant(of: key, facts.layout)
        else { continue }
        let rendition = NamedRendition(
          kind: LookupKind(kind), facet: facet, preference: preference(key, facts.record),
          rendition: KeyedRendition(key: variant, number: UInt32(row)))
        found.append(rendition)
        if kind == .symbol, let glyph = key.details.glyph {
          var drawing = rendition
          drawing.kind = LookupKind(glyph)
          found.append(drawing)
        }
      }
    }
    if found.count > 1 { found.sort(by: NamedRendition.precedes) }
  }

  private func variant(of key: RenditionKey, _ layout: RenditionLayout) -> VariantKey? {
    guard var variant = numbers.variant(of: key) else { return nil }
    if !localeOfNumber.isEmpty { variant.locale = localeOfNumber[variant.locale] ?? variant.locale }
    if layout == .vector { variant.scale = 0 }
    return variant
  }

  /// Returns the rendition of a row as the index stores it.
  func indexed(_ row: UInt32) -> IndexedRendition {
    let facts = renditions.facts(Int(row))
    return IndexedRendition(record: facts.record, block: renditions.block(Int(row)))
  }
}

/// Returns the preference of a rendition among those with the same key. The largest of an icon's
/// sizes has the highest preference, and the drawing of a symbol in regular weight and medium size.
private func preference(_ key: RenditionKey, _ record: RenditionRecord) -> UInt64 {
  if record.kinds.content == RenditionContent.other.rawValue { return 0 }
  if key.part == Part.symbol {
    return 1 + UInt64(key.details.glyph?.preference ?? 0)
  }
  return 1 + UInt64(min(record.pixelWidth, 1 << 30)) * UInt64(min(record.pixelHeight, 1 << 30))
}
