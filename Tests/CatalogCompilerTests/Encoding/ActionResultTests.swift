// The results on cache servers, byte by byte as the protocol defines them.

import Testing

@testable import CatalogCompiler

@Suite struct ActionResultTests {
  private static let bytes = [UInt8](repeating: 65, count: 300)

  private func result() -> ActionResult { ActionResult(path: "carve/ab", of: Self.bytes) }

  @Test func aResultIsWrittenAsTheProtocolSays() throws {
    let result = result()
    let hash = Array(result.digest.utf8)
    #expect(hash.count == 64)
    let digest = [0x0A, 64] + hash + [0x10, 0xAC, 0x02]
    let file = [0x0A, 8] + Array("carve/ab".utf8) + [0x12, UInt8(digest.count)] + digest
    #expect(result.bytes == [0x12, UInt8(file.count)] + file)
    #expect(ActionResult(result.bytes) == result)
  }

  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
  ])
  func digestsAreThoseOfEverybody(text: String, digest: String) {
    #expect(ActionResult.sha256(Array(text.utf8)) == digest)
  }

  /// Servers and other programs may add fields to a result.
  @Test func otherFieldsArePassedOver() {
    let more: [UInt8] =
      [0x20, 0, 0x2A, 2, 1, 2, 0x4D, 1, 2, 3, 4, 0x51, 1, 2, 3, 4, 5, 6, 7, 8, 0xF8, 0x7F, 0x80, 1]
    #expect(ActionResult(more + result().bytes) == result())
    #expect(ActionResult(result().bytes + more) == result())
    #expect(ActionResult([0x20, 1] + result().bytes) == nil, "an action that failed")
  }

  @Test func bytesThatAreNoResultGiveNil() {
    let whole = result().bytes
    for count in 0..<whole.count { #expect(ActionResult(Array(whole[..<count])) == nil) }
    var capital = whole
    capital[whole.count - 6] = UInt8(ascii: "A")
    #expect(ActionResult(capital) == nil)
    for tag in [UInt8](0...255) { _ = ActionResult([tag] + whole) }
    #expect(ActionResult([0x12] + [UInt8](repeating: 0xFF, count: 9) + [1]) == nil)
    #expect(ActionResult([0x12] + [UInt8](repeating: 0xFF, count: 20)) == nil)
  }

  /// A slow server is asked no more; a distant one is.
  @Test func answersOfASlowServerAreLate() {
    var distant = ServerDelay()
    for _ in 0..<10_000 { distant.count(seconds: 0.09, bytes: 300) }
    distant.count(seconds: 5, bytes: 5_000_000)
    #expect(!distant.isTooLong)
    var slow = ServerDelay()
    for _ in 0..<200 { slow.count(seconds: 1.1, bytes: 0) }
    #expect(!slow.isTooLong)
    for _ in 0..<41 { slow.count(seconds: 1.1, bytes: 0) }
    #expect(slow.isTooLong)
  }
}
