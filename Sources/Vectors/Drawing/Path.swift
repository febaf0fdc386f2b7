// Outlines. All paths of a drawing lie in one store; a `Path` says where its part is, so that it can
// be filled, stroked and clipped with, or shown many times as a glyph, without a copy.

/// One path of a drawing: steps and points in its store.
package struct Path: Sendable, Equatable {
  package var firstStep: Int32
  package var stepCount: Int32
  package var firstPoint: Int32
  package var pointCount: Int32

  package var isEmpty: Bool { stepCount == 0 }
}

package enum FillRule: UInt8, Sendable {
  case nonZero
  case evenOdd
}

/// The points of all paths, one after another. A path is begun, gets its steps, and is ended.
package struct PathStore: Sendable {
  package enum Step: UInt8, Sendable {
    /// One point.
    case move
    /// One point.
    case line
    /// Three points: two handles and the end.
    case curve
    /// No point; what follows without a move starts where the closed part did.
    case close
  }

  package private(set) var steps: [Step] = []
  package private(set) var points: [Point] = []
  private var firstStep = 0
  private var firstPoint = 0
  /// Where the open part of the path began; where a close returns to.
  package private(set) var start = Point(0, 0)
  package private(set) var current = Point(0, 0)

  package init() {}

  /// Steps from here on belong to a new path. An unfinished one is forgotten.
  package mutating func begin() {
    steps.removeSubrange(firstStep...)
    points.removeSubrange(firstPoint...)
    start = Point(0, 0)
    current = start
  }

  /// Whether the path that is being made has no step yet.
  package var isEmpty: Bool { steps.count == firstStep }

  package mutating func move(to p: Point) {
    steps.append(.move)
    points.append(p)
    start = p
    current = p
  }

  package mutating func line(to p: Point) {
    startIfNeeded()
    steps.append(.line)
    points.append(p)
    current = p
  }

  package mutating func curve(_ first: Point, _ second: Point, to p: Point) {
    startIfNeeded()
    steps.append(.curve)
    points.append(first)
    points.append(second)
    points.append(p)
    current = p
  }

  /// A curve of second degree, raised to the third.
  package mutating func quadratic(_ handle: Point, to p: Point) {
    let from = current
    curve(
      Point(from.x + (handle.x - from.x) * 2 / 3, from.y + (handle.y - from.y) * 2 / 3),
      Point(p.x + (handle.x - p.x) * 2 / 3, p.y + (handle.y - p.y) * 2 / 3), to: p)
  }

  package mutating func close() {
    guard !isEmpty, steps.last != .close else { return }
    steps.append(.close)
    current = start
  }

  package mutating func rect(_ r: Rect) {
    move(to: Point(r.x, r.y))
    line(to: Point(r.x + r.width, r.y))
    line(to: Point(r.x + r.width, r.y + r.height))
    line(to: Point(r.x, r.y + r.height))
    close()
  }

  /// The path that was made; the next one begins.
  package mutating func end() -> Path {
    let path = Path(
      firstStep: Int32(truncatingIfNeeded: firstStep),
      stepCount: Int32(truncatingIfNeeded: steps.count - firstStep),
      firstPoint: Int32(truncatingIfNeeded: firstPoint),
      pointCount: Int32(truncatingIfNeeded: points.count - firstPoint))
    firstStep = steps.count
    firstPoint = points.count
    start = Point(0, 0)
    current = start
    return path
  }

  /// A path again, with its points in another space.
  package mutating func add(_ path: Path, _ transform: Transform) -> Path {
    begin()
    for i in 0..<Int(path.stepCount) { steps.append(steps[Int(path.firstStep) + i]) }
    for i in 0..<Int(path.pointCount) {
      points.append(transform.apply(points[Int(path.firstPoint) + i]))
    }
    return end()
  }

  /// A path of another store.
  mutating func add(_ path: Path, of store: PathStore) -> Path {
    begin()
    let (step, point) = (Int(path.firstStep), Int(path.firstPoint))
    steps += store.steps[step..<step + Int(path.stepCount)]
    points += store.points[point..<point + Int(path.pointCount)]
    return end()
  }

  /// A step that follows nothing, or a close, starts where the last part started.
  private mutating func startIfNeeded() {
    if isEmpty || steps.last == .close { move(to: start) }
  }
}
