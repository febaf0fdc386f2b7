// Compiled layered icons: the names, numbers and rows of their stacks are those of Apple's tool,
// their bitmaps show what the stacks show, and an unusual or hostile icon.json is handled.

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

/// The contents of an archive, by facet, part and appearance.
private struct Parts {
  var headers: [String: CSIHeader] = [:]
  var rows: [String: [LayerReference]] = [:]
  var attributes: [String: [LayerAttributes]] = [:]
  var effects: [String: [LayerEffects]] = [:]
  var refractions: [String: [LayerRefraction]] = [:]
  var colors: [String: ColorPayload] = [:]
  var gradients: [String: GradientPayload] = [:]
  var bitmaps: [RenditionKey: Bitmap] = [:]
  var iconKeys: [RenditionKey] = []
  var sizes: [[Int]] = []
  var facets: [String: [RenditionAttribute: UInt16]] = [:]
  private var names: [UInt16: String] = [:]

  init(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { file in
      let archive = try Archive(file)
      #expect(Archive.validate(file).isEmpty)
      for facet in try archive.facets() {
        facets[facet.name.text] = Dictionary(
          uniqueKeysWithValues: facet.attributes.map { ($0.attribute, $0.value) })
        if let identifier = facet.identifier { names[identifier] = facet.name.text }
      }
      for entry in try archive.renditions() { try add(archive.rendition(entry), entry.key) }
    }
  }

  private mutating func add(_ rendition: Rendition, _ key: RenditionKey) throws {
    let name = "\(names[key.identifier] ?? "?") \(key.part)/\(key[.appearance])"
    if key.part == Part.icon {
      iconKeys.append(key)
      bitmaps[key] = try Bitmap(rendition)
    }
    if key.part == Part.multisize {
      sizes += try #require(try MultisizePayload(rendition.payload)).sizes.map {
        [Int($0.width), Int($0.index)]
      }
    }
    headers[name] = rendition.header
    for property in try rendition.allProperties() {
      switch property {
      case .layers(let found): rows[name] = found
      case .layerAttributes(let found): attributes[name] = found
      case .layerEffects(let found): effects[name] = found
      case .layerRefraction(let found): refractions[name] = found
      default: break
      }
    }
    colors[name] = try ColorPayload(rendition.payload)
    gradients[name] = try GradientPayload(rendition.payload)
  }

  /// Returns the facets to which the rows of a stack refer.
  func shown(_ name: String) -> [String] {
    (rows[name] ?? []).map { row in
      names[row.key.first { $0.attribute == .identifier }?.value ?? 0] ?? "?"
    }
  }
}

@Suite struct LayeredIconTests {
  private static let square =
    #"<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100"><path d="M0 0H200V100H0Z"/></svg>"#

  private func compiled(
    _ json: String, _ platform: TargetPlatform = .macOS, bitmaps: Bool = false,
    glass: Bool = true, icons: IconSelection = .all, more: (inout SampleSources) -> Void = { _ in }
  ) throws -> (report: CompileReport, bytes: [UInt8]) {
    var sources = SampleSources()
    sources.add("Boat.icon/icon.json", Self.withPlatforms(json))
    for name in ["a", "b", "c"] where json.contains("\"\(name).svg\"") {
      sources.add("Boat.icon/Assets/\(name).svg", Self.square)
    }
    more(&sources)
    return try sources.compiled {
      $0.target = CompileTarget(platform: platform)
      $0.drawsIcons = bitmaps
      $0.drawsGlass = glass
      $0.icons = icons
    }
  }

  /// Returns the text of an icon with a member that every icon has.
  private static func withPlatforms(_ json: String) -> String {
    guard !json.contains("supported-platforms") else { return json }
    return #"{"supported-platforms":{"squares":"shared"},"# + json.dropFirst()
  }

  /// An icon with two groups, of which the first is in front.
  private let json = """
    {"fill":{"automatic-gradient":"srgb:1.00000,0.50040,0,1"},
    "groups":[
    {"name":"Front","layers":[
      {"image-name":"a.svg","name":"a","fill":{"solid":"display-p3:0,0.5,1,1"},"glass":false,
       "position":{"scale":2,"translation-in-points":[10,-20]},"opacity":0.25,"blend-mode":"screen"},
      {"image-name":"b.svg","name":"b","fill-specializations":[
        {"value":"none"},{"appearance":"dark","value":{"linear-gradient":["gray:0,1","gray:0.5,1","gray:1,1"],
        "orientation":{"start":{"x":0,"y":0.25},"stop":{"x":1,"y":0.75}}}}]}],
     "shadow":{"kind":"layer-color","opacity":0.75},"specular":false,"lighting":"combined",
     "blur-material":0.5,"translucency":{"enabled":true,"value":0.125}},
    {"layers":[{"image-name":"c.svg","name":"c","fill":"automatic"}],"opacity-specializations":[
       {"value":1},{"appearance":"tinted","value":0.5}],"position":{"scale":0.5,"translation-in-points":[0,8]}}]}
    """

