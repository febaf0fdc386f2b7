// The renditions of PDF and SVG files: the bitmaps, their sizes, flags and pixels, and the vector
// that is kept.

import Archive
import Bytes
import Codecs
import Imaging
import Support
import Testing
import Traits

import CarveRuntime

@testable import ArchiveTools
@testable import CatalogCompiler
@testable import CatalogModel
@testable import Host

/// Returns a page of a size; it is grey without other arguments.
private func svg(
  _ width: Double, _ height: Double, fill: String = "#808080", _ more: String = ""
) -> String {
  """
  <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)">\
  <rect width="100%" height="100%" fill="\(fill)"/>\(more)</svg>
  """
}

/// Returns a page with a red square of 2 points in its lower left corner.
private func pdf(_ width: Double, _ height: Double) -> String {
  let content = "1 0 0 rg 0 0 2 2 re f"
  return """
    %PDF-1.4
    1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
    2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
    3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 \(width) \(height)]/Contents 4 0 R>> endobj
    4 0 obj <</Length \(content.utf8.count)>> stream
    \(content)
    endstream endobj
    trailer <</Root 1 0 R>>

    """
}

/// Returns each rendition as a line: part, scale, appearance, size, flags, pixel format, name.
private func lines(_ bytes: [UInt8]) throws -> [String] {
  try renditions(bytes).filter { $0.header.layout != .atlas }.map { key, header in
    let style = key[.appearance] == 0 ? "" : " dark"
    return "\(key[.part]) \(key[.scale])x\(style) \(header.width)×\(header.height) "
      + "\(String(header.flags.rawValue, radix: 16)) \(header.pixelFormat) \(header.name)"
  }.sorted()
}

private func compiled(
  _ json: String, _ files: [String: String], for platform: TargetPlatform = .iOS,
  _ change: (inout CompileOptions) -> Void = { _ in }
) throws -> (lines: [String], report: CompileReport, bytes: [UInt8]) {
  var sources = SampleSources()
  sources.add("V.imageset/Contents.json", json)
  for (name, text) in files { sources.add("V.imageset/\(name)", text) }
  if json.contains("two.png") {
    sources.files["A.xcassets/V.imageset/two.png"] = .bytes(
      png(width: 8, height: 8, red: 200, green: 10))
  }
  let (report, bytes) = try sources.compiled {
    $0.target = CompileTarget(platform: platform)
    $0.packsSprites = false
    change(&$0)
  }
  return (try lines(bytes), report, bytes)
}

@Suite struct VectorTests {
  /// A run time reads the vector that is kept by the format that the archive states.
  @Test(arguments: [("a.svg", pdf(4, 3), "PDF"), ("a.pdf", svg(4, 3), "SVG")])
  func theContentsOfAVectorDecideAboutItsFormat(
    file: String, text: String, format: String
  ) throws {
    let json =
      #"{"images":[{"filename":"\#(file)"}],"properties":{"preserves-vector-representation":true}}"#
    let found = try compiled(json, [file: text])
    let formats = try renditions(found.bytes).filter { $0.1.layout == .vector }
      .map { "\($0.1.pixelFormat)" }
    #expect(formats == [format])
    let catalog = try CarveRuntime.Catalog(bytes: found.bytes)
    let variant = try #require(catalog.view(for: Environment()).find("V"))
    #expect(try catalog.vectorPage(of: variant).width == 4)
  }

