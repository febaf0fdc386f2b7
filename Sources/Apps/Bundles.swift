// Finds the bundles of an app: the app, its extensions, frameworks, resource bundles, its watch app
// and its App Clip; and reads the Info.plist of each.

import Bytes
import CatalogModel
import Documents
import Host
import Traits

/// The role of a bundle, by its folder.
package enum BundleKind: String, Sendable, Hashable, CaseIterable {
  case app = "app"
  case appClip = "App Clip"
  case watchApp = "watch app"
  case appExtension = "extension"
  case framework = "framework"
  case service = "service"
  case resources = "resource bundle"
  /// The files that lie in no bundle.
  case loose = "folder"

  /// Returns the role of a folder with this path; nil if the folder is no bundle.
  init?(folder path: ByteString) {
    switch pathExtension(path) {
    case "app":
      switch lastComponent(parentFolder(path)) {
      case "Watch": self = .watchApp
      case "AppClips": self = .appClip
      default: self = .app
      }
    case "appex": self = .appExtension
    case "framework": self = .framework
    case "xpc": self = .service
    case "bundle": self = .resources
    default: return nil
    }
  }

  /// Whether the bundle has code that runs by itself, and an Info.plist that says where it runs.
  package var runs: Bool {
    switch self {
    case .app, .appClip, .watchApp, .appExtension: true
    case .framework, .service, .resources, .loose: false
    }
  }
}

/// A bundle, and the facts in its Info.plist.
package struct AppBundle: Sendable {
  /// The path of the folder below the root of the app's files; empty for files in no bundle.
  package let path: ByteString
  package let kind: BundleKind
  /// The name that people see; the name of the folder if the Info.plist has none.
  package var name: ByteString
  package var identifier: String?
  package var version: String?
  package var build: String?
  package var platform: Platform?
  package var oldestSystem: OSVersion?
  package var families: [Int] = []
  package var languages: [String] = []
  /// The name of the app's icon in the archive, and the names of its loose files without scale,
  /// device and ending.
  package var iconName: String?
  package var iconFiles: Set<ByteString> = []
  /// The properties that limit the windows of the bundle: those of the app or the extension in
  /// which it lies.
  package var traits = AppTraits()
  /// The files of the bundle itself, without those of the bundles in it, as indices.
  package var files: [Int] = []

  init(path: ByteString, kind: BundleKind) {
    self.path = path
    self.kind = kind
    name = withoutExtension(lastComponent(path))
  }
}

extension AppFiles {
  /// Returns the bundles in the order of their paths, so that a bundle follows the one in which it
  /// lies, and the Info.plist files that cannot be read.
  package func bundles() -> (bundles: [AppBundle], troubles: [AppTrouble]) {
    var bundles: [ByteString: AppBundle] = [:]
    for (index, file) in files.enumerated() {
      let path = bundlePath(of: file.path)
      let kind = BundleKind(folder: path) ?? .loose
      bundles[path, default: AppBundle(path: path, kind: kind)].files.append(index)
    }
    var sorted = bundles.values.sorted { $0.path < $1.path }
    var troubles: [AppTrouble] = []
    for index in sorted.indices {
      do throws(AppTrouble) { try read(&sorted[index]) } catch { troubles.append(error) }
    }
    shareTraits(&sorted)
    return (sorted, troubles)
  }

  /// Returns the innermost folder above a file that is a bundle; empty if no folder is a bundle.
  private func bundlePath(of path: ByteString) -> ByteString {
    var folder = path
    while folder.contains(UInt8(ascii: "/")) {
      folder = parentFolder(folder)
      if BundleKind(folder: folder) != nil { return folder }
    }
    return ""
  }

  /// The folders of a bundle that may contain its Info.plist and its resources: those of iOS first,
  /// then those of a Mac.
  private static let resourceFolders: [ByteString] = [
    "", "Contents", "Contents/Resources", "Resources",
  ]

  /// The greatest number of versions of a framework that are read.
  private static let mostVersions = 8

  /// Returns the folders such as `Versions/A/Resources` of a framework of a Mac, the newest version
  /// first. The links that lead there are not followed.
  private func versionFolders(of bundle: AppBundle) -> [ByteString] {
    guard bundle.kind == .framework else { return [] }
    var names: Set<ByteString> = []
    for index in bundle.files {
      let parts = (files[index].path.relative(to: bundle.path) ?? "").components
      if parts.count > 2, parts[0] == "Versions" { names.insert(parts[1]) }
    }
    return names.sorted().suffix(AppFiles.mostVersions).reversed().map {
      joined(bundle.path, "Versions/\($0)/Resources")
    }
  }

