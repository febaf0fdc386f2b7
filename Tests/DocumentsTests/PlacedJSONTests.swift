// Tests the places of values in JSON texts: that the ranges contain every byte, and that values
// before a fault are found.

import Bytes
import Testing

@testable import Documents

private let text = """
  \u{FEFF}{ "größe" : [1, -2.5e3,\t"}\\"]", []],
    "a\\u002fb~" : { "x": null } , "x" : {},
  }

  """

/// Returns the text that the ranges of a value and the commas between them contain.
private func joined(_ value: PlacedJSON, of bytes: [UInt8]) -> [UInt8] {
  guard value.isContainer else { return Array(bytes[value.range]) }
  var text = [bytes[value.range.lowerBound]]
  for child in value.children {
    text += bytes[child.lead]
    if let key = child.keyRange {
      text += bytes[key] + bytes[key.upperBound..<child.value.range.lowerBound]
    }
    text += joined(child.value, of: bytes) + bytes[child.trail]
    if child.outer.upperBound < value.end.lowerBound { text.append(UInt8(ascii: ",")) }
  }
  return text + bytes[value.end] + [bytes[value.range.upperBound - 1]]
}

@Suite struct PlacedJSONTests {
  private static let bytes = Array(text.utf8)

  @Test func theRangesContainEveryByte() throws {
    let root = try #require(placedJSON(PlacedJSONTests.bytes))
    #expect(joined(root, of: PlacedJSONTests.bytes) == Array(PlacedJSONTests.bytes[root.range]))
    #expect(root.children.map(\.key) == ["größe", "a/b~", "x"])
  }

  @Test(arguments: [
    ("", false, 1, 1), ("/größe", true, 1, 3), ("/größe/1", false, 1, 17),
    ("/größe/3", false, 1, 33), ("/a~1b~0", true, 2, 3), ("/a~1b~0/x", false, 2, 24),
    ("/a~1b~0/y", false, 2, 17), ("/x", false, 2, 39), ("/none/0", true, 1, 1),
  ])
  func aValueHasALineAndAColumn(pointer: ByteString, isKey: Bool, line: Int, column: Int) throws {
    let places = JSONPlaces(of: [pointer], in: PlacedJSONTests.bytes)
    let place = try #require(places.place(of: pointer, isKey: isKey))
    #expect([place.line, place.column] == [line, column])
  }

  @Test(arguments: [
    #"{"a": {"b": 1, "c" 2}}"#, #"{"a": {"b": 'x y'}}"#, #"{"a": {"b": ]"#, #"{"a": {"b"#,
  ])
  func valuesBeforeAFaultAreFound(text: String) {
    #expect(placedJSON(Array(text.utf8)) == nil)
    let places = JSONPlaces(of: ["/a/b/0"], in: Array(text.utf8))
    let column = places.place(of: "/a/b/0", isKey: false)?.column
    #expect(column == (text.contains("\"b\":") ? 13 : 7))
  }

  @Test(arguments: [63, 64]) func valuesNestAsDeepAsForTheParser(levels: Int) {
    let opening = String(repeating: "[", count: levels)
    let bytes = Array((opening + "1" + String(repeating: "]", count: levels)).utf8)
    #expect((placedJSON(bytes) == nil) == ((try? parseJSON(bytes)) == nil))
  }

  @Test func aSurveyCountsOutsideOfStrings() {
    let survey = JSONSurvey(Array(#"{"a,:'":[1,{"b":2 , }],}"#.utf8))
    #expect([survey.separators, survey.colons] == [6, 2])
    #expect(survey.trailingCommas == [18, 22])
    #expect(survey.laxity == nil)
    #expect(JSONSurvey(Array("[-Infinity]".utf8)).laxity?.offset == 2)
    #expect(JSONSurvey(Array("{ 'a': 1}".utf8)).laxity?.offset == 2)
    #expect(JSONSurvey(Array("[1,,]".utf8)).trailingCommas.isEmpty)
  }
}
