// Tests linked objects of catalogues and of groups: the archive and the findings are those of
// compiling the catalogues in one step, for any division into objects.

import Foundation
import Support
import Testing

private let samples = [
  "Alignment", "AppIcon", "Appearances", "Colors", "Data", "Directions", "Hardware", "Kinds",
  "Languages", "LayeredIcon", "Namespaces", "Scales", "SizeClasses", "Slicing", "Symbols",
  "Vectors", "WideGamut",
]

private let platforms = [
  "macosx", "iphoneos", "iphonesimulator", "appletvos", "appletvsimulator", "watchos",
  "watchsimulator", "xros", "xrsimulator",
]

@Suite struct ObjectTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func carve(_ words: [String]) throws -> ToolResult {
    try runTool(words, in: folder.path)
  }

  private func carve(_ line: String) throws -> ToolResult {
    try carve(line.split(separator: " ").map(String.init))
  }

  /// Compiles objects one by one, each from the words of its command line.
  private func makeObjects(_ parts: [(object: String, words: String)], _ more: String = "") throws {
    for (object, words) in parts {
      let made = try carve("compile --object \(words) -o \(object) \(more)")
      #expect(made.code == 0, "\(object): \(made.stderr)")
    }
  }

  /// Links objects, and compares the archive and the whole output with one step over the
  /// catalogues.
  private func expectEqual(
    _ objects: [String], _ catalogs: [String], _ settings: String = "", linking more: String = "",
    code: Int32 = 0
  ) throws {
    let words = settings.split(separator: " ").map(String.init)
    let linking = more.split(separator: " ").map(String.init)
    let one = try carve(["compile"] + catalogs + ["-o", "out.car", "--all"] + words + linking)
    let whole = one.code == 0 ? try folder.read("out.car") : []
    let linked = try carve(["link"] + objects + ["-o", "linked.car", "--all"] + linking)
    #expect(one.code == code && linked.code == code, "\(linked.stderr)")
    #expect(linked.stderr == one.stderr)
    #expect(
      linked.stdout == one.stdout.replacingOccurrences(of: "out.car", with: "linked.car"))
    if code == 0 { #expect(try folder.read("linked.car") == whole) }
  }

  @Test(arguments: platforms) func samplesLinkToTheArchiveOfOneStep(platform: String) throws {
    // Simulators differ from their devices by one word in the archive, so a few samples are enough.
    let few: Set = ["AppIcon", "Colors", "Kinds", "Scales", "Symbols", "Vectors"]
    let names = samples.filter { few.contains($0) || !platform.hasSuffix("simulator") }
    for name in names {
      try folder.copy("\(sampleCatalogs)/\(name).xcassets", to: "\(name).xcassets")
    }
    let settings = "--platform \(platform) --include-all-app-icons"
    try makeObjects(names.map { ("\($0).caro", "\($0).xcassets") }, settings)
    let orders = platform == "iphoneos" ? [(names, 1), (names.reversed(), 2)] : [(names, 2)]
    for (order, jobs) in orders {
      try expectEqual(
        order.map { "\($0).caro" }, order.map { "\($0).xcassets" }, settings,
        linking: "--jobs \(jobs)")
    }
  }

  @Test(arguments: [
    "--optimization space", "--optimization time --exact-pixels", "--no-packing",
    "--minimum-deployment-target 8.0", "--no-rasters --target-device ipad",
    "--platform macosx --minimum-deployment-target 10.9",
  ])
  func everySettingIsThatOfOneStep(settings: String) throws {
    let names = ["Scales", "Vectors", "WideGamut", "Data", "Symbols", "Slicing"]
    for name in names {
      try folder.copy("\(sampleCatalogs)/\(name).xcassets", to: "\(name).xcassets")
    }
    try makeObjects(names.map { ("\($0).caro", "\($0).xcassets") }, settings)
    try expectEqual(
      names.map { "\($0).caro" }, names.map { "\($0).xcassets" }, settings)
  }

  /// Makes groups with and without namespaces in one catalogue; some of them contain equal names.
  private func makeGroups() throws {
    for name in ["Scales", "Colors", "Kinds", "Vectors"] {
      try folder.copy("\(sampleCatalogs)/\(name).xcassets", to: "A.xcassets/\(name)")
    }
    try folder.copy("\(sampleCatalogs)/Slicing.xcassets", to: "A.xcassets/Scales/Deep")
    try folder.copy(
      "\(sampleCatalogs)/Scales.xcassets/Device.imageset", to: "A.xcassets/Vectors/Device.imageset")
    try folder.copy(
      "\(sampleCatalogs)/Data.xcassets", to: "A.xcassets/Vectors/Data.group")
    let info = #""info": {"version": 1, "author": "x"}"#
    try folder.write("{\(info)}", to: "A.xcassets/Contents.json")
    try folder.write(
      #"{\#(info), "properties": {"provides-namespace": true, "on-demand-resource-tags": ["a"]}}"#,
      to: "A.xcassets/Colors/Contents.json")
    try folder.write(
      #"{\#(info), "properties": {"provides-namespace": true, "compression-type": "lossless"}}"#,
      to: "A.xcassets/Scales/Contents.json")
    try folder.write("no asset", to: "A.xcassets/stray.txt")
    try folder.write("nor this", to: "A.xcassets/Scales/stray.txt")
  }

  @Test func groupsLinkInEveryOrder() throws {
    try makeGroups()
    try makeObjects([
      ("scales.caro", "A.xcassets/Scales --without A.xcassets/Scales/Deep"),
      ("deep.caro", "A.xcassets/Scales/Deep"), ("colors.caro", "A.xcassets/Colors/"),
      (
        "rest.caro",
        "A.xcassets --without A.xcassets/Scales --without A.xcassets/Colors --without A.xcassets/Vectors"
      ), ("vectors.caro", "./A.xcassets/Vectors"),
    ])
    let objects = ["scales.caro", "deep.caro", "colors.caro", "rest.caro", "vectors.caro"]
    try expectEqual(objects, ["A.xcassets"])
    try expectEqual(objects.reversed(), ["A.xcassets"], linking: "-j 1")
    try expectEqual([3, 1, 4, 0, 2].map { objects[$0] }, ["A.xcassets"], linking: "-j 2")
    // A part of a catalogue gives the same archive as a catalogue without the other parts.
    #expect(try carve("link deep.caro scales.caro -o part.car").code == 0)
    for name in ["Colors", "Kinds", "Vectors", "stray.txt"] {
      try FileManager.default.removeItem(atPath: folder.path("A.xcassets/\(name)"))
    }
    #expect(try carve("compile A.xcassets -o less.car").code == 0)
    #expect(try folder.read("part.car") == folder.read("less.car"))
  }

  @Test func clashesBetweenObjectsAreThoseOfOneStep() throws {
    try makeGroups()
    try folder.copy("\(folder.path)/A.xcassets/Vectors", to: "B.xcassets")
    try folder.copy("\(sampleCatalogs)/Scales.xcassets", to: "C.xcassets")
    // The names are an image and data of the same name, and names that differ in case.
    try folder.copy(
      "\(sampleCatalogs)/Data.xcassets/Level.dataset", to: "C.xcassets/device.dataset")
    try makeObjects([("a.caro", "A.xcassets"), ("b.caro", "B.xcassets"), ("c.caro", "C.xcassets")])
    try expectEqual(["a.caro", "b.caro", "c.caro"], ["A.xcassets", "B.xcassets", "C.xcassets"])
    try expectEqual(["c.caro", "b.caro", "a.caro"], ["C.xcassets", "B.xcassets", "A.xcassets"])
    let clashes = try carve("link b.caro a.caro -o out.car --all").stderr
    #expect(clashes.contains("another .imageset in an earlier catalogue has that name"))
    // If one step refuses the catalogues under --werror, the link refuses the objects.
    try expectEqual(
      ["a.caro", "b.caro"], ["A.xcassets", "B.xcassets"], linking: "--werror=name-clash", code: 1)
    try expectEqual(
      ["a.caro", "b.caro"], ["A.xcassets", "B.xcassets"],
      linking: "--no-warn name-clash,unassigned-file,stray-file")
  }

  @Test func findingsAreJudgedAtEitherStep() throws {
    try makeGroups()
    let refused = try carve("compile --object A.xcassets/Scales -o out.caro --werror")
    #expect(refused.code == 1 && refused.stderr.contains("stray.txt: error: "))
    #expect(!FileManager.default.fileExists(atPath: folder.path("out.caro")))
    let silent = try carve(
      "compile --object A.xcassets/Scales -o out.caro --no-warn stray-file --min-severity warning")
    #expect(silent.code == 0 && silent.stderr.isEmpty, "\(silent.stderr)")
    let linked = try carve("link out.caro -o out.car")
    #expect(linked.code == 0 && linked.stderr.contains("A.xcassets/Scales/stray.txt: warning: "))
    #expect(try carve("link out.caro -o out.car --werror").code == 1)
    #expect(try carve("link out.caro -o out.car --no-warn stray-file").stderr.isEmpty)
  }

  @Test func picturesThatAreLeftOutAreLeftOutAgain() throws {
    try folder.copy("\(sampleCatalogs)/Colors.xcassets", to: "A.xcassets")
    try folder.write("GIF89a\u{1}\0\u{1}\0\0\0\0;", to: "A.xcassets/Old.imageset/a.gif")
    try folder.write(
      #"{"images": [{"idiom": "universal", "filename": "a.gif", "scale": "2x"}]}"#,
      to: "A.xcassets/Old.imageset/Contents.json")
    try makeObjects([("a.caro", "A.xcassets")])
    try expectEqual(["a.caro"], ["A.xcassets"])
    #expect(try carve("link a.caro -o out.car").stderr.contains("[unsupported-format]"))
  }

  @Test func iconsAreLookedForAmongAll() throws {
    for name in ["AppIcon", "Colors"] {
      try folder.copy("\(sampleCatalogs)/\(name).xcassets", to: "\(name).xcassets")
    }
    let parts = [("i.caro", "AppIcon.xcassets"), ("c.caro", "Colors.xcassets")]
    try makeObjects(parts, "--app-icon AppIcon")
    try expectEqual(
      ["c.caro", "i.caro"], ["Colors.xcassets", "AppIcon.xcassets"], "--app-icon AppIcon")
    try makeObjects(parts, "--app-icon Other")
    let linked = try carve("link i.caro c.caro -o out.car")
    #expect(linked.stderr.contains("no catalogue has an app icon named \"Other\""))
    // The names beside all icons are among the settings of an object.
    let settings = "--include-all-app-icons --app-icon Other"
    try makeObjects(parts, settings)
    try expectEqual(
      ["c.caro", "i.caro"], ["Colors.xcassets", "AppIcon.xcassets"], settings, code: 1)
  }
}
