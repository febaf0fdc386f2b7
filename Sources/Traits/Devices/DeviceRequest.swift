// Requests of one window on one device, and the answer: one answer, or the environments between
// which the facts do not decide. If a fact of the device is unknown, the window has several
// environments, and the caller has to check whether they lead to different answers.

// MARK: - Requests

/// The traits of a request that the device does not determine. The default value describes a new
/// device.
package struct DeviceRequest: Sendable, Hashable {
  package var style: Style?
  package var contrast = Contrast.normal
  package var languages: [UInt16] = []
  package var direction = Direction.leftToRight
  package var os: OSVersion?

  package init() {}
}

extension Reach {
  /// Creates the reach of a single window. It has several environments if facts are unknown.
  init(of device: Device, in shown: ShownWindow, request: DeviceRequest) {
    self.device = device.identifier
    let newest = device.generations().upperBound
    let generation = request.os.map { min(device.platform.generation(of: $0), newest) } ?? newest
    let style = request.style ?? (device.alwaysHasContentSize ? .light : .any)
    let hardware = device.hardware(showing: shown.window, as: device.idiom)
    let window = WindowClass(
      width: shown.width ?? shown.window?.widthClass, height: shown.window?.heightClass)
    factors = ReachFactors(
      parts: [ReachPart(hardware: hardware, windows: [window])],
      systems: [SystemStyle(generation: generation, style: style)], contrasts: [request.contrast],
      userLanguages: [UserLanguages(chain: request.languages, direction: request.direction)],
      contentSizes: [device.alwaysHasContentSize ? .l : .any])
    unknown = device.unknownTraits
  }
}

extension Environment {
  /// Returns the axes on which two environments differ.
  package func differences(from other: Environment) -> [Axis] {
    Axis.allCases.filter { axis in
      var same = self
      same.adopt(axis, from: other)
      return same != self
    }
  }
}

extension DeviceRequest {
  /// Reads the tags of the languages that a user prefers, best first.
  package mutating func read(_ tags: [String], numbered number: (String) -> UInt16) {
    languages = localeChain(of: tags, numbered: number)
    direction = writingDirection(ofLanguage: tags.first ?? "")
  }
}

// MARK: - Windows and answers

/// A way in which a device shows an app, with a width class if the window can have both.
package struct ShownWindow: Sendable, Hashable {
  /// The window; nil if the windows of the device are not known.
  package let window: Window?
  package let width: SizeClass?

  package init(_ window: Window?, width: SizeClass? = nil) {
    self.window = window
    self.width = width
  }
}

extension WindowMode {
  /// Whether the system, not the user, decides the size.
  package var hasOneSize: Bool { self != .stageManager && self != .freeWindow }
}

extension Device {
  /// Every window. A window that can have both width classes is listed once for each; if the
  /// windows are not published, the list has one unknown window.
  package var shownWindows: [ShownWindow] {
    let windows = windows
    if windows.isEmpty { return [ShownWindow(nil)] }
    return windows.flatMap { window in
      window.widthClass == nil && !window.mode.hasOneSize
        ? [SizeClass.compact, .regular].map { ShownWindow(window, width: $0) }
        : [ShownWindow(window)]
    }
  }

  /// Returns the environments of a window between which the keys can distinguish. There is more
  /// than one only if a trait that matters is unknown, or if the model is sold in several
  /// configurations.
  package func environments(
    of shown: ShownWindow, request: DeviceRequest, distinguishedBy distinction: Distinction
  ) -> [Environment] {
    Reach(of: self, in: shown, request: request).environments(distinguishedBy: distinction)
  }
}

extension [Environment] {
  /// Returns the environments whose answer about the variants differs from that of the first.
  package func disagreeing(about keys: [VariantKey]) -> [Environment] {
    guard let first, count > 1 else { return [] }
    let divided = DividedKeys(keys)
    func outcome(_ environment: Environment) -> (winner: Int?, isMirrored: Bool) {
      let winner = divided.winner(in: environment)
      return (winner, winner.map { environment.mirrors(keys[$0]) } ?? false)
    }
    let answer = outcome(first)
    return filter { outcome($0) != answer }
  }
}

extension Device {
  /// Returns the factors of a window's environments. Devices with equal factors show the same
  /// there.
  package func factors(of shown: ShownWindow, request: DeviceRequest) -> ReachFactors {
    Reach(of: self, in: shown, request: request).factors
  }
}
