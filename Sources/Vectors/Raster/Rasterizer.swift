// Draws the items of a page in order, and holds the memory that is used again for the next page.
// The other files of this folder draw a single item.

import Bytes

/// A rasteriser that draws one picture after another and keeps the memory between them. After a few
/// pictures, small ones are drawn without an allocation.
package struct Rasterizer: ~Copyable {
  var area = AreaBuffer()
  var path = DevicePath()
  var outline = StrokeOutline()
  var clips = ClipPool()
  var coverageRow = Memory<UInt8>()
  var pixelRow = Memory<UInt32>()
  var ramp = Ramp()
  /// The budget of the drawing, which continues the spending of reading its file.
  let budget = Budget(input: 0)
  /// The most bytes that groups, masks, tiles and clips may take at one time.
  var mostMemory = Int.max
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
    _ drawing: Drawing, _ placement: Placement, into pixels: UnsafeMutableRawBufferPointer,
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
      memory: mostMemory < .max - held ? mostMemory + held : .max)
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
    _ canvas: Canvas, _ bounds: PixelBox, _ transform: Transform
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
