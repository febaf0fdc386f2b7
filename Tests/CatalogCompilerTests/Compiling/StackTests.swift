// Image stacks and brand assets of tvOS: keys, rows from back to front, every pixel of the
// flattened picture, and stacks that refer to missing layers.

import Archive
import Bytes
import CatalogModel
import Imaging
import Support
import Testing
import Traits

@testable import ArchiveTools
@testable import CatalogCompiler
@testable import Host

extension SampleSources {
  /// Adds a layer of a stack whose pictures have one colour.
  fileprivate mutating func layer(
    _ path: String, scales: [Int] = [1, 2], red: UInt8, alpha: UInt8 = 255, width: Int = 40,
    height: Int = 24, properties: String = ""
  ) {
    let folder = "\(path).imagestacklayer"
    add("\(folder)/Contents.json", #"{"info":{"version":1}\#(properties)}"#)
    var entries: [String] = []
    for scale in scales {
      entries.append(#"{"idiom":"tv","scale":"\#(scale)x","filename":"\#(scale).png"}"#)
      files["\(root)/\(folder)/Content.imageset/\(scale).png"] = .bytes(
        png(width: width * scale, height: height * scale, red: red, green: 10, alpha: alpha))
    }
    add(
      "\(folder)/Content.imageset/Contents.json",
      #"{"images":[\#(entries.joined(separator: ","))]}"#)
  }

  /// Adds a layer of a stack whose pictures are vectors of one colour.
  fileprivate mutating func vectorLayer(
    _ path: String, _ vectors: [(color: String, scale: String, width: Int, height: Int)]
  ) {
    let content = "\(path).imagestacklayer/Content.imageset"
    add("\(path).imagestacklayer/Contents.json", "{}")
    let entries = vectors.map { #"{"idiom":"tv"\#($0.scale),"filename":"\#($0.color).svg"}"# }
    add("\(content)/Contents.json", #"{"images":[\#(entries.joined(separator: ","))]}"#)
    for vector in vectors {
      add(
        "\(content)/\(vector.color).svg",
        #"<svg xmlns="http://www.w3.org/2000/svg" width="\#(vector.width)" height="\#(vector.height)">"#
          + #"<path fill="\#(vector.color)" d="M0 0H99V99H0Z"/></svg>"#)
    }
  }

  fileprivate mutating func stack(_ path: String, _ layers: [String], properties: String = "") {
    let rows = layers.map { #"{"filename":"\#($0).imagestacklayer"}"# }
    add(
      "\(path).imagestack/Contents.json",
      #"{"layers":[\#(rows.joined(separator: ","))]\#(properties)}"#)
  }
}

@Suite struct StackTests {
  private func compiled(
    _ sources: SampleSources, _ platform: TargetPlatform = .tvOS, icons: IconSelection = .all
  ) throws -> (report: CompileReport, bytes: [UInt8]) {
    try sources.compiled {
      $0.target = CompileTarget(platform: platform)
      $0.icons = icons
    }
  }

  /// A poster of two layers: a half transparent red one in front of a green one.
  private var poster: SampleSources {
    var sources = SampleSources()
    sources.stack("Poster", ["Front", "Back"])
    sources.layer("Poster.imagestack/Front", red: 200, alpha: 128)
    sources.layer("Poster.imagestack/Back", red: 40)
    return sources
  }

  private func entries(
    _ bytes: [UInt8], _ body: (RenditionKey, Rendition, [UInt16: String]) throws -> Void
  ) throws {
    try bytes.withUnsafeBytes { file in
      let archive = try Archive(file)
      #expect(Archive.validate(file).isEmpty)
      var names: [UInt16: String] = [:]
      for facet in try archive.facets() { names[facet.identifier ?? 0] = facet.name.text }
      for entry in try archive.renditions() {
        try body(entry.key, try archive.rendition(entry), names)
      }
    }
  }

  @Test func aStackListsItsLayersFromTheBack() throws {
    let (report, bytes) = try compiled(poster)
    #expect(report.diagnostics == [])
    var seen: [String] = []
    try entries(bytes) { key, rendition, names in
      let name = names[key.identifier] ?? "?"
      seen.append("\(name) \(key.part) \(key[.idiom]) \(key[.scale])x")
      guard rendition.header.layout == .layerStack else { return }
      let header = rendition.header
      #expect(header.width == 40 && header.height == 24 && header.scaleFactor == 100)
      #expect(header.name == "Contents.json" && header.pixelFormat == .data)
      #expect(try rendition.uti() == "public.layeredimage")
      for property in try rendition.allProperties() {
        guard case .layers(let rows) = property else { continue }
        let shown = rows.map { row in
          names[row.key.first { $0.attribute == .identifier }?.value ?? 0]
        }
        #expect(shown == ["Poster/Back/Content", "Poster/Front/Content"])
        #expect(rows.allSatisfy { $0.width == 40 && $0.height == 24 && $0.opacity == 1 })
      }
    }
    #expect(
      seen.sorted() == [
        "Poster 181 0 1x", "Poster 208 3 1x", "Poster 208 3 2x", "Poster 209 3 1x",
        "Poster 209 3 2x", "Poster/Back/Content 181 3 1x", "Poster/Back/Content 181 3 2x",
        "Poster/Front/Content 181 3 1x", "Poster/Front/Content 181 3 2x",
      ])
  }

  @Test func theFlattenedPictureIsTheLayersOverOneAnother() throws {
    var flattened = 0
    var radiosity = 0
    try entries(try compiled(poster).bytes) { key, rendition, _ in
      let scale = Int(key[.scale])
      let header = rendition.header
      guard header.layout == .flattened else { return }
      let bitmap = try #require(try Bitmap(rendition))
      #expect(header.pixelFormat == .argb)
      if key.part == Part.flattened {
        flattened += 1
        #expect(header.name == "ZZZZFlattenedImage-\(scale).1.0-gamut0")
        #expect(bitmap.width == 40 * scale && bitmap.height == 24 * scale)
        // The colour is half of 200 and half of 40. All pictures have the same green, 10.
        let pixel = Array(bitmap.pixels[0..<4])
        #expect(pixel[3] == 255 && abs(Int(pixel[2]) - (200 * 128 + 40 * 127) / 255) <= 1)
        #expect(abs(Int(pixel[1]) - 10) <= 1)
        #expect(
          Set(
            bitmap.pixels.enumerated().filter { $0.offset % 4 == 2 && $0.offset < 160 }
              .map(\.element)
          ).count == 1)
      } else {
        radiosity += 1
        #expect(header.name == "ZZZZRadiosityImage-\(scale).0.0")
        #expect(bitmap.width == 120 * scale && bitmap.height == 104 * scale)
        #expect(bitmap.pixels.allSatisfy { $0 == 0 })
      }
    }
    #expect(flattened == 2 && radiosity == 2)
  }

  private var brand: SampleSources {
    var sources = SampleSources()
    sources.add(
      "Brand.brandassets/Contents.json",
      """
      {"assets":[
      {"filename":"Large.imagestack","idiom":"tv","role":"primary-app-icon","size":"1280x768"},
      {"filename":"Small.imagestack","idiom":"tv","role":"primary-app-icon","size":"400x240"},
      {"filename":"Shelf.imageset","idiom":"tv","role":"top-shelf-image","size":"1920x720"}]}
      """)
    for (name, width) in [("Large", 1280), ("Small", 400)] {
      sources.stack("Brand.brandassets/\(name)", ["Front"])
      sources.layer(
        "Brand.brandassets/\(name).imagestack/Front", scales: [1], red: 9, width: width,
        height: width * 3 / 5)
    }
    sources.add(
      "Brand.brandassets/Shelf.imageset/Contents.json",
      #"{"images":[{"idiom":"tv","scale":"1x","filename":"s.png"}]}"#)
    sources.files["A.xcassets/Brand.brandassets/Shelf.imageset/s.png"] = .bytes(
      png(width: 1920, height: 720))
    return sources
  }

  @Test func theLargeIconIsFiledUnderTheNameOfTheSmallOne() throws {
    let (report, bytes) = try compiled(brand)
    #expect(report.diagnostics.filter { $0.severity != .note } == [])
    var seen: [String] = []
    try entries(bytes) { key, rendition, names in
      let size = "\(rendition.header.width)x\(rendition.header.height)"
      seen.append("\(names[key.identifier] ?? "?") \(key.part) \(key[.idiom]) \(size)")
    }
    #expect(
      seen.sorted() == [
        "Large/Front/Content 181 6 1280x768", "Shelf 181 3 1920x720", "Small 181 0 400x240",
        "Small 181 6 1280x768", "Small 208 3 400x240", "Small 208 6 1280x768",
        "Small 209 3 480x320", "Small 209 6 1360x848", "Small/Front/Content 181 3 400x240",
      ])
  }

  @Test func brandAssetsThatAreNotChosenAreLeftOut() throws {
    let (report, bytes) = try compiled(brand, icons: .named([]))
    #expect(report.diagnostics.map(\.code).contains(.iconNotChosen))
    #expect(try renditions(bytes).isEmpty)
    #expect(try renditions(compiled(brand, .iOS).bytes).isEmpty)
  }

  @Test func aLayerMayBeAPictureOfTheCatalogue() throws {
    var sources = SampleSources()
    sources.stack("Poster", ["Front"])
    sources.image("Star", scales: [1], points: 30)
    let reference = { (name: String) in
      #","properties":{"content-reference":{"type":"image-set","name":"\#(name)"}}"#
    }
    sources.add(
      "Poster.imagestack/Front.imagestacklayer/Contents.json",
      #"{"info":{"version":1}\#(reference("Star"))}"#)
    let names = try compiled(sources).bytes.withUnsafeBytes { try Archive($0).facets().map(\.name) }
    #expect(names.sorted() == ["Poster", "Poster/Front/Content", "Star"])
    sources.add(
      "Poster.imagestack/Front.imagestacklayer/Contents.json",
      #"{"info":{"version":1}\#(reference("Moon"))}"#)
    let report = try compiled(sources).report
    #expect(
      report.diagnostics.map(\.code).filter { $0 != .missingScale } == [
        .unsupportedSet, .danglingReference,
      ] || report.diagnostics.map(\.code).contains(.danglingReference))
  }

  /// The last set by name used to win.
  @Test func aSecondImageSetOfALayerIsRefusedByName() throws {
    var sources = poster
    sources.add("Poster.imagestack/Front.imagestacklayer/Inner.imageset/Contents.json", "{}")
    let (report, bytes) = try compiled(sources)
    let refused = report.diagnostics.filter { $0.code == .unsupportedSet }.map(\.file)
    #expect(refused.count == 1 && refused[0].hasSuffix("Inner.imageset"), "\(refused)")
    #expect(try bytes == compiled(poster).bytes)
  }

  @Test func aStackWithoutALayerIsRefusedByName() throws {
    var sources = poster
    sources.stack("Poster", ["Front", "Gone", "Back"])
    let (report, bytes) = try compiled(sources)
    #expect(report.diagnostics.map(\.code).contains(.danglingReference))
    #expect(report.diagnostics.map(\.code).contains(.unsupportedSet))
    #expect(try !renditions(bytes).contains { $0.header.layout == .layerStack })
  }

  @Test func aLayerWithAFrameOfItsOwnIsRefusedByName() throws {
    var sources = SampleSources()
    sources.stack(
      "Poster", ["Front"], properties: #","properties":{"canvasSize":{"width":40,"height":24}}"#)
    sources.layer(
      "Poster.imagestack/Front", red: 1,
      properties: #","properties":{"frame-size":{"width":20,"height":24}}"#)
    let report = try compiled(sources).report
    #expect(
      report.diagnostics.first { $0.code == .unsupportedSet }?.message
        == "\"Poster\" is left out: the place of the frame of \"Front\" is not known")
    sources.layer(
      "Poster.imagestack/Front", red: 1,
      properties: #","properties":{"frame-size":{"width":40,"height":24}}"#)
    #expect(try !compiled(sources).report.diagnostics.contains { $0.code == .unsupportedSet })
  }

  @Test func aLayerWithoutAPictureIsNamedWithItsLine() throws {
    var sources = poster
    sources.add(
      "Poster.imagestack/Contents.json",
      "{\"layers\":[{\"filename\":\"Front.imagestacklayer\"},\n"
        + "{\"filename\":\"Back.imagestacklayer\"}]}")
    sources.layer("Poster.imagestack/Back", scales: [], red: 40)
    let finding = try compiled(sources).report.diagnostics.first { $0.code == .unsupportedSet }
    #expect(
      finding?.message
        == "\"Poster\" is left out: its layer \"Back\" has no picture that can be compiled")
    #expect(finding?.file == "A.xcassets/Poster.imagestack/Contents.json")
    #expect(finding?.line == 2)
  }

  @Test func aLayerOfAbsurdSizeIsRefusedWithoutItsMemory() throws {
    var sources = SampleSources()
    sources.stack("Poster", ["Front"])
    sources.layer("Poster.imagestack/Front", scales: [1], red: 1)
    let file = "A.xcassets/Poster.imagestack/Front.imagestacklayer/Content.imageset/1.png"
    var bytes = png(width: 40, height: 24)
    bytes.replaceSubrange(16..<24, with: [0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF])
    sources.files[ByteString(file)] = .bytes(bytes)
    let report = try compiled(sources).report
    #expect(report.isRefused)
  }

  /// A canvas is as wide as the widest layer and as high as the highest.
  @Test func aCanvasOfAbsurdSizeIsRefused() throws {
    var sources = SampleSources()
    sources.stack("Poster", ["Front", "Back"])
    sources.layer("Poster.imagestack/Front", scales: [1], red: 1, width: 9_000, height: 1)
    sources.layer("Poster.imagestack/Back", scales: [1], red: 1, width: 1, height: 9_000)
    let report = try compiled(sources).report
    #expect(report.isRefused)
    #expect(
      report.diagnostics.contains {
        $0.message == "\"Poster\" cannot be drawn: it has 9000 × 9000 pixels, but at most "
          + "33554432 can be drawn"
      }, "\(report.diagnostics)")
  }

  /// A layer has one picture for each scale: the one for the television and for every look.
  @Test func aLayerShowsItsPlainPicture() throws {
    var sources = poster
    let folder = "Poster.imagestack/Front.imagestacklayer/Content.imageset"
    let dark = #""appearances":[{"appearance":"luminosity","value":"dark"}]"#
    sources.add(
      "\(folder)/Contents.json",
      """
      {"images":[{"idiom":"tv","scale":"1x","filename":"1.png"},
      {"idiom":"tv","scale":"1x","filename":"dark.png",\(dark)},
      {"idiom":"universal","scale":"1x","filename":"other.png"}]}
      """)
    for name in ["dark", "other"] {
      sources.files["\(sources.root)/\(folder)/\(name).png"] = .bytes(
        png(width: 40, height: 24, red: 99))
    }
    let (report, bytes) = try compiled(sources)
    let findings = report.diagnostics.filter { $0.code == .unsupportedSet }
    #expect(
      findings.map(\.message) == [
        "1 picture of the layer \"Front\" is left out: a layer has one picture for each scale"
      ])
    var names: [String] = []
    try entries(bytes) { key, rendition, all in
      if all[key.identifier] == "Poster/Front/Content" { names.append("\(rendition.header.name)") }
    }
    #expect(names == ["1.png"])
  }

  /// A JPEG whose EXIF data turn it to the right is drawn upright.
  @Test func aTurnedLayerIsDrawnUpright() throws {
    var sources = SampleSources()
    sources.stack("Poster", ["Front"])
    let folder = "Poster.imagestack/Front.imagestacklayer"
    sources.add("\(folder)/Contents.json", "{}")
    sources.add(
      "\(folder)/Content.imageset/Contents.json",
      #"{"images":[{"idiom":"tv","scale":"1x","filename":"a.jpg"}]}"#)
    sources.files["\(sources.root)/\(folder)/Content.imageset/a.jpg"] = .bytes(
      turned(jpegFile("baseline"), orientation: 6))
    var corners: [[UInt8]] = []
    try entries(try compiled(sources).bytes) { key, rendition, _ in
      guard key.part == Part.flattened else { return }
      let bitmap = try #require(try Bitmap(rendition))
      for (x, y) in [(2, 2), (13, 2), (2, 13), (13, 13)] {
        let start = y * bitmap.bytesPerRow + 4 * x
        corners.append(bitmap.pixels[start..<start + 3].map { $0 > 127 ? 1 : 0 })
      }
    }
    // The quarters are green and red above white and blue, as blue, green and red.
    #expect(corners == [[0, 1, 0], [0, 0, 1], [1, 1, 1], [1, 0, 0]])
  }

  @Test func layersMayBeVectors() throws {
    var sources = SampleSources()
    sources.stack("Poster", ["Front"])
    sources.vectorLayer("Poster.imagestack/Front", [("red", "", 40, 24)])
    var seen: [String] = []
    try entries(try compiled(sources).bytes) { key, rendition, names in
      seen.append("\(names[key.identifier] ?? "?") \(key.part) \(rendition.header.width)")
      if key.part == Part.flattened {
        let bitmap = try #require(try Bitmap(rendition))
        #expect(Array(bitmap.pixels[0..<4]) == [0, 0, 255, 255])
      }
    }
    #expect(
      seen.sorted() == [
        "Poster 181 40", "Poster 208 40", "Poster 208 80", "Poster 209 120", "Poster 209 240",
        "Poster/Front/Content 181 40", "Poster/Front/Content 181 80",
      ])
  }

  /// Each bitmap is drawn from the vector in the slot of its scale.
  @Test func vectorsOfALayerBelongToTheirScales() throws {
    var sources = SampleSources()
    sources.stack("Poster", ["Front"])
    sources.vectorLayer(
      "Poster.imagestack/Front",
      [("red", #","scale":"1x""#, 20, 20), ("blue", #","scale":"2x""#, 40, 40)])
    var seen: [String] = []
    try entries(try compiled(sources).bytes) { key, rendition, names in
      guard key.part == Part.regular, let bitmap = try Bitmap(rendition) else { return }
      seen.append("\(rendition.header.width) \(bitmap.pixels[0..<4])")
    }
    #expect(seen.sorted() == ["20 [0, 0, 255, 255]", "40 [255, 0, 0, 255]"])
  }

  /// The canvas is as large as the largest layer.
  @Test func theLargestLayerIsTheSizeOfTheStack() throws {
    var sources = SampleSources()
    sources.stack("Poster", ["Front", "Back"])
    sources.layer("Poster.imagestack/Front", red: 200, width: 10, height: 30)
    sources.layer("Poster.imagestack/Back", scales: [2], red: 40, width: 100, height: 20)
    var sizes: [String] = []
    try entries(try compiled(sources).bytes) { key, rendition, names in
      if rendition.header.layout == .layerStack {
        sizes.append("\(rendition.header.width) \(rendition.header.height)")
      }
    }
    #expect(sizes == ["100 30"])
  }

  @Test func settingsThatLayersDoNotApplyAreNamed() throws {
    var sources = SampleSources()
    sources.stack("Poster", ["Front"])
    sources.layer("Poster.imagestack/Front", red: 200)
    sources.add(
      "Poster.imagestack/Front.imagestacklayer/Content.imageset/Contents.json",
      #"{"images":[{"idiom":"tv","scale":"1x","filename":"1.png","compression-type":"lossy","#
        + #""alignment-insets":{"top":1,"left":0,"bottom":0,"right":0}}]}"#)
    let found = try compiled(sources).report.diagnostics.filter { $0.code == .settingNotApplied }
    #expect(found.count == 2)
    #expect(found.contains { $0.message.contains("\"alignment-insets\"") })
    #expect(found.contains { $0.message.contains("\"compression-type\"") })
  }

  @Test func launchImagesOfATelevisionAreInTheArchive() throws {
    var sources = SampleSources()
    sources.add(
      "Launch.launchimage/Contents.json",
      """
      {"images":[{"idiom":"tv","scale":"1x","filename":"a.png","extent":"full-screen",
      "orientation":"landscape","minimum-system-version":"9.0"}]}
      """)
    sources.files["A.xcassets/Launch.launchimage/a.png"] = .bytes(png(width: 1920, height: 1080))
    try entries(try compiled(sources).bytes) { key, rendition, names in
      #expect(names[key.identifier] == "Launch" && key.part == 181 && key[.idiom] == 3)
      #expect(rendition.header.flags == [] && rendition.header.width == 1920)
    }
    let (report, bytes) = try compiled(sources, .iOS)
    #expect(try renditions(bytes).isEmpty)
    #expect(!report.diagnostics.contains { $0.code == .unsupportedSet })
  }

  @Test func solidStacksAreCompiledAsFarAsTheyAreKnown() throws {
    var sources = SampleSources()
    let stack = "Icon.solidimagestack"
    sources.add(
      "\(stack)/Contents.json",
      #"{"layers":[{"filename":"Front.solidimagestacklayer"},{"filename":"Back.solidimagestacklayer"}]}"#
    )
    for (name, red) in [("Front", UInt8(200)), ("Back", 90)] {
      let folder = "\(stack)/\(name).solidimagestacklayer"
      sources.add("\(folder)/Contents.json", "{}")
      sources.add(
        "\(folder)/Content.imageset/Contents.json",
        #"{"images":[{"idiom":"vision","scale":"2x","filename":"a.png"}]}"#)
      sources.files["A.xcassets/\(folder)/Content.imageset/a.png"] = .bytes(
        png(width: 1024, height: 1024, red: red))
    }
    #expect(
      try compiled(sources, .visionOS).report.diagnostics.map(\.code).contains(.unsupportedSet))
    let (report, bytes) = try sources.compiled {
      $0.target = CompileTarget(platform: .visionOS)
      $0.allowsIncomplete = [.solidImageStack]
    }
    #expect(report.diagnostics.filter { $0.severity != .note }.map(\.code) == [.unprovenForm])
    var seen: [String] = []
    try entries(bytes) { key, rendition, names in
      let header = rendition.header
      let what = "\(names[key.identifier] ?? "?") \(key.part) \(key[.idiom]) \(key[.scale])x"
      seen.append("\(what) \(header.layout.rawValue) \(header.width)")
    }
    #expect(
      seen.sorted() == [
        "Icon 181 0 1x 1018 512", "Icon 208 8 2x 0 1024", "Icon/Back/Content 181 8 2x 12 1024",
        "Icon/Front/Content 181 8 2x 12 1024",
      ])
  }
}
