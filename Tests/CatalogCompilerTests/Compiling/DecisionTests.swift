// Decisions of the planner and the encoder, each compared with its rule: the choice by memory, the
// scales of a stack, the pictures that share an atlas, and the part of a name.

import Archive
import CarveRuntime
import CatalogModel
import Codecs
import Imaging
import Support
import Testing
import Traits

@testable import ArchiveTools
@testable import CatalogCompiler
@testable import Host

@Suite struct DecisionTests {
  private func entries(
    _ bytes: [UInt8], _ body: (String, RenditionKey, Rendition) throws -> Void
  ) throws {
    try bytes.withUnsafeBytes { file in
      let archive = try Archive(file)
      var names: [UInt16: String] = [:]
      for facet in try archive.facets() { names[facet.identifier ?? 0] = facet.name.text }
      for entry in try archive.renditions() {
        try body(names[entry.key.identifier] ?? "", entry.key, try archive.rendition(entry))
      }
    }
  }

  // MARK: Data

  /// A device shows the most demanding variant for which it has enough memory.
  @Test(
    arguments: [(1, "any"), (2, "two"), (3, "two"), (4, "four"), (8, "four")] as [(UInt8, String)])
  func dataIsChosenByMemory(memory: UInt8, contents: String) throws {
    var sources = SampleSources()
    for name in ["any", "two", "four"] { sources.add("Level.dataset/\(name)", name) }
    sources.add(
      "Level.dataset/Contents.json",
      """
      {"data":[{"idiom":"universal","filename":"any"},
      {"idiom":"universal","filename":"two","memory":"2GB"},
      {"idiom":"universal","filename":"four","memory":"4GB"}]}
      """)
    let (report, bytes) = try sources.compiled()
    #expect(report.renditionCount == 3)
    var environment = Environment()
    environment.memory = memory
    let view = try Catalog(bytes: bytes).view(for: environment)
    let found = try #require(view.find("Level", .data))
    #expect(try view.catalog.file(of: found) == Array(contents.utf8))
  }

  // MARK: Stacks

