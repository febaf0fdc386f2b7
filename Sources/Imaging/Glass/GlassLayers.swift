// Draws the groups of a layered icon: shadows, translucency, the ring and the light at the edge of
// glass.

import Vectors

/// A layer of a group that shows something on the canvas.
private struct ShownLayer {
  var layer: GlassLayer
  var frame: GlassFrame
  var isVector: Bool
}

/// A layer, or all layers of a group that are one piece of glass, ready to be mixed.
private struct GlassPiece {
  var pixels: GlassLayerPixels
  var opacity: Float
  var isGlass: Bool
}

/// The rows between which the opacity of glass falls, in pixels of the bitmap.
private struct GlassSpan {
  var top: Float
  var height: Float
}

extension GlassCanvas {
  /// Draws a group over the canvas. One layer after the other is drawn and mixed, so that the
  /// memory does not grow with their number.
  mutating func add(
    _ group: GlassGroup, _ scaled: inout ScaledPictures, _ icon: GlassIcon,
    _ rasterizer: inout Rasterizer
  ) throws(VectorError) {
    guard group.opacity > 0 else { return }
    let shown = shownLayers(of: group, scaled.pictures)
    let isOnePiece =
      group.isLitTogether && shown.count > 1 && shown.contains { $0.layer.isGlass }
    let span = isOnePiece ? GlassCanvas.span(ofAll: shown) : GlassCanvas.span(of: shown)
    let unit = Float(plate.side) / 1024
    let rows = GlassSpan(top: Float(plate.origin) + span.top * unit, height: span.height * unit)
    // A single piece has nothing of its group below it.
    let backdrop = shown.count > 1 && !isOnePiece ? colors : nil
    // A blend mode of a layer acts on the layers below it in the group, not on what is below the
    // group.
    let lastMixed = shown.lastIndex { $0.layer.blend != .normal } ?? 0
    var below = GlassLayerPixels.empty
    for (index, own) in shown.enumerated() {
      var pixels = try scaled.pixels(of: own.layer, own.frame, side: side, &rasterizer)
      if index > 0, own.layer.blend != .normal { pixels.mix(with: below, own.layer.blend) }
      if isOnePiece || index < lastMixed { below.add(pixels, opacity: own.layer.opacity) }
      if isOnePiece { continue }
      let piece = GlassPiece(
        pixels: pixels, opacity: own.layer.opacity, isGlass: own.layer.isGlass)
      add(piece, of: group, over: backdrop, rows, hasGlass: icon.hasGlass)
    }
    if isOnePiece {
      let piece = GlassPiece(pixels: below, opacity: 1, isGlass: true)
      add(piece, of: group, over: nil, rows, hasGlass: icon.hasGlass)
    }
  }

  private func shownLayers(of group: GlassGroup, _ pictures: [GlassPicture]) -> [ShownLayer] {
    group.layers.compactMap { layer in
      guard layer.opacity > 0, pictures.indices.contains(layer.picture) else { return nil }
      let frame = GlassFrame(layer, plate, shrinking: measures.shrinking)
      guard frame.isShown(side: side) else { return nil }
      var isVector = false
      if case .vector = pictures[layer.picture] { isVector = true }
      return ShownLayer(layer: layer, frame: frame, isVector: isVector)
    }
  }

  /// The span of the frames of a group's glass layers. If all are vectors, it ends at the canvas.
  private static func span(of shown: [ShownLayer]) -> GlassSpan {
    let glass = shown.filter { $0.layer.isGlass }
    var span = span(ofAll: glass.isEmpty ? shown : glass)
    if glass.allSatisfy({ $0.isVector }) {
      let bottom = min(1024, span.top + span.height)
      span.top = max(0, span.top)
      span.height = bottom - span.top
    }
    return span
  }

  private static func span(ofAll shown: [ShownLayer]) -> GlassSpan {
    let top = shown.map { $0.layer.y }.min() ?? 0
    let bottom = shown.map { $0.layer.y + $0.layer.height }.max() ?? 1024
    return GlassSpan(top: Float(top), height: Float(bottom - top))
  }

  // MARK: One piece