  /// The picture is decoded once for itself, and once for each of the three looks, which threads of
  /// their own may draw. This does not depend on the numbers of layers and bitmaps.
  @Test func aPictureOfManyLayersIsDecodedOnceForEachLook() throws {
    let layers = (0..<20).map { #"{"image-name":"p.png","name":"\#($0)"}"# }
    var sources = SampleSources()
    sources.add(
      "Boat.icon/icon.json",
      Self.withPlatforms(#"{"groups":[{"layers":[\#(layers.joined(separator: ","))]}]}"#))
    sources.files["\(sources.root)/Boat.icon/Assets/p.png"] = .bytes(png(width: 300, height: 300))
    func compiled(memory: Int) throws -> (bytes: [UInt8], decoded: Int) {
      let work = WorkTimes(keepsSpans: true)
      let bytes = try sources.compiled {
        $0.target = CompileTarget(platform: .iOS)
        $0.drawsIcons = true
        $0.memory = memory
        $0.work = work
      }.bytes
      return (bytes, work.spans.filter { $0.work == .decode }.count)
    }
    // The smaller memory has no room to keep pictures besides the share of the icon.
    let (small, large) = (try compiled(memory: 48 << 20), try compiled(memory: 256 << 20))
    #expect([small.decoded, large.decoded] == [4, 4])
    #expect(small.bytes == large.bytes)
  }

  @Test func namesAndNumbersAreThoseOfApplesTool() throws {
    let (report, bytes) = try compiled(json)
    // The gradient has three colours.
    #expect(report.diagnostics.map(\.code) == [.refusedByApple])
    let parts = try Parts(bytes)
    #expect(
      parts.facets.keys.sorted() == [
        "Boat", "Boat/Front", "Boat/Group", "Boat_Assets/Color-1", "Boat_Assets/Color-2",
        "Boat_Assets/Color-3", "Boat_Assets/Color-4", "Boat_Assets/Color-5", "Boat_Assets/Color-6",
        "Boat_Assets/Color-7", "Boat_Assets/Color-8", "Boat_Assets/Gradient-1",
        "Boat_Assets/Gradient-2", "Boat_Assets/Gradient-3", "Boat_Assets/a", "Boat_Assets/b",
        "Boat_Assets/c",
      ])
    let kinds: [(String, UInt16)] = [
      ("Boat", 245), ("Boat/Front", 246), ("Boat_Assets/Color-1", 217),
      ("Boat_Assets/Gradient-1", 247), ("Boat_Assets/a", 181),
    ]
    for (name, part) in kinds { #expect(parts.facets[name]?[.part] == part, "\(name)") }
    // The light background is first, then the dark one, then the fills of layers in the order of
    // the file.
    let colors: [(Int, ColorSpaceID, [Double])] = [
      (1, .extendedGray, [1, 1]), (2, .sRGB, [1, 0.5, 0, 1]), (3, .grayGamma22, [0.192, 1]),
      (4, .grayGamma22, [0.078, 1]), (5, .displayP3, [0, 0.5, 1, 1]), (6, .grayGamma22, [0, 1]),
      (7, .grayGamma22, [0.5, 1]), (8, .grayGamma22, [1, 1]),
    ]
    for (number, space, components) in colors {
      let found = parts.colors["Boat_Assets/Color-\(number) 217/0"]
      #expect(found?.space == space, "\(number)")
      #expect(found?.components == components.map { Double(Float($0)) }, "\(number)")
    }
    let first = try #require(parts.gradients["Boat_Assets/Gradient-1 247/0"])
    #expect(first.style == .automatic && first.startX == 0.5 && first.endY == 1)
    #expect(first.stops == [.init(position: 0, color: "Boat_Assets/Color-2")])
    let third = try #require(parts.gradients["Boat_Assets/Gradient-3 247/0"])
    #expect(third.style == .linear && third.stops.map(\.position) == [0, 0.5, 1])
    #expect([third.startX, third.startY, third.endX, third.endY] == [0, 0.25, 1, 0.75])
  }

  @Test(arguments: [(TargetPlatform.macOS, 8), (.iOS, 4)])
  func stacksListGroupsFromTheBack(platform: TargetPlatform, light: Int) throws {
    let parts = try Parts(try compiled(json, platform).bytes)
    for look in [light, 1, 10] {
      let name = "Boat 245/\(look)"
      let header = try #require(parts.headers[name])
      #expect(header.layout == .iconStack && header.width == 1024 && header.scaleFactor == 100)
      #expect(header.pixelFormat == .data && header.name == "Boat.iconstack")
      let background = "Boat_Assets/Gradient-\(look == 1 ? 2 : 1)"
      #expect(parts.shown(name) == [background, "Boat/Group", "Boat/Front"])
      let rows = try #require(parts.rows[name])
      #expect(rows.map(\.opacity) == [1, look == 10 ? 0.5 : 1, 1])
      #expect(rows.allSatisfy { $0.width == 0 && $0.height == 0 && $0.blendMode == 0 })
      #expect(parts.attributes[name]?.map(\.bits) == [0, 2, 0])
      #expect(parts.attributes[name]?.map(\.blur) == [0, 0, 0.5])
      let effects = try #require(parts.effects[name])
      #expect(effects.map(\.isSpecular) == [false, true, false])
      #expect(effects.map(\.translucency) == [0, 0.5, 0.125])
      #expect(
        effects.map(\.shadow) == [0, 3, 2] && effects.map(\.shadowOpacity) == [0, 0.5, 0.75])
    }
  }

  @Test func groupsListLayersFromTheBack() throws {
    let parts = try Parts(try compiled(json).bytes)
    let front = "Boat/Front 246/8"
    #expect(parts.headers[front]?.name == "IconGroup" && parts.headers[front]?.layout == .iconGroup)
    #expect(parts.shown(front) == ["Boat_Assets/b", "Boat_Assets/a"])
    let row = try #require(parts.rows[front]?.last)
    // The layer has 400 by 200 units in the middle, moved by 10 and -20.
    #expect([row.x, row.y] == [322, 392] && [row.width, row.height] == [400, 200])
    #expect(row.blendMode == 2 && row.opacity == 0.25)
    #expect(parts.attributes[front]?.map(\.bits) == [1, 0])
    #expect(parts.attributes[front]?.map(\.fill) == ["", "Boat_Assets/Color-5"])
    #expect(parts.attributes["Boat/Front 246/1"]?.first?.fill == "Boat_Assets/Gradient-3")
    #expect(parts.attributes["Boat/Front 246/10"]?.first?.fill == "")
    // In the dark look, a layer with automatic fill has the fill of the light background.
    let back = try #require(parts.rows["Boat/Group 246/1"]?.first)
    #expect([back.x, back.y] == [462, 495] && [back.width, back.height] == [100, 50])
    #expect(parts.attributes["Boat/Group 246/1"]?.first?.fill == "Boat_Assets/Gradient-1")
    #expect(parts.attributes["Boat/Group 246/8"]?.first?.fill == "")
  }

  /// A group without layers, or whose layers are all hidden, has no row, no name and no number. The
  /// groups behind it are numbered as if it were not there.
  @Test func hiddenGroupsAndLayersMakeNothing() throws {
    let (_, bytes) = try compiled(
      """
      {"fill":"automatic","groups":[{"layers":[]},
      {"layers":[{"image-name":"a.svg","hidden":true,"fill":{"solid":"gray:0.3,1"}},
      {"image-name":"b.svg"}]},{"hidden":true,"layers":[{"image-name":"c.svg"}]},
      {"layers":[{"image-name":"c.svg","hidden":true}]},
      {"layers":[{"image-name":"b.svg"}],
       "hidden-specializations":[{"appearance":"dark","value":true}]}]}
      """)
    let parts = try Parts(bytes)
    #expect(
      parts.facets.keys.sorted() == [
        "Boat", "Boat/Group", "Boat/Group 2", "Boat_Assets/Color-1", "Boat_Assets/Color-2",
        "Boat_Assets/Color-3", "Boat_Assets/Color-4", "Boat_Assets/Color-5",
        "Boat_Assets/Gradient-1", "Boat_Assets/Gradient-2", "Boat_Assets/b",
      ])
    #expect(parts.shown("Boat 245/1") == ["Boat_Assets/Gradient-2", "Boat/Group"])
    #expect(
      parts.shown("Boat 245/8") == ["Boat_Assets/Gradient-1", "Boat/Group 2", "Boat/Group"])
  }

