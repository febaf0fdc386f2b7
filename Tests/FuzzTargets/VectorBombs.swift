// Small vector files that demand much work or memory. Each is made by a few lines. The ordinary
// tests read and draw them, and benchmarks measure them.

/// A file that costs more than its size allows, or would do so with a simple reader.
public struct VectorBomb: Sendable {
  public enum Kind: Sendable { case svg, pdf }

  /// The result of reading and drawing the file.
  public enum Outcome: Sendable, Equatable {
    /// The file is drawn; it is cheap for a good reader.
    case drawn
    /// The file is malformed, which a reader finds out cheaply.
    case malformed
    /// The budget of work or of memory is exhausted while the file is read or drawn.
    case overWork, overMemory
  }

  public let name: String
  public let kind: Kind
  public let outcome: Outcome
  public let bytes: [UInt8]

  init(_ name: String, _ kind: Kind, _ outcome: Outcome, _ text: String) {
    self.init(name, kind, outcome, Array(text.utf8))
  }

  init(_ name: String, _ kind: Kind, _ outcome: Outcome, _ bytes: [UInt8]) {
    self.name = name
    self.kind = kind
    self.outcome = outcome
    self.bytes = bytes
  }
}

extension VectorBomb {
  public static var vectors: [VectorBomb] { svgs + pdfs }

  private static func times(_ count: Int, _ text: String) -> String {
    String(repeating: text, count: count)
  }

  // MARK: SVG

  private static func svg(_ body: String) -> String {
    "<svg xmlns='http://www.w3.org/2000/svg' width='100' height='100'>\(body)</svg>"
  }

  private static var svgs: [VectorBomb] {
    let groups = times(150, "<g>") + "<rect width='9' height='9'/>" + times(150, "</g>")
    let steep = (0..<400).map { "C\($0)999999 -\($0)888888 -9999999 9999999 \($0) \($0)" }.joined()
    let names = (0..<5_000).map { ".a\($0){fill:red}" }.joined()
    let shapes = (0..<5_000).map { "<rect class='a\($0)'/>" }.joined()
    let stops = times(2_000, "<stop offset='.5'/>")
    let uses = (0..<12).map { level in
      "<g id='a\(level)'>\(times(10, "<use href='#a\(level + 1)'/>"))</g>"
    }
    return [
      VectorBomb(
        "selectors with child and descendant", .svg, .drawn,
        svg("<style>q > \(times(16, "g > g ")) rect{fill:red}</style>\(groups)")),
      VectorBomb("rules by class", .svg, .drawn, svg("<style>\(names)</style>\(shapes)")),
      VectorBomb(
        "rules that all fit", .svg, .overWork,
        svg("<style>\(times(4_000, ".a{fill:red}"))</style>\(times(4_000, "<rect class='a'/>"))")),
      VectorBomb(
        "stops for every shape", .svg, .overWork,
        svg(
          "<linearGradient id='a'>\(stops)</linearGradient>"
            + times(3_000, "<path d='M0 0h9v9' fill='url(#a)'/>"))),
      VectorBomb(
        "use of an element with many properties", .svg, .overWork,
        svg(
          "<rect id='a' style='\(times(8_000, "fill:red;"))'/>\(times(4_000, "<use href='#a'/>"))")
      ),
      VectorBomb(
        "use in use", .svg, .overMemory,
        svg(uses.joined() + "<rect id='a12' width='9' height='9'/>")),
      VectorBomb(
        "a long entity as an address of namespaces", .svg, .drawn,
        "<!DOCTYPE svg [<!ENTITY e '\(times(40_000, "abcdefghij"))'>]>"
          + svg(times(15_000, "<g xmlns:q='&e;' q:a='1'/>"))),
      VectorBomb(
        "finest dashes", .svg, .drawn,
        svg(
          "<g stroke='red' stroke-dasharray='.003'>\(times(5_000, "<path d='M0 0h100'/>"))</g>")),
      VectorBomb(
        "fine dashes on curves", .svg, .overWork,
        svg(
          "<g fill='none' stroke='red' stroke-dasharray='.08' stroke-linecap='round'>"
            + times(4_000, "<path d='M0 0Q50 90 100 0' stroke-width='3'/>") + "</g>")),
      VectorBomb(
        "huge curves", .svg, .overMemory,
        svg("<path fill='none' stroke='red' stroke-width='5' d='M0 0\(steep)'/>")),
      VectorBomb(
        "groups over the page", .svg, .overWork,
        svg(times(30_000, "<g opacity='.5'><path d='M0 0h99v99z'/><path d='M0 0h9v9z'/></g>"))),
      VectorBomb(
        "entities in entities", .svg, .overMemory,
        "<!DOCTYPE svg [<!ENTITY a '\(times(5_000, "x"))'><!ENTITY b '\(times(1_000, "&a;"))'>"
          + "<!ENTITY c '\(times(100, "&b;"))'>]>" + svg("<g id='&c;'/>")),
    ]
  }

