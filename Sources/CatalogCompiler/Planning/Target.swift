// The target of a compilation: the platform and its demands on archives, the oldest system, the
// device families, and the properties that follow from them. Codecs decides how a system decodes
// pictures.

import CatalogModel
import Codecs
import Traits

/// The demands of a platform on its archives.
struct PlatformDemands: Sendable {
  /// The idioms whose variants the platform can show, besides the universal ones.
  let idioms: Set<Idiom>
  /// The number of the scheme by which archives of the platform number appearances and order keys.
  var keySemantics: UInt32 = 2
  var schemaVersion: UInt32 = 2
  /// The oldest system if the caller names none.
  let defaultMinimum: OSVersion
  /// The oldest system for which Carve writes archives: the first one with asset catalogues.
  let oldestSupported: OSVersion
  /// The first system for which app stores accept wide colours.
  var firstWideGamut = OSVersion(0)
  /// Whether archives of the platform have layered icons.
  var hasLayeredIcons = false

  static let macOS = PlatformDemands(
    idioms: [.mac], keySemantics: 1, defaultMinimum: OSVersion(12),
    oldestSupported: OSVersion(10, 9), hasLayeredIcons: true)
  static let iOS = PlatformDemands(
    idioms: [.phone, .pad, .car, .marketing],
    defaultMinimum: OSVersion(15), oldestSupported: OSVersion(7), firstWideGamut: OSVersion(9, 3),
    hasLayeredIcons: true)
  static let tvOS = PlatformDemands(
    idioms: [.tv, .marketing], defaultMinimum: OSVersion(15),
    oldestSupported: OSVersion(9), firstWideGamut: OSVersion(10))
  static let watchOS = PlatformDemands(
    idioms: [.watch, .marketing], defaultMinimum: OSVersion(8),
    oldestSupported: OSVersion(2), firstWideGamut: OSVersion(3), hasLayeredIcons: true)
  static let visionOS = PlatformDemands(
    idioms: [.vision], keySemantics: 4, schemaVersion: 1,
    defaultMinimum: OSVersion(1), oldestSupported: OSVersion(1))
}

/// A platform that archives are compiled for: a system, on its devices or in a simulator.
package struct TargetPlatform: Sendable, Hashable, CaseIterable {
  /// The system that reads the archives; never iPadOS, which reads those of iOS.
  package let system: Platform
  package let isSimulator: Bool

  private init(system: Platform, isSimulator: Bool = false) {
    self.system = system
    self.isSimulator = isSimulator
  }

  /// Creates the platform whose archives the devices of a system read.
  package init(_ system: Platform) {
    self.init(system: system == .iPadOS ? .iOS : system)
  }

  package static let macOS = TargetPlatform(system: .macOS)
  package static let iOS = TargetPlatform(system: .iOS)
  package static let iOSSimulator = TargetPlatform(system: .iOS, isSimulator: true)
  package static let tvOS = TargetPlatform(system: .tvOS)
  package static let tvOSSimulator = TargetPlatform(system: .tvOS, isSimulator: true)
  package static let watchOS = TargetPlatform(system: .watchOS)
  package static let watchSimulator = TargetPlatform(system: .watchOS, isSimulator: true)
  package static let visionOS = TargetPlatform(system: .visionOS)
  package static let visionSimulator = TargetPlatform(system: .visionOS, isSimulator: true)

  /// The platforms in the order in which help lists them.
  package static let allCases: [TargetPlatform] = [
    .macOS, .iOS, .iOSSimulator, .tvOS, .tvOSSimulator, .watchOS, .watchSimulator, .visionOS,
    .visionSimulator,
  ]

  /// The name that build systems pass.
  package var rawValue: String {
    let names = system.names
    return isSimulator ? names.simulator ?? names.build : names.build
  }

  package init?(rawValue: String) {
    guard let platform = TargetPlatform.allCases.first(where: { $0.rawValue == rawValue }) else {
      return nil
    }
    self = platform
  }

  /// The name of the platform in an archive's metadata.
  package var archiveName: String { system.archiveName }

  var demands: PlatformDemands {
    switch system {
    case .macOS: .macOS
    case .iOS, .iPadOS: .iOS
    case .tvOS: .tvOS
    case .watchOS: .watchOS
    case .visionOS: .visionOS
    }
  }

  var idioms: Set<Idiom> { demands.idioms }
  /// The scales of the bitmaps that are drawn from a vector.
  package var vectorScales: [UInt8] { system.vectorScales }
  var keySemantics: UInt32 { demands.keySemantics }
  var schemaVersion: UInt32 { demands.schemaVersion }
  package var defaultMinimum: OSVersion { demands.defaultMinimum }
  package var oldestSupported: OSVersion { demands.oldestSupported }
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

  /// The oldest system that Carve supports, if the oldest system of the target is older; otherwise
  /// nil.
  package var tooOld: OSVersion? {
    minimum < platform.oldestSupported ? platform.oldestSupported : nil
  }

  /// Whether an iPad app is built for the Mac (Catalyst). It also shows pictures for the iPad.
  package var isCatalyst: Bool {
    platform == .macOS && families.contains { $0.idiom == .pad || $0.idiom == .phone }
  }

  /// The message about families without a device that reads archives of the platform; nil if one
  /// family has such a device: build systems name families of other platforms, too.
  package var contradiction: String? {
    let hasDevice = isCatalyst || families.contains { platform.idioms.contains($0.idiom) }
    guard let family = families.first, !hasDevice else { return nil }
    let modern: [DeviceFamily] = [.iphone, .ipad, .mac, .tv, .watch, .vision]
    let known =
      modern.filter { platform.idioms.contains($0.idiom) }.map(\.rawValue)
      + (platform == .macOS ? ["ipad (Catalyst)"] : [])
    return "--target-device \(family.rawValue) contradicts the platform \(platform.rawValue); "
      + "its families are \(known.joined(separator: ", "))"
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
    (slot.platform.map { $0 == platform.system } ?? true) && admits(slot.key.idiom)
  }

  /// Whether app stores accept wide colours for the oldest system of the target.
  var showsWideGamut: Bool { minimum >= platform.demands.firstWideGamut }

  /// The oldest decoder that must read the pictures.
  var oldestReader: OldestReader {
    switch platform.system {
    case .macOS: .macOS(Int(minimum.major), Int(minimum.minor))
    case .watchOS: .iOS(Int(minimum.major) + 7)
    case .visionOS: .deepMap2
    case .iOS, .iPadOS, .tvOS: .iOS(Int(minimum.major))
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