  /// Without a fill, the background is white in the light and tinted looks, and no gradient is
  /// stored for them.
  @Test(arguments: ["", #""fill":"none","#, #""fill-specializations":[],"#])
  func anIconWithoutAFillIsWhite(fill: String) throws {
    let parts = try Parts(
      try compiled("{\(fill)\"groups\":[{\"layers\":[{\"image-name\":\"a.svg\"}]}]}").bytes)
    #expect(parts.shown("Boat 245/8") == ["Boat_Assets/Color-1", "Boat/Group"])
    #expect(parts.shown("Boat 245/10") == ["Boat_Assets/Color-1", "Boat/Group"])
    #expect(parts.shown("Boat 245/1") == ["Boat_Assets/Gradient-1", "Boat/Group"])
    #expect(parts.facets["Boat_Assets/Gradient-2"] == nil)
    #expect(parts.colors["Boat_Assets/Color-2 217/0"]?.components == [Double(Float(0.192)), 1])
    #expect(parts.facets["Boat_Assets/Color-4"] == nil)
  }

  // MARK: Pictures of looks

  /// Every look shows its own picture in the frame of that picture; the tinted look without one
  /// shows that of the light look. Each picture is stored once.
  @Test func everyLookHasItsPicture() throws {
    let (report, bytes) = try compiled(
      """
      {"groups":[{"layers":[
      {"image-name-specializations":[{"value":"a.svg"},{"appearance":"dark","value":"d.png"}]},
      {"image-name-specializations":[{"value":"b.svg"},{"appearance":"tinted","value":"a.svg"},
       {"appearance":"dark","value":"b.svg"}]}]}]}
      """
    ) { $0.files["A.xcassets/Boat.icon/Assets/d.png"] = .bytes(png(width: 401, height: 200)) }
    #expect(report.diagnostics.map(\.code) == [.sizeMismatch])
    let parts = try Parts(bytes)
    #expect(
      parts.facets.keys.filter { $0.hasPrefix("Boat_Assets/") && !$0.contains("-") }.sorted() == [
        "Boat_Assets/a", "Boat_Assets/b", "Boat_Assets/d",
      ])
    #expect(parts.shown("Boat/Group 246/8") == ["Boat_Assets/b", "Boat_Assets/a"])
    #expect(parts.shown("Boat/Group 246/1") == ["Boat_Assets/b", "Boat_Assets/d"])
    #expect(parts.shown("Boat/Group 246/10") == ["Boat_Assets/a", "Boat_Assets/a"])
    let row = try #require(parts.rows["Boat/Group 246/1"]?.last)
    #expect([row.x, row.y] == [311, 412] && [row.width, row.height] == [401, 200])
  }

  /// The bitmaps of a look show its picture.
  @Test func bitmapsShowThePictureOfTheirLook() throws {
    func solid(_ color: String) -> String {
      #"<svg xmlns="http://www.w3.org/2000/svg" width="1024" height="1024"><rect width="1024" height="1024" fill="\#(color)"/></svg>"#
    }
    let parts = try Parts(
      try compiled(
        """
        {"groups":[{"shadow":{"kind":"none","opacity":0},"specular":false,
        "translucency":{"enabled":false,"value":0},"layers":[{"glass":false,
        "image-name-specializations":[{"value":"red.svg"},{"appearance":"dark","value":"blue.svg"}]
        }]}]}
        """, .iOS, bitmaps: true
      ) { sources in
        sources.add("Boat.icon/Assets/red.svg", solid("red"))
        sources.add("Boat.icon/Assets/blue.svg", solid("blue"))
      }.bytes)
    let shown = parts.bitmaps.filter { $0.key[.appearance] != 10 }
    #expect(Set(shown.map { $0.key[.appearance] }).count > 1)
    for (key, bitmap) in shown {
      let place = bitmap.height / 2 * bitmap.bytesPerRow + bitmap.width / 2 * 4
      let isBlue = key[.appearance] == 1
      #expect((bitmap.pixels[place] > 200) == isBlue)
      #expect((bitmap.pixels[place + 2] > 200) == !isBlue)
    }
  }

  /// A picture that is missing is reported, and its look shows the picture for any look.
  @Test func aMissingPictureOfALookIsNotShown() throws {
    let (report, bytes) = try compiled(
      #"{"groups":[{"layers":[{"image-name-specializations":[{"value":"a.svg"},{"appearance":"dark","value":"gone.svg"}]}]}]}"#
    )
    #expect(report.diagnostics.map(\.code) == [.missingFile])
    let parts = try Parts(bytes)
    #expect(parts.shown("Boat/Group 246/1") == ["Boat_Assets/a"])
  }

  /// Names of pictures have an underscore for every character that is not ASCII, as in archives of
  /// Apple's tool. Pictures whose names become equal remain different pictures.
  @Test func picturesWithOneNameRemainTwo() throws {
    let (report, bytes) = try compiled(
      #"{"groups":[{"name":"グループ","layers":[{"image-name":"前.svg"},{"image-name":"後.svg"},{"image-name":"a.svg"},{"image-name":"a.png"}]}]}"#
    ) { sources in
      for name in ["前", "後"] { sources.add("Boat.icon/Assets/\(name).svg", Self.square) }
      sources.files["A.xcassets/Boat.icon/Assets/a.png"] = .bytes(png(width: 8, height: 8))
    }
    #expect(report.diagnostics == [])
    #expect(
      try Parts(bytes).shown("Boat/グループ 246/8") == [
        "Boat_Assets/a 2", "Boat_Assets/a", "Boat_Assets/_ 2", "Boat_Assets/_",
      ])
  }

