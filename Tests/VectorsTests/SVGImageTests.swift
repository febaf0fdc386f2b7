// Tests pictures in SVG: the data in the document, the place of the picture, and what is refused.

import Bytes
import Foundation
import Support
import Testing

@testable import Vectors

private let redPixel: UInt32 = 0xFFFF_0000
private let bluePixel: UInt32 = 0xFF00_00FF
private let greenPixel: UInt32 = 0xFF00_FF00

private func address(_ file: [UInt8], type: String = "image/png") -> String {
  "data:\(type);base64,\(Data(file).base64EncodedString())"
}

/// Two pixels: red and blue.
private let pair = address(
  png(width: 2, height: 1, color: .rgb, samples: [255, 0, 0, 0, 0, 255]))
/// One opaque green pixel.
private let dot = address(png(width: 1, height: 1, green: 255))

private func image(_ attributes: String, _ address: String = dot) -> String {
  "<image \(attributes) href='\(address)'/>"
}

private let places: [Feature] = [
  Feature(
    "a picture at its place",
    image("x='2' y='3' width='4' height='5' preserveAspectRatio='none'"), (2, 3, greenPixel),
    (5, 7, greenPixel), (1, 3, 0), (6, 3, 0), (2, 8, 0)),
  Feature(
    "the older name of the reference",
    "<image width='9' height='9' xlink:href='\(dot)'/>", (4, 4, greenPixel)),
  Feature(
    "the size of the picture is used if none is given", "<image href='\(pair)'/>", (0, 0, redPixel),
    (1, 0, bluePixel), (2, 0, 0), (0, 1, 0)),
  Feature(
    "one side follows from the other", image("width='8' image-rendering='pixelated'", pair),
    (0, 3, redPixel), (7, 0, bluePixel), (0, 4, 0)),
  Feature("a picture without a width", image("width='0' height='9'"), (0, 0, 0)),
  Feature(
    "the shape of the picture is kept, in the middle",
    image("width='8' height='8' image-rendering='pixelated'", pair), (0, 1, 0), (0, 2, redPixel),
    (7, 5, bluePixel), (7, 6, 0)),
  Feature(
    "the shape of the picture is kept, at the end",
    image("width='8' height='8' preserveAspectRatio='xMaxYMax' image-rendering='pixelated'", pair),
    (0, 3, 0), (0, 4, redPixel), (7, 7, bluePixel)),
  Feature(
    "the shape of the picture is not kept",
    image("width='8' height='8' preserveAspectRatio='none' image-rendering='pixelated'", pair),
    (0, 0, redPixel), (3, 7, redPixel), (4, 0, bluePixel), (7, 7, bluePixel)),
  Feature(
    "what is outside of the rectangle is cut",
    image(
      "x='2' width='4' height='4' preserveAspectRatio='xMinYMin slice' image-rendering='pixelated'",
      pair),
    (1, 1, 0), (2, 0, redPixel), (5, 3, redPixel), (6, 1, 0)),
  Feature(
    "what is outside of the rectangle can be shown",
    image(
      "x='2' width='4' height='4' preserveAspectRatio='xMinYMin slice' overflow='visible' "
        + "image-rendering='pixelated'", pair),
    (2, 0, redPixel), (5, 3, redPixel), (6, 1, bluePixel), (9, 3, bluePixel)),
  Feature(
    "transforms apply", image("width='2' height='2' transform='translate(4 1) scale(2)'"),
    (4, 1, greenPixel), (7, 4, greenPixel), (3, 1, 0), (8, 1, 0)),
  Feature(
    "opacity applies", image("width='9' height='9' opacity='.5'"), (4, 4, 0x8000_8000)),
  Feature(
    "clips apply",
    "<clipPath id='c'><rect width='3' height='9'/></clipPath>"
      + image("width='9' height='9' clip-path='url(#c)'"),
    (2, 4, greenPixel), (3, 4, 0)),
  Feature(
    "the box of a picture counts for clips",
    "<clipPath id='c' clipPathUnits='objectBoundingBox'><rect width='.5' height='1'/></clipPath>"
      + image("x='2' width='6' height='6' clip-path='url(#c)'"),
    (4, 4, greenPixel), (5, 4, 0)),
  Feature(
    "masks apply",
    "<mask id='m'><rect width='4' height='9' fill='#fff'/></mask>"
      + image("width='9' height='9' mask='url(#m)'"),
    (3, 4, greenPixel), (4, 4, 0)),
  Feature(
    "pictures are used",
    "<defs><image id='i' width='2' height='2' href='\(dot)'/></defs>"
      + "<use href='#i' x='5'/>",
    (5, 1, greenPixel), (4, 1, 0), (7, 1, 0)),
  Feature(
    "pictures in patterns",
    "<pattern id='p' width='4' height='4' patternUnits='userSpaceOnUse'>"
      + image("width='2' height='2'") + "</pattern><rect width='10' height='10' fill='url(#p)'/>",
    (1, 1, greenPixel), (3, 1, 0), (5, 5, greenPixel), (7, 5, 0)),
  Feature("hidden pictures", image("width='9' height='9' visibility='hidden'"), (4, 4, 0)),
  Feature(
    "pictures that are not displayed", image("width='9' height='9' display='none'"), (4, 4, 0)),
]

