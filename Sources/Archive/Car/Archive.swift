// Reads an archive. Opening reads only the container, the header and the key format. A table is
// read when it is requested, and the block of a rendition when its rendition is requested.

/// The key of a rendition, and the place of its block.
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
    store = try BlockStore(Bytes(file))
    header = try CatalogHeader(try Archive.block(named: CatalogHeader.name, in: store))
    keyFormat = try KeyFormat(
      try Archive.block(named: KeyFormat.name, in: store),
      workaround: try store.bytes(named: KeyFormat.workaroundName))
  }

  package var bytes: Bytes { store.bytes }

  private static func block(named name: String, in store: BlockStore) throws(FormatError) -> Bytes {
    guard let block = try store.bytes(named: name) else {
      throw FormatError(.missing("the block \(name)"), at: store.variableTable.origin)
    }
    return block
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
      numbers.append(
        NamedNumber(bytes: Array(entry.key.buffer), try value.load(Field<UInt16>(0))))
    }
    return numbers
  }
}
