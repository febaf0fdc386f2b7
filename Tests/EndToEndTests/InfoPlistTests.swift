// Tests the keys that build systems merge from the catalogues of an app into Info.plist, platform
// by platform. The keys of televisions are those that the tests of .NET expect of Apple's tool.

import Foundation
import Support
import Testing

struct InfoPlistRow: Sendable, CustomTestStringConvertible {
  var line: String
  /// The expected keys as JSON, sorted.
  var expected: String

  init(_ line: String, _ expected: String) {
    self.line = line
    self.expected = expected
  }

  var testDescription: String { line }
}

private let phone = "Assets.xcassets --platform iphoneos --minimum-deployment-target 15.0"
private let mac = "Mac.xcassets --platform macosx --minimum-deployment-target 13.0"
private let tv = "TV.xcassets --platform appletvos --target-device tv"

private let small = #"{"CFBundleIconFiles":["AppIcon60x60"],"CFBundleIconName":"AppIcon"}"#
private let large =
  #"{"CFBundleIconFiles":["AppIcon60x60","AppIcon76x76"],"CFBundleIconName":"AppIcon"}"#
private let second =
  #"{"Second":{"CFBundleIconFiles":["Second60x60","Second76x76"],"CFBundleIconName":"Second"}}"#
private let shelf =
  #""TVTopShelfImage":{"TVTopShelfPrimaryImage":"TopShelfImage","#
  + #""TVTopShelfPrimaryImageWide":"TopShelfImageWide"}"#
private let stack =
  #""CFBundleAlternateIcons":{"AlternateAppIcons":{"CFBundleIconName":"AlternateAppIcons"}}"#

