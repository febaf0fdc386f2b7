// Natural logarithms of whole numbers as 32-bit floats, rounded correctly and computed by a series.
// The choice of predictors adds them up, and one different bit can change the choice.

enum NaturalLogarithms {
  /// ln(1 + size) for every size of a residual of 8-bit pixels.
  static let ofNarrowSizes: [Float] = (0..<1024).map { of($0 + 1) }

  /// ln(1 + size) for every size of a signed 16-bit number.
  static let ofWideSizes: [Float] = (0...32_768).map { of($0 + 1) }

  /// Returns the logarithm of a number of at least 1. The fraction lies between the roots of 1/2
  /// and 2, so the series is short; its error is a thousandth of the precision of a double.
  static func of(_ number: Int) -> Float { Float(of(Double(number))) }

  /// Returns ln(a ÷ b) for positive numbers.
  static func ofQuotient(_ a: Int, _ b: Int) -> Double { of(Double(a)) - of(Double(b)) }

  /// Returns ln(fraction × 2^exponent) for a positive fraction.
  static func ofProduct(_ fraction: Double, exponent: Int) -> Double {
    of(fraction) + Double(exponent) * ofTwo
  }

  private static let ofTwo = 0.693_147_180_559_945_309_4

  private static func of(_ value: Double) -> Double {
    var fraction = value.significand
    var exponent = Double(value.exponent)
    if fraction > 1.414_213_562_373_095 {
      fraction /= 2
      exponent += 1
    }
    let ratio = (fraction - 1) / (fraction + 1)
    let square = ratio * ratio
    var sum = 0.0
    for power in stride(from: 25, through: 1, by: -2) { sum = sum * square + 1 / Double(power) }
    return exponent * ofTwo + 2 * ratio * sum
  }
}