  // MARK: PDF

  /// Returns a PDF file without cross-references, of one page with this content and these
  /// resources. The numbers of further objects begin at 5.
  private static func pdf(_ content: String, _ resources: String = "", _ objects: [String] = [])
    -> [UInt8]
  {
    var text = "%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
    text += "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
    text += "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Contents 4 0 R"
    text += "/Resources<<\(resources)>>>>endobj\n"
    text += "4 0 obj<</Length \(content.utf8.count)>>stream\n\(content)\nendstream endobj\n"
    for (index, object) in objects.enumerated() { text += "\(index + 5) 0 obj\(object)endobj\n" }
    return Array((text + "trailer<</Root 1 0 R>>").utf8)
  }

  /// Returns a stream that decodes to `count` zeros.
  private static func zeros(_ entries: String, _ count: Int) -> [UInt8] {
    let data = Array(repeatElement([129, 0] as [UInt8], count: count / 128).joined()) + [128]
    return Array("<</Filter/RunLengthDecode/Length \(data.count)\(entries)>>stream\n".utf8) + data
      + Array("\nendstream endobj\n".utf8)
  }

  /// Cross-reference streams, each of which names the one before it.
  private static var crossReferences: [UInt8] {
    var file = Array("%PDF-1.5\n".utf8)
    var last: Int?
    for number in 1...60 {
      let place = file.count
      let previous = last.map { "/Prev \($0)" } ?? ""
      file += Array("\(number) 0 obj".utf8)
      file += zeros("/Type/XRef/W[1 2 1]/Size 900000\(previous)", 1_000_000)
      last = place
    }
    return file + Array("startxref\n\(last ?? 0)\n%%EOF".utf8)
  }

  // MARK: Fonts

  private static func bytes(_ numbers: [(value: Int, size: Int)]) -> [UInt8] {
    numbers.flatMap { number in
      (0..<number.size).reversed().map { UInt8(truncatingIfNeeded: number.value >> (8 * $0)) }
    }
  }

  /// Returns a TrueType font. Glyph 1 has `parts` times glyph 2, whose points all lie in one place;
  /// the contours of glyph 2 end at these points.
  private static func font(parts: Int, ends: [Int], _ others: [String: [UInt8]] = [:]) -> [UInt8] {
    let points = (ends.last ?? 0) + 1
    let header = bytes([(ends.count, 2), (0, 8)] + ends.map { ($0, 2) } + [(0, 2)])
    var simple = header + [UInt8](repeatElement([0x38, 255], count: points / 256 + 1).joined())
    simple += [UInt8](repeating: 0, count: simple.count % 2)
    let part = bytes([(0x22, 2), (2, 2), (0, 1), (0, 1)])
    let composite = bytes([(-1, 2), (0, 8)]) + repeatElement(part, count: parts).joined()
    let ends = [0, 0, composite.count, composite.count + simple.count]
    var tables = others
    tables["head"] = bytes([(0, 12), (0x5F0F_3CF5, 4), (0, 2), (1000, 2), (0, 30), (1, 2), (0, 2)])
    tables["maxp"] = bytes([(0x1_0000, 4), (3, 2)])
    tables["loca"] = bytes(ends.map { ($0, 4) })
    tables["glyf"] = composite + simple
    var directory = bytes([(0x1_0000, 4), (tables.count, 2), (0, 6)])
    var data: [UInt8] = []
    for (name, table) in tables.sorted(by: { $0.key < $1.key }) {
      directory += Array(name.utf8)
      directory += bytes([(0, 4), (12 + 16 * tables.count + data.count, 4), (table.count, 4)])
      data += table
    }
    return directory + data
  }

