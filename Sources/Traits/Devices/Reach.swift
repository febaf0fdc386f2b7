// Reach: the set of environments that a device can ever present to an app.
//
// Reach is a product of independent factors; `ReachFactors` stores the factors, never the product.
// For one iPad and an app in English and German:
//
//     hardware     × windows        × systems       × contrasts × languages × text sizes
//     2x P3 3 GB     full: regular    iOS 17 light    normal      en          XS
//     2x P3 4 GB     1/3: compact     iOS 17 dark     high        de          …
//                    …                iOS 18 light                neither     AX5
//
// The product has thousands of environments. ReachEnvironments.swift enumerates only those between
// which a given set of keys can distinguish. Thinning keeps the variants that win in one of them.

/// The reasons for which a device has no reach: the app or the system does not run on it.
package enum ReachError: Error, Sendable, Hashable {
  case appDoesNotRun(device: String, families: [Int])
  case systemTooNew(device: String, latest: Int, asked: OSVersion)
  case archiveTooNew(device: String, latest: Int, oldest: OSVersion)
  case noWindow(device: String)
}

extension ReachError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .appDoesNotRun(let device, let families):
      "the app does not run on \(device): its UIDeviceFamily is "
        + families.map { "\($0)" }.joined(separator: ", ")
    case .systemTooNew(let device, let latest, let asked):
      "\(device) runs systems up to \(latest), not \(asked)"
    case .archiveTooNew(let device, let latest, let oldest):
      "\(device) runs systems up to \(latest), but the archive is for \(oldest) and later; "
        + "compile it with an older --minimum-deployment-target"
    case .noWindow(let device):
      "the app's UISupportedInterfaceOrientations allow no window on \(device)"
    }
  }
}

/// A configuration of a device with a display. A nil value is unknown and stands for any value.
struct Hardware: Sendable, Hashable {
  var idiom: Idiom
  var subtype: UInt16?
  var scale: UInt8?
  var gamut: Gamut?
  var memory: UInt8?
  var graphics: GraphicsSupport?
}

/// The size classes of a window. Nil stands for any value.
struct WindowClass: Sendable, Hashable {
  var width: SizeClass?
  var height: SizeClass?
}

/// A generation of the system, and a style that this generation knows.
struct SystemStyle: Sendable, Hashable {
  var generation: UInt8
  var style: Style
}

/// The languages of one user: the chain of localizations, and the direction of the app's language.
struct UserLanguages: Sendable, Hashable {
  var chain: [UInt16]
  var direction: Direction
}

/// Displays and configurations, with the windows that they can have.
struct ReachPart: Sendable, Hashable {
  var hardware: [Hardware]
  var windows: [WindowClass]
}

/// The factors of a reach. Devices with equal factors present the same environments.
package struct ReachFactors: Sendable, Hashable {
  var parts: [ReachPart]
  var systems: [SystemStyle]
  var contrasts: [Contrast]
  /// The languages; nil if those of the app are unknown. Then any language is in reach, in both
  /// directions.
  var userLanguages: [UserLanguages]?
  var contentSizes: [ContentSize]
}

/// The set of environments that a device can ever present to an app.
package struct Reach: Sendable {
  package let device: String
  package let factors: ReachFactors

  /// The axes on which every value counts as reachable, because the device's values are not
  /// published. Language is never among them, because the languages belong to the app.
  package let unknown: [Axis]

  /// Creates the reach of a device. Facts that are only supposed count as unknown, so that thinning
  /// leaves nothing out because of a supposition.
  package init(
    of model: Device, app: AppTraits = AppTraits(), os: OSVersion? = nil,
    localeNumber: (String) -> UInt16 = { nameIdentifier($0.utf8) }
  ) throws(ReachError) {
    let device = model.confirmed
    if let os, device.isTooOld(for: os), case .major(let latest) = device.latest {
      throw .systemTooNew(device: device.identifier, latest: Int(latest), asked: os)
    }
    guard let idiom = app.idiom(on: device.idiom) else {
      let families = (app.deviceFamilies ?? []).sorted()
      throw .appDoesNotRun(device: device.identifier, families: families)
    }
    self.device = device.identifier
    let parts = device.parts(showing: idiom, app: app)
    guard !parts.isEmpty else { throw .noWindow(device: device.identifier) }
    factors = ReachFactors(
      parts: parts, systems: device.systemStyles(from: os), contrasts: Contrast.allCases,
      userLanguages: app.languages.map { reachableLanguages($0, numbered: localeNumber) },
      contentSizes: ContentSize.allCases.filter { !device.alwaysHasContentSize || $0 != .any })
    // Only the device's own part counts. Parts of other screens leave nothing else open.
    let ownPart = parts[0]
    let ownUnknown = idiom == device.idiom ? device.unknownTraits : []
    unknown = Axis.allCases.filter { ownPart.leavesOpen($0) || ownUnknown.contains($0) }
  }

  /// The number of environments. An axis with unknown values counts as one value.
  package var count: Int {
    let hardware = factors.parts.reduce(0) { $0 + $1.hardware.count * $1.windows.count }
    let users = (factors.userLanguages?.count ?? 2) * factors.contentSizes.count
    return hardware * factors.systems.count * factors.contrasts.count * users
  }
}

