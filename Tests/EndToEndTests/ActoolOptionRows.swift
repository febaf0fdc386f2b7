// A row for every option of the build step; an option with a value is tested in one of its two
// spellings. The catalogue is that of the other options.

import Foundation
import Support

private let actool =
  "actool A.xcassets --compile . --platform iphoneos --minimum-deployment-target 15.0"

private let layered =
  "actool Boat.icon --compile . --platform macosx --minimum-deployment-target 15.0 --app-icon Boat"
  + " --output-format human-readable-text --warnings --output-partial-info-plist info.plist"

/// Makes a row with `--name value` or, for every second name, with `--name=value`; the parser's own
/// tests check that the two are equal.
private func valued(
  _ name: String, _ value: String, after line: String = actool,
  check: @escaping @Sendable (OptionRun) throws -> Bool
) -> [OptionRow] {
  let separator = name.count % 2 == 0 ? " " : "="
  return [OptionRow("actool --\(name)", "\(line) --\(name)\(separator)\(value)", check: check)]
}

private func flag(
  _ name: String, after line: String = actool,
  check: @escaping @Sendable (OptionRun) throws -> Bool
) -> [OptionRow] {
  [OptionRow("actool --\(name)", "\(line) --\(name)", check: check)]
}

extension OptionRun {
  func string(_ path: String) throws -> String {
    String(decoding: try folder.read(path), as: UTF8.self)
  }

  fileprivate func infoPlist() throws -> [String: Any] {
    let list = try PropertyListSerialization.propertyList(
      from: Data(try folder.read("info.plist")), format: nil)
    return list as? [String: Any] ?? [:]
  }

  /// Returns the icons that the property list names, by key.
  fileprivate func icons(_ key: String = "CFBundleIcons") throws -> [String: Any] {
    try infoPlist()[key] as? [String: Any] ?? [:]
  }

  var isFine: Bool { result.code == 0 }
}

private let listed = "\(actool) --output-partial-info-plist info.plist"
private let text = "\(actool) --output-format human-readable-text"
private let symbols = "\(actool) --generate-swift-asset-symbols s.swift"

let actoolOptionRows: [OptionRow] = documentRows + iconRows + targetRows + symbolRows + ignoredRows

