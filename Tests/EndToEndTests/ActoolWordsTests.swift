// Tests the messages of a build step about a catalogue, and their absence. Wrappers of build
// systems compare the words of Apple's tool: rules_apple ignores warnings that contain "is used by
// multiple" or "1024x1024", and makes every other warning an error.

import Foundation
import Support
import Testing

@Suite struct ActoolWordsTests {
  private func words(_ line: String) -> [String] { line.split(separator: " ").map(String.init) }

  private let build =
    "actool Assets.xcassets --compile out --platform iphoneos --errors --warnings --notices "
    + "--output-format human-readable-text"

  /// Returns the lines about documents.
  private func said(_ line: String, in folder: TemporaryDirectory) throws -> [String] {
    let result = try runTool(words(line), in: folder.path)
    let sections = result.stdout.replacingOccurrences(of: folder.path + "/", with: "")
      .components(separatedBy: "/* com.apple.actool.compilation-results */")
    return (sections.first ?? "").split(separator: "\n").map(String.init)
  }

  private func image(_ files: [String], _ extra: String = "") -> String {
    let rows = files.map { #"{ "idiom" : "universal", "filename" : "\#($0)"\#(extra) }"# }
    return "{ \"images\" : [ \(rows.joined(separator: ", ")) ] }"
  }

  @Test func warningsHaveTheWordsOfApplesTool() throws {
    let folder = try appFolder()
    let dot = png(width: 1, height: 1, color: .gray, samples: [9])
    for name in ["A/Twice.imageset", "B/Twice.imageset", "Extra.imageset"] {
      try folder.write(dot, to: "Assets.xcassets/\(name)/a.png")
      try folder.write(image(["a.png"]), to: "Assets.xcassets/\(name)/Contents.json")
    }
    try folder.write(dot, to: "Assets.xcassets/Extra.imageset/b.png")
    try folder.write(image(["star.png"]), to: "Assets.xcassets/Gone.imageset/Contents.json")
    #expect(
      try said(build, in: folder) == [
        "/* com.apple.actool.document.warnings */",
        "Assets.xcassets:./B/Twice.imageset: warning: The image set name \"Twice\" is used by "
          + "multiple image sets. [name-clash]",
        "Assets.xcassets:./Extra.imageset/b.png: warning: The image set \"Extra\" has an unassigned "
          + "child. [unassigned-file]",
        "Assets.xcassets/Gone.imageset/Contents.json:1: warning: The file \"star.png\" for the "
          + "image set \"Gone\" does not exist. [missing-file]",
      ])
  }

