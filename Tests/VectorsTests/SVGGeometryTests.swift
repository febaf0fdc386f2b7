// Tests positions in SVG by the rules of the standard: alignments, lengths, percentages, regions,
// and the spaces of gradients and patterns.

import Testing

@testable import Vectors

private func drawing(_ body: String, attributes: String = "width='20' height='20'") throws
  -> Drawing
{
  try SVG.read(Array("<svg xmlns='http://www.w3.org/2000/svg' \(attributes)>\(body)</svg>".utf8))
}

/// Returns the box of the first shape on the page.
private func box(_ drawing: Drawing) throws -> Rect {
  let item = try #require(drawing.page.first)
  guard case .fill(let path, _) = item.shape else { throw Missing() }
  var extent = Extent()
  drawing.paths.addBounds(of: path, item.transform, to: &extent)
  return Rect(
    x: extent.minX, y: extent.minY, width: extent.maxX - extent.minX,
    height: extent.maxY - extent.minY)
}

private struct Missing: Error {}

private func isNear(_ a: Double, _ b: Double) -> Bool { abs(a - b) < 1e-9 }

/// The names of alignments, and the fractions of the free space that lie before the box.
private let alignments: [(name: String, x: Double, y: Double)] = [
  ("xMinYMin", 0, 0), ("xMidYMin", 0.5, 0), ("xMaxYMin", 1, 0), ("xMinYMid", 0, 0.5),
  ("xMidYMid", 0.5, 0.5), ("xMaxYMid", 1, 0.5), ("xMinYMax", 0, 1), ("xMidYMax", 0.5, 1),
  ("xMaxYMax", 1, 1),
]

@Suite struct SVGGeometryTests {
  // MARK: View boxes

  @Test(arguments: alignments.map(\.name), ["", " meet", " slice"])
  func viewBoxesAreAligned(name: String, way: String) throws {
    let row = try #require(alignments.first { $0.name == name })
    for (width, height) in [(12.0, 6.0), (6.0, 12.0)] {
      let found = try box(
        drawing(
          "<rect width='3' height='3'/>",
          attributes: "width='\(width)' height='\(height)' viewBox='0 0 3 3' "
            + "preserveAspectRatio='\(name)\(way)'"))
      // With `slice` the box fills the page; otherwise all of the box is shown.
      let side = way == " slice" ? 12.0 : 6.0
      #expect(isNear(found.width, side) && isNear(found.height, side))
      #expect(isNear(found.x, (width - side) * row.x), "\(found)")
      #expect(isNear(found.y, (height - side) * row.y), "\(found)")
    }
  }

  @Test func viewBoxesAreInTheMiddleOrStretched() throws {
    let page = "width='12' height='6' viewBox='1 2 3 3'"
    let rect = "<rect x='1' y='2' width='3' height='3'/>"
    let middle = try box(drawing(rect, attributes: page))
    #expect([middle.x, middle.y, middle.width, middle.height] == [3, 0, 6, 6])
    let all = try box(drawing(rect, attributes: page + " preserveAspectRatio='none'"))
    #expect([all.x, all.y, all.width, all.height] == [0, 0, 12, 6])
  }

  // MARK: Lengths

  /// Lengths are in pixels, of which 96 are an inch. The font size is 10 pixels at the shape and 16
  /// at the root.
  @Test(arguments: [
    ("7", 7.0), ("7px", 7), ("1in", 96), ("2.54cm", 96), ("25.4mm", 96), ("72pt", 96), ("6pc", 96),
    ("2em", 20), ("2ex", 10), ("2rem", 32), ("5%", 10),
  ])
  func lengthsHaveUnits(text: String, pixels: Double) throws {
    let found = try box(
      drawing(
        "<g font-size='10'><rect width='\(text)' height='1'/></g>",
        attributes: "width='200' height='100'"))
    #expect(isNear(found.width, pixels), "\(found.width)")
  }