/// Ways to write the address of a picture.
private let addresses: [(String, String)] = [
  ("blanks", dot.replacing("base64,", with: "base64, \n ")),
  ("a line break in the data", String(dot.prefix(40)) + "\n  " + String(dot.dropFirst(40))),
  ("escapes", dot.replacing("+", with: "%2B").replacing("=", with: "%3D")),
  ("capitals", dot.replacing("data:image/png", with: "DATA:IMAGE/PNG")),
  ("another type", dot.replacing("image/png", with: "image/jpeg")),
  ("no type", dot.replacing("image/png", with: "")),
  ("parameters", dot.replacing("image/png", with: "image/png;name=a.png")),
  ("no padding", String(dot.filter { $0 != "=" })),
]

@Suite struct SVGImageTests {
  @Test(arguments: places)
  func isDrawn(_ feature: Feature) throws {
    let picture = try svg(feature.body)
    for (x, y, color) in feature.pixels {
      let found = picture.pixel(x, y)
      #expect(found == color, "(\(x), \(y)) is \(String(found, radix: 16))")
    }
  }

  @Test(arguments: addresses.indices)
  func addressesAreRead(_ index: Int) throws {
    let (name, address) = addresses[index]
    #expect(try svg(image("width='9' height='9'", address)).pixel(4, 4) == greenPixel, "\(name)")
  }

