// Every option of Apple's actool and its effect in Carve. Parsing, help, the manual and `carve
// explain-build` use this table.

import AssetSymbols
import Bytes
import CatalogCompiler
import CatalogModel
import CommandLineKit
import Documents
import DropIn
import Host
import Queries
import Traits

/// An option of Apple's tool, and the difference in Carve.
struct ActoolOption: Sendable {
  var option: Option<ActoolArguments>
  var effect: BuildOption.Effect

  var name: String { option.row.long }
}

private typealias Row = Option<ActoolArguments>

/// Returns the help text of an option that changes nothing.
private func nothing(_ reason: String) -> String { "accepted, without effect: \(reason)" }

let actoolOptions: [ActoolOption] =
  documentOptions + iconOptions + targetOptions + resourceOptions + symbolOptions + ignoredOptions

private func row(
  _ option: Option<ActoolArguments>, _ effect: BuildOption.Effect = .same
) -> ActoolOption {
  ActoolOption(option: option, effect: effect)
}

private let documentOptions: [ActoolOption] = [
  row(
    .folder(
      "compile", "FOLDER", \.request.folder,
      help: "write Assets.car and the files that belong beside it")),
  row(
    .text(
      "compile-output-filename", "NAME", \.request.archiveName,
      help: "another name for the archive, as in xcbuild's tool"), .own),
  row(
    .choice(
      "output-format", "FORMAT", \.format,
      help: "the form of the report on standard output (xml1)")),
  row(
    .flag("errors", \.showsErrors, help: "report errors in documents"),
    .reports("errors are also reported without it: a run that fails reports the reason")),
  row(.flag("warnings", \.showsWarnings, help: "report warnings about documents")),
  row(
    .flag(
      "notices", \.showsNotices, help: "report notices, such as a device that is not known"),
    .reports("notes of 'carve lint' are not notices, because wrappers fail builds on notices")
  ),
  row(
    .path(
      "output-partial-info-plist", "FILE", extensions: ["plist"], \.request.infoPlist,
      help: "write the keys of the Info.plist that follow from the catalogues")),
  row(
    .path(
      "export-dependency-info", "FILE", \.request.dependencyInfo,
      help: "list the files that were read and written, for Xcode's build system"),
    .differs("every file is listed, including files that were not found")),
  row(
    .flag(
      "print-contents", \.request.listsContents,
      help: "report the folders of the catalogues and the pictures that they name")),
  row(
    .flag(
      "print-asset-tag-combinations", \.request.listsTags,
      help: "report the sets of on-demand tags that assets have")),
  row(
    .flag("version", \.asksVersion, help: "report the version, under the name of the tool"),
    .differs(
      "the version is that of the Apple tool whose options Carve knows; carve-version is that "
        + "of Carve"
    )),
]

private let iconOptions: [ActoolOption] = [
  row(.text("app-icon", "NAME", \.request.primaryIcon, help: "the set that is the app's icon")),
  row(
    .list(
      "alternate-app-icon", "NAME", \.request.alternateIcons,
      help: "a set that the app may show as its icon")),
  row(
    .flag(
      "include-all-app-icons", \.request.includesAllIcons,
      help: "every other icon set is an alternate")),
  row(
    .choice(
      "standalone-icon-behavior", "WHICH", \.request.standaloneIcons,
      help: "which icons lie beside the archive as files")),
  row(
    .text(
      "launch-image", "NAME", \.request.launchImage,
      help: "the set of launch images, which lie beside the archive")),
  row(
    .text(
      "accent-color", "NAME", \.request.accentColor,
      help: "the colour set for the app's accent colour")),
  row(
    .text(
      "widget-background-color", "NAME", \.request.widgetBackground,
      help: "the colour set for the background of widgets")),
  row(
    .text(
      "complication", "NAME", \.request.complication, help: "the complication set of a watch app"),
    .differs("the set must be there; sets that are not compiled are named in a warning")),
  row(
    .path(
      "flattened-app-icon-path", "FILE", extensions: ["png"], \.request.flattenedIcon,
      help:
        "Apple's tool writes a layered icon there as one picture; a warning reports that Carve "
        + "does not"
    ),
    .differs("no file is written, and a warning reports this")),
  row(
    .answer(
      "enable-icon-stack-fallback-generation", \.request.compiling.drawsIcons,
      help: "make bitmaps of layered icons that have no app icon set of their name (YES)"),
    .differs("their glass is a model of Apple's, and a note reports this")),
  row(
    .flag(
      "skip-app-store-deployment", \.request.checksStore, setting: false,
      help: "do not require what a store requires, such as an icon of 1024 pixels")),
]

