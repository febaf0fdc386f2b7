// Tests gradients, patterns, clips, masks and style sheets of SVG.

import Testing

@testable import Vectors

private let blackPixel: UInt32 = 0xFF00_0000

private let gradients: [Feature] = [
  // From 0 to 255 over ten pixels: the centres are at 5 %, 15 %, ….
  Feature(
    "linear",
    "<linearGradient id='a'><stop stop-color='#000'/><stop offset='1' stop-color='#f00'/></linearGradient><rect width='10' height='10' fill='url(#a)'/>",
    (0, 5, 0xFF0D_0000), (4, 5, 0xFF73_0000), (9, 5, 0xFFF2_0000)),
  Feature(
    "in the units of the page",
    "<linearGradient id='a' gradientUnits='userSpaceOnUse' x1='0' x2='5'><stop stop-color='#000'/><stop offset='1' stop-color='#f00'/></linearGradient><rect width='10' height='10' fill='url(#a)'/>",
    (0, 5, 0xFF1A_0000), (6, 5, 0xFFFF_0000)),
  Feature(
    "transformed",
    "<linearGradient id='a' gradientTransform='rotate(90)'><stop stop-color='#000'/><stop offset='1' stop-color='#f00'/></linearGradient><rect width='10' height='10' fill='url(#a)'/>",
    (5, 0, 0xFF0D_0000), (5, 9, 0xFFF2_0000)),
  Feature(
    "reflected",
    "<linearGradient id='a' x2='40%' spreadMethod='reflect'><stop stop-color='#000'/><stop offset='1' stop-color='#f00'/></linearGradient><rect width='10' height='10' fill='url(#a)'/>",
    (0, 5, 0xFF20_0000), (7, 5, 0xFF20_0000)),
  Feature(
    "repeated",
    "<linearGradient id='a' x2='.5' spreadMethod='repeat'><stop stop-color='#000'/><stop offset='1' stop-color='#f00'/></linearGradient><rect width='10' height='10' fill='url(#a)'/>",
    (0, 5, 0xFF1A_0000), (5, 5, 0xFF1A_0000)),
  Feature(
    "stops of another",
    "<linearGradient id='b'><stop stop-color='#000'/><stop offset='100%' stop-color='#f00'/></linearGradient><linearGradient id='a' x2='0' y2='1' xlink:href='#b'/><rect width='10' height='10' fill='url(#a)'/>",
    (5, 0, 0xFF0D_0000), (5, 9, 0xFFF2_0000)),
  Feature(
    "opacity of stops",
    "<linearGradient id='a'><stop stop-color='red' stop-opacity='.2'/><stop offset='1' style='stop-color:red;stop-opacity:.2'/></linearGradient><rect width='10' height='10' fill='url(#a)'/>",
    (5, 5, 0x3333_0000)),
  Feature(
    "of one stop",
    "<linearGradient id='a'><stop stop-color='red'/></linearGradient><rect width='10' height='10' fill='url(#a)'/>",
    (5, 5, 0xFFFF_0000)),
  Feature(
    "a jump",
    "<linearGradient id='a'><stop offset='.5' stop-color='red'/><stop offset='.5' stop-color='blue'/></linearGradient><rect width='10' height='10' fill='url(#a)'/>",
    (4, 5, 0xFFFF_0000), (5, 5, 0xFF00_00FF)),
  Feature(
    "radial",
    "<radialGradient id='a'><stop stop-color='#000'/><stop offset='1' stop-color='#f00'/></radialGradient><rect width='10' height='10' fill='url(#a)'/>",
    (0, 0, 0xFFFF_0000), (4, 4, 0xFF24_0000), (9, 5, 0xFFE7_0000)),
  Feature(
    "a focus outside of the circle makes a cone, outside of which nothing is painted",
    "<radialGradient id='a' fx='1.2'><stop/><stop offset='1' stop-color='#f00'/></radialGradient><rect width='10' height='10' fill='url(#a)'/>",
    (2, 5, 0xFFFF_0000), (9, 0, 0)),
  Feature(
    "radial with a focus",
    "<radialGradient id='a' fx='.1'><stop stop-color='#fff'/><stop offset='1' stop-color='#f00'/></radialGradient><rect width='10' height='10' fill='url(#a)'/>",
    (9, 5, 0xFFFF_0D0D)),
  Feature(
    "of a stroke",
    "<linearGradient id='a' gradientUnits='userSpaceOnUse' x2='10'><stop stop-color='#000'/><stop offset='1' stop-color='#f00'/></linearGradient><path d='M0 5h10' stroke-width='4' stroke='url(#a)'/>",
    (0, 5, 0xFF0D_0000), (9, 5, 0xFFF2_0000)),
  Feature(
    "pattern",
    "<pattern id='a' width='4' height='4' patternUnits='userSpaceOnUse'><rect width='2' height='2' fill='red'/></pattern><rect width='10' height='10' fill='url(#a)'/>",
    (1, 1, 0xFFFF_0000), (2, 1, 0), (5, 5, 0xFFFF_0000), (8, 9, 0xFFFF_0000), (7, 7, 0)),
  Feature(
    "a pattern in parts of the shape",
    "<pattern id='a' width='.5' height='.5' patternContentUnits='objectBoundingBox'><rect width='.25' height='1' fill='red'/></pattern><rect width='8' height='8' fill='url(#a)'/>",
    (1, 1, 0xFFFF_0000), (2, 1, 0), (4, 1, 0xFFFF_0000), (6, 1, 0)),
  Feature(
    "a pattern of many small tiles",
    "<pattern id='a' width='.2' height='.2' patternUnits='userSpaceOnUse'><rect width='1' height='1' fill='red'/></pattern><rect width='10' height='10' fill='url(#a)'/>",
    (5, 5, 0xFFFF_0000)),
]

