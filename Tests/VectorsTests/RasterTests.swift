// Tests the rules of the rasteriser other than coverage: curves, strokes, clips, groups, masks,
// images and meshes.

import Bytes
import Testing

@testable import Vectors

private func alphas(_ width: Double, _ height: Double, _ make: (inout Drawing) -> [Item]) throws
  -> [[UInt8]]
{
  var drawing = Drawing(width: width, height: height)
  drawing.page = make(&drawing)
  return try Picture(drawing).alphas
}

@Suite struct RasterTests {
  /// If the second differences of the whole curve are 1/15 on each axis, the curve becomes one
  /// line.
  @Test func aCurveIsHalvedUntilItsSecondDifferencesAreAFifteenth() {
    struct Lines: ~Copyable, LineSink {
      var ends: [Point] = []
      var isFull: Bool { false }
      mutating func line(_ from: Point, _ to: Point) { ends.append(to) }
    }
    func count(_ bend: Double) -> Int {
      var lines = Lines()
      flatten(Point(0, 0), Point(1, bend), Point(2, bend), Point(3, 0), into: &lines)
      return lines.ends.count
    }
    #expect(count(1.0 / 15) == 1)
    #expect(count(1.0 / 15 + 1e-9) == 2)
    // Halving a curve divides its second differences by four.
    #expect(count(4.0 / 15 - 1e-9) == 2)
    #expect(count(4.0 / 15 + 1e-9) == 4)
  }

  /// Lines are not moved to whole pixels: a line of two pixels that is shifted by half a pixel
  /// covers three rows.
  @Test func strokesAreNotMovedToWholePixels() throws {
    let rows = try alphas(4, 4) { drawing in
      let path = drawing.polygon([(0, 1.5), (4, 1.5)], isClosed: false)
      return [Item(.stroke(path, Stroke(width: 2)))]
    }
    #expect(rows.map { $0[1] } == [128, 255, 128, 0])
  }

  /// Two overlapping pieces of a stroke cover their union.
  @Test func strokesAreUnions() throws {
    let rows = try alphas(6, 6) { drawing in
      let path = drawing.polygon([(0, 2), (4, 2), (4, 6)], isClosed: false)
      var stroke = Stroke(width: 3)
      stroke.join = .bevel
      return [Item(.stroke(path, stroke))]
    }
    // The inner corner (2.5, 3.5) leaves a quarter of its pixel uncovered.
    #expect(rows[3][2] == 192)
    #expect(rows[3][3] == 255 && rows[4][3] == 255 && rows[3][1] == 128 && rows[4][2] == 128)
  }

  /// Apple's bitmap of a diagonal of one pixel has 118 31 | 63 236 63; its integer arithmetic loses
  /// one or two units. The half row at the start has half of the coverage of a whole row, and no
  /// pixel farther to the left than half a pixel is covered.
  @Test func thinDiagonalsAreDrawnByRows() throws {
    let rows = try alphas(6, 4) { drawing in
      let path = drawing.polygon([(1.5, 0.5), (4.5, 3.5)], isClosed: false)
      return [Item(.stroke(path, Stroke(width: 1)))]
    }
    #expect(rows[0] == [0, 117, 32, 0, 0, 0])
    #expect(rows[1] == [0, 64, 234, 64, 0, 0])
    #expect(rows[2] == [0, 0, 64, 234, 64, 0])
    #expect(rows[3] == [0, 0, 0, 32, 117, 0])
  }

  /// If a stroke is one pixel wide, square caps are drawn only along the axes.
  @Test func thinLinesHaveSquareEndsAlongTheAxes() throws {
    let rows = try alphas(4, 3) { drawing in
      let path = drawing.polygon([(1, 1.5), (3, 1.5)], isClosed: false)
      var stroke = Stroke(width: 1)
      stroke.cap = .square
      return [Item(.stroke(path, stroke))]
    }
    #expect(rows[1] == [128, 255, 255, 128])
  }

  /// Lines of a thin stroke may lie on any side of the bitmap.
  @Test func thinLinesBesideTheBitmap() throws {
    func drawn(_ more: [(Double, Double)]) throws -> [UInt32] {
      var drawing = Drawing(width: 4, height: 4)
      drawing.paths.move(to: Point(1.5, 0))
      drawing.paths.line(to: Point(1.5, 4))
      for (x, y) in more {
        for step in [Point(0.25, 9), Point(9, 0.25)] {
          drawing.paths.move(to: Point(x, y))
          drawing.paths.line(to: Point(x + step.x, y + step.y))
        }
      }
      drawing.page = [Item(.stroke(drawing.paths.end(), Stroke(width: 1)))]
      return try Picture(drawing).pixels
    }
    let alone = try drawn([])
    #expect(alone[1] == 0xFF00_0000 && alone[0] == 0)
    #expect(try drawn([(20, 20), (-40, 20), (20, -40), (-40, -40)]) == alone)
  }

