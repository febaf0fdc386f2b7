// Tests `carve edit` with only --remove: the archive, the report, and names that cannot be removed.

import Foundation
import Support
import Testing

@Suite struct EditCommandTests {
  private let folder: TemporaryDirectory

  /// Makes an archive of the pictures Device, Moon and Rocket.
  init() throws {
    folder = try TemporaryDirectory()
    let result = try runTool(
      ["compile", "Scales.xcassets", "-o", folder.path("old.car")], in: sampleCatalogs)
    try #require(result.code == 0, "\(result.stderr)")
  }

  private func removing(_ names: [String], _ words: String...) throws -> ToolResult {
    try runTool(
      ["edit", "old.car", "-o", "new.car"] + names.flatMap { ["--remove", $0] } + words,
      in: folder.path)
  }

  /// The renditions in an archive except for those of some names, with the digests of their blocks.
  private func renditions(_ archive: String, without names: Set<String> = []) throws -> [NSObject] {
    let result = try runTool(["info", archive, "--json"], in: folder.path)
    try #require(result.code == 0, "\(result.stderr)")
    let rows = try JSONSerialization.jsonObject(with: Data(result.output)) as? [[String: NSObject]]
    return try #require(rows).dropFirst().filter { row in
      !names.contains { row["Name"]?.isEqual($0) == true }
    } as [NSDictionary]
  }

  @Test func removedNamesAreGoneAndTheOthersStay() throws {
    let names = ["Moon", "Device"]
    let result = try removing(names)
    #expect(result.code == 0 && result.stderr.isEmpty, "\(result.stderr)")
    #expect(try renditions("new.car") == renditions("old.car", without: Set(names)))
    let lines = result.stdout.split(separator: "\n").map(String.init)
    #expect(
      lines.prefix(4) == ["names: 2 removed", "  - Device", "  - Moon", "renditions: 7 removed"])
    #expect(lines.filter { $0.hasPrefix("  - Moon (") }.count == 2)
    #expect(lines.last?.hasSuffix(" differ, as asked for") == true, "\(result.stdout)")
    let checked = try runTool(["validate", "new.car"], in: folder.path)
    #expect(checked.code == 0, "\(checked.stdout)")
  }

  @Test func removedNamesAreListedAsJSON() throws {
    let result = try removing(["Moon"], "--json")
    let object = try JSONSerialization.jsonObject(with: Data(result.output)) as? [String: Any]
    let lists = object?["names"] as? [String: [String]]
    #expect(lists == ["added": [], "removed": ["Moon"]], "\(result.stdout)")
    let changes = try #require(object?["renditions"] as? [[String: Any]])
    #expect(changes.map { $0["asset"] as? String } == ["Moon", "Moon"])
    #expect(changes.allSatisfy { $0["change"] as? String == "removed" })
  }

  @Test func everyNameOfAnArchiveCanBeRemoved() throws {
    let result = try removing(["Rocket", "Moon", "Device"])
    #expect(result.code == 0, "\(result.stderr)")
    #expect(try renditions("new.car").isEmpty)
  }

  /// No archive is written for a wrong name, even if others could be removed.
  @Test(arguments: [
    (["Moon", "Rokcet"], "old.car: there is no asset 'Rokcet'; did you mean 'Rocket'?"),
    (["Moon", "Moon"], "old.car: an earlier operation removes 'Moon'"),
    (["ZZZZPackedAsset-1.0.0-gamut0"], "there is no asset 'ZZZZPackedAsset-1.0.0-gamut0'"),
  ])
  func aWrongNameIsRefused(names: [String], reason: String) throws {
    let result = try removing(names)
    #expect(result.code == 1 && result.stderr.contains(reason), "\(result.stderr)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("new.car")))
  }
}
