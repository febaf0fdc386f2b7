// Tests features of SVG. The listed pixels would differ if the feature were ignored.

import Testing

@testable import Vectors

func svg(_ body: String, attributes: String = "width='10' height='10'") throws -> Picture {
  try Picture(
    SVG.read(Array("<svg xmlns='http://www.w3.org/2000/svg' \(attributes)>\(body)</svg>".utf8)))
}

private let redPixel: UInt32 = 0xFFFF_0000
private let greenPixel: UInt32 = 0xFF00_8000
private let bluePixel: UInt32 = 0xFF00_00FF
private let blackPixel: UInt32 = 0xFF00_0000

/// A feature with its markup and the expected colours of some pixels.
struct Feature: CustomStringConvertible, Sendable {
  let description: String
  let body: String
  let pixels: [(x: Int, y: Int, color: UInt32)]

  init(_ name: String, _ body: String, _ pixels: (x: Int, y: Int, color: UInt32)...) {
    description = name
    self.body = body
    self.pixels = pixels
  }
}

private let shapes: [Feature] = [
  Feature(
    "rect", "<rect x='2' y='3' width='4' height='5'/>", (2, 3, blackPixel), (6, 3, 0),
    (5, 7, blackPixel)),
  Feature(
    "rounded rect", "<rect width='10' height='10' rx='5'/>", (0, 0, 0), (5, 1, blackPixel),
    (1, 5, blackPixel)
  ),
  Feature(
    "one radius is both", "<rect width='10' height='10' ry='5'/>", (0, 0, 0), (9, 9, 0),
    (5, 5, blackPixel)),
  Feature("circle", "<circle cx='5' cy='5' r='3'/>", (5, 3, blackPixel), (2, 1, 0), (5, 8, 0)),
  Feature("ellipse", "<ellipse cx='5' cy='5' rx='5' ry='2'/>", (1, 5, blackPixel), (5, 2, 0)),
  Feature(
    "line", "<line x1='0' y1='5' x2='10' y2='5' stroke='blue' stroke-width='2'/>",
    (3, 4, bluePixel),
    (3, 6, 0)),
  Feature(
    "polyline", "<polyline points='0,0 10,0 10,10' fill='red'/>", (8, 2, redPixel), (2, 8, 0)),
  Feature(
    "polygon", "<polygon points='0 0,10 0 10-0 10 10' fill='red'/>", (8, 2, redPixel), (1, 8, 0)),
  Feature(
    "polygons are closed",
    "<polygon points='1 1 9 1 9 9 1 9' fill='none' stroke='red' stroke-width='2'/>",
    (0, 4, redPixel)),
  Feature("move and line", "<path d='M1 1L9 1 9 9z'/>", (8, 2, blackPixel), (2, 8, 0)),
  Feature("relative", "<path d='m1 1 8 0 0 8z'/>", (8, 2, blackPixel), (2, 8, 0)),
  Feature(
    "across and down", "<path d='M2 2H8V8H2z'/>", (2, 2, blackPixel), (8, 8, 0), (7, 7, blackPixel)),
  Feature("relative across", "<path d='M2 2h6v6h-6z'/>", (7, 7, blackPixel), (8, 8, 0)),
  Feature(
    "numbers without blanks", "<path d='M.5.5L9.5.5 9.5 9.5-1-1'/>", (8, 3, blackPixel), (3, 8, 0)),
  Feature("cubic", "<path d='M0 10C0 -3 10 -3 10 10z'/>", (5, 2, blackPixel), (0, 0, 0)),
  Feature(
    "smooth cubic", "<path d='M0 5C0 0 5 0 5 5S10 10 10 5z'/>", (2, 3, blackPixel),
    (7, 6, blackPixel),
    (7, 3, 0)),
  Feature("quadratic", "<path d='M0 10Q5 -10 10 10z'/>", (5, 2, blackPixel), (0, 0, 0)),
  Feature(
    "smooth quadratic", "<path d='M0 5Q2.5 -5 5 5T10 5z'/>", (2, 2, blackPixel), (7, 7, blackPixel),
    (7, 2, 0)
  ),
  Feature("arc", "<path d='M0 5A5 5 0 0 1 10 5z'/>", (5, 1, blackPixel), (5, 7, 0)),
  Feature("arc the other way", "<path d='M0 5A5 5 0 0 0 10 5z'/>", (5, 1, 0), (5, 7, blackPixel)),
  Feature(
    "large arc", "<path d='M5 0A5 5 0 1 0 10 5L5 5z'/>", (2, 5, blackPixel), (8, 2, 0),
    (7, 7, blackPixel)),
  Feature("flags without blanks", "<path d='M0 5a5 5 0 0110 0z'/>", (5, 1, blackPixel), (5, 7, 0)),
  Feature("turned arc", "<path d='M5 0A5 2 90 0 1 5 10z'/>", (5, 5, blackPixel), (7, 5, 0)),
  Feature(
    "what follows a close", "<path d='M2 2h2v2h-2zl0 6h2v-2z'/>", (3, 2, blackPixel),
    (2, 7, blackPixel)),
  Feature(
    "rule", "<path fill-rule='evenodd' d='M0 0h10v10h-10zM2 2h6v6h-6z'/>", (5, 5, 0),
    (1, 1, blackPixel)),
]

