// Writes the reasons of thinning as text: "regular width: no iPhone 6s window reaches it".

import Traits

extension DropReason {
  /// Returns a sentence about a variant that windows of `device` never show.
  package func text(about key: VariantKey, on device: String, language: (UInt16) -> String)
    -> String
  {
    let value = key.description(on: axis, language: language)
    switch cause {
    case .unreachable: return "\(value): no \(device) window reaches it"
    case .neverTogether:
      return
        "\(value): no \(device) window reaches it together with the other traits of the variant"
    case .beaten(let winner):
      let better = winner.description(on: axis, language: language)
      return "\(value): \(device) windows show \(better) instead"
    }
  }
}

extension VariantKey {
  /// Returns the value of the variant on one axis, in the words of people.
  package func description(on axis: Axis, language: (UInt16) -> String) -> String {
    switch axis {
    case .style: style == .any ? "any style" : "\(style.name) style"
    case .contrast: "\(contrast.name) contrast"
    case .language: locale == 0 ? "no language" : "language \(language(locale))"
    case .memory: memory == 0 ? "any memory" : "\(memory) GB of memory"
    case .subtype: subtype == 0 ? "any display" : "display subtype \(subtype)"
    case .graphics: graphics == .gles2 ? "any graphics" : "\(graphics.name) graphics"
    case .scale: scale == 0 ? "a vector" : "\(scale)x"
    case .os: osGeneration == 0 ? "any system" : VariantKey.systemText(osGeneration)
    case .direction: direction == .none ? "any direction" : "direction \(direction.name)"
    case .gamut: "\(gamut.name) gamut"
    case .idiom: "\(idiom.name) idiom"
    case .width: "\(width.name) width"
    case .height: "\(height.name) height"
    case .contentSize: contentSize == .any ? "any text size" : "text size \(contentSize.name)"
    }
  }

  private static func systemText(_ generation: UInt8) -> String {
    Platform.iOS.start(of: generation).map { "iOS \($0) and its season" }
      ?? "system generation \(generation)"
  }

  /// Returns the values of the variant on all axes that it constrains, strongest axis first, and
  /// its scale.
  package func summary(language: (UInt16) -> String) -> String {
    let plain = VariantKey()
    var parts = Axis.allCases.filter { $0 != .scale && value(on: $0) != plain.value(on: $0) }
      .map { description(on: $0, language: language) }
    parts.append(scale == 0 ? "vector" : "\(scale)x")
    return parts.joined(separator: ", ")
  }
}
