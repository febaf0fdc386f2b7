// Equal contents of several renditions, which an archive stores once.

import Archive
import Bytes
import CarveRuntime
import Support
import Testing
import Traits

@testable import CatalogCompiler

/// Returns the numbers of the blocks of the renditions with a facet, by the names of the facets.
private func blocks(_ bytes: [UInt8]) throws -> [String: Set<BlockID>] {
  try bytes.withUnsafeBytes { file in
    let archive = try Archive(file)
    var names: [UInt16: String] = [:]
    for facet in try archive.facets() {
      if let number = facet.identifier { names[number] = facet.name.text }
    }
    var blocks: [String: Set<BlockID>] = [:]
    for entry in try archive.renditions() {
      guard let name = names[entry.key.identifier] else { continue }
      blocks[name, default: []].insert(entry.block)
    }
    return blocks
  }
}

@Suite struct StoredOnceTests {
  /// Two sets with equal small files, two with equal large files, and pairs of both whose files
  /// have one name.
  private var sources: SampleSources {
    var sources = SampleSources()
    for (side, names) in [(20, ["A", "B", "C"]), (240, ["D", "E", "F"])] {
      for (name, file) in zip(names, ["one.png", "two.png", "two.png"]) {
        sources.files["A.xcassets/\(name).imageset/\(file)"] = .bytes(
          patternPNG(width: side, height: side, seed: 3))
        sources.add(
          "\(name).imageset/Contents.json",
          #"{"images":[{"idiom":"universal","scale":"2x","filename":"\#(file)"}]}"#)
      }
    }
    return sources
  }

  private func compiled(_ goal: OptimizationGoal) throws -> [UInt8] {
    try sources.compiled { $0.optimization = goal }.bytes
  }

  @Test(arguments: [
    (OptimizationGoal.standard, 1, ["BC", "EF"]), (.time, 1, ["BC", "EF"]),
    (.space, 1, ["ABC", "DEF"]), (.identical, 3, ["EF"]),
  ])
  func `equal contents are stored once`(
    goal: OptimizationGoal, frames: Int, together: [String]
  ) throws {
    let bytes = try compiled(goal)
    let links = try atlases(bytes).flatMap(\.links)
    #expect(links.count == 3 && Set(links.map(\.frame)).count == frames)
    let found = try blocks(bytes)
    for names in together {
      let shared = names.map { found[String($0)] ?? [] }
      #expect(shared.allSatisfy { $0 == shared[0] && $0.count == 1 }, "\(names)")
    }
    let all = together.reduce(0) { $0 + $1.count - 1 }
    #expect(Set(found.values.joined()).count == 6 - all)
  }

  @Test func `a small picture that is alone with its copies lies in an atlas`() throws {
    var sources = sources
    sources.files = sources.files.filter { !$0.key.text.contains("C.imageset") }
    let found = try atlases(sources.compiled().bytes)
    #expect(found.map(\.links.count) == [2])
  }

  /// Every name shows its pixels, whichever way they are stored.
  @Test(arguments: OptimizationGoal.allCases) func `all names show the same pixels`(
    goal: OptimizationGoal
  ) throws {
    let bytes = try compiled(goal)
    #expect(bytes.withUnsafeBytes { Archive.validate($0) }.isEmpty)
    let catalog = try CarveRuntime.Catalog(bytes: bytes)
    let view = catalog.view(for: Environment())
    func pixels(_ name: String) throws -> [UInt8] {
      let variant = try #require(view.find(name))
      let size = variant.pixelSize
      var pixels = [UInt8](repeating: 0, count: size.width * size.height * 4)
      try pixels.withUnsafeMutableBytes {
        try catalog.decode(variant, as: .rgba8, into: $0, rowStride: size.width * 4)
      }
      return pixels
    }
    for names in [["A", "B", "C"], ["D", "E", "F"]] {
      let shown = try names.map { try pixels($0) }
      #expect(shown.allSatisfy { $0 == shown[0] } && shown[0].contains { $0 != shown[0][0] })
    }
  }

  @Test func `equal values of a colour are stored once`() throws {
    var sources = SampleSources()
    let color = #""color":{"color-space":"srgb","components":{"red":"1","alpha":"1"}}"#
    sources.add(
      "Red.colorset/Contents.json",
      #"{"colors":[{"idiom":"universal",\#(color)},{"idiom":"ipad",\#(color)}]}"#)
    #expect(try blocks(sources.compiled().bytes)["Red"]?.count == 1)
  }
}
