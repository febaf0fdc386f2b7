// Tests the small functions of `Bytes` that several modules call: texts in UTF-16, paths between
// folders, digits, hashes, and the bytes that were used last.

import Bytes
import Testing

@Suite struct SharedFunctionTests {
  @Test(
    arguments: [
      ([0xFF, 0xFE, 0x41, 0, 0x3D, 0xD8, 0x00, 0xDE], "A😀"),
      ([0xFE, 0xFF, 0, 0x41, 0xD8, 0x3D, 0xDE, 0x00], "A😀"),
      ([0xFF, 0xFE, 0x41, 0, 0x42], "A"), ([0xFE, 0xFF], ""),
      ([0xFE, 0xFF, 0xD8, 0x3D], "\u{FFFD}"),
      ([0x41], nil), ([], nil),
    ] as [([UInt8], String?)])
  func aTextInUTF16HasAMark(bytes: [UInt8], text: String?) {
    #expect(textOfUTF16(bytes).map { String(decoding: $0, as: UTF8.self) } == text)
  }

  @Test func aTextInUTF16MayHaveNoMark() {
    #expect(utf8(ofUTF16: [9, 0x3C, 0, 0xE9, 0][1...], isBigEndian: false) == Array("<é".utf8))
    #expect(utf8(ofUTF16: [0, 0x3C, 0], isBigEndian: true) == Array("<".utf8))
  }

  @Test(
    arguments: [
      ("/a/b", "/a/c/d", "../c/d"), ("/a", "/a", "."), ("/a/./b", "/a/b/../c", "../c"),
      ("/", "/x", "x"), ("/x/y", "/", "../.."),
    ] as [(ByteString, ByteString, ByteString)])
  func aPathLeadsFromOneFolderToAnother(from: ByteString, to: ByteString, path: ByteString) {
    #expect(relativePath(from: from.plainComponents, to: to.plainComponents) == path)
  }

  @Test func digitsHaveValues() {
    let digits = Array("0123456789abcdefABCDEF".utf8)
    #expect(digits.compactMap(hexDigit) == Array(0...15) + Array(10...15))
    #expect(Array("/:@G`g".utf8).allSatisfy { hexDigit($0) == nil })
  }

  @Test func hashesAreThoseOfTheStandard() {
    #expect(FNV1a([]).digits == "cbf29ce484222325")
    #expect(FNV1a([0x61]).digits == "af63dc4c8601ec8c")
    #expect(FNV1a(Array("foobar".utf8)).digits == "85944171f73967e8")
  }

  @Test func bytesStayUntilTwoListsAreFull() {
    var recent = RecentBytes<Int>(limit: 4)
    recent.use([1, 1], of: 1)
    recent.use([2, 2], of: 2)
    recent.use([3], of: 3)
    #expect(recent[1] == [1, 1] && recent[3] == [3])
    recent.use([1, 1], of: 1)
    recent.use([4, 4], of: 4)
    #expect(recent[1] == [1, 1] && recent[2] == nil && recent[4] == [4, 4])
    recent.use([5, 5, 5, 5, 5], of: 5)
    #expect(recent[5]?.count == 5 && recent[1] == nil && recent[4] != nil)
  }
}
