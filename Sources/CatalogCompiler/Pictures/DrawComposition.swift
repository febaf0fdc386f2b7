// Draws pictures that are made of others: source over destination in premultiplied bytes, other ways of
// mixing in straight colours.

import ArchiveTools
import CatalogModel

/// What lies in a canvas: premultiplied blue, green, red and alpha, row after row without gaps.
struct CompositionCanvas {
  let width: Int
  let height: Int
  private(set) var pixels: [UInt8]

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    pixels = [UInt8](repeating: 0, count: width * height * 4)
  }

  /// Fills it all.
  mutating func fill(_ paint: CompositionPaint) {
    for y in 0..<height {
      for x in 0..<width {
        let color = paint.color(
          (Double(x) + 0.5) / Double(width), (Double(y) + 0.5) / Double(height))
        store(color, coverage: 1, at: (y * width + x) * 4)
      }
    }
  }

  private mutating func store(_ color: SIMD4<Double>, coverage: Double, at place: Int) {
    let alpha = color.w * coverage
    let channels = SIMD4(color.z * alpha, color.y * alpha, color.x * alpha, alpha)
    let bytes = channels.clamped(lowerBound: .zero, upperBound: .one) * 255 + 0.5
    for channel in 0..<4 { pixels[place + channel] = UInt8(bytes[channel]) }
  }

  /// Puts a picture of premultiplied bytes onto what is there.
  mutating func add(_ picture: Bitmap, _ layer: CompositionLayer) {
    guard let source = Straightened(picture, layer, canvas: (width, height)) else { return }
    if layer.shadow > 0 { addShadow(of: source, layer) }
    for y in 0..<picture.height {
      for x in 0..<picture.width {
        let (column, row) = (layer.x + x, layer.y + y)
        guard (0..<width).contains(column), (0..<height).contains(row) else { continue }
        let place = (row * width + column) * 4
        switch layer.blendMode {
        case .normal: over(source.pixel(x, y), at: place)
        default: mix(source.pixel(x, y), layer.blendMode, at: place)
        }
      }
    }
  }

  private mutating func over(_ source: SIMD4<UInt8>, at place: Int) {
    let rest = 255 - Int(source.w)
    if rest == 255 { return }
    for channel in 0..<4 {
      let below = (Int(pixels[place + channel]) * rest + 127) / 255
      pixels[place + channel] = UInt8(min(255, Int(source[channel]) + below))
    }
  }

  private mutating func mix(_ source: SIMD4<UInt8>, _ mode: IconBlendMode, at place: Int) {
    let above = Double(source.w) / 255
    let below = Double(pixels[place + 3]) / 255
    let alpha = above + below - above * below
    for channel in 0..<3 {
      let s = above > 0 ? Double(source[channel]) / 255 / above : 0
      let d = below > 0 ? Double(pixels[place + channel]) / 255 / below : 0
      let both = mode.mixed(d, s)
      let value = above * (1 - below) * s + below * (1 - above) * d + above * below * both
      pixels[place + channel] = UInt8(max(0, min(value, alpha)) * 255 + 0.5)
    }
    pixels[place + 3] = UInt8(alpha * 255 + 0.5)
  }

  /// A black copy, blurred and a little lower.
  private mutating func addShadow(of source: Straightened, _ layer: CompositionLayer) {
    let radius = max(1, width / 96)
    var alpha = [Double](repeating: 0, count: width * height)
    for y in 0..<source.height {
      for x in 0..<source.width {
        let (column, row) = (layer.x + x, layer.y + y + radius / 2)
        guard (0..<width).contains(column), (0..<height).contains(row) else { continue }
        alpha[row * width + column] = Double(source.pixel(x, y).w) / 255
      }
    }
    for _ in 0..<2 {
      alpha = blurred(alpha, radius, step: 1, count: width, lines: height, lineStep: width)
      alpha = blurred(alpha, radius, step: width, count: height, lines: width, lineStep: 1)
    }
    for place in 0..<width * height where alpha[place] > 0 {
      let shade = UInt8(min(1, alpha[place] * layer.shadow * 0.5) * 255 + 0.5)
      over(SIMD4(0, 0, 0, shade), at: place * 4)
    }
  }

  private func blurred(
    _ values: [Double], _ radius: Int, step: Int, count: Int, lines: Int, lineStep: Int
  ) -> [Double] {
    var result = values
    let share = 1 / Double(2 * radius + 1)
    for line in 0..<lines {
      let start = line * lineStep
      func value(_ place: Int) -> Double {
        (0..<count).contains(place) ? values[start + place * step] : 0
      }
      var sum = (-radius...radius).reduce(0) { $0 + value($1) }
      for place in 0..<count {
        result[start + place * step] = max(0, sum * share)
        sum += value(place + radius + 1) - value(place - radius)
      }
    }
    return result
  }

  /// Takes away what lies beside a plate.
  mutating func cut(to plate: RoundedPlate) {
    for y in 0..<height {
      for x in 0..<width {
        let covered = plate.coverage(x, y, of: width)
        if covered == 1 { continue }
        let place = (y * width + x) * 4
        for channel in 0..<4 {
          pixels[place + channel] = UInt8(Double(pixels[place + channel]) * covered + 0.5)
        }
      }
    }
  }

  /// Keeps the lightness alone.
  mutating func removeColor() {
    for place in stride(from: 0, to: pixels.count, by: 4) {
      let (b, g, r) = (Int(pixels[place]), Int(pixels[place + 1]), Int(pixels[place + 2]))
      let gray = UInt8((r * 2126 + g * 7152 + b * 722 + 5000) / 10_000)
      for channel in 0..<3 { pixels[place + channel] = gray }
    }
  }

  func bitmap() -> Bitmap {
    let stride = BitmapLayout.bgra8.bytesPerRow(width: width)
    var rows = [UInt8](repeating: 0, count: stride * height)
    var isOpaque = true
    var isGray = true
    for y in 0..<height {
      let start = y * width * 4
      rows.replaceSubrange(
        y * stride..<y * stride + width * 4, with: pixels[start..<start + width * 4])
    }
    for place in Swift.stride(from: 0, to: pixels.count, by: 4) {
      if pixels[place + 3] != 255 { isOpaque = false }
      if pixels[place] != pixels[place + 1] || pixels[place] != pixels[place + 2] { isGray = false }
    }
    return Bitmap(
      width: width, height: height, layout: .bgra8, isOpaque: isOpaque, isGray: isGray,
      pixels: rows)
  }
}

