// Requests of one window on one device. If a fact of the device is unknown, the window has several
// environments, and the caller has to check whether they lead to different answers.

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
  init(of device: Device, in window: WindowClass, request: DeviceRequest) {
    self.device = device.identifier
    let newest = device.generations().upperBound
    let generation = request.os.map { min(device.platform.generation(of: $0), newest) } ?? newest
    let style = request.style ?? (device.alwaysHasContentSize ? .light : .any)
    let hardware = device.ownHardware(showing: device.idiom)
    factors = ReachFactors(
      parts: [ReachPart(hardware: hardware, windows: [window])],
      systems: [SystemStyle(generation: generation, style: style)], contrasts: [request.contrast],
      tongues: [Tongue(chain: request.languages, direction: request.direction)],
      contentSizes: [device.alwaysHasContentSize ? .l : .any])
    unknown = device.unknownTraits
  }
}

extension Device {
  /// Returns the environments of a window between which the keys can distinguish. There is more
  /// than one only if a trait that matters is unknown, or if the model is sold in several
  /// configurations.
  package func environments(
    width: SizeClass?, height: SizeClass?, request: DeviceRequest = DeviceRequest(),
    distinguishedBy distinction: Distinction
  ) -> [Environment] {
    Reach(of: self, in: WindowClass(width: width, height: height), request: request)
      .environments(distinguishedBy: distinction)
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
  /// Reads the preferred languages of a user, such as `de-CH:fr`, best first.
  package mutating func read(
    _ tags: String, numbered number: (String) -> UInt16
  ) throws(TraitError) {
    languages = try Environment(traits: "language=\(tags)", localeNumber: number).languages
    direction = writingDirection(ofLanguage: tags.split(separator: ":").first ?? "")
  }
}
