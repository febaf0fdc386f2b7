// Tests of places in texts, of changes, and of the cursor in a half typed text.

import Bytes
import Documents
import Testing

@testable import LanguageServer

private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

@Suite struct PlaceTests {
  @Test func addressesArePathsWithEscapes() {
    #expect(path(of: "file:///a/b%20c/Contents.json") == "/a/b c/Contents.json")
    #expect(address(of: "/a/b c/ä.json") == "file:///a/b%20c/%C3%A4.json")
    #expect(path(of: "untitled:1") == nil)
    #expect(path(of: "file:///a%00b") == nil)
    #expect(path(of: "file:///a%2") == "/a%2")
  }

  /// A character outside of the basic plane counts as two in UTF-16 and as four bytes.
  @Test(arguments: [(false, 4), (true, 7)])
  func placesCountWhatTheEditorCounts(countsBytes: Bool, column: Int) {
    let places = TextPlaces(bytes("x\nä😀b\n"), countsBytes: countsBytes)
    let offset = 2 + 2 + 4 + 1
    #expect(places.offset(line: 1, character: column) == offset)
    #expect(
      places.position(offset) == ["line": 1, "character": .integer(column)])
    #expect(places.offset(line: 1, character: 99) == offset)
    #expect(places.offset(line: 99, character: 0) == offset + 1)
    #expect(places.offset(line: -1, character: 0) == 0)
  }

  /// A place in a long line is counted from the last mark before it.
  @Test(arguments: [false, true])
  func marksInLongLinesAreNearAndRight(countsBytes: Bool) {
    let line = String(repeating: "aä😀\"", count: 700)
    let text = bytes("\u{FEFF}" + line + "\nb\n" + line)
    let places = TextPlaces(text, countsBytes: countsBytes)
    let starts = [0] + text.indices.filter { text[$0] == 10 }.map { $0 + 1 }
    #expect(places.marks.count > 8)
    for (number, start) in starts.enumerated() {
      let end = number + 1 < starts.count ? starts[number + 1] - 1 : text.count
      let stops = [start] + places.marks.map(\.offset).filter { (start..<end).contains($0) } + [end]
      #expect(zip(stops, stops.dropFirst()).allSatisfy { $1 - $0 <= TextPlaces.stride + 4 })
      var (offset, character, column) = (start, 0, 1)
      for scalar in String(decoding: text[start..<end], as: UTF8.self).unicodeScalars {
        let expected: JSONOutput = ["line": .integer(number), "character": .integer(character)]
        #expect(places.position(offset) == expected)
        #expect(places.offset(line: number, character: character) == offset)
        if scalar == "\u{FEFF}" {
          column -= 1
        } else {
          #expect(places.offset(line: number + 1, column: column) == offset)
        }
        let length = String(scalar).utf8.count
        offset += length
        character += countsBytes ? length : length == 4 ? 2 : 1
        column += 1
      }
    }
  }

  @Test func changesAreAppliedInOrder() throws {
    let changes = try parseJSON(
      bytes(
        """
        [{"range": {"start": {"line": 0, "character": 1}, "end": {"line": 1, "character": 1}},
          "text": "-"},
         {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}},
          "text": "é"},
         {"text": 7}]
        """))
    guard case .array(let list) = changes else { return }
    let text = changed(bytes("ab\ncd"), by: list, countsBytes: false, limit: 100)
    #expect(text.map { String(decoding: $0, as: UTF8.self) } == "éa-d")
    #expect(changed(bytes("ab\ncd"), by: list, countsBytes: false, limit: 3) == nil)
    let all = try parseJSON(bytes(#"{"text": "new"}"#))
    #expect(changed([], by: [all], countsBytes: false, limit: 9) == bytes("new"))
  }

  /// A change finds its positions without the places of the whole text.
  @Test(arguments: [
    "", "\n", "ab\r\ncd\n", "é😀x\n\nß", "\u{FEFF}a\n" + String(repeating: "ü", count: 3000),
  ])
  func changesFindTheSamePositions(text: String) throws {
    let invalid = bytes(text) + [0xF0, 0x9F, 10, 0xC3]
    for text in [bytes(text), invalid] {
      for countsBytes in [false, true] {
        let places = TextPlaces(text, countsBytes: countsBytes)
        for line in [-1, 0, 1, 2, 3, 4, 1 << 60] {
          for character in [-1, 0, 1, 2, 3, 4, 5, 2999, 3000, 6001, 1 << 60] {
            let position = #"{"line":\#(line),"character":\#(character)}"#
            let change = #"[{"range":{"start":\#(position),"end":\#(position)},"text":"@"}]"#
            guard case .array(let list) = try parseJSON(bytes(change)) else { return }
            var expected = text
            expected.insert(64, at: places.offset(line: line, character: character))
            #expect(changed(text, by: list, countsBytes: countsBytes, limit: 9999) == expected)
          }
        }
      }
    }
  }

  @Test(arguments: [
    ("{}", "{}", ""), ("a b c", "a x c", "x"), ("ä", "ö", "ö"), ("", "new", "new"),
    ("aaa", "aa", ""), ("aa", "aaa", "a"), ("xé", "xè", "è"), ("éx", "àx", "à"),
  ])
  func anEditIsTheSmallestOne(old: String, new: String, inserted: String) throws {
    let places = TextPlaces(bytes(old), countsBytes: true)
    let edit = try parseJSON(Array(places.edit(to: bytes(new)).line.utf8))
    #expect(edit.name("newText")?.text == inserted)
    var text = bytes(old)
    text.replaceSubrange(places.range(edit["range"]), with: inserted.utf8)
    #expect(text == bytes(new))
  }
}

@Suite struct CursorTests {
  private func cursor(_ text: String) -> Cursor? {
    let parts = text.split(separator: "|", omittingEmptySubsequences: false)
    return Cursor(at: parts[0].utf8.count, in: bytes(parts.joined()))
  }

  @Test func aCursorKnowsItsKeys() throws {
    let key = try #require(cursor(#"{"images":[{"idiom":"mac","sc|"#))
    #expect(key.isKey)
    #expect(key.path == ["images", ""])
    #expect(key.keys == ["idiom"])
    let value = try #require(cursor(#"{"images":[{"idiom":"u|niversal"}]}"#))
    #expect(!value.isKey)
    #expect(value.path == ["images", "", "idiom"])
    #expect(value.replaced == 20..<31)
    let word = try #require(cursor(#"{"properties":{"localizable":tr|"#))
    #expect(word.path == ["properties", "localizable"])
    #expect(word.replaced == 29..<31)
  }

  @Test(arguments: ["|", "]]|", #""|"#, "{}|", "tr|"])
  func outsideOfEveryBracketIsNoCursor(text: String) { #expect(cursor(text) == nil) }

  @Test(
    arguments: [
      ("[|", [""], false, 1..<1), (#"{"a":{"b":1},|"#, [], true, 13..<13),
      (#"{"a"|"#, [], true, 1..<4), ("{{{|", ["", ""], true, 3..<3), (#"{"a\|"#, [], true, 1..<4),
    ] as [(String, [ByteString], Bool, Range<Int>)])
  func brokenTextsHaveACursor(
    text: String, path: [ByteString], isKey: Bool, replaced: Range<Int>
  ) throws {
    let found = try #require(cursor(text))
    #expect(found.path == path && found.isKey == isKey && found.replaced == replaced)
  }
}
