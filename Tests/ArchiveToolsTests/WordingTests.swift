// The words of the reports of thinning and comparing: units, shares, kinds, and texts that must not
// become markup.

import Archive
import Bytes
import CatalogCompiler
import Documents
import Support
import Testing
import Traits

@testable import ArchiveTools

@Suite struct WordingTests {
  // MARK: Variants

  private func key(_ change: (inout VariantKey) -> Void) -> VariantKey {
    var key = VariantKey()
    key.scale = 2
    change(&key)
    return key
  }

  /// Every axis has words, both for a key that constrains it and for a key that does not.
  @Test func everyAxisHasWords() {
    let wanting = key {
      $0.style = .dark
      $0.contrast = .high
      $0.locale = 7
      $0.memory = 4
      $0.subtype = 2436
      $0.graphics = .apple5
      $0.osGeneration = Platform.iOS.generation(of: OSVersion(13))
      $0.direction = .rightToLeft
      $0.gamut = .p3
      $0.idiom = .pad
      $0.width = .compact
      $0.height = .regular
    }
    let rows: [(Axis, String, String)] = [
      (.style, "dark style", "any style"), (.contrast, "high contrast", "normal contrast"),
      (.language, "language de", "no language"), (.memory, "4 GB of memory", "any memory"),
      (.subtype, "display subtype 2436", "any display"),
      (.graphics, "\(GraphicsClass.apple5.name) graphics", "any graphics"),
      (.scale, "2x", "2x"), (.os, "iOS 13.0 and its season", "any system"),
      (.direction, "direction \(Direction.rightToLeft.name)", "any direction"),
      (.gamut, "\(Gamut.p3.name) gamut", "\(Gamut.sRGB.name) gamut"),
      (.idiom, "\(Idiom.pad.name) idiom", "\(Idiom.universal.name) idiom"),
      (.width, "compact width", "any width"), (.height, "regular height", "any height"),
    ]
    for (axis, words, plain) in rows {
      let found = wanting.description(on: axis, language: "de", platform: .iOS)
      #expect(found == words || axis == .os && found.hasPrefix("iOS 13"), "\(axis): \(found)")
      let free = key { _ in }.description(on: axis, language: nil, platform: .iOS)
      #expect(free == plain, "\(axis)")
    }
    let vector = key { $0.scale = 0 }
    #expect(vector.description(on: .scale, language: nil, platform: .iOS) == "a vector")
    let mac = wanting.description(on: .os, language: nil, platform: .macOS)
    #expect(mac == "macOS 10.15 and its season")
  }

  // MARK: Reasons

  /// The reason is the weakest of the axes on which the variant is beaten.
  @Test func theReasonIsTheAxisThatCameNearest() {
    let plain = key { _ in }
    let dark = key { $0.style = .dark }
    let pad = key { $0.idiom = .pad }
    var environments: [Environment] = []
    for style in [Style.light, .dark] {
      var environment = Environment()
      environment.idiom = .pad
      environment.scale = 2
      environment.style = style
      environments.append(environment)
    }
    let signature = Signature([plain, dark, pad])
    let reason = signature.dropReason(
      of: signature.keys.firstIndex(of: plain) ?? 0, over: environments)
    // On an iPad in light style the picture for iPads wins; in dark style the dark picture wins,
    // because style is stronger than idiom.
    #expect(reason == DropReason(axis: .idiom, cause: .beaten(by: pad)))
    let phone = signature.dropReason(
      of: signature.keys.firstIndex(of: pad) ?? 0,
      over: [Environment()])
    #expect(phone.axis == .idiom && phone.cause == .unreachable)
  }

  // MARK: Reports

  @Test func savingsHaveATenthOfAPercent() {
    var report = ThinningReport()
    var savings = DeviceSavings(identifier: "iPad5,3", name: "iPad Air 2", platform: .iPadOS)
    savings.kept = Amount(3, bytes: 8766)
    savings.dropped = Amount(1, bytes: 1234)
    report.devices = [savings]
    #expect(report.text.contains(" 12.3 %\n"), "\(report.text)")
    #expect(report.text.contains("8,766") && report.text.contains("1,234"))
  }

  private func change(_ change: RenditionDifference.Change, _ asset: String) -> RenditionDifference
  {
    var difference = RenditionDifference(asset: ByteString(asset), variant: "2x", change: change)
    difference.before = change == .added ? 0 : 1000
    difference.after = change == .removed ? 0 : 2500
    return difference
  }

  /// An added rendition is listed with its new bytes, a removed one with its old bytes.
  @Test func changesSayTheirBytes() {
    #expect(change(.added, "A").sizes == "2,500 bytes" && change(.added, "A").sign == "+")
    #expect(change(.removed, "A").sizes == "1,000 bytes" && change(.removed, "A").sign == "-")
    #expect(change(.changed, "A").sizes == "1,000 → 2,500 bytes (+1,500)")
    #expect(ArchiveDifference.sizes(2500, 1000) == "2,500 → 1,000 bytes (-1,500)")
    #expect(ArchiveDifference.sizes(7, 7) == "7 bytes")
  }

  /// The names contain characters that have a meaning in a markdown table.
  @Test func namesAreNoMarkdown() {
    var difference = ArchiveDifference()
    difference.renditions = [change(.added, "a|b*c_d<e>`f\\g")]
    let row = difference.markdown.split(separator: "\n").first { $0.hasPrefix("| + |") }
    #expect(row == #"| + | a\|b\*c\_d\<e\>\`f\\g | 2x |  | 2,500 bytes |"#)
    #expect(difference.text.contains("  + a|b*c_d<e>`f\\g (2x), 2,500 bytes\n"))
  }

  /// Different parts of one name have different words.
  @Test(arguments: [(1, "flattened"), (2, "radiosity")]) func partsOfStacksHaveWords(
    count: Int, word: String
  ) throws {
    func stack(_ red: UInt8, layers: Int) -> SampleSources {
      var sources = SampleSources()
      sources.add("P.imagestack/Contents.json", #"{"layers":[{"filename":"F.imagestacklayer"}]}"#)
      sources.add("P.imagestack/F.imagestacklayer/Contents.json", "{}")
      sources.add(
        "P.imagestack/F.imagestacklayer/Content.imageset/Contents.json",
        #"{"images":[{"idiom":"tv","scale":"1x","filename":"a.png"}]}"#)
      sources.files["A.xcassets/P.imagestack/F.imagestacklayer/Content.imageset/a.png"] = .bytes(
        png(width: 20, height: 20 * layers, red: red))
      return sources
    }
    func bytes(_ sources: SampleSources) throws -> [UInt8] {
      try sources.compiled { $0.target.platform = .tvOS }.bytes
    }
    let (old, new) = (try bytes(stack(9, layers: 1)), try bytes(stack(99, layers: count)))
    let found = try old.withUnsafeBytes { old in
      try new.withUnsafeBytes { try ArchiveDifference(from: old, to: $0, devices: []) }
    }
    let changed = found.renditions.filter { $0.asset == "P" }.map(\.variant)
    #expect(changed.contains { $0.hasSuffix(", \(word)") }, "\(changed)")
    #expect(changed.contains { $0.hasSuffix(", radiosity") } == (count == 2), "\(changed)")
  }
}
