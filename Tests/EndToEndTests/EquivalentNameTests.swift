// Tests names that Swift's String considers equal, or that it joins with the characters before
// them, on the whole way from a folder into an archive and out of it again.

import Foundation
import Support
import Testing

private let composed = "\u{E9}"
private let decomposed = "e\u{301}"

@Suite struct EquivalentNameTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func carve(_ words: String...) throws -> ToolResult {
    try runTool(words, in: folder.path)
  }

  private func ok(_ words: String...) throws -> String {
    let result = try runTool(words, in: folder.path)
    #expect(result.code == 0, "\(words): \(result.stderr)")
    return result.stdout
  }

  /// Writes a set with one picture of that red.
  private func set(_ name: String, red: UInt8, in place: String = "A.xcassets") throws {
    try folder.write(
      #"{"images":[{"idiom":"universal","filename":"a.png"}]}"#,
      to: "\(place)/\(name).imageset/Contents.json")
    try folder.write(
      png(width: 4, height: 4, red: red), to: "\(place)/\(name).imageset/a.png")
  }

  private func warnings(_ text: String) -> Int {
    text.components(separatedBy: "[equivalent-names]").count - 1
  }

  @Test func twoFilesOfOneSetAreTwoPictures() throws {
    try folder.write(
      """
      {"images":[{"idiom":"universal","scale":"1x","filename":"\(composed).png"},\
      {"idiom":"universal","scale":"2x","filename":"\(decomposed).png"}]}
      """, to: "A.xcassets/S.imageset/Contents.json")
    try folder.write(png(width: 4, height: 4, red: 10), to: "A.xcassets/S.imageset/\(composed).png")
    try folder.write(
      png(width: 8, height: 8, red: 250), to: "A.xcassets/S.imageset/\(decomposed).png")
    let result = try carve("compile", "A.xcassets", "-o", "a.car", "--platform", "iphoneos")
    #expect(result.code == 0 && warnings(result.stderr) == 1, "\(result.stderr)")
    #expect(!result.stderr.contains("file-in-several-slots"))
    _ = try ok("extract", "a.car", "-o", "out")
    let files = try folder.files(below: "out")
    #expect(files.count == 2, "\(files)")
    #expect(Set(try files.map { try folder.read($0) }).count == 2)
  }

  @Test(arguments: [(composed, decomposed), (decomposed, composed)])
  func aFileIsFoundUnderItsOtherForm(onDisk: String, named: String) throws {
    try folder.write(
      #"{"images":[{"idiom":"universal","filename":"\#(named).png"}]}"#,
      to: "A.xcassets/S.imageset/Contents.json")
    try folder.write(png(width: 4, height: 4), to: "A.xcassets/S.imageset/\(onDisk).png")
    let result = try carve("compile", "A.xcassets", "-o", "a.car", "--platform", "iphoneos")
    #expect(result.code == 0 && warnings(result.stderr) == 1, "\(result.stderr)")
    #expect(try ok("resolve", "a.car", "S", "--json").utf8.contains("\(named).png".utf8))
  }

  @Test func twoSetsAreTwoAssetsEverywhere() throws {
    try set(composed, red: 10)
    try set(decomposed, red: 250)
    let result = try carve(
      "compile", "A.xcassets", "-o", "a.car", "--platform", "iphoneos", "--depfile", "a.d",
      "--cache", "cache")
    #expect(result.code == 0 && warnings(result.stderr) == 1, "\(result.stderr)")
    #expect(!result.stderr.contains("name-clash"))
    let depfile = String(decoding: try folder.read("a.d"), as: UTF8.self)
    for name in [composed, decomposed] {
      #expect(try ok("resolve", "a.car", name).hasPrefix("a.png"))
      #expect(try ok("resolve", "A.xcassets", name).contains("a.png"))
      #expect(try ok("explain", "a.car", name).unicodeScalars.starts(with: name.unicodeScalars))
      #expect(depfile.utf8.contains("A.xcassets/\(name).imageset/a.png".utf8))
    }
    let info = try ok("info", "a.car")
    #expect(info.utf8.contains(composed.utf8) && info.utf8.contains(decomposed.utf8))
    // The record of the run and thinning keep the names apart.
    let again = try carve(
      "compile", "A.xcassets", "-o", "a.car", "--platform", "iphoneos", "--depfile", "a.d",
      "--cache", "cache")
    #expect(again.code == 0 && warnings(again.stderr) == 1)
    _ = try ok("thin", "a.car", "--device", "iPhone15,2", "-o", "thin.car", "--prove")
    #expect(try ok("resolve", "thin.car", decomposed).hasPrefix("a.png"))
    // If one of the two assets changes, that one is named.
    let before = try folder.read("a.car")
    try folder.write(before, to: "before.car")
    try set(decomposed, red: 90)
    _ = try carve("compile", "A.xcassets", "-o", "a.car", "--platform", "iphoneos")
    let difference = try carve("diff", "before.car", "a.car").stdout
    #expect(difference.utf8.contains(decomposed.utf8) && !difference.utf8.contains(composed.utf8))
    _ = try ok("extract", "a.car", "-o", "out")
    #expect(try folder.files(below: "out").count == 2)
  }

  @Test func objectsLinkToTheSameArchive() throws {
    try set("x", red: 10, in: "A.xcassets/\(composed)")
    try set("y", red: 250, in: "A.xcassets/\(decomposed)")
    _ = try ok("compile", "A.xcassets", "-o", "whole.car", "--platform", "iphoneos")
    _ = try ok(
      "compile", "--object", "A.xcassets", "--without", "A.xcassets/\(composed)", "-o", "a.caro",
      "--platform", "iphoneos")
    _ = try ok(
      "compile", "--object", "A.xcassets/\(composed)", "-o", "b.caro", "--platform", "iphoneos")
    _ = try ok("link", "a.caro", "b.caro", "-o", "linked.car")
    #expect(try folder.read("linked.car") == folder.read("whole.car"))
  }

  @Test func symbolsNameBoth() throws {
    try set(composed, red: 10)
    try set(decomposed, red: 250)
    let result = try carve("symbols", "A.xcassets", "--swift", "ids.swift", "--c", "ids.h")
    #expect(result.code == 0, "\(result.stderr)")
    for file in ["ids.swift", "ids.h"] {
      let text = String(decoding: try folder.read(file), as: UTF8.self)
      let ids = text.components(separatedBy: "0x").dropFirst().map { $0.prefix(16) }
      #expect(Set(ids).count == 2, "\(text)")
    }
  }

  /// The first character of a name may combine with the slash before it into one character.
  @Test(arguments: [
    "\u{301}a", "\u{200D}\u{1F469}\u{200D}\u{1F467}", "\u{1F1E9}\u{1F1EA}", "\u{1161}\u{11A8}",
    "\u{20E3}", "a\r\nb", "\u{93F}", "\u{FE0F}", "a.\u{301}",
  ])
  func namesThatJoinTheSlashAreNames(name: String) throws {
    try folder.write(
      #"{"properties":{"provides-namespace":true}}"#, to: "A.xcassets/G/Contents.json")
    try set(name, red: 10, in: "A.xcassets/G")
    _ = try ok("compile", "A.xcassets", "-o", "a.car", "--platform", "iphoneos", "--depfile", "a.d")
    #expect(try ok("resolve", "a.car", "G/\(name)").hasPrefix("a.png"))
    #expect(try ok("resolve", "A.xcassets", "G/\(name)").contains("a.png"))
    _ = try ok("extract", "a.car", "-o", "out")
    #expect(try folder.files(below: "out").count == 1)
    _ = try ok("symbols", "A.xcassets", "--c", "ids.h")
    #expect(String(decoding: try folder.read("ids.h"), as: UTF8.self).contains("#define"))
    _ = try ok("compile", "--object", "A.xcassets/G", "-o", "g.caro", "--platform", "iphoneos")
    _ = try ok("preview", "a.car", "-o", "page.html")
  }

  /// An output may have a name that is not UTF-8. A catalogue may not, because reports name its
  /// files; the error says so.
  @Test func namesOfOutputsNeedNotBeUTF8() throws {
    let tool = productFolder + "/carve"
    try set("set", red: 10)
    let script = """
      set -e
      a=$(printf 'a\\377') b=$(printf 'b\\376.car')
      mkdir "$a"
      mv A.xcassets "$a"
      cd "$a"
      '\(tool)' compile A.xcassets -o "$b" --platform iphoneos
      '\(tool)' compile A.xcassets "-o$b.2" --platform=iphoneos
      cmp "$b" "$b.2"
      '\(tool)' resolve "$b" set
      test -f "$b"
      """
    let result = try run(
      "/bin/sh", ["-c", script], in: folder.path, environment: ["PATH": "/usr/bin:/bin"])
    #expect(result.code == 0, "\(result.stdout)\(result.stderr)")
    #expect(result.stdout.contains("a.png (1x"))
    let refused = try run(
      "/bin/sh",
      ["-c", "n=$(printf 'a\\377.xcassets'); mkdir $n; '\(tool)' compile $n -o a.car"],
      in: folder.path, environment: ["PATH": "/usr/bin:/bin"])
    #expect(refused.code == 4)
    #expect(
      refused.stderr.contains(#"cannot read a\xFF.xcassets: its path is not UTF-8"#),
      "\(refused.stderr)")
  }

  @Test func actoolKeepsBothForms() throws {
    try set(composed, red: 10)
    try set(decomposed, red: 250)
    let result = try carve(
      "actool", "A.xcassets", "--compile", ".", "--platform", "iphoneos",
      "--minimum-deployment-target", "15.0", "--export-dependency-info", "info")
    #expect(result.code == 0, "\(result.stdout)")
    let info = try folder.read("info")
    for name in [composed, decomposed] {
      #expect(try ok("resolve", "Assets.car", name).hasPrefix("a.png"))
      #expect(info.firstRange(of: Array("\(name).imageset".utf8)) != nil)
    }
  }

  @Test func keysThatAreEquivalentAreTwo() throws {
    try folder.write(
      #"{"images":[],"\#(composed)":1,"\#(decomposed)":2}"#,
      to: "A.xcassets/S.imageset/Contents.json")
    let result = try carve("lint", "A.xcassets")
    let unknown = result.stdout + result.stderr
    #expect(unknown.components(separatedBy: "[unknown-key]").count == 3, "\(unknown)")
    #expect(!unknown.contains("[json-duplicate-key]"))
  }
}

extension String.UTF8View {
  fileprivate func contains(_ part: String.UTF8View) -> Bool {
    firstRange(of: part) != nil
  }
}
