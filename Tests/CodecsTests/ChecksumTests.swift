// The digest against values of another implementation, however its input is cut.

import Codecs
import Testing

@Suite struct ChecksumTests {
  /// By the length of (7i + length) modulo 256; the values are those of Python's hashlib.
  private static let digests: [(Int, String)] = [
    (0, "cae66941d9efbd404e4d88758ea67670"), (1, "4a9e6f9b8d43f6ad008f8c291929dee2"),
    (3, "09e03a807474593d5cb98909e5d502cd"), (127, "4bdfe90a02a9650321e48e485acc8498"),
    (128, "117ca2028a4b08156b399fd29adea911"), (129, "bf505197d50347255a4f8bc3a3c4e184"),
    (255, "67aebb0a5aae8eab2b88ce6bd9b54eb4"), (256, "dbb08d79105462394550aa4d4e10133f"),
    (257, "1aad2e646e9ff664e7294e2b30abef52"), (1000, "81c26b9c7a14e1ff952a2e90155aaead"),
    (4096, "faf1f858d198aed5b8196bb93a7f6d93"),
  ]

  private func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7 + count) }
  }

  @Test(arguments: digests) func theDigestIsThatOfTheStandard(count: Int, expected: String) {
    for step in [1, 7, 64, 127, 128, 129, 5000] {
      var digest = BLAKE2b()
      let all = bytes(count)
      for start in stride(from: 0, to: count, by: step) {
        digest.add(Array(all[start..<min(start + step, count)]))
      }
      #expect(digest.digest().hexadecimal == expected, "in steps of \(step)")
    }
  }

  @Test func aNumberIsEightBytesTheLeastFirst() {
    var number = BLAKE2b()
    number.add(0x0807_0605_0403_0201 as UInt64)
    var bytes = BLAKE2b()
    bytes.add([1, 2, 3, 4, 5, 6, 7, 8])
    #expect(number.digest() == bytes.digest())
  }

  /// Two words differ so that sums which multiply and shift words one by one cannot tell.
  @Test func highBitsOfNeighboursDoNotCancelOut() {
    let words: [UInt64] = [0x0123_4567_89AB_CDEF, 0xFEDC_BA98_7654_3210, 5]
    let twins = [words[0] ^ 1 << 63, words[1] ^ (1 << 63 | 1 << 31), words[2]]
    var first = BLAKE2b()
    var second = BLAKE2b()
    for word in words { first.add(word) }
    for word in twins { second.add(word) }
    #expect(first.digest() != second.digest())
  }
}