  /// Horizontal percentages refer to the width, vertical ones to the height, and others to the root
  /// of the mean of both squares.
  @Test func sharesAreOfTheirSideOfThePage() throws {
    let page = "width='70' height='10'"
    let rect = try box(
      drawing("<rect x='10%' y='10%' width='50%' height='50%'/>", attributes: page))
    #expect([rect.x, rect.y, rect.width, rect.height] == [7, 1, 35, 5])
    let circle = try box(drawing("<circle cx='50%' cy='50%' r='10%'/>", attributes: page))
    #expect(isNear(circle.x, 30) && isNear(circle.y, 0) && isNear(circle.width, 10))
  }

  /// A missing radius is equal to the other one, and each radius is at most half of its own side.
  @Test func radiiOfRectanglesAreHalfOfASideAtMost() throws {
    let attributes = "width='20' height='4'"
    func pixels(_ radii: String) throws -> [UInt32] {
      try svg("<rect width='20' height='4' \(radii)/>", attributes: attributes).pixels
    }
    #expect(try pixels("ry='10'") == pixels("rx='10' ry='2'"))
    #expect(try pixels("rx='9'") == pixels("rx='9' ry='2'"))
    #expect(try pixels("rx='10' ry='2'") != pixels(""))
    #expect(try pixels("rx='-1' ry='-1'") == pixels(""))
  }

  // MARK: Paints

