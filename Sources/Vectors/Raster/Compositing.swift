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
  // Neighbours are often equal, and mixing colours takes longer than comparing them.
  var last: (source: UInt32, below: UInt32, mixed: UInt32) = (0, 0, 0)
  for i in 0..<count {
    let share = UInt32(coverage[i])
    let source = share == 255 ? row[i] : scaled(row[i], share)
    if source == 0 { continue }
    if blend == .normal {
      pixels[i] = over(source, pixels[i])
    } else if source == last.source, pixels[i] == last.below {
      pixels[i] = last.mixed
    } else {
      last = (source, pixels[i], blended(source, pixels[i], blend))
      pixels[i] = last.mixed
    }
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

// MARK: - Blend modes

/// Returns the premultiplied pixel that results from painting `source` on `below` with a blend
/// mode: (1 − source alpha) · below + (1 − alpha below) · source + source alpha · alpha below · the
/// colour that the mode gives.
func blended(_ source: UInt32, _ below: UInt32, _ mode: BlendMode) -> UInt32 {
  let s = Channels(source)
  let b = Channels(below)
  if mode == .plusLighter {
    return Channels(
      red: min(1, s.red + b.red), green: min(1, s.green + b.green), blue: min(1, s.blue + b.blue),
      alpha: min(1, s.alpha + b.alpha)
    ).pixel
  }
  let mixed = mixedColors(s.color, b.color, mode)
  let both = s.alpha * b.alpha
  func channel(_ source: Double, _ below: Double, _ mixed: Double) -> Double {
    (1 - s.alpha) * below + (1 - b.alpha) * source + both * mixed
  }
  return Channels(
    red: channel(s.red, b.red, mixed.red), green: channel(s.green, b.green, mixed.green),
    blue: channel(s.blue, b.blue, mixed.blue), alpha: s.alpha + b.alpha - both
  ).pixel
}

/// The channels of a premultiplied pixel, each from 0 to 1.
private struct Channels {
  var red: Double
  var green: Double
  var blue: Double
  var alpha: Double

  init(red: Double, green: Double, blue: Double, alpha: Double) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  init(_ pixel: UInt32) {
    red = Double(pixel >> 16 & 255) / 255
    green = Double(pixel >> 8 & 255) / 255
    blue = Double(pixel & 255) / 255
    alpha = Double(pixel >> 24) / 255
  }

  /// The colour, not premultiplied.
  var color: Color {
    alpha > 0 ? Color(min(1, red / alpha), min(1, green / alpha), min(1, blue / alpha)) : .black
  }

  var pixel: UInt32 {
    func byte(_ value: Double) -> UInt32 { UInt32(unitValue(value) * 255 + 0.5) }
    // Rounding must not make a channel larger than alpha.
    let opacity = byte(alpha)
    return opacity << 24 | min(byte(red), opacity) << 16 | min(byte(green), opacity) << 8
      | min(byte(blue), opacity)
  }
}

private func mixedColors(_ s: Color, _ b: Color, _ mode: BlendMode) -> Color {
  switch mode {
  case .hue: return withLuminosity(withSaturation(s, saturation(b)), luminosity(b))
  case .saturation: return withLuminosity(withSaturation(b, saturation(s)), luminosity(b))
  case .color: return withLuminosity(s, luminosity(b))
  case .luminosity: return withLuminosity(b, luminosity(s))
  default:
    return Color(
      mixed(s.red, b.red, mode), mixed(s.green, b.green, mode), mixed(s.blue, b.blue, mode))
  }
}

/// Returns one channel of the mode's colour, from the channel of the source and the channel below.
private func mixed(_ s: Double, _ b: Double, _ mode: BlendMode) -> Double {
  switch mode {
  case .multiply: s * b
  case .screen: s + b - s * b
  case .overlay: hardLight(b, s)
  case .darken: min(s, b)
  case .lighten: max(s, b)
  case .colorDodge: b == 0 ? 0 : s >= 1 ? 1 : min(1, b / (1 - s))
  case .colorBurn: b >= 1 ? 1 : s <= 0 ? 0 : 1 - min(1, (1 - b) / s)
  case .hardLight: hardLight(s, b)
  case .softLight: softLight(s, b)
  case .difference: magnitude(s - b)
  case .exclusion: s + b - 2 * s * b
  case .normal, .hue, .saturation, .color, .luminosity, .plusLighter: s
  }
}

private func hardLight(_ s: Double, _ b: Double) -> Double {
  if s <= 0.5 { return b * 2 * s }
  let lighter = 2 * s - 1
  return b + lighter - b * lighter
}

private func softLight(_ s: Double, _ b: Double) -> Double {
  if s <= 0.5 { return b - (1 - 2 * s) * b * (1 - b) }
  let root = b <= 0.25 ? ((16 * b - 12) * b + 4) * b : b.squareRoot()
  return b + (2 * s - 1) * (root - b)
}

private func luminosity(_ c: Color) -> Double { 0.3 * c.red + 0.59 * c.green + 0.11 * c.blue }

private func saturation(_ c: Color) -> Double {
  max(c.red, c.green, c.blue) - min(c.red, c.green, c.blue)
}

private func withLuminosity(_ c: Color, _ value: Double) -> Color {
  let shift = value - luminosity(c)
  let moved = Color(c.red + shift, c.green + shift, c.blue + shift)
  let least = min(moved.red, moved.green, moved.blue)
  let most = max(moved.red, moved.green, moved.blue)
  // A colour with a channel out of range moves towards the grey of the same luminosity.
  func toGrey(_ scale: Double) -> Color {
    Color(
      value + (moved.red - value) * scale, value + (moved.green - value) * scale,
      value + (moved.blue - value) * scale)
  }
  if least < 0 { return toGrey(value / (value - least)) }
  if most > 1 { return toGrey((1 - value) / (most - value)) }
  return moved
}

private func withSaturation(_ c: Color, _ value: Double) -> Color {
  let least = min(c.red, c.green, c.blue)
  let range = max(c.red, c.green, c.blue) - least
  guard range > 0 else { return .black }
  let scale = value / range
  return Color((c.red - least) * scale, (c.green - least) * scale, (c.blue - least) * scale)
}
