// Tiling patterns. Each tile that touches a box is drawn. If these tiles would be too many, one
// tile is drawn as pixels, and the pixels are repeated.

import Bytes

extension Rasterizer {
  /// The most tiles that are drawn. If a box touches more, all are copies of one.
  private static let mostTiles = 400.0

  mutating func source(
    _ pattern: TilingPattern, _ box: PixelBox, of drawing: Drawing, on canvas: Canvas
  ) throws(VectorError) -> PaintSource {
    let transform = pattern.transform.then(canvas.transform)
    let cell = pattern.cell
    guard let inverse = transform.inverse, cell.width > 0, cell.height > 0,
      cell.width.isFinite, cell.height.isFinite, canvas.depth < Rasterizer.deepest
    else { return .nothing }
    let xStep = magnitude(pattern.xStep)
    let yStep = magnitude(pattern.yStep)
    guard xStep > 0, yStep > 0, xStep.isFinite, yStep.isFinite else { return .nothing }
    // The part of the pattern's space that the box covers.
    var extent = Extent()
    for (x, y) in [(box.x0, box.y0), (box.x1, box.y0), (box.x0, box.y1), (box.x1, box.y1)] {
      extent.add(inverse.apply(Point(Double(x), Double(y))))
    }
    let columns = Tiles(
      low: extent.minX, high: extent.maxX, start: cell.x, size: cell.width, step: xStep)
    let rows = Tiles(
      low: extent.minY, high: extent.maxY, start: cell.y, size: cell.height, step: yStep)
    if columns.count * rows.count > Rasterizer.mostTiles {
      return try repeated(
        pattern, transform: transform, inverse: inverse, box: box, of: drawing, on: canvas)
    }
    let surface = try makeSurface(box)
    do {
      for row in rows.range {
        for column in columns.range {
          budget.spend(.operators)
          let tile = Transform.translation(Double(column) * xStep, Double(row) * yStep)
          try draw(
            pattern, transform: tile.then(transform), on: surface, of: drawing, canvas: canvas)
        }
      }
    } catch {
      free(surface)
      throw error
    }
    return .surface(surface)
  }

  /// The tiles that show something of a range on one axis. Tile n covers start + n·step to start +
  /// n·step + size. Example with start 0, size 6 and step 10, for the range from 8 to 25:
  ///
  ///   place  0     6   10    16  20    26  30    36
  ///   tile   [==0==]   [==1==]   [==2==]   [==3==]
  ///   range          <---------------->
  ///
  /// The first tile is floor((8 − 0 − 6) / 10) = 0 and the last one is floor((25 − 0) / 10) = 2.
  /// The first tile may end before the range, as here, which costs little and shows nothing.
  private struct Tiles {
    let first: Double
    let count: Double

    init(low: Double, high: Double, start: Double, size: Double, step: Double) {
      first = Double(floor(tame((low - start - size) / step)))
      count = Double(floor(tame((high - start) / step))) - first + 1
    }

    var range: Range<Int> { Int(first)..<Int(first) + Int(max(0, count)) }
  }

  private mutating func draw(
    _ pattern: TilingPattern, transform: Transform, on surface: Surface, of drawing: Drawing,
    canvas: Canvas
  ) throws(VectorError) {
    var extent = Extent()
    let cell = pattern.cell
    for (x, y) in [(0.0, 0.0), (1, 0), (0, 1), (1, 1)] {
      extent.add(
        tame(transform.apply(Point(cell.x + x * cell.width, cell.y + y * cell.height))))
    }
    let bounds = extent.box.intersection(surface.box)
    if bounds.isEmpty { return }
    var inner = tile(canvas, bounds: bounds, transform: transform)
    let isTurned = transform.b != 0 || transform.c != 0
    if isTurned, cell.width <= magnitude(pattern.xStep), cell.height <= magnitude(pattern.yStep) {
      return try drawTurned(pattern, bounds, on: surface, of: drawing, inner)
    }
    inner.surface = surface
    let part = Surface(
      base: surface.row(bounds.y0) + (bounds.x0 - surface.box.x0), stride: surface.stride,
      box: bounds)
    try paint(scene: pattern.scene, on: part, of: drawing, inner)
  }

