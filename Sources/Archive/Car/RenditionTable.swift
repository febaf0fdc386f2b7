// All renditions of an archive without a key for each: a key has room for every attribute, and is
// read from the file when it is asked for. Archive.renditions makes an array of the same.

/// In the order of the tree. The caller keeps the archive's bytes alive and unchanged.
package struct RenditionTable: Sendable {
  /// Everything in an archive lies below 2^32: its own index counts in 32 bits.
  private struct Row {
    /// Where the key lies.
    var key: UInt32
    var block: UInt32
    var start: UInt32
    var length: UInt32
  }

  private let file: Bytes
  private let format: KeyFormat
  private var rows: [Row] = []
  /// Renditions whose blocks do not lie in the file: they are none of this table.
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

  /// Some of the renditions, in the order of the places.
  package func selecting(_ places: [Int]) -> RenditionTable {
    var copy = self
    copy.rows = places.map { rows[$0] }
    return copy
  }
}

extension RenditionTable: RandomAccessCollection {
  package var startIndex: Int { 0 }
  package var endIndex: Int { rows.count }

  package subscript(place: Int) -> RenditionEntry {
    RenditionEntry(key: key(at: place), block: block(at: place), range: range(at: place))
  }

  package func key(at place: Int) -> RenditionKey {
    guard let start = file.buffer.baseAddress else { return RenditionKey() }
    // The key was found to lie in the file, as long as the format says.
    return format.key(start + Int(rows[place].key))
  }

  package func block(at place: Int) -> BlockID { BlockID(rows[place].block) }

  /// The range of the block in the file.
  package func range(at place: Int) -> Range<Int> {
    let start = Int(rows[place].start)
    return start..<start + Int(rows[place].length)
  }

  /// The places of the renditions behind their addresses, those first whose blocks lie first.
  var asTheyLie: [UInt64] {
    var order: [UInt64] = []
    order.reserveCapacity(count)
    for (place, row) in rows.enumerated() { order.append(UInt64(row.start) << 32 | UInt64(place)) }
    order.sort(byBitsFrom: 32)
    return order
  }
}

extension Archive {
  /// All renditions in the order of the tree. One whose block does not lie in the file is an error,
  /// unless such are to be passed over.
  package func renditionTable(
    passingOverOutside passesOver: Bool = false
  ) throws(FormatError) -> RenditionTable {
    try RenditionTable(of: self, try renditionTree(), passesOver: passesOver)
  }
}
