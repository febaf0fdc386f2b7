// Explains why a variant wins and why each of the others does not.

/// The rule's decision about one of several variants.
package enum Verdict: Sendable, Hashable {
  case wins
  /// The environment cannot show the variant: its value is not in the chain of this axis.
  case excluded(Axis)
  /// The environment can show the variant, but this axis ranks it below the winner.
  case outranked(Axis)
  /// The variant has the same key as the winner, which is earlier in the list.
  case repeated

  /// The decision in words.
  package var words: String {
    switch self {
    case .wins: "wins"
    case .excluded(let axis): "may not be shown: \(axis.name)"
    case .outranked(let axis): "loses on \(axis.name)"
    case .repeated: "has the same key as the winner, and comes after it"
    }
  }
}

/// The decision of the rule among several variants, with the reasons.
package struct Explanation: Sendable, Hashable {
  package let winner: Int?
  /// The axis that excluded the last variant; nil if a variant wins or if there are no variants.
  package let obstacle: Axis?
  /// One decision for each variant, in the order of the variants.
  package let verdicts: [Verdict]

  package init(of keys: [VariantKey], in environment: Environment) {
    let winner = environment.winner(among: keys)
    self.winner = winner
    obstacle = winner == nil ? environment.obstacle(among: keys) : nil
    verdicts = keys.indices.map { ordinal in
      if ordinal == winner { return .wins }
      if let obstacle = environment.obstacle(of: keys[ordinal]) { return .excluded(obstacle) }
      guard let winner else { return .repeated }
      let behind = Axis.allCases.first { axis in
        environment.position(of: keys[ordinal], on: axis)
          != environment.position(of: keys[winner], on: axis)
      }
      return behind.map { .outranked($0) } ?? .repeated
    }
  }
}

/// The places of several variants in the chains of an environment.
package struct ChainPlaces: Sendable {
  /// The axes that matter here: the variants differ on them, or they exclude a variant.
  package let axes: [Axis]
  /// For each variant, its positions in the chains of `axes`, strongest axis first. A position is
  /// nil if the chain does not contain the variant's value.
  package let positions: [[UInt64?]]

  package init(of keys: [VariantKey], in environment: Environment) {
    let all = Axis.allCases.map { axis in keys.map { environment.position(of: $0, on: axis) } }
    let used = Axis.allCases.indices.filter { axis in
      all[axis].contains { $0 == nil || $0 != all[axis][0] }
    }
    axes = used.map { Axis.allCases[$0] }
    positions = keys.indices.map { ordinal in used.map { all[$0][ordinal] } }
  }
}

extension VariantKey {
  /// Describes the scale and the constraints that the key sets, strongest axis first, in the words
  /// of a request. System versions are those of `platform`, or of the idiom's platform if it is
  /// nil.
  package func summary(language: String? = nil, platform: Platform? = nil) -> String {
    let set = Axis.allCases.filter { $0 != .scale && value(on: $0) != $0.row.unconstrained }
    let parts = set.map { words(on: $0, language: language, platform: platform) }
    return ([scale == 0 ? "vector" : "\(scale)x"] + parts).joined(separator: ", ")
  }

  private func words(on axis: Axis, language: String?, platform: Platform?) -> String {
    switch axis {
    case .style: return style.name
    case .contrast: return "high contrast"
    case .language: return language ?? "language number \(locale)"
    case .memory: return "\(memory) GB"
    case .subtype: return "subtype \(subtype)"
    case .graphics: return graphics.name
    case .scale: return "\(scale)x"
    case .os:
      let platform = platform ?? Platform(of: idiom)
      let start = platform.start(of: osGeneration)
      return start.map { "from \(platform.rawValue) \($0)" } ?? "generation \(osGeneration)"
    case .direction: return direction == .leftToRight ? "left to right" : "right to left"
    case .gamut: return gamut.name
    case .idiom: return idiom.name
    case .width: return "\(width.name) width"
    case .height: return "\(height.name) height"
    case .contentSize: return "size \(contentSize.name)"
    }
  }
}