extension ReachPart {
  fileprivate func leavesOpen(_ axis: Axis) -> Bool {
    switch axis {
    case .subtype: hardware.contains { $0.subtype == nil }
    case .scale: hardware.contains { $0.scale == nil }
    case .gamut: hardware.contains { $0.gamut == nil }
    case .memory: hardware.contains { $0.memory == nil }
    case .graphics: hardware.contains { $0.graphics == nil }
    case .width: windows.contains { $0.width == nil }
    case .height: windows.contains { $0.height == nil }
    case .idiom, .style, .contrast, .direction, .language, .os, .contentSize: false
    }
  }
}

// MARK: - Factors

extension Device {
  /// Returns the displays of the device itself, each with every memory configuration. The first is
  /// the one that the device is known for.
  func ownHardware(showing idiom: Idiom) -> [Hardware] {
    // The phone subtype that an iPad presents to an app for phones is unknown.
    let ownSubtype = idiom == self.idiom ? subtype : nil
    var displays: [Hardware] = []
    for scale in orUnknown(scales) {
      for gamut in orUnknown(gamuts) {
        displays.append(Hardware(idiom: idiom, subtype: ownSubtype, scale: scale, gamut: gamut))
      }
    }
    return withMemory(displays)
  }

  /// Returns the displays on which a window is shown: for a window of the second display, that one.
  func hardware(showing window: Window?, as idiom: Idiom) -> [Hardware] {
    guard window?.mode == .unfolded, let unfolded else { return ownHardware(showing: idiom) }
    return withMemory([
      Hardware(
        idiom: idiom, subtype: idiom == self.idiom ? subtype : nil, scale: unfolded.scale,
        gamut: unfolded.gamut)
    ])
  }

  /// Returns each display with each memory configuration and the device's graphics processor.
  fileprivate func withMemory(_ displays: [Hardware]) -> [Hardware] {
    orUnknown(memories).flatMap { memory in
      displays.map { display in
        var hardware = display
        hardware.memory = memory
        hardware.graphics = graphics
        return hardware
      }
    }
  }

  fileprivate func parts(showing idiom: Idiom, app: AppTraits) -> [ReachPart] {
    let own = builtInParts(showing: idiom, app: app)
    guard let windows = own.first?.windows else { return [] }
    var parts = own
    if hasStandardDisplayMode {
      parts.append(
        ReachPart(
          hardware: withMemory([Hardware(idiom: idiom, scale: 1, gamut: .sRGB)]), windows: windows))
    }
    if multitasking.externalDisplay {
      parts.append(externalPart(showing: idiom, windows: windows, app: app))
    }
    for host in hosted ?? [] {
      parts += own.map { part in
        ReachPart(hardware: part.hardware.map { hosted(host, by: $0) }, windows: part.windows)
      }
    }
    return parts
  }

  /// Returns a part for each display of the device itself, with the windows that the app can have
  /// on it. Displays come in pairs with their windows: an unfolded phone is regular in both
  /// directions, but only in the gamut of its inner display.
  private func builtInParts(showing idiom: Idiom, app: AppTraits) -> [ReachPart] {
    let known = windows
    var parts: [ReachPart] = []
    for group in [known.filter { $0.mode != .unfolded }, known.filter { $0.mode == .unfolded }] {
      if group.isEmpty, !known.isEmpty { continue }
      let classes = windowClasses(group, showing: idiom, app: app)
      if !classes.isEmpty {
        parts.append(
          ReachPart(hardware: hardware(showing: group.first, as: idiom), windows: classes))
      }
      if known.isEmpty { break }
    }
    return parts
  }

