// Tests which words are spellings of one word.

import Testing

@testable import Documents

@Suite struct SuggestionsTests {
  private static let words = [
    "", "-", "idiom", "Idiom", "i d-i_o-m", "idioms", "widthClass", "width-class", "WIDTH_CLASS",
    "é",
    "É", "e\u{301}", "straße", "STRASSE", "\u{212A}", "k", "K", "k-\u{301}", "\u{130}", "i",
    "i\u{307}",
  ]

  @Test(arguments: words) func spellingsAreEqualIfTheirKeysAre(word: String) {
    for other in SuggestionsTests.words {
      let isEqual = spellingKey(word) == spellingKey(other)
      #expect(areSpellings(word, other) == isEqual, "\(word), \(other)")
    }
    #expect(spellingKey("Width_Class ") == "widthclass")
  }
}
