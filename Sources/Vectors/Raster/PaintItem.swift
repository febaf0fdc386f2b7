// Paints one item: computes its shape as coverage, applies its clip and mask, and fills it with its
// paint, row by row.

import Bytes

extension Rasterizer {
  mutating func paint(
    _ item: Item, of drawing: Drawing, on canvas: Canvas
  ) throws(VectorError) {
    guard item.alpha > 0 else { return }
    var clip = try mask(item.clip, of: drawing, on: canvas)
    let limit = clip.box.intersection(canvas.surface.box)
    if limit.isEmpty { return }
    let transform = item.transform.then(canvas.transform)
    let item = item.withoutFinestDashes(transform, of: drawing)
    let box = try prepare(item, transform: transform, limit: limit, of: drawing)
    try checkWork()
    if box.isEmpty { return }
    budget.spend(.pixels, box.area)
    // The mask comes before the paint, because a gradient in the mask uses the same ramp as the
    // paint.
    let soft = try softMask(item.mask, box, of: drawing, on: canvas)
    defer { if let soft { free(soft) } }
    var source = try self.source(of: item, transform: transform, box: box, of: drawing, on: canvas)
    let stencil = stencil(of: item, transform, of: drawing)
    do {
      if source.isNested || soft != nil {
        // Other items were drawn since, and used the memory that held this one.
        _ = try prepare(item, transform: transform, limit: limit, of: drawing)
        clip = try mask(item.clip, of: drawing, on: canvas)
      }
      for y in box.bands(of: AreaBuffer.mostPixels) {
        let band = box.band(from: y, of: AreaBuffer.mostPixels)
        let hasArea = try cover(item, band, of: drawing, on: canvas)
        try paintRows(
          item, box: band, clip: clip, soft: soft, stencil: stencil, source: &source,
          hasArea: hasArea, on: canvas.surface, of: drawing)
      }
    } catch {
      source.free(&self)
      throw error
    }
    source.free(&self)
  }

  /// Loads the shape of an item. Returns the box of the pixels that it touches.
  private mutating func prepare(
    _ item: Item, transform: Transform, limit: PixelBox, of drawing: Drawing
  ) throws(VectorError) -> PixelBox {
    switch item.shape {
    case .fill(let path, _):
      budget.spend(.loadedPoints, Int(path.pointCount))
      self.path.load(path, of: drawing.paths, transform)
      return self.path.extent.box.intersection(limit)
    case .stroke(let path, let stroke):
      outline.collect(path, stroke: stroke, transform: transform, of: drawing, budget: budget)
      try checkWork()
      return outline.box.intersection(limit)
    case .image:
      var extent = Extent()
      for corner in Rasterizer.square { extent.add(tame(transform.apply(corner))) }
      return extent.box.intersection(limit)
    case .everything, .group: return limit
    }
  }

  private static let square = [Point(0, 0), Point(1, 0), Point(1, 1), Point(0, 1)]

  /// Adds the loaded shape to the area buffer. Returns false if the shape covers all of the box, so
  /// that the buffer is not used.
  private mutating func cover(
    _ item: Item, _ box: PixelBox, of drawing: Drawing, on canvas: Canvas
  ) throws(VectorError) -> Bool {
    switch item.shape {
    case .fill:
      area.begin(box)
      try fill(drawing)
    case .stroke:
      area.begin(box)
      outline.add(to: &area, mostRows: mostRows)
      try checkWork()
    case .image:
      area.begin(box)
      let transform = item.transform.then(canvas.transform)
      let corners = Rasterizer.square
      for i in 0..<4 {
        area.line(
          tame(transform.apply(corners[i])), tame(transform.apply(corners[(i + 1) & 3])))
      }
    case .everything, .group: return false
    }
    return true
  }