  /// Draws a tile whose sides are not parallel to those of the pixels. It has the pixels whose
  /// centres lie in the cell, so that each pixel is that of one tile.
  private mutating func drawTurned(
    _ pattern: TilingPattern, _ bounds: PixelBox, on surface: Surface, of drawing: Drawing,
    _ canvas: Canvas
  ) throws(VectorError) {
    guard let inverse = canvas.transform.inverse else { return }
    let tile = try scene(pattern.scene, bounds, of: drawing, on: canvas)
    defer { free(tile) }
    budget.spend(.blendedPixels, bounds.area)
    let cell = pattern.cell
    for y in bounds.y0..<bounds.y1 {
      for x in bounds.x0..<bounds.x1 {
        let p = inverse.apply(Point(Double(x) + 0.5, Double(y) + 0.5))
        guard p.x >= cell.x, p.x < cell.x + cell.width, p.y >= cell.y, p.y < cell.y + cell.height
        else { continue }
        surface.row(y)[x - surface.box.x0] = tile.row(y)[x - bounds.x0]
      }
    }
  }

  /// Draws one tile as pixels, in about the size in which it is shown, and fills the box with
  /// copies of these pixels.
  private mutating func repeated(
    _ pattern: TilingPattern, transform: Transform, inverse: Transform, box: PixelBox,
    of drawing: Drawing, on canvas: Canvas
  ) throws(VectorError) -> PaintSource {
    let xStep = magnitude(pattern.xStep)
    let yStep = magnitude(pattern.yStep)
    let across = (transform.a * transform.a + transform.b * transform.b).squareRoot() * xStep
    let down = (transform.c * transform.c + transform.d * transform.d).squareRoot() * yStep
    let width = min(max(1, ceiling(tame(across))), 1024)
    let height = min(max(1, ceiling(tame(down))), 1024)
    let tileBox = PixelBox(x0: 0, y0: 0, x1: width, y1: height)
    let toTile = Transform(
      Double(width) / xStep, 0, 0, Double(height) / yStep,
      -pattern.cell.x * Double(width) / xStep, -pattern.cell.y * Double(height) / yStep)
    let cell = try makeSurface(tileBox)
    defer { free(cell) }
    // Parts of a cell that is larger than the step lie in the tiles that follow.
    let before = (
      min(ceiling(tame(pattern.cell.width / xStep)) - 1, 8),
      min(ceiling(tame(pattern.cell.height / yStep)) - 1, 8)
    )
    for row in -max(0, before.1)...0 {
      for column in -max(0, before.0)...0 {
        budget.spend(.operators)
        let moved = Transform.translation(Double(column) * xStep, Double(row) * yStep)
        let inner = tile(canvas, bounds: tileBox, transform: moved.then(toTile))
        try paint(scene: pattern.scene, on: cell, of: drawing, inner)
      }
    }
    // The cell can be smaller than the step, too.
    let shown = (
      pattern.cell.width / xStep * Double(width), pattern.cell.height / yStep * Double(height)
    )
    for y in 0..<height {
      for x in 0..<width where Double(x) + 0.5 > shown.0 || Double(y) + 0.5 > shown.1 {
        cell.row(y)[x] = 0
      }
    }
    let surface = try makeSurface(box)
    budget.spend(.blendedPixels, 2 * box.area)
    let back = inverse.then(toTile)
    for y in box.y0..<box.y1 {
      for x in box.x0..<box.x1 {
        let p = back.apply(Point(Double(x) + 0.5, Double(y) + 0.5))
        let column = floor(tame(p.x)) % width
        let row = floor(tame(p.y)) % height
        surface.row(y)[x - box.x0] =
          cell.row(row < 0 ? row + height : row)[column < 0 ? column + width : column]
      }
    }
    return .surface(surface)
  }
}
