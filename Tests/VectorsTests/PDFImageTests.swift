import Support
import Testing

@testable import Vectors

/// Tests pictures: kinds of samples, masks, and data in the content stream.
@Suite struct PDFImageTests {
  /// Draws a picture over the whole page. If the picture has 2 by 2 pixels, each of them covers 4
  /// by 4 pixels of the page.
  private func draw(
    _ entries: String, _ bytes: [UInt8], size: String = "/Width 2 /Height 2",
    mask: (String, [UInt8])? = nil, color: String = ""
  ) throws -> Picture {
    var sketch = PDFSketch("\(color) 8 0 0 8 0 0 cm /I Do")
    var more = ""
    if let mask {
      let number = sketch.addStream("/Subtype /Image \(mask.0)", mask.1)
      more = entries.contains("MASK") ? "" : "/SMask \(number) 0 R"
    }
    let text = entries.replacing("MASK", with: "5 0 R")
    let image = sketch.addStream("/Subtype /Image \(size) \(text) \(more)", bytes)
    sketch.resources = "/XObject << /I \(image) 0 R >>"
    return try sketch.picture()
  }

  /// Returns the colours at the four corners, row by row from the upper left.
  private func corners(_ picture: Picture) -> [[Int]] {
    [picture.rgba(0, 0), picture.rgba(7, 0), picture.rgba(0, 7), picture.rgba(7, 7)]
  }

  private func gray(_ values: Int...) -> [[Int]] { values.map { [$0, $0, $0, 255] } }

  @Test func bitsOfSamples() throws {
    func entries(_ bits: Int) -> String { "/ColorSpace /DeviceGray /BitsPerComponent \(bits)" }
    #expect(try corners(draw(entries(1), [0x40, 0x80])) == gray(0, 255, 255, 0))
    #expect(try corners(draw(entries(2), [0x10, 0xB0])) == gray(0, 85, 170, 255))
    #expect(try corners(draw(entries(4), [0x05, 0xAF])) == gray(0, 85, 170, 255))
    #expect(try corners(draw(entries(8), [0, 85, 170, 255])) == gray(0, 85, 170, 255))
    let wide: [UInt8] = [0, 9, 85, 9, 170, 9, 255, 255]
    #expect(try corners(draw(entries(16), wide)) == gray(0, 85, 170, 255))
  }

  @Test func colorsOfSamples() throws {
    let rgb: [UInt8] = [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255]
    let whole = try corners(draw("/ColorSpace /DeviceRGB /BitsPerComponent 8", rgb))
    #expect(whole == [red, green, blue, white])
    let decoded = try corners(
      draw("/ColorSpace /DeviceRGB /BitsPerComponent 8 /Decode [1 0 0 1 0 1]", rgb))
    #expect(decoded[0] == black && decoded[1] == [255, 255, 0, 255])
    let table = "/ColorSpace [/Indexed /DeviceRGB 3 <FF000000FF000000FFFFFFFF>]"
    #expect(try corners(draw("\(table) /BitsPerComponent 2", [0x10, 0xB0])) == whole)
    let inks = try draw(
      "/ColorSpace /DeviceCMYK /BitsPerComponent 8",
      [0, 0, 0, 255] + [UInt8](repeating: 0, count: 12))
    #expect(corners(inks)[0] == [26, 25, 25, 255] && corners(inks)[3] == white)
  }

  @Test func missingSamplesAreNothing() throws {
    let picture = try draw("/ColorSpace /DeviceGray /BitsPerComponent 8", [255])
    #expect(corners(picture) == gray(255, 0, 0, 0))
  }

  // MARK: Masks

  private static let redSquare: [UInt8] = [255, 0, 0, 255, 0, 0, 255, 0, 0, 255, 0, 0]