  @Test func circlesOfGradientsHaveTwoRadii() throws {
    let found = try drawing(
      """
      <radialGradient id='a' gradientUnits='userSpaceOnUse' cx='10' cy='8' r='6' fx='9' fy='7' fr='2'>
      <stop/><stop offset='1' stop-color='red'/></radialGradient>
      <rect width='20' height='20' fill='url(#a)'/>
      """)
    #expect(
      found.shadings.map(\.geometry) == [
        .radial(from: Point(9, 7), fromRadius: 2, to: Point(10, 8), toRadius: 6)
      ])
  }

  @Test func opacitiesOfStopsAreNotInherited() throws {
    let picture = try svg(
      """
      <linearGradient id='a'><stop stop-color='red'/><stop offset='1' stop-color='red'/></linearGradient>
      <g stop-opacity='.2'><rect width='10' height='10' fill='url(#a)'/></g>
      """)
    #expect(picture.pixel(5, 5) == 0xFFFF_0000)
  }

  /// Cells of a pattern that is turned: a quarter of each is red, and the shape goes on beside it.
  @Test func turnedPatternsShowTheirCells() throws {
    let picture = try svg(
      """
      <pattern id='a' width='4' height='4' patternUnits='userSpaceOnUse'
        patternTransform='rotate(45)'><rect x='-9' width='10' height='4' fill='red'/></pattern>
      <rect width='10' height='10' fill='url(#a)'/>
      """)
    let alphas = picture.alphas.joined().map { Double($0) / 255 }
    let share = alphas.reduce(0, +) / Double(alphas.count)
    #expect((0.18...0.32).contains(share), "\(share)")
  }

  /// Tiles of 4 units, moved by 1 unit: the pattern's transform doubles tiles of 2 units.
  @Test func patternsAreTransformed() throws {
    let picture = try svg(
      """
      <pattern id='a' width='2' height='2' patternUnits='userSpaceOnUse'
        patternTransform='translate(1 0) scale(2)'><rect width='1' height='1' fill='red'/></pattern>
      <rect width='10' height='10' fill='url(#a)'/>
      """)
    let columns = (0..<9).map { picture.pixel($0, 0) == 0xFFFF_0000 }
    #expect(columns == [false, true, true, false, false, true, true, false, false])
  }

  @Test func viewBoxesOfPatternsFillTheirTiles() throws {
    let picture = try svg(
      """
      <pattern id='a' width='4' height='4' patternUnits='userSpaceOnUse' viewBox='0 0 8 8'>
      <rect width='4' height='4' fill='red'/></pattern><rect width='8' height='8' fill='url(#a)'/>
      """)
    let columns = (0..<8).map { picture.pixel($0, 0) == 0xFFFF_0000 }
    #expect(columns == [true, true, false, false, true, true, false, false])
  }

  // MARK: Masks

  /// By default a mask's region extends beyond the box by a tenth of it on each side.
  @Test func masksShowATenthMoreThanTheBox() throws {
    let picture = try svg(
      """
      <mask id='a'><rect width='20' height='20' fill='white'/></mask>
      <rect x='5' y='5' width='10' height='10' stroke='red' stroke-width='6' mask='url(#a)'/>
      """, attributes: "width='20' height='20'")
    for inside in [4, 15] {
      #expect(picture.pixel(inside, 10) == 0xFFFF_0000 && picture.pixel(10, inside) == 0xFFFF_0000)
    }
    for outside in [3, 16] {
      #expect(picture.pixel(outside, 10) == 0 && picture.pixel(10, outside) == 0)
    }
  }

  /// The weights of luminance in the standard: 0.2125, 0.7154 and 0.0721.
  @Test(arguments: [("#f00", 0.2125), ("#0f0", 0.7154), ("#00f", 0.0721), ("#fff", 1)])
  func masksShowLuminance(color: String, share: Double) throws {
    let picture = try svg(
      """
      <mask id='a'><rect width='10' height='10' fill='\(color)'/></mask>
      <rect width='10' height='10' mask='url(#a)'/>
      """)
    #expect(abs(Double(picture.pixel(5, 5) >> 24) - share * 255) <= 1)
  }

  // MARK: Strokes and colours

  /// A value that the standard calls an error has no effect.
  @Test(arguments: [
    ("stroke-dasharray='2 -1'", "stroke-dasharray='none'"),
    ("stroke-dasharray='0 0'", "stroke-dasharray='none'"),
    ("stroke-miterlimit='.5'", "stroke-miterlimit='4'"), ("stroke-linejoin='arcs'", ""),
    ("stroke-width='-3'", "stroke-width='1'"),
    ("stroke-dasharray='1 2 3'", "stroke-dasharray='1 2 3 1 2 3'"),
  ])
  func strokesWithoutMeaningAreOrdinaryOnes(odd: String, plain: String) throws {
    func pixels(_ attributes: String) throws -> [UInt32] {
      try svg("<path d='M1 9L5 2L9 9' fill='none' stroke='red' \(attributes)/>").pixels
    }
    #expect(try pixels(odd) == pixels(plain))
  }

  /// A dot lies at its length along a curve, also if the parameter of the curve grows unevenly.
  @Test func dotsLieAtTheirLengths() throws {
    func dots(_ data: String) throws -> [Int] {
      try svg(
        "<path d='\(data)' stroke='red' stroke-width='2' stroke-linecap='round' stroke-dasharray='0 5'/>"
      ).pixels.map { Int($0 >> 24) }
    }
    let line = try dots("M0 5h10")
    let curve = try dots("M0 5C0 5 0 5 10 5")
    #expect(zip(line, curve).allSatisfy { abs($0 - $1) <= 3 })
    #expect(line.contains(0) && line.contains { $0 > 180 })
  }

  @Test(
    arguments: [
      ("hsl(180,100%,50%)", 0xFF00_FFFF), ("hsl(3.14159265rad 100% 50%)", 0xFF00_FFFF),
      ("hsl(.5turn 100% 50%)", 0xFF00_FFFF), ("hsl(-120deg,100%,50%)", 0xFF00_00FF),
      ("#0F08", 0x8800_8800), ("#0F0", 0xFF00_FF00),
    ] as [(String, UInt32)])
  func coloursHaveManyForms(text: String, pixel: UInt32) throws {
    #expect(try svg("<rect width='9' height='9' fill='\(text)'/>").pixel(4, 4) == pixel)
  }
}
