import Testing

@testable import Vectors

/// Tests forms, alpha, groups, soft masks and blend modes.
@Suite struct PDFGroupTests {
  private static let states = """
    /ExtGState << /Half << /ca 0.5 >> /HalfLine << /CA 0.5 >> /All << /ca 1 >>
    /Multiply << /BM /Multiply >> /Odd << /BM [/Unknown /Screen] >> /Bad << /BM /Unknown >> >>
    """

  private func page(_ content: String, form: String = "", entries: String = "") throws -> Picture {
    try sketch(content, form: form, entries: entries).picture()
  }

  private func sketch(_ content: String, form: String, entries: String) -> PDFSketch {
    var sketch = PDFSketch(content)
    let number = sketch.addStream(
      "/Subtype /Form /BBox [0 0 8 8] /Resources << \(Self.states) >> \(entries)", form)
    sketch.resources = "\(Self.states) /XObject << /F \(number) 0 R >>"
    return sketch
  }

  @Test func constantAlpha() throws {
    let picture = try page("/Half gs 1 0 0 rg 0 0 8 8 re f 0 0 4 8 re f")
    #expect(picture.rgba(6, 4) == [128, 0, 0, 128] && picture.isNear(1, 4, [191, 0, 0, 191]))
    #expect(try page("/HalfLine gs 8 w 0 4 m 8 4 l S").rgba(4, 4)[3] == 128)
    #expect(try page("/HalfLine gs 0 0 8 8 re f").rgba(4, 4)[3] == 255)
  }

  // MARK: Forms

  @Test func formsHaveABoxAMatrixAndAState() throws {
    let picture = try page(
      "1 0 0 rg q 2 0 0 2 0 0 cm /F Do Q 7 7 1 1 re f", form: "0 0 9 9 re f 0 1 0 rg Q Q Q",
      entries: "/BBox [0 0 1 1] /Matrix [1 0 0 1 1 1]")
    // The box that the sketch itself writes comes first and counts.
    #expect(picture.rgba(2, 5) == red && picture.rgba(7, 0) == red)
    #expect(picture.rgba(1, 5) == nothing)
  }

  @Test func boxesClip() throws {
    var sketch = PDFSketch("/F Do")
    let form = sketch.addStream("/Subtype /Form /BBox [2 2 4 4]", "0 0 8 8 re f")
    sketch.resources = "/XObject << /F \(form) 0 R >>"
    let picture = try sketch.picture()
    #expect(picture.rgba(2, 4) == black && picture.rgba(4, 4) == nothing)
  }

  @Test func formsInThemselvesEnd() throws {
    var sketch = PDFSketch("/F Do 0 0 2 2 re f")
    let form = sketch.addStream(
      "/Subtype /Form /BBox [0 0 8 8] /Resources << /XObject << /F 5 0 R >> >>",
      "4 4 2 2 re f /F Do")
    sketch.resources = "/XObject << /F \(form) 0 R >>"
    let picture = try sketch.picture()
    #expect(picture.rgba(0, 7) == black && picture.rgba(4, 3) == black)
  }

  // MARK: Groups

  private static let two = "1 0 0 rg 0 0 6 8 re f 0 1 0 rg 2 0 6 8 re f"

  @Test func groupsAreComposedAsOne() throws {
    let group = try page(
      "/Half gs /F Do", form: Self.two, entries: "/Group << /S /Transparency >>")
    #expect(group.rgba(4, 4) == [0, 128, 0, 128] && group.rgba(0, 4) == [128, 0, 0, 128])
    let form = try page("/Half gs /F Do", form: Self.two)
    #expect(form.isNear(4, 4, [64, 128, 0, 191]))
  }

  @Test func isolatedGroupsBlendInThemselvesOnly() throws {
    let content = "1 0 0 rg 0 0 8 8 re f /F Do"
    let form = "/Multiply gs 0 1 0 rg 0 0 8 8 re f"
    let isolated = try page(
      content, form: form, entries: "/Group << /S /Transparency /I true >>")
    #expect(isolated.rgba(4, 4) == green)
    let open = try page(content, form: form, entries: "/Group << /S /Transparency >>")
    #expect(open.rgba(4, 4) == black)
  }

  /// With half alpha, half of the group's result is mixed with half of the pixels below.
  @Test func opaqueAndOpenGroupsWithAlpha() throws {
    let content = "1 0 0 rg 0 0 8 8 re f /Half gs /F Do"
    let form = "/Multiply gs 0 1 0 rg 0 0 8 8 re f"
    let open = try page(content, form: form, entries: "/Group << /S /Transparency >>")
    #expect(open.isNear(4, 4, [128, 0, 0, 255]))
    let isolated = try page(
      content, form: form, entries: "/Group << /S /Transparency /I true >>")
    #expect(isolated.isNear(4, 4, [127, 128, 0, 255]))
  }

  @Test func knockoutGroupsAreNamed() throws {
    let sketch = sketch("/F Do", form: Self.two, entries: "/Group << /S /Transparency /K true >>")
    #expect(try sketch.drawing().unsupported == [.knockoutGroup])
  }

  // MARK: Blend modes

