// The charges of renditions add up to the bytes of the file, in the report, in a difference and in
// atlases, for any archive.

import Archive
import CatalogCompiler
import Support
import Testing
import Traits

@testable import ArchiveTools

@Suite("Charges") struct ChargesTests {
  /// Returns catalogues with small pictures of random sizes and scales. Most of them share atlases.
  private func sources(_ generator: inout SeededGenerator, _ count: Int) -> SampleSources {
    var sources = SampleSources()
    for number in 0..<count {
      let scales = [1, 2, 3].filter { _ in generator.pick(0...3) > 0 }
      sources.image(
        "Star \(number)", scales: scales.isEmpty ? [2] : scales, points: generator.pick(1...30),
        red: UInt8(generator.pick(0...3)))
    }
    return sources
  }

  /// Returns the bytes of the blocks to which keys lead. Each block counts once.
  private func blocks(_ archive: [UInt8]) throws -> Int {
    try archive.withUnsafeBytes { file in
      var ranges: Set<Range<Int>> = []
      for entry in try Archive(file).renditions() { ranges.insert(entry.range) }
      return ranges.reduce(0) { $0 + $1.count }
    }
  }

  /// Checks all sums of thinning for a device.
  private func checkSums(
    _ full: [UInt8], for device: Device, _ generator: SeededGenerator
  ) throws {
    // Some devices do not run the system for which the archive was compiled.
    guard let written = try? thinned(full, for: [device]) else { return }
    let whole = try blocks(full)
    try full.withUnsafeBytes { file in
      var thinner = try Thinner(file)
      #expect(try thinner.opened.charges().sum == whole, "\(generator)")
      let target = ThinningTarget([try thinner.reach(of: device)])
      let plan = try thinner.plan(thinner.decide(for: target))
      let report = try thinner.report(plan, for: target)
      let savings = try #require(report.devices.first)
      #expect(savings.kept.bytes == (try blocks(written)), "\(generator)")
      #expect(report.pictures == savings.kept.bytes && report.full.pictures == whole)
      #expect(savings.kept.bytes + savings.dropped.bytes == whole, "\(generator)")
      #expect(savings.assets.reduce(0) { $0 + $1.kept.bytes } == savings.kept.bytes)
      #expect(savings.assets.reduce(0) { $0 + $1.dropped.bytes } == savings.dropped.bytes)
      #expect(savings.assets.reduce(0) { $0 + $1.kept.count } == savings.kept.count)
      #expect(savings.byAxis.reduce(0) { $0 + $1.amount.bytes } == savings.dropped.bytes)
      for asset in savings.assets {
        #expect(asset.drops.reduce(0) { $0 + $1.amount.bytes } == asset.dropped.bytes)
      }
    }
  }

  @Test("kept and dropped bytes add up to all bytes") func sumsAddUp() throws {
    var generator = SeededGenerator.forTest(0xC4A6)
    for round in 0..<10 {
      let full =
        round < 6
        ? try sources(&generator, generator.pick(1...12)).compiled().bytes
        : try archive(of: generator.assets(12))
      for device in [generator.device(), try #require(Device(named: "iPhone15,2"))] {
        try checkSums(full, for: device, generator)
      }
    }
  }

  @Test("the items of a difference add up to it") func differencesAddUp() throws {
    var generator = SeededGenerator.forTest(0xD1FF)
    for _ in 0..<6 {
      let old = try sources(&generator, generator.pick(1...9)).compiled().bytes
      let new = try sources(&generator, generator.pick(1...9)).compiled().bytes
      let found = try old.withUnsafeBytes { old in
        try new.withUnsafeBytes { new in
          try ArchiveDifference(from: old, to: new, devices: [])
        }
      }
      #expect(found.before.file == old.count && found.after.file == new.count)
      #expect(found.before.pictures == (try blocks(old)), "\(generator)")
      #expect(found.after.pictures == (try blocks(new)), "\(generator)")
      let before = found.renditions.reduce(found.unchanged.before) { $0 + $1.before }
      let after = found.renditions.reduce(found.unchanged.after) { $0 + $1.after }
      #expect(before == found.before.pictures && after == found.after.pictures)
      // The bytes of unchanged renditions are computed as a difference, which must not be negative.
      #expect(found.unchanged.before >= 0 && found.unchanged.after >= 0, "\(generator)")
      let text = found.text
      #expect(text.contains("file: ") && (found.isEmpty || text.contains("renditions: ")))
    }
  }

