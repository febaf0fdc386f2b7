// Edits archives and compares what must not change: the blocks that no operation names, byte for
// byte and in their order; the tables that stay; the answers of the rule.

import Archive
import Bytes
import Support
import Testing
import Traits

@testable import ArchiveTools

/// Edits an archive, and returns its new bytes and the proof.
func edited(
  _ bytes: [UInt8], writesIndex: Bool? = nil, _ change: (inout ArchiveEditor) throws -> Void
) throws -> (bytes: [UInt8], proof: EditProof) {
  try bytes.withUnsafeBytes { before in
    var editor = try ArchiveEditor(before)
    try change(&editor)
    try editor.finish()
    let new = try editor.bytes(writesIndex: writesIndex)
    let proof = try new.withUnsafeBytes { try editor.proof(before: before, after: $0) }
    return (new, proof)
  }
}

/// The blocks of the renditions, in the order in which they lie.
func blocksAsTheyLie(_ bytes: [UInt8]) throws -> [(key: RenditionKey, block: [UInt8])] {
  try bytes.withUnsafeBytes { file in
    let archive = try Archive(file)
    let entries = try archive.renditions().sorted {
      ($0.range.lowerBound, $0.block) < ($1.range.lowerBound, $1.block)
    }
    return entries.map { ($0.key, Array(file[$0.range])) }
  }
}

/// Returns whether an archive violates no more rules than the one that it was made of. The blocks
/// of random archives have no payloads.
private func isSound(_ bytes: [UInt8], like old: [UInt8]) -> Bool {
  func count(_ bytes: [UInt8]) -> Int { bytes.withUnsafeBytes { Archive.validate($0).count } }
  return count(bytes) <= count(old)
}

