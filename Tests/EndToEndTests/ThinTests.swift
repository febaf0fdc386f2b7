// Tests `carve thin`, `diff` and `assetutil` as their users run them.

import Foundation
import Support
import Testing

@Suite("Thinning by the tool") struct ThinTests {
  private let folder: TemporaryDirectory
  private let full: String

  /// The archive that every test thins, made once.
  private static let archive = Result {
    let folder = try TemporaryDirectory()
    let made = try runTool(
      ["compile", sampleCatalogs + "/SizeClasses.xcassets", sampleCatalogs + "/Scales.xcassets"]
        + [sampleCatalogs + "/Appearances.xcassets", "-o", "full.car", "--no-packing"],
      in: folder.path)
    try #require(made.code == 0, "\(made.stderr)")
    return try folder.read("full.car")
  }

  init() throws {
    folder = try TemporaryDirectory()
    full = try folder.write(ThinTests.archive.get(), to: "full.car")
  }

  private func thin(_ words: String...) throws -> ToolResult {
    try runTool(["thin", full, "-o", "thin.car"] + words, in: folder.path)
  }

  @Test("the report says what was dropped and why")
  func reports() throws {
    let result = try thin("--device", "iPhone8,1", "--report", "text")
    #expect(result.code == 0)
    golden(withoutSizes(result.stdout), "thin-report.txt")
    let json = try thin("--device", "iPhone8,1,iPad5,3", "--report", "json", "--prove")
    let object = try JSONSerialization.jsonObject(with: Data(json.output)) as? [String: Any]
    let devices = object?["devices"] as? [[String: Any]]
    #expect(devices?.compactMap { $0["device"] as? String } == ["iPhone8,1", "iPad5,3"])
    #expect((object?["proof"] as? [String: Any])?["holds"] as? Bool == true)
  }

