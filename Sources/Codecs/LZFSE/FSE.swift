// Finite state entropy coding: the tables of a block for decoding and encoding. The bit stream is
// written forwards and read backwards.

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
    _ alphabet: LZFSEAlphabet, values: LZFSEValues, frequencies: UnsafePointer<UInt16>
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

// MARK: - Encoding

// Finite state entropy encoding: frequencies that fill the states, symbol tables, and the bit
// stream, which is written forwards and read backwards.

/// Writes bits to a stream, lowest bits first.
///
/// The upper `used` bits of the window wait to be written, the latest on top; the bits below them
/// have no meaning. New bits enter by a rotation: it moves the lowest bits of a number to the top,
/// and what remains of the number lies so low that it does not touch the waiting bits.
struct BitWriter {
  var pointer: UnsafeMutableRawPointer
  private var window: UInt64 = 0
  private var used: UInt64 = 0

  init(_ pointer: UnsafeMutableRawPointer) { self.pointer = pointer }

  /// Appends the lowest `count` bits of a number and returns the other bits, shifted down, in the
  /// lower half of the result. The number has at most `count` + 8 bits; 54 bits fit between two
  /// flushes, and 40 if numbers of up to 11 bits are appended.
  @inline(__always)
  mutating func push(_ number: UInt64, _ count: UInt64) -> UInt64 {
    let rotated = number &>> count | number &<< (0 &- count)
    window = window &>> count | rotated
    used &+= count
    return rotated
  }

  /// Writes whole bytes. It may overwrite 8 bytes after the end of the stream.
  @inline(__always)
  mutating func flush() {
    pointer.storeBytes(of: (window &>> (0 &- used)).littleEndian, as: UInt64.self)
    pointer += Int(truncatingIfNeeded: used &>> 3)
    used &= 7
  }

  /// Ends the stream and returns the number of unused bits in its last byte, negated.
  mutating func finish() -> Int {
    flush()
    if used == 0 { return 0 }
    pointer.storeBytes(of: (window &>> (0 &- used)).littleEndian, as: UInt64.self)
    pointer += 1
    return Int(used) - 8
  }
}

/// The state changes of a symbol. The sum of the state and `writes` has the number of bits to write
/// in its upper 16 bits; `moves` is added to the other bits of the state to get the next state.
struct FSEStep {
  var moves: UInt32 = 0
  var writes: UInt32 = 0
}

/// The state changes of all symbols. States are numbered from the number of states upwards.
struct FSESymbols {
  let steps: UnsafeMutablePointer<FSEStep>

  func build(_ frequencies: UnsafePointer<UInt16>, _ alphabet: LZFSEAlphabet) {
    var offset = 0
    for symbol in 0..<alphabet.symbols {
      let frequency = Int(frequencies[symbol])
      if frequency == 0 { continue }
      let bits = frequency.leadingZeroBitCount - alphabet.states.leadingZeroBitCount
      // From this state on, counted from 0, `bits` bits are written; below it, one bit less.
      let longFrom = frequency << bits - alphabet.states
      steps[symbol] = FSEStep(
        moves: UInt32(bitPattern: Int32(offset - frequency + alphabet.states)),
        writes: UInt32(bitPattern: Int32(bits << 16 - longFrom - alphabet.states)))
      offset += frequency
    }
  }

  @inline(__always)
  func encode(_ symbol: Int, _ state: inout UInt64, _ bits: inout BitWriter) {
    let count = (UInt32(truncatingIfNeeded: state) &+ steps[symbol].writes) &>> 16
    let rest = bits.push(state, UInt64(count))
    state = UInt64(UInt32(truncatingIfNeeded: rest) &+ steps[symbol].moves)
  }
}

/// Scales `counts` to frequencies that add up to the number of states. The frequency of a symbol
/// that occurs is at least 1.
func normalize(
  _ counts: UnsafePointer<UInt32>, _ alphabet: LZFSEAlphabet,
  into frequencies: UnsafeMutablePointer<UInt16>
) {
  var total: UInt32 = 0
  for symbol in 0..<alphabet.symbols { total += counts[symbol] }
  // The shares are rounded exactly as the open-source encoder rounds them, because a different
  // share gives a different stream. The step is the number of states for one occurrence, times a
  // power of 2.
  let step = total == 0 ? 0 : (1 << 31) / total
  let shift = UInt32(alphabet.states.leadingZeroBitCount - 32 - 1)
  var left = alphabet.states
  var largest = 0
  for symbol in 0..<alphabet.symbols {
    let count = counts[symbol]
    let scaled = Int(((count &* step) >> shift + 1) >> 1)
    let frequency = scaled == 0 && count > 0 ? 1 : scaled
    frequencies[symbol] = UInt16(frequency)
    left -= frequency
    if frequency > Int(frequencies[largest]) { largest = symbol }
  }
  if -left < Int(frequencies[largest]) / 4 {
    frequencies[largest] = UInt16(Int(frequencies[largest]) + left)
  } else {
    shrink(frequencies, alphabet, by: -left)
  }
}

/// Subtracts `excess` from the frequencies, from large ones first. This is always possible, because
/// there are fewer symbols than states.
private func shrink(
  _ frequencies: UnsafeMutablePointer<UInt16>, _ alphabet: LZFSEAlphabet, by excess: Int
) {
  var excess = excess
  for shift in [3, 2, 1, 0] {
    for symbol in 0..<alphabet.symbols where frequencies[symbol] > 1 {
      let part = min((Int(frequencies[symbol]) - 1) >> shift, excess)
      frequencies[symbol] -= UInt16(part)
      excess -= part
      if excess == 0 { return }
    }
  }
}
