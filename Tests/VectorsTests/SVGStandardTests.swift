// Tests features of the SVG standard that design tools rarely write: styles of referenced elements,
// transform origins, and values that are not understood. Also tests the names of features that are
// not drawn.

import Codecs
import Testing

@testable import Vectors

private let blackPixel: UInt32 = 0xFF00_0000
private let redPixel: UInt32 = 0xFFFF_0000
private let ramp = "<stop stop-color='#000'/><stop offset='1' stop-color='#f00'/>"
private let filled = "<rect width='10' height='10' fill='url(#a)'/>"

private let references: [Feature] = [
  Feature(
    "a clip path inherits from where it stands",
    "<g clip-rule='evenodd'><clipPath id='a'><path d='M0 0h9v9h-9zM2 2h5v5h-5z'/></clipPath></g>"
      + "<rect width='9' height='9' clip-path='url(#a)'/>",
    (1, 1, blackPixel), (4, 4, 0)),
  Feature(
    "a mask inherits from where it stands",
    "<g fill='#fff' fill-rule='evenodd'><mask id='a'><path d='M0 0h9v9h-9zM2 2h5v5h-5z'/></mask></g>"
      + "<rect width='9' height='9' mask='url(#a)'/>",
    (1, 1, blackPixel), (4, 4, 0)),
  Feature(
    "a mask that is masked",
    "<mask id='b'><rect width='4' height='9' fill='#fff'/></mask>"
      + "<mask id='a' mask='url(#b)'><rect width='9' height='4' fill='#fff'/></mask>"
      + "<rect width='9' height='9' mask='url(#a)'/>",
    (1, 1, blackPixel), (6, 1, 0), (1, 6, 0)),
  Feature(
    "the colour of a stop is that of its gradient",
    "<linearGradient id='a' color='red'><stop stop-color='currentColor'/></linearGradient>"
      + "<g color='blue'>\(filled)</g>", (1, 1, redPixel)),
  Feature(
    "a stop inherits from its gradient",
    "<linearGradient id='a' stop-color='red'><stop stop-color='inherit'/></linearGradient>\(filled)",
    (1, 1, redPixel)),
  Feature(
    "two stops at the start",
    "<linearGradient id='a' x1='.5'><stop stop-color='#000'/><stop stop-color='red'/>"
      + "<stop offset='1' stop-color='red'/></linearGradient>\(filled)",
    (1, 1, blackPixel), (7, 1, redPixel)),
  Feature(
    "a pattern's place",
    "<pattern id='a' patternUnits='userSpaceOnUse' x='2' y='3' width='4' height='4'>"
      + "<rect width='2' height='2' fill='red'/></pattern>\(filled)",
    (2, 3, redPixel), (0, 3, 0), (2, 1, 0), (6, 7, redPixel)),
  Feature(
    "a clip path in parts of the shape is moved in units of the page",
    "<clipPath id='a' clipPathUnits='objectBoundingBox' transform='translate(4 0)'>"
      + "<rect width='.5' height='1'/></clipPath><rect width='8' height='8' clip-path='url(#a)'/>",
    (1, 1, 0), (5, 1, blackPixel)),
  Feature(
    "href outweighs the older name",
    "<rect id='x' width='2' height='2' fill='blue'/><rect id='y' width='2' height='2' fill='red'/>"
      + "<use xlink:href='#x' href='#y' x='5'/>", (5, 1, redPixel)),
  Feature(
    "hidden shapes count in the box of a clip",
    "<clipPath id='a' clipPathUnits='objectBoundingBox'><rect width='.5' height='1'/></clipPath>"
      + "<g clip-path='url(#a)'><rect width='4' height='4'/>"
      + "<rect width='10' height='10' visibility='hidden'/></g>", (3, 1, blackPixel)),
  Feature(
    "transparent shapes count in the box of a clip",
    "<clipPath id='a' clipPathUnits='objectBoundingBox'><rect width='.5' height='1'/></clipPath>"
      + "<g clip-path='url(#a)'><rect width='4' height='4'/>"
      + "<rect width='10' height='10' opacity='0'/></g>", (3, 1, blackPixel)),
  Feature(
    "a shape without a box has the other paint",
    "<linearGradient id='a'>\(ramp)</linearGradient><path d='M0 5h10' stroke='url(#a) red'/>",
    (5, 4, 0x8080_0000)),
  Feature(
    "a circle that is also the start",
    "<radialGradient id='a' fr='.5'>\(ramp)</radialGradient>\(filled)",
    (5, 5, blackPixel), (0, 0, redPixel)),
  Feature(
    "geometry of gradients of the other kind does not count",
    "<linearGradient id='b' cx='9' spreadMethod='pad'/>"
      + "<radialGradient id='a' href='#b'>\(ramp)</radialGradient>\(filled)", (0, 0, redPixel)),
]

