// Runs command lines that users have found confusing, and compares their output with one golden, so
// that a change of words or figures is noticed.

import Foundation
import Support
import Testing

@Suite struct ConfusingCommandLineTests {
  /// Command lines in their order; the files of one line exist for the next.
  private static let lines = [
    "lint Broken.xcassets --min-severity error",
    "lint Kinds.xcassets --platform iphoneos",
    "lint nope.xcassets",
    "compile Icon.xcassets -o icon.car",
    "compile SizeClasses.xcassets -o build/",
    "compile Colors.xcassets -o colors.car --no-index",
    "compile SizeClasses.xcassets -o mac.car --platform macosx",
    "info build/Assets.car",
    "info build/Assets.car --name star --min-size 2KB --sort bytes",
    "info colors.car --kind color",
    "info nope.car",
    "thin build/Assets.car --device iPhone8,1 -o thin.car --report text",
    "thin build/Assets.car --device iPhone8,1 -o thin.car --no-index",
    "thin colors.car --device iPhone8,1 -o thin.car --index",
    "thin mac.car --device iPhone8,1 -o thin.car",
    "thin build/Assets.car --device iPhone8,1 -o thin.car --budget limits.json",
    "thin build/Assets.car --device iPhone8,1 -o thin.car --budget sizes.json",
    "diff SizeClasses.xcassets Changed.xcassets --device iPhone8,1",
    "diff build/Assets.car thin.car --device iPhone8,1,iPhone9,1",
    "resolve SizeClasses.xcassets Sta",
    "resolve build/Assets.car star --traits scale=2",
    "resolve mac.car Star --device iPhone8,1",
    "resolve Icon.xcassets AppIcon --kind icon --app-icon Other",
    "explain build/Assets.car Moon",
    "assetutil --info Rocket build/Assets.car",
    "man thni",
  ]

  @Test func outputIsAsExpected() throws {
    let folder = try TemporaryDirectory()
    for name in ["Broken", "Kinds", "SizeClasses", "Colors"] {
      try folder.copy("\(sampleCatalogs)/\(name).xcassets", to: "\(name).xcassets")
    }
    let picture = png(width: 120, height: 120, red: 3, green: 4)
    try folder.write(picture, to: "Icon.xcassets/AppIcon.appiconset/icon.png")
    try folder.write(
      #"{"images":[{"filename":"icon.png","idiom":"iphone","size":"60x60","scale":"2x"}]}"#,
      to: "Icon.xcassets/AppIcon.appiconset/Contents.json")
    try folder.copy("\(sampleCatalogs)/SizeClasses.xcassets", to: "Changed.xcassets")
    let star = "Changed.xcassets/Star.imageset/star-any"
    try folder.write(try folder.read("\(star)@3x.png"), to: "\(star)@2x.png")
    try folder.write(
      #"{"file":"20KB","pictures":"7KB","assets":{"Star":"1KB","Satr":1},"groups":{"Stars":1}}"#,
      to: "limits.json")
    try folder.write(#"{"file":"20KB","pictures":"7KB","assets":{"Star":"1KB"}}"#, to: "sizes.json")
    var transcript = ""
    for line in Self.lines {
      let result = try runTool(line.split(separator: " ").map(String.init), in: folder.path)
      transcript += "$ carve \(line)\n\(result.stdout)"
      if !result.stderr.isEmpty {
        transcript += result.stderr.split(separator: "\n").map { "! \($0)\n" }.joined()
      }
      if result.code != 0 { transcript += "exit \(result.code)\n" }
      transcript += "\n"
    }
    let version = try runTool(["--version"]).stdout.split(whereSeparator: \.isWhitespace).last ?? ""
    golden(transcript.replacing("Carve \(version)", with: "Carve V"), "confusing-command-lines.txt")
  }
}
