import Testing

@testable import Vectors

/// Tests text: its position, and the outlines of every kind of font. Glyphs are squares of half an
/// em.
@Suite struct PDFTextTests {
  private static let widths = "/FirstChar 65 /LastChar 67 /Widths [500 500 250]"

  private func show(
    _ content: String, key: String = "FontFile2", _ program: [UInt8], font: String = "",
    subtype: String = "TrueType", flags: Int = 4
  ) throws -> Picture {
    var sketch = PDFSketch(content)
    let file = sketch.addStream("", program)
    let descriptor = sketch.add("<< /Type /FontDescriptor /Flags \(flags) /\(key) \(file) 0 R >>")
    sketch.resources = """
      /Font << /F << /Type /Font /Subtype /\(subtype) /FontDescriptor \(descriptor) 0 R
      \(Self.widths) \(font) >> >>
      """
    return try sketch.picture()
  }

  /// Returns the page as 16 squares of 2 by 2 points from the upper left: `#` for black, `.` for
  /// others.
  private func squares(_ picture: Picture) -> String {
    var text = ""
    for y in 0..<4 {
      for x in 0..<4 { text += picture.rgba(2 * x, 2 * y) == black ? "#" : "." }
      text += y < 3 ? "/" : ""
    }
    return text
  }

  /// `A` is a square, `B` is two squares of half that size with the second one to the upper right
  /// of the first, and `C` is a disc.
  private static let trueType = FontSketch.trueType(
    [
      FontSketch.square,
      FontSketch.composite(
        FontSketch.part(1, x: 0, y: 0, isLast: false)
          + FontSketch.part(1, x: 250, y: 250, isLast: true)),
      FontSketch.disc,
    ], map: FontSketch.byteMap([65: 1, 66: 2, 67: 3]))

  private func text(_ content: String) throws -> String {
    try squares(show("BT /F 4 Tf \(content) ET", Self.trueType))
  }

  // MARK: Positions

  @Test func positions() throws {
    #expect(try text("(A) Tj") == "..../..../..../#...")
    #expect(try text("(AA) Tj") == "..../..../..../##..")
    #expect(try text("2 4 Td (A) Tj 2 0 Td (A) Tj") == "..../.##./..../....")
    #expect(try text("0 2 TD (A) Tj T* (A) Tj") == "..../#.../#.../....")
    #expect(try text("2 TL 0 6 Td (A) ' (A) '") == "..../#.../#.../....")
    #expect(try text("2 TL 0 4 Td 2 0 (AA) \"") == "..../..../##../....")
    #expect(try text("1 0 0 1 4 2 Tm (A) Tj") == "..../..../..#./....")
    #expect(try text("2 Tc (AA) Tj") == "..../..../..../#.#.")
    #expect(try text("2 Tw (A) Tj ( ) Tj (A) Tj") == "..../..../..../#.#.")
    #expect(try text("200 Tz (A) Tj") == "..../..../..../##..")
    #expect(try text("2 Ts (A) Tj") == "..../..../#.../....")
    #expect(try text("[(A) -1000 (A)] TJ") == "..../..../..../#..#")
  }

  @Test func renderModes() throws {
    let square = "BT /F 8 Tf 2 2 Td"
    let font = Self.trueType
    func mode(_ number: Int, _ after: String = "") throws -> Picture {
      try show("1 0 0 RG 1 w \(square) \(number) Tr (A) Tj ET \(after)", font)
    }
    #expect(try mode(0).rgba(4, 4) == black)
    #expect(try mode(1).rgba(4, 4) == nothing && mode(1).isNear(4, 5, [128, 0, 0, 128], by: 2))
    #expect(try mode(2).rgba(4, 4) == black && mode(2).rgba(4, 5)[0] > 100)
    #expect(try mode(3).pixels.allSatisfy { $0 == 0 })
    let flood = "0 0 1 rg 0 0 8 8 re f"
    let clipped = try mode(7, flood)
    #expect(clipped.rgba(4, 4) == blue && clipped.rgba(1, 1) == nothing)
    #expect(try mode(4, "").rgba(4, 4) == black)
    // The clip of two glyphs shows the inside of both.
    let two = try show("BT /F 4 Tf 7 Tr 0 4 Td (A) Tj 4 -4 Td (A) Tj ET \(flood)", font)
    #expect(two.rgba(0, 3) == blue && two.rgba(4, 7) == blue && two.rgba(4, 3) == nothing)
  }

