// Tests the findings about brand assets, AR resources, stacks, and icons for other devices.

import CatalogModel
import Support
import Testing
import Traits

@Suite struct PartCheckTests {
  /// Returns the findings as lines of a code, a pointer and a message.
  private func lines(_ found: [Diagnostic], _ codes: Set<DiagnosticCode>) -> [String] {
    found.filter { codes.contains($0.code) }.map {
      "\($0.severity) \($0.code.rawValue) \($0.pointer?.text ?? ""): \($0.message)"
    }
  }

  private func brand(_ entries: [String]) -> TreeBuilder {
    var builder = TreeBuilder().folder(
      "B.brandassets", #"{"assets":[\#(entries.joined(separator: ","))]}"#)
    for name in ["S", "L"] {
      builder = builder.folder("B.brandassets/\(name).imagestack", #"{"layers":[]}"#)
    }
    return builder
  }

  @Test(
    arguments: [
      ([#""size":"400x240""#, #""size":"1280x768""#], []),
      (
        [#""size":"400x240""#, #""size":"1280x767""#],
        [
          "warning icon-unknown-size /assets/1/size: no Apple TV shows a \"primary-app-icon\" of "
            + "1280×767 points; it has 400×240 or 1280×768"
        ]
      ),
      (
        [#""size":"400x240""#, #""size":"400x240""#],
        [
          "warning duplicate-slot /assets/1: two entries are a \"primary-app-icon\" of 400×240 points"
        ]
      ),
      (
        [#""size":"1280x768""#, #""idiom":"tv""#],
        [
          "warning missing-key /assets/1: the icon has no \"size\", so it counts as the icon of the "
            + "home screen"
        ]
      ),
    ] as [([String], [String])])
  func sizesThatExchangeTheIconsOfABrandAreReported(sizes: [String], expected: [String]) {
    let entries = zip(["S", "L"], sizes).map { name, size in
      #"{"filename":"\#(name).imagestack","role":"primary-app-icon",\#(size)}"#
    }
    let found = brand(entries).read().diagnostics
    #expect(lines(found, [.iconUnknownSize, .duplicateSlot, .missingKey]) == expected)
  }

  @Test func aRoleThatDoesNotFitItsSizeIsReported() {
    let entry = #"{"filename":"S.imagestack","role":"top-shelf-image","size":"400x240"}"#
    #expect(
      lines(brand([entry]).read().diagnostics, [.iconUnknownSize]) == [
        "warning icon-unknown-size /assets/0/size: no Apple TV shows a \"top-shelf-image\" of "
          + "400×240 points; it has 1920×720"
      ])
  }

  private func arImage(_ entries: [String], _ properties: String = #""width":1"#) -> TreeBuilder {
    var builder = TreeBuilder()
      .folder("G.arresourcegroup", #"{"resources":[{"filename":"P.arreferenceimage"}]}"#)
    for (index, _) in entries.enumerated() {
      builder = builder.picture("G.arresourcegroup/P.arreferenceimage/\(index).png")
    }
    let rows = entries.enumerated().map { #"{"filename":"\#($0).png"\#($1)}"# }
    return builder.folder(
      "G.arresourcegroup/P.arreferenceimage",
      #"{"images":[\#(rows.joined(separator: ","))],"properties":{\#(properties)}}"#)
  }

  @Test func picturesThatAReferenceImageLosesAreReported() {
    let codes: Set<DiagnosticCode> = [.unreachableVariant, .duplicateSlot]
    #expect(lines(arImage([""]).read().diagnostics, codes) == [])
    #expect(
      lines(arImage([#","idiom":"tv""#, #","idiom":"universal""#]).read().diagnostics, codes) == [
        "warning unreachable-variant /images/0: no device of the idiom \"tv\" recognises pictures, "
          + "so \"0.png\" is left out"
      ])
    #expect(
      lines(arImage(["", #","scale":"2x""#]).read().diagnostics, codes) == [
        "warning duplicate-slot /images/1: \"1.png\" is left out: a reference image has one "
          + "picture, and \"0.png\" is the first"
      ])
  }

  @Test func aLengthInAnUnknownUnitIsNoLength() throws {
    let contents = arImage([""], #""width":1,"unit":"furlongs""#).read()
    guard case .arImage(let image)? = contents.asset("G")?.children.first?.contents else {
      Issue.record("no image")
      return
    }
    #expect(image.width == nil && image.unit == nil)
    #expect(contents.diagnostics.map(\.code) == [.unknownValue])
  }

  @Test func aFileInPlaceOfAPartIsReported() {
    let found = TreeBuilder()
      .folder("G.arresourcegroup", #"{"resources":[{"filename":"P.arreferenceimage"}]}"#)
      .picture("G.arresourcegroup/P.arreferenceimage").read().diagnostics
    #expect(
      lines(found, [.danglingReference]) == [
        "warning dangling-reference /resources/0/filename: \"P.arreferenceimage\" is a file, and "
          + "the entry must name a folder"
      ])
  }

  @Test(arguments: [
    (#""canvasSize":{"width":4}"#, "/properties/canvasSize: \"canvasSize\" has no \"height\""),
    (#""canvasSize":{"height":4}"#, "/properties/canvasSize: \"canvasSize\" has no \"width\""),
  ])
  func aSizeWithOneSideIsReported(properties: String, line: String) {
    let found = TreeBuilder()
      .folder("S.imagestack", #"{"layers":[],"properties":{\#(properties)}}"#).read().diagnostics
    #expect(
      lines(found, [.missingKey]) == ["warning missing-key \(line), so it does not count"])
  }

  @Test(arguments: [
    (#""frame-size":{"width":4}"#, "frame-size", "\"height\""),
    (#""frame-center":{"x":4}"#, "frame-center", "\"y\""),
    (#""content-reference":{}"#, "content-reference", "\"name\" of an asset"),
  ])
  func aLayerWithHalfAPropertyIsReported(properties: String, key: String, lack: String) {
    let found = TreeBuilder()
      .folder("S.imagestack", #"{"layers":[{"filename":"L.imagestacklayer"}]}"#)
      .folder("S.imagestack/L.imagestacklayer", #"{"properties":{\#(properties)}}"#)
      .read().diagnostics
    #expect(
      lines(found, [.missingKey]) == [
        "warning missing-key /properties/\(key): \"\(key)\" has no \(lack), so it does not count"
      ])
  }

  /// The parts of a set that is left out are no assets.
  @Test func thePartsOfAStackWithoutContentsAreNotAssets() {
    let contents = TreeBuilder().folder("S.imagestack", "{")
      .folder("S.imagestack/L.imagestacklayer", "{}")
      .folder("S.imagestack/T.imageset", #"{"images":[]}"#).read()
    #expect(contents.assets.map(\.name) == ["T"])
  }

  @Test(
    arguments: [
      (#""idiom":"tv""#, "(tv, 1x): systems of the Apple TV look for icons in a .brandassets"),
      (#""idiom":"vision""#, "(vision, 1x): visionOS looks for icons in a .solidimagestack"),
      (
        #""idiom":"iphone","subtype":"2436h""#,
        "(iphone, 1x, display 2436): only icons of watches depend on the display"
      ),
      (#""idiom":"watch","subtype":"38mm""#, nil),
    ] as [(String, String?)])
  func anIconThatNoSystemLooksForIsReported(traits: String, words: String?) {
    let found = TreeBuilder().picture("I.appiconset/a.png", 40)
      .folder(
        "I.appiconset", images(#"{"filename":"a.png","scale":"1x","size":"40x40",\#(traits)}"#)
      )
      .lint()
    #expect(
      lines(found, [.unreachableVariant])
        == (words.map {
          ["warning unreachable-variant /images/0: no device ever shows this icon of \"I\" \($0)"]
        } ?? []))
  }

  @Test func iconsForAnotherPlatformAreReportedOnce() {
    let entry = #"{"filename":"a.png","size":"40x40","scale":"1x","idiom":"#
    let builder = TreeBuilder().picture("I.appiconset/a.png", 40)
      .folder(
        "I.appiconset",
        images(["\"ipad\"}", "\"watch\"}", "\"mac\"}"].map { entry + $0 }.joined(separator: ",")))
    var options = LintOptions()
    options.platform = .iOS
    #expect(
      lines(builder.lint(options), [.unreachableVariant]) == [
        "note unreachable-variant /images/1: no device of the target ever shows 2 icons of \"I\": "
          + "40×40, watch, 1x; 40×40, mac, 1x"
      ])
    #expect(lines(builder.lint(), [.unreachableVariant]) == [])
  }
}