private let documentRows: [OptionRow] =
  valued("compile", ".", after: "actool A.xcassets --platform iphoneos") {
    $0.isFine && $0.has("Assets.car")
  }
  + valued("compile-output-filename", "Other.car") { $0.has("Other.car") && !$0.has("Assets.car") }
  + valued("compile-output-filename", "../Other.car") {
    $0.result.code == 2 && $0.text.contains(#"but "../Other.car" is a path"#)
  }
  + valued("output-format", "human-readable-text") {
    $0.result.stdout.hasPrefix("/* com.apple.actool.compilation-results */\n/")
  }
  + valued("output-format", "xml1") { $0.result.stdout.hasPrefix("<?xml") }
  + valued("output-format", "binary1") {
    let report = try PropertyListSerialization.propertyList(
      from: Data($0.result.output), format: nil)
    return (report as? [String: Any])?["com.apple.actool.compilation-results"] != nil
  }
  + flag("errors", after: "\(text) --werror=unsupported-set") {
    $0.result.code == 1 && $0.result.stdout.contains("document.errors */\n")
      && !$0.has("Assets.car")
  }
  + flag("warnings", after: text) {
    $0.result.stdout.contains("document.warnings */\n")
      && $0.result.stdout.contains("A.xcassets:./Texture.textureset: warning: ")
  }
  + flag("notices", after: "\(text) --filter-for-device-model Fridge1,1") {
    $0.result.stdout.hasPrefix("/* com.apple.actool.notices */\nactool: notice: The device")
  }
  + valued("output-partial-info-plist", "info.plist") { try $0.infoPlist().isEmpty == false }
  + valued("output-partial-info-plist", "/dev/null") {
    $0.isFine && !$0.result.stdout.contains("/dev/null")
  }
  + valued("export-dependency-info", "deps") {
    let records = try $0.string("deps").split(separator: "\0")
    return records.contains { $0.hasSuffix("/A.xcassets/Star.imageset/two.png") }
      && records.contains { $0.hasPrefix("\u{40}/") && $0.hasSuffix("/Assets.car") }
  }
  + flag("print-contents", after: "actool A.xcassets") {
    $0.result.stdout.contains("<string>Star.imageset</string>")
      && $0.result.stdout.contains("<string>pad.png</string>") && !$0.has("Assets.car")
  }
  + flag(
    "print-asset-tag-combinations",
    after: "actool A.xcassets --output-format human-readable-text"
  ) { $0.result.stdout == "/* com.apple.actool.asset-tag-combinations */\n(level1)\n" }
  + valued("cache", "kept") { try !$0.folder.files(below: "kept").isEmpty }
  + valued("cache-size", "1") { $0.isFine && $0.has("Assets.car") }
  + valued("cache-size", "none") { $0.result.code == 2 }
  + valued("remote-cache", "http://127.0.0.1:9") {
    $0.isFine && $0.result.stderr.contains("warning: remote cache 127.0.0.1:9: ")
  }
  + flag("no-cache", after: "\(actool) --cache kept") { $0.isFine && !$0.has("kept") }
  + valued("target-device", "tv") {
    $0.isFine && $0.result.stderr.contains("warning: --target-device tv contradicts the platform ")
  }
  + valued("jobs", "1") { $0.isFine }
  + valued("jobs", "0") { $0.result.code == 2 }
  + valued("diagnostics", "github") { $0.result.stderr.contains("::warning file=") }
  + flag("verbose") { $0.isFine && $0.result.stderr.contains("settings: none") }
  + flag("werror") { $0.result.code == 1 && !$0.has("Assets.car") }
  + valued("min-severity", "error", after: "\(text) --warnings") {
    $0.isFine && !$0.result.stdout.contains("warning: ")
  }
  + valued("no-warn", "unsupported-set", after: "\(text) --warnings") {
    !$0.result.stdout.contains("[unsupported-set]")
  }

private let iconRows: [OptionRow] =
  valued("app-icon", "AppIcon", after: listed) {
    let icon = try $0.icons()["CFBundlePrimaryIcon"] as? [String: Any]
    return icon?["CFBundleIconName"] as? String == "AppIcon"
      && icon?["CFBundleIconFiles"] as? [String] == ["AppIcon60x60"]
      && $0.has("AppIcon60x60@2x.png")
  }
  + valued("alternate-app-icon", "Other", after: "\(listed) --app-icon AppIcon") {
    let icons = try $0.icons("CFBundleIcons~ipad")["CFBundleAlternateIcons"] as? [String: Any]
    return icons?.keys.sorted() == ["Other"] && $0.has("Other60x60@2x.png")
  }
  + flag("include-all-app-icons", after: "\(listed) --app-icon AppIcon") {
    let icons = try $0.icons()["CFBundleAlternateIcons"] as? [String: Any]
    return icons?.keys.sorted() == ["Other"]
  }
  + valued("standalone-icon-behavior", "none", after: "\(listed) --app-icon AppIcon") {
    !$0.has("AppIcon60x60@2x.png") && $0.has("Assets.car")
  }
  + valued("enable-icon-stack-fallback-generation", "disabled", after: layered) {
    $0.isFine && !$0.has("Boat.icns")
  }
  + valued("enable-icon-stack-fallback-generation", "enabled", after: layered) {
    $0.isFine && $0.has("Boat.icns")
  }
  + valued("launch-image", "Launch", after: listed) {
    let images = try $0.infoPlist()["UILaunchImages"] as? [[String: String]]
    return $0.has("Launch-800-667h@2x.png")
      && images?.first?["UILaunchImageSize"] == "{375, 667}"
      && images?.first?["UILaunchImageName"] == "Launch-800-667h"
  }
  + valued("accent-color", "Leaf", after: listed) {
    try $0.infoPlist()["NSAccentColorName"] as? String == "Leaf"
  }
  + valued("accent-color", "Nope", after: text) {
    $0.isFine
      && $0.result.stdout.contains(
        "/A.xcassets: warning: Accent color 'Nope' is not present in any asset catalogs.\n")
  }
  + valued("widget-background-color", "Leaf", after: listed) {
    try $0.infoPlist()["NSWidgetBackgroundColorName"] as? String == "Leaf"
  }
  + valued("complication", "Nope", after: text) {
    $0.isFine && $0.result.stdout.contains("warning: None of the input catalogs contained")
  }
  + valued("flattened-app-icon-path", "flat.png", after: text) {
    $0.result.stdout.contains("/flat.png: warning: ") && !$0.has("flat.png")
  }
  + valued("app-icon", "AppIcon", after: "\(text) --warnings") {
    $0.result.stdout.contains("1024x1024")
  }
  + flag("skip-app-store-deployment", after: "\(text) --warnings --app-icon AppIcon") {
    $0.isFine && !$0.result.stdout.contains("1024x1024")
  }

private let targetRows: [OptionRow] =
  valued("platform", "macosx") {
    try $0.header("Assets.car")["Platform"] as? String == "macosx"
  }
  + valued("minimum-deployment-target", "9.0", after: "\(listed) --app-icon AppIcon") {
    try $0.header("Assets.car")["PlatformVersion"] as? String == "9.0"
  }
  + valued("target-device", "ipad") {
    try $0.files("Assets.car").contains("pad.png") && !$0.files("Assets.car").contains("phone.png")
  }
  + valued("target-device", "pad") { try !$0.files("Assets.car").contains("phone.png") }
  + valued("ui-framework-family", "uikit", after: "\(actool) --platform macosx") {
    let files = try $0.files("Assets.car")
    return files.contains("mac.png") && files.contains("pad.png") && !files.contains("phone.png")
  }
  + valued("optimization", "space") { $0.isFine && $0.has("Assets.car") }
  + valued("optimization", "fast") { $0.result.code == 2 }
  + valued("filter-for-thinning-device-configuration", "iPhone8,1-B") {
    try $0.files("Assets.car").contains("phone.png") && !$0.files("Assets.car").contains("pad.png")
      && !$0.files("Assets.car").contains("three.png")
  }
  + valued("filter-for-device-model", "iPad5,3") {
    try $0.files("Assets.car").contains("pad.png") && !$0.files("Assets.car").contains("phone.png")
  }
  + valued("filter-for-device-model", "iPad99,1", after: "\(text) --warnings") {
    // A model that is newer than the table is thinned for the nearest known one, which is named.
    try $0.result.stdout.contains(
      "warning: The device \"iPad99,1\" is not known; it counts as the nearest known model, iPad17,1"
    ) && !$0.files("Assets.car").contains("phone.png")
  }
  + valued("filter-for-device-model", "Fridge1,1", after: text) {
    $0.isFine && $0.has("Assets.car") && !$0.result.stdout.contains("notice")
  }
  + valued(
    "filter-for-device-os-version", "26.0",
    after: "\(text) --notices --filter-for-device-model iPhone8,1"
  ) {
    // No iPhone 6s runs this system, so nothing can be left out.
    try $0.result.stdout.contains("actool: notice: ") && $0.files("Assets.car").contains("pad.png")
  }
  + valued("filter-for-device-os-version", "soon") { $0.result.code == 2 }
  + valued("include-language", "fr", after: listed) {
    try !$0.files("Assets.car").contains("de.png")
      && $0.files("Assets.car").contains("word.png")
  }
  + valued("development-region", "de", after: "\(listed) --include-language fr") {
    try $0.files("Assets.car").contains("de.png")
  }
  + valued("include-partial-info-plist-localizations", "YES", after: listed) {
    try $0.infoPlist()["CFBundleLocalizations"] as? [String] == ["de"]
  }
  + valued("include-partial-info-plist-localizations", "NO", after: listed) {
    try $0.infoPlist()["CFBundleLocalizations"] == nil
  }
  + valued(
    "enable-on-demand-resources", "YES",
    after: "\(actool) --asset-pack-output-specifications packs.plist"
  ) {
    try $0.files("level1.assetpack/Assets.car") == ["arrow.png"]
      && !$0.files("Assets.car").contains("arrow.png")
  }
  + valued("enable-on-demand-resources", "no") {
    try $0.files("Assets.car").contains("arrow.png")
  }
  + valued(
    "asset-pack-output-specifications", "A.xcassets/Contents.json",
    after: "\(actool) --enable-on-demand-resources YES"
  ) { $0.result.code == 1 && !$0.has("Assets.car") }
  + valued(
    "asset-pack-output-specifications", "packs.plist",
    after: "\(actool) --enable-on-demand-resources YES"
  ) { $0.has("level1.assetpack/Assets.car") }

private let symbolRows: [OptionRow] =
  valued("generate-swift-asset-symbols", "s.swift") {
    try $0.string("s.swift").contains(
      "static let star = ImageResource(name: \"Star\", bundle: resourceBundle)")
      && !$0.has("Assets.car")
  }
  + valued("generate-objc-asset-symbols", "s.h") {
    try $0.string("s.h").contains(
      "static NSString * const ACImageNameStar AC_SWIFT_PRIVATE = @\"Star\";")
  }
  + valued("generate-asset-symbol-index", "s.plist") {
    try $0.string("s.plist").contains("<string>./Star.imageset</string>")
  }
  + valued(
    "bundle-identifier", "com.example.app", after: "\(actool) --generate-objc-asset-symbols s.h"
  ) { try $0.string("s.h").contains("ACBundleID AC_SWIFT_PRIVATE = @\"com.example.app\";") }
  + valued("generate-swift-asset-symbol-extensions", "NO", after: symbols) {
    try !$0.string("s.swift").contains("Symbol Extensions")
  }
  + valued("generate-asset-symbol-framework-support", "SwiftUI", after: symbols) {
    try $0.string("s.swift").contains("extension SwiftUI.Color")
      && !$0.string("s.swift").contains("UIKit")
  }
  + valued("generate-asset-symbol-warnings", "YES", after: symbols) {
    try $0.string("s.swift").contains("#warning(\"The \\\"LeafColor\\\" color asset name")
  }
  + valued("generate-asset-symbol-warnings", "NO", after: symbols) {
    try !$0.string("s.swift").contains("#warning")
  }
  + valued("generate-asset-symbol-backwards-deployment-support", "NO", after: symbols) {
    try !$0.string("s.swift").contains("struct ColorResource")
  }

/// Options that change nothing: the outputs are the same as without the option.
private let ignoredRows: [OptionRow] = [
  ("compress-pngs", nil),
  ("lightweight-asset-runtime-mode", "enabled"), ("product-type", "com.apple.application"),
  ("include-sticker-content", nil),
  ("stickers-icon-role", "host-app"), ("sticker-pack-identifier-prefix", "a."),
  ("sticker-pack-strings-file", "a:b:c"), ("leaderboard-identifier-prefix", "a."),
  ("leaderboard-set-identifier-prefix", "a."), ("enable-incremental-distill", "YES"),
  ("target-name", "App"), ("generate-asset-symbol-errors", "NO"),
  ("allow-non-standard-behavior", nil), ("allow-image-type", "webp"),
].flatMap { (name: String, value: String?) -> [OptionRow] in
  let before = "\(actool) --compile-output-filename plain.car"
  let spellings = value.map { [" \($0)", "=\($0)"] } ?? [""]
  return spellings.map { spelling in
    OptionRow("actool --\(name)", before, "\(actool) --\(name)\(spelling)") {
      try $0.isFine && $0.folder.read("Assets.car") == $0.folder.read("plain.car")
        && runTool(["actool", "--help"]).stdout.contains("--\(name)")
    }
  }
}

/// The commands in addition to the build step.
let buildOptionRows: [OptionRow] =
  [
    OptionRow("symbols --swift", "symbols A.xcassets --swift ids.swift") {
      try $0.string("ids.swift").contains("static let star = AssetID(rawValue: 0x")
    },
    OptionRow("symbols --c", "symbols A.xcassets --c ids.h") {
      try $0.string("ids.h").contains("#define ASSET_IMAGE_STAR UINT64_C(0x")
    },
    OptionRow("symbols --prefix", "symbols A.xcassets --c ids.h --prefix App") {
      try $0.string("ids.h").contains("#define App_IMAGE_STAR ")
    },
    OptionRow("symbols --prefix", "symbols A.xcassets --c ids.h --prefix 1+1") {
      $0.result.code == 2
    },
    OptionRow("symbols --public", "symbols A.xcassets --swift ids.swift --public") {
      try $0.string("ids.swift").contains("public static let star")
    },
    OptionRow(
      "symbols --diagnostics", "symbols A.xcassets --swift ids.swift --diagnostics json"
    ) { $0.result.stderr.contains("\"symbol-clash\"") },
    OptionRow("symbols --werror", "symbols A.xcassets --swift ids.swift --werror=symbol-clash") {
      $0.result.code == 1 && !$0.has("ids.swift")
    },
    OptionRow("symbols --min-severity", "symbols A.xcassets --c ids.h --min-severity error") {
      $0.result.stderr.isEmpty && $0.has("ids.h")
    },
    OptionRow("symbols --verbose", "symbols A.xcassets --swift ids.swift -v") {
      $0.result.code == 0 && $0.result.stderr.contains("settings: none")
    },
    OptionRow("symbols --all", "symbols A.xcassets --swift ids.swift --all") {
      $0.result.stderr.contains("[symbol-clash]")
    },
    OptionRow("symbols --no-warn", "symbols A.xcassets --swift ids.swift --no-warn symbol-clash") {
      $0.result.stderr.isEmpty && $0.has("ids.swift")
    },
    OptionRow("xcrun --sdk", "xcrun --sdk iphoneos actool --version") {
      $0.result.stdout.contains("com.apple.actool.version")
    },
    OptionRow("xcrun --toolchain", "xcrun --toolchain default actool --version") {
      $0.result.stdout.contains("com.apple.actool.version")
    },
    OptionRow("xcrun --find", "xcrun --find nothing-of-this-name") {
      let link = $0.folder.path("xcrun")
      for name in ["xcrun", "actool"] {
        try FileManager.default.createSymbolicLink(
          atPath: $0.folder.path(name), withDestinationPath: productFolder + "/carve")
      }
      let found = try runTool(["--sdk", "iphoneos", "--find", "actool"], link: link)
      return $0.result.code == 1 && $0.result.stderr.contains("unable to find utility")
        && found.stdout.hasSuffix("/actool\n") && found.code == 0
    },
    OptionRow("xcrun --log", "xcrun --log /bin/sh -c true") {
      $0.result.stderr.hasPrefix("/bin/sh -c true\n")
    },
  ]
  + ["run", "verbose", "no-cache", "kill-cache"].map { name in
    OptionRow("xcrun --\(name)", "xcrun --\(name) assetutil --version") {
      $0.result.stdout.contains("assetutil (carve ")
    }
  }
