// SVGs that are written anew for archives: what is left out, what stays, and which files stay as
// they are.

import Bytes
import Testing

@testable import Vectors

@Suite struct RewrittenSVGTests {
  private static let head = #"<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8">"#

  private func rewritten(_ text: String) -> String? {
    SVGRewriter.rewritten(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: [
    (
      "<!-- a --><rect width=\"4\"\n  height='4' /> <g>\n</g>", #"<rect width="4" height='4'/><g/>"#
    ),
    ("<title>A</title><desc>B</desc><metadata><a/></metadata>", ""),
    (
      #"<g id="Page-1" class="a" data-name="b" role="img"><path d="M0 0"/></g>"#,
      #"<g><path d="M0 0"/></g>"#
    ),
    (
      ##"<defs><path id="a"/><path id="b" d="M0 0h4v4z"/></defs><use href="#b"/>"##,
      ##"<defs><path id="b" d="M0 0h4v4z"/></defs><use href="#b"/>"##
    ),
    (##"<defs><path id="a"/></defs><clipPath id="c"><use href="#a"/></clipPath>"##, ""),
    (
      ##"<linearGradient id="a"/><linearGradient id="b" href="#a"/><rect fill="url(#b)"/>"##,
      ##"<linearGradient id="a"/><linearGradient id="b" href="#a"/><rect fill="url(#b)"/>"##
    ),
    (
      "<style>#a{fill:red}</style><rect id=\"a\"/><rect id=\"b\"/>",
      "<style>#a{fill:red}</style><rect id=\"a\"/><rect/>"
    ),
    (
      "<style> .a + .b { } </style><title/><rect id=\"a\"/>",
      "<style> .a + .b { } </style><title/><rect id=\"a\"/>"
    ),
    ("<text> a <tspan> b </tspan></text>", "<text> a <tspan> b </tspan></text>"),
    (
      #"<g xmlns:i="urn:i" i:label="x"><i:view a="b"><rect/></i:view><rect width="1"/></g>"#,
      #"<g><rect width="1"/></g>"#
    ),
    (
      ##"<g xmlns:xlink="http://www.w3.org/1999/xlink"><path id="a"/><use xlink:href="#a"/></g>"##,
      ##"<g xmlns:xlink="http://www.w3.org/1999/xlink"><path id="a"/><use xlink:href="#a"/></g>"##
    ),
    (
      "<style><![CDATA[ .a{} ]]></style><rect class=\"a\"/>",
      "<style><![CDATA[ .a{} ]]></style><rect class=\"a\"/>"
    ),
  ])
  func leavesOutWhatIsNotDrawn(source: String, expected: String) throws {
    let before = Self.head + source + "</svg>"
    let written = try #require(rewritten(before))
    #expect(
      written == (expected.isEmpty ? Self.head.dropLast() + "/>" : Self.head + expected + "</svg>"))
    let (one, two) = (try SVG.read(Array(before.utf8)), try SVG.read(Array(written.utf8)))
    #expect(one.shows(sameAs: two, Budget(input: before.utf8.count)))
  }

  /// Other readers find elements in these ways.
  @Test(arguments: [
    ##"<linearGradient id="a b"/><rect fill="url('#a b')"/>"##,
    ##"<linearGradient id="a,b"/><rect/>"##,
    ##"<linearGradient id="f"/><text filter="url(&#35;f)">a</text>"##,
    ##"<linearGradient id="&#102;"/><rect fill="url(#f)"/>"##,
    "<defs><g><style>text{fill:red}</style></g></defs><text>a</text>",
    "<metadata><style>text{fill:red}</style></metadata><text>a</text>",
    "<style>text:FIRST-CHILD{fill:red}</style><title>t</title><text>a</text>",
    "<style>@IMPORT 'a.css'</style><title>t</title><text>a</text>",
    "<style>rect:empty{fill:red}</style><rect> </rect>",
    "<switch><symbol/><rect/></switch>", "<switch><defs/><rect/></switch>",
    "<text> <title>u</title> b</text>",
    ##"<title id="t">u</title><text><tref href="#t"/></text>"##,
  ])
  func keepsWhatOtherReadersFind(source: String) throws {
    let before = Self.head + source + "</svg>"
    #expect(try #require(rewritten(before)) == before)
  }

  @Test func theFirstDeclarationOfAnEntityCounts() throws {
    let type =
      #"<!DOCTYPE svg [ <!ENTITY n "http://www.w3.org/2000/svg"> <!ENTITY n "urn:other"> ]>"#
    let source = type + #"<svg xmlns="&n;" width="8" height="8"><rect/></svg>"#
    #expect(rewritten(source) == Self.head + "<rect/></svg>")
    let quoted = #"<!DOCTYPE svg [ <!ENTITY m "a'b"> ]>"#
    #expect(rewritten(quoted + #"<svg xmlns:x="&m;" width="8"/>"#) == nil)
  }

  @Test func leavesOutTheProlog() throws {
    let prolog = """
      <?xml version="1.0" encoding="utf-8"?>
      <!-- Generator --><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/svg11.dtd">
      """
    #expect(rewritten(prolog + Self.head + "</svg>\n") == Self.head.dropLast() + "/>")
  }

  @Test func keepsEntitiesThatAreUsed() throws {
    let type = #"<!DOCTYPE svg [ <!ENTITY ns "http://www.w3.org/2000/svg"> <!ENTITY f "red"> ]>"#
    let used = type + #"<svg xmlns="&ns;" width="8" height="8"><rect fill="&f;"/></svg>"#
    #expect(rewritten(used) == type + Self.head + #"<rect fill="&f;"/></svg>"#)
    let unused = type + #"<svg xmlns="&ns;" width="8" height="8"><rect/></svg>"#
    #expect(rewritten(unused) == Self.head + "<rect/></svg>")
  }

  @Test(arguments: [
    "<?xml-stylesheet href=\"a.css\"?><svg/>", "<?xml version=\"1.0\" encoding=\"latin1\"?><svg/>",
    "<svg><a></svg>", "<svg/><svg/>", "<svg a=b/>", "<svg a=\"1\"b=\"2\"/>", "<svg>", "",
    "<!DOCTYPE a [<!ELEMENT a>]><svg/>",
    "<svg xmlns:a=\"1\"><g xmlns:a=\"2\"/></svg>", "\u{1F}\u{8B}", "<a/>",
  ])
  func leavesUnusualFilesAsTheyAre(source: String) {
    #expect(rewritten(source) == nil)
  }

  @Test func keepsElementsOfAnimations() throws {
    let text = Self.head + ##"<rect id="a"/><set href="#a"/><title>A</title></svg>"##
    #expect(rewritten(text) == text)
  }
}
