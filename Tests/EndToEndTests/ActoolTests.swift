// The command lines that build systems pass to actool, word for word, and what comes of them: report,
// property list, dependency file, folder. Expected texts are under Goldens/EndToEndTests/Actool.

import Foundation
import Support
import Testing

/// A build system's call. ROOT stands for the folder of the test.
struct BuildCall: Sendable, CustomTestStringConvertible {
  var name: String
  var line: String
  /// Whether the app is one for the Mac.
  var isForMac = false

  var testDescription: String { name }
}

private let xcodeTail =
  "--compress-pngs --enable-on-demand-resources NO --development-region English"

private let calls: [BuildCall] = [
  BuildCall(
    name: "xcode-version", line: "--version --output-format xml1"),
  BuildCall(
    name: "xcode-tags",
    line: "--print-asset-tag-combinations --output-format xml1 ROOT/Assets.xcassets"),
  BuildCall(
    name: "xcode-ios",
    line: "ROOT/Assets.xcassets --compile ROOT/out --output-format human-readable-text --notices "
      + "--warnings --export-dependency-info ROOT/obj/assetcatalog_dependencies "
      + "--output-partial-info-plist ROOT/obj/assetcatalog_generated_info.plist "
      + "--app-icon AppIcon --accent-color AccentColor \(xcodeTail) --target-device iphone "
      + "--target-device ipad --minimum-deployment-target 16.0 --platform iphoneos"),
  BuildCall(
    name: "xcode-ios-thinned",
    line: "ROOT/Assets.xcassets --compile ROOT/out --output-format human-readable-text --notices "
      + "--warnings --export-dependency-info ROOT/obj/assetcatalog_dependencies "
      + "--output-partial-info-plist ROOT/obj/assetcatalog_generated_info.plist "
      + "--app-icon AppIcon \(xcodeTail) --filter-for-thinning-device-configuration iPhone17,1 "
      + "--filter-for-device-os-version 18.0 --target-device iphone "
      + "--minimum-deployment-target 16.0 --platform iphoneos"),
  BuildCall(
    name: "xcode-symbols",
    line: "ROOT/Assets.xcassets --compile ROOT/out --output-format human-readable-text --notices "
      + "--warnings --export-dependency-info ROOT/obj/assetcatalog_dependencies "
      + "--output-partial-info-plist ROOT/obj/assetcatalog_generated_info.plist "
      + "--app-icon AppIcon \(xcodeTail) --target-device iphone --minimum-deployment-target 17.0 "
      + "--platform iphoneos --bundle-identifier com.example.app "
      + "--generate-swift-asset-symbols ROOT/obj/GeneratedAssetSymbols.swift "
      + "--generate-objc-asset-symbols ROOT/obj/GeneratedAssetSymbols.h "
      + "--generate-asset-symbol-index ROOT/obj/GeneratedAssetSymbols-Index.plist"),
  BuildCall(
    name: "xcode-macos",
    line: "ROOT/Mac.xcassets --compile ROOT/out --output-format human-readable-text --notices "
      + "--warnings --export-dependency-info ROOT/obj/assetcatalog_dependencies "
      + "--output-partial-info-plist ROOT/obj/assetcatalog_generated_info.plist "
      + "--app-icon AppIcon \(xcodeTail) --target-device mac --minimum-deployment-target 14.0 "
      + "--platform macosx", isForMac: true),
  BuildCall(
    name: "bazel",
    line: "--compile ROOT/out --errors --warnings --notices --output-format human-readable-text "
      + "--platform iphoneos --minimum-deployment-target 15.0 --compress-pngs --app-icon AppIcon "
      + "--target-device iphone --target-device ipad "
      + "--output-partial-info-plist ROOT/obj/partial.plist ROOT/Assets.xcassets"),
  BuildCall(
    name: "buck2",
    line: "--compile ROOT/out --errors --warnings --notices --output-format human-readable-text "
      + "--platform iphonesimulator --minimum-deployment-target 15.0 --compress-pngs "
      + "--optimization space --target-device iphone --target-device ipad --app-icon AppIcon "
      + "--output-partial-info-plist ROOT/obj/partial.plist ROOT/Assets.xcassets"),
  BuildCall(
    name: "dotnet-macios",
    line: "--errors --warnings --notices --output-format xml1 "
      + "--output-partial-info-plist ROOT/obj/partial-info.plist --app-icon AppIcon "
      + "--alternate-app-icon Second --product-type com.apple.product-type.application "
      + "--compress-pngs --target-device iphone --target-device ipad "
      + "--minimum-deployment-target 15.0 --platform iphoneos --enable-on-demand-resources YES "
      + "--asset-pack-output-specifications ROOT/packs.plist --compile ROOT/out ROOT/Assets.xcassets"
  ),
  BuildCall(
    name: "chromium",
    line:
      "--notices --warnings --errors --output-format=xml1 --lightweight-asset-runtime-mode=enabled "
      + "--compress-pngs --platform=macosx --target-device=mac --minimum-deployment-target=12.0 "
      + "--app-icon=AppIcon --include-all-app-icons "
      + "--enable-icon-stack-fallback-generation=disabled "
      + "--output-partial-info-plist=ROOT/obj/partial.plist --compile=ROOT/out ROOT/Mac.xcassets",
    isForMac: true),
  BuildCall(
    name: "flutter",
    line: "--output-format human-readable-text --notices --warnings --export-dependency-info "
      + "ROOT/obj/assetcatalog_dependencies --output-partial-info-plist "
      + "ROOT/obj/assetcatalog_generated_info.plist --app-icon AppIcon --compress-pngs "
      + "--enable-on-demand-resources YES --target-device iphone --target-device ipad "
      + "--minimum-deployment-target 12.0 --platform iphonesimulator --compile ROOT/out "
      + "ROOT/Assets.xcassets"),
  BuildCall(
    name: "swift-bundler",
    line:
      "--compile ROOT/out --platform macosx --minimum-deployment-target 13.0 --app-icon AppIcon "
      + "--enable-icon-stack-fallback-generation=disabled --include-all-app-icons "
      + "--output-partial-info-plist /dev/null ROOT/Mac.xcassets", isForMac: true),
]

