// An archive with one rendition that cannot be read: the error states its name, and the other
// renditions can be used.

import Bytes
import CarveRuntime
import Support
import Testing
import Traits

@testable import Archive
@testable import ArchiveTools

@Suite struct DamagedRenditionTests {
  enum Damage: String, CaseIterable { case blockOutside, magic, properties, payload }

  /// Returns an archive of three colours with two variants each.
  private func sound() throws -> [UInt8] {
    var writer = ArchiveWriter(into: MemorySink())
    var contents = ArchiveContents(
      header: CatalogHeader(coreUIVersion: 972, mainVersion: "", toolVersion: "A test"),
      metadata: CatalogMetadata(platform: "ios", platformVersion: "", authoringTool: "A test"))
    let numbers = VariantNumbers(appearances: [], semantics: .phone)
    for number in UInt16(0)..<3 {
      contents.facets.append(Facet(name: "Asset \(number)", part: Part.color, identifier: number))
      for scale in UInt8(1)...2 {
        var variant = VariantKey()
        variant.scale = scale
        let key = numbers.key(part: Part.color, identifier: number, variant: variant)
        let head = RenditionHead(CSIHeader(layout: .color, name: "Asset \(number)"), [])
        let color = ColorPayload(space: .sRGB, components: [0.5, 0.25, Double(number), 1])
        contents.renditions.append((try #require(key), writer.append(head, payload: color.bytes())))
      }
    }
    return try writer.finish(contents).bytes
  }

  /// Returns the same archive with one damaged variant of "Asset 1".
  private func damaged(_ damage: Damage) throws -> [UInt8] {
    var bytes = try sound()
    let (block, entry) = try bytes.withUnsafeBytes { raw in
      let archive = try Archive(raw)
      let names = try FacetNames(of: archive)
      let all = try archive.renditions()
      let found = all.first { names[$0.key] == "Asset 1" && $0.key[.scale] == 2 }
      let victim = try #require(found)
      return (victim.range, archive.store.offset(ofEntry: victim.block))
    }
    switch damage {
    case .blockOutside: bytes[entry] = 0x7F
    case .magic: bytes[block.lowerBound] = 0
    case .properties: bytes.store(.max, CSIRecord.propertiesLength, at: block.lowerBound)
    case .payload: bytes.store(.max, CSIRecord.payloadLength, at: block.lowerBound)
    }
    return bytes
  }

  @Test(arguments: Damage.allCases) func theOthersAreExtracted(damage: Damage) throws {
    let extracted = Guarded<[String]>([])
    let leftOut = try damaged(damage).withUnsafeBytes { bytes in
      try extractArchive(bytes, drawingScale: nil, jobs: 1) { (file) throws(Never) in
        extracted.withLock { $0.append(file.path.text) }
      }
    }
    let paths = extracted.withLock { $0 }
    #expect(paths.count == 5 && paths.filter { $0.hasPrefix("Asset 1/") }.count == 1, "\(paths)")
    let found = try #require(leftOut.first)
    #expect(leftOut.count == 1 && found.isDamage)
    #expect(found.name == "Asset 1" && found.variant == "2x")
  }

  @Test(arguments: Damage.allCases) func thinningNamesWhatItCannotDecideAbout(damage: Damage) throws
  {
    let device = try #require(Device(named: "iPhone8,1"))
    try damaged(damage).withUnsafeBytes { bytes in
      do {
        var thinner = try Thinner(bytes)
        let target = ThinningTarget([try Reach(of: device)])
        let thinned = try thinner.bytes(for: target)
        // Damage that is not noticed while a block is copied is copied, too.
        #expect(damage == .payload || damage == .properties)
        #expect(try thinned.withUnsafeBytes { try Archive($0).renditionCount() } == 3)
      } catch {
        #expect(damage == .blockOutside || damage == .magic)
        let text = "\(error)"
        #expect(text.hasPrefix("\"Asset 1\" (2x) is damaged: "), "\(text)")
      }
    }
  }

  @Test(arguments: Damage.allCases) func theRunTimeServesTheOthers(damage: Damage) throws {
    let catalog = try Catalog(bytes: try damaged(damage))
    var window = Environment()
    window.scale = 2
    let view = catalog.view(for: window)
    for name in ["Asset 0", "Asset 2"] {
      #expect(try catalog.color(of: try #require(view.find(name, .color))).red == 0.5)
    }
    if let variant = view.find("Asset 1", .color), variant.scale == 2 {
      #expect(throws: CatalogError.self) { try catalog.color(of: variant) }
    }
  }

  /// If the search for a free number began at the first number for each name, this test would take
  /// hours.
  @Test(.timeLimit(.minutes(1))) func equalNamesAreNumberedInOneGo() {
    var names = ExtractedNames()
    var last: ByteString = ""
    for _ in 0..<40_000 {
      last = names.path(asset: "Star", file: "a.png", pathExtension: nil, words: ["scale2"])
    }
    #expect(last == "Star/a~scale2-39999.png")
    // A number whose name is already in use is skipped.
    _ = names.path(asset: "Moon", file: "b-2.png", pathExtension: nil, words: [])
    let three = (0..<3).map { _ in
      names.path(asset: "Moon", file: "b.png", pathExtension: nil, words: [])
    }
    #expect(three == ["Moon/b.png", "Moon/b-3.png", "Moon/b-4.png"])
  }
}
