// The archive holds, and the run time returns, the values that a catalogue states: colours with
// their space and the order of components, data with its type, vectors, orientation, and flags.

import Archive
import CarveRuntime
import CatalogModel
import Support
import Testing
import Traits

@testable import CatalogCompiler

@Suite struct ContentTests {
  private func sources(_ set: String, _ json: String, _ files: [String: [UInt8]] = [:])
    -> SampleSources
  {
    var sources = SampleSources()
    sources.add("\(set)/Contents.json", json)
    for (name, bytes) in files { sources.files["A.xcassets/\(set)/\(name)"] = .bytes(bytes) }
    return sources
  }

  /// Returns the result of `body` for the only rendition of an archive.
  private func only<Result>(
    _ bytes: [UInt8], _ body: (RenditionKey, Rendition) throws -> Result
  ) throws -> Result {
    try bytes.withUnsafeBytes { file in
      let archive = try Archive(file)
      let entries = try archive.renditions()
      #expect(entries.count == 1)
      let entry = try #require(entries.first)
      return try body(entry.key, archive.rendition(entry))
    }
  }

  // MARK: Colours

  private static let spaces: [(String, ColorSpaceID)] = [
    ("srgb", .sRGB), ("display-p3", .displayP3), ("extended-srgb", .extendedSRGB),
    ("extended-linear-srgb", .extendedLinearSRGB), ("gray-gamma-22", .grayGamma22),
    ("extended-gray", .extendedGray),
  ]

  @Test(arguments: spaces)
  func aColourHasItsSpaceAndTheOrderOfItsComponents(name: String, space: ColorSpaceID) throws {
    let isGray = name.contains("gray")
    let values: [(String, Double)] =
      isGray
      ? [("white", 0.25), ("alpha", 0.5)]
      : [("red", 0.125), ("green", 0.25), ("blue", 0.375), ("alpha", 0.5)]
    let components = values.map { #""\#($0.0)":"\#($0.1)""# }.joined(separator: ",")
    let bytes = try sources(
      "Tint.colorset",
      #"{"colors":[{"color":{"color-space":"\#(name)","components":{\#(components)}}}]}"#
    ).compiled().bytes
    try only(bytes) { key, rendition in
      let payload = try #require(try ColorPayload(rendition.payload))
      #expect(payload.space == space && payload.components == values.map(\.1))
      #expect(payload.systemName == nil)
      #expect(key.part == Part.color && rendition.header.layout == .color)
      #expect(rendition.header.name == "Tint")
    }
    let catalog = try CarveRuntime.Catalog(bytes: bytes)
    let variant = try #require(catalog.view(for: Environment()).find("Tint", .color))
    let color = try catalog.color(of: variant)
    #expect(color.space == space && color.systemName == nil)
    #expect(
      [color.red, color.green, color.blue, color.alpha]
        == (isGray ? [0.25, 0.25, 0.25, 0.5] : [0.125, 0.25, 0.375, 0.5]))
  }

  private static let systemColors: [String] = [
    "systemRedColor", "systemOrangeColor", "systemYellowColor", "systemGreenColor",
    "systemMintColor", "systemTealColor", "systemCyanColor", "systemBlueColor",
    "systemIndigoColor", "systemPurpleColor", "systemPinkColor", "systemBrownColor",
    "systemGrayColor", "systemGray2Color", "systemGray3Color", "systemGray4Color",
    "systemGray5Color", "systemGray6Color", "labelColor", "secondaryLabelColor",
    "tertiaryLabelColor", "quaternaryLabelColor", "placeholderTextColor", "linkColor",
    "separatorColor", "opaqueSeparatorColor", "systemBackgroundColor",
    "secondarySystemBackgroundColor", "tertiarySystemBackgroundColor",
    "systemGroupedBackgroundColor", "secondarySystemGroupedBackgroundColor",
    "tertiarySystemGroupedBackgroundColor", "systemFillColor", "secondarySystemFillColor",
    "tertiarySystemFillColor", "quaternarySystemFillColor", "darkTextColor", "lightTextColor",
    "controlAccentColor", "textColor", "textBackgroundColor", "windowBackgroundColor",
    "controlBackgroundColor",
  ]

