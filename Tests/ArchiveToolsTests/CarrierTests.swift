// Carriers (atlases and tables of icon sizes) stay as long as a rendition that needs them is kept,
// and no longer.

import Archive
import Bytes
import CatalogModel
import Imaging
import Support
import Testing
import Traits

@testable import ArchiveTools
@testable import CatalogCompiler

@Suite("Atlases and tables of sizes") struct CarrierTests {
  /// Adds a set whose pictures are for narrow and wide windows, and small enough to share an atlas.
  private func windowed(_ name: String, in sources: inout SampleSources, seed: UInt8) {
    var entries: [String] = []
    for (place, width) in ["", "compact", "regular"].enumerated() {
      let file = "\(name)-\(width)@2x.png"
      let trait = width.isEmpty ? "" : #","width-class":"\#(width)""#
      entries.append(#"{"idiom":"universal","scale":"2x","filename":"\#(file)"\#(trait)}"#)
      sources.files["\(sources.root)/\(name).imageset/\(file)"] = .bytes(
        png(width: 20, height: 30, red: seed &+ UInt8(place) &* 60, green: seed))
    }
    sources.add(
      "\(name).imageset/Contents.json", "{\"images\":[\(entries.joined(separator: ","))]}")
  }

  private func full() throws -> [UInt8] {
    var sources = SampleSources()
    for (place, name) in ["Star", "Moon", "Comet", "Nova"].enumerated() {
      windowed(name, in: &sources, seed: UInt8(10 + place * 30))
    }
    return try sources.compiled().bytes
  }

  @Test("an atlas that loses pictures is packed anew, smaller, with the same pictures in it")
  func shrinksAtlases() throws {
    let device = try #require(Device(named: "iPhone8,1"))
    let full = try full()
    let once = try thinned(full, for: [device])
    let before = try #require(try atlases(full).first)
    let after = try #require(try atlases(once).first)
    #expect(after.width * after.height < before.width * before.height)
    let proof = try proof(full, once, for: [device])
    #expect(proof.counterExample == nil)
    #expect(try thinned(once, for: [device]) == once)
    #expect(once.withUnsafeBytes { Archive.validate($0) }.isEmpty)
  }

  @Test("an atlas that loses little stays as it is")
  func leavesNearlyWholeAtlases() throws {
    let device = try #require(Device(named: "iPhone8,1"))
    var sources = SampleSources()
    windowed("Star", in: &sources, seed: 10)
    for number in 0..<40 {
      let file = "\(number)@2x.png"
      sources.files["\(sources.root)/P\(number).imageset/\(file)"] = .bytes(
        png(width: 20, height: 30, red: UInt8(number), green: 200))
      sources.add(
        "P\(number).imageset/Contents.json",
        #"{"images":[{"idiom":"universal","scale":"2x","filename":"\#(file)"}]}"#)
    }
    let full = try sources.compiled().bytes
    let once = try thinned(full, for: [device])
    #expect(try renditions(full).count == renditions(once).count + 2)
    #expect(try blocks(of: .atlas, in: once) == blocks(of: .atlas, in: full))
    #expect(try proof(full, once, for: [device]).counterExample == nil)
  }

  @Test("an archive that was made for the fewest bytes is thinned for the fewest bytes")
  func packsAsTheArchiveWasMade() throws {
    let device = try #require(Device(named: "iPhone8,1"))
    var generator = SeededGenerator(seed: 7)
    var sources = SampleSources()
    for name in ["Star", "Moon", "Comet", "Nova"] {
      windowed(name, in: &sources, seed: 10)
      for width in ["", "compact", "regular"] {
        sources.files["\(sources.root)/\(name).imageset/\(name)-\(width)@2x.png"] = .bytes(
          patternedPNG(side: 50, &generator))
      }
    }
    let sizes = try [OptimizationGoal.standard, .space].map { goal in
      let full = try sources.compiled { $0.optimization = goal }.bytes
      let once = try thinned(full, for: [device])
      #expect(try proof(full, once, for: [device]).counterExample == nil)
      return try #require(try blocks(of: .atlas, in: once).first).count
    }
    #expect(sizes[1] < sizes[0])
  }

  /// Returns a picture of short runs of twelve colours.
  private func patternedPNG(side: Int, _ generator: inout SeededGenerator) -> [UInt8] {
    let stride = BitmapLayout.bgra8.bytesPerRow(width: side)
    var pixels = [UInt8](repeating: 0, count: stride * side)
    var color: UInt8 = 0
    for y in 0..<side {
      for (x, byte) in generator.bytes(side).enumerated() {
        if byte % 6 == 0 { color = byte / 6 % 12 }
        let start = y * stride + x * 4
        pixels.replaceSubrange(start..<start + 4, with: [color * 5, color * 3, color * 6, 255])
      }
    }
    return Bitmap(
      width: side, height: side, layout: .bgra8, isOpaque: true, isGray: false, pixels: pixels
    ).pngFile()
  }

  @Test("the edges of each picture are repeated around it, in a compiled and in a thinned atlas")
  func repeatsEdges() throws {
    let device = try #require(Device(named: "iPhone8,1"))
    let full = try full()
    let counts = try [full, thinned(full, for: [device])].map { try picturesWithRepeatedEdges($0) }
    #expect(counts == [12, 4])
  }

  /// Returns the number of pictures in atlases, and expects a ring of its own edge pixels around
  /// each.
  private func picturesWithRepeatedEdges(_ bytes: [UInt8]) throws -> Int {
    try bytes.withUnsafeBytes { file in
      let archive = try Archive(file)
      let entries = try archive.renditions()
      var frames: Set<[UInt32]> = []
      for entry in entries {
        guard let link = try archive.rendition(entry).link(),
          let target = entries.first(where: { $0.key == link.target }),
          let atlas = try Bitmap(archive.rendition(target))
        else { continue }
        let (x, width, height) = (Int(link.x), Int(link.width), Int(link.height))
        let top = atlas.height - Int(link.y) - height
        for row in -1...height {
          for column in -1...width where !(0..<height ~= row && 0..<width ~= column) {
            let (inner, beside) = (min(max(row, 0), height - 1), min(max(column, 0), width - 1))
            #expect(
              atlas.pixel(x + column, top + row) == atlas.pixel(x + beside, top + inner),
              "\(column), \(row) beside \(link)")
          }
        }
        frames.insert([link.x, link.y])
      }
      return frames.count
    }
  }

  @Test("an atlas that loses nothing is copied, byte for byte")
  func copiesWholeAtlases() throws {
    let pad = try #require(Device(named: "iPad5,3"))
    var sources = SampleSources()
    sources.image("Star", scales: [1, 2, 3])
    sources.image("Moon", scales: [1, 2, 3])
    let full = try sources.compiled().bytes
    let once = try thinned(full, for: [pad])
    let before = try blocks(of: .atlas, in: full)
    let after = try blocks(of: .atlas, in: once)
    #expect(before.count > after.count)
    #expect(!after.isEmpty)
    #expect(after.allSatisfy { before.contains($0) })
    #expect(
      Set(try blocks(of: .internalLink, in: once)).isSubset(
        of: try blocks(of: .internalLink, in: full)))
  }