  @Test func bytesCanBeEscapedWithoutBase64() throws {
    let escaped = png(width: 1, height: 1, green: 255).map { byte in
      "%" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16, uppercase: true)
    }.joined()
    let picture = try svg(image("width='9' height='9'", "data:image/png,\(escaped)"))
    #expect(picture.pixel(4, 4) == greenPixel)
  }

  @Test func enlargedPicturesAreSmooth() throws {
    let smooth = try svg(image("width='8' height='4'", pair))
    #expect(smooth.pixel(0, 1) == redPixel && smooth.pixel(7, 1) == bluePixel)
    let middle = smooth.pixel(4, 1)
    #expect(middle != redPixel && middle != bluePixel)
    let sharp = try svg(image("width='8' height='4' style='image-rendering: crisp-edges'", pair))
    #expect(sharp.pixel(3, 1) == redPixel && sharp.pixel(4, 1) == bluePixel)
  }

  @Test func picturesWithAlphaAreMixed() throws {
    let half = address(png(width: 1, height: 1, red: 255, alpha: 128))
    let picture = try svg("<rect width='9' height='9' fill='blue'/>" + image("width='9'", half))
    #expect(picture.pixel(4, 4) == 0xFF80_007F)
  }

  @Test func coloursOfProfilesAreConverted() throws {
    // The full red of Display P3 is outside of sRGB; a half of each channel is a grey of both.
    let wide = address(
      png(
        width: 1, height: 1, color: .rgb, samples: [128, 128, 128],
        extra: [pngChunk("cICP", [12, 13, 0, 1])]))
    #expect(try svg(image("width='9'", wide)).pixel(4, 4) == 0xFF80_8080)
    let orange = address(
      png(
        width: 1, height: 1, color: .rgb, samples: [200, 100, 50],
        extra: [pngChunk("cICP", [12, 13, 0, 1])]))
    let pixel = try svg(image("width='9'", orange)).pixel(4, 4)
    #expect(pixel >> 16 & 255 > 205 && pixel >> 8 & 255 < 100 && pixel & 255 < 45)
  }

  @Test(arguments: ["baseline", "progressive", "gray", "inks"])
  func jpegsAreDrawn(_ kind: String) throws {
    let text = address(jpegFile(kind), type: "image/jpeg")
    let drawing = try SVG.read(
      Array("<svg width='16' height='16'>\(image("width='16'", text))</svg>".utf8))
    let picture = try Picture(drawing)
    let (first, last) = (picture.pixel(4, 4), picture.pixel(12, 12))
    #expect(first >> 24 == 255 && first != last)
    if kind == "baseline" { #expect(first >> 16 & 255 > 240 && first & 255 < 12) }
    #expect(drawing.unsupported == (kind == "inks" ? [.approximateColor] : []))
  }

  // MARK: What is not drawn

  private func features(_ body: String) throws -> [UnsupportedFeature] {
    try SVG.read(Array("<svg width='10' height='10'>\(body)</svg>".utf8)).unsupported
  }

  @Test(arguments: [
    "a.png", "https://example.com/a.png", "file:///a.png", "#a", "data:", "data:image/png;base64",
    "data:image/png;base64,?", "data:image/gif;base64,R0lGODdhAQABAIAAAAAA",
    "data:image/svg+xml,%3Csvg/%3E", "data:text/plain,", "DATA",
  ])
  func otherPicturesAreNamed(_ address: String) throws {
    #expect(try features(image("width='9' height='9'", address)) == [.image])
  }

  @Test func damagedPicturesAreNamed() throws {
    let file = png(width: 4, height: 4, red: 9)
    for count in [8, 20, 40, file.count - 13] {
      let cut = address(Array(file.prefix(count)))
      #expect(try features(image("width='9' height='9'", cut)) == [.damagedImage])
    }
    #expect(try features(image("width='9'", address([0xFF, 0xD8, 0xFF, 0xE0]))) == [.damagedImage])
  }

  @Test func elementsWithoutAPictureShowNothing() throws {
    #expect(try features("<image width='9' height='9'/><image href=''/>").isEmpty)
  }

  /// A picture that is used many times is decoded once.
  @Test func picturesAreDecodedOnce() throws {
    let uses = String(repeating: "<use href='#i'/>", count: 2_000)
    let large = address(png(width: 64, height: 64, red: 9))
    let body = "<image id='i' width='9' height='9' href='\(large)'/>\(uses)"
    let drawing = try SVG.read(Array("<svg width='10' height='10'>\(body)</svg>".utf8))
    #expect(drawing.images.count == 1 && drawing.page.count == 2_001)
  }

  @Test func rewrittenDocumentsKeepTheirPictures() throws {
    let text =
      "<svg xmlns='http://www.w3.org/2000/svg' width='10' height='10'><!-- A comment -->"
      + image("width='9' height='9'") + "</svg>"
    let source = Array(text.utf8)
    let drawing = try SVG.read(source)
    let written = try #require(
      VectorFile.rewritten(source, drawing: drawing) { _, _ in nil })
    #expect(written.count < source.count)
    #expect(try SVG.read(written).images == drawing.images)
  }
}
