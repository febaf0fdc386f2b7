// The two hashes of the index. One hashes names, for the name table. The other hashes longer runs
// of bytes, for the checksum of the index and for the identity of the trees that it describes.
// Neither is cryptographic: they do not detect a hostile index, and therefore the reader checks
// each number that it uses.

/// A hash of runs of bytes, which takes eight bytes at a time, in their order.
package struct IndexDigest: Sendable {
  package private(set) var value: UInt64

  package init(seed: UInt64 = 0) { value = seed ^ 0x9E37_79B9_7F4A_7C15 }

  package mutating func add(_ word: UInt64) {
    value = (value ^ word) &* 0xD6E8_FEB8_6659_FD93
    value ^= value >> 32
  }

  /// Adds a run of bytes and its length. Two runs, one after the other, give another value than
  /// their concatenation.
  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    add(UInt64(bytes.count))
    add(words: bytes)
  }

  /// Adds bytes without their length, which the caller has added before. If there are several runs,
  /// the length of each except the last is a multiple of eight.
  mutating func add(words bytes: UnsafeRawBufferPointer) {
    var position = 0
    while position + 8 <= bytes.count {
      add(bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
      position += 8
    }
    var tail: UInt64 = 0
    for byte in bytes[position...].reversed() { tail = tail << 8 | UInt64(byte) }
    if position < bytes.count { add(tail) }
  }
}

/// The hash of a name and a kind. It is also the id of the asset, in every archive. A change of
/// this function would break every id that a program has stored.
public struct AssetNameHash: Sendable {
  public let value: UInt64

  /// Computes the hash of a name. `name` points at `count` readable bytes.
  @inlinable @inline(__always)
  package init(_ name: UnsafeRawPointer, count: Int, kind: UInt8) {
    self =
      count >= 8
      ? AssetNameHash(words: name, count: count, kind: kind)
      : AssetNameHash(short: name, count: count, kind: kind)
  }

  /// Computes the hash of a name of at least eight bytes. It mixes whole words, then the last eight
  /// bytes, which may overlap the word before: no byte after `count` is read.
  @inlinable @inline(__always)
  init(words name: UnsafeRawPointer, count: Int, kind: UInt8) {
    var state = AssetNameHash.start(count: count, kind: kind)
    var position = 0
    while position &+ 8 < count {
      let word = name.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      state = AssetNameHash.mix(state, word)
      position &+= 8
    }
    let last = name.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
    value = AssetNameHash.mix(state, last)
  }

  /// Computes the hash of a name of fewer than eight bytes.
  @inlinable @inline(__always)
  init(short name: UnsafeRawPointer, count: Int, kind: UInt8) {
    value = AssetNameHash.mix(
      AssetNameHash.start(count: count, kind: kind), AssetNameHash.word(short: name, count: count))
  }

  @inlinable @inline(__always)
  static func start(count: Int, kind: UInt8) -> UInt64 {
    UInt64(truncatingIfNeeded: count) << 8 | UInt64(kind)
  }

  /// Returns all bytes of a name of fewer than eight bytes.
  @inlinable @inline(__always)
  static func word(short name: UnsafeRawPointer, count: Int) -> UInt64 {
    if count >= 4 {
      let low = name.loadUnaligned(as: UInt32.self)
      let high = name.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
      return UInt64(high) << 32 | UInt64(low)
    }
    if count == 0 { return 0 }
    let first = UInt64(name.loadUnaligned(as: UInt8.self))
    let middle = UInt64(name.loadUnaligned(fromByteOffset: count >> 1, as: UInt8.self))
    let last = UInt64(name.loadUnaligned(fromByteOffset: count &- 1, as: UInt8.self))
    return last << 16 | middle << 8 | first
  }

  @inlinable @inline(__always)
  static func mix(_ state: UInt64, _ word: UInt64) -> UInt64 {
    let product = (state ^ word ^ 0xA076_1D64_78BD_642F).multipliedFullWidth(
      by: 0xE703_7ED1_A0B4_28DB)
    return product.high ^ product.low
  }

  @inlinable @inline(__always) package init(value: UInt64) { self.value = value }

  package init(of name: UnsafeRawBufferPointer, kind: UInt8) {
    // The empty name may have no address. None of its bytes is read.
    self = withUnsafeBytes(of: UInt8(0)) { nothing in
      let base = name.baseAddress ?? nothing.baseAddress
      return base.map { AssetNameHash($0, count: name.count, kind: kind) }
        ?? AssetNameHash(value: 0)
    }
  }

  @inlinable @inline(__always) package var tag: UInt32 { UInt32(truncatingIfNeeded: value) }

  /// Returns a number below `count`. A larger hash gives the same number or a larger one.
  @inlinable @inline(__always) package func number(below count: Int) -> Int {
    Int(truncatingIfNeeded: value.multipliedFullWidth(by: UInt64(truncatingIfNeeded: count)).high)
  }

  /// Returns another hash for each pilot, so that one of the pilots leads to a free cell.
  @inlinable @inline(__always) package func scattered(by pilot: UInt8) -> AssetNameHash {
    // The factor is odd, so different hashes stay different.
    AssetNameHash(value: value &* (0xD6E8_FEB8_6659_FD93 &+ 2 &* UInt64(pilot)))
  }
}

extension RenditionKey {
  /// A digest by which the index finds the atlas that has this key.
  var digest: UInt64 {
    var digest = IndexDigest()
    withUnsafeBytes(of: words) { digest.add(words: $0) }
    return digest.value
  }
}