private let clips: [Feature] = [
  Feature(
    "clip path",
    "<clipPath id='a'><circle cx='5' cy='5' r='3'/></clipPath><rect width='10' height='10' clip-path='url(#a)'/>",
    (5, 5, blackPixel), (1, 1, 0)),
  Feature(
    "a clip path of two shapes",
    "<clipPath id='a'><rect width='2' height='9'/><rect x='6' width='2' height='9'/></clipPath><rect width='10' height='9' clip-path='url(#a)'/>",
    (1, 1, blackPixel), (4, 1, 0), (7, 1, blackPixel)),
  Feature(
    "in parts of the shape",
    "<clipPath id='a' clipPathUnits='objectBoundingBox'><rect width='.5' height='1'/></clipPath><rect x='2' width='8' height='9' clip-path='url(#a)'/>",
    (3, 1, blackPixel), (6, 1, 0), (1, 1, 0)),
  Feature(
    "the clip's rule",
    "<clipPath id='a'><path clip-rule='evenodd' d='M0 0h9v9h-9zM2 2h5v5h-5z'/></clipPath><rect width='9' height='9' clip-path='url(#a)'/>",
    (1, 1, blackPixel), (4, 4, 0)),
  Feature(
    "a clip path that is clipped",
    "<clipPath id='b'><rect width='9' height='4'/></clipPath><clipPath id='a' clip-path='url(#b)'><rect width='4' height='9'/></clipPath><rect width='9' height='9' clip-path='url(#a)'/>",
    (1, 1, blackPixel), (1, 6, 0), (6, 1, 0)),
  Feature(
    "a shape in a clip path that is clipped",
    "<clipPath id='b'><rect width='2' height='2'/></clipPath><clipPath id='a'><rect width='9' height='9' clip-path='url(#b)'/></clipPath><rect width='9' height='9' clip-path='url(#a)'/>",
    (1, 1, blackPixel), (3, 3, 0)),
  Feature(
    "use in a clip path",
    "<defs><rect id='r' width='2' height='2'/></defs><clipPath id='a'><use href='#r' x='4'/></clipPath><rect width='9' height='9' clip-path='url(#a)'/>",
    (5, 1, blackPixel), (1, 1, 0)),
  Feature(
    "use in a clip path that is clipped",
    "<defs><rect id='r' width='9' height='9'/></defs><clipPath id='b'><rect width='4' height='9'/></clipPath><clipPath id='a'><use href='#r' clip-path='url(#b)'/></clipPath><rect width='9' height='9' clip-path='url(#a)'/>",
    (1, 1, blackPixel), (6, 1, 0)),
  Feature(
    "a clip path in parts of the shape that is clipped",
    "<clipPath id='b'><rect width='4' height='9'/></clipPath><clipPath id='a' clipPathUnits='objectBoundingBox' clip-path='url(#b)'><rect width='1' height='1'/></clipPath><rect width='9' height='9' clip-path='url(#a)'/>",
    (1, 1, blackPixel), (6, 1, 0)),
  Feature(
    "a mask in parts of the shape that is clipped",
    "<clipPath id='b'><rect width='4' height='9'/></clipPath><mask id='a' maskContentUnits='objectBoundingBox' clip-path='url(#b)'><rect width='1' height='1' fill='white'/></mask><rect width='9' height='9' mask='url(#a)'/>",
    (1, 1, blackPixel), (6, 1, 0)),
  Feature(
    "an empty clip path", "<clipPath id='a'/><rect width='9' height='9' clip-path='url(#a)'/>",
    (5, 1, 0)),
  Feature(
    "a clip of a group that is drawn aside",
    "<clipPath id='a'><rect width='4' height='9'/></clipPath><g clip-path='url(#a)' opacity='.2'><rect width='9' height='9'/><rect width='9' height='9'/></g>",
    (1, 1, 0x3300_0000), (5, 5, 0)),
  // As in Apple's tool, masks use the luminance of sRGB values for any value of mask-type.
  Feature(
    "where a mask shows anything",
    "<mask id='a' maskUnits='userSpaceOnUse' x='0' y='0' width='3' height='10'><rect width='10' height='10' fill='#fff'/></mask><rect width='10' height='10' mask='url(#a)'/>",
    (2, 5, 0xFF00_0000), (4, 5, 0)),
  Feature(
    "mask",
    "<mask id='a' style='mask-type:alpha' maskUnits='userSpaceOnUse' x='0' y='0' width='10' height='10'><rect width='5' height='10' fill='#D9D9D9'/></mask><rect width='10' height='10' mask='url(#a)'/>",
    (1, 1, 0xD900_0000), (7, 7, 0)),
  Feature(
    "a mask's region",
    "<mask id='a' x='0' y='0' width='.5' height='1'><rect width='10' height='10' fill='white'/></mask><rect width='10' height='10' mask='url(#a)'/>",
    (1, 1, blackPixel), (7, 7, 0)),
  Feature(
    "a mask in parts of the shape",
    "<mask id='a' maskContentUnits='objectBoundingBox'><rect width='.5' height='1' fill='white'/></mask><rect x='2' width='8' height='10' mask='url(#a)'/>",
    (3, 1, blackPixel), (7, 7, 0)),
]

