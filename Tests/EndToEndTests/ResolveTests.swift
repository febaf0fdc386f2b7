// Tests `carve resolve`, `explain` and `devices` as their users run them.

import Foundation
import Support
import Testing
@testable import Colors

@Suite struct ResolveTests {
  private let star = ["SizeClasses.xcassets", "Star"]
  private let half = ["--device", "iPad5,3", "--orientation", "landscape", "--window", "split-1/2"]

  private func carve(_ words: [String]) throws -> ToolResult {
    try runTool(words, in: sampleCatalogs)
  }

  @Test func theHalfOfAnIPadIsExplained() throws {
    let result = try carve(["explain"] + star + half)
    #expect(result.code == 0, "\(result.stderr)")
    golden(result.stdout, "explain-half.txt")
  }

  @Test func theExplanationIsAlsoForScripts() throws {
    let result = try carve(["explain"] + star + half + ["--json"])
    #expect(result.code == 0, "\(result.stderr)")
    golden(result.stdout, "explain-half.json")
  }

  @Test func everyWindowOfFourDevicesIsOneTable() throws {
    let table = ["--device", "iPad5,3,iPhone15,2,iPad16,5,AppleTV5,3", "--windows", "all"]
    let result = try carve(["explain"] + star + table)
    #expect(result.code == 0, "\(result.stderr)")
    golden(result.stdout, "explain-windows.txt")
    let lines = try carve(["explain"] + star + table + ["--json"]).stdout.split(separator: "\n")
    #expect(lines.count == result.stdout.split(separator: "\n").count - 1)
    for line in lines {
      #expect(try JSONSerialization.jsonObject(with: Data(line.utf8)) is [String: Any])
    }
  }

  @Test(arguments: [
    ["resolve", "Broken.xcassets", "Twice"], ["explain", "Broken.xcassets", "Twice"],
    ["transitions", "Broken.xcassets", "--device", "iPad5,3"],
  ])
  func anAnswerAboutACatalogueWithErrorsFails(_ words: [String]) throws {
    let result = try carve(words)
    #expect(result.code == 1 && result.stderr.contains("error: "), "\(result.stderr)")
  }

