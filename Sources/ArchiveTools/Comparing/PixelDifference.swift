// Computes the greatest difference between the colours of two pictures of one size, in steps of
// 1/255.

import Colors
import Imaging

extension Bitmap {
  /// The greatest difference that the packing of an atlas explains: its compression rounds
  /// colours, and which rounding it takes depends on all pictures of the atlas.
  package static let greatestRounding = 2

  /// Returns the greatest difference of a channel of any pixel, rounded up; nil if the pictures
  /// have different sizes. A colour that is no number counts as the greatest difference.
  package func greatestDifference(from other: Bitmap) -> Int? {
    guard width == other.width, height == other.height else { return nil }
    if layout == other.layout, layout == .bgra8 || layout == .ga8 {
      return byteDifference(from: other, bytesPerPixel: layout.bytesPerPixel)
    }
    let (wide, otherWide) = (withFourChannels, other.withFourChannels)
    if wide.layout == .bgra8, otherWide.layout == .bgra8 {
      return wide.byteDifference(from: otherWide, bytesPerPixel: wide.layout.bytesPerPixel)
    }
    var greatest: Float = 0
    for y in 0..<height {
      for x in 0..<width {
        let (mine, theirs) = (channels(x, y), other.channels(x, y))
        let difference = (mine - theirs).absolute
        if any(difference .!= difference) { return 255 }
        greatest = max(greatest, difference.max())
      }
    }
    let steps = (greatest * 255).rounded(.up)
    return steps.isFinite ? min(255, Int(steps)) : 255
  }

  /// Compares rows of bytes.
  private func byteDifference(from other: Bitmap, bytesPerPixel: Int) -> Int {
    pixels.withUnsafeBufferPointer { mine in
      other.pixels.withUnsafeBufferPointer { theirs in
        var greatest: UInt8 = 0
        for y in 0..<height {
          let (a, b) = (y * bytesPerRow, y * other.bytesPerRow)
          for offset in 0..<width * bytesPerPixel {
            let (old, new) = (mine[a + offset], theirs[b + offset])
            greatest = max(greatest, old > new ? old - new : new - old)
          }
        }
        return Int(greatest)
      }
    }
  }

  /// Returns the premultiplied channels of a pixel from 0 to 1.
  private func channels(_ x: Int, _ y: Int) -> SIMD4<Float> {
    let offset = y * bytesPerRow + x * layout.bytesPerPixel
    func byte(_ number: Int) -> Float { Float(pixels[offset + number]) / 255 }
    func word(_ number: Int) -> UInt16 {
      UInt16(pixels[offset + 2 * number]) | UInt16(pixels[offset + 2 * number + 1]) << 8
    }
    func grey(_ value: Float, _ alpha: Float) -> SIMD4<Float> { SIMD4(value, value, value, alpha) }
    return switch layout {
    case .bgra8: SIMD4(byte(2), byte(1), byte(0), byte(3))
    case .ga8: grey(byte(0), byte(1))
    case .rgbw:
      SIMD4(float(half: word(0)), float(half: word(1)), float(half: word(2)), float(half: word(3)))
    case .ga16: grey(Float(word(0)) / 65535, Float(word(1)) / 65535)
    case .ga16Half: grey(float(half: word(0)), float(half: word(1)))
    }
  }
}

extension SIMD4<Float> {
  fileprivate var absolute: SIMD4<Float> { replacing(with: -self, where: self .< 0) }
}