  @Test(arguments: ["ios", "osx"]) func systemColoursAreThoseOfTheSystem(platform: String) throws {
    let known = ContentTests.systemColors.filter {
      SystemColor.components(platform: platform, name: $0) != nil
    }
    var all = SampleSources()
    for name in known {
      all.add(
        "\(name).colorset/Contents.json",
        #"{"colors":[{"color":{"platform":"\#(platform)","reference":"\#(name)"}}]}"#)
    }
    let catalog = try CarveRuntime.Catalog(bytes: all.compiled().bytes)
    let view = catalog.view(for: Environment())
    let rows = try known.map { name in
      let color = try catalog.color(of: try #require(view.find(name, .color)))
      #expect(color.systemName == name && color.space == .extendedSRGB)
      let values = [color.red, color.green, color.blue, color.alpha].map {
        "\(($0 * 1000).rounded() / 1000)"
      }
      return "\(name): \(values.joined(separator: " "))\n"
    }
    golden(rows.joined(), "system-colors-\(platform).txt")
  }

  // MARK: Files

  @Test(arguments: ["public.json", nil] as [String?])
  func dataIsWhatTheFileIsWithTheTypeThatIsStated(type: String?) throws {
    let contents = Array("{\"answer\": 42}\n".utf8)
    let stated = type.map { #","universal-type-identifier":"\#($0)""# } ?? ""
    let bytes = try sources(
      "Facts.dataset", #"{"data":[{"filename":"facts.json"\#(stated)}]}"#,
      ["facts.json": contents]
    ).compiled().bytes
    try only(bytes) { key, rendition in
      let stored = try rendition.uti()
      #expect(stored == type)
      #expect(rendition.header.pixelFormat == .data && rendition.header.layout == .data)
      #expect(rendition.header.name == "facts.json" && key[.scale] == 1)
    }
    let catalog = try CarveRuntime.Catalog(bytes: bytes)
    let variant = try #require(catalog.view(for: Environment()).find("Facts", .data))
    #expect(variant.content == .data)
    #expect(try catalog.file(of: variant) == contents)
  }

  private static let vectors: [(String, String, StoredFormat, RenditionContent)] = [
    ("a.pdf", smallPDF, .pdf, .pdf),
    ("a.svg", #"<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>"#, .svg, .svg),
  ]

  @Test(arguments: vectors, [true, false])
  func aVectorIsStoredAsItIsAndKeptWhereTheSetSaysSo(
    row: (name: String, text: String, format: StoredFormat, content: RenditionContent), keeps: Bool
  ) throws {
    let contents = Array(row.text.utf8)
    let bytes = try sources(
      "Sign.imageset",
      #"{"images":[{"filename":"\#(row.name)"}],"#
        + #""properties":{"preserves-vector-representation":\#(keeps)}}"#,
      [row.name: contents]
    ).compiled { $0.rasterizesVectors = false }.bytes
    try only(bytes) { key, rendition in
      #expect(rendition.header.pixelFormat == row.format && rendition.header.layout == .vector)
      #expect(key.part == (keeps ? Part.vector : Part.regular))
    }
    let catalog = try CarveRuntime.Catalog(bytes: bytes)
    let variant = try #require(catalog.view(for: Environment()).find("Sign"))
    #expect(variant.content == row.content && variant.isVector && variant.scale == 0)
    #expect(try catalog.file(of: variant) == contents)
  }

  // MARK: Pictures

  @Test(arguments: [1, 3, 6, 8] as [UInt8])
  func aStoredPictureKeepsItsOrientation(orientation: UInt8) throws {
    let file = jpeg(width: 30, height: 20, orientation: orientation)
    let bytes = try sources(
      "Photo.imageset", #"{"images":[{"filename":"a.jpg"}]}"#, ["a.jpg": file]
    ).compiled().bytes
    try only(bytes) { _, rendition in
      let stored = try rendition.allProperties().compactMap { property -> UInt32? in
        if case .orientation(let value) = property { value } else { nil }
      }
      #expect(stored == [UInt32(orientation)])
      #expect(rendition.header.pixelFormat == .jpeg)
      let slices = try rendition.slices()
      #expect(slices == [Slice(x: 0, y: 0, width: 30, height: 20)])
    }
    let catalog = try CarveRuntime.Catalog(bytes: bytes)
    let variant = try #require(catalog.view(for: Environment()).find("Photo"))
    #expect(variant.content == .jpeg)
    #expect(try catalog.file(of: variant) == file)
  }

  private static let intents: [(String, RenditionFlags, TemplateIntent)] = [
    ("", .automatic, .automatic),
    (#""properties":{"template-rendering-intent":"original"},"#, [], .original),
    (#""properties":{"template-rendering-intent":"template"},"#, .template, .template),
  ]

  @Test(arguments: intents, ["", "left-to-right", "right-to-left"])
  func flagsSayWhatTheSetSays(
    row: (json: String, flags: RenditionFlags, intent: TemplateIntent), direction: String
  ) throws {
    let stated = direction.isEmpty ? "" : #","language-direction":"\#(direction)""#
    let bytes = try sources(
      "Arrow.imageset", #"{\#(row.json)"images":[{"filename":"a.png"\#(stated)}]}"#,
      ["a.png": png(width: 300, height: 300)]
    ).compiled().bytes
    try only(bytes) { _, rendition in
      let flips: RenditionFlags = direction.isEmpty ? [] : .flippable
      #expect(rendition.header.flags == row.flags.union(flips))
    }
    var environment = Environment()
    environment.direction = .rightToLeft
    let catalog = try CarveRuntime.Catalog(bytes: bytes)
    let variant = try #require(catalog.view(for: environment).find("Arrow"))
    #expect(variant.templateIntent == row.intent)
    #expect(variant.isMirrored == (direction == "left-to-right"))
  }

  @Test func insetsAndSlicesReachTheRunTime() throws {
    let json = #"""
      {"images":[{"scale":"2x","filename":"a.png",
      "alignment-insets":{"top":2,"left":4,"bottom":6,"right":8},
      "resizing":{"mode":"9-part","center":{"mode":"tile","width":10,"height":20},
      "cap-insets":{"top":12,"left":14,"bottom":16,"right":18}}}]}
      """#
    let bytes = try sources(
      "Panel.imageset", json, ["a.png": png(width: 60, height: 80)]
    ).compiled { $0.packsSprites = false }.bytes
    let catalog = try CarveRuntime.Catalog(bytes: bytes)
    var environment = Environment()
    environment.scale = 2
    let variant = try #require(catalog.view(for: environment).find("Panel"))
    #expect(variant.alignmentInsets == EdgeInsets(top: 1, left: 2, bottom: 3, right: 4))
    let slicing = try #require(variant.slicing)
    #expect(slicing.mode == .ninePart && slicing.across == .tile && slicing.down == .tile)
    #expect(slicing.caps == EdgeInsets(top: 6, left: 7, bottom: 8, right: 9))
    #expect(slicing.centerWidth == 5 && slicing.centerHeight == 10)
    #expect(variant.pixelSize == PixelSize(width: 60, height: 80) && variant.scale == 2)
  }

  // MARK: Platforms

  private static let platforms: [(TargetPlatform, [String])] = [
    (.iOS, ["any.png", "ios.png"]), (.iOSSimulator, ["any.png", "ios.png"]),
    (.macOS, ["any.png", "macos.png"]), (.tvOS, ["any.png", "tvos.png"]),
    (.watchOS, ["any.png", "watchos.png"]), (.visionOS, ["any.png", "visionos.png"]),
  ]

  @Test(arguments: platforms)
  func entriesOfOtherPlatformsAreLeftOut(platform: TargetPlatform, files: [String]) throws {
    let names = ["any", "ios", "macos", "tvos", "watchos", "visionos"]
    var all: [String: [UInt8]] = [:]
    let entries = names.enumerated().map { number, name in
      all["\(name).png"] = png(width: 3, height: 3, red: UInt8(number))
      let stated = name == "any" ? "" : #","platform":"\#(name)""#
      let scale = name == "any" ? "1x" : "2x"
      return #"{"filename":"\#(name).png","scale":"\#(scale)"\#(stated)}"#
    }
    let sample = sources(
      "Star.imageset", #"{"images":[\#(entries.joined(separator: ","))]}"#, all)
    let bytes = try sample.compiled {
      $0.target = CompileTarget(platform: platform)
      $0.packsSprites = false
    }.bytes
    #expect(try renditions(bytes).map(\.header.name).sorted() == files)
  }

  /// If two entries have the same archived key, the one for the platform is kept, in any order of
  /// the entries.
  @Test(arguments: [true, false])
  func anEntryOfThePlatformBeatsOneForAll(isFirst: Bool) throws {
    let entries = [#"{"filename":"ios.png","platform":"ios"}"#, #"{"filename":"any.png"}"#]
    let sample = sources(
      "Star.imageset",
      #"{"images":[\#((isFirst ? entries : entries.reversed()).joined(separator: ","))]}"#,
      ["ios.png": png(width: 3, height: 3), "any.png": png(width: 3, height: 3, red: 1)])
    #expect(try renditions(sample.compiled().bytes).map(\.header.name) == ["ios.png"])
    let mac = try sample.compiled { $0.target = CompileTarget(platform: .macOS) }.bytes
    #expect(try renditions(mac).map(\.header.name) == ["any.png"])
  }
}
