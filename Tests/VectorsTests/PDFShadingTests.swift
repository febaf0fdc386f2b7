import Testing

@testable import Vectors

/// Tests shadings of all seven kinds, as patterns and by themselves, and tiling patterns.
@Suite struct PDFShadingTests {
  private static let redToBlue = "<< /FunctionType 2 /Domain [0 1] /C0 [1 0 0] /C1 [0 0 1] /N 1 >>"

  private func shade(_ entries: String, _ content: String = "/S sh") throws -> Picture {
    try PDFSketch(
      content, resources: "/Shading << /S << /ColorSpace /DeviceRGB \(entries) >> >>"
    ).picture()
  }

  private func axial(_ more: String = "") throws -> Picture {
    try shade("/ShadingType 2 /Coords [2 0 6 0] /Function \(Self.redToBlue) \(more)")
  }

  @Test func axialShading() throws {
    let picture = try axial("/Extend [true true]")
    #expect(picture.rgba(0, 4) == red && picture.rgba(7, 4) == blue)
    #expect(picture.isNear(3, 0, [159, 0, 96, 255]) && picture.isNear(3, 7, [159, 0, 96, 255]))
    let bare = try axial()
    #expect(bare.rgba(1, 4) == nothing && bare.rgba(6, 4) == nothing)
    #expect(bare.isNear(2, 4, [223, 0, 32, 255]))
    let first = try axial("/Extend [true false]")
    #expect(first.rgba(1, 4) == red && first.rgba(6, 4) == nothing)
  }

  @Test func boxesAndDomains() throws {
    let picture = try axial("/Extend [true true] /BBox [0 0 8 2]")
    #expect(picture.rgba(0, 7) == red && picture.rgba(0, 4) == nothing)
    let half = try axial("/Extend [true true] /Domain [0.5 1]")
    #expect(half.isNear(0, 4, [128, 0, 128, 255]))
  }

  @Test func clipsAndAlphaHoldForShadings() throws {
    let entries = "/ShadingType 2 /Coords [0 0 8 0] /Function \(Self.redToBlue)"
    var sketch = PDFSketch("/G gs 0 0 4 8 re W n /S sh")
    sketch.resources = """
      /Shading << /S << /ColorSpace /DeviceRGB \(entries) >> >> /ExtGState << /G << /ca 0.5 >> >>
      """
    let picture = try sketch.picture()
    #expect(picture.rgba(1, 1)[3] == 128 && picture.rgba(5, 1) == nothing)
  }

  @Test func radialShading() throws {
    let entries = "/ShadingType 3 /Coords [4 4 0 4 4 4] /Function \(Self.redToBlue)"
    let picture = try shade(entries)
    #expect(picture.rgba(0, 0) == nothing)
    #expect(picture.isNear(3, 3, [210, 0, 45, 255], by: 2))
    #expect(try shade(entries + " /Extend [false true]").rgba(0, 0) == blue)
  }

  /// A hard edge between parts of a stitching function stays a hard edge.
  @Test func jumpsStaySharp() throws {
    func constant(_ color: String) -> String {
      "<< /FunctionType 2 /Domain [0 1] /C0 [\(color)] /C1 [\(color)] /N 1 >>"
    }
    let function = """
      << /FunctionType 3 /Domain [0 1] /Functions [\(constant("1 0 0")) \(constant("0 1 0"))]
      /Bounds [0.5] /Encode [0 1 0 1] >>
      """
    let picture = try shade("/ShadingType 2 /Coords [0 0 8 0] /Function \(function)")
    #expect(picture.rgba(3, 4) == red && picture.rgba(4, 4) == green)
  }

  @Test func functionShading() throws {
    var sketch = PDFSketch("/S sh")
    let function = sketch.addStream(
      "/FunctionType 4 /Domain [0 1 0 1] /Range [0 1 0 1 0 1]", "{ 0 }")
    sketch.resources = """
      /Shading << /S << /ShadingType 1 /ColorSpace /DeviceRGB /Matrix [8 0 0 4 0 0]
      /Function \(function) 0 R >> >>
      """
    let picture = try sketch.picture()
    #expect(picture.isNear(6, 5, [207, 159, 0, 255], by: 2))
    #expect(picture.rgba(6, 2) == nothing)
  }

  // MARK: Meshes

