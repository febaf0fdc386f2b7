// The target of a compilation: the platform, the oldest system and the device families, and the
// properties that follow from them. Codecs decides how a system decodes pictures.

import CatalogModel
import Codecs
import Traits

/// A platform. The raw values are the names that build systems pass.
package enum TargetPlatform: String, CaseIterable, Sendable {
  case macOS = "macosx"
  case iOS = "iphoneos"
  case iOSSimulator = "iphonesimulator"
  case tvOS = "appletvos"
  case tvOSSimulator = "appletvsimulator"
  case watchOS = "watchos"
  case watchSimulator = "watchsimulator"
  case visionOS = "xros"
  case visionSimulator = "xrsimulator"

  /// The name of the platform in an archive's metadata.
  package var archiveName: String { system.archiveName }

  /// The system that reads archives of the platform.
  package var system: Platform {
    switch self {
    case .macOS: .macOS
    case .iOS, .iOSSimulator: .iOS
    case .tvOS, .tvOSSimulator: .tvOS
    case .watchOS, .watchSimulator: .watchOS
    case .visionOS, .visionSimulator: .visionOS
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

  /// The idioms whose variants the platform can show, besides the universal ones.
  var idioms: Set<Idiom> {
    switch self {
    case .macOS: [.mac]
    case .iOS, .iOSSimulator: [.phone, .pad, .car, .marketing]
    case .tvOS, .tvOSSimulator: [.tv, .marketing]
    case .watchOS, .watchSimulator: [.watch, .marketing]
    case .visionOS, .visionSimulator: [.vision]
    }
  }

  /// The scales of the bitmaps that are drawn from a vector.
  var vectorScales: [UInt8] {
    switch self {
    case .iOS, .iOSSimulator: [1, 2, 3]
    case .macOS, .tvOS, .tvOSSimulator: [1, 2]
    case .watchOS, .watchSimulator, .visionOS, .visionSimulator: [2]
    }
  }

  /// The number of the scheme by which archives of the platform number appearances and order keys.
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

  /// The oldest system if the caller names none.
  package var defaultMinimum: OSVersion {
    switch self {
    case .macOS: OSVersion(12)
    case .iOS, .iOSSimulator, .tvOS, .tvOSSimulator: OSVersion(15)
    case .watchOS, .watchSimulator: OSVersion(8)
    case .visionOS, .visionSimulator: OSVersion(1)
    }
  }

  /// The oldest system for which Carve writes archives: the first one with asset catalogues.
  var oldestSupported: OSVersion {
    switch self {
    case .macOS: OSVersion(10, 9)
    case .iOS, .iOSSimulator: OSVersion(7)
    case .tvOS, .tvOSSimulator: OSVersion(9)
    case .watchOS, .watchSimulator: OSVersion(2)
    case .visionOS, .visionSimulator: OSVersion(1)
    }
  }
}

/// A device family that a target can be restricted to.
package enum DeviceFamily: String, CaseIterable, Sendable {
  case iphone, ipad, mac, tv, watch, vision
  case phone, pad

  package var idiom: Idiom {
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
package struct CompileTarget: Sendable {
  package var platform: TargetPlatform
  package var minimum: OSVersion
  /// The device families; empty for every device of the platform.
  package var families: [DeviceFamily]

  package init(platform: TargetPlatform, minimum: OSVersion? = nil, families: [DeviceFamily] = []) {
    self.platform = platform
    self.minimum = minimum ?? platform.defaultMinimum
    self.families = families
  }

  /// The oldest system that Carve supports, if the target is older; otherwise nil.
  package var tooOld: OSVersion? {
    minimum < platform.oldestSupported ? platform.oldestSupported : nil
  }

  /// Whether an iPad app is built for the Mac (Catalyst). It also shows pictures for the iPad.
  package var isCatalyst: Bool {
    platform == .macOS && families.contains { $0.idiom == .pad || $0.idiom == .phone }
  }

  /// Returns whether a device of the target can show a variant of this idiom.
  func admits(_ idiom: Idiom) -> Bool {
    if idiom == .universal { return true }
    if isCatalyst { return idiom == .mac || idiom == .pad }
    guard platform.idioms.contains(idiom) else { return false }
    if families.isEmpty || idiom == .marketing { return true }
    let chosen = Set(families.map(\.idiom))
    // A phone drives the display of a car.
    return chosen.contains(idiom) || idiom == .car && chosen.contains(.phone)
  }

  /// Returns whether an entry is for the target.
  package func admits(_ slot: Slot) -> Bool {
    (slot.platform.map { $0.rawValue == platform.catalogName } ?? true) && admits(slot.key.idiom)
  }

  /// Whether app stores accept wide colours for the oldest system of the target.
  var showsWideGamut: Bool {
    switch platform {
    case .iOS, .iOSSimulator: minimum >= OSVersion(9, 3)
    case .watchOS, .watchSimulator: minimum >= OSVersion(3)
    case .tvOS, .tvOSSimulator: minimum >= OSVersion(10)
    case .macOS, .visionOS, .visionSimulator: true
    }
  }

  /// The oldest decoder that must read the pictures.
  var oldestReader: OldestReader {
    switch platform {
    case .macOS: .macOS(Int(minimum.major), Int(minimum.minor))
    case .watchOS, .watchSimulator: .iOS(Int(minimum.major) + 7)
    case .visionOS, .visionSimulator: .deepMap2
    default: .iOS(Int(minimum.major))
    }
  }

  /// Whether the target includes systems before LZFSE. They support neither grey pictures, nor
  /// padded rows, nor atlases.
  var predatesLZFSE: Bool { oldestReader < .lzfse }

  /// Returns the idiom of a variant in the archive. In archives for the Mac, `mac` is stored as
  /// `universal`.
  func archived(_ idiom: Idiom) -> Idiom {
    platform == .macOS && idiom == .mac ? .universal : idiom
  }
}

extension TargetPlatform {
  /// The target platform whose archives a device reads.
  package init(_ platform: Traits.Platform) {
    switch platform {
    case .iOS, .iPadOS: self = .iOS
    case .tvOS: self = .tvOS
    case .watchOS: self = .watchOS
    case .macOS: self = .macOS
    case .visionOS: self = .visionOS
    }
  }
}
