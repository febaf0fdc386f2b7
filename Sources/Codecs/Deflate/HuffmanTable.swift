// Decoder tables for deflate's canonical Huffman codes: the next bits are the index into a first
// level; longer codes continue in second levels.

/// One table entry with the meaning of its bits.
struct HuffmanEntry {
  let word: UInt32

  private static let literalBit: UInt32 = 1 << 13
  private static let stopBit: UInt32 = 1 << 14
  private static let linkBit: UInt32 = 1 << 15

  @inline(__always) init(word: UInt32) { self.word = word }

  static func literal(_ value: Int) -> UInt32 { literalBit | UInt32(value) << 16 }
  static func base(_ value: Int, extra: Int) -> UInt32 { UInt32(extra) << 8 | UInt32(value) << 16 }
  /// Returns the entry for the end of a block (value 1) or for an unused code (value 0).
  static func stop(_ value: Int) -> UInt32 { stopBit | UInt32(value) << 16 }
  static func link(to start: Int, bits: Int) -> UInt32 {
    linkBit | UInt32(bits) << 8 | UInt32(start) << 16
  }

  /// The number of bits of the code, or of its part in this level.
  @inline(__always) var length: Int { Int(truncatingIfNeeded: word & 0xFF) }
  @inline(__always) var extra: Int { Int(truncatingIfNeeded: word >> 8 & 0x1F) }
  @inline(__always) var value: Int { Int(truncatingIfNeeded: word >> 16) }
  @inline(__always) var isLiteral: Bool { word & Self.literalBit != 0 }
  @inline(__always) var isStop: Bool { word & Self.stopBit != 0 }
  @inline(__always) var isLink: Bool { word & Self.linkBit != 0 }
}

/// A table in memory that its owner lends.
struct HuffmanTable {
  let entries: UnsafeMutablePointer<UInt32>
  let firstBits: Int
  let capacity: Int

  /// Builds the table of the code with these `lengths` (0 … 15). `meaning` returns the entry of a
  /// symbol without its length. Returns false if the lengths are not a code: there are too many
  /// words, or too few. Encoders may leave a code empty or with a single word of one bit.
  func build(_ lengths: UnsafeBufferPointer<UInt8>, meaning: (Int) -> UInt32) -> Bool {
    var counts = (0..<16).map { _ in 0 }
    for length in lengths { counts[Int(length)] += 1 }
    let used = lengths.count - counts[0]
    var left = 1
    for length in 1..<16 {
      left = left * 2 - counts[length]
      if left < 0 { return false }
    }
    if left > 0 {
      if used > 1 || used > counts[1] { return false }
      entries.update(repeating: HuffmanEntry.stop(0) | 1, count: 1 << firstBits)
      if used == 0 { return true }
    }
    return fill(sorted(lengths, counts), lengths, counts, meaning)
  }

  /// Returns the used symbols by length, then by number.
  private func sorted(_ lengths: UnsafeBufferPointer<UInt8>, _ counts: [Int]) -> [Int] {
    var next = [0, 0]
    for length in 1..<15 { next.append(next[length] + counts[length]) }
    var symbols = [Int](repeating: 0, count: lengths.count - counts[0])
    for (symbol, length) in lengths.enumerated() where length > 0 {
      symbols[next[Int(length)]] = symbol
      next[Int(length)] += 1
    }
    return symbols
  }

  private func fill(
    _ symbols: [Int], _ lengths: UnsafeBufferPointer<UInt8>, _ counts: [Int],
    _ meaning: (Int) -> UInt32
  ) -> Bool {
    var remaining = counts
    var (code, length) = (0, 0)
    var end = 1 << firstBits
    var (openPrefix, subtable, subtableBits) = (-1, 0, 0)
    for symbol in symbols {
      let symbolLength = Int(lengths[symbol])
      code <<= symbolLength - length
      length = symbolLength
      let reversed = Int(UInt16(code).bitReversed) >> (16 - length)
      let prefix = reversed & (1 << firstBits - 1)
      if length <= firstBits {
        let entry = meaning(symbol) | UInt32(length)
        for index in stride(from: reversed, to: 1 << firstBits, by: 1 << length) {
          entries[index] = entry
        }
      } else {
        if prefix != openPrefix {
          openPrefix = prefix
          subtable = end
          subtableBits = bitsOfSubtable(from: length, remaining)
          end += 1 << subtableBits
          if end > capacity { return false }
          let link = HuffmanEntry.link(to: subtable, bits: subtableBits)
          entries[prefix] = link | UInt32(firstBits)
        }
        let rest = length - firstBits
        let entry = meaning(symbol) | UInt32(rest)
        for index in stride(from: reversed >> firstBits, to: 1 << subtableBits, by: 1 << rest) {
          entries[subtable + index] = entry
        }
      }
      remaining[length] -= 1
      code += 1
    }
    return true
  }

  /// Returns the number of bits of the second level whose first code has `length` bits.
  private func bitsOfSubtable(from length: Int, _ remaining: [Int]) -> Int {
    var bits = length - firstBits
    var left = 1 << bits
    while bits + firstBits < 15 {
      left -= remaining[bits + firstBits]
      if left <= 0 { break }
      bits += 1
      left *= 2
    }
    return bits
  }

  @inline(__always)
  func look(_ window: UInt64) -> HuffmanEntry {
    HuffmanEntry(word: entries[Int(truncatingIfNeeded: window) & ((1 &<< firstBits) &- 1)])
  }

  /// Returns the entry to which a link of the first level leads. `window` starts after the bits of
  /// the first level.
  @inline(__always)
  func follow(_ link: HuffmanEntry, _ window: UInt64) -> HuffmanEntry {
    let index = Int(truncatingIfNeeded: window) & ((1 &<< link.extra) &- 1)
    return HuffmanEntry(word: entries[link.value &+ index])
  }
}

extension UInt16 {
  var bitReversed: UInt16 {
    var value = self
    value = (value & 0x5555) << 1 | value >> 1 & 0x5555
    value = (value & 0x3333) << 2 | value >> 2 & 0x3333
    value = (value & 0x0F0F) << 4 | value >> 4 & 0x0F0F
    return value.byteSwapped
  }
}
