// A colour that replaces all colours of a template.

import Archive
import Colors

/// A colour in sRGB, not premultiplied. Components outside of 0 to 1 are clipped.
public struct Tint: Sendable, Hashable {
  public var red: Double
  public var green: Double
  public var blue: Double
  public var alpha: Double

  public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// Converts a colour of a catalogue. A colour in Display P3 becomes the nearest one in sRGB. nil
  /// for all spaces except these two, their extended forms, and gray.
  public init?(_ color: ColorValue) {
    self.init(red: color.red, green: color.green, blue: color.blue, alpha: color.alpha)
    switch color.space {
    case .sRGB, .extendedSRGB, .grayGamma22, .extendedGray: break
    case .displayP3: convertFromDisplayP3()
    default: return nil
    }
  }

  /// Converts from Display P3 to sRGB. The two spaces have one transfer curve; the matrix combines
  /// the matrices of their primaries.
  private mutating func convertFromDisplayP3() {
    let (r, g, b) = (linear(Float(red)), linear(Float(green)), linear(Float(blue)))
    red = Double(encoded(1.224_940_2 * r - 0.224_940_2 * g))
    green = Double(encoded(-0.042_056_95 * r + 1.042_056_95 * g))
    blue = Double(encoded(-0.019_637_55 * r - 0.078_636_05 * g + 1.098_273_6 * b))
  }

  /// Colours premultiplied pixels of blue, green, red and alpha.
  func color(_ row: UnsafeMutableRawPointer, width: Int) {
    let (red, green, blue, alpha) = (
      Tint.byte(red), Tint.byte(green), Tint.byte(blue), Tint.byte(alpha)
    )
    for x in 0..<width {
      let pixel = row.loadUnaligned(fromByteOffset: x &* 4, as: UInt32.self)
      let opacity = Tint.product(pixel >> 24, alpha)
      let tinted =
        opacity << 24 | Tint.product(red, opacity) << 16 | Tint.product(green, opacity) << 8
        | Tint.product(blue, opacity)
      row.storeBytes(of: tinted, toByteOffset: x &* 4, as: UInt32.self)
    }
  }

  /// Returns a component as a byte; 0 if it is not a number.
  private static func byte(_ value: Double) -> UInt32 {
    value > 0 ? UInt32(min(value, 1) * 255 + 0.5) : 0
  }

  /// Returns the product of two fractions of 255, rounded to the nearest.
  private static func product(_ a: UInt32, _ b: UInt32) -> UInt32 { (a &* b &+ 127) / 255 }
}