private let targetOptions: [ActoolOption] = [
  row(
    .choice(
      "platform", "PLATFORM", of: TargetPlatform.allCases.map(\.rawValue), \.platform,
      help: "the platform to compile for")),
  row(
    .text(
      "minimum-deployment-target", "VERSION", \.minimum,
      help: "the oldest system that must read the outputs")),
  row(
    .list(
      "target-device", "FAMILY", of: DeviceFamily.allCases.map(\.rawValue), \.families,
      help: "a device family to compile for")),
  row(
    .text(
      "ui-framework-family", "NAME", \.uiFramework,
      help: "uikit: the app for the Mac comes from the iPad, and shows the assets for the iPad")),
  row(
    .choice(
      "optimization", "GOAL", of: ["space", "time"], \.optimization,
      help: "the smallest archive, or the one that opens fastest")),
  row(
    .text(
      "filter-for-thinning-device-configuration", "MODEL", \.request.filter.configuration,
      help: "keep what this device can show; overrides --filter-for-device-model"),
    .differs("everything that the device can ever show is kept, as by 'carve thin'")),
  row(
    .text(
      "filter-for-device-model", "MODEL", \.request.filter.model,
      help: "keep what this device can show"),
    .differs("everything that the device can ever show is kept, as by 'carve thin'")),
  row(
    .text(
      "filter-for-device-os-version", "VERSION", \.os,
      help: "the oldest system of that device that matters")),
  row(
    .list(
      "include-language", "TAG", \.languages,
      help: "keep variants for this language, the development region and none")),
  row(
    .text(
      "development-region", "TAG", \.developmentRegion,
      help: "the language that --include-language never drops")),
  row(
    .answer(
      "include-partial-info-plist-localizations", \.request.listsLocalizations,
      help: "list the languages of the assets in the property list (YES)")),
]

private let resourceOptions: [ActoolOption] = [
  row(
    .answer(
      "enable-on-demand-resources", \.request.usesOnDemandResources,
      help: "write assets with tags into packs (NO)")),
  row(
    .path(
      "asset-pack-output-specifications", "FILE", extensions: ["plist"], \.request.assetPacks,
      help: "the packs: a property list of their tags and folders"),
    .differs("assets whose tags have no pack stay in the app's archive, with a warning")),
]

private let symbolOptions: [ActoolOption] = [
  row(
    .text(
      "bundle-identifier", "ID", \.request.symbols.bundleIdentifier,
      help: "the bundle that symbols name")),
  row(
    .path(
      "generate-swift-asset-symbols", "FILE", extensions: ["swift"], \.request.symbols.swift,
      help: "write constants for Swift, and compile nothing"),
    .differs("optional symbols for assets that thinning may drop are left out")),
  row(
    .path(
      "generate-objc-asset-symbols", "FILE", extensions: ["h"], \.request.symbols.objectiveC,
      help: "write constants for Objective-C, and compile nothing")),
  row(
    .path(
      "generate-asset-symbol-index", "FILE", extensions: ["plist"], \.request.symbols.index,
      help: "write which asset each constant stands for")),
  row(
    .answer(
      "generate-swift-asset-symbol-extensions", \.request.symbols.options.hasExtensions,
      help: "also extend the types of frameworks (YES)")),
  row(
    .list(
      "generate-asset-symbol-framework-support", "FRAMEWORK",
      of: SymbolFramework.allCases.map(\.rawValue), \.symbolFrameworks,
      help: "a framework to extend; without it all of them")),
  row(
    .answer(
      "generate-asset-symbol-warnings", \.request.symbols.options.warnsOfClashes,
      help: "write a warning into the source if two assets have the same symbol (YES)")),
  row(
    .answer(
      "generate-asset-symbol-backwards-deployment-support", \.request.symbols.definesResources,
      help: "define the resource types if the oldest system lacks them")),
]

private func ignored(
  _ option: (String, String) -> Option<ActoolArguments>, _ name: String, _ reason: String,
  changesFiles ending: ByteString? = nil
) -> ActoolOption {
  row(option(name, nothing(reason)), .ignored(reason, changesFiles: ending))
}

private func flag(_ name: String, _ help: String) -> Option<ActoolArguments> {
  .flag(name, \.ignored.flag, help: help)
}

private func text(_ name: String, _ help: String) -> Option<ActoolArguments> {
  .text(name, "VALUE", \.ignored.text, help: help)
}

private func texts(_ name: String, _ help: String) -> Option<ActoolArguments> {
  .list(name, "VALUE", \.ignored.texts, help: help)
}

private func answer(_ name: String, _ help: String) -> Option<ActoolArguments> {
  .answer(name, \.ignored.answer, help: help)
}