  /// Draws a piece. `backdrop` is what was below its group; nil if that is the canvas.
  private mutating func add(
    _ piece: GlassPiece, of group: GlassGroup, over backdrop: [GlassColor]?, _ rows: GlassSpan,
    hasGlass: Bool
  ) {
    let opacity = piece.opacity * group.opacity
    var behind = backdrop
    if hasGlass, group.shadow != .none, group.shadowOpacity > 0 {
      let shadow = GlassShadowPlanes(
        piece.pixels, side: side, isColored: group.shadow == .layerColor, unit: plate.unit,
        isMoved: plate.origin > 0)
      let strength = group.shadow == .layerColor ? 0.52 : measures.layerShade
      shadow.subtract(strength * group.shadowOpacity * opacity, from: &colors, plate)
      if var below = behind {
        // With one reference to the array, it is changed in place.
        behind = nil
        shadow.subtract(strength * group.shadowOpacity * opacity, from: &below, plate)
        behind = below
      }
    }
    let pixels = piece.pixels
    let (columns, lines) = pixels.part(on: plate)
    // A layer beside the plate shows nothing but its shadow.
    guard !columns.isEmpty, !lines.isEmpty else { return }
    let edge = hasGlass && piece.isGlass ? GlassEdge(pixels, plate, columns, lines) : nil
    let shade = GlassShade(group, measures, plate.unit)
    let width = plate.side
    colors.withUnsafeMutableBufferPointer { colors in
      let behind = behind ?? []
      behind.withUnsafeBufferPointer { behind in
        pixels.pixels.withUnsafeBufferPointer { own in
          for y in lines {
            let clearness = shade.clearness(at: (Float(y) + 0.5 - rows.top) / rows.height)
            let start = (y - plate.origin) * width - plate.origin
            let first = (y - pixels.y) * pixels.width - pixels.x
            for x in columns {
              let pixel = own[first + x]
              if pixel.w == 0 { continue }
              let below = colors[start + x]
              var color = GlassColor(pixel.x, pixel.y, pixel.z, 1)
              if let edge {
                color = shade.lit(
                  color, behind.isEmpty ? below : behind[start + x], clearness: clearness, edge,
                  x - columns.lowerBound, y - lines.lowerBound)
              }
              if group.blend != .normal { color = group.blend.mixed(below, color) }
              colors[start + x] = color.over(below, pixel.w * opacity)
            }
          }
        }
      }
    }
  }
}

extension GlassLayerPixels {
  /// Returns the columns and rows of the canvas that lie on the plate.
  fileprivate func part(on plate: PlatePlace) -> (columns: Range<Int>, rows: Range<Int>) {
    let whole = plate.origin..<plate.origin + plate.side
    return ((x..<x + width).clamped(to: whole), (y..<y + height).clamped(to: whole))
  }

  /// Draws other pixels over these, after making room for them.
  fileprivate mutating func add(_ other: GlassLayerPixels, opacity: Float) {
    makeRoom(for: other)
    for row in 0..<other.height {
      for column in 0..<other.width {
        let above = other.pixels[row * other.width + column]
        let alpha = above.w * opacity
        if alpha == 0 { continue }
        let at = (row + other.y - y) * width + column + other.x - x
        let below = pixels[at]
        let all = alpha + below.w - alpha * below.w
        var color = (above * alpha + below * (below.w * (1 - alpha))) / all
        color.w = all
        pixels[at] = color
      }
    }
  }

  /// Extends the rectangle so that it contains another one.
  private mutating func makeRoom(for other: GlassLayerPixels) {
    let (left, top) = isEmpty ? (other.x, other.y) : (min(x, other.x), min(y, other.y))
    let (right, bottom) = (
      max(x + width, other.x + other.width), max(y + height, other.y + other.height)
    )
    if left == x, top == y, right == x + width, bottom == y + height { return }
    var larger = GlassLayerPixels(
      x: left, y: top, width: right - left, height: bottom - top, pixels: [])
    larger.pixels = [GlassColor](repeating: .zero, count: larger.width * larger.height)
    for row in 0..<height {
      let target = (row + y - top) * larger.width + x - left
      for column in 0..<width { larger.pixels[target + column] = pixels[row * width + column] }
    }
    self = larger
  }

