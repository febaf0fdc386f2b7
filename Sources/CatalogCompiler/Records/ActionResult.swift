// The result of an action, in the format of the remote execution protocol: the values under /ac/ in
// Bazel's caches. Servers read a result to check that the file in it exists. Unknown fields are
// skipped.
//
//   ActionResult   2: OutputFile, repeated      4: exit code, 0 if it is missing
//   OutputFile     1: path      2: Digest
//   Digest         1: SHA-256 in lower-case hexadecimal digits      2: number of bytes

import Codecs

/// The single file of a result.
struct ActionResult: Sendable, Hashable {
  var path: String
  var digest: String
  var byteCount: Int

  init(path: String, of bytes: [UInt8]) {
    self.path = path
    digest = ActionResult.sha256(bytes)
    byteCount = bytes.count
  }

  static func sha256(_ bytes: [UInt8]) -> String {
    bytes.withUnsafeBytes { SHA256.hexadecimal($0) }.lowercased()
  }

  var bytes: [UInt8] {
    let digest = field(1, Array(self.digest.utf8)) + [2 << 3] + number(UInt64(byteCount))
    return field(2, field(1, Array(path.utf8)) + field(2, digest))
  }

  private func field(_ number: UInt8, _ value: [UInt8]) -> [UInt8] {
    [number << 3 | 2] + self.number(UInt64(value.count)) + value
  }

  private func number(_ value: UInt64) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = value
    while rest > 0x7F {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  /// Reads a result; nil if the bytes are not a result with one file.
  init?(_ bytes: [UInt8]) {
    guard let result = ProtocolMessage(bytes[...]), result.numbers[4] ?? 0 == 0,
      let file = result.parts[2].flatMap({ ProtocolMessage($0) }),
      let path = file.parts[1], let digest = file.parts[2].flatMap({ ProtocolMessage($0) }),
      let hash = digest.parts[1], hash.count == 64,
      hash.allSatisfy({ 48...57 ~= $0 || 97...102 ~= $0 }),
      let byteCount = Int(exactly: digest.numbers[2] ?? 0)
    else { return nil }
    self.path = String(decoding: path, as: UTF8.self)
    self.digest = String(decoding: hash, as: UTF8.self)
    self.byteCount = byteCount
  }
}

/// The fields of a protocol buffer message. If a field is repeated, the last one counts.
private struct ProtocolMessage {
  private(set) var numbers: [UInt64: UInt64] = [:]
  private(set) var parts: [UInt64: ArraySlice<UInt8>] = [:]

  init?(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while !rest.isEmpty {
      guard let tag = ProtocolMessage.number(&rest) else { return nil }
      switch tag & 7 {
      case 0:
        guard let value = ProtocolMessage.number(&rest) else { return nil }
        numbers[tag >> 3] = value
      case 1 where rest.count >= 8: rest = rest.dropFirst(8)
      case 5 where rest.count >= 4: rest = rest.dropFirst(4)
      case 2:
        guard let count = ProtocolMessage.number(&rest), count <= UInt64(rest.count) else {
          return nil
        }
        parts[tag >> 3] = rest.prefix(Int(count))
        rest = rest.dropFirst(Int(count))
      default: return nil
      }
    }
  }

  private static func number(_ bytes: inout ArraySlice<UInt8>) -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard let byte = bytes.popFirst() else { return nil }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    return nil
  }
}