private let spaces: [Feature] = [
  Feature(
    "transform-origin",
    "<rect x='4' y='4' width='2' height='2' transform='scale(3)' transform-origin='5 5'/>",
    (3, 3, blackPixel), (6, 6, blackPixel), (1, 1, 0)),
  Feature(
    "transform-origin by words",
    "<rect width='2' height='2' transform='rotate(180)' transform-origin='center'/>",
    (9, 9, blackPixel), (1, 1, 0)),
  Feature(
    "transform of a style",
    "<rect width='2' height='2' style='transform: translate(4px, 0)' transform='scale(9)'/>",
    (5, 1, blackPixel), (1, 1, 0), (5, 5, 0)),
  Feature(
    "turns of a style",
    "<style>rect{transform:rotate(.5turn);transform-origin:5px 5px}</style><rect width='2' height='2'/>",
    (9, 9, blackPixel), (1, 1, 0)),
  Feature(
    "edges that are not smoothed",
    "<rect x='1.2' width='4' height='4' shape-rendering='crispEdges'/>",
    (1, 1, blackPixel), (5, 1, 0)),
  Feature(
    "handles that are nearly at the ends",
    "<path d='M1 5C1.0001 5.0001 9 5 9.0001 5.0001' stroke='#000' stroke-width='4'/>",
    (1, 3, blackPixel), (1, 6, blackPixel), (8, 3, blackPixel), (0, 5, 0)),
  Feature(
    "a value with a unit that it cannot have",
    "<rect width='9' height='9' fill='red' opacity='.1mm'/>", (1, 1, redPixel)),
  Feature(
    "a radius below zero is as the other",
    "<ellipse cx='5' cy='5' rx='-3' ry='4'/>", (2, 5, blackPixel)),
  Feature(
    "a style sheet of another language",
    "<style type='text/x'>rect{fill:red}</style><rect width='9' height='9'/>", (1, 1, blackPixel)),
  Feature(
    "another language", "<rect width='9' height='9' systemLanguage='fr'/>", (1, 1, 0)),
  Feature(
    "a namespace for a part",
    "<s:g xmlns='http://example.org/' xmlns:s='http://www.w3.org/2000/svg'>"
      + "<s:rect width='4' height='4'/><rect width='9' height='9'/></s:g>",
    (1, 1, blackPixel), (6, 6, 0)),
  Feature(
    "the order of paints",
    "<rect x='2' y='2' width='6' height='6' fill='red' stroke='#000'"
      + " stroke-width='4' paint-order='markers stroke'/>", (2, 5, redPixel), (1, 5, blackPixel)),
]

@Suite struct SVGStandardTests {
  @Test(arguments: references + spaces)
  func isDrawn(_ feature: Feature) throws {
    let picture = try svg(feature.body)
    for (x, y, color) in feature.pixels {
      let found = picture.pixel(x, y)
      #expect(found == color, "(\(x), \(y)) is \(String(found, radix: 16))")
    }
  }

  private func features(_ body: String, attributes: String = "") throws -> [UnsupportedFeature] {
    let text =
      "<svg xmlns='http://www.w3.org/2000/svg' width='10' height='10' \(attributes)>\(body)</svg>"
    return try SVG.read(Array(text.utf8)).unsupported
  }

