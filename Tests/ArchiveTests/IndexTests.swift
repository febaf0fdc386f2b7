// The index alone: what is written is found, and no bytes lead the reader astray.
import Archive
import Testing
import Traits

@Suite struct IndexTests {
  private func key(scale: UInt8, style: Style = .any) -> VariantKey {
    var key = VariantKey()
    key.scale = scale
    key.style = style
    return key
  }

  private func rendition(_ key: VariantKey, block: UInt64) -> IndexedRendition {
    var record = RenditionRecord()
    record.blockOffset = block
    record.scale = key.scale
    return IndexedRendition(key: key, record: record)
  }

  private func asset(
    _ name: String, _ kind: AssetKind = .image, _ renditions: [IndexedRendition]
  ) -> IndexedAsset {
    IndexedAsset(
      name: Array(name.utf8), kind: kind, identifier: nameIdentifier(name.utf8),
      renditions: renditions)
  }

  private func sample(count: Int) -> [IndexedAsset] {
    (0..<count).map { number in
      asset(
        "Group\(number % 7)/asset-\(number)", number % 5 == 0 ? .color : .image,
        (1...3).map { rendition(key(scale: $0), block: UInt64(number * 4 + Int($0))) })
    }
  }

  private func find(_ name: String, _ kind: AssetKind, in index: IndexReader) -> Int {
    // One byte more, so that the empty name has an address too.
    (Array(name.utf8) + [0]).withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return -1 }
      return index.asset(named: base, count: bytes.count - 1, kind: kind.rawValue)
    }
  }

  @Test(arguments: [1, 2, 3, 100, 3000])
  func everyNameIsFoundAndNoOther(count: Int) throws {
    let bytes = try IndexWriter.bytes(assets: sample(count: count), atlases: [])
    try bytes.withUnsafeBytes { raw in
      let index = try IndexReader(raw)
      #expect(index.assets.count == count)
      #expect(index.signatures.count == 1)
      for number in 0..<count {
        let kind = number % 5 == 0 ? AssetKind.color : .image
        let name = "Group\(number % 7)/asset-\(number)"
        let found = find(name, kind, in: index)
        let record = try #require(index.assets[found])
        #expect(index.name(of: record).map { String(decoding: $0, as: UTF8.self) } == name)
        let first = try #require(index.renditions[Int(record.firstRendition)])
        #expect(first.blockOffset == UInt64(number * 4 + 1))
        #expect(find(name, .data, in: index) == -1)
        #expect(find(name + "x", kind, in: index) == -1)
      }
      try IndexReader.validateChecksum(of: raw)
    }
  }

  @Test func theOrderOfTheInputDoesNotMatter() throws {
    let assets = sample(count: 50)
    let forward = try IndexWriter.bytes(assets: assets, atlases: [])
    let backward = try IndexWriter.bytes(assets: assets.reversed(), atlases: [])
    #expect(forward == backward)
  }

  @Test(arguments: 0..<20)
  func namesOfEveryLengthAreToldApart(length: Int) throws {
    let name = String(repeating: "n", count: length)
    let one = key(scale: 1)
    var assets = [asset(name, .image, [rendition(one, block: 1)])]
    for place in 0..<length {
      var other = Array(name.utf8)
      other[place] = UInt8(ascii: "o")
      assets.append(
        IndexedAsset(
          name: other, kind: .image, identifier: 1,
          renditions: [rendition(one, block: UInt64(place + 2))]))
    }
    let bytes = try IndexWriter.bytes(assets: assets, atlases: [])
    try bytes.withUnsafeBytes { raw in
      let index = try IndexReader(raw)
      #expect(index.assets.count == length + 1)
      for place in 0..<length {
        var other = Array(name.utf8)
        other[place] = UInt8(ascii: "o")
        let found = find(String(decoding: other, as: UTF8.self), .image, in: index)
        let record = try #require(index.assets[found])
        #expect(index.renditions[Int(record.firstRendition)]?.blockOffset == UInt64(place + 2))
      }
    }
  }

  @Test func theFirstOfTwoEqualKeysIsKept() throws {
    let twice = [
      rendition(key(scale: 2), block: 7), rendition(key(scale: 2), block: 8),
      rendition(key(scale: 1), block: 6),
    ]
    let bytes = try IndexWriter.bytes(assets: [asset("A", .image, twice)], atlases: [])
    try bytes.withUnsafeBytes { raw in
      let index = try IndexReader(raw)
      #expect((0..<index.renditions.count).map { index.renditions[$0]?.blockOffset } == [6, 7])
      #expect(try SignatureTable(index).keys(of: 0).map(\.scale) == [1, 2])
    }
  }

  @Test func linksPointAtTheirAtlases() throws {
    var link = rendition(key(scale: 1), block: 1)
    link.atlas = 1
    let bytes = try IndexWriter.bytes(
      assets: [asset("A", .image, [link])],
      atlases: [rendition(key(scale: 1), block: 10), rendition(key(scale: 2), block: 20)])
    try bytes.withUnsafeBytes { raw in
      let index = try IndexReader(raw)
      let atlas = try #require(index.renditions[0]?.atlas)
      #expect(index.renditions[Int(atlas)]?.blockOffset == 20)
    }
  }

  @Test func recordsLieInMemoryAsTheFormatSays() {
    #expect(MemoryLayout<IndexHeader>.size == 96)
    #expect(MemoryLayout<IndexHeader>.offset(of: \.identity) == 16)
    #expect(MemoryLayout<IndexHeader>.offset(of: \.keys) == 32)
    #expect(MemoryLayout<IndexHeader>.offset(of: \.probes) == 88)
    #expect(MemoryLayout<IndexKey>.stride == 16)
    #expect(MemoryLayout<SignatureRecord>.stride == 8)
    #expect(MemoryLayout<IndexSlot>.stride == 8)
    #expect(MemoryLayout<AssetRecord>.stride == 32)
    #expect(MemoryLayout<AssetRecord>.offset(of: \.tag) == 16)
    #expect(MemoryLayout<RenditionRecord>.stride == 64)
    #expect(MemoryLayout<RenditionRecord>.offset(of: \.layout) == 28)
    #expect(MemoryLayout<RenditionRecord>.offset(of: \.pixelFormat) == 48)
    #expect(MemoryLayout<SlicingRecord>.stride == 32)
  }

  @Test func everyFlippedByteIsSurvivedAndMostAreSeenByTheChecksum() throws {
    let bytes = try IndexWriter.bytes(assets: sample(count: 12), atlases: [])
    for position in bytes.indices {
      var damaged = bytes
      damaged[position] ^= 0x81
      damaged.withUnsafeBytes { raw in
        // The identity belongs to the file around the index and is not under the checksum.
        if !(16..<24).contains(position) {
          #expect(throws: IndexError.self) { try IndexReader.validateChecksum(of: raw) }
        }
        guard let index = try? IndexReader(raw) else { return }
        _ = try? SignatureTable(index)
        for number in 0..<12 { _ = find("Group\(number % 7)/asset-\(number)", .image, in: index) }
        for number in 0..<index.assets.count {
          if let asset = index.assets[number] { _ = index.name(of: asset)?.last }
        }
      }
    }
  }

  @Test func everyCutIndexIsRefused() throws {
    let bytes = try IndexWriter.bytes(assets: sample(count: 3), atlases: [])
    for length in 0..<bytes.count {
      bytes[..<length].withUnsafeBytes { raw in
        _ = #expect(throws: IndexError.self) { try IndexReader(raw) }
      }
    }
  }
}
