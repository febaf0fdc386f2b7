// Converts coloured bitmaps into shades of grey.

import Colors

extension Bitmap {
  /// Returns an opaque grey picture with the lightness of each pixel, on a curve of gamma 2.2.
  package func inLightness() -> Bitmap {
    let light = (0...255).map { lightOfSRGB(Double($0) / 255) }
    let curve = LightnessCurve()
    let stride = BitmapLayout.ga8.bytesPerRow(width: width)
    var rows = [UInt8](repeating: 0, count: stride * height)
    for y in 0..<height {
      for x in 0..<width {
        let source = y * bytesPerRow + x * 4
        let sum =
          0.0722 * light[Int(pixels[source])] + 0.7152 * light[Int(pixels[source + 1])]
          + 0.2126 * light[Int(pixels[source + 2])]
        rows[y * stride + x * 2] = curve.value(sum)
        rows[y * stride + x * 2 + 1] = 255
      }
    }
    return Bitmap(
      width: width, height: height, layout: .ga8, isOpaque: true, isGray: true, pixels: rows)
  }
}

/// A table from the amount of light to a lightness byte, on a curve of gamma 2.2. Computing a power
/// is slow, so most values come from the table.
private struct LightnessCurve {
  /// The value of each step of the amount of light; nil if a step contains more than one value.
  private var values: [UInt8?] = []
  private static let steps = 4096

  init() {
    for step in 0...Self.steps {
      // The range is slightly larger than the step, so that rounding cannot lead to a value outside
      // of it.
      let low = Self.exact((Double(step) - 0.01) / Double(Self.steps))
      let high = Self.exact((Double(step) + 1.01) / Double(Self.steps))
      values.append(low == high ? low : nil)
    }
  }

  func value(_ light: Double) -> UInt8 {
    let step = Int(max(0, min(light, 1)) * Double(Self.steps))
    return values[step] ?? Self.exact(light)
  }

  private static func exact(_ light: Double) -> UInt8 {
    let gray = light > 0 ? power(light, 1 / 2.2) : 0
    return UInt8(max(0, min(gray, 1)) * 255 + 0.5)
  }
}