  @Test(arguments: [
    ("<rect width='9' height='9' fill='context-fill'/>", UnsupportedFeature.contextPaint),
    ("<rect width='9' height='9' style='fill: var(--a)'/>", .variable),
    ("<rect width='9' height='9' fill='oklch(40% .2 20)'/>", .colorFunction),
    ("<rect width='9' height='9' fill='color(display-p3 1 0 0)'/>", .colorFunction),
    ("<rect width='9' height='9' fill='red icc-color(a, 1)'/>", .colorFunction),
    ("<rect width='9' height='9' style='clip-path: circle(4px)'/>", .clipShape),
    ("<path d='M0 0h9' stroke='red' stroke-linejoin='miter-clip'/>", .propertyValue),
    ("<path d='M0 0h9' stroke='red' stroke-dasharray='1 x'/>", .propertyValue),
    ("<path d='M0 0h9' stroke='red' stroke-dasharray='1' pathLength='-1'/>", .propertyValue),
    ("<rect width='calc(1px + 2px)' height='9'/>", .propertyValue),
    ("<rect width='1ch' height='9'/>", .rareUnit),
    ("<path style='d: path(\"M0 0h9v9z\")'/>", .styledGeometry),
    ("<rect width='9' height='9' transform='turn(9)'/>", .propertyValue),
    ("<mask id='a' mask-type='alpha'/><rect width='9' height='9' mask='url(#a)'/>", .maskType),
    ("<g id='a'><use href='#a'/></g>", .recursion),
    (
      "<mask id='a'><rect width='9' height='9' mask='url(#a)'/></mask><rect width='9' height='9' mask='url(#a)'/>",
      .recursion
    ),
    (
      "<clipPath id='a' clip-path='url(#a)'/><rect width='9' height='9' clip-path='url(#a)'/>",
      .recursion
    ),
    (
      "<pattern id='a' width='1' height='1'><rect width='9' height='9' fill='url(#a)'/></pattern><rect width='9' height='9' fill='url(#a)'/>",
      .recursion
    ),
  ])
  func isNamed(_ body: String, _ feature: UnsupportedFeature) throws {
    #expect(try features(body) == [feature])
  }

  @Test func unsupportedFeaturesOfTheRootAreNamed() throws {
    #expect(try features("<rect/>", attributes: "filter='url(#a)'") == [.filter])
    #expect(try features("<rect/>", attributes: "style='background: red'") == [.background])
    // The marker does not exist, so that no program draws it.
    #expect(try features("<path marker-end='url(#m)' d='M0 0h1'/>").isEmpty)
    #expect(
      try features("<rect width='9' height='9' fill='' stroke='inherit' color='unset'/>").isEmpty)
  }

  /// Old versions of Illustrator declare the namespaces as entities.
  @Test func theNamespaceCanBeAnEntity() throws {
    let text =
      "<!DOCTYPE svg [<!ENTITY ns_svg \"http://www.w3.org/2000/svg\">]>"
      + "<svg xmlns='&ns_svg;' width='9' height='9'><rect width='9' height='9'/></svg>"
    #expect(try Picture(SVG.read(Array(text.utf8))).pixel(4, 4) == blackPixel)
  }

  @Test func entitiesWithMarkupAreNamed() throws {
    let text =
      "<!DOCTYPE svg [<!ENTITY a \"<rect width='9' height='9'/>\">]>"
      + "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>&a;</svg>"
    #expect(try SVG.read(Array(text.utf8)).unsupported == [.entity])
  }

  @Test func packedFilesAreRead() throws {
    let text = Array(
      "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='9' height='9'/></svg>"
        .utf8)
    let packed = gzip(text)
    #expect(try Picture(SVG.read(packed)).pixel(4, 4) == blackPixel)
    // So few bytes cannot expand to the size that the last four bytes state.
    let tooMuch = packed.dropLast(4) + [0, 0, 0, 1]
    #expect(throws: VectorError.self) { try SVG.read(Array(tooMuch)) }
    #expect(throws: VectorError.self) { try SVG.read(Array(packed.dropLast(9)) + [9, 0, 0, 0]) }
  }

  /// Returns a gzip file with one stored block.
  private func gzip(_ text: [UInt8]) -> [UInt8] {
    func little(_ value: UInt32) -> [UInt8] {
      [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
    }
    let count = UInt32(text.count)
    let check = text.withUnsafeBytes { Checksum.crc32($0) }
    return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1] + little(count).prefix(2)
      + little(~count).prefix(2) + text + little(check) + little(count)
  }
}
