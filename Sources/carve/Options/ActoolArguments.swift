// The arguments of Apple's actool as values, and the build request that they make.

import AssetSymbols
import Bytes
import CatalogCompiler
import CatalogModel
import CommandLineKit
import Documents
import DropIn
import Host
import Traits

struct ActoolArguments: Sendable, DiagnosticReporting, CacheUsing {
  var documents: [ByteString] = []
  var asksVersion = false
  var format = ReportFormat.xml1
  var showsErrors = false
  var showsWarnings = false
  var showsNotices = false
  var folder: ByteString?
  var archiveName: ByteString?
  var infoPlist: ByteString?
  var dependencyInfo: ByteString?
  var platform: String?
  var minimum: String?
  var families: [String] = []
  var uiFramework: String?
  var appIcon: ByteString?
  var alternates: [ByteString] = []
  var includesAllIcons = false
  var launchImage: ByteString?
  var accentColor: ByteString?
  var widgetBackground: ByteString?
  var complication: ByteString?
  var flattenedIcon: ByteString?
  var standaloneIcons = StandaloneIcons.default
  var drawsIcons: Bool?
  var skipsStore = false
  var optimization: String?
  var configuration: String?
  var model: String?
  var os: String?
  var languages: [String] = []
  var developmentRegion: String?
  var listsLocalizations: Bool?
  var usesOnDemandResources: Bool?
  var assetPacks: ByteString?
  var printsTags = false
  var printsContents = false
  var bundleIdentifier: String?
  var swiftSymbols: ByteString?
  var objectiveCSymbols: ByteString?
  var symbolIndex: ByteString?
  var symbolExtensions: Bool?
  var symbolFrameworks: [String] = []
  var symbolWarnings: Bool?
  var symbolBackwards: Bool?
  var keeping = CacheArguments()
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
  func request() throws(CommandFailure) -> BuildRequest {
    var request = BuildRequest(target: try target())
    // The current folder is read only if a path is relative to it.
    var failure: FileError?
    func absolute(_ path: ByteString) -> ByteString {
      do throws(FileError) {
        return absolutePath(path, in: path.isAbsolute ? "" : try currentFolder())
      } catch {
        failure = error
        return path
      }
    }
    request.documents = documents.map(absolute)
    request.folder = folder.map(absolute)
    if let archiveName { request.archiveName = archiveName.text }
    request.infoPlist = infoPlist.map(absolute)
    request.dependencyInfo = dependencyInfo.map(absolute)
    request.primaryIcon = appIcon
    request.alternateIcons = alternates
    request.includesAllIcons = includesAllIcons
    request.launchImage = launchImage
    request.accentColor = accentColor
    request.widgetBackground = widgetBackground
    request.complication = complication
    request.flattenedIcon = flattenedIcon.map(absolute)
    request.standaloneIcons = standaloneIcons
    request.compiling.drawsIcons = drawsIcons ?? true
    request.checksStore = !skipsStore
    request.filter.model = model
    request.filter.configuration = configuration
    request.filter.os = try version(os)
    if !languages.isEmpty {
      // Old projects call their region by its English name.
      let region = developmentRegion.map { $0.lowercased() == "english" ? "en" : $0 }
      request.languages = languages + [region].compactMap { $0 }
    }
    request.listsLocalizations = listsLocalizations ?? true
    request.usesOnDemandResources = usesOnDemandResources ?? false
    request.assetPacks = assetPacks.map(absolute)
    request.symbols = symbols(absolute)
    request.listsTags = printsTags
    request.listsContents = printsContents
    if let optimization, let goal = OptimizationGoal(rawValue: optimization) {
      request.compiling.optimization = goal
    }
    if let jobs { request.compiling.jobs = jobs }
    request.compiling.cache = keeping.path(usually: true)
    request.compiling.cacheLimit = keeping.byteLimit
    try keeping.addServer(to: &request.compiling)
    if let failure { throw CommandFailure(failure, reading: ".") }
    return request
  }

  private func target() throws(CommandFailure) -> CompileTarget {
    let families = families.compactMap { DeviceFamily(rawValue: $0) }
    guard let named = platform.flatMap({ TargetPlatform(rawValue: $0) }) 
      ?? families.first.map({ TargetPlatform(Platform(of: $0.idiom)) })
    else {
      if folder != nil { throw .usage("--compile needs --platform") }
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
    guard let version = OSVersion(text) else {
      throw .usage("'\(text)' is not a version such as 15.0")
    }
    return version
  }

  private func symbols(_ absolute: (ByteString) -> ByteString) -> SymbolRequest {
    var symbols = SymbolRequest()
    symbols.swift = swiftSymbols.map(absolute)
    symbols.objectiveC = objectiveCSymbols.map(absolute)
    symbols.index = symbolIndex.map(absolute)
    symbols.bundleIdentifier = bundleIdentifier
    symbols.options.hasExtensions = symbolExtensions ?? true
    symbols.options.warnsOfClashes = symbolWarnings ?? true
    symbols.definesResources = symbolBackwards
    let frameworks = symbolFrameworks.compactMap { SymbolFramework(rawValue: $0) }
    if !frameworks.isEmpty { symbols.options.frameworks = frameworks }
    return symbols
  }
}
