// Tests the painting of text: modes of filling, stroking and clipping, spacing by operators and
// codes, and glyphs that are content streams.

import Testing

@testable import Vectors

@Suite struct PDFGlyphModeTests {
  private func page(_ content: String, _ fonts: (inout PDFSketch) -> String) throws -> Picture {
    var sketch = PDFSketch(content)
    sketch.resources = "/Font << /F << \(fonts(&sketch)) >> >>"
    return try sketch.picture()
  }

  private static let square = FontSketch.trueType(
    [FontSketch.square], map: FontSketch.byteMap([65: 1]))

  private func simple(_ content: String) throws -> Picture {
    try page(content) { sketch in
      let file = sketch.addStream("", Self.square)
      return """
        /Type /Font /Subtype /TrueType /FirstChar 65 /LastChar 65 /Widths [500]
        /FontDescriptor << /Type /FontDescriptor /Flags 4 /FontFile2 \(file) 0 R >>
        """
    }
  }

  /// The modes 4 to 6 paint as the modes 0 to 2 do, and also clip.
  @Test(arguments: [(0, 4), (1, 5), (2, 6)])
  func modesThatClipPaintAsThoseThatDoNot(plain: Int, clipping: Int) throws {
    func mode(_ number: Int) throws -> [UInt32] {
      try simple("1 0 0 RG 1 w BT /F 8 Tf 2 2 Td \(number) Tr (A) Tj ET").pixels
    }
    #expect(try mode(plain) == mode(clipping))
    #expect(try mode(plain).contains { $0 != 0 })
  }

  /// The first number is the word spacing and the second is the character spacing. The blank, which
  /// has no width, is followed by 2 points, and letters are followed by no extra space.
  @Test func theFirstNumberOfAQuoteIsBetweenWords() throws {
    let picture = try simple("BT /F 4 Tf 2 0 (A A) \" ET")
    #expect(picture.rgba(0, 7) == black && picture.rgba(4, 7) == black)
    #expect(picture.rgba(2, 7) == nothing && picture.rgba(6, 7) == nothing)
  }

  /// A stroke of 2 points is 2 points wide in any size of the font: 1 point on each side of the
  /// edge.
  @Test(arguments: [4.0, 8, 16]) func linesOfGlyphsHaveTheWidthOfThePage(size: Double) throws {
    let picture = try simple("1 0 0 RG 2 w BT /F \(size) Tf 1 -1 Td 1 Tr (A) Tj ET")
    // The left side of the square is at x = 1, so the line covers the first two columns.
    #expect(picture.rgba(0, 6) == red && picture.rgba(1, 6) == red)
    #expect(size < 8 || picture.rgba(2, 6) == nothing)
  }

  /// A code of two bytes is never a blank, even if its number is 32.
  @Test func wordSpacingIsForCodesOfOneByte() throws {
    let picture = try page("BT /F 4 Tf 2 Tw <00200001> Tj ET") { sketch in
      let file = sketch.addStream("", Self.square)
      return """
        /Subtype /Type0 /Encoding /Identity-H /DescendantFonts [<< /Subtype /CIDFontType2 /DW 1000
        /W [1 [500]] /FontDescriptor << /FontFile2 \(file) 0 R >> >>]
        """
    }
    #expect(picture.rgba(4, 7) == black && picture.rgba(6, 7) == nothing)
  }

  private func streams(_ content: String, glyph: String) throws -> Picture {
    try page(content) { sketch in
      let stream = sketch.addStream("", glyph)
      return """
        /Subtype /Type3 /FontMatrix [1 0 0 1 0 0] /FontBBox [0 0 1 1] /FirstChar 97 /Widths [1]
        /Encoding << /Differences [97 /x] >> /CharProcs << /x \(stream) 0 R >>
        """
    }
  }

  /// A glyph without colours of its own has the colour of fills, for its strokes too. Its strokes
  /// have the width with which a page begins.
  @Test func linesOfGlyphStreamsHaveTheColourOfFills() throws {
    let picture = try streams(
      "1 0 0 rg 0 0 1 RG 7 w BT /F 2 Tf (a) Tj ET", glyph: "1 0 0 0 1 1 d1 0 0.5 m 1 0.5 l S")
    #expect(picture.rgba(0, 7) == red && picture.rgba(1, 6) == red)
    #expect(picture.rgba(0, 5) == nothing)
  }

  @Test func glyphStreamsAreNotShownInTheModeThatShowsNothing() throws {
    let content = "BT /F 8 Tf MODE Tr (a) Tj ET"
    let glyph = "1 0 0 0 1 1 d1 0 0 1 1 re f"
    let shown = try streams(content.replacing("MODE", with: "0"), glyph: glyph)
    let hidden = try streams(content.replacing("MODE", with: "3"), glyph: glyph)
    #expect(shown.rgba(4, 4) == black && hidden.pixels.allSatisfy { $0 == 0 })
  }
}
