// A proof that cannot fail proves nothing. Therefore each way in which a thinned archive can be
// wrong is tested.

import Archive
import Support
import Testing
import Traits

@testable import ArchiveTools

@Suite("Proofs") struct ProofTests {
  private let phone = Device(named: "iPhone8,1")

  private func key(
    scale: UInt8 = 2, _ change: (inout VariantKey) -> Void = { _ in }
  ) -> VariantKey {
    var key = VariantKey()
    key.scale = scale
    change(&key)
    return key
  }

  private var assets: [RandomAsset] {
    [
      RandomAsset(name: "Star", kind: .image, keys: [key(scale: 1), key(), key(scale: 3)]),
      RandomAsset(
        name: "Moon", kind: .image,
        keys: [key(), key { $0.style = .dark }, key { $0.idiom = .pad }]),
    ]
  }

  /// Returns the counter-example against an archive that does not have the right variants.
  private func counterExample(_ left: [RandomAsset]) throws -> CounterExample? {
    let device = try #require(phone)
    return try proof(archive(of: assets), archive(of: left), for: [device]).counterExample
  }

  @Test("the right archive is proved, with its counts")
  func provesTheRightOne() throws {
    let device = try #require(phone)
    let full = try archive(of: assets)
    let proof = try proof(full, thinned(full, for: [device]), for: [device])
    #expect(proof.holds)
    #expect(proof.assetCount == 2)
    #expect(proof.variantCount == 3)
    #expect(proof.answerCount >= 3)
  }

  @Test("a variant that is missing is found with the environment that needs it")
  func findsMissingVariants() throws {
    var left = assets
    left[0].keys = [key()]
    left[1].keys = [key()]
    guard case .answer(let asset, let traits, let full, let thinned) = try counterExample(left)
    else {
      Issue.record("no counter-example")
      return
    }
    #expect(asset == "Moon")
    #expect(try Environment(traits: traits).style == .dark)
    #expect(full?.style == .dark)
    #expect(thinned?.style == .any)
    #expect("\(try #require(try counterExample(left)))".contains("style=dark"))
  }

  @Test("a name that is gone is found")
  func findsMissingNames() throws {
    var left = assets
    left[1].keys = [key(), key { $0.style = .dark }]
    left.removeFirst()
    guard case .answer("Star", _, _, nil) = try counterExample(left) else {
      Issue.record("no counter-example")
      return
    }
  }

  @Test("a variant that nothing needs is found")
  func findsUnneededVariants() throws {
    var left = assets
    left[0].keys = [key(), key(scale: 3)]
    left[1].keys = [key(), key { $0.style = .dark }]
    #expect(try counterExample(left) == .unneeded(asset: "Star", key(scale: 3)))
  }

  @Test("contents that changed under their key are found")
  func findsChangedContents() throws {
    let device = try #require(phone)
    let full = try archive(of: assets)
    var other = try thinned(full, for: [device])
    // The name in the block of the rendition: "Star.1".
    let place = try #require(other.indices.first { other[$0...].starts(with: "Star.1".utf8) })
    other[place + 5] = UInt8(ascii: "9")
    let found = try proof(full, other, for: [device]).counterExample
    #expect(found == .contents(asset: "Star", key()))
  }

  @Test("a rendition that the full archive lacks is found")
  func findsForeignRenditions() throws {
    var left = assets
    left[0].keys = [key()]
    left[1].keys = [key(), key { $0.style = .dark }]
    left.append(RandomAsset(name: "Comet", kind: .image, keys: [key()]))
    #expect(try counterExample(left) == .foreign(asset: "Comet"))
  }
}