extension RoundedPlate {
  /// How much of a pixel is on the plate, from sixteen samples where its edge may be.
  fileprivate func coverage(_ x: Int, _ y: Int, of side: Int) -> Double {
    func isInside(_ px: Double, _ py: Double) -> Bool {
      let middle = Double(side) / 2
      let half = middle - inset
      let (dx, dy) = (abs(px - middle), abs(py - middle))
      if dx > half || dy > half { return false }
      let (cx, cy) = (dx - (half - radius), dy - (half - radius))
      return cx <= 0 || cy <= 0 || cx * cx + cy * cy <= radius * radius
    }
    let (left, top) = (Double(x), Double(y))
    let corners = [(0.0, 0.0), (1, 0), (0, 1), (1, 1)].map { isInside(left + $0, top + $1) }
    if corners.allSatisfy({ $0 }) { return 1 }
    var count = 0
    for row in 0..<4 {
      for column in 0..<4
      where isInside(left + (Double(column) + 0.5) / 4, top + (Double(row) + 0.5) / 4) {
        count += 1
      }
    }
    return Double(count) / 16
  }
}

/// The pixels of a layer with its opacity and paint, premultiplied.
private struct Straightened {
  let width: Int
  let height: Int
  private let picture: Bitmap
  private let layer: CompositionLayer
  private let canvas: (width: Int, height: Int)

  init?(_ picture: Bitmap, _ layer: CompositionLayer, canvas: (Int, Int)) {
    guard picture.layout == .bgra8 else { return nil }
    width = picture.width
    height = picture.height
    self.picture = picture
    self.layer = layer
    self.canvas = canvas
  }

  func pixel(_ x: Int, _ y: Int) -> SIMD4<UInt8> {
    let place = y * picture.bytesPerRow + x * 4
    var pixel = SIMD4(
      picture.pixels[place], picture.pixels[place + 1], picture.pixels[place + 2],
      picture.pixels[place + 3])
    if let paint = layer.paint {
      let color = paint.color(
        (Double(layer.x + x) + 0.5) / Double(canvas.width),
        (Double(layer.y + y) + 0.5) / Double(canvas.height))
      let alpha = Double(pixel.w) * color.w
      pixel = SIMD4(
        UInt8(color.z * alpha + 0.5), UInt8(color.y * alpha + 0.5), UInt8(color.x * alpha + 0.5),
        UInt8(alpha + 0.5))
    }
    if layer.opacity < 1 {
      for channel in 0..<4 { pixel[channel] = UInt8(Double(pixel[channel]) * layer.opacity + 0.5) }
    }
    return pixel
  }
}

extension IconBlendMode {
  /// Two channels mixed where both pictures are opaque. Modes of all three channels at once mix as the
  /// normal one.
  fileprivate func mixed(_ d: Double, _ s: Double) -> Double {
    switch self {
    case .normal, .hue, .saturation, .color, .luminosity: s
    case .multiply: d * s
    case .screen: d + s - d * s
    case .overlay: IconBlendMode.hardLight.mixed(s, d)
    case .darken: min(d, s)
    case .lighten: max(d, s)
    case .colorDodge: d == 0 ? 0 : s >= 1 ? 1 : min(1, d / (1 - s))
    case .colorBurn: d >= 1 ? 1 : s <= 0 ? 0 : 1 - min(1, (1 - d) / s)
    case .hardLight: s <= 0.5 ? 2 * d * s : d + (2 * s - 1) - d * (2 * s - 1)
    case .softLight:
      s <= 0.5
        ? d - (1 - 2 * s) * d * (1 - d)
        : d + (2 * s - 1) * ((d <= 0.25 ? ((16 * d - 12) * d + 4) * d : d.squareRoot()) - d)
    case .difference: abs(d - s)
    case .exclusion: d + s - 2 * d * s
    case .plusDarker: max(0, d + s - 1)
    case .plusLighter: min(1, d + s)
    }
  }
}
