// Changes a finished archive. An edit is a list of renditions over the archive that was read: each
// names a block of the archive or has new bytes. Every block that the edit still names is written
// as it is, under its number and in the order in which the blocks lie. A table is written again
// only if its contents change.

import Bytes

/// An archive with changed renditions, names and numbers. Each rendition and each name has a row,
/// a number that it keeps: what was removed leaves a gap. An operation on one name therefore takes
/// as long in a large archive as in a small one.
package struct ArchiveEdit: Sendable {
  package typealias Entry = (key: RenditionKey, block: BlockID)

  package let archive: Archive
  /// The renditions by row: those of the archive in its order, then those that were added.
  private var entries: [Entry?]
  private var rowsOfIdentifier: [UInt16: [Int]] = [:]
  /// The names by row.
  private var names: [Facet?]
  /// Usually one row for each name; only a damaged archive has a name twice.
  private var rowsOfName: [ByteString: [Int]] = [:]
  /// The number of names that lead to an identifier.
  private var nameCounts: [UInt16: Int] = [:]
  package var appearances: [NamedNumber]
  package var localizations: [NamedNumber]
  /// The bytes of the blocks that are new or replaced.
  private(set) var contents: [BlockID: [UInt8]] = [:]
  /// The contents of the archive that was read.
  fileprivate let before:
    (renditions: [Entry], facets: [Facet], appearances: [NamedNumber], localizations: [NamedNumber])
  private var useCounts: [BlockID: Int] = [:]
  /// The numbers of new blocks until they are written; those of the archive are smaller.
  fileprivate let firstNew: UInt32
  private var nextBlock: UInt32

  /// Begins an edit that changes nothing. The caller keeps the bytes of the archive alive.
  package init(_ archive: Archive) throws(FormatError) {
    self.archive = archive
    var entries: [Entry] = []
    try archive.renditionTree().forEach { (entry) throws(FormatError) in
      entries.append((try archive.keyFormat.key(entry.key), entry.value))
    }
    let facets = try archive.facets()
    (self.entries, names) = (entries, facets)
    appearances = try archive.appearances()
    localizations = try archive.localizations()
    before = (entries, facets, appearances, localizations)
    firstNew = UInt32(clamping: archive.store.capacity)
    nextBlock = firstNew
    for (row, entry) in entries.enumerated() {
      useCounts[entry.block, default: 0] += 1
      rowsOfIdentifier[entry.key.identifier, default: []].append(row)
    }
    for (row, facet) in facets.enumerated() { enter(facet, at: row) }
  }

  // MARK: Names

  /// The names that are left, in the order of their rows. Each call makes the list anew.
  package var facets: [Facet] { names.compactMap { $0 } }

  /// Returns the row of a name; nil if it was removed, or if no name was ever there.
  package func row(ofName name: ByteString) -> Int? { rowsOfName[name]?.first }

  /// Returns the name in a row that `row(ofName:)` returned.
  package func facet(at row: Int) -> Facet? { names[row] }

  /// Returns whether a name leads to the renditions with this identifier.
  package func isNamed(_ identifier: UInt16) -> Bool { nameCounts[identifier, default: 0] > 0 }

  package mutating func add(_ facet: Facet) {
    enter(facet, at: names.count)
    names.append(facet)
  }

  package mutating func renameFacet(at row: Int, to name: ByteString) {
    guard var facet = names[row] else { return }
    removeFacet(at: row)
    facet.name = name
    enter(facet, at: row)
    names[row] = facet
  }

  package mutating func removeFacet(at row: Int) {
    guard let facet = names[row] else { return }
    names[row] = nil
    rowsOfName[facet.name]?.removeAll { $0 == row }
    if rowsOfName[facet.name]?.isEmpty == true { rowsOfName[facet.name] = nil }
    if let identifier = facet.identifier { nameCounts[identifier, default: 1] -= 1 }
  }

  private mutating func enter(_ facet: Facet, at row: Int) {
    rowsOfName[facet.name, default: []].append(row)
    if let identifier = facet.identifier { nameCounts[identifier, default: 0] += 1 }
  }

  // MARK: Renditions

  /// The renditions that are left, in the order of their rows. Each call makes the list anew.
  package var renditions: [Entry] { entries.compactMap { $0 } }

  /// The renditions that are left, with their rows. Each call makes the list anew.
  package var numberedRenditions: [(row: Int, entry: Entry)] {
    entries.enumerated().compactMap { row, entry in entry.map { (row, $0) } }
  }

  /// Returns the rendition in a row; nil if it was removed.
  package func rendition(at row: Int) -> Entry? { entries[row] }

  /// Returns the rows of the renditions with an identifier, in their order.
  package func rows(of identifier: UInt16) -> [Int] {
    rowsOfIdentifier[identifier, default: []].filter { entries[$0] != nil }
  }

  /// Gives renditions other bytes. Another rendition with the same block keeps the old bytes.
  package mutating func replace(_ rows: [Int], with bytes: [UInt8]) throws(FormatError) {
    var rowsOfBlock: [BlockID: [Int]] = [:]
    for row in rows {
      if let entry = entries[row] { rowsOfBlock[entry.block, default: []].append(row) }
    }
    for (block, rows) in rowsOfBlock.sorted(by: { $0.key < $1.key }) {
      if contents[block] == nil, bytes.elementsEqual(try archive.store.bytes(of: block).buffer) {
        continue
      }
      if rows.count == useCounts[block] {
        contents[block] = bytes
      } else {
        let new = add(bytes, uses: rows.count)
        for row in rows { use(new, at: row) }
      }
    }
  }

  /// Adds the block of renditions that are added.
  package mutating func add(_ bytes: [UInt8]) -> BlockID { add(bytes, uses: 0) }

  private mutating func add(_ bytes: [UInt8], uses: Int) -> BlockID {
    let block = BlockID(nextBlock)
    nextBlock += 1
    contents[block] = bytes
    useCounts[block] = uses
    return block
  }

  /// Adds a rendition with the block that `add` returned.
  package mutating func add(_ key: RenditionKey, in block: BlockID) {
    rowsOfIdentifier[key.identifier, default: []].append(entries.count)
    entries.append((key, block))
    useCounts[block, default: 0] += 1
  }

  private mutating func use(_ block: BlockID, at row: Int) {
    guard let old = entries[row]?.block else { return }
    useCounts[old, default: 1] -= 1
    entries[row]?.block = block
  }

  /// Returns the row of a key; nil if no rendition has it.
  package func row(of key: RenditionKey) -> Int? {
    rowsOfIdentifier[key.identifier]?.first { entries[$0]?.key == key }
  }

  package mutating func removeRendition(at row: Int) {
    guard let entry = entries[row] else { return }
    useCounts[entry.block, default: 1] -= 1
    entries[row] = nil
  }

  /// Returns the bytes of a rendition's block, as they will be written.
  package func withBytes<Result>(
    of block: BlockID, _ body: (FileBytes) throws(FormatError) -> Result
  ) throws(FormatError) -> Result {
    guard let bytes = contents[block] else { return try body(archive.store.bytes(of: block)) }
    let result = bytes.withUnsafeBytes { bytes in
      Swift.Result { () throws(FormatError) in try body(FileBytes(bytes)) }
    }
    return try result.get()
  }

  /// The number of bytes of the blocks that are new or replaced.
  package var newByteCount: Int { contents.values.reduce(0) { $0 + $1.count } }

  fileprivate func isUsed(_ block: BlockID) -> Bool { useCounts[block, default: 0] > 0 }

  fileprivate var changesRenditions: Bool {
    !renditions.elementsEqual(before.renditions) { $0.key == $1.key && $0.block == $1.block }
  }

  /// Whether the archive stays as it is.
  package var isEmpty: Bool {
    contents.allSatisfy { !isUsed($0.key) } && !changesRenditions && facets == before.facets
      && appearances == before.appearances && localizations == before.localizations
  }
}

