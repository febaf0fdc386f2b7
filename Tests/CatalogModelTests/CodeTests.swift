// Checks that each code of the reader and the checks has a page, and a catalogue here that provokes
// it.

import Bytes
import CatalogModel
import Support
import Testing
import Traits

@Suite struct CodeTests {
  @Test(arguments: DiagnosticCode.allCases)
  func everyCodeHasAPage(code: DiagnosticCode) {
    #expect(code.rawValue.wholeMatch(of: /[a-z]+(-[a-z0-9]+)*/) != nil)
    let page = code.page
    #expect(page.code == code)
    #expect(page.meaning.hasSuffix("."), "\(code.rawValue) has no meaning")
    #expect(page.why.hasSuffix("."), "\(code.rawValue) has no effect")
    #expect(page.remedy.hasSuffix("."), "\(code.rawValue) has no remedy")
    // EndToEndTests/CodeExampleTests replays the example.
    #expect(!page.before.isEmpty && !page.after.isEmpty, "\(code.rawValue) has no example")
    for line in "\(page.before)\n\(page.after)".split(separator: "\n") {
      #expect(line.count <= 96, "\(code.rawValue): a line of the example is too long")
    }
    #expect(diagnosticPages().contains("\n## \(code.rawValue)\n"))
  }

  @Test func noCodeHasTwoPages() {
    let codes = CodePage.all.joined().map(\.code)
    #expect(codes.count == Set(codes).count)
  }