private let styles: [Feature] = [
  Feature(
    "class", "<style>.a{fill:red}</style><rect class='b a' width='9' height='9'/>",
    (1, 1, 0xFFFF_0000)),
  Feature(
    "element", "<style>rect{fill:red}</style><rect width='9' height='9'/>", (1, 1, 0xFFFF_0000)),
  Feature(
    "id", "<style>#x{fill:red}</style><rect id='x' width='9' height='9'/>", (1, 1, 0xFFFF_0000)),
  Feature("any", "<style>*{fill:red}</style><rect width='9' height='9'/>", (1, 1, 0xFFFF_0000)),
  Feature(
    "compound",
    "<style>rect.a.b{fill:red} circle.a{fill:blue}</style><rect class='a b' width='9' height='9'/><rect class='a' x='5' width='2' height='2'/>",
    (1, 1, 0xFFFF_0000), (5, 1, blackPixel)),
  Feature(
    "descendant",
    "<style>g .a{fill:red}</style><g><a><rect class='a' width='9' height='9'/></a></g><rect class='a' y='5' width='2' height='2'/>",
    (3, 1, 0xFFFF_0000), (1, 6, blackPixel)),
  Feature(
    "child", "<style>g>.a{fill:red}</style><g><a><rect class='a' width='9' height='9'/></a></g>",
    (1, 1, blackPixel)),
  Feature(
    "several selectors",
    "<style><![CDATA[.b, .a { fill : red ; }]]></style><rect class='a' width='9' height='9'/>",
    (1, 1, 0xFFFF_0000)),
  Feature(
    "a class outweighs an element",
    "<style>.a{fill:red}rect{fill:blue}</style><rect class='a' width='9' height='9'/>",
    (1, 1, 0xFFFF_0000)),
  Feature(
    "an id outweighs classes",
    "<style>#x{fill:red}.a.b.c{fill:blue}</style><rect id='x' class='a b c' width='9' height='9'/>",
    (1, 1, 0xFFFF_0000)),
  Feature(
    "the later of two",
    "<style>.a{fill:blue}.a{fill:red}</style><rect class='a' width='9' height='9'/>",
    (1, 1, 0xFFFF_0000)),
  Feature(
    "a rule outweighs an attribute",
    "<style>.a{fill:red}</style><rect class='a' fill='blue' width='9' height='9'/>",
    (1, 1, 0xFFFF_0000)),
  Feature(
    "a style attribute outweighs rules",
    "<style>#x{fill:blue}</style><rect id='x' style='fill:red' width='9' height='9'/>",
    (1, 1, 0xFFFF_0000)),
  Feature(
    "what is important outweighs all",
    "<style>rect{fill:red !important}</style><rect style='fill:blue' width='9' height='9'/>",
    (1, 1, 0xFFFF_0000)),
  Feature(
    "comments",
    "<style>/* .a{fill:blue} */ .a/**/{/*;*/fill:red}</style><rect class='a' width='9' height='9'/>",
    (1, 1, 0xFFFF_0000)),
  Feature(
    "rules of media are passed over",
    "<style>@media print{.a{fill:blue}} .a{fill:red}</style><rect class='a' width='9' height='9'/>",
    (1, 1, 0xFFFF_0000)),
  Feature(
    "a value that is none leaves what was",
    "<rect fill='red' style='fill:nonsense' width='9' height='9'/>",
    (1, 1, 0xFFFF_0000)),
]

@Suite struct SVGPaintTests {
  @Test(arguments: gradients + clips + styles)
  func isDrawn(_ feature: Feature) throws {
    let picture = try svg(feature.body)
    for (x, y, color) in feature.pixels {
      let found = picture.pixel(x, y)
      #expect(found == color, "(\(x), \(y)) is \(String(found, radix: 16))")
    }
  }
}
