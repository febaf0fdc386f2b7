// Compiled symbols: a rendition for each drawing of the template, with its metrics and its text,
// field by field.

import Archive

import CatalogModel
import Support
import Testing
import Traits

@testable import ArchiveTools
@testable import CatalogCompiler
@testable import Host

@Suite struct SymbolTests {
  /// The fields of one drawing in an archive.
  private struct Drawing {
    var key: RenditionKey
    var header: CSIHeader
    var metrics: GlyphMetrics
    var rendering: GlyphRendering
    var text: String
  }

  private func drawings(_ bytes: [UInt8]) throws -> [Drawing] {
    try bytes.withUnsafeBytes { file in
      let archive = try Archive(file)
      #expect(Archive.validate(file).isEmpty)
      return try archive.renditions().map { entry in
        let rendition = try archive.rendition(entry)
        var rendering = GlyphRendering(hasLayers: false)
        for property in try rendition.allProperties() {
          if case .glyphRendering(let found) = property { rendering = found }
        }
        return Drawing(
          key: entry.key, header: rendition.header,
          metrics: try #require(try rendition.glyphMetrics()), rendering: rendering,
          text: String(decoding: try rendition.fileContents(), as: UTF8.self))
      }
    }
  }

  private func compiled(
    _ template: String, _ platform: TargetPlatform = .iOS, entry: String = ""
  ) throws -> (report: CompileReport, drawings: [Drawing]) {
    var sources = SampleSources()
    sources.symbol("Sign", template, entry: entry)
    let (report, bytes) = try sources.compiled { $0.target = CompileTarget(platform: platform) }
    return (report, bytes.isEmpty ? [] : try drawings(bytes))
  }

  private var single: SymbolSample {
    var sample = SymbolSample()
    sample.drawings = [("Regular-M", SymbolSample.box(2, x: 300, width: 60))]
    sample.addMargin("left", x: 290)
    sample.addMargin("right", x: 364)
    return sample
  }

  @Test(arguments: [
    (TargetPlatform.iOS, 17.0, UInt32(7)), (.macOS, 13, 3), (.tvOS, 17, 7), (.watchOS, 17, 7),
  ])
  func aDrawingHasTheFieldsOfApplesTool(
    platform: TargetPlatform, points: Double, revision: UInt32
  ) throws {
    let (report, drawings) = try compiled(single.text, platform)
    #expect(report.diagnostics.filter { $0.severity != .note } == [])
    let drawing = try #require(drawings.first)
    #expect(drawings.count == 1 && report.nameCount == 1)
    let key: [(RenditionAttribute, UInt16)] = [
      (.scale, 1), (.glyphWeight, 4), (.glyphSize, 2), (.deploymentTarget, 5), (.element, 85),
      (.part, 59), (.idiom, 0), (.appearance, 0), (.direction, 0),
    ]
    for (attribute, value) in key {
      #expect(drawing.key[attribute] == value, "\(attribute.name)")
    }
    let header = drawing.header
    #expect(header.layout == .symbol && header.flags == .vector && header.scaleFactor == 100)
    #expect(header.width == 0 && header.height == 0 && header.pixelFormat == .svg)
    #expect(header.colorSpace == .unspecified && header.name == "Sign.svg")
    let scale = points / 100
    let metrics = drawing.metrics
    #expect(metrics.revision == revision && metrics.pointSize == UInt32(points))
    #expect(metrics.depth == Float(10 * scale) && metrics.capHeight == Float(70.5 * scale))
    #expect(metrics.leftMargin == Float(10 * scale) && metrics.rightMargin == Float(4 * scale))
    #expect(metrics.version == 2 && metrics.rasterSizes == [])
    #expect(metrics.leftInset == Float(0.068359375 * points))
    #expect(metrics.rightInset == metrics.leftInset)
    #expect(drawing.rendering == GlyphRendering(hasLayers: false))
  }

