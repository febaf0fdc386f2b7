// HMAC-SHA-256 (RFC 2104): proof that bytes come from a program that has a secret.

package enum HMAC {
  private static let blockSize = 64

  /// The code of a message, 32 bytes long.
  package static func sha256(of message: [UInt8], secret: [UInt8]) -> [UInt8] {
    var key = secret.count > blockSize ? SHA256.digest(secret) : secret
    key += [UInt8](repeating: 0, count: blockSize - key.count)
    let inner = SHA256.digest(key.map { $0 ^ 0x36 } + message)
    return SHA256.digest(key.map { $0 ^ 0x5C } + inner)
  }

  /// Compares two codes. The time does not depend on the place where they differ, so that no
  /// program finds a code byte by byte.
  package static func areEqual(_ a: some Collection<UInt8>, _ b: some Collection<UInt8>) -> Bool {
    guard a.count == b.count else { return false }
    return zip(a, b).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
