// PDFs that are written anew for archives: what is left out, what stays, and which files stay as
// they are.

import Bytes
import Testing

@testable import Vectors

@Suite struct RewrittenPDFTests {
  /// Returns the file written anew, with stored blocks in place of compressed ones.
  private func rewritten(_ source: [UInt8]) -> [UInt8]? {
    PDFRewriter.rewritten(source) { bytes, _ in PDFSketch.deflatedWhole(bytes) }
  }

  /// Returns the text of the file written anew. It must draw the same.
  private func text(_ sketch: PDFSketch, sourceLocation: SourceLocation = #_sourceLocation) throws
    -> String
  {
    let bytes = try #require(rewritten(sketch.bytes), sourceLocation: sourceLocation)
    let (before, after) = (try sketch.drawing(), try PDFSketch.drawing(bytes))
    #expect(before.shows(sameAs: after, Budget(input: bytes.count)), sourceLocation: sourceLocation)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func leavesOutWhatThePageDoesNotReach() throws {
    var sketch = PDFSketch(
      "/A gs 1 0 0 rg 0 0 4 4 re f", resources: "/ExtGState << /A 5 0 R /B 6 0 R >>",
      page: "/MediaBox [0 0 8 8] /PieceInfo 7 0 R /Thumb 7 0 R")
    sketch.add("<< /ca 0.5 /LastModified (now) >>")
    sketch.add("<< /ca 0.25 >>")
    sketch.addStream("", "private data")
    sketch.catalog = "/Metadata 7 0 R /Outlines 6 0 R"
    let text = try text(sketch)
    #expect(text.contains("/ExtGState<</A<</ca .5>>>>"))
    for word in ["/B", "private", "PieceInfo", "Metadata", "Outlines", "Thumb", "LastModified"] {
      #expect(!text.contains(word), "\(word)")
    }
    #expect(text.contains("/Size 5/"))
  }

  @Test func numbersObjectsInTheOrderOfThePage() throws {
    var sketch = PDFSketch("/X Do", resources: "/XObject << /X 9 0 R >>")
    for _ in 0..<4 { sketch.add("(unused)") }
    sketch.addStream("/Type /XObject /Subtype /Form /BBox [0 0 8 8]", "0 0 4 4 re f")
    let text = try text(sketch)
    #expect(text.hasPrefix("%PDF-1.4\n"))
    for number in 1...5 { #expect(text.contains("\n\(number) 0 obj\n")) }
    #expect(!text.contains("unused"))
  }

  @Test func makesEqualObjectsOne() throws {
    var sketch = PDFSketch(
      "/X cs 0.5 sc 0 0 4 4 re f /Y cs 0.25 sc 4 0 4 4 re f",
      resources: "/ColorSpace << /X [/ICCBased 5 0 R] /Y [/ICCBased 6 0 R] >>")
    for _ in 0..<2 { sketch.addStream("/N 1", "no profile at all") }
    let text = try text(sketch)
    #expect(text.split(separator: "no profile").count == 2)
    #expect(text.contains("/X[/ICCBased 4 0 R]/Y[/ICCBased 4 0 R]"))
  }

  /// Draws a form several times, each time as another object with the same group.
  private func forms(_ count: Int) -> PDFSketch {
    let names = (0..<count).map { "/F\($0)" }
    var sketch = PDFSketch(
      names.map { "\($0) Do" }.joined(separator: " "),
      resources: "/XObject << "
        + names.enumerated().map { "\($1) \(5 + $0) 0 R" }.joined(separator: " ") + " >>")
    for number in 0..<count {
      sketch.addStream(
        "/Subtype /Form /BBox [-1000000 -1000000 1000000 1000000] "
          + "/Group << /S /Transparency /CS /DeviceRGB /I true >>", "\(number) 0 4 4 re f")
    }
    return sketch
  }

  /// A shading that is used several times is an object of its own, which a reader reads once.
  @Test(arguments: [("/S sh", true), ("/S sh /S sh", false), ("/S sh /F Do", false)])
  func writesAShadingThatIsUsedOnceInItsPlace(content: String, isInPlace: Bool) throws {
    let form = content.contains("Do") ? "/XObject << /F 6 0 R >>" : ""
    var sketch = PDFSketch(content, resources: "/Shading << /S 5 0 R >> \(form)")
    sketch.add(
      "<< /ShadingType 2 /ColorSpace /DeviceGray /Coords [0 0 8 8] "
        + "/Function << /FunctionType 2 /Domain [0 1] /N 1 >> >>")
    sketch.addStream("/Type /XObject /Subtype /Form /BBox [0 0 4 4]", "/S sh")
    #expect(try text(sketch).contains("/Shading<</S<</ShadingType 2") == isInPlace)
  }

  @Test func writesEqualValuesOnceIfThatTakesFewerBytes() throws {
    let (few, many) = (try text(forms(2)), try text(forms(9)))
    #expect(few.split(separator: "/Transparency").count == 3)
    #expect(many.split(separator: "/Transparency").count == 2)
    #expect(many.split(separator: "[-1000000 -1000000 1000000 1000000]").count == 2)
    // A value that lies in a shared value is not shared by itself.
    #expect(many.contains("<</S/Transparency/CS/DeviceRGB/I true>>\nendobj"))
  }

  @Test(arguments: [
    ("% a comment\n0 0 4.000 4.50 re  f", "0 0 4 4.5 re f"),
    ("-0.50 +0 007 -0.0 re f", "-.5 0 7 0 re f"),
    ("/Span << /ActualText (a) >> BDC 0 0 4 4 re f EMC /P MP", "0 0 4 4 re f"),
    ("1 w 0 J [] 0 d 0 g 0 0 4 4 re f", "0 0 4 4 re f"),
    ("q 1 0 0 rg 0 0 1 1 re W n Q 0 0 4 4 re f", "0 0 4 4 re f"),
    ("1.0 0 0 1 0 -0 cm 0 0 4 4 re f n", "0 0 4 4 re f"),
    ("1 0 0 rg 0 0 4 4 re f 1.0 0 0 rg 4 0 4 4 re f", "1 0 0 rg 0 0 4 4 re f 4 0 4 4 re f"),
    (
      "/DeviceRGB cs 1 0 0 sc 0 0 4 4 re f /DeviceRGB cs 1 0 0 sc 4 0 4 4 re f",
      "/DeviceRGB cs 1 0 0 sc 0 0 4 4 re f 4 0 4 4 re f"
    ),
    (
      "/DeviceRGB cs 1 0 0 sc 0 0 4 4 re f /DeviceRGB cs 4 0 4 4 re f",
      "/DeviceRGB cs 1 0 0 sc 0 0 4 4 re f/DeviceRGB cs 4 0 4 4 re f"
    ),
    ("q 2 w Q 0 0 m 4 4 l S", "0 0 m 4 4 l S"),
    ("2 w q 2 w 0 0 m 4 4 l S Q 3 w 4 4 m 0 0 l S", "2 w q 0 0 m 4 4 l S Q 3 w 4 4 m 0 0 l S"),
    (
      "0 0 4 4 re f BT (a\\)  %b) Tj [ (x) -10.0 (y) ] TJ ET",
      "0 0 4 4 re f BT(a\\)  %b)Tj[(x)-10(y)]TJ ET"
    ),
  ])
  func tidiesContents(source: String, expected: String) throws {
    let tidy = try #require(
      ContentTidier.tidied(Array(source.utf8), start: .page, keepsLayers: false))
    #expect(String(decoding: tidy.bytes, as: UTF8.self) == expected)
    _ = try text(PDFSketch(source))
  }

  @Test(arguments: [
    "BI /W 1 /H 1 /BPC 8 /CS /G ID a EI", "0 0 4 4 re f nan w", "0 0 1.2.3 4 re f",
    "0 0 4 4 re f )",
    "(never ends", "[ 1 2", "0 0 4 4 re f unknown", "1 2 3",
  ])
  func copiesUnusualContents(source: String) throws {
    #expect(ContentTidier.tidied(Array(source.utf8), start: .page, keepsLayers: false) == nil)
    #expect(try text(PDFSketch(source)).contains(source))
  }

  @Test func keepsHiddenLayersHidden() throws {
    for off in ["", "/OFF [5 0 R]"] {
      var sketch = PDFSketch(
        "/OC /L BDC 0 0 4 4 re f EMC 4 4 4 4 re f", resources: "/Properties << /L 5 0 R >>")
      sketch.add("<< /Type /OCG /Name (a layer) >>")
      sketch.catalog = "/OCProperties << /OCGs [5 0 R] /D << \(off) /Order [5 0 R] >> >>"
      let text = try text(sketch)
      #expect(text.contains("BDC") == !off.isEmpty)
      #expect(text.contains("/OCProperties") == !off.isEmpty)
      #expect(!text.contains("/Order"))
    }
  }

  @Test func keepsMembershipsOfLayers() throws {
    var sketch = PDFSketch(
      "/OC /L BDC 0 0 4 4 re f EMC 4 4 4 4 re f", resources: "/Properties << /L 6 0 R >>")
    sketch.add("<< /Type /OCG /Name (a layer) >>")
    sketch.add("<< /Type /OCMD /OCGs 5 0 R /P /AllOff >>")
    sketch.catalog = "/OCProperties << /OCGs [5 0 R] /D << >> >>"
    #expect(try text(sketch).contains("/P/AllOff"))
  }

  @Test func givesFormsTheNamesThatTheyInherit() throws {
    var sketch = PDFSketch(
      "/X Do", resources: "/XObject << /X 5 0 R >> /ExtGState << /A << /ca 0.5 >> /B << /ca 1 >> >>"
    )
    sketch.addStream("/Subtype /Form /BBox [0 0 8 8]", "/A gs 0 0 4 4 re f")
    let text = try text(sketch)
    #expect(text.contains("/A<</ca .5>>"))
    #expect(!text.contains("/B<<"))
  }

  @Test func keepsTheBoxesThatDiffer() throws {
    let text = try text(
      PDFSketch(
        "0 0 4 4 re f", page: "/MediaBox [0 0 8 8.50] /CropBox [0 0 8 8.5] /TrimBox [1 1 4 4]"))
    #expect(text.contains("/MediaBox[0 0 8 8.5]/TrimBox[1 1 4 4]"))
  }

  @Test(arguments: [(8, [2, 10, 20, 2, 30, 40], false), (4, [2, 0x12, 2, 0x34], true)])
  func keepsImagesAndTheirPredictors(bits: Int, rows: [UInt8], stays: Bool) throws {
    var sketch = PDFSketch("8 0 0 8 0 0 cm /I Do", resources: "/XObject << /I 5 0 R >>")
    sketch.addStream(
      "/Subtype /Image /Width 2 /Height 2 /BitsPerComponent \(bits) /ColorSpace /DeviceGray "
        + "/Metadata 5 0 R /Filter /FlateDecode "
        + "/DecodeParms << /Predictor 15 /Columns 2 /BitsPerComponent \(bits) >>",
      PDFSketch.deflatedWhole(rows))
    let text = try text(sketch)
    // The filters of whole bytes are undone, and chosen anew if they help.
    #expect(text.contains("/Predictor 15") == stays)
    #expect(!text.contains("Metadata"))
  }

  /// Ghostscript takes several line feeds in a string as one, and a palette then lacks colours.
  @Test func writesLineFeedsInStringsAsEscapes() throws {
    var sketch = PDFSketch("8 0 0 8 0 0 cm /I Do", resources: "/XObject << /I 5 0 R >>")
    sketch.addStream(
      "/Subtype /Image /Width 2 /Height 1 /BitsPerComponent 8 "
        + #"/ColorSpace [/Indexed /DeviceRGB 1 (\n\n\n\r\n!)]"#, [0, 1])
    #expect(try text(sketch).contains(#"(\n\n\n\r\n!)"#))
  }

  /// Poppler shows a mask that is no stencil only if it states its type.
  @Test(arguments: [("/ColorSpace /DeviceGray", true), ("/ImageMask true", false)])
  func keepsTheTypeOfGreyMasks(keys: String, stays: Bool) throws {
    var sketch = PDFSketch("8 0 0 8 0 0 cm /I Do", resources: "/XObject << /I 5 0 R >>")
    let image = "/Type /XObject /Subtype /Image /Width 1 /Height 1"
    sketch.addStream(
      "\(image) /BitsPerComponent 8 /ColorSpace /DeviceGray /Mask 6 0 R", [100])
    sketch.addStream("\(image) /BitsPerComponent \(stays ? 8 : 1) \(keys)", [128])
    #expect(try text(sketch).split(separator: "/Type/XObject").count == (stays ? 2 : 1))
  }

  /// The name without letters is a slash alone, which a word after it must not continue.
  @Test func separatesWordsFromTheEmptyName() throws {
    var sketch = PDFSketch(
      "/ gs 0 0 4 4 re f", resources: "/ExtGState << / 5 0 R >> /Properties << /Q << / true >> >>")
    sketch.add("<< /ca 0.5 >>")
    #expect(try text(sketch).contains("/ExtGState<</<</ca .5>>>>"))
    sketch.content = "BT / 12 Tf ET 0 0 4 4 re f"
    sketch.resources = "/Font << / 5 0 R >>"
    #expect(try text(sketch).contains("/ 12 Tf"))
  }

  @Test func keepsTheListOfAFilterOfJPEG2000() throws {
    var sketch = PDFSketch("8 0 0 8 0 0 cm /I Do", resources: "/XObject << /I 5 0 R >>")
    sketch.addStream("/Subtype /Image /Width 1 /Height 1 /Filter [/JPXDecode]", [1, 2, 3])
    #expect(try text(sketch).contains("/Filter[/JPXDecode]"))
  }

  @Test func refusesWhatItCannotReadWholly() throws {
    let sound = PDFSketch("0 0 4 4 re f").bytes
    #expect(rewritten(sound) != nil)
    // A cross-reference that leads elsewhere.
    let text = String(decoding: sound, as: UTF8.self)
    let moved = text.replacing("%PDF-1.4\n", with: "%PDF-1.4\n%moved\n")
    #expect(rewritten(Array(moved.utf8)) == nil)
    // A cross-reference that is neither used nor free.
    for entry in ["00000 x \n", "00000 n- \n"] {
      let odd = text.replacing("00000 n \n", with: entry, maxReplacements: 1)
      #expect(rewritten(Array(odd.utf8)) == nil)
    }
    // A stream that is longer than it says.
    let longer = text.replacing("0 0 4 4 re f", with: "0 0 4 4 re f q")
    #expect(rewritten(Array(longer.utf8)) == nil)
    // A compressed stream without its check value.
    var cut = PDFSketch("/X Do", resources: "/XObject << /X 5 0 R >>")
    let packed = PDFSketch.deflatedWhole(Array("0 0 4 4 re f".utf8)).dropLast(2)
    cut.addStream("/Subtype /Form /BBox [0 0 8 8] /Filter /FlateDecode", Array(packed))
    #expect(rewritten(cut.bytes) == nil)
    // A key that occurs twice.
    let twice = PDFSketch("0 0 4 4 re f", resources: "/ExtGState << /A << >> /A << >> >>")
    #expect(rewritten(twice.bytes) == nil)
    // Annotations that are shown.
    let noted = PDFSketch(
      "0 0 4 4 re f", page: "/MediaBox [0 0 8 8] /Annots [<< /Subtype /Square >>]")
    #expect(rewritten(noted.bytes) == nil)
    for sample in [EncryptedSamples.rc4Short, EncryptedSamples.aesLong] {
      #expect(rewritten(EncryptedSamples.bytes(sample)) == nil)
    }
  }

  private func form(_ keys: String, page: String = "/MediaBox [0 0 8 8]") -> PDFSketch {
    var sketch = PDFSketch(
      "/X Do 0 0 4 4 re f",
      resources: "/XObject << /X 5 0 R >> /ExtGState << /A << /ca 0.5 >> >>", page: page)
    sketch.addStream("/Subtype /Form /BBox [0 0 8 8] \(keys)", "/A gs 0 0 4 4 re f")
    return sketch
  }

  /// Readers differ about these files.
  @Test(arguments: [
    "/Matrix [1 0 0 1 12.-5 0]", "/Matrix [1 0 0 1 --2 0]", "/Matrix [1 0 0 1 nan 0]",
    "/Matrix [1 0 0 1 1e1 0 0]", "/Group 6 1 R", "/Resources << /Font << >> >>",
    "/Resources << /ExtGState << /A#E9 << >> /A << >> >> >>",
  ])
  func refusesWhatReadersMendOtherwise(keys: String) throws {
    #expect(rewritten(form(keys).bytes) == nil)
    #expect(rewritten(form("/Matrix [1 0 0 1 2 0]").bytes) != nil)
    #expect(
      rewritten(form("/Resources << /ExtGState << /A << /ca 1 >> >> >>").bytes) != nil)
  }

  @Test(arguments: [
    "/Rotate 90.0", "/Annots [<< /Subtype /Link /Border [0 0 0] /AP << >> >>]",
    "/Annots [<< /Subtype /Popup /AP << >> >>]",
  ])
  func refusesPagesThatReadersShowOtherwise(keys: String) throws {
    #expect(rewritten(form("", page: "/MediaBox [0 0 8 8] \(keys)").bytes) == nil)
    let sound = form("", page: "/MediaBox [0 0 8 8] /Rotate 90 /Annots [<< /Subtype /Popup >>]")
    #expect(rewritten(sound.bytes) != nil)
  }

  @Test func refusesDeletedObjectsThatReturn() throws {
    let text = String(decoding: form("").bytes, as: UTF8.self)
    let table = try #require(
      text.split(separator: "startxref\n").last?.split(separator: "\n").first)
    for (kind, isKept) in [("f", false), ("n", true)] {
      let place = try #require(text.utf8.firstRange(of: "5 0 obj".utf8)).lowerBound
      let offset = String(text.utf8.distance(from: text.utf8.startIndex, to: place))
      let padded = String(repeating: "0", count: 10 - offset.count) + offset
      let update =
        text + "xref\n5 1\n\(padded) 00000 \(kind) \ntrailer << /Root 1 0 R /Size 6 "
        + "/Prev \(table) >>\nstartxref\n\(text.utf8.count)\n%%EOF\n"
      #expect((rewritten(Array(update.utf8)) != nil) == isKept)
    }
  }