  @Test func theTextIsOneGroupInTheSizeOfText() throws {
    let text = try compiled(single.text).drawings.first?.text
    #expect(
      text == """
        <?xml version="1.0" encoding="UTF-8"?>
        <svg version="1.1" viewBox="0 0 10.2 13.6"><g id="s" transform="matrix(0.17 0 0 0.17 -51 -30.6)">\
        <path d="M300 180L360 180L360 260L300 260Z"/></g></svg>

        """)
  }

  @Test func theFacetSaysWhichSystemsKnowIt() throws {
    var sources = SampleSources()
    sources.symbol("Sign", single.text)
    let (_, bytes) = try sources.compiled()
    let facets = try bytes.withUnsafeBytes { try Archive($0).facets() }
    let pairs = facets.flatMap {
      $0.attributes.map { [$0.attribute.rawValue, UInt8($0.value & 255)] }
    }
    #expect(facets.map(\.name) == ["Sign"])
    #expect(pairs.map { $0[0] } == [1, 2, 17, 25])
    #expect(pairs[0][1] == 85 && pairs[1][1] == 59 && pairs[3][1] == 5)
  }

  @Test func everyDrawingOfATemplateIsKept() throws {
    var sample = SymbolSample()
    sample.drawings = Glyph.all.map { glyph in
      (
        "\("\(glyph.weight)".capitalized)-\(["S", "M", "L"][Int(glyph.size.rawValue) - 1])",
        SymbolSample.box(
          Int(glyph.size.rawValue), x: 100, width: 10 * Double(glyph.weight.rawValue))
      )
    }
    sample.addMargin("left", x: 95)
    sample.addMargin("right", x: 150)
    let drawings = try compiled(sample.text).drawings
    let found = drawings.map { [$0.key[.glyphSize], $0.key[.glyphWeight]] }
    #expect(Set(found) == Set((1...3).flatMap { s in (1...9).map { [UInt16(s), UInt16($0)] } }))
    for drawing in drawings {
      // The margins are those of the regular drawing of medium size.
      #expect(drawing.metrics.leftMargin == Float(5 * 0.17))
      #expect(drawing.metrics.rightMargin == Float(10 * 0.17))
      #expect(drawing.text.contains("viewBox=\"0 0 \(brief(drawing.key[.glyphWeight])) 13.6\""))
    }
  }

  private func brief(_ weight: UInt16) -> String {
    let tenths = Int(weight) * 17
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  @Test func aVariableTemplateHasMarginsOfItsOwnForEachDrawing() throws {
    var sample = SymbolSample.variable()
    sample.drawings.append(("Medium-M", SymbolSample.box(2, x: 800, width: 50)))
    sample.guides += SymbolSample(guides: "M").guides
    sample.addMargin("left", "Medium-M", x: 799)
    sample.addMargin("right", "Medium-M", x: 852)
    let drawings = try compiled(sample.text).drawings
    #expect(drawings.count == 4)
    for drawing in drawings {
      let isMedium = drawing.key[.glyphSize] == 2
      #expect(drawing.metrics.version == 5)
      #expect(drawing.metrics.leftMargin == Float((isMedium ? 1 : 8) * 0.17))
      #expect(drawing.metrics.rightMargin == Float((isMedium ? 2 : 6) * 0.17))
      let inset = 0.068359375 * 17 * (isMedium ? 1.27604 : 1)
      #expect(drawing.metrics.leftInset == Float(inset))
    }
  }

  @Test func layersAreKept() throws {
    var sample = single
    sample.style = """
      .hierarchical-1:secondary{-sfsymbols-motion-group:1;}
      .monochrome-1 {-sfsymbols-clear-behind:true;} .other{fill:red}
      """
    sample.drawings = [
      (
        "Regular-M",
        SymbolSample.box(
          2, x: 300, width: 60,
          attributes: #"class="monochrome-0 multicolor-0:systemRedColor hierarchical-0:primary""#)
          + SymbolSample.box(
            2, x: 320, width: 20, height: 20,
            attributes:
              #"class="monochrome-1 multicolor-1:tintColor hierarchical-1:secondary other""#)
      )
    ]
    let drawing = try #require(try compiled(sample.text).drawings.first)
    #expect(drawing.rendering == GlyphRendering(hasLayers: true))
    let start =
      "<defs><style>.hierarchical-1:secondary{-sfsymbols-motion-group:1;}"
      + ".monochrome-1{-sfsymbols-clear-behind:true;}</style></defs><g id=\"s\""
    #expect(drawing.text.contains(start))
    #expect(
      drawing.text.contains(
        #"<path class="monochrome-0 multicolor-0:systemRedColor hierarchical-0:primary" d="M300"#))
    #expect(!drawing.text.contains("other"))
  }

  @Test func appearancesAndDirectionsAreFiledAsPicturesAre() throws {
    let (report, drawings) = try compiled(
      single.text, entry: #","appearances":[{"appearance":"luminosity","value":"dark"}]"#)
    #expect(drawings.map { $0.key[.appearance] } == [1])
    #expect(report.diagnostics.map(\.code) == [.unprovenForm])
    let (_, mirrored) = try compiled(single.text, entry: #","language-direction":"right-to-left""#)
    #expect(mirrored.map { $0.key[.direction] } == [4])
  }

  @Test(arguments: [
    ("<svg", DiagnosticCode.brokenImage, true),
    ("<svg width='9' height='9'><path d='M0 0H9V9Z'/></svg>", .symbolDrawing, true),
    ("<svg width='9' height='9'><g id='Regular-M'/></svg>", .symbolDrawing, true),
    (
      "<svg width='9' height='9'><path id='Regular-M' d='M0 0H9V9Z'/></svg>", .symbolGuide,
      false
    ),
  ])
  func filesThatAreNoTemplatesAreReported(text: String, code: DiagnosticCode, isRefused: Bool)
    throws
  {
    let (report, _) = try compiled(text)
    #expect(report.isRefused == isRefused)
    let finding = try #require(report.diagnostics.first { $0.code == code })
    #expect(finding.file == "A.xcassets/Sign.symbolset/Contents.json")
    #expect(finding.pointer == "/symbols/0/filename" && finding.line == 1)
  }

  @Test func anImmenseTemplateIsNotRead() throws {
    var sources = SampleSources()
    sources.symbol("Sign", "")
    sources.files["A.xcassets/Sign.symbolset/Sign.svg"] = .sparse(size: 50 << 20)
    let report = try sources.compiled().report
    #expect(report.isRefused)
    #expect(
      report.diagnostics.map(\.message) == [
        "\"Sign.svg\" has 52428800 bytes; templates of more than 16 MiB are not read"
      ])
  }

  @Test func theReasonWhyDrawingsCannotBeMixedIsReported() throws {
    var sample = SymbolSample.variable()
    sample.drawings[2].body = "<path d=\"M600 30H640V60L680 80V110H600Z\"/>"
    sample.addMargin("left", "Light-S", x: -4)
    let report = try compiled(sample.text).report
    #expect(report.diagnostics.map(\.code) == [.symbolMargin, .symbolMasters])
    #expect(
      report.diagnostics.last?.message
        == "nothing can be drawn between \"Black-S\" and \"Regular-S\" of \"Sign.svg\": "
        + "one outline of 6 points and one outline of 4 points")
    #expect(report.diagnostics.first?.message.hasPrefix("\"left-margin-Light-S\"") == true)
  }
}

extension String {
  fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