  @Test func clipsMultiply() throws {
    let rows = try alphas(2, 1) { drawing in
      let half = drawing.rectangle(0, 0, 2, 0.5)
      let outer = drawing.addClip(ClipPath(half, .nonZero, transform: .identity), in: Clip.none)
      let left = drawing.rectangle(0, 0, 1.5, 1)
      let inner = drawing.addClip(ClipPath(left, .nonZero, transform: .identity), in: outer)
      var item = Item(.fill(drawing.rectangle(0, 0, 2, 1), .nonZero))
      item.clip = inner
      return [item]
    }
    // 128 · 128 / 255 = 64.25….
    #expect(rows == [[128, 64]])
  }

  /// A clip along the edges of pixels changes nothing inside.
  @Test func aClipAlongPixelsIsExact() throws {
    let rows = try alphas(3, 1) { drawing in
      let path = drawing.rectangle(1, -5, 9, 9)
      var item = Item(.fill(drawing.rectangle(0, 0, 3, 0.5), .nonZero))
      item.clip = drawing.addClip(ClipPath(path, .nonZero, transform: .identity), in: Clip.none)
      return [item]
    }
    #expect(rows == [[0, 128, 128]])
  }

  @Test func groupsAreComposedAsOne() throws {
    var drawing = Drawing(width: 2, height: 1)
    let all = Item(.fill(drawing.rectangle(0, 0, 2, 1), .nonZero), .color(Color(1, 0, 0)))
    let half = Item(.fill(drawing.rectangle(0, 0, 1, 1), .nonZero), .color(Color(0, 0, 1)))
    var group = Item(.group(Group(scene: drawing.addScene([all, half]))))
    group.alpha = 0.5
    drawing.page = [group]
    #expect(try Picture(drawing).pixels == [0x8000_0080, 0x8080_0000])
  }

  @Test func masksOfBrightnessAndAlpha() throws {
    for (kind, expected) in [
      (SoftMask.Kind.alpha, UInt8(128)), (.luminosity, 77), (.luminance, 27),
    ] {
      var drawing = Drawing(width: 1, height: 1)
      let path = drawing.rectangle(0, 0, 1, 1)
      var shown = Item(.fill(path, .nonZero), .color(Color(1, 0, 0)))
      if kind != .luminosity { shown.alpha = 0.5 }
      let scene = drawing.addScene([shown])
      var item = Item(.fill(path, .nonZero))
      item.mask = drawing.addMask(SoftMask(kind, scene: scene))
      drawing.page = [item]
      #expect(try Picture(drawing).alphas == [[expected]], "\(kind)")
    }
  }

  @Test func aMaskIsPassedThroughItsTable() throws {
    var drawing = Drawing(width: 1, height: 1)
    let path = drawing.rectangle(0, 0, 1, 1)
    var mask = SoftMask(.luminosity, scene: drawing.addScene([]))
    mask.backdrop = Color(1, 1, 1)
    mask.transfer = (0..<256).map { UInt8(255 - $0 / 2) }
    var item = Item(.fill(path, .nonZero))
    item.mask = drawing.addMask(mask)
    drawing.page = [item]
    #expect(try Picture(drawing).alphas == [[128]])
  }

  /// Tests each mode over an opaque colour. The expected values are computed from the formula for
  /// two channels: red is 204 over 64, and green is 64 over 204.
  @Test(
    arguments: [
      (.normal, 0xCC40), (.multiply, 0x3333), (.screen, 0xD9D9), (.overlay, 0x66B3),
      (.darken, 0x4040), (.lighten, 0xCCCC), (.colorDodge, 0xFFFF), (.colorBurn, 0x1034),
      (.hardLight, 0xB366), (.softLight, 0x66B8), (.difference, 0x8C8C), (.exclusion, 0xA6A6),
      (.plusLighter, 0xFFFF),
    ] as [(BlendMode, UInt32)])
  func modes(_ mode: BlendMode, _ expected: UInt32) throws {
    var drawing = Drawing(width: 1, height: 1)
    let path = drawing.rectangle(0, 0, 1, 1)
    let below = Item(.fill(path, .nonZero), .color(Color(64 / 255.0, 0.8, 0)))
    var above = Item(.fill(path, .nonZero), .color(Color(0.8, 64 / 255.0, 0)))
    above.blend = mode
    drawing.page = [below, above]
    #expect(try Picture(drawing).pixel(0, 0) >> 8 & 0xFFFF == expected)
  }

