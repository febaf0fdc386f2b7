// The colours of pictures in sRGB: ICC profiles, and inks without a profile.

import Colors

/// A profile whose colours are converted by calculation.
struct ICCProfile {
  private var curves: [ToneCurve]
  /// The matrix from linear light of the profile to linear light of sRGB; empty for grey.
  private var toStandard: Matrix

  /// Returns the profile of a CalRGB space, with its powers and primaries. Returns nil if these are
  /// those of sRGB, or are not valid.
  static func calibrated(gamma: [Double], matrix: [Double], white: [Double]) -> ICCProfile? {
    guard gamma.count == 3, matrix.count == 9, white.count == 3, white.allSatisfy({ $0 > 0 }) else {
      return nil
    }
    // The white point of the file becomes that of sRGB.
    let scale = SIMD3(0.9505 / white[0], 1 / white[1], 1.089 / white[2])
    let connection = (0..<3).map { row in
      SIMD3(matrix[row], matrix[3 + row], matrix[6 + row]) * scale[row]
    }
    let standard = [
      SIMD3(3.240_6, -1.537_2, -0.498_6), SIMD3(-0.968_9, 1.875_8, 0.041_5),
      SIMD3(0.055_7, -0.204_0, 1.057_0),
    ]
    let profile = ICCProfile(
      curves: gamma.map { .power($0) }, toStandard: standard * connection)
    return profile.isStandard ? nil : profile
  }

  enum Kind {
    /// The colours are those of sRGB and need no conversion.
    case standard
    case calculated(ICCProfile)
    /// The profile has tables for all colours, or is not valid. Its colours are treated as device
    /// colours.
    case unknown
  }

  static func read(_ bytes: [UInt8], components: Int) -> Kind {
    bytes.withUnsafeBytes { bytes in
      let profile = ColorProfile(bytes)
      if case .rgb = profile, components == 3, ColorProfile.saysStandard(bytes) {
        return .standard
      }
      return kind(of: profile, components: components)
    }
  }

  static func kind(of profile: ColorProfile?, components: Int) -> Kind {
    switch profile {
    case .gray(let curve) where components == 1:
      return .calculated(ICCProfile(curves: [curve], toStandard: []))
    case .rgb(let curves, let toConnection) where components == 3:
      let profile = ICCProfile(curves: curves, toStandard: fromConnection * toConnection)
      return profile.isStandard ? .standard : .calculated(profile)
    default: return .unknown
    }
  }

  private static let fromConnection = ColorProfile.sRGBColorants.inverse ?? []

  /// Whether the primaries and curves are those of sRGB. The tolerance is less than one step of a
  /// byte.
  private var isStandard: Bool {
    for (row, values) in toStandard.enumerated() {
      for column in 0..<3 where magnitude(values[column] - (row == column ? 1 : 0)) > 0.003 {
        return false
      }
    }
    return curves.allSatisfy { curve in
      [0.02, 0.1, 0.3, 0.5, 0.8].allSatisfy { magnitude(standardValue(curve($0)) - $0) < 0.003 }
    }
  }

  /// Returns the colour of values from 0 to 1, one for each curve.
  func color(_ values: [Double]) -> Color {
    func light(_ index: Int) -> Double {
      curves[index](index < values.count ? unitValue(values[index]) : 0)
    }
    guard curves.count == 3, toStandard.count == 3 else {
      let gray = standardValue(light(0))
      return Color(gray, gray, gray)
    }
    let lights = SIMD3(light(0), light(1), light(2))
    func channel(_ row: Int) -> Double { standardValue((toStandard[row] * lights).sum()) }
    return Color(channel(0), channel(1), channel(2))
  }
}

/// Returns the value in sRGB, from 0 to 1, of an amount of light.
func standardValue(_ light: Double) -> Double { unitValue(sRGBOfLight(unitValue(light))) }

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
  static func color(cyan: Double, magenta: Double, yellow: Double, black: Double) -> Color {
    var (red, green, blue) = (0.0, 0.0, 0.0)
    for corner in 0..<16 {
      let weight =
        (corner & 1 == 0 ? 1 - cyan : cyan) * (corner & 2 == 0 ? 1 - magenta : magenta)
        * (corner & 4 == 0 ? 1 - yellow : yellow) * (corner & 8 == 0 ? 1 - black : black)
      red += weight * mixtures[corner].0
      green += weight * mixtures[corner].1
      blue += weight * mixtures[corner].2
    }
    return Color(red / 255, green / 255, blue / 255)
  }
}