  // MARK: Colours and frames

  /// In the dark look of an icon without a dark background, a vector layer without a fill whose
  /// paints are all light takes the light background.
  @Test(arguments: [
    (##"<path fill="#fff" d="M0 0H9V9Z"/>"##, true),
    (##"<path fill="#f0fdf4" d="M0 0H9V9Z"/><path fill="#dcfce7" d="M0 0H9V9Z"/>"##, true),
    ("", true), (##"<path fill="#fff" d="M0 0H9V9Z"/><path fill="#aaa" d="M0 0H9V9Z"/>"##, false),
    (##"<path fill="#fff" stroke="#ff8664" d="M0 0H9V9Z"/>"##, false),
    (##"<g opacity="0.5"><path fill="#052e16" d="M0 0H9V9Z"/></g>"##, false),
    ("<path d=\"M0 0H9V9Z\"/>", false),
    (
      ##"<linearGradient id="g"><stop stop-color="white"/><stop offset="1" stop-color="#2dd4bf"/></linearGradient><path fill="url(#g)" d="M0 0H9V9Z"/>"##,
      false
    ),
  ])
  func lightVectorsTakeTheBackgroundInTheDark(shapes: String, takes: Bool) throws {
    func fills(_ icon: String, _ fill: String = "") throws -> [String] {
      let parts = try Parts(
        try compiled(
          "{\(icon)\"groups\":[{\"layers\":[{\"image-name\":\"s.svg\"\(fill)}]}]}"
        ) { sources in
          sources.add(
            "Boat.icon/Assets/s.svg",
            #"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">\#(shapes)</svg>"#)
        }.bytes)
      return [8, 1, 10].map {
        parts.attributes["Boat/Group 246/\($0)"]?.first?.fill.text ?? "?"
      }
    }
    let blue = #""fill":{"solid":"srgb:0,0,1,1"},"#
    #expect(try fills(blue) == ["", takes ? "Boat_Assets/Color-2" : "", ""])
    #expect(try fills(blue, #","fill":"none""#) == ["", "", ""])
    let dark =
      #""fill-specializations":[{"value":"automatic"},{"appearance":"dark","value":{"solid":"gray:0,1"}}],"#
    #expect(try fills(dark) == ["", "", ""])
  }

  /// Sizes of frames that end with one half become even.
  @Test(arguments: [(0.5, 712), (1.5, 714), (2.5, 714)] as [(Double, UInt32)])
  func halfPixelsBecomeEven(half: Double, width: UInt32) throws {
    let parts = try Parts(
      try compiled(
        """
        {"groups":[{"layers":[{"image-name":"a.svg",
        "position":{"scale":\((712 + half) / 200),"translation-in-points":[0,0]}}]}]}
        """
      ).bytes)
    #expect(parts.rows["Boat/Group 246/8"]?.first?.width == width)
  }

  // MARK: Icon Composer 2

  private let second = """
    {"features":["refractivity","specular-location"],"fill":"automatic","groups":[
    {"layers":[{"image-name":"a.svg"}],"specular":"inside",
     "refractivity-specializations":[{"value":{"enabled":true,"strength":-0.5,"depth":0.25}},
       {"appearance":"dark","value":{"enabled":false,"strength":1,"depth":1}}],
     "shadow":{"kind":"automatic","opacity":1.25}},
    {"layers":[{"image-name":"b.svg"}],"specular-specializations":[{"appearance":"base","value":"outside"},
      {"appearance":"dark","value":false},{"appearance":"tinted","value":true}]}],
    "supported-platforms":{"squares":"shared"}}
    """

  @Test func lightAndRefractionAreStored() throws {
    let (report, bytes) = try compiled(second)
    #expect(report.diagnostics.map(\.code) == [.needsXcode27])
    let finding = try #require(report.diagnostics.first)
    #expect(
      finding.message == """
        the tools of Xcode 26 do not read "features" or "specular": "inside" or "specular": "outside"
        """)
    #expect(finding.severity == .note)
    let parts = try Parts(bytes)
    func effects(_ look: Int) -> [[UInt32]] {
      (parts.effects["Boat 245/\(look)"] ?? []).map { [$0.isSpecular ? 1 : 0, $0.placement] }
    }
    // The rows are the background, the group at the back, and that in front.
    #expect(effects(8) == [[0, 0], [1, 2], [1, 1]])
    #expect(effects(1) == [[0, 0], [0, 0], [1, 1]])
    #expect(effects(10) == [[0, 0], [1, 0], [1, 1]])
    let front = try #require(parts.effects["Boat 245/8"]?.last)
    #expect(front.shadow == 1 && front.shadowOpacity == 1.25)
    for (name, expected) in [
      ("Boat 245/8", [[0, 0], [0, 0], [-0.5, 0.25]]), ("Boat 245/1", [[0, 0], [0, 0], [0, 0]]),
      ("Boat 245/10", [[0, 0], [0, 0], [-0.5, 0.25]]), ("Boat/Group 246/8", [[0, 0]]),
      ("Boat/Group 2 246/1", [[0, 0]]),
    ] as [(String, [[Float]])] {
      let rows = parts.refractions[name]
      #expect(rows?.map { [$0.strength, $0.depth] } == expected, "\(name)")
      #expect(rows?.allSatisfy { $0.reserved == 0 } == true)
    }
  }

  /// An icon in which nothing refracts is stored as tools of 2025 store it.
  @Test(arguments: [
    #"{"enabled":false,"strength":0.5,"depth":1}"#, #"{"enabled":true,"strength":0,"depth":0}"#,
  ])
  func withoutRefractionNothingIsStoredAboutIt(value: String) throws {
    let (report, bytes) = try compiled(
      #"{"groups":[{"refractivity":\#(value),"layers":[{"image-name":"a.svg"}]}]}"#)
    #expect(report.diagnostics == [])
    #expect(try Parts(bytes).refractions.isEmpty)
  }

  /// Values that archives cannot hold are named once, and the next best value is stored.
  @Test(arguments: [
    (#""implicit-asset-mirroring":true,"groups":[]"#, "implicit-asset-mirroring"),
    (#""languages":["ja","de"],"groups":[]"#, "languages"),
    (
      #""groups":[{"asset-mirroring":{"mirrorable":true},"layers":[{"image-name":"a.svg","asset-mirroring":{"mirrorable":true}}]}]"#,
      "asset-mirroring"
    ),
    (#""fill":{"solid":"named:system-red"},"groups":[]"#, "named:system-red"),
    (#""groups":[{"refractivity-strength":0.5,"layers":[]}]"#, "refractivity-strength"),
    (#""groups":[{"layers":[{"image-name":"a.svg","material":"x"}]}]"#, "material"),
    (
      #""groups":[{"opacity-specializations":[{"value":1},{"localization":"ja","value":0}]}]"#,
      "localization"
    ),
  ])
  func settingsThatAreNotStoredAreNamedOnce(members: String, key: String) throws {
    let findings = try compiled("{\(members)}").report.diagnostics.filter {
      $0.code != .needsXcode27
    }
    #expect(findings.map(\.code) == [.settingNotApplied])
    #expect(findings.first?.message.hasPrefix("\"Boat\" is stored without \"\(key)\": ") == true)
    #expect(findings.first?.line == 1)
  }

  @Test func aNamedColourLeavesTheNextBestFill() throws {
    let parts = try Parts(
      try compiled(
        """
        {"fill-specializations":[{"value":{"solid":"srgb:0,0,1,1"}},
        {"appearance":"tinted","value":{"solid":"named:system-red"}}],
        "groups":[{"layers":[{"image-name":"a.svg"}]}]}
        """
      ).bytes)
    #expect(parts.shown("Boat 245/10") == ["Boat_Assets/Color-2", "Boat/Group"])
  }

  // MARK: Bad input

  @Test func anIconThatIsNotChosenLeavesItsParts() throws {
    let (report, bytes) = try compiled(json, icons: .named([]))
    #expect(Set(report.diagnostics.map(\.code)) == [.iconNotChosen, .refusedByApple])
    let parts = try Parts(bytes)
    #expect(parts.facets["Boat"] == nil && parts.facets["Boat/Front"] == nil)
    #expect(parts.facets["Boat_Assets/a"] != nil && parts.facets["Boat_Assets/Color-8"] != nil)
  }

  @Test func plainBitmapsShowNoGlass() throws {
    let (report, bytes) = try compiled(
      #"{"fill":{"solid":"srgb:1,0,0,1"},"groups":[{"shadow":{"kind":"none","opacity":0.5},"layers":[{"image-name":"a.svg","fill":{"solid":"srgb:0,0,1,1"}}]}]}"#,
      bitmaps: true, glass: false)
    #expect(report.diagnostics.map(\.code) == [.iconDrawnPlainly])
    let parts = try Parts(bytes)
    #expect(parts.facets["Boat"]?[.part] == 220)
    #expect(
      parts.sizes == [[16, 1], [32, 2], [64, 3], [128, 4], [256, 5], [512, 6], [1024, 7]])
    let large = try #require(parts.bitmaps.first { $0.key[.dimension2] == 7 }?.value)
    #expect(large.width == 1024 && !large.isOpaque)
    func pixel(_ x: Int, _ y: Int) -> [UInt8] {
      let place = y * large.bytesPerRow + x * 4
      return Array(large.pixels[place..<place + 4])
    }
    // The points are beside the plate, on it, in the shadow at its corner, and in the layer.
    #expect(pixel(20, 512) == [0, 0, 0, 0] && pixel(150, 512) == [0, 0, 255, 255])
    #expect(pixel(105, 105).prefix(3) == [0, 0, 0] && pixel(105, 105)[3] < 64)
    #expect(pixel(512, 512) == [255, 0, 0, 255])
    #expect(pixel(512, 512 + 38) == [255, 0, 0, 255] && pixel(512, 512 + 42) == [0, 0, 255, 255])
  }

  @Test(arguments: [TargetPlatform.macOS, .iOS])
  func bitmapsShowWhatTheStacksShow(platform: TargetPlatform) throws {
    let (report, bytes) = try compiled(json, platform, bitmaps: true)
    #expect(report.diagnostics.contains { $0.code == .iconGlassApproximated })
    let parts = try Parts(bytes)
    try bytes.withUnsafeBytes { file in
      let icons = try LayeredIcons(Archive(file))
      let allowance = PictureAllowance(fileSize: file.count)
      #expect(icons.stacks.map(\.name) == ["Boat", "Boat", "Boat"])
      var compared = 0
      for (key, bitmap) in parts.bitmaps where bitmap.width > 100 {
        let style: Style =
          switch key[.appearance] {
          case 1: .dark
          case 10: .tinted
          default: .light
          }
        let stack = try #require(icons.stacks.first { $0.style == style })
        var drawn = try #require(
          try icons.bitmap(of: stack, side: bitmap.width, hasGlass: true, allowance))
        if drawn.isGray { drawn.compactGray() }
        #expect(drawn.pixels == bitmap.pixels, "\(key)")
        compared += 1
      }
      #expect(compared > 3)
    }
  }

  @Test func aPhoneHasBitmapsOfEveryLook() throws {
    let parts = try Parts(try compiled(json, .iOS, bitmaps: true).bytes)
    let keys = parts.iconKeys.map {
      [$0[.idiom], $0[.appearance], $0[.dimension2], $0[.scale]]
    }
    #expect(keys.count == 2 * 12 + 3 + 2)
    #expect(keys.contains([1, 10, 4, 2]) && keys.contains([2, 1, 3, 2]))
    #expect(!keys.contains([2, 0, 4, 2]) && !keys.contains([1, 1, 5, 1]))
    #expect(parts.bitmaps.count == 11)
    for (key, bitmap) in parts.bitmaps {
      // The system has a background of its own behind dark icons.
      #expect(bitmap.isOpaque == (key[.appearance] != 1), "\(key)")
      if key[.appearance] == 10 { #expect(bitmap.isGray) }
    }
  }

  @Test func anIconSetOfTheSameNameHasTheBitmaps() throws {
    let (report, bytes) = try compiled(json, bitmaps: true) { sources in
      sources.add(
        "Boat.appiconset/Contents.json",
        #"{"images":[{"idiom":"mac","size":"16x16","scale":"2x","filename":"i.png"}]}"#)
      sources.files["A.xcassets/Boat.appiconset/i.png"] = .bytes(png(width: 32, height: 32))
    }
    #expect(Set(report.diagnostics.map(\.code)) == [.iconShadowsAppIcon, .refusedByApple])
    let parts = try Parts(bytes)
    #expect(parts.sizes == [[16, 1]] && parts.headers["Boat 245/8"] != nil)
  }

  @Test func aWidePictureIsStoredSmallerAndKeepsItsFrame() throws {
    let (_, bytes) = try compiled(
      #"{"groups":[{"layers":[{"image-name":"wide.png"}]}]}"#
    ) { sources in
      sources.files["A.xcassets/Boat.icon/Assets/wide.png"] = .bytes(png(width: 2048, height: 100))
    }
    let parts = try Parts(bytes)
    let header = try #require(parts.headers["Boat_Assets/wide 181/0"])
    #expect(header.width == 1024 && header.height == 50 && header.layout == .onePartScale)
    #expect(header.name == "image.png" && header.flags == .automatic)
    let row = try #require(parts.rows["Boat/Group 246/8"]?.first)
    #expect([row.x, row.y] == [-512, 462] && [row.width, row.height] == [2048, 100])
  }

  @Test(arguments: [
    (#"{"groups":[{"layrs":[]}]}"#, DiagnosticCode.unknownKey, "/groups/0/layrs"),
    (
      #"{"groups":[{"opacity":7}]}"#, .numberRange, "/groups/0/opacity"
    ),
    (
      #"{"groups":[{"position":{"scale":1e300}}]}"#, .numberRange,
      "/groups/0/position/scale"
    ),
    (
      #"{"groups":[{"position":{"translation-in-points":[1e30,0]}}]}"#, .numberRange,
      "/groups/0/position/translation-in-points/0"
    ),
    (
      #"{"groups":[{"position":{"translation-in-points":[1]}}]}"#, .wrongType,
      "/groups/0/position/translation-in-points"
    ),
    (#"{"fill":{"solid":"srgb:1,2"}}"#, .unknownValue, "/fill/solid"),
    (#"{"fill":{"solid":"srgb:nan,0,0,1"}}"#, .unknownValue, "/fill/solid"),
    (#"{"fill":"red"}"#, .unknownValue, "/fill"),
    (#"{"groups":[],"fill":{}}"#, .missingKey, "/fill"),
    (
      #"{"groups":[{"layers":[{"image-name":"gone.svg"}]}]}"#, .missingFile,
      "/groups/0/layers/0/image-name"
    ),
    (#"{"groups":[{"layers":[{}]}]}"#, .missingKey, "/groups/0/layers/0"),
    (
      #"{"groups":[{"hidden-specializations":[{"appearance":"sepia","value":true}]}]}"#,
      .unknownValue, "/groups/0/hidden-specializations/0/appearance"
    ),
    (#"{"features":["refractivity","sparkle"]}"#, .refusedByApple, "/features/1"),
    (#"{"features":"refractivity"}"#, .wrongType, "/features"),
    (#"{"groups":[{"specular":"none"}]}"#, .unknownValue, "/groups/0/specular"),
    (#"{"groups":[{"specular":1}]}"#, .wrongType, "/groups/0/specular"),
    (
      #"{"groups":[{"refractivity":{"enabled":true,"strength":1}}]}"#, .refusedByApple,
      "/groups/0/refractivity"
    ),
    (
      #"{"groups":[{"refractivity":{"enabled":true,"strength":"1","depth":1}}]}"#, .wrongType,
      "/groups/0/refractivity/strength"
    ),
    (#"{"groups":[{"shadow":{"kind":"neutral"}}]}"#, .refusedByApple, "/groups/0/shadow"),
    (#"{"groups":[{"translucency":{"value":1}}]}"#, .refusedByApple, "/groups/0/translucency"),
    (#"{"groups":[{"position":{"scale":1}}]}"#, .refusedByApple, "/groups/0/position"),
    (#"{"fill":{"linear-gradient":["gray:0,1"]}}"#, .refusedByApple, "/fill/linear-gradient"),
    (#"{"groups":[{"asset-mirroring":{}}]}"#, .missingKey, "/groups/0/asset-mirroring"),
    (
      #"{"groups":[{"shadow":{"kind":"neutral","opacity":101}}]}"#, .numberRange,
      "/groups/0/shadow/opacity"
    ),
    (
      #"{"supported-platforms":{"squares":"round"}}"#, .unknownValue, "/supported-platforms/squares"
    ),
    (
      #"{"supported-platforms":{"squares":["iOS",3]}}"#, .wrongType,
      "/supported-platforms/squares/1"
    ),
    (#"{"groups":[{"glass":false}]}"#, .unknownKey, "/groups/0/glass"),
    (#"{"shadow":{}}"#, .unknownKey, "/shadow"),
    (#"{"groups":[{"opacity":1,"opacity":0}]}"#, .jsonDuplicateKey, "/groups/0/opacity"),
    (
      #"{"groups":[{"opacity":1,"opacity-specializations":[{"value":0}]}]}"#, .duplicateSlot,
      "/groups/0/opacity-specializations/0"
    ),
    (
      #"{"groups":[{"layers":[{"image-name":"../a.svg"}]}]}"#, .fileOutsideFolder,
      "/groups/0/layers/0/image-name"
    ),
    (
      #"{"groups":[{"layers":[{"image-name-specializations":[{"appearance":"dark","value":"../../a.svg"}]}]}]}"#,
      .fileOutsideFolder, "/groups/0/layers/0/image-name-specializations/0/value"
    ),
    (#"{"supported-platforms":{}, "fill":"none"}"#, .missingKey, ""),
    (#"{"fill":{"linear-gradient":[]}}"#, .refusedByApple, "/fill/linear-gradient"),
    (#"{"fill":{"solid":"srgb:1,0,0,1,"}}"#, .unknownValue, "/fill/solid"),
    (
      #"{"fill":{"solid":"gray:0,1","linear-gradient":["gray:0,1","gray:1,1"]}}"#, .unknownKey,
      "/fill/linear-gradient"
    ),
    (
      #"{"groups":[{"opacity-specializations":[{"idiom":"iPhone","value":1}]}]}"#, .unknownValue,
      "/groups/0/opacity-specializations/0/idiom"
    ),
    (
      #"{"groups":[{"layers":[{"image-name":""}]}]}"#, .missingFile, "/groups/0/layers/0/image-name"
    ),
    (
      #"{"groups":[{"layers":[{"image-name-specializations":[]}]}]}"#, .missingKey,
      "/groups/0/layers/0"
    ),
    (#"{"groups":[{"blend-mode":"color-dodge"}]}"#, .refusedByApple, "/groups/0/blend-mode"),
    (
      #"{"groups":[{"layers":[{"image-name":"a.svg","blend-mode":"difference"}]}]}"#,
      .refusedByApple, "/groups/0/layers/0/blend-mode"
    ),
  ])
  func oddValuesAreReportedWithTheirPlace(json: String, code: DiagnosticCode, pointer: String)
    throws
  {
    let (report, bytes) = try compiled(json)
    let finding = try #require(report.diagnostics.first { $0.code == code })
    #expect(finding.pointer == ByteString(pointer) && finding.line == 1)
    // A key that is missing in the document has the place of the whole document.
    #expect(pointer.isEmpty || finding.column ?? 0 > 1)
    #expect(finding.file == "A.xcassets/Boat.icon/icon.json")
    #expect(report.isRefused == bytes.isEmpty)
  }

  /// A wrong value does not make the other keys unknown.
  @Test(arguments: [
    #"{"groups":[{"position":{"scale":0,"translation-in-points":[1,2]}}]}"#,
    #"{"groups":[],"fill":{"linear-gradient":1,"orientation":{"start":{"x":0,"y":0}}}}"#,
    #"{"groups":[],"fill":{"automatic-gradient":1,"orientation":{"start":{"x":0,"y":0}}}}"#,
  ])
  func aWrongValueIsTheOnlyFinding(json: String) throws {
    let codes = try compiled(json).report.diagnostics.map(\.code)
    #expect(codes.count == 1 && codes != [.unknownKey], "\(codes)")
  }

  @Test func theSizesOfEveryLookAreCompared() throws {
    let report = try compiled(
      #"""
      {"groups":[{"layers":[{"image-name-specializations":[{"value":"a.svg"},
      {"appearance":"dark","value":"d.png"},{"appearance":"tinted","value":"t.png"}]}]}]}
      """#
    ) { sources in
      for name in ["d", "t"] {
        sources.files["A.xcassets/Boat.icon/Assets/\(name).png"] = .bytes(png(width: 9, height: 9))
      }
    }.report
    let found = report.diagnostics.filter { $0.code == .sizeMismatch }.map(\.message)
    #expect(found.count == 2 && found.contains { $0.hasPrefix("the tinted look") }, "\(found)")
  }

  /// The number of a group without a name can make the name of another group.
  @Test func groupsWithOneNameRemainTwo() throws {
    let (report, bytes) = try compiled(
      """
      {"groups":[{"name":"Group 2","layers":[{"image-name":"a.svg"}]},
      {"layers":[{"image-name":"b.svg"}]},{"layers":[{"image-name":"c.svg"}]}]}
      """)
    #expect(report.diagnostics == [])
    let parts = try Parts(bytes)
    #expect(
      parts.shown("Boat 245/8").suffix(3) == ["Boat/Group 3", "Boat/Group", "Boat/Group 2"])
    #expect(parts.shown("Boat/Group 2 246/8") == ["Boat_Assets/a"])
    #expect(parts.shown("Boat/Group 3 246/8") == ["Boat_Assets/c"])
  }

  /// An icon whose bitmaps cannot be drawn is stored without them. The layer that is the cause is
  /// named.
  @Test func anIconThatCannotBeDrawnHasNoBitmaps() throws {
    let layer = #"{"image-name":"a.svg"}"#
    let layers = [String](repeating: layer, count: 129).joined(separator: ",")
    let huge =
      #"{"image-name":"a.svg","position":{"scale":400,"translation-in-points":[0,0]}}"#
    for (list, place) in [(layers, 128), ("\(layer),\(huge)", 1)] {
      let (report, bytes) = try compiled("{\"groups\":[{\"layers\":[\(list)]}]}", bitmaps: true)
      #expect(report.diagnostics.map(\.code) == [.settingNotApplied])
      // Layers are counted from the back.
      let pointer = place == 1 ? "/groups/0/layers/1" : "/groups/0/layers/0"
      #expect(report.diagnostics.first?.pointer == ByteString(pointer))
      let parts = try Parts(bytes)
      #expect(parts.bitmaps.isEmpty && parts.headers["Boat 245/8"] != nil)
    }
  }

  /// Pictures of layers that take much memory together are refused, by the name of the one that
  /// exceeds the memory of the icon.
  @Test func manyLargeLayersAreNotHeldTogether() throws {
    let layers = (0..<40).map { #"{"image-name":"l\#($0).svg"}"# }.joined(separator: ",")
    let copies = (1...5).map { level in
      let uses = String(repeating: "<use href='#g\(level - 1)' x='1'/>", count: 5)
      return "<g id='g\(level)'>\(uses)</g>"
    }
    let svg =
      "<svg xmlns='http://www.w3.org/2000/svg' width='64' height='64'><defs><path id='g0' "
      + "d='M0 0h9v9z'/>\(copies.joined())</defs><use href='#g5'/></svg>"
    let report = try compiled("{\"groups\":[{\"layers\":[\(layers)]}]}", bitmaps: true) { sources in
      for layer in 0..<40 { sources.add("Boat.icon/Assets/l\(layer).svg", svg) }
    }.report
    let found = report.diagnostics.filter { $0.code == .brokenImage }
    #expect(!found.isEmpty && found.allSatisfy { $0.message.contains("because of \"l") })
    #expect(found.allSatisfy { $0.message.hasSuffix(" bytes in all files together") })
  }

  /// The note about glass names the looks that are drawn.
  @Test func theNoteNamesTheLooksThatAreDrawn() throws {
    func note(_ platform: TargetPlatform) throws -> String {
      let report = try compiled(
        #"{"groups":[{"layers":[{"image-name":"a.svg"}]}]}"#, platform, bitmaps: true
      ).report
      return report.diagnostics.first { $0.code == .iconGlassApproximated }?.message ?? ""
    }
    #expect(try note(.iOS).contains("the looks dark and tinted and the rim and the shadows of"))
    #expect(try !note(.macOS).contains("look"))
  }

  /// Apple's tools take at most four groups in one look.
  @Test func moreThanFourVisibleGroupsAreReported() throws {
    func codes(_ groups: Int, _ more: String = "") throws -> [DiagnosticCode] {
      let group = #"{"layers":[{"image-name":"a.svg"}]}"#
      let list = [String](repeating: group, count: groups).joined(separator: ",")
      return try compiled("{\"groups\":[\(list)\(more)]}").report.diagnostics.map(\.code)
    }
    #expect(try codes(4) == [] && codes(5) == [.refusedByApple])
    #expect(
      try codes(4, #",{"layers":[]},{"hidden":true,"layers":[{"image-name":"a.svg"}]}"#) == [])
  }

  @Test func tenThousandLayersAreReadUpToALimit() throws {
    let layer = #"{"image-name":"a.svg"}"#
    let layers = [String](repeating: layer, count: 10_000).joined(separator: ",")
    let (report, bytes) = try compiled(#"{"groups":[{"layers":[\#(layers)]}]}"#)
    #expect(report.diagnostics.map(\.code) == [.numberRange])
    #expect(try Parts(bytes).shown("Boat/Group 246/8").count == 500)
  }

  @Test func platformsWithoutLayeredIconsRefuseThem() throws {
    let report = try compiled(json, .tvOS).report
    #expect(report.diagnostics.map(\.code).contains(.unsupportedSet))
    #expect(
      Set(try compiled(json, .watchOS).report.diagnostics.map(\.code))
        == [.unprovenForm, .refusedByApple])
  }
}
