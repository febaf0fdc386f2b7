// Archives with false contents: thinning, its report and its proof end with a result or with an
// error.

import Archive
import Support
import Testing
import Traits

@testable import ArchiveTools
@testable import CatalogCompiler

@Suite("Thinning damaged archives") struct HostileArchiveTests {
  @Test("any bytes changed anywhere are survived")
  func survivesChangedBytes() throws {
    var generator = SeededGenerator.forTest(0xBAD5)
    var sources = SampleSources()
    for name in ["Star", "Moon", "Comet"] { sources.image(name) }
    let samples = [try sources.compiled().bytes, try archive(of: generator.assets(6))]
    let device = try #require(Device(named: "iPhone8,1"))
    var refused = 0
    var thinned = 0
    for round in 0..<160 {
      var bytes = samples[round % 2]
      for _ in 0..<generator.pick(1...6) {
        bytes[generator.pick(0...bytes.count - 1)] = UInt8(truncatingIfNeeded: generator.next())
      }
      if round % 5 == 0 { bytes.removeLast(generator.pick(1...bytes.count - 1)) }
      do {
        try thinEverything(bytes, for: device)
        thinned += 1
      } catch is ThinningError {
        refused += 1
      }
    }
    #expect(refused > 0 && thinned > 0, "\(generator)")
  }

  /// An asset whose variants name dozens of values on several axes would be compared in millions of
  /// combinations. Every operation that decides about combinations refuses it.
  @Test func refusesTooManyCombinations() throws {
    let keys = (1...40 as ClosedRange<UInt8>).map { number in
      var key = VariantKey()
      (key.memory, key.subtype) = (number, 1000 + UInt16(number))
      (key.locale, key.osGeneration) = (UInt16(number), number)
      return key
    }
    let bytes = try archive(of: [RandomAsset(name: "Star", kind: .image, keys: keys)])
    let device = try #require(Device(named: "iPhone8,1"))
    #expect(throws: ThinningError.self) { try thinEverything(bytes, for: device) }
    bytes.withUnsafeBytes { file in
      _ = #expect(throws: FormatError.self) {
        try EditProof(before: file, after: file, EditIntent())
      }
    }
  }

  /// Calls every operation that reads an archive.
  private func thinEverything(_ bytes: [UInt8], for device: Device) throws {
    try bytes.withUnsafeBytes { file in
      var thinner = try Thinner(file)
      let reach = try Reach(of: device)
      let target = ThinningTarget([reach])
      let plan = try thinner.plan(thinner.decide(for: target))
      _ = try thinner.report(plan, for: target).text
      _ = try ArchiveDifference(from: file, to: file, devices: [device])
      let written = try thinner.bytes(for: target)
      try written.withUnsafeBytes {
        _ = try Proof(full: thinner.opened, writtenTo: $0, target: target)
      }
    }
  }
}
