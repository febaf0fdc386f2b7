// Tests the properties of thinning on random catalogues: it is sound, minimal and idempotent, the
// result for several devices is the union of their results, and equal devices get equal bytes. The
// naive oracle finds the winners, not the rule.

import Archive
import Support
import Testing
import Traits

@testable import ArchiveTools

@Suite("Thinning") struct ThinningPropertyTests {
  @Test("a device keeps exactly what the naive walk shows somewhere in its reach")
  func keepsExactlyTheWinners() throws {
    var generator = SeededGenerator.forTest(0x7411)
    for _ in 0..<30 {
      let device = generator.device()
      let signatures = (0..<6).map { _ in Signature(generator.keys()) }
      let reach = try Reach(of: device)
      var decider = Decider(signatures)
      let decision = decider.decide { reach.environments(distinguishedBy: $0.keys) }
      for (signature, kept) in zip(signatures, decision.kept) {
        var wins = [Bool](repeating: false, count: signature.keys.count)
        for environment in reach.environments(distinguishedBy: signature.keys) {
          let full = oracleWinner(among: signature.keys, in: environment)
          if let full { wins[full] = true }
          let left = signature.keys.indices.filter { kept[$0] }
          let after = oracleWinner(among: left.map { signature.keys[$0] }, in: environment)
          #expect(after.map { left[$0] } == full, "\(generator) \(device.identifier)")
        }
        #expect(wins == kept, "\(generator) \(device.identifier) \(signature.keys)")
      }
    }
  }

  @Test("the written archive is proved, and thinning it again changes no byte")
  func isProvedAndIdempotent() throws {
    var generator = SeededGenerator.forTest(0x1DE3)
    for _ in 0..<8 {
      let devices = [generator.device(), generator.device()]
      let full = try archive(of: generator.assets(12))
      let once = try thinned(full, for: devices)
      let proof = try proof(full, once, for: devices)
      #expect(proof.counterExample == nil, "\(generator)")
      #expect(try thinned(once, for: devices) == once, "\(generator)")
    }
  }

  @Test("thinning for two devices keeps what thinning for either keeps, and nothing else")
  func obeysTheUnionLaw() throws {
    var generator = SeededGenerator.forTest(0x0217)
    for _ in 0..<10 {
      let full = try archive(of: generator.assets(10))
      let devices = (generator.device(), generator.device())
      let first = try keys(of: thinned(full, for: [devices.0]))
      let second = try keys(of: thinned(full, for: [devices.1]))
      let both = try keys(of: thinned(full, for: [devices.0, devices.1]))
      #expect(both == first.union(second), "\(generator)")
    }
  }

  @Test("devices that keep the same get the same bytes, and all others get others")
  func equalDevicesGetEqualBytes() throws {
    var generator = SeededGenerator.forTest(0xE9A1)
    let full = try archive(of: generator.assets(15))
    try full.withUnsafeBytes { file in
      var thinner = try Thinner(file)
      var reaches: [(device: Device, reach: Reach)] = []
      for device in allDevices { reaches.append((device, try thinner.reach(of: device))) }
      let groups = thinner.groups(of: reaches)
      #expect(groups.flatMap(\.devices).count == allDevices.count)
      #expect(groups.count > 1)
      var seen: Set<[UInt8]> = []
      for group in groups {
        let bytes = try thinned(full, for: [try #require(group.devices.last)])
        #expect(seen.insert(bytes).inserted, "\(generator) \(group.fileName)")
        #expect(
          try thinned(full, for: [try #require(group.devices.first)]) == bytes, "\(generator)")
      }
    }
  }

  @Test("equal reaches are decided once, however many devices share them")
  func decidesOncePerReach() throws {
    var generator = SeededGenerator.forTest(0xD3C1)
    let signatures = (0..<5).map { _ in Signature(generator.keys()) }
    var decider = Decider(signatures)
    let reach = try Reach(of: generator.device())
    let first = decider.decide { reach.environments(distinguishedBy: $0.keys) }
    let count = decider.decisionCount
    #expect(count <= signatures.count)
    #expect(decider.decide { reach.environments(distinguishedBy: $0.keys) } == first)
    #expect(decider.decisionCount == count)
  }

  @Test("the order of the renditions in the file makes no difference to what is kept")
  func orderMakesNoDifference() throws {
    var generator = SeededGenerator.forTest(0x0FDE)
    let assets = generator.assets(10)
    let device = generator.device()
    let plain = try keys(of: thinned(archive(of: assets), for: [device]))
    let reversed = assets.reversed().map { asset in
      RandomAsset(name: asset.name, kind: asset.kind, keys: asset.keys.reversed())
    }
    #expect(try keys(of: thinned(archive(of: reversed), for: [device])) == plain, "\(generator)")
  }
}

/// Returns the keys of all renditions.
private func keys(of bytes: [UInt8]) throws -> Set<RenditionKey> {
  try bytes.withUnsafeBytes { Set(try Archive($0).renditions().map(\.key)) }
}
