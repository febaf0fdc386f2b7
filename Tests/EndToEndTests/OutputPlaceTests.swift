// Tests the places where `-o` writes: folders that are created, names of archives, and places that
// cannot be written.

import Foundation
import Support
import Testing

@Suite struct OutputPlaceTests {
  @Test func aFolderIsMadeWhereItsNameEndsWithASlash() throws {
    let folder = try TemporaryDirectory()
    let catalog = sampleCatalogs + "/Colors.xcassets"
    let result = try runTool(["compile", catalog, "-o", "build/deep/"], in: folder.path)
    #expect(result.code == 0, "\(result.stderr)")
    #expect(try folder.files(below: "build") == ["build/deep/Assets.car"])
    let plain = try runTool(["compile", catalog, "-o", "other"], in: folder.path)
    #expect(plain.code == 0)
    #expect(
      plain.stderr.contains("note: other is the archive itself; 'other/' means other/Assets.car\n"))
    #expect(
      !(try runTool(["compile", catalog, "-o", "other"], in: folder.path)).stderr.contains(
        "note: other"))
  }

  /// A catalogue is an input: an archive in it would be a stray file in the next run.
  @Test(arguments: [
    "B.xcassets", "B.xcassets/", "B.xcassets/Group/a.car", "./B.xcassets/../B.xcassets/",
  ])
  func aCatalogueIsNoPlaceForAnArchive(place: String) throws {
    let folder = try TemporaryDirectory()
    try folder.write("{}", to: "B.xcassets/Group/Contents.json")
    for command in [["compile"], ["thin", "--device", "iPhone8,1"]] {
      let catalog = sampleCatalogs + "/Colors.xcassets"
      let result = try runTool(command + [catalog, "-o", place], in: folder.path)
      #expect(result.code == 2, "\(result.stderr)")
      #expect(result.stderr.contains("would lie in a catalogue, which is an input"))
    }
    #expect(try folder.files(below: "B.xcassets") == ["B.xcassets/Group/Contents.json"])
  }

  /// If two outputs have one place, or an output is an input or lies in one, nothing is read or
  /// written.
  @Test(arguments: [
    ("compile A.xcassets -o a.car --swift ./a.car", "--output a.car and --swift ./a.car"),
    ("compile A.xcassets -o a.car --swift x --c x", "--swift x and --c x"),
    ("compile A.xcassets -o a.car --depfile soft", "--output a.car and --depfile soft"),
    ("compile A.xcassets -o hard1 --c hard2", "--output hard1 and --c hard2"),
    ("compile A.xcassets -o a.car --c deep/../a.car", "--output a.car and --c deep/../a.car"),
    ("compile A.xcassets -o build/ --swift build/Assets.car", "--output build/Assets.car and"),
    ("compile --object A.xcassets -o a.caro --depfile a.caro", "--output a.caro and --depfile"),
    (
      "compile A.xcassets -o a.car --options o.carve --c o.carve",
      "--c o.carve and --options o.carve"
    ),
    (
      "compile A.xcassets -o a.car --device iPhone8,1 --info-plist i --swift i",
      "--swift i and --info-plist i"
    ),
    (
      "compile A.xcassets -o a.car --swift A.xcassets/x",
      "--swift A.xcassets/x would lie in the input"
    ),
    ("link k.caro -o k.caro", "--output k.caro and the input k.caro"),
    ("link k.caro -o a.car --c a.car", "--output a.car and --c a.car"),
    ("thin k.car -o ./k.car --device iPhone8,1", "--output ./k.car and the input k.car"),
    ("symbols A.xcassets --swift x --c x", "--swift x and --c x"),
    ("preview k.car -o k.car", "--output k.car and the input k.car"),
  ])
  func twoFilesOfOnePlaceAreRefused(line: String, words: String) throws {
    let folder = try TemporaryDirectory()
    // This would give a message if it were read.
    try folder.write("{", to: "A.xcassets/S.imageset/Contents.json")
    for name in ["k.car", "k.caro", "hard1", "i", "o.carve", "build/x", "deep/x"] {
      try folder.write(name == "o.carve" ? "# nothing" : "x", to: name)
    }
    #expect(link(folder.path("hard1"), folder.path("hard2")) == 0)
    #expect(symlink("a.car", folder.path("soft")) == 0)
    let before = try folder.files(below: ".")
    let result = try runTool(line.split(separator: " ").map(String.init), in: folder.path)
    #expect(result.code == 2 && result.stderr.contains(words), "\(result.stderr)")
    #expect(result.stderr.split(separator: "\n").count == 1, "\(result.stderr)")
    #expect(try folder.files(below: ".") == before)
  }

  @Test func archivesForAllDevicesNeverTakeThePlaceOfTheirInput() throws {
    let folder = try TemporaryDirectory()
    let catalog = sampleCatalogs + "/Colors.xcassets"
    #expect(try runTool(["compile", catalog, "-o", "a.car"], in: folder.path).code == 0)
    #expect(
      try runTool(["thin", "a.car", "-o", "all", "--all-devices"], in: folder.path).code == 0)
    let name = try #require(try folder.files(below: "all").first { $0.hasSuffix(".car") })
    let bytes = try folder.read(name)
    let result = try runTool(["thin", name, "-o", "all", "--all-devices"], in: folder.path)
    #expect(result.code == 2 && result.stderr.contains("and the input \(name) are the same file"))
    #expect(try folder.read(name) == bytes)
  }

  /// If two packs have one place, the first would be lost.
  @Test func packsAndFilesOfTheBuildStepHavePlacesOfTheirOwn() throws {
    let folder = try TemporaryDirectory()
    try folder.copy(sampleCatalogs + "/Colors.xcassets", to: "A.xcassets")
    func list(_ paths: [String]) -> String {
      let packs = paths.map {
        "<dict><key>bundle-path</key><string>\($0)</string><key>tags</key>"
          + "<array><string>\($0.count)</string></array></dict>"
      }
      return "<plist version=\"1.0\"><array>\(packs.joined())</array></plist>"
    }
    let packs = [folder.path("one"), folder.path("two"), folder.path("./one")]
    try folder.write(list(packs), to: "packs.plist")
    try folder.write("x", to: "out/x")
    let line = [
      "actool", "A.xcassets", "--platform", "iphoneos", "--minimum-deployment-target", "15.0",
      "--output-format", "human-readable-text", "--no-cache",
    ]
    let compiled = line + ["--compile", "out"]
    let onDemand = [
      "--enable-on-demand-resources", "YES", "--asset-pack-output-specifications", "packs.plist",
    ]
    for (words, said) in [
      (
        compiled + onDemand,
        ["entry 1 of --asset-pack-output-specifications", "entry 3 of --asset-pack"]
      ),
      (
        compiled + ["--output-partial-info-plist", "out/Assets.car"],
        ["--compile ", "--output-partial-info-plist "]
      ),
      (
        compiled + ["--output-partial-info-plist", "p", "--export-dependency-info", "./p"],
        ["--output-partial-info-plist ", "--export-dependency-info "]
      ),
      (
        line + ["--generate-swift-asset-symbols", "s", "--generate-objc-asset-symbols", "s"],
        ["--generate-swift-asset-symbols ", "--generate-objc-asset-symbols "]
      ),
    ] {
      let result = try runTool(words, in: folder.path)
      #expect(result.code == 1 && result.stdout.contains("are the same file"), "\(result.stdout)")
      for word in said { #expect(result.stdout.contains(word), "\(result.stdout)") }
    }
    #expect(try folder.files(below: "out") == ["out/x"])
    try folder.write(list(Array(packs.prefix(2))), to: "packs.plist")
    #expect(try runTool(compiled + onDemand, in: folder.path).code == 0)
  }

  /// Make takes a new archive as a sign that the sources and the dependency file are new, too.
  @Test func theArchiveOfARunGetsItsNameLast() throws {
    let folder = try TemporaryDirectory()
    try folder.copy(sampleCatalogs + "/Colors.xcassets", to: "A.xcassets")
    let line = [
      "compile", "A.xcassets", "-o", "a.car", "--swift", "a.swift", "--c", "a.h", "--depfile",
      "a.d",
    ]
    for turn in 0..<2 {
      if turn == 1 {
        // Every output has other bytes now.
        try folder.copy(folder.path("A.xcassets/Accent.colorset"), to: "A.xcassets/New.colorset")
      }
      let log = try NameLog([folder.path])
      let result = try runTool(line, in: folder.path)
      #expect(result.code == 0, "\(result.stderr)")
      #expect(log.events() == ["+ a.swift", "+ a.h", "+ a.d", "+ a.car"])
    }
  }

  @Test(arguments: [
    ("none/a.car", "No such file or directory"), ("file/a.car", "Not a directory"),
  ])
  func aBadPlaceIsNoticedBeforeAnythingIsCompiled(place: String, reason: String) throws {
    let folder = try TemporaryDirectory()
    try folder.write("{", to: "A.xcassets/S.imageset/Contents.json")
    try folder.write("", to: "file")
    let result = try runTool(["compile", "A.xcassets", "-o", place], in: folder.path)
    #expect(result.code == 4)
    #expect(
      result.stderr == "carve compile: error: \(place): cannot create: \(reason)\n")
  }
}
