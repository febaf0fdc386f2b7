// The plate of a layered icon: its shape, the shadow below it and the rim along its edge.

import Colors

/// The distances of a plate's pixels from its edge, in pixels, positive inside. The plate is
/// symmetrical, so an eighth of it is stored, and of that only the rows near the edge.
struct PlateField {
  let side: Int
  private let half: Int
  /// The rows from the edge that the corner bends, or that lie within the reach.
  private let band: Int
  private var distances: [Float]

  /// Creates the field. Pixels farther than `reach` from the edge have any distance that is larger.
  init(side: Int, reach: Float) {
    self.side = side
    half = (side + 1) / 2
    let corner = PlateCorner(radius: 0.225 * Float(side))
    band = min(half, corner.band(reach: reach))
    distances = [Float](repeating: 0, count: half * band)
    // The outline falls by at most 45°, so a pixel this far above or below it is out of reach.
    let most = 1.5 * reach + 2
    for x in 0..<half {
      let outline = corner.height(Float(x) + 0.5)
      for y in 0..<min(band, x + 1) {
        let depth = Float(y) + 0.5 - outline
        distances[y * half + x] =
          abs(depth) > most
          ? depth : corner.distance(Float(x) + 0.5, Float(y) + 0.5, atMost: abs(depth))
      }
    }
  }

  @inline(__always)
  subscript(_ x: Int, _ y: Int) -> Float {
    let column = x < half ? x : side - 1 - x
    let row = y < half ? y : side - 1 - y
    let (low, high) = (min(column, row), max(column, row))
    if low >= band { return Float(low) + 0.5 }
    return distances.withUnsafeBufferPointer { $0[low * half + high] }
  }

  /// Returns the columns of a row that are all farther inside than the reach.
  func inner(row y: Int) -> Range<Int> {
    min(y, side - 1 - y) < band ? side..<side : band..<max(band, side - band)
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

  /// Returns the number of rows of pixels that can have points within `reach` of the outline. It is
  /// nowhere farther from the sides than on the diagonal.
  func band(reach: Float) -> Int { Int((points[0].y + reach + 0.5).rounded(.down)) }

  /// Returns the height of the outline at a column, on the diagonal's line if it is left of it.
  func height(_ x: Float) -> Float {
    var height = points[0].y
    for (a, b) in zip(points, points.dropFirst()) where x > a.x {
      height = x < b.x ? a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x) : b.y
    }
    return height
  }

  /// Returns the distance of a point above the diagonal from the outline, positive inside. Some
  /// point of the outline is known to be at most `bound` away.
  func distance(_ x: Float, _ y: Float, atMost bound: Float) -> Float {
    guard let end = points.last, x < end.x else { return y }
    // Of lines that are equally near, the first one decides the side, so each lane keeps its first.
    var least = SIMD8<Float>(repeating: .greatestFiniteMagnitude)
    var sides = SIMD8<Float>(repeating: 1)
    var steps = SIMD8<Float>.zero
    lines.withUnsafeBufferPointer { lines in
      for (step, eight) in lines.enumerated() where eight.reaches(x, within: bound + 1) {
        let (squares, ownSides) = eight.distances(x, y)
        let isNearer = squares .< least
        least.replace(with: squares, where: isNearer)
        sides.replace(with: ownSides, where: isNearer)
        steps.replace(with: Float(step), where: isNearer)
      }
    }
    var best = 0
    for lane in 1..<8
    where least[lane] < least[best] || least[lane] == least[best] && steps[lane] < steps[best] {
      best = lane
    }
    // Beyond the upper side of the corner, the outline is straight.
    let distance = least[best].squareRoot()
    return sides[best] >= 0 ? distance : -distance
  }
}

/// Eight lines, whose distances from a point are computed at once.
private struct EightLines {
  private var startX = SIMD8<Float>.zero
  private var startY = SIMD8<Float>.zero
  private var alongX = SIMD8<Float>.zero
  private var alongY = SIMD8<Float>.zero
  private var length = SIMD8<Float>.zero
  private let columns: ClosedRange<Float>

  /// Creates the lines between up to nine points. The last one is repeated if they are fewer.
  init(_ points: ArraySlice<SIMD2<Float>>) {
    columns = points[points.startIndex].x...points[points.endIndex - 1].x
    for lane in 0..<8 {
      let first = min(points.startIndex + lane, points.endIndex - 2)
      let (a, b) = (points[first], points[first + 1])
      let line = b - a
      (startX[lane], startY[lane]) = (a.x, a.y)
      (alongX[lane], alongY[lane]) = (line.x, line.y)
      length[lane] = line.x * line.x + line.y * line.y
    }
  }

  /// Returns whether a line is so near to a column.
  @inline(__always)
  func reaches(_ x: Float, within distance: Float) -> Bool {
    x + distance >= columns.lowerBound && x - distance <= columns.upperBound
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
