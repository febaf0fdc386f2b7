// What the index of an archive says of the blocks of its renditions, so that who wants to know need
// not visit every block. Only an index that describes these trees and has a true checksum is asked,
// and only of blocks that it places as the trees do. Whatever else there is, is read from the blocks.

/// The facts of the entries of an archive. The caller keeps the archive's bytes alive and unchanged.
public struct IndexedFacts: Sendable {
  private let index: IndexReader?
  /// By place of an entry, one more than the number of its record; 0 where its block is to be read.
  private var records: [UInt32]

  /// `order` lists the places of the entries as their blocks lie in the file.
  public init(of archive: Archive, _ entries: [RenditionEntry], asTheyLie order: [Int]) {
    records = Array(repeating: 0, count: entries.count)
    index = IndexIdentity.index(in: archive.store).flatMap { block in
      guard (try? IndexReader.validateChecksum(of: block.buffer)) != nil else { return nil }
      return try? IndexReader(block.buffer)
    }
    if let index { find(entries, order, in: index) }
  }

  private mutating func find(
    _ entries: [RenditionEntry], _ order: [Int], in index: IndexReader
  ) {
    var places: [UInt64] = []
    places.reserveCapacity(index.renditions.count)
    for number in 0..<index.renditions.count {
      // An archive is shorter than 2^32 bytes, and the index counts in 32 bits.
      guard let offset = index.renditions[number].flatMap({ UInt32(exactly: $0.blockOffset) })
      else { continue }
      places.append(UInt64(offset) << 32 | UInt64(number))
    }
    places.sort(byBitsFrom: 32)
    var next = 0
    for place in order {
      let range = entries[place].range
      while next < places.count, places[next] >> 32 < range.lowerBound { next += 1 }
      guard next < places.count, places[next] >> 32 == range.lowerBound else { continue }
      let number = Int(places[next] & 0xFFFF_FFFF)
      if let record = index.renditions[number], IndexedFacts.isWhole(record, range) {
        records[place] = UInt32(number) + 1
      }
    }
  }

  /// Whether a record says all that is asked. Links name their atlas by its key, which only they
  /// have; a record without a payload stands for a block that could not be read.
  private static func isWhole(_ record: RenditionRecord, _ range: Range<Int>) -> Bool {
    Int(record.blockLength) == range.count && record.payloadOffset != 0
      && record.content != RenditionContent.atlasLink.rawValue
      && record.atlas == RenditionRecord.noAtlas
  }

  private func record(_ place: Int) -> RenditionRecord? {
    records[place] == 0 ? nil : index?.renditions[Int(records[place]) - 1]
  }

  /// What the entry at a place is, at a glance; nil where its block has to be asked.
  public func outline(_ place: Int) -> RenditionOutline? {
    record(place).map { record in
      RenditionOutline(
        flags: RenditionFlags(rawValue: record.flags),
        layout: RenditionLayout(rawValue: record.layout))
    }
  }

  /// All facts of the entry at a place; nil where its block has to be asked.
  public func facts(_ place: Int) -> RenditionFacts? {
    guard let index, var record = record(place) else { return nil }
    var facts = RenditionFacts()
    if record.slicing != 0 {
      guard let slicing = index.slicings[Int(record.slicing) - 1] else { return nil }
      facts.slicing = slicing
    }
    record.slicing = 0
    record.blockOffset = 0
    record.blockLength = 0
    facts.record = record
    return facts
  }
}