// MARK: - Writing

extension ArchiveEdit {
  /// Writes the changed archive. If nothing changes, the bytes of the archive are written. If
  /// `writesIndex` is nil, the new archive has a lookup index if the old one has one.
  package func write<Sink: ByteSink>(
    into sink: Sink, writesIndex: Bool? = nil
  ) throws(ArchiveError) -> Sink {
    let hasIndex = archive.store.block(named: Archive.indexName) != nil
    if isEmpty, writesIndex ?? hasIndex == hasIndex {
      sink.append(archive.bytes.buffer)
      return sink
    }
    let changed = try ArchiveError.reading { () throws(FormatError) in try ChangedBlocks(self) }
    var writer = ArchiveWriter(into: sink, keepingNumbersUpTo: changed.highest)
    return try writer.write(self, changed, writesIndex: writesIndex ?? hasIndex)
  }
}

/// The tables that an edit changes, and the fate of each block of the old archive.
private struct ChangedBlocks {
  let renditions: [ArchiveEdit.Entry]
  let facets: [Facet]
  /// The numbers and the ranges of the old blocks that are kept, in the order in which they lie.
  private(set) var kept: [(block: BlockID, range: Range<Int>)] = []
  /// The old blocks that are named, but do not lie in the file.
  private(set) var outside: [BlockID] = []
  /// The bytes of replaced blocks and of new ones.
  private(set) var contents: [BlockID: [UInt8]]
  /// The highest number of an old block that is written.
  private(set) var highest = 0
  private let firstNew: UInt32
  /// The names of the trees and blocks that are written anew.
  private(set) var remade: Set<String> = [Archive.indexName]
  let format: KeyFormat
  /// The identifiers whose masks change.
  private(set) var masked: Set<UInt16> = []
  private var dropped: Set<BlockID> = []