private let paints: [Feature] = [
  Feature("name", "<rect width='9' height='9' fill='RebeccaPurple'/>", (1, 1, 0xFF66_3399)),
  Feature("three digits", "<rect width='9' height='9' fill='#1aF'/>", (1, 1, 0xFF11_AAFF)),
  Feature("four digits", "<rect width='9' height='9' fill='#f008'/>", (1, 1, 0x8888_0000)),
  Feature("six digits", "<rect width='9' height='9' fill='#123456'/>", (1, 1, 0xFF12_3456)),
  Feature("eight digits", "<rect width='9' height='9' fill='#00FF0080'/>", (1, 1, 0x8000_8000)),
  Feature("rgb", "<rect width='9' height='9' fill='rgb(18, 52,86)'/>", (1, 1, 0xFF12_3456)),
  Feature(
    "rgb in shares", "<rect width='9' height='9' fill='rgb(100%,0%,20%)'/>", (1, 1, 0xFFFF_0033)),
  Feature("rgba", "<rect width='9' height='9' fill='rgba(255,0,0,.2)'/>", (1, 1, 0x3333_0000)),
  Feature(
    "rgb with blanks", "<rect width='9' height='9' fill='rgb(0 0 255 / 20%)'/>", (1, 1, 0x3300_0033)
  ),
  Feature("hsl", "<rect width='9' height='9' fill='hsl(240,100%,50%)'/>", (1, 1, bluePixel)),
  Feature(
    "hsla", "<rect width='9' height='9' fill='hsla(120deg 100% 25% / 1)'/>", (1, 1, greenPixel)),
  Feature("transparent", "<rect width='9' height='9' fill='transparent'/>", (1, 1, 0)),
  Feature("none", "<rect width='9' height='9' fill='none'/>", (1, 1, 0)),
  Feature(
    "the element's colour", "<g color='red'><rect width='9' height='9' fill='currentColor'/></g>",
    (1, 1, redPixel)),
  Feature(
    "what stands in for an absent gradient", "<rect width='9' height='9' fill='url(#no) blue'/>",
    (1, 1, bluePixel)),
  Feature("fill opacity", "<rect width='9' height='9' fill-opacity='20%'/>", (1, 1, 0x3300_0000)),
  Feature("inherited", "<g fill='red'><rect width='9' height='9'/></g>", (1, 1, redPixel)),
  Feature(
    "inherited by word",
    "<g opacity='.2'><rect width='9' height='9' fill='red' style='fill:inherit'/></g>",
    (1, 1, 0x3300_0000)),
  Feature("opacity", "<rect width='9' height='9' fill='blue' opacity='.2'/>", (1, 1, 0x3300_0033)),
  Feature(
    "opacity of a group, once where two overlap",
    "<g opacity='.2' fill='blue'><rect width='9' height='9'/><rect width='5' height='5'/></g>",
    (1, 1, 0x3300_0033), (7, 7, 0x3300_0033)),
  Feature(
    "multiply",
    "<rect width='9' height='9' fill='#f80'/><rect width='9' height='9' fill='#08f' style='mix-blend-mode:multiply'/>",
    (1, 1, 0xFF00_4900)),
  Feature(
    "sum",
    "<rect width='9' height='9' fill='red'/><rect width='9' height='9' fill='#0000ff' style='mix-blend-mode:plus-lighter'/>",
    (1, 1, 0xFFFF_00FF)),
  Feature(
    "an isolated group blends with nothing below",
    "<rect width='9' height='9' fill='red'/><g style='isolation:isolate'><rect width='9' height='9' fill='blue' style='mix-blend-mode:multiply'/></g>",
    (1, 1, bluePixel)),
  Feature("hidden", "<rect width='9' height='9' visibility='hidden'/>", (1, 1, 0)),
  Feature(
    "shown in a hidden group",
    "<g visibility='hidden'><rect width='9' height='9' visibility='visible'/></g>",
    (1, 1, blackPixel)),
  Feature("not displayed", "<g display='none'><rect width='9' height='9'/></g>", (1, 1, 0)),
  Feature(
    "the stroke first",
    "<rect x='2' y='2' width='6' height='6' fill='red' stroke='blue' stroke-width='4' style='paint-order:stroke'/>",
    (2, 5, redPixel), (1, 5, bluePixel)),
]

