// IEEE half floats as bit patterns, computed with integers, so that every machine gives the same
// result.

package enum HalfFloat {
  /// The number 1.
  package static let one: UInt16 = 0x3C00

  /// Returns the half float nearest to `value`, ties to even; infinity if it is too large.
  package static func bits(_ value: Double) -> UInt16 {
    let pattern = value.bitPattern
    let sign = UInt16(truncatingIfNeeded: pattern >> 48) & 0x8000
    let exponent = Int(pattern >> 52 & 0x7FF) - 1023
    let fraction = pattern & (1 << 52 - 1)
    if exponent > 15 { return sign | (exponent == 1024 && fraction != 0 ? 0x7E00 : 0x7C00) }
    if exponent < -25 { return sign }
    // Normal half floats keep 10 of the 52 bits; below 2^-14 each exponent keeps one bit less.
    let dropped = UInt64(exponent >= -14 ? 42 : 42 - 14 - exponent)
    let whole = (1 << 52 | fraction) + (exponent >= -14 ? UInt64(exponent + 14) << 52 : 0)
    var kept = whole >> dropped
    let rest = whole & (1 << dropped - 1)
    let tie: UInt64 = 1 << (dropped - 1)
    if rest > tie || rest == tie && kept & 1 == 1 { kept += 1 }
    return sign | UInt16(truncatingIfNeeded: kept)
  }

  /// Returns the value; nil for infinities and for bits that are not a number.
  package static func value(_ bits: UInt16) -> Double? {
    let exponent = Int(bits >> 10 & 31)
    if exponent == 31 { return nil }
    let fraction = Double(bits & 1023)
    let power = Double(sign: .plus, exponent: exponent - 25, significand: 1)
    let size = exponent == 0 ? fraction * 0x1p-24 : (1024 + fraction) * power
    return bits & 0x8000 == 0 ? size : -size
  }
}
