// Writing an archive anew with some of its renditions. Their blocks are copied unchanged; header,
// metadata, key format and blocks that nothing is known of stay; counts, masks, facets and the names
// of localizations follow what is left.

extension ArchiveWriter {
  /// Writes the selected renditions of an archive and whatever they need, their blocks in the order
  /// in which they lie, so that the old file is read from front to back. A block that `replacing`
  /// has for the place of an entry is written instead of its own. `thinning` goes to the metadata.
  /// Facets without a rendition are left out; who has read them already passes them in, and who knows
  /// facts of an entry's block by the entry's place saves reading it.
  public mutating func rewrite(
    _ archive: Archive, keeping entries: [RenditionEntry], replacing: [Int: [UInt8]] = [:],
    facets: FacetTable? = nil, facts known: (Int) -> RenditionFacts? = { _ in nil },
    thinning: String? = nil, writesIndex: Bool = false
  ) throws(ArchiveError) -> Sink {
    var contents = try ArchiveError.reading { () throws(FormatError) in
      try Self.contents(of: archive, keeping: entries)
    }
    let all = try ArchiveError.reading { () throws(FormatError) in
      if let facets { facets } else { try FacetTable(of: archive) }
    }
    if let thinning { contents.metadata?.thinningArguments = thinning }
    let copies = try copyBlocks(of: archive, entries, replacing: replacing, facts: known)
    contents.renditions = entries.indices.map { (entries[$0].key, copies[$0]) }
    return try finish(contents, facets: all.of(entries), writesIndex: writesIndex) {
      (store) throws(ArchiveError) in
      try ArchiveError.reading { () throws(FormatError) in
        try Self.copyOthers(of: archive, to: &store)
      }
    }
  }

  /// Copies each block once. Returns the copies of the entries' blocks.
  private mutating func copyBlocks(
    of archive: Archive, _ entries: [RenditionEntry], replacing: [Int: [UInt8]],
    facts known: (Int) -> RenditionFacts?
  ) throws(ArchiveError) -> [BlockID] {
    let none = BlockID(0)
    facts.reserveCapacity(entries.count)
    var copies = [BlockID](repeating: none, count: entries.count)
    var copyOfBlock = [BlockID](repeating: none, count: archive.store.capacity)
    for place in entries.placesAsTheyLie {
      if let changed = replacing.isEmpty ? nil : replacing[place] {
        copies[place] = changed.withUnsafeBytes { append(csi: $0) }
        continue
      }
      let bytes = try ArchiveError.reading { () throws(FormatError) in
        let bytes = try archive.store.bytes(of: entries[place].block)
        try bytes.require(CSIRecord.magic, "the rendition")
        return bytes
      }
      // The store has found the number below its capacity.
      let number = Int(entries[place].block.number)
      if copyOfBlock[number] == none {
        copyOfBlock[number] = append(csi: bytes.buffer, facts: known(place))
      }
      copies[place] = copyOfBlock[number]
    }
    return copies
  }

  /// Everything but the renditions themselves.
  private static func contents(
    of archive: Archive, keeping entries: [RenditionEntry]
  ) throws(FormatError) -> ArchiveContents {
    var contents = ArchiveContents(header: archive.header, metadata: try archive.metadata())
    contents.keyFormat = archive.keyFormat
    var locales = Set<UInt16>()
    var last: UInt16?
    for entry in entries where entry.key[.localization] != last {
      last = entry.key[.localization]
      locales.insert(entry.key[.localization])
    }
    contents.appearances = try archive.appearances()
    contents.localizations = try archive.localizations().filter { locales.contains($0.number) }
    contents.hasBitmapKeys = archive.store.block(named: Archive.bitmapKeysName) != nil
    let tree = try archive.tree(named: Archive.renditionsName)
    contents.hasLongTreeHeaders = tree.map { $0.header.count >= TreeHeader.size } ?? true
    return contents
  }

  /// The blocks and trees of other names, as they are.
  private static func copyOthers(
    of archive: Archive, to store: inout StoreWriter
  ) throws(FormatError) {
    for (name, block) in archive.store.variables where !Archive.ownNames.contains(name) {
      let bytes = try archive.store.bytes(of: block)
      if bytes.hasPrefix(TreeHeader.magic) {
        try store.copy(try Tree(block, named: name, in: archive.store))
      } else {
        store.name(store.addBlock { $0.append(contentsOf: bytes.buffer) }, name)
      }
    }
  }
}

extension FacetTable {
  /// The facets that have some of the entries.
  fileprivate func of(_ entries: [RenditionEntry]) -> FacetTable {
    var present = entries.map { entry in
      let asset = FacetTable.asset(element: entry.key.element, identifier: entry.key.identifier)
      return UInt64(asset) << 16 | UInt64(entry.key.part)
    }
    present.sort(byBitsFrom: 0)
    return filtered { row in
      guard let asset = row.asset else { return nil }
      let own = UInt64(asset) << 16 | UInt64(row.part ?? 0)
      let first = present.first(notBelow: UInt64(asset) << 16)
      guard let first, first >> 16 == UInt64(asset) else { return nil }
      // A name that was a picture and a colour may be one of them only.
      if first == own || present.first(notBelow: own) == own { return row.part ?? 0 }
      return UInt16(truncatingIfNeeded: first)
    }
  }
}

extension [UInt64] {
  /// The first of sorted numbers that is not below a bound.
  fileprivate func first(notBelow bound: UInt64) -> UInt64? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < bound { low = middle + 1 } else { high = middle }
    }
    return low < count ? self[low] : nil
  }
}

extension [RenditionEntry] {
  /// The places of the entries, those first whose blocks lie first.
  package var placesAsTheyLie: [Int] {
    // Offsets and places are below 2^32: both are stored or counted in 32 bits.
    var order = indices.map { UInt64(self[$0].range.lowerBound) << 32 | UInt64($0) }
    order.sort(byBitsFrom: 32)
    return order.map { Int($0 & 0xFFFF_FFFF) }
  }
}

extension Archive {
  /// The blocks and trees that the writer makes itself.
  static let ownNames: Set<String> = [
    CatalogHeader.name, renditionsName, Facet.treeName, NamedNumber.appearances,
    NamedNumber.localizations, KeyFormat.name, KeyFormat.workaroundName, CatalogMetadata.name,
    bitmapKeysName, indexName,
  ]
}

extension StoreWriter {
  /// Copies a tree with all of its values.
  mutating func copy(_ tree: Tree) throws(FormatError) {
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
        let copy = addBlock(UnsafeRawBufferPointer(start: nil, count: 0), value.buffer)
        copies[entry.value] = copy
        values.append(copy)
      }
    }
    addTree(
      tree.name, tree.hasRawKeys ? .rawKeys(rawKeys) : .keys(keys), values: values,
      style: TreeStyle(
        nodeSize: TreeStyle.supported(nodeSize: tree.nodeSize),
        hasLongHeader: tree.header.count >= TreeHeader.size))
  }
}

extension TreeStyle {
  /// A size of pages that can be written: the given one where it makes sense.
  static func supported(nodeSize: Int) -> Int {
    (64...65_536).contains(nodeSize) && nodeSize.nonzeroBitCount == 1 ? nodeSize : 4096
  }
}