  // MARK: TrueType

  @Test func composites() throws {
    // The second component begins in the middle of the first one and ends at 500.
    let picture = try show("BT /F 16 Tf (B) Tj ET", Self.trueType)
    #expect(picture.rgba(3, 4) == black && picture.rgba(7, 0) == black)
    #expect(picture.rgba(7, 7) == nothing && picture.rgba(0, 0) == nothing)
  }

  @Test func pointsOffTheCurve() throws {
    let picture = try show("BT /F 16 Tf (C) Tj ET", Self.trueType)
    #expect(picture.rgba(4, 4) == black && picture.rgba(0, 0) == nothing)
    #expect(picture.rgba(0, 4) == black || picture.rgba(0, 4)[3] > 200)
  }

  @Test func encodingsOfTrueType() throws {
    let map = FontSketch.segmentMap([(0x41, 1)])
    let unicode = FontSketch.trueType([FontSketch.square], map: map, platform: 3, encoding: 1)
    func first(_ program: [UInt8], _ text: String, _ font: String, flags: Int) throws -> Bool {
      try show("BT /F 8 Tf \(text) Tj ET", program, font: font, flags: flags).rgba(1, 6) == black
    }
    #expect(try first(unicode, "(A)", "/Encoding /WinAnsiEncoding", flags: 32))
    #expect(try !first(unicode, "(B)", "/Encoding /WinAnsiEncoding", flags: 32))
    let renamed = "/Encoding << /Differences [66 /A /uni0041] >>"
    #expect(try first(unicode, "(B)", renamed, flags: 32))
    #expect(try first(unicode, "(C)", renamed, flags: 32))
    let symbols = FontSketch.segmentMap([(0xF041, 1)])
    let symbol = FontSketch.trueType([FontSketch.square], map: symbols, platform: 3, encoding: 0)
    #expect(try first(symbol, "(A)", "", flags: 4))
  }

  /// Tests glyphs that are found by the standard Macintosh names or by names that contain numbers.
  @Test func glyphsWithoutMap() throws {
    let posts: [(UInt8, [UInt8])] = [
      (1, []),
      (2, FontSketch.word(3) + FontSketch.word(0) + FontSketch.word(36) + FontSketch.word(37)),
    ]
    for (version, names) in posts {
      let post =
        FontSketch.long(Int(version) << 16) + [UInt8](repeating: 0, count: 28) + names
      let glyphs = [[UInt8]](repeating: [], count: version == 1 ? 35 : 0) + [FontSketch.square]
      let font = FontSketch.trueType(glyphs, map: nil, post: post)
      let page = try show(
        "BT /F 8 Tf (A) Tj ET", font, font: "/Encoding /WinAnsiEncoding", flags: 32)
      #expect(page.rgba(1, 6) == black, "post \(version)")
    }
    let numbered = try show(
      "BT /F 8 Tf (A) Tj ET", Self.trueType, font: "/Encoding << /Differences [65 /g1] >>",
      flags: 32)
    #expect(numbered.rgba(1, 6) == black)
  }

  @Test func glyphsThatAFontLacksAreNamed() throws {
    func features(
      _ text: String, _ font: [UInt8] = Self.trueType
    ) throws -> [UnsupportedFeature] {
      var sketch = PDFSketch("BT /F 4 Tf \(text) Tj ET")
      let file = sketch.addStream("", font)
      let descriptor = sketch.add("<< /Type /FontDescriptor /Flags 4 /FontFile2 \(file) 0 R >>")
      sketch.resources = """
        /Font << /F << /Type /Font /Subtype /TrueType /FontDescriptor \(descriptor) 0 R
        /FirstChar 65 /LastChar 68 /Widths [500 500 250 500] >> >>
        """
      return try sketch.drawing().unsupported
    }
    #expect(try features("(A B)").isEmpty)
    // A glyph without a width would count as a blank.
    #expect(try features("(AD)") == [.glyph])
    // A byte is missing in front of the table "head", so that its numbers make no sense.
    var damaged = Self.trueType
    let entry = try #require(damaged.firstRange(of: Array("head".utf8)))
    damaged[entry.lowerBound + 11] += 1
    #expect(try features("(A)", damaged) == [.font])
  }

