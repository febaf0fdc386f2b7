// Draws compositions: source over destination in premultiplied bytes, and the other blend modes in
// straight colours. CompositionEffects.swift draws shadows and cuts plates.

import CatalogModel
import Imaging

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
    var isOpaque = true
    var isGray = true
    pixels.withUnsafeBytes { pixels in
      for place in Swift.stride(from: 0, to: pixels.count, by: 4) {
        let pixel = pixels.loadUnaligned(fromByteOffset: place, as: SIMD4<UInt8>.self)
        if pixel.w != 255 { isOpaque = false }
        if pixel.x != pixel.y || pixel.x != pixel.z { isGray = false }
      }
    }
    return Bitmap(
      width: width, height: height, layout: .bgra8, isOpaque: isOpaque, isGray: isGray,
      pixels: rows)
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
