// Digests and ciphers by the examples of their standards.

import Bytes
import Testing

@testable import Codecs

@Suite struct CipherTests {
  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private let abc = Array("abc".utf8)

  @Test func digests() {
    #expect(hex(MD5.digest([])) == "d41d8cd98f00b204e9800998ecf8427e")
    #expect(hex(MD5.digest(abc)) == "900150983cd24fb0d6963f7d28e17f72")
    let digits = Array(repeatElement(Array("1234567890".utf8), count: 8).joined())
    #expect(hex(MD5.digest(digits)) == "57edf4a22be3c955ac49da2e2107b67a")
    #expect(
      hex(SHA256.digest(abc)) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      hex(SHA512.shortDigest(abc))
        == "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
        + "8086072ba1e7cc2358baeca134c825a7")
    #expect(
      hex(SHA512.digest(abc))
        == "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f")
  }

  @Test func streamCipher() {
    #expect(hex(RC4.apply(Array("Plaintext".utf8), key: Array("Key".utf8))) == "bbf316e8d940af0ad3")
  }

  @Test(arguments: [
    (16, "69c4e0d86a7b0430d8cdb78070b4c55a"), (32, "8ea2b7ca516745bfeafc49904b496089"),
  ])
  func blockCipher(_ count: Int, _ encrypted: String) throws {
    let plain = (0..<16).map { UInt8($0 * 0x11) }
    let start = [UInt8](repeating: 0, count: 16)
    let cipher = try #require(AES(key: (0..<count).map { UInt8($0) }))
    #expect(hex(cipher.encrypt(plain, start: start)) == encrypted)
    let long = plain + plain.reversed() + plain
    let chain = (0..<16).map { UInt8($0 * 7) }
    #expect(cipher.decrypt(cipher.encrypt(long, start: chain), start: chain) == long)
    #expect(AES(key: [1, 2, 3]) == nil)
  }
}
