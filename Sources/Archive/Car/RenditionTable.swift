// All renditions of an archive, without their keys in memory. A `RenditionKey` has room for every
// attribute, so a key is read from the file when it is requested. `Archive.renditions` returns the
// same renditions as an array with keys.

/// The renditions in the order of their tree. The caller keeps the archive's bytes alive and
/// unchanged.
package struct RenditionTable: Sendable {
  /// The places of a rendition in the file. They fit into 32 bits, because the block index uses 32
  /// bits.
  private struct Row {
    /// The offset of the key.
    var key: UInt32
    var block: UInt32
    var start: UInt32
    var length: UInt32
  }

  private let file: Bytes
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

  /// Returns some of the renditions, in the order of `places`.
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
    // The length of the key was checked when the table was read, so the key lies in the file.
    return format.key(start + Int(rows[place].key))
  }

  package func block(at place: Int) -> BlockID { BlockID(rows[place].block) }

  /// Returns the range of the rendition's block in the file.
  package func range(at place: Int) -> Range<Int> {
    let start = Int(rows[place].start)
    return start..<start + Int(rows[place].length)
  }

  /// One number for each rendition: the address of its block in the upper half, its place in the
  /// lower half. Sorted by address.
  var asTheyLie: [UInt64] {
    var order: [UInt64] = []
    order.reserveCapacity(count)
    for (place, row) in rows.enumerated() { order.append(UInt64(row.start) << 32 | UInt64(place)) }
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
