// Tests the settings of a project, baselines and summaries as users of the tool meet them.

import Foundation
import Support
import Testing

@Suite struct CommandSettingsTests {
  private let folder: TemporaryDirectory

  /// Makes a repository with a catalogue of two sets: one lacks a file, and one is for the Mac.
  init() throws {
    folder = try TemporaryDirectory()
    try folder.write("", to: ".git/HEAD")
    try folder.write(
      #"{"images":[{"filename":"a.png","scale":"2x"},{"filename":"gone.png","scale":"3x"}]}"#,
      to: "App/A.xcassets/Old/Star.imageset/Contents.json")
    try folder.write(png(width: 4, height: 4), to: "App/A.xcassets/Old/Star.imageset/a.png")
    try folder.write(
      #"{"images":[{"filename":"p.png","idiom":"mac","scale":"2x"}]}"#,
      to: "App/A.xcassets/Pad.imageset/Contents.json")
    try folder.write(png(width: 6, height: 6), to: "App/A.xcassets/Pad.imageset/p.png")
  }

  private func carve(_ line: String) throws -> ToolResult {
    try runTool(line.split(separator: " ").map(String.init), in: folder.path)
  }

  @Test func findingsAreLeftOutByEveryCommand() throws {
    #expect(try carve("lint App/A.xcassets").stdout.contains("[missing-file]"))
    try folder.write(
      #"{"ignore":[{"codes":["missing-file"],"assets":["Old/*"],"reason":"to be drawn"}]}"#,
      to: ".carve.json")
    let lint = try carve("lint App/A.xcassets -v")
    #expect(!lint.stdout.contains("[missing-file]"))
    #expect(
      lint.stderr == "settings: .carve.json (1 exception)\n1 finding left out by the settings\n")
    for line in [
      "compile App/A.xcassets -o a.car -v", "symbols App/A.xcassets --swift a.swift -v",
      "resolve App/A.xcassets Star --min-severity note -v",
      "diff App/A.xcassets App/A.xcassets --min-severity note -v",
      "actool App/A.xcassets --compile . --platform iphoneos --minimum-deployment-target 15.0 "
        + "--warnings -v",
    ] {
      let result = try carve(line)
      #expect(result.code == 0, "\(line): \(result.stderr)")
      #expect(result.stderr.contains("settings: "), "\(line)")
      #expect(!(result.stdout + result.stderr).contains("gone.png"), "\(line)")
    }
    #expect(try carve("compile App/A.xcassets -o a.car --werror").code == 0)
  }

  /// A value that is wrong only for one command has its line, too.
  @Test(
    arguments: [
      (
        "{\n\"devices\": [\"iPhone8,1\", \"iPhone99\"]}", "lint App/A.xcassets", 1,
        ".carve.json:2:26: there is no device 'iPhone99'"
      ),
      (#"{"sources": ["Nope"]}"#, "lint App/A.xcassets", 4, ".carve.json:1:14: cannot read Nope: "),
      (
        #"{"projects": ["Nope.xcodeproj"]}"#, "lint App/A.xcassets", 4,
        ".carve.json:1:15: cannot read Nope.xcodeproj: "
      ),
      (
        #"{"budget": "nope.json"}"#, "thin App/A.xcassets -o a.car --device iPhone8,1", 4,
        ".carve.json:1:12: cannot read nope.json: "
      ),
    ] as [(String, String, Int32, String)])
  func aFaultyValueHasItsLine(
    _ settings: String, _ line: String, _ code: Int32, _ message: String
  ) throws {
    try folder.write(settings, to: ".carve.json")
    let result = try carve(line)
    #expect(result.code == code && result.stderr.contains(message), "\(result.stderr)")
  }

  @Test func severitiesDecideWhetherABuildFails() throws {
    try folder.write(#"{"severities":{"missing-file":"error"}}"#, to: "App/.carve.json")
    let result = try carve("compile App/A.xcassets -o a.car")
    #expect(result.code == 1 && !FileManager.default.fileExists(atPath: folder.path("a.car")))
    #expect(result.stderr.hasSuffix("\n1 error; nothing was written\n"), "\(result.stderr)")
    #expect(try carve("compile App/A.xcassets -o a.car --no-warn missing-file").code == 0)
    let json = try carve("compile App/A.xcassets -o b.car --diagnostics json")
    #expect(json.code == 1 && !json.stderr.contains("nothing was written"))
  }

  @Test func theTargetIsThatOfTheSettings() throws {
    try folder.write(
      #"{"platform":"macosx","minimum-deployment-target":"12.0","devices":["iPhone8,1"]}"#,
      to: ".carve.json")
    #expect(try carve("compile App/A.xcassets -o a.car --depfile a.d").code == 0)
    let info = try carve("info --json a.car").stdout
    #expect(
      info.contains(#""Platform" : "macosx""#) && info.contains(#""PlatformVersion" : "12.0""#))
    #expect(String(decoding: try folder.read("a.d"), as: UTF8.self).contains(".carve.json"))
    #expect(try carve("compile App/A.xcassets -o b.car --platform iphoneos").code == 0)
    #expect(try carve("info --json b.car").stdout.contains(#""Platform" : "ios""#))
    // The devices are those of thinning, and they say for which platform it compiles.
    let thin = try carve("thin App/A.xcassets -o t.car --report text")
    #expect(thin.code == 0 && thin.stdout.contains("iPhone 6s"), "\(thin.stderr)")
  }

  /// Settings name the icon of the app. A catalogue without icons is as good as before.
  @Test func anIconOfTheSettingsIsNotMissingElsewhere() throws {
    try folder.write(#"{"icons":["AppIcon"]}"#, to: ".carve.json")
    for line in ["lint App/A.xcassets", "compile App/A.xcassets -o a.car"] {
      let result = try carve(line)
      #expect(result.code == 0 && !result.stderr.contains("missing-icon"), "\(result.stderr)")
    }
  }

  @Test func aBudgetLiesBesideTheSettings() throws {
    try folder.write(
      #"{"devices":["iPhone8,1"],"budget":"limits.json"}"#, to: "App/.carve.json")
    try folder.write(#"{"file":"1B"}"#, to: "App/limits.json")
    let over = try carve("thin App/A.xcassets -o t.car")
    #expect(over.code == 1, "\(over.stderr)")
    #expect(try carve("thin App/A.xcassets -o t.car --budget 1MB").code == 0)
  }

  @Test func aFaultInTheSettingsEndsEveryCommand() throws {
    try folder.write(#"{"platfrom":"macosx"}"#, to: ".carve.json")
    for line in ["lint App/A.xcassets", "compile App/A.xcassets -o a.car"] {
      let result = try carve(line)
      #expect(result.code == 1)
      #expect(
        result.stderr.hasSuffix(
          ".carve.json:1:2: unknown key \"platfrom\"; did you mean \"platform\"?\n"),
        "\(result.stderr)")
    }
    try folder.write(#"{"devices":["iPhone0,0"]}"#, to: ".carve.json")
    #expect(try carve("lint App/A.xcassets").stderr.contains(".carve.json:1:13: "))
  }

  @Test func initWritesWhatTheOptionsSay() throws {
    let made = try carve(
      "lint --init --platform iphoneos --app-icon AppIcon --device iPhone8,1 "
        + "--no-warn missing-scale --werror=missing-file")
    #expect(made.code == 0, "\(made.stderr)")
    #expect(made.stderr == "wrote .carve.json and its schema .carve.schema.json\n")
    let text = String(decoding: try folder.read(".carve.json"), as: UTF8.self)
    for part in [
      #""$schema" : ".carve.schema.json""#, #""platform" : "iphoneos""#, #""AppIcon""#,
      #""iPhone8,1""#, #""missing-scale" : "off""#, #""missing-file" : "error""#,
    ] { #expect(text.contains(part), "\(part)") }
    #expect(
      try JSONSerialization.jsonObject(with: Data(folder.read(".carve.schema.json")))
        is [String: Any])
    #expect(try carve("lint App/A.xcassets").stdout.contains("error: \"gone.png\""))
    let again = try carve("lint --init")
    #expect(again.code == 1 && again.stderr.contains("exists already"))
  }

  /// A file that cannot be looked up is not replaced.
  @Test func initStopsIfItCannotLookForSettings() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(".carve.json"), withDestinationPath: ".carve.json")
    let result = try carve("lint --init")
    #expect(result.code == 4)
    #expect(
      result.stderr
        == "carve lint: error: cannot read .carve.json: its links lead in a circle\n")
    #expect(!FileManager.default.fileExists(atPath: folder.path(".carve.schema.json")))
  }

  /// An icon set is compiled alone, but its findings have the paths that the user gave.
  @Test func findingsAboutAnIconHaveItsPath() throws {
    let contents = "P.xcassets/Icon.appiconset/Contents.json"
    try folder.write(
      #"{"images":[{"filename":"gone.png","idiom":"universal","size":"1024x1024","platform":"ios"}]}"#,
      to: contents)
    #expect(try carve("compile App/A.xcassets -o a.car").code == 0)
    let line = "edit a.car --icon P.xcassets/Icon.appiconset -o out.car"
    let result = try carve(line)
    #expect(("\n" + result.stderr).contains("\n\(contents):1:"), "\(result.stderr)")
    #expect(!result.stderr.contains("set.xcassets"), "\(result.stderr)")
    try folder.write(
      #"{"ignore":[{"codes":["missing-file"],"paths":["P.xcassets/Icon.appiconset/*"],"reason":"-"}]}"#,
      to: ".carve.json")
    #expect(try !carve(line).stderr.contains("[missing-file]"))
  }

  // MARK: Baselines

  @Test func aBaselineAcceptsWhatIsThere() throws {
    let absent = try carve("lint App/A.xcassets --baseline lint.json")
    #expect(absent.code == 4 && absent.stderr.contains("--update-baseline writes it"))
    let made = try carve("lint App/A.xcassets --baseline lint.json --update-baseline --werror")
    #expect(made.code == 0, "\(made.stdout)")
    #expect(made.stdout.hasPrefix("no findings in 1 catalogue; "))
    let file = "App/A.xcassets/Old/Star.imageset/Contents.json"
    // The entry moves to another line and another place.
    try folder.write(
      """
      {"images":[{"scale":"1x"},

      {"filename":"a.png","scale":"2x"},{"filename":"gone.png","scale":"3x"}]}
      """, to: file)
    #expect(try carve("lint App/A.xcassets --baseline lint.json --werror").code == 0)
    // From another folder, too.
    let inside = try runTool(
      ["lint", "A.xcassets", "--baseline", "../lint.json"], in: folder.path("App"))
    #expect(inside.stdout.hasPrefix("no findings in 1 catalogue; "), "\(inside.stdout)")
    try folder.write(
      #"{"images":[{"filename":"a.png","scale":"2x"},{"filename":"new.png"}]}"#, to: file)
    let new = try carve("lint App/A.xcassets --baseline lint.json")
    #expect(new.stdout.contains("\"new.png\" is not in the folder"))
    #expect(new.stderr.contains("lint.json: gone: \(file): missing-file (gone.png)\n"))
  }

  // MARK: Summaries

  @Test func theSummaryIsMarkdown() throws {
    let result = try carve("lint App/A.xcassets --summary out.md")
    #expect(result.code == 0)
    let text = String(decoding: try folder.read("out.md"), as: UTF8.self)
    #expect(text.hasPrefix("### Asset catalogues\n\n"))
    #expect(text.contains("| warning | missing-file | 1 |\n"))
    #expect(try carve("lint App/A.xcassets --summary out.md").code == 0)
    #expect(try folder.read("out.md") == Array(text.utf8))
  }

  /// The budget and the devices of the settings count, for each app with its own settings.
  @Test func theSummaryStatesSizesByTheSettings() throws {
    func summary(_ settings: String) throws -> (ToolResult, String) {
      try folder.write(settings, to: ".carve.json")
      let result = try carve("lint App/A.xcassets --summary out.md --no-warn=missing-file")
      return (result, String(decoding: try folder.read("out.md"), as: UTF8.self))
    }
    let (fine, table) = try summary(#"{"devices":["iPhone12,8"],"budget":"1MB"}"#)
    #expect(
      fine.code == 0 && table.contains("\n| iPhone12,8 | the file | 1,000,000 | "), "\(table)")
    try folder.write(#"{"pictures":"1MB"}"#, to: "limits.json")
    let (unknown, remark) = try summary(#"{"budget":"limits.json"}"#)
    #expect(unknown.code == 0 && remark.contains("\n* The budget of the settings "), "\(remark)")
    let (none, text) = try summary("{}")
    #expect(none.code == 0 && !text.contains("####"))
    // A change that mends the errors of its base does not fail.
    try folder.write("{", to: "Old/A.xcassets/S.imageset/Contents.json")
    let mended = try carve("lint App/A.xcassets --summary out.md --base Old/A.xcassets")
    let growth = String(decoding: try folder.read("out.md"), as: UTF8.self)
    #expect(mended.code == 0, "\(mended.stderr)")
    #expect(growth.contains("\n* Old/A.xcassets has errors, so the growth is not known.\n"))
  }

  // MARK: One fact, one code

  /// Makes a set whose file has a name and contents.
  private func picture(_ set: String, _ file: String, _ bytes: [UInt8]) throws {
    try folder.write(bytes, to: "P.xcassets/\(set)/\(file)")
    let key = set.hasSuffix("appiconset") ? #","size":"1024x1024","platform":"ios""# : ""
    try folder.write(
      #"{"images":[{"filename":"\#(file)","idiom":"universal"\#(key)}]}"#,
      to: "P.xcassets/\(set)/Contents.json")
  }

  /// Settings that are no file are not passed over.
  @Test func settingsThatAreAFolderAreAnError() throws {
    let folder = try TemporaryDirectory()
    try folder.write(#"{"info":{"version":1,"author":"x"}}"#, to: "A.xcassets/Contents.json")
    try folder.write("", to: ".carve.json/a")
    let result = try runTool(["lint", "A.xcassets"], in: folder.path)
    #expect(result.code == 4 && result.stderr.contains(".carve.json is not a regular file"))
    // Above the folder of the catalogue, it counts only in the same repository.
    try folder.write(#"{"info":{"version":1,"author":"x"}}"#, to: "App/A.xcassets/Contents.json")
    #expect(try runTool(["lint", "App/A.xcassets"], in: folder.path).code == 0)
    try folder.write("", to: ".git/a")
    #expect(try runTool(["lint", "App/A.xcassets"], in: folder.path).code == 4)
  }

  /// A picture that cannot be compiled has the same line in lint, compile and actool.
  @Test func faultsOfPicturesHaveOneCodeAndOneSentence() throws {
    let svg = Array(
      #"<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><path d="M0 0h4v4z"/></svg>"#
        .utf8)
    let gif = Array("GIF89a\u{1}\0\u{1}\0\0\0\0;".utf8)
    let whole = png(width: 9, height: 9)
    try picture("Gif.imageset", "a.gif", gif)
    try picture("GifAsPNG.imageset", "a.png", gif)
    try picture("Icon.appiconset", "a.svg", svg)
    try picture("SVGAsPNG.imageset", "a.png", svg)
    try picture("PNGAsPDF.imageset", "a.pdf", whole)
    try picture("Text.imageset", "a.png", Array("no picture".utf8))
    try picture("Empty.imageset", "a.svg", [])
    try picture(
      "Pointer.imageset", "a.png", Array("version https://git-lfs.github.com/spec/v1\n".utf8))
    try picture("Cut.imageset", "a.png", Array(whole.prefix(50)))
    let codes = [
      "broken-image", "cut-image", "unsupported-format", "unsupported-image", "wrong-content",
    ]
    func lines(_ text: String) -> Set<Substring> {
      Set(
        text.split(separator: "\n").filter { line in codes.contains { line.hasSuffix("[\($0)]") } })
    }
    let lint = lines(
      try carve("lint P.xcassets --platform iphoneos --all").stdout)
    let compile = lines(
      try carve("compile P.xcassets -o p.car --all --include-all-app-icons").stderr)
    #expect(compile.count == 9, "\(compile)")
    // The checks also say that the name of a picture that is left out is wrong.
    #expect(compile.isSubset(of: lint), "\(compile.subtracting(lint))")
    #expect(lint.subtracting(compile).allSatisfy { $0.hasSuffix("[wrong-content]") })
    let actool = try carve(
      "actool P.xcassets --compile . --platform iphoneos --minimum-deployment-target 15.0 "
        + "--output-format human-readable-text --errors --warnings")
    for line in compile where !line.contains("Icon.appiconset") {
      let words = line.split(separator: ": ", maxSplits: 2).last ?? ""
      #expect(actool.stdout.contains(words), "\(words)")
    }
  }
}
