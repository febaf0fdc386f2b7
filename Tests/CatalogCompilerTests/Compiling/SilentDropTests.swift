// A diagnostic reports everything in a catalogue that is left out of the archive, and no diagnostic
// is wrong.

import Archive
import CatalogModel
import Support
import Testing
import Traits

@testable import CatalogCompiler
@testable import Host

@Suite struct SilentDropTests {
  private func sources(_ set: String, _ json: String, files: [String], side: Int = 12)
    -> SampleSources
  {
    var sources = SampleSources()
    sources.add("\(set)/Contents.json", json)
    for (number, file) in files.enumerated() {
      sources.files["A.xcassets/\(set)/\(file)"] = .bytes(
        png(width: side, height: side, red: UInt8(number)))
    }
    return sources
  }

  @Test(arguments: [KeySemantics.phone, .mac, KeySemantics(rawValue: 4)])
  func theCheckOfAppearancesAgreesWithTheirNumbers(semantics: KeySemantics) {
    let numbers = VariantNumbers(appearances: [], semantics: semantics)
    for style in Style.allCases {
      for contrast in Contrast.allCases {
        var key = VariantKey()
        (key.style, key.contrast) = (style, contrast)
        let archived = numbers.key(part: Part.regular, identifier: 1, variant: key)
        #expect((archived != nil) == key.hasArchivedAppearance, "\(style) \(contrast)")
      }
    }
  }

