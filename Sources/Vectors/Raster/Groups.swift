// Scenes within scenes: groups that are composed as one picture, and masks.

import Bytes

extension Rasterizer {
  mutating func paint(
    _ group: Group, _ item: Item, of drawing: Drawing, on canvas: Canvas
  ) throws(VectorError) {
    guard item.alpha > 0, group.scene >= 0, Int(group.scene) < drawing.scenes.count else { return }
    var clip = try mask(item.clip, of: drawing, on: canvas)
    let isPlain =
      unitValue(item.alpha) == 1 && item.blend == .normal && item.mask < 0 && clip.isSolid
    if isPlain, !group.isIsolated || !blends(group.scene, of: drawing) {
      // The group's pixels would be composed without a change, so its items are painted directly.
      var surface = canvas.surface
      let box = surface.box.intersection(clip.box)
      if box.isEmpty { return }
      surface.base = surface.row(box.y0) + (box.x0 - surface.box.x0)
      surface.box = box
      try paint(scene: group.scene, on: surface, of: drawing, canvas)
      return
    }
    let box = bounds(group.scene, of: drawing, canvas.transform, 0)
      .intersection(clip.box).intersection(canvas.surface.box)
    if box.isEmpty { return }
    budget.spend(.blendedPixels, box.area)
    let surface = try makeSurface(box)
    defer { free(surface) }
    let replaces = !group.isIsolated && item.blend == .normal && blends(group.scene, of: drawing)
    if replaces { copy(canvas.surface, to: surface) }
    try paint(scene: group.scene, on: surface, of: drawing, canvas)
    let soft = try softMask(item.mask, box, of: drawing, on: canvas)
    defer { if let soft { free(soft) } }
    clip = try mask(item.clip, of: drawing, on: canvas)
    compose(surface, item, clip, soft, on: canvas.surface, replaces: replaces)
  }

  private func copy(_ source: Surface, to target: Surface) {
    let box = target.box
    for y in box.y0..<box.y1 {
      target.row(y).update(from: source.row(y) + (box.x0 - source.box.x0), count: box.width)
    }
  }

  private mutating func compose(
    _ surface: Surface, _ item: Item, _ clip: ClipMask, _ soft: Surface?, on target: Surface,
    replaces: Bool
  ) {
    let box = surface.box
    fitRow(box.width)
    let row = coverageRow.base
    let alpha = UInt8(unitValue(item.alpha) * 255 + 0.5)
    for y in box.y0..<box.y1 {
      row.update(repeating: alpha, count: box.width)
      if !clip.isSolid { multiply(row, clips.bytes.base + clip.offset(box.x0, y), box.width) }
      if let soft {
        let values = soft.row(y)
        for i in 0..<box.width { row[i] = scaled(row[i], UInt8(truncatingIfNeeded: values[i])) }
      }
      let pixels = target.row(y) + (box.x0 - target.box.x0)
      if replaces {
        // The group was drawn over a copy of the pixels below, so the result is mixed with them
        // instead of painted over them.
        let drawn = surface.row(y)
        for i in 0..<box.width {
          pixels[i] = scaled(drawn[i], UInt32(row[i])) &+ scaled(pixels[i], UInt32(255 - row[i]))
        }
      } else {
        Vectors.paint(row: surface.row(y), row, box.width, item.blend, on: pixels)
      }
    }
  }

  /// Returns whether the result of a scene depends on the pixels below it.
  private func blends(_ scene: Int32, of drawing: Drawing) -> Bool {
    guard scene >= 0, Int(scene) < drawing.scenes.count else { return false }
    budget.spend(.tableEntries, drawing.scenes[Int(scene)].count / 4)
    return drawing.scenes[Int(scene)].contains { item in
      if item.blend != .normal { return true }
      if case .group(let group) = item.shape, !group.isIsolated, group.scene < scene {
        return blends(group.scene, of: drawing)
      }
      return false
    }
  }

  /// Returns a box that contains everything that a scene shows.
  private func bounds(
    _ scene: Int32, of drawing: Drawing, _ base: Transform, _ depth: Int
  ) -> PixelBox {
    let far = Int(farthest)
    let all = PixelBox(x0: -far, y0: -far, x1: far, y1: far)
    guard scene >= 0, Int(scene) < drawing.scenes.count, depth < 4 else { return all }
    let items = drawing.scenes[Int(scene)]
    // Looking at all items of a long scene would cost more than it saves.
    guard items.count < 64 else { return all }
    var extent = Extent()
    for item in items {
      guard case .fill(let path, _) = item.shape else { return all }
      let transform = item.transform.then(base)
      budget.spend(.loadedPoints, Int(path.pointCount))
      for i in Int(path.firstPoint)..<Int(path.firstPoint) + Int(path.pointCount) {
        extent.add(tame(transform.apply(drawing.paths.points[i])))
      }
    }
    return extent.box
  }

  /// Returns the values of a mask for a box of pixels, in the lowest byte of each pixel; nil if
  /// there is no mask. The caller frees the surface.
  mutating func softMask(
    _ index: Int32, _ box: PixelBox, of drawing: Drawing, on canvas: Canvas
  ) throws(VectorError) -> Surface? {
    guard index >= 0, Int(index) < drawing.masks.count else { return nil }
    let mask = drawing.masks[Int(index)]
    let surface = try scene(mask.scene, box, of: drawing, on: canvas)
    budget.spend(.blendedPixels, box.area)
    let backdrop = pixel(mask.backdrop, alpha: 1)
    for i in 0..<box.area {
      let value: UInt32
      switch mask.kind {
      case .alpha: value = surface.base[i] >> 24
      case .luminosity: value = luminance(over(surface.base[i], backdrop), 77, 151, 28)
      case .luminance: value = luminance(surface.base[i], 54, 183, 19)
      }
      surface.base[i] =
        mask.transfer.count == 256 ? UInt32(mask.transfer[Int(value)]) : value
    }
    return surface
  }

  /// Returns the luminance of a pixel. The weights are parts of 256.
  @inline(__always) private func luminance(
    _ pixel: UInt32, _ red: UInt32, _ green: UInt32, _ blue: UInt32
  ) -> UInt32 {
    ((pixel >> 16 & 255) * red + (pixel >> 8 & 255) * green + (pixel & 255) * blue + 128) >> 8
  }
}