  @Test func keepsEqualLayersApart() throws {
    var sketch = PDFSketch(
      "/OC /L BDC 0 0 4 4 re f EMC /OC /M BDC 4 4 4 4 re f EMC",
      resources: "/Properties << /L 5 0 R /M 6 0 R >>")
    for _ in 0..<2 { sketch.add("<< /Type /OCG /Name (a layer) >>") }
    sketch.catalog = "/OCProperties << /OCGs [5 0 R 6 0 R] /D << /OFF [5 0 R] >> >>"
    let words = try text(sketch).split(separator: "/OCGs[")[1].split(separator: " ")
    #expect(words[0] != words[3])
  }

  @Test(arguments: ["1 g", "1 G", "2 Tr", "/DeviceRGB cs"])
  func setsASoftMaskAgainAfterTheStateThatItTakes(change: String) throws {
    let source = "/G gs 0 0 4 4 re f \(change) /G gs 4 4 4 4 re f"
    let tidy = try #require(
      ContentTidier.tidied(Array(source.utf8), start: .page, keepsLayers: false))
    #expect(String(decoding: tidy.bytes, as: UTF8.self).split(separator: "/G gs").count == 2)
  }

  @Test func keepsTheColourOfAReplacedGrey() throws {
    let spaces = "/ColorSpace << /DefaultGray [/CalGray << /WhitePoint [0.9 1 0.8] >>] >>"
    #expect(try text(PDFSketch("0 g 0 0 4 4 re f", resources: spaces)).contains("0 g 0 0 4 4 re"))
  }

  @Test func keepsContentsWithTooManySavedStates() throws {
    for (count, isTidied) in [(4096, true), (4097, false)] {
      let source = String(repeating: "q ", count: count)
      let tidy = ContentTidier.tidied(Array(source.utf8), start: .page, keepsLayers: false)
      #expect((tidy != nil) == isTidied)
    }
  }

  @Test func refusesDeepNesting() throws {
    var sketch = PDFSketch("/S gs", resources: "/ExtGState << /S 5 0 R >>")
    for number in 6..<300 { sketch.add("<< /A \(number) 0 R >>") }
    #expect(rewritten(sketch.bytes) == nil)
  }

  @Test func copiesLoops() throws {
    var sketch = PDFSketch("/X Do", resources: "/XObject << /X 5 0 R >>")
    sketch.addStream(
      "/Subtype /Form /BBox [0 0 8 8] /Resources << /XObject << /X 5 0 R >> >>",
      "/X Do 0 0 4 4 re f")
    #expect(try text(sketch).contains("/X 4 0 R"))
  }

  @Test(arguments: [0.1, -0.5, 1e-9, 123_456.789, 1e20, -0.0, 5e-7, 0.000123])
  func writesRealsWithoutExponents(value: Double) throws {
    let text = PDFWriter.text(of: .real(value))
    #expect(!text.contains(UInt8(ascii: "e")))
    var lexer = PDFLexer(text, budget: nil)
    #expect(lexer.value().number == value)
  }

  @Test func drawingsWithOtherShapesOrPaintsDiffer() throws {
    let budget = Budget(input: 100)
    let first = try PDFSketch("1 0 0 rg 0 0 4 4 re f").drawing()
    for other in [
      "1 0 0 rg 0 0 4 5 re f", "1 0 1 rg 0 0 4 4 re f", "1 0 0 rg 0 0 4 4 re f*",
      "1 0 0 RG 0 0 4 4 re S", "1 0 0 rg 0 0 8 8 re W n 0 0 4 4 re f", "1 0 0 rg 0 0 4 4 re f f",
      "0 0 8 8 re f 1 0 0 rg 0 0 4 4 re f",
    ] {
      let drawing = try PDFSketch(other).drawing()
      #expect(first.shows(sameAs: drawing, budget) == (other.hasSuffix("f f")), "\(other)")
    }
    let unused = try PDFSketch("q 0 0 8 8 re W n Q 1 0 0 rg 0 0 4 4 re f").drawing()
    #expect(first.shows(sameAs: unused, budget))
  }
}

extension PDFSketch {
  /// Returns bytes in the format of zlib, as stored blocks, with the right check value.
  static func deflatedWhole(_ bytes: [UInt8]) -> [UInt8] {
    var (a, b) = (UInt32(1), UInt32(0))
    for byte in bytes {
      a = (a + UInt32(byte)) % 65521
      b = (b + a) % 65521
    }
    return deflated(bytes).dropLast(4)
      + [b >> 8, b, a >> 8, a].map { UInt8(truncatingIfNeeded: $0) }
  }
}
