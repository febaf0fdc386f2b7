// Writes an archive again, in two ways. Thinning keeps some of the renditions: their blocks are
// copied unchanged, with the header, the metadata, the key format and all blocks of unknown names;
// counts, masks, facets and the names of localizations are reduced to those that the remaining
// renditions need. Replacing keeps all renditions and gives some blocks other bytes.

import Bytes
import Traits

extension ArchiveWriter {
  /// Writes the renditions in `entries`. Their blocks are written in the order in which they lie in
  /// the old file, so that the old file is read from front to back. If `replacing` has bytes for
  /// the row of an entry, they are written instead of the entry's block. `thinning` is written
  /// into the metadata. Facets without a rendition are left out. A caller that has already read the
  /// facets, or knows facts about the blocks, passes them and saves the time to read them again.
  package mutating func rewrite(
    _ archive: Archive, keeping entries: RenditionTable, replacing: [Int: [UInt8]] = [:],
    facets: FacetTable? = nil, facts known: IndexedFacts? = nil,
    thinning: String? = nil, writesIndex: Bool = false
  ) throws(ArchiveError) -> Sink {
    var contents = try ArchiveError.reading { () throws(FormatError) in
      try Self.contents(of: archive, keeping: entries)
    }
    let all = try ArchiveError.reading { () throws(FormatError) in
      if let facets { facets } else { try FacetTable(of: archive) }
    }
    if let thinning { contents.metadata?.thinningArguments = thinning }
    // A rendition takes a block and a key; a facet takes a name, a value and a mask.
    store.reserve(blocks: 2 * entries.count + 3 * all.count)
    let copies = try copyBlocks(of: archive, entries, replacing: replacing, facts: known)
    for row in copies.indices { contents.renditions[row].block = copies[row] }
    return try finish(
      contents, facets: all.of(contents.renditions), facts: known, writesIndex: writesIndex
    ) { (store) throws(ArchiveError) in
      try ArchiveError.reading { () throws(FormatError) in
        try Self.copyOthers(of: archive, to: &store)
      }
    }
  }

  /// Copies each block once. Returns the copy of each entry's block.
  private mutating func copyBlocks(
    of archive: Archive, _ entries: RenditionTable, replacing: [Int: [UInt8]],
    facts known: IndexedFacts?
  ) throws(ArchiveError) -> [BlockID] {
    let none = BlockID(0)
    var copies = [BlockID](repeating: none, count: entries.count)
    var copyOfBlock = [BlockID](repeating: none, count: archive.store.capacity)
    for ordered in entries.asTheyLie {
      let row = Int(ordered & 0xFFFF_FFFF)
      if let changed = replacing.isEmpty ? nil : replacing[row] {
        copies[row] = changed.withUnsafeBytes { append(csi: $0) }
        continue
      }
      let bytes = try ArchiveError.reading { () throws(FormatError) in
        let bytes = try archive.store.bytes(of: entries.block(at: row))
        try bytes.require(CSIRecord.magic, "the rendition")
        return bytes
      }
      // The store has checked that the number is below its capacity.
      let number = Int(entries.block(at: row).number)
      if copyOfBlock[number] == none {
        copyOfBlock[number] =
          known?.isKnown(row) == true
          ? appendKnown(csi: bytes.buffer) : append(csi: bytes.buffer)
      }
      copies[row] = copyOfBlock[number]
    }
    return copies
  }

  /// Returns the contents of the new archive. The blocks of its renditions are still 0.
  private static func contents(
    of archive: Archive, keeping entries: RenditionTable
  ) throws(FormatError) -> ArchiveContents {
    var contents = ArchiveContents(header: archive.header, metadata: try archive.metadata())
    contents.keyFormat = archive.keyFormat
    var locales = Set<UInt16>()
    var last: UInt16?
    contents.renditions.reserveCapacity(entries.count)
    for row in entries.indices {
      let key = entries.key(at: row)
      contents.renditions.append((key, BlockID(0)))
      if key[.localization] != last { locales.insert(key[.localization]) }
      last = key[.localization]
    }
    contents.appearances = try archive.appearances()
    contents.localizations = try archive.localizations().filter { locales.contains($0.number) }
    contents.hasBitmapKeys = archive.store.block(named: Archive.bitmapKeysName) != nil
    let tree = try archive.tree(named: Archive.renditionsName)
    contents.hasLongTreeHeaders = tree.map { $0.header.count >= TreeHeader.size } ?? true
    contents.hasSmallPages = contents.hasLongTreeHeaders
    return contents
  }