  @Test("a picture bears its share of the atlas by its area") func sharesAtlases() {
    func frame(_ x: UInt32, _ width: UInt32, _ height: UInt32, in atlas: Int) -> AtlasFrame {
      AtlasFrame((x, 0, width, height), in: atlas)
    }
    func shares(_ frames: KeyValuePairs<Int, AtlasFrame>, _ sizes: [Int: Int]) -> [Int: Int] {
      let links = frames.map { AtlasLink(entry: $0.key, frame: $0.value) }
      return Dictionary(
        Charges.shares(of: links) { sizes[$0] ?? 0 }.map { ($0.link, $0.bytes) },
        uniquingKeysWith: +)
    }
    let links: KeyValuePairs = [
      1: frame(0, 10, 10, in: 9), 2: frame(20, 10, 20, in: 9), 3: frame(0, 10, 10, in: 9),
      4: frame(0, 3, 3, in: 8), 5: frame(5, 3, 3, in: 8), 6: frame(9, 3, 3, in: 8),
    ]
    // Of two links to one frame, the first is charged. Bytes that cannot be divided equally stay in
    // their atlas.
    #expect(shares(links, [9: 301, 8: 100]) == [1: 100, 2: 201, 3: 0, 4: 33, 5: 33, 6: 34])
    #expect(shares([1: frame(0, 0, 5, in: 9), 2: frame(1, 5, 0, in: 9)], [9: 7]) == [1: 3, 2: 4])
    let immense: KeyValuePairs = [1: frame(0, .max, .max, in: 9), 2: frame(1, .max, .max, in: 9)]
    #expect(shares(immense, [9: .max]).values.reduce(0, +) == .max)
  }

  @Test("a budget of an asset holds the pixels in atlases too") func gatesPackedPictures() throws {
    var generator = SeededGenerator(seed: 3)
    var sources = SampleSources()
    for name in ["Noise", "Dot"] {
      let side = name == "Dot" ? 2 : 30
      sources.add(
        "\(name).imageset/Contents.json", #"{"images":[{"filename":"a.png","scale":"2x"}]}"#)
      sources.files["A.xcassets/\(name).imageset/a.png"] = .bytes(
        png(
          width: side, height: side, color: .rgba,
          samples: generator.bytes(side * side).flatMap { [$0, $0 &* 3, $0 &* 7, 255] }))
    }
    let bytes = try sources.compiled().bytes
    let device = try #require(Device(named: "iPhone8,1"))
    let (report, opened) = try bytes.withUnsafeBytes { file in
      var thinner = try Thinner(file)
      let target = ThinningTarget([try thinner.reach(of: device)])
      let plan = try thinner.plan(thinner.decide(for: target))
      return (try thinner.report(plan, for: target), thinner.opened.inventory.atlases.count)
    }
    #expect(opened == 1)
    let noise = try #require(report.devices[0].assets.first { $0.name == "Noise" })
    // Nine hundred pixels of noise need more bytes than the link to them.
    #expect(noise.kept.bytes > 900)
    let budget = try SizeBudget(
      json: Array(#"{"assets":{"Noise":900,"Dot":900}}"#.utf8), file: "b.json")
    #expect(budget.uses(in: report).filter(\.isExceeded).map(\.subject) == [.asset("Noise")])
  }
}