  @Test(
    arguments: [
      (.iOS, ["1x 4×3", "2x 8×6", "3x 12×9"]), (.macOS, ["1x 4×3", "2x 8×6"]),
      (.tvOS, ["1x 4×3", "2x 8×6"]), (.watchOS, ["2x 8×6"]), (.visionOS, ["2x 8×6"]),
    ] as [(TargetPlatform, [String])])
  func eachPlatformHasItsScales(platform: TargetPlatform, expected: [String]) throws {
    let json = #"{"images":[{"idiom":"universal","filename":"a.svg"}]}"#
    let found = try compiled(json, ["a.svg": svg(4, 3)], for: platform)
    #expect(
      found.lines == ["181 0x 0×0 4 SVG a.svg"] + expected.map { "181 \($0) 14 GA8 a.svg" })
    #expect(found.report.diagnostics == [])
  }

  @Test(
    arguments: [
      ("", "14"), (#","template-rendering-intent":"template""#, "c"),
      (#","template-rendering-intent":"original""#, "4"),
    ])
  func bitmapsSayThatTheyAreOfAVector(property: String, flags: String) throws {
    let json = #"{"images":[{"filename":"a.pdf"}],"properties":{"x":0\#(property)}}"#
    let found = try compiled(json, ["a.pdf": pdf(4, 3)], for: .visionOS)
    #expect(found.lines == ["181 0x 0×0 4 PDF a.pdf", "181 2x 8×6 \(flags) ARGB a.pdf"])
  }

  @Test func aPreservedVectorHasAPartOfItsOwn() throws {
    let json = """
      {"images":[{"filename":"a.pdf"}],"properties":{"preserves-vector-representation":true}}
      """
    let found = try compiled(json, ["a.pdf": pdf(4, 3)], for: .visionOS)
    #expect(found.lines == ["181 2x 8×6 114 ARGB a.pdf", "42 1x 0×0 4 PDF a.pdf"])
  }

  @Test func theSlotOfAVectorSaysHowLargeItsPageIs() throws {
    let two = #"{"images":[{"scale":"1x"},{"scale":"2x","filename":"a.pdf"},{"scale":"3x"}]}"#
    #expect(
      try compiled(two, ["a.pdf": pdf(5, 4)]).lines == [
        "181 0x 0×0 4 PDF a.pdf", "181 1x 3×2 14 ARGB a.pdf", "181 2x 5×4 14 ARGB a.pdf",
        "181 3x 8×6 14 ARGB a.pdf",
      ])
    let first = two.replacing("2x", with: "1x")
    #expect(
      try compiled(first, ["a.pdf": pdf(5, 4)]).lines.dropFirst() == [
        "181 1x 5×4 14 ARGB a.pdf", "181 2x 10×8 14 ARGB a.pdf", "181 3x 15×12 14 ARGB a.pdf",
      ])
  }

  @Test func eachScaleIsOfItsOwnVectorAndTheLargestIsKept() throws {
    let json = """
      {"images":[{"scale":"1x","filename":"a.pdf"},{"scale":"2x","filename":"b.pdf"},
      {"scale":"3x","filename":"c.pdf"}]}
      """
    let files = ["a.pdf": pdf(4, 4), "b.pdf": pdf(10, 10), "c.pdf": pdf(18, 18)]
    let found = try compiled(json, files)
    #expect(
      found.lines == [
        "181 0x 0×0 4 PDF c.pdf", "181 1x 4×4 14 ARGB a.pdf", "181 2x 10×10 14 ARGB b.pdf",
        "181 3x 18×18 14 ARGB c.pdf",
      ])
  }

  @Test func picturesBesideVectorsKeepTheirScale() throws {
    let json = """
      {"images":[{"scale":"1x","filename":"a.pdf"},{"scale":"2x","filename":"two.png"}]}
      """
    #expect(
      try compiled(json, ["a.pdf": pdf(4, 4)]).lines == [
        "181 0x 0×0 4 PDF a.pdf", "181 1x 4×4 14 ARGB a.pdf", "181 2x 8×8 10 ARGB two.png",
        "181 3x 12×12 14 ARGB a.pdf",
      ])
  }

  @Test func eachAppearanceHasItsVectorAndBitmaps() throws {
    let json = """
      {"images":[{"filename":"a.svg"},{"filename":"b.svg",
      "appearances":[{"appearance":"luminosity","value":"dark"}]}]}
      """
    let files = ["a.svg": svg(4, 4), "b.svg": svg(4, 4, fill: "red")]
    #expect(
      try compiled(json, files, for: .visionOS).lines == [
        "181 0x 0×0 4 SVG a.svg", "181 0x dark 0×0 4 SVG b.svg", "181 2x 8×8 14 GA8 a.svg",
        "181 2x dark 8×8 14 ARGB b.svg",
      ])
  }

  /// The bitmap of a page of 2.5 by 2.4 points: the size of an SVG is rounded up, with a smaller
  /// slice; the size of a PDF is rounded to the nearest pixel.
  @Test(
    arguments: [
      ("a.svg", svg(2.5, 2.4), [3, 3, 0, 1, 3, 2]), ("a.pdf", pdf(2.5, 2.4), [3, 2, 0, 0, 3, 2]),
    ])
  func fractionalSizesAreRoundedAsApplesToolDoes(
    name: String, text: String, expected: [Int]
  ) throws {
    let json = #"{"images":[{"scale":"1x","filename":"\#(name)"}]}"#
    let bytes = try compiled(json, [name: text]).bytes
    let found = try bytes.withUnsafeBytes { file -> [Int] in
      let archive = try Archive(file)
      let entry = try #require(try archive.renditions().first { $0.key[.scale] == 1 })
      let rendition = try archive.rendition(entry)
      let slice = try #require(try rendition.slices().first)
      let metrics = try #require(try rendition.metrics().first)
      #expect([metrics.width, metrics.height].map(Int.init) == Array(expected[..<2]))
      return [
        Int(rendition.header.width), Int(rendition.header.height), Int(slice.x), Int(slice.y),
        Int(slice.width), Int(slice.height),
      ]
    }
    #expect(found == expected)
  }

  @Test func theLowerLeftCornerOfThePageIsThatOfTheBitmap() throws {
    let json = #"{"images":[{"filename":"a.pdf"}]}"#
    let bytes = try compiled(json, ["a.pdf": pdf(4, 3)], for: .visionOS).bytes
    let picture = try bytes.withUnsafeBytes { file -> Bitmap? in
      let archive = try Archive(file)
      let entry = try #require(try archive.renditions().first { $0.key[.scale] == 2 })
      return try Bitmap(try archive.rendition(entry))
    }
    let bitmap = try #require(picture)
    for y in 0..<6 {
      for x in 0..<8 {
        let pixel = Array(bitmap.pixels[(y * bitmap.bytesPerRow + 4 * x)...].prefix(4))
        #expect(pixel == (x < 4 && y >= 2 ? [0, 0, 255, 255] : [0, 0, 0, 0]), "\(x), \(y)")
      }
    }
  }

  @Test func slicesAreThoseOfTheScale() throws {
    let json = """
      {"images":[{"filename":"a.pdf","resizing":{"mode":"3-part-horizontal",
      "center":{"mode":"stretch","width":1},"cap-insets":{"left":2,"right":1}}}]}
      """
    let bytes = try compiled(json, ["a.pdf": pdf(8, 3)]).bytes
    let widths = try bytes.withUnsafeBytes { file in
      let archive = try Archive(file)
      return try archive.renditions().filter { $0.key[.scale] > 0 }.map {
        try archive.rendition($0).slices().map(\.width)
      }
    }
    #expect(widths.sorted { $0[0] < $1[0] } == [[2, 1, 1], [4, 2, 2], [6, 3, 3]])
  }

  @Test func insetsAreThoseOfTheScale() throws {
    let json = #"{"images":[{"filename":"a.pdf","alignment-insets":{"left":1,"top":2}}]}"#
    let bytes = try compiled(json, ["a.pdf": pdf(8, 6)]).bytes
    let insets = try bytes.withUnsafeBytes { file in
      let archive = try Archive(file)
      return try archive.renditions().filter { $0.key[.scale] > 0 }.map { entry in
        try archive.rendition(entry).metrics().map { [$0.left, $0.top] }
      }
    }
    let sorted = insets.flatMap { $0 }.sorted { $0[0] < $1[0] }
    #expect(sorted == [[1, 2], [2, 4], [3, 6]] as [[Int32]])
  }

  @Test func withoutRastersOnlyTheVectorIsStored() throws {
    let json = #"{"images":[{"filename":"a.svg"}]}"#
    let found = try compiled(json, ["a.svg": svg(4, 4)]) { $0.rasterizesVectors = false }
    #expect(found.lines == ["181 0x 0×0 4 SVG a.svg"])
    #expect(found.report.diagnostics.map(\.code) == [.vectorNotRasterized])
  }

  /// Without bitmaps, errors in vectors would only be found by the app that shows them.
  @Test func vectorsAreCheckedWithoutRastersToo() throws {
    let json = #"{"images":[{"filename":"a.svg"}]}"#
    let found = try compiled(json, ["a.svg": svg(4, 4, "<text>A</text>")]) {
      $0.rasterizesVectors = false
    }
    #expect(Set(found.report.diagnostics.map(\.code)) == [.vectorNotRasterized, .vectorFeature])
    var sources = SampleSources()
    sources.add("V.imageset/Contents.json", json)
    sources.add("V.imageset/a.svg", "<svg width='1' height='1'><g></svg>")
    let report = try sources.compiled { $0.rasterizesVectors = false }.report
    #expect(report.isRefused)
    #expect(report.diagnostics.contains { $0.message.contains("cannot be drawn: ") })
  }

  @Test func unsupportedFeaturesAreReportedOnceForTheFile() throws {
    let json = #"{"images":[{"filename":"a.svg"}]}"#
    let found = try compiled(json, ["a.svg": svg(4, 4, "<text>A</text>")])
    #expect(found.lines.count == 4)
    #expect(found.report.diagnostics.map(\.code) == [.vectorFeature])
    #expect(found.report.diagnostics.allSatisfy { $0.message.hasSuffix(": text") })
  }

  @Test(arguments: [
    ("a.svg", "<svg><g></svg>", "cannot be drawn: "), ("a.pdf", "%PDF-1.4\n", "cannot be drawn: "),
    ("b.svg", "text", "is not a picture of any known kind"),
  ])
  func filesThatCannotBeDrawnAreErrorsWithTheirReason(name: String, text: String, reason: String)
    throws
  {
    let json = #"{"images":[{"filename":"\#(name)"}]}"#
    var sources = SampleSources()
    sources.add("V.imageset/Contents.json", json)
    sources.add("V.imageset/\(name)", text)
    let report = try sources.compiled().report
    #expect(report.isRefused)
    #expect(Set(report.diagnostics.map(\.code)) == [.brokenImage])
    #expect(report.diagnostics.allSatisfy { $0.message.contains(reason) })
  }

  @Test func shapesBeyondThePageAreReported() throws {
    let json = #"{"images":[{"filename":"a.svg"}]}"#
    let found = try compiled(json, ["a.svg": svg(4, 4, #"<path d="M0 0H9V9z"/>"#)])
    #expect(found.report.diagnostics.map(\.code) == [.vectorCut])
  }

  /// The text of an SVG is compressed if that makes it smaller and the oldest reader can decompress
  /// it.
  @Test(arguments: [(9, 400, true), (9, 0, false), (8, 400, false)])
  func textsOfVectorsAreCompressed(minimum: Int, blanks: Int, isCompressed: Bool) throws {
    let json = #"{"images":[{"filename":"a.svg"}]}"#
    let text = svg(4, 4, String(repeating: " ", count: blanks))
    let bytes = try compiled(json, ["a.svg": text]) {
      $0.target.minimum = OSVersion(UInt16(minimum))
      $0.keepsVectors = true
    }.bytes
    try bytes.withUnsafeBytes { file in
      let archive = try Archive(file)
      let entry = try #require(try archive.renditions().first { $0.key[.scale] == 0 })
      let rendition = try archive.rendition(entry)
      let payload = try #require(try FilePayload(rendition.payload))
      #expect(payload.isCompressed == isCompressed)
      #expect(payload.contents.count < text.utf8.count || !isCompressed)
      #expect(try rendition.fileContents() == Array(text.utf8))
    }
  }

  /// Returns the vector that an archive stores.
  private func stored(_ bytes: [UInt8]) throws -> [UInt8] {
    try bytes.withUnsafeBytes { file in
      let archive = try Archive(file)
      let entry = try #require(try archive.renditions().first { $0.key[.scale] == 0 })
      return try archive.rendition(entry).fileContents()
    }
  }

  @Test func vectorsAreStoredWithoutWhatIsNotDrawn() throws {
    let json = #"{"images":[{"filename":"a.svg"}]}"#
    let text = svg(4, 4, "<!-- by hand --><title>A</title>")
    let bytes = try compiled(json, ["a.svg": text]).bytes
    #expect(try stored(bytes) == Array(svg(4, 4).utf8))
    let kept = try compiled(json, ["a.svg": text]) { $0.keepsVectors = true }.bytes
    #expect(try stored(kept) == Array(text.utf8))
    #expect(try lines(kept) == lines(bytes))
  }

  /// The objects of the PDF are found by a search, so it is not written anew.
  @Test func aVectorWithFaultsIsStoredAsItIs() throws {
    let json = #"{"images":[{"filename":"a.pdf"}]}"#
    let bytes = try compiled(json, ["a.pdf": pdf(4, 4)]).bytes
    #expect(try stored(bytes) == Array(pdf(4, 4).utf8))
  }

  @Test func neitherThreadsNorMemoryNorTheCacheShow() throws {
    var sources = SampleSources()
    for number in 1...12 {
      sources.add("V\(number).imageset/Contents.json", #"{"images":[{"filename":"a.svg"}]}"#)
      sources.add(
        "V\(number).imageset/a.svg", svg(Double(number), 9, fill: number < 6 ? "red" : "gray"))
    }
    let one = try sources.compiled { $0.jobs = 1 }.bytes
    #expect(one == (try sources.compiled { $0.jobs = 3 }.bytes))
    #expect(one == (try sources.compiled { $0.memory = 1 }.bytes))
    let folder = try TemporaryDirectory()
    for _ in 0..<2 {
      #expect(one == (try sources.compiled { $0.cache = ByteString(folder.path("cache")) }.bytes))
    }
  }

  @Test func theCacheRemembersWhatIsNotDrawn() throws {
    let folder = try TemporaryDirectory()
    let json = #"{"images":[{"filename":"a.svg"}]}"#
    for _ in 0..<2 {
      let found = try compiled(json, ["a.svg": svg(4.5, 4, "<text>A</text>")]) {
        $0.cache = ByteString(folder.path("cache"))
      }
      #expect(found.report.diagnostics.map(\.code) == [.vectorFeature])
    }
  }
}
