// Everything that a device can ever ask of a catalogue, as a product of independent factors. What a
// given set of keys can tell apart in it is enumerated in ReachEnvironments.swift.

/// Reach cannot be given: the app or the system does not run on the device.
package enum ReachError: Error, Sendable, Hashable {
  case appDoesNotRun(device: String, families: [Int])
  case systemTooNew(device: String, latest: Int, asked: OSVersion)
  case noWindow(device: String)
}

extension ReachError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .appDoesNotRun(let device, let families):
      "the app does not run on \(device): its UIDeviceFamily is "
        + families.map { "\($0)" }.joined(separator: ", ")
    case .systemTooNew(let device, let latest, let asked):
      "\(device) takes systems up to \(latest), not \(asked)"
    case .noWindow(let device):
      "the app's UISupportedInterfaceOrientations leave it no window on \(device)"
    }
  }
}

/// One configuration of a device and a display. Nil stands for any value: it is not known.
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

/// A generation of the system and a style that it knows.
struct SystemStyle: Sendable, Hashable {
  var generation: UInt8
  var style: Style
}

/// What one user reads: the chain of localizations and the direction of the app's language.
struct Tongue: Sendable, Hashable {
  var chain: [UInt16]
  var direction: Direction
}

/// Hardware and the windows that it can have.
struct ReachPart: Sendable, Hashable {
  var hardware: [Hardware]
  var windows: [WindowClass]
}

/// What a reach is a product of. Devices that agree in it ask for the same.
package struct ReachFactors: Sendable, Hashable {
  var parts: [ReachPart]
  var systems: [SystemStyle]
  var contrasts: [Contrast]
  /// Nil where the app's languages are not known: any may be asked for, in either direction.
  var tongues: [Tongue]?
  var contentSizes: [ContentSize]
}

/// The set of environments that a device can ever present to an app.
package struct Reach: Sendable {
  package let device: String
  package let factors: ReachFactors

  /// The axes of which every value must be taken as reachable, because nobody has published what
  /// the device asks for. Languages are not among them: they belong to the app.
  package let unknown: [Axis]

  package init(
    of device: Device, app: AppTraits = AppTraits(), os: OSVersion? = nil,
    localeNumber: (String) -> UInt16 = { nameIdentifier($0.utf8) }
  ) throws(ReachError) {
    if let os, !device.runs(os), case .major(let latest) = device.latest {
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
      tongues: app.languages.map { reachableTongues($0, numbered: localeNumber) },
      contentSizes: ContentSize.allCases.filter { !device.alwaysHasContentSize || $0 != .any })
    // Other screens than its own are asked for as far as they are known: they add nothing here.
    let ownPart = parts[0]
    let ownUnknown = idiom == device.idiom ? device.unknownTraits : []
    unknown = Axis.allCases.filter { ownPart.leavesOpen($0) || ownUnknown.contains($0) }
  }

  /// How many environments there are, an axis that is not known counted as one value.
  package var count: Int {
    let hardware = factors.parts.reduce(0) { $0 + $1.hardware.count * $1.windows.count }
    let users = (factors.tongues?.count ?? 2) * factors.contentSizes.count
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
    default: false
    }
  }
}

// MARK: - Factors

extension Device {
  /// The displays of the device itself with each of its memory configurations, the first the one
  /// that it is known for.
  func ownHardware(showing idiom: Idiom) -> [Hardware] {
    // Which screen of a phone such an app is given on an iPad is not known.
    let ownSubtype = idiom == self.idiom ? subtype : nil
    var displays: [Hardware] = []
    for scale in orUnknown(scales) {
      for gamut in orUnknown(gamuts) {
        displays.append(Hardware(idiom: idiom, subtype: ownSubtype, scale: scale, gamut: gamut))
      }
    }
    return withMemory(displays)
  }

  /// Each display with each memory configuration and the one graphics processor.
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
    let windows = windowClasses(showing: idiom, app: app)
    if windows.isEmpty { return [] }
    var parts = [ReachPart(hardware: ownHardware(showing: idiom), windows: windows)]
    if hasStandardDisplayMode {
      parts.append(
        ReachPart(
          hardware: withMemory([Hardware(idiom: idiom, scale: 1, gamut: .sRGB)]), windows: windows))
    }
    if multitasking.externalDisplay {
      parts.append(externalPart(showing: idiom, windows: windows, app: app))
    }
    for host in hosted ?? [] {
      parts.append(ReachPart(hardware: hostedHardware(host), windows: windows))
    }
    return parts
  }

  /// Displays of both scales and both gamuts can be attached, and of any size.
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

  /// What a car shows is asked for by the phone, with its own scale, gamut and windows, as in the
  /// thinning of the store. A watch has its own face, at twice the points.
  private func hostedHardware(_ host: Idiom) -> [Hardware] {
    ownHardware(showing: idiom).map { own in
      var hardware = own
      hardware.idiom = host
      if host == .watch {
        hardware.scale = 2
        hardware.subtype = nil
      }
      return hardware
    }
  }

  private func widthClasses(besides windows: [WindowClass]) -> [WindowClass] {
    [SizeClass.compact, .regular].map { WindowClass(width: $0, height: .regular) }
      .filter { !windows.contains($0) }
  }

  /// The size classes of the windows that the app can have, each once.
  private func windowClasses(showing idiom: Idiom, app: AppTraits) -> [WindowClass] {
    let known = windows
    if known.isEmpty { return [WindowClass()] }
    // An app made for phones stays a phone of compact width, whatever the window.
    if idiom != self.idiom { return [WindowClass(width: .compact, height: nil)] }
    var classes: [WindowClass] = []
    for window in known where app.allows(window.orientation, on: idiom) {
      if app.requiresFullScreen, window.mode != .full { continue }
      let widths = window.widthClass.map { [$0] } ?? [.compact, .regular]
      for width in widths {
        let window = WindowClass(width: width, height: window.heightClass)
        if !classes.contains(window) { classes.append(window) }
      }
    }
    return classes
  }

  /// Every system from the required one on, because the system can rise after installation, with
  /// the styles that it knows.
  fileprivate func systemStyles(from minimum: OSVersion?) -> [SystemStyle] {
    generations(from: minimum).flatMap { generation in
      styles(in: generation).map { SystemStyle(generation: generation, style: $0) }
    }
  }

  /// Dark begins with iOS 13 and tinted icons with iOS 18; where a platform is not documented, any
  /// style can be asked for.
  private func styles(in generation: UInt8) -> [Style] {
    let ios13: UInt8 = 5
    let ios18: UInt8 = 11
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

/// Every language of the app and what it is shortened to, and the user who reads none of them.
/// Longer lists of preferences need no place of their own: whatever wins under one wins also under
/// the list of that language alone.
private func reachableTongues(
  _ languages: [String], numbered number: (String) -> UInt16
) -> [Tongue] {
  var tongues: [Tongue] = []
  func add(_ tongue: Tongue) {
    if !tongues.contains(tongue) { tongues.append(tongue) }
  }
  for language in languages {
    let direction = writingDirection(ofLanguage: language)
    for tag in shortened(languageTag: language) {
      add(Tongue(chain: localeChain(of: [tag], numbered: number), direction: direction))
    }
    add(Tongue(chain: [], direction: direction))
  }
  if tongues.isEmpty {
    add(Tongue(chain: [], direction: .leftToRight))
    add(Tongue(chain: [], direction: .rightToLeft))
  }
  return tongues
}
