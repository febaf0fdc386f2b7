// The reason why thinning drops a variant: the axis to which its bytes are charged, and the variant
// that wins there; and its text: "regular width: no iPhone 6s window reaches it".

import Traits

/// The reason why no window of a reach shows a variant.
package struct DropReason: Sendable, Hashable {
  package enum Cause: Sendable, Hashable {
    /// No window has the variant's value on the axis, and no window has a value that falls back to
    /// it.
    case unreachable
    /// Each of the variant's values is shown in some window, but no window shows all of them.
    case neverTogether
    /// This variant wins in windows that could show the dropped one.
    case beaten(by: VariantKey)
  }

  package let axis: Axis
  package let cause: Cause
}

extension Signature {
  /// Returns the reason why the key with this number wins in no environment.
  func dropReason(of ordinal: Int, over environments: [Environment]) -> DropReason {
    let key = keys[ordinal]
    if let axis = Signature.axesByPlainness.first(where: { axis in
      environments.allSatisfy { $0.position(of: key, on: axis) == nil }
    }) {
      return DropReason(axis: axis, cause: .unreachable)
    }
    return defeat(of: key, over: environments) ?? separation(of: key, over: environments)
  }

  /// The axes in the order in which an unreachable value is looked for. The idiom comes first,
  /// because people first name the device for which a picture is made.
  private static let axesByPlainness: [Axis] =
    [.idiom] + Axis.allCases.filter { $0 != .idiom }

  /// Finds the weakest axis on which the key loses in an environment that could show it, and the
  /// key that wins there. On this axis the key comes nearest to winning. Nil if no environment
  /// could show the key.
  private func defeat(of key: VariantKey, over environments: [Environment]) -> DropReason? {
    var nearest: DropReason?
    for environment in environments where environment.rank(of: key) != nil {
      guard let ordinal = environment.winner(among: keys) else { continue }
      let winner = keys[ordinal]
      let lost = Axis.allCases.first { axis in
        environment.position(of: winner, on: axis) ?? 0
          < environment.position(of: key, on: axis) ?? 0
      }
      guard let lost, lost.rawValue > nearest?.axis.rawValue ?? 0 || nearest == nil else {
        continue
      }
      nearest = DropReason(axis: lost, cause: .beaten(by: winner))
    }
    return nearest
  }

  /// Returns the first obstacle in the environment with the fewest obstacles for the key.
  private func separation(of key: VariantKey, over environments: [Environment]) -> DropReason {
    func obstacles(_ environment: Environment) -> [Axis] {
      Axis.allCases.filter { environment.position(of: key, on: $0) == nil }
    }
    let nearest = environments.map(obstacles).min { $0.count < $1.count }
    return DropReason(axis: nearest?.first ?? .idiom, cause: .neverTogether)
  }
}

// MARK: - Text

extension DropReason {
  /// Returns a sentence about a variant that windows of `device` never show.
  package func text(
    about key: VariantKey, on device: DeviceSavings, language: (UInt16) -> String?
  ) -> String {
    func words(_ key: VariantKey) -> String {
      key.description(on: axis, language: language(key.locale), platform: device.platform)
    }
    let (value, name) = (words(key), device.name)
    switch cause {
    case .unreachable: return "\(value): no \(name) window reaches it"
    case .neverTogether:
      return
        "\(value): no \(name) window reaches it together with the other traits of the variant"
    case .beaten(let winner):
      return "\(value): \(name) windows show \(words(winner)) instead"
    }
  }
}

extension VariantKey {
  /// Returns the value of the variant on one axis, in the words of people.
  func description(on axis: Axis, language: String?, platform: Platform) -> String {
    switch axis {
    case .style: style == .any ? "any style" : "\(style.name) style"
    case .contrast: "\(contrast.name) contrast"
    case .language: locale == 0 ? "no language" : "language \(language ?? "number \(locale)")"
    case .memory: memory == 0 ? "any memory" : "\(memory) GB of memory"
    case .subtype: subtype == 0 ? "any display" : "display subtype \(subtype)"
    case .graphics: graphics == .gles2 ? "any graphics" : "\(graphics.name) graphics"
    case .scale: scale == 0 ? "a vector" : "\(scale)x"
    case .os: osGeneration == 0 ? "any system" : platform.words(about: osGeneration)
    case .direction: direction == .none ? "any direction" : "direction \(direction.name)"
    case .gamut: "\(gamut.name) gamut"
    case .idiom: "\(idiom.name) idiom"
    case .width: "\(width.name) width"
    case .height: "\(height.name) height"
    case .contentSize: contentSize == .any ? "any text size" : "text size \(contentSize.name)"
    }
  }
}

extension Platform {
  /// Returns words for the systems of a generation.
  fileprivate func words(about generation: UInt8) -> String {
    start(of: generation).map { "\(rawValue) \($0) and its season" }
      ?? "system generation \(generation)"
  }
}