  /// Returns a file that shows codes of many fonts with one font program.
  private static func fonts(_ count: Int, _ program: [UInt8], show codes: String) -> [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    let text = String(
      decoding: program.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    return pdf(
      "BT " + (0..<count).map { "/F\($0) 10 Tf <\(codes)> Tj " }.joined() + "ET",
      "/Font<<\((0..<count).map { "/F\($0) \($0 + 7) 0 R" }.joined())>>",
      [
        "<</Length \(text.utf8.count + 1)/Filter/ASCIIHexDecode>>stream\n\(text)>\nendstream ",
        "<</Type/FontDescriptor/Flags 4/FontFile2 5 0 R>>",
      ] + (0..<count).map { _ in "<</Type/Font/Subtype/TrueType/FontDescriptor 6 0 R>>" })
  }

  /// The codes from 1 to 255.
  private static var allCodes: String {
    (1...255).map { code in
      let text = String(code, radix: 16)
      return text.utf8.count == 1 ? "0" + text : text
    }.joined()
  }

  private static var fontBombs: [VectorBomb] {
    // 32 maps of segments that are stated and not there.
    let map =
      bytes([(0, 2), (32, 2)])
      + (0..<32).flatMap { bytes([(0, 2), ($0, 2), (260, 4)]) }
      + bytes([(4, 2), (0, 4), (65_534, 2), (0, 16)])
    // Names without letters, of glyphs that are all named by the last one.
    let post =
      bytes([(0x2_0000, 4), (0, 28), (3, 2), (0, 6)]) + [UInt8](repeating: 0, count: 60_000)
    let names = "/Differences[1 \((1...255).map { "/n\($0)" }.joined())]"
    var named = String(
      decoding: fonts(100, font(parts: 1, ends: [9], ["post": post]), show: allCodes), as: UTF8.self
    )
    named = named.replacing(
      "/Subtype/TrueType/", with: "/Subtype/TrueType/Encoding<<\(names)>>/")
    // A map with a format for symbols, in which code 1 is glyph 1.
    let symbols =
      bytes([(0, 2), (1, 2), (1, 2), (0, 2), (12, 4)])
      + bytes([(6, 2), (12, 2), (0, 2), (1, 2), (1, 2), (1, 2)])
    return [
      VectorBomb(
        "a glyph of many points", .pdf, .overMemory,
        fonts(1, font(parts: 1000, ends: [65_534], ["cmap": symbols]), show: "01")),
      VectorBomb(
        "components of points that are not drawn", .pdf, .overWork,
        fonts(1, font(parts: 2000, ends: [5, 2, 65_534], ["cmap": symbols]), show: "01")),
      VectorBomb(
        "maps of characters without an end", .pdf, .drawn,
        fonts(60, font(parts: 1, ends: [9], ["cmap": map]), show: allCodes)),
      VectorBomb("names of glyphs without letters", .pdf, .drawn, named),
    ]
  }

  private static var pdfs: [VectorBomb] { fontBombs + contentBombs }

  private static var contentBombs: [VectorBomb] {
    let many = 4_096
    let stitched =
      "<</FunctionType 3/Domain[0 1]/Functions[\(times(many, "6 0 R "))]"
      + "/Bounds[\(times(many - 1, "0 "))]/Encode[\(times(many, "0 1 "))]>>"
    let shading = "<</ShadingType 2/ColorSpace/DeviceRGB/Coords[0 0 1 1]/Function 5 0 R>>"
    let power = "<</FunctionType 2/Domain[0 1]/N 2.2/C0[0 0 0]/C1[1 .5 0]>>"
    let numbers = "[\(times(12_000, "0 "))]"
    func calculated(_ program: String) -> [String] {
      [
        "<</ShadingType 1/ColorSpace/DeviceGray/Domain[0 100 0 100]/Function 6 0 R>>",
        "<</FunctionType 4/Domain[0 100 0 100]/Range[0 1]/Length \(program.utf8.count + 2)>>"
          + "stream\n{\(program)}\nendstream ",
      ]
    }
    let picture = "BI /W 1 /H 1 /CS/G/BPC 8 ID x EI "
    let inks =
      "[/Separation/X[/Lab<</WhitePoint[.95 1 1.08]>>]<</FunctionType 2/Domain[0 1]"
      + "/C0[0 0 0]/C1[90 50 -50]/N 1.7>>]"
    let wide =
      "<</FunctionType 2/Domain[0 1]/C0[\(times(64, " 0"))]/C1[\(times(64, " .5"))]/N 1.5>>"
    return [
      VectorBomb(
        "pictures of an ink", .pdf, .drawn,
        pdf(times(40_000, "BI/W 1/H 1/BPC 8/CS/S ID a EI "), "/ColorSpace<</S 5 0 R>>", [inks])),
      VectorBomb(
        "colours of many powers", .pdf, .overWork,
        pdf(
          "/C cs " + times(20_000, ".5 scn 0 0 1 1 re f "), "/ColorSpace<</C 5 0 R>>",
          ["[/Separation/X/DeviceRGB 7 0 R]", wide, "[\(times(64, "6 0 R "))]"])),
      VectorBomb(
        "blend modes over the page", .pdf, .overWork,
        pdf("/G gs " + times(6_000, "0 0 90 90 re f "), "/ExtGState<</G<</BM/Luminosity/ca .5>>>>")),
      VectorBomb(
        "names like trailers", .pdf, .malformed, "%PDF-1.4\n" + times(10_000, "/trailer<<")),
      VectorBomb(
        "trailers in trailers", .pdf, .malformed, "%PDF-1.4\n" + times(10_000, "trailer<<")),
      VectorBomb("objects in objects", .pdf, .malformed, "%PDF-1.4\n" + times(10_000, "1 0 obj<<")),
      VectorBomb("cross-reference streams", .pdf, .malformed, crossReferences),
      VectorBomb(
        "a function many times", .pdf, .drawn,
        pdf(
          "/S sh", "/Shading<</S 8 0 R>>",
          [stitched, "<</FunctionType 2/Domain[0 1]/N 1/C0 7 0 R/C1 7 0 R>>", "[0 0 0]", shading])),
      VectorBomb(
        "a function of too many results", .pdf, .overWork,
        pdf(
          "/S sh", "/Shading<</S 8 0 R>>",
          [stitched, "<</FunctionType 2/Domain[0 1]/N 1/C0 7 0 R/C1 7 0 R>>", numbers, shading])),
      VectorBomb(
        "a function of many sines", .pdf, .overWork,
        pdf("/S sh", "/Shading<</S 5 0 R>>", calculated(times(40_000, "sin ")))),
      VectorBomb(
        "a function that moves many numbers", .pdf, .overWork,
        pdf(
          "/S sh", "/Shading<</S 5 0 R>>",
          calculated(times(90, "1 ") + times(20_000, "90 1 roll ")))),
      VectorBomb(
        "many pictures of one pixel", .pdf, .overWork,
        pdf("90 0 0 90 0 0 cm " + times(40_000, picture))),
      VectorBomb(
        "a direct font", .pdf, .overMemory,
        pdf(
          times(2_000, "/F 1 Tf "), "/Font<</F <</Subtype/Type1/Widths 5 0 R>>>>",
          ["[\(times(30_000, "1 "))]"])),
      VectorBomb(
        "direct settings", .pdf, .overWork,
        pdf(times(10_000, "/G gs "), "/ExtGState<</G <<\(times(3_000, "/ca 1"))>>>>")),
      VectorBomb(
        "a direct colour space", .pdf, .overWork,
        pdf(times(60_000, "/C cs "), "/ColorSpace<</C [/Indexed/DeviceRGB 255 (a)]>>")),
      VectorBomb(
        "a direct shading", .pdf, .overMemory,
        pdf(
          times(90_000, "/S sh "),
          "/Shading<</S <</ShadingType 2/ColorSpace/DeviceRGB/Coords[0 0 1 1]/Function 5 0 R>>>>",
          [power])),
      VectorBomb(
        "a shading many times", .pdf, .overMemory,
        pdf(times(90_000, "/S sh "), "/Shading<</S 6 0 R>>", [power, shading])),
      VectorBomb(
        "widths of many fonts", .pdf, .overMemory,
        pdf(
          (0..<200).map { "/F\($0) 1 Tf " }.joined(),
          "/Font<<\((0..<200).map { "/F\($0) \($0 + 6) 0 R" }.joined())>>",
          ["[\(times(30_000, "1 "))]"]
            + Array(repeating: "<</Subtype/Type1/Widths 5 0 R>>", count: 200))),
      VectorBomb(
        "a picture without samples", .pdf, .overMemory,
        pdf(
          "/I Do", "/XObject<</I 5 0 R>>",
          [
            "<</Subtype/Image/Width 9000/Height 9000/BitsPerComponent 8/ColorSpace/DeviceRGB"
              + "/Length 1>>stream\n0\nendstream "
          ])),
      VectorBomb(
        "many keys", .pdf, .drawn,
        pdf(
          times(20_000, "/G4999 gs "),
          "/ExtGState<<\((0..<5_000).map { "/G\($0)<</ca 1>>" }.joined())>>")),
    ]
  }
}
