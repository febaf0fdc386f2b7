// Powers, logarithms and angles, computed by series with an error in about the last three bits. The
// results are the same bits on every machine, without a mathematical library, and finite for any
// arguments.

import Colors

package enum Mathematics {
  private static let halfPi = 1.570_796_326_794_896_6
  private static let ln2 = 0.693_147_180_559_945_3

  /// Returns the natural logarithm. Numbers that have none give −708, the logarithm of the smallest
  /// normal number.
  package static func logarithm(_ x: Double) -> Double {
    guard x > 0x1p-1022 else { return -708 }
    return x.isFinite ? logarithm2(x) * ln2 : 710
  }

  package static func exponential(_ x: Double) -> Double { power(two: x / ln2) }

  /// Returns two to any power. A result that is too large becomes the largest one.
  private static func power(two exponent: Double) -> Double {
    guard exponent > -1021 else { return 0 }
    return power2(exponent < 1022.9 ? exponent : 1022.9)
  }

  /// Returns `x` to the power `y`. If `x` is negative and `y` is not a whole number, returns 0.
  package static func power(_ x: Double, _ y: Double) -> Double {
    guard x == x, y == y else { return 0 }
    if y == 0 { return 1 }
    if x == 0 { return y > 0 ? 0 : 1.797e308 }
    let whole = y.rounded()
    if whole == y, y > 0, y <= 16 {
      var result = 1.0
      for _ in 0..<Int(y) { result *= x }
      return max(-.greatestFiniteMagnitude, min(result, .greatestFiniteMagnitude))
    }
    if x < 0 {
      guard whole == y else { return 0 }
      let size = power(two: y * logarithm2(min(-x, .greatestFiniteMagnitude)))
      return (y / 2).rounded() * 2 == y ? size : -size
    }
    return power(two: y * logarithm2(min(x, .greatestFiniteMagnitude)))
  }

  package static func sine(_ x: Double) -> Double { wave(x, quartersAhead: 3) }

  package static func cosine(_ x: Double) -> Double { wave(x, quartersAhead: 0) }

  /// Returns the cosine of `x` plus a number of quarter turns. Returns 0 for values of 2^30 and
  /// more, whose fraction of a turn is no longer exact.
  private static func wave(_ x: Double, quartersAhead: Double) -> Double {
    guard abs(x) < 0x1p30 else { return 0 }
    let turns = (x / halfPi).rounded()
    // A quarter of a turn is subtracted in two parts. The first part has few bits, so that its
    // product with `turns` is exact.
    let rest = x - turns * 1.570_796_326_734_125_6 - turns * 6.077_100_506_506_192e-11
    let quarter = turns + quartersAhead - ((turns + quartersAhead) / 4).rounded(.down) * 4
    switch quarter {
    case 0: return evenSeries(rest)
    case 1: return -oddSeries(rest)
    case 2: return -evenSeries(rest)
    default: return oddSeries(rest)
    }
  }

  package static func sine(degrees x: Double) -> Double { cosine(degrees: x - 90) }

  /// Returns the cosine of an angle in degrees. The result is exact at multiples of a right angle.
  package static func cosine(degrees x: Double) -> Double {
    guard x.isFinite else { return 0 }
    return cosine((x - (x / 360).rounded(.down) * 360) / 90 * halfPi)
  }

  /// Returns the tangent of an angle that is less than a right angle.
  package static func tangent(_ x: Double) -> Double {
    let cosine = cosine(x)
    return cosine == 0 ? 0 : sine(x) / cosine
  }

  /// Returns the angle of the point (x, y), from −π to π.
  package static func angle(y: Double, x: Double) -> Double {
    guard x.isFinite, y.isFinite, x != 0 || y != 0 else { return 0 }
    let (width, height) = (abs(x), abs(y))
    var angle = width >= height ? arctangent(height / width) : halfPi - arctangent(width / height)
    if x < 0 { angle = 2 * halfPi - angle }
    return y < 0 ? -angle : angle
  }

  /// Returns the angle of the point (x, y) in degrees, from 0 to 360.
  package static func degrees(y: Double, x: Double) -> Double {
    let angle = angle(y: y, x: x) / halfPi * 90
    return angle < 0 ? angle + 360 : angle
  }

  /// Returns the arctangent of a value from 0 to 1.
  private static func arctangent(_ x: Double) -> Double {
    // The argument is halved twice, because the series converges fast for small arguments: atan x =
    // 2 atan(x / (1 + √(1 + x²))).
    let first = x / (1 + (1 + x * x).squareRoot())
    let second = first / (1 + (1 + first * first).squareRoot())
    let square = second * second
    var sum = 0.0
    var n = 25.0
    while n >= 1 {
      sum = 1 / n - sum * square
      n -= 2
    }
    return 4 * second * sum
  }

  /// Returns the sum of the series of the cosine, for angles of at most an eighth of a turn.
  private static func evenSeries(_ x: Double) -> Double {
    let square = x * x
    var sum = 1.0
    var n = 18.0
    while n >= 2 {
      sum = 1 - sum * square / (n * (n - 1))
      n -= 2
    }
    return sum
  }

  /// Returns the sum of the series of the sine, for angles of at most an eighth of a turn.
  private static func oddSeries(_ x: Double) -> Double {
    let square = x * x
    var sum = 1.0
    var n = 19.0
    while n >= 3 {
      sum = 1 - sum * square / (n * (n - 1))
      n -= 2
    }
    return x * sum
  }
}