  private func mesh(
    _ type: Int, _ bytes: [UInt8], _ more: String = "", decode: String = "0 8 0 8 0 1 0 1 0 1"
  ) throws -> Picture {
    var sketch = PDFSketch("/S sh")
    let stream = sketch.addStream(
      """
      /ShadingType \(type) /ColorSpace /DeviceRGB /BitsPerCoordinate 8 /BitsPerComponent 8
      /BitsPerFlag 8 /Decode [\(decode)] \(more)
      """, bytes)
    sketch.resources = "/Shading << /S \(stream) 0 R >>"
    return try sketch.picture()
  }

  @Test func freeTriangles() throws {
    let corner: [UInt8] = [0, 0, 0, 255, 0, 0, 0, 255, 0, 255, 0, 0, 0, 0, 255, 255, 0, 0]
    let one = try mesh(4, corner)
    #expect(one.rgba(1, 6) == red && one.rgba(6, 1) == nothing)
    // A fourth vertex forms a second triangle with a side of the first one.
    let two = try mesh(4, corner + [1, 255, 255, 0, 0, 255])
    #expect(two.rgba(1, 6) == red && two.rgba(6, 1)[2] > 128)
    let other = try mesh(4, corner + [2, 255, 255, 0, 0, 255])
    #expect(other.pixels != two.pixels)
  }

  @Test func nothingIsPaintedOutsideOfTheBoxOfAMesh() throws {
    let corner: [UInt8] = [0, 0, 0, 255, 0, 0, 0, 0, 255, 255, 0, 0, 0, 255, 0, 255, 0, 0]
    let picture = try mesh(4, corner, "/BBox [0 0 4 2]")
    #expect(picture.rgba(1, 7) == red && picture.rgba(1, 4) == nothing)
  }

  @Test func latticesAndFunctions() throws {
    let bytes: [UInt8] = [0, 0, 0, 255, 0, 255, 0, 255, 0, 255, 255, 255]
    let picture = try mesh(
      5, bytes, "/VerticesPerRow 2 /Function \(Self.redToBlue)", decode: "0 8 0 8 0 1")
    #expect(picture.isNear(0, 4, [239, 0, 16, 255], by: 2))
    #expect(picture.isNear(7, 4, [16, 0, 239, 255], by: 2))
  }

  /// The border of a square, from the lower left corner upwards and around, with straight sides.
  private static let sides: [(UInt8, UInt8)] = [
    (0, 0), (0, 85), (0, 170), (0, 255), (85, 255), (170, 255), (255, 255), (255, 170), (255, 85),
    (255, 0), (170, 0), (85, 0),
  ]
  private static let colors: [UInt8] = [255, 0, 0, 255, 0, 0, 0, 0, 255, 0, 0, 255]

  @Test func patches() throws {
    let border = Self.sides.flatMap { [$0.0, $0.1] }
    let coons = try mesh(6, [0] + border + Self.colors)
    #expect(coons.isNear(0, 4, [239, 0, 16, 255], by: 4))
    #expect(coons.isNear(7, 1, [16, 0, 239, 255], by: 4))
    let inner: [UInt8] = [85, 85, 85, 170, 170, 170, 170, 85]
    #expect(try mesh(7, [0] + border + inner + Self.colors).isNear(5, 5, coons.rgba(5, 5), by: 2))
    // If the inner points move to the left, colours of the right side appear in the middle.
    let pulled: [UInt8] = [0, 85, 0, 170, 20, 170, 20, 85]
    let tensor = try mesh(7, [0] + border + pulled + Self.colors)
    #expect(tensor.rgba(3, 4)[2] > coons.rgba(3, 4)[2] + 20)
  }

  /// Tests a patch of the left half, and a second patch that shares its right side.
  @Test func patchesShareSides() throws {
    let left = Self.sides.flatMap { [$0.0 / 2, $0.1] }
    let right: [UInt8] = [
      170, 0, 213, 0, 255, 0, 255, 85, 255, 170, 255, 255, 213, 255, 170, 255,
    ]
    let first = [0] + left + Self.colors
    let picture = try mesh(6, first + [2] + right + [0, 255, 0, 0, 255, 0])
    #expect(picture.rgba(1, 4)[0] > 150)
    #expect(picture.rgba(7, 4)[1] > 200 && picture.rgba(7, 4)[3] == 255)
  }

  @Test func unknownShadingsAreNamed() throws {
    let sketch = PDFSketch(
      "/S sh", resources: "/Shading << /S << /ShadingType 9 /ColorSpace /DeviceRGB >> >>")
    #expect(try sketch.drawing().unsupported == [.shading])
  }

