// The lookup index alone: everything that is written is found, and no bytes make the reader read
// outside.
import Archive
import Bytes
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
    record.kinds.scale = key.scale
    var place = BlockRecord()
    place.offset = block
    return IndexedRendition(key: key, record: record, block: place)
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
    // One byte more, so that the empty name has an address, too.
    (Array(name.utf8) + [0]).withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return -1 }
      return index.slot(named: base, count: bytes.count - 1, kind: kind.rawValue)
    }
  }

  private func block(
    of name: String, _ kind: AssetKind, key ordinal: Int, in index: IndexReader
  ) throws -> UInt64 {
    let slot = try #require(index.slots[find(name, kind, in: index)])
    let first = try SignatureTable(index).firstRendition(of: Int(slot.signature), key: ordinal)
    return try #require(index.blocks[first + Int(slot.rank)]).offset
  }

  @Test func whyThereIsNoIndexIsSaid() throws {
    let name = String(repeating: "n", count: 65_536)
    let reason = "the number of bytes of a name is 65536, but an index holds at most 65535"
    let failure = IndexError.tooLarge(.bytesOfName, count: 65_536, atMost: 65_535)
    #expect(throws: failure) {
      try IndexWriter.bytes(assets: [asset(name, .image, [])], atlases: [])
    }
    #expect("\(failure)" == reason)

    func archive(_ finish: (inout ArchiveWriter<MemorySink>, ArchiveContents) throws -> MemorySink)
      throws -> [UInt8]
    {
      var writer = ArchiveWriter(into: MemorySink())
      let contents = try Sample.contents(names: [name], renditions: 1, in: &writer)
      return try finish(&writer, contents).bytes
    }
    // No archive is written that lacks its index without an error …
    let refused = #expect(throws: ArchiveError.self) { try archive { try $0.finishIndexed($1) } }
    #expect("\(try #require(refused))".hasSuffix(reason))
    // … and the error for an archive without an index does not blame its renditions.
    let whole = try archive { try $0.finish($1) }
    let unread = #expect(throws: FormatError.self) {
      try whole.withUnsafeBytes { try IndexWriter.bytes(of: Archive($0)) }
    }
    #expect("\(try #require(unread).problem)".hasSuffix(reason))
  }

  @Test(arguments: [1, 2, 3, 100, 3000, 65535])
  func noNameThatNobodyChoseForItLacksAPlace(count: Int) throws {
    let bytes = try IndexWriter.bytes(assets: sample(count: count), atlases: [])
    try bytes.withUnsafeBytes { raw in
      let index = try IndexReader(raw)
      #expect(index.slots.count == index.places)
    }
  }

  @Test(arguments: [1, 2, 3, 100, 3000])
  func everyNameIsFoundAndNoOther(count: Int) throws {
    let bytes = try IndexWriter.bytes(assets: sample(count: count), atlases: [])
    try bytes.withUnsafeBytes { raw in
      let index = try IndexReader(raw)
      #expect(index.order.count == count)
      #expect(index.signatures.count == 1)
      for number in 0..<count {
        let kind = number % 5 == 0 ? AssetKind.color : .image
        let name = "Group\(number % 7)/asset-\(number)"
        let found = find(name, kind, in: index)
        let slot = try #require(index.slots[found])
        #expect(index.name(of: slot).map { String(decoding: $0, as: UTF8.self) } == name)
        let hash = Array(name.utf8).withUnsafeBytes { AssetNameHash(of: $0, kind: kind.rawValue) }
        #expect(index.slot(of: hash) == found)
        for ordinal in 0..<3 {
          let block = try block(of: name, kind, key: ordinal, in: index)
          #expect(block == UInt64(number * 4 + ordinal + 1))
        }
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
      #expect(index.order.count == length + 1)
      for place in 0..<length {
        var other = Array(name.utf8)
        other[place] = UInt8(ascii: "o")
        let found = try block(
          of: String(decoding: other, as: UTF8.self), .image, key: 0, in: index)
        #expect(found == UInt64(place + 2))
      }
    }
  }

  @Test func theVariantsThatOneViewShowsLieTogether() throws {
    let bytes = try IndexWriter.bytes(assets: sample(count: 40), atlases: [])
    try bytes.withUnsafeBytes { raw in
      let index = try IndexReader(raw)
      let scales = (0..<120).map { index.renditions[$0]?.kinds.scale }
      let expected = (0..<120).map { UInt8?(UInt8($0 / 40 + 1)) }
      #expect(scales == expected)
    }
  }

  @Test func theOrderIsThatOfTheNames() throws {
    let names = ["b", "a/z", "é", "B", "", "a"]
    let bytes = try IndexWriter.bytes(
      assets: names.map { asset($0, .image, [rendition(key(scale: 1), block: 1)]) }, atlases: [])
    try bytes.withUnsafeBytes { raw in
      let index = try IndexReader(raw)
      let listed = (0..<index.order.count).map { place in
        index.slot(at: place).flatMap { index.name(of: $0) }.map { Array($0) }
      }
      #expect(listed == ["", "B", "a", "a/z", "b", "é"].map { Array($0.utf8) })
    }
  }

  /// Returns a name with the hash 0. Its first word can be any; the last word makes the product in
  /// the hash zero.
  private func nameWithoutHash(_ number: UInt64) -> [UInt8] {
    let length = 16
    let state = UInt64(length) << 8 | UInt64(AssetKind.image.rawValue)
    let product = (state ^ number ^ 0xA076_1D64_78BD_642F).multipliedFullWidth(
      by: 0xE703_7ED1_A0B4_28DB)
    let last = (product.high ^ product.low) ^ 0xA076_1D64_78BD_642F
    return withUnsafeBytes(of: (number, last)) { Array($0) }
  }

  @Test func namesWithOneHashAreFoundByNameAndTheFirstByHash() throws {
    let names = (1...100).map(nameWithoutHash)
    let bytes = try IndexWriter.bytes(
      assets: names.enumerated().map { place, name in
        IndexedAsset(
          name: name, kind: .image, identifier: 1,
          renditions: [rendition(key(scale: 1), block: UInt64(place))])
      }, atlases: [])
    try bytes.withUnsafeBytes { raw in
      let index = try IndexReader(raw)
      var found: Set<Int> = []
      for name in names {
        name.withUnsafeBytes { name in
          #expect(AssetNameHash(of: name, kind: AssetKind.image.rawValue).value == 0)
          guard let base = name.baseAddress else { return }
          let number = index.slot(named: base, count: 16, kind: AssetKind.image.rawValue)
          #expect(index.slots[number].flatMap { index.name(of: $0) }.map(Array.init) == Array(name))
          found.insert(number)
        }
      }
      #expect(found.count == 100)
      #expect(index.slots.count - index.places == 100)
      #expect(index.slot(of: AssetNameHash(value: 0)) == index.order[0].map(Int.init))
    }
  }

  @Test func whatIsNotThereHasNoSlot() throws {
    let bytes = try IndexWriter.bytes(assets: sample(count: 3), atlases: [])
    try bytes.withUnsafeBytes { raw in
      let index = try IndexReader(raw)
      for hash in [0, 1, 1 << 48, .max] as [UInt64] {
        #expect(index.slot(of: AssetNameHash(value: hash)) == -1)
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
      #expect((0..<index.blocks.count).map { index.blocks[$0]?.offset } == [6, 7])
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
      let atlas = try #require(index.blocks[0]?.atlas)
      #expect(index.blocks[Int(atlas)]?.offset == 20)
    }
  }

  @Test func recordsLieInMemoryAsTheFormatSays() {
    #expect(MemoryLayout<IndexHeader>.size == 104)
    #expect(MemoryLayout<IndexHeader>.offset(of: \.identity) == 16)
    #expect(MemoryLayout<IndexHeader>.offset(of: \.keys) == 32)
    #expect(MemoryLayout<IndexHeader>.offset(of: \.overflow) == 96)
    #expect(MemoryLayout<IndexKey>.stride == 16)
    #expect(MemoryLayout<IndexHeader>.offset(of: \.pilots) == 88)
    #expect(MemoryLayout<SignatureRecord>.stride == 16)
    #expect(MemoryLayout<AssetSlot>.stride == 16)
    #expect(MemoryLayout<NameRecord>.stride == 8)
    #expect(MemoryLayout<RenditionRecord>.stride == 64)
    #expect(MemoryLayout<RenditionKinds>.size == 8)
    #expect(MemoryLayout<RenditionRecord>.offset(of: \.kinds) == 16)
    #expect(MemoryLayout<BlockRecord>.stride == 16)
  }

  @Test func everyNumberWithoutAMeaningIsSeen() {
    let largest: [(WritableKeyPath<RenditionKinds, UInt8>, Int)] = [
      (\.scale, 3), (\.content, RenditionContent.allCases.count - 1), (\.templateIntent, 2),
      (\.isMirrored, 0), (\.preservesVector, 1), (\.slicing, SlicingMode.allCases.count),
      (\.across, SlicingFill.allCases.count - 1), (\.down, SlicingFill.allCases.count - 1),
    ]
    for (field, limit) in largest {
      for value in 0...255 {
        var record = RenditionRecord()
        record.kinds[keyPath: field] = UInt8(value)
        let isSound = withUnsafeBytes(of: record) { $0.baseAddress.map(RenditionRecord.isSound) }
        #expect(isSound == (value <= limit), "\(field) \(value)")
      }
    }
  }

  @Test func everyFlippedByteIsSurvivedAndMostAreSeenByTheChecksum() throws {
    let bytes = try IndexWriter.bytes(assets: sample(count: 12), atlases: [])
    for position in bytes.indices {
      var damaged = bytes
      damaged[position] ^= 0x81
      damaged.withUnsafeBytes { raw in
        // The identity belongs to the file around the index, and the checksum does not cover it.
        if !(16..<24).contains(position) {
          #expect(throws: IndexError.self) { try IndexReader.validateChecksum(of: raw) }
        }
        guard let index = try? IndexReader(raw) else { return }
        _ = try? SignatureTable(index)
        for number in 0..<12 { _ = find("Group\(number % 7)/asset-\(number)", .image, in: index) }
        for place in 0..<index.order.count {
          if let slot = index.slot(at: place) { _ = index.name(of: slot)?.last }
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
