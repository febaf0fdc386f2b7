// App icons: the table of sizes for each idiom, the pictures, and the choice of icons.

import Archive
import CatalogModel
import Support
import Testing

@testable import CatalogCompiler

@Suite struct IconTests {
  private func classicIcon() -> SampleSources {
    var sources = SampleSources()
    var entries: [String] = []
    for (size, scale, idiom) in [
      (60, 3, "iphone"), (29, 2, "iphone"), (83, 2, "ipad"), (1024, 1, "ios-marketing"),
    ] {
      let side = size * scale
      entries.append(
        """
        {"size":"\(size)x\(size)","scale":"\(scale)x","idiom":"\(idiom)","filename":"\(side).png"}
        """)
      sources.files["A.xcassets/Icon.appiconset/\(side).png"] = .bytes(
        png(width: side, height: side, red: UInt8(side % 251)))
    }
    sources.add("Icon.appiconset/Contents.json", "{\"images\":[\(entries.joined(separator: ","))]}")
    return sources
  }

  private func tables(_ bytes: [UInt8]) throws -> [[UInt16]: [[UInt32]]] {
    try bytes.withUnsafeBytes { file in
      let archive = try Archive(file)
      var tables: [[UInt16]: [[UInt32]]] = [:]
      for entry in try archive.renditions() where entry.key.part == Part.multisize {
        let rendition = try archive.rendition(entry)
        let payload = try #require(try MultisizePayload(rendition.payload))
        tables[[entry.key[.idiom], entry.key[.subtype]]] = payload.sizes.map {
          [$0.width, $0.height, $0.index]
        }
      }
      return tables
    }
  }

