// The facts about renditions that the index of an archive states. With them, a caller does not have
// to read every block. The index is used only if it describes these trees and its checksum is
// right, and only for blocks that it places as the trees do. All other facts are read from the
// blocks.

/// The facts about the entries of an archive. The caller keeps the archive's bytes alive and
/// unchanged.
package struct IndexedFacts: Sendable {
  private let index: IndexReader?
  /// For each place of an entry, the number of its record plus 1; 0 if the block of the entry has
  /// to be read.
  private var records: [UInt32]

  package init(of archive: Archive, _ entries: RenditionTable) {
    records = Array(repeating: 0, count: entries.count)
    index = IndexIdentity.index(in: archive.store).flatMap { block in
      guard (try? IndexReader.validateChecksum(of: block.buffer)) != nil else { return nil }
      return try? IndexReader(block.buffer)
    }
    if let index { find(entries, in: index) }
  }

  private mutating func find(_ entries: RenditionTable, in index: IndexReader) {
    var places: [UInt64] = []
    places.reserveCapacity(index.blocks.count)
    for number in 0..<index.blocks.count {
      // An archive is shorter than 2^32 bytes, and the index has fewer than 2^32 records.
      guard let offset = index.blocks[number].flatMap({ UInt32(exactly: $0.offset) })
      else { continue }
      places.append(UInt64(offset) << 32 | UInt64(number))
    }
    places.sort(byBitsFrom: 32)
    var next = 0
    for row in entries.asTheyLie {
      let place = Int(row & 0xFFFF_FFFF)
      let range = entries.range(at: place)
      while next < places.count, places[next] >> 32 < range.lowerBound { next += 1 }
      guard next < places.count, places[next] >> 32 == range.lowerBound else { continue }
      let number = Int(places[next] & 0xFFFF_FFFF)
      if let record = index.renditions[number], let block = index.blocks[number],
        block.length == range.count, IndexedFacts.isWhole(record)
      {
        records[place] = UInt32(number) + 1
      }
    }
  }

  /// Returns whether a record states all facts that callers need. The record of a link does not
  /// state the key of its atlas, which only the block does. A record without a layout belongs to a
  /// block that could not be read.
  private static func isWhole(_ record: RenditionRecord) -> Bool {
    record.layout != 0 && record.kinds.content != RenditionContent.atlasLink.rawValue
  }

  private func record(_ place: Int) -> RenditionRecord? {
    records[place] == 0 ? nil : index?.renditions[Int(records[place]) - 1]
  }

  /// Returns the facts about some of the entries, in the order of the places.
  package func selecting(_ places: [Int]) -> IndexedFacts {
    var copy = self
    copy.records = places.map { records[$0] }
    return copy
  }

  /// Returns whether the facts about the entry at a place are known without its block.
  func isKnown(_ place: Int) -> Bool { records[place] != 0 }

  /// Returns the outline of the entry at a place; nil if its block has to be read.
  func outline(_ place: Int) -> RenditionOutline? {
    record(place).map { record in
      RenditionOutline(
        flags: RenditionFlags(rawValue: record.flags),
        layout: RenditionLayout(rawValue: record.layout))
    }
  }

  /// Returns all facts about the entry at a place; nil if its block has to be read.
  func facts(_ place: Int) -> RenditionFacts? {
    record(place).map { record in
      var facts = RenditionFacts()
      facts.record = record
      return facts
    }
  }
}

extension Archive {
  /// Returns the outlines of all entries. An outline is read from the block of the entry if the
  /// facts do not contain it.
  package func outlines(
    of entries: RenditionTable, _ facts: IndexedFacts?
  ) throws(FormatError) -> [RenditionOutline] {
    var outlines: [RenditionOutline] = []
    outlines.reserveCapacity(entries.count)
    guard let facts else {
      for place in entries.indices { outlines.append(try outline(entries[place])) }
      return outlines
    }
    for place in entries.indices {
      if let known = facts.outline(place) {
        outlines.append(known)
      } else {
        outlines.append(try outline(entries[place]))
      }
    }
    return outlines
  }
}
