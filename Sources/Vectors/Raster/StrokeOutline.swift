// The outlines of strokes. Each line or curve of a path becomes a piece with two sides. Corners
// (joins) and ends (caps) become pieces of their own. All pieces turn in the same direction, so
// that the union of the pieces (see EdgeUnion.swift) is the stroke. Example: a path goes from p0 to
// the right, turns down at p, and has bevel joins:
//
//       a-----------b
//       |           |`.          piece of the first line:   a b c d
//       p0. . i. . .p. .`e       piece of the second line:  i e g f
//       |     |     |    |       join:                      p b e
//       d-----|-----c    |
//             |          |       The first two pieces overlap on the inner side of the corner;
//             f----------g       the join fills the gap on the outer side.

import Bytes

struct StrokeOutline: ~Copyable {
  var edges = EdgeUnion()
  /// The lines of a stroke of at most one pixel, which is drawn by another rule.
  var thin = ThinLines()
  var parts = StrokeParts()
  var dashes = DashCutter()
  private var radius = 0.0
  private var style = Stroke(width: 1)
  private var transform = Transform.identity
  /// Whether the stroke is at most one pixel wide.
  private(set) var isThin = false

  /// The bytes of memory for each line of an outline: its storage, its copy while the storage
  /// grows, and the arrays for sorting.
  private static let bytesPerEdge = 96

  /// Collects the outline of a stroke in `edges` or, for a thin stroke, in `thin`. Lines and dashes
  /// are charged as they are made. If the budget is exceeded, the rest of the stroke is left out.
  mutating func collect(
    _ path: Path, stroke: Stroke, transform: Transform, of drawing: borrowing Drawing,
    budget: Budget
  ) {
    let most = budget.availableMemory / StrokeOutline.bytesPerEdge
    edges.begin(most: most)
    style = stroke
    self.transform = transform
    let scale = magnitude(transform.determinant).squareRoot()
    guard scale > 0, scale.isFinite, stroke.width.isFinite, stroke.width >= 0 else { return }
    let width = stroke.width == 0 ? 1 / scale : stroke.width
    radius = width * 0.5
    isThin = width * scale <= 1
    thin.begin(width: width * scale, most: most)
    parts.begin(path)
    budget.spend(.pathPoints, Int(path.pointCount))
    let isDashed = dashes.begin(stroke, of: drawing)
    while !budget.isExceeded, parts.next(drawing.paths) {
      if isDashed, dashes.cut(parts, budget) {
        while !budget.isExceeded, dashes.next(budget) {
          outline(
            dashes.pieces.base, count: dashes.count, isClosed: false, point: dashes.point,
            budget: budget)
        }
      } else {
        outline(
          parts.segments.base, count: parts.count, isClosed: parts.isClosed, point: parts.start,
          budget: budget)
      }
    }
    if isThin ? thin.isFull : edges.isFull { budget.exceedMemory(.edges) }
  }

  /// The box of pixels that the stroke may touch.
  var box: PixelBox { isThin ? thin.box : edges.extent.box }

  var count: Int { isThin ? thin.count : edges.count }

  /// Adds the stroke to an area buffer. Stops if lines have crossed more rows than `mostRows`.
  mutating func add(to area: inout AreaBuffer, mostRows: Int) {
    if isThin {
      thin.add(to: &area, mostRows: mostRows)
    } else {
      edges.addUnion(to: &area, mostRows: mostRows)
    }
  }

  private mutating func outline(
    _ segments: UnsafeMutablePointer<StrokeSegment>, count: Int, isClosed: Bool, point: Point,
    budget: Budget
  ) {
    if isThin { return outlineThin(segments, count: count, isClosed: isClosed, budget: budget) }
    guard count > 0 else { return blot(point) }
    for i in 0..<count {
      let before = edges.count
      defer { budget.spend(.pathPoints, edges.count - before + 1) }
      if budget.isExceeded || edges.isFull { return }
      let segment = segments[i]
      if segment.isLine {
        line(segment)
      } else {
        curve(segment, depth: 0)
      }
      if i + 1 < count {
        join(segment.p3, segment.endDirection, segments[i + 1].startDirection)
      } else if isClosed {
        join(segment.p3, segment.endDirection, segments[0].startDirection)
      }
    }
    if isClosed { return }
    cap(segments[count - 1].p3, segments[count - 1].endDirection)
    let back = segments[0].startDirection
    cap(segments[0].p0, Point(-back.x, -back.y))
  }

  /// Collects the centre lines of a thin stroke. A square cap lengthens only a line that goes along
  /// an axis.
  private mutating func outlineThin(
    _ segments: UnsafeMutablePointer<StrokeSegment>, count: Int, isClosed: Bool, budget: Budget
  ) {
    for i in 0..<count {
      let s = segments[i]
      let before = thin.count
      defer { budget.spend(.pathPoints, thin.count - before + 1) }
      if budget.isExceeded || thin.isFull { return }
      if !s.isLine {
        flatten(map(s.p0), map(s.p1), map(s.p2), map(s.p3), into: &thin)
        continue
      }
      var from = map(s.p0)
      var to = map(s.p3)
      if style.cap == .square, !isClosed, from.x == to.x || from.y == to.y {
        if i == 0 { from = map(along(s.p0, s.startDirection, -radius)) }
        if i == count - 1 { to = map(along(s.p3, s.startDirection, radius)) }
      }
      thin.addLine(from, to)
    }
  }

