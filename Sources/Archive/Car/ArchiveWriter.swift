// Writes an archive. Renditions go to the sink as they are added, in any order. The tables follow
// at the end, so that memory grows with the number of keys and not with the size of the pictures.

import Bytes
import Traits

/// The contents of an archive except the blocks of its renditions.
package struct ArchiveContents: Sendable {
  package var header: CatalogHeader
  package var metadata: CatalogMetadata?
  /// The key format; nil for the columns that the keys need, in the canonical order.
  package var keyFormat: KeyFormat?
  package var facets: [Facet] = []
  /// The renditions in any order. Several keys may share a block.
  package var renditions: [(key: RenditionKey, block: BlockID)] = []
  /// The names of the appearances; nil for the platform's names of the appearances in use. An empty
  /// list is not written.
  package var appearances: [NamedNumber]?
  package var localizations: [NamedNumber] = []
  /// Whether the tree BITMAPKEYS is written. Every archive since 2016 has it.
  package var hasBitmapKeys = true
  /// Whether the headers of trees have the long form, which tools since 2019 write.
  package var hasLongTreeHeaders = true

  package init(header: CatalogHeader, metadata: CatalogMetadata?) {
    self.header = header
    self.metadata = metadata
  }
}

package struct ArchiveWriter<Sink: ByteSink> {
  /// The destination of the archive. Only after the end of writing has it received all bytes.
  package let sink: Sink
  var store: StoreWriter
  private let headerBlock: BlockID
  /// The facts about blocks, in the order of the blocks. The facts about the other blocks come from
  /// the caller of `finish`.
  private var facts: [(block: UInt32, facts: RenditionFacts)] = []
  /// The length of the index that was written; 0 if no index was written.
  package private(set) var indexByteCount = 0

  package init(into sink: Sink) {
    self.sink = sink
    store = StoreWriter(into: sink)
    headerBlock = store.addBlock { $0.append(zeros: CatalogHeaderRecord.size) }
  }

  /// Appends the block of a rendition.
  package mutating func append(csi: UnsafeRawBufferPointer) -> BlockID {
    let block = appendKnown(csi: csi)
    var known = RenditionFacts(block: Bytes(csi))
    if let last = facts.last { known.share(last.facts) }
    facts.append((block.number, known))
    return block
  }

  /// Appends the block of a rendition. The caller passes the facts about it to `finish`.
  mutating func appendKnown(csi: UnsafeRawBufferPointer) -> BlockID { store.addBlock(csi) }

  /// Appends the block of a rendition from its head and its payload.
  package mutating func append(
    _ head: RenditionHead, payload: UnsafeRawBufferPointer
  ) -> BlockID {
    head.bytes(payloadLength: payload.count).withUnsafeBytes { head in
      let block = store.addBlock(head, payload)
      facts.append((block.number, RenditionFacts(block: Bytes(head))))
      return block
    }
  }

  /// Appends the block of a rendition with a short payload.
  package mutating func append(_ head: RenditionHead, payload: [UInt8] = []) -> BlockID {
    payload.withUnsafeBytes { append(head, payload: $0) }
  }

  /// Writes the tables, and the lookup index.
  package mutating func finishIndexed(
    _ contents: ArchiveContents
  ) throws(ArchiveError) -> Sink {
    try finish(contents, writesIndex: true) { _ throws(ArchiveError) in }
  }

  /// Writes the tables.
  package mutating func finish(_ contents: ArchiveContents) throws(ArchiveError) -> Sink {
    try finish(contents, writesIndex: false) { _ throws(ArchiveError) in }
  }

  /// Writes the tables, and the lookup index if `writesIndex` is true. `known` contains the facts
  /// about the renditions whose blocks were appended with `appendKnown`, by the places of the
  /// renditions. `others` adds further blocks.
  mutating func finish(
    _ contents: ArchiveContents, facets given: FacetTable? = nil,
    facts known: IndexedFacts? = nil, writesIndex: Bool,
    others: (inout StoreWriter) throws(ArchiveError) -> Void
  ) throws(ArchiveError) -> Sink {
    for (_, block) in contents.renditions where !store.contains(block) {
      throw ArchiveError.unknownBlock(block)
    }
    let format =
      contents.keyFormat
      ?? KeyFormat(
        for: contents.renditions.lazy.map(\.key), semantics: contents.header.keySemantics)
    var header = contents.header
    header.renditionCount = UInt32(contents.renditions.count)
    store.name(headerBlock, CatalogHeader.name)
    store.overwrite(headerBlock, with: header.block())
    let style = TreeStyle(hasLongHeader: contents.hasLongTreeHeaders)
    let renditions = try addRenditions(contents.renditions, format: format, style: style)
    var table = given ?? FacetTable(contents.facets)
    table.sort()
    let facets = try addFacets(table, style: style)
    addNamedNumbers(contents, style: style)
    let formatBlock = format.block()
    store.name(store.addBlock { $0.append(contentsOf: formatBlock) }, KeyFormat.name)
    if let metadata = contents.metadata {
      store.name(
        store.addBlock { $0.append(contentsOf: metadata.block()) }, CatalogMetadata.name)
    }
    if let workaround = format.workaroundBlock() {
      store.name(
        store.addBlock { $0.append(contentsOf: workaround) }, KeyFormat.workaroundName)
    }
    if contents.hasBitmapKeys { addBitmapKeys(contents, table, format: format, style: style) }
    try others(&store)
    let described = [header.block(), formatBlock, renditions, facets]
    let index = writesIndex ? try index(of: contents, table, known) : nil
    indexByteCount = index?.count ?? 0
    try finish(index: index, described: described)
    return sink
  }

  private func index(
    of contents: ArchiveContents, _ facets: FacetTable, _ known: IndexedFacts?
  ) throws(ArchiveError) -> [UInt8] {
    let renditions = WrittenRenditions(
      renditions: contents.renditions, facts: facts, known: known, range: store.range(of:))
    do throws(IndexError) {
      return try IndexWriter.bytes(
        facets: facets, renditions: renditions,
        numbers: VariantNumbers(
          appearances: contents.appearances ?? [], semantics: contents.header.keySemantics),
        localizations: contents.localizations)
    } catch {
      throw .index(error)
    }
  }

  /// Writes the index and the end of the file, then the identity into the index.
  private mutating func finish(
    index: [UInt8]?, described: [[UInt8]]
  ) throws(ArchiveError) {
    let block = index.map { bytes in
      bytes.withUnsafeBytes { store.addBlock($0, alignment: IndexHeader.alignment) }
    }
    if let block { store.name(block, Archive.indexName) }
    let storeHeader = try store.finish()
    guard let block else { return }
    let identity = IndexIdentity.value(of: [storeHeader] + described)
    var field: [UInt8] = []
    field.append(identity, .little)
    store.overwrite(block, at: IndexIdentity.offset, with: field)
  }
}

/// The renditions of an archive that is being written.
private struct WrittenRenditions: TreeRenditions {
  let renditions: [(key: RenditionKey, block: BlockID)]
  /// The facts in the order of the blocks.
  let facts: [(block: UInt32, facts: RenditionFacts)]
  let known: IndexedFacts?
  let range: (BlockID) -> Range<Int>

  var count: Int { renditions.count }
  func key(_ place: Int) -> RenditionKey { renditions[place].key }
  func range(_ place: Int) -> Range<Int> { range(renditions[place].block) }

  func facts(_ place: Int) -> RenditionFacts {
    let block = renditions[place].block.number
    let number = facts.partitioningIndex { $0.block >= block }
    if number < facts.count, facts[number].block == block { return facts[number].facts }
    return known?.facts(place) ?? RenditionFacts()
  }
}
