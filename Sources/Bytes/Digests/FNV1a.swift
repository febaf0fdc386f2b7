// FNV-1a with 64 bits: a quick hash of short texts, the same on every machine. It is no digest:
// anyone can find two texts with one hash.

public struct FNV1a: Sendable {
  public var value: UInt64

  /// Creates the hash of no bytes.
  @inlinable package init() { value = 0xCBF2_9CE4_8422_2325 }

  @inlinable @inline(__always)
  package mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }

  package init(_ bytes: [UInt8]) {
    self.init()
    for byte in bytes { add(byte) }
  }

  /// The hash in sixteen hexadecimal digits.
  package var digits: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
