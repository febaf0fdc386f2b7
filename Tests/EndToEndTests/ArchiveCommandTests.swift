// Tests `carve info` and `carve validate` as scripts use them.

import Foundation
import Support
import Testing

@Suite struct ArchiveCommandTests {
  private func compiled(_ catalog: String, in place: TemporaryDirectory) throws -> String {
    let archive = place.path("Assets.car")
    let result = try runTool([
      "compile", "\(sampleCatalogs)/\(catalog).xcassets", "-o", archive, "--platform", "iphoneos",
      "--minimum-deployment-target", "15.0",
    ])
    try #require(result.code == 0, "\(result.stderr)")
    return archive
  }

  @Test func `info prints JSON with the spaces of assetutil`() throws {
    let place = try TemporaryDirectory()
    let result = try runTool(["info", "--json", try compiled("Scales", in: place)])
    #expect(result.code == 0)
    // Scripts search the text, so its spaces matter.
    #expect(result.stdout.contains(#""AssetType" : "Image""#))
  }

  @Test func `info refuses a word that is not a size`() throws {
    let place = try TemporaryDirectory()
    let archive = try compiled("SizeClasses", in: place)
    #expect(try runTool(["info", archive, "--min-size", "much"]).code == 2)
  }

  @Test(arguments: [["diff"], ["diff", "--markdown"], ["info"]])
  func namesDoNotCommandTheTerminal(command: [String]) throws {
    let folder = try TemporaryDirectory()
    try folder.copy(
      sampleCatalogs + "/Scales.xcassets/Rocket.imageset",
      to: "A.xcassets/a\u{1B}[31m\u{202E}b\nc.imageset")
    try folder.copy(sampleCatalogs + "/Scales.xcassets", to: "B.xcassets")
    let inputs = command[0] == "diff" ? ["A.xcassets", "B.xcassets"] : ["A.car"]
    try #require(
      try runTool(["compile", "A.xcassets", "-o", "A.car"], in: folder.path).code == 0)
    let result = try runTool(command + inputs, in: folder.path)
    #expect(result.code == 0, "\(result.stderr)")
    #expect(result.stdout.contains("[31m"))
    #expect(!result.stdout.unicodeScalars.contains { "\u{1B}\u{202E}".unicodeScalars.contains($0) })
    #expect(!result.stdout.split(separator: "\n").contains { $0.hasPrefix("c") })
  }

  /// An index of a later version of Carve is not used: the archive still works, and `validate` says
  /// why it is slower.
  @Test func anIndexOfAnotherVersionIsNamedAndDoneWithout() throws {
    let folder = try TemporaryDirectory()
    let words = ["compile", sampleCatalogs + "/Scales.xcassets", "-o", "a.car"]
    try #require(try runTool(words, in: folder.path).code == 0)
    var bytes = try folder.read("a.car")
    let start = try #require(bytes.lastIndex(of: Array("CARVEIDX".utf8)))
    #expect(bytes[start + 8] == 6)
    bytes[start + 8] = 9
    try folder.write(bytes, to: "a.car")
    let checked = try runTool(["validate", "a.car"], in: folder.path)
    #expect(checked.code == 1)
    #expect(
      checked.stderr
        == "carve validate: error: a.car: the index: it has version 9, but this Carve reads "
        + "only version 6; programs of this Carve build an index each time they open the "
        + "archive (offset \(start))\n"
    )
    let asked = try runTool(["resolve", "a.car", "Rocket", "--traits", "scale=2"], in: folder.path)
    #expect(asked.stdout == "rocket@2x.png (2x)\n")
  }

  @Test func `validate is silent about a sound archive and names the first fault of another`()
    throws
  {
    let place = try TemporaryDirectory()
    let archive = try compiled("Appearances", in: place)
    let sound = try runTool(["validate", archive])
    #expect(sound.code == 0)
    #expect(sound.output.isEmpty && sound.errors.isEmpty)

    let bytes = contents(ofFile: archive)
    try Data(bytes.prefix(bytes.count / 2)).write(to: URL(fileURLWithPath: archive))
    let cut = try runTool(["validate", archive])
    #expect(cut.code == 1)
    #expect(cut.stderr.contains("the block index needs"))
    #expect(cut.stderr.contains("(offset "))
    #expect(try runTool(["info", archive]).code == 1)

    let json = try runTool(["validate", "--json", archive])
    #expect(json.code == 1)
    #expect(json.stdout.contains(#""valid": false"#))
    #expect(try runTool(["validate", place.path("absent.car")]).code == 4)
  }
}

extension [UInt8] {
  /// Returns the last place at which these bytes begin.
  fileprivate func lastIndex(of sequence: [UInt8]) -> Int? {
    indices.dropLast(sequence.count - 1).last {
      self[$0..<$0 + sequence.count].elementsEqual(sequence)
    }
  }
}
