// What one window on one device asks for. A device of which something is not known asks for several
// things: whoever resolves must see whether they make a difference.

/// The parts of a request that a device does not settle. The default value is a device as it is sold.
package struct DeviceRequest: Sendable, Hashable {
  package var style: Style?
  package var contrast = Contrast.normal
  package var languages: [UInt16] = []
  package var direction = Direction.leftToRight
  package var os: OSVersion?

  package init() {}
}

extension Reach {
  /// Just what one window of a device can ask for, where some of it is not known.
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
  /// The environments that this window can have, as far as keys can tell them apart: one, unless
  /// something that matters is not known or the model is sold in several configurations.
  package func environments(
    width: SizeClass?, height: SizeClass?, request: DeviceRequest = DeviceRequest(),
    distinguishedBy distinction: Distinction
  ) -> [Environment] {
    Reach(of: self, in: WindowClass(width: width, height: height), request: request)
      .environments(distinguishedBy: distinction)
  }
}

extension Environment {
  /// The axes on which two environments differ.
  package func differences(from other: Environment) -> [Axis] {
    Axis.allCases.filter { axis in
      var same = self
      same.adopt(axis, from: other)
      return same != self
    }
  }
}

extension DeviceRequest {
  /// Takes the languages of a user, `de-CH:fr`, the one that is liked best first.
  package mutating func read(
    _ tags: String, numbered number: (String) -> UInt16
  ) throws(TraitError) {
    languages = try Environment(traits: "language=\(tags)", localeNumber: number).languages
    direction = writingDirection(ofLanguage: tags.split(separator: ":").first ?? "")
  }
}
