// Divides curves into lines by the rule of Apple's rasteriser. Its lines lie a little inside of the
// curve; a more exact division would give other pixels.

/// A receiver of the lines of an outline.
protocol LineSink: ~Copyable {
  mutating func line(_ from: Point, _ to: Point)
  /// Whether the receiver takes no more lines, so that the caller can stop.
  var isFull: Bool { get }
}

extension AreaBuffer: LineSink {
  var isFull: Bool { false }
}

/// Divides a curve in pixels into lines. A curve is halved until its second differences are at most
/// a fifteenth of a pixel on each axis; then it becomes one line.
func flatten<Sink: LineSink & ~Copyable>(
  _ p0: Point, _ p1: Point, _ p2: Point, _ p3: Point, depth: Int = 0, into sink: inout Sink
) {
  if depth == 12 || isFlat(p0, p1, p2) && isFlat(p1, p2, p3) {
    sink.line(p0, p3)
    return
  }
  if sink.isFull { return }
  let halves = CurveHalves(p0, p1, p2, p3)
  flatten(
    p0, halves.p01, halves.p012, halves.middle, depth: depth + 1, into: &sink)
  flatten(
    halves.middle, halves.p123, halves.p23, p3, depth: depth + 1, into: &sink)
}

@inline(__always) private func isFlat(_ a: Point, _ b: Point, _ c: Point) -> Bool {
  let most = 1.0 / 15
  let x = a.x - 2 * b.x + c.x
  let y = a.y - 2 * b.y + c.y
  return x <= most && x >= -most && y <= most && y >= -most
}

/// The points that divide a curve in the middle into two curves.
struct CurveHalves {
  let p01: Point
  let p23: Point
  let p012: Point
  let p123: Point
  let middle: Point

  @inline(__always) init(_ p0: Point, _ p1: Point, _ p2: Point, _ p3: Point) {
    let p12 = mid(p1, p2)
    p01 = mid(p0, p1)
    p23 = mid(p2, p3)
    p012 = mid(p01, p12)
    p123 = mid(p12, p23)
    middle = mid(p012, p123)
  }
}

@inline(__always) func mid(_ a: Point, _ b: Point) -> Point {
  Point((a.x + b.x) * 0.5, (a.y + b.y) * 0.5)
}

/// A path in pixels, whose memory is used again for the next path.
struct DevicePath: ~Copyable {
  private var points = GrowingMemory<Point>()
  private var path = Path(firstStep: 0, stepCount: 0, firstPoint: 0, pointCount: 0)
  private(set) var extent = Extent()

  mutating func load(_ path: Path, of store: borrowing PathStore, _ transform: Transform) {
    self.path = path
    _ = points.fit(Int(path.pointCount))
    let points = self.points.base
    var extent = Extent()
    let first = Int(path.firstPoint)
    store.points.withUnsafeBufferPointer { source in
      for i in 0..<Int(path.pointCount) {
        let point = tame(transform.apply(source[first + i]))
        points[i] = point
        extent.add(point)
      }
    }
    self.extent = extent
  }

  /// Adds the path's outline and closes all of its subpaths. Stops if lines have crossed more rows
  /// than `mostRows`.
  borrowing func add(to area: inout AreaBuffer, _ store: borrowing PathStore, mostRows: Int) {
    let points = self.points.base
    var next = 0
    var start = Point(0, 0)
    var current = start
    for index in Int(path.firstStep)..<Int(path.firstStep) + Int(path.stepCount) {
      switch store.steps[index] {
      case .move:
        area.line(current, start)
        start = points[next]
        current = start
        next += 1
      case .line:
        area.line(current, points[next])
        current = points[next]
        next += 1
      case .curve:
        let end = points[next + 2]
        flatten(current, points[next], points[next + 1], end, into: &area)
        current = end
        next += 3
      case .close:
        area.line(current, start)
        current = start
      }
      if area.crossedRows > mostRows { return }
    }
    area.line(current, start)
  }

  /// Returns the left, top, right and bottom edges if the path is one rectangle along the axes of
  /// the pixels, else nil.
  borrowing func rectangle(_ store: borrowing PathStore) -> (Double, Double, Double, Double)? {
    let count = Int(path.pointCount)
    guard count == 4 || count == 5 else { return nil }
    for index in 0..<Int(path.stepCount) {
      let step = store.steps[Int(path.firstStep) + index]
      let isExpected = index == 0 ? step == .move : index < count ? step == .line : step == .close
      guard isExpected else { return nil }
    }
    let p = points.base
    guard count == 4 || p[4] == p[0] else { return nil }
    let isWide = p[0].y == p[1].y && p[1].x == p[2].x && p[2].y == p[3].y && p[3].x == p[0].x
    let isHigh = p[0].x == p[1].x && p[1].y == p[2].y && p[2].x == p[3].x && p[3].y == p[0].y
    guard isWide || isHigh else { return nil }
    return (extent.minX, extent.minY, extent.maxX, extent.maxY)
  }
}
