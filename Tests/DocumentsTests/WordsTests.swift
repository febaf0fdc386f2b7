// Tests words for people: spellings of one word, and tables.

import Testing

@testable import Documents

@Suite struct WordsTests {
  private static let words = [
    "", "-", "idiom", "Idiom", "i d-i_o-m", "idioms", "widthClass", "width-class", "WIDTH_CLASS",
    "é",
    "É", "e\u{301}", "straße", "STRASSE", "\u{212A}", "k", "K", "k-\u{301}", "\u{130}", "i",
    "i\u{307}",
  ]

  @Test(arguments: words) func spellingsAreEqualIfTheirKeysAre(word: String) {
    for other in WordsTests.words {
      let isEqual = spellingKey(word) == spellingKey(other)
      #expect(areSpellings(word, other) == isEqual, "\(word), \(other)")
    }
    #expect(spellingKey("Width_Class ") == "widthclass")
  }

  @Test func aLongCellDoesNotLengthenTheOtherRows() {
    let long = String(repeating: "n", count: 5_000)
    let lines = alignedColumns([[long, "1"], ["short", "2"], ["longer", "3"]])
    #expect(lines[0] == long + "  1")
    #expect(lines[1].count < 100 && lines[1].hasPrefix("short ") && lines[1].hasSuffix(" 2"))
    #expect(alignedColumns([["a", "1"], ["bcd", "2"]]) == ["a    1", "bcd  2"])
  }
}
