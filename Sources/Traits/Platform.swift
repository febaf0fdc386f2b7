// The platforms: their names, and the generations into which archives group the versions of their
// systems. CatalogCompiler/Planning/Target.swift has the demands of each on an archive.

/// A system. The raw values are the names for people; icon.json has the same ones.
public enum Platform: String, CaseIterable, Sendable, Hashable {
  case iOS, iPadOS, tvOS, watchOS, macOS, visionOS

  /// Returns the platform whose version numbers a request for this idiom uses.
  public init(of idiom: Idiom) {
    switch idiom {
    case .tv: self = .tvOS
    case .watch: self = .watchOS
    case .mac: self = .macOS
    case .vision: self = .visionOS
    case .pad: self = .iPadOS
    case .universal, .phone, .car, .marketing: self = .iOS
    }
  }

  /// The first version of each generation, from generation 1 on; nil if the platform did not exist
  /// yet. The numbers of iOS are known; those of the other platforms are their releases of the same
  /// season.
  var generationStarts: [OSVersion?] {
    typealias V = OSVersion
    return switch self {
    case .iOS, .iPadOS, .tvOS:
      [V(10), V(11), V(12), V(12, 2), V(13), V(14), V(15), V(16), V(17), V(17, 4), V(18), V(26)]
    case .watchOS:
      [V(3), V(4), V(5), V(5, 2), V(6), V(7), V(8), V(9), V(10), V(10, 4), V(11), V(26)]
    case .macOS:
      [
        V(10, 12), V(10, 13), V(10, 14), V(10, 14, 4), V(10, 15), V(11), V(12), V(13), V(14),
        V(14, 4), V(15), V(26),
      ]
    case .visionOS: [nil, nil, nil, nil, nil, nil, nil, nil, V(1), V(1, 1), V(2), V(26)]
    }
  }

  /// The newest generation that archives can store.
  public static let newestGeneration: UInt8 = 12

  /// Returns the generation of a version; 0 for systems older than generation 1.
  public func generation(of version: OSVersion) -> UInt8 {
    let starts = generationStarts
    let begun = starts.lastIndex { start in start.map { $0 <= version } ?? false }
    return begun.map { UInt8($0 + 1) } ?? 0
  }

  /// Returns the first version of a generation; nil for generation 0 and for unknown generations.
  public func start(of generation: UInt8) -> OSVersion? {
    let starts = generationStarts
    return generation == 0 || Int(generation) > starts.count ? nil : starts[Int(generation) - 1]
  }
}

/// The names of a platform in files and options.
package struct PlatformNames: Sendable {
  /// The name in the metadata of archives.
  package let archive: String
  /// The value of `platform` in a Contents.json.
  package let catalog: String
  /// The name that build systems pass.
  package let build: String
  /// The name that build systems pass for the simulator; nil if the platform has none.
  package let simulator: String?
}

extension Platform {
  /// The names of the platform. iPadOS has those of iOS.
  package var names: PlatformNames {
    switch self {
    case .iOS, .iPadOS:
      PlatformNames(
        archive: "ios", catalog: "ios", build: "iphoneos", simulator: "iphonesimulator")
    case .tvOS:
      PlatformNames(
        archive: "atv", catalog: "tvos", build: "appletvos", simulator: "appletvsimulator")
    case .watchOS:
      PlatformNames(
        archive: "watchos", catalog: "watchos", build: "watchos", simulator: "watchsimulator")
    case .macOS:
      PlatformNames(archive: "macosx", catalog: "macos", build: "macosx", simulator: nil)
    case .visionOS:
      PlatformNames(
        archive: "vision", catalog: "visionos", build: "xros", simulator: "xrsimulator")
    }
  }

  /// The name of the platform in the metadata of its archives.
  package var archiveName: String { names.archive }

  /// Finds the platform by its name in the metadata of archives.
  package init?(archiveName name: String) {
    guard let platform = Platform.allCases.first(where: { $0.archiveName == name }) else {
      return nil
    }
    self = platform
  }
}
