// Draws the items of a page in order, with groups and masks, and holds the memory that is used
// again for the next page. The other files of this folder draw a single item.

import Bytes

/// A rasteriser that draws one picture after another and keeps the memory between them. After a few
/// pictures, small ones are drawn without an allocation.
package struct Rasterizer: ~Copyable {
  var area = AreaBuffer()
  var path = DevicePath()
  var outline = StrokeOutline()
  var clips = ClipPool()
  var coverageRow = GrowingMemory<UInt8>()
  var pixelRow = GrowingMemory<UInt32>()
  var ramp = Ramp()
  /// The budget of the drawing, which continues the spending of reading its file.
  let budget = Budget(input: 0)
  /// The most bytes that groups, masks, tiles and clips may take at one time.
  var mostMemory = Int.max
  /// The budget that the drawings share as long as one picture is made of them.
  package var shared: SharedBudget?
  private var canvasCount = 0
  /// The number of rows crossed by lines that are charged already.
  private var chargedRows = 0

  /// The deepest nesting of groups, masks and tiles.
  static let deepest = 48

  package init() {}

  /// The work that the last drawing has spent and could spend, and the memory that it has used and
  /// could use at one time.
  package var statement: (work: Int, mostWork: Int, peakMemory: Int, mostMemory: Int) {
    (budget.workSpent, budget.mostWork, budget.peakMemory, budget.mostMemory)
  }

  /// Limits the memory that groups, masks, tiles and clips may take at one time.
  package mutating func limit(memory: Int) { mostMemory = memory }

  /// Draws a page. The rows need not be cleared. They receive the premultiplied blue, green, red
  /// and alpha of each pixel. The address of the first row and `bytesPerRow` must be multiples of
  /// four.
  package mutating func draw(
    _ drawing: Drawing, _ placement: PagePlacement, into pixels: UnsafeMutableRawBufferPointer,
    bytesPerRow: Int
  ) throws(VectorError) {
    let box = PixelBox(x0: 0, y0: 0, x1: placement.width, y1: placement.height)
    guard let base = pixels.baseAddress, !box.isEmpty else { return }
    precondition(
      bytesPerRow >= box.width * 4 && bytesPerRow % 4 == 0
        && pixels.count >= bytesPerRow * (box.height - 1) + box.width * 4
        && UInt(bitPattern: base) % 4 == 0, "the rows do not hold the picture")
    let surface = Surface(
      base: base.assumingMemoryBound(to: UInt32.self), stride: bytesPerRow / 4, box: box)
    for y in 0..<box.height { surface.row(y).update(repeating: 0, count: box.width) }
    let held = drawing.spending.memory
    budget.begin(
      drawing.spending, pixels: box.area,
      memory: mostMemory < .max - held ? mostMemory + held : .max,
      work: shared.map { $0.workLeft + drawing.spending.workSpent } ?? .max)
    defer { shared?.count(work: budget.workSpent - drawing.spending.workSpent) }
    budget.spend(.surfaces, box.area)
    area.crossedRows = 0
    chargedRows = 0
    canvasCount = 1
    clips.begin(drawing.clips.count)
    let canvas = Canvas(
      surface: surface, bounds: box, transform: placement.transform, number: 1)
    do throws(VectorError) {
      try paint(drawing.page, of: drawing, on: canvas)
    } catch {
      // The area buffer may hold rows of an unfinished shape.
      area.release()
      if let shared, case .overBudget(let over) = error { throw .overBudget(shared.error(over)) }
      throw error
    }
  }

  /// Frees the memory that only large pictures need.
  package mutating func release() {
    area.release()
    clips.bytes.shrink(to: 0)
  }

  /// Paints items from the back to the front.
  mutating func paint(
    _ items: [Item], of drawing: Drawing, on canvas: Canvas
  ) throws(VectorError) {
    for item in items {
      budget.spend(.operators)
      if case .group(let group) = item.shape {
        try paint(group, item, of: drawing, on: canvas)
      } else {
        try paint(item, of: drawing, on: canvas)
      }
      try checkWork()
    }
  }

  /// Charges the rows that lines have crossed since the last call, and throws an error if the
  /// budget is exceeded.
  mutating func checkWork() throws(VectorError) {
    budget.spend(.edges, area.crossedRows - chargedRows)
    chargedRows = area.crossedRows
    try budget.checkVector()
  }

  mutating func fitRow(_ width: Int) {
    _ = coverageRow.fit(width + 2)
    _ = pixelRow.fit(width)
  }

  /// Adds the loaded path to the area buffer.
  mutating func fill(_ drawing: Drawing) throws(VectorError) {
    path.add(to: &area, drawing.paths, mostRows: mostRows)
    try checkWork()
  }

  /// The count of crossed rows at which the budget is exceeded.
  var mostRows: Int { chargedRows + budget.affordable(.edges) }

  /// Makes a transparent surface, which `free` must release.
  mutating func makeSurface(_ box: PixelBox) throws(VectorError) -> Surface {
    budget.spend(.surfaces, box.area)
    budget.borrow(.surfaces, bytes: box.area * 4)
    try budget.checkVector()
    let base = UnsafeMutablePointer<UInt32>.allocate(capacity: max(1, box.area))
    base.update(repeating: 0, count: box.area)
    return Surface(base: base, stride: box.width, box: box)
  }

  mutating func free(_ surface: Surface) {
    budget.giveBack(.surfaces, bytes: surface.box.area * 4)
    surface.base.deallocate()
  }

  /// Draws a scene on a new surface.
  mutating func scene(
    _ index: Int32, _ box: PixelBox, of drawing: Drawing, on canvas: Canvas
  ) throws(VectorError) -> Surface {
    let surface = try makeSurface(box)
    do {
      try paint(scene: index, on: surface, of: drawing, canvas)
    } catch {
      free(surface)
      throw error
    }
    return surface
  }

  /// Draws a scene over the pixels of a surface.
  mutating func paint(
    scene index: Int32, on surface: Surface, of drawing: Drawing, _ canvas: Canvas
  ) throws(VectorError) {
    guard index >= 0, Int(index) < drawing.scenes.count else { return }
    var inner = canvas
    inner.surface = surface
    inner.depth += 1
    guard inner.depth <= Rasterizer.deepest else {
      throw .overLimit(.nesting, most: Rasterizer.deepest)
    }
    try paint(drawing.scenes[Int(index)], of: drawing, on: inner)
  }

  /// Makes the canvas of a scene in another space. The canvas has its own number, because clip
  /// masks of this canvas do not fit it.
  mutating func tile(
    _ canvas: Canvas, bounds: PixelBox, transform: Transform
  ) -> Canvas {
    canvasCount += 1
    var inner = canvas
    inner.bounds = bounds
    inner.transform = transform
    inner.number = canvasCount
    return inner
  }
}