  /// Mixes the colours with those below, in a blend mode.
  fileprivate mutating func mix(with below: GlassLayerPixels, _ blend: GlassBlend) {
    for row in 0..<height {
      let other = row + y - below.y
      guard (0..<below.height).contains(other) else { continue }
      for column in 0..<width {
        let columnBelow = column + x - below.x
        guard (0..<below.width).contains(columnBelow) else { continue }
        let own = pixels[row * width + column]
        let under = below.pixels[other * below.width + columnBelow]
        if own.w == 0 || under.w == 0 { continue }
        var color = blend.mixed(under, own).over(own, under.w)
        color.w = own.w
        pixels[row * width + column] = color
      }
    }
  }
}

/// The shadow of a piece at a part of the bitmap's size: one plane for a neutral shadow, or one for
/// each channel.
private struct GlassShadowPlanes {
  private var planes: [Plane] = []
  private let factor: Int
  /// The pixels by which the shadow is moved to the right and down.
  private let moved: Float

  /// Shadows are moved to the lower right on a plate, and not moved on a square.
  init(
    _ pixels: GlassLayerPixels, side: Int, isColored: Bool, unit: Float, isMoved: Bool
  ) {
    factor = max(1, side / 256)
    moved = isMoved ? 12.7 * unit : 0
    let small = (side + factor - 1) / factor
    var sums = [GlassColor](repeating: .zero, count: small * small)
    let share = 1 / Float(factor * factor)
    sums.withUnsafeMutableBufferPointer { sums in
      pixels.pixels.withUnsafeBufferPointer { own in
        for row in 0..<pixels.height {
          var target = (row + pixels.y) / factor * small + pixels.x / factor
          var left = factor - pixels.x % factor
          for column in 0..<pixels.width {
            let pixel = own[row * pixels.width + column]
            if pixel.w != 0 {
              sums[target] += GlassColor(pixel.x, pixel.y, pixel.z, 1) * (pixel.w * share)
            }
            left -= 1
            if left == 0 { (target, left) = (target + 1, factor) }
          }
        }
      }
    }
    func plane(_ channel: Int, _ deviation: Float) -> Plane {
      var plane = Plane(width: small, height: small)
      for index in sums.indices { plane.values[index] = sums[index][channel] }
      plane.blur(deviation * unit / Float(factor))
      return plane
    }
    let cover = plane(3, 16.5)
    planes = [cover]
    guard isColored else { return }
    let around = plane(3, 8)
    planes = (0..<3).map { channel in
      var color = plane(channel, 8)
      for index in color.values.indices {
        let own = color.values[index] / max(around.values[index], 1e-3)
        color.values[index] = (1 - clip(own)) * cover.values[index]
      }
      return color
    }
  }

  /// Subtracts the shadow from the colours of a plate.
  func subtract(_ strength: Float, from colors: inout [GlassColor], _ plate: PlatePlace) {
    let width = plate.side
    let columns = MagnifiedColumns(
      count: width, of: planes[0].width, by: factor, moved: moved - Float(plate.origin))
    var rows = planes.map { _ in [Float](repeating: 0, count: width) }
    for y in 0..<width {
      let row = (Float(y + plate.origin) + 0.5 - moved) / Float(factor) - 0.5
      var isEmpty = true
      for channel in planes.indices {
        if planes[channel].magnify(row: row, columns, into: &rows[channel]) {
          isEmpty = false
        } else {
          for x in 0..<width { rows[channel][x] = 0 }
        }
      }
      if isEmpty { continue }
      colors.withUnsafeMutableBufferPointer { colors in
        rows[0].withUnsafeBufferPointer { red in
          rows[rows.count / 2].withUnsafeBufferPointer { green in
            rows[rows.count - 1].withUnsafeBufferPointer { blue in
              for x in 0..<width {
                colors[y * width + x] -= GlassColor(red[x], green[x], blue[x], 0) * strength
              }
            }
          }
        }
      }
    }
  }
}