private let rows: [InfoPlistRow] = [
  InfoPlistRow(phone, "{}"),
  InfoPlistRow(
    "\(phone) --app-icon AppIcon",
    #"{"CFBundleIcons":{"CFBundlePrimaryIcon":\#(small)},"#
      + #""CFBundleIcons~ipad":{"CFBundlePrimaryIcon":\#(large)}}"#),
  InfoPlistRow(
    "\(phone) --app-icon AppIcon --target-device iphone",
    #"{"CFBundleIcons":{"CFBundlePrimaryIcon":\#(small)}}"#),
  InfoPlistRow(
    "\(phone) --app-icon AppIcon --target-device ipad",
    #"{"CFBundleIcons~ipad":{"CFBundlePrimaryIcon":"#
      + #"{"CFBundleIconFiles":["AppIcon76x76"],"CFBundleIconName":"AppIcon"}}}"#),
  InfoPlistRow(
    "\(phone) --app-icon AppIcon --alternate-app-icon Second",
    #"{"CFBundleIcons":{"CFBundleAlternateIcons":\#(second),"CFBundlePrimaryIcon":\#(small)},"#
      + #""CFBundleIcons~ipad":{"CFBundleAlternateIcons":\#(second),"#
      + #""CFBundlePrimaryIcon":\#(large)}}"#),
  // The set without a picture is not an alternate icon.
  InfoPlistRow(
    "\(phone) --app-icon AppIcon --include-all-app-icons",
    #"{"CFBundleIcons":{"CFBundleAlternateIcons":\#(second),"CFBundlePrimaryIcon":\#(small)},"#
      + #""CFBundleIcons~ipad":{"CFBundleAlternateIcons":\#(second),"#
      + #""CFBundlePrimaryIcon":\#(large)}}"#),
  InfoPlistRow("\(phone) --alternate-app-icon Second", "{}"),
  InfoPlistRow("\(phone) --include-all-app-icons", "{}"),
  InfoPlistRow("\(phone) --app-icon Begun", "{}"),
  InfoPlistRow(
    "\(phone) --app-icon AppIcon --standalone-icon-behavior none --target-device iphone",
    #"{"CFBundleIcons":{"CFBundlePrimaryIcon":{"CFBundleIconName":"AppIcon"}}}"#),
  InfoPlistRow(
    "\(phone) --accent-color AccentColor --widget-background-color AccentColor",
    #"{"NSAccentColorName":"AccentColor","NSWidgetBackgroundColorName":"AccentColor"}"#),
  InfoPlistRow(mac, "{}"),
  InfoPlistRow(
    "\(mac) --app-icon AppIcon",
    #"{"CFBundleIconFile":"AppIcon","CFBundleIconName":"AppIcon"}"#),
  InfoPlistRow(
    "\(mac) --app-icon AppIcon --target-device ipad --ui-framework-family uikit",
    #"{"CFBundleIconFile":"AppIcon","CFBundleIconName":"AppIcon"}"#),
  InfoPlistRow("\(mac) --alternate-app-icon AppIcon", "{}"),
  InfoPlistRow(
    "\(mac) --app-icon AppIcon --standalone-icon-behavior none",
    #"{"CFBundleIconName":"AppIcon"}"#),
  InfoPlistRow(tv, "{}"),
  InfoPlistRow(
    "\(tv) --app-icon AppIcons",
    #"{"CFBundleIcons":{"CFBundlePrimaryIcon":"AppIcons"},\#(shelf)}"#),
  InfoPlistRow("\(tv) --include-all-app-icons", #"{"CFBundleIcons":{\#(stack)}}"#),
  InfoPlistRow("\(tv) --alternate-app-icon AlternateAppIcons", #"{"CFBundleIcons":{\#(stack)}}"#),
  InfoPlistRow(
    "\(tv) --app-icon AlternateBrandAssets --include-all-app-icons",
    #"{"CFBundleIcons":{\#(stack),"CFBundlePrimaryIcon":"AppIcon"},\#(shelf)}"#),
  InfoPlistRow(
    "\(tv) --app-icon AppIcons --alternate-app-icon AlternateAppIcons",
    #"{"CFBundleIcons":{\#(stack),"CFBundlePrimaryIcon":"AppIcons"},\#(shelf)}"#),
  // The small stack is the icon; without a picture in it there is no icon.
  InfoPlistRow("\(tv) --app-icon Begun", "{}"),
]

@Suite struct InfoPlistTests {
  @Test(arguments: rows) func aPlatformGetsItsKeys(row: InfoPlistRow) throws {
    let folder = try appFolder(hasTelevision: row.line.hasPrefix("TV"))
    let words =
      "actool \(row.line) --compile out --output-partial-info-plist obj/info.plist"
      + " --skip-app-store-deployment --output-format human-readable-text"
    let result = try runTool(words.split(separator: " ").map(String.init), in: folder.path)
    #expect(result.code == 0, "\(result.stdout)\(result.stderr)")
    #expect(!result.stdout.contains(": error: "), "\(result.stdout)")
    let list = try PropertyListSerialization.propertyList(
      from: Data(folder.read("obj/info.plist")), format: nil)
    let json = try JSONSerialization.data(
      withJSONObject: list, options: [.sortedKeys, .withoutEscapingSlashes])
    #expect(String(decoding: json, as: UTF8.self) == row.expected)
  }

  @Test func filesOfAlternatesLieThereWhereTheListNamesThem() throws {
    let folder = try appFolder()
    let words = "actool \(phone) --compile out --alternate-app-icon Second"
    #expect(try runTool(words.split(separator: " ").map(String.init), in: folder.path).code == 0)
    #expect(try folder.files(below: "out") == ["out/Assets.car"])
    let both = try runTool(
      "\(words) --app-icon AppIcon".split(separator: " ").map(String.init), in: folder.path)
    #expect(both.code == 0)
    #expect(
      try folder.files(below: "out") == [
        "out/AppIcon60x60@2x.png", "out/AppIcon76x76@2x~ipad.png", "out/Assets.car",
        "out/Second60x60@2x.png", "out/Second76x76@2x~ipad.png",
      ])
  }
}
