// Points, rectangles and affine transforms of drawings. The functions use only additions,
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
