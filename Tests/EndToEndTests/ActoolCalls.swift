// The command lines that build systems pass to actool, word for word. ROOT is replaced by the
// folder of an app, which ActoolApp.swift makes.

import Testing

/// A call of a build system. ROOT is replaced by the folder of the test.
struct BuildCall: Sendable, CustomTestStringConvertible {
  var name: String
  var line: String
  /// Whether the app is for the Mac.
  var isForMac = false

  var testDescription: String { name }
}

private let xcodeTail =
  "--compress-pngs --enable-on-demand-resources NO --development-region English"

let buildCalls: [BuildCall] = [
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
