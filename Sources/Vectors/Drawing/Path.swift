// Outlines. All paths of a drawing are in one store, and a `Path` is a range of it. Therefore one
// path can be filled, stroked, used as a clip, or shown many times as a glyph, without a copy.

/// One path of a drawing: a range of the steps and a range of the points of its `PathStore`.
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

/// The steps and points of all paths, one path after another. `begin` starts a path, other calls
/// add its steps, and `end` finishes it.
package struct PathStore: Sendable {
  package enum Step: UInt8, Sendable {
    /// A step with one point.
    case move
    /// A step with one point.
    case line
    /// A step with three points: two control points and the end.
    case curve
    /// A step without a point. If the next step is not a move, it starts at the point where the
    /// closed subpath started.
    case close
  }

  package private(set) var steps: [Step] = []
  package private(set) var points: [Point] = []
  private var firstStep = 0
  private var firstPoint = 0
  /// The point where the current subpath started, to which a close step returns.
  package private(set) var start = Point(0, 0)
  package private(set) var current = Point(0, 0)

  package init() {}

  /// Starts a new path. The steps of a path that was not ended are removed.
  package mutating func begin() {
    steps.removeSubrange(firstStep...)
    points.removeSubrange(firstPoint...)
    start = Point(0, 0)
    current = start
  }

  /// Whether the current path has no step yet.
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

  /// Adds a quadratic curve as the equal cubic curve.
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

  /// Ends the current path and returns it. The next steps belong to a new path.
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

  /// Adds a copy of a path with transformed points.
  package mutating func add(_ path: Path, _ transform: Transform) -> Path {
    begin()
    for i in 0..<Int(path.stepCount) { steps.append(steps[Int(path.firstStep) + i]) }
    for i in 0..<Int(path.pointCount) {
      points.append(transform.apply(points[Int(path.firstPoint) + i]))
    }
    return end()
  }

  /// Adds a copy of a path of another store.
  mutating func add(_ path: Path, of store: PathStore) -> Path {
    begin()
    let (step, point) = (Int(path.firstStep), Int(path.firstPoint))
    steps += store.steps[step..<step + Int(path.stepCount)]
    points += store.points[point..<point + Int(path.pointCount)]
    return end()
  }

  /// Adds a move to the start of the last subpath if the next step has no start: at the beginning
  /// of a path and after a close step.
  private mutating func startIfNeeded() {
    if isEmpty || steps.last == .close { move(to: start) }
  }
}

// MARK: - Lengths

extension PathStore {
  /// Returns the length of a path, with its close steps.
  func length(of path: Path) -> Double {
    var sum = 0.0
    var next = Int(path.firstPoint)
    var (start, last) = (Point(0, 0), Point(0, 0))
    for index in 0..<Int(path.stepCount) {
      switch steps[Int(path.firstStep) + index] {
      case .move:
        start = points[next]
        last = start
        next += 1
      case .line:
        sum += distance(last, points[next])
        last = points[next]
        next += 1
      case .curve:
        sum += curveLength(last, points[next], points[next + 1], points[next + 2])
        last = points[next + 2]
        next += 3
      case .close:
        sum += distance(last, start)
        last = start
      }
    }
    return sum
  }
}

/// The number of lines along which the length of a curve is measured.
let curveSteps = 64

/// Returns the length of a cubic curve.
func curveLength(_ p0: Point, _ p1: Point, _ p2: Point, _ p3: Point) -> Double {
  var sum = 0.0
  var last = p0
  for i in 1...curveSteps {
    let p = curvePoint(p0, p1, p2, p3, Double(i) / Double(curveSteps))
    sum += distance(last, p)
    last = p
  }
  return sum
}

/// Returns the point of a cubic curve at a parameter from 0 to 1.
func curvePoint(_ p0: Point, _ p1: Point, _ p2: Point, _ p3: Point, _ t: Double) -> Point {
  let p01 = mix(p0, p1, t)
  let p12 = mix(p1, p2, t)
  let p23 = mix(p2, p3, t)
  return mix(mix(p01, p12, t), mix(p12, p23, t), t)
}