  // MARK: CFF and Type 1

  private func cff(_ strings: [UInt8], _ subroutines: [[UInt8]] = [], _ globals: [[UInt8]] = [])
    throws
    -> Picture
  {
    let font = FontSketch.cff(
      [strings, FontSketch.squareString], charset: [34, 125], subroutines: subroutines,
      globals: globals)
    return try show(
      "BT /F 8 Tf (A) Tj ET", key: "FontFile3", font,
      font: "/Encoding /WinAnsiEncoding", subtype: "Type1")
  }

  /// Tests all operators that draw a square of 500 units, and some that only move.
  @Test func charStrings() throws {
    typealias F = FontSketch
    let move = F.step(0, 0, do: 21)
    let lines = F.step(500, 0, 0, 500, -500, 0, do: 5) + [14]
    let flat = F.step(250, 0, 250, 0, 0, 0, do: 8)
    let programs: [[UInt8]] = [
      F.squareString, move + lines,
      F.step(7, 0, 0, do: 21) + lines,  // with a width in front
      F.step(0, do: 22) + F.step(0, do: 4) + lines,
      F.step(1, 2, do: 1) + F.step(3, 4, do: 18) + [19, 0xC0] + move + lines,
      move + flat + F.step(0, 500, -500, 0, do: 5) + [14],
      move + F.step(166, 0, 167, 0, 167, 0, 0, 500, do: 24) + F.step(-500, do: 6) + [14],
      move + F.step(500, 0, 0, 166, 0, 167, 0, 167, do: 25) + F.step(-500, do: 6) + [14],
      move + F.step(166, 167, 0, 167, do: 27) + F.step(166, 0, 167, 167, do: 26)
        + F.step(-500, do: 6) + [14],
      move + F.step(0, 500, 0, 0, do: 31) + F.step(0, 500, -500, 0, do: 5) + [14],
      move + F.step(0, 500, 0, 0, do: 30) + F.step(0, 500, -500, 0, do: 5) + [14],
      move + F.step(83, 0, 83, 0, 84, 0, 83, 0, 83, 0, 84, 0, 50) + [12, 35]
        + F.step(0, 500, -500, 0, do: 5) + [14],
      move + F.step(83, 83, 0, 84, 83, 83, 84) + [12, 34] + F.step(0, 500, -500, 0, do: 5) + [14],
      move + F.step(83, 0, 83, 0, 84, 83, 83, 0, 84) + [12, 36]
        + F.step(0, 500, -500, 0, do: 5) + [14],
      move + F.step(83, 0, 83, 0, 84, 0, 83, 0, 83, 0, 84) + [12, 37]
        + F.step(0, 500, -500, 0, do: 5) + [14],
      move + F.step(200, 300) + [12, 10] + [6] + F.step(500, do: 7) + F.step(-500, do: 6) + [14],
    ]
    for (index, program) in programs.enumerated() {
      #expect(try squares(cff(program)) == "..../..../##../##..", "program \(index)")
    }
  }

  /// The products become infinite, and their difference is NaN. As an index, NaN means the first
  /// place.
  @Test(arguments: [[12, 21], [12, 20], [12, 29], [10], [29]] as [[UInt8]])
  func aNaNIsHarmless(operation: [UInt8]) throws {
    typealias F = FontSketch
    var program = F.step(1_000)
    for _ in 0..<10 { program += [12, 27, 12, 24] }
    program += [12, 27, 12, 11] + operation + [12, 18] + F.squareString
    let ends = operation.count == 1
    #expect(try squares(cff(program)) == (ends ? "..../..../..../...." : "..../..../##../##.."))
  }

