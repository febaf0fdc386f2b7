// Points, rectangles, affine transforms and boxes of pixels. The functions use only additions,
// multiplications, divisions and square roots, so that every machine computes the same bits.

package struct Point: Sendable, Equatable {
  package var x: Double
  package var y: Double

  package init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }
}

package struct Rect: Sendable, Equatable {
  package var x: Double
  package var y: Double
  package var width: Double
  package var height: Double

  package init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}

/// Returns the point between two points at a share of the way from the first.
@inline(__always) func mix(_ a: Point, _ b: Point, _ t: Double) -> Point {
  Point(a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t)
}

func distance(_ a: Point, _ b: Point) -> Double {
  let x = b.x - a.x
  let y = b.y - a.y
  return (x * x + y * y).squareRoot()
}

/// Returns the whole part of a number, limited to the range from `low` to `high`. NaN becomes
/// `low`.
@inline(__always) func whole(_ value: Double, from low: Int, to high: Int) -> Int {
  value > Double(low) ? value < Double(high) ? Int(value) : high : low
}

/// An affine transform: x' = a·x + c·y + tx, y' = b·x + d·y + ty.
package struct Transform: Sendable, Equatable {
  package var a: Double
  package var b: Double
  package var c: Double
  package var d: Double
  package var tx: Double
  package var ty: Double

  package init(
    _ a: Double, _ b: Double, _ c: Double, _ d: Double, _ tx: Double, _ ty: Double
  ) {
    self.a = a
    self.b = b
    self.c = c
    self.d = d
    self.tx = tx
    self.ty = ty
  }

  package static let identity = Transform(1, 0, 0, 1, 0, 0)

  package static func translation(_ x: Double, _ y: Double) -> Transform {
    Transform(1, 0, 0, 1, x, y)
  }

  package static func scale(_ x: Double, _ y: Double) -> Transform {
    Transform(x, 0, 0, y, 0, 0)
  }

  @inline(__always) package func apply(_ p: Point) -> Point {
    Point(a * p.x + c * p.y + tx, b * p.x + d * p.y + ty)
  }

  /// Returns the transform that applies this one first and then `next`.
  package func then(_ next: Transform) -> Transform {
    Transform(
      next.a * a + next.c * b, next.b * a + next.d * b,
      next.a * c + next.c * d, next.b * c + next.d * d,
      next.a * tx + next.c * ty + next.tx, next.b * tx + next.d * ty + next.ty)
  }

  package var determinant: Double { a * d - b * c }

  /// The inverse transform; nil if the determinant is 0 or a number is not finite.
  package var inverse: Transform? {
    let size = determinant
    guard size.isFinite, size != 0 else { return nil }
    let inverse = Transform(
      d / size, -b / size, -c / size, a / size,
      (c * ty - d * tx) / size, (b * tx - a * ty) / size)
    guard inverse.isFinite else { return nil }
    return inverse
  }

  package var isFinite: Bool {
    a.isFinite && b.isFinite && c.isFinite && d.isFinite && tx.isFinite && ty.isFinite
  }
}

/// The smallest and largest coordinates of points.
struct Extent {
  var minX = Double.infinity
  var minY = Double.infinity
  var maxX = -Double.infinity
  var maxY = -Double.infinity

  @inline(__always) mutating func add(_ p: Point) {
    minX = p.x < minX ? p.x : minX
    minY = p.y < minY ? p.y : minY
    maxX = p.x > maxX ? p.x : maxX
    maxY = p.y > maxY ? p.y : maxY
  }

  /// The box of the pixels that the points touch; empty if there are no points.
  var box: PixelBox {
    guard minX <= maxX else { return .empty }
    return PixelBox(x0: floor(minX), y0: floor(minY), x1: ceiling(maxX), y1: ceiling(maxY))
  }
}

/// The pixels x0 ..< x1 of the rows y0 ..< y1, counted from the upper left corner of the bitmap.
struct PixelBox: Equatable {
  var x0: Int
  var y0: Int
  var x1: Int
  var y1: Int

  static let empty = PixelBox(x0: 0, y0: 0, x1: 0, y1: 0)

  var width: Int { x1 - x0 }
  var height: Int { y1 - y0 }
  var area: Int { width * height }
  var isEmpty: Bool { x1 <= x0 || y1 <= y0 }

  /// Returns the first rows of the bands that divide the box from the top down. A band has at most
  /// `most` pixels, or is a single row.
  func bands(of most: Int) -> StrideTo<Int> { stride(from: y0, to: y1, by: bandHeight(most)) }

  /// Returns the band that begins with the row `y`.
  func band(from y: Int, of most: Int) -> PixelBox {
    PixelBox(x0: x0, y0: y, x1: x1, y1: min(y1, y + bandHeight(most)))
  }

  private func bandHeight(_ most: Int) -> Int { max(1, most / max(1, width)) }

  func intersection(_ other: PixelBox) -> PixelBox {
    let box = PixelBox(
      x0: max(x0, other.x0), y0: max(y0, other.y0), x1: min(x1, other.x1), y1: min(y1, other.y1))
    return box.isEmpty ? .empty : box
  }

  func union(_ other: PixelBox) -> PixelBox {
    if isEmpty { return other }
    if other.isEmpty { return self }
    return PixelBox(
      x0: min(x0, other.x0), y0: min(y0, other.y0), x1: max(x1, other.x1), y1: max(y1, other.y1))
  }

  func contains(_ other: PixelBox) -> Bool {
    x0 <= other.x0 && y0 <= other.y0 && x1 >= other.x1 && y1 >= other.y1
  }
}

/// The largest absolute value of a coordinate. `tame` limits coordinates to it.
let farthest = 1e7

/// Returns a coordinate with which pixels can be counted: limited to ±`farthest`, and 0 for NaN.
@inline(__always) func tame(_ value: Double) -> Double {
  // Both comparisons are false for NaN.
  let low = value > -farthest ? value : value <= -farthest ? -farthest : 0
  return low < farthest ? low : farthest
}

@inline(__always) func tame(_ p: Point) -> Point { Point(tame(p.x), tame(p.y)) }

/// Returns the largest whole number that is not above a tame value. The conversion alone would
/// round towards 0, and `floor` of the mathematical library must not be called.
@inline(__always) func floor(_ value: Double) -> Int {
  let whole = Int(value)
  return Double(whole) > value ? whole - 1 : whole
}

@inline(__always) func ceiling(_ value: Double) -> Int {
  let whole = Int(value)
  return Double(whole) < value ? whole + 1 : whole
}
