// Compares every form of the report about an app with expected texts: an .ipa and an .xcarchive of
// the sample catalogues, with an extension, a framework, a watch app, an App Clip and loose
// pictures.

import Foundation
import Support
import Testing

/// Returns an Info.plist in XML with these entries.
private func infoPlist(_ entries: String) -> String {
  """
  <?xml version="1.0" encoding="UTF-8"?>
  <plist version="1.0"><dict>\(entries)</dict></plist>
  """
}

private func facts(_ name: String, platform: String, system: String, families: [Int]) -> String {
  let numbers = families.map { "<integer>\($0)</integer>" }.joined()
  return infoPlist(
    """
    <key>CFBundleName</key><string>\(name)</string>
    <key>CFBundleIdentifier</key><string>org.example.\(name.lowercased())</string>
    <key>CFBundleShortVersionString</key><string>2.1</string>
    <key>CFBundleVersion</key><string>40</string>
    <key>DTPlatformName</key><string>\(platform)</string>
    <key>MinimumOSVersion</key><string>\(system)</string>
    <key>UIDeviceFamily</key><array>\(numbers)</array>
    """)
}

/// A folder with an app that is finished, in both of its forms.
private struct FinishedApp {
  let folder: TemporaryDirectory

  /// The archives: their places in the app, their catalogues and platforms.
  private static let archives = [
    ("Assets.car", "Scales", "iphoneos"),
    ("PlugIns/Share.appex/Assets.car", "SizeClasses", "iphoneos"),
    ("Frameworks/Kit.framework/Assets.car", "Scales", "iphoneos"),
    ("Watch/Wrist.app/Assets.car", "Colors", "watchos"),
    ("AppClips/Clip.app/Assets.car", "Appearances", "iphoneos"),
  ]

  /// Makes `Products/Applications/Shop.app` in Shop.xcarchive, and Shop.ipa of the same files.
  init(without left: Set<String> = []) throws {
    folder = try TemporaryDirectory()
    let app = "Shop.xcarchive/Products/Applications/Shop.app"
    for (place, catalog, platform) in FinishedApp.archives where !left.contains(place) {
      let path = folder.path("\(app)/\(place)")
      try folder.write([UInt8](), to: "\(app)/\(place)")
      try FileManager.default.removeItem(atPath: path)
      let result = try runTool([
        "compile", "\(packageRoot)/SampleCatalogs/\(catalog).xcassets", "-o", path, "--platform",
        platform,
      ])
      try #require(result.code == 0, "\(result.stderr)")
    }
    for (place, text) in [
      ("Info.plist", facts("Shop", platform: "iphoneos", system: "17.0", families: [1, 2])),
      (
        "PlugIns/Share.appex/Info.plist",
        facts("Share", platform: "iphoneos", system: "17.0", families: [1, 2])
      ),
      ("Frameworks/Kit.framework/Info.plist", infoPlist("")),
      (
        "Watch/Wrist.app/Info.plist",
        facts("Wrist", platform: "watchos", system: "10.0", families: [4])
      ),
      (
        "AppClips/Clip.app/Info.plist",
        facts("Clip", platform: "iphoneos", system: "17.0", families: [1])
      ),
      ("de.lproj/a.strings", "x"), ("en.lproj/a.strings", "x"), ("Shop", "code"),
    ] { try folder.write(text, to: "\(app)/\(place)") }
    for (place, side, red) in [
      ("photo@2x~iphone.png", 40, 1), ("photo@3x~iphone.png", 60, 1),
      ("flutter_assets/2.0x/dot.png", 16, 90), ("flutter_assets/dot.png", 8, 90),
    ] {
      try folder.write(png(width: side, height: side, red: UInt8(red)), to: "\(app)/\(place)")
    }
    try folder.write(infoPlist(""), to: "Shop.xcarchive/Info.plist")
    let members = try folder.files(below: app).map { path in
      let inside = path.dropFirst(app.count + 1)
      return try ZIPMember("Payload/Shop.app/\(inside)", folder.read(path)).deflated()
    }
    try folder.write(zip(members), to: "Shop.ipa")
  }

  func run(_ words: String...) throws -> ToolResult {
    let result = try runTool(["app"] + words, in: folder.path)
    #expect(result.code == 0, "\(result.stderr)")
    return result
  }
}

