// Writes archives and reads them again: sizes around the limits of pages, names, columns.

import Bytes
import Testing
import Traits

@testable import Archive

@Suite struct WriterTests {
  private func check(_ bytes: [UInt8], renditions: Int, facets: Int) throws {
    try bytes.withUnsafeBytes { bytes in
      #expect(Archive.validate(bytes).map(\.description) == [])
      let archive = try Archive(bytes)
      #expect(try archive.renditionCount() == renditions)
      let entries = try archive.renditions()
      #expect(Set(entries.map(\.key)).count == renditions)
      #expect(try archive.facets().count == facets)
      if let last = entries.last {
        let rendition = try archive.rendition(last)
        #expect(rendition.header.name.hasSuffix("x.png"))
        #expect(rendition.payload.count == 48)
      }
    }
  }

  @Test(arguments: [0, 1, 2, 126, 127, 255, 256, 257, 510, 511, 512, 1020, 1021, 1500])
  func `an archive of any size is read as it was written`(count: Int) throws {
    try check(
      try Sample.archive(names: Sample.names(count), renditions: count), renditions: count,
      facets: count)
  }

  @Test func `a tree of three levels finds all of its entries`() throws {
    // All keys share one block, because the test is about the tree.
    var writer = ArchiveWriter(into: MemorySink())
    var contents = ArchiveContents(header: Sample.header(), metadata: Sample.metadata)
    contents.facets = [Facet(name: "Star", part: Part.regular, identifier: 7)]
    let (head, payload) = Sample.picture("Star@1x.png", scale: 1)
    let block = writer.append(head, payload: payload)
    var key = RenditionKey([
      .element: Element.universal, .part: Part.regular, .identifier: 7, .scale: 1,
    ])
    let sides = 522
    for index in 0..<sides * sides where index % 2 == 0 {
      key[.dimension1] = UInt16(index / sides)
      key[.dimension2] = UInt16(index % sides)
      contents.renditions.append((key, block))
    }
    let count = contents.renditions.count
    try writer.finish(contents).bytes.withUnsafeBytes { bytes in
      let archive = try Archive(bytes)
      var found = 0
      var violations = Violations(limit: 10)
      try archive.forEachRendition { _ in found += 1 }
      #expect(found == count)
      try archive.tree(named: Archive.renditionsName)?.validate(&violations)
      #expect(violations.list == [])
    }
  }

  @Test func `the order of renditions does not matter`() throws {
    func bytes(reversed: Bool) throws -> [UInt8] {
      var writer = ArchiveWriter(into: MemorySink())
      var contents = try Sample.contents(names: Sample.names(40), renditions: 90, in: &writer)
      if reversed {
        contents.renditions.reverse()
        contents.facets.reverse()
      }
      return try writer.finish(contents).bytes
    }
    #expect(try bytes(reversed: false) == bytes(reversed: true))
  }

  @Test func `names that collide get free numbers, in any order`() throws {
    // The first two names have the same hash, and so do the two with a prefix.
    let names = ["Ec", "FB", "x/Ec", "x/FB", "é", "e\u{301}", "日本語/星"]
    #expect(nameIdentifier("Ec".utf8) == nameIdentifier("FB".utf8))
    let numbers = try NameNumbers(names.map { ByteString($0) })
    let others = try NameNumbers(names.reversed().map { ByteString($0) })
    #expect(Set(names.map { numbers[ByteString($0)] }).count == names.count)
    #expect(numbers["Ec"] == nameIdentifier("Ec".utf8))
    #expect(numbers["FB"] == nameIdentifier("FB".utf8) &+ 1)
    #expect(names.allSatisfy { numbers[ByteString($0)] == others[ByteString($0)] })
    try check(
      try Sample.archive(names: names, renditions: 20), renditions: 20, facets: names.count)
  }

