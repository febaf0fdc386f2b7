// Tests forms of Contents.json that occur in real files: places of values, forgiven faults, and
// other faults.

import CatalogModel
import Support
import Testing

/// Returns the findings about one Contents.json of an image set.
private func findings(_ bytes: some Sequence<UInt8>) -> [Diagnostic] {
  TreeBuilder().file("S.imageset/Contents.json", bytes).read().diagnostics
}

private func findings(_ text: String) -> [Diagnostic] { findings(text.utf8) }

/// Returns the line and column of a piece of a text.
private func place(of piece: String, in text: String) -> [Int]? {
  guard let range = text.firstRange(of: piece) else { return nil }
  let before = text[..<range.lowerBound]
  let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
  return [lines.count, (lines.last?.unicodeScalars.count ?? 0) + 1]
}

@Suite struct JSONTests {
  @Test(arguments: [
    (#""fridge""#, DiagnosticCode.unknownValue), (#""idom""#, .unknownKey),
    (#""left""#, .misspelledKey),
  ])
  func aFindingNamesLineAndColumn(piece: String, code: DiagnosticCode) throws {
    let text = """
      {
        "info" : { "author" : "größe", "version" : 1 },
        "images" : [
          { "filename" : "ä\\"}.png", "idiom" : "fridge" },
          { "idom" : 3, "a/b~c" : {} },
          {
            "alignment-insets": { "Left" : 4 } }
        ]
      }
      """.replacing("\"left\"", with: "\"Left\"")
    let found = try #require(findings(text).first { $0.code == code })
    let line = try #require(found.line)
    let column = try #require(found.column)
    #expect([line, column] == place(of: piece.replacing("left", with: "Left"), in: text))
  }

  @Test func aKeyWithOddCharactersIsFound() throws {
    let text = #"{"images":[{"a/b~c\u00e9":{}}]}"#
    let found = try #require(findings(text).first { $0.code == .unknownKey })
    #expect(found.pointer == "/images/0/a~1b~0cé")
    #expect([found.line, found.column] == [1, 13])
  }

  @Test(arguments: [
    ("", 1, 1, "ends too early"), ("{", 1, 2, "ends too early"),
    ("{\n  \"a\" 1}", 2, 7, "colon"), ("{\"a\": 1 \"b\": 2}", 1, 9, "comma"),
    ("{'a': 1}", 1, 2, "double quotes"), ("[1, tru]", 1, 8, "true"), ("{} x", 1, 4, "unexpected"),
    ("{\"a\": \u{0}}", 1, 7, "NUL"), ("/* no */ {}", 1, 1, "no comments"),
    ("{\"a\": NaN}", 1, 7, "not a number"),
  ])
  func aSyntaxErrorSaysWhereAndWhy(text: String, line: Int, column: Int, reason: String) throws {
    let found = try #require(findings(text).first)
    #expect(found.code == .jsonSyntax)
    #expect(found.severity == .error)
    #expect([found.line, found.column] == [line, column], "\(found.message)")
    #expect(found.message.contains(reason), "\(found.message)")
  }

  @Test(arguments: [
    #"{"images":[{"idiom":"iphone",},],}"#, "{\"images\":[{\"idiom\":\"iphone\"} ,\n ]}",
    "\u{FEFF}{\"images\":[{\"idiom\":\"iphone\"}]}",
    "\u{FEFF}{\"images\":[{\"idiom\":\"iphone\"},]}",
  ])
  func faultsThatOtherToolsAcceptAreRead(text: String) throws {
    let contents = TreeBuilder().folder("S.imageset", text).read()
    #expect(contents.images("S")?.entries.map(\.slot.key.idiom) == [.phone])
    #expect(!contents.diagnostics.contains { $0.severity == .error })
    #expect(contents.diagnostics.contains { $0.fix != nil })
  }

  @Test func aCommaInATextIsNoTrailingComma() {
    let codes = findings(#"{"images":[{"filename":",]"}]}"#).map(\.code)
    #expect(!codes.contains(.jsonTrailingComma))
  }

  @Test func twoCommasInARowAreAnError() {
    #expect(findings(#"{"images":[{},,]}"#).map(\.code) == [.jsonSyntax])
  }

  /// The parser calls all of them invalid UTF-8.
  @Test func charactersOutsideOfQuotesAreNamed() {
    let hint = "; JSON has only the plain quote (\")"
    for (text, words) in [
      ("\u{201C}", "U+201C is outside of quotes\(hint)"),
      ("\u{A0}", "U+00A0 is outside of quotes"), ("\u{1F600}", "U+1F600 is outside of quotes"),
    ] {
      let found = findings("{\(text)\"images\":[]}")
      #expect(found.map(\.code) == [.jsonSyntax])
      #expect(found.first?.message.hasSuffix(words) == true, "\(found)")
    }
    let broken = TreeBuilder().file("S.imageset/Contents.json", [0x7B, 0xC3, 0x28, 0x7D]).read()
    #expect(broken.diagnostics.map(\.code).contains(.jsonEncoding))
  }

  @Test func utf16IsRead() {
    let text = Array("{\"images\":[{\"idiom\":\"ipad\"}]}".utf16)
    var bytes: [UInt8] = [0xFF, 0xFE]
    for unit in text { bytes += [UInt8(unit & 255), UInt8(unit >> 8)] }
    let contents = TreeBuilder().file("S.imageset/Contents.json", bytes).read()
    #expect(contents.images("S")?.entries.first?.slot.key.idiom == .pad)
    #expect(contents.diagnostics.contains { $0.code == .jsonEncoding && $0.severity == .warning })
  }

  /// Findings about a file in UTF-16 have the places that an editor shows.
  @Test func findingsOfUTF16HavePlaces() {
    var bytes: [UInt8] = [0xFE, 0xFF]
    for unit in "{\"images\":[\n  {\"idiom\":\"univresal\"}]}".utf16 {
      bytes += [UInt8(unit >> 8), UInt8(unit & 255)]
    }
    let builder = TreeBuilder().file("S.imageset/Contents.json", bytes)
    let found = builder.read().diagnostics.filter { $0.code == .unknownValue }
    #expect(found.map { [$0.line, $0.column] } == [[2, 12]])
    let file: ByteString = "A.xcassets/S.imageset/Contents.json"
    #expect(sourceLines(of: ["/images/0"], in: file, tree: builder.tree) == ["/images/0": 2])
  }

  @Test func theLastOfTwoEqualKeysCountsAndIsNamed() throws {
    let text = #"{"images":[],"images":[{"idiom":"ipad"}]}"#
    let contents = TreeBuilder().folder("S.imageset", text).read()
    #expect(contents.images("S")?.entries.count == 1)
    let found = try #require(contents.diagnostics.first { $0.code == .jsonDuplicateKey })
    #expect([found.line, found.column] == [1, 14])
  }

  @Test(arguments: ["[", "{\"a\":"]) func deepNestingIsRefused(open: String) {
    let found = findings(String(repeating: open, count: 10_000))
    #expect(found.map(\.code) == [.jsonTooDeep])
  }

  @Test func moreValuesThanAnyCatalogueHasAreRefused() {
    let many = String(repeating: "{},", count: 60_000)
    #expect(findings(#"{"images":[\#(many){}]}"#).map(\.code) == [.jsonTooLarge])
  }

  @Test(arguments: ["[1]", "7", "null", "\"x\""]) func aRootThatIsNoObjectIsRefused(text: String) {
    #expect(findings(text).contains { $0.code == .wrongType && $0.severity == .error })
  }

  @Test func numbersOutOfRangeAreLeftOut() {
    for number in ["1e999", "-1e300", "99999999999999999999999"] {
      let text = #"{"images":[{"filename":"a.png","alignment-insets":{"top":\#(number)}}]}"#
      let contents = TreeBuilder().folder("S.imageset", text).read()
      #expect(contents.diagnostics.contains { $0.code == .numberRange }, "\(number)")
      #expect(contents.images("S")?.entries.first?.insets == Insets())
    }
  }

  @Test func everyMisspelledWordIsUnderstood() throws {
    let text = images(
      #"{"Filename":"a.png","Idiom":"iPhone","scale":2,"screenWidth":"{130,145}","#
        + #""widthClass":"Compact","displayGamut":"display-p3","#
        + #""resizing":{"mode":"9-Part","capInsets":{"top":1},"center":{"mode":"fill"}}}"#)
    let set = try #require(TreeBuilder().folder("S.imageset", text).read().images("S"))
    let entry = try #require(set.entries.first)
    #expect(entry.file?.name == "a.png")
    #expect(entry.slot.key.idiom == .phone)
    #expect(entry.slot.scale == 2)
    #expect(entry.slot.key.subtype == 320)
    #expect(entry.slot.key.width == .compact)
    #expect(entry.slot.key.gamut == .p3)
    #expect(entry.resizing?.mode == .ninePart)
    #expect(entry.resizing?.center == .stretch)
    #expect(entry.resizing?.capInsets.top == 1)
  }

  @Test func theNearestKnownWordIsProposed() {
    let found = findings(#"{"images":[{"idiom":"univrsal","fielname":"x"}],"propertys":{}}"#)
    let messages = found.map(\.message).joined(separator: "\n")
    #expect(messages.contains("did you mean \"universal\"?"))
    #expect(messages.contains("did you mean \"filename\"?"))
    #expect(messages.contains("did you mean \"properties\"?"))
  }

  @Test func aFindingAboutWhatIsNotThereNamesWhatItWouldStandIn() throws {
    let text = "{\n  \"images\": [\n    {\"Filename\":\"a.png\",\"scale\":\"2x\"}]}"
    let builder = TreeBuilder().folder("S.imageset", text).picture("S.imageset/a.png", 5)
    let missing = try #require(builder.findings(.sizeOffScale).first)
    #expect(missing.pointer == "/images/0/filename")
    #expect([missing.line, missing.column] == [3, 5])
  }
}