  init(_ edit: ArchiveEdit) throws(FormatError) {
    let archive = edit.archive
    firstNew = edit.firstNew
    (renditions, facets) = (edit.renditions, edit.facets)
    format = archive.keyFormat.holding(
      renditions.lazy.map(\.key), semantics: archive.header.keySemantics)
    contents = edit.contents.filter { edit.isUsed($0.key) }
    let changesRenditions = edit.changesRenditions || format != archive.keyFormat
    if changesRenditions { remade.insert(Archive.renditionsName) }
    if facets != edit.before.facets { remade.insert(Facet.treeName) }
    if edit.appearances != edit.before.appearances { remade.insert(NamedNumber.appearances) }
    if edit.localizations != edit.before.localizations {
      remade.insert(NamedNumber.localizations)
    }
    try findMasks(edit)
    try replaceHeaders(archive, added: renditions.count - edit.before.renditions.count)
    for entry in edit.before.renditions where !edit.isUsed(entry.block) {
      dropped.insert(entry.block)
    }
    for name in remade { try dropBlocks(of: name, in: archive) }
    for entry in renditions { dropped.remove(entry.block) }
    for (name, block) in archive.store.variables where !remade.contains(name.text) {
      dropped.remove(block)
    }
    try sortBlocks(archive)
  }

  /// Finds the identifiers whose sets of keys change, or that get or lose a name.
  private mutating func findMasks(_ edit: ArchiveEdit) throws(FormatError) {
    guard edit.archive.store.block(named: Archive.bitmapKeysName) != nil else { return }
    let old = edit.before
    let isAnew = format != edit.archive.keyFormat
    if remade.contains(Archive.renditionsName) {
      let keys = Set(old.renditions.lazy.map(\.key))
      let newKeys = Set(renditions.lazy.map(\.key))
      let changed = isAnew ? keys.union(newKeys) : keys.symmetricDifference(newKeys)
      masked = Set(changed.lazy.map(\.identifier))
    }
    if remade.contains(Facet.treeName) {
      let names = Set(old.facets.compactMap(\.identifier))
      masked.formUnion(names.symmetricDifference(Set(facets.compactMap(\.identifier))))
    }
    if !masked.isEmpty { remade.insert(Archive.bitmapKeysName) }
  }