  @Test("a proof notices pixels that changed in an atlas")
  func noticesChangedPixels() throws {
    let device = try #require(Device(named: "iPhone8,1"))
    let full = try full()
    var sources = SampleSources()
    for (place, name) in ["Star", "Moon", "Comet", "Nova"].enumerated() {
      windowed(name, in: &sources, seed: UInt8(11 + place * 30))
    }
    let other = try thinned(sources.compiled().bytes, for: [device])
    guard case .contents = try proof(full, other, for: [device]).counterExample else {
      Issue.record("no counter-example")
      return
    }
  }

  @Test("a phone's icon loses the sizes and tables of other idioms")
  func thinsIcons() throws {
    let device = try #require(Device(named: "iPhone8,1"))
    let folder = try TemporaryDirectory()
    let options = CompileOptions(target: CompileTarget(platform: .iOS), icons: .all)
    let path = folder.path("icon.car")
    _ = try compile(
      .archive(of: [ByteString(sampleCatalogs + "/AppIcon.xcassets")]), in: .disk, options: options,
      to: .path(ByteString(path)))
    let full = try folder.read("icon.car")
    let once = try thinned(full, for: [device])
    #expect(try proof(full, once, for: [device]).counterExample == nil)
    let idioms = try renditions(once).filter { $0.key.part == Part.multisize }.map {
      Idiom(rawValue: UInt8($0.key[.idiom]))
    }
    #expect(Set(idioms) == [.phone])
    #expect(try renditions(full).contains { $0.key[.idiom] == Idiom.pad.rawValue })
    let indices = Set(
      try renditions(once).filter { $0.key.part == Part.icon }.map { $0.key[.dimension2] })
    #expect(try listedIndices(once) == indices)
  }

  /// Returns the sizes that the tables list.
  private func listedIndices(_ bytes: [UInt8]) throws -> Set<UInt16> {
    try bytes.withUnsafeBytes { file in
      let archive = try Archive(file)
      var indices: Set<UInt16> = []
      for entry in try archive.renditions() where entry.key.part == Part.multisize {
        let sizes = try MultisizePayload(archive.rendition(entry).payload)?.sizes ?? []
        indices.formUnion(sizes.map { UInt16($0.index) })
      }
      return indices
    }
  }

  private func atlases(_ bytes: [UInt8]) throws -> [CSIHeader] {
    try renditions(bytes).map(\.header).filter { $0.layout == .atlas }
  }

  private func blocks(of layout: RenditionLayout, in bytes: [UInt8]) throws -> [[UInt8]] {
    try bytes.withUnsafeBytes { file in
      let archive = try Archive(file)
      return try archive.renditions().filter { try archive.outline($0).layout == layout }
        .map { Array(try archive.rendition($0).bytes.buffer) }
    }
  }
}

extension Bitmap {
  fileprivate func pixel(_ x: Int, _ y: Int) -> [UInt8] {
    let size = layout.bytesPerPixel
    return Array(pixels[y * bytesPerRow + x * size..<y * bytesPerRow + (x + 1) * size])
  }
}
