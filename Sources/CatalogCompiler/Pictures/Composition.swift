// Pictures that are made from several files: the layers and their places in whole pixels, and how
// they are drawn. The normal mode is source over destination in premultiplied bytes; the other
// blend modes compute with straight colours. Shadows and the shape of the canvas are at the end.

import CatalogModel
import Colors
import Imaging

/// Layers from the back to the front, on a transparent canvas.
package struct Composition: Sendable, Hashable {
  package var width: Int
  package var height: Int
  package var background: CompositionPaint?
  package var layers: [CompositionLayer] = []
  /// The shape to which the canvas is cut; nil for the whole canvas.
  package var plate: RoundedPlate?
  /// Whether the colours are replaced by their lightness.
  package var isGray = false

  /// The limit for the number of layers. Icon Composer makes four groups with a few layers each.
  static let mostLayers = 128

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// The pixels for each unit of a vector's page: the scale of the bitmap divided by the scale of the
/// slot that has the file.
package struct DrawingScale: Sendable, Hashable {
  package var bitmap: UInt8
  package var slot: UInt8

  package var factor: Double { Double(bitmap) / Double(slot) }
}

package struct CompositionLayer: Sendable, Hashable {
  package var file: SourceFile
  package var x: Int
  package var y: Int
  package var width: Int
  package var height: Int
  /// The scale at which a vector with a size of its own is drawn.
  package var drawing: DrawingScale?
  package var opacity = 1.0
  package var blendMode = IconBlendMode.normal
  /// The paint that replaces the colours of the picture.
  package var paint: CompositionPaint?
  /// The opacity of the shadow below the layer.
  package var shadow = 0.0

  package init(_ file: SourceFile, x: Int, y: Int, width: Int, height: Int) {
    self.file = file
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}

/// A square with round corners in the middle of the canvas, in pixels.
package struct RoundedPlate: Sendable, Hashable {
  package var inset: Double
  package var radius: Double
}

/// A colour, or a gradient between two points, whose coordinates are fractions of the canvas. The
/// colours are sRGB and not premultiplied.
package struct CompositionPaint: Sendable, Hashable {
  package var colors: [SIMD4<Double>]
  package var start: IconPoint
  package var stop: IconPoint

  /// Creates the paint of a fill; nil if the fill paints nothing.
  package init?(_ fill: IconFill) {
    (start, stop) = (IconFill.top, IconFill.bottom)
    switch fill {
    case .none, .automatic: return nil
    case .solid(let color): colors = [color.inSRGB]
    case .systemLight: colors = [SIMD4(1, 1, 1, 1), SIMD4(0.925, 0.925, 0.925, 1)]
    case .systemDark: colors = [SIMD4(0.192, 0.192, 0.192, 1), SIMD4(0.078, 0.078, 0.078, 1)]
    case .automaticGradient(let color):
      // The second colour that the system uses is not known. This one is a little lighter, at the
      // top.
      let own = color.inSRGB
      var light = own + (SIMD4(repeating: 1) - own) * 0.15
      light.w = own.w
      colors = [light, own]
    case .linearGradient(let all, let start, let stop):
      colors = all.map(\.inSRGB)
      (self.start, self.stop) = (start, stop)
    }
  }

  /// Whether two pixels of one row can have different colours.
  var changesInRows: Bool { colors.count > 1 && start.x != stop.x }

  /// Returns the colour at a point, whose coordinates are fractions of the canvas.
  func color(_ x: Double, _ y: Double) -> SIMD4<Double> {
    guard colors.count > 1 else { return colors.first ?? SIMD4(repeating: 0) }
    let (dx, dy) = (stop.x - start.x, stop.y - start.y)
    let length = dx * dx + dy * dy
    let share = length > 0 ? ((x - start.x) * dx + (y - start.y) * dy) / length : 0
    let place = max(0, min(share, 1)) * Double(colors.count - 1)
    let first = min(Int(place), colors.count - 2)
    return colors[first] + (colors[first + 1] - colors[first]) * (place - Double(first))
  }
}

extension IconColor {
  /// The colour in sRGB. Values outside of sRGB are clipped.
  fileprivate var inSRGB: SIMD4<Double> {
    let gray = space.isGray
    var color = SIMD4(
      components[0], components[gray ? 0 : 1], components[gray ? 0 : 2], components[gray ? 1 : 3])
    if space == .displayP3 {
      let r = lightOfSRGB(color.x)
      let g = lightOfSRGB(color.y)
      let b = lightOfSRGB(color.z)
      color.x = sRGBOfLight(max(0, 1.224_940_2 * r - 0.224_940_2 * g))
      color.y = sRGBOfLight(max(0, -0.042_056_95 * r + 1.042_056_95 * g))
      color.z = sRGBOfLight(max(0, -0.019_637_55 * r - 0.078_636_05 * g + 1.098_273_6 * b))
    }
    return color.clamped(lowerBound: SIMD4(repeating: 0), upperBound: SIMD4(repeating: 1))
  }
}

/// The pixels of a canvas: premultiplied blue, green, red and alpha, in rows without padding.
struct CompositionCanvas {
  let width: Int
  let height: Int
  var pixels: [UInt8]

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    pixels = [UInt8](repeating: 0, count: width * height * 4)
  }

  /// Fills the whole canvas.
  mutating func fill(_ paint: CompositionPaint) {
    let (width, height) = (width, height)
    let changesInRows = paint.changesInRows
    pixels.withUnsafeMutableBytes { pixels in
      for y in 0..<height {
        let colors = RowColors(paint, y: y, width: width, height: height)
        var color = SIMD4<UInt8>(straight: colors.color(0))
        for x in 0..<width {
          if changesInRows { color = SIMD4(straight: colors.color(x)) }
          pixels.storeBytes(of: color, toByteOffset: (y * width + x) * 4, as: SIMD4<UInt8>.self)
        }
      }
    }
  }

  /// Draws a picture with premultiplied bytes over the canvas.
  mutating func add(_ picture: Bitmap, _ layer: CompositionLayer) {
    guard picture.layout == .bgra8 else { return }
    let painted = PaintedLayer(picture, layer, width: width, height: height)
    if layer.shadow > 0 { addShadow(of: painted) }
    pixels.withUnsafeMutableBytes { pixels in
      painted.forEachPixel { place, above in
        let below = pixels.loadUnaligned(fromByteOffset: place * 4, as: SIMD4<UInt8>.self)
        let both =
          layer.blendMode == .normal
          ? above.over(below) : above.mixed(with: below, layer.blendMode)
        pixels.storeBytes(of: both, toByteOffset: place * 4, as: SIMD4<UInt8>.self)
      }
    }
  }

  /// Replaces the colours by their lightness.
  mutating func removeColor() {
    pixels.withUnsafeMutableBytes { pixels in
      for place in stride(from: 0, to: pixels.count, by: 4) {
        let (b, g, r) = (Int(pixels[place]), Int(pixels[place + 1]), Int(pixels[place + 2]))
        let gray = UInt8((r * 2126 + g * 7152 + b * 722 + 5000) / 10_000)
        for channel in 0..<3 { pixels[place + channel] = gray }
      }
    }
  }

  func bitmap() -> Bitmap {
    let stride = BitmapLayout.bgra8.bytesPerRow(width: width)
    var rows = [UInt8](repeating: 0, count: stride * height)
    for y in 0..<height {
      let start = y * width * 4
      rows.replaceSubrange(
        y * stride..<y * stride + width * 4, with: pixels[start..<start + width * 4])
    }
    return Bitmap(surveying: rows, width: width, height: height)
  }
}

extension SIMD4<UInt8> {
  /// Creates the pixel of a colour as a canvas stores it.
  fileprivate init(straight color: SIMD4<Double>) {
    let alpha = color.w
    let channels = SIMD4<Double>(color.z * alpha, color.y * alpha, color.x * alpha, alpha)
    let bytes = channels.clamped(lowerBound: .zero, upperBound: .one) * 255 + 0.5
    self.init(UInt8(bytes.x), UInt8(bytes.y), UInt8(bytes.z), UInt8(bytes.w))
  }

  /// Returns this pixel over another premultiplied pixel.
  @inline(__always)
  func over(_ below: SIMD4<UInt8>) -> SIMD4<UInt8> {
    let rest = 255 - UInt32(w)
    if rest == 255 { return below }
    if rest == 0 { return self }
    // Division by 255, as a multiplication that is exact for 16 bits.
    let parts = SIMD4<UInt32>(truncatingIfNeeded: below) &* rest &+ 127
    let shining = (parts &* 0x8081) &>> 23
    let both = SIMD4<UInt32>(truncatingIfNeeded: self) &+ shining
    return SIMD4(truncatingIfNeeded: pointwiseMin(both, SIMD4<UInt32>(repeating: 255)))
  }

  /// Returns a colour with the alpha of this pixel.
  fileprivate func painted(_ color: SIMD4<Double>) -> SIMD4<UInt8> {
    let alpha = Double(w) * color.w
    return SIMD4(
      UInt8(color.z * alpha + 0.5), UInt8(color.y * alpha + 0.5), UInt8(color.x * alpha + 0.5),
      UInt8(alpha + 0.5))
  }

  /// Returns this pixel mixed with the premultiplied pixel below, in a blend mode.
  fileprivate func mixed(with below: SIMD4<UInt8>, _ mode: IconBlendMode) -> SIMD4<UInt8> {
    let (sourceAlpha, alphaBelow) = (Double(w) / 255, Double(below.w) / 255)
    let alpha = sourceAlpha + alphaBelow - sourceAlpha * alphaBelow
    var both = self
    for channel in 0..<3 {
      let s = sourceAlpha > 0 ? Double(self[channel]) / 255 / sourceAlpha : 0
      let d = alphaBelow > 0 ? Double(below[channel]) / 255 / alphaBelow : 0
      let value =
        sourceAlpha * (1 - alphaBelow) * s + alphaBelow * (1 - sourceAlpha) * d
        + sourceAlpha * alphaBelow * mode.mixed(d, s)
      both[channel] = UInt8(Swift.max(0, Swift.min(value, alpha)) * 255 + 0.5)
    }
    both.w = UInt8(alpha * 255 + 0.5)
    return both
  }
}

/// The colours of a paint in one row of a canvas.
private struct RowColors {
  private let paint: CompositionPaint
  private let y: Double
  private let width: Double
  /// The colour of the row; nil if it changes in the row.
  private let only: SIMD4<Double>?

  init(_ paint: CompositionPaint, y: Int, width: Int, height: Int) {
    self.paint = paint
    self.y = (Double(y) + 0.5) / Double(height)
    self.width = Double(width)
    only = paint.changesInRows ? nil : paint.color(0, self.y)
  }

  func color(_ x: Int) -> SIMD4<Double> {
    if let only { return only }
    return paint.color((Double(x) + 0.5) / width, y)
  }
}

/// A picture with the paint and the opacity of its layer, at its place on a canvas.
struct PaintedLayer {
  let layer: CompositionLayer
  private let picture: Bitmap
  private let width: Int
  private let height: Int

  /// Creates the layer for a canvas of this size.
  init(_ picture: Bitmap, _ layer: CompositionLayer, width: Int, height: Int) {
    self.picture = picture
    self.layer = layer
    self.width = width
    self.height = height
  }

  /// Calls `body` with each pixel on the canvas and its index there. `down` moves the layer
  /// downwards.
  @inline(__always)
  func forEachPixel(down: Int = 0, _ body: (Int, SIMD4<UInt8>) -> Void) {
    let columns = (0..<picture.width).clamped(to: -layer.x..<max(-layer.x, width - layer.x))
    let opacity = layer.opacity
    picture.pixels.withUnsafeBytes { pixels in
      for y in 0..<picture.height where (0..<height).contains(layer.y + y + down) {
        let colors = layer.paint.map {
          RowColors($0, y: layer.y + y, width: width, height: height)
        }
        let start = (layer.y + y + down) * width + layer.x
        for x in columns {
          var pixel = pixels.loadUnaligned(
            fromByteOffset: y * picture.bytesPerRow + x * 4, as: SIMD4<UInt8>.self)
          if let colors { pixel = pixel.painted(colors.color(layer.x + x)) }
          if opacity < 1 {
            for channel in 0..<4 {
              pixel[channel] = UInt8(Double(pixel[channel]) * opacity + 0.5)
            }
          }
          body(start + x, pixel)
        }
      }
    }
  }
}

extension IconBlendMode {
  /// Returns the mixture of two channels of opaque pictures: `d` is below, `s` above. Modes that
  /// depend on all three channels are drawn as the normal mode.
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

extension CompositionCanvas {
  /// Draws the shadow of a layer: a black, blurred copy of it, a little lower.
  mutating func addShadow(of painted: PaintedLayer) {
    let radius = max(1, width / 96)
    var shape = Shape(width: width, height: height)
    painted.forEachPixel(down: radius / 2) { shape.covered[$0] = Double($1.w) / 255 }
    for _ in 0..<2 {
      shape.blurRows(radius)
      shape.blurColumns(radius)
    }
    pixels.withUnsafeMutableBytes { pixels in
      for place in shape.covered.indices where shape.covered[place] > 0 {
        let shade = UInt8(min(1, shape.covered[place] * painted.layer.shadow * 0.5) * 255 + 0.5)
        let below = pixels.loadUnaligned(fromByteOffset: place * 4, as: SIMD4<UInt8>.self)
        pixels.storeBytes(
          of: SIMD4(0, 0, 0, shade).over(below), toByteOffset: place * 4, as: SIMD4<UInt8>.self)
      }
    }
  }

  /// Removes the pixels outside of a plate.
  mutating func cut(to plate: RoundedPlate) {
    let (width, height) = (width, height)
    pixels.withUnsafeMutableBytes { pixels in
      var upper = plate.corners(ofRow: 0, of: width)
      for y in 0..<height {
        let lower = plate.corners(ofRow: y + 1, of: width)
        for x in 0..<width {
          // A plate has no dents, so a pixel whose four corners are on the plate is completely on
          // it.
          if upper[x] && upper[x + 1] && lower[x] && lower[x + 1] { continue }
          let covered = plate.coverage(x, y, of: width)
          let place = (y * width + x) * 4
          for channel in place..<place + 4 {
            pixels[channel] = UInt8(Double(pixels[channel]) * covered + 0.5)
          }
        }
        upper = lower
      }
    }
  }
}

extension RoundedPlate {
  fileprivate func contains(_ x: Double, _ y: Double, of side: Int) -> Bool {
    let middle = Double(side) / 2
    let half = middle - inset
    let (dx, dy) = (abs(x - middle), abs(y - middle))
    if dx > half || dy > half { return false }
    let (cx, cy) = (dx - (half - radius), dy - (half - radius))
    return cx <= 0 || cy <= 0 || cx * cx + cy * cy <= radius * radius
  }

  /// Returns, for each corner on the upper edge of a row of pixels, whether it is on the plate.
  fileprivate func corners(ofRow y: Int, of side: Int) -> [Bool] {
    (0...side).map { contains(Double($0), Double(y), of: side) }
  }

  /// Returns the share of a pixel that is on the plate, from sixteen samples.
  fileprivate func coverage(_ x: Int, _ y: Int, of side: Int) -> Double {
    let (left, top) = (Double(x), Double(y))
    let middle = Double(side) / 2
    let beside = max(left - middle, middle - left - 1, top - middle, middle - top - 1)
    if beside > middle - inset { return 0 }
    var count = 0
    for row in 0..<4 {
      for column in 0..<4
      where contains(
        left + (Double(column) + 0.5) / 4, top + (Double(row) + 0.5) / 4, of: side)
      {
        count += 1
      }
    }
    return Double(count) / 16
  }
}

/// The share of each pixel of a canvas that is covered, from 0 to 1.
private struct Shape {
  let width: Int
  let height: Int
  var covered: [Double]
  /// The values that the next step fills.
  private var blurred: [Double]

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    covered = [Double](repeating: 0, count: width * height)
    blurred = covered
  }

  /// Replaces each value by the mean of its neighbours, `radius` to the left and to the right.
  mutating func blurRows(_ radius: Int) {
    let share = 1 / Double(2 * radius + 1)
    var line = [Double](repeating: 0, count: width + 2 * radius + 1)
    for start in stride(from: 0, to: covered.count, by: width) {
      line.replaceSubrange(radius..<radius + width, with: covered[start..<start + width])
      var sum = line[...(2 * radius)].reduce(0, +)
      for place in 0..<width {
        covered[start + place] = max(0, sum * share)
        sum += line[place + 2 * radius + 1] - line[place]
      }
    }
  }

  /// Replaces each value by the mean of its neighbours, `radius` up and down. Adds whole rows,
  /// because rows are contiguous in memory.
  mutating func blurColumns(_ radius: Int) {
    let share = 1 / Double(2 * radius + 1)
    var sums = [Double](repeating: 0, count: width)
    for row in 0...min(radius, height - 1) {
      for x in 0..<width { sums[x] += covered[row * width + x] }
    }
    for y in 0..<height {
      for x in 0..<width { blurred[y * width + x] = max(0, sums[x] * share) }
      let (above, below) = (y - radius, y + radius + 1)
      for x in 0..<width {
        let comes = below < height ? covered[below * width + x] : 0
        let goes = above >= 0 ? covered[above * width + x] : 0
        sums[x] += comes - goes
      }
    }
    swap(&covered, &blurred)
  }
}