private let strokes: [Feature] = [
  Feature(
    "width", "<path d='M0 5h10' stroke='red' stroke-width='4'/>", (5, 3, redPixel), (5, 2, 0)),
  Feature("butt", "<path d='M3 5h4' stroke='red' stroke-width='4'/>", (2, 5, 0), (7, 5, 0)),
  Feature(
    "square", "<path d='M3 5h4' stroke='red' stroke-width='4' stroke-linecap='square'/>",
    (1, 3, redPixel), (8, 6, redPixel), (0, 5, 0)),
  Feature(
    "round", "<path d='M3 5h4' stroke='red' stroke-width='4' stroke-linecap='round'/>",
    (1, 5, 0xE3E3_0000), (0, 5, 0)),
  Feature(
    "a dot", "<path d='M5 5h0' stroke='red' stroke-width='4' stroke-linecap='square'/>",
    (3, 3, redPixel), (7, 5, 0)),
  Feature(
    "miter", "<path d='M2 10V2H10' fill='none' stroke='red' stroke-width='4'/>", (0, 0, redPixel)),
  Feature(
    "a miter beyond its limit",
    "<path d='M2 10V2H10' fill='none' stroke='red' stroke-width='4' stroke-miterlimit='1.4'/>",
    (0, 0, 0)),
  Feature(
    "bevel",
    "<path d='M2 10V2H10' fill='none' stroke='red' stroke-width='4' stroke-linejoin='bevel'/>",
    (0, 0, 0), (1, 1, redPixel)),
  Feature(
    "round corners",
    "<path d='M5 10V5H10' fill='none' stroke='red' stroke-width='10' stroke-linejoin='round'/>",
    (0, 0, 0), (2, 2, redPixel)),
  Feature(
    "dashes", "<path d='M0 5h10' stroke='red' stroke-width='2' stroke-dasharray='2 3'/>",
    (1, 5, redPixel), (2, 5, 0), (4, 5, 0), (5, 5, redPixel)),
  Feature(
    "an odd number of dashes",
    "<path d='M0 5h10' stroke='red' stroke-width='2' stroke-dasharray='2'/>",
    (1, 5, redPixel), (2, 5, 0), (4, 5, redPixel), (7, 5, 0)),
  Feature(
    "where dashes begin",
    "<path d='M0 5h10' stroke='red' stroke-width='2' stroke-dasharray='2 3' stroke-dashoffset='2'/>",
    (0, 5, 0), (2, 5, 0), (3, 5, redPixel)),
  Feature(
    "a stated length of a path",
    "<path d='M0 5h10' stroke='red' stroke-width='2' pathLength=' 5 ' stroke-dasharray='1 1.5' stroke-dashoffset='1'/>",
    (0, 5, 0), (2, 5, 0), (3, 5, redPixel), (5, 5, 0)),
  Feature(
    "a stated length of a closed path",
    "<rect x='2' y='2' width='6' height='6' fill='none' stroke='red' stroke-width='2' pathLength='4' stroke-dasharray='1 3' stroke-dashoffset='-1'/>",
    (5, 2, 0), (7, 5, redPixel), (5, 7, 0), (2, 5, 0)),
  Feature(
    "a stated length of 0",
    "<path d='M0 5h10' stroke='red' stroke-width='2' pathLength='0' stroke-dasharray='1 1'/>",
    (0, 5, redPixel), (1, 5, redPixel), (9, 5, redPixel)),
  Feature(
    "a width that is not scaled",
    "<path transform='scale(4 2)' d='M0 2h1' stroke='red' stroke-width='2' vector-effect='non-scaling-stroke'/>",
    (3, 3, redPixel), (3, 4, redPixel), (3, 2, 0), (3, 5, 0), (4, 4, 0)),
  Feature(
    "stroke opacity", "<path d='M0 5h9' stroke='red' stroke-width='4' stroke-opacity='.2'/>",
    (5, 5, 0x3333_0000)),
  Feature(
    "a stroke is as wide as it is stretched",
    "<path d='M0 1h10' stroke='red' stroke-width='2' transform='scale(1 4)'/>", (5, 7, redPixel),
    (5, 8, 0)),
]