/// The target of items: a surface with its transform.
struct Canvas {
  var surface: Surface
  /// The box of pixels for which clip masks are made.
  var bounds: PixelBox
  /// The transform from the space of the items to pixels.
  var transform: Transform
  /// The number of the canvas. Canvases with the same number share their clip masks.
  var number: Int
  var depth = 0
  var clipDepth = 0
}

// MARK: - Scenes within scenes

// Scenes within scenes: groups that are composed as one picture, and masks.

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
    let box = bounds(group.scene, of: drawing, base: canvas.transform, depth: 0)
      .intersection(clip.box).intersection(canvas.surface.box)
    if box.isEmpty { return }
    budget.spend(.blendedPixels, item.blend == .normal ? box.area : 5 * box.area)
    let surface = try makeSurface(box)
    defer { free(surface) }
    let replaces = !group.isIsolated && item.blend == .normal && blends(group.scene, of: drawing)
    if replaces { copy(canvas.surface, to: surface) }
    try paint(scene: group.scene, on: surface, of: drawing, canvas)
    let soft = try softMask(item.mask, box, of: drawing, on: canvas)
    defer { if let soft { free(soft) } }
    clip = try mask(item.clip, of: drawing, on: canvas)
    compose(surface, item: item, clip: clip, soft: soft, on: canvas.surface, replaces: replaces)
  }

  private func copy(_ source: Surface, to target: Surface) {
    let box = target.box
    for y in box.y0..<box.y1 {
      target.row(y).update(from: source.row(y) + (box.x0 - source.box.x0), count: box.width)
    }
  }

  private mutating func compose(
    _ surface: Surface, item: Item, clip: ClipMask, soft: Surface?, on target: Surface,
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
    _ scene: Int32, of drawing: Drawing, base: Transform, depth: Int
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
      case .luminosity:
        value = luminance(over(surface.base[i], backdrop), red: 77, green: 151, blue: 28)
      case .luminance: value = luminance(surface.base[i], red: 54, green: 183, blue: 19)
      }
      surface.base[i] =
        mask.transfer.count == 256 ? UInt32(mask.transfer[Int(value)]) : value
    }
    return surface
  }

  /// Returns the luminance of a pixel. The weights are parts of 256.
  @inline(__always) private func luminance(
    _ pixel: UInt32, red: UInt32, green: UInt32, blue: UInt32
  ) -> UInt32 {
    ((pixel >> 16 & 255) * red + (pixel >> 8 & 255) * green + (pixel & 255) * blue + 128) >> 8
  }
}