  @Test func softMasks() throws {
    let gray = "/Width 2 /Height 2 /ColorSpace /DeviceGray /BitsPerComponent 8"
    let picture = try draw(
      "/ColorSpace /DeviceRGB /BitsPerComponent 8", Self.redSquare, mask: (gray, [0, 128, 255, 51]))
    #expect(
      corners(picture) == [nothing, [128, 0, 0, 128], red, [51, 0, 0, 51]])
    // A soft mask of one bit is not a stencil: 1 is shown.
    let bits = "/Width 2 /Height 2 /ColorSpace /DeviceGray /BitsPerComponent 1"
    let sharp = try draw(
      "/ColorSpace /DeviceRGB /BitsPerComponent 8", Self.redSquare, mask: (bits, [0x40, 0x80]))
    #expect(corners(sharp) == [nothing, red, red, nothing])
  }

  @Test func masksMayBeFinerThanTheirPicture() throws {
    let fine = "/Width 8 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8"
    let picture = try draw(
      "/ColorSpace /DeviceRGB /BitsPerComponent 8", [255, 0, 0], size: "/Width 1 /Height 1",
      mask: (fine, [0, 255, 0, 255, 0, 255, 0, 255]))
    #expect(
      picture.rgba(0, 4) == nothing && picture.rgba(1, 4) == red && picture.rgba(6, 0) == nothing)
  }

  @Test func mattes() throws {
    // Red with an alpha of one half, which was mixed with white.
    let mask = "/Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Matte [1 1 1]"
    let picture = try draw(
      "/ColorSpace /DeviceRGB /BitsPerComponent 8", [255, 127, 127], size: "/Width 1 /Height 1",
      mask: (mask, [128]))
    #expect(picture.isNear(4, 4, [128, 0, 0, 128]))
  }

  @Test func stencilMasksAndColorKeys() throws {
    let stencil = "/Width 2 /Height 2 /ImageMask true"
    let shown = try draw(
      "/ColorSpace /DeviceRGB /BitsPerComponent 8 /Mask MASK", Self.redSquare,
      mask: (stencil, [0x40, 0x80]))
    #expect(corners(shown) == [red, nothing, nothing, red])
    let keyed = try draw(
      "/ColorSpace /DeviceGray /BitsPerComponent 8 /Mask [80 90]", [0, 85, 170, 255])
    #expect(corners(keyed)[1] == nothing && corners(keyed)[2] == [170, 170, 170, 255])
  }

  @Test func stencilsTakeThePaint() throws {
    let picture = try draw("/ImageMask true", [0x40, 0x80], color: "0 1 0 rg")
    #expect(corners(picture) == [green, nothing, nothing, green])
    let turned = try draw("/ImageMask true /Decode [1 0]", [0x40, 0x80], color: "0 1 0 rg")
    #expect(corners(turned) == [nothing, green, green, nothing])
  }

  // MARK: Inline pictures and others

  @Test func inlinePictures() throws {
    let hex =
      "q 8 0 0 8 0 0 cm BI /W 2 /H 2 /BPC 8 /CS /G /F /AHx ID 00 55 AA FF > EI Q 0 0 1 1 re f"
    let picture = try PDFSketch(hex).picture()
    #expect(corners(picture)[1] == [85, 85, 85, 255] && corners(picture)[3] == white)
    #expect(picture.rgba(0, 7) == black)
    // An `EI` among the data does not end the data.
    var content = Array("q 8 0 0 8 0 0 cm BI /W 4 /H 1 /BPC 8 /CS /RGB ID ".utf8)
    content += Array(" EI  EI  EI ".utf8) + Array(" EI Q 1 0 0 rg 0 0 1 1 re f".utf8)
    let number = 5
    var sketch = PDFSketch("")
    sketch.addStream("", content)
    let text = String(decoding: sketch.bytes, as: UTF8.self)
    let bytes = Array(text.replacing("/Contents 4 0 R", with: "/Contents \(number) 0 R").utf8)
    #expect(try Picture(PDFSketch.drawing(bytes), .pdf).rgba(0, 7) == red)
    let stencil = "0 0 1 rg 8 0 0 8 0 0 cm BI /IM true /W 1 /H 1 /D [1 0] ID \u{7f} EI"
    #expect(try PDFSketch(stencil).picture().rgba(4, 4) == nothing)
  }

  @Test func interpolationIsPassedOn() throws {
    var sketch = PDFSketch("/I Do")
    let image = sketch.addStream(
      "/Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Interpolate true",
      [0])
    sketch.resources = "/XObject << /I \(image) 0 R >>"
    #expect(try sketch.drawing().images.map(\.interpolates) == [true])
  }

  @Test(arguments: ["JPXDecode", "CCITTFaxDecode", "JBIG2Decode", "DCTDecode", "Unknown"])
  func formatsThatAreNotReadAreNamed(filter: String) throws {
    var sketch = PDFSketch("/I Do 0 0 8 8 re f")
    let image = sketch.addStream(
      "/Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /Filter /\(filter)", [0, 1, 2])
    sketch.resources = "/XObject << /I \(image) 0 R >>"
    let drawing = try sketch.drawing()
    #expect(drawing.unsupported == [.imageCompression] && drawing.page.count == 1)
  }

  @Test func picturesBesideThePageAreNotRead() throws {
    var sketch = PDFSketch("q 1 0 0 1 20 0 cm /I Do Q q 1 0 0 1 3 3 cm /I Do Q")
    let image = sketch.addStream(
      "/Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8", [0])
    sketch.resources = "/XObject << /I \(image) 0 R >>"
    #expect(try sketch.drawing().page.count == 1)
  }

  /// The values of a mask that is not a stencil are alpha: 1 is opaque.
  @Test func masksThatAreNoStencils() throws {
    for (entry, isShown) in [("", true), ("/ImageMask true", false)] {
      var sketch = PDFSketch("8 0 0 8 0 0 cm /I Do")
      let mask = sketch.addStream(
        "/Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 1 \(entry)",
        [0x80])
      let image = sketch.addStream(
        "/Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Mask \(mask) 0 R",
        [0])
      sketch.resources = "/XObject << /I \(image) 0 R >>"
      #expect(try sketch.picture().rgba(4, 4) == (isShown ? black : nothing))
    }
  }

  @Test func jpegPictures() throws {
    for (name, space) in [("baseline", "RGB"), ("gray", "Gray"), ("progressive", "Gray")] {
      var sketch = PDFSketch("8 0 0 8 0 0 cm /I Do")
      let image = sketch.addStream(
        "/Subtype /Image /Width 9 /Height 9 /ColorSpace /Device\(space) /Filter /DCTDecode",
        jpegFile(name))
      sketch.resources = "/XObject << /I \(image) 0 R >>"
      let picture = try sketch.picture()
      #expect(picture.isNear(2, 2, name == "gray" ? [76, 76, 76, 255] : red, by: 8), "\(name)")
      #expect(picture.isNear(6, 6, white, by: 8))
    }
  }
}
