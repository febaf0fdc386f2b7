// Tests the graphics state of PDF field by field: `Q` restores every field that was changed after
// `q`. Also tests the settings of `gs`, and the effects of the state on a transparency group as a
// whole.

import Testing

@testable import Vectors

/// A field of the state, the operators that change it, and the operators that show the change.
private struct StateChange: CustomTestStringConvertible, Sendable {
  let field: String
  let operators: String
  let paint: String
  /// The operators that precede both.
  var start = ""

  var testDescription: String { field }

  init(_ field: String, _ operators: String, _ paint: String, start: String = "") {
    self.field = field
    self.operators = operators
    self.paint = paint
    self.start = start
  }
}

private let fill = "0 0 8 8 re f"
private let stroke = "2 w 2 1 m 6 4 l 2 7 l S"
private let dashed = "2 w 0 4 m 8 4 l S"
private let words = "BT 0 4 Td (A A) Tj T* (A) Tj ET"
private let font = "/F 4 Tf 2 TL"

private let changes = [
  StateChange("transform", "1 0 0 1 3 0 cm", "0 0 2 2 re f"),
  StateChange("clip", "0 0 2 8 re W n", fill),
  StateChange("fill", "1 0 0 rg", fill),
  StateChange("stroke", "1 0 0 RG", stroke),
  StateChange("fillAlpha", "/Fills gs", fill),
  StateChange("strokeAlpha", "/Strokes gs", stroke),
  StateChange("blend", "/Screen gs", fill),
  StateChange("mask", "/Masked gs", fill),
  StateChange("line.width", "3 w", "2 1 m 6 4 l S", start: "1 w"),
  StateChange("line.cap", "2 J", stroke),
  StateChange("line.join", "2 j", stroke),
  StateChange("line.miterLimit", "1 M", stroke),
  StateChange("line.dashes", "[2 2] 0 d", dashed),
  StateChange("line.dashPhase", "[2 2] 2 d", dashed, start: "[2 2] 0 d"),
  StateChange("text.font", "/G 4 Tf", words, start: font),
  StateChange("text.size", "/F 2 Tf", words, start: font),
  StateChange("text.characterSpacing", "1 Tc", words, start: font),
  StateChange("text.wordSpacing", "2 Tw", words, start: font),
  StateChange("text.stretch", "200 Tz", words, start: font),
  StateChange("text.leading", "4 TL", words, start: font),
  StateChange("text.rise", "2 Ts", words, start: font),
  StateChange("text.mode", "1 Tr", words, start: font),
]

@Suite struct PDFStateTests {
  /// Draws a page with two fonts, whose `A` differs, and with settings of every kind, on grey.
  private func picture(_ content: String) throws -> Picture {
    var sketch = PDFSketch("0.5 g 0 0 8 8 re f 0 g " + content)
    let square = FontSketch.trueType([FontSketch.square], map: FontSketch.byteMap([65: 1]))
    let disc = FontSketch.trueType([FontSketch.disc], map: FontSketch.byteMap([65: 1]))
    let fonts = [("F", square), ("G", disc)].map { name, program in
      let file = sketch.addStream("", program)
      return """
        /\(name) << /Type /Font /Subtype /TrueType /FirstChar 65 /LastChar 65 /Widths [500]
        /FontDescriptor << /Type /FontDescriptor /Flags 4 /FontFile2 \(file) 0 R >> >>
        """
    }
    let group = sketch.addStream(
      "/Subtype /Form /BBox [0 0 8 8] /Group << /S /Transparency /CS /DeviceGray >>",
      "1 g 0 0 4 8 re f")
    let form = sketch.addStream(
      "/Subtype /Form /BBox [0 0 8 8] /Group << /S /Transparency >>", "1 0 0 rg 0 0 8 8 re f")
    sketch.resources = """
      /Font << \(fonts.joined()) >> /XObject << /Group \(form) 0 R >>
      /ExtGState << /Fills << /ca 0.2 >> /Strokes << /CA 0.2 >> /Screen << /BM /Screen >>
      /Masked << /SMask << /S /Luminosity /G \(group) 0 R >> >>
      /Plain << /SMask << /G \(group) 0 R >> >>
      /Bevel << /LJ 2 >> /Square << /LC 2 >> /Limit << /ML 1 >> /Wide << /LW 3 >>
      /Dashed << /D [[2 2] 2] >> /Font << /Font [\(sketch.add(fontText(fonts[0]))) 0 R 2] >> >>
      """
    return try sketch.picture()
  }

  /// Returns the dictionary after the name.
  private func fontText(_ entry: String) -> String {
    entry.dropFirst(3).trimmingCharacters(in: " ")
  }

  @Test(arguments: changes) fileprivate func isBroughtBack(change: StateChange) throws {
    let start = change.start
    let untouched = try picture("\(start) \(change.paint)")
    let changed = try picture("\(start) \(change.operators) \(change.paint)")
    let restored = try picture("\(start) q \(change.operators) Q \(change.paint)")
    #expect(changed.pixels != untouched.pixels, "the operators change nothing that is seen")
    #expect(restored.pixels == untouched.pixels)
  }

  /// A new field needs a row in `changes`.
  @Test func everyFieldHasARow() {
    let state = GraphicsState(transform: .identity)
    let fields = Mirror(reflecting: state).children.flatMap { child -> [String] in
      let name = child.label ?? ""
      guard ["line", "text"].contains(name) else { return [name] }
      return Mirror(reflecting: child.value).children.map { "\(name).\($0.label ?? "")" }
    }
    #expect(fields.sorted() == changes.map(\.field).sorted())
  }

  /// Each entry of a settings dictionary has the effect of its operator.
  @Test(arguments: [
    ("/Bevel gs", "2 j", stroke), ("/Square gs", "2 J", stroke), ("/Limit gs", "1 M", stroke),
    ("/Wide gs", "3 w", "2 1 m 6 4 l S"), ("/Dashed gs", "[2 2] 2 d", dashed),
    ("/Font gs", "/F 2 Tf", words),
  ])
  func settingsAreThoseOfTheirOperators(settings: String, operators: String, paint: String) throws {
    let changed = try picture("\(settings) \(paint)")
    #expect(changed.pixels == (try picture("\(operators) \(paint)")).pixels)
    #expect(changed.pixels != (try picture(paint)).pixels)
  }

  /// The edge of the clip halves a pixel. The group has an alpha of a fifth.
  @Test func aClipCountsOnceAroundAGroup() throws {
    let clipped = try picture("/Fills gs 0 0 4.5 8 re W n /Group Do")
    // A fifth of red over grey 128 and, at the edge, a tenth of red.
    #expect(clipped.isNear(1, 4, [153, 102, 102, 255], by: 2))
    #expect(clipped.isNear(4, 4, [141, 115, 115, 255], by: 2))
    #expect(clipped.rgba(5, 4) == [128, 128, 128, 255])
  }

  /// A mask without a kind is a luminosity mask.
  @Test func aMaskIsOfLuminosityUnlessItIsOfAlpha() throws {
    let masked = try picture("/Plain gs \(fill)")
    #expect(masked.pixels == (try picture("/Masked gs \(fill)")).pixels)
  }
}

extension Substring {
  fileprivate func trimmingCharacters(in blank: Character) -> String {
    String(drop { $0 == blank }.reversed().drop { $0 == blank }.reversed())
  }
}
