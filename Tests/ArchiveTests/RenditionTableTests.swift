// Compares tables of renditions and facets, which have no object for each, with arrays of objects;
// and the order of bytes.

import Support
import Testing

@testable import Archive

@Suite struct RenditionTableTests {
  @Test func `the table has what the array has, and so has a part of it`() throws {
    for source in [try Sample.rich(), try Sample.archive(names: Sample.names(30), renditions: 90)] {
      try source.withUnsafeBytes { bytes in
        let archive = try Archive(bytes)
        let all = try archive.renditions()
        let table = try archive.renditionTable()
        #expect(Array(table) == all)
        let places = Array(all.indices.reversed().filter { $0 % 3 != 0 })
        #expect(Array(table.selecting(places)) == places.map { all[$0] })
        let lie = table.asTheyLie.map { Int($0 & 0xFFFF_FFFF) }
        #expect(lie.sorted() == Array(all.indices))
        #expect(
          lie.map { all[$0].range.lowerBound } == all.map { $0.range.lowerBound }.sorted())
      }
    }
  }

  @Test func `bytes are ordered as texts of bytes are, words at a time or not`() {
    var random = SeededGenerator.forTest(3)
    for _ in 0..<2000 {
      let common = random.bytes(Int.random(in: 0...12, using: &random))
      let a = common + random.bytes(Int.random(in: 0...9, using: &random)).map { $0 & 0x81 }
      let b = common + random.bytes(Int.random(in: 0...9, using: &random)).map { $0 & 0x81 }
      a.withUnsafeBytes { one in
        b.withUnsafeBytes { other in
          #expect(
            FileBytes.precedes(one, other) == a.lexicographicallyPrecedes(b), "\(a) \(b) \(random)")
          #expect(FileBytes.areEqual(one, other) == (a == b), "\(a) \(b) \(random)")
        }
      }
    }
  }

  @Test func `keys are compared by the requested attributes only`() {
    var random = SeededGenerator.forTest(4)
    let attributes = (0..<UInt8(RenditionAttribute.limit)).compactMap(RenditionAttribute.init)
    for attribute in attributes {
      var key = RenditionKey()
      for other in attributes { key[other] = .random(in: 1...9, using: &random) }
      var changed = key
      changed[attribute] += 1
      #expect(key.agrees(with: changed, in: .bits(exceptIn: [attribute])))
      let others = attributes.filter { $0 != attribute }
      #expect(!key.agrees(with: changed, in: .bits(exceptIn: others)))
      #expect(key.withValues { $0(attribute) } == key[attribute])
    }
  }
}
