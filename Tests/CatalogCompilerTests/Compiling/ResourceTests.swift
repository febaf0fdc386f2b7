// Compiled AR resources, sprite atlases and complications: keys, lists, physical sizes, pages, and
// the diagnostics about everything that is left out.

import Archive
import CatalogModel
import Imaging
import Support
import Testing
import Traits

@testable import ArchiveTools
@testable import CatalogCompiler
@testable import Host

@Suite struct ResourceTests {
  private func entries(
    _ bytes: [UInt8], _ body: (String, RenditionKey, Rendition) throws -> Void
  ) throws {
    try bytes.withUnsafeBytes { file in
      let archive = try Archive(file)
      #expect(Archive.validate(file).isEmpty)
      var names: [UInt16: String] = [:]
      for facet in try archive.facets() { names[facet.identifier ?? 0] = facet.name.text }
      for entry in try archive.renditions() {
        try body(names[entry.key.identifier] ?? "?", entry.key, try archive.rendition(entry))
      }
    }
  }

  private func names(in rendition: Rendition) throws -> [String]? {
    for property in try rendition.allProperties() {
      if case .names(let found) = property { return found.map(\.text) }
    }
    return nil
  }

  private func group(width: String = #""width":20,"unit":"centimeters""#) -> SampleSources {
    var sources = SampleSources()
    sources.add(
      "World.arresourcegroup/Contents.json",
      """
      {"resources":[{"filename":"Poster.arreferenceimage"},{"filename":"Empty.arreferenceimage"},
      {"filename":"Bottle.arobject"}]}
      """)
    sources.add(
      "World.arresourcegroup/Poster.arreferenceimage/Contents.json",
      #"{"images":[{"idiom":"universal","filename":"p.png"}],"properties":{\#(width)}}"#)
    sources.files["A.xcassets/World.arresourcegroup/Poster.arreferenceimage/p.png"] = .bytes(
      png(width: 1280, height: 800, red: 255, green: 0, blue: 0))
    sources.add(
      "World.arresourcegroup/Empty.arreferenceimage/Contents.json",
      #"{"images":[{"idiom":"universal"}],"properties":{"width":1}}"#)
    sources.add(
      "World.arresourcegroup/Bottle.arobject/Contents.json",
      #"{"properties":{"content":"data.bin"}}"#)
    sources.add("World.arresourcegroup/Bottle.arobject/data.bin", "what was seen of it")
    return sources
  }

  @Test func aGroupListsWhatMadeSomething() throws {
    let bytes = try group().compiled().bytes
    var kinds: [String] = []
    try entries(bytes) { name, key, rendition in
      kinds.append("\(name) \(key.part) \(rendition.header.layout.rawValue)")
      guard key.part == Part.arGroup else { return }
      let listed = try names(in: rendition)
      #expect(listed == ["Poster", "Bottle"])
      #expect(rendition.header.name == "CoreStructuredImage" && rendition.payload.count == 0)
    }
    #expect(kinds.sorted() == ["Bottle 207 1014", "Poster 181 12", "World 206 1005"])
  }

  @Test(arguments: [
    (#""width":20,"unit":"centimeters""#, Float(0.2)), (#""width":10,"unit":"inches""#, 0.254),
    (#""width":2"#, 2),
  ])
  func aPictureHasItsSizeInTheWorld(width: String, meters: Float) throws {
    try entries(try group(width: width).compiled().bytes) { name, key, rendition in
      guard name == "Poster" else { return }
      let header = rendition.header
      #expect(header.width == 640 && header.height == 400 && header.flags == [])
      #expect(header.pixelFormat == .grayAlpha8 && header.name == "p.png")
      let (slices, metrics) = (try rendition.slices(), try rendition.metrics())
      #expect(slices == [Slice(x: 0, y: 0, width: 1280, height: 800)])
      #expect(metrics == [Metrics(width: 640, height: 400)])
      var size: (Float, Float)?
      for property in try rendition.allProperties() {
        if case .physicalSize(let width, let height) = property { size = (width, height) }
      }
      #expect(size?.0 == meters && size.map { abs($0.1 - meters * 0.625) < 1e-6 } == true)
      let bitmap = try #require(try Bitmap(rendition))
      // The light of red is 0.2126; the curve has a gamma of 2.2.
      #expect(Set(bitmap.pixels.prefix(1280)) == [126, 255])
    }
  }

  @Test func aWidthThatIsNoLengthIsReportedAtItsKey() throws {
    let report = try group(width: #""width":-2"#).compiled().report
    let finding = report.diagnostics.first { $0.code == .unsupportedSet }
    #expect(finding?.message.hasSuffix("its width is not a length in the world") == true)
    #expect(
      finding?.file == "A.xcassets/World.arresourcegroup/Poster.arreferenceimage/Contents.json")
    #expect(finding?.pointer == "/properties/width" && finding?.line == 1)
  }

  @Test func anObjectKeepsItsFile() throws {
    try entries(try group().compiled().bytes) { name, key, rendition in
      guard name == "Bottle" else { return }
      let contents = try rendition.fileContents()
      #expect(contents == Array("what was seen of it".utf8))
      #expect(rendition.header.name == "data.bin")
      for property in try rendition.allProperties() {
        guard case .other(1017, let body) = property else { continue }
        #expect(body.count == 68 && body[4..<8].elementsEqual([0, 0, 128, 63]) && body[8] == 0)
      }
    }
  }

  @Test func aFileThatIsNoPictureIsAnError() throws {
    var sources = group()
    sources.add("World.arresourcegroup/Poster.arreferenceimage/p.png", "no picture")
    let report = try sources.compiled().report
    #expect(report.isRefused)
    #expect(report.diagnostics.contains { $0.code == .brokenImage && $0.file.hasSuffix("p.png") })
  }

  @Test func spritesLieOnPagesOfTheirAtlas() throws {
    var sources = SampleSources()
    sources.add("Sparks.spriteatlas/Contents.json", #"{"info":{"version":1}}"#)
    for (name, side) in [("bokeh", 64), ("spark", 63)] {
      let folder = "Sparks.spriteatlas/\(name).imageset"
      sources.add(
        "\(folder)/Contents.json",
        #"{"images":[{"idiom":"universal","scale":"1x","filename":"\#(name).png"}]}"#)
      sources.files["A.xcassets/\(folder)/\(name).png"] = .bytes(
        png(width: side, height: 64, red: UInt8(side), green: 3))
    }
    sources.image("Plain", scales: [1], points: 8)
    let (report, bytes) = try sources.compiled()
    #expect(report.diagnostics.filter { $0.severity != .note }.map(\.code) == [.unprovenForm])
    var seen: [String] = []
    try entries(bytes) { name, key, rendition in
      seen.append("\(name) \(key.element)/\(key.part) \(rendition.header.layout.rawValue)")
      switch rendition.header.layout {
      case .namedContents:
        let listed = try names(in: rendition)
        #expect(listed == ["bokeh", "spark"] && key[.scale] == 1)
      case .atlas:
        #expect(rendition.header.name == "ZZZZExplicitlyPackedAsset-1.1.0-gamut0")
        #expect(rendition.header.width == 132 && rendition.header.height == 68)
      case .internalLink:
        let link = try #require(try rendition.link())
        #expect([link.x, link.y] == [name == "bokeh" ? 2 : 68, 2])
        #expect(link.key.map { $0.attribute } == [.element, .part, .scale, .identifier])
        #expect(link.target.element == 9 && link.target.identifier != 0)
      default: #expect(name == "Plain")
      }
    }
    #expect(
      seen.sorted() == [
        "Plain 85/181 12", "Sparks 9/127 1005", "Sparks 9/181 1004", "bokeh 85/181 1003",
        "spark 85/181 1003",
      ])
    // Programs find the sprites by their own names.
    #expect(try bytes.withUnsafeBytes { try Archive($0).facets().count } == 4)
  }

  @Test func complicationsOfAllWatchesAreCompiled() throws {
    var sources = SampleSources()
    sources.add(
      "Face.complicationset/Contents.json",
      """
      {"assets":[{"idiom":"watch","filename":"Circular.imageset","role":"circular"}]}
      """)
    let folder = "Face.complicationset/Circular.imageset"
    sources.add(
      "\(folder)/Contents.json",
      """
      {"images":[{"idiom":"watch","scale":"2x","filename":"a.png"},
      {"idiom":"watch","scale":"2x","screen-width":">145","filename":"b.png"}]}
      """)
    for name in ["a", "b"] {
      sources.files["A.xcassets/\(folder)/\(name).png"] = .bytes(png(width: 20, height: 20))
    }
    let (report, bytes) = try sources.compiled {
      $0.target = CompileTarget(platform: .watchOS)
    }
    #expect(
      Set(report.diagnostics.filter { $0.severity != .note }.map(\.code)) == [
        .unsupportedSet, .unprovenForm,
      ])
    var seen: [String] = []
    try entries(bytes) { name, key, rendition in
      seen.append("\(name) \(key[.idiom]) \(key[.subtype]) \(rendition.header.name)")
    }
    #expect(seen == ["Face/Circular 5 0 a.png"])
    #expect(try renditions(sources.compiled().bytes).isEmpty)
  }

  /// Vectors are drawn, and insets apply, as in image sets.
  @Test func complicationsAreCompiledAsImageSetsAre() throws {
    var sources = SampleSources()
    let faces = ["Vector", "Inset"].map {
      #"{"idiom":"watch","filename":"\#($0).imageset","role":"circular"}"#
    }
    sources.add(
      "Face.complicationset/Contents.json", #"{"assets":[\#(faces.joined(separator: ","))]}"#)
    sources.add(
      "Face.complicationset/Vector.imageset/Contents.json", #"{"images":[{"filename":"a.svg"}]}"#)
    sources.add(
      "Face.complicationset/Vector.imageset/a.svg",
      #"<svg xmlns="http://www.w3.org/2000/svg" width="10" height="6"><path d="M0 0H9V9z"/></svg>"#)
    sources.add(
      "Face.complicationset/Inset.imageset/Contents.json",
      #"{"images":[{"idiom":"watch","scale":"2x","filename":"b.png","compression-type":"lossy","#
        + #""alignment-insets":{"top":3,"left":0,"bottom":0,"right":0}}]}"#)
    sources.files["A.xcassets/Face.complicationset/Inset.imageset/b.png"] = .bytes(
      png(width: 20, height: 20))
    let (report, bytes) = try sources.compiled {
      $0.target = CompileTarget(platform: .watchOS)
    }
    let unapplied = report.diagnostics.filter { $0.code == .settingNotApplied }
    #expect(unapplied.count == 1 && unapplied[0].message.contains("compression-type"))
    var seen: [String] = []
    try entries(bytes) { name, key, rendition in
      guard rendition.header.layout != .atlas else { return }
      let top = try rendition.metrics().first?.top ?? 0
      seen.append("\(name) \(rendition.header.width) \(top)")
    }
    #expect(
      seen.sorted() == ["Face/Inset 20 3", "Face/Vector 0 0", "Face/Vector 20 0"], "\(seen)")
  }

  /// The time grows with the number of atlases and members, not with its square.
  @Test func manyAtlasesAndMembersCostLittle() throws {
    let picture = MemoryFile.bytes(png(width: 1, height: 1))
    let images = #"{"images":[{"idiom":"universal","filename":"a.png"}],"properties":{"width":1}}"#
    var sources = SampleSources()
    var members: [String] = []
    for number in 0..<3000 {
      let member = "M\(number).arreferenceimage"
      members.append(#"{"filename":"\#(member)"}"#)
      sources.add("S\(number).spriteatlas/Contents.json", "{}")
      for folder in [
        "World.arresourcegroup/\(member)", "S\(number).spriteatlas/s\(number).imageset",
      ] {
        sources.add("\(folder)/Contents.json", images)
        sources.files["A.xcassets/\(folder)/a.png"] = picture
      }
    }
    sources.add(
      "World.arresourcegroup/Contents.json",
      #"{"resources":[\#(members.joined(separator: ","))]}"#)
    let count = try renditions(sources.compiled().bytes).count
    #expect(count > 4 * 3000)
  }

  @Test func thinningKeepsTheListsOfSpritesAndResources() throws {
    var sources = group()
    sources.add("Sparks.spriteatlas/Contents.json", #"{"info":{"version":1}}"#)
    sources.add(
      "Sparks.spriteatlas/dot.imageset/Contents.json",
      #"{"images":[{"idiom":"universal","scale":"1x","filename":"d.png"}]}"#)
    sources.files["A.xcassets/Sparks.spriteatlas/dot.imageset/d.png"] = .bytes(
      png(width: 9, height: 9))
    try sources.compiled().bytes.withUnsafeBytes { file in
      let inventory = try Inventory(try Archive(file))
      let kept = inventory.alwaysKept.map { inventory.name(of: $0.entry) ?? "?" }
      #expect(Set(kept) == ["Sparks", "World", "Bottle"])
      #expect(inventory.atlases.count == 1)
    }
  }
}
