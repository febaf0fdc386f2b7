// The lookup index alone: everything that is written is found, and no bytes make the reader read
// outside.

import Bytes
import Testing
import Traits

@testable import Archive

@Suite struct IndexTests {
  private func key(scale: UInt8, style: Style = .any) -> VariantKey {
    var key = VariantKey()
    key.scale = scale
    key.style = style
    return key
  }

  private func rendition(_ key: VariantKey, block: UInt32) -> SampleRendition {
    var record = RenditionRecord()
    record.kinds.scale = key.scale
    return SampleRendition(key: key, record: record, block: BlockID(block))
  }

  private func asset(
    _ name: String, _ kind: AssetKind = .image, _ renditions: [SampleRendition]
  ) -> SampleAsset {
    SampleAsset(
      name: Array(name.utf8), kind: kind, identifier: nameIdentifier(name.utf8),
      renditions: renditions)
  }

  /// A container of the names of assets, and their index.
  private struct Container {
    private(set) var file: [UInt8]
    var index: [UInt8]

    init(
      _ assets: [SampleAsset], atlases: [(key: RenditionKey, rendition: SampleRendition)] = []
    ) throws {
      let sink = MemorySink()
      var writer = StoreWriter(into: sink)
      var assets = assets
      // The order of the blocks does not depend on the order of the assets.
      let order = assets.indices.sorted {
        assets[$0].name.lexicographicallyPrecedes(assets[$1].name)
      }
      for place in order {
        let name = assets[place].name
        let block = writer.addBlock { $0.append(contentsOf: name) }
        assets[place].place = UInt32(writer.range(of: block).lowerBound - StoreHeader.firstBlock)
      }
      index = try indexBytes(of: assets, firstName: BlockID(1), atlases: atlases)
      _ = try writer.finish()
      file = sink.bytes
    }

    /// Makes the container state another address for the name from which the index counts.
    mutating func moveFirstName(to address: UInt32) throws {
      let entries = try file.withUnsafeBytes { try BlockStore(FileBytes($0)).index.origin + 4 }
      file.store(address, IndexEntry.address, at: entries + IndexEntry.size)
    }

    func read(_ body: (IndexReader) throws -> Void) throws {
      try file.withUnsafeBytes { file in
        let store = try BlockStore(FileBytes(file))
        try index.withUnsafeBytes { try body(IndexReader($0, of: store)) }
      }
    }
  }

  private func sample(count: Int) -> [SampleAsset] {
    (0..<count).map { number in
      asset(
        "Group\(number % 7)/asset-\(number)", number % 5 == 0 ? .color : .image,
        (1...3).map { rendition(key(scale: $0), block: UInt32(number * 4 + Int($0))) })
    }
  }