  @Test func tintedAndHighContrastAtOnceIsSaidToBeLeftOut() throws {
    let both = """
      "appearances":[{"appearance":"luminosity","value":"tinted"},
      {"appearance":"contrast","value":"high"}]
      """
    let image = sources(
      "Star.imageset", #"{"images":[{"filename":"a.png"},{"filename":"b.png",\#(both)}]}"#,
      files: ["a.png", "b.png"])
    let color = #"{"color":{"components":{"red":"1.0","green":"0.0","blue":"0.0","alpha":"1.0"}}"#
    var colors = SampleSources()
    colors.add("Red.colorset/Contents.json", #"{"colors":[\#(color)},\#(color),\#(both)}]}"#)
    for sample in [image, colors] {
      let (report, bytes) = try sample.compiled()
      let found = report.diagnostics.filter { $0.code == .unsupportedAppearance }
      #expect(found.map(\.severity) == [.warning], "\(report.diagnostics)")
      #expect(found.allSatisfy { $0.message.contains("tinted") && $0.line != nil })
      #expect(try renditions(bytes).count == 1)
    }
  }

  private static let misfits: [(String, DiagnosticCode?)] = [
    (#""alignment-insets":{"top":6,"bottom":6}"#, .insetsExceedPicture),
    (#""alignment-insets":{"top":6,"bottom":5}"#, nil),
    (#""alignment-insets":{"left":70000}"#, .insetsExceedPicture),
    // Insets are rounded to whole pixels: 11 and 1 leave no pixel of 12, although 10.5 and 1 would.
    (#""alignment-insets":{"left":10.5,"right":1}"#, .insetsExceedPicture),
    (resizing("9-part", #""left":5,"right":5,"top":1,"bottom":1"#, #""width":2"#), nil),
    (
      resizing("9-part", #""left":5,"right":5,"top":1,"bottom":1"#, #""width":3"#),
      .capsExceedPicture
    ),
    (resizing("9-part", #""left":4.5,"right":4.5"#, #""width":3"#), .capsExceedPicture),
    (resizing("3-part-vertical", #""left":50,"right":5,"top":1"#, #""height":3"#), nil),
    (resizing("3-part-horizontal", #""left":-1"#, #""width":3"#), .capsExceedPicture),
  ]

  private static func resizing(_ mode: String, _ caps: String, _ center: String) -> String {
    #""resizing":{"mode":"\#(mode)","center":{"mode":"stretch",\#(center)},"cap-insets":{\#(caps)}}"#
  }

  @Test(arguments: misfits)
  func marginsThatDoNotFitAreReportedByBothCommandsAndLeftOut(json: String, code: DiagnosticCode?)
    throws
  {
    let sample = sources(
      "Star.imageset", #"{"images":[{"filename":"a.png",\#(json)}]}"#, files: ["a.png"])
    let codes: Set<DiagnosticCode> = [.insetsExceedPicture, .capsExceedPicture]
    let (report, bytes) = try sample.compiled()
    let compiled = report.diagnostics.filter { codes.contains($0.code) }
    #expect(compiled.map(\.code) == [code].compactMap { $0 }, "\(report.diagnostics)")
    let tree = FileTree.memory(sample.files)
    let linted = lint(readCatalogs([sample.root], in: tree), in: tree)
    #expect(linted.filter { codes.contains($0.code) } == compiled)
    try bytes.withUnsafeBytes { file in
      let archive = try Archive(file)
      let rendition = try archive.rendition(try #require(try archive.renditions().first))
      let metrics = try #require(try rendition.metrics().first)
      let isPlain =
        rendition.header.layout == .onePartScale && metrics == Metrics(width: 12, height: 12)
      #expect(isPlain == (code != nil), "\(rendition.header.layout) \(metrics)")
    }
  }

  /// A vector without a scale is in the slot of 1x.
  @Test func twoVectorsOfOneSlotAreNamed() throws {
    let vector = #"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>"#
    var sources = SampleSources()
    sources.add(
      "S.imageset/Contents.json",
      #"{"images":[{"filename":"a.svg"},{"filename":"b.svg","scale":"1x"},"#
        + #"{"filename":"c.svg","scale":"2x"}]}"#)
    for name in ["a", "b", "c"] { sources.add("S.imageset/\(name).svg", vector) }
    let report = try sources.compiled().report
    #expect(report.diagnostics.map(\.code) == [.duplicateSlot], "\(report.diagnostics)")
    #expect(report.isRefused)
  }

  /// The picture replaces the bitmap of the vector.
  @Test func aPictureMayReplaceTheBitmapOfAVector() throws {
    var sample = sources(
      "S.imageset", #"{"images":[{"filename":"a.svg"},{"filename":"a.png","scale":"1x"}]}"#,
      files: ["a.png"], side: 9)
    sample.add(
      "S.imageset/a.svg", #"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>"#)
    let report = try sample.compiled().report
    #expect(report.diagnostics.isEmpty, "\(report.diagnostics)")
  }

  /// An entry that shows nothing and a picture in one slot belong to one set.
  @Test func aPictureBesideAnEntryThatShowsNothingIsNamed() throws {
    let sample = sources(
      "S.imageset",
      #"{"images":[{"idiom":"universal","filename":"a.png"},"#
        + #"{"idiom":"universal","no-content":true}]}"#, files: ["a.png"], side: 8)
    let report = try sample.compiled().report
    let finding = try #require(report.diagnostics.first { $0.code == .duplicateSlot })
    #expect(finding.severity == .warning && finding.message.contains("two entries of \"S\""))
  }

  private func icons(_ entries: [String]) -> String {
    #"{"images":[\#(entries.joined(separator: ","))]}"#
  }

  @Test func aDoubledIconSlotIsSaidOnceAndTheFirstIsKept() throws {
    let slot = #""size":"60x60","scale":"2x","idiom":"iphone""#
    let sample = sources(
      "AppIcon.appiconset",
      icons([#"{\#(slot),"filename":"a.png"}"#, #"{\#(slot),"filename":"b.png"}"#]),
      files: ["a.png", "b.png"], side: 120)
    let (report, bytes) = try sample.compiled()
    #expect(report.diagnostics.map(\.code) == [.duplicateSlot], "\(report.diagnostics)")
    #expect(report.diagnostics.allSatisfy { $0.severity == .warning })
    let found = try renditions(bytes).filter { $0.key.part == Part.icon }
    #expect(found.map(\.header.name) == ["a.png"])
  }

  @Test func iconsOfOneWholeSizeAreNamed() throws {
    let sample = sources(
      "AppIcon.appiconset",
      icons([
        #"{"size":"83.5x83.5","scale":"2x","idiom":"ipad","filename":"a.png"}"#,
        #"{"size":"83x83","scale":"2x","idiom":"ipad","filename":"b.png"}"#,
      ]), files: ["a.png", "b.png"], side: 166)
    let (report, bytes) = try sample.compiled()
    let found = report.diagnostics.filter { $0.code == .duplicateSlot }
    #expect(found.map(\.severity) == [.warning], "\(report.diagnostics)")
    let message = found.first?.message ?? ""
    #expect(message.contains("\"b.png\" is left out") && message.contains("83×83"), "\(message)")
    #expect(!report.diagnostics.contains { $0.code == .nameClash })
    let names = try renditions(bytes).filter { $0.key.part == Part.icon }.map(\.header.name)
    #expect(names == ["a.png"])
  }

  @Test func anIconThatTwoSetsDefineIsSaidToBeSo() throws {
    var sample = sources(
      "AppIcon.appiconset",
      icons([#"{"size":"16x16","scale":"1x","idiom":"mac","filename":"a.png"}"#]),
      files: ["a.png"], side: 16)
    sample.files["A.xcassets/AppIcon.iconset/icon_16x16.png"] = .bytes(
      png(width: 16, height: 16, red: 9))
    let report = try sample.compiled { $0.target = CompileTarget(platform: .macOS) }.report
    let found = report.diagnostics.filter { $0.code == .nameClash }
    #expect(!found.isEmpty && found.allSatisfy { $0.message.contains("two sets have") })
  }
}