  @Test func aNaNIsHarmlessInType1() throws {
    typealias F = FontSketch
    let most = Int(Int32.max)
    var endless = F.steps1(most)
    for _ in 0..<36 { endless += F.steps1(1, most, do: 12, 12, 12, 12) }
    let glyph = endless + endless + [12, 12] + F.steps1(3, do: 12, 16) + F.square1
    #expect(try squares(type1(glyph)) == "..../..../##../##..")
  }

  @Test func subroutinesAndAccents() throws {
    typealias F = FontSketch
    let move = F.step(0, 0, do: 21)
    let lines = F.step(500, 0, 0, 500, -500, 0, do: 5) + [14]
    #expect(try squares(cff(move + F.step(-107, do: 10), [lines])) == "..../..../##../##..")
    #expect(try squares(cff(move + F.step(-107, do: 29), [], [lines])) == "..../..../##../##..")
    // A subroutine that calls itself ends.
    _ = try cff(move + F.step(-107, do: 10), [F.step(-107, do: 10)])
    // `acute` (code 194), twice: at its own place, and moved by half an em to the right and
    // upwards.
    let accent = F.step(500, 500, 194, 194) + [14]
    #expect(try squares(cff(accent)) == "..##/..##/##../##..")
  }

  private func type1(
    _ glyph: [UInt8], _ subroutines: [[UInt8]] = [], encoding: String = "StandardEncoding def",
    text: String = "(A)"
  ) throws -> Picture {
    let font = FontSketch.type1(
      [("A", glyph), ("acute", FontSketch.square1)], subroutines: subroutines, encoding: encoding)
    return try show(
      "BT /F 8 Tf \(text) Tj ET", key: "FontFile", font, subtype: "Type1")
  }

  @Test func type1Glyphs() throws {
    typealias F = FontSketch
    let start = F.steps1(0, 600, do: 13) + F.steps1(0, 0, do: 21)
    #expect(try squares(type1(F.square1)) == "..../..../##../##..")
    let bearing = F.steps1(250, 600, do: 13) + F.steps1(0, do: 22) + F.square1.dropFirst(22)
    #expect(try squares(type1(Array(bearing))) == "..../..../.##./.##.")
    let call = start + F.steps1(0, do: 10) + [9, 14]
    let lines = F.steps1(500, 0, do: 5) + F.steps1(0, 500, do: 5) + F.steps1(-500, 0, do: 5) + [11]
    #expect(try squares(type1(call, [lines])) == "..../..../##../##..")
    let curves =
      start + F.steps1(0, 500, 0, 0, do: 31) + F.steps1(0, 0, 500, 0, do: 30)
      + F.steps1(-500, do: 6) + [9, 14]
    #expect(try squares(type1(curves)) == "..../..../##../##..")
    let divided =
      start + F.steps1(1000, 2, do: 12, 12) + [6] + F.steps1(500, do: 7)
      + F.steps1(-500, do: 6) + [9, 14]
    #expect(try squares(type1(divided)) == "..../..../##../##..")
    let accent = F.steps1(0, 600, do: 13) + F.steps1(0, 500, 500, 194, 194, do: 12, 6)
    #expect(try squares(type1(accent)) == "..##/..##/##../##..")
    let own = "256 array dup 66 /A put readonly def"
    #expect(try squares(type1(F.square1, encoding: own, text: "(B)")) == "..../..../##../##..")
  }

  /// The seven moves of a flex become two curves, which together are straight and lead from the
  /// left to the right side.
  @Test func type1Flexes() throws {
    typealias F = FontSketch
    var flex = F.steps1(0, 1, do: 12, 16)
    for (dx, dy) in [(250, 0), (-167, 0), (83, 0), (84, 0), (83, 0), (83, 0), (84, 0)] {
      flex += F.steps1(dx, dy, do: 21) + F.steps1(0, 2, do: 12, 16)
    }
    flex += F.steps1(50, 500, 0, 3, 0, do: 12, 16, 12, 17, 12, 17, 12, 33)
    let glyph =
      F.steps1(0, 600, do: 13) + F.steps1(0, 0, do: 21) + flex + F.steps1(500, do: 7)
      + F.steps1(-500, do: 6) + [9, 14]
    #expect(try squares(type1(glyph)) == "..../..../##../##..")
  }

