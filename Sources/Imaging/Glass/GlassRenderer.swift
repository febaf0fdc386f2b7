// Draws a layered icon as Apple's tool draws it for systems that show no layers: the background,
// the groups with their glass, the rim, the plate and its shadow. All colours are mixed as encoded
// values, which may leave 0…1 until the end. GlassLayers draws the groups.

import Bytes
import CRows
import Colors
import Vectors

/// Draws one icon at one size after another.
package struct GlassRenderer: Sendable {
  package let icon: GlassIcon
  package let pictures: [GlassPicture]
  /// The bitmaps that were drawn, by their sides, up to the largest usual size.
  private var made: [Int: Bitmap] = [:]

  private static let largestKept = 1024

  /// Creates a renderer. `pictures` are those that the layers name by number.
  package init(_ icon: GlassIcon, pictures: [GlassPicture]) {
    self.icon = icon
    self.pictures = pictures
  }

  /// Returns the bytes that drawing a bitmap takes: the colours, a layer and its distances, the
  /// layers below it, what was below the group, and surfaces of vectors or a scaled picture.
  package static func memory(side: Int) -> Int { 160 * side * side }

  /// Draws the icon in a square of premultiplied sRGB. Tables of icons have several sizes twice, so
  /// bitmaps are kept.
  package mutating func bitmap(
    side: Int, _ rasterizer: inout Rasterizer
  ) throws(VectorError) -> Bitmap {
    if let known = made[side] { return known }
    let bitmap = try drawn(side: side, &rasterizer)
    if side <= GlassRenderer.largestKept { made[side] = bitmap }
    return bitmap
  }

  private func drawn(
    side: Int, _ rasterizer: inout Rasterizer
  ) throws(VectorError) -> Bitmap {
    rasterizer.shared = budget(side: side)
    defer { rasterizer.shared = nil }
    let plate = PlatePlace(icon.plate, bitmap: side)
    var canvas = GlassCanvas(
      side: side, plate: plate, measures: GlassMeasures(side: side), background: icon.background)
    var scaled = ScaledPictures(pictures)
    for group in icon.groups {
      try canvas.add(group, &scaled, icon, &rasterizer)
    }
    return canvas.bitmap(icon)
  }

  /// Returns the budget for drawing a bitmap. The pixels of each sixteenth layer count as those of
  /// a further bitmap.
  private func budget(side: Int) -> SharedBudget {
    let budget = SharedBudget(pixels: side * side * (1 + icon.layerCount / 16))
    for case .vector(let vector) in pictures { budget.countFile(vector.spending) }
    return budget
  }
}

/// The colours of the plate's square, premultiplied.
struct GlassCanvas {
  /// The side of the bitmap in pixels.
  let side: Int
  let plate: PlatePlace
  let measures: GlassMeasures
  /// The colours of the plate's pixels, row by row.
  var colors: [GlassColor]

  init(side: Int, plate: PlatePlace, measures: GlassMeasures, background: GlassPaint?) {
    self.side = side
    self.plate = plate
    self.measures = measures
    let stops = background?.backgroundStops ?? []
    let width = plate.side
    colors = [GlassColor](unsafeUninitializedCapacity: width * width) { colors, made in
      for y in 0..<width {
        var color = stops.color(at: (Float(y) + 0.5) / Float(width))
        color = GlassColor(color.x, color.y, color.z, 1) * color.w
        for x in 0..<width { colors[y * width + x] = color }
      }
      made = width * width
    }
  }

  /// Draws the rim, cuts the plate and adds its shadow.
  func bitmap(_ icon: GlassIcon) -> Bitmap {
    let stride = BitmapLayout.bgra8.bytesPerRow(width: side)
    var pixels = [UInt8](repeating: 0, count: stride * side)
    let rim = PlateRim(icon, measures, plate)
    let field = PlateField(side: plate.side, reach: max(rim.reach, 1) + 1)
    let (isMac, isGray) = (icon.plate == .mac, icon.isGray)
    // The colours of a row near the edge; those outside of the plate stay zero.
    var row = [GlassColor](repeating: .zero, count: plate.side)
    pixels.withUnsafeMutableBytes { pixels in
      for y in 0..<plate.side {
        // Farther inside, nothing changes a colour.
        let inner = isGray ? plate.side..<plate.side : field.inner(row: y)
        let edges = [0..<inner.lowerBound, inner.upperBound..<plate.side]
        let first = y * plate.side
        for x in edges.joined() {
          let distance = field[x, y]
          let covered = isMac ? clip(distance + 0.5) : 1
          var color = colors[first + x]
          if distance < rim.reach, distance > -1 { color = rim.lit(color, distance, x + y) }
          color *= covered
          row[x] = isGray ? color.gray : color
        }
        let start = (y + plate.origin) * stride + plate.origin * 4
        for columns in edges { pixels.store(row[columns], start + 4 * columns.lowerBound) }
        pixels.store(
          colors[first + inner.lowerBound..<first + inner.upperBound], start + 4 * inner.lowerBound)
      }
      if isMac { addShadow(to: pixels, stride: stride) }
    }
    return Bitmap(surveying: pixels, width: side, height: side)
  }

