import Testing

@testable import Vectors

/// Tests pages, the graphics state, paths and marked content.
@Suite struct PDFContentTests {
  private func pixels(
    _ content: String, resources: String = "", page: String = "/MediaBox [0 0 8 8]"
  ) throws -> Picture {
    try PDFSketch(content, resources: resources, page: page).picture()
  }

  // MARK: Pages

  @Test func originOfThePageIsTakenAway() throws {
    let picture = try pixels("1 0 0 rg 100 200 2 2 re f", page: "/MediaBox [100 200 108 208]")
    #expect(picture.rgba(0, 7) == red && picture.rgba(1, 6) == red && picture.rgba(2, 7) == nothing)
  }

  @Test func cropBoxIsCutByMediaBox() throws {
    let picture = try pixels(
      "1 0 0 rg 4 0 4 8 re f", page: "/MediaBox [0 0 8 8] /CropBox [3 20 5 -4]")
    #expect(picture.width == 2 && picture.height == 8)
    #expect(picture.rgba(0, 0) == nothing && picture.rgba(1, 0) == red)
  }

  @Test func keysAreInherited() throws {
    var sketch = PDFSketch("/G gs 1 0 0 rg 0 0 8 8 re f", page: "")
    sketch.pages = "/MediaBox [0 0 6 4] /Resources << /ExtGState << /G << /ca 0.2 >> >> >>"
    let picture = try sketch.picture()
    #expect(picture.width == 6 && picture.height == 4 && picture.rgba(0, 0) == [51, 0, 0, 51])
  }

  /// A mark in the lower left corner of a page of 4 by 8, rotated clockwise.
  @Test(arguments: [(0, 0, 7), (90, 0, 0), (180, 3, 0), (270, 7, 3), (-90, 7, 3), (360, 0, 7)])
  func rotation(angle: Int, x: Int, y: Int) throws {
    let picture = try pixels(
      "1 0 0 rg 0 0 1 1 re f", page: "/MediaBox [0 0 4 8] /Rotate \(angle)")
    #expect(picture.rgba(x, y) == red)
    #expect(picture.pixels.filter { $0 != 0 }.count == 1)
    #expect(picture.width == (angle / 90 % 2 == 0 ? 4 : 8))
  }

  @Test func userUnit() throws {
    let picture = try pixels("1 0 0 rg 0 0 1 1 re f", page: "/MediaBox [0 0 4 4] /UserUnit 2")
    #expect(picture.width == 8 && picture.rgba(1, 6) == red && picture.rgba(2, 6) == nothing)
  }

  @Test func partsOfContentAreOne() throws {
    var sketch = PDFSketch("1 0 0")
    let second = sketch.addStream("", "rg 0 0 8")
    let third = sketch.addStream("", "8 re f")
    let list = sketch.add("[4 0 R \(second) 0 R 999 0 R \(third) 0 R]")
    let text = String(decoding: sketch.bytes, as: UTF8.self)
    let joined = text.replacing("/Contents 4 0 R", with: "/Contents \(list) 0 R")
    #expect(try Picture(PDFSketch.drawing(Array(joined.utf8)), .pdf).rgba(3, 3) == red)
  }

  @Test(arguments: ["/MediaBox [0 0 20000 8]", "/MediaBox [0 0 1e9 1e9] /UserUnit 1000"])
  func hugePagesAreRefused(page: String) {
    #expect(throws: VectorError.self) { try PDFSketch("", page: page).drawing() }
  }

  // MARK: State and paths

  @Test func stateIsKeptAndBroughtBack() throws {
    let picture = try pixels("q 1 0 0 rg 1 0 0 1 4 0 cm 0 0 1 1 re f Q Q Q 0 4 1 1 re f")
    #expect(picture.rgba(4, 7) == red && picture.rgba(0, 3) == black)
  }

  @Test func fillRules() throws {
    let both = "0 0 8 8 re 2 2 4 4 re"
    #expect(try pixels("\(both) f").rgba(4, 4) == black)
    #expect(try pixels("\(both) f*").rgba(4, 4) == nothing)
    #expect(try pixels("\(both) F").rgba(4, 4) == black)
    #expect(try pixels("\(both) n").rgba(1, 1) == nothing)
  }

  @Test func shortCurves() throws {
    // The same half disc, with all four operators for curves.
    let full = try pixels("0 0 m 0 8 l 4 8 8 6 8 4 c 8 2 4 0 4 0 c f").alphas
    #expect(try pixels("0 0 m 0 8 l 4 8 8 6 8 4 c 8 2 4 0 y f").alphas == full)
    let other = try pixels("0 0 m 0 0 8 6 8 4 c f").alphas
    #expect(try pixels("0 0 m 8 6 8 4 v f").alphas == other)
    #expect(other != full)
  }

