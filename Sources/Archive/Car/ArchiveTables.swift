// Writes the tables of an archive: renditions, facets, numbers of names, BITMAPKEYS.

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
        throw ArchiveError.noColumn(attribute, value: key[attribute])
      }
    }
    let table = SortedKeys(renditions.lazy.map(\.key), format: format)
    if let first = table.firstDuplicate {
      throw ArchiveError.duplicateKey(renditions[first].key)
    }
    return store.addTree(
      Archive.renditionsName, .keys(table.keys),
      values: table.order.map { renditions[Int($0)].block },
      style: style)
  }

  /// Writes the tree of the facets, which are sorted. Returns the header of the tree.
  mutating func addFacets(
    _ facets: FacetTable, style: TreeStyle
  ) throws(ArchiveError) -> [UInt8] {
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
    return store.addTree(
      Facet.treeName, .keys(keys), values: values.map { BlockID($0) }, style: style)
  }

  mutating func addNamedNumbers(_ contents: ArchiveContents, style: TreeStyle) {
    let appearances =
      contents.appearances
      ?? VariantNumbers.names(
        usedBy: contents.renditions.lazy.map(\.key), semantics: contents.header.keySemantics)
    addNamedNumbers(appearances, NamedNumber.appearances, style: style)
    addNamedNumbers(contents.localizations, NamedNumber.localizations, style: style)
  }

  private mutating func addNamedNumbers(
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
  /// The place of each sorted key in the sequence of unsorted keys.
  let order: [UInt32]
  /// The place of the first key that occurs twice; nil if all keys differ.
  let firstDuplicate: Int?

  /// The first eight bytes of a key, which nearly always decide the order, and the place of the
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
      var place = 0
      for key in keys {
        for column in format.columns {
          bytes.storeBytes(of: key[column].littleEndian, toByteOffset: place, as: UInt16.self)
          place += 2
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
    for (place, row) in rows.enumerated() {
      let start = Int(row.index) * length
      sorted.append(flat[start..<start + length])
      // Equal keys are neighbours and have equal prefixes.
      if place > 0, rows[place - 1].prefix == row.prefix, sorted[place - 1] == sorted[place] {
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
      return (1..<max(1, count)).allSatisfy { Bytes.precedes(key($0 - 1), key($0)) }
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
