// Finite state entropy decoding: the tables of a block, and the bit stream that is read backwards.

/// Bits that are read from the end of a stream towards its start. The next bit is the highest bit
/// of `window`, from which `used` bits were shifted out.
struct BackwardBits {
  var pointer: UnsafeRawPointer
  var window: UInt64
  var used: Int

  /// Starts at the end of a stream; at least 8 bytes before `end` must be readable. Returns nil if
  /// the unused bits of the last byte are not zero.
  @inline(__always)
  init?(end: UnsafeRawPointer, unusedBits: Int) {
    pointer = end - 8
    window = UInt64(littleEndian: pointer.loadUnaligned(as: UInt64.self))
    used = unusedBits
    if unusedBits > 0, window >> UInt64(64 - unusedBits) != 0 { return nil }
    window <<= UInt64(unusedBits)
  }

  /// Makes at least 57 bits available. Returns false if they would lie before `limit`.
  @inline(__always)
  mutating func refill(limit: UnsafeRawPointer) -> Bool {
    pointer -= used >> 3
    guard pointer >= limit else { return false }
    used &= 7
    window = UInt64(littleEndian: pointer.loadUnaligned(as: UInt64.self)) << UInt64(used)
    return true
  }

  /// Returns the next `count` bits, 0 … 56.
  @inline(__always)
  mutating func pull(_ count: Int) -> Int {
    let value = (window >> 1) >> UInt64(truncatingIfNeeded: 63 &- count)
    window = window &<< UInt64(truncatingIfNeeded: count)
    used &+= count
    return Int(truncatingIfNeeded: value)
  }
}

/// A decoder table for bytes. Bits 0–7 of an entry are the number of bits to read, 8–15 the symbol,
/// 16–31 the base of the next state.
struct LiteralTable {
  let entries: UnsafeMutablePointer<UInt32>

  /// Builds the table. The frequencies add up to at most the number of states.
  func build(_ frequencies: UnsafePointer<UInt16>) {
    forEachState(LZFSEAlphabet.literal, frequencies) { state, symbol, bits, next in
      entries[state] = UInt32(bits) | UInt32(symbol) << 8 | UInt32(next) << 16
    }
  }

  @inline(__always)
  func decode(_ state: inout Int, _ bits: inout BackwardBits) -> UInt8 {
    let entry = entries[state]
    let tail = bits.pull(Int(truncatingIfNeeded: entry & 0xFF))
    state = Int(truncatingIfNeeded: entry >> 16) &+ tail
    return UInt8(truncatingIfNeeded: entry >> 8)
  }
}

/// A decoder table for values. Bits 0–7 of an entry are the number of bits to read in total, 8–15
/// the number of extra bits of the value, 16–31 the base of the next state, 32–63 the base of the
/// value.
struct ValueTable {
  let entries: UnsafeMutablePointer<UInt64>

  func build(
    _ alphabet: LZFSEAlphabet, _ values: LZFSEValues, _ frequencies: UnsafePointer<UInt16>
  ) {
    forEachState(alphabet, frequencies) { state, symbol, bits, next in
      let extra = UInt64(values.bits[symbol])
      let head = UInt64(bits) + extra | extra << 8 | UInt64(next) << 16
      entries[state] = head | UInt64(values.base[symbol]) << 32
    }
  }

  @inline(__always)
  func decode(_ state: inout Int, _ bits: inout BackwardBits) -> Int {
    let entry = entries[state]
    let both = bits.pull(Int(truncatingIfNeeded: entry & 0xFF))
    let extra = entry >> 8 & 0xFF
    state = Int(truncatingIfNeeded: entry >> 16 & 0xFFFF) &+ both &>> Int(truncatingIfNeeded: extra)
    let mask = (1 &<< Int(truncatingIfNeeded: extra)) &- 1
    return Int(truncatingIfNeeded: entry >> 32) &+ (both & mask)
  }
}

/// Calls `body` for each state of a decoder, with its symbol, the number of bits to read, and the
/// number to add to them for the next state. States that no symbol owns decode to symbol 0 and
/// state 0.
@inline(__always)
private func forEachState(
  _ alphabet: LZFSEAlphabet, _ frequencies: UnsafePointer<UInt16>,
  _ body: (_ state: Int, _ symbol: Int, _ bits: Int, _ next: Int) -> Void
) {
  let states = alphabet.states
  var state = 0
  for symbol in 0..<alphabet.symbols {
    let frequency = Int(frequencies[symbol])
    if frequency == 0 { continue }
    // A symbol owns `frequency` states. The first ones read one bit more than the others, so that
    // together they reach every state exactly once.
    let bits = frequency.leadingZeroBitCount - states.leadingZeroBitCount
    let longer = (2 * states) >> bits - frequency
    for index in 0..<min(longer, frequency) {
      body(state + index, symbol, bits, (frequency + index) << bits - states)
    }
    for index in min(longer, frequency)..<frequency {
      body(state + index, symbol, bits - 1, (index - longer) << (bits - 1))
    }
    state += frequency
  }
  while state < states {
    body(state, 0, 0, 0)
    state += 1
  }
}
