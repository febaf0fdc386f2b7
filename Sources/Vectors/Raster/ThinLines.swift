// Strokes of at most one pixel, by the rule of Apple's rasteriser: each line is drawn by itself,
// without joins and caps. A steep line is cut into rows, a gentle one into columns. If the line
// begins or ends within a row or column, this row or column is drawn as if the line continued, and
// its coverage is multiplied by the part that the line really has. The pieces of curves are drawn
// as parallelograms with two sides along an axis. Overlapping pieces are added up. No pixel farther
// from the box of the centre lines than half the width is drawn.

struct ThinLines: ~Copyable, LineSink {
  struct Line {
    var from: Point
    var to: Point
    var isPiece: Bool
  }

  private var lines = GrowingMemory<Line>()
  private(set) var count = 0
  private(set) var extent = Extent()
  /// The width of the stroke in pixels.
  private var width = 1.0
  /// The most lines that a stroke may have.
  private var most = 0
  var isFull: Bool { count >= most }

  mutating func begin(width: Double, most: Int) {
    self.width = width
    self.most = most
    count = 0
    extent = Extent()
  }

  /// Adds a piece of a curve.
  mutating func line(_ from: Point, _ to: Point) { add(Line(from: from, to: to, isPiece: true)) }

  mutating func addLine(_ from: Point, _ to: Point) {
    add(Line(from: from, to: to, isPiece: false))
  }

  private mutating func add(_ line: Line) {
    guard count < most else { return }
    extent.add(line.from)
    extent.add(line.to)
    lines.extend(to: count + 1, keeping: count)
    lines.base[count] = line
    count += 1
  }

  /// The pixels that the lines touch, if each line is widened along an axis.
  var box: PixelBox {
    guard count > 0 else { return .empty }
    let half = width * 0.5
    return PixelBox(
      x0: floor(extent.minX - half), y0: floor(extent.minY - half),
      x1: ceiling(extent.maxX + half), y1: ceiling(extent.maxY + half))
  }

  /// Adds the lines to an area buffer. Stops if lines have crossed more rows than `mostRows`.
  func add(to area: inout AreaBuffer, mostRows: Int) {
    for i in 0..<count {
      let (from, to) = (lines.base[i].from, lines.base[i].to)
      if lines.base[i].isPiece {
        addPiece(from, to, to: &area)
      } else if magnitude(to.x - from.x) <= magnitude(to.y - from.y) {
        addSteep(from.y < to.y ? from : to, from.y < to.y ? to : from, to: &area)
      } else {
        addGentle(from.x < to.x ? from : to, from.x < to.x ? to : from, to: &area)
      }
      if area.crossedRows > mostRows { return }
    }
  }

  private func addPiece(_ from: Point, _ to: Point, to area: inout AreaBuffer) {
    guard let direction = unit(from, to) else { return }
    let isSteep = magnitude(direction.x) <= magnitude(direction.y)
    // All parallelograms turn in the same direction as those of lines, so that overlapping ones are
    // added up and never cancel each other.
    let half = width * 0.5 / (isSteep ? -direction.y : direction.x)
    let side = isSteep ? Point(half, 0) : Point(0, half)
    let a = Point(from.x + side.x, from.y + side.y)
    let b = Point(to.x + side.x, to.y + side.y)
    let c = Point(to.x - side.x, to.y - side.y)
    let d = Point(from.x - side.x, from.y - side.y)
    area.line(a, b)
    area.line(b, c)
    area.line(c, d)
    area.line(d, a)
  }

  private func addSteep(_ top: Point, _ bottom: Point, to area: inout AreaBuffer) {
    guard bottom.y > top.y else { return }
    let slope = (bottom.x - top.x) / (bottom.y - top.y)
    let half = width * 0.5 * (1 + slope * slope).squareRoot()
    let first = max(floor(top.y), area.box.y0)
    for row in first..<max(min(ceiling(bottom.y), area.box.y1), first) {
      let y = Double(row)
      let part = min(bottom.y, y + 1) - max(top.y, y)
      guard part > 0 else { continue }
      let x0 = top.x + (y - top.y) * slope
      let x1 = x0 + slope
      area.line(Point(x0 - half, y), Point(x1 - half, y + 1), weight: part)
      area.line(Point(x1 + half, y + 1), Point(x0 + half, y), weight: part)
    }
  }

  private func addGentle(_ left: Point, _ right: Point, to area: inout AreaBuffer) {
    let slope = (right.y - left.y) / (right.x - left.x)
    let half = width * 0.5 * (1 + slope * slope).squareRoot()
    let first = max(floor(left.x), area.box.x0)
    for column in first..<max(min(ceiling(right.x), area.box.x1), first) {
      let x = Double(column)
      let part = min(right.x, x + 1) - max(left.x, x)
      guard part > 0 else { continue }
      let y0 = left.y + (x - left.x) * slope
      let y1 = y0 + slope
      area.line(Point(x, y0 - half), Point(x, y0 + half), weight: part)
      area.line(Point(x, y0 + half), Point(x + 1, y1 + half), weight: part)
      area.line(Point(x + 1, y1 + half), Point(x + 1, y1 - half), weight: part)
      area.line(Point(x + 1, y1 - half), Point(x, y0 - half), weight: part)
    }
  }
}
