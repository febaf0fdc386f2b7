// Tests that a build step reports faults of its input in the words of Apple's tool, and leaves no
// output.

import Foundation
import Support
import Testing

@Suite struct ActoolBadInputTests {
  @Test(
    arguments: [
      (
        "--app-icon Nope",
        "/* com.apple.actool.errors */\nROOT/Assets.xcassets: error: None of the input catalogs "
          + "contained a matching stickers icon set or app icon set named  \"Nope\".\n"
      ),
      (
        "--app-icon AppIcon --alternate-app-icon AppIcon",
        "/* com.apple.actool.errors */\nROOT/Assets.xcassets: error: The alternate app icon "
          + "\"AppIcon\" is also the primary app icon.\n"
      ),
      (
        "--app-icon AppIcon --alternate-app-icon Mac",
        "/* com.apple.actool.errors */\nROOT/Assets.xcassets: error: The stickers icon set, app icon "
          + "set, or icon stack named \"Mac\" did not have any applicable content.\n"
      ),
      (
        "Other.xcassets --app-icon Second",
        "/* com.apple.actool.errors */\nROOT/Assets.xcassets: error: There are multiple stickers icon "
          + "set, app icon set, or icon stack instances named \"Second\".\n"
      ),
      (
        "--compile nowhere",
        "/* com.apple.actool.errors */\nROOT/nowhere: error: The output directory \"ROOT/nowhere\" "
          + "does not exist.\n    Failure Reason: No such file or directory\n"
      ),
      (
        "Missing.xcassets",
        "/* com.apple.actool.errors */\nROOT/Missing.xcassets: error: Failed to read file attributes "
          + "for \"ROOT/Missing.xcassets\"\n    Failure Reason: No such file or directory\n"
      ),
      (
        "packs.plist",
        "/* com.apple.actool.errors */\nROOT/packs.plist: error: Failed to open "
          + "\"ROOT/packs.plist\"\n    Failure Reason: It is a file, and asset catalogs are "
          + "folders.\n"
      ),
      (
        "--output-partial-info-plist out",
        "/* com.apple.actool.errors */\nROOT/out: error: Failed to replace \"ROOT/out\"\n"
          + "    Failure Reason: ROOT/out: cannot replace: Is a directory\n"
      ),
      (
        "--launch-image Nope",
        "/* com.apple.actool.errors */\nROOT/Assets.xcassets: error: None of the input catalogs "
          + "contained a matching launch image set named \"Nope\".\n"
      ),
    ])
  func theMessageIsApplesAndNothingIsWritten(words: String, expected: String) throws {
    let folder = try appFolder()
    try folder.copy(
      folder.path("Mac.xcassets/AppIcon.appiconset"), to: "Assets.xcassets/Mac.appiconset")
    try folder.copy(
      folder.path("Assets.xcassets/Second.appiconset"), to: "Other.xcassets/Second.appiconset")
    let line =
      "actool Assets.xcassets --compile out --platform iphoneos --output-format "
      + "human-readable-text \(words)"
    let result = try runTool(line.split(separator: " ").map(String.init), in: folder.path)
    #expect(result.code == 1)
    #expect(result.stderr.isEmpty)
    #expect(result.stdout.replacingOccurrences(of: folder.path, with: "ROOT") == expected)
    #expect(try folder.files(below: "out") == [])
  }

  @Test func twoCataloguesWithOneNameAreAmbiguous() throws {
    let folder = try appFolder()
    try folder.copy(
      folder.path("Assets.xcassets/Moon.imageset"), to: "B/Assets.xcassets/Moon.imageset")
    let result = try runTool(
      [
        "actool", "Assets.xcassets", "B/Assets.xcassets", "--compile", "out", "--platform",
        "iphoneos", "--warnings",
      ], in: folder.path)
    #expect(result.code == 0)
    let report = try PropertyListSerialization.propertyList(
      from: Data(result.output), format: nil)
    let warnings = (report as? [String: Any])?["com.apple.actool.document.warnings"]
    let first = try #require((warnings as? [[String: Any]])?.first)
    #expect(first["type"] as? String == "Ambiguous Content")
    #expect(first["catalog"] as? String == folder.path("B/Assets.xcassets"))
    #expect(first["affected-items"] as? [String] == ["./Moon.imageset"])
  }

