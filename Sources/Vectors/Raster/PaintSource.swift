// The sources of the colours of an item's pixels.

import Bytes

enum PaintSource {
  /// One premultiplied colour, which includes the item's alpha.
  case color(UInt32)
  case shading(ShadingRows)
  case image(ImageRows)
  /// A stencil, painted with one premultiplied colour.
  case stencil(ImageRows, UInt32)
  /// Pixels that were drawn before, from tiles or a mesh.
  case surface(Surface)
  case nothing

  /// Whether other items may have been drawn to make the source.
  var isNested: Bool {
    if case .surface = self { return true }
    return false
  }

  /// Whether the colours include the item's alpha.
  var hasAlpha: Bool {
    switch self {
    case .color, .stencil: true
    case .shading, .image, .surface, .nothing: false
    }
  }

  func free(_ rasterizer: inout Rasterizer) {
    if case .surface(let surface) = self { rasterizer.free(surface) }
  }

  /// Charges the work of making the colours of `count` pixels and of blending them.
  func charge(_ count: Int, _ blend: BlendMode, to budget: Budget) {
    switch self {
    case .image(let rows), .stencil(let rows, _):
      budget.spend(.samples, rows.cost(count))
      budget.spend(.blendedPixels, count)
    case .shading: budget.spend(.blendedPixels, 2 * count)
    case .color, .surface, .nothing: budget.spend(.blendedPixels, count / 2)
    }
    if blend != .normal { budget.spend(.blendedPixels, 2 * count) }
  }

  /// Writes the premultiplied colours of a part of a row.
  func fill(
    _ pixels: UnsafeMutablePointer<UInt32>, _ x: Int, _ y: Int, _ count: Int,
    _ ramp: borrowing Ramp, _ drawing: Drawing
  ) {
    switch self {
    case .color(let color): pixels.update(repeating: color, count: count)
    case .shading(let rows): rows.fill(pixels, x, y, count, ramp)
    case .image(let rows): rows.fill(pixels, x, y, count, drawing)
    case .stencil(let rows, let color):
      rows.fill(pixels, x, y, count, drawing)
      for i in 0..<count { pixels[i] = scaled(color, pixels[i] & 255) }
    case .surface(let surface):
      pixels.update(from: surface.row(y) + (x - surface.box.x0), count: count)
    case .nothing: pixels.update(repeating: 0, count: count)
    }
  }
}

extension Rasterizer {
  /// Makes the source of an item's colours for a box of pixels.
  mutating func source(
    _ item: Item, _ transform: Transform, _ box: PixelBox, of drawing: Drawing, on canvas: Canvas
  ) throws(VectorError) -> PaintSource {
    if case .image(let index) = item.shape {
      guard index >= 0, Int(index) < drawing.images.count,
        let rows = ImageRows(index, drawing.images[Int(index)], transform)
      else { return .nothing }
      if drawing.images[Int(index)].kind == .color { return .image(rows) }
      guard case .color(let color) = item.paint else { return .nothing }
      return .stencil(rows, pixel(color, alpha: item.alpha))
    }
    switch item.paint {
    case .color(let color): return .color(pixel(color, alpha: item.alpha))
    case .shading(let index):
      guard index >= 0, Int(index) < drawing.shadings.count else { return .nothing }
      return try source(drawing.shadings[Int(index)], box, of: drawing, on: canvas)
    case .pattern(let index):
      guard index >= 0, Int(index) < drawing.patterns.count else { return .nothing }
      return try source(drawing.patterns[Int(index)], box, of: drawing, on: canvas)
    }
  }
}
