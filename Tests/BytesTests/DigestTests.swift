// Digests, compared with those of another implementation, for inputs that are added in different
// pieces.

import Bytes
import Testing

@Suite struct DigestTests {
  /// The expected digests of the bytes (7i + length) modulo 256, by length. They are from Python's
  /// hashlib.
  private static let digests: [(Int, String)] = [
    (0, "cae66941d9efbd404e4d88758ea67670"), (1, "4a9e6f9b8d43f6ad008f8c291929dee2"),
    (3, "09e03a807474593d5cb98909e5d502cd"), (127, "4bdfe90a02a9650321e48e485acc8498"),
    (128, "117ca2028a4b08156b399fd29adea911"), (129, "bf505197d50347255a4f8bc3a3c4e184"),
    (255, "67aebb0a5aae8eab2b88ce6bd9b54eb4"), (256, "dbb08d79105462394550aa4d4e10133f"),
    (257, "1aad2e646e9ff664e7294e2b30abef52"), (1000, "81c26b9c7a14e1ff952a2e90155aaead"),
    (4096, "faf1f858d198aed5b8196bb93a7f6d93"),
  ]

  private static let secureDigests: [(Int, String)] = [
    (0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    (1, "4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a"),
    (55, "81afe5b788dc2ce138ff83d9b20164db75a94d75d2b2432eea4a0ef605088c72"),
    (56, "2aba54f0ac632420a2b502431408866e40e1d5e430df4cd822642c78ab2eb9c1"),
    (63, "733d3d4ee79ee67145bf73da13588f6f235d37414fc64b14a2f00f1762792f5e"),
    (64, "79322907b3e9d013d7dc2c2f256674dbf733045cde01df3539271c6f5605feb8"),
    (65, "d85c007c6eb440f085afa2b84f6f2bce4658b240e9f62cb1364bf0485a57e720"),
    (119, "6c87eedf096b345de205b702e5223b73b447a3207791ded3ea007ba15ed6736e"),
    (120, "42500cf6a1e3936d6b9e0bcfe296d654b63255e525487d3634d0b15fde591c4d"),
    (1000, "6b0df76627243d095b0c4400cb658b7e804dd03461cc03aee8fc8fe0bcada168"),
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

  /// The lengths lie around the end of a block. The expected values are from Python's hashlib.
  @Test(arguments: secureDigests)
  func theSecureDigestIsThatOfTheStandard(count: Int, expected: String) {
    #expect(bytes(count).withUnsafeBytes(SHA256.hexadecimal) == expected.uppercased())
  }

  /// The cases of RFC 4231 except the fifth, which is cut.
  @Test(arguments: [
    (
      [UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8),
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      [UInt8](repeating: 0xAA, count: 20), [UInt8](repeating: 0xDD, count: 50),
      "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
    ),
    (
      Array(1...25), [UInt8](repeating: 0xCD, count: 50),
      "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
    ),
    (
      [UInt8](repeating: 0xAA, count: 131),
      Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
    (
      [UInt8](repeating: 0xAA, count: 131),
      Array(
        """
        This is a test using a larger than block-size key and a larger than block-size data. The key needs to be \
        hashed before being used by the HMAC algorithm.
        """.utf8),
      "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
    ),
  ])
  func theCodeOfAMessageIsThatOfTheStandard(secret: [UInt8], message: [UInt8], expected: String) {
    let code = HMAC.sha256(of: message, secret: secret)
    #expect(code.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == expected)
    #expect(HMAC.areEqual(code, code))
    for place in code.indices {
      var other = code
      other[place] ^= 0x80
      #expect(!HMAC.areEqual(code, other))
    }
    #expect(!HMAC.areEqual(code, code.dropLast()) && !HMAC.areEqual(code, []))
  }

  @Test func aNumberIsEightBytesTheLeastFirst() {
    var number = BLAKE2b()
    number.add(0x0807_0605_0403_0201 as UInt64)
    var bytes = BLAKE2b()
    bytes.add([1, 2, 3, 4, 5, 6, 7, 8])
    #expect(number.digest() == bytes.digest())
  }

  /// The words differ in bits that cancel out in checksums that multiply and shift word by word.
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
