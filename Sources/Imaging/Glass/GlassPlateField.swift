// The plate of a layered icon: its shape, the shadow below it and the rim along its edge.

import Colors

/// The distances of a plate's pixels from its edge, in pixels, positive inside. The plate is
/// symmetrical, so one quarter is stored.
struct PlateField {
  let side: Int
  private let half: Int
  private var distances: [Float]

  /// Creates the field. Pixels farther inside than `reach` have a larger distance than `reach`.
  init(side: Int, reach: Float) {
    self.side = side
    half = (side + 1) / 2
    distances = [Float](repeating: 0, count: half * half)
    let corner = PlateCorner(radius: 0.225 * Float(side))
    for y in 0..<half {
      for x in y..<half {
        let distance = corner.distance(Float(x) + 0.5, Float(y) + 0.5, reach: reach)
        distances[y * half + x] = distance
        distances[x * half + y] = distance
      }
    }
  }

  @inline(__always)
  subscript(_ x: Int, _ y: Int) -> Float {
    let column = x < half ? x : side - 1 - x
    let row = y < half ? y : side - 1 - y
    return distances.withUnsafeBufferPointer { $0[row * half + column] }
  }
}

/// Apple's continuous corner, with the corner of the square at the origin.
private struct PlateCorner {
  /// The points of the outline between the diagonal and the upper side, from the left to the right.
  private var points: [SIMD2<Float>] = []
  /// The lines from each point to the next one, eight at once.
  private var lines: [EightLines] = []

  init(radius: Float) {
    // The outline from the upper side to the diagonal: a curve, and half of the one that follows.
    let line = [1.528_664_83, 1.088_492_96, 0.868_406_94, 0.631_493_79].map { Float($0) * radius }
    let bend = [0.631_493_79, 0.372_823_83, 0.169_059_56, 0.074_911_39].map { Float($0) * radius }
    let steps = 48
    func add(_ xs: [Float], _ ys: [Float], _ share: Float) {
      let rest = 1 - share
      let weights = SIMD4(
        rest * rest * rest, 3 * rest * rest * share, 3 * rest * share * share,
        share * share * share)
      let x = weights * SIMD4(xs[0], xs[1], xs[2], xs[3])
      let y = weights * SIMD4(ys[0], ys[1], ys[2], ys[3])
      points.append(SIMD2(x.x + x.y + x.z + x.w, y.x + y.y + y.z + y.w))
    }
    for step in 0...steps { add(line, [0, 0, 0, bend[3]], Float(step) / Float(steps)) }
    let reversed = [bend[3], bend[2], bend[1], bend[0]]
    for step in 1...steps { add(bend, reversed, Float(step) / Float(2 * steps)) }
    points.reverse()
    for first in stride(from: 0, to: points.count - 1, by: 8) {
      lines.append(EightLines(points[first..<min(first + 9, points.count)]))
    }
  }

  /// Returns the distance of a point above the diagonal from the outline, positive inside.
  func distance(_ x: Float, _ y: Float, reach: Float) -> Float {
    guard let end = points.last, x < end.x else { return y }
    // The outline is nowhere farther from the sides than on the diagonal.
    if y > points[0].y + reach { return y }
    var least = Float.greatestFiniteMagnitude
    var side: Float = 1
    lines.withUnsafeBufferPointer { lines in
      for eight in lines {
        let (squares, sides) = eight.distances(x, y)
        for place in 0..<eight.count where squares[place] < least {
          least = squares[place]
          side = sides[place]
        }
      }
    }
    // Beyond the upper side of the corner, the outline is straight.
    return side >= 0 ? least.squareRoot() : -least.squareRoot()
  }
}

/// Up to eight lines, whose distances from a point are computed at once.
private struct EightLines {
  let count: Int
  private var startX = SIMD8<Float>.zero
  private var startY = SIMD8<Float>.zero
  private var alongX = SIMD8<Float>.zero
  private var alongY = SIMD8<Float>.zero
  private var length = SIMD8<Float>(repeating: 1)

  /// Creates the lines between these points.
  init(_ points: ArraySlice<SIMD2<Float>>) {
    count = points.count - 1
    for (place, (a, b)) in zip(points, points.dropFirst()).enumerated() {
      let line = b - a
      (startX[place], startY[place]) = (a.x, a.y)
      (alongX[place], alongY[place]) = (line.x, line.y)
      length[place] = line.x * line.x + line.y * line.y
    }
  }

  /// Returns the squares of the distances of a point, and numbers that are positive if the point is
  /// inside.
  @inline(__always)
  func distances(_ x: Float, _ y: Float) -> (squares: SIMD8<Float>, sides: SIMD8<Float>) {
    let (ownX, ownY) = (x - startX, y - startY)
    let share = (ownX * alongX + ownY * alongY) / length
    let upper = SIMD8<Float>(repeating: 1).replacing(with: share, where: share .< 1)
    let part = SIMD8<Float>.zero.replacing(with: upper, where: upper .> 0)
    let (restX, restY) = (ownX - alongX * part, ownY - alongY * part)
    return (restX * restX + restY * restY, alongX * ownY - alongY * ownX)
  }
}

/// The light on the rim of the plate, by the position along the diagonal from the upper left.
struct RimLight {
  private static let positions: [Float] = [
    -700, -604, -544, -484, -424, -364, -304, -244, -184, -144, -135, 250, 320, 400, 460, 520, 580,
    640, 700, 800,
  ]
  private static let strengths: [Float] = [
    0.567, 0.559, 0.52, 0.464, 0.39, 0.312, 0.224, 0.136, 0.05, 0.005, 0, 0, 0.077, 0.18, 0.25,
    0.307, 0.352, 0.378, 0.386, 0.396,
  ]

  /// Returns the strengths for every sum of column and row on a plate.
  static func strengths(side: Int) -> [Float] {
    let stops = zip(positions, strengths).map { GlassStop($0, GlassColor(repeating: $1)) }
    let unit = Float(side) / 824
    return (0..<2 * side).map { sum in
      stops.color(at: Float(sum + 1) / unit - 824).x
    }
  }
}