private let ignoredOptions: [ActoolOption] = [
  ignored(
    flag, "compress-pngs",
    "files beside the archive are ordinary PNG files, which Apple's systems also read",
    changesFiles: ".png"),
  ignored(
    text, "lightweight-asset-runtime-mode", "the output never depends on the system of the machine"),
  ignored(text, "product-type", "icons are chosen by --standalone-icon-behavior"),
  ignored(flag, "include-sticker-content", "stickers are not compiled, and a warning reports this"),
  ignored(text, "stickers-icon-role", "icons of stickers lie beside the archive in either role"),
  ignored(text, "sticker-pack-identifier-prefix", "stickers are not compiled"),
  ignored(texts, "sticker-pack-strings-file", "stickers are not compiled"),
  ignored(text, "leaderboard-identifier-prefix", "Game Center sets are not compiled"),
  ignored(text, "leaderboard-set-identifier-prefix", "Game Center sets are not compiled"),
  ignored(answer, "enable-incremental-distill", "--cache keeps compressed pictures between runs"),
  ignored(text, "target-name", "it names the target of --enable-incremental-distill"),
  ignored(
    answer, "generate-asset-symbol-errors", "two assets with the same symbol are not an error"),
  ignored(flag, "allow-non-standard-behavior", "an option of xcbuild's tool"),
  ignored(texts, "allow-image-type", "an option of xcbuild's tool"),
]

// MARK: - Arguments

// The arguments of Apple's actool as values, and the build request that they make.

struct ActoolArguments: Sendable, DiagnosticReporting, CacheUsing {
  /// The request, in which most options set a field.
  var request = BuildRequest(target: CompileTarget(platform: .iOS))
  var asksVersion = false
  var format = ReportFormat.xml1
  var showsErrors = false
  var showsWarnings = false
  var showsNotices = false
  // The words that `resolvedRequest` reads.
  var platform: String?
  var minimum: String?
  var families: [String] = []
  var uiFramework: String?
  var optimization: String?
  var os: String?
  var languages: [String] = []
  var developmentRegion: String?
  var symbolFrameworks: [String] = []
  var cache = CacheArguments()
  var jobs: Int?
  var diagnostics = DiagnosticArguments()
  /// Options that change nothing.
  var ignored = IgnoredActoolArguments()
}

/// The values of Apple's options that change nothing here.
struct IgnoredActoolArguments: Sendable {
  var flag = false
  var text: String?
  var texts: [String] = []
  var answer: Bool?
}

extension ActoolArguments {
  /// Returns the request with absolute paths, and with the values that are parsed from words:
  /// platform, versions, families. Relative paths start at `folder`, or at the current folder.
  func resolvedRequest(in folder: ByteString? = nil) throws(CommandFailure) -> BuildRequest {
    var request = request
    request.target = try target()
    request.filter.os = try version(os)
    if !languages.isEmpty {
      let region = developmentRegion.map { languageTag(ofOlderName: $0) }
      request.languages = languages + [region].compactMap { $0 }
    }
    let frameworks = symbolFrameworks.compactMap { SymbolFramework(rawValue: $0) }
    if !frameworks.isEmpty { request.symbols.options.frameworks = frameworks }
    if let optimization, let goal = OptimizationGoal(rawValue: optimization) {
      request.compiling.optimization = goal
    }
    if let jobs { request.compiling.jobs = jobs }
    request.compiling.cache = cache.path(usually: true)
    request.compiling.cacheLimit = cache.byteLimit
    try cache.addServer(to: &request.compiling)
    // The current folder is read only if a path is relative to it.
    var failure: FileError?
    request.makePathsAbsolute { path in
      do throws(FileError) {
        if path.isAbsolute { return absolutePath(path, in: "") }
        let start = folder ?? ""
        return absolutePath(
          path, in: start.isAbsolute ? start : absolutePath(start, in: try currentFolder()))
      } catch {
        failure = error
        return path
      }
    }
    if let failure { throw CommandFailure(failure, reading: ".") }
    return request
  }

  private func target() throws(CommandFailure) -> CompileTarget {
    let families = families.compactMap { DeviceFamily(rawValue: $0) }
    guard
      let named = platform.flatMap({ TargetPlatform(rawValue: $0) })
        ?? families.first.map({ TargetPlatform(Platform(of: $0.idiom)) })
    else {
      if request.folder != nil { throw .usage("--compile needs --platform") }
      if request.infoPlist != nil, request.symbols.isEmpty {
        throw .usage("--output-partial-info-plist needs --platform")
      }
      return CompileTarget(platform: .iOS)
    }
    var target = CompileTarget(platform: named, minimum: try version(minimum), families: families)
    // With UIKit, the app is for touch on the Mac, regardless of the named devices.
    if uiFramework?.lowercased() == "uikit", named == .macOS, !target.isCatalyst {
      target.families.append(.ipad)
    }
    if let oldest = target.tooOld {
      throw .usage(
        "archives for \(named.rawValue) \(target.minimum) are not supported; the oldest system is "
          + "\(oldest)")
    }
    return target
  }

  private func version(_ text: String?) throws(CommandFailure) -> OSVersion? {
    guard let text else { return nil }
    return try queried { () throws(QueryError) in try systemVersion(text, example: "15.0") }
  }
}