  /// Copies the named blocks and trees that the writer does not make itself.
  private static func copyOthers(
    of archive: Archive, to store: inout StoreWriter
  ) throws(FormatError) {
    let own = Set(Archive.ownNames.map { Array($0.utf8) })
    for variable in archive.store.variables {
      let name = Array(variable.name.buffer)
      if own.contains(name) { continue }
      let bytes = try archive.store.bytes(of: variable.block)
      if bytes.hasPrefix(TreeHeader.magic) {
        let tree = try Tree(variable.block, named: variable.name.text, in: archive.store)
        try store.copy(tree, named: name)
      } else {
        store.name(store.addBlock { $0.append(contentsOf: bytes.buffer) }, name)
      }
    }
  }
}

extension FacetTable {
  /// Returns the facets that have at least one of the renditions.
  fileprivate func of(_ renditions: [(key: RenditionKey, block: BlockID)]) -> FacetTable {
    var present = renditions.map { key, _ in
      let asset = FacetTable.asset(element: key.element, identifier: key.identifier)
      return UInt64(asset) << 16 | UInt64(key.part)
    }
    present.sort(byBitsFrom: 0)
    return filtered { row in
      guard let asset = row.asset else { return nil }
      let own = UInt64(asset) << 16 | UInt64(row.part ?? 0)
      let first = present.first(notBelow: UInt64(asset) << 16)
      guard let first, first >> 16 == UInt64(asset) else { return nil }
      // If the renditions of the facet's own part are gone, the facet gets the part of those that
      // remain: a name that was a picture and a colour may now be only one of them.
      if first == own || present.first(notBelow: own) == own { return row.part ?? 0 }
      return UInt16(truncatingIfNeeded: first)
    }
  }
}

extension [UInt64] {
  /// Returns the first number that is not below a bound. The numbers are sorted.
  fileprivate func first(notBelow bound: UInt64) -> UInt64? {
    let index = partitioningIndex { $0 >= bound }
    return index < count ? self[index] : nil
  }
}

extension Archive {
  /// The names of the blocks and trees that the writer makes itself.
  static let ownNames: Set<String> = [
    CatalogHeader.name, renditionsName, Facet.treeName, NamedNumber.appearances,
    NamedNumber.localizations, KeyFormat.name, KeyFormat.workaroundName, CatalogMetadata.name,
    bitmapKeysName, indexName,
  ]
}

extension StoreWriter {
  /// Copies a tree with all its values.
  mutating func copy(_ tree: Tree, named name: [UInt8]) throws(FormatError) {
    var keys = TreeKeys()
    var rawKeys: [UInt32] = []
    var values: [BlockID] = []
    var copies: [BlockID: BlockID] = [:]
    try tree.forEach { (entry) throws(FormatError) in
      if tree.hasRawKeys { rawKeys.append(entry.rawKey) } else { keys.append(entry.key.buffer) }
      if let copy = copies[entry.value] {
        values.append(copy)
      } else {
        let value = try tree.store.bytes(of: entry.value)
        let copy = addBlock(value.buffer)
        copies[entry.value] = copy
        values.append(copy)
      }
    }
    addTree(
      name, tree.hasRawKeys ? .rawKeys(rawKeys) : .keys(keys), values: values,
      style: TreeStyle(
        nodeSize: TreeStyle.supported(nodeSize: tree.nodeSize),
        hasLongHeader: tree.header.count >= TreeHeader.size))
  }
}

extension TreeStyle {
  /// Returns a page size that can be written: the given one if it is valid, otherwise 4,096.
  static func supported(nodeSize: Int) -> Int {
    (64...65_536).contains(nodeSize) && nodeSize.nonzeroBitCount == 1 ? nodeSize : 4096
  }
}