/// Returns JSON without the sizes of each device, which are many; with sorted keys.
private func outline(_ result: ToolResult) throws -> String {
  func pruned(_ value: Any) -> Any {
    if let list = value as? [Any] { return list.map(pruned) }
    guard let members = value as? [String: Any] else { return value }
    let many: Set = ["devices", "savedOnDevices", "catalog"]
    return members.filter { !many.contains($0.key) }.mapValues(pruned)
  }
  let value = try JSONSerialization.jsonObject(with: result.output)
  let data = try JSONSerialization.data(
    withJSONObject: pruned(value), options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
  return String(decoding: data, as: UTF8.self) + "\n"
}

extension JSONSerialization {
  fileprivate static func jsonObject(with bytes: [UInt8]) throws -> Any {
    try jsonObject(with: Data(bytes))
  }
}

@Suite struct AppFormTests {
  @Test func theReportIsTextMarkdownAndJSON() throws {
    let app = try FinishedApp()
    golden(try app.run("Shop.ipa").stdout, "app-ipa.txt")
    golden(try app.run("Shop.xcarchive").stdout, "app-xcarchive.txt")
    golden(try app.run("Shop.ipa", "--markdown").stdout, "app-ipa.md")
    golden(try outline(app.run("Shop.ipa", "--json")), "app-ipa.json")
    golden(try outline(app.run("Shop.xcarchive", "--json")), "app-xcarchive.json")
  }

  @Test func aComparisonIsTextMarkdownAndJSON() throws {
    let app = try FinishedApp()
    let older = try FinishedApp(without: ["Frameworks/Kit.framework/Assets.car"])
    let old = older.folder.path("Shop.ipa")
    try FileManager.default.copyItem(atPath: old, toPath: app.folder.path("Old.ipa"))
    golden(try app.run("Shop.ipa", "--baseline", "Old.ipa").stdout, "app-changes.txt")
    golden(
      try app.run("Shop.ipa", "--baseline", "Old.ipa", "--markdown").stdout, "app-changes.md")
    let changes = try app.run("Shop.ipa", "--baseline", "Old.ipa", "--json")
    let object = try JSONSerialization.jsonObject(with: changes.output) as? [String: Any]
    #expect(Set(try #require(object).keys) == ["before", "after", "changes"])
    // The same app in both forms has the same sizes; the .xcarchive has a property list of its own.
    let same = try app.run("Shop.xcarchive", "--baseline", "Shop.ipa").stdout
    let lines = same.split(separator: "\n")
    #expect(lines[0].hasSuffix("(+81) in all files"), "\(same)")
    #expect(lines.dropFirst().allSatisfy { !$0.contains("+") && !$0.contains("-1") }, "\(same)")
  }

  /// A folder without a bundle has no name.
  @Test func loosePicturesOfAFolderAreThoseOfTheFolder() throws {
    let folder = try TemporaryDirectory()
    try folder.write(png(width: 40, height: 40, red: 9), to: "in/star.png")
    let report = try runTool(["app", "in"], in: folder.path).stdout
    #expect(report.contains("Loose pictures of the folder: 1 file, "), "\(report)")
  }

  @Test func descriptionsLieInTheFoldersOfTheApp() throws {
    let app = try FinishedApp()
    _ = try app.run("Shop.ipa", "--as", "sentry", "-o", "sentry")
    let files = try app.folder.files(below: "sentry")
    golden(files.joined(separator: "\n") + "\n", "app-sentry-files.txt")
    let rows = try app.folder.read("sentry/Payload/Shop.app/Assets.json")
    golden(String(decoding: rows, as: UTF8.self), "app-sentry.json")
    _ = try app.run("Shop.xcarchive", "--as", "assetutil", "-o", "told")
    let told = try app.folder.files(below: "told")
    let root = "told/Products/Applications/Shop.app"
    #expect(
      Set(told) == [
        "\(root)/Assets.json", "\(root)/AppClips/Clip.app/Assets.json",
        "\(root)/Frameworks/Kit.framework/Assets.json", "\(root)/PlugIns/Share.appex/Assets.json",
        "\(root)/Watch/Wrist.app/Assets.json",
      ])
  }

  @Test func aPageHasEveryArchive() throws {
    let app = try FinishedApp()
    let result = try app.run("Shop.ipa", "--html", "page.html")
    #expect(result.stdout.hasPrefix("page.html: 5 archives, "))
    let page = try String(decoding: app.folder.read("page.html"), as: UTF8.self)
    for number in 0..<5 { #expect(page.contains(#"id="data-\#(number)""#)) }
    #expect(page.contains(#"id="app""#) && page.contains("Wrist (watch app): Assets.car"))
    #expect(page.hasPrefix("<!doctype html>") && page.hasSuffix("</html>\n"))
  }

  @Test func aPageOfAnAppWithoutArchivesHasItsMap() throws {
    let folder = try TemporaryDirectory()
    try folder.write("code", to: "Bare.app/Bare")
    let result = try runTool(["app", "Bare.app", "--html", "page.html"], in: folder.path)
    #expect(result.code == 0 && result.stdout.hasPrefix("page.html: 0 archives, "))
  }

  /// Each program with loose pictures costs the time of thinning for all devices.
  @Test func programsWithLoosePicturesAreBounded() throws {
    let folder = try TemporaryDirectory()
    let dot = png(width: 1, height: 1)
    try folder.write(zip((0..<103).map { ZIPMember("\($0).app/a.png", dot) }), to: "Many.zip")
    let result = try runTool(["app", "Many.zip"], in: folder.path)
    #expect(result.code == 1)
    #expect(
      result.stderr.contains(
        "its loose pictures, and those of 2 other programs, are not compiled, because 100 "
          + "programs were"))
  }
}