  private func find(_ name: String, _ kind: AssetKind, in index: IndexReader) -> Int {
    // One byte more, so that the empty name has an address, too.
    (Array(name.utf8) + [0]).withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return -1 }
      return cellNumber(named: base, count: bytes.count - 1, kind, in: index)
    }
  }

  private func cellNumber(
    named name: UnsafeRawPointer, count: Int, _ kind: AssetKind, in index: IndexReader
  ) -> Int {
    withUnsafePointer(to: index) { $0.cell(named: name, count: count, kind: kind.rawValue) }
  }

  private func cellNumber(of hash: AssetNameHash, in index: IndexReader) -> Int {
    withUnsafePointer(to: index) { $0.cell(of: hash) }
  }

  private func block(
    of name: String, _ kind: AssetKind, key ordinal: Int, in index: IndexReader
  ) throws -> Int {
    let cell = try #require(index.cells[find(name, kind, in: index)])
    let signature = index.signature(of: cell)
    let first = try SignatureTable(index).firstRendition(of: signature, key: ordinal)
    return try #require(index.block(of: first + index.assetNumber(of: cell)))
  }

  @Test func whyThereIsNoIndexIsSaid() throws {
    let named = asset(String(repeating: "n", count: 4097), .image, [])
    let failure = IndexError.tooLarge(.nameLength, count: 4097, atMost: 4096)
    #expect(throws: failure) { try indexBytes(of: [named]) }
    #expect(
      "\(failure)"
        == "the number of bytes of a name is 4097, but an index holds at most 4096")
    #expect("\(ArchiveError.index(failure))".hasSuffix("\(failure)"))
    #expect("\(FormatError(.noIndex(failure), at: 0).problem)".hasSuffix("\(failure)"))
  }

  @Test(arguments: [0, 1, 3, 4, 7, 8, 9, 15, 16, 17, 4096])
  func aNameMayHaveAnyLengthThatAnArchiveHolds(count: Int) throws {
    let name = String(repeating: "n", count: count)
    var writer = ArchiveWriter(into: MemorySink())
    let contents = try Sample.contents(names: [name], renditions: 1, in: &writer)
    try writer.finishIndexed(contents).bytes.withUnsafeBytes { bytes in
      let index = try #require(IndexIdentity.index(in: try Archive(bytes).store))
      #expect(find(name, .image, in: index) >= 0)
    }
  }

  @Test func aCellCannotStateALongerName() throws {
    try Container(sample(count: 1000)).read { index in
      func name(length: UInt32, at place: UInt32) -> Int? {
        let cell = AssetCell(
          tag: 0, kindAndLength: length << 8, name: place, signatureAndAsset: 0)
        return index.name(of: cell)?.count
      }
      #expect(name(length: 4096, at: 0) == 4096)
      #expect(name(length: 4096, at: 1) == 4096)
      #expect(name(length: 4097, at: 0) == nil)
    }
  }

  @Test(arguments: [1, 2, 3, 100, 3000, 65535])
  func everyCommonNameHasAPlace(count: Int) throws {
    try Container(sample(count: count)).read { index in
      #expect(index.cells.count == index.hashedCells)
    }
  }

  @Test(arguments: [1, 2, 3, 100, 3000])
  func everyNameIsFoundAndNoOther(count: Int) throws {
    try Container(sample(count: count)).read { index in
      #expect(index.order.count == count)
      #expect(index.signatures.count == 1)
      for number in 0..<count {
        let kind = number % 5 == 0 ? AssetKind.color : .image
        let name = "Group\(number % 7)/asset-\(number)"
        let found = find(name, kind, in: index)
        let cell = try #require(index.cells[found])
        #expect(index.name(of: cell).map { String(decoding: $0, as: UTF8.self) } == name)
        let hash = Array(name.utf8).withUnsafeBytes { AssetNameHash(of: $0, kind: kind.rawValue) }
        #expect(cellNumber(of: hash, in: index) == found)
        for ordinal in 0..<3 {
          let block = try block(of: name, kind, key: ordinal, in: index)
          #expect(block == number * 4 + ordinal + 1)
        }
        #expect(find(name, .data, in: index) == -1)
        #expect(find(name + "x", kind, in: index) == -1)
      }
      try IndexReader.validateChecksum(of: index.bytes)
    }
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
        SampleAsset(name: other, renditions: [rendition(one, block: UInt32(place + 2))]))
    }
    try Container(assets).read { index in
      #expect(index.order.count == length + 1)
      for place in 0..<length {
        var other = Array(name.utf8)
        other[place] = UInt8(ascii: "o")
        let found = try block(
          of: String(decoding: other, as: UTF8.self), .image, key: 0, in: index)
        #expect(found == place + 2)
      }
    }
  }

  @Test func theVariantsThatOneViewShowsLieTogether() throws {
    try Container(sample(count: 40)).read { index in
      let scales = (0..<120).map { index.record(of: $0)?.kinds.scale }
      let expected = (0..<120).map { UInt8?(UInt8($0 / 40 + 1)) }
      #expect(scales == expected)
    }
  }

  @Test func theOrderIsThatOfTheNames() throws {
    let names = ["b", "a/z", "é", "B", "", "a"]
    let assets = names.map { asset($0, .image, [rendition(key(scale: 1), block: 1)]) }
    try Container(assets).read { index in
      let listed = (0..<index.order.count).map { place in
        index.cell(at: place).flatMap { index.name(of: $0) }.map { Array($0) }
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
    let assets = names.enumerated().map { place, name in
      SampleAsset(name: name, renditions: [rendition(key(scale: 1), block: UInt32(place))])
    }
    try Container(assets).read { index in
      var found: Set<Int> = []
      for name in names {
        name.withUnsafeBytes { name in
          #expect(AssetNameHash(of: name, kind: AssetKind.image.rawValue).value == 0)
          guard let base = name.baseAddress else { return }
          let number = cellNumber(named: base, count: 16, .image, in: index)
          #expect(index.cells[number].flatMap { index.name(of: $0) }.map(Array.init) == Array(name))
          found.insert(number)
        }
      }
      #expect(found.count == 100)
      #expect(index.cells.count - index.hashedCells == 100)
      #expect(cellNumber(of: AssetNameHash(value: 0), in: index) == index.order[0])
    }
  }

  @Test func unknownHashesHaveNoCell() throws {
    try Container(sample(count: 3)).read { index in
      for hash in [0, 1, 1 << 48, .max] as [UInt64] {
        #expect(cellNumber(of: AssetNameHash(value: hash), in: index) == -1)
      }
    }
  }

  @Test func oneOfSeveralRenditionsWithOneKeyIsKept() throws {
    var writer = ArchiveWriter(into: MemorySink())
    let contents = try Sample.contents(names: ["A"], renditions: 5, in: &writer)
    try writer.finishIndexed(contents).bytes.withUnsafeBytes { bytes in
      let index = try #require(IndexIdentity.index(in: try Archive(bytes).store))
      #expect(index.renditionCount == 3)
      let scales = try SignatureTable(index).keys(of: 0).map(\.scale)
      #expect(scales == [1, 2, 3])
    }
  }

  @Test func atlasesAreFoundByTheirKeys() throws {
    let atlases = (1...50).map { number in
      let atlas = RenditionKey([.element: Element.atlas, .dimension1: UInt16(number)])
      return (key: atlas, rendition: rendition(key(scale: 1), block: UInt32(number * 10)))
    }
    let link = rendition(key(scale: 1), block: 1)
    try Container([asset("A", .image, [link])], atlases: atlases).read { index in
      for (number, atlas) in atlases.enumerated() {
        let found = try #require(index.atlas(atlas.key))
        #expect(index.block(of: found) == number * 10 + 10)
      }
      #expect(index.atlas(RenditionKey([.element: Element.atlas, .dimension1: 51])) == nil)
      #expect(index.atlas(RenditionKey()) == nil)
    }
  }

  @Test func recordsLieInMemoryAsTheFormatSays() {
    #expect(MemoryLayout<IndexHeader>.size == 96)
    #expect(MemoryLayout<IndexHeader>.offset(of: \.identity) == 16)
    #expect(MemoryLayout<IndexHeader>.offset(of: \.keys) == 32)
    #expect(MemoryLayout<IndexHeader>.offset(of: \.pilots) == 68)
    #expect(MemoryLayout<IndexHeader>.offset(of: \.assetBits) == 72)
    #expect(MemoryLayout<IndexHeader>.offset(of: \.atlases) == 76)
    #expect(MemoryLayout<IndexKey>.stride == 16)
    #expect(MemoryLayout<SignatureRecord>.stride == 8)
    #expect(MemoryLayout<IndexHeader>.offset(of: \.names) == 80)
    #expect(MemoryLayout<AssetCell>.stride == 16)
    #expect(MemoryLayout<StyleRecord>.stride == 20)
    #expect(MemoryLayout<StyleRecord>.offset(of: \.kinds) == StyleRecord.Offset.kinds)
    #expect(MemoryLayout<StyleRecord>.offset(of: \.stretch) == StyleRecord.Offset.stretch)
    typealias Stretch = StretchRecord
    #expect(MemoryLayout<Stretch>.stride == Stretch.Offset.insets + FoundFacts.stretchLength)
    #expect(MemoryLayout<Stretch>.offset(of: \.width) == Stretch.Offset.width)
    #expect(MemoryLayout<Stretch>.offset(of: \.height) == Stretch.Offset.height)
    #expect(MemoryLayout<Stretch>.offset(of: \.insets) == Stretch.Offset.insets)
    #expect(MemoryLayout<Stretch>.offset(of: \.caps) == Stretch.Offset.caps)
    #expect(MemoryLayout<Stretch>.offset(of: \.centerWidth) == Stretch.Offset.centerWidth)
    #expect(MemoryLayout<Stretch>.offset(of: \.centerHeight) == Stretch.Offset.centerHeight)
    #expect(MemoryLayout<RenditionRecord>.stride == 64)
    #expect(MemoryLayout<RenditionKinds>.size == 8)
    #expect(MemoryLayout<RenditionRecord>.offset(of: \.kinds) == 16)
    #expect(MemoryLayout<RenditionRecord>.offset(of: \.insets) == 24)
  }

  @Test func everyRecordComesBackWhole() throws {
    let sizes: [(UInt32, UInt32)] = [(1, 2), (65_535, 65_535), (65_536, 3), (0, .max)]
    var renditions: [SampleRendition] = []
    for (place, size) in sizes.enumerated() {
      for inset in [Float(0), 1.5] {
        var made = rendition(key(scale: 2), block: UInt32(renditions.count + 1))
        made.key.subtype = UInt16(renditions.count)
        (made.record.pixelWidth, made.record.pixelHeight) = size
        made.record.flags = UInt32(place)
        made.record.layout = 12
        made.record.insets.left = inset
        made.record.centerHeight = inset * 2
        renditions.append(made)
      }
    }
    try Container([asset("A", .image, renditions)]).read { index in
      for (number, rendition) in renditions.enumerated() {
        let record = try #require(index.record(of: number))
        let found = try #require(index.facts(of: number).map { RenditionRecord($0) })
        var expected = rendition.record
        #expect(areEqual(record, expected))
        (expected.flags, expected.layout) = (0, 0)
        #expect(areEqual(found, expected))
      }
      #expect(index.facts(of: renditions.count) == nil)
      // Records of a size below 2^16 need a stretch only for their insets, and share it.
      #expect(index.stretches.count == 5)
    }
  }

  private func areEqual(_ a: RenditionRecord, _ b: RenditionRecord) -> Bool {
    withUnsafeBytes(of: a) { a in withUnsafeBytes(of: b) { b in a.elementsEqual(b) } }
  }

  /// A rendition takes at most 12 bytes, and a name at most 23, beside the header and few tables.
  @Test(arguments: [(100, 3), (100, 1), (1_000, 3), (30_000, 3)])
  func anIndexIsSmall(names: Int, scales: Int) throws {
    let assets = (0..<names).map { number in
      asset(
        "Group/asset-\(number)", .image,
        (1...scales).map { scale in
          var made = rendition(key(scale: UInt8(scale)), block: UInt32(number * scales + scale))
          made.record.pixelWidth = UInt32(number % 1000 * scale)
          made.record.pixelHeight = UInt32(number % 100 * scale)
          return made
        })
    }
    let size = try Container(assets).index.count
    #expect(size < names * 23 + names * scales * 12 + 300)
  }

  /// The numbers of assets and of signatures share 32 bits, in parts that depend on their numbers.
  @Test(arguments: [1, 2, 3, 5])
  func assetNumbersAndSignaturesAreToldApart(signatures: Int) throws {
    let assets = (0..<40).map { number in
      asset(
        "n\(number)", .image,
        (0...number % signatures).map {
          let key = key(scale: 1 + UInt8($0 % 3), style: $0 > 2 ? .dark : .any)
          return rendition(key, block: UInt32(number))
        })
    }
    try Container(assets).read { index in
      #expect(index.signatures.count == signatures)
      for number in 0..<40 {
        for ordinal in 0...number % signatures {
          let block = try block(of: "n\(number)", .image, key: ordinal, in: index)
          #expect(block == number)
        }
      }
    }
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
        let isSound = RenditionRecord.isSound(unsafeBitCast(record.kinds, to: UInt64.self))
        #expect(isSound == (value <= limit), "\(field) \(value)")
      }
    }
  }

  @Test func everyFlippedByteIsSurvivedAndMostAreSeenByTheChecksum() throws {
    var container = try Container(sample(count: 12))
    let bytes = container.index
    for position in bytes.indices {
      container.index = bytes
      container.index[position] ^= 0x81
      // The identity belongs to the file around the index, and the checksum does not cover it.
      if !(16..<24).contains(position) {
        _ = container.index.withUnsafeBytes { raw in
          #expect(throws: IndexError.self) { try IndexReader.validateChecksum(of: raw) }
        }
      }
      try? container.read { index in
        _ = try? SignatureTable(index)
        for number in 0..<12 { _ = find("Group\(number % 7)/asset-\(number)", .image, in: index) }
        for place in 0..<index.order.count {
          if let cell = index.cell(at: place) { _ = index.name(of: cell)?.last }
        }
        for number in 0..<index.renditionCount {
          _ = index.facts(of: number)
          _ = index.record(of: number)
          _ = index.atlas(RenditionKey())
        }
      }
    }
  }

  @Test func everyCutIndexIsRefused() throws {
    var container = try Container(sample(count: 3))
    let bytes = container.index
    for length in 0..<bytes.count {
      container.index = Array(bytes[..<length])
      #expect(throws: IndexError.self) { try container.read { _ in } }
    }
  }

  @Test func aNameOutsideOfTheFileIsNotFound() throws {
    var container = try Container(sample(count: 3))
    try container.moveFirstName(to: UInt32(container.file.count))
    try container.read { index in
      for place in 0..<3 {
        let cell = try #require(index.cell(at: place))
        #expect(index.name(of: cell) == nil)
      }
      #expect(find("Group0/asset-0", .color, in: index) == -1)
    }
    try container.moveFirstName(to: UInt32(container.file.count) + 1)
    #expect(throws: IndexError.sections) { try container.read { _ in } }
  }
}