  @Test(arguments: provocations) func aCatalogueProvokesTheCode(row: Provocation) {
    let found = row.builder.lint(row.options)
    #expect(
      found.contains { $0.code == row.code },
      "\(row.code.rawValue) is not among \(found.map(\.code.rawValue))")
  }

  @Test func everyCodeButThoseOfTheCompilerIsProvoked() {
    let compiler: Set<DiagnosticCode> = [
      .unsupportedSet, .unsupportedImage, .vectorNotRasterized, .unknownSystemColor, .iconNotChosen,
      .missingIcon, .missingStoreIcon, .settingNotApplied, .emptyArchive, .otherPlatform,
      .symbolClash, .unprovenForm, .iconDrawnPlainly, .iconGlassApproximated,
    ]
    // UsesTests provokes those of uses.
    let others = compiler.union(DiagnosticCode.ofUses)
    let provoked = Set(provocations.map(\.code))
    let missing = DiagnosticCode.allCases.filter {
      !provoked.contains($0) && !others.contains($0)
    }
    #expect(missing.map(\.rawValue) == [])
  }

  @Test(
    arguments: [
      (#"width="0" height="4""#, "<g/>", "its page has no size"),
      ("", "<g/>", "its page has no size"),
      (
        #"width="9000" height="4""#, "<g/>",
        "its page has too many pixels on a side (more than 16384)"
      ),
      (#"viewBox="0 0 4 4""#, "<g>", "an element is not closed (at byte 67)"),
    ])
  func vectorsThatCannotBeDrawnAreErrors(attributes: String, contents: String, words: String) {
    let found = svg(attributes, contents).findings(.brokenImage)
    #expect(found.map(\.message) == ["the file cannot be drawn: \(words)"])
  }

  @Test(
    arguments: [
      (#"width="4" height="4""#, #"<path d="M0 0H5V5z"/>"#),
      (#"width="4" height="4" viewBox="0 0 9 9""#, #"<path d="M0 0H9V9z"/>"#),
      (
        #"width="4" height="4""#,
        #"<clipPath id="a"><path d="M0 0H4V4z"/></clipPath><path clip-path="url(#a)" d="M0 0H9V9z"/>"#
      ),
    ])
  func vectorsThatAreNotCutAreFine(attributes: String, contents: String) {
    #expect(svg(attributes, contents).findings(.vectorCut) == [])
  }

  /// A Mac also runs apps of phones and pads, whose archives are not for the platform of the Mac.
  @Test func aMacHasNoHoleForAppsOfPads() throws {
    var options = LintOptions()
    options.platform = .macOS
    options.devices = [try #require(Device(named: "MacFamily20,1"))]
    let set = start.imageSet("S", [#""scale":"2x","idiom":"mac""#])
    #expect(set.findings(.reachableHole, options) == [])
    options.devices = [try #require(Device.all.first { $0.idiom == .mac })]
    #expect(set.findings(.reachableHole, options) == [])
    #expect(
      start.imageSet("S", [#""scale":"2x","idiom":"ipad""#]).findings(.reachableHole, options)
        .count == 1)
  }

  @Test func aCleanCatalogueHasNoFindings() {
    let clean = TreeBuilder()
      .imageSet("Star", [#""scale":"2x""#, #""scale":"3x""#], sides: [8, 12])
      .colorSet("Red", [#"{"color":{"color-space":"srgb","components":\#(red)}}"#])
      .folder("Group", #"{"info":{"author":"xcode","version":1}}"#)
    #expect(clean.lint() == [])
  }
}

struct Provocation: Sendable, CustomTestStringConvertible {
  var code: DiagnosticCode
  var builder: TreeBuilder
  var options = LintOptions()

  init(_ code: DiagnosticCode, _ builder: TreeBuilder, _ options: LintOptions = LintOptions()) {
    self.code = code
    self.builder = builder
    self.options = options
  }

  var testDescription: String { code.rawValue }
}

private let provocations: [Provocation] =
  fileProvocations + jsonProvocations + nameProvocations + slotProvocations + pictureProvocations
  + setProvocations + symbolProvocations + targetProvocations

private let start = TreeBuilder()
let red = #"{"red":"1.0","green":"0.0","blue":"0.0","alpha":"1.0"}"#

/// Returns an image set with one picture of these bytes.
private func picture(_ name: String, _ bytes: [UInt8]) -> TreeBuilder {
  start.folder("S.imageset", images(#"{"filename":"\#(name)"}"#)).file("S.imageset/\(name)", bytes)
}

private func json(_ text: String) -> TreeBuilder { start.folder("S.imageset", text) }

private func symbol(_ template: String) -> TreeBuilder {
  start.folder("S.symbolset", #"{"symbols":[{"filename":"a.svg"}]}"#)
    .file("S.symbolset/a.svg", Array(template.utf8))
}

/// Returns a symbol whose template has three weights. The boldest can have other outlines, and a
/// margin can be added.
private func variableSymbol(boldest: String? = nil, margin: Double = 0) -> TreeBuilder {
  var sample = SymbolSample.variable()
  if let boldest { sample.drawings[2].body = "<path d=\"\(boldest)\"/>" }
  sample.addMargin("right", "Light-S", x: margin)
  return symbol(sample.text)
}

private let symbolProvocations: [Provocation] = [
  Provocation(.carveExtension, json(images(#"{"filename":"a.png","content-size":"AX1"}"#))),
  Provocation(.symbolDrawing, symbol("<svg width='9' height='9'><path d='M0 0H9V9Z'/></svg>")),
  Provocation(
    .symbolGuide,
    symbol("<svg width='9' height='9'><path id='Regular-M' d='M0 0H9V9Z'/></svg>")),
  Provocation(.symbolMasters, variableSymbol(boldest: "M600 30H640V60L680 80V110H600Z")),
  Provocation(.symbolMargin, variableSymbol(margin: 1001)),
]

private let fileProvocations: [Provocation] = [
  Provocation(.notACatalog, start.special("", .folder).outside("A.xcassets", .bytes([1]))),
  Provocation(.unreadableFolder, start.special("G", .unreadable).file("G/x", [])),
  Provocation(
    .unreadableFile, start.folder("S.imageset").special("S.imageset/Contents.json", .unreadable)),
  Provocation(.folderTooDeep, start.folder((0..<40).map { "g\($0)" }.joined(separator: "/"))),
  Provocation(.linkLoop, start.folder("G").special("G/up", .link(to: "A.xcassets"))),
  Provocation(
    .linkOutsideCatalog,
    start.special("S.imageset/a.png", .link(to: "other/a.png"))
      .outside("other/a.png", .bytes(png(width: 1, height: 1)))),
  Provocation(.invalidFileName, json(images(#"{"filename":".."}"#))),
  Provocation(.missingContents, start.folder("S.imageset")),
  Provocation(.unknownSetType, start.folder("S.imgset", images(""))),
  Provocation(.misspelledSetType, start.folder("S.ImageSet", images(""))),
  Provocation(.dottedGroup, start.imageSet("status.badge/Star", [""])),
  Provocation(.nestedSet, start.imageSet("Outer", [""]).imageSet("Outer.imageset/Inner", [""])),
  Provocation(.strayFile, start.file("notes.txt", [1])),
]

private let jsonProvocations: [Provocation] = [
  Provocation(.jsonSyntax, json("{\"images\" [")),
  Provocation(
    .jsonTooLarge, start.special("S.imageset/Contents.json", .sparse(size: 1 << 30))),
  Provocation(.jsonTooDeep, json(String(repeating: "[", count: 10_000))),
  Provocation(
    .jsonEncoding, start.file("S.imageset/Contents.json", [0x7B, 0x22, 0xFF, 0x22, 0x7D])),
  Provocation(.jsonByteOrderMark, json("\u{FEFF}{}")),
  Provocation(.jsonTrailingComma, json(#"{"images":[],}"#)),
  Provocation(.jsonDuplicateKey, json(#"{"images":[],"images":[]}"#)),
  Provocation(.jsonFormat, json("{}"), formatOptions),
  Provocation(.wrongType, json(#"{"images":7}"#)),
  Provocation(.numberRange, json(images(#"{"alignment-insets":{"top":1e300}}"#))),
  Provocation(.unknownKey, json(images(#"{"idom":"iphone"}"#))),
  Provocation(.misspelledKey, json(images(#"{"displayGamut":"sRGB"}"#))),
  Provocation(.misplacedKey, json(#"{"info":{"template-rendering-intent":"template"}}"#)),
  Provocation(.missingKey, json(images(#"{"resizing":{}}"#))),
  Provocation(.unknownValue, json(images(#"{"idiom":"fridge"}"#))),
  Provocation(.misspelledValue, json(images(#"{"idiom":"iPhone"}"#))),
  Provocation(.unknownVersion, json(#"{"info":{"version":2}}"#)),
  Provocation(
    .tooManyFindings,
    json(images((0..<200).map { #"{"key\#($0)":1}"# }.joined(separator: ",")))),
]

private let formatOptions: LintOptions = {
  var options = LintOptions()
  options.checksFormat = true
  return options
}()

private let nameProvocations: [Provocation] = [
  Provocation(.nameClash, start.imageSet("One/Star", [""]).imageSet("Two/Star", [""])),
  Provocation(
    .nameSharedByTypes, start.imageSet("Star", [""]).colorSet("Star", [#"{"idiom":"universal"}"#])),
  Provocation(.nameDiffersInCase, start.imageSet("Star", [""]).imageSet("star", [""])),
  Provocation(
    .equivalentNames, start.imageSet("\u{E9}", [""]).imageSet("e\u{301}", [""])),
  Provocation(.unprintableName, start.imageSet("Star ", [""])),
  Provocation(
    .iconShadowsAppIcon,
    start.folder("AppIcon.appiconset", images("")).file("AppIcon.icon/icon.json", "{}".utf8)),
  Provocation(
    .needsXcode27,
    start.file("AppIcon.icon/icon.json", #"{"features":["refractivity"]}"#.utf8)),
  Provocation(
    .refusedByApple, start.file("AppIcon.icon/icon.json", #"{"features":["sparkle"]}"#.utf8)),
]

private let slotProvocations: [Provocation] = [
  Provocation(.missingFile, json(images(#"{"filename":"a.png"}"#))),
  Provocation(
    .fileCaseMismatch, json(images(#"{"filename":"A.png"}"#)).picture("S.imageset/a.png")),
  Provocation(.notAFile, json(images(#"{"filename":"a.png"}"#)).folder("S.imageset/a.png")),
  Provocation(.fileOutsideFolder, json(images(#"{"filename":"../a.png"}"#))),
  Provocation(.unassignedFile, json(images("")).picture("S.imageset/a.png")),
  Provocation(
    .unlistedPart,
    start.folder("S.imagestack", #"{"layers":[]}"#).folder("S.imagestack/A.imagestacklayer", "{}")),
  Provocation(.hiddenSet, start.folder(".S.imageset", images(""))),
  Provocation(.unassignedEntry, start.imageSet("S", [#""unassigned":true"#])),
  Provocation(.emptyUnassignedEntry, json(images(#"{"unassigned":true}"#))),
  Provocation(
    .fileInSeveralSlots,
    json(images(#"{"filename":"a.png","scale":"1x"},{"filename":"a.png","scale":"2x"}"#))
      .picture("S.imageset/a.png")),
  Provocation(.duplicateSlot, start.imageSet("S", [#""scale":"2x""#, #""scale":"2x""#])),
  Provocation(.tooManyCombinations, start.imageSet("S", combined)),
  Provocation(.duplicateFile, start.imageSet("One", [""]).imageSet("Two", [""])),
  Provocation(.emptySet, json(images(""))),
  Provocation(
    .emptySlot,
    json(images(#"{"filename":"a.png"},{"idiom":"ipad","scale":"2x"}"#)).picture("S.imageset/a.png")
  ),
  Provocation(.missingScale, start.imageSet("S", [#""scale":"1x""#])),
  Provocation(
    .appearanceHole,
    start.imageSet("S", ["", #""appearances":[\#(dark)]"#, #""appearances":[\#(high)]"#])),
  Provocation(
    .unsupportedAppearance, start.imageSet("S", ["", #""appearances":[\#(tinted),\#(high)]"#])),
  Provocation(.localeNotLocalizable, start.imageSet("S", ["", #""locale":"fr""#])),
  Provocation(
    .danglingReference,
    start.folder("S.imagestack", #"{"layers":[{"filename":"Front.imagestacklayer"}]}"#)),
]

/// Entries that all differ on many axes.
private let combined = (1...8).map { number in
  """
  "graphics-feature-set":"apple\(number)","memory":"\([1, 2, 3, 4, 6, 8][number % 6])GB",\
  "locale":"\(["de", "fr", "it", "es", "pt", "nl", "sv", "da"][number - 1])",\
  "appearances":[\(number % 2 == 0 ? dark : high)],\
  "display-gamut":"\(number % 2 == 0 ? "sRGB" : "display-P3")",\
  "scale":"\(1 + number % 3)x","width-class":"\(number % 2 == 0 ? "compact" : "regular")",\
  "height-class":"\(number / 2 % 2 == 0 ? "compact" : "regular")",\
  "language-direction":"\(number / 4 % 2 == 0 ? "left-to-right" : "right-to-left")"
  """
}

private let tinted = #"{"appearance":"luminosity","value":"tinted"}"#
private let dark = #"{"appearance":"luminosity","value":"dark"}"#
private let high = #"{"appearance":"contrast","value":"high"}"#

private let pictureProvocations: [Provocation] = [
  Provocation(.brokenImage, picture("a.png", Array("hello".utf8))),
  Provocation(.cutImage, picture("a.png", Array(png(width: 9, height: 9).dropLast(20)))),
  Provocation(.wrongContent, picture("a.jpg", png(width: 9, height: 9))),
  Provocation(.unsupportedFormat, picture("a.gif", smallGIF)),
  Provocation(.optimizedPNG, picture("a.png", optimizedPNG)),
  Provocation(
    .animatedImage,
    picture(
      "a.png",
      png(
        width: 1, height: 1, color: .gray, samples: [0],
        extra: [pngChunk("acTL", [0, 0, 0, 3, 0, 0, 0, 0])]))),
  Provocation(
    .sixteenBitImage,
    picture("a.png", png(width: 1, height: 1, color: .gray, depth: 16, samples: [0, 0]))),
  Provocation(.wideGamutImage, picture("a.png", wideGamutPNG)),
  Provocation(.vectorFeature, svg(#"width="4" height="4""#, "<text>A</text>")),
  Provocation(.vectorCut, svg(#"width="4" height="4""#, #"<path d="M0 0H9V9z"/>"#)),
  Provocation(.rotatedImage, picture("a.jpg", jpeg(width: 4, height: 2, orientation: 6))),
]

/// Returns an image set with an SVG of these attributes and contents.
private func svg(_ attributes: String, _ contents: String) -> TreeBuilder {
  picture(
    "a.svg", Array("<svg xmlns=\"http://www.w3.org/2000/svg\" \(attributes)>\(contents)</svg>".utf8)
  )
}

private let setProvocations: [Provocation] = [
  Provocation(
    .sizeMismatch, start.imageSet("S", [#""scale":"1x""#, #""scale":"3x""#])),
  Provocation(
    .sizeOffScale,
    json(images(#"{"filename":"a.png","scale":"2x"}"#)).picture("S.imageset/a.png", 5)),
  Provocation(
    .insetsExceedPicture, start.imageSet("S", [#""alignment-insets":{"left":6,"right":6}"#])),
  Provocation(
    .capsExceedPicture,
    start.imageSet(
      "S", [#""resizing":{"mode":"9-part","cap-insets":{"left":7,"right":7,"top":1,"bottom":1}}"#])),
  Provocation(
    .iconSize, icons(#"{"filename":"a.png","size":"60x60","scale":"2x","idiom":"iphone"}"#)),
  Provocation(
    .iconUnknownSize, icons(#"{"filename":"a.png","size":"61x61","scale":"2x","idiom":"iphone"}"#)),
  Provocation(
    .iconHasAlpha,
    icons(#"{"filename":"a.png","size":"1024x1024","scale":"1x","idiom":"ios-marketing"}"#)),
  Provocation(
    .iconNeverShown,
    icons(
      #"{"filename":"a.png","size":"1024x1024","idiom":"universal","platform":"ios","#
        + #""appearances":[\#(dark)]},"#
        + #"{"filename":"a.png","size":"60x60","scale":"2x","idiom":"iphone"}"#)),
  Provocation(.colorIncomplete, color(#"{"color-space":"srgb","components":{"red":"1.0"}}"#)),
  Provocation(
    .colorOutOfRange,
    color(#"{"color-space":"srgb","components":{"red":1.5,"green":0,"blue":0,"alpha":1}}"#)),
  Provocation(
    .colorNearZero,
    color(#"{"color-space":"srgb","components":{"red":"1","green":0,"blue":0,"alpha":1}}"#)),
]

private func icons(_ entries: String) -> TreeBuilder {
  start.folder("AppIcon.appiconset", images(entries)).picture("AppIcon.appiconset/a.png")
}

private func color(_ value: String) -> TreeBuilder { start.colorSet("C", ["{\"color\":\(value)}"]) }

private let targetProvocations: [Provocation] = [
  Provocation(.olderTarget, color(#"{"color-space":"srgb","components":\#(red)}"#), oldTarget),
  Provocation(
    .unreachableVariant,
    start.imageSet("S", [#""scale":"2x""#, #""scale":"2x","idiom":"watch""#]), newTarget),
  Provocation(
    .reachableHole, start.imageSet("S", [#""scale":"2x","idiom":"ipad""#]), newTarget),
]

private let oldTarget: LintOptions = {
  var options = LintOptions()
  options.platform = .iOS
  options.minimum = OSVersion(9)
  return options
}()

private let newTarget: LintOptions = {
  var options = LintOptions()
  options.platform = .iOS
  options.idioms = [.phone]
  options.minimum = OSVersion(15)
  return options
}()
