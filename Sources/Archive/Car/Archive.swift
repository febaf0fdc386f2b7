// Reads an archive. Opening reads only the container, the header and the key format. A table is
// read when it is requested, and the block of a rendition when its rendition is requested. The
// references of a rendition to others are at the end.

import Traits

/// The key of a rendition, and the address of its block.
package struct RenditionEntry: Sendable, Hashable {
  package let key: RenditionKey
  package let block: BlockID
  /// The range of the block in the file.
  package let range: Range<Int>

  package init(key: RenditionKey, block: BlockID, range: Range<Int>) {
    self.key = key
    self.block = block
    self.range = range
  }
}

/// An archive in bytes that the caller keeps alive and unchanged.
package struct Archive: Sendable {
  package let store: BlockStore
  package let header: CatalogHeader
  package let keyFormat: KeyFormat

  static let renditionsName = "RENDITIONS"
  static let bitmapKeysName = "BITMAPKEYS"

  package init(_ file: UnsafeRawBufferPointer) throws(FormatError) {
    try self.init(try BlockStore(FileBytes(file)))
  }

  package init(_ store: BlockStore) throws(FormatError) {
    self.store = store
    header = try CatalogHeader(try Archive.block(named: CatalogHeader.name, in: store))
    keyFormat = try KeyFormat(
      try Archive.block(named: KeyFormat.name, in: store),
      workaround: try store.bytes(named: KeyFormat.workaroundName))
  }

  package var bytes: FileBytes { store.bytes }

  private static func block(named name: String, in store: BlockStore) throws(FormatError)
    -> FileBytes
  {
    guard let block = try store.bytes(named: name) else {
      throw FormatError(.missing("the block \(name)"), at: store.variableTable.origin)
    }
    return block
  }

  /// The platform for which the archive was made; nil if the archive does not state it, or if its
  /// metadata are damaged.
  package var platform: Platform? {
    ((try? metadata()) ?? nil).flatMap { Platform(archiveName: $0.platform) }
  }

  /// Reads the metadata, which name the platform; nil in old archives.
  package func metadata() throws(FormatError) -> CatalogMetadata? {
    guard let block = try store.bytes(named: CatalogMetadata.name) else { return nil }
    return try CatalogMetadata(block)
  }

  /// Returns a named tree; nil if the archive does not have it.
  package func tree(named name: String) throws(FormatError) -> Tree? {
    guard let block = store.block(named: name) else { return nil }
    return try Tree(block, named: name, in: store)
  }

  private func requiredTree(named name: String) throws(FormatError) -> Tree {
    guard let tree = try tree(named: name) else {
      throw FormatError(.missing("the tree \(name)"), at: store.variableTable.origin)
    }
    return tree
  }

  package func renditionTree() throws(FormatError) -> Tree {
    try requiredTree(named: Archive.renditionsName)
  }

  /// Returns the number of renditions that the header of their tree states.
  package func renditionCount() throws(FormatError) -> Int {
    try renditionTree().count
  }

  /// Calls `body` for each rendition in the order of the tree, without reading its block.
  package func forEachRendition(
    _ body: (RenditionEntry) throws(FormatError) -> Void
  ) throws(FormatError) {
    try renditionTree().forEach { (entry) throws(FormatError) in
      let range = try store.range(of: entry.value)
      try body(
        RenditionEntry(key: try keyFormat.key(entry.key), block: entry.value, range: range))
    }
  }

  /// Returns all renditions in the order of the tree.
  package func renditions() throws(FormatError) -> [RenditionEntry] {
    var entries: [RenditionEntry] = []
    entries.reserveCapacity(try renditionCount())
    try forEachRendition { (entry) throws(FormatError) in entries.append(entry) }
    return entries
  }

  /// Returns the flags and the layout of an entry's rendition.
  package func outline(_ entry: RenditionEntry) throws(FormatError) -> RenditionOutline {
    try RenditionOutline(
      try bytes.slice(
        at: entry.range.lowerBound, count: entry.range.count, "a rendition"))
  }

  /// Returns the rendition of an entry.
  package func rendition(_ entry: RenditionEntry) throws(FormatError) -> Rendition {
    try rendition(at: entry.range)
  }

  /// Returns the rendition whose block lies in this range of the file.
  package func rendition(at range: Range<Int>) throws(FormatError) -> Rendition {
    try Rendition(
      try bytes.slice(at: range.lowerBound, count: range.count, "a rendition"))
  }

  func facetTree() throws(FormatError) -> Tree { try requiredTree(named: Facet.treeName) }

  /// Returns all facets in the order of the bytes of their names.
  package func facets() throws(FormatError) -> [Facet] {
    let tree = try facetTree()
    var facets: [Facet] = []
    facets.reserveCapacity(tree.count)
    try tree.forEach { (entry) throws(FormatError) in
      facets.append(try Facet(name: entry.key, value: try store.bytes(of: entry.value)))
    }
    return facets
  }

  /// Returns the names of appearances, and their numbers in keys.
  package func appearances() throws(FormatError) -> [NamedNumber] {
    try namedNumbers(NamedNumber.appearances)
  }

  /// Returns the names of localizations, and their numbers in keys.
  package func localizations() throws(FormatError) -> [NamedNumber] {
    try namedNumbers(NamedNumber.localizations)
  }

  private func namedNumbers(_ name: String) throws(FormatError) -> [NamedNumber] {
    guard let tree = try tree(named: name) else { return [] }
    var numbers: [NamedNumber] = []
    try tree.forEach { (entry) throws(FormatError) in
      let value = try store.bytes(of: entry.value)
      try FormatError.check(
        "the length of a name in \(name)", entry.key.count, atMost: NamedNumber.mostBytes,
        at: entry.key.origin)
      numbers.append(
        NamedNumber(bytes: Array(entry.key.buffer), try value.load(Field<UInt16>(0))))
    }
    return numbers
  }
}