  /// The findings have any severity, and belong to the asset alone.
  @Test func theFindingsAboutTheAssetArePartOfTheExplanation() throws {
    let folder = try TemporaryDirectory()
    try folder.write(png(width: 4, height: 4, red: 9), to: "A.xcassets/A.imageset/a.png")
    try folder.write(png(width: 4, height: 4, red: 9), to: "A.xcassets/A.imageset/more.png")
    let images =
      #"{"images":[{"filename":"a.png","scale":"1x"},{"filename":"b.png","scale":"2x"}]}"#
    for name in ["A", "B"] {
      try folder.write(images, to: "A.xcassets/\(name).imageset/Contents.json")
    }
    try folder.write("{", to: "A.xcassets/Cut.imageset/Contents.json")
    let line = ["A.xcassets", "A", "--traits", "scale=2"]
    let text = try runTool(["explain"] + line, in: folder.path).stdout
    #expect(text.contains("\n\nfindings about 'A':\nA.xcassets/A.imageset/"))
    #expect(text.contains("[missing-file]") && text.contains("[unassigned-file]"))
    #expect(!text.contains("B.imageset") && !text.contains("Cut.imageset"))
    let json = try runTool(["explain"] + line + ["--json"], in: folder.path).stdout
    let answer = try #require(
      JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    let findings = try #require(answer["findings"] as? [[String: Any]])
    #expect(
      Set(findings.compactMap { $0["code"] as? String }) == ["missing-file", "unassigned-file"])
    let absent = try runTool(["explain", "A.xcassets", "Cut"], in: folder.path)
    #expect(absent.code == 1 && absent.stdout.contains("[json-syntax]"))
    #expect(try !runTool(["resolve"] + line, in: folder.path).stdout.contains("missing-file"))
    let silent = ["--no-warn", "missing-file,unassigned-file"]
    #expect(try !runTool(["explain"] + line + silent, in: folder.path).stdout.contains("findings"))
    let table = line.prefix(2) + ["--device", "iPhone8,1", "--windows", "all"]
    #expect(
      try runTool(["explain"] + table, in: folder.path).stdout.contains("[unassigned-file]"))
  }

  @Test func theAnswerIsThatOfTheContract() throws {
    let result = try carve(["resolve"] + star + half + ["--json"])
    #expect(result.code == 0, "\(result.stderr)")
    golden(result.stdout, "resolve-half.json")
  }

  @Test func theAnswersAboutSeveralDevicesNameThem() throws {
    for command in ["resolve", "explain"] {
      let result = try carve([command] + star + ["--device", "iPad5,3,iPhone15,2", "--json"])
      let lines = result.stdout.split(separator: "\n")
      #expect(lines.count == 2, "\(result.stderr)")
      for (line, device) in zip(lines, ["iPad5,3", "iPhone15,2"]) {
        #expect(line.hasPrefix(#"{"device":"\#(device)","asset":"Star","#))
      }
    }
  }

  @Test(arguments: [
    (["--device", "iPad5,33"], "did you mean 'iPad5,3', the iPad Air 2?"),
    (["--device", "iPad16,8", "--traits", "scale=2"], "give only one of them"),
    (["--batch", "requests"], "--batch reads names"),
  ])
  func contradictionsNameTheWayOut(_ words: [String], _ hint: String) throws {
    let result = try carve(["resolve"] + star + words)
    #expect(result.code == 2)
    #expect(result.stderr.contains(hint), "\(result.stderr)")
    #expect(result.stdout.isEmpty)
  }

  @Test func anUnknownTraitIsNamedOnlyWhereItMatters() throws {
    let words = ["--device", "iPad16,8"]
    let matters = try carve(["resolve", "WideGamut.xcassets", "Sunset"] + words)
    #expect(matters.code == 2)
    #expect(matters.stderr.contains("gamut can have several values or is not known"))
    #expect(try carve(["resolve"] + star + words).stdout.hasPrefix("star-any@2x.png "))
  }

  @Test func severalUnknownTraitsAreThePlural() throws {
    let result = try carve(["resolve"] + star + ["--device", "Mac"])
    #expect(result.code == 2)
    #expect(
      result.stderr.contains(
        "scale and width can have several values or are not known, and decide"),
      "\(result.stderr)")
  }

  @Test func filesThatAreMissingAreInputFailures() throws {
    #expect(try carve(["resolve", "Nowhere.xcassets", "Star"]).code == 4)
    #expect(try carve(["explain", "Nowhere.car", "Star"]).code == 4)
    let folder = try TemporaryDirectory()
    let text = try folder.write("no archive", to: "a.car")
    #expect(try runTool(["resolve", text, "Star"]).code == 1)
  }

  @Test func everyDeviceIsListedOnce() throws {
    let lines = try runTool(["devices"]).stdout.split(separator: "\n")
    let list = try JSONSerialization.jsonObject(
      with: Data(try runTool(["devices", "--json"]).output))
    let devices = try #require((list as? [String: Any])?["devices"] as? [[String: Any]])
    #expect(devices.count == lines.count - 1)
    #expect(Set(devices.compactMap { $0["model"] as? String }).count == devices.count)
  }

  @Test func anInfoPlistNarrowsTheReach() throws {
    let folder = try TemporaryDirectory()
    let plist = try folder.write(
      "<plist><dict><key>UIRequiresFullScreen</key><true/></dict></plist>", to: "Info.plist")
    let all = try runTool(["devices", "iPad5,3"]).stdout
    let narrow = try runTool(["devices", "iPad5,3", "--info-plist", plist])
    #expect(narrow.code == 0, "\(narrow.stderr)")
    #expect(narrow.stdout != all)
    let text = try folder.write("text", to: "text.plist")
    let bad = try runTool(["devices", "iPad5,3", "--info-plist", text])
    #expect(bad.code == 1)
    #expect(bad.stderr.contains("give the app's Info.plist"))
  }
}
