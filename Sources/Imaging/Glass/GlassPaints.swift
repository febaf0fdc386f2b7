// The colours of backgrounds and of layers: automatic gradients, gradients between two points, and
// the modes in which colours are mixed.

import Colors

extension GlassPaint {
  /// The stops of the second colour of an automatic gradient, from the top (0) to the bottom (1).
  static func automaticStops(_ color: GlassColor) -> [GlassStop] {
    let wide = color.wide
    var other = SIMD4<Double>(repeating: 1)
    guard color.luminance < 0.55 else {
      for channel in 0..<3 { other[channel] = min(max(wide[channel] - 0.0965, 0), 1) }
      return [GlassStop(0.3, color), GlassStop(1, GlassColor(wide: other, alpha: color.w))]
    }
    for channel in 0..<3 { other[channel] = min(max(0.2 + 0.86 * wide[channel], 0), 1) }
    return [GlassStop(0, GlassColor(wide: other, alpha: color.w)), GlassStop(0.7, color)]
  }

  /// The stops of a background from the top to the bottom of the plate. A gradient may
  /// state any direction; Apple's tool draws it from the top to the bottom.
  var backgroundStops: [GlassStop] {
    switch self {
    case .color(let color): return [GlassStop(0, color)]
    case .automatic(let color):
      return GlassPaint.automaticStops(color).map {
        GlassStop(0.1 + 0.8 * $0.position, $0.color)
      }
    case .linear(let stops, _, _):
      let last = Float(max(1, stops.count - 1))
      return stops.enumerated().map { index, stop in
        GlassStop(0.1 + 0.8 * Float(index) / last, stop.color)
      }
    }
  }

  /// Whether the plate is so dark that it has a thin white line.
  var isDark: Bool {
    backgroundStops.allSatisfy { $0.color.highest < 0.2 }
  }
}

extension [GlassStop] {
  /// Returns the colour at a position.
  func color(at position: Float) -> GlassColor {
    guard let first, position > first.position else { return self.first?.color ?? .zero }
    for (low, high) in zip(self, dropFirst()) where position < high.position {
      let share = (position - low.position) / (high.position - low.position)
      return low.color + (high.color - low.color) * share
    }
    return self[count - 1].color
  }
}

extension GlassColor {
  /// Creates a colour of the components of a file: grey and alpha.
  package init(gray parts: [Double]) {
    let gray = GlassColor.part(parts, 0)
    self.init(gray, gray, gray, GlassColor.part(parts, 1))
  }

  /// Creates a colour of red, green, blue and alpha.
  package init(sRGB parts: [Double]) {
    func part(_ index: Int) -> Float { GlassColor.part(parts, index) }
    self.init(part(0), part(1), part(2), part(3))
  }

  package init(displayP3 parts: [Double]) {
    func part(_ index: Int) -> Double { Double(GlassColor.part(parts, index)) }
    self.init(
      wide: SIMD4<Double>(part(0), part(1), part(2), 1), alpha: GlassColor.part(parts, 3))
  }

  /// Returns a component as a number that cannot spoil others; 1 if it is not stated.
  private static func part(_ parts: [Double], _ index: Int) -> Float {
    guard index < parts.count, parts[index].isFinite else { return 1 }
    return Float(Swift.max(-8, Swift.min(parts[index], 8)))
  }

  /// Creates a colour from encoded Display P3.
  fileprivate init(wide: SIMD4<Double>, alpha: Float) {
    let r = lightOfSRGB(wide.x)
    let g = lightOfSRGB(wide.y)
    let b = lightOfSRGB(wide.z)
    self.init(
      Float(sRGBOfLight(1.224_940_2 * r - 0.224_940_2 * g)),
      Float(sRGBOfLight(-0.042_056_95 * r + 1.042_056_95 * g)),
      Float(sRGBOfLight(-0.019_637_55 * r - 0.078_636_05 * g + 1.098_273_6 * b)), alpha)
  }