  /// Changes the count of renditions in the header, and the key format if a key needs it.
  private mutating func replaceHeaders(
    _ archive: Archive, added: Int
  ) throws(FormatError) {
    func block(_ name: String) -> BlockID? { archive.store.block(named: name) }
    if added != 0, let block = block(CatalogHeader.name) {
      var bytes = Array(try archive.store.bytes(of: block).buffer)
      let count = UInt32(clamping: Int(archive.header.renditionCount) + added)
      bytes.store(count, CatalogHeaderRecord.renditionCount)
      contents[block] = bytes
    }
    guard format != archive.keyFormat else { return }
    if let block = block(KeyFormat.name) { contents[block] = format.block() }
    if let workaround = format.workaroundBlock(), let block = block(KeyFormat.workaroundName) {
      contents[block] = workaround
    }
  }

  /// Drops the blocks of a tree or a block that is written anew. The values of the renditions are
  /// not dropped, and neither are the masks that stay.
  private mutating func dropBlocks(of name: String, in archive: Archive) throws(FormatError) {
    guard let block = archive.store.block(named: name) else { return }
    dropped.insert(block)
    if name == Archive.indexName { return }
    let tree = try Tree(block, named: name, in: archive.store)
    let isMasks = name == Archive.bitmapKeysName
    // Refuses a tree in which a page occurs twice, so that the next walk visits each page once.
    try tree.forEach { (entry) throws(FormatError) in
      let isMaskThatStays = isMasks && !masked.contains(UInt16(truncatingIfNeeded: entry.rawKey))
      if name != Archive.renditionsName, !isMaskThatStays { dropped.insert(entry.value) }
    }
    dropped.formUnion(try tree.pagesAndKeys())
  }

  /// Divides the old blocks into those that are kept and those that are not.
  private mutating func sortBlocks(_ archive: Archive) throws(FormatError) {
    let store = archive.store
    var length = 0
    for number in 1..<max(1, store.capacity) {
      let block = BlockID(UInt32(number))
      guard let entry = store.entry(block), (entry.address, entry.length) != (0, 0),
        !dropped.contains(block)
      else { continue }
      guard let range = try? store.range(of: block) else {
        outside.append(block)
        continue
      }
      kept.append((block, range))
      length += range.count
      highest = number
    }
    // Such blocks overlap, and a copy of each could turn a small file into a huge one.
    if length > archive.bytes.count {
      throw FormatError(
        .outside("the blocks", length: length, available: archive.bytes.count), at: 0)
    }
    kept.sort { ($0.range.lowerBound, $0.block) < ($1.range.lowerBound, $1.block) }
    highest = max(highest, Int(outside.last?.number ?? 0))
  }

  /// Returns the bytes of a named block that is not written anew.
  func bytes(named name: String, in archive: Archive) throws(FormatError) -> [UInt8] {
    guard let block = archive.store.block(named: name) else { return [] }
    if let replaced = contents[block] { return replaced }
    return Array(try archive.store.bytes(of: block).buffer)
  }

  /// Returns the number under which a block is written: new blocks follow the old ones.
  func number(of block: BlockID) -> BlockID {
    if block.number < firstNew { return block }
    return BlockID(block.number - firstNew + UInt32(highest) + 1)
  }
}

extension ArchiveWriter {
  /// Writes the blocks of a changed archive, then the tables that change.
  fileprivate mutating func write(
    _ edit: ArchiveEdit, _ changed: ChangedBlocks, writesIndex: Bool
  ) throws(ArchiveError) -> Sink {
    let archive = edit.archive
    for (block, range) in changed.kept {
      if let bytes = changed.contents[block] {
        bytes.withUnsafeBytes { store.place(block, $0) }
      } else {
        let bytes = UnsafeRawBufferPointer(rebasing: archive.bytes.buffer[range])
        store.place(block, bytes, like: range.lowerBound)
      }
    }
    for (block, bytes) in changed.contents.sorted(by: { $0.key < $1.key })
    where block.number >= edit.firstNew {
      store.reserveNumbers(upTo: Int(changed.number(of: block).number))
      bytes.withUnsafeBytes { store.place(changed.number(of: block), $0) }
    }
    for block in changed.outside {
      if let bytes = changed.contents[block] {
        bytes.withUnsafeBytes { store.place(block, $0) }
      } else {
        store.placeOutside(block)
      }
    }
    for (name, block) in archive.store.variables where !changed.remade.contains(name.text) {
      store.name(block, Array(name.buffer))
    }
    let tables = try writeTables(edit, changed)
    if archive.store.block(named: KeyFormat.workaroundName) == nil,
      let workaround = changed.format.workaroundBlock()
    {
      store.name(store.addBlock { $0.append(contentsOf: workaround) }, KeyFormat.workaroundName)
    }
    store.orderVariables(like: archive.store.variables.map { Array($0.name.buffer) })
    let index = writesIndex ? try self.index(of: edit, changed, tables) : nil
    let headers = try ArchiveError.reading { () throws(FormatError) in
      try [CatalogHeader.name, KeyFormat.name].map { (name) throws(FormatError) in
        try changed.bytes(named: name, in: archive)
      }
    }
    try finish(index: index, described: headers + [tables.renditions, tables.facets])
    return sink
  }