  /// Red over grey: hue, saturation or luminosity come from one of both, the rest from the other.
  @Test(
    arguments: [
      (.hue, 0xFF80_8080), (.saturation, 0xFF80_8080), (.color, 0xFFFF_4A4A),
      (.luminosity, 0xFF4D_4D4D),
    ] as [(BlendMode, UInt32)])
  func modesOfWholeColors(_ mode: BlendMode, _ expected: UInt32) throws {
    var drawing = Drawing(width: 1, height: 1)
    let path = drawing.rectangle(0, 0, 1, 1)
    let gray = 128 / 255.0
    let below = Item(.fill(path, .nonZero), .color(Color(gray, gray, gray)))
    var above = Item(.fill(path, .nonZero), .color(Color(1, 0, 0)))
    above.blend = mode
    drawing.page = [below, above]
    #expect(try Picture(drawing).pixel(0, 0) == expected)
  }

  @Test func imagesAreMeansWhenSmallerAndMixedWhenLarger() throws {
    var drawing = Drawing(width: 4, height: 1)
    let gray = drawing.addImage(
      Image(
        width: 4, height: 2, kind: .color, interpolates: false,
        pixels: [UInt8](repeating: 255, count: 16)
          + (0..<4).flatMap { [0, 0, UInt8($0) * 40, 255] }))
    drawing.page = [Item(.image(gray), transform: .scale(2, 1))]
    let small = try Picture(drawing)
    #expect(small.pixels == [0xFF80_808A, 0xFF80_80B2, 0, 0])
  }

  /// The centres of the new pixels are at 0.25, 0.75, 1.25 and 1.75, those of the two old pixels at
  /// 0.5 and 1.5. Only pictures that ask for interpolation are mixed.
  @Test(arguments: [(false, [0, 0, 200, 200]), (true, [0, 25, 175, 200])])
  func enlargedImagesAreMixed(interpolates: Bool, reds: [Int]) throws {
    var drawing = Drawing(width: 4, height: 1)
    let pair = drawing.addImage(
      Image(
        width: 2, height: 1, kind: .color, interpolates: interpolates,
        pixels: [0, 0, 0, 255, 200, 0, 0, 255]))
    drawing.page = [Item(.image(pair), transform: .scale(4, 1))]
    #expect(try Picture(drawing).pixels.map { Int($0 >> 16 & 255) } == reds)
  }

  @Test func imagesThatCoverTooMuchAreRefused() throws {
    var drawing = Drawing(width: 600, height: 600)
    let (width, height) = (2_000, 1_000)
    let image = drawing.addImage(
      Image(
        width: width, height: height, kind: .stencil, interpolates: false,
        pixels: [UInt8](repeating: 255, count: width * height)))
    // A narrow strip along the diagonal, in which each pixel shows the whole picture.
    drawing.page = [Item(.image(image), transform: Transform(600, 600, 600, 600.5, 0, 0))]
    var rasterizer = Rasterizer()
    do {
      _ = try Picture(drawing, .svg, &rasterizer)
      Issue.record("drawn")
    } catch {
      guard case .overBudget(let reason) = error as? VectorError else { throw error }
      #expect(reason.shares.first?.expense == .samples)
    }
    // The rows of the unfinished shape must not appear in the next picture.
    var small = Drawing(width: 600, height: 600)
    small.page = [Item(.fill(small.polygon([(0, 0), (600, 0), (600, 600)]), .nonZero))]
    #expect(try Picture(small, .svg, &rasterizer).pixels == Picture(small).pixels)
  }

