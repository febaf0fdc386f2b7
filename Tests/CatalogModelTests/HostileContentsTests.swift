// Tests Contents.json files that are made to cost more than their size allows, or to be read as
// something else.

import Bytes
import CatalogModel
import Testing

private func reading(_ text: String) -> CatalogContents {
  TreeBuilder().folder("S.imageset", text).read()
}

private func codes(_ text: String) -> [DiagnosticCode] { reading(text).diagnostics.map(\.code) }

@Suite(.timeLimit(.minutes(1))) struct HostileContentsTests {
  /// Files of half a megabyte. A reader without limits takes a minute or a gigabyte for each.
  @Test(arguments: [
    #"{"\#(String(repeating: "x", count: 400_000))":{\#(members(2000))},"a":1,"a":2}"#,
    #"{"i\#(String(repeating: "-", count: 400_000))mages":[\#(objects(1000))]}"#,
    #"{"images":[\#(String(repeating: #"{"idiom":"iphone","scale":3},"#, count: 3000))0]}"#,
  ])
  func theCostOfAFileGrowsWithItsSize(text: String) {
    let pointers = reading(text).diagnostics.compactMap(\.pointer)
    #expect(pointers.reduce(0) { $0 + $1.count } < 2 * text.utf8.count)
  }

  @Test func aFolderWithManyFilesAndManyMissingOnesIsRead() {
    var builder = TreeBuilder()
    for index in 0..<1500 { builder = builder.file("S.imageset/some-picture-\(index).png", [0]) }
    let entries = (0..<1500).map { #"{"filename":"some-pixture-\#($0).png"}"# }
    builder = builder.folder("S.imageset", #"{"images":[\#(entries.joined(separator: ","))]}"#)
    let missing = builder.read().diagnostics.filter { $0.code == .missingFile }
    #expect(missing.contains { $0.message.contains("did you mean") })
  }

  @Test func aKeyAsLongAsAPageIsNoMisspelling() {
    let key = "im" + String(repeating: "-", count: 4000) + "ages"
    #expect(codes(#"{"\#(key)":[]}"#).contains(.unknownKey))
  }

  /// A NUL ends a string in C, so "filename\u0000.old" could be read as "filename".
  @Test(arguments: [
    #"{"images\u0000":[]}"#, #"{"images":[{"filename\u0000.old":"a.png"}]}"#,
    #"{"images":[{"filename":"a\u0000.png"}]}"#, #"{"a":"\\\u0000"}"#,
  ])
  func anEscapedNULIsRefused(text: String) throws {
    let found = try #require(reading(text).diagnostics.first { $0.code == .jsonSyntax })
    #expect(found.message.contains("NUL"))
    #expect(found.line == 1)
  }

  @Test func aBackslashBeforeAuIsNoEscapedNUL() {
    #expect(!codes(#"{"a\\u0000":"\\\\u0000"}"#).contains(.jsonSyntax))
  }

  @Test func oneOfARepeatedKeyInEachOfTwoObjectsIsNoRepetition() {
    #expect(!codes(#"{"images":[{"idiom":"ipad"},{"idiom":"mac"}]}"#).contains(.jsonDuplicateKey))
    let found = reading(#"{"images":[{},{"idiom":"ipad","scale":"1x","idiom":"mac"}]}"#)
      .diagnostics.first { $0.code == .jsonDuplicateKey }
    #expect(found?.pointer == "/images/1/idiom")
    #expect(found?.column == 44)
  }
}

private func members(_ count: Int) -> String {
  (0..<count).map { #""k\#($0)":0"# }.joined(separator: ",")
}

private func objects(_ count: Int) -> String {
  (0..<count).map { #"{"zz\#($0)":0}"# }.joined(separator: ",")
}
