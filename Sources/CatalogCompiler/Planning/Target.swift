// What a catalogue is compiled for: the platform, the oldest system and the device families, and
// what follows from them. How systems decode pictures is the codecs' business.

import Traits

/// A version such as 17.4.
public struct SystemVersion: Sendable, Hashable, Comparable {
  public var major: Int
  public var minor: Int
  public var patch: Int

  public init(_ major: Int, _ minor: Int = 0, _ patch: Int = 0) {
    self.major = major
    self.minor = minor
    self.patch = patch
  }

  /// nil unless the text is one to three numbers joined by dots.
  public init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      part.utf8.allSatisfy { (48...57).contains($0) } && part.utf8.count < 6 ? Int(part) : nil
    }
    guard (1...3).contains(parts.count), numbers.count == parts.count else { return nil }
    self.init(numbers[0], numbers.count > 1 ? numbers[1] : 0, numbers.count > 2 ? numbers[2] : 0)
  }

  public static func < (a: SystemVersion, b: SystemVersion) -> Bool {
    (a.major, a.minor, a.patch) < (b.major, b.minor, b.patch)
  }
}

extension SystemVersion: CustomStringConvertible {
  public var description: String {
    patch == 0 ? "\(major).\(minor)" : "\(major).\(minor).\(patch)"
  }
}

/// A platform by the name that build systems pass.
public enum TargetPlatform: String, CaseIterable, Sendable {
  case macOS = "macosx"
  case iOS = "iphoneos"
  case iOSSimulator = "iphonesimulator"
  case tvOS = "appletvos"
  case tvOSSimulator = "appletvsimulator"
  case watchOS = "watchos"
  case watchSimulator = "watchsimulator"
  case visionOS = "xros"
  case visionSimulator = "xrsimulator"

  /// The name that an archive's metadata carries.
  public var archiveName: String {
    switch self {
    case .macOS: "macosx"
    case .iOS, .iOSSimulator: "ios"
    case .tvOS, .tvOSSimulator: "atv"
    case .watchOS, .watchSimulator: "watchos"
    case .visionOS, .visionSimulator: "vision"
    }
  }

  /// The value of `platform` in a Contents.json.
  var catalogName: String {
    switch self {
    case .macOS: "macos"
    case .iOS, .iOSSimulator: "ios"
    case .tvOS, .tvOSSimulator: "tvos"
    case .watchOS, .watchSimulator: "watchos"
    case .visionOS, .visionSimulator: "visionos"
    }
  }

  /// The idioms whose variants the platform can show, beside the universal ones.
  var idioms: Set<Idiom> {
    switch self {
    case .macOS: [.mac]
    case .iOS, .iOSSimulator: [.phone, .pad, .car, .marketing]
    case .tvOS, .tvOSSimulator: [.tv, .marketing]
    case .watchOS, .watchSimulator: [.watch, .marketing]
    case .visionOS, .visionSimulator: [.vision]
    }
  }

  /// How archives of the platform number appearances and order their keys.
  var keySemantics: UInt32 {
    switch self {
    case .macOS: 1
    case .visionOS, .visionSimulator: 4
    default: 2
    }
  }

  var schemaVersion: UInt32 {
    switch self {
    case .visionOS, .visionSimulator: 1
    default: 2
    }
  }

  /// The system that is assumed where the caller names none.
  public var defaultMinimum: SystemVersion {
    switch self {
    case .macOS: SystemVersion(12)
    case .iOS, .iOSSimulator, .tvOS, .tvOSSimulator: SystemVersion(15)
    case .watchOS, .watchSimulator: SystemVersion(8)
    case .visionOS, .visionSimulator: SystemVersion(1)
    }
  }

  /// The oldest system whose archives Carve writes: the first that reads LZFSE.
  var oldestSupported: SystemVersion {
    switch self {
    case .macOS: SystemVersion(10, 11)
    case .iOS, .iOSSimulator, .tvOS, .tvOSSimulator: SystemVersion(9)
    case .watchOS, .watchSimulator: SystemVersion(2)
    case .visionOS, .visionSimulator: SystemVersion(1)
    }
  }
}

/// A device family that a target can be restricted to.
public enum DeviceFamily: String, CaseIterable, Sendable {
  case iphone, ipad, mac, tv, watch, vision
  case phone, pad

  var idiom: Idiom {
    switch self {
    case .iphone, .phone: .phone
    case .ipad, .pad: .pad
    case .mac: .mac
    case .tv: .tv
    case .watch: .watch
    case .vision: .vision
    }
  }
}

/// The target of one compilation.
public struct CompileTarget: Sendable {
  public var platform: TargetPlatform
  public var minimum: SystemVersion
  /// Empty for every device of the platform.
  public var families: [DeviceFamily]

  public init(platform: TargetPlatform, minimum: SystemVersion? = nil, families: [DeviceFamily] = []) {
    self.platform = platform
    self.minimum = minimum ?? platform.defaultMinimum
    self.families = families
  }

  /// Whether a variant of this idiom can be shown by some device of the target.
  func admits(_ idiom: Idiom) -> Bool {
    if idiom == .universal { return true }
    guard platform.idioms.contains(idiom) else { return false }
    if families.isEmpty || idiom == .marketing { return true }
    let chosen = Set(families.map(\.idiom))
    // A car's display is hosted by a phone.
    return chosen.contains(idiom) || idiom == .car && chosen.contains(.phone)
  }

  /// The idiom under which the archive files a variant: a Mac's are the universal ones of its own.
  func archived(_ idiom: Idiom) -> Idiom { platform == .macOS && idiom == .mac ? .universal : idiom }
}
