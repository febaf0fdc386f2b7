// Tests the findings about parts and files that no entry names, about entries that were not read,
// and about names that are not in the folder: the cause once, and no suggestion that is wrong.

import Bytes
import CatalogModel
import Support
import Testing

/// A catalogue, and all of its warnings and errors.
private struct Row: Sendable, CustomTestStringConvertible {
  var name: String
  var builder: TreeBuilder
  var expected: [String]

  init(_ name: String, _ builder: TreeBuilder, _ expected: [String]) {
    (self.name, self.builder, self.expected) = (name, builder, expected)
  }

  var testDescription: String { name }
}

private let start = TreeBuilder()

/// Returns a stack with layers of these names, and the text of its Contents.json.
private func stack(_ text: String, _ layers: [String] = ["Front", "Back"]) -> TreeBuilder {
  layers.reduce(start.folder("S.imagestack", text)) { builder, name in
    let layer = "S.imagestack/\(name).imagestacklayer"
    return builder.folder(layer, "{}")
      .folder("\(layer)/Content.imageset", images(#"{"idiom":"tv","filename":"a.png"}"#))
      .picture("\(layer)/Content.imageset/a.png", 8 + name.count)
  }
}

private func layers(_ names: String...) -> String {
  let rows = names.map { "{\"filename\":\"\($0).imagestacklayer\"}" }
  return "{\"layers\":[\(rows.joined(separator: ","))]}"
}

/// Returns brand assets with an image set, and with these members of the entry beside its name.
private func brand(_ members: String) -> TreeBuilder {
  start.folder(
    "B.brandassets",
    "{\"assets\":[{\"filename\":\"Shelf.imageset\",\"idiom\":\"tv\"\(members)}]}"
  ).folder("B.brandassets/Shelf.imageset", images(#"{"idiom":"tv","filename":"a.png"}"#))
    .picture("B.brandassets/Shelf.imageset/a.png")
}

private func set(_ text: String, _ files: [String] = ["a.png"]) -> TreeBuilder {
  files.reduce(start.folder("S.imageset", text)) { $0.picture("S.imageset/\($1)", 3 + $1.count) }
}

private func icon(_ text: String, _ files: [String] = ["a.png"]) -> TreeBuilder {
  files.reduce(start.file("I.icon/icon.json", text.utf8)) { $0.picture("I.icon/Assets/\($1)") }
}

private func layer(_ members: String) -> String {
  #"{"supported-platforms":{"squares":"shared"},"groups":[{"layers":[{\#(members)}]}]}"#
}

private let unlisted = "no entry of \"layers\" names it"

private let rows = [
  // Parts
  Row("all layers are listed", stack(layers("Front", "Back")), []),
  Row(
    "a layer is not listed", stack(layers("Front")),
    ["unlisted-part: \"Back.imagestacklayer\" is left out: \(unlisted)"]),
  Row(
    "the list is empty", stack(layers(), ["Front"]),
    ["unlisted-part: \"Front.imagestacklayer\" is left out: \(unlisted)"]),
  Row(
    "there is no list", stack("{}"),
    [
      "missing-key: the set has no \"layers\", so \"Back.imagestacklayer\" and "
        + "\"Front.imagestacklayer\" are left out"
    ]),
  Row(
    "the list has another name", stack(#"{"layrs":[]}"#),
    ["unknown-key: unknown key \"layrs\"; did you mean \"layers\"?"]),
  Row(
    "the list is not an array", stack(#"{"layers":{}}"#),
    ["wrong-type: \"layers\" must be an array, and is an object"]),
  Row(
    "an entry names nothing", stack(#"{"layers":[{"filname":"Front.imagestacklayer"}]}"#),
    ["unknown-key: unknown key \"filname\"; did you mean \"filename\"?"]),
  Row(
    "a layer is listed twice", stack(layers("Front", "Back", "Front")),
    ["duplicate-slot: \"Front.imagestacklayer\" is listed twice"]),
  Row(
    "a name is misspelled", stack(layers("Frnt", "Back")),
    [
      "dangling-reference: there is no folder \"Frnt.imagestacklayer\"; did you mean "
        + "\"Front.imagestacklayer\"?"
    ]),
  Row(
    "other entries list every folder", stack(layers("Pack", "Front", "Back")),
    ["dangling-reference: there is no folder \"Pack.imagestacklayer\""]),
  Row(
    "a hidden folder is no part", stack(layers("Front", "Back"), ["Front", "Back", ".Old"]),
    ["hidden-set: the .imagestacklayer is left out, because its name begins with a dot"]),
  Row("a brand has roles", brand(#","role":"top-shelf-image""#), []),
  Row(
    "a brand has no role", brand(""),
    ["missing-key: the entry has no \"role\", so systems do not know what its picture is for"]),
  Row(
    "a brand has a misspelled role", brand(#","rol":"top-shelf-image""#),
    ["unknown-key: unknown key \"rol\"; did you mean \"role\"?"]),
  Row(
    "a value of an entry is unknown", brand(#","subtype":"x""#),
    ["unknown-value: unknown value \"x\" of \"subtype\""]),
  // Files
  Row(
    "a set has no entries", set("{}"),
    ["missing-key: the set has no \"images\", so \"a.png\" is left out"]),
  Row(
    "many files have no entries", set("{}", ["a.png", "bb.png", "ccc.png", "dddd.png"]),
    ["missing-key: the set has no \"images\", so \"a.png\" and 3 others are left out"]),
  Row(
    "the entries have another name", set(#"{"imags":[]}"#),
    ["unknown-key: unknown key \"imags\"; did you mean \"images\"?"]),
  Row(
    "the root is not an object", set("[]"),
    ["wrong-type: the file must hold an object, and holds an array"]),
  Row(
    "the picture is a folder",
    set(images(#"{"filename":"a.png"}"#), []).folder("S.imageset/a.png")
      .file("S.imageset/a.png/x", [1]),
    ["not-a-file: \"a.png\" is a folder, not a file"]),
  Row(
    "the entry names its own document", set(images(#"{"filename":"Contents.json"}"#), []),
    ["invalid-file-name: \"Contents.json\" describes the set, and cannot be one of its files"]),
  Row(
    "the name has no extension", set(images(#"{"filename":"a"}"#)),
    ["missing-file: \"a\" is not in the folder; did you mean \"a.png\"?"]),
  Row(
    "the numbers differ", set(images(#"{"filename":"a@2x.png"}"#), ["a@3x.png"]),
    [
      "missing-file: \"a@2x.png\" is not in the folder",
      "unassigned-file: no entry of the set names \"a@3x.png\"",
    ]),
  Row(
    "a later entry names the similar file",
    set(images(#"{"filename":"stor.png","scale":"2x"},{"filename":"star.png"}"#), ["star.png"]),
    ["missing-file: \"stor.png\" is not in the folder"]),
  Row(
    "the document is in lower case",
    start.file("S.imageset/contents.json", images("").utf8).picture("S.imageset/a.png"),
    [
      "missing-contents: the set has no Contents.json; it is left out; \"contents.json\" must be "
        + "named \"Contents.json\""
    ]),
  Row(
    "the document of a group is in lower case",
    start.folder("G").file("G/contents.json", "{}".utf8),
    ["stray-file: \"contents.json\" is not read; \"contents.json\" must be named \"Contents.json\""]
  ),
  Row(
    "a folder almost has the extension of an icon",
    start.folder("I.con").file("I.con/icon.json", "{}".utf8).folder("I.con/Assets")
      .picture("I.con/Assets/a.png"),
    ["unknown-set-type: \".con\" is not a type of asset; did you mean \".icon\"?"]),
  Row("hidden folders of programs are left alone", start.folder(".git").folder(".build"), []),
  Row(
    "a set has no name, and a hidden folder holds one",
    start.imageSet("", [""]).folder(".Old").imageSet(".Old/Moon", [""]),
    [
      "hidden-set: the folder with \"Moon.imageset\" is left out, because its name begins with a dot",
      "hidden-set: the .imageset is left out, because its name begins with a dot",
    ]),
  // Languages
  Row(
    "a locale is spelled otherwise",
    start.imageSet("S", ["", #""locale":"ZH_hant_tw""#], properties: #""localizable":true"#),
    ["misspelled-value: the value \"ZH_hant_tw\" of \"locale\" is spelled \"zh-Hant-TW\""]),
  Row(
    "a locale is no tag",
    start.imageSet("S", [#""locale":"german""#], properties: #""localizable":true"#),
    [
      "unknown-value: \"german\" is not the tag of a language, such as \"fr\", \"de-CH\" or "
        + "\"zh-Hant\""
    ]),
  // Layered icons
  Row("an icon names all pictures", icon(layer(#""image-name":"a.png""#)), []),
  Row(
    "an icon does not name a picture", icon(layer(#""image-name":"a.png""#), ["a.png", "b.png"]),
    ["unassigned-file: no layer of the icon names \"b.png\""]),
  Row(
    "a row that is not read names a picture",
    icon(
      layer(
        #""image-name":"a.png","image-name-specializations":[{"localization":"de","value":"b.png"}]"#
      ), ["a.png", "b.png"]), []),
  Row(
    "an icon misspells its picture", icon(layer(#""image-name":"stor.png""#), ["star.png"]),
    ["missing-file: \"stor.png\" is not in the folder; did you mean \"star.png\"?"]),
  Row(
    "an icon has no groups", icon(#"{"supported-platforms":{}}"#),
    ["missing-key: the icon has no \"groups\""]),
  Row(
    "a blend mode of which Apple's tools know none",
    icon(layer(#""image-name":"a.png","blend-mode":"colour""#)),
    [
      "unknown-value: unknown value \"colour\" of \"blend-mode\"; known are \"normal\", "
        + "\"multiply\", \"screen\", \"overlay\", \"darken\", \"lighten\", \"soft-light\", "
        + "\"hard-light\", \"plus-darker\" and \"plus-lighter\""
    ]),
  Row(
    "a translation of three numbers",
    icon(
      layer(#""image-name":"a.png","position":{"scale":1,"translation-in-points":[1,2,3]}"#)),
    ["wrong-type: \"translation-in-points\" must have two numbers, and has 3 elements"]),
  Row(
    "the folder of pictures is in lower case",
    start.file("I.icon/icon.json", layer(#""image-name":"a.png""#).utf8)
      .folder("I.icon/assets").picture("I.icon/assets/a.png"),
    ["file-case-mismatch: the folder \"Assets\" is named \"assets\" on disk; rename it"]),
  Row(
    "icon.json is in another case", start.file("I.icon/Icon.json", layer("").utf8),
    [
      "missing-contents: the icon has no icon.json; it is left out; \"Icon.json\" must be named "
        + "\"icon.json\""
    ]),
  // Values
  Row(
    "traits are empty",
    start.imageSet("S", [#""scale":"","locale":"""#], properties: #""localizable":true"#),
    [
      "unknown-value: the value of \"scale\" is empty, so the key counts as absent",
      "unknown-value: the value of \"locale\" is empty, so the key counts as absent",
    ]),
  Row(
    "one of two entries has no scale", start.imageSet("S", ["", #""scale":"1x""#]),
    [
      "duplicate-slot: \"S1.png\" and \"S0.png\" are for the same variant: universal, 1x; an entry "
        + "without a scale counts as 1x"
    ]),
  Row(
    "a reference has components",
    start.colorSet(
      "C", [#"{"color":{"reference":"systemBlueColor","platform":"ios","components":{}}}"#]),
    [
      "unknown-key: the key \"components\" belongs to a colour without a \"reference\", and is not "
        + "read here; remove it"
    ]),
  Row(
    "a WebP is named as a PNG",
    start.folder("S.imageset", images(#"{"filename":"a.png"}"#))
      .file("S.imageset/a.png", webP),
    ["unsupported-format: a .imageset cannot hold a WebP picture; it is left out"]),
]

private let webP =
  Array("RIFF".utf8) + [0x1A, 0, 0, 0] + Array("WEBPVP8L".utf8)
  + [0x0D, 0, 0, 0, 0x2F, 0, 0, 0, 0x10, 7, 0x10, 0x11, 0x11, 0x88, 0x88, 0xFE, 7, 0]

/// Returns the text of a red colour with more members.
private func red(_ more: String) -> String {
  let components = #""red":"1","green":"0","blue":"0","alpha":"1""#
  return #"{"color":{"color-space":"srgb","components":{\#(components)}}\#(more)}"#
}

@Suite struct UnlistedTests {
  @Test func anUnassignedColourIsNotCompiled() {
    let colors = #"{"colors":[\#(red("")),\#(red(#","unassigned":true"#)),{"unassigned":true}]}"#
    let builder = start.folder("C.colorset", colors)
    let codes = [DiagnosticCode.unassignedEntry, .emptyUnassignedEntry]
    #expect(
      builder.lint().filter { codes.contains($0.code) }.map(\.message) == [
        "the colour is marked as unassigned, so it is not compiled",
        "the entry is unassigned and has no colour",
      ])
  }

  @Test(arguments: rows) private func theCauseIsSaidOnce(row: Row) {
    let found = row.builder.lint().filter { $0.severity != .note }
    #expect(found.map { "\($0.code.rawValue): \($0.message)" } == row.expected)
    // No other finding says that a set is empty if one of these says why.
    #expect(row.builder.findings(.emptySet) == [])
  }

  /// An entry with an empty trait counts for every value of it, as before.
  @Test func anEmptyTraitIsOpen() throws {
    let builder = start.imageSet("S", [#""scale":"","idiom":"","memory":"""#])
    let entry = try #require(builder.read().images("S")?.entries.first)
    #expect(entry.slot.key == Slot(scale: 1).key)
    #expect(entry.slot.scale == nil)
  }

  /// Returns the texts of the fixes, each once.
  private func fixes(_ builder: TreeBuilder) -> [String] {
    builder.lint().compactMap { $0.fix?.summary }
  }

  @Test func onlyOneNameThatFitsIsFixed() {
    func entries(_ names: String...) -> String {
      images(
        names.enumerated().map { "{\"filename\":\"\($1)\",\"scale\":\"\($0 + 1)x\"}" }
          .joined(separator: ","))
    }
    #expect(fixes(set(entries("stor.png"), ["star.png"])) == ["write \"star.png\""])
    #expect(fixes(set(entries("star.pgn"), ["star.png"])) == ["write \"star.png\""])
    // Each of them can mean the file, or the file is of another kind, or two files fit.
    #expect(fixes(set(entries("stor.png", "stur.png"), ["star.png"])) == [])
    #expect(fixes(set(entries("star.pdf"), ["star.png"])) == [])
    #expect(fixes(set(entries("star"), ["star.png", "star.jpg"])) == [])
    #expect(fixes(set(entries("star@2x.png"), ["star@3x.png"])) == [])
  }
}

extension Slot {
  fileprivate init(scale: UInt8) {
    self.init()
    key.scale = scale
  }
}