  @Test func aNearNameIsSuggestedForAMissingFile() throws {
    let folder = try appFolder()
    try folder.write(
      png(width: 1, height: 1, color: .gray, samples: [9]),
      to: "Assets.xcassets/Gone.imageset/star.png")
    try folder.write(image(["stra.png"]), to: "Assets.xcassets/Gone.imageset/Contents.json")
    let lines = try said(build, in: folder)
    #expect(
      lines.contains {
        $0.contains(
          "\"stra.png\" for the image set \"Gone\" does not exist. Did you mean \"star.png\"?")
      }, "\(lines)")
  }

  @Test func tidinessIsLeftToLint() throws {
    let folder = try appFolder()
    let set = "Assets.xcassets/Tidy.imageset"
    try folder.write(png(width: 1, height: 1, color: .gray, samples: [9]), to: "\(set)/a.png")
    try folder.write("Read me.", to: "\(set)/README.md")
    try folder.write(
      "\u{FEFF}" + image(["a.png"], #", "Scale" : "1x", "colour" : "blue""#),
      to: "\(set)/Contents.json")
    #expect(try said(build, in: folder) == [])
    let lint = try runTool(["lint", "Assets.xcassets"], in: folder.path)
    for code in ["misspelled-key", "unknown-key", "json-byte-order-mark", "unassigned-file"] {
      #expect(lint.stderr.contains("[\(code)]") || lint.stdout.contains("[\(code)]"), "\(code)")
      let strict = try runTool(words("\(build) --werror=\(code)"), in: folder.path)
      #expect(strict.code == 1 && strict.stdout.contains("error: "), "\(code)")
    }
  }

  /// A misspelled key changes the outputs, and so does a system version that cannot be read.
  @Test func valuesThatAreNotReadAreReported() throws {
    let folder = try appFolder()
    try folder.write(
      #"{"images":[{"idiom":"iphone","extent":"full-screen","filename":"a.png","#
        + #""minimum-system-version":"/x"},{"idiom":"iphone","scale":"2x","filname":"a.png"}]}"#,
      to: "Assets.xcassets/Start.launchimage/Contents.json")
    try folder.write(png(width: 320, height: 480), to: "Assets.xcassets/Start.launchimage/a.png")
    let place = "Assets.xcassets/Start.launchimage/Contents.json:1"
    #expect(
      try said("\(build) --launch-image Start", in: folder) == [
        "/* com.apple.actool.document.warnings */",
        "\(place): warning: \"/x\" is not a system version such as \"8.0\" [unknown-value]",
        "\(place): warning: unknown key \"filname\"; did you mean \"filename\"? [unknown-key]",
      ])
    #expect(try folder.files(below: "out").contains("out/Start.png"))
  }

  @Test func iconsOfAnotherSizeThanTheirEntryAreLeftOut() throws {
    let folder = try appFolder()
    let place = "Assets.xcassets/Small.appiconset"
    let rows = ["60x60", "40x40"].map {
      #"{ "idiom" : "iphone", "scale" : "2x", "size" : "\#($0)", "filename" : "\#($0).png" }"#
    }
    try folder.write(
      "{ \"images\" : [\n\(rows.joined(separator: ",\n"))\n] }", to: "\(place)/Contents.json")
    for (name, side) in [("60x60", 119), ("40x40", 80)] {
      let samples = [UInt8](repeating: 7, count: side * side)
      try folder.write(
        png(width: side, height: side, color: .gray, samples: samples), to: "\(place)/\(name).png")
    }
    let line = "\(build) --app-icon Small --skip-app-store-deployment"
    #expect(
      try said(line, in: folder) == [
        "/* com.apple.actool.document.warnings */",
        "Assets.xcassets/Small.appiconset/Contents.json:2: warning: Small.appiconset/60x60.png is "
          + "119x119 but should be 120x120. [icon-size]",
      ])
    #expect(try folder.files(below: "out") == ["out/Assets.car"])
    let info = try runTool(["info", "out/Assets.car", "--json"], in: folder.path).stdout
    #expect(info.contains("\"PixelWidth\" : 80") && !info.contains("\"PixelWidth\" : 119"))
  }

  @Test func anIconForAStoreHasALargePicture() throws {
    let folder = try appFolder()
    try FileManager.default.removeItem(
      atPath: folder.path("Assets.xcassets/AppIcon.appiconset/icon-1024.png"))
    let lines = try said("\(build) --app-icon AppIcon", in: folder)
    #expect(
      lines.contains(
        "Assets.xcassets:./AppIcon.appiconset: warning: A 1024x1024 app store icon is required for "
          + "iOS apps [missing-store-icon]"), "\(lines)")
    let report = try runTool(
      words("\(build) --app-icon AppIcon") + ["--output-format", "xml1"],
      in: folder.path)
    let list =
      try PropertyListSerialization.propertyList(
        from: Data(report.output), format: nil) as? [String: Any]
    let warnings = list?["com.apple.actool.document.warnings"] as? [[String: Any]]
    let store = warnings?.first { ($0["message"] as? String)?.contains("1024x1024") == true }
    #expect(store?["catalog"] as? String == folder.path("Assets.xcassets"))
    #expect(store?["affected-items"] as? [String] == ["./AppIcon.appiconset"])
    #expect(store?["type"] as? String == "Missing Content")
  }
}