  /// The colour in encoded Display P3.
  fileprivate var wide: SIMD3<Double> {
    let r = lightOfSRGB(Double(x))
    let g = lightOfSRGB(Double(y))
    let b = lightOfSRGB(Double(z))
    return SIMD3(
      sRGBOfLight(0.822_462_1 * r + 0.177_538_0 * g),
      sRGBOfLight(0.033_194_1 * r + 0.966_805_8 * g),
      sRGBOfLight(0.017_082_7 * r + 0.072_397_4 * g + 0.910_519_9 * b))
  }

  fileprivate var luminance: Double {
    0.2126 * lightOfSRGB(Double(x)) + 0.7152 * lightOfSRGB(Double(y))
      + 0.0722 * lightOfSRGB(Double(z))
  }

  /// The colour with every channel between 0 and 1.
  @inline(__always)
  var clipped: GlassColor { GlassColor(clip(x), clip(y), clip(z), clip(w)) }

  /// Returns this colour over another one that is opaque.
  @inline(__always)
  func over(_ below: GlassColor, _ alpha: Float) -> GlassColor {
    below * (1 - alpha) + self * alpha
  }
}

extension GlassBlend {
  /// Returns the mixture of two opaque colours.
  func mixed(_ below: GlassColor, _ above: GlassColor) -> GlassColor {
    switch self {
    case .normal: return above
    case .hue: return above.withSaturation(below.saturation).withLuma(below.luma)
    case .saturation: return below.withSaturation(above.saturation).withLuma(below.luma)
    case .color: return above.withLuma(below.luma)
    case .luminosity: return below.withLuma(above.luma)
    default:
      var color = above
      for channel in 0..<3 { color[channel] = mixed(below[channel], above[channel]) }
      return color
    }
  }

  /// Returns the mixture of two channels: `d` is below, `s` above.
  private func mixed(_ d: Float, _ s: Float) -> Float {
    switch self {
    case .normal, .hue, .saturation, .color, .luminosity: s
    case .multiply: d * s
    case .screen: d + s - d * s
    case .overlay: GlassBlend.hardLight.mixed(s, d)
    case .darken: min(d, s)
    case .lighten: max(d, s)
    case .colorDodge: d <= 0 ? 0 : s >= 1 ? 1 : min(1, d / (1 - s))
    case .colorBurn: d >= 1 ? 1 : s <= 0 ? 0 : 1 - min(1, (1 - d) / s)
    case .hardLight: s <= 0.5 ? 2 * d * s : d + (2 * s - 1) - d * (2 * s - 1)
    case .softLight:
      s <= 0.5
        ? d - (1 - 2 * s) * d * (1 - d)
        : d + (2 * s - 1)
          * ((d <= 0.25 ? ((16 * d - 12) * d + 4) * d : d.squareRoot()) - d)
    case .difference: abs(d - s)
    case .exclusion: d + s - 2 * d * s
    case .plusDarker: max(0, d + s - 1)
    case .plusLighter: min(1, d + s)
    }
  }
}

extension GlassColor {
  fileprivate var luma: Float { 0.3 * x + 0.59 * y + 0.11 * z }
  fileprivate var saturation: Float { highest - lowest }
  fileprivate var lowest: Float { Swift.min(x, y, z) }
  fileprivate var highest: Float { Swift.max(x, y, z) }

  fileprivate func withLuma(_ luma: Float) -> GlassColor {
    let step = luma - self.luma
    var color = GlassColor(x + step, y + step, z + step, w)
    let (low, high) = (color.lowest, color.highest)
    for channel in 0..<3 {
      if low < 0, luma > low {
        color[channel] = luma + (color[channel] - luma) * luma / (luma - low)
      }
      if high > 1, high > luma {
        color[channel] = luma + (color[channel] - luma) * (1 - luma) / (high - luma)
      }
    }
    return color
  }

  fileprivate func withSaturation(_ saturation: Float) -> GlassColor {
    let (low, high) = (lowest, highest)
    guard high > low else { return GlassColor(0, 0, 0, w) }
    let scale = saturation / (high - low)
    return GlassColor((x - low) * scale, (y - low) * scale, (z - low) * scale, w)
  }
}

/// Returns the nearest value between 0 and 1.
@inline(__always)
func clip(_ value: Float) -> Float {
  let upper = value < 1 ? value : 1
  return upper > 0 ? upper : 0
}
