// Tests findings about entries that contradict themselves, and that one mistake has one finding,
// with a way out.

import CatalogModel
import Support
import Testing
import Traits

@testable import Host

@Suite struct ContradictionTests {
  /// Returns the findings as lines of a code, a pointer and a message.
  private func lines(_ found: [Diagnostic], _ codes: Set<DiagnosticCode>? = nil) -> [String] {
    found.filter { codes?.contains($0.code) ?? true }.map {
      "\($0.code.rawValue) \($0.pointer?.text ?? ""): \($0.message)"
    }
  }

  @Test(arguments: [
    (#""subtype":"42mm","screen-width":"<=145""#, true),
    (#""subtype":"2436h","screen-width":">183""#, true),
    (#""subtype":"38mm","screen-width":"<=145""#, false),
    (#""subtype":"45mm","screen-width":">183""#, false),
    (#""subtype":"41mm","screen-width":">161""#, false),
  ])
  func twoDisplaysOfOneEntryAreReported(traits: String, isReported: Bool) {
    let contents = TreeBuilder()
      .imageSet("S", [#""idiom":"watch","scale":"2x",\#(traits)"#]).read()
    #expect(contents.images("S")?.entries.count == (isReported ? 0 : 1))
    #expect(
      lines(contents.diagnostics, [.unknownValue])
        == (isReported
          ? [
            "unknown-value /images/0/screen-width: \"screen-width\" and \"subtype\" name two "
              + "different displays, so the entry is left out; keep one of them"
          ] : []))
  }

  private let red =
    #""color":{"components":{"red":"1.0","green":"0.0","blue":"0.0","alpha":"1.0"}}"#
  private let dark = #""appearances":[{"appearance":"luminosity","value":"dark"}]"#

  @Test func aColourEntryWithoutAColourIsReported() {
    let builder = TreeBuilder().colorSet("C", ["{\(red)}", "{\(dark)}"])
    #expect(
      lines(builder.read().diagnostics) == [
        "empty-slot /colors/1: 1 slot without a colour: universal, dark"
      ])
  }

  @Test func contentBesideNoContentIsReported() {
    let image = TreeBuilder().imageSet("S", [#""no-content":true"#]).read().diagnostics
    #expect(
      lines(image, [.unassignedEntry]) == [
        "unassigned-entry /images/0/no-content: \"S0.png\" is not compiled, because "
          + "\"no-content\" says that the entry shows nothing"
      ])
    let color = TreeBuilder().colorSet("C", ["{\"no-content\":true,\(red)}"]).read().diagnostics
    #expect(
      lines(color) == [
        "unassigned-entry /colors/0/no-content: \"no-content\" does not count in a .colorset, so "
          + "the colour is compiled"
      ])
  }

  @Test(
    arguments: [
      ("Star ", "the name \"Star \" ends with a blank"),
      (" Star", "the name \" Star\" begins with a blank"),
      ("St\u{7}ar", "the name \"St\u{FFFD}ar\" has the control character U+0007"),
      ("St ar", nil), ("نجم", nil),
    ] as [(String, String?)])
  func aNameThatLooksLikeAnotherIsReported(name: String, words: String?) {
    let found = TreeBuilder().imageSet(name, [""]).read().diagnostics
    #expect(
      found.filter { $0.code == .unprintableName }.map(\.message)
        == (words.map { ["\($0), without which apps do not find it"] } ?? []))
  }

  /// Entries of two platforms are no variants of each other.
  @Test func picturesOfTwoPlatformsAreNotCompared() {
    let builder = TreeBuilder().imageSet(
      "S",
      [
        #""scale":"2x","platform":"ios""#, #""scale":"3x","platform":"ios""#,
        #""scale":"2x","platform":"tvos""#, #""scale":"1x","platform":"tvos""#,
      ], sides: [20, 30, 200, 100])
    #expect(lines(builder.lint(), [.sizeMismatch, .missingScale]) == [])
  }

  @Test func aMissingScaleIsNamedWithItsAppearance() {
    let builder = TreeBuilder().imageSet(
      "S", [#""scale":"2x""#, #""scale":"3x""#, #""scale":"2x",\#(dark)"#], sides: [2, 3, 2])
    #expect(
      lines(builder.lint(), [.missingScale]) == [
        "missing-scale /images/2: \"S\" has no picture for 3x (universal, dark)"
      ])
  }

  // MARK: Fixes

  @Test func aFileWithARepeatedKeyGetsNoPromiseOfAFix() {
    let text = #"{"images":[{"idom":"ipad","scale":"1x","scale":"2x"},{"unassigned":true}]}"#
    let found = TreeBuilder().folder("S.imageset", text).read().diagnostics
    #expect(found.contains { $0.code == .jsonDuplicateKey })
    #expect(found.contains { $0.code == .emptyUnassignedEntry })
    #expect(found.allSatisfy { $0.fix == nil }, "\(found)")
  }

  @Test(arguments: [
    (#"{"idiom":"ipod"}"#, "unknown value \"ipod\" of \"idiom\"; did you mean \"iphone\"?"),
    (
      #"{"screen-width":">162"}"#,
      "unknown value \">162\" of \"screen-width\"; did you mean \">161\"?"
    ),
  ])
  func aGuessIsAdviceAndNoFix(entry: String, message: String) {
    let found = TreeBuilder().folder("S.imageset", images(entry)).read().diagnostics
      .filter { $0.code == .unknownValue }
    #expect(found.map(\.message) == [message])
    if message.contains("161") { #expect(found.allSatisfy { $0.fix == nil }) }
  }

  @Test func aKeyOfAnotherTypeOfSetIsNotRenamed() {
    let text = #"{"images":[],"properties":{"symbol-rendering-intent":"template"}}"#
    let found = TreeBuilder().folder("S.imageset", text).read().diagnostics
      .filter { $0.code == .unknownKey }
    #expect(found.count == 1 && found.allSatisfy { $0.fix == nil })
  }

  // MARK: One finding for one mistake

  @Test func componentsOfAnotherSpaceHaveOneFinding() {
    let gray =
      #""color":{"color-space":"gray-gamma-22","components":{"red":"1.0","green":"0.0","#
      + #""blue":"0.0","alpha":"1.0"}}"#
    let rgb = #""color":{"color-space":"srgb","components":{"white":"1.0","alpha":"1.0"}}"#
    for (color, words) in [
      (
        gray,
        "the colour has \"red\", \"green\" and \"blue\", and the components of gray-gamma-22 are "
          + "\"white\"; it counts as black"
      ),
      (
        rgb,
        "the colour has \"white\", and the components of srgb are \"red\", \"green\" and "
          + "\"blue\"; it counts as black"
      ),
    ] {
      let found = TreeBuilder().colorSet("C", ["{\(color)}"]).read().diagnostics
      #expect(lines(found) == ["color-incomplete /colors/0/color/components: \(words)"])
    }
  }

  @Test(arguments: [
    (
      #"{"images":[],"localizable":true}"#,
      #"unknown key "localizable"; it belongs to "properties""#
    ),
    (
      #"{"images":[],"properties":{"idiom":"ipad"}}"#,
      #"unknown key "idiom"; it belongs to an entry"#
    ),
    (
      #"{"images":[],"info":{"template-rendering-intent":"template"},"#
        + #""properties":{"template-rendering-intent":"original"}}"#,
      #""template-rendering-intent" belongs to "properties", not to "info"; "properties" has the "#
        + #"key, too, so remove it from "info""#
    ),
  ])
  func aMisplacedKeyHasAWayOut(text: String, message: String) {
    let found = TreeBuilder().folder("S.imageset", text).read().diagnostics
    #expect(
      found.filter { [.unknownKey, .misplacedKey].contains($0.code) }.map(\.message) == [message])
  }

  @Test(arguments: [
    ("{\"images\":[\n<<<<<<< HEAD\n]}", "the conflict of a merge is not resolved", 2),
    ("{\"images\":[],\n=======\n\"info\":{}}", "the conflict of a merge is not resolved", 2),
    ("{\n// what this is\n\"images\":[]}", "JSON has no comments", 2),
    ("{\"images\":[]} /* end */", "JSON has no comments", 1),
    ("{\"images\":\n,\n// later\n[]}", "an unexpected character", 2),
  ])
  func marksOfConflictsAndCommentsAreNamed(text: String, words: String, line: Int) {
    let found = TreeBuilder().folder("S.imageset", text).read().diagnostics
    #expect(found.map(\.message) == ["not JSON: \(words)"])
    #expect(found.first?.line == line)
  }

  @Test func aSetWithoutItsExtensionIsRecognised() {
    let found = TreeBuilder().picture("Icon/a.png")
      .folder("Icon", images(#"{"filename":"a.png"}"#)).read().diagnostics
    #expect(
      lines(found) == [
        "unknown-key /images: a group has no \"images\": if the folder is a set, its name lacks "
          + "the extension, such as \".imageset\""
      ])
  }

  @Test func aFileThatIsNamedTwiceForOneSlotHasOneFinding() {
    let entry = #"{"filename":"a.png","scale":"2x"}"#
    let found = TreeBuilder().picture("S.imageset/a.png", 4)
      .folder("S.imageset", images("\(entry),\(entry)")).read().diagnostics
    #expect(found.map(\.code) == [.duplicateSlot])
  }

  @Test func aLinkWithoutATargetHasOneFinding() {
    let found = TreeBuilder().special("S.imageset/a.png", .link(to: "nowhere.png"))
      .folder("S.imageset", images(#"{"filename":"a.png"}"#)).read().diagnostics
    #expect(found.map(\.code) == [.missingFile], "\(found)")
  }

  /// The entry that was not understood may hold everything that the set seems to lack.
  @Test(arguments: [
    #""scale":"4x""#, #""scale":"3x","idiom":"univrsal""#, #""scale":"3x","display-gamut":"P4""#,
  ])
  func anEntryThatIsNotUnderstoodHasOneFinding(entry: String) {
    let builder = TreeBuilder().imageSet("S", [#""scale":"2x""#, entry], sides: [20, 30])
    #expect(builder.lint().map(\.code) == [.unknownValue])
  }

  @Test func aFileUnderAMisspelledKeyIsNotCalledUnassigned() {
    let found = TreeBuilder().picture("S.imageset/a.png", 4)
      .folder("S.imageset", images(#"{"fielname":"a.png","scale":"2x"}"#)).lint()
    #expect(found.map(\.code) == [.unknownKey])
  }

  @Test func aNameThatIsNoStringHasOneFinding() {
    let image = TreeBuilder().picture("S.imageset/a.png", 4)
      .folder("S.imageset", images(#"{"filename":7,"scale":"2x"}"#)).lint()
    #expect(image.map(\.code) == [.wrongType])
    let part = TreeBuilder().folder("G.arresourcegroup", #"{"resources":[{"filename":7}]}"#).lint()
    #expect(part.map(\.code) == [.wrongType])
  }

  @Test func theOnlyPartIsTheOneThatIsMeant() {
    let found = TreeBuilder().folder("S.imagestack", #"{"layers":[{"filename":"zzz"}]}"#)
      .folder("S.imagestack/Front.imagestacklayer", "{}").read().diagnostics
    #expect(
      lines(found) == [
        "dangling-reference /layers/0/filename: there is no folder \"zzz\"; did you mean "
          + "\"Front.imagestacklayer\"?"
      ])
    #expect(found.first?.fix == nil)
  }

  /// The key that an object seems to lack is there, misspelled.
  @Test func aMisspelledKeyIsNotMissing() {
    let color = #""color":{"components":{"red":"1.0","green":"0.0","bluee":"0.0","alpha":"1.0"}}"#
    let look = #""appearances":[{"appearence":"luminosity","value":"dark"}]"#
    for builder in [
      TreeBuilder().colorSet("C", ["{\(color)}"]), TreeBuilder().imageSet("S", [look]),
      TreeBuilder().picture("I.appiconset/a.png", 20)
        .folder("I.appiconset", images(#"{"filename":"a.png","sizes":"20x20","idiom":"ipad"}"#)),
    ] {
      #expect(builder.lint().filter { $0.severity != .note }.map(\.code) == [.unknownKey])
    }
  }

  @Test(arguments: [
    (#""reference":7,"platform":"ios""#, DiagnosticCode.wrongType),
    (#""referencq":"systemRedColor","platform":"ios""#, .unknownKey),
    (#""components":7"#, .wrongType), (#""componentz":{}"#, .unknownKey),
    (#""platform":"ios""#, .missingKey),
  ])
  func aColourThatIsNotUnderstoodHasOneFinding(color: String, code: DiagnosticCode) {
    let builder = TreeBuilder().colorSet("C", ["{\"color\":{\(color)}}", "{\(dark),\(red)}"])
    #expect(builder.lint().map(\.code) == [code])
  }

  @Test func aTemplateThatCannotBeReadHasOneFinding() {
    let symbol = TreeBuilder()
      .folder("S.symbolset", #"{"symbols":[{"filename":"a.svg","idiom":"universal"}]}"#)
    for (text, words) in [
      (
        "version https://git-lfs.github.com/spec/v1\n",
        "the file is a Git LFS pointer: run 'git lfs pull' to fetch the file"
      ), ("nothing", "\"a.svg\" cannot be read: it has no <svg> element"),
    ] {
      #expect(symbol.file("S.symbolset/a.svg", text.utf8).lint().map(\.message) == [words])
    }
  }

  /// A picture that is left out has no size beside the others.
  @Test func aPictureThatIsLeftOutIsNotCompared() {
    let gif: [UInt8] =
      Array("GIF89a".utf8) + [2, 0, 2, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0, 2, 0, 2, 0, 0, 2, 0, 0x3B]
    let builder = TreeBuilder().imageSet("S", [#""scale":"2x""#, #""scale":"3x""#], sides: [4, 6])
      .file("S.imageset/S1.png", gif)
    #expect(builder.lint().map(\.code) == [.unsupportedFormat])
  }

  @Test func wordsThatAreEquallyNearAreAllNamed() {
    let found = TreeBuilder().folder("S.imageset", images(#"{"scale":"4x"}"#)).read().diagnostics
    #expect(
      found.first?.message
        == #"unknown value "4x" of "scale"; known are "1x", "2x" and "3x""#)
  }

  @Test func aMissingFileIsNoMissingScale() {
    let entries = #"{"filename":"a.png","scale":"2x"},{"filename":"b.png","scale":"3x"}"#
    let builder = TreeBuilder().picture("S.imageset/a.png", 4).folder("S.imageset", images(entries))
    #expect(builder.lint().map(\.code) == [.missingFile])
  }

  @Test func anAppearanceThatIsNamedTwiceIsNotCalledTwoValues() {
    let style = #"{"appearance":"luminosity","value":"dark"}"#
    let found = TreeBuilder().imageSet("S", [#""appearances":[\#(style),\#(style)]"#]).read()
      .diagnostics.filter { $0.code == .unknownValue }
    #expect(
      found.map(\.message) == [
        "the entry names \"luminosity\" twice, with one value; remove one of the two"
      ])
  }
}