  // MARK: Pieces

  private mutating func line(_ segment: StrokeSegment) {
    let side = normal(segment.startDirection)
    quad(
      along(segment.p0, side, radius), along(segment.p3, side, radius),
      along(segment.p3, side, -radius), along(segment.p0, side, -radius))
  }

  /// Adds the piece of a curve. A curve that turns by more than an eighth of a turn is halved
  /// first. The control points of both sides keep the directions of the curve's control points;
  /// their distances are scaled by the ratio of the chords.
  private mutating func curve(_ s: StrokeSegment, depth: Int) {
    if depth < 8, turnsFar(s) {
      let halves = CurveHalves(s.p0, s.p1, s.p2, s.p3)
      if let first = StrokeSegment(curve: s.p0, halves.p01, halves.p012, halves.middle) {
        curve(first, depth: depth + 1)
      }
      if let second = StrokeSegment(curve: halves.middle, halves.p123, halves.p23, s.p3) {
        curve(second, depth: depth + 1)
      }
      return
    }
    let left = side(s, radius)
    let right = side(s, -radius)
    if left.ratio < 0 || right.ratio < 0 {
      folded(s, left.ratio < 0 ? left : right, isLeft: left.ratio < 0)
      let straight = left.ratio < 0 ? right : left
      half(s, straight, isLeft: left.ratio >= 0)
      return
    }
    let corner = map(left.p0)
    trace(corner, map(left.p1), map(left.p2), map(left.p3))
    edges.line(map(left.p3), map(right.p3))
    trace(map(right.p3), map(right.p2), map(right.p1), map(right.p0))
    edges.line(map(right.p0), corner)
  }

  private func turnsFar(_ s: StrokeSegment) -> Bool {
    let most = 0.707_106_781_186_547_5
    if dot(s.startDirection, s.endDirection) < most { return true }
    guard let middle = unit(s.p1, s.p2) else { return false }
    return dot(s.startDirection, middle) < most || dot(middle, s.endDirection) < most
  }

  private struct Side {
    var p0: Point
    var p1: Point
    var p2: Point
    var p3: Point
    /// The length of the side's chord divided by the length of the curve's chord. It is negative if
    /// the side runs backwards.
    var ratio: Double
  }

  private func side(_ s: StrokeSegment, _ distance: Double) -> Side {
    let p0 = along(s.p0, normal(s.startDirection), distance)
    let p3 = along(s.p3, normal(s.endDirection), distance)
    let chord = Point(s.p3.x - s.p0.x, s.p3.y - s.p0.y)
    let moved = Point(p3.x - p0.x, p3.y - p0.y)
    let length = dot(chord, chord)
    let sign = dot(moved, chord) < 0 ? -1.0 : 1.0
    let ratio = length > 0 ? (dot(moved, moved) / length).squareRoot() * sign : 1
    return Side(
      p0: p0, p1: Point(p0.x + (s.p1.x - s.p0.x) * ratio, p0.y + (s.p1.y - s.p0.y) * ratio),
      p2: Point(p3.x + (s.p2.x - s.p3.x) * ratio, p3.y + (s.p2.y - s.p3.y) * ratio), p3: p3,
      ratio: ratio)
  }

  /// Adds the half of a piece between the centre line and one side.
  private mutating func half(_ s: StrokeSegment, _ side: Side, isLeft: Bool) {
    if isLeft {
      trace(map(side.p0), map(side.p1), map(side.p2), map(side.p3))
      edges.line(map(side.p3), map(s.p3))
      trace(map(s.p3), map(s.p2), map(s.p1), map(s.p0))
      edges.line(map(s.p0), map(side.p0))
    } else {
      trace(map(s.p0), map(s.p1), map(s.p2), map(s.p3))
      edges.line(map(s.p3), map(side.p3))
      trace(map(side.p3), map(side.p2), map(side.p1), map(side.p0))
      edges.line(map(side.p0), map(s.p0))
    }
  }

  /// Adds the half of a piece on the inner side of a curve that bends more tightly than half the
  /// width of the stroke. This side runs backwards: the line from p0 to its side crosses the line
  /// from p3 to its side at `center`, and the area between them is two triangles. Each triangle is
  /// added in the common direction of all pieces.
  ///
  ///      p0 ___ p3
  ///         \ /          p0 p3 center: the triangle at the curve
  ///          X  center
  ///         / \          s0 s3 center: the triangle at the side
  ///      s3 ‾‾‾ s0
  private mutating func folded(_ s: StrokeSegment, _ side: Side, isLeft: Bool) {
    let first = Point(side.p0.x - s.p0.x, side.p0.y - s.p0.y)
    let second = Point(side.p3.x - s.p3.x, side.p3.y - s.p3.y)
    let turn = cross(first, second)
    let apart = Point(s.p3.x - s.p0.x, s.p3.y - s.p0.y)
    let part = turn != 0 ? cross(apart, second) / turn : 1
    let center = along(s.p0, first, part > 0 ? min(part, 1) : 0)
    if isLeft {
      triangle(s.p3, s.p0, center)
      triangle(center, side.p3, side.p0)
    } else {
      triangle(s.p0, s.p3, center)
      triangle(center, side.p0, side.p3)
    }
  }

