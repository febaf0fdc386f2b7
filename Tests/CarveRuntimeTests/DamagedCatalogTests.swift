// Tests damaged files: flipped, cut and extended ones, and files with a wrong index. Opening and
// lookups must return an error or nothing; a test fails if the process crashes or hangs, or if a
// picture is wrong.

import Archive
import CarveRuntime
import Foundation
import FuzzTargets
import Support
import Testing
import Traits

@Suite struct DamagedCatalogTests {
  /// Runs the fuzzer's body, which decodes every variant in every layout. It is slow without
  /// optimisation.
  private func askEverything(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { FuzzTarget.catalog.run($0) }
  }

  /// Opens the bytes, looks up each name and decodes small pictures. Returns whether the bytes are
  /// an archive.
  private func ask(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { raw in
      guard let catalog = try? Catalog(lending: raw) else { return false }
      let view = catalog.view(for: environment { $0.style = .dark })
      for asset in catalog.assets.prefix(16) {
        guard let variant = view.find(asset.name, asset.kind) else { continue }
        _ = try? catalog.color(of: variant)
        _ = try? catalog.file(of: variant)
        withUnsafeTemporaryAllocation(byteCount: 16 * 16 * 4, alignment: 16) { buffer in
          _ = try? catalog.decode(
            variant, as: .bgra8, into: buffer, rowStride: 64,
            limits: DecodeLimits(width: 16, height: 16, scratchBytes: 4096))
        }
      }
      return true
    }
  }

  private func sample(indexed: Bool) throws -> [UInt8] {
    var builder = sampleBuilder()
    builder.addImage(
      "Button", VariantKey(), TestPicture(width: 10, height: 10, seed: 1), layout: .ninePartTile,
      slices: DecodeTests.nine)
    return try builder.bytes(indexed: indexed)
  }

  @Test(arguments: [true, false])
  func randomDamageIsRefusedOrAnswered(indexed: Bool) throws {
    let bytes = try sample(indexed: indexed)
    var generator = SeededGenerator.forTest(indexed ? 11 : 12)
    var opened = 0
    for round in 0..<400 {
      var damaged = bytes
      for _ in 0..<generator.pick(1...4) {
        let position = generator.pick(0...damaged.count - 1)
        let values: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF, UInt8(generator.pick(0...255))]
        damaged[position] = values[generator.pick(0...5)]
      }
      if ask(damaged) { opened += 1 }
      if round % 20 == 0 { askEverything(damaged) }
    }
    #expect((1..<400).contains(opened), "\(generator)")
  }

  @Test func anyByteOfTheIndexMayBeWrong() throws {
    let bytes = try sample(indexed: true)
    let start = try bytes.withUnsafeBytes { raw in
      try #require(try BlockStore(FileBytes(raw)).bytes(named: Archive.indexName)).range
    }
    // The place and the value of each wrong byte come from the seed; the fuzzer tries thousands.
    var generator = SeededGenerator.forTest(13)
    for _ in 0..<500 {
      let position = generator.pick(start.lowerBound...start.upperBound - 1)
      for value in [0xFF, bytes[position] &+ 1] {
        var damaged = bytes
        damaged[position] = value
        #expect(ask(damaged), "byte \(position) is \(value), \(generator)")
      }
    }
  }

  @Test(arguments: [true, false])
  func cutFilesAreRefused(indexed: Bool) throws {
    let bytes = try sample(indexed: indexed)
    #expect(ask(bytes))
    for length in stride(from: 0, to: bytes.count, by: 23) {
      #expect(!ask(Array(bytes[..<length])), "\(length) bytes")
    }
  }

  @Test func bytesBehindTheEndChangeNothing() throws {
    let bytes = try sample(indexed: true)
    let catalog = try Catalog(bytes: bytes + [UInt8](repeating: 0xAA, count: 999))
    #expect(catalog.usesIndexInPlace)
    #expect(catalog.view(for: Environment()).find("Plain") != nil)
  }

  @Test func anIndexOfAnotherFileIsNotUsed() throws {
    // The index of a catalogue with other names replaces this catalogue's own index.
    let bytes = try sample(indexed: true)
    var other = CatalogBuilder()
    other.addImage("Stranger", VariantKey(), TestPicture(seed: 9))
    let foreign = try other.bytes()
    let index = try foreign.withUnsafeBytes { raw in
      Array(try #require(try BlockStore(FileBytes(raw)).bytes(named: Archive.indexName)).buffer)
    }
    let place = try bytes.withUnsafeBytes { raw in
      try #require(try BlockStore(FileBytes(raw)).bytes(named: Archive.indexName)).range
    }
    try #require(index.count <= place.count)
    var mixed = bytes
    mixed.replaceSubrange(place.lowerBound..<place.lowerBound + index.count, with: index)
    let catalog = try Catalog(bytes: mixed)
    #expect(!catalog.usesIndexInPlace)
    #expect(catalog.id(of: "Stranger") == nil)
    #expect(catalog.view(for: Environment()).find("Plain") != nil)
  }

  @Test func anIndexOfAnEarlierVersionIsNotUsed() throws {
    var bytes = try sample(indexed: true)
    let index = try bytes.withUnsafeBytes { raw in
      try #require(try BlockStore(FileBytes(raw)).bytes(named: Archive.indexName)).range
    }
    bytes[index.lowerBound + 8] -= 1
    let catalog = try Catalog(bytes: bytes)
    #expect(!catalog.usesIndexInPlace)
    #expect(catalog.view(for: Environment()).find("Plain") != nil)
  }

  @Test func aChangedTreeMakesTheIndexStale() throws {
    let bytes = try sample(indexed: true)
    let header = try bytes.withUnsafeBytes { raw in
      try #require(try BlockStore(FileBytes(raw)).bytes(named: "CARHEADER")).range
    }
    var changed = bytes
    changed[header.lowerBound + 150] ^= 1
    #expect(!(try Catalog(bytes: changed).usesIndexInPlace))
  }

  @Test func anImmensePictureIsRefusedBeforeMemoryIsTaken() throws {
    var builder = CatalogBuilder()
    var picture = TestPicture(seed: 1)
    let payload = picture.payload.bytes
    picture.width = 1 << 30
    picture.height = 1 << 30
    let head = CatalogBuilder.head(picture, scale: 1, bytesPerRow: 32)
    builder.addBlock("Immense", VariantKey(), head, payload)
    let catalog = try builder.catalog()
    let variant = try #require(catalog.view(for: Environment()).find("Immense"))
    var bytes = [UInt8](repeating: 0, count: 64)
    _ = bytes.withUnsafeMutableBytes { buffer in
      #expect(throws: CatalogError.self) {
        try catalog.decode(variant, as: .bgra8, into: buffer, rowStride: 32)
      }
    }
  }

  @Test func aFileThatShrinksIsNoticedByDecoding() throws {
    let folder = try TemporaryDirectory()
    let bytes = try sample(indexed: true)
    let path = try folder.write(bytes, to: "Small.car")
    let catalog = try Catalog(path: path)
    let variant = try #require(catalog.view(for: Environment()).find("Plain"))
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.truncate(atOffset: 600)
    var pixels = [UInt8](repeating: 0, count: 8 * 8 * 4)
    _ = pixels.withUnsafeMutableBytes { buffer in
      #expect(throws: CatalogError.self) {
        try catalog.decode(variant, as: .bgra8, into: buffer, rowStride: 32)
      }
    }
  }
}
