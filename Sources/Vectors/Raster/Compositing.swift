// Composition of pixels over pixels, with premultiplied bytes; each product is rounded to the
// nearest value. A pixel is one word: blue in the lowest byte, then green, red and alpha, as in
// archives.

/// Returns a value times a share of 255, rounded.
@inline(__always) func scaled(_ value: UInt8, _ share: UInt8) -> UInt8 {
  let product = UInt32(value) &* UInt32(share) &+ 128
  return UInt8(truncatingIfNeeded: (product &+ (product &>> 8)) &>> 8)
}

/// Returns a pixel with all four channels multiplied by a share of 255, each rounded.
@inline(__always) func scaled(_ pixel: UInt32, _ share: UInt32) -> UInt32 {
  var even = (pixel & 0x00FF_00FF) &* share &+ 0x0080_0080
  even = ((even &+ (even &>> 8 & 0x00FF_00FF)) &>> 8) & 0x00FF_00FF
  var odd = (pixel &>> 8 & 0x00FF_00FF) &* share &+ 0x0080_0080
  odd = (odd &+ (odd &>> 8 & 0x00FF_00FF)) & 0xFF00_FF00
  return even | odd
}

@inline(__always) func over(_ source: UInt32, _ below: UInt32) -> UInt32 {
  source &+ scaled(below, 255 &- source &>> 24)
}

/// Rows of pixels on which items are painted. `base` is the pixel at the upper left corner of the
/// box.
struct Surface {
  var base: UnsafeMutablePointer<UInt32>
  /// The number of pixels from the start of one row to the start of the next.
  var stride: Int
  var box: PixelBox

  @inline(__always) func row(_ y: Int) -> UnsafeMutablePointer<UInt32> {
    base + (y - box.y0) * stride
  }
}

/// Paints a row of one colour, each pixel by its coverage.
@inline(__always) func paint(
  _ color: UInt32, _ coverage: UnsafePointer<UInt8>, _ count: Int,
  on pixels: UnsafeMutablePointer<UInt32>
) {
  let isOpaque = color >> 24 == 255
  for i in 0..<count {
    let share = UInt32(coverage[i])
    if share == 0 { continue }
    if share == 255 {
      pixels[i] = isOpaque ? color : over(color, pixels[i])
    } else {
      pixels[i] = over(scaled(color, share), pixels[i])
    }
  }
}

/// Paints a row of pixels, each by its coverage.
func paint(
  row: UnsafePointer<UInt32>, _ coverage: UnsafePointer<UInt8>, _ count: Int, _ blend: BlendMode,
  on pixels: UnsafeMutablePointer<UInt32>
) {
  for i in 0..<count {
    let share = UInt32(coverage[i])
    let source = share == 255 ? row[i] : scaled(row[i], share)
    if source == 0 { continue }
    pixels[i] = blend == .normal ? over(source, pixels[i]) : blended(source, pixels[i], blend)
  }
}

/// Returns the premultiplied pixel of a colour. Channels are rounded to the nearest value.
func pixel(_ color: Color, alpha: Double) -> UInt32 {
  let opacity = unitValue(alpha)
  let scale = opacity * 255
  let red = UInt32(unitValue(color.red) * scale + 0.5)
  let green = UInt32(unitValue(color.green) * scale + 0.5)
  let blue = UInt32(unitValue(color.blue) * scale + 0.5)
  return UInt32(scale + 0.5) << 24 | red << 16 | green << 8 | blue
}

/// Returns the value limited to the range from 0 to 1. NaN becomes 0.
@inline(__always) func unitValue(_ value: Double) -> Double {
  let low = value > 0 ? value : 0
  return low < 1 ? low : 1
}