// MARK: - Replacing blocks

// Writes an archive again with other bytes in some of its blocks. Each run of blocks between them
// is copied at once. The tables are copied too, because they name blocks by number, and so is the
// lookup index, because the names keep their distances. Only the block index gets the new
// addresses.

/// An archive in which blocks can be replaced. Only its container, header and lookup index have to
/// be in memory.
package struct ReplaceableArchive {
  private let store: BlockStore
  /// The range of each block. Block n is at position n − 1.
  private let ranges: [Range<Int>]
  private let index: BlockID?

  /// Returns nil if the blocks of the archive do not lie in the order of their numbers, as the
  /// writer places them.
  package init?(_ store: BlockStore) {
    self.store = store
    var ranges: [Range<Int>] = []
    ranges.reserveCapacity(store.blockCount)
    var end = StoreHeader.firstBlock
    for number in 1..<max(1, store.blockCount + 1) {
      guard let range = try? store.range(of: BlockID(UInt32(number))), range.lowerBound >= end,
        range.lowerBound % blockAlignment == 0
      else { return nil }
      ranges.append(range)
      end = range.upperBound
    }
    self.ranges = ranges
    index = store.block(named: Archive.indexName)
    // The lookup index is the last block, as the writer places it.
    if let index, Int(index.number) != ranges.count { return nil }
  }

  /// The names of the blocks that have to be in memory: those that determine the identity of the
  /// lookup index, and the lookup index.
  package static var describedNames: [String] { IndexIdentity.described + [Archive.indexName] }

  /// Writes the archive with the bytes in `blocks` instead of the old ones. `copy` adds a range of
  /// the old file to the sink. The lookup index keeps its facts about a replaced block.
  package func write(
    _ blocks: [BlockID: [UInt8]], into sink: any ByteSink, copying copy: (Range<Int>) -> Void
  ) throws(ArchiveError) {
    var lookup: FileBytes?
    if let index { lookup = try indexBytes(index, replacing: blocks.keys.max()) }
    var writer = StoreWriter(into: sink)
    writer.reserve(blocks: ranges.count)
    var next = 0
    for block in blocks.keys.sorted() {
      let index = Int(block.number) - 1
      writer.addBlocks(at: Array(ranges[next..<index]), copying: copy)
      if let bytes = blocks[block] { _ = bytes.withUnsafeBytes { writer.addBlock($0) } }
      next = index + 1
    }
    let last = index == nil ? ranges.count : ranges.count - 1
    writer.addBlocks(at: Array(ranges[next..<last]), copying: copy)
    if let lookup { _ = writer.addBlock(lookup.buffer, alignment: IndexHeader.alignment) }
    for (name, block) in store.variables { writer.name(block, Array(name.buffer)) }
    let header = try writer.finish()
    guard let index else { return }
    var field: [UInt8] = []
    let described = try ArchiveError.reading { () throws(FormatError) in
      try describedBlocks()
    }
    field.append(IndexIdentity.value(of: [header] + described), .little)
    writer.overwrite(index, at: IndexHeader.identityOffset, with: field)
  }

  private func describedBlocks() throws(FormatError) -> [[UInt8]] {
    var blocks: [[UInt8]] = []
    for name in IndexIdentity.described {
      if let bytes = try store.bytes(named: name) { blocks.append(Array(bytes.buffer)) }
    }
    return blocks
  }

  /// Returns the lookup index. It states only the distances between names, which stay the same if
  /// the `last` block that is replaced lies before them. Throws if it does not, or if the form of
  /// the index is another one.
  private func indexBytes(
    _ index: BlockID, replacing last: BlockID?
  ) throws(ArchiveError) -> FileBytes {
    let bytes = try ArchiveError.reading { () throws(FormatError) in try store.bytes(of: index) }
    do throws(IndexError) {
      let header = try IndexHeader(bytes.buffer)
      if let last, last.number >= header.names { throw .sections }
    } catch {
      throw .index(error)
    }
    return bytes
  }
}
