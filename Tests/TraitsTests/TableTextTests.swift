// A search of a table finds exactly the rows that begin with the whole fields.

import Testing

@testable import Traits

@Suite struct TableTextTests {
  @Test func aSearchFindsTheRowsThatBeginSo() {
    let table = TableText(text: windowTable)
    let all = table.rows()
    #expect(all.count > 100)
    for row in all {
      let head = row.prefix(2).map(String.init)
      #expect(table.rows(beginningWith: head) == all.filter { $0.prefix(2) == row.prefix(2) })
    }
    #expect(table.rows(beginningWith: ["pa"]).isEmpty)
    #expect(table.rows(beginningWith: ["pad"]) == all.filter { $0[0] == "pad" })
  }
}