  private mutating func quad(_ a: Point, _ b: Point, _ c: Point, _ d: Point) {
    let first = map(a)
    let second = map(b)
    let third = map(c)
    let fourth = map(d)
    edges.line(first, second)
    edges.line(second, third)
    edges.line(third, fourth)
    edges.line(fourth, first)
  }

  private mutating func triangle(_ a: Point, _ b: Point, _ c: Point) { quad(a, b, c, c) }

  @inline(__always) private func map(_ p: Point) -> Point { tame(transform.apply(p)) }

  private mutating func trace(_ p0: Point, _ p1: Point, _ p2: Point, _ p3: Point) {
    flatten(p0, p1, p2, p3, into: &edges)
  }
}

// MARK: Corners and ends

extension StrokeOutline {
  /// Fills the gap on the outer side of a corner.
  private mutating func join(_ p: Point, _ before: Point, _ after: Point) {
    let turn = cross(before, after)
    let cosine = dot(before, after)
    if cosine > 0, magnitude(turn) < 1e-9 { return }
    // If the path turns to its right, the outer side is its left side.
    let sign = turn < 0 ? 1.0 : -1.0
    let first = turn < 0 ? before : after
    let second = turn < 0 ? after : before
    let a = Point(normal(first).x * sign, normal(first).y * sign)
    let b = Point(normal(second).x * sign, normal(second).y * sign)
    switch style.join {
    case .round:
      fan(p, a, b, through: before)
    case .miter where miterIsShort(cosine):
      let tip = Point(a.x + b.x, a.y + b.y)
      quad(p, along(p, a, radius), along(p, tip, radius / (1 + cosine)), along(p, b, radius))
    case .miter, .bevel:
      triangle(p, along(p, a, radius), along(p, b, radius))
    }
  }

  /// Returns whether a miter join is within the limit. The length of the miter divided by the width
  /// of the stroke is 1 / cos(half of the turn).
  private func miterIsShort(_ cosine: Double) -> Bool {
    let half = (1 + cosine) * 0.5
    return half > 1e-12 && half * style.miterLimit * style.miterLimit >= 1
  }

  /// Adds the cap at the end of a line that arrives in a direction.
  private mutating func cap(_ p: Point, _ direction: Point) {
    let side = normal(direction)
    let other = Point(-side.x, -side.y)
    switch style.cap {
    case .butt: return
    case .round: fan(p, side, other, through: direction)
    case .square:
      let end = along(p, direction, radius)
      quad(
        along(p, side, radius), along(end, side, radius), along(end, other, radius),
        along(p, other, radius))
    }
  }

  /// Adds the caps of a subpath without length: a dot or a square.
  private mutating func blot(_ p: Point) {
    guard style.cap != .butt else { return }
    cap(p, Point(1, 0))
    cap(p, Point(-1, 0))
  }

  /// Adds a sector of a disc between two directions, with an arc for at most each quarter. If the
  /// directions are opposite, the sector contains the direction `through`.
  private mutating func fan(_ p: Point, _ a: Point, _ b: Point, through: Point) {
    let first = map(along(p, a, radius))
    edges.line(map(p), first)
    let cosine = dot(a, b)
    if cosine >= 0 {
      arc(p, a, b)
    } else {
      let middle = cosine > -0.999_999 ? unit(Point(0, 0), Point(a.x + b.x, a.y + b.y)) : through
      arc(p, a, middle ?? through)
      arc(p, middle ?? through, b)
    }
    edges.line(map(along(p, b, radius)), map(p))
  }

  /// Adds an arc as one curve. The control points have the distance radius · 4/3 · tan(angle / 4)
  /// from the ends; square roots give the tangent.
  private mutating func arc(_ p: Point, _ a: Point, _ b: Point) {
    let cosine = dot(a, b)
    let halfSine = (max(0, 1 - cosine) * 0.5).squareRoot()
    let halfCosine = (max(0, 1 + cosine) * 0.5).squareRoot()
    let turn = cross(a, b) < 0 ? -1.0 : 1.0
    let handle = turn * radius * 4 / 3 * halfSine / (1 + halfCosine)
    let from = along(p, a, radius)
    let to = along(p, b, radius)
    trace(
      map(from), map(along(from, normal(a), handle)), map(along(to, normal(b), -handle)), map(to))
  }
}

func magnitude(_ value: Double) -> Double { value < 0 ? -value : value }

// MARK: - Centre lines

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
  private(set) var segments = GrowingMemory<StrokeSegment>()
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
