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

  @Test func theAnswerIsThatOfTheContract() throws {
    let result = try carve(["resolve"] + star + half + ["--json"])
    #expect(result.code == 0, "\(result.stderr)")
    golden(result.stdout, "resolve-half.json")
  }

  @Test func whatIsNotFoundSaysWhy() throws {
    let gamut = try carve([
      "resolve", "Hardware.xcassets", "Nothing", "--traits", "scale=2", "--json",
    ])
    let nothing = #"{"asset":"Nothing","kind":"image","found":false,"reason":"name"}"#
    #expect(compact(gamut.stdout) == nothing)
    let folder = try TemporaryDirectory()
    try folder.write(
      #"""
      {"images": [{"idiom": "universal", "filename": "a.png", "display-gamut": "display-P3"}]}
      """#, to: "A.xcassets/P.imageset/Contents.json")
    try folder.write(png(width: 1, height: 1), to: "A.xcassets/P.imageset/a.png")
    let words = ["resolve", folder.path("A.xcassets"), "P", "--traits", "gamut=sRGB"]
    #expect(
      compact(try runTool(words + ["--json"]).stdout)
        == #"{"asset":"P","kind":"image","found":false,"reason":"gamut"}"#)
    #expect(try runTool(words).stdout == "nothing: gamut removes the last variant\n")
  }

  private func compact(_ json: String) -> String { json.filter { $0 != "\n" && $0 != " " } }

  @Test(arguments: [
    (["--device", "iPad5,33"], "did you mean 'iPad5,3', the iPad Air 2?"),
    (["--device", "toaster"], "'carve devices' lists all models"),
    (["--device", "iPad5,3", "--traits", "scale=2"], "give one of them"),
    (["--device", "iPhone12,1", "--window", "split-1/2"], "choose from full"),
    (
      ["--device", "iPad5,3", "--window", "split-1/2", "--orientation", "portrait"],
      "use '--orientation landscape'"
    ),
    (["--device", "AppleTV5,3", "--window", "slide-over"], "leave --window out"),
    (["--window", "full"], "need a --device"), (["--traits", "scael=2"], "did you mean 'scale'?"),
    (["--traits", "style=drak"], "did you mean 'dark'?"), (["--traits", "scale"], "KEY=VALUE"),
    (["--traits", "scale=2", "--style", "dark"], "'style=dark'"),
    (["--device", "iPhone6,1", "--os", "13"], "does not take iOS 13"),
    (["--device", "iPad5,3", "--windows", "all", "--window", "full"], "give one of them"),
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

  /// Makes similar names, names in namespaces and of other kinds, and an icon that is left out.
  private func makeNames(in folder: borrowing TemporaryDirectory) throws {
    let picture = png(width: 4, height: 4)
    for name in ["Star", "Start", "Stars", "Group/Moon", "Group2/Moon"] {
      try folder.write(picture, to: "A.xcassets/\(name).imageset/a.png")
      try folder.write(
        #"{"images":[{"filename":"a.png"}]}"#, to: "A.xcassets/\(name).imageset/Contents.json")
    }
    for group in ["Group", "Group2"] {
      try folder.write(
        #"{"properties":{"provides-namespace":true}}"#, to: "A.xcassets/\(group)/Contents.json")
    }
    try folder.write(picture, to: "A.xcassets/Logo.appiconset/a.png")
    try folder.write(
      #"{"images":[{"filename":"a.png","size":"4x4","idiom":"iphone","scale":"1x"}]}"#,
      to: "A.xcassets/Logo.appiconset/Contents.json")
    try folder.write("text", to: "A.xcassets/Facts.dataset/a.txt")
    try folder.write(
      #"{"data":[{"filename":"a.txt"}]}"#, to: "A.xcassets/Facts.dataset/Contents.json")
  }

  /// The exit status is 1, and the message suggests a name.
  @Test func whatIsNotThereIsExplained() throws {
    let folder = try TemporaryDirectory()
    try makeNames(in: folder)
    #expect(try runTool(["compile", "A.xcassets", "-o", "a.car"], in: folder.path).code == 0)
    let rows: [([String], String)] = [
      (["Sta"], "there is no image 'Sta'; did you mean 'Star', 'Stars' or 'Start'?"),
      (["star"], "there is no image 'star'; capitals matter, and there is 'Star'"),
      (
        ["Moon"],
        "there is no image 'Moon'; names hold their namespaces, and there is 'Group/Moon' or 'Group2/Moon'"
      ),
      (
        ["Facts", "--kind", "image"],
        "there is no image 'Facts'; it is there as data (--kind data)"
      ),
      (["Xylophone"], "there is no image 'Xylophone'"),
    ]
    for source in ["A.xcassets", "a.car"] {
      for (words, sentence) in rows {
        for command in ["resolve", "explain"] {
          let result = try runTool([command, source] + words, in: folder.path)
          let line = result.stdout.split(separator: "\n").first ?? ""
          #expect(result.code == 1 && line.hasSuffix(sentence), "\(source) \(words) \(line)")
        }
      }
    }
    let left = try runTool(
      ["resolve", "A.xcassets", "Logo", "--kind", "icon", "--app-icon", "Other"], in: folder.path)
    #expect(left.code == 1 && left.stdout.contains("left out, and --app-icon Logo compiles it"))
    let archive = try runTool(["resolve", "a.car", "Logo", "--kind", "icon"], in: folder.path)
    #expect(
      archive.code == 1 && archive.stdout.contains("holds no icons, which compile leaves out"))
  }

  @Test func filesThatAreMissingAreInputFailures() throws {
    #expect(try carve(["resolve", "Nowhere.xcassets", "Star"]).code == 4)
    #expect(try carve(["explain", "Nowhere.car", "Star"]).code == 4)
    let folder = try TemporaryDirectory()
    let text = try folder.write("no archive", to: "a.car")
    #expect(try runTool(["resolve", text, "Star"]).code == 1)
  }

  @Test(arguments: ["iPad5,3", "iPad16,5", "iPhone18,5", "AppleTV14,1", "Mac", "Watch7,12"])
  func theCardOfADeviceIsAsExpected(model: String) throws {
    let result = try runTool(["devices", model])
    #expect(result.code == 0, "\(result.stderr)")
    golden(result.stdout, "device-\(model).txt")
    let json = try runTool(["devices", model, "--json"])
    golden(json.stdout, "device-\(model).json")
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
