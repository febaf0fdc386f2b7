// Tests reading each type of set into its values.

import CatalogModel
import Support
import Testing
import Traits

@Suite struct SetTests {
  @Test func anImageEntryHasAllOfItsKey() throws {
    let entry = #"""
      {"filename":"a.png","idiom":"ipad","scale":"2x","memory":"4GB","graphics-feature-set":"metal3v2",
       "width-class":"compact","height-class":"regular","language-direction":"right-to-left",
       "display-gamut":"display-P3","subtype":"2388h","locale":"fr","compression-type":"lossy",
       "appearances":[{"appearance":"luminosity","value":"dark"},
                      {"appearance":"contrast","value":"high"}],
       "alignment-insets":{"top":1,"left":2.5,"bottom":3,"right":4}}
      """#
    let text = """
      {"images":[\(entry)],"properties":{"template-rendering-intent":"template","localizable":true,
       "preserves-vector-representation":true,"on-demand-resource-tags":["one"]}}
      """
    let contents = TreeBuilder().folder("S.imageset", text).picture("S.imageset/a.png").read()
    let set = try #require(contents.images("S"))
    let found = try #require(set.entries.first)
    var key = VariantKey()
    key.idiom = .pad
    key.scale = 2
    key.memory = 4
    key.graphics = .apple3
    key.width = .compact
    key.height = .regular
    key.direction = .rightToLeft
    key.gamut = .p3
    key.subtype = 2388
    key.locale = nameIdentifier("fr".utf8)
    key.style = .dark
    key.contrast = .high
    #expect(found.slot.key == key)
    #expect(found.slot.locale == "fr")
    #expect(found.slot.pointer == "/images/0")
    #expect(found.compression == .lossy)
    #expect(found.insets == Insets(top: 1, left: 2.5, bottom: 3, right: 4))
    #expect(set.renderingIntent == .template)
    #expect(set.isLocalizable && set.preservesVector)
    #expect(contents.asset("S")?.onDemandTags == ["one"])
    #expect(contents.diagnostics == [])
  }

  @Test func aVectorWithoutAScaleServesAll() throws {
    let text = images(
      #"{"filename":"a.pdf"},{"filename":"b.png"},{"filename":"c.svg","scale":"2x"}"#)
    let set = try #require(TreeBuilder().folder("S.imageset", text).read().images("S"))
    #expect(set.entries.map(\.slot.key.scale) == [0, 1, 2])
    #expect(set.entries.map(\.slot.scale) == [nil, nil, 2])
  }

  @Test func anIntentInInfoCountsIfThereIsNoOther() throws {
    let legacy = #"{"info":{"template-rendering-intent":"template"}"#
    let alone = TreeBuilder().folder("S.imageset", legacy + "}").read()
    #expect(alone.images("S")?.renderingIntent == .template)
    let both = legacy + #","properties":{"template-rendering-intent":"original"}}"#
    #expect(
      TreeBuilder().folder("S.imageset", both).read().images("S")?.renderingIntent == .original)
  }

  /// Values of a slicing that do not count, that are rounded or that nothing can mean.
  @Test(arguments: [
    (#""mode":"9-part""#, "missing-key /0/resizing"),
    (#""mode":"9-part","center":{"mode":"tile"}"#, ""),
    (
      #""mode":"9-part","cap-insets":{"left":1},"center":{"width":0,"height":0}"#,
      "number-range /0/resizing/center/width, number-range /0/resizing/center/height"
    ),
    (
      #""mode":"9-part","cap-insets":{"top":4.4,"bottom":4.6}"#,
      "number-range /0/resizing/cap-insets/top, number-range /0/resizing/cap-insets/bottom"
    ),
    (
      #""mode":"3-part-horizontal","cap-insets":{"left":1,"top":2},"center":{"height":3}"#,
      "unknown-key /0/resizing/cap-insets/top, unknown-key /0/resizing/center/height"
    ),
    (
      #""mode":"3-part-vertical","cap-insets":{"top":1,"left":0},"center":{"width":3,"height":2}"#,
      "unknown-key /0/resizing/center/width"
    ),
  ])
  func aSlicingIsNotGuessed(members: String, expected: String) {
    let entry = #"{"filename":"a.png","resizing":{\#(members)}}"#
    let contents = TreeBuilder().folder("S.imageset", images(entry)).picture("S.imageset/a.png")
      .read()
    let found = contents.diagnostics.map {
      "\($0.code.rawValue) \(($0.pointer ?? "").text.dropFirst("/images".count))"
    }
    #expect(Set(found) == Set(expected.split(separator: ", ").map(String.init)))
  }

  /// The lengths of a vector are multiplied by scales before they are rounded.
  @Test func theSlicesOfAVectorMayHaveFractions() {
    let entry = #"{"filename":"a.pdf","resizing":{"mode":"9-part","cap-insets":{"top":4.5}}}"#
    let contents = TreeBuilder().folder("S.imageset", images(entry))
      .file("S.imageset/a.pdf", "%PDF".utf8).read()
    #expect(contents.diagnostics == [])
  }

  @Test(arguments: [
    ("srgb:0,136,255,255", "\"green\" is 136, and must lie between 0 and 1 in srgb"),
    ("gray:0.5,2", "\"alpha\" is 2, and must lie between 0 and 1 in gray"),
    ("extended-srgb:0,1.2,0,1", nil), ("srgb:0,0.5,1,1", nil),
  ])
  func theRangeOfAnIconsColorIsChecked(color: String, message: String?) {
    let text = #"{"fill":{"solid":"\#(color)"},"groups":[],"supported-platforms":{}}"#
    let found = TreeBuilder().file("I.icon/icon.json", text.utf8).folder("I.icon/Assets").read()
      .diagnostics.filter { $0.code == .colorOutOfRange }
    #expect(found.map(\.message) == [message].compactMap { $0 })
    #expect(found.allSatisfy { $0.pointer == "/fill/solid" && $0.line == 1 })
  }

  /// A picture in a symbol set is not read as markup.
  @Test(arguments: [("a.png", "a PNG"), ("a.pdf", "a PDF")])
  func aSymbolThatIsNoTemplateIsNamedByItsKind(file: String, kind: String) {
    let bytes = file == "a.png" ? png(width: 4, height: 4) : Array("%PDF-1.4".utf8)
    let contents = TreeBuilder()
      .folder("S.symbolset", #"{"symbols":[{"filename":"\#(file)"}]}"#)
      .file("S.symbolset/\(file)", bytes).read()
    #expect(
      contents.diagnostics.map(\.message) == [
        "\"\(file)\" cannot be read: it holds \(kind), and a symbol needs an SVG template"
      ])
  }

  @Test func aPictureWithoutAnExtensionIsSaidToHaveNone() {
    let found = TreeBuilder().folder("S.imageset", images(#"{"filename":"picture"}"#))
      .picture("S.imageset/picture").findings(.wrongContent)
    #expect(found.map(\.message) == ["the file has no extension, but holds a PNG"])
  }

  private static let components: [(String, Double)] = [
    (#""0.5""#, 0.5), (#""1.000""#, 1), (#""0xB4""#, 180.0 / 255), (#""0XFF""#, 1),
    (#""189""#, 189.0 / 255), (#""1""#, 1.0 / 255), ("0.25", 0.25), ("1", 1), ("0", 0),
    (#"" 0.5 ""#, 0.5), (#""0.1""#, Double(Float(0.1))),
  ]

  @Test(arguments: components)
  func aComponentIsReadAsItsAuthorMeantIt(text: String, value: Double) throws {
    let color =
      #"{"color":{"color-space":"srgb","components":{"red":\#(text),"green":0,"blue":0,"alpha":1}}}"#
    let set = try #require(TreeBuilder().colorSet("C", [color]).read().colors("C"))
    #expect(
      set.entries.first?.value == .color(Color(space: .srgb, components: [value, 0, 0, 1])))
  }

  @Test func coloursAreGraysAndReferencesToo() throws {
    let set = try #require(
      TreeBuilder().colorSet(
        "C",
        [
          #"{"color":{"color-space":"gray-gamma-22","components":{"white":"0.500","alpha":"1.0"}}}"#,
          #"{"color":{"platform":"ios","reference":"systemBlueColor"},"idiom":"ipad"}"#,
          #"{"idiom":"mac"}"#,
        ]
      ).read().colors("C"))
    #expect(
      set.entries.map(\.value) == [
        .color(Color(space: .grayGamma22, components: [0.5, 1])),
        .reference(platform: "ios", name: "systemBlueColor"), nil,
      ])
  }

  @Test func iconsHaveSizesAndRoles() throws {
    let text = images(
      #"{"size":"83.5x83.5","idiom":"ipad","scale":"2x","filename":"a.png"},"#
        + #"{"size":"86x86","idiom":"watch","scale":"2x","role":"quickLook","subtype":"38mm"},"#
        + #"{"size":"1024x1024","idiom":"universal","platform":"ios"}"#)
    let contents = TreeBuilder().folder("I.appiconset", text).read()
    guard case .appIcons(let set)? = contents.asset("I")?.contents else {
      Issue.record("no icon set")
      return
    }
    #expect(set.entries[0].pixelSize == PointSize(width: 167, height: 167))
    #expect(set.entries[1].role == "quickLook")
    #expect(set.entries[1].slot.key.subtype == 320)
    #expect(set.entries[2].slot.platform == .iOS)
    #expect(set.entries[2].pixelSize == PointSize(width: 1024, height: 1024))
  }

  @Test func anIconSetIsReadFromItsFileNames() throws {
    let contents = TreeBuilder().folder("I.iconset").picture("I.iconset/icon_16x16@2x.png", 32)
      .picture("I.iconset/icon_16x16.png", 16).picture("I.iconset/other.png").read()
    guard case .icons(let set)? = contents.asset("I")?.contents else {
      Issue.record("no icon set")
      return
    }
    #expect(set.entries.map { [$0.size, Int($0.scale)] } == [[16, 1], [16, 2]])
    #expect(contents.diagnostics.map(\.code) == [.unassignedFile])
  }

  @Test func partsLieInTheirWhole() throws {
    let contents = TreeBuilder()
      .folder(
        "B.brandassets",
        #"{"assets":[{"filename":"Icon.imagestack","role":"primary-app-icon","size":"400x240"}]}"#
      )
      .folder(
        "B.brandassets/Icon.imagestack", #"{"layers":[{"filename":"Front.imagestacklayer"}]}"#
      )
      .folder("B.brandassets/Icon.imagestack/Front.imagestacklayer", "{}")
      .imageSet("B.brandassets/Icon.imagestack/Front.imagestacklayer/Content", [#""idiom":"tv""#])
      .read()
    #expect(contents.assets.map(\.name) == ["B"])
    let stack = try #require(contents.asset("B")?.children.first)
    #expect(stack.type == .imageStack)
    #expect(stack.children.map(\.name) == ["Front"])
    #expect(stack.children.first?.children.map(\.name) == ["Content"])
    #expect(contents.diagnostics == [])
  }

  @Test func aSetThatIsNoPartOfItsWholeIsAnAssetOfItsOwn() throws {
    let contents = TreeBuilder()
      .folder("S.imagestack", #"{"layers":[{"filename":"Front.imagestacklayer"}]}"#)
      .folder("S.imagestack/Front.imagestacklayer", "{}")
      .imageSet("S.imagestack/Front.imagestacklayer/Content", [#""idiom":"tv""#])
      .folder("S.imagestack/Front.imagestacklayer/Red.colorset", #"{"colors":[]}"#)
      .folder("S.imagestack/Blue.colorset", #"{"colors":[]}"#)
      .read()
    #expect(contents.assets.map(\.name) == ["Blue", "Red", "S"])
    #expect(contents.asset("S")?.children.map(\.name) == ["Front"])
    #expect(contents.asset("S")?.children.first?.children.map(\.name) == ["Content"])
    let nested = contents.diagnostics.filter { $0.code == .nestedSet }
    let folders = ["Blue.colorset", "Front.imagestacklayer/Red.colorset"]
    #expect(nested.map(\.file).sorted() == folders.map { "A.xcassets/S.imagestack/\($0)" })
  }

  @Test(arguments: SetType.allCases) func everyTypeIsReadFromAnEmptyObject(type: SetType) {
    let file = type == .iconBundle ? "icon.json" : "Contents.json"
    let contents = TreeBuilder().file("S.\(type.rawValue)/\(file)", "{}".utf8).read()
    #expect(contents.assets.map(\.type) == [type])
    #expect(!contents.diagnostics.contains { $0.severity == .error })
  }
}

/// Entries with an unknown variant. Each is left out, and a finding gives the reason.
@Suite struct UnknownVariantTests {
  @Test(arguments: [
    (#""idiom":"fridge""#, DiagnosticCode.unknownValue), (#""Idiom":"fridge""#, .unknownValue),
    (#""idiom":["ipad"]"#, .wrongType), (#""locale":3"#, .wrongType),
    (#""appearances":{"appearance":"luminosity","value":"dark"}"#, .wrongType),
    (#""appearances":["dark"]"#, .wrongType),
    (#""appearances":[{"appearance":"luminosity"}]"#, .missingKey),
    (#""appearances":[{"value":"dark"}]"#, .missingKey), (#""appearances":[{}]"#, .missingKey),
    (
      #""appearances":[{"appearance":"luminosity","value":"dark"},"#
        + #"{"appearance":"luminosity","value":"light"}]"#, .unknownValue
    ),
  ])
  func anEntryOfAnUnknownVariantIsLeftOutAndSaysWhy(member: String, code: DiagnosticCode) throws {
    let contents = TreeBuilder().imageSet("S", [member]).read()
    #expect(contents.images("S")?.entries.isEmpty == true)
    #expect(contents.diagnostics.contains { $0.code == code && $0.line != nil })
  }

  @Test(arguments: SetType.allCases)
  func theOtherKeysOfAnEntryOfAnUnknownVariantAreKnown(type: SetType) throws {
    for list in contentsDescription(of: type)?.members ?? [] {
      guard case .array(.object(let entry)) = list.kind, entry["idiom"] != nil else { continue }
      let others = entry.members.filter { $0.key != "idiom" }
        .map { member in "\"\(member.key)\":\"x\"" }
      let text = #"{"\#(list.key)":[{"idiom":"fridge",\#(others.joined(separator: ","))}]}"#
      let contents = TreeBuilder().folder("S.\(type.rawValue)", text).read()
      #expect(contents.diagnostics.contains { $0.code == .unknownValue })
      #expect(contents.diagnostics.filter { $0.code == .unknownKey } == [])
    }
  }

  @Test(arguments: [
    ("dataset", "data"), ("symbolset", "symbols"), ("imageset", "images"), ("mipmapset", "levels"),
    ("appiconset", "images"), ("colorset", "colors"),
  ])
  func anUnassignedEntryIsOneInEverySet(type: String, key: String) throws {
    let color = #""color":{"reference":"x"},"#
    let text = """
      {"\(key)":[{"unassigned":true,\(type == "colorset" ? color : "")"filename":"a.bin"}]}
      """
    let contents = TreeBuilder().folder("S.\(type)", text).file("S.\(type)/a.bin", [1]).read()
    #expect(contents.diagnostics.contains { $0.code == .emptySet })
    #expect(!contents.diagnostics.contains { $0.pointer?.hasSuffix("/unassigned") == true })
  }

  @Test func aTagThatIsNoTextIsReported() {
    let text = #"{"images":[],"properties":{"on-demand-resource-tags":["a",7]}}"#
    let contents = TreeBuilder().folder("S.imageset", text).read()
    #expect(contents.asset("S")?.onDemandTags == ["a"])
    #expect(contents.diagnostics.contains { $0.code == .wrongType && $0.column == 59 })
  }
}
