// Tests tables of texts.

import Testing

@testable import Documents

@Suite struct TextTablesTests {
  @Test func aLongCellDoesNotLengthenTheOtherRows() {
    let long = String(repeating: "n", count: 5_000)
    let lines = alignedColumns([[long, "1"], ["short", "2"], ["longer", "3"]])
    #expect(lines[0] == long + "  1")
    #expect(lines[1].count < 100 && lines[1].hasPrefix("short ") && lines[1].hasSuffix(" 2"))
    #expect(alignedColumns([["a", "1"], ["bcd", "2"]]) == ["a    1", "bcd  2"])
  }
}
