// The centre lines of strokes: lines and curves with their directions, one subpath of a path at a
// time.

/// A line or a curve, in the space in which the width of the stroke is measured.
struct StrokeSegment {
  var p0: Point
  var p1: Point
  var p2: Point
  var p3: Point
  var isLine: Bool
  /// The directions at both ends, as vectors of length 1.
  var startDirection: Point
  var endDirection: Point

  /// Makes a line; returns nil if both points are the same.
  init?(line from: Point, _ to: Point) {
    guard let direction = unit(from, to) else { return nil }
    p0 = from
    p1 = from
    p2 = to
    p3 = to
    isLine = true
    startDirection = direction
    endDirection = direction
  }

  init?(curve p0: Point, _ p1: Point, _ p2: Point, _ p3: Point) {
    // A control point that is very close to its end point turns the curve only over an invisible
    // length. Such a point does not give the direction.
    let least = 1e-3 * (distance(p0, p1) + distance(p1, p2) + distance(p2, p3))
    func direction(_ from: Point, _ to: Point) -> Point? {
      distance(from, to) > least ? unit(from, to) : nil
    }
    guard let start = direction(p0, p1) ?? direction(p0, p2) ?? unit(p0, p3) ?? unit(p0, p2),
      let end = direction(p2, p3) ?? direction(p1, p3) ?? unit(p0, p3) ?? unit(p1, p3)
    else { return nil }
    self.p0 = p0
    self.p1 = p1
    self.p2 = p2
    self.p3 = p3
    isLine = false
    startDirection = start
    endDirection = end
  }
}

/// Returns the direction from one point to another as a vector of length 1; nil if the points are
/// the same.
func unit(_ from: Point, _ to: Point) -> Point? {
  let x = to.x - from.x
  let y = to.y - from.y
  let length = (x * x + y * y).squareRoot()
  guard length > 1e-12, length.isFinite else { return nil }
  return Point(x / length, y / length)
}

func distance(_ a: Point, _ b: Point) -> Double {
  let x = b.x - a.x
  let y = b.y - a.y
  return (x * x + y * y).squareRoot()
}

func dot(_ a: Point, _ b: Point) -> Double { a.x * b.x + a.y * b.y }

func cross(_ a: Point, _ b: Point) -> Double { a.x * b.y - a.y * b.x }

/// Returns the point at a distance in a direction.
@inline(__always) func along(_ p: Point, _ direction: Point, _ distance: Double) -> Point {
  Point(p.x + direction.x * distance, p.y + direction.y * distance)
}

/// Returns a direction turned by a quarter: to the left if y points up.
@inline(__always) func normal(_ direction: Point) -> Point { Point(-direction.y, direction.x) }

/// The subpaths of a path as segments. `next` loads one subpath after another.
struct StrokeParts: ~Copyable {
  private(set) var segments = Memory<StrokeSegment>()
  private(set) var count = 0
  private(set) var isClosed = false
  /// The start of the subpath; a subpath without segments has only this point.
  private(set) var start = Point(0, 0)
  private var step = 0
  private var point = 0
  private var end = 0
  private var isOpen = false

  mutating func begin(_ path: Path) {
    step = Int(path.firstStep)
    end = step + Int(path.stepCount)
    point = Int(path.firstPoint)
    isOpen = false
  }

  /// Loads the next subpath that has steps after its move. Returns whether there was one.
  mutating func next(_ store: borrowing PathStore) -> Bool {
    count = 0
    isClosed = false
    var current = start
    var hasSteps = false
    while step < end {
      let kind = store.steps[step]
      if kind == .move {
        if hasSteps { return true }
        start = store.points[point]
        current = start
        point += 1
        step += 1
        continue
      }
      step += 1
      hasSteps = true
      switch kind {
      case .line:
        add(StrokeSegment(line: current, store.points[point]))
        current = store.points[point]
        point += 1
      case .curve:
        let p3 = store.points[point + 2]
        add(StrokeSegment(curve: current, store.points[point], store.points[point + 1], p3))
        current = p3
        point += 3
      case .close:
        add(StrokeSegment(line: current, start))
        isClosed = true
        return true
      case .move: break
      }
    }
    return hasSteps
  }

  private mutating func add(_ segment: StrokeSegment?) {
    guard let segment else { return }
    segments.extend(to: count + 1, keeping: count)
    segments.base[count] = segment
    count += 1
  }
}
