// Archives that are written again with some of their renditions.

import Bytes
import Foundation
import Support
import Testing

@testable import Archive

@Suite struct RewritingTests {
  private func rewritten(
    _ bytes: [UInt8], keeping isKept: (RenditionEntry) -> Bool
  ) throws -> [UInt8] {
    try bytes.withUnsafeBytes { bytes in
      let archive = try Archive(bytes)
      let entries = try archive.renditionTable()
      let kept = try archive.closure(of: entries, where: entries.map(isKept))
      var writer = ArchiveWriter(into: MemorySink())
      return try writer.rewrite(archive, keeping: kept, thinning: "thinned").bytes
    }
  }

  @Test func `kept renditions have their old bytes, and only their names are left`() throws {
    let source = try Sample.archive(names: Sample.names(30), renditions: 90)
    let thinned = try rewritten(source) { $0.key[.scale] == 2 && $0.key.identifier % 2 == 0 }
    try source.withUnsafeBytes { source in
      try thinned.withUnsafeBytes { thinned in
        #expect(Archive.validate(thinned) == [])
        let old = try Archive(source)
        let new = try Archive(thinned)
        let before = Dictionary(uniqueKeysWithValues: try old.renditions().map { ($0.key, $0) })
        let entries = try new.renditions()
        for entry in entries {
          let origin = try #require(before[entry.key])
          #expect(
            try old.rendition(origin).bytes.buffer.elementsEqual(
              new.rendition(entry).bytes.buffer))
        }
        #expect(entries.count == (try new.facets().count))
        #expect(new.header.renditionCount == UInt32(entries.count))
        #expect(try new.metadata()?.thinningArguments == "thinned")
        #expect(try new.metadata()?.platformVersion == "15.0")
      }
    }
  }

  @Test func `an atlas stays with its pictures, a locale's name with its renditions`() throws {
    let source = try Sample.rich()
    let thinned = try rewritten(source) { $0.key.element == 85 && $0.key[.localization] == 0 }
    try thinned.withUnsafeBytes { bytes in
      #expect(Archive.validate(bytes) == [])
      let archive = try Archive(bytes)
      #expect(try archive.renditions().contains { $0.key.element == Element.atlas })
      #expect(try archive.localizations() == [])
      #expect(archive.store.block(named: Archive.indexName) == nil)
    }
  }

  @Test func `blocks that nothing is known of stay`() throws {
    var writer = ArchiveWriter(into: MemorySink())
    let contents = try Sample.contents(names: ["Star"], renditions: 1, in: &writer)
    let source = try writer.finish(contents, writesIndex: false) { store in
      store.name(store.addBlock { $0.append(contentsOf: [1, 2, 3]) }, "CARGLOBALS")
      var keys = TreeKeys()
      keys.append([1])
      keys.append([2, 0])
      let value = store.addBlock { $0.append(9) }
      store.addTree("FONTS", .keys(keys), values: [value, value])
    }.bytes
    try rewritten(source) { _ in true }.withUnsafeBytes { bytes in
      #expect(Archive.validate(bytes) == [])
      let archive = try Archive(bytes)
      #expect(try archive.store.bytes(named: "CARGLOBALS").map { Array($0.buffer) } == [1, 2, 3])
      let fonts = try #require(try archive.tree(named: "FONTS"))
      var keys: [[UInt8]] = []
      try fonts.forEach { keys.append(Array($0.key.buffer)) }
      #expect(keys == [[1], [2, 0]])
    }
  }

  @Test func `names are any bytes`() throws {
    let odd = [UInt8](repeating: 0xC3, count: 100)
    let longest = [UInt8](repeating: 0xFF, count: 255)
    var writer = ArchiveWriter(into: MemorySink())
    var contents = try Sample.contents(names: ["Star"], renditions: 1, in: &writer)
    contents.localizations = [NamedNumber(bytes: odd, 0)]
    contents.appearances = [NamedNumber(bytes: longest, 0)]
    let source = try writer.finish(contents, writesIndex: false) { store in
      store.name(store.addBlock { $0.append(7) }, odd)
      let value = store.addBlock { $0.append(9) }
      var keys = TreeKeys()
      keys.append([1])
      store.addTree(longest, .keys(keys), values: [value], style: TreeStyle())
    }.bytes
    try rewritten(source) { _ in true }.withUnsafeBytes { bytes in
      #expect(Archive.validate(bytes) == [])
      let archive = try Archive(bytes)
      let names = archive.store.variables.map { Array($0.name.buffer) }
      #expect(names.count { $0 == odd } == 1 && names.count { $0 == longest } == 1)
      #expect(try archive.localizations() == [NamedNumber(bytes: odd, 0)])
      #expect(try archive.appearances() == [NamedNumber(bytes: longest, 0)])
    }
  }

  @Test func `the index learns where the copies lie`() throws {
    let source = try Sample.archive(names: Sample.names(3), renditions: 9)
    try source.withUnsafeBytes { source in
      let archive = try Archive(source)
      let all = try archive.renditionTable()
      let entries = all.selecting(Array(all.indices.dropFirst(4)))
      var writer = ArchiveWriter(into: MemorySink())
      let new = try writer.rewrite(archive, keeping: entries, writesIndex: true).bytes
      try new.withUnsafeBytes { bytes in
        let copy = try Archive(bytes)
        let index = try #require(IndexIdentity.index(in: copy.store))
        #expect(Array(index.bytes.dropFirst(32)) == Array(try IndexWriter.bytes(of: copy)[32...]))
      }
    }
  }
}

