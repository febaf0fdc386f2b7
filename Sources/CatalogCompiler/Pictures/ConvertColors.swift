// Converts straight RGBA of a colour space to bytes of sRGB, or to half floats of extended sRGB.
// Products and sums are never fused, so that every machine gives the same bits.

import CRows
import Colors

/// The amounts of light at which rounding goes from one byte of sRGB to the next. A coarse table
/// gives a first byte, which is never too high and at most a few steps too low.
private struct ByteTable {
  private static let coarseCount = 4096
  private var steps: [Float]
  private var coarse: [UInt8] = []

  init() {
    steps = (0..<255).map { Float(lightOfSRGB((Double($0) + 0.5) / 255)) } + [2]
    var value = 0
    for place in 0...ByteTable.coarseCount {
      while Float(place) / Float(ByteTable.coarseCount) >= steps[value] { value += 1 }
      coarse.append(UInt8(value))
    }
  }

  static let shared = ByteTable()

  func byte(of light: Float) -> UInt32 {
    if !(light > 0) { return 0 }
    if light >= 1 { return 255 }
    var value = Int(coarse[Int(light * Float(ByteTable.coarseCount))])
    while light >= steps[value] { value += 1 }
    return UInt32(value)
  }
}

extension SourceColors {
  /// Returns the amounts of light of a stored colour, in the primaries of sRGB.
  private func light(_ pixel: SIMD4<UInt16>) -> SIMD3<Float> {
    let red = curves[0][Int(pixel.x)]
    let green = curves[1][Int(pixel.y)]
    let blue = curves[2][Int(pixel.z)]
    return SIMD3(
      matrix[0] * red + matrix[1] * green + matrix[2] * blue,
      matrix[3] * red + matrix[4] * green + matrix[5] * blue,
      matrix[6] * red + matrix[7] * green + matrix[8] * blue)
  }

  /// Returns the pixel at `index` of straight RGBA, which has 16 bits for each channel if `wide`,
  /// otherwise 8.
  private func pixel(
    _ pixels: UnsafeRawPointer, _ index: Int, wide: Bool
  ) -> SIMD4<UInt16> {
    if wide { return pixels.loadUnaligned(fromByteOffset: 8 * index, as: SIMD4<UInt16>.self) }
    let bytes = pixels.loadUnaligned(fromByteOffset: 4 * index, as: SIMD4<UInt8>.self)
    return SIMD4(truncatingIfNeeded: bytes)
  }

  /// Converts straight RGBA, with 16 bits for each channel if `wide`, to straight RGBA in bytes of
  /// sRGB, in place.
  func convertToSRGB(_ pixels: UnsafeMutableRawPointer, count: Int, wide: Bool) {
    let table = ByteTable.shared
    // Neighbouring pixels are often equal, so the last result is kept.
    var last: SIMD4<UInt16>?
    var result: UInt32 = 0
    for index in 0..<count {
      let stored = pixel(pixels, index, wide: wide)
      if stored != last {
        let light = light(stored)
        let alpha = wide ? (UInt32(stored.w) * 255 + 32895) >> 16 : UInt32(stored.w)
        result =
          table.byte(of: light.x) | table.byte(of: light.y) << 8 | table.byte(of: light.z) << 16
          | alpha << 24
        last = stored
      }
      pixels.storeBytes(of: result.littleEndian, toByteOffset: 4 * index, as: UInt32.self)
    }
  }

  /// Converts straight RGBA to premultiplied half floats in extended sRGB. The rows have no
  /// padding.
  func convertToHalves(
    _ pixels: UnsafeRawPointer, count: Int, wide: Bool, into target: UnsafeMutableRawPointer,
    _ survey: inout carve_survey
  ) {
    let whole: Float = wide ? 65535 : 255
    for index in 0..<count {
      let stored = pixel(pixels, index, wide: wide)
      let light = light(stored)
      let alpha = Float(stored.w) / whole
      let out = SIMD4(
        half(encoded(light.x) * alpha), half(encoded(light.y) * alpha),
        half(encoded(light.z) * alpha), half(alpha))
      if alpha < 1 { survey.opaque = false }
      if out.x != out.y || out.y != out.z { survey.gray = false }
      target.storeBytes(of: out, toByteOffset: 8 * index, as: SIMD4<UInt16>.self)
    }
  }
}
