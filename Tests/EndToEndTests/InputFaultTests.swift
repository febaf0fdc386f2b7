// Tests that faults of the input give messages with the fault, the place and advice, the right exit
// code, and no new or changed output file.

import Foundation
import Support
import Testing

/// A catalogue that cannot be compiled, and the expected message.
private struct BadInput: Sendable, CustomTestStringConvertible {
  let name: String
  let code: Int32
  let line: String
  /// Makes the input in a folder; the catalogue is `A.xcassets`.
  let make: @Sendable (TemporaryDirectory) throws -> Void
  var testDescription: String { name }
}

private func imageSet(_ file: [UInt8]?, in folder: TemporaryDirectory) throws {
  try folder.write(
    #"{ "images" : [ { "idiom" : "universal", "filename" : "a.png" } ] }"#,
    to: "A.xcassets/A.imageset/Contents.json")
  if let file { try folder.write(file, to: "A.xcassets/A.imageset/a.png") }
}

private let badInputs = [
  BadInput(
    name: "a missing folder", code: 4,
    line: "carve compile: error: cannot read A.xcassets: No such file or directory"
  ) { _ in },
  BadInput(
    name: "a file in place of the folder", code: 1,
    line: "A.xcassets: error: the catalogue cannot be read: it is not a folder [not-a-catalog]"
  ) { try $0.write("", to: "A.xcassets") },
  BadInput(
    name: "broken JSON", code: 1,
    line: "A.xcassets/A.imageset/Contents.json:1:16: error: not JSON: an unexpected character"
      + " [json-syntax]"
  ) { try $0.write("{ \"images\" : [ } ", to: "A.xcassets/A.imageset/Contents.json") },
  BadInput(
    name: "a text in place of a picture", code: 1,
    line: "A.xcassets/A.imageset/a.png: error: the file is not a picture"
  ) { try imageSet(Array("text".utf8), in: $0) },
  BadInput(
    name: "a picture cut short", code: 1,
    line: "A.xcassets/A.imageset/a.png: error: the PNG file ends"
  ) { try imageSet(png(width: 4, height: 4).dropLast(20), in: $0) },
]

@Suite struct InputFaultTests {
  /// The catalogue of a new app has slots, but no picture.
  @Test func aNewAppHasNoWarnings() throws {
    let folder = try TemporaryDirectory()
    let info = #""info" : { "author" : "xcode", "version" : 1 }"#
    try folder.write("{ \(info) }", to: "Assets.xcassets/Contents.json")
    try folder.write(
      #"{ "colors" : [ { "idiom" : "universal" } ], \#(info) }"#,
      to: "Assets.xcassets/AccentColor.colorset/Contents.json")
    let icon = #""idiom" : "universal", "platform" : "ios", "size" : "1024x1024""#
    let looks = ["dark", "tinted"].map {
      #"{ "appearances" : [ { "appearance" : "luminosity", "value" : "\#($0)" } ], \#(icon) }"#
    }
    try folder.write(
      #"{ "images" : [ { \#(icon) }, \#(looks.joined(separator: ", ")) ], \#(info) }"#,
      to: "Assets.xcassets/AppIcon.appiconset/Contents.json")
    let words = ["compile", "Assets.xcassets", "-o", "out.car", "--app-icon", "AppIcon"]
    let result = try runTool(words + ["--werror"], in: folder.path)
    #expect(result.code == 0, "\(result.stderr)")
    #expect(result.stderr.contains("[empty-archive]"))
    #expect(!result.stderr.contains("warning"), "\(result.stderr)")
    let strict = try runTool(words + ["--werror=empty-archive"], in: folder.path)
    #expect(strict.code == 1)
  }

  /// A catalogue of a Mac app is compiled for iOS if no platform is named.
  @Test func assetsOfOtherPlatformsAreCounted() throws {
    let folder = try TemporaryDirectory()
    for (name, idiom) in [("Star", "universal"), ("Disk", "mac"), ("Dock", "mac")] {
      try folder.write(
        #"{ "images" : [ { "filename" : "a.png", "idiom" : "\#(idiom)" } ] }"#,
        to: "A.xcassets/\(name).imageset/Contents.json")
      try folder.write(png(width: 1, height: 1), to: "A.xcassets/\(name).imageset/a.png")
    }
    let words = ["compile", "A.xcassets", "-o", "out.car"]
    let result = try runTool(words, in: folder.path)
    #expect(
      result.stderr.contains(
        "A.xcassets: note: 2 assets (\"Disk\" and \"Dock\") have nothing for iphoneos, which is "
          + "compiled because no platform is named; --platform names one [other-platform]\n"),
      "\(result.stderr)")
    for platform in ["iphoneos", "macosx"] {
      let chosen = try runTool(words + ["--platform", platform], in: folder.path)
      #expect(!chosen.stderr.contains("[other-platform]"))
    }
    try folder.write(#"{ "platform" : "iphoneos" }"#, to: ".carve.json")
    #expect(try !runTool(words, in: folder.path).stderr.contains("[other-platform]"))
  }