  /// Compares a shape of more pixels than are summed at once with single rows of it.
  @Test func largeShapesAreDrawnInBands() throws {
    let (width, height) = (3_000.0, 3_000.0)
    func drawn(_ transform: Transform, _ width: Double, _ height: Double) throws -> Picture {
      var drawing = Drawing(width: width, height: height)
      let outer = drawing.polygon([(1.5, 0.25), (2_990, 1_400), (20, 2_999.5)])
      let inner = drawing.polygon([(40, 300), (2_000, 1_500), (45, 2_500)])
      var item = Item(.fill(outer, .nonZero), transform: transform)
      item.clip = drawing.addClip(
        ClipPath(inner, .nonZero, transform: transform), in: Clip.none)
      drawing.page = [item]
      return try Picture(drawing)
    }
    let whole = try drawn(.identity, width, height)
    for row in [0, 301, 1_397, 1_398, 1_399, 2_400, 2_999] {
      let alone = try drawn(.translation(0, -Double(row)), width, 1)
      #expect(
        Array(whole.pixels[row * 3_000..<(row + 1) * 3_000]) == alone.pixels, "row \(row)")
    }
  }

  @Test func stencilsShowTheItemsColour() throws {
    var drawing = Drawing(width: 2, height: 1)
    let image = drawing.addImage(
      Image(width: 2, height: 1, kind: .stencil, interpolates: false, pixels: [0, 255]))
    drawing.page = [
      Item(.image(image), .color(Color(0, 1, 0)), transform: .scale(2, 1))
    ]
    #expect(try Picture(drawing).pixels == [0, 0xFF00_FF00])
  }

  @Test func stencilsShowShadings() throws {
    var drawing = Drawing(width: 2, height: 2)
    let image = drawing.addImage(
      Image(width: 1, height: 2, kind: .stencil, interpolates: false, pixels: [0, 255]))
    let corners = [(0.0, 0.0), (8, 0), (0, 8)].map { MeshVertex(Point($0.0, $0.1), Color(1, 0, 0)) }
    let shading = drawing.addShading(
      Shading(.mesh(drawing.addVertices(corners)), stops: .none, transform: .identity))
    var item = Item(.image(image), .shading(shading), transform: .scale(2, 2))
    item.alpha = 0.2
    drawing.page = [item]
    #expect(try Picture(drawing).pixels == [0, 0, 0x3333_0000, 0x3333_0000])
  }

  @Test func trianglesOfAMesh() throws {
    var drawing = Drawing(width: 4, height: 4)
    let corners = [(0.0, 0.0, 0.0), (8, 0, 1), (0, 8, 0)].map {
      MeshVertex(Point($0.0, $0.1), Color($0.2, 0, 0))
    }
    let span = drawing.addVertices(corners)
    let shading = drawing.addShading(
      Shading(.mesh(span), stops: .none, transform: .identity))
    drawing.page = [Item(.everything, .shading(shading))]
    let picture = try Picture(drawing)
    // The red of a pixel is the distance of its centre from the left, divided by eight: 0.5/8 · 255
    // = 15.9.
    #expect(picture.pixel(0, 0) == 0xFF10_0000 && picture.pixel(3, 3) == 0xFF70_0000)
  }

  @Test func pagesLieOnTheLowerLeftCorner() throws {
    var drawing = Drawing(width: 1.4, height: 2.6)
    drawing.page = [Item(.fill(drawing.rectangle(0, 0, 1.4, 2.6), .nonZero))]
    #expect(try Picture(drawing, .pdf).alphas == [[153], [255], [255]])
    #expect(try Picture(drawing).alphas == [[153, 61], [255, 102], [255, 102]])
    let placement = try PagePlacement(.svg, width: 1_134.5, height: 202.72, scale: 2)
    #expect(placement.width == 2_269 && placement.height == 406)
    #expect(placement.sliceY == 1 && placement.sliceWidth == 2_269 && placement.sliceHeight == 405)
    #expect(throws: VectorError.overLimit(.pageSide, most: 16_384)) {
      try PagePlacement(.svg, width: 1e9, height: 1, scale: 1)
    }
  }

  /// The memory that one picture leaves has no influence on the next picture.
  @Test func aRasterizerDrawsTheSameTwice() throws {
    let source = Array(
      """
      <svg width='40' height='40'><clipPath id='c'><circle cx='20' cy='20' r='15'/></clipPath>
      <g clip-path='url(#c)' opacity='.5'><rect width='40' height='30'/><path d='M0 0L40 40'
      stroke='red' stroke-width='5'/></g></svg>
      """.utf8)
    let large = try SVG.read(source)
    let small = try SVG.read(Array("<svg width='5' height='5'><path d='M0 0L5 5H0z'/></svg>".utf8))
    var rasterizer = Rasterizer()
    let first = try Picture(small, .svg, &rasterizer).pixels
    let firstLarge = try Picture(large, scale: 3, .svg, &rasterizer).pixels
    #expect(try Picture(small, .svg, &rasterizer).pixels == first)
    rasterizer.release()
    #expect(try Picture(large, scale: 3, .svg, &rasterizer).pixels == firstLarge)
  }
}
