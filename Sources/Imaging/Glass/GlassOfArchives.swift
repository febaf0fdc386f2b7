// The rows and paints of layered icons, as archives store them, as the values of the renderer. The
// compiler makes such rows of documents, and the tools read them from archives.

import Archive

extension GlassGroup {
  /// Creates a group without layers from its row.
  package init(
    opacity: Float, blendMode: UInt32, _ attributes: LayerAttributes?, _ effects: LayerEffects?
  ) {
    self.init()
    self.opacity = opacity
    blend = GlassBlend(rawValue: blendMode) ?? .normal
    isLitTogether = attributes?.bits == 0
    guard let effects else { return }
    isSpecular = effects.isSpecular
    translucency = effects.translucency
    shadow = GlassShadow(rawValue: effects.shadow) ?? .neutral
    shadowOpacity = effects.shadowOpacity
  }
}

extension GlassLayer {
  /// Sets what the row of a layer says besides its frame and its fill.
  package mutating func set(opacity: Float, blendMode: UInt32, _ attributes: LayerAttributes?) {
    self.opacity = opacity
    blend = GlassBlend(rawValue: blendMode) ?? .normal
    isGlass = attributes.map { $0.bits & 1 != 0 } ?? false
  }
}

extension GlassPaint {
  /// Creates a gradient. `colors` are those of its stops, or nil for a name without a colour.
  /// Returns nil if there are no colours.
  package init?(_ gradient: GradientPayload, colors: [GlassColor?]) {
    let stops = zip(gradient.stops, colors).compactMap { stop, color in
      color.map { GlassStop(stop.position, $0) }
    }
    guard let first = stops.first else { return nil }
    switch gradient.style {
    case .automatic: self = .automatic(first.color)
    case .linear:
      self = .linear(
        stops, start: SIMD2(gradient.startX, gradient.startY),
        end: SIMD2(gradient.endX, gradient.endY))
    }
  }
}

extension GlassColor {
  package init(_ color: ColorPayload) {
    switch color.space {
    case .grayGamma22, .extendedGray: self.init(gray: color.components)
    case .displayP3: self.init(displayP3: color.components)
    default: self.init(sRGB: color.components)
    }
  }
}