// MARK: - Memory for a page

// The memory that drawing a page takes beside its pixels, computed before the page is drawn.

extension Rasterizer {
  /// Returns the most bytes that the surfaces and clips of a drawing can take at one time, on a
  /// bitmap of `pixels` pixels.
  package static func mostMemory(of drawing: Drawing, pixels: Int) -> Int {
    // An item refers only to scenes before its own, so each scene is visited once.
    var depths: [Int] = []
    depths.reserveCapacity(drawing.scenes.count)
    for scene in drawing.scenes { depths.append(surfaces(in: scene, of: drawing, depths)) }
    let surfaces = min(surfaces(in: drawing.page, of: drawing, depths), deepest)
    let clips = drawing.clips.isEmpty ? 0 : ClipPool.most(pixels: pixels)
    let most = Budget.mostMemory(input: drawing.spending.input, pixels: pixels)
    return min(surfaces * 4 * pixels + clips, most)
  }

  /// Returns the largest number of nested surfaces that are in use while these items are drawn.
  private static func surfaces(in items: [Item], of drawing: Drawing, _ depths: [Int]) -> Int {
    var deepest = 0
    func look(at scene: Int32?) {
      guard let scene, depths.indices.contains(Int(scene)) else { return }
      deepest = max(deepest, depths[Int(scene)] + 1)
    }
    for item in items {
      if case .group(let group) = item.shape { look(at: group.scene) }
      if drawing.masks.indices.contains(Int(item.mask)) {
        look(at: drawing.masks[Int(item.mask)].scene)
      }
      if case .pattern(let number) = item.paint, drawing.patterns.indices.contains(Int(number)) {
        look(at: drawing.patterns[Int(number)].scene)
      }
    }
    return deepest
  }
}

// MARK: - The rasteriser as a class

// The rasteriser as a class. Other modules hold it, because Embedded Swift does not see the
// deinitialisers of noncopyable values of another module. `Rasterizer` does the drawing.

/// A rasteriser that draws within a limit of memory and keeps its memory for the next drawing.
package final class KeptRasterizer {
  private var rasterizer = Rasterizer()

  package init() {}

  /// Draws as `Rasterizer.draw` does, with at most `memory` bytes for groups and clips.
  package func draw(
    _ drawing: Drawing, _ placement: PagePlacement, into pixels: UnsafeMutableRawBufferPointer,
    bytesPerRow: Int, memory: Int
  ) throws(VectorError) {
    rasterizer.limit(memory: memory)
    try rasterizer.draw(drawing, placement, into: pixels, bytesPerRow: bytesPerRow)
  }
}