  @Test func strokesAndTheirSettings() throws {
    let line = "1 0 0 RG 2 w 2 4 m 6 4 l"
    #expect(try pixels("\(line) S").rgba(3, 3) == red)
    #expect(try pixels("\(line) S").rgba(1, 3) == nothing)
    #expect(try pixels("2 J \(line) S").rgba(1, 3) == red)
    #expect(try pixels("\(line) 6 6 l S").rgba(6, 4) == red)
    #expect(try pixels("2 j \(line) 6 7 l S").rgba(6, 4) != red)
    #expect(try pixels("[1 1] 0 d \(line) S").rgba(3, 3) == nothing)
    #expect(try pixels("[1 1] 1 d \(line) S").rgba(3, 3) == red)
    #expect(try pixels("[0 0] 1 d \(line) S").rgba(3, 3) == red)
    // A miter of four times the width is cut off if the limit is three.
    let corner = "2 w 1 1 m 6 4 l 1 7 l S"
    #expect(try pixels("1 M \(corner)").alphas != pixels("10 M \(corner)").alphas)
    let closed = try pixels("1 w 2 2 m 6 2 l 6 6 l 2 6 l s")
    #expect(closed.rgba(2, 4)[3] > 100)
    #expect(try pixels("1 w 2 2 m 6 2 l 6 6 l 2 6 l S").rgba(2, 4) == nothing)
  }

  @Test(arguments: ["B", "B*", "b", "b*"]) func fillAndStroke(word: String) throws {
    let picture = try pixels("1 0 0 RG 0 1 0 rg 2 w 2 2 m 6 2 l 6 6 l 2 6 l \(word)")
    #expect(picture.rgba(4, 4) == green && picture.rgba(4, 5) == red)
    #expect((picture.rgba(2, 4) == red) == word.hasPrefix("b"))
  }

  @Test func clips() throws {
    let picture = try pixels("2 2 4 4 re W n 0 0 8 8 re 3 3 2 2 re f")
    #expect(picture.rgba(2, 2) == black && picture.rgba(1, 1) == nothing)
    let ring = try pixels("0 0 8 8 re 2 2 4 4 re W* n 0 0 8 8 re f")
    #expect(ring.rgba(1, 1) == black && ring.rgba(4, 4) == nothing)
    let both = try pixels("0 0 4 8 re W n q 0 0 8 4 re W n 0 0 8 8 re f Q")
    #expect(both.rgba(1, 6) == black && both.rgba(6, 6) == nothing && both.rgba(1, 1) == nothing)
    #expect(try pixels("W n 0 0 8 8 re f").pixels.allSatisfy { $0 == 0 })
  }

  @Test func graphicsStateDictionaries() throws {
    let states = "/ExtGState << /G << /LW 4 /LC 2 /LJ 1 /ML 3 /D [[2 2] 0] /CA 0.2 >> >>"
    let picture = try pixels("/G gs 0 4 m 8 4 l S", resources: states)
    #expect(picture.rgba(1, 4)[3] == 51 && picture.rgba(1, 3)[3] == 51)
  }

  @Test func unknownAndOddWordsAreSkipped() throws {
    let content =
      "BX 1 2 foo EX /Perceptual ri 50 i nan -nan rg ) 1 0 0 rg 0 0 8 nan 8 re 0 0 8 8 re f"
    #expect(try pixels(content).rgba(4, 4) == red)
    #expect(try pixels("1 0 0 rg 0 0 8. 8.0.0 re 0 0 +8 --8 re f").rgba(4, 4) == red)
  }

  // MARK: Marked content

  private func layered(_ content: String, settings: String) throws -> Picture {
    var sketch = PDFSketch(content)
    let shown = sketch.add("<< /Type /OCG /Name (a) >>")
    let hidden = sketch.add("<< /Type /OCG /Name (b) >>")
    func rule(_ text: String) -> Int { sketch.add("<< /Type /OCMD \(text) >>") }
    let groups = "[\(shown) 0 R \(hidden) 0 R]"
    let any = rule("/OCGs \(groups)")
    let all = rule("/OCGs \(groups) /P /AllOn")
    let none = rule("/VE [/Not [/Or \(shown) 0 R \(hidden) 0 R]]")
    sketch.resources = """
      /Properties << /Shown \(shown) 0 R /Hidden \(hidden) 0 R /Any \(any) 0 R /All \(all) 0 R \
      /None \(none) 0 R >>
      """
    let state =
      settings == "base" ? "/BaseState /OFF /ON [\(shown) 0 R]" : "/OFF [\(hidden) 0 R]"
    sketch.catalog = "/OCProperties << /OCGs \(groups) /D << \(state) >> >>"
    return try sketch.picture()
  }

  @Test(arguments: ["base", "off"]) func hiddenLayersAreNotDrawn(settings: String) throws {
    let shape = "0 0 8 8 re f EMC"
    for (name, isShown) in [
      ("Shown", true), ("Hidden", false), ("Any", true), ("All", false), ("None", false),
    ] {
      let picture = try layered("/OC /\(name) BDC \(shape)", settings: settings)
      #expect((picture.rgba(4, 4) == black) == isShown, "\(name)")
    }
    let nested = "/OC /Hidden BDC /Span BMC EMC 0 0 8 8 re f EMC 0 0 4 8 re f"
    let picture = try layered(nested, settings: settings)
    #expect(picture.rgba(1, 1) == black && picture.rgba(6, 1) == nothing)
  }

  @Test(arguments: [
    ("/Subtype /Square", true), ("/Subtype /Square /F 2", false), ("/Subtype /Popup", false),
    ("/Subtype /Link", true), ("/Subtype /Link /Border [0 0 0]", false),
    ("/Subtype /Link /BS << /W 0 >>", false),
  ])
  func annotationsAreNamed(_ entries: String, _ isNamed: Bool) throws {
    let sketch = PDFSketch(
      "", page: "/MediaBox [0 0 8 8] /Annots [<< /Type /Annot /Rect [0 0 9 9] \(entries) >>]")
    #expect(try sketch.drawing().unsupported == (isNamed ? [.annotation] : []))
  }
}