  @Test func sizesAreNumberedOverTheWholeSet() throws {
    let found = try tables(classicIcon().compiled().bytes)
    #expect(
      found == [
        [1, 0]: [[29, 29, 1], [60, 60, 2]], [2, 0]: [[83, 83, 3]], [1, 1792]: [[90, 90, 4]],
        [6, 0]: [[1024, 1024, 5]],
      ])
  }

  @Test func theLargestPhoneIconServesWideDisplaysToo() throws {
    let found = try renditions(classicIcon().compiled().bytes)
    let plus = found.filter { $0.key[.subtype] == 1792 && $0.key.part == Part.icon }
    #expect(plus.map(\.header.name) == ["180.png"])
    #expect(plus.map { $0.key[.scale] } == [2])
    #expect(plus.map { $0.header.layout } == [.onePartScale])
  }

  @Test func oneSizeServesPhonesAndPads() throws {
    var sources = SampleSources()
    sources.add(
      "Icon.appiconset/Contents.json",
      """
      {"images":[{"idiom":"universal","platform":"ios","size":"1024x1024","filename":"a.png"}]}
      """)
    sources.files["A.xcassets/Icon.appiconset/a.png"] = .bytes(png(width: 1024, height: 1024))
    let found = try tables(sources.compiled().bytes)
    #expect(found == [[1, 0]: [[1024, 1024, 1]], [2, 0]: [[1024, 1024, 1]]])
  }

  @Test func aSizeIsItsWidthAndThenItsHeight() throws {
    var sources = SampleSources()
    sources.add(
      "Icon.appiconset/Contents.json",
      #"{"images":[{"idiom":"iphone","size":"60x45","scale":"2x","filename":"wide.png"}]}"#)
    sources.files["A.xcassets/Icon.appiconset/wide.png"] = .bytes(png(width: 120, height: 90))
    #expect(try tables(sources.compiled().bytes)[[1, 0]] == [[60, 45, 1]])
  }

  @Test(arguments: [true, false])
  func ofTwoPicturesOfOneSizeThatOfThePlatformIsKept(isFirst: Bool) throws {
    let rows = [
      #"{"idiom":"universal","size":"1024x1024","filename":"any.png"}"#,
      #"{"idiom":"universal","platform":"ios","size":"1024x1024","filename":"ios.png"}"#,
    ]
    var sources = SampleSources()
    let ordered = isFirst ? rows.reversed() : rows
    sources.add("Icon.appiconset/Contents.json", "{\"images\":[\(ordered.joined(separator: ","))]}")
    for name in ["any", "ios"] {
      sources.files["A.xcassets/Icon.appiconset/\(name).png"] = .bytes(
        png(width: 1024, height: 1024, red: name == "any" ? 9 : 99))
    }
    let found = try renditions(sources.compiled().bytes).filter { $0.key.part == Part.icon }
    #expect(Set(found.map(\.header.name)) == ["ios.png"])
  }

  @Test func anIconsetHasItsSizesAndScales() throws {
    var sources = SampleSources()
    for (name, side) in [("icon_16x16", 16), ("icon_16x16@2x", 32), ("icon_32x32", 32)] {
      sources.files["A.xcassets/Icon.iconset/\(name).png"] = .bytes(png(width: side, height: side))
    }
    let bytes = try sources.compiled { $0.target = CompileTarget(platform: .macOS) }.bytes
    let found = try renditions(bytes).filter { $0.key.part == Part.icon }
    #expect(
      Set(found.map { [UInt32($0.key[.scale]), $0.header.scaleFactor, $0.header.width] })
        == [[1, 100, 16], [2, 200, 32], [1, 100, 32]])
    #expect(try tables(bytes)[[0, 0]] == [[16, 16, 1], [32, 32, 2]])
  }

  /// Returns a set with a picture for any appearance and one for each of three others.
  private func manyLooks(_ slot: String, side: Int) -> SampleSources {
    var sources = SampleSources()
    func look(_ axis: String, _ value: String) -> String {
      #","appearances":[{"appearance":"\#(axis)","value":"\#(value)"}]"#
    }
    let looks = [
      "", look("luminosity", "dark"), look("luminosity", "tinted"), look("contrast", "high"),
    ]
    let entries = looks.enumerated().map { number, look in
      sources.files["A.xcassets/Icon.appiconset/\(number).png"] = .bytes(
        png(width: side, height: side, red: UInt8(number)))
      return #"{\#(slot),"filename":"\#(number).png"\#(look)}"#
    }
    sources.add(
      "Icon.appiconset/Contents.json", #"{"images":[\#(entries.joined(separator: ","))]}"#)
    return sources
  }

  @Test func aMacIconHasOneLook() throws {
    let sources = manyLooks(#""size":"16x16","scale":"1x","idiom":"mac""#, side: 16)
    let (report, bytes) = try sources.compiled { $0.target = CompileTarget(platform: .macOS) }
    #expect(try renditions(bytes).map(\.header.name).sorted() == ["0.png", "Icon"])
    let said = report.diagnostics.filter { $0.code == .settingNotApplied }
    #expect(said.map(\.severity) == [.note])
    #expect(said.allSatisfy { $0.message.contains("3 pictures") }, "\(said)")
  }

  @Test func aPhoneIconHasAllItsLooksAndOneTable() throws {
    let sources = manyLooks(
      #""size":"1024x1024","idiom":"universal","platform":"ios""#, side: 1024)
    let bytes = try sources.compiled { $0.target.families = [.iphone] }.bytes
    let found = try renditions(bytes).filter { $0.key.part == Part.icon }
    #expect(Set(found.map { $0.key[.appearance] }) == [0, 1, 2, 10])
    #expect(found.allSatisfy { $0.key[.dimension2] == 1 })
    #expect(try tables(bytes) == [[1, 0]: [[1024, 1024, 1]]])
  }

  /// An icon of a single size is stored for every idiom of its platform that the target has.
  @Test(
    arguments: [
      (TargetPlatform.iOS, "ios", [1, 2]), (.watchOS, "watchos", [5]), (.tvOS, "tvos", [0]),
      (.visionOS, "visionos", [0]), (.macOS, "macos", [0]),
    ] as [(TargetPlatform, String, Set<UInt16>)])
  func oneSizeServesTheIdiomsOfItsPlatform(
    platform: TargetPlatform, word: String, idioms: Set<UInt16>
  ) throws {
    var sources = SampleSources()
    sources.add(
      "Icon.appiconset/Contents.json",
      """
      {"images":[{"idiom":"universal","platform":"\(word)","size":"64x64","filename":"a.png"}]}
      """)
    sources.files["A.xcassets/Icon.appiconset/a.png"] = .bytes(png(width: 64, height: 64))
    let bytes = try sources.compiled { $0.target = CompileTarget(platform: platform) }.bytes
    #expect(Set(try tables(bytes).keys.map { $0[0] }) == idioms)
    let pictures = try renditions(bytes).filter { $0.key.part == Part.icon }
    #expect(Set(pictures.map { $0.key[.idiom] }) == idioms)
  }

  @Test func anIconThatIsNotNamedIsLeftOutAndSaidSo() throws {
    var sources = classicIcon()
    sources.image("Star")
    let (report, bytes) = try sources.compiled { $0.icons = .named([]) }
    #expect(report.diagnostics.contains { $0.code == .iconNotChosen && $0.severity == .note })
    #expect(try renditions(bytes).allSatisfy { $0.key.part != Part.icon })
  }

  @Test func ofALoneIconItIsSaidHowToCompileItAndNoPlatformIsBlamed() throws {
    let found = try classicIcon().compiled { $0.icons = .named([]) }.report.diagnostics
    let messages = found.map(\.message)
    #expect(messages.contains { $0.contains("is left out; --app-icon ") })
    #expect(messages.contains { $0.contains("only icons, and --app-icon names none") })
    #expect(!messages.contains { $0.contains("--platform") })
  }

  /// Icon sets are icons of documents, and `--app-icon` does not select them. Apple's tool compiles
  /// all of them.
  @Test func iconSetsOfTheMacAreCompiledWithoutBeingNamed() throws {
    var sources = SampleSources()
    for (name, side) in [("icon_16x16", 16), ("icon_16x16@2x", 32), ("icon_32x32", 32)] {
      sources.files["A.xcassets/Badge.iconset/\(name).png"] = .bytes(
        png(width: side, height: side, red: 7, green: 8))
    }
    let (report, bytes) = try sources.compiled {
      $0.target = CompileTarget(platform: .macOS)
      $0.icons = .named([])
    }
    #expect(report.diagnostics.isEmpty, "\(report.diagnostics)")
    #expect(try tables(bytes) == [[0, 0]: [[16, 16, 1], [32, 32, 2]]])
    let pictures = try renditions(bytes).filter { $0.key.part == Part.icon }
    #expect(pictures.map { $0.header.width }.sorted() == [16, 32, 32])
    // Archives for phones contain no such icons, and no diagnostic reports icons for another
    // platform.
    sources.image("Star")
    let phone = try sources.compiled { $0.icons = .named([]) }
    #expect(phone.report.diagnostics.isEmpty, "\(phone.report.diagnostics)")
    #expect(try renditions(phone.bytes).allSatisfy { $0.key.part != Part.icon })
  }

  @Test func anIconThatIsNotThereIsAnError() throws {
    let report = try classicIcon().compiled { $0.icons = .named(["Ikon"]) }.report
    let other = try classicIcon().compiled { $0.icons = .all(with: ["Ikon"]) }.report
    #expect(
      other.diagnostics.filter { $0.code == .missingIcon }
        == report.diagnostics.filter { $0.code == .missingIcon })
    #expect(report.diagnostics.contains { $0.code == .missingIcon && $0.severity == .error })
    #expect(report.isRefused)
  }

  /// Settings hold for all catalogues of a project, of which one has the icon.
  @Test func anIconOfSettingsMayLieInAnotherCatalogue() throws {
    var sources = SampleSources()
    sources.image("Star")
    let other = try sources.compiled { $0.icons = .named(["AppIcon"], by: .settings) }.report
    #expect(other.diagnostics.isEmpty, "\(other.diagnostics)")
    let wrong = try classicIcon().compiled { $0.icons = .named(["Ikon"], by: .settings) }.report
    let found = wrong.diagnostics.filter { $0.code == .missingIcon }
    #expect(found.map(\.severity) == [.note])
    #expect(found.first?.message.contains("which the settings of the project name") == true)
  }

  @Test func anIconWithoutPicturesForThePlatformIsNamed() throws {
    var sources = SampleSources()
    sources.image("Star")
    sources.add(
      "AppIcon.appiconset/Contents.json",
      #"{"images":[{"size":"16x16","scale":"1x","idiom":"mac","filename":"a.png"}]}"#)
    sources.files["A.xcassets/AppIcon.appiconset/a.png"] = .bytes(png(width: 16, height: 16))
    let report = try sources.compiled { $0.icons = .named(["AppIcon"]) }.report
    let found = report.diagnostics.filter { $0.code == .missingIcon }
    #expect(found.map(\.severity) == [.warning])
    #expect(found.first?.message.contains("has no picture for iphoneos") == true)
    let mac = try sources.compiled {
      $0.target = CompileTarget(platform: .macOS)
      $0.icons = .named(["AppIcon"])
    }
    #expect(!mac.report.diagnostics.contains { $0.code == .missingIcon })
  }

  /// A set of a document's icons cannot be an app's.
  @Test func anIconOfADocumentIsNoIconOfAnApp() throws {
    var sources = classicIcon()
    sources.files["A.xcassets/Doc.iconset/icon_16x16.png"] = .bytes(png(width: 16, height: 16))
    let report = try sources.compiled {
      $0.target = CompileTarget(platform: .macOS)
      $0.icons = .named(["Doc"])
    }.report
    let finding = try #require(report.diagnostics.first { $0.code == .missingIcon })
    #expect(finding.message.contains("the app icons are Icon"), "\(finding.message)")
    #expect(report.isRefused)
  }

  /// An icon that cannot be read is not reported as missing, too.
  @Test(
    arguments: [
      ("Icon.icon/icon.json", "{", ["json-syntax"]),
      ("Icon.appiconset/Contents.json", "[]", ["wrong-type"]),
      ("Icon.icon/Icon.json", "{}", ["missing-contents", "missing-icon"]),
      ("Other.icon/icon.json", "{", ["missing-icon", "json-syntax"]),
    ])
  func theCauseOfAMissingIconIsSaid(file: String, text: String, codes: [String]) throws {
    var sources = SampleSources()
    sources.add(file, text)
    let report = try sources.compiled { $0.icons = .named(["Icon"]) }.report
    #expect(report.diagnostics.map(\.code.rawValue) == codes)
    #expect(report.isRefused)
  }

  private func singleSize(_ members: String...) -> SampleSources {
    var sources = SampleSources()
    let rows = members.enumerated().map { place, members in
      sources.files["A.xcassets/Icon.appiconset/\(place).png"] = .bytes(
        png(width: 1024, height: 1024, red: UInt8(place)))
      return """
        {"size":"1024x1024","idiom":"universal","platform":"ios","filename":"\(place).png"\(members)}
        """
    }
    sources.add("Icon.appiconset/Contents.json", "{\"images\":[\(rows.joined(separator: ","))]}")
    return sources
  }

  @Test func anIconForOneStyleOnlyIsNeverShown() throws {
    let dark = #","appearances":[{"appearance":"luminosity","value":"dark"}]"#
    let alone = try singleSize(dark).compiled()
    #expect(alone.report.diagnostics.map(\.code) == [.iconNeverShown])
    #expect(try tables(alone.bytes) == [:])
    #expect(try singleSize("", dark).compiled().report.diagnostics == [])
  }

  @Test(
    arguments: [
      ("locale", #","locale":"de""#), ("memory", #","memory":"2GB""#),
      ("width-class", #","width-class":"compact""#),
      ("language-direction", #","language-direction":"right-to-left""#),
      ("display-gamut", #","display-gamut":"display-P3""#),
      ("graphics-feature-set", #","graphics-feature-set":"metal3v1""#),
      ("contrast", #","appearances":[{"appearance":"contrast","value":"high"}]"#),
    ])
  func traitsThatIconsDoNotHaveAreReported(trait: String, members: String) throws {
    let found = try singleSize("", members).compiled().report.diagnostics
    #expect(
      found.map(\.message) == [
        "\"Icon\": Carve knows no icon of Apple's tools with \"\(trait)\"; the picture is stored for "
          + "that trait only"
      ])
  }
}