  // MARK: Others

  private func composite(_ more: String, _ string: String, key: String, _ program: [UInt8]) throws
    -> String
  {
    var sketch = PDFSketch("BT /F 4 Tf \(string) Tj ET")
    let file = sketch.addStream("", program)
    let glyphs = sketch.addStream("", [0, 0, 0, 0, 0, 1])
    let map = sketch.addStream(
      "",
      "1 begincodespacerange <00> <ff> endcodespacerange 1 begincidrange <41> <42> 1 endcidrange")
    let text = more.replacing("GLYPHS", with: "\(glyphs) 0 R").replacing("MAP", with: "\(map) 0 R")
    sketch.resources = """
      /Font << /F << /Subtype /Type0 \(text.contains("/Encoding") ? "" : "/Encoding /Identity-H")
      \(text) /DescendantFonts [<< /Subtype /CIDFontType2 /DW 1000 /W [1 [500] 2 2 1000]
      /FontDescriptor << /\(key) \(file) 0 R >> \(text) >>] >> >>
      """
    return try squares(sketch.picture())
  }

  @Test func fontsOfTwoBytes() throws {
    let font = Self.trueType
    #expect(try composite("", "<00010001>", key: "FontFile2", font) == "..../..../..../##..")
    #expect(
      try composite("/CIDToGIDMap GLYPHS", "<00020002>", key: "FontFile2", font)
        == "..../..../..../#.#.")
    #expect(try composite("/Encoding MAP", "(AA)", key: "FontFile2", font) == "..../..../..../##..")
    let cid = FontSketch.cff([FontSketch.squareString], charset: [2], isCID: true)
    #expect(try composite("", "<00020002>", key: "FontFile3", cid) == "..../..../..../#.#.")
    #expect(try composite("", "<0001>", key: "FontFile3", cid) == "..../..../..../....")
  }

  /// In vertical text the middle of each glyph's width is on the line.
  @Test func verticalText() throws {
    let down = try composite(
      "/Encoding /Identity-V /DW2 [0 -500]", "1 0 0 1 3 6 Tm <00010001>", key: "FontFile2",
      Self.trueType)
    #expect(down == ".#../.#../..../....")
  }

  @Test func glyphsAsStreams() throws {
    var sketch = PDFSketch("1 0 0 rg BT /F 2 Tf 0 2 Td (ab) Tj ET")
    let plain = sketch.addStream("", "1 0 0 0 1 1 d1 0 1 0 rg 0 0 1 1 re f")
    let colored = sketch.addStream("", "1 0 d0 0 0 1 rg 0 0 1 1 re f")
    sketch.resources = """
      /Font << /F << /Subtype /Type3 /FontMatrix [1 0 0 1 0 0] /FontBBox [0 0 1 1]
      /Encoding << /Differences [97 /x /y] >> /FirstChar 97 /Widths [2 1]
      /CharProcs << /x \(plain) 0 R /y \(colored) 0 R >> >> >>
      """
    let picture = try sketch.picture()
    #expect(
      picture.rgba(0, 5) == red && picture.rgba(4, 5) == blue && picture.rgba(2, 5) == nothing)
  }

  @Test func fontsWithoutOutlinesAreNamed() throws {
    let fonts = "/Font << /F << /Subtype /Type1 /BaseFont /Helvetica >> >>"
    let drawing = try PDFSketch("BT /F 8 Tf (A) Tj ET 0 0 1 1 re f", resources: fonts).drawing()
    #expect(drawing.unsupported == [.font] && drawing.page.count == 1)
    #expect(
      try PDFSketch("BT /F 8 Tf 3 Tr (A) Tj ET", resources: fonts).drawing().unsupported == [])
  }
}
