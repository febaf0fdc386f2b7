// Conversions of one channel of one pixel as a float: bytes, half floats, and the transfer curve of
// sRGB and Display P3. The functions have no branches, so that the compiler can vectorise loops
// over them.

/// Returns the byte for a value: 0 for values up to 0, `alpha` at most and 1 at most, halves
/// rounded up.
@inlinable @inline(__always) package func byte(_ value: Float, atMost alpha: Float) -> UInt8 {
  let most = alpha < 1 ? alpha : 1
  let upper = value < most ? value : most
  let scaled = (upper > 0 ? upper : 0) * 255 + 0.5
  // From 2^23 on floats are whole numbers in their lowest bits. One is subtracted if the sum
  // rounded up.
  let rounded = scaled + 0x1p23
  let step: UInt32 = rounded - 0x1p23 > scaled ? 1 : 0
  return UInt8(truncatingIfNeeded: rounded.bitPattern &- step)
}

/// Returns the value of an IEEE half float. If the bits are not a number, the value is 0; if they
/// are infinite, it is the largest finite value.
@inlinable @inline(__always) package func float(half bits: UInt16) -> Float {
  let size = UInt32(bits & 0x7FFF)
  let finite = size < 0x7C00 ? size : size > 0x7C00 ? 0 : 0x7BFF
  // Shifted into the place of a float's exponent, the exponent is 112 too low. This is exact for
  // all half floats.
  let value = Float(bitPattern: finite &<< 13) * 0x1p112
  let sign = size > 0x7C00 ? 0 : UInt32(bits & 0x8000) &<< 16
  return Float(bitPattern: value.bitPattern | sign)
}

/// Returns the half float nearest to a value, ties to even. If the value is not a number, returns
/// 0.
@inlinable @inline(__always) package func half(_ value: Float) -> UInt16 {
  let bits = value.bitPattern & 0x7FFF_FFFF
  let most: UInt32 = 0x477F_E000  // 65504
  let size = bits < most ? bits : bits > 0x7F80_0000 ? 0 : most
  // Adding a power of two that leaves no bits for a fraction rounds the number.
  let small = (Float(bitPattern: size) * 0x1p24 + 0x1p23).bitPattern & 0x7FFF
  let large = (size &+ 0x0FFF &+ (size &>> 13 & 1) &- 112 << 23) &>> 13
  let number = size < 0x3880_0000 ? small : large  // 2^-14
  return UInt16(truncatingIfNeeded: number | value.bitPattern &>> 16 & 0x8000)
}

/// Returns the linear intensity of an encoded value.
@inlinable @inline(__always) package func linear(_ value: Float) -> Float {
  let sign = value.bitPattern & 0x8000_0000
  let whole = Float(bitPattern: value.bitPattern & 0x7FFF_FFFF)
  let size = whole < 16 ? whole : 16
  let curve = power(size * (1 / 1.055) + (0.055 / 1.055), 2.4)
  let result = size <= 0.040_45 ? size * (1 / 12.92) : curve
  return Float(bitPattern: result.bitPattern | sign)
}

/// Returns the encoded value of a linear intensity.
@inlinable @inline(__always) package func encoded(_ value: Float) -> Float {
  let sign = value.bitPattern & 0x8000_0000
  let whole = Float(bitPattern: value.bitPattern & 0x7FFF_FFFF)
  let size = whole < 1024 ? whole : 1024
  // Smaller values are on the straight part of the curve.
  let curve = power(size > 0.003 ? size : 0.003, 1 / 2.4) * 1.055 - 0.055
  let result = size <= 0.003_130_8 ? size * 12.92 : curve
  return Float(bitPattern: result.bitPattern | sign)
}

/// Returns a power of a positive value that is neither tiny nor huge, with an error of about a
/// millionth. The exponent of the float gives the whole part of the logarithm and polynomials give
/// the rest, so every machine has the same result and no mathematical library is needed.
@inlinable @inline(__always) package func power(_ value: Float, _ exponent: Float) -> Float {
  // The mantissa lies between the roots of 1/2 and 2. The exponent, 127 too high, becomes a float
  // in the lowest bits of 2^23.
  let shifted = value.bitPattern &- 0x3F35_04F3
  let whole = Float(bitPattern: (shifted &+ 127 << 23) &>> 23 | 0x4B00_0000) - (0x1p23 + 127)
  let mantissa = Float(bitPattern: (shifted & 0x7F_FFFF) &+ 0x3F35_04F3)
  let ratio = (mantissa - 1) / (mantissa + 1)
  let square = ratio * ratio
  // The series of the inverse hyperbolic tangent, multiplied by 2 / ln 2.
  let series =
    (((square * 0.320_598_9 + 0.412_198_6) * square + 0.577_078_0) * square + 0.961_796_7) * square
    + 2.885_390_1
  let logarithm = (ratio * series + whole) * exponent
  let rounded = logarithm + 0x1.8p23
  let part = logarithm - (rounded - 0x1.8p23)
  // The series of the exponential function of base two.
  let low = ((part * 0.000_154_035_3 + 0.001_333_355_8) * part + 0.009_618_129) * part
  let high = ((low + 0.055_504_109) * part + 0.240_226_51) * part + 0.693_147_18
  return (high * part + 1) * Float(bitPattern: (rounded.bitPattern &+ 127) &<< 23)
}