  /// Adds the shadow of the plate below all pixels. It is black, so only their alpha changes.
  private func addShadow(to pixels: UnsafeMutableRawBufferPointer, stride: Int) {
    let unit = Float(side) / 1024
    let factor = max(1, side / 256)
    let small = (side + factor - 1) / factor
    let share = 1 / Float(255 * factor * factor)
    var shape = Plane(width: small, height: small)
    guard let base = pixels.baseAddress else { return }
    func row(_ y: Int) -> UnsafeMutablePointer<UInt32> {
      (base + y * stride).assumingMemoryBound(to: UInt32.self)
    }
    var sums = [UInt32](repeating: 0, count: small)
    for y in 0..<side {
      let row = row(y)
      for column in 0..<small {
        for x in column &* factor..<min((column &+ 1) &* factor, side) {
          sums[column] &+= row[x].littleEndian &>> 24
        }
      }
      if (y + 1) % factor != 0, y + 1 < side { continue }
      for column in 0..<small {
        shape.values[y / factor * small + column] = Float(sums[column]) * share
        sums[column] = 0
      }
    }
    shape.blur(measures.plateBlur * unit / Float(factor))
    let columns = MagnifiedColumns(count: side, of: small, by: factor, moved: 0)
    var shade = [Float](repeating: 0, count: side)
    for y in 0..<side {
      let above = (Float(y) + 0.5 - measures.plateFall * unit) / Float(factor) - 0.5
      guard shape.magnify(row: above, columns, into: &shade) else { continue }
      let pixels = row(y)
      for x in 0..<side {
        let pixel = pixels[x].littleEndian
        if pixel >= 0xff00_0000 { continue }
        let covered = Float(pixel &>> 24) / 255
        let alpha = byte(covered + (1 - covered) * (shade[x] * measures.plateShade), atMost: 1)
        pixels[x] = (pixel & 0xff_ffff | UInt32(alpha) &<< 24).littleEndian
      }
    }
  }
}

/// The light on the rim of a plate.
private struct PlateRim {
  /// The distance in pixels up to which the rim changes colours; negative if it is not drawn.
  let reach: Float
  private let width: Float
  private let strength: Float
  /// The strength by the sum of column and row.
  private let light: [Float]
  /// The distance at which the white line of a dark plate ends; 0 if it has none.
  private let lineEnd: Float

  init(_ icon: GlassIcon, _ measures: GlassMeasures, _ plate: PlatePlace) {
    width = measures.rimWidth * plate.unit
    strength = measures.rimStrength
    light = RimLight.strengths(side: plate.side)
    lineEnd = icon.background?.isDark == true ? measures.lineWidth + 0.5 : 0
    reach = icon.hasGlass && icon.background != nil ? max(width, lineEnd) : -.infinity
  }

  @inline(__always)
  func lit(_ color: GlassColor, _ distance: Float, _ sum: Int) -> GlassColor {
    let near = clip(1 - distance / width) * strength
    let white = GlassColor(repeating: 1)
    var bright = white.over(color, near * light[sum]) + near * 0.08
    if lineEnd > 0 {
      bright = white.over(bright.clipped, 0.14 * clip(lineEnd - max(0, distance)))
    }
    bright.w = color.w
    return bright
  }
}

extension GlassColor {
  /// The grey of the colour's brightness.
  fileprivate var gray: GlassColor {
    let gray = 0.2126 * x + 0.7152 * y + 0.0722 * z
    return GlassColor(gray, gray, gray, w)
  }
}

extension UnsafeMutableRawBufferPointer {
  /// Stores premultiplied colours as pixels, from an offset on.
  fileprivate func store(_ colors: ArraySlice<GlassColor>, _ offset: Int) {
    if colors.isEmpty { return }
    let target = UnsafeMutableRawBufferPointer(rebasing: self[offset..<offset + 4 * colors.count])
    colors.withUnsafeBytes { colors in
      carve_store_colors(
        colors.assumingMemoryBound(to: Float.self).baseAddress, colors.count / 16,
        target.assumingMemoryBound(to: UInt8.self).baseAddress)
    }
  }
}
