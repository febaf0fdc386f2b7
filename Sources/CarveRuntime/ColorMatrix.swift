// From sRGB, also where it reaches beyond 0 and 1, to Display P3. Both have one transfer curve; the
// matrix joins their primaries. The curve is computed without a mathematical library: powers with
// the exponents 12/5 and 5/12 are roots, found by Newton's steps.

enum ColorMatrix {
  /// A premultiplied colour.
  static func displayP3(fromSRGB pixel: SIMD4<Float>) -> SIMD4<Float> {
    let alpha = pixel.w
    guard alpha > 0 else { return SIMD4(0, 0, 0, max(0, alpha)) }
    let red = linear(pixel.x / alpha)
    let green = linear(pixel.y / alpha)
    let blue = linear(pixel.z / alpha)
    return SIMD4(
      encoded(0.822_461_97 * red + 0.177_538_03 * green) * alpha,
      encoded(0.033_194_2 * red + 0.966_805_8 * green) * alpha,
      encoded(0.017_082_63 * red + 0.072_397_44 * green + 0.910_519_93 * blue) * alpha, alpha)
  }

  /// The intensity that an encoded value stands for.
  static func linear(_ value: Float) -> Float {
    let size = min(value.magnitude, 16)
    let result =
      size <= 0.040_45 ? size / 12.92 : power((size + 0.055) / 1.055, 12, root: 5)
    return value < 0 ? -result : result
  }

  /// The encoded value of an intensity.
  static func encoded(_ value: Float) -> Float {
    let size = min(value.magnitude, 1024)
    let result =
      size <= 0.003_130_8 ? size * 12.92 : 1.055 * power(size, 5, root: 12) - 0.055
    return value < 0 ? -result : result
  }

  /// value^(exponent/root) for positive values.
  private static func power(_ value: Float, _ exponent: Int, root: Int) -> Float {
    let target = raised(Double(value), exponent)
    // From above, Newton's steps fall steadily towards the root.
    var guess = max(1, Double(value))
    if target > 1 { guess = max(guess, raised(Double(value), exponent / root + 1)) }
    for _ in 0..<64 {
      let below = raised(guess, root - 1)
      let next = guess - (guess * below - target) / (Double(root) * below)
      if (next - guess).magnitude <= next * 1e-9 { return Float(next) }
      guess = next
    }
    return Float(guess)
  }

  private static func raised(_ base: Double, _ exponent: Int) -> Double {
    var result = 1.0
    for _ in 0..<exponent { result *= base }
    return result
  }
}
