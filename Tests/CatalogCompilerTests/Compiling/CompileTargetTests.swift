// The influence of the target on an archive: the name and the numbers of the platform, the idioms,
// the first system with wide colours, and the scales in blocks.

import Archive
import CatalogModel
import Support
import Testing
import Traits

@testable import CatalogCompiler

/// The values by which archives name their platform.
struct PlatformRow: Sendable, CustomTestStringConvertible {
  var platform: TargetPlatform
  var name: String
  var semantics: UInt32
  var schema: UInt32
  var testDescription: String { platform.rawValue }
}

@Suite struct CompileTargetTests {
  private static let platforms: [PlatformRow] = [
    PlatformRow(platform: .macOS, name: "macosx", semantics: 1, schema: 2),
    PlatformRow(platform: .iOS, name: "ios", semantics: 2, schema: 2),
    PlatformRow(platform: .iOSSimulator, name: "ios", semantics: 2, schema: 2),
    PlatformRow(platform: .tvOS, name: "atv", semantics: 2, schema: 2),
    PlatformRow(platform: .tvOSSimulator, name: "atv", semantics: 2, schema: 2),
    PlatformRow(platform: .watchOS, name: "watchos", semantics: 2, schema: 2),
    PlatformRow(platform: .watchSimulator, name: "watchos", semantics: 2, schema: 2),
    PlatformRow(platform: .visionOS, name: "vision", semantics: 4, schema: 1),
    PlatformRow(platform: .visionSimulator, name: "vision", semantics: 4, schema: 1),
  ]

  @Test(arguments: platforms) func anArchiveNamesItsPlatform(row: PlatformRow) throws {
    var sources = SampleSources()
    sources.image("Star", scales: [2])
    let bytes = try sources.compiled {
      $0.target = CompileTarget(platform: row.platform, minimum: OSVersion(17, 4))
    }.bytes
    try bytes.withUnsafeBytes { file in
      let archive = try Archive(file)
      let metadata = try archive.metadata()
      #expect(metadata?.platform == row.name && metadata?.platformVersion == "17.4")
      #expect(archive.header.keySemantics.rawValue == row.semantics)
      #expect(archive.header.schemaVersion == row.schema)
      #expect(archive.header.renditionCount == 1)
    }
  }

  private static let admissions: [([DeviceFamily], [Idiom])] = [
    ([], [.universal, .phone, .pad, .car, .marketing]),
    ([.iphone], [.universal, .phone, .car, .marketing]),
    ([.ipad], [.universal, .pad, .marketing]),
    ([.iphone, .ipad], [.universal, .phone, .pad, .car, .marketing]),
  ]

  @Test(arguments: admissions)
  func familiesShowTheirOwnAndWhatTheyHost(families: [DeviceFamily], idioms: [Idiom]) {
    let target = CompileTarget(platform: .iOS, families: families)
    #expect(Set(Idiom.allCases.filter { target.admits($0) }) == Set(idioms))
  }

  @Test(arguments: [
    (TargetPlatform.macOS, [Idiom.universal, .mac]), (.tvOS, [.universal, .tv, .marketing]),
    (.watchOS, [.universal, .watch, .marketing]), (.visionOS, [.universal, .vision]),
  ])
  func otherPlatformsShowTheirOwn(platform: TargetPlatform, idioms: [Idiom]) {
    let target = CompileTarget(platform: platform)
    #expect(Set(Idiom.allCases.filter { target.admits($0) }) == Set(idioms))
  }

  private static let gamuts: [(TargetPlatform, OSVersion, Bool)] = [
    (.iOS, OSVersion(9, 2), false), (.iOS, OSVersion(9, 3), true),
    (.watchOS, OSVersion(2), false), (.watchOS, OSVersion(3), true),
    (.tvOS, OSVersion(9), false), (.tvOS, OSVersion(10), true),
    (.macOS, OSVersion(10, 11), true), (.visionOS, OSVersion(1), true),
  ]

  @Test(arguments: gamuts)
  func aWidePictureIsMadeWhereSystemsShowIt(
    platform: TargetPlatform, minimum: OSVersion, isMade: Bool
  ) throws {
    var sources = SampleSources()
    sources.add("Star.imageset/Contents.json", #"{"images":[{"filename":"a.png"}]}"#)
    // The picture has a Display P3 code point and a red outside of sRGB.
    sources.files["A.xcassets/Star.imageset/a.png"] = .bytes(
      png(
        width: 2, height: 2, color: .rgba,
        samples: (0..<4).flatMap { _ in [255, 0, 0, 255] as [UInt8] },
        extra: [pngChunk("cICP", [12, 13, 0, 1])]))
    let bytes = try sources.compiled {
      $0.target = CompileTarget(platform: platform, minimum: minimum)
    }.bytes
    #expect(Set(try renditions(bytes).map { $0.key[.displayGamut] }) == (isMade ? [0, 1] : [0]))
  }

  @Test(arguments: [true, false]) func blocksSayTheirScale(packs: Bool) throws {
    var sources = SampleSources()
    for name in ["Star", "Moon"] { sources.image(name) }
    sources.files["A.xcassets/Photo.imageset/p.jpg"] = .bytes(jpeg(width: 30, height: 20))
    sources.add(
      "Photo.imageset/Contents.json",
      #"{"images":[{"filename":"p.jpg","scale":"3x"}],"#
        + #""properties":{"template-rendering-intent":"template"}}"#)
    let found = try renditions(sources.compiled { $0.packsSprites = packs }.bytes)
    #expect(found.contains { $0.header.layout == .internalLink } == packs)
    for (key, header) in found {
      #expect(header.scaleFactor == 100 * UInt32(key[.scale]), "\(header.name)")
    }
    let photo = try #require(found.first { $0.header.name == "p.jpg" })
    #expect(photo.header.flags == .template)
  }
}