  /// The files of this folder can be listed, but not opened.
  @Test(arguments: ["A.xcassets", "A.xcassets/Group", "A.xcassets/Group/A.imageset"])
  func aFolderThatMayNotBeSearchedIsNotEmpty(locked: String) throws {
    let folder = try TemporaryDirectory()
    let set = "A.xcassets/Group/A.imageset"
    try folder.write(#"{ "images" : [ { "filename" : "a.png" } ] }"#, to: "\(set)/Contents.json")
    try folder.write(png(width: 1, height: 1), to: "\(set)/a.png")
    #expect(chmod(folder.path(locked), 0o444) == 0)
    defer { chmod(folder.path(locked), 0o755) }
    let result = try runAsOther(["lint", folder.path("A.xcassets")])
    #expect(result.code == 1, "\(result.stdout)\(result.stderr)")
    let said = "\(folder.path(locked)): error: the "
    #expect(result.stdout.hasPrefix(said), "\(result.stdout)\(result.stderr)")
    #expect(result.stdout.contains("cannot be read: permission is denied"), "\(result.stdout)")
    #expect(!result.stdout.contains("missing-contents"))
  }

  /// Runs the tool without the rights of root, for which no permission of a file counts.
  private func runAsOther(_ words: [String]) throws -> ToolResult {
    let nobody = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    let line = (getuid() == 0 ? nobody : []) + [productFolder + "/carve"] + words
    return try run(line[0], Array(line.dropFirst()))
  }

  @Test func aHiddenFolderNeedNotBeReadable() throws {
    let folder = try TemporaryDirectory()
    try folder.copy("\(sampleCatalogs)/Scales.xcassets", to: "A.xcassets")
    try folder.write("", to: "A.xcassets/.private/A.imageset/a.png")
    #expect(chmod(folder.path("A.xcassets/.private"), 0) == 0)
    defer { chmod(folder.path("A.xcassets/.private"), 0o755) }
    #expect(chmod(folder.path, 0o777) == 0)
    let words = ["compile", folder.path("A.xcassets"), "-o", folder.path("out.car")]
    let result = try runAsOther(words)
    #expect(result.code == 0 && !result.stderr.contains(".private"), "\(result.stderr)")
  }

  @Test(arguments: badInputs) private func compileSaysWhatIsWrong(input: BadInput) throws {
    let folder = try TemporaryDirectory()
    try input.make(folder)
    let words = ["compile", "A.xcassets", "-o", "out.car"]
    let fresh = try runTool(words, in: folder.path)
    #expect(fresh.code == input.code)
    #expect(fresh.stdout.isEmpty)
    #expect(fresh.stderr.hasPrefix(input.line))
    // A fault of a catalogue is a finding, and the last line says that nothing was written.
    let lines = fresh.stderr.split(separator: "\n")
    #expect(lines.count == 1 || lines.count == 2 && lines[1] == "1 error; nothing was written")
    #expect(!FileManager.default.fileExists(atPath: folder.path("out.car")))

    try folder.write("old", to: "out.car")
    _ = try runTool(words, in: folder.path)
    #expect(try folder.read("out.car") == Array("old".utf8))
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(Set(left).isSubset(of: ["A.xcassets", "out.car"]))
  }

  @Test func aFolderThatIsNoCatalogueIsRefused() throws {
    let folder = try TemporaryDirectory()
    try folder.write("text", to: "plain/file.txt")
    let result = try runTool(["compile", "plain", "-o", "out.car"], in: folder.path)
    #expect(result.code == 1)
    #expect(result.stderr.hasPrefix("plain: error: the folder is not a catalogue"))
    #expect(result.stderr.split(separator: "\n").dropFirst() == ["1 error; nothing was written"])
  }

  @Test(arguments: [
    (
      ["info", "F"], Int32(4),
      "carve info: error: cannot read F: it is a folder; 'carve compile' makes"
    ),
    (
      ["validate", "gone"], 4, "carve validate: error: cannot read gone: No such file or directory"
    ),
    (
      ["resolve", "gone", "A"], 4,
      "carve resolve: error: cannot read gone: No such file or directory"
    ),
    (["resolve", "F", "A"], 1, "carve resolve: error: F: the folder is not a catalogue"),
    (["explain", "F", "A"], 1, "carve explain: error: F: the folder is not a catalogue"),
    (
      ["resolve", "S.car", "A", "--windows", "all"], 2, "carve resolve: error: --orientation, --win"
    ),
    (
      ["resolve", "S.car", "A", "--device", "iPad16,5", "--window", "stage-manager"], 2,
      "carve resolve: error: '--window' needs a window of one size, but a stage-manager window can"
    ),
    (
      ["resolve", "S.car", "--batch", "text"], 1,
      "text:1:2: error: not JSON: the text ends too early"
    ),
    (
      ["thin", "S.car", "--device", "iPhone8,1", "-o", "out.car", "--budget", "text"], 1,
      "carve thin: error: text:2:1: the budget is not JSON: the text ends too early"
    ),
    (
      ["thin", "S.car", "--device", "iPhone8,1", "-o", "out.car", "--budget", "gone.json"], 4,
      "carve thin: error: cannot read gone.json: No such file or directory"
    ),
    (
      ["thin", "S.car", "--device", "iPhone8,1", "-o", "out.car", "--budget", "large"], 2,
      "carve thin: error: 'large' is neither a size such as 12MB"
    ),
    (
      ["thin", "S.car", "--device", "iPhone6,1", "-o", "out.car"], 2,
      "carve thin: error: iPhone6,1 runs systems up to 12, but the archive is for 15 and later"
    ),
    (
      ["compile", "S.xcassets", "-o", "out.car", "--cache-verify"], 2,
      "carve compile: error: --cache-verify belongs to --cache"
    ),
    (
      ["compile", "S.xcassets", "-o", "out.car", "--os", "17"], 2,
      "carve compile: error: --os, --info"
    ),
    (
      ["devices", "iPhone 14 Prp"], 2,
      "'iPhone 14 Prp' in the table; did you mean 'iPhone15,2', the iP"
    ),
    (["devices", "iphone15"], 2, "the table; did you mean 'iPhone15,2', the iPhone 14 Pro?"),
    (["devices", "iPhone9,99"], 2, "in the table; did you mean 'iPhone9,"),
    (
      ["devices", "ipad pro 11-inch"], 2,
      "several models are called 'ipad pro 11-inch', and they differ: iPad8,1 (iPad Pro 11-"
    ),
    (["devices", "fridge"], 2, "in the table; 'carve devices' lists all models"),
  ])
  func missingInputsAreErrorsWithAdvice(words: [String], code: Int32, line: String) throws {
    let folder = try TemporaryDirectory()
    try folder.write("text", to: "F/file.txt")
    try folder.write("{\n", to: "text")
    try folder.copy(sampleCatalogs + "/SizeClasses.xcassets", to: "S.xcassets")
    _ = try runTool(["compile", "S.xcassets", "-o", "S.car"], in: folder.path)
    let result = try runTool(words, in: folder.path)
    #expect(result.code == code)
    #expect(result.stderr.contains(line), "\(result.stderr)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("out.car")))
  }

  @Test func aCatalogueOfAnotherPlatformIsNotSilentlyEmpty() throws {
    let folder = try TemporaryDirectory()
    try folder.write(
      #"{ "images" : [ { "idiom" : "mac", "filename" : "a.png" } ] }"#,
      to: "A.xcassets/A.imageset/Contents.json")
    try folder.write(png(width: 4, height: 4), to: "A.xcassets/A.imageset/a.png")
    let words = ["compile", "A.xcassets", "-o", "out.car"]
    let phone = try runTool(words, in: folder.path)
    #expect(phone.code == 0)
    let warning = "no asset of the catalogues (1 asset) is compiled for iphoneos"
    #expect(phone.stderr.contains(warning), "\(phone.stderr)")
    let strict = try runTool(
      ["compile", "A.xcassets", "-o", "strict.car", "--werror=empty-archive"], in: folder.path)
    #expect(strict.code == 1)
    #expect(!FileManager.default.fileExists(atPath: folder.path("strict.car")))
    let mac = try runTool(words + ["--platform", "macosx"], in: folder.path)
    #expect(mac.stdout.hasPrefix("out.car: 1 name, 1 rendition"))
    #expect(!mac.stderr.contains("empty"))
  }

  @Test func aCacheThatCannotBeMadeIsSaidAndIgnored() throws {
    let folder = try TemporaryDirectory()
    try imageSet(png(width: 4, height: 4), in: folder)
    let result = try runTool(
      ["compile", "A.xcassets", "-o", "out.car", "--cache", "no/where"], in: folder.path)
    #expect(result.code == 0)
    #expect(
      result.stderr.hasPrefix(
        "warning: nothing is cached in no/where: cannot create the folder: No such file"))
  }

  @Test func anOutputThatCannotBeWrittenIsAnOutputFailure() throws {
    let folder = try TemporaryDirectory()
    try imageSet(png(width: 4, height: 4), in: folder)
    let result = try runTool(["compile", "A.xcassets", "-o", "no/where/out.car"], in: folder.path)
    #expect(result.code == 4)
    #expect(result.stderr.contains("no/where/out.car"))
    #expect(result.stderr.split(separator: "\n").count == 1)
  }
}
