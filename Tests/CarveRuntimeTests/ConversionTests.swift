// Compares colours and half floats with the mathematical definitions.

import CarveRuntime
import Foundation
import Testing
@testable import Colors

@Suite struct ConversionTests {
  private func displayP3(_ color: [Double]) -> [Double] {
    func linear(_ value: Double) -> Double {
      let size = abs(value)
      let result = size <= 0.04045 ? size / 12.92 : pow((size + 0.055) / 1.055, 2.4)
      return value < 0 ? -result : result
    }
    func encoded(_ value: Double) -> Double {
      let size = abs(value)
      let result = size <= 0.003_130_8 ? size * 12.92 : 1.055 * pow(size, 1 / 2.4) - 0.055
      return value < 0 ? -result : result
    }
    let (red, green, blue) = (linear(color[0]), linear(color[1]), linear(color[2]))
    return [
      encoded(0.822_461_97 * red + 0.177_538_03 * green),
      encoded(0.033_194_2 * red + 0.966_805_8 * green),
      encoded(0.017_082_63 * red + 0.072_397_44 * green + 0.910_519_93 * blue),
    ]
  }

  private func converted(_ pixel: SIMD4<Float>) -> SIMD4<Float> {
    var result = pixel
    PixelBlock.with { block in
      let planes = [block.red, block.green, block.blue, block.alpha]
      for channel in 0..<4 { planes[channel][5] = pixel[channel] }
      block.convertToDisplayP3()
      for channel in 0..<4 { result[channel] = planes[channel][5] }
    }
    return result
  }

  @Test func displayP3IsExactEnoughForHalfFloats() {
    for step in 0..<20_000 {
      // The colours go beyond the cube of sRGB.
      let color = [7, 31, 101].map { Double((step * $0) % 20_000) / 8000 - 0.5 }
      let alpha = Float(step % 10 + 1) / 10
      let pixel = SIMD4<Float>(
        Float(color[0]) * alpha, Float(color[1]) * alpha, Float(color[2]) * alpha, alpha)
      let found = converted(pixel)
      var isExact = found.w == alpha
      for (index, value) in displayP3(color).enumerated() {
        let error = abs(Double(found[index] / alpha) - value)
        isExact = isExact && error < 1e-5 + 1e-5 * abs(value)
      }
      #expect(isExact, "\(color) becomes \(found)")
    }
  }

  @Test(arguments: [SIMD4<Float>(0, 0, 0, 0), SIMD4(1, 1, 1, -1), SIMD4(9, 9, 9, 0)])
  func pixelsWithoutAlphaHaveNoColor(pixel: SIMD4<Float>) {
    #expect(converted(pixel) == SIMD4(repeating: 0))
  }

  @Test func halvesAreThoseOfTheStandard() {
    for bits in UInt16.min...UInt16.max {
      let value = Float(Float16(bitPattern: bits))
      #expect(float(half: bits) == (value.isNaN ? 0 : min(max(value, -65504), 65504)), "\(bits)")
      // Every half float, and the values just above it, in the middle and just below the next half
      // float.
      guard value.isFinite, Float16(bitPattern: bits).nextUp.isFinite else { continue }
      let next = Float(Float16(bitPattern: bits).nextUp)
      for between in [value, value.nextUp, (value + next) / 2, next.nextDown] {
        #expect(half(between) == Float16(between).bitPattern, "\(between)")
      }
    }
  }

  @Test func bytesAreRoundedAndNeverAboveAlpha() {
    for step in 0...5100 {
      let value = Float(step) / 5100
      let rounded = UInt8(value * 255 + 0.5)
      #expect(byte(value, atMost: 1) == rounded && byte(2 * value, atMost: value) == rounded)
      #expect(byte(-value, atMost: value) == 0)
    }
    #expect(byte(.infinity, atMost: 7) == 255 && byte(.nan, atMost: 0.5) <= 128)
  }
}