private let spaces: [Feature] = [
  Feature(
    "translate", "<rect width='2' height='2' transform='translate(3,4)'/>", (4, 5, blackPixel),
    (0, 0, 0)
  ),
  Feature(
    "scale", "<rect width='2' height='2' transform='scale(3 2)'/>", (5, 3, blackPixel), (5, 4, 0)),
  Feature(
    "one scale is both", "<rect width='2' height='2' transform='scale(3)'/>", (5, 5, blackPixel)),
  Feature(
    "rotate", "<rect width='4' height='2' transform='rotate(90 5 5)'/>", (9, 3, blackPixel),
    (9, 4, 0),
    (1, 1, 0)),
  Feature(
    "skew", "<rect width='2' height='10' transform='skewX(45)'/>", (6, 5, blackPixel), (1, 8, 0)),
  Feature(
    "skew down", "<rect width='10' height='2' transform='skewY(45)'/>", (5, 6, blackPixel),
    (8, 1, 0)),
  Feature(
    "matrix", "<rect width='2' height='2' transform='matrix(0 1 -1 0 8 3)'/>", (7, 4, blackPixel),
    (0, 0, 0)),
  Feature(
    "transforms in turn", "<rect width='1' height='1' transform='translate(4 4) scale(2)'/>",
    (5, 5, blackPixel), (8, 8, 0)),
  Feature("units", "<rect width='.125in' height='6pt'/>", (9, 7, blackPixel), (9, 8, 0)),
  Feature(
    "shares", "<rect x='50%' width='50%' height='20%'/>", (5, 1, blackPixel), (4, 1, 0), (5, 2, 0)),
  Feature(
    "a viewport in another",
    "<svg x='2' y='2' width='4' height='4' viewBox='0 0 2 2'><rect width='9' height='1'/></svg>",
    (2, 2, blackPixel), (5, 3, blackPixel), (6, 2, 0), (2, 4, 0)),
  Feature(
    "a viewport that does not clip",
    "<svg x='2' y='2' width='4' height='4' overflow='visible'><rect width='6' height='1'/></svg>",
    (7, 2, blackPixel)),
  Feature(
    "use", "<defs><rect id='a' width='2' height='2'/></defs><use href='#a' x='3' y='4'/>",
    (4, 5, blackPixel), (0, 0, 0)),
  Feature(
    "use by the old name", "<defs><rect id='a' width='2' height='2'/></defs><use xlink:href='#a'/>",
    (1, 1, blackPixel)),
  Feature(
    "what a use says is inherited",
    "<defs><rect id='a' width='2' height='2'/></defs><use href='#a' fill='red'/>", (1, 1, redPixel)),
  Feature(
    "a symbol of the size that is asked for",
    "<symbol id='a' viewBox='0 0 1 1'><rect width='1' height='1'/></symbol><use href='#a' width='4' height='4'/>",
    (3, 3, blackPixel), (5, 2, 0), (2, 5, 0)),
  Feature(
    "symbol",
    "<symbol id='a' viewBox='0 0 2 2'><rect width='1' height='1'/></symbol><use href='#a' width='8' height='8'/>",
    (3, 3, blackPixel), (4, 4, 0)),
  Feature(
    "switch",
    "<switch><rect width='9' height='9' requiredExtensions='x'/><rect width='4' height='4'/><rect width='9' height='9'/></switch>",
    (3, 3, blackPixel), (5, 5, 0)),
  Feature(
    "switch by language",
    "<switch><rect width='9' height='9' systemLanguage='de'/><rect width='4' height='4' systemLanguage='fr, en-GB'/></switch>",
    (3, 3, blackPixel), (5, 5, 0)),
]

@Suite struct SVGFeatureTests {
  @Test(arguments: shapes + paints + strokes + spaces)
  func isDrawn(_ feature: Feature) throws {
    let picture = try svg(feature.body)
    for (x, y, color) in feature.pixels {
      let found = picture.pixel(x, y)
      #expect(found == color, "(\(x), \(y)) is \(String(found, radix: 16))")
    }
  }
}
