// BLAKE2b (RFC 7693) with a digest of 128 bits, which identifies files that were seen before. The
// callers decide which bytes a digest covers, and in which order.
//
// The strength of the digest: no attack on the twelve rounds is known that is faster than trying.
// Among a thousand million different inputs, the probability that any two have the same digest is
// below 10^-20. Finding two inputs with the same digest takes 2^64 attempts, and finding one with
// the digest of a given input takes 2^128.

package struct BLAKE2b: Sendable {
  private var state: [UInt64]
  /// The bytes of the last block, which is mixed in when more bytes come, or at the end.
  private var pending = [UInt8](repeating: 0, count: blockSize)
  private var pendingCount = 0
  private var byteCount: UInt64 = 0

  private static let blockSize = 128
  private static let digestSize = 16

  private static let start: [UInt64] = [
    0x6a09_e667_f3bc_c908, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1,
    0x510e_527f_ade6_82d1, 0x9b05_688c_2b3e_6c1f, 0x1f83_d9ab_fb41_bd6b, 0x5be0_cd19_137e_2179,
  ]

  package init() {
    state = BLAKE2b.start
    // The size of the digest, no key, one leaf.
    state[0] ^= 0x0101_0000 ^ UInt64(BLAKE2b.digestSize)
  }

  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes[...]
    while !rest.isEmpty {
      // The last block is marked, so a full block waits until it is known whether more bytes
      // follow.
      if pendingCount == BLAKE2b.blockSize { mixPending(isLast: false) }
      if pendingCount == 0, rest.count > BLAKE2b.blockSize {
        let whole = (rest.count - 1) / BLAKE2b.blockSize * BLAKE2b.blockSize
        let blocks = UnsafeRawBufferPointer(rebasing: rest.prefix(whole))
        for offset in stride(from: 0, to: whole, by: BLAKE2b.blockSize) {
          byteCount += UInt64(BLAKE2b.blockSize)
          mix(UnsafeRawBufferPointer(rebasing: blocks[offset...]), isLast: false)
        }
        rest = rest.dropFirst(whole)
      }
      let taken = rest.prefix(BLAKE2b.blockSize - pendingCount)
      for byte in taken {
        pending[pendingCount] = byte
        pendingCount += 1
      }
      rest = rest.dropFirst(taken.count)
    }
  }

  package mutating func add(_ bytes: [UInt8]) { bytes.withUnsafeBytes { add($0) } }

  /// Adds eight bytes, lowest first: a number between runs of bytes, such as the length of the next
  /// run.
  package mutating func add(_ number: UInt64) {
    withUnsafeBytes(of: number.littleEndian) { add($0) }
  }

  /// Returns the digest of the added bytes: 16 bytes as two words, the first 8 bytes in the first
  /// word.
  package consuming func digest() -> Digest128 {
    for index in pendingCount..<BLAKE2b.blockSize { pending[index] = 0 }
    mixPending(isLast: true)
    return Digest128(first: state[0], second: state[1])
  }

  private mutating func mixPending(isLast: Bool) {
    byteCount += UInt64(pendingCount)
    let block = pending
    block.withUnsafeBytes { mix($0, isLast: isLast) }
    pendingCount = 0
  }

  /// Mixes the first 128 bytes of `block` into the state.
  private mutating func mix(_ block: UnsafeRawBufferPointer, isLast: Bool) {
    precondition(block.count >= BLAKE2b.blockSize)
    // The count was checked, so that reading a word needs no check.
    guard let words = block.baseAddress else { return }
    var work = WorkingWords(state, BLAKE2b.start, byteCount: byteCount, isLast: isLast)
    // The last two of twelve rounds use the orders of the first two.
    work.mix(words, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
    work.mix(words, 14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3)
    work.mix(words, 11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4)
    work.mix(words, 7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8)
    work.mix(words, 9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13)
    work.mix(words, 2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9)
    work.mix(words, 12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11)
    work.mix(words, 13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10)
    work.mix(words, 6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5)
    work.mix(words, 10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0)
    work.mix(words, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
    work.mix(words, 14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3)
    state[0] ^= work.v0 ^ work.v8
    state[1] ^= work.v1 ^ work.v9
    state[2] ^= work.v2 ^ work.v10
    state[3] ^= work.v3 ^ work.v11
    state[4] ^= work.v4 ^ work.v12
    state[5] ^= work.v5 ^ work.v13
    state[6] ^= work.v6 ^ work.v14
    state[7] ^= work.v7 ^ work.v15
  }
}

/// The sixteen words that a block is mixed into. They are fields, not captured variables: Swift
/// would check each use of those when the program runs.
private struct WorkingWords {
  var v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15: UInt64

  @inline(__always)
  init(_ state: [UInt64], _ start: [UInt64], byteCount: UInt64, isLast: Bool) {
    (v0, v1, v2, v3) = (state[0], state[1], state[2], state[3])
    (v4, v5, v6, v7) = (state[4], state[5], state[6], state[7])
    (v8, v9, v10, v11) = (start[0], start[1], start[2], start[3])
    (v12, v13, v14, v15) = (start[4] ^ byteCount, start[5], start[6], start[7])
    if isLast { v14 = ~v14 }
  }

  /// Mixes the words of the block with these indices in two steps of four: columns, then diagonals.
  /// The indices are constants in the machine code, which a table of them would not be.
  @inline(__always)
  mutating func mix(
    _ block: UnsafeRawPointer,
    _ p0: Int, _ p1: Int, _ p2: Int, _ p3: Int, _ p4: Int, _ p5: Int, _ p6: Int, _ p7: Int,
    _ p8: Int, _ p9: Int, _ pA: Int, _ pB: Int, _ pC: Int, _ pD: Int, _ pE: Int, _ pF: Int
  ) {
    func word(_ index: Int) -> UInt64 {
      UInt64(littleEndian: block.loadUnaligned(fromByteOffset: index &* 8, as: UInt64.self))
    }
    quarter(&v0, &v4, &v8, &v12, word(p0), word(p1))
    quarter(&v1, &v5, &v9, &v13, word(p2), word(p3))
    quarter(&v2, &v6, &v10, &v14, word(p4), word(p5))
    quarter(&v3, &v7, &v11, &v15, word(p6), word(p7))
    quarter(&v0, &v5, &v10, &v15, word(p8), word(p9))
    quarter(&v1, &v6, &v11, &v12, word(pA), word(pB))
    quarter(&v2, &v7, &v8, &v13, word(pC), word(pD))
    quarter(&v3, &v4, &v9, &v14, word(pE), word(pF))
  }
}

/// Computes one of the eight steps of a round.
@inline(__always)
private func quarter(
  _ a: inout UInt64, _ b: inout UInt64, _ c: inout UInt64, _ d: inout UInt64, _ x: UInt64,
  _ y: UInt64
) {
  a = a &+ b &+ x
  d = turned(d ^ a, 32)
  c = c &+ d
  b = turned(b ^ c, 24)
  a = a &+ b &+ y
  d = turned(d ^ a, 16)
  c = c &+ d
  b = turned(b ^ c, 63)
}

@inline(__always)
private func turned(_ word: UInt64, _ count: UInt64) -> UInt64 {
  word &>> count | word &<< (64 &- count)
}

/// A digest of 128 bits, which identifies the bytes from which it was computed.
package struct Digest128: Sendable, Hashable {
  package var first: UInt64
  package var second: UInt64

  package init(first: UInt64, second: UInt64) {
    self.first = first
    self.second = second
  }

  package init(ofBytes bytes: [UInt8]) {
    var digest = BLAKE2b()
    digest.add(bytes)
    self = digest.digest()
  }

  package init(_ bytes: UnsafeRawBufferPointer) {
    var digest = BLAKE2b()
    digest.add(bytes)
    self = digest.digest()
  }

  /// The digest as 32 hexadecimal digits, byte after byte.
  package var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for word in [first, second] {
      for shift in stride(from: UInt64(0), to: 64, by: 8) {
        let byte = word >> shift
        text += [digits[Int(byte >> 4 & 15)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
