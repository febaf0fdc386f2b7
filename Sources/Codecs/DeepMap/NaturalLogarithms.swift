// Natural logarithms of whole numbers as 32-bit floats, the nearest to the true value, from a series:
// the choice of predictors adds them up, and a bit more or less somewhere chooses another.

enum NaturalLogarithms {
  /// ln(1 + size) for every size of a residual of 8-bit pixels.
  static let ofNarrowSizes: [Float] = (0..<1024).map { of($0 + 1) }

  /// The same for every size of 16 bits with a sign.
  static let ofWideSizes: [Float] = (0...32_768).map { of($0 + 1) }

  /// `number` is at least 1. With a fraction between the roots of a half and of two the series ends
  /// soon; what it leaves out is a thousandth of what a double can tell apart.
  static func of(_ number: Int) -> Float { Float(of(Double(number))) }

  /// ln(a ÷ b) for positive numbers.
  static func ofQuotient(_ a: Int, _ b: Int) -> Double { of(Double(a)) - of(Double(b)) }

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
    return exponent * 0.693_147_180_559_945_309_4 + 2 * ratio * sum
  }
}