  /// A stack is flattened at the scales that all of its layers have.
  @Test func aStackIsFlattenedAtTheScalesOfAllItsLayers() throws {
    var sources = SampleSources()
    sources.add(
      "P.imagestack/Contents.json",
      #"{"layers":[{"filename":"F.imagestacklayer"},{"filename":"B.imagestacklayer"}]}"#)
    for (layer, scales) in [("F", [1, 2]), ("B", [1])] {
      let folder = "P.imagestack/\(layer).imagestacklayer"
      sources.add("\(folder)/Contents.json", "{}")
      let rows = scales.map { #"{"idiom":"tv","scale":"\#($0)x","filename":"\#($0).png"}"# }
      sources.add(
        "\(folder)/Content.imageset/Contents.json",
        "{\"images\":[\(rows.joined(separator: ","))]}")
      for scale in scales {
        sources.files["A.xcassets/\(folder)/Content.imageset/\(scale).png"] = .bytes(
          png(width: 20 * scale, height: 10 * scale, red: 9))
      }
    }
    let bytes = try sources.compiled { $0.target = CompileTarget(platform: .tvOS) }.bytes
    var made: [String] = []
    try entries(bytes) { name, key, _ in made.append("\(name) \(key.part) \(key[.scale])") }
    #expect(
      made.sorted() == [
        "P 181 1", "P 208 1", "P 209 1", "P/B/Content 181 1", "P/F/Content 181 1",
        "P/F/Content 181 2",
      ])
  }

  // MARK: Layered icons

  /// The pixel in the middle of the bitmap of 1,024 pixels: a black layer on a white background.
  @Test(
    arguments: [(1, 1, 0), (1, 0.5, 128), (0.5, 1, 128), (0.5, 0.5, 191)] as [(Double, Double, Int)]
  )
  func opacitiesOfLayersAndGroupsMultiply(layer: Double, group: Double, grey: Int) throws {
    var sources = SampleSources()
    sources.add(
      "Boat.icon/icon.json",
      """
      {"fill":{"solid":"srgb:1,1,1,1"},"groups":[{"shadow":{"kind":"none"},"opacity":\(group),
      "layers":[{"image-name":"a.svg","opacity":\(layer),"fill":{"solid":"srgb:0,0,0,1"}}]}]}
      """)
    sources.add(
      "Boat.icon/Assets/a.svg",
      #"<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"><path d="M0 0H200V200H0Z"/></svg>"#
    )
    let bytes = try sources.compiled {
      $0.target.families = [.iphone]
      $0.drawsGlass = false
    }.bytes
    var pixels: [[UInt8]] = []
    try entries(bytes) { _, key, rendition in
      guard key.part == Part.icon, rendition.header.width == 1024 else { return }
      let bitmap = try #require(try Bitmap(rendition))
      let bytesPerPixel = bitmap.layout == .bgra8 ? 4 : 2
      let place = 512 * bitmap.bytesPerRow + 512 * bytesPerPixel
      pixels.append(Array(bitmap.pixels[place..<place + bytesPerPixel]))
    }
    let middle = try #require(pixels.first)
    #expect(pixels.count == 1 && middle.last == 255)
    #expect(abs(Int(middle[0]) - grey) <= 1, "\(middle)")
  }

  // MARK: Atlases

  /// Opaque pictures are in an atlas of their own, whose name states that it is opaque, and
  /// transparent pictures are in another one.
  @Test func opaqueAndTransparentPicturesShareNoAtlas() throws {
    var sources = SampleSources()
    for (name, alpha) in [("One", 255), ("Two", 255), ("Glass", 128), ("Haze", 100)]
      as [(String, UInt8)]
    {
      sources.add(
        "\(name).imageset/Contents.json",
        #"{"images":[{"idiom":"universal","scale":"2x","filename":"a.png"}]}"#)
      sources.files["A.xcassets/\(name).imageset/a.png"] = .bytes(
        png(width: 12, height: 12, red: UInt8(name.utf8.count * 20), green: 9, alpha: alpha))
    }
    var atlases: [UInt16: String] = [:]
    var links: [String: InternalLink] = [:]
    var opaque: [Bool] = []
    let bytes = try sources.compiled().bytes
    try entries(bytes) { name, key, rendition in
      if let link = try rendition.link() { links[name] = link }
      guard rendition.header.layout == .atlas else { return }
      atlases[key[.dimension1]] = rendition.header.name.text
      opaque.append(try #require(try Bitmap(rendition)).isOpaque)
    }
    #expect(
      Set(atlases.values) == ["ZZZZPackedAsset-2.1.0-gamut0", "ZZZZPackedAsset-2.0.0-gamut0"])
    #expect(Set(opaque) == [true, false])
    func atlas(_ name: String) -> String? {
      links[name].flatMap { atlases[$0.target[.dimension1]] }
    }
    for name in ["One", "Two"] { #expect(atlas(name) == "ZZZZPackedAsset-2.1.0-gamut0", "\(name)") }
    for name in ["Glass", "Haze"] {
      #expect(atlas(name) == "ZZZZPackedAsset-2.0.0-gamut0", "\(name)")
    }
  }

  // MARK: Names

  /// The facet of a name that is both a picture and a symbol has the part of the picture.
  @Test func aPictureGivesItsNameThePart() throws {
    var sample = SymbolSample()
    sample.drawings = [("Regular-M", SymbolSample.box(2, x: 300, width: 60))]
    var sources = SampleSources()
    sources.symbol("Sign", sample.text)
    sources.symbol("Lone", sample.text)
    sources.image("Sign", scales: [2])
    let bytes = try sources.compiled().bytes
    let parts = try bytes.withUnsafeBytes { file in
      try Dictionary(uniqueKeysWithValues: Archive(file).facets().map { ($0.name, $0.part) })
    }
    #expect(parts == ["Sign": Part.regular, "Lone": Part.symbol])
  }

  /// The numbers and names of appearances, as archives of Apple's tool list them: those in use, and
  /// the one for any appearance.
  @Test(
    arguments: [
      (
        TargetPlatform.iOS, ["UIAppearanceAny 0"],
        [
          "UIAppearanceAny 0", "UIAppearanceDark 1", "UIAppearanceHighContrastAny 2",
          "UIAppearanceHighContrastDark 3", "UIAppearanceLight 4",
        ]
      ),
      (
        .macOS, [],
        [
          "NSAppearanceNameAccessibilityDarkAqua 6", "NSAppearanceNameAccessibilitySystem 3",
          "NSAppearanceNameAqua 8", "NSAppearanceNameDarkAqua 1", "NSAppearanceNameSystem 0",
        ]
      ),
    ] as [(TargetPlatform, [String], [String])])
  func appearancesAreListedByNameAndNumber(platform: TargetPlatform, plain: [String], all: [String])
    throws
  {
    func listed(_ looks: [String]) throws -> [String] {
      var sources = SampleSources()
      let colors = looks.map {
        #"{"idiom":"universal","color":{"components":{"red":"0.5","green":"0.1","blue":"0.2","alpha":"1.0"}}\#($0)}"#
      }
      sources.add("Tint.colorset/Contents.json", "{\"colors\":[\(colors.joined(separator: ","))]}")
      return try sources.compiled { $0.target = CompileTarget(platform: platform) }.bytes
        .withUnsafeBytes {
          try Archive($0).appearances().map { "\($0.name) \($0.number)" }.sorted()
        }
    }
    func look(_ values: [(String, String)]) -> String {
      let rows = values.map { #"{"appearance":"\#($0.0)","value":"\#($0.1)"}"# }
      return ",\"appearances\":[\(rows.joined(separator: ","))]"
    }
    #expect(try listed([""]) == plain)
    #expect(
      try listed([
        "", look([("luminosity", "dark")]), look([("luminosity", "light")]),
        look([("contrast", "high")]), look([("luminosity", "dark"), ("contrast", "high")]),
      ]) == all)
  }

  // MARK: Complications and AR resources

  /// A picture for every device has the watch idiom in a complication.
  @Test func picturesOfComplicationsAreForWatches() throws {
    var sources = SampleSources()
    sources.add(
      "Face.complicationset/Contents.json",
      #"{"assets":[{"idiom":"watch","filename":"C.imageset","role":"circular"}]}"#)
    sources.add(
      "Face.complicationset/C.imageset/Contents.json",
      #"{"images":[{"idiom":"universal","scale":"2x","filename":"a.png"}]}"#)
    sources.files["A.xcassets/Face.complicationset/C.imageset/a.png"] = .bytes(
      png(width: 20, height: 20))
    let bytes = try sources.compiled { $0.target = CompileTarget(platform: .watchOS) }.bytes
    var idioms: [UInt16] = []
    try entries(bytes) { _, key, _ in idioms.append(key[.idiom]) }
    #expect(idioms == [UInt16(Idiom.watch.rawValue)])
    // A picture for watches is preferred, and no other one takes its key.
    sources.add(
      "Face.complicationset/C.imageset/Contents.json",
      #"{"images":[{"idiom":"universal","scale":"2x","filename":"a.png"},{"idiom":"watch","scale":"2x","filename":"w.png"}]}"#
    )
    sources.files["A.xcassets/Face.complicationset/C.imageset/w.png"] = .bytes(
      png(width: 30, height: 30))
    let (report, both) = try sources.compiled {
      $0.target = CompileTarget(platform: .watchOS)
    }
    #expect(!report.diagnostics.contains { $0.message.contains("two sets") })
    var widths: [UInt32] = []
    try entries(both) { _, _, rendition in widths.append(rendition.header.width) }
    #expect(widths == [30])
  }

  @Test(
    arguments: [
      ("meters", 2), ("centimeters", 0.02), ("feet", 0.6096), ("inches", 0.0508), ("yards", 1.8288),
    ] as [(String, Float)])
  func widthsInTheWorldAreInMeters(unit: String, meters: Float) throws {
    var sources = SampleSources()
    sources.add(
      "W.arresourcegroup/Contents.json", #"{"resources":[{"filename":"P.arreferenceimage"}]}"#)
    sources.add(
      "W.arresourcegroup/P.arreferenceimage/Contents.json",
      #"{"images":[{"filename":"p.png","idiom":"universal"}],"properties":{"width":2,"unit":"\#(unit)"}}"#
    )
    sources.files["A.xcassets/W.arresourcegroup/P.arreferenceimage/p.png"] = .bytes(
      png(width: 40, height: 20, red: 3, green: 8))
    var widths: [Float] = []
    try entries(try sources.compiled().bytes) { _, _, rendition in
      for property in try rendition.allProperties() {
        if case .physicalSize(let width, let height) = property {
          widths.append(width)
          #expect(abs(height - meters / 2) < 1e-6)
        }
      }
    }
    #expect(widths.count == 1 && abs((widths.first ?? 0) - meters) < 1e-6)
  }

  // MARK: Formats of old systems

  /// watchOS reads the formats of the iOS version of the same year: 4 those of 11, 5 of 12, 6 of
  /// 13.
  @Test(
    arguments: [
      (.iOS, 7, 0, .plain), (.iOS, 8, 0, .lzvn), (.iOS, 9, 0, .lzfse), (.iOS, 11, 0, .lzfse),
      (.iOS, 12, 0, .palette), (.iOS, 13, 0, .deepMap2), (.tvOS, 12, 0, .palette),
      (.watchOS, 2, 0, .lzfse), (.watchOS, 4, 0, .lzfse), (.watchOS, 5, 0, .palette),
      (.watchOS, 6, 0, .deepMap2), (.macOS, 10, 9, .plain), (.macOS, 10, 10, .lzvn),
      (.macOS, 10, 13, .lzfse), (.macOS, 10, 14, .palette), (.macOS, 10, 15, .deepMap2),
      (.visionOS, 1, 0, .deepMap2),
    ] as [(TargetPlatform, UInt16, UInt16, OldestReader)])
  func systemsOfOneYearReadTheSame(
    platform: TargetPlatform, major: UInt16, minor: UInt16, reader: OldestReader
  ) {
    let target = CompileTarget(platform: platform, minimum: OSVersion(major, minor))
    #expect(target.oldestReader == reader)
  }
}