  @Test func anErrorInADocumentNamesItsLineThoughOnlyWarningsWereAskedFor() throws {
    let folder = try appFolder()
    try folder.write("{\n  \"images\" : [ }\n", to: "Assets.xcassets/Bad.imageset/Contents.json")
    let result = try runTool(
      [
        "actool", "Assets.xcassets", "--compile", "out", "--platform", "iphoneos", "--warnings",
        "--output-format", "human-readable-text",
      ], in: folder.path)
    #expect(result.code == 1)
    let place = folder.path("Assets.xcassets/Bad.imageset/Contents.json")
    // Xcode's parser expects a path, one identifier and a severity.
    let lines = result.stdout.split(separator: "\n").filter { $0.hasPrefix(place) }
    let line = try #require(lines.first)
    #expect(line.wholeMatch(of: /[^:]*:2: error: .*/) != nil, "\(line)")
    #expect(try folder.files(below: "out") == [])
  }

  /// An icon that cannot be read gives its own error, not the one for an icon that is not there.
  @Test func anIconThatCannotBeReadIsNotMissing() throws {
    let folder = try appFolder()
    try folder.write("{", to: "Assets.xcassets/Glass.icon/icon.json")
    let line =
      "actool Assets.xcassets --compile out --platform iphoneos --app-icon Glass --output-format "
      + "human-readable-text"
    let result = try runTool(line.split(separator: " ").map(String.init), in: folder.path)
    #expect(result.code == 1)
    #expect(
      result.stdout == """
        /* com.apple.actool.document.errors */
        \(folder.path("Assets.xcassets/Glass.icon/icon.json")):1: error: the file ends too early \
        [json-syntax]

        """)
    #expect(try folder.files(below: "out") == [])
  }

  /// Returns a PNG with a byte of its pixels changed.
  private static func damaged() -> [UInt8] {
    var bytes = png(width: 640, height: 960)
    bytes[60] ^= 0x55
    return bytes
  }

  @Test(
    arguments: [
      ([], "error: the file is empty [broken-image]"),
      (Array("junk".utf8), "error: the file is not a picture of any known kind"),
      (Array(png(width: 640, height: 960).dropLast(40)), "error: the PNG file ends before"),
      (damaged(), "error: the file is damaged: chunk IDAT"),
      (
        Array("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>".utf8),
        "warning: a .launchimage cannot hold an SVG picture; it is left out [unsupported-format]"
      ),
    ] as [([UInt8], String)])
  func launchImagesAreCheckedAsPicturesAre(bytes: [UInt8], words: String) throws {
    let folder = try appFolder()
    try folder.write(
      #"{"images":[{"idiom":"iphone","filename":"a.png","extent":"full-screen"}]}"#,
      to: "Assets.xcassets/Start.launchimage/Contents.json")
    try folder.write(bytes, to: "Assets.xcassets/Start.launchimage/a.png")
    let line =
      "actool Assets.xcassets --compile out --platform iphoneos --launch-image Start "
      + "--output-format human-readable-text --errors --warnings"
    let result = try runTool(line.split(separator: " ").map(String.init), in: folder.path)
    #expect(result.stdout.contains("Start.launchimage/a.png: \(words)"), "\(result.stdout)")
    #expect(result.code == (words.hasPrefix("error") ? 1 : 0))
    #expect(try !folder.files(below: "out").contains { $0.contains("Start") })
  }

  @Test(
    arguments: [
      ("--comple out", "unknown option '--comple'; did you mean '--compile'?"),
      ("--compile", "option '--compile' needs a value"),
      ("--compile out", "--compile needs --platform"),
      ("--output-partial-info-plist p", "--output-partial-info-plist needs --platform"),
      ("--platform ios", "'ios' is not a value of '--platform'"),
    ])
  func usageIsRefusedWithAHint(words: String, expected: String) throws {
    let folder = try appFolder()
    let result = try runTool(
      ["Assets.xcassets"] + words.split(separator: " ").map(String.init), in: folder.path,
      link: link("actool", in: folder))
    #expect(result.code == 2)
    #expect(result.stdout.isEmpty)
    #expect(result.stderr.hasPrefix("actool: error: \(expected)"), "\(result.stderr)")
  }

  /// `--werror` is also for warnings about the run.
  @Test(arguments: [
    ("--accent-color Nope --complication Q", "error: Accent color 'Nope' is not present", 1),
    ("--target-device mac", "--target-device mac contradicts the platform iphoneos", 2),
  ])
  func warningsAboutTheRunCanBeErrors(words: String, message: String, code: Int32) throws {
    let folder = try appFolder()
    let line =
      "actool Assets.xcassets --compile out --platform iphoneos --output-format "
      + "human-readable-text \(words)"
    #expect(try runTool(line.split(separator: " ").map(String.init), in: folder.path).code == 0)
    for file in try folder.files(below: "out") {
      try FileManager.default.removeItem(atPath: folder.path(file))
    }
    let strict = (line + " --werror").split(separator: " ").map(String.init)
    let result = try runTool(strict, in: folder.path)
    #expect(result.code == code)
    #expect((result.stdout + result.stderr).contains(message), "\(result.stdout)\(result.stderr)")
    #expect(try folder.files(below: "out") == [])
  }

  /// Advice of `carve compile` names options that `actool` does not have.
  @Test func adviceNamesNoForeignOption() throws {
    let folder = try TemporaryDirectory()
    try folder.write(
      #"{"images":[{"idiom":"universal","filename":"a.svg"}]}"#,
      to: "A.xcassets/Big.imageset/Contents.json")
    try folder.write(
      "<svg xmlns='http://www.w3.org/2000/svg' width='8100' height='8100'><rect width='9' "
        + "height='9'/></svg>", to: "A.xcassets/Big.imageset/a.svg")
    try folder.write("{}", to: "A.xcassets/Contents.json")
    try folder.write(
      #"{"layers":[{"filename":"L.solidimagestacklayer"}]}"#,
      to: "A.xcassets/Icon.solidimagestack/Contents.json")
    try folder.write("", to: "out/x")
    let line =
      "actool A.xcassets --compile out --platform xros --app-icon Icon --warnings --output-format "
      + "human-readable-text"
    let result = try runTool(line.split(separator: " ").map(String.init), in: folder.path)
    #expect(result.stdout.contains("make its page smaller [broken-image]"), "\(result.stdout)")
    #expect(
      result.stdout.contains("the textures of its layers is not known [unsupported-set]"),
      "\(result.stdout)")
  }

  /// A run that fails removes the folders of packs that it made.
  @Test func aFailedRunLeavesNoFolderOfAPack() throws {
    let folder = try appFolder()
    try folder.write("junk", to: "Assets.xcassets/Moon.imageset/moon.png")
    let line =
      "actool Assets.xcassets --compile out --platform iphoneos --enable-on-demand-resources YES "
      + "--asset-pack-output-specifications packs.plist"
    let result = try runTool(line.split(separator: " ").map(String.init), in: folder.path)
    #expect(result.code == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("out")) == [])
  }

  /// A name with a character that XML does not allow would become another name in the property
  /// list: it is refused, and the character is not replaced.
  @Test func aNameThatXMLCannotHoldIsNoKeyOfAPropertyList() throws {
    let folder = try TemporaryDirectory()
    let name = "Ac\u{1}cent"
    try folder.copy(
      sampleCatalogs + "/Colors.xcassets/Accent.colorset", to: "A.xcassets/\(name).colorset")
    try folder.write("x", to: "out/x")
    let line = [
      "actool", "A.xcassets", "--platform", "iphoneos", "--minimum-deployment-target", "15.0",
      "--no-cache", "--output-format", "human-readable-text",
    ]
    for words in [
      ["--compile", "out", "--accent-color", name, "--output-partial-info-plist", "out/p.plist"],
      ["--generate-asset-symbol-index", "out/p.plist"],
    ] {
      let result = try runTool(line + words, in: folder.path)
      #expect(result.code == 1, "\(result.stdout)")
      #expect(result.stdout.contains("The property list cannot hold \""), "\(result.stdout)")
      #expect(!result.stdout.unicodeScalars.contains("\u{1}"))
    }
    #expect(try folder.files(below: "out") == ["out/x"])
  }
}
