// Cuts the subpaths of a path into dashes, by the length along them.

import Bytes

struct DashCutter: ~Copyable {
  /// The segments of the dash that `next` found.
  private(set) var pieces = GrowingMemory<StrokeSegment>()
  private(set) var count = 0
  /// The place of a dash without length.
  private(set) var point = Point(0, 0)
  private var lengths: [Double] = []
  private var phase = 0.0
  private var period = 0.0

  private var source: [(segment: StrokeSegment, length: Double)] = []
  private var index = 0
  /// The length of the current segment that has been cut already.
  private var cutLength = 0.0
  private var dash = 0
  private var rest = 0.0
  private var isOn = true

  /// The most dashes of a subpath. A subpath with more is drawn without dashes.
  private static let mostDashes = 100_000.0
  /// A dash on a curve costs as much as this number of dashes on a line, because its ends are
  /// searched along the curve.
  private static let curveDashes = 8

  /// Loads the dashes of a stroke. Returns whether the stroke has usable dashes.
  mutating func begin(_ stroke: Stroke, of drawing: borrowing Drawing) -> Bool {
    guard stroke.dashes.count > 0 else { return false }
    lengths.removeAll(keepingCapacity: true)
    period = 0
    for i in stroke.dashes.range {
      let length = drawing.dashes[i]
      guard length >= 0, length.isFinite else { return false }
      lengths.append(length)
      period += length
    }
    guard period > 0, period.isFinite else { return false }
    let round = lengths.count & 1 == 1 ? period * 2 : period
    let turns = stroke.dashPhase / round
    guard turns > -1e9, turns < 1e9 else { return false }
    phase = stroke.dashPhase - Double(floor(turns)) * round
    return true
  }

  /// Begins a subpath. Returns false if the subpath would have too many dashes or has no segment;
  /// it is then drawn without dashes.
  mutating func cut(_ parts: borrowing StrokeParts, _ budget: Budget) -> Bool {
    source.removeAll(keepingCapacity: true)
    var whole = 0.0
    for i in 0..<parts.count {
      let segment = parts.segments.base[i]
      budget.spend(.dashes, segment.isLine ? 1 : DashCutter.curveDashes)
      if budget.isExceeded { return true }
      let length = DashCutter.length(segment)
      whole += length
      source.append((segment, length))
    }
    guard whole / period * Double(lengths.count) <= DashCutter.mostDashes, parts.count > 0 else {
      return false
    }
    index = 0
    cutLength = 0
    dash = 0
    isOn = true
    rest = lengths[0]
    var skipped = phase
    while skipped > 0, skipped >= rest {
      budget.spend(.tableEntries)
      skipped -= rest
      turn()
    }
    rest -= skipped
    return true
  }

  /// Finds the next dash. Returns false if there are no more dashes or the budget is exceeded.
  mutating func next(_ budget: Budget) -> Bool {
    count = 0
    while index < source.count {
      guard
        budget.spend(.dashes, isOn && !source[index].segment.isLine ? DashCutter.curveDashes : 1)
      else { return false }
      let (segment, length) = source[index]
      if rest > length - cutLength {
        if isOn { add(segment, length: length, from: cutLength, to: length) }
        rest -= length - cutLength
        cutLength = 0
        index += 1
      } else {
        let end = cutLength + rest
        if isOn { add(segment, length: length, from: cutLength, to: end) }
        cutLength = end
        let isDash = isOn
        if isDash, count == 0 { point = DashCutter.point(segment, length: length, at: end) }
        turn()
        if isDash { return true }
      }
    }
    return count > 0
  }

  private mutating func turn() {
    dash = dash + 1 == lengths.count ? 0 : dash + 1
    rest = lengths[dash]
    isOn.toggle()
  }

  private mutating func add(
    _ segment: StrokeSegment, length: Double, from: Double, to: Double
  ) {
    guard to > from else { return }
    let piece: StrokeSegment?
    if segment.isLine {
      piece = StrokeSegment(
        line: DashCutter.point(segment, length: length, at: from),
        DashCutter.point(segment, length: length, at: to))
    } else {
      piece = DashCutter.part(
        segment, DashCutter.parameter(segment, from), DashCutter.parameter(segment, to))
    }
    guard let piece else { return }
    pieces.extend(to: count + 1, keeping: count)
    pieces.base[count] = piece
    count += 1
  }

  // MARK: Lengths of curves

  private static func length(_ s: StrokeSegment) -> Double {
    s.isLine ? distance(s.p0, s.p3) : curveLength(s.p0, s.p1, s.p2, s.p3)
  }

  /// Returns the parameter at which the length of a curve from its start reaches `length`.
  private static func parameter(_ s: StrokeSegment, _ length: Double) -> Double {
    var sum = 0.0
    var last = s.p0
    for i in 1...curveSteps {
      let p = curvePoint(s.p0, s.p1, s.p2, s.p3, Double(i) / Double(curveSteps))
      let step = distance(last, p)
      if sum + step >= length, step > 0 {
        return (Double(i - 1) + (length - sum) / step) / Double(curveSteps)
      }
      sum += step
      last = p
    }
    return 1
  }

  /// Returns the part of a curve between two parameters.
  private static func part(_ s: StrokeSegment, _ from: Double, _ to: Double) -> StrokeSegment? {
    func blossom(_ a: Double, _ b: Double, _ c: Double) -> Point {
      let p01 = mix(s.p0, s.p1, a)
      let p12 = mix(s.p1, s.p2, a)
      let p23 = mix(s.p2, s.p3, a)
      return mix(mix(p01, p12, b), mix(p12, p23, b), c)
    }
    return StrokeSegment(
      curve: blossom(from, from, from), blossom(from, from, to), blossom(from, to, to),
      blossom(to, to, to))
  }

  /// Returns the point at a length from the start of a segment.
  private static func point(_ s: StrokeSegment, length: Double, at place: Double) -> Point {
    guard length > 0 else { return s.p0 }
    return s.isLine
      ? mix(s.p0, s.p3, place / length)
      : curvePoint(s.p0, s.p1, s.p2, s.p3, parameter(s, place))
  }
}

extension Item {
  /// The period in pixels below which dashes look like an even shade.
  private static let finestPeriod = 1.0 / 16

  /// Returns the item; if it is a stroke with dashes far smaller than a pixel, returns it as a
  /// solid stroke whose alpha is reduced to the share of the dashes.
  func withoutFinestDashes(_ transform: Transform, of drawing: borrowing Drawing) -> Item {
    guard case .stroke(let path, var stroke) = shape, stroke.dashes.count > 0 else { return self }
    var period = 0.0
    var shown = 0.0
    for (number, index) in stroke.dashes.range.enumerated() {
      let length = drawing.dashes[index]
      guard length >= 0 else { return self }
      period += length
      if number % 2 == 0 { shown += length }
    }
    let scale = magnitude(transform.determinant).squareRoot()
    guard period > 0, period * scale < Item.finestPeriod else { return self }
    // With an odd number of lengths, each length is a dash in one turn and a gap in the next, so
    // that half of the line is shown.
    let share = stroke.dashes.count % 2 == 1 ? 0.5 : shown / period
    var item = self
    stroke.dashes = .none
    item.shape = .stroke(path, stroke)
    item.alpha *= share
    return item
  }
}
