import Foundation
import Testing
import Vectors

/// Compares the series with the system's mathematical library.
@Suite struct MathematicsTests {
  private static let values = stride(from: -50.0, through: 50, by: 0.37).map { $0 }

  private func isClose(_ a: Double, _ b: Double) -> Bool { abs(a - b) <= 2e-15 * max(1, abs(b)) }

  @Test(arguments: values) func angles(x: Double) {
    #expect(isClose(Mathematics.sine(x), sin(x)))
    #expect(isClose(Mathematics.cosine(x), cos(x)))
    for y in [-3.0, -0.1, 0, 0.5, 80] {
      #expect(isClose(Mathematics.angle(y: y, x: x), atan2(y, x)))
    }
  }

  @Test(arguments: values) func powers(x: Double) {
    #expect(abs(Mathematics.exponential(x) / exp(x) - 1) < 2e-14)
    let size = abs(x) + 0.001
    #expect(isClose(Mathematics.logarithm(size), log(size)))
    for y in [-2.4, -1, 0, 0.333, 1 / 2.4, 1, 2, 2.2, 17] {
      #expect(abs(Mathematics.power(size, y) / pow(size, y) - 1) < 1e-13)
    }
  }

  @Test func rightAnglesAreExact() {
    let turns = stride(from: -720.0, through: 720, by: 90)
    for degrees in turns {
      #expect(abs(Mathematics.cosine(degrees: degrees) - cos(degrees * .pi / 180)) < 1e-15)
    }
    #expect(Mathematics.cosine(degrees: 0) == 1)
    #expect(Mathematics.degrees(y: -1, x: 0) == 270)
    #expect(Mathematics.power(-2, 3) == -8)
    #expect(Mathematics.power(-2, 0.5) == 0)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300, .leastNonzeroMagnitude])
  func nothingIsInfinite(x: Double) {
    for value in [
      Mathematics.sine(x), Mathematics.cosine(x), Mathematics.exponential(x),
      Mathematics.logarithm(x),
      Mathematics.power(x, 2.4), Mathematics.power(x, 3), Mathematics.power(2, x),
      Mathematics.cosine(degrees: x), Mathematics.angle(y: x, x: 1), Mathematics.power(0, x),
    ] {
      #expect(value.isFinite)
    }
  }
}