extension RewritingTests {
  /// Returns an archive in which the first rendition, or the named block, is longer.
  private func replaced(_ source: [UInt8], blockNamed name: String? = nil) throws -> [UInt8] {
    try source.withUnsafeBytes { source in
      let archive = try Archive(source)
      let entry = try #require(try archive.renditions().first)
      let replaced = try name.map { try #require(archive.store.block(named: $0)) } ?? entry.block
      let block = Array(try archive.store.bytes(of: replaced).buffer)
      let sink = MemorySink()
      let layout = try #require(ReplaceableArchive(archive.store))
      try layout.write([replaced: block + [UInt8](repeating: 0, count: 500)], into: sink) {
        sink.append(UnsafeRawBufferPointer(rebasing: source[$0]))
      }
      return sink.bytes
    }
  }

  @Test func `the index stays as it is when a block is replaced`() throws {
    let source = try Sample.rich()
    let new = try replaced(source)
    #expect(new.count >= source.count + 500)
    try new.withUnsafeBytes { new in
      let index = try #require(IndexIdentity.index(in: try Archive(new).store))
      try IndexReader.validateChecksum(of: index.bytes)
      try source.withUnsafeBytes { source in
        let old = try #require(IndexIdentity.index(in: try Archive(source).store))
        #expect(index.identity != old.identity)
        #expect(index.bytes.dropFirst(24).elementsEqual(old.bytes.dropFirst(24)))
      }
      // The place of a block that lies behind the replaced one is read from the container.
      for number in 0..<index.renditionCount {
        let block = try #require(index.block(of: number))
        let range = try Archive(new).store.range(of: BlockID(UInt32(block)))
        #expect(try #require(index.entry(ofBlock: block)) == (range.lowerBound, range.count))
      }
    }
  }

  @Test func `a block behind the names is not replaced`() throws {
    let source = try Sample.rich()
    #expect(throws: ArchiveError.index(.sections)) {
      try replaced(source, blockNamed: KeyFormat.name)
    }
  }

  @Test func `a block is not replaced beside an index of an earlier version`() throws {
    var source = try Sample.rich()
    let place = try source.withUnsafeBytes { bytes in
      try #require(try Archive(bytes).store.bytes(named: Archive.indexName)).range.lowerBound
    }
    source[place + 8] = 3
    #expect(throws: ArchiveError.index(.otherVersion(3))) { try replaced(source) }
  }
}

@Suite(.enabled(if: corpusRoot != nil, "CARVE_CORPUS names no folder"))
struct CorpusArchiveTests {
  @Test func `archives of Apple's tools are sound, read completely and survive rewriting`() throws {
    var count = 0
    for path in corpusFiles(endingWith: ".car") {
      count += 1
      try Data(contentsOf: URL(fileURLWithPath: path)).withUnsafeBytes { bytes in
        #expect(Archive.validate(bytes) == [], "\(path)")
        let archive = try Archive(bytes)
        let entries = try archive.renditionTable()
        for entry in entries {
          let rendition = try archive.rendition(entry)
          let head = RenditionHead(rendition.header, try rendition.allProperties())
          let properties = head.bytes(payloadLength: 0)[CSIRecord.size...]
          #expect(properties.elementsEqual(rendition.properties.buffer), "\(path)")
        }
        var writer = ArchiveWriter(into: MemorySink())
        let copy = try writer.rewrite(archive, keeping: entries).bytes
        #expect(copy.count <= bytes.count + 1024, "\(path)")
        try copy.withUnsafeBytes { copy in
          #expect(Archive.validate(copy) == [], "\(path)")
          let facets = try Archive(copy).facets()
          let before = try archive.facets()
          #expect(facets == before, "\(path)")
        }
      }
    }
    #expect(count > 0)
  }
}

extension Archive {
  /// Returns the selected entries and all entries that they need, in the order of the archive.
  /// `isSelected` has a value for each of `entries`.
  fileprivate func closure(
    of entries: RenditionTable, where isSelected: [Bool]
  ) throws(FormatError) -> RenditionTable {
    precondition(entries.count == isSelected.count)
    var places: [RenditionKey: Int] = [:]
    places.reserveCapacity(entries.count)
    for (place, entry) in entries.enumerated() { places[entry.key] = place }
    var kept = isSelected
    var open = isSelected.indices.filter { isSelected[$0] }
    while let place = open.popLast() {
      for key in try rendition(entries[place]).references() {
        guard let target = places[key], !kept[target] else { continue }
        kept[target] = true
        open.append(target)
      }
    }
    return entries.selecting(entries.indices.filter { kept[$0] })
  }
}