  // MARK: Patterns

  @Test func shadingsAsPaint() throws {
    var sketch = PDFSketch("/Pattern cs /P scn 1 0 0 1 0 4 cm 2 0 4 2 re f")
    let shading = """
      << /ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 1 0] /Function \(Self.redToBlue)
      /Background [0 1 0] >>
      """
    sketch.resources =
      "/Pattern << /P << /PatternType 2 /Matrix [2 0 0 2 2 0] /Shading \(shading) >> >>"
    let picture = try sketch.picture()
    // The pattern matrix is relative to the page and not to the user space of the fill.
    #expect(picture.isNear(2, 3, [191, 0, 64, 255]) && picture.rgba(5, 3) == green)
    #expect(picture.rgba(1, 3) == nothing && picture.rgba(2, 6) == nothing)
    // Without Extend, `sh` paints nothing outside, not even the background.
    var bare = PDFSketch("/S sh")
    bare.resources = "/Shading << /S \(shading) >>"
    #expect(try bare.picture().rgba(5, 3) == nothing)
  }

  private func tiled(_ cell: String, _ entries: String, _ content: String) throws -> Picture {
    var sketch = PDFSketch(content)
    let stream = sketch.addStream(
      "/PatternType 1 /TilingType 1 /BBox [0 0 2 2] /XStep 4 /YStep 4 \(entries)", cell)
    sketch.resources = "/Pattern << /P \(stream) 0 R >> /ColorSpace << /U [/Pattern /DeviceRGB] >>"
    return try sketch.picture()
  }

  @Test func tiles() throws {
    let picture = try tiled(
      "1 0 0 rg 0 0 9 9 re f", "/PaintType 1", "/Pattern cs /P scn 0 0 8 8 re f")
    for (x, y) in [(0, 7), (1, 6), (4, 7), (0, 3), (5, 2)] { #expect(picture.rgba(x, y) == red) }
    for (x, y) in [(2, 7), (3, 5), (6, 0), (7, 4)] { #expect(picture.rgba(x, y) == nothing) }
  }

  @Test func stencilsShowTiles() throws {
    let picture = try tiled(
      "1 0 0 rg 0 0 9 9 re f", "/PaintType 1",
      "/Pattern cs /P scn 8 0 0 8 0 0 cm BI /IM true /W 2 /H 1 ID @ EI")
    #expect(picture.rgba(0, 7) == red && picture.rgba(1, 2) == red)
    #expect(picture.rgba(2, 7) == nothing && picture.rgba(4, 7) == nothing)
  }

  /// More than 400 tiles are copies of one. A cell can be smaller or larger than the step.
  @Test(arguments: [("[0 0 2 2]", 0.25), ("[0 0 4 4]", 1), ("[0 0 6 2]", 0.5)])
  func manyTilesShowTheirCells(box: String, share: Double) throws {
    var sketch = PDFSketch("/Pattern cs /P scn 0 0 8 8 re f")
    let stream = sketch.addStream(
      "/PatternType 1 /PaintType 1 /TilingType 1 /BBox \(box) /XStep 4 /YStep 4 "
        + "/Matrix [.0625 0 0 .0625 0 0]", "1 0 0 rg 0 0 99 99 re f")
    sketch.resources = "/Pattern << /P \(stream) 0 R >>"
    let picture = try sketch.picture(scale: 16)
    let alphas = picture.alphas.joined().map { Double($0) / 255 }
    let found = alphas.reduce(0, +) / Double(alphas.count)
    #expect(abs(found - share) < 0.1, "\(found)")
  }

  @Test func uncoloredTilesTakeTheColorOfTheFill() throws {
    let picture = try tiled(
      "1 0 0 rg 0 0 2 2 re f", "/PaintType 2", "/U cs 0 0 1 /P scn 0 0 8 8 re f")
    #expect(picture.rgba(0, 7) == blue && picture.rgba(3, 7) == nothing)
  }

  @Test func tilesHaveAMatrix() throws {
    let picture = try tiled(
      "0 0 2 2 re f", "/PaintType 1 /Matrix [1 0 0 1 2 0]", "/Pattern cs /P scn 0 0 8 8 re f")
    #expect(picture.rgba(2, 7) == black && picture.rgba(0, 7) == nothing)
  }
}