  @Test func `every number can be used, and one name more is refused`() throws {
    let names = Sample.names(65_535)
    let numbers = try NameNumbers(names.map { ByteString($0) })
    #expect(Set(names.compactMap { numbers[ByteString($0)] }).count == 65_535)
    #expect(throws: ArchiveError.tooManyNames(count: 65_536)) {
      _ = try NameNumbers((names + ["one more"]).map { ByteString($0) })
    }
    #expect("\(ArchiveError.tooManyNames(count: 65_536))".contains("2 archives"))
  }

  @Test func `contents that an archive cannot hold are refused by name`() throws {
    var writer = ArchiveWriter(into: MemorySink())
    var contents = try Sample.contents(names: ["Star"], renditions: 1, in: &writer)
    let first = try #require(contents.renditions.first)
    contents.renditions.append(first)
    #expect(throws: ArchiveError.duplicateKey(identifier: first.key.identifier)) {
      var copy = writer
      _ = try copy.finish(contents)
    }
    contents.renditions[1].block = BlockID(99)
    #expect(throws: ArchiveError.unknownBlock(number: 99)) {
      var copy = writer
      _ = try copy.finish(contents)
    }
    contents.renditions.removeLast()
    contents.keyFormat = KeyFormat([.element, .part, .identifier])
    #expect(throws: ArchiveError.noColumn(attribute: "kCRThemeScaleName", value: 1)) {
      var copy = writer
      _ = try copy.finish(contents)
    }
    contents.keyFormat = nil
    contents.facets.append(contents.facets[0])
    #expect(throws: ArchiveError.duplicateName("Star")) {
      var copy = writer
      _ = try copy.finish(contents)
    }
  }

  @Test func `the columns are those in use and the constant ones, in Apple's order`() {
    let plain = KeyFormat(for: [RenditionKey()], semantics: .phone)
    #expect(plain.columns.map(\.rawValue) == [12, 17, 1, 2])
    let wide = KeyFormat(
      for: [RenditionKey([.displayGamut: 1, .glyphSize: 2, .value: 3])], semantics: .phone)
    #expect(wide.columns.map(\.rawValue) == [12, 27, 24, 17, 1, 2, 6])
    let mac = KeyFormat(for: [RenditionKey([.dimension1: 1])], semantics: .mac)
    #expect(mac.columns.map(\.rawValue) == [1, 2, 17, 8, 12])
  }

  @Test func `a Mac's archive without appearances has no names of them`() {
    let plain = [RenditionKey([.scale: 1])]
    let dark = plain + [RenditionKey([.scale: 1, .appearance: 1])]
    func names(_ keys: [RenditionKey], _ semantics: KeySemantics) -> [String] {
      VariantNumbers.names(usedBy: keys, semantics: semantics).map(\.name)
    }
    #expect(names(plain, .mac) == [])
    #expect(names(dark, .mac) == ["NSAppearanceNameSystem", "NSAppearanceNameDarkAqua"])
    #expect(names(plain, .phone) == ["UIAppearanceAny"])
  }

  /// A page of 1,024 bytes holds up to 126 entries.
  @Test(arguments: [(126, true, 1024), (127, true, 4096), (2, false, 4096)])
  func `small trees have small pages`(count: Int, hasSmallPages: Bool, size: Int) throws {
    var writer = ArchiveWriter(into: MemorySink())
    var contents = try Sample.contents(
      names: Sample.names(count), renditions: count, in: &writer)
    contents.hasSmallPages = hasSmallPages
    let bytes = try writer.finish(contents).bytes
    try check(bytes, renditions: count, facets: count)
    try bytes.withUnsafeBytes { bytes in
      let archive = try Archive(bytes)
      for name in [Archive.renditionsName, Facet.treeName] {
        #expect(try archive.tree(named: name)?.nodeSize == size)
      }
      #expect(try archive.tree(named: Archive.bitmapKeysName)?.nodeSize == 1024)
    }
  }

  @Test func `bitmap keys say exactly which values occur`() {
    let format = KeyFormat([.scale, .localization, .subtype, .identifier])
    let keys = [
      RenditionKey([.scale: 1, .identifier: 5]),
      RenditionKey([.scale: 3, .localization: 77, .subtype: 1792, .identifier: 5]),
      RenditionKey([.scale: 2, .subtype: 568, .identifier: 6]),
    ]
    let table = BitmapKeys(keys, format: format) { _ in true }
    #expect(table.identifiers == [5, 6])
    #expect(Array(table.masks(at: 0)) == [0b1010, 0b11, 0x1_0001, .max])
    #expect(Array(table.masks(at: 1)) == [0b100, 0b1, .max, .max])
  }

  @Test func `placeholders and their meanings come back`() throws {
    let format = KeyFormat([.scale, .deploymentTarget, .identifier], placeholders: 0b010)
    let workaround = try #require(format.workaroundBlock())
    try format.block().withUnsafeBytes { block in
      try workaround.withUnsafeBytes { workaround in
        let read = try KeyFormat(FileBytes(block), workaround: FileBytes(workaround))
        #expect(read == format)
      }
      let alone = try KeyFormat(FileBytes(block), workaround: nil)
      #expect(alone.columns == [.scale, .placeholder, .identifier])
    }
  }

  @Test func `the index of an archive is checked and belongs to it`() throws {
    let bytes = try Sample.rich()
    try bytes.withUnsafeBytes { bytes in
      #expect(Archive.validate(bytes) == [])
      let store = try Archive(bytes).store
      #expect(IndexIdentity.index(in: store) != nil)
    }
  }
}
