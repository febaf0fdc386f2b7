// Writes environments as KEY=VALUE pairs, which TraitParsing.swift reads.

extension Environment {
  /// Returns the traits that differ from the default, as in `idiom=phone,scale=2,...`. `tag`
  /// returns the language tag of a localization.
  package func traitsText(_ tag: (UInt16) -> String?) -> String {
    Axis.inRequests.compactMap { axis in
      text(of: axis, tag).map { "\(axis.name)=\($0)" }
    }.joined(separator: ",")
  }

  /// Returns the value of a trait; nil if it is the default. The scale is always written.
  private func text(of axis: Axis, _ tag: (UInt16) -> String?) -> String? {
    let plain = Environment()
    switch axis {
    case .idiom: return idiom == plain.idiom ? nil : idiom.name
    case .subtype: return subtype == plain.subtype ? nil : "\(subtype)"
    case .scale: return "\(scale)"
    case .width: return width == plain.width ? nil : width.name
    case .height: return height == plain.height ? nil : height.name
    case .style: return style == plain.style ? nil : style.name
    case .contrast: return contrast == plain.contrast ? nil : contrast.name
    case .gamut: return gamut == plain.gamut ? nil : gamut.name
    case .direction: return direction == plain.direction ? nil : direction.name
    case .memory: return memory == plain.memory ? nil : "\(memory)"
    case .graphics: return graphics == plain.graphics ? nil : graphics.newest.name
    case .contentSize: return contentSize == plain.contentSize ? nil : contentSize.name
    case .language:
      let tags = languages.compactMap(tag)
      return tags.isEmpty ? nil : tags.joined(separator: ":")
    case .os:
      if osGeneration == plain.osGeneration { return nil }
      return Platform(of: idiom).start(of: osGeneration).map { "\($0)" } ?? "0"
    }
  }
}
