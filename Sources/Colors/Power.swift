// Powers computed by polynomials: every machine gives the same bits, and no mathematical library is
// needed.

/// Returns a power of a number, correct to about 15 digits. Returns 0 if the base is not positive
/// and finite, or if the result is too large or too small for a double.
package func power(_ base: Double, _ exponent: Double) -> Double {
  guard base > 0, base.isFinite else { return 0 }
  let logarithm = logarithm2(base) * exponent
  guard logarithm > -1000, logarithm < 1000 else { return 0 }
  return power2(logarithm)
}

/// Returns the logarithm of base two of a positive finite number.
package func logarithm2(_ value: Double) -> Double {
  var mantissa = value.significand
  var whole = Double(value.exponent)
  // The mantissa lies between the roots of 1/2 and 2.
  if mantissa > 1.4142135623730951 {
    mantissa /= 2
    whole += 1
  }
  let ratio = (mantissa - 1) / (mantissa + 1)
  let square = ratio * ratio
  // The series of the inverse hyperbolic tangent: 1 + x/3 + x²/5 …
  var series = 0.0
  for odd in stride(from: 23, through: 1, by: -2) { series = series * square + 1 / Double(odd) }
  return whole + ratio * series * 2.8853900817779268
}

/// Returns two to a power between -1000 and 1000.
package func power2(_ exponent: Double) -> Double {
  let whole = exponent.rounded()
  let part = (exponent - whole) * 0.6931471805599453
  // The series of the exponential function.
  var series = 1.0
  for step in stride(from: 15, through: 1, by: -1) { series = 1 + series * part / Double(step) }
  return series * Double(sign: .plus, exponent: Int(whole), significand: 1)
}

/// Returns the amount of light of an sRGB value. Below 0 the curve is mirrored at the origin.
package func lightOfSRGB(_ value: Double) -> Double {
  let size = abs(value)
  let light = size <= 0.04045 ? size / 12.92 : power((size + 0.055) / 1.055, 2.4)
  return value < 0 ? -light : light
}

/// Returns the sRGB value of an amount of light. Below 0 the curve is mirrored at the origin.
package func sRGBOfLight(_ light: Double) -> Double {
  let size = abs(light)
  let value = size <= 0.0031308 ? size * 12.92 : 1.055 * power(size, 1 / 2.4) - 0.055
  return light < 0 ? -value : value
}