  /// Returns the part for external displays, which can have both scales, both gamuts and any size.
  private func externalPart(
    showing idiom: Idiom, windows: [WindowClass], app: AppTraits
  ) -> ReachPart {
    let ownSubtype = idiom == self.idiom ? subtype : nil
    var displays: [Hardware] = []
    for scale: UInt8 in [1, 2] {
      for gamut in Gamut.allCases {
        displays.append(Hardware(idiom: idiom, subtype: ownSubtype, scale: scale, gamut: gamut))
      }
    }
    let isFixed = app.requiresFullScreen || idiom != self.idiom
    let sized = isFixed ? windows : windows + widthClasses(besides: windows)
    return ReachPart(hardware: withMemory(displays), windows: sized)
  }

  /// Returns the hardware of a car or watch that the device serves. For a car, the phone makes the
  /// requests, with its own scale, gamut and windows, as in the thinning of the App Store. A watch
  /// has its own face and scale 2.
  private func hosted(_ host: Idiom, by own: Hardware) -> Hardware {
    var hardware = own
    hardware.idiom = host
    if host == .watch {
      hardware.scale = 2
      hardware.subtype = nil
    }
    return hardware
  }

  private func widthClasses(besides windows: [WindowClass]) -> [WindowClass] {
    [SizeClass.compact, .regular].map { WindowClass(width: $0, height: .regular) }
      .filter { !windows.contains($0) }
  }

  /// Returns the size classes of those windows that the app can have, without repetition.
  private func windowClasses(
    _ known: [Window], showing idiom: Idiom, app: AppTraits
  ) -> [WindowClass] {
    if known.isEmpty { return [WindowClass()] }
    // An app for phones keeps its compact width in every window of an iPad.
    if idiom != self.idiom { return [WindowClass(width: .compact, height: nil)] }
    var classes: [WindowClass] = []
    for window in known where app.allows(window.orientation, on: idiom) {
      if app.requiresFullScreen, !window.mode.fillsDisplay { continue }
      let widths = window.widthClass.map { [$0] } ?? [.compact, .regular]
      for width in widths {
        let window = WindowClass(width: width, height: window.heightClass)
        if !classes.contains(window) { classes.append(window) }
      }
    }
    return classes
  }

  /// Returns every system from the required one on, with the styles that it knows. Newer systems
  /// count, because the user can update the system after installing the app.
  fileprivate func systemStyles(from minimum: OSVersion?) -> [SystemStyle] {
    generations(from: minimum).flatMap { generation in
      styles(in: generation).map { SystemStyle(generation: generation, style: $0) }
    }
  }

  /// Returns the styles of a system. Dark begins with iOS 13 and tinted icons with iOS 18. On
  /// platforms whose first version of a style is not documented, every system has it.
  private func styles(in generation: UInt8) -> [Style] {
    let ios13 = Platform.iOS.generation(of: OSVersion(13))
    let ios18 = Platform.iOS.generation(of: OSVersion(18))
    switch platform {
    case .iOS, .iPadOS:
      if generation < ios13 { return [.any, .light] }
      return generation < ios18 ? [.light, .dark] : [.light, .dark, .tinted]
    case .tvOS, .watchOS, .visionOS: return [.any, .light, .dark]
    case .macOS: return Style.allCases
    }
  }

  private func orUnknown<Value>(_ values: [Value]) -> [Value?] {
    values.isEmpty ? [nil] : values.map { $0 }
  }
}

/// Returns every language of the app with its shortened forms, and the user without a localization.
/// Longer lists of preferences add nothing: a variant that wins for such a list also wins for a
/// list that contains only the variant's language.
private func reachableLanguages(
  _ languages: [String], numbered number: (String) -> UInt16
) -> [UserLanguages] {
  var userLanguages: [UserLanguages] = []
  var known: Set<UserLanguages> = []
  func add(_ languages: UserLanguages) {
    if known.insert(languages).inserted { userLanguages.append(languages) }
  }
  for language in languages {
    let direction = writingDirection(ofLanguage: language)
    for tag in shortened(languageTag: language) {
      add(UserLanguages(chain: localeChain(of: [tag], numbered: number), direction: direction))
    }
    add(UserLanguages(chain: [], direction: direction))
  }
  if userLanguages.isEmpty {
    add(UserLanguages(chain: [], direction: .leftToRight))
    add(UserLanguages(chain: [], direction: .rightToLeft))
  }
  return userLanguages
}
