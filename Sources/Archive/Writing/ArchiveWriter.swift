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
  /// Whether small trees have small pages. In Apple's archives only BITMAPKEYS has such pages, but
  /// each tree states the size of its pages.
  package var hasSmallPages = true

  package init(header: CatalogHeader, metadata: CatalogMetadata?) {
    self.header = header
    self.metadata = metadata
  }
}

package struct ArchiveWriter<Sink: ByteSink> {
  /// The destination of the archive. Only after the end of writing has it received all bytes.
  package let sink: Sink
  var store: StoreWriter
  /// The block of the header; block 0 if an archive is changed, whose header has a block already.
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

  /// Creates a writer of a changed archive, whose blocks keep their numbers up to `last`.
  init(into sink: Sink, keepingNumbersUpTo last: Int) {
    self.sink = sink
    store = StoreWriter(into: sink)
    store.reserve(blocks: last)
    store.reserveNumbers(upTo: last)
    headerBlock = BlockID(0)
  }

  /// Appends the block of a rendition.
  package mutating func append(csi: UnsafeRawBufferPointer) -> BlockID {
    let block = appendKnown(csi: csi)
    facts.append((block.number, RenditionFacts(block: FileBytes(csi))))
    return block
  }

  /// Returns the bytes of a block that was appended. `read` reads a range of those that the sink
  /// has received. Returns nil if it fails.
  package func bytes(
    of block: BlockID, reading read: (Range<Int>, UnsafeMutableRawBufferPointer) -> Bool
  ) -> [UInt8]? {
    store.bytes(of: block, reading: read)
  }

  /// Appends the block of a rendition. The caller passes the facts about it to `finish`.
  mutating func appendKnown(csi: UnsafeRawBufferPointer) -> BlockID { store.addBlock(csi) }

  /// Appends the block of a rendition from its head and its payload.
  package mutating func append(
    _ head: RenditionHead, payload: UnsafeRawBufferPointer
  ) -> BlockID {
    head.bytes(payloadLength: payload.count).withUnsafeBytes { head in
      let block = store.addBlock(head, payload)
      facts.append((block.number, RenditionFacts(block: FileBytes(head))))
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
  /// about the renditions whose blocks were appended with `appendKnown`, by the rows of the
  /// renditions. `others` adds further blocks.
  mutating func finish(
    _ contents: ArchiveContents, facets given: FacetTable? = nil,
    facts known: IndexedFacts? = nil, writesIndex: Bool,
    others: (inout StoreWriter) throws(ArchiveError) -> Void
  ) throws(ArchiveError) -> Sink {
    for (_, block) in contents.renditions where !store.contains(block) {
      throw ArchiveError.unknownBlock(number: block.number)
    }
    let format =
      contents.keyFormat
      ?? KeyFormat(
        for: contents.renditions.lazy.map(\.key), semantics: contents.header.keySemantics)
    var header = contents.header
    header.renditionCount = UInt32(contents.renditions.count)
    store.name(headerBlock, CatalogHeader.name)
    store.overwrite(headerBlock, with: header.block())
    let style = TreeStyle(
      hasSmallPages: contents.hasSmallPages, hasLongHeader: contents.hasLongTreeHeaders)
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
    let described = [header.block(), formatBlock, renditions, facets.header]
    let index = writesIndex ? try index(of: contents, table, facets.names, known) : nil
    indexByteCount = index?.count ?? 0
    try finish(index: index, described: described)
    return sink
  }

  private func index(
    of contents: ArchiveContents, _ facets: FacetTable, _ firstName: BlockID, _ known: IndexedFacts?
  ) throws(ArchiveError) -> [UInt8] {
    let renditions = WrittenRenditions(
      renditions: contents.renditions, facts: facts, known: known)
    do throws(IndexError) {
      return try IndexWriter.bytes(
        facets: facets, names: { BlockID(firstName.number + UInt32($0)) },
        addresses: store.address(of:), renditions: renditions,
        numbers: VariantNumbers(
          appearances: contents.appearances ?? [], semantics: contents.header.keySemantics),
        localizations: contents.localizations)
    } catch {
      throw .index(error)
    }
  }

  /// Writes the index and the end of the file, then the identity into the index. `described` are
  /// the blocks that determine the identity.
  mutating func finish(
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
    store.overwrite(block, at: IndexHeader.identityOffset, with: field)
  }
}

/// The renditions of an archive that is being written.
private struct WrittenRenditions: TreeRenditions {
  let renditions: [(key: RenditionKey, block: BlockID)]
  /// The facts in the order of the blocks.
  let facts: [(block: UInt32, facts: RenditionFacts)]
  let known: IndexedFacts?

  var count: Int { renditions.count }
  func key(_ row: Int) -> RenditionKey { renditions[row].key }
  func block(_ row: Int) -> BlockID { renditions[row].block }

  func facts(_ row: Int) -> RenditionFacts {
    let block = renditions[row].block.number
    let number = facts.partitioningIndex { $0.block >= block }
    if number < facts.count, facts[number].block == block { return facts[number].facts }
    return known?.facts(row) ?? RenditionFacts()
  }
}

// MARK: - Tables

extension ArchiveWriter {
  /// Writes the tree of the renditions. Its keys are in the order of their bytes, as in Apple's
  /// tree. Returns the header of the tree.
  mutating func addRenditions(
    _ renditions: [(key: RenditionKey, block: BlockID)], format: KeyFormat, style: TreeStyle
  ) throws(ArchiveError) -> [UInt8] {
    let unlisted = RenditionKey.bits(exceptIn: format.columns)
    let zeros = RenditionKey()
    for (key, _) in renditions where !key.agrees(with: zeros, in: unlisted) {
      if let attribute = format.attributeWithoutColumn(in: key) {
        throw ArchiveError.noColumn(attribute: attribute.name, value: key[attribute])
      }
    }
    let table = SortedKeys(renditions.lazy.map(\.key), format: format)
    if let first = table.firstDuplicate {
      throw ArchiveError.duplicateKey(identifier: renditions[first].key.identifier)
    }
    return store.addTree(
      Archive.renditionsName, .keys(table.keys),
      values: table.order.map { renditions[Int($0)].block },
      style: style)
  }

  /// Writes the tree of the facets, which are sorted. Returns the header of the tree, and the block
  /// of the first name; the names follow one another.
  mutating func addFacets(
    _ facets: FacetTable, style: TreeStyle
  ) throws(ArchiveError) -> (header: [UInt8], names: BlockID) {
    if facets.count > ArchiveError.mostNames {
      throw ArchiveError.tooManyNames(count: facets.count)
    }
    if let index = facets.firstRepeated {
      throw ArchiveError.duplicateName(facets.name(at: index))
    }
    var keys = TreeKeys()
    keys.reserve(facets.count, keyLength: 24)
    let values = facets.bytes.withUnsafeBytes { bytes in
      for row in facets.rows {
        keys.append(UnsafeRawBufferPointer(rebasing: bytes[row.start..<row.nameEnd]))
      }
      return store.addBlocks(facets.count) {
        facets.rows[$0].end - facets.rows[$0].nameEnd
      } fill: { index, room in
        let value = bytes[facets.rows[index].nameEnd..<facets.rows[index].end]
        room.copyMemory(from: UnsafeRawBufferPointer(rebasing: value))
      }
    }
    // A tree begins with the blocks of its keys.
    let names = store.nextBlock
    let header = store.addTree(
      Facet.treeName, .keys(keys), values: values.map { BlockID($0) }, style: style)
    return (header, names)
  }

  mutating func addNamedNumbers(_ contents: ArchiveContents, style: TreeStyle) {
    let appearances =
      contents.appearances
      ?? VariantNumbers.names(
        usedBy: contents.renditions.lazy.map(\.key), semantics: contents.header.keySemantics)
    addNamedNumbers(appearances, NamedNumber.appearances, style: style)
    addNamedNumbers(contents.localizations, NamedNumber.localizations, style: style)
  }

  mutating func addNamedNumbers(
    _ numbers: [NamedNumber], _ name: String, style: TreeStyle
  ) {
    guard !numbers.isEmpty else { return }
    let sorted = numbers.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    var keys = TreeKeys()
    for entry in sorted { keys.append(entry.bytes) }
    let values = sorted.map { entry in store.addBlock { $0.append(entry.number, .little) } }
    store.addTree(name, .keys(keys), values: values, style: style)
  }

  mutating func addBitmapKeys(
    _ contents: ArchiveContents, _ facets: FacetTable, format: KeyFormat, style: TreeStyle
  ) {
    var named = [Bool](repeating: false, count: Int(UInt16.max) + 1)
    for row in facets.rows { if let number = row.identifier { named[Int(number)] = true } }
    let table = BitmapKeys(contents.renditions.lazy.map(\.key), format: format) { named[Int($0)] }
    let blocks = store.addBlocks(table.identifiers.count) { _ in
      table.blockLength
    } fill: { index, room in
      table.store(index, in: room)
    }
    let values = blocks.map { BlockID($0) }
    store.addTree(
      Archive.bitmapKeysName, .rawKeys(table.identifiers), values: values,
      style: TreeStyle(nodeSize: BitmapKeys.nodeSize, hasLongHeader: style.hasLongHeader))
  }
}

/// The keys of renditions as bytes, in sorted order.
struct SortedKeys {
  let keys: TreeKeys
  /// The index of each sorted key in the sequence of unsorted keys.
  let order: [UInt32]
  /// The index of the first key that occurs twice; nil if all keys differ.
  let firstDuplicate: Int?

  /// The first eight bytes of a key, which nearly always decide the order, and the index of the
  /// key.
  private struct Row {
    let prefix: UInt64
    let index: UInt32
  }

  init(_ keys: some Collection<RenditionKey>, format: KeyFormat) {
    let length = format.keyLength
    // Eight bytes more, so that the prefix of the last key can be read if keys are shorter than
    // eight bytes.
    var flat = [UInt8](repeating: 0, count: keys.count * length + 8)
    flat.withUnsafeMutableBytes { bytes in
      var offset = 0
      for key in keys {
        for column in format.columns {
          bytes.storeBytes(of: key[column].littleEndian, toByteOffset: offset, as: UInt16.self)
          offset += 2
        }
      }
    }
    // The keys of an existing archive are sorted already.
    if SortedKeys.areAscending(flat, count: keys.count, length: length) {
      self.keys = TreeKeys(flat, count: keys.count, length: length)
      order = (0..<UInt32(keys.count)).map { $0 }
      firstDuplicate = nil
      return
    }
    let rows = SortedKeys.sorted(flat, count: keys.count, length: length)
    var sorted = TreeKeys()
    sorted.reserve(rows.count, keyLength: length)
    var duplicate: Int?
    for (index, row) in rows.enumerated() {
      let start = Int(row.index) * length
      sorted.append(flat[start..<start + length])
      // Equal keys are neighbours and have equal prefixes.
      if index > 0, rows[index - 1].prefix == row.prefix, sorted[index - 1] == sorted[index] {
        duplicate = duplicate ?? Int(row.index)
      }
    }
    self.keys = sorted
    order = rows.map { $0.index }
    firstDuplicate = duplicate
  }

  private static func areAscending(_ flat: [UInt8], count: Int, length: Int) -> Bool {
    flat.withUnsafeBytes { bytes in
      func key(_ index: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[index * length..<(index + 1) * length])
      }
      return (1..<max(1, count)).allSatisfy { FileBytes.precedes(key($0 - 1), key($0)) }
    }
  }

  private static func sorted(_ flat: [UInt8], count: Int, length: Int) -> [Row] {
    flat.withUnsafeBytes { bytes in
      // Every key has `length` bytes in `bytes`, and eight bytes follow the last key.
      var rows = (0..<count).map { index in
        let prefix = bytes.loadUnaligned(fromByteOffset: index * length, as: UInt64.self)
        let used = length >= 8 ? prefix.bigEndian : prefix.bigEndian & ~0 << UInt64(64 - 8 * length)
        return Row(prefix: used, index: UInt32(index))
      }
      rows.sort { a, b in
        if a.prefix != b.prefix { return a.prefix < b.prefix }
        var offset = 8
        while offset < length {
          let x = bytes[Int(a.index) * length + offset]
          let y = bytes[Int(b.index) * length + offset]
          if x != y { return x < y }
          offset += 1
        }
        return a.index < b.index
      }
      return rows
    }
  }
}
