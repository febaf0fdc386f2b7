// Pictures and profiles in PDFs that are written anew for archives: in fewer bytes, and with the
// same pixels.

import Bytes
import Testing

@testable import Codecs
@testable import Vectors

@Suite struct RewrittenPictureTests {
  /// Returns bytes in the format of zlib.
  private func deflated(_ bytes: [UInt8], _ effort: DeflateEffort) -> [UInt8] {
    var encoder = GzipEncoder()
    var gzip: [UInt8] = []
    bytes.withUnsafeBytes { encoder.encode($0, appendingTo: &gzip) }
    return [0x78, 0x9C] + gzip.dropFirst(10).dropLast(8) + PDFSketch.deflatedWhole(bytes).suffix(4)
  }

  /// Returns bytes without order.
  private func noise(_ count: Int) -> [UInt8] {
    var state: UInt32 = 1
    return (0..<count).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(state >> 24)
    }
  }

  /// Returns the file written anew. It must draw the same pixels.
  private func written(
    _ sketch: PDFSketch, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [UInt8] {
    let drawing = try sketch.drawing()
    let bytes = try #require(
      PDFRewriter.rewritten(sketch.bytes, drawing: drawing, deflated),
      sourceLocation: sourceLocation)
    let other = try PDFSketch.drawing(bytes)
    let isSame = drawing.shows(sameAs: other, Budget(input: bytes.count))
    #expect(isSame, sourceLocation: sourceLocation)
    for scale in [0.5, 1, 2, 3] {
      let (one, two) = (
        try Picture(drawing, scale: scale, .pdf), try Picture(other, scale: scale, .pdf)
      )
      #expect(one.pixels == two.pixels, "\(scale)x", sourceLocation: sourceLocation)
    }
    return bytes
  }

  /// Returns the text of the file written anew, whose streams are no text.
  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private func sketch(
    _ content: String, _ entries: String, _ samples: [UInt8], further: String = ""
  ) -> PDFSketch {
    var sketch = PDFSketch(
      content, resources: "/XObject << /I 5 0 R >> \(further)", page: "/MediaBox [0 0 64 64]")
    sketch.addStream("/Subtype /Image \(entries)", samples)
    return sketch
  }

  /// The budget does not suffice for packing all pictures anew. The last ones stay as they are, and
  /// the file is written anew nevertheless.
  @Test(
    arguments: [
      ("/Filter /FlateDecode", []),
      (
        "/Filter [/FlateDecode] /DecodeParms [<< /Predictor 15 /Colors 3 /Columns 700 >>]", [0]
      ),
    ] as [(String, [UInt8])])
  func picturesStayAsTheyAreIfTheBudgetIsShort(filter: String, rowStart: [UInt8]) throws {
    let count = 10
    var sketch = PDFSketch(
      (0..<count).map { "/I\($0) Do" }.joined(separator: " ") + String(repeating: " ", count: 99),
      resources: "/XObject << "
        + (0..<count).map { "/I\($0) \(5 + $0) 0 R" }.joined(separator: " ") + " >>",
      page: "/MediaBox [0 0 1 1]")
    var stored: [[UInt8]] = []
    for number in 0..<count {
      var samples: [UInt8] = []
      for row in 0..<700 {
        samples += rowStart
        for _ in 0..<700 { samples += [UInt8(number), UInt8(row & 255), 3] }
      }
      stored.append(deflated(samples, .stored))
      sketch.addStream(
        "/Subtype /Image /Width 700 /Height 700 /BitsPerComponent 8 /ColorSpace /DeviceRGB "
          + filter, stored[number])
    }
    let written = try #require(PDFRewriter.rewritten(sketch.bytes, deflated))
    let isKept = stored.map { written.firstRange(of: $0) != nil }
    #expect(!isKept[0])
    #expect(isKept[count - 1])
    #expect(try sketch.drawing().shows(sameAs: PDFSketch.drawing(written), Budget(input: 1 << 20)))
  }

  private let gray = "/Width 64 /Height 64 /BitsPerComponent 8 /ColorSpace /DeviceGray"
  private let place = "64 0 0 64 0 0 cm /I Do"

  private func masked(_ entries: String) -> PDFSketch {
    var sketch = sketch(
      "/M gs \(place)", gray, noise(64 * 64),
      further: "/ExtGState << /M << /SMask << /G 6 0 R \(entries) >> >> >>")
    sketch.addStream(
      "/Subtype /Form /BBox [0 0 64 64] /Group << /S /Transparency /CS /DeviceGray >>",
      "1 g 20 20 6 6 re f")
    sketch.addStream("/FunctionType 4 /Domain [0 1] /Range [0 1]", "{ 0 gt { 1 } { 0 } ifelse }")
    sketch.addStream("/FunctionType 4 /Domain [0 1] /Range [0 1]", "{ 0 gt { 0 } { 1 } ifelse }")
    return sketch
  }

  @Test func leavesOutWhatAClipHides() throws {
    let whole = try written(sketch(place, gray, noise(64 * 64)))
    let part = try written(sketch("20 20 6 6 re W n \(place)", gray, noise(64 * 64)))
    #expect(whole.count > 4096)
    #expect(part.count < 1500)
  }

  @Test(arguments: [
    ("/S /Alpha", true), ("/S /Luminosity", true), ("/S /Alpha /TR 7 0 R", true),
    ("/S /Alpha /TR 8 0 R", false), ("/S /Luminosity /BC [1]", false),
  ])
  func leavesOutWhatAMaskHides(entries: String, isSmaller: Bool) throws {
    #expect(try (written(masked(entries)).count < 1600) == isSmaller)
  }

  /// Deflate cannot repeat rows that are longer than its window.
  @Test func keepsHiddenRowsThatAreLong() throws {
    let samples = noise(4 * 40_000) + [UInt8](repeating: 0, count: 12 * 40_000)
    let entries = "/Width 40000 /Height 16 /BitsPerComponent 8 /ColorSpace /DeviceGray"
    let bytes = try written(sketch("0 60 64 4 re W n \(place)", entries, samples))
    #expect(bytes.count < 5 * 40_000)
  }

  @Test func keepsWhatAnotherPlaceShows() throws {
    let content = "q 20 20 6 6 re W n \(place) Q 8 0 0 8 0 0 cm /I Do"
    #expect(try written(sketch(content, gray, noise(64 * 64))).count > 4096)
  }

  @Test func fillsTheMaskOfAPicture() throws {
    var sketch = sketch(
      "20 20 6 6 re W n \(place)", gray + " /SMask 6 0 R", noise(64 * 64))
    sketch.addStream("/Subtype /Image \(gray)", noise(64 * 64))
    #expect(try written(sketch).count < 2500)
  }

  @Test func keepsPicturesIfLayersAreHidden() throws {
    var sketch = sketch(
      "20 20 6 6 re W n \(place)", gray, noise(64 * 64), further: "/Properties << /L 6 0 R >>")
    sketch.add("<< /Type /OCG /Name (a layer) >>")
    sketch.catalog = "/OCProperties << /OCGs [6 0 R] /D << /OFF [6 0 R] >> >>"
    #expect(try written(sketch).count > 4096)
  }

  @Test func keepsPicturesInPatterns() throws {
    var sketch = PDFSketch(
      "/Pattern cs /P scn 0 0 64 64 re f", resources: "/Pattern << /P 6 0 R >>",
      page: "/MediaBox [0 0 64 64]")
    sketch.addStream("/Subtype /Image \(gray)", noise(64 * 64))
    sketch.addStream(
      "/PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 64 64] /XStep 64 /YStep 64 "
        + "/Resources << /XObject << /I 5 0 R >> >>", "20 20 6 6 re W n \(place)")
    #expect(try written(sketch).count > 4096)
  }

  @Test(arguments: [
    ("", true), ("/Decode [1 0 1 0 1 0]", false), ("/Mask [0 9 0 9 0 9]", false),
    ("/SMask 6 0 R", true), ("/SMask 7 0 R", false),
  ])
  func numbersFewColors(entries: String, isNumbered: Bool) throws {
    let colors: [[UInt8]] = [[255, 0, 0], [0, 255, 1], [7, 8, 9]]
    let samples = noise(64 * 64).flatMap { colors[Int($0) % 3] }
    let rgb = "/Width 64 /Height 64 /BitsPerComponent 8 /ColorSpace /DeviceRGB "
    var sketch = sketch(place, rgb + entries, samples)
    sketch.addStream("/Subtype /Image \(gray)", noise(64 * 64))
    sketch.addStream("/Subtype /Image /Matte [0 0 0] \(gray)", noise(64 * 64))
    let bytes = try written(sketch)
    #expect(text(bytes).contains("/ColorSpace[/Indexed/DeviceRGB 2(") == isNumbered)
    #expect(text(bytes).contains("/BitsPerComponent 2") == isNumbered)
  }

  @Test func storesDifferencesOfSmoothPictures() throws {
    let samples = (0..<64 * 64).map { UInt8(truncatingIfNeeded: $0 % 64 * 3 + $0 / 64 * 5) }
    let bytes = try written(sketch(place, gray, samples))
    #expect(text(bytes).contains("/DecodeParms<</Predictor 15/Columns 64>>"))
    #expect(bytes.count < 900)
  }

  @Test(arguments: [8, 16], [1, 3, 4])
  func differencesAreUndone(bits: Int, components: Int) {
    let rowBytes = 11 * components * bits / 8
    let samples = StoredSamples(
      noise(rowBytes * 9), rowBytes: rowBytes, components: components, bits: bits)
    let prediction = Prediction(
      pixelBytes: components * bits / 8, rowBytes: rowBytes, colors: components, bits: bits)
    for way in [StoredSamples.Rows.left, .chosen] {
      var rows = samples.rows(way)
      #expect(rows.count == samples.bytes.count + 9)
      prediction.undoPNG(&rows)
      #expect(rows == samples.bytes)
    }
  }

  @Test func rowsFromTheMiddleStandForLargePictures() {
    let samples = StoredSamples(noise(1000), rowBytes: 10, components: 1, bits: 8)
    #expect(samples.part(of: 2000).bytes == samples.bytes)
    #expect(samples.part(of: 40).bytes == Array(samples.bytes[480..<520]))
    #expect(samples.part(of: 3).bytes.count == 10)
  }

  @Test func storesDifferencesOfCurvesInProfiles() throws {
    var profile = noise(524)
    profile.replaceSubrange(36..<40, with: Array("acsp".utf8))
    for value in 0..<1048 {
      let point = UInt16(value * 37)
      profile += [UInt8(point >> 8), UInt8(point & 255)]
    }
    profile += noise(524)
    #expect(profile.count == 3144)
    var sketch = PDFSketch(
      "/X cs 0.5 sc 0 0 4 4 re f", resources: "/ColorSpace << /X [/ICCBased 5 0 R] >>")
    sketch.addStream("/N 1", profile)
    let bytes = try written(sketch)
    #expect(text(bytes).contains("/DecodeParms<</Predictor 15/Colors 2/Columns 262>>"))
    let decoded = try bytes.withUnsafeBytes { source in
      let file = try PDFFile(source, Budget(input: source.count))
      return file.stream(.reference(4)).map { file.decoded($0) }
    }
    #expect(decoded == profile)
  }

  /// Samples that do not fill the picture, or have another form than the picture says, stay.
  @Test(arguments: [100, 64 * 64 - 1, 64 * 64 + 1])
  func keepsSamplesThatDoNotFit(count: Int) throws {
    let samples = noise(count)
    let bytes = try written(sketch("20 20 6 6 re W n \(place)", gray, samples))
    #expect(bytes.count > count)
    #expect(!text(bytes).contains("/Predictor"))
  }

  @Test func leavesOutEntriesThatSayTheUsual() throws {
    var sketch = PDFSketch(
      "/X Do /S sh",
      resources: "/XObject << /X 5 0 R >> /Shading << /S << /ShadingType 2 /Coords [0 0 8 0] "
        + "/ColorSpace /DeviceGray /Domain [0 1] /Extend [false false] /Function "
        + "<< /FunctionType 2 /N 1 /Domain [0 1] >> >> >>")
    sketch.addStream(
      "/Type /XObject /Subtype /Form /BBox [0 0 8 8] /Matrix [1 0 0 1 0 0] "
        + "/Group << /Type /Group /S /Transparency /I false /K false >>", "0 0 4 4 re f")
    let text = text(try written(sketch))
    #expect(text.contains("<</Subtype/Form/BBox[0 0 8 8]/Group<</S/Transparency>>"))
    #expect(text.contains("/Function<</FunctionType 2/N 1/Domain[0 1]>>"))
    for word in ["/Extend", "/Matrix", "/Type/Group", "/Type/XObject"] {
      #expect(!text.contains(word), "\(word)")
    }
  }
}
