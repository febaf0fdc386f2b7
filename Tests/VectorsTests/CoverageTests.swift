// Tests the coverage of pixels against areas that were computed by hand: byte = min(255, ⌊256 ·
// area⌋).

import Testing

@testable import Vectors

private func alphas(
  _ width: Double, _ height: Double, _ rule: FillRule = .nonZero, _ polygons: [[(Double, Double)]]
) throws -> [[UInt8]] {
  var drawing = Drawing(width: width, height: height)
  for polygon in polygons {
    for (i, p) in polygon.enumerated() {
      if i == 0 {
        drawing.paths.move(to: Point(p.0, p.1))
      } else {
        drawing.paths.line(to: Point(p.0, p.1))
      }
    }
  }
  drawing.page = [Item(.fill(drawing.paths.end(), rule))]
  return try Picture(drawing).alphas
}

@Suite struct CoverageTests {
  @Test func wholeHalfAndQuarterPixels() throws {
    let square = [(0.5, 0.5), (3.0, 0.5), (3.0, 2.0), (0.5, 2.0)]
    #expect(
      try alphas(4, 3, .nonZero, [square]) == [
        [64, 128, 128, 0], [128, 255, 255, 0], [0, 0, 0, 0],
      ])
  }

  /// The hypotenuse from (0, 0) to (4, 2) covers 1/4 and 3/4 of the pixels of each row that it
  /// crosses.
  @Test func aTriangle() throws {
    #expect(
      try alphas(4, 2, .nonZero, [[(0, 0), (4, 2), (0, 2)]]) == [
        [192, 64, 0, 0], [255, 255, 192, 64],
      ])
  }

  @Test func theDirectionOfAPathDoesNotMatter() throws {
    #expect(
      try alphas(4, 2, .nonZero, [[(0, 2), (4, 2), (0, 0)]]) == [
        [192, 64, 0, 0], [255, 255, 192, 64],
      ])
  }

  /// A third of the pixel's width times 0.7 of its height: 256 · 0.2333… = 59.7….
  @Test func areasAreRoundedDown() throws {
    #expect(
      try alphas(1, 1, .nonZero, [[(0, 0), (1.0 / 3, 0), (1.0 / 3, 0.7), (0, 0.7)]]) == [[59]])
  }

  @Test func evenOddLeavesOutWhatIsCoveredTwice() throws {
    let outer = [(0.0, 0.0), (4.0, 0.0), (4.0, 3.0), (0.0, 3.0)]
    let inner = [(1.5, 1.0), (3.0, 1.0), (3.0, 2.0), (1.5, 2.0)]
    let rows: [[UInt8]] = [[255, 255, 255, 255], [255, 128, 0, 255], [255, 255, 255, 255]]
    #expect(try alphas(4, 3, .evenOdd, [outer, inner]) == rows)
    #expect(try alphas(4, 3, .nonZero, [outer, inner])[1] == [255, 255, 255, 255])
    #expect(try alphas(4, 3, .nonZero, [outer, inner.reversed()]) == rows)
  }

  @Test func partsOutsideOfTheBitmapAreNotDrawn() throws {
    let wide = [(-3.0, -2.0), (9.0, -2.0), (9.0, 0.5), (-3.0, 0.5)]
    #expect(try alphas(3, 2, .nonZero, [wide]) == [[128, 128, 128], [0, 0, 0]])
    // A quarter of the diamond around the lower right corner is inside of the bitmap.
    let diamond = [(3.0, 0.0), (5.0, 2.0), (3.0, 4.0), (1.0, 2.0)]
    #expect(try alphas(3, 2, .nonZero, [diamond]) == [[0, 0, 128], [0, 128, 255]])
  }

  @Test func aPathWithoutAreaShowsNothing() throws {
    #expect(try alphas(2, 1, .nonZero, [[(0, 0.5), (2, 0.5)], [], [(1, 1)]]) == [[0, 0]])
  }

  /// NaN, and numbers that no page can hold, neither trap nor take long, and a shape that is drawn
  /// after them is not changed.
  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300, .leastNonzeroMagnitude])
  func oddNumbersDoNotSpoilTheRest(_ value: Double) throws {
    let rows = try alphas(8, 8, .nonZero, [[(value, 0), (8, value), (value, value), (0, 8)]])
    #expect(rows.count == 8)
    var drawing = Drawing(width: 8, height: 8)
    let path = drawing.polygon([(0, 0), (8, 8), (0, 8)])
    var item = Item(.fill(path, .nonZero), transform: Transform(value, 1, 1, value, value, 0))
    item.alpha = value
    let square = drawing.polygon([(6, 0), (8, 0), (8, 2), (6, 2)])
    drawing.page = [
      item, Item(.stroke(path, Stroke(width: value))),
      Item(.fill(square, .nonZero), .color(Color(1, 0, 0))),
    ]
    #expect(try Picture(drawing).rgba(7, 1) == red)
  }

  @Test func rowsOfAnyWidthAreSummedWhole() throws {
    for width in [1, 2, 61, 62, 63, 64, 65, 126, 127, 128, 129, 300] {
      let w = Double(width)
      let rows = try alphas(w, 2, .nonZero, [[(0, 0), (w, 0), (w, 2), (0, 1)]])
      #expect(rows[0] == [UInt8](repeating: 255, count: width))
      let expected = (0..<width).map { x in
        let share = (Double(x) + 0.5) / w
        return UInt8(min(255, Int(256 * share + 1e-9)))
      }
      #expect(rows[1] == expected, "width \(width)")
    }
  }
}
