// The colour spaces of PDF, and the conversion of their colours to sRGB.

indirect enum ColorSpace {
  case gray, rgb, cmyk
  case profile(ICCProfile, components: Int)
  case lab(LabSpace)
  case indexed(base: ColorSpace, colors: [Color])
  /// A Separation or DeviceN space: a function gives the colour in another space. `paints` is false
  /// for the colorant None.
  case tint(components: Int, alternate: ColorSpace, function: PDFFunction, paints: Bool)
  /// A pattern, with the colour space of the colour for uncoloured cells.
  case pattern(ColorSpace?)

  var components: Int {
    switch self {
    case .gray, .indexed: 1
    case .rgb, .lab: 3
    case .cmyk: 4
    case .profile(_, let components), .tint(let components, _, _, _): components
    case .pattern(let inner): inner?.components ?? 0
    }
  }

  /// The values that are set together with the space.
  var initialValues: [Double] {
    switch self {
    case .cmyk: [0, 0, 0, 1]
    case .tint(let components, _, _, _): [Double](repeating: 1, count: components)
    default: [Double](repeating: 0, count: components)
    }
  }

  /// Returns the usual Decode array for images with `bits` bits for each component.
  func defaultDecode(bits: Int) -> [Double] {
    switch self {
    case .indexed: return [0, Double(1 << bits - 1)]
    case .lab(let space): return [0, 100] + space.range
    default: break
    }
    var ends: [Double] = []
    for _ in 0..<components { ends += [0, 1] }
    return ends
  }

  /// Whether the colours come from printing inks, for which there is no profile.
  var usesInks: Bool {
    switch self {
    case .cmyk: true
    case .indexed(let base, _): base.usesInks
    case .tint(_, let alternate, _, _): alternate.usesInks
    case .pattern(let inner): inner?.usesInks ?? false
    default: false
    }
  }

  func color(_ values: [Double]) -> Color {
    func value(_ index: Int) -> Double {
      guard index < values.count, values[index] == values[index] else { return 0 }
      return min(max(values[index], 0), 1)
    }
    switch self {
    case .gray: return Color(value(0), value(0), value(0))
    case .rgb: return Color(value(0), value(1), value(2))
    case .cmyk: return Inks.color(value(0), value(1), value(2), value(3))
    case .profile(let profile, _): return profile.color(values)
    case .lab(let space): return space.color(values)
    case .indexed(_, let colors):
      guard let last = colors.indices.last, let first = values.first else { return .black }
      return colors[whole(first, from: 0, to: last)]
    case .tint(_, let alternate, let function, _): return alternate.color(function.evaluate(values))
    case .pattern: return .black
    }
  }
}

struct LabSpace {
  var white: [Double]
  /// The lowest and highest values of a and b.
  var range: [Double]

  func color(_ values: [Double]) -> Color {
    func clipped(_ index: Int, _ low: Double, _ high: Double) -> Double {
      index < values.count && values[index] == values[index]
        ? min(max(values[index], low), max(low, high)) : 0
    }
    let m = (clipped(0, 0, 100) + 16) / 116
    let l = m + clipped(1, range[0], range[1]) / 500
    let n = m - clipped(2, range[2], range[3]) / 200
    func g(_ x: Double) -> Double { x >= 6 / 29.0 ? x * x * x : 108 / 841.0 * (x - 4 / 29.0) }
    // The values are relative to the white point of the space, which becomes that of sRGB: (0.9505,
    // 1, 1.089).
    let (x, y, z) = (0.9505 * g(l), g(m), 1.089 * g(n))
    return Color(
      standardValue(3.240_6 * x - 1.537_2 * y - 0.498_6 * z),
      standardValue(-0.968_9 * x + 1.875_8 * y + 0.041_5 * z),
      standardValue(0.055_7 * x - 0.204_0 * y + 1.057_0 * z))
  }
}

/// The inks of printing: cyan, magenta, yellow and black.
enum Inks {
  /// The colour of paper with each of the 16 mixtures of full inks. Bit 0 of the index is cyan,
  /// then magenta, yellow and black. Mixtures with black are nearly black, as in print.
  private static let mixtures: [(Double, Double, Double)] = [
    (255, 255, 255), (0, 164, 224), (236, 0, 140), (40, 42, 132),
    (255, 242, 0), (0, 155, 75), (237, 28, 36), (35, 31, 32),
    (26, 25, 25), (0, 16, 12), (13, 0, 5), (3, 3, 7),
    (13, 24, 0), (0, 15, 2), (12, 3, 1), (0, 0, 0),
  ]

  /// Returns the colour of amounts of ink, interpolated between the mixtures: each ink contributes
  /// by its amount.
  static func color(_ cyan: Double, _ magenta: Double, _ yellow: Double, _ black: Double) -> Color {
    var (red, green, blue) = (0.0, 0.0, 0.0)
    for place in 0..<16 {
      let weight =
        (place & 1 == 0 ? 1 - cyan : cyan) * (place & 2 == 0 ? 1 - magenta : magenta)
        * (place & 4 == 0 ? 1 - yellow : yellow) * (place & 8 == 0 ? 1 - black : black)
      red += weight * mixtures[place].0
      green += weight * mixtures[place].1
      blue += weight * mixtures[place].2
    }
    return Color(red / 255, green / 255, blue / 255)
  }
}
