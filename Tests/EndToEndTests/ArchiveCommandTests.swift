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

  @Test func `info speaks assetutil's keys`() throws {
    let place = try TemporaryDirectory()
    let result = try runTool(["info", "--json", try compiled("Scales", in: place)])
    #expect(result.code == 0)
    let parsed = try JSONSerialization.jsonObject(with: Data(result.output))
    let objects = try #require(parsed as? [[String: Any]])
    let header = try #require(objects.first)
    #expect(header["StorageVersion"] as? Int == 17)
    #expect(header["Platform"] as? String == "ios")
    #expect((header["Key Format"] as? [String])?.contains("kCRThemeScaleName") == true)
    let images = objects.filter { $0["AssetType"] as? String == "Image" }
    #expect(!images.isEmpty)
    for image in images {
      for key in ["Name", "RenditionName", "Idiom", "Encoding", "ColorModel", "SHA1Digest"] {
        #expect(image[key] is String, "\(key)")
      }
      for key in ["PixelWidth", "PixelHeight", "Scale", "SizeOnDisk", "NameIdentifier"] {
        #expect(image[key] is Int, "\(key)")
      }
    }
    // Scripts search the text, so its spaces matter.
    #expect(result.stdout.contains(#""AssetType" : "Image""#))
  }

  @Test func `info prints a line for each rendition`() throws {
    let place = try TemporaryDirectory()
    let result = try runTool(["info", try compiled("Colors", in: place)])
    #expect(result.code == 0)
    let lines = result.stdout.split(separator: "\n", omittingEmptySubsequences: false)
    let counts = try #require(lines.dropFirst().first?.split(separator: " ").compactMap(number))
    let header = try #require(lines.firstIndex { $0.hasPrefix("NAME") })
    #expect(counts.count == 3)
    let rows = lines[(header + 1)...].filter { !$0.isEmpty }
    #expect(rows.count == counts[1] + 3)
    #expect(lines.allSatisfy { $0.hasSuffix(" ") == false })
    // Colours have their values, and the words are those of explain.
    #expect(rows.contains { $0.contains("Color") && $0.contains("  #") })
    // The sum of the parts is the whole.
    let bytes = rows.compactMap { $0.split(separator: " ").last.flatMap(number) }
    #expect(bytes.suffix(3).reduce(0, +) == counts[2])
    #expect(bytes.dropLast(3).reduce(0, +) == bytes[bytes.count - 3])
  }

  private func number(_ text: Substring) -> Int? { Int(text.filter { $0 != "," }) }

  @Test func `info shows what is asked for, in the words of explain`() throws {
    let place = try TemporaryDirectory()
    let dark = try compiled("Appearances", in: place)
    let all = try runTool(["info", dark]).stdout
    #expect(all.contains("2x, dark, high contrast ") && !all.contains("UIAppearance"))
    let archive = try compiled("SizeClasses", in: place)
    let named = try runTool(["info", archive, "--name", "STAR", "--kind", "image"])
    #expect(named.code == 0 && named.stdout.contains("\n6 of these "))
    let rows = named.stdout.split(separator: "\n").drop { !$0.hasPrefix("NAME") }.dropFirst()
    #expect(
      rows.dropLast().allSatisfy { $0.hasPrefix("Star ") } && rows.count == 7, "\(named.stdout)")
    let sorted = try runTool(["info", archive, "--sort", "bytes"]).stdout
    let bytes = sorted.split(separator: "\n").drop { !$0.hasPrefix("NAME") }.dropFirst().dropLast(3)
      .compactMap { $0.split(separator: " ").last.flatMap(number) }
    #expect(bytes.count > 2 && bytes == bytes.sorted(by: >))
    let large = try runTool(["info", archive, "--min-size", "1MB"])
    #expect(large.code == 0 && large.stdout.contains("0 of these"))
    #expect(try runTool(["info", archive, "--min-size", "much"]).code == 2)
    let json = try runTool(["info", "--json", archive, "--name", "star"])
    let objects = try JSONSerialization.jsonObject(with: Data(json.output)) as? [[String: Any]]
    #expect(objects?.dropFirst().allSatisfy { $0["Name"] as? String == "Star" } == true)
    #expect(objects?.count == 7)
  }

  /// An index of a later version of Carve is not used: the archive still works, and `validate` says
  /// why it is slower.
  @Test func anIndexOfAnotherVersionIsNamedAndDoneWithout() throws {
    let folder = try TemporaryDirectory()
    let words = ["compile", sampleCatalogs + "/Scales.xcassets", "-o", "a.car"]
    try #require(try runTool(words, in: folder.path).code == 0)
    var bytes = try folder.read("a.car")
    let start = try #require(bytes.lastIndex(of: Array("CARVEIDX".utf8)))
    #expect(bytes[start + 8] == 3)
    bytes[start + 8] = 9
    try folder.write(bytes, to: "a.car")
    let checked = try runTool(["validate", "a.car"], in: folder.path)
    #expect(checked.code == 1)
    #expect(
      checked.stderr
        == "carve validate: error: a.car: the index: it has version 9, and this Carve knows version 3; "
        + "its programs make one for themselves whenever they open the archive (offset \(start))\n")
    let asked = try runTool(["resolve", "a.car", "Rocket", "--traits", "scale=2"], in: folder.path)
    #expect(asked.stdout == "rocket@2x.png (2x, plain)\n")
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