  /// Writes the trees that change. Returns the headers of the trees that identify the index, the
  /// facets in the order of their names, and the blocks of the names.
  private mutating func writeTables(
    _ edit: ArchiveEdit, _ changed: ChangedBlocks
  ) throws(ArchiveError) -> EditedTables {
    let archive = edit.archive
    var tables = try ArchiveError.reading { () throws(FormatError) in try EditedTables(archive) }
    func style(_ name: String) throws(ArchiveError) -> TreeStyle {
      try ArchiveError.reading { () throws(FormatError) in try TreeStyle(of: name, in: archive) }
    }
    if changed.remade.contains(Archive.renditionsName) {
      tables.renditions = try addRenditions(
        changed.renditions.map { ($0.key, changed.number(of: $0.block)) }, format: changed.format,
        style: style(Archive.renditionsName))
    }
    if changed.remade.contains(Facet.treeName) {
      tables.table = FacetTable(changed.facets)
      tables.table.sort()
      let (header, names) = try addFacets(tables.table, style: style(Facet.treeName))
      (tables.facets, tables.firstName) = (header, names)
    }
    if changed.remade.contains(NamedNumber.appearances) {
      addNamedNumbers(
        edit.appearances, NamedNumber.appearances, style: try style(NamedNumber.appearances))
    }
    if changed.remade.contains(NamedNumber.localizations) {
      addNamedNumbers(
        edit.localizations, NamedNumber.localizations,
        style: try style(NamedNumber.localizations))
    }
    if changed.remade.contains(Archive.bitmapKeysName) {
      try addMasks(edit, changed, style: style(Archive.bitmapKeysName))
    }
    return tables
  }

  /// Writes the tree of the masks with the old masks of the identifiers that do not change.
  private mutating func addMasks(
    _ edit: ArchiveEdit, _ changed: ChangedBlocks, style: TreeStyle
  ) throws(ArchiveError) {
    var rows: [(identifier: UInt32, block: BlockID)] = []
    try ArchiveError.reading { () throws(FormatError) in
      try edit.archive.tree(named: Archive.bitmapKeysName)?.forEach { entry in
        if !changed.masked.contains(UInt16(truncatingIfNeeded: entry.rawKey)) {
          rows.append((entry.rawKey, entry.value))
        }
      }
    }
    let named = Set(changed.facets.compactMap(\.identifier))
    let keys = changed.renditions.lazy.map(\.key).filter {
      changed.masked.contains($0.identifier)
    }
    let table = BitmapKeys(keys, format: changed.format) { named.contains($0) }
    let blocks = store.addBlocks(table.identifiers.count) { _ in
      table.blockLength
    } fill: { index, room in
      table.store(index, in: room)
    }
    rows += zip(table.identifiers, blocks).map { ($0, BlockID($1)) }
    rows.sort { $0.identifier < $1.identifier }
    store.addTree(
      Archive.bitmapKeysName, .rawKeys(rows.map(\.identifier)), values: rows.map(\.block),
      style: style)
  }

  private func index(
    of edit: ArchiveEdit, _ changed: ChangedBlocks, _ tables: EditedTables
  ) throws(ArchiveError) -> [UInt8] {
    do throws(IndexError) {
      return try IndexWriter.bytes(
        facets: tables.table, names: tables.block(ofName:), addresses: store.address(of:),
        renditions: EditedRenditions(edit: edit, changed: changed),
        numbers: VariantNumbers(
          appearances: edit.appearances, semantics: edit.archive.header.keySemantics),
        localizations: edit.localizations)
    } catch {
      throw .index(error)
    }
  }
}