  private func read(_ bundle: inout AppBundle) throws(AppTrouble) {
    var places = AppFiles.resourceFolders.map { $0.isEmpty ? bundle.path : joined(bundle.path, $0) }
    places += versionFolders(of: bundle)
    bundle.languages = languages(of: bundle, in: places)
    let found = places.lazy.compactMap { index(of: joined($0, "Info.plist")) }.first
    guard let found, bundle.kind != .loose else { return }
    let path = files[found].path
    let bytes = try read(found, limit: FileLimit.document)
    do throws(PropertyListError) {
      let list = try PropertyValue(propertyList: bytes)
      guard let entries = list.dictionary else { throw .notADictionary }
      bundle.read(entries)
      bundle.traits = try AppTraits(infoPlist: bytes)
      if bundle.traits.languages == nil, !bundle.languages.isEmpty {
        bundle.traits.languages = bundle.languages
      } else {
        bundle.languages = bundle.traits.languages ?? []
      }
    } catch {
      throw AppTrouble(path: path, reason: "\(error)")
    }
  }

  /// Returns the languages of the folders `.lproj` of a bundle.
  private func languages(of bundle: AppBundle, in places: [ByteString]) -> [String] {
    var languages: Set<ByteString> = []
    for index in bundle.files {
      let folder = parentFolder(files[index].path)
      guard pathExtension(folder) == "lproj", places.contains(parentFolder(folder)) else {
        continue
      }
      languages.insert(withoutExtension(lastComponent(folder)))
    }
    languages.remove("Base")
    return languages.sorted().map(\.text)
  }

  /// Gives each bundle that is no program the properties of the program in which it lies.
  private func shareTraits(_ bundles: inout [AppBundle]) {
    var running: [ByteString: AppBundle] = [:]
    for bundle in bundles where bundle.kind.runs { running[bundle.path] = bundle }
    for index in bundles.indices where !bundles[index].kind.runs {
      guard let owner = nearest(above: bundles[index].path, in: running) else { continue }
      bundles[index].traits = owner.traits
      bundles[index].platform = owner.platform ?? bundles[index].platform
      bundles[index].oldestSystem = owner.oldestSystem ?? bundles[index].oldestSystem
    }
  }
}

/// Returns the value of the innermost folder above a path that has one.
func nearest<Value>(above path: ByteString, in values: [ByteString: Value]) -> Value? {
  var folder = path
  while folder.contains(UInt8(ascii: "/")) {
    folder = parentFolder(folder)
    if let value = values[folder] { return value }
  }
  return nil
}

extension AppBundle {
  fileprivate mutating func read(_ entries: [ByteString: PropertyValue]) {
    func text(_ key: ByteString) -> String? {
      guard let text = entries[key]?.string, !text.isEmpty else { return nil }
      return text
    }
    if let shown = text("CFBundleDisplayName") ?? text("CFBundleName") { name = ByteString(shown) }
    identifier = text("CFBundleIdentifier")
    version = text("CFBundleShortVersionString")
    build = text("CFBundleVersion")
    let system = text("MinimumOSVersion") ?? text("LSMinimumSystemVersion")
    oldestSystem = system.flatMap { OSVersion($0) }
    let sdk =
      text("DTPlatformName")
      ?? entries["CFBundleSupportedPlatforms"]?.array?.first?.string?.lowercased()
    platform = Platform.allCases.first { [$0.names.build, $0.names.simulator].contains(sdk) }
    if platform == nil, text("LSMinimumSystemVersion") != nil { platform = .macOS }
    families = (entries["UIDeviceFamily"]?.array ?? []).compactMap { value in
      if case .integer(let family) = value { family } else { nil }
    }
    readIcons(entries)
  }

  /// Reads the names of the app's icon. An Apple TV has its name alone.
  private mutating func readIcons(_ entries: [ByteString: PropertyValue]) {
    var stated: [String] = []
    for key: ByteString in ["CFBundleIcons", "CFBundleIcons~ipad"] {
      let primary = entries[key]?.dictionary?["CFBundlePrimaryIcon"]
      let parts = primary?.dictionary
      iconName = iconName ?? parts?["CFBundleIconName"]?.string ?? primary?.string
      stated += parts?["CFBundleIconFiles"]?.array?.compactMap(\.string) ?? []
    }
    iconName = iconName ?? entries["CFBundleIconName"]?.string
    stated += entries["CFBundleIconFiles"]?.array?.compactMap(\.string) ?? []
    if let file = entries["CFBundleIconFile"]?.string { stated.append(file) }
    for file in stated where !file.isEmpty {
      // The name may be stated with its ending, or without it: "Icon.png", "AppIcon83.5x83.5".
      let path = ByteString(file)
      iconFiles.insert(PictureName(pathExtension(path) == "png" ? path : path + ".png").name)
    }
  }
}
