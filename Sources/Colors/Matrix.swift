// Matrices of three by three, which convert from one set of primaries to another.

/// Three rows of three numbers.
package typealias Matrix = [SIMD3<Double>]

extension Matrix {
  package static func * (a: Matrix, b: Matrix) -> Matrix {
    a.map { row in row.x * b[0] + row.y * b[1] + row.z * b[2] }
  }

  /// The inverse; nil if it does not exist.
  package var inverse: Matrix? {
    func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
      [a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x]
    }
    let columns = [cross(self[1], self[2]), cross(self[2], self[0]), cross(self[0], self[1])]
    let determinant = (self[0] * columns[0]).sum()
    guard abs(determinant) > 1e-6 else { return nil }
    return (0..<3).map { [columns[0][$0], columns[1][$0], columns[2][$0]] / determinant }
  }

  /// Twice the area of the triangle that the primaries form in the chromaticity diagram.
  package var gamutArea: Double {
    let points = (0..<3).map { column -> (x: Double, y: Double) in
      let sum = self[0][column] + self[1][column] + self[2][column]
      return sum == 0 ? (0, 0) : (self[0][column] / sum, self[1][column] / sum)
    }
    let (a, b, c) = (points[0], points[1], points[2])
    return abs((b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y))
  }
}