/// The tables from which the index of a changed archive is made.
private struct EditedTables {
  /// The headers of the trees of renditions and facets.
  var renditions: [UInt8]
  var facets: [UInt8]
  var table: FacetTable
  /// The block of the first name, which the others follow; nil if the tree of the facets stays.
  var firstName: BlockID?

  init(_ archive: Archive) throws(FormatError) {
    renditions = Array(try archive.renditionTree().header.buffer)
    facets = Array(try archive.facetTree().header.buffer)
    table = try FacetTable(of: archive)
    table.sort()
  }

  func block(ofName row: Int) -> BlockID {
    firstName.map { BlockID($0.number + UInt32(row)) } ?? table.rows[row].nameBlock
  }
}

/// The renditions of a changed archive, for its index.
private struct EditedRenditions: TreeRenditions {
  let edit: ArchiveEdit
  let changed: ChangedBlocks

  var count: Int { changed.renditions.count }
  func key(_ row: Int) -> RenditionKey { changed.renditions[row].key }
  func block(_ row: Int) -> BlockID { changed.number(of: changed.renditions[row].block) }

  func facts(_ row: Int) -> RenditionFacts {
    (try? edit.withBytes(of: changed.renditions[row].block) { RenditionFacts(block: $0) })
      ?? RenditionFacts()
  }
}

extension Tree {
  /// Returns the blocks of the pages and keys.
  fileprivate func pagesAndKeys() throws(FormatError) -> Set<BlockID> {
    var blocks: Set<BlockID> = []
    var pages = [root]
    while let block = pages.popLast() {
      guard blocks.insert(block).inserted else { continue }
      let page = try Page(block, of: self)
      if !page.isLeaf { for index in 0...page.count { pages.append(page.child(index)) } }
      if !hasRawKeys { for index in 0..<page.count { blocks.insert(BlockID(page.rawKey(index))) } }
    }
    return blocks
  }
}

extension TreeStyle {
  /// The style of a tree of an archive; that of the tree of renditions if there is no such tree.
  fileprivate init(of name: String, in archive: Archive) throws(FormatError) {
    let renditions = try archive.renditionTree()
    let tree = try archive.tree(named: name) ?? renditions
    self.init(
      nodeSize: TreeStyle.supported(nodeSize: tree.nodeSize),
      hasLongHeader: tree.header.count >= TreeHeader.size)
    // A small page of Carve's becomes a large one if it has no more room.
    if nodeSize == TreeStyle.smallNodeSize, name != Archive.bitmapKeysName {
      (nodeSize, hasSmallPages) = (4096, true)
    }
  }
}

extension KeyFormat {
  /// Returns a format that also has columns for the values of these keys. If the columns are in the
  /// canonical order, the new ones are, too; otherwise the new ones follow.
  fileprivate func holding(
    _ keys: some Sequence<RenditionKey>, semantics: KeySemantics
  ) -> KeyFormat {
    let inUse = keys.reduce(into: UInt32(0)) { $0 |= $1.columnsInUse } & ~columnsInUse
    if inUse == 0 { return self }
    let canonical =
      semantics == .mac ? RenditionAttribute.macOrder : RenditionAttribute.phoneOrder
    let added = (0..<UInt8(RenditionAttribute.limit)).compactMap(RenditionAttribute.init).filter {
      inUse >> UInt32($0.rawValue) & 1 != 0
    }
    let all = Set(columns).union(added)
    let ordered = canonical.filter { all.contains($0) }
    let isCanonical = ordered.filter { !added.contains($0) } == columns
    let widened = isCanonical && ordered.count == all.count ? ordered : columns + added
    let stood = Set(
      columns.indices.filter { placeholders >> UInt64($0) & 1 != 0 }.map { columns[$0] })
    let mask = widened.indices.reduce(into: UInt64(0)) {
      if stood.contains(widened[$1]) { $0 |= 1 << UInt64($1) }
    }
    return KeyFormat(widened, placeholders: mask)
  }
}