/// The folder of an app: its catalogue, its packs, and where outputs go.
func appFolder() throws -> TemporaryDirectory {
  let folder = try TemporaryDirectory()
  let catalog = "Assets.xcassets"
  try folder.write("{}", to: "\(catalog)/Contents.json")
  try folder.copy(
    sampleCatalogs + "/AppIcon.xcassets/AppIcon.appiconset", to: "\(catalog)/AppIcon.appiconset")
  try folder.copy(
    sampleCatalogs + "/AppIcon.xcassets/AppIconSingle.appiconset",
    to: "\(catalog)/Second.appiconset")
  try folder.copy(
    sampleCatalogs + "/Colors.xcassets/Accent.colorset", to: "\(catalog)/AccentColor.colorset")
  try folder.copy(
    sampleCatalogs + "/Scales.xcassets/Moon.imageset", to: "\(catalog)/Moon.imageset")
  try folder.write(
    #"{ "properties" : { "on-demand-resource-tags" : [ "level 2", "level1" ] } }"#,
    to: "\(catalog)/Levels/Contents.json")
  try folder.copy(
    sampleCatalogs + "/Scales.xcassets/Rocket.imageset", to: "\(catalog)/Levels/Rocket.imageset")
  try writeMacCatalog(to: folder)
  try folder.write(
    """
    <plist version="1.0"><array><dict><key>bundle-id</key><string>com.example.pack</string>
    <key>tags</key><array><string>level1</string><string>level 2</string></array>
    <key>bundle-path</key><string>\(folder.path)/out/Packs/level.assetpack</string></dict></array>
    </plist>
    """, to: "packs.plist")
  for path in ["out", "obj"] {
    try FileManager.default.createDirectory(
      atPath: folder.path(path), withIntermediateDirectories: true)
  }
  return folder
}

private func writeMacCatalog(to folder: TemporaryDirectory) throws {
  var rows: [String] = []
  for size in [16, 32, 128, 256] {
    for scale in [1, 2] {
      let side = size * scale
      let samples = (0..<side * side).flatMap { place -> [UInt8] in
        [UInt8(place % side * 255 / side), UInt8(place / side * 255 / side), 90, 255]
      }
      let file = "icon-\(size)@\(scale)x.png"
      try folder.write(
        png(width: side, height: side, color: .rgba, samples: samples),
        to: "Mac.xcassets/AppIcon.appiconset/\(file)")
      rows.append(
        #"{ "filename" : "\#(file)", "idiom" : "mac", "scale" : "\#(scale)x", "size" : "\#(size)x\#(size)" }"#
      )
    }
  }
  try folder.write(
    "{ \"images\" : [ \(rows.joined(separator: ", ")) ] }",
    to: "Mac.xcassets/AppIcon.appiconset/Contents.json")
  try folder.write("{}", to: "Mac.xcassets/Contents.json")
}

/// A link of that name to the tool, in a folder.
func link(_ name: String, in folder: TemporaryDirectory) throws -> String {
  let path = folder.path(name)
  try FileManager.default.createSymbolicLink(
    atPath: path, withDestinationPath: productFolder + "/carve")
  return path
}

