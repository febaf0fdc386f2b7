import Foundation
import Support
import Testing

@testable import Vectors

/// Tests that no fault of a vector is passed over: the drawing names it, or there is no drawing.
@Suite struct VectorDamageTests {
  private static let square = "1 0 0 rg 0 0 4 4 re f "

  /// A fault of a page that also has a square, and the feature that names the fault.
  private static let faults: [(String, String, UnsupportedFeature)] = [
    ("/No Do", "", .missingObject), ("/No gs", "", .missingObject),
    ("/No cs", "", .missingObject), ("/No sh", "", .missingObject),
    ("/Pattern cs /No scn 4 4 4 4 re f", "", .missingObject),
    ("BT /No 4 Tf (A) Tj ET", "", .missingObject),
    ("/Im Do", "/XObject << /Im 99 0 R >>", .missingObject),
    ("/Im Do", "/XObject << /Im 5 0 R >>", .damagedImage),
    ("/Im Do", "/XObject << /Im 6 0 R >>", .damagedImage),
    ("/Im Do", "/XObject << /Im 7 0 R >>", .damagedImage),
    ("/Fm Do", "/XObject << /Fm 8 0 R >>", .damagedData),
    ("/Fm Do", "/XObject << /Fm 9 0 R >>", .damagedData),
  ]

  private func sketch(_ content: String, _ resources: String) -> PDFSketch {
    var sketch = PDFSketch(content, resources: resources)
    let image = "/Subtype /Image /Height 1 /ColorSpace /DeviceGray"
    sketch.addStream("/Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8", [0])
    sketch.addStream("\(image) /Width 1 /BitsPerComponent 3", [0])
    sketch.addStream("\(image) /Width 65537 /BitsPerComponent 8", [0])
    let form = "/Subtype /Form /BBox [0 0 8 8]"
    let packed = PDFSketch.deflated(Array(Self.square.utf8))
    sketch.addStream("\(form) /Filter /FlateDecode", Array(packed.prefix(12)))
    sketch.addStream("\(form) /Filter /No", packed)
    return sketch
  }

  @Test(arguments: faults)
  func aPDFNamesItsFaults(content: String, resources: String, feature: UnsupportedFeature) throws {
    let drawing = try sketch(Self.square + content, resources).drawing()
    #expect(drawing.unsupported == [feature] && feature.isDamage)
    #expect(try sketch(Self.square, resources).drawing().unsupported.isEmpty)
  }

  @Test(arguments: faults)
  func aPDFOfWhichNothingIsLeftIsRefused(
    content: String, resources: String, feature: UnsupportedFeature
  ) {
    guard feature != .damagedData else { return }
    #expect(throws: VectorError.malformed(.noDrawing, offset: 0)) {
      try sketch(content, resources).drawing()
    }
  }

  @Test func aPageWithoutItsContentIsRefused() throws {
    let whole = String(decoding: PDFSketch(Self.square).bytes, as: UTF8.self)
    #expect(throws: VectorError.malformed(.noDrawing, offset: 0)) {
      try PDFSketch.drawing(Array(whole.replacing("/Contents 4", with: "/Contents 9").utf8))
    }
    #expect(try PDFSketch("").drawing().unsupported.isEmpty)
  }

  @Test(arguments: ["", "/MediaBox (A)"])
  func aPageWithoutASizeIsNamed(page: String) throws {
    #expect(try PDFSketch(Self.square, page: page).drawing().unsupported == [.missingSize])
  }

  @Test(arguments: [
    ("<g><path d='M0 0H4V4z'/></q>", UnsupportedFeature.damagedMarkup),
    ("<a:g xmlns:a='b'></g>", .damagedMarkup),
    ("<rect width='4' height='4' width='5'/>", .damagedMarkup),
    ("<path d='M0 0H4Vz'/>", .damagedPath), ("<path d='L4 4'/>", .damagedPath),
    ("<path d='M0 0H4V4z?'/>", .damagedPath),
    ("<rect width='4' height='4' fill='url(#no)'/>", .missingElement),
    ("<rect width='4' height='4' clip-path='url(#no)'/>", .missingElement),
    ("<rect width='4' height='4' mask='url(#no)'/>", .missingElement),
    ("<use href='#no'/>", .missingElement),
  ])
  func anSVGNamesItsFaults(body: String, feature: UnsupportedFeature) throws {
    #expect(try svg(body).unsupported == [feature] && feature.isDamage)
  }

  @Test(arguments: [
    "<g><path d='M0 0H4V4z'/></g >", "<a:g xmlns:a='b'></a:g>", "<path d=''/>", "<use/>",
    "<rect width='4' height='4' fill='url(#no) red'/>", "<path d=' M0,0 H4 V4 z '/>",
    "<rect width='4' height='4' href='#a' xlink:href='#a'/>",
  ])
  func anSVGWithoutFaultsNamesNone(body: String) throws {
    #expect(try svg(body).unsupported.isEmpty)
  }

  @Test func theManualNamesEveryFeatureThatIsNotDrawn() throws {
    let page = try String(contentsOfFile: packageRoot + "/Docs/vectors.md", encoding: .utf8)
    let words = page.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let section = words.components(separatedBy: "## ").first { $0.hasPrefix("What is not drawn") }
    for feature in UnsupportedFeature.allCases where !feature.isDamage {
      #expect(section?.contains("\(feature.name)") == true)
    }
  }

  private func svg(_ body: String) throws -> Drawing {
    try SVG.read(Array("<svg width='8' height='8' viewBox='0 0 8 8'>\(body)</svg>".utf8))
  }
}
