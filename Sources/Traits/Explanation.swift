// Why a variant wins and what keeps each of the others from winning.

/// What the rule says about one of several variants.
package enum Verdict: Sendable, Hashable {
  case wins
  /// It may not be shown: its value does not occur in the chain of this axis.
  case excluded(Axis)
  /// It may be shown, but stands behind the winner on this axis.
  case outranked(Axis)
  /// It has the key of the winner, which is listed before it.
  case repeated
}

/// The outcome for a request among variants, with the reasons.
package struct Explanation: Sendable, Hashable {
  package let winner: Int?
  /// The axis that removed the last variant; nil where one wins or there is none at all.
  package let obstacle: Axis?
  /// In the order of the variants.
  package let verdicts: [Verdict]
  /// For each variant its positions in the chains of the axes that matter here, strongest first; nil
  /// where its value does not occur.
  package let positions: [[UInt64?]]
  /// The axes on which the variants differ, or exclude one of them.
  package let axes: [Axis]

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
    let all = Axis.allCases.map { axis in keys.map { environment.position(of: $0, on: axis) } }
    let used = Axis.allCases.indices.filter { axis in
      all[axis].contains { $0 == nil || $0 != all[axis][0] }
    }
    axes = used.map { Axis.allCases[$0] }
    positions = keys.indices.map { ordinal in used.map { all[$0][ordinal] } }
  }
}

extension VariantKey {
  /// The constraints that the key sets, as a request would name them; "plain" where it sets none.
  /// Versions of systems are those of the platform, or of the idiom's.
  package func summary(language: String? = nil, platform: Platform? = nil) -> String {
    var parts: [String] = []
    if style != .any { parts.append(style.name) }
    if contrast != .normal { parts.append("high contrast") }
    if locale != 0 { parts.append(language ?? "locale \(locale)") }
    if memory != 0 { parts.append("\(memory) GB") }
    if subtype != 0 { parts.append("subtype \(subtype)") }
    if graphics != .gles2 { parts.append(graphics.name) }
    if osGeneration != 0 {
      let platform = platform ?? Platform(of: idiom)
      let start = platform.start(of: osGeneration)
      parts.append(
        start.map { "from \(platform.rawValue) \($0)" } ?? "generation \(osGeneration)")
    }
    if direction != .none {
      parts.append(direction == .leftToRight ? "left to right" : "right to left")
    }
    if gamut != .sRGB { parts.append(gamut.name) }
    if idiom != .universal { parts.append(idiom.name) }
    if width != .any { parts.append("\(width.name) width") }
    if height != .any { parts.append("\(height.name) height") }
    if contentSize != .any { parts.append("size \(contentSize.name)") }
    let key = parts.isEmpty ? "plain" : parts.joined(separator: ", ")
    return scale == 0 ? "vector, \(key)" : "\(scale)x, \(key)"
  }
}
