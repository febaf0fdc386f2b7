// Tests the candidates of catalogues and archives, and the answers among them: the winner, its
// JSON, and the message about an asset that does not exist.

import Bytes
import CatalogCompiler
import Documents
import Support
import Testing
import Traits

@testable import Queries

@Suite struct ResolutionTests {
  /// Similar names, names in namespaces and of other kinds, an icon, and a picture of one gamut.
  private func names() -> SampleSources {
    var sources = SampleSources()
    for name in ["Star", "Start", "Stars", "Group/Moon", "Group2/Moon"] {
      sources.set("\(name).imageset", "images", [("a.png", "")])
    }
    for group in ["Group", "Group2"] {
      sources.add("\(group)/Contents.json", #"{"properties":{"provides-namespace":true}}"#)
    }
    sources.set(
      "Logo.appiconset", "images", [("a.png", #""size":"4x4","idiom":"iphone","scale":"1x""#)])
    sources.set("Facts.dataset", "data", [("a.txt", "")])
    sources.set(
      "Wide.imageset", "images", [("p.png", #""idiom":"universal","display-gamut":"display-P3""#)])
    return sources
  }

  @Test(arguments: [
    ("Sta", AssetKind.image, "there is no image 'Sta'; did you mean 'Star', 'Stars' or 'Start'?"),
    ("star", .image, "there is no image 'star'; names are case-sensitive, and there is 'Star'"),
    (
      "Moon", .image,
      "there is no image 'Moon'; names include their namespaces, and there is 'Group/Moon' or "
        + "'Group2/Moon'"
    ),
    ("Facts", .image, "there is no image 'Facts'; there is one of the kind data (--kind data)"),
    ("Facts", .color, "there is no colour 'Facts'; there is one of the kind data (--kind data)"),
    ("Xylophone", .image, "there is no image 'Xylophone'"),
  ])
  func anAbsentAssetIsExplained(name: String, kind: AssetKind, sentence: String) throws {
    let sources = names()
    let icons = { (options: inout CompileOptions) in options.icons = .named([]) }
    for source in [try sources.catalog(), try sources.archive(icons)] {
      let resolution = try answer(source, ByteString(name), kind, "scale=2")
      #expect(resolution.winner == nil && resolution.reason == "name")
      #expect(resolution.sentence == sentence)
    }
  }

  @Test func anIconThatIsLeftOutIsExplained() throws {
    let sources = names()
    var options = CatalogQueryOptions()
    options.icons = .named(["Other"])
    #expect(
      try answer(try sources.catalog(options), "Logo", .icon, "scale=1").sentence
        == "there is no icon 'Logo'; the icon is left out, and --app-icon Logo compiles it")
    let archive = try sources.archive { $0.icons = .named([]) }
    #expect(
      try answer(archive, "Logo", .icon, "scale=1").sentence
        == "there is no icon 'Logo'; the archive holds no icons, which compile leaves out unless "
        + "--app-icon names them")
    // The advice is given only about icons.
    #expect(try answer(archive, "Nothing", .image, "scale=1").sentence.contains("icons") == false)
  }

  @Test func theAxisThatRemovesTheLastVariantIsTheReason() throws {
    let sources = names()
    for source in [try sources.catalog(), try sources.archive()] {
      let resolution = try answer(source, "Wide", .image, "gamut=sRGB")
      #expect(resolution.sentence == "nothing: gamut removes the last variant")
      #expect(
        JSONOutput.object(resolution.members).line
          == #"{"asset":"Wide","kind":"image","found":false,"reason":"gamut"}"#)
      #expect(try answer(source, "Wide", .image, "gamut=P3").sentence == "p.png (1x, P3)")
    }
  }

  /// Without a kind, an image comes first, then the first kind that has the name.
  @Test func theKindIsThatOfAnAsset() throws {
    var sources = names()
    sources.set("Star.dataset", "data", [("a.txt", "")])
    let source = try sources.catalog()
    let all = try queries { $0.traits = "scale=2" }
    #expect(source.kind(named: nil, of: "Star", for: all) == .image)
    #expect(source.kind(named: "data", of: "Star", for: all) == .data)
    #expect(source.kind(named: nil, of: "Facts", for: all) == .data)
    #expect(source.kind(named: nil, of: "Logo", for: all) == .icon)
    #expect(source.kind(named: nil, of: "Nothing", for: all) == .image)
  }

  /// A device of the Mac gets the plan for the Mac; an archive has one table.
  @Test func aCatalogueHasATableForEachPlatform() throws {
    var sources = SampleSources()
    sources.set(
      "Star.imageset", "images",
      [("m.png", #""idiom":"mac""#), ("p.png", #""idiom":"iphone","scale":"2x""#)])
    let source = try sources.catalog()
    func labels(_ source: CandidateSource, _ platform: Platform) -> [String] {
      source.table(for: platform).asset("Star", .image)?.candidates.map(\.label) ?? []
    }
    #expect(labels(source, .macOS).contains("m.png"))
    #expect(!labels(source, .iOS).contains("m.png") && labels(source, .iOS).contains("p.png"))
    var fixed = CatalogQueryOptions()
    fixed.followsPlatform = false
    #expect(labels(try sources.catalog(fixed), .macOS) == labels(source, .iOS))
    let archive = try sources.archive()
    #expect(labels(archive, .macOS) == labels(archive, .iOS))
  }

  /// The compiler leaves out a picture of a kind that it cannot decode.
  @Test func aPictureThatIsNotCompiledIsNoCandidate() throws {
    var sources = SampleSources()
    sources.set(
      "Star.imageset", "images", [("a.png", #""scale":"1x""#), ("b.png", #""scale":"2x""#)])
    sources.files["A.xcassets/Star.imageset/b.png"] = .bytes(Array("GIF89a------".utf8))
    let catalog = try sources.catalog()
    for source in [catalog, try sources.archive()] {
      #expect(try answer(source, "Star", .image, "scale=2").sentence.hasPrefix("a.png (1x"))
    }
    #expect(
      catalog.findings(about: "Star", .image).map(\.message) == [
        "a .imageset cannot hold a GIF picture; it is left out"
      ])
  }

  @Test func aMirroredPictureIsNamedAndItsFactsAreMembers() throws {
    var sources = SampleSources()
    sources.set(
      "Arrow.imageset", "images",
      [("a.png", #""idiom":"universal","scale":"2x","language-direction":"left-to-right""#)])
    for source in [try sources.catalog(), try sources.archive()] {
      let right = try answer(source, "Arrow", .image, "scale=2,direction=rtl")
      #expect(right.isMirrored && right.sentence.hasPrefix("a.png (2x"))
      #expect(right.sentence.hasSuffix(", mirrored)"))
      let left = try answer(source, "Arrow", .image, "scale=2,direction=ltr")
      #expect(!left.isMirrored && !left.sentence.contains("mirrored"))
      let text = JSONOutput.object(left.members).line
      #expect(text.contains(#""mirrored":false"#) && text.contains(#""pixelSize":[4,4]"#))
      #expect(text.contains(#""file":"a.png""#) && text.contains(#""scale":2"#))
    }
  }

  /// Insets and slices are in points, and the middle follows from the size of the picture.
  @Test func slicesAndInsetsAgree() throws {
    for sample in ["Alignment.xcassets", "Slicing.xcassets"] {
      let catalog = try sampleCatalog(sample)
      let archive = try sampleArchive(sample)
      var count = 0
      for name in archive.table(for: Platform.iOS).names(of: .image) {
        for scale in 1...3 {
          let expected = try answer(catalog, name, .image, "scale=\(scale)").members
          let found = try answer(archive, name, .image, "scale=\(scale)").members
          #expect(JSONOutput.object(found).line == JSONOutput.object(expected).line)
          count += found.count { ["alignmentInsets", "slicing"].contains($0.key) }
        }
      }
      #expect(count > 0, "\(sample)")
    }
  }

  /// The compiler leaves out insets and caps that do not fit the picture, which has 4×4 pixels.
  @Test(arguments: [
    (#""alignment-insets":{"top":1000,"left":0,"bottom":0,"right":0}"#, false),
    (#""alignment-insets":{"top":2,"left":0,"bottom":0,"right":0}"#, true),
    (#""resizing":{"mode":"9-part","cap-insets":{"top":1,"left":3,"bottom":1,"right":3}}"#, false),
    (#""resizing":{"mode":"9-part","cap-insets":{"top":-1,"left":1,"bottom":1,"right":1}}"#, false),
    (#""resizing":{"mode":"9-part","cap-insets":{"top":1,"left":1,"bottom":1,"right":1}}"#, true),
  ])
  func onlySlicesAndInsetsThatFitAreAnswered(members: String, fits: Bool) throws {
    var sources = SampleSources()
    sources.set(
      "Star.imageset", "images", [("a.png", #""idiom":"universal","scale":"2x","# + members)])
    let archive = try answer(try sources.archive(), "Star", .image, "scale=2").members
    let catalog = try answer(try sources.catalog(), "Star", .image, "scale=2").members
    #expect(JSONOutput.object(catalog).line == JSONOutput.object(archive).line)
    #expect(catalog.contains { ["alignmentInsets", "slicing"].contains($0.key) } == fits)
  }

  /// A picture with colours outside of sRGB has two variants; one whose profile is wide, but whose
  /// colours are not, has one.
  @Test(arguments: [(UInt8(255), true), (UInt8(0), false)])
  func aPictureOfWideColorsHasTwoVariants(red: UInt8, isWide: Bool) throws {
    var sources = SampleSources()
    sources.set(
      "Logo.appiconset", "images", [("a.png", #""size":"60x60","idiom":"iphone","scale":"3x""#)])
    sources.set("Star.imageset", "images", [("a.png", #""idiom":"universal","scale":"3x""#)])
    for path in sources.files.keys where path.hasSuffix(".png") {
      sources.files[path] = .bytes(
        png(
          width: 2, height: 1, color: .rgb, samples: [red, 0, 0, 0, 0, 0],
          extra: [pngChunk("cICP", [12, 13, 0, 1])]))
    }
    let (catalog, archive) = (try sources.catalog(), try sources.archive())
    for (name, kind) in [(ByteString("Logo"), AssetKind.icon), ("Star", .image)] {
      for gamut in ["sRGB", "P3"] {
        let traits = "idiom=phone,scale=3,gamut=\(gamut)"
        let expected = try answer(archive, name, kind, traits)
        let found = try answer(catalog, name, kind, traits)
        #expect(found.sentence == expected.sentence)
        #expect(found.sentence.contains("P3") == (isWide && gamut == "P3"))
      }
    }
  }

  /// Archives store a reference image in at most 640 pixels.
  @Test func theSizeOfAReferenceImageIsTheStoredOne() throws {
    let archive = try answer(try sampleArchive("Kinds.xcassets"), "Painting", .image, "scale=2")
    let catalog = try answer(try sampleCatalog("Kinds.xcassets"), "Painting", .image, "scale=2")
    let line = JSONOutput.object(catalog.members).line
    #expect(line.contains(#""pixelSize":[640,"#))
    #expect(line == JSONOutput.object(archive.members).line)
  }

  /// The facts that differ between the possible windows of a device decide, so there is no answer.
  @Test func anUnknownTraitIsNamedOnlyIfItMatters() throws {
    let query = try #require(try queries { $0.devices = ["iPad16,8"] }.first)
    let wide = try sampleCatalog("WideGamut.xcassets").table(for: query)
    let error = #expect(throws: AmbiguousAnswer.self) {
      try query.resolution(of: "Sunset", .image, in: wide)
    }
    #expect(error?.axes == [.gamut] && error?.names.count == 2)
    #expect(
      error?.message.hasPrefix(
        "iPad16,8: gamut can have several values or is not known, and decides between ") == true)
    let plain = try sampleCatalog("SizeClasses.xcassets").table(for: query)
    #expect(try query.resolution(of: "Star", .image, in: plain).label == "star-any@2x.png")
  }

  /// An answer that rests on a fact that is not confirmed says so.
  @Test func aSuppositionIsNamedOnlyIfItMatters() throws {
    let query = try #require(try queries { $0.devices = ["iPhone19,2"] }.first)
    let wide = try sampleCatalog("WideGamut.xcassets").table(for: query)
    let resolution = try query.resolution(of: "Sunset", .image, in: wide)
    #expect(resolution.suppositions == [.gamut])
    #expect(
      resolution.remark(about: query.device)
        == "the gamut of iPhone19,2 is not confirmed, and another value would show another variant")
    #expect(JSONOutput.object(resolution.members).line.contains(#""supposed":["gamut"]"#))
    let plain = try sampleCatalog("SizeClasses.xcassets").table(for: query)
    let certain = try query.resolution(of: "Star", .image, in: plain)
    #expect(certain.suppositions.isEmpty && certain.remark(about: query.device) == nil)
    #expect(!JSONOutput.object(certain.members).line.contains("supposed"))
  }
}

/// A catalogue and the archive that is compiled from it give the same answer to every request.
@Suite struct AgreementTests {
  private let values: [(key: String, values: [String])] = [
    ("scale", ["1", "2", "3"]), ("idiom", ["phone", "pad", "car", "universal"]),
    ("style", ["any", "light", "dark", "tinted"]), ("contrast", ["normal", "high"]),
    ("width", ["any", "compact", "regular"]), ("height", ["any", "compact", "regular"]),
    ("gamut", ["sRGB", "P3"]), ("direction", ["ltr", "rtl", "none"]),
    ("memory", ["0", "1", "3", "8"]), ("graphics", ["APPLE1", "APPLE2", "APPLE5"]),
    ("language", ["de", "fr:en", "es-MX", "zh-Hant-TW"]), ("os", ["12", "13", "17.4"]),
  ]

  @Test(
    arguments: soundSamples.filter {
      !["AppIcon.xcassets", "LayeredIcon.xcassets"].contains($0)
    })
  func theArchiveAnswersAsTheCatalogueDoes(sample: String) throws {
    var random = SeededGenerator.forTest(40)
    let catalog = try sampleCatalog(sample)
    let archive = try sampleArchive(sample)
    var found = 0
    for kind in [AssetKind.image, .color, .data, .symbol] {
      for name in catalog.table(for: Platform.iOS).names(of: kind) {
        for _ in 0..<25 {
          let traits = values.filter { _ in random.pick(0...1) == 0 }.map { key, values in
            "\"\(key)\":\"\(values[random.pick(0...values.count - 1)])\""
          }.joined(separator: ",")
          let line = #"{"asset":"\#(name)","kind":"\#(kind.name)","traits":{\#(traits)}}"#
          let request = try BatchRequest(jsonLine: Array(line.utf8))
          let expected = try request.resolution(in: catalog)
          let answer = try request.resolution(in: archive)
          // The size of a texture is known only in the archive.
          let isPicture = expected.winner?.picturePath != nil || kind != .image
          let members = answer.members.filter { isPicture || $0.key != "pixelSize" }
          #expect(
            JSONOutput.object(members).line == JSONOutput.object(expected.members).line,
            "\(random) \(line)")
          if expected.winner != nil { found += 1 }
          #expect(answer.winner == nil || (answer.winner?.color == nil) == (kind != .color))
        }
      }
    }
    #expect(found > 0)
  }

  /// Tables of an icon's sizes are not pictures; the answer is the largest of its sizes.
  @Test(arguments: [
    ("idiom=phone,scale=1", "icon-120.png"), ("idiom=phone,scale=2", "icon-120.png"),
    ("idiom=phone,scale=3", "icon-180.png"), ("idiom=pad,scale=1", "icon-76.png"),
    ("idiom=pad,scale=2", "icon-167.png"), ("idiom=marketing,scale=3", "icon-1024.png"),
  ])
  func anIconIsAPictureOfItsLargestSize(traits: String, file: String) throws {
    for source in [try sampleCatalog("AppIcon.xcassets"), try sampleArchive("AppIcon.xcassets")] {
      #expect(try answer(source, "AppIcon", .icon, traits).label == file)
    }
  }

  /// Icons of every kind whose key in the archive differs from their entry in the catalogue.
  @Test(arguments: [
    (
      TargetPlatform.iOS, #"{"size":"60x60","scale":"3x","idiom":"iphone","filename":"a.png"}"#, 180
    ),
    (
      .iOS,
      #"{"size":"60x60","scale":"3x","idiom":"iphone","filename":"a.png"},"#
        + #"{"size":"20x20","scale":"2x","idiom":"ipad","filename":"b.png"}"#, 180
    ),
    (.iOS, #"{"size":"1024x1024","idiom":"universal","platform":"ios","filename":"a.png"}"#, 64),
    (
      .iOS,
      #"{"size":"1024x1024","idiom":"universal","filename":"b.png"},"#
        + #"{"size":"1024x1024","idiom":"universal","platform":"ios","filename":"a.png"}"#, 64
    ),
    (.macOS, #"{"size":"16x16","scale":"2x","idiom":"mac","filename":"a.png"}"#, 32),
    (
      .macOS,
      #"{"size":"16x16","scale":"2x","idiom":"mac","filename":"a.png"},{"size":"16x16","#
        + #""scale":"2x","idiom":"mac","filename":"b.png","appearances":[{"appearance":"#
        + #""luminosity","value":"dark"}]}"#, 32
    ),
    (
      .watchOS,
      #"{"size":"1024x1024","idiom":"universal","platform":"watchos","filename":"a.png"}"#, 64
    ),
  ])
  func iconsAnswerAlike(platform: TargetPlatform, entries: String, side: Int) throws {
    var sources = SampleSources()
    sources.add("Icon.appiconset/Contents.json", "{\"images\":[\(entries)]}")
    for name in ["a", "b"] {
      sources.files["\(sources.root)/Icon.appiconset/\(ByteString(name)).png"] = .bytes(
        png(width: side, height: side, red: name == "a" ? 1 : 2))
    }
    let catalog = try sources.catalog()
    let archive = try sources.archive { $0.target = CompileTarget(platform: platform) }
    let idioms: [TargetPlatform: [String]] = [
      .iOS: ["phone", "pad", "car"], .macOS: ["mac"], .watchOS: ["watch"],
    ]
    var files: Set<String> = []
    for idiom in idioms[platform] ?? [] {
      for scale in 1...3 {
        for more in ["", ",subtype=1792", ",style=dark", ",subtype=1792,style=dark"] {
          let traits = "idiom=\(idiom),scale=\(scale)\(more)"
          let expected = try answer(catalog, "Icon", .icon, traits)
          let found = try answer(archive, "Icon", .icon, traits)
          files.insert(expected.label)
          #expect(
            JSONOutput.object(found.members).line == JSONOutput.object(expected.members).line,
            "\(traits)")
        }
      }
    }
    #expect(files.contains("a.png"))
  }
}