// MARK: - All renditions

// All renditions of an archive, without their keys in memory. A `RenditionKey` has room for every
// attribute, so a key is read from the file when it is requested. `Archive.renditions` returns the
// same renditions as an array with keys.

/// The renditions in the order of their tree. The caller keeps the archive's bytes alive and
/// unchanged.
package struct RenditionTable: Sendable {
  /// The addresses of a rendition in the file. They fit into 32 bits, because the block index uses
  /// 32 bits.
  private struct Row {
    /// The offset of the key.
    var key: UInt32
    var block: UInt32
    var start: UInt32
    var length: UInt32
  }

  private let file: FileBytes
  private let format: KeyFormat
  private var rows: [Row] = []
  /// The renditions whose blocks do not lie in the file. They are not in the rows of this table.
  package private(set) var outside: [(key: RenditionKey, error: FormatError)] = []

  init(of archive: Archive, _ tree: Tree, passesOver: Bool) throws(FormatError) {
    file = archive.bytes
    format = archive.keyFormat
    rows.reserveCapacity(tree.count)
    try tree.forEach { (entry) throws(FormatError) in
      try format.checkLength(of: entry.key)
      let range: Range<Int>
      do throws(FormatError) {
        range = try archive.store.range(of: entry.value)
      } catch {
        guard passesOver else { throw error }
        outside.append((try format.key(entry.key), error))
        return
      }
      rows.append(
        Row(
          key: UInt32(entry.key.origin), block: entry.value.number,
          start: UInt32(range.lowerBound), length: UInt32(range.count)))
    }
  }

  /// Returns some of the renditions, in the order of `selected`.
  package func selecting(_ selected: [Int]) -> RenditionTable {
    var copy = self
    copy.rows = selected.map { rows[$0] }
    return copy
  }
}

extension RenditionTable: RandomAccessCollection {
  package var startIndex: Int { 0 }
  package var endIndex: Int { rows.count }

  package subscript(row: Int) -> RenditionEntry {
    RenditionEntry(key: key(at: row), block: block(at: row), range: range(at: row))
  }

  package func key(at row: Int) -> RenditionKey {
    guard let start = file.buffer.baseAddress else { return RenditionKey() }
    // The length of the key was checked when the table was read, so the key lies in the file.
    return format.key(start + Int(rows[row].key))
  }

  package func block(at row: Int) -> BlockID { BlockID(rows[row].block) }

  /// Returns the range of the rendition's block in the file.
  package func range(at row: Int) -> Range<Int> {
    let start = Int(rows[row].start)
    return start..<start + Int(rows[row].length)
  }

  /// One number for each rendition: the address of its block in the upper half, its row in the
  /// lower half. Sorted by address.
  var asTheyLie: [UInt64] {
    var order: [UInt64] = []
    order.reserveCapacity(count)
    for (row, entry) in rows.enumerated() { order.append(UInt64(entry.start) << 32 | UInt64(row)) }
    order.sort(byBitsFrom: 32)
    return order
  }
}

extension Archive {
  /// Returns all renditions in the order of their tree. A rendition whose block does not lie in the
  /// file is an error, except if `passesOver` is true.
  package func renditionTable(
    passingOverOutside passesOver: Bool = false
  ) throws(FormatError) -> RenditionTable {
    try RenditionTable(of: self, try renditionTree(), passesOver: passesOver)
  }
}

// MARK: - References between renditions

// References between renditions: a picture needs its atlas, a texture its mip levels.

extension Rendition {
  /// Returns the keys of the renditions without which this one cannot be shown. The layers of a
  /// stack are not among them: a stack names the layers by identifier alone, and the rule chooses a
  /// rendition of each layer.
  package func references() throws(FormatError) -> [RenditionKey] {
    switch header.layout {
    case .internalLink:
      guard let link = try link() else { return [] }
      return [link.target]
    case .texture: return try TexturePayload.keys(payload)
    default: return []
    }
  }
}

/// The payload of a texture: this record, and the key of each mip level.
enum TexturePayload {
  static let magic: StaticString = "RTXT"
  static let letters = BytesField(0, size: 4)
  static let flags = Field<UInt32>(4)
  static let format = Field<UInt32>(8)
  static let depth = Field<UInt32>(12)
  static let arrayLength = Field<UInt32>(16)
  static let type = Field<UInt16>(20)
  static let mipCount = Field<UInt16>(22)
  static let size = 24
  /// The largest number of mip levels: 17 for each of six faces.
  static let mostMips = 102
  static let members: [any RecordMember] = [
    letters, flags, format, depth, arrayLength, type, mipCount,
  ]

  enum Mip {
    static let keyLength = Field<UInt32>(0)
    static let flags = Field<UInt32>(4)
    static let size = 8
    static let members: [any RecordMember] = [keyLength, flags]
  }

  static func keys(_ payload: FileBytes) throws(FormatError) -> [RenditionKey] {
    guard payload.hasPrefix(magic) else { return [] }
    var keys: [RenditionKey] = []
    var offset = size
    let count = Int(try payload.load(mipCount))
    if count > mostMips {
      throw FormatError(
        .number("the number of mip levels", found: count, expected: "at most \(mostMips)"),
        at: payload.origin)
    }
    for _ in 0..<count {
      let length = Int(try payload.load(Mip.keyLength, at: offset))
      let pairs = try payload.slice(at: offset + Mip.size, count: length, "the key of a mip level")
      keys.append(AttributePair.key(try AttributePair.read(pairs)))
      offset += Mip.size + length
    }
    return keys
  }
}