  private mutating func paintRows(
    _ item: Item, box: PixelBox, clip: ClipMask, soft: Surface?, stencil: ImageRows?,
    source: inout PaintSource, hasArea: Bool, on surface: Surface, of drawing: Drawing
  ) throws(VectorError) {
    fitRow(box.width)
    let row = coverageRow.base
    var rule = FillRule.nonZero
    if case .fill(_, let own) = item.shape { rule = own }
    let alpha = UInt8(unitValue(item.alpha) * 255 + 0.5)
    for y in box.y0..<box.y1 {
      var range = 0..<box.width
      if hasArea {
        range = area.sum(y - box.y0, rule, into: row)
        if range.isEmpty { continue }
      } else {
        row.update(repeating: 255, count: box.width)
      }
      let covered = row + range.lowerBound
      if item.isCrisp {
        for i in 0..<range.count { covered[i] = covered[i] < 128 ? 0 : 255 }
      }
      let x = box.x0 + range.lowerBound
      if !clip.isSolid { multiply(covered, clips.bytes.base + clip.offset(x, y), range.count) }
      if let soft { multiplyByMask(covered, soft.row(y) + (x - soft.box.x0), range.count) }
      if let stencil {
        budget.spend(.samples, stencil.cost(range.count))
        try checkWork()
        stencil.fill(pixelRow.base, x: x, y: y, count: range.count, drawing: drawing)
        multiplyByMask(covered, pixelRow.base, range.count)
      }
      let pixels = surface.row(y) + (x - surface.box.x0)
      if case .color(let color) = source, item.blend == .normal {
        Vectors.paint(color, covered, range.count, on: pixels)
        continue
      }
      source.charge(range.count, item.blend, to: budget)
      try checkWork()
      source.fill(pixelRow.base, x: x, y: y, count: range.count, ramp: ramp, drawing: drawing)
      if alpha < 255, !source.hasAlpha {
        for i in 0..<range.count { covered[i] = scaled(covered[i], alpha) }
      }
      Vectors.paint(row: pixelRow.base, covered, range.count, item.blend, on: pixels)
    }
  }

  /// Multiplies coverages by a mask, whose values are in the lowest byte of each pixel.
  private func multiplyByMask(
    _ bytes: UnsafeMutablePointer<UInt8>, _ mask: UnsafePointer<UInt32>, _ count: Int
  ) {
    for i in 0..<count { bytes[i] = scaled(bytes[i], UInt8(truncatingIfNeeded: mask[i])) }
  }
}

// MARK: - Sources of colours

enum PaintSource {
  /// One premultiplied colour, which includes the item's alpha.
  case color(UInt32)
  case shading(ShadingRows)
  case image(ImageRows)
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
    case .color: true
    case .shading, .image, .surface, .nothing: false
    }
  }

  func free(_ rasterizer: inout Rasterizer) {
    if case .surface(let surface) = self { rasterizer.free(surface) }
  }

  /// Charges the work of making the colours of `count` pixels and of blending them.
  func charge(_ count: Int, _ blend: BlendMode, to budget: Budget) {
    switch self {
    case .image(let rows):
      budget.spend(.samples, rows.cost(count))
      budget.spend(.blendedPixels, count)
    case .shading: budget.spend(.blendedPixels, 2 * count)
    case .color, .surface, .nothing: budget.spend(.blendedPixels, count / 2)
    }
    if blend != .normal { budget.spend(.blendedPixels, 4 * count) }
  }

  /// Writes the premultiplied colours of a part of a row.
  func fill(
    _ pixels: UnsafeMutablePointer<UInt32>, x: Int, y: Int, count: Int,
    ramp: borrowing Ramp, drawing: Drawing
  ) {
    switch self {
    case .color(let color): pixels.update(repeating: color, count: count)
    case .shading(let rows): rows.fill(pixels, x: x, y: y, count: count, ramp: ramp)
    case .image(let rows): rows.fill(pixels, x: x, y: y, count: count, drawing: drawing)
    case .surface(let surface):
      pixels.update(from: surface.row(y) + (x - surface.box.x0), count: count)
    case .nothing: pixels.update(repeating: 0, count: count)
    }
  }
}

extension Rasterizer {
  /// Returns the rows of the stencil through which an item is painted; nil if the item has none.
  private func stencil(
    of item: Item, _ transform: Transform, of drawing: Drawing
  ) -> ImageRows? {
    guard case .image(let index) = item.shape, index >= 0, Int(index) < drawing.images.count,
      drawing.images[Int(index)].kind == .stencil
    else { return nil }
    return ImageRows(index, drawing.images[Int(index)], transform)
  }

  /// Makes the source of an item's colours for a box of pixels.
  mutating func source(
    of item: Item, transform: Transform, box: PixelBox, of drawing: Drawing, on canvas: Canvas
  ) throws(VectorError) -> PaintSource {
    if case .image(let index) = item.shape {
      guard index >= 0, Int(index) < drawing.images.count,
        let rows = ImageRows(index, drawing.images[Int(index)], transform)
      else { return .nothing }
      if drawing.images[Int(index)].kind == .color { return .image(rows) }
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
