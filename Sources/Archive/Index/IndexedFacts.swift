// What the index of an archive says of the blocks of its renditions, so that who wants to know need
// not visit every block. Only an index that describes these trees and has a true checksum is asked,
// and only of blocks that it places as the trees do. Whatever else there is, is read from the blocks.

/// The facts of the entries of an archive. The caller keeps the archive's bytes alive and unchanged.
package struct IndexedFacts: Sendable {
  private let index: IndexReader?
  /// By place of an entry, one more than the number of its record; 0 where its block is to be read.
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
      // An archive is shorter than 2^32 bytes, and the index counts in 32 bits.
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

  /// Whether a record says all that is asked. Links name their atlas by its key, which only they
  /// have; a record without a layout stands for a block that could not be read.
  private static func isWhole(_ record: RenditionRecord) -> Bool {
    record.layout != 0 && record.kinds.content != RenditionContent.atlasLink.rawValue
  }

  private func record(_ place: Int) -> RenditionRecord? {
    records[place] == 0 ? nil : index?.renditions[Int(records[place]) - 1]
  }

  /// The same for some of the entries, in the order of the places.
  package func selecting(_ places: [Int]) -> IndexedFacts {
    var copy = self
    copy.records = places.map { records[$0] }
    return copy
  }

  /// Whether the block of the entry at a place need not be asked.
  func isKnown(_ place: Int) -> Bool { records[place] != 0 }

  /// What the entry at a place is, at a glance; nil where its block has to be asked.
  func outline(_ place: Int) -> RenditionOutline? {
    record(place).map { record in
      RenditionOutline(
        flags: RenditionFlags(rawValue: record.flags),
        layout: RenditionLayout(rawValue: record.layout))
    }
  }

  /// All facts of the entry at a place; nil where its block has to be asked.
  func facts(_ place: Int) -> RenditionFacts? {
    record(place).map { record in
      var facts = RenditionFacts()
      facts.record = record
      return facts
    }
  }
}

extension Archive {
  /// What all entries are, at a glance, from their blocks where no facts are known.
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