@Suite("Edits") struct EditingTests {
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
      RandomAsset(name: "Moon", kind: .image, keys: [key(), key { $0.style = .dark }]),
      RandomAsset(name: "Tint", kind: .color, keys: [key(scale: 1)]),
    ]
  }

  @Test func `an edit that changes nothing gives the same bytes`() throws {
    let bytes = try archive(of: assets)
    #expect(try edited(bytes) { _ in }.bytes == bytes)
    let renamed = try edited(bytes) {
      try $0.rename("Star", to: "Sun")
      try $0.rename("Sun", to: "Star")
    }
    #expect(renamed.bytes == bytes)
  }

  @Test(.timeLimit(.minutes(1)))
  func `the time of a change does not grow with the archive`() throws {
    let names = (0..<20_000).map { "Name\($0)" as ByteString }
    let bytes = try archive(
      of: names.map { RandomAsset(name: $0, kind: .color, keys: [key(scale: 1)]) })
    let (new, proof) = try edited(bytes) { editor in
      for name in names.dropLast(10_000) { try editor.rename(name, to: "New\(name)") }
      for name in names.suffix(10_000) { try editor.remove(name) }
    }
    let left = try new.withUnsafeBytes { try Archive($0).facets().count }
    #expect(proof.holds && left == 10_000)
  }

  @Test func `a name that is renamed keeps its renditions and all blocks`() throws {
    let bytes = try archive(of: assets)
    let (new, proof) = try edited(bytes) { try $0.rename("Star", to: "Sun") }
    #expect(proof.holds && proof.changedCount == 0)
    #expect(isSound(new, like: bytes))
    let (old, after) = (try blocksAsTheyLie(bytes), try blocksAsTheyLie(new))
    #expect(old.map(\.key) == after.map(\.key) && old.map(\.block) == after.map(\.block))
    let names = try new.withUnsafeBytes { try Archive($0).facets().map(\.name) }
    #expect(names == ["Moon", "Sun", "Tint"])
  }

  @Test func `an asset that is removed is gone, and nothing else`() throws {
    let bytes = try archive(of: assets)
    let (new, proof) = try edited(bytes) { try $0.remove("Moon") }
    #expect(proof.holds && proof.changedCount > 0)
    #expect(isSound(new, like: bytes))
    let moon = nameIdentifier("Moon".utf8)
    let left = try blocksAsTheyLie(bytes).filter { $0.key.identifier != moon }
    let after = try blocksAsTheyLie(new)
    #expect(left.map(\.key) == after.map(\.key) && left.map(\.block) == after.map(\.block))
  }

  @Test(arguments: 0..<40) func `random edits leave the other blocks alone`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let bytes = try archive(of: random.assets(12))
    let removed = ByteString("Asset \(Int.random(in: 0..<12, using: &random))")
    let renamed = ByteString("Asset \(Int.random(in: 0..<12, using: &random))")
    let (new, proof) = try edited(bytes) {
      if renamed != removed { try $0.rename(renamed, to: "Other") }
      try $0.remove(removed)
    }
    #expect(proof.holds, "\(proof.text)")
    #expect(isSound(new, like: bytes))
    let identifier = try bytes.withUnsafeBytes {
      try Archive($0).facets().first { $0.name == removed }?.identifier
    }
    let left = try blocksAsTheyLie(bytes).filter { $0.key.identifier != identifier }
    let after = try blocksAsTheyLie(new)
    #expect(left.map(\.key) == after.map(\.key) && left.map(\.block) == after.map(\.block))
  }

  @Test func `thinning an edited archive equals editing a thinned one`() throws {
    let device = try #require(Device(named: "iPhone8,1"))
    let bytes = try archive(of: assets)
    func change(_ editor: inout ArchiveEditor) throws {
      try editor.rename("Star", to: "Sun")
      try editor.remove("Moon")
    }
    let one = try thinned(edited(bytes, change).bytes, for: [device])
    let other = try edited(thinned(bytes, for: [device]), change).bytes
    #expect(try thinned(other, for: [device]) == one)
  }

  @Test func `the index is made anew`() throws {
    let bytes = try edited(archive(of: assets), writesIndex: true) { _ in }.bytes
    func hasIndex(_ bytes: [UInt8]) throws -> Bool {
      try bytes.withUnsafeBytes { IndexIdentity.index(in: try Archive($0).store) != nil }
    }
    #expect(try hasIndex(bytes))
    let renamed = try edited(bytes) { try $0.rename("Star", to: "Sun") }.bytes
    #expect(try hasIndex(renamed) && isSound(renamed, like: bytes))
    let without = try edited(bytes, writesIndex: false) { _ in }.bytes
    #expect(try !hasIndex(without) && isSound(without, like: bytes))
  }

  @Test func `many edits do not make the block index grow`() throws {
    var bytes = try archive(of: assets)
    var lengths: Set<Int> = []
    for number in 0..<300 {
      let names: (ByteString, ByteString) =
        number % 2 == 0 ? ("Star", "Stella") : ("Stella", "Star")
      bytes = try edited(bytes) { try $0.rename(names.0, to: names.1) }.bytes
      if number % 2 == 1 { lengths.insert(bytes.count) }
    }
    #expect(try lengths.count <= 2 && isSound(bytes, like: archive(of: assets)))
  }

  // MARK: Refusals

  private func refusal(_ change: (inout ArchiveEditor) throws -> Void) throws -> String {
    do {
      _ = try edited(archive(of: assets), change)
      return "no refusal"
    } catch let error as EditError {
      return "\(error)"
    }
  }

  @Test func `impossible edits are refused with their reason`() throws {
    #expect(
      try refusal { try $0.remove("Sta") } == "there is no asset 'Sta'; did you mean 'Star'?")
    #expect(
      try refusal { try $0.rename("Star", to: "Moon") }
        == "'Star' cannot become 'Moon': that name is in use")
    #expect(
      try refusal {
        try $0.recolor("Star", to: ColorPayload(space: .sRGB, components: [0, 0, 0, 1]))
      }
        == "'Star' is not a colour")
    let dark = try VariantChoice("style=dark")
    #expect(
      try refusal { _ = try $0.renditions(of: "Star", dark) }
        == "'Star' has no variant with style=dark; it has 1x; 2x; 3x")
  }

  // MARK: Proof

  /// Returns the proof of an edit that also makes a change that the intent does not name.
  private func proofOfFault(
    _ plant: (inout ArchiveEdit) throws -> Void
  ) throws -> EditProof {
    try archive(of: assets).withUnsafeBytes { before in
      var editor = try ArchiveEditor(before)
      try editor.rename("Tint", to: "Accent")
      try plant(&editor.edit)
      let new = try editor.bytes()
      return try new.withUnsafeBytes { try editor.proof(before: before, after: $0) }
    }
  }

  @Test func `the proof finds faults that are planted`() throws {
    let contents = try proofOfFault { edit in
      var block = try edit.withBytes(of: edit.renditions[0].block) { Array($0.buffer) }
      block[40] ^= 1
      try edit.replace([0], with: block)
    }
    guard case .contents = contents.counterExample else {
      Issue.record("\(contents.text)")
      return
    }
    let gone = try proofOfFault { edit in
      edit.removeRendition(at: 0)
    }
    guard case .missing = gone.counterExample else {
      Issue.record("\(gone.text)")
      return
    }
    let name = try proofOfFault { $0.renameFacet(at: 0, to: "Luna") }
    #expect(name.counterExample == .name("Luna") || name.counterExample == .name("Moon"))
    let foreign = try proofOfFault { edit in
      var key = edit.renditions[0].key
      key[.idiom] = 2
      edit.add(key, in: edit.renditions[0].block)
    }
    guard case .foreign = foreign.counterExample else {
      Issue.record("\(foreign.text)")
      return
    }
    #expect(try proofOfFault { _ in }.holds)
  }

  // MARK: Merging

  @Test func `assets of another archive are added, and the first names win`() throws {
    let first = try archive(of: assets)
    let second = try archive(
      of: [
        RandomAsset(name: "Moon", kind: .image, keys: [key(scale: 3)]),
        RandomAsset(name: "Comet", kind: .image, keys: [key(), key { $0.contrast = .high }]),
      ])
    var clashes: [ByteString] = []
    let (new, proof) = try second.withUnsafeBytes { other in
      try edited(first) { clashes = try $0.merge(other).clashes }
    }
    #expect(clashes == ["Moon"])
    #expect(proof.holds && new.count < first.count + second.count)
    let before = try blocksAsTheyLie(first)
    let after = try blocksAsTheyLie(new)
    #expect(after.prefix(before.count).map(\.block) == before.map(\.block))
    #expect(after.count == before.count + 2)
    let names = try new.withUnsafeBytes { try Archive($0).facets().map(\.name) }
    #expect(names == ["Comet", "Moon", "Star", "Tint"])
  }

  @Test(arguments: 0..<20) func `merged names answer as in their archives`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let first = try archive(of: random.assets(9))
    var others = random.assets(9)
    for place in others.indices { others[place].name = "Added \(place)" }
    let second = try archive(of: others)
    let (new, proof) = try second.withUnsafeBytes { other in
      try edited(first) { _ = try $0.merge(other) }
    }
    #expect(proof.holds)
    // Without the first names, the archive shows what the second one shows.
    let only = try edited(new) { editor in
      for place in 0..<9 { try editor.remove("Asset \(place)") }
    }.bytes
    let difference = try second.withUnsafeBytes { before in
      try only.withUnsafeBytes { try ArchiveDifference(from: before, to: $0, devices: []) }
    }
    #expect(difference.isEmpty, "\(difference.text)")
  }

  // MARK: Damage

  @Test func `a damaged rendition stays, and an edit that names it is refused`() throws {
    var bytes = try archive(of: assets)
    let star = nameIdentifier("Star".utf8)
    let range = try bytes.withUnsafeBytes { file in
      try Archive(file).renditions().first { $0.key.identifier == star }?.range
    }
    let start = try #require(range?.lowerBound)
    bytes[start] = 0
    let (new, proof) = try edited(bytes) { try $0.rename("Moon", to: "Luna") }
    #expect(proof.holds)
    #expect(
      try blocksAsTheyLie(new).map(\.block) == blocksAsTheyLie(bytes).map(\.block))
    #expect(throws: EditError.self) {
      _ = try edited(bytes) { _ = try $0.renditions(of: "Star") }
    }
    // It can be removed.
    let removed = try edited(bytes) { try $0.remove("Star") }
    #expect(removed.proof.holds && isSound(removed.bytes, like: bytes))
  }
}

@Suite("Colours as text") struct ColorTextTests {
  private static let colors: [(String, ColorSpaceID, [Double])] = [
    ("#FF8000", ColorSpaceID.sRGB, [1, 128.0 / 255, 0, 1]),
    ("#ff800080", .sRGB, [1, 128.0 / 255, 0, 128.0 / 255]),
    ("display-p3(1, 0.5, 0)", .displayP3, [1, 0.5, 0, 1]),
    ("extended-srgb(1.5,-0.25,0,0.5)", .extendedSRGB, [1.5, -0.25, 0, 0.5]),
    ("gray-gamma-22(0.25)", .grayGamma22, [0.25, 1]),
  ]

  @Test(arguments: colors)
  func reads(text: String, space: ColorSpaceID, components: [Double]) {
    #expect(ColorPayload(text: text) == ColorPayload(space: space, components: components))
  }

  @Test(arguments: [
    "", "#", "#FFF", "#GG0000", "#+10000", "red", "srgb(1,2,3)", "display-p3(1,0)", "p3(1,0,0)",
    "srgb(1,0,0", "srgb(nan,0,0)", "gray-gamma-22(1,1,1)",
  ]) func refuses(text: String) { #expect(ColorPayload(text: text) == nil) }
}