  @Test func blendModes() throws {
    #expect(try page("1 0 0 rg 0 0 8 8 re f /Multiply gs 1 1 0 rg 0 0 8 8 re f").rgba(4, 4) == red)
    let screen = try page("1 0 0 rg 0 0 8 8 re f /Odd gs 0 1 0 rg 0 0 8 8 re f")
    #expect(screen.rgba(4, 4) == [255, 255, 0, 255])
    #expect(try PDFSketch("/Bad gs", resources: Self.states).drawing().unsupported == [.blendMode])
  }

  @Test(arguments: [
    ("Normal", BlendMode.normal), ("Compatible", .normal), ("Multiply", .multiply),
    ("Screen", .screen), ("Overlay", .overlay), ("Darken", .darken), ("Lighten", .lighten),
    ("ColorDodge", .colorDodge), ("ColorBurn", .colorBurn), ("HardLight", .hardLight),
    ("SoftLight", .softLight), ("Difference", .difference), ("Exclusion", .exclusion),
    ("Hue", .hue), ("Saturation", .saturation), ("Color", .color), ("Luminosity", .luminosity),
  ]) func namesOfBlendModes(name: String, mode: BlendMode) throws {
    let drawing = try PDFSketch(
      "/G gs 0 0 8 8 re f", resources: "/ExtGState << /G << /BM /\(name) >> >>"
    ).drawing()
    #expect(drawing.page.map(\.blend) == [mode] && drawing.unsupported.isEmpty)
  }

  // MARK: Soft masks

  private func masked(
    _ mask: String, kind: String = "Luminosity", more: String = "", form: String = "",
    content: String = "/M gs 1 0 0 rg 0 0 8 8 re f"
  ) throws -> Picture {
    var sketch = PDFSketch(content)
    let group = sketch.addStream(
      "/Subtype /Form /BBox [0 0 8 8] /Group << /S /Transparency /CS /DeviceRGB >> \(form)", mask)
    let invert = sketch.addStream("/FunctionType 4 /Domain [0 1] /Range [0 1]", "{ 1 exch sub }")
    let settings = more.replacing("INVERT", with: "\(invert) 0 R")
    sketch.resources = """
      /ExtGState << /M << /SMask << /S /\(kind) /G \(group) 0 R \(settings) >> >>
      /N << /SMask /None >> >>
      """
    return try sketch.picture()
  }

  private static let bars = "1 g 0 0 4 8 re f 1 0 0 rg 4 0 2 8 re f"

  @Test func luminosity() throws {
    let picture = try masked(Self.bars)
    #expect(picture.rgba(1, 4) == red && picture.isNear(5, 4, [77, 0, 0, 77]))
    #expect(picture.rgba(7, 4) == nothing)
  }

  @Test func backdropsAndTransferFunctions() throws {
    #expect(try masked(Self.bars, more: "/BC [1 1 1]").rgba(7, 4) == red)
    let inverted = try masked(Self.bars, more: "/TR INVERT")
    #expect(inverted.rgba(1, 4) == nothing && inverted.rgba(7, 4) == red)
    #expect(try masked(Self.bars, more: "/TR /Identity").rgba(1, 4) == red)
  }

  @Test func alphaMasks() throws {
    let picture = try masked("0 g 0 0 4 8 re f", kind: "Alpha")
    #expect(picture.rgba(1, 4) == red && picture.rgba(7, 4) == nothing)
  }

  @Test func masksUseTheTransformOfTheirOperator() throws {
    let content = "q 1 0 0 1 4 0 cm /M gs 1 0 0 1 -4 0 cm 1 0 0 rg 0 0 8 8 re f Q 0 0 1 1 re f"
    let picture = try masked("1 g 0 0 2 8 re f", content: content)
    #expect(picture.rgba(4, 4) == red && picture.rgba(1, 4) == nothing)
    #expect(picture.rgba(0, 7) == black)
    let none = try masked(Self.bars, content: "/M gs /N gs 0 0 8 8 re f")
    #expect(none.rgba(7, 4) == black)
  }

  /// Tests a gradient in a mask, through which a second gradient is drawn.
  @Test func gradientsInMasks() throws {
    var sketch = PDFSketch("/M gs /R sh")
    func ramp(_ space: String, _ from: String, _ to: String) -> String {
      """
      << /ShadingType 2 /ColorSpace \(space) /Coords [0 0 8 0] /Function
      << /FunctionType 2 /Domain [0 1] /C0 [\(from)] /C1 [\(to)] /N 1 >> >>
      """
    }
    let group = sketch.addStream(
      """
      /Subtype /Form /BBox [0 0 8 8] /Group << /S /Transparency /CS /DeviceGray >>
      /Resources << /Shading << /R \(ramp("/DeviceGray", "0", "1")) >> >>
      """, "/R sh")
    sketch.resources = """
      /Shading << /R \(ramp("/DeviceRGB", "1 1 1", "1 1 1")) >>
      /ExtGState << /M << /SMask << /S /Luminosity /G \(group) 0 R >> >> >>
      """
    let picture = try sketch.picture()
    for x in 0..<8 {
      let value = (2 * x + 1) * 255 / 16
      #expect(picture.isNear(x, 4, [value, value, value, value], by: 1))
    }
  }
}
