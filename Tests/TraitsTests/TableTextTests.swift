// The groups of a table are all its rows, each once and by its own first fields.
import Testing

@testable import Traits

@Suite struct TableTextTests {
  @Test func theGroupsOfTheWindowTableHoldWhatASearchFinds() {
    let table = TableText(text: windowTable)
    var count = 0
    for (key, range) in table.groups() {
      let rows = table.rows(in: range)
      count += rows.count
      #expect(
        rows == table.rows(beginningWith: key.dropLast().split(separator: ";").map(String.init)))
    }
    #expect(count == table.rows().count)
  }
}