@Suite struct ActoolTests {
  @Test(arguments: calls)
  func aBuildSystemGetsWhatItExpects(call: BuildCall) throws {
    let folder = try appFolder()
    let words = call.line.split(separator: " ").map {
      $0.replacingOccurrences(of: "ROOT", with: folder.path)
    }
    let result = try runTool(words, in: folder.path, link: link("actool", in: folder))
    #expect(result.stderr.isEmpty)
    var text = "$ actool " + call.line.replacingOccurrences(of: " --", with: " \\\n    --") + "\n"
    text += "exit \(result.code)\n\n" + result.stdout
    for file in try folder.files(below: "obj") {
      text += "\n\(file):\n" + describe(try folder.read(file))
    }
    text += "\nfolder:\n"
    for file in try folder.files(below: "out") { text += file + "\n" }
    golden(
      text.replacingOccurrences(of: folder.path, with: "ROOT"), "Actool/\(call.name).txt")
    for file in try folder.files(below: "out") where file.hasSuffix(".car") {
      #expect(try runTool(["validate", folder.path(file)]).code == 0, "\(file)")
    }
  }

  /// A dependency file as lines; other files as they are.
  private func describe(_ bytes: [UInt8]) -> String {
    guard bytes.first == 0 else { return String(decoding: bytes, as: UTF8.self) }
    return bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false)
      .dropFirst().enumerated().map { place, record in
        if place == 0 { return "version \(String(decoding: record, as: UTF8.self))\n" }
        let kind = [0x10: "input", 0x11: "missing", 0x40: "output"][Int(record.first ?? 0)]
        return "\(kind ?? "?") \(String(decoding: record.dropFirst(), as: UTF8.self))\n"
      }.joined()
  }

  @Test func theVersionIsThatOfTheNameItWasCalledBy() throws {
    let folder = try TemporaryDirectory()
    for name in ["actool", "carve-actool"] {
      let result = try runTool(
        ["--version", "--output-format", "xml1"], link: link(name, in: folder))
      #expect(result.stdout.contains("<key>com.apple.\(name).version</key>"))
    }
    #expect(try runTool(["actool", "--version"]).stdout.contains("com.apple.actool.version"))
  }

  @Test func outputsThatWouldNotChangeAreNotTouched() throws {
    let folder = try appFolder()
    let words = [
      "actool", "Assets.xcassets", "--compile", "out", "--platform", "iphoneos", "--app-icon",
      "AppIcon", "--output-partial-info-plist", "obj/info.plist", "--export-dependency-info",
      "obj/deps",
    ]
    #expect(try runTool(words, in: folder.path).code == 0)
    let files = try folder.files(below: "out") + folder.files(below: "obj")
    let past = Date(timeIntervalSince1970: 1_000_000)
    for file in files {
      try FileManager.default.setAttributes(
        [.modificationDate: past], ofItemAtPath: folder.path(file))
    }
    #expect(try runTool(words, in: folder.path).code == 0)
    for file in files {
      let now = try FileManager.default.attributesOfItem(atPath: folder.path(file))
      #expect(now[.modificationDate] as? Date == past, "\(file)")
    }
    #expect(files.count == 5)
  }

  @Test func anArchiveOfWhatIsNoMoreGoes() throws {
    let folder = try appFolder()
    let words = ["actool", "A.xcassets", "--compile", "out", "--platform", "iphoneos"]
    try folder.copy(folder.path("Assets.xcassets/Moon.imageset"), to: "A.xcassets/Moon.imageset")
    #expect(try runTool(words, in: folder.path).code == 0)
    #expect(try folder.files(below: "out") == ["out/Assets.car"])
    try FileManager.default.removeItem(atPath: folder.path("A.xcassets/Moon.imageset"))
    let again = try runTool(words, in: folder.path)
    #expect(again.code == 0)
    #expect(again.stdout.contains("<array/>"))
    #expect(try folder.files(below: "out") == [])
  }

  @Test func runsOnOneOutputEachLeaveAWholeOne() async throws {
    let folder = try appFolder()
    let words = [
      "actool", "Assets.xcassets", "--compile", "out", "--platform", "iphoneos", "--app-icon",
      "AppIcon", "--output-partial-info-plist", "obj/info.plist",
    ]
    let codes = try await withThrowingTaskGroup(of: Int32.self) { group in
      for _ in 0..<4 { group.addTask { try runTool(words, in: folder.path).code } }
      var codes: [Int32] = []
      for try await code in group { codes.append(code) }
      return codes
    }
    #expect(codes == [0, 0, 0, 0])
    #expect(try runTool(["validate", folder.path("out/Assets.car")]).code == 0)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path("out"))
    #expect(left.count == 3, "\(left)")
  }
}