  @Test("every device of the table is proved, and its archive is sound")
  func provesAllDevices() throws {
    let result = try runTool(
      ["thin", full, "--all-devices", "--prove", "-o", "variants"], in: folder.path)
    #expect(result.code == 0, "\(result.stderr)")
    #expect(result.stdout.contains("proved: "))
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path("variants"))
    let archives = files.filter { $0.hasSuffix(".car") }
    #expect(archives.count > 1)
    for archive in archives {
      let check = try runTool(["validate", folder.path("variants/\(archive)")])
      #expect(check.code == 0, "\(archive): \(check.stderr)")
    }
    let list = try PropertyListSerialization.propertyList(
      from: Data(folder.read("variants/app-thinning.plist")), format: nil)
    let variants = (list as? [String: Any])?["variants"] as? [String: [String: Any]]
    #expect(variants.map { Set($0.keys) } == Set(archives))
    for (name, entry) in variants ?? [:] {
      let size = try folder.read("variants/\(name)").count
      #expect(entry["sizeUncompressedApp"] as? Int == size)
    }
    let text = try String(
      decoding: folder.read("variants/App Thinning Size Report.txt"), as: UTF8.self)
    golden(withoutSizes(text), "app-thinning.txt")
  }

  @Test("archives of an earlier run go, and nothing else of the folder does")
  func replacesEarlierArchives() throws {
    func archives() throws -> Set<String> {
      Set(try folder.files(below: "variants").filter { $0.hasSuffix(".car") })
    }
    let words = ["thin", full, "--all-devices", "-o", "variants"]
    #expect(try runTool(words, in: folder.path).code == 0)
    let before = try archives()
    // This archive has a name that the command could give, but was made by hand: no list names it.
    let unlisted = try #require(
      ["iPod9,1", "iPhone10,3", "iPad7,1"].map { "variants/Assets-\($0).car" }
        .first { !before.contains($0) })
    for other in ["variants/Assets.car", "variants/mine.car", unlisted] {
      try folder.write("mine", to: other)
    }
    // There is one picture for all devices, so one archive serves every device.
    let path = "A.xcassets/Star.imageset"
    try folder.write(
      #"{"images":[{"filename":"a.png"}]}"#, to: "\(path)/Contents.json")
    try folder.write(png(width: 4, height: 4), to: "\(path)/a.png")
    let again = try runTool(
      ["thin", "A.xcassets", "--all-devices", "-o", "variants"], in: folder.path)
    #expect(again.code == 0, "\(again.stderr)")
    let mine: Set = ["variants/Assets.car", "variants/mine.car", unlisted]
    let left = try archives().subtracting(mine)
    #expect(try archives().isSuperset(of: mine))
    #expect(left.count < before.count)
    let list = try PropertyListSerialization.propertyList(
      from: Data(folder.read("variants/app-thinning.plist")), format: nil)
    let variants = (list as? [String: Any])?["variants"] as? [String: Any]
    #expect(Set((variants ?? [:]).keys.map { "variants/\($0)" }) == left)
  }

  @Test("if one device fails, nothing is written and the files of an earlier run stay")
  func writesAllOrNothing() throws {
    let words = ["--all-devices", "-o", "variants"]
    #expect(try runTool(["thin", full] + words, in: folder.path).code == 0)
    func contents() throws -> [String: [UInt8]] {
      let paths = try folder.files(below: "variants")
      return try Dictionary(uniqueKeysWithValues: paths.map { ($0, try folder.read($0)) })
    }
    let before = try contents()
    // The blocks of renditions begin with these letters. The block of the last one is damaged,
    // which not every device reads.
    var bytes = try folder.read("full.car")
    let mark = Array("ISTC".utf8)
    let last = try #require(
      bytes.indices.dropLast(4).last { Array(bytes[$0..<$0 + 4]) == mark })
    bytes[last] = 0
    try folder.write(bytes, to: "damaged.car")
    let partial = try runTool(
      ["thin", "damaged.car", "--device", "iPhone8,1", "-o", "thin.car"], in: folder.path)
    #expect(partial.code == 0, "\(partial.stderr)")
    let result = try runTool(["thin", "damaged.car"] + words, in: folder.path)
    #expect(result.code == 1, "\(result.stderr)")
    #expect(try contents() == before)
    let fresh = try runTool(
      ["thin", "damaged.car", "--all-devices", "-o", "fresh"], in: folder.path)
    #expect(fresh.code == 1, "\(fresh.stderr)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("fresh")))
  }

  @Test("a list that names other files removes none")
  func distrustsForeignLists() throws {
    try folder.write("mine", to: "mine.car")
    try folder.write("mine", to: "variants/mine.car")
    let names = ["../mine.car", "mine.car", "Assets-../mine.car"]
    let keys = names.map { "<key>\($0)</key><dict/>" }.joined()
    try folder.write(
      "<plist version=\"1.0\"><dict><key>variants</key><dict>\(keys)</dict></dict></plist>",
      to: "variants/app-thinning.plist")
    let words = ["thin", full, "--all-devices", "-o", "variants"]
    #expect(try runTool(words, in: folder.path).code == 0)
    #expect(try folder.read("mine.car") == Array("mine".utf8))
    #expect(try folder.read("variants/mine.car") == Array("mine".utf8))
  }

  @Test("compiling for a device and thinning what was compiled give the same bytes")
  func compilesTheSame() throws {
    let catalog = sampleCatalogs + "/Scales.xcassets"
    for words in [
      ["compile", catalog, "-o", "whole.car"],
      ["compile", catalog, "-o", "direct.car", "--device", "iPhone8,1"],
      ["thin", "whole.car", "-o", "later.car", "--device", "iPhone8,1"],
      ["thin", catalog, "-o", "both.car", "--device", "iPhone8,1"],
    ] {
      let result = try runTool(words, in: folder.path)
      #expect(result.code == 0, "\(words): \(result.stderr)")
    }
    let direct = try folder.read("direct.car")
    #expect(try folder.read("later.car") == direct)
    #expect(try folder.read("both.car") == direct)
  }

  @Test("a budget that is passed fails with what passed it")
  func checksBudgets() throws {
    #expect(try thin("--device", "iPhone8,1", "--budget", "12MB").code == 0)
    let tight = try thin("--device", "iPhone8,1", "--budget", "100")
    #expect(tight.code == 1)
    #expect(tight.stderr.contains("over its budget of 100"))
    try folder.write(#"{"assets":{"Star":"10","Panel":"1MB"}}"#, to: "limits.json")
    let asset = try thin("--device", "iPhone8,1", "--budget", "limits.json")
    #expect(asset.code == 1)
    #expect(asset.stderr.contains("\"Star\" takes"))
    #expect(!asset.stderr.contains("Panel") && !asset.stderr.contains("warning"))
    try folder.write(#"{"asset":{}}"#, to: "limits.json")
    #expect(try thin("--device", "iPhone8,1", "--budget", "limits.json").code == 1)
    #expect(try thin("--device", "iPhone8,1", "--budget", "12parsecs").code == 2)
  }

  @Test("a limit on what is not there is named with what may be meant")
  func namesIdleLimits() throws {
    try folder.write(
      #"{"assets":{"Satr":"1MB","(atlases)":"1MB"},"devices":{"iPhone8,11":"1MB","iPad5,3":1},"#
        + #""groups":{"Star":"1MB"}}"#, to: "limits.json")
    let result = try thin("--device", "iPhone8,1", "--budget", "limits.json")
    #expect(result.code == 1)
    #expect(
      result.stderr == """
        limits.json:1:55: error: there is no device 'iPhone8,11' in the table; did you mean \
        'iPhone8,1', the iPhone 6s?
        limits.json:1:12: error: there is no asset 'Satr'; did you mean 'Star'?
        limits.json:1:97: error: no namespace is called 'Star', and an archive does not have the \
        folders of its catalogue; there are none

        """)
    let archive = folder.path("groups.car")
    let names = sampleCatalogs + "/Namespaces.xcassets"
    #expect(try runTool(["compile", names, "-o", archive]).code == 0)
    try folder.write(#"{"groups":{"Fruti":"1MB","Fruit":"1MB"}}"#, to: "limits.json")
    let words = ["thin", archive, "-o", "variants", "--all-devices", "--budget", "limits.json"]
    let group = try runTool(words, in: folder.path)
    let errors = group.stderr.split(separator: "\n").filter { $0.contains("error") }
    #expect(
      errors == [
        "limits.json:1:12: error: no namespace is called 'Fruti', and an archive does not have the "
          + "folders of its catalogue; did you mean 'Fruit'?"
      ])
    #expect(!FileManager.default.fileExists(atPath: folder.path("variants")))
    // The folders of a catalogue count too, whether they give a namespace or not.
    let catalog = folder.path("Fruit.xcassets")
    try folder.copy(names, to: "Fruit.xcassets")
    try folder.copy(names + "/Fruit", to: "Fruit.xcassets/Plain")
    try folder.write("{}", to: "Fruit.xcassets/Plain/Contents.json")
    try folder.write(#"{"groups":{"Plain":1,"Cellar":"1MB"}}"#, to: "limits.json")
    let phone = ["thin", catalog, "-o", "one.car", "--device", "iPhone8,1"]
    let folders = try runTool(phone + ["--budget", "limits.json"], in: folder.path)
    #expect(folders.code == 1)
    #expect(folders.stderr.contains("no folder is called 'Cellar'; there are Fruit, "))
    try folder.write(#"{"groups":{"Plain":1}}"#, to: "limits.json")
    let plain = try runTool(phone + ["--budget", "limits.json"], in: folder.path)
    #expect(plain.code == 1)
    #expect(plain.stderr.contains("the group \"Plain\" takes "))
  }

  @Test("one call prints limit, use and rest for each device, in each form")
  func printsTheBudget() throws {
    try folder.copy(sampleCatalogs + "/AppIcon.xcassets", to: "App.xcassets")
    try folder.copy(
      sampleCatalogs + "/Scales.xcassets/Rocket.imageset", to: "App.xcassets/Rocket.imageset")
    try folder.write(#"{"file":"1MB","assets":{"Rocket":"1MB"}}"#, to: "limits.json")
    let words = [
      "thin", "App.xcassets", "-o", "both.car", "--device", "iPhone8,1,iPad5,3", "--budget",
      "limits.json",
    ]
    let text = try runTool(words, in: folder.path)
    #expect(text.code == 0)
    #expect(
      text.stderr.contains("note: the limit of the file applies to what 2 devices need together"))
    let lines = text.stdout.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("budget for  of ") && $0.hasSuffix(" left") })
    for owner in ["both.car ", "iPhone8,1 ", "iPad5,3 "] {
      #expect(lines.contains { $0.hasPrefix(owner) && $0.contains(" 1,000,000 ") }, "\(owner)")
    }
    #expect(text.stdout.contains("not counted: \"AppIcon\""))
    let markdown = try runTool(words + ["--report", "markdown"], in: folder.path)
    #expect(markdown.stdout.contains("| budget for | of | limit | used | left |"))
    #expect(markdown.stdout.contains("| device | name | pictures |"))
    let json = try runTool(words + ["--report", "json"], in: folder.path)
    #expect(json.stdout.contains("\"leftOutIcons\"") && json.stdout.contains("\"left\": "))
    try folder.write(#"{"assets":{"AppIcon":"1MB"}}"#, to: "limits.json")
    let icon = try runTool(words, in: folder.path)
    #expect(icon.code == 1)
    #expect(
      icon.stderr.contains("error: the icon 'AppIcon' is left out; --app-icon AppIcon compiles it"))
    #expect(try runTool(words + ["--app-icon", "AppIcon"], in: folder.path).code == 0)
  }

  @Test("every device of a group is held to its own limit")
  func holdsTwinsToTheirLimits() throws {
    try folder.write(#"{"devices":{"iPhone9,1":100,"iPhone8,1":"12MB"}}"#, to: "limits.json")
    let result = try thin("--all-devices", "--budget", "limits.json", "-o", "variants")
    #expect(result.code == 1)
    let errors = result.stderr.split(separator: "\n").filter { $0.hasPrefix("error: ") }
    #expect(errors.count == 1 && errors.allSatisfy { $0.hasPrefix("error: iPhone9,1: ") })
  }

  @Test("an earlier report is a budget: what grew is named")
  func namesWhatGrew() throws {
    let report = try thin("--device", "iPad5,3", "--report", "json")
    let smaller = report.stdout.replacingOccurrences(of: "\"bytes\": ", with: "\"bytes\": 1")
    try folder.write(smaller, to: "before.json")
    #expect(try thin("--device", "iPad5,3", "--budget", "before.json").code == 0)
    try folder.write(
      #"{"devices":[{"device":"iPad5,3","kept":{"bytes":1000000},"#
        + #""assets":[{"asset":"Star","kept":{"bytes":1}}]}]}"#, to: "before.json")
    let grown = try thin("--device", "iPad5,3", "--budget", "before.json")
    #expect(grown.code == 1)
    #expect(grown.stderr.contains("\"Star\" grew by "))
  }

  @Test(
    "what cannot be done is said, and no file is made",
    arguments: [
      (["--device", "iPhone8,9"], Int32(2), "did you mean 'iPhone8,1', the iPhone 6s?"),
      ([], 2, "--all-devices"),
      (["--device", "iPhone8,1", "--os", "soon"], 2, "'soon' is not a version"),
      (["--device", "iPhone3,1"], 2, "iPhone3,1 runs systems up to 7"),
      (["--device", "iPhone8,1", "--info-plist", "none.plist"], 4, "none.plist"),
    ])
  func refuses(_ words: [String], _ code: Int32, _ message: String) throws {
    let result = try runTool(["thin", full, "-o", "thin.car"] + words, in: folder.path)
    #expect(result.code == code)
    #expect(result.stderr.contains(message), "\(result.stderr)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("thin.car")))
  }

  @Test("a cut or foreign archive is an error with the offset, and the old output stays")
  func refusesDamage() throws {
    let bytes = try folder.read("full.car")
    try folder.write("old", to: "thin.car")
    for length in [0, 31, 600, bytes.count / 2, bytes.count - 1] {
      try folder.write(bytes.prefix(length), to: "cut.car")
      let result = try runTool(
        ["thin", "cut.car", "--device", "iPhone8,1", "-o", "thin.car"], in: folder.path)
      #expect(result.code == 1, "\(length): \(result.stderr)")
      #expect(result.stderr.contains("cut.car: "))
      #expect(result.stderr.contains("(offset "))
    }
    #expect(try folder.read("thin.car") == Array("old".utf8))
  }

  @Test(
    "a disk that is full is an error with the path, and the old output stays",
    .enabled(
      if: ProcessInfo.processInfo.environment["CARVE_SANITIZER"] != "thread",
      "the thread sanitizer keeps its memory in files, which the limit reaches"))
  func survivesFullDisks() throws {
    try folder.write("old", to: "thin.car")
    // The shell limits files to 8 blocks of 512 bytes.
    let result = try run(
      "/bin/sh",
      [
        "-c",
        """
        ulimit -f 8
        exec '\(productFolder)/carve' thin full.car --device iPhone8,1 -o thin.car
        """,
      ],
      in: folder.path)
    #expect(result.code == 4, "\(result.stderr)")
    #expect(result.stderr.contains("thin.car"))
    #expect(try folder.read("thin.car") == Array("old".utf8))
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!files.contains { $0.hasPrefix(".carve") })
    let device = try runTool(
      ["thin", full, "--device", "iPhone8,1", "-o", "/dev/full"], in: folder.path)
    #expect(device.code == 4)
  }

  @Test("two archives are compared, and other files are refused")
  func comparesArchives() throws {
    _ = try thin("--device", "iPhone8,1")
    let same = try runTool(["diff", full, full], in: folder.path)
    try Data("text".utf8).write(to: URL(fileURLWithPath: folder.path("text.car")))
    for pair in [[full, "text.car"], ["text.car", full]] {
      let refused = try runTool(["diff"] + pair, in: folder.path)
      #expect(refused.code == 1)
      #expect(refused.stderr.hasPrefix("carve diff: error: text.car: "), "\(refused.stderr)")
    }
    #expect(same.code == 0)
    #expect(same.stdout.contains("both archives show the same"))
    let words = ["diff", full, "thin.car", "--device", "iPhone8,1"]
    let text = try runTool(words, in: folder.path)
    #expect(text.code == 0)
    golden(withoutSizes(text.stdout), "diff.txt")
    let markdown = try runTool(words + ["--markdown"], in: folder.path)
    golden(withoutSizes(markdown.stdout), "diff.md")
    let json = try runTool(words + ["--json"], in: folder.path)
    let object = try JSONSerialization.jsonObject(with: Data(json.output)) as? [String: Any]
    let renditions = object?["renditions"] as? [[String: Any]]
    #expect(renditions?.allSatisfy { $0["change"] as? String == "removed" } == true)
  }

  @Test("assetutil describes, thins item by item, and never overwrites unasked")
  func answersToAssetutil() throws {
    let link = folder.path("assetutil")
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: productFolder + "/carve")
    let info = try runTool(["--info", full], link: link)
    let own = try runTool(["info", "--json", full])
    // Only Apple's tool prints these lines; an archive of the same source has no time.
    var dumped = info.stdout
    for line in ["    \"DumpToolVersion\" : 972.1,\n", ",\n    \"Timestamp\" : 0"] {
      #expect(dumped.contains(line))
      dumped = dumped.replacingOccurrences(of: line, with: "")
    }
    #expect(dumped == own.stdout)
    let filed = try runTool(["-I", full, "-o", folder.path("info.json")], link: link)
    #expect(filed.code == 0 && filed.stdout.isEmpty)
    #expect(try folder.read("info.json") == info.output)
    let absent = try runTool(["--info", "Skye", full], link: link)
    #expect(absent.code == 1)
    #expect(absent.stderr.contains("there is no asset 'Skye'; did you mean 'Sky'?"), "\(absent)")
    let before = try folder.read("full.car")
    let unasked = try runTool(["--scale", "2", full], link: link)
    #expect(unasked.code == 2)
    #expect(unasked.stderr.contains("--in-place"))
    #expect(try folder.read("full.car") == before)
    let words = ["-i", "phone", "-s", "2", full]
    #expect(try runTool(words + ["-o", folder.path("items.car")], link: link).code == 0)
    #expect(try runTool(["-Z", folder.path("items.car")], link: link).code == 0)
    #expect(try folder.read("items.car").count < before.count)
    #expect(try runTool(["-T", "scale=2/scale=2", full], link: link).stdout == "same\n")
    #expect(try runTool(["-T", "scale=1/scale=3", full], link: link).stdout == "different\n")
    try folder.write(before.prefix(900), to: "cut.car")
    #expect(try runTool(["-Z", folder.path("cut.car")], link: link).code == 2)
    #expect(try runTool(words + ["--in-place"], link: link).code == 0)
    #expect(try folder.read("full.car") == folder.read("items.car"))
  }
}

/// Returns a text whose sizes, which change with every better codec, are replaced.
private func withoutSizes(_ text: String) -> String {
  var text = text
  for (pattern, template) in [
    (#"[0-9.]+ [KM]B"#, "N KB"), (#"[-+]?\b[0-9]{1,3}(,[0-9]{3})+\b"#, "N"),
    (#"\b[0-9]{3,}\b"#, "N"), (#"[0-9]+\.[0-9] %"#, "N %"), (" {3,}", "  "),
  ] {
    text = text.replacingOccurrences(of: pattern, with: template, options: .regularExpression)
  }
  return text
}
