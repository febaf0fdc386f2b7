// Compares the facts that an index states about blocks with the blocks.

import Bytes
import Support
import Testing

@testable import Archive

@Suite struct IndexedFactsTests {
  /// Returns the number of entries whose facts the index states.
  private func answers(
    _ bytes: [UInt8], _ check: (IndexedFacts, Int, FileBytes) throws -> Void = { _, _, _ in }
  ) throws -> Int {
    try bytes.withUnsafeBytes { bytes in
      let archive = try Archive(bytes)
      let entries = try archive.renditionTable()
      let facts = IndexedFacts(of: archive, entries)
      for (place, entry) in entries.enumerated() {
        try check(facts, place, try archive.store.bytes(of: entry.block))
      }
      return entries.indices.count { facts.facts($0) != nil }
    }
  }

  private func areEqual(_ a: RenditionFacts, _ b: RenditionFacts) -> Bool {
    withUnsafeBytes(of: a.record) { a in
      withUnsafeBytes(of: b.record) { b in a.elementsEqual(b) }
    }
  }

  @Test func `the index says what the blocks say`() throws {
    for source in [try Sample.rich(), try Sample.indexed(names: 300, renditions: 900)] {
      let count = try answers(source) { facts, place, block in
        guard let known = facts.facts(place) else { return }
        #expect(areEqual(known, RenditionFacts(block: block)))
        let outline = try RenditionOutline(block)
        #expect(facts.outline(place) == outline)
      }
      #expect(count > 0)
    }
    #expect(try answers(try Sample.indexed(names: 300, renditions: 900)) == 900)
  }

  @Test func `an index with a false checksum is not asked`() throws {
    var source = try Sample.indexed(names: 30, renditions: 90)
    let place = try source.withUnsafeBytes { bytes in
      try #require(try Archive(bytes).store.bytes(named: Archive.indexName)).range.upperBound - 1
    }
    source[place] ^= 1
    #expect(try answers(source) == 0)
  }

  @Test func `an index of other trees is not asked`() throws {
    var source = try Sample.indexed(names: 30, renditions: 90)
    let place = try source.withUnsafeBytes { bytes in
      try #require(try Archive(bytes).store.bytes(named: Archive.indexName)).range.lowerBound
    }
    source[place + IndexHeader.identityOffset] ^= 1
    #expect(try answers(source) == 0)
  }

  @Test func `a kept block that is no rendition is refused, with any facts in the index`() throws {
    var source = try Sample.indexed(names: 30, renditions: 90)
    let place = try source.withUnsafeBytes { bytes in
      try #require(try Archive(bytes).renditions().first).range.lowerBound
    }
    source[place] ^= 1
    #expect(throws: ArchiveError.self) {
      _ = try source.withUnsafeBytes { bytes in
        let archive = try Archive(bytes)
        let entries = try archive.renditionTable()
        let facts = IndexedFacts(of: archive, entries)
        var writer = ArchiveWriter(into: MemorySink())
        return try writer.rewrite(
          archive, keeping: entries, facts: facts, writesIndex: true)
      }
    }
  }
}
