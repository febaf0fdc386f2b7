// The bit stream that deflate reads, lowest bit of each byte first.

/// Reads bits from the start of the input. Bits past its end are zeros, and their number is
/// counted.
struct ForwardBits {
  let base: UnsafeRawPointer
  let count: Int
  private(set) var next = 0
  private(set) var window: UInt64 = 0
  private var available = 0
  private var invented = 0

  init(_ base: UnsafeRawPointer, count: Int) {
    self.base = base
    self.count = count
  }

  /// Makes at least 56 bits available.
  @inline(__always)
  mutating func refill() {
    if next &+ 8 <= count {
      refillFast()
    } else {
      refillAtEnd()
    }
  }

  /// Makes at least 56 bits available if at least 8 bytes of input are left.
  @inline(__always)
  mutating func refillFast() {
    let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: next, as: UInt64.self))
    window |= word &<< UInt64(truncatingIfNeeded: available)
    next &+= (63 &- available) >> 3
    available |= 56
  }

  @inline(never)
  private mutating func refillAtEnd() {
    while available <= 55 {
      if next < count {
        let byte = base.load(fromByteOffset: next, as: UInt8.self)
        window |= UInt64(byte) &<< UInt64(truncatingIfNeeded: available)
        next &+= 1
      } else {
        invented &+= 1
      }
      available &+= 8
    }
  }

  @inline(__always)
  mutating func skip(_ bits: Int) {
    window = window &>> UInt64(truncatingIfNeeded: bits)
    available &-= bits
  }

  @inline(__always)
  mutating func take(_ bits: Int) -> Int {
    let value = Int(truncatingIfNeeded: window) & ((1 &<< bits) &- 1)
    skip(bits)
    return value
  }

  /// Whether bits past the end of the input were used.
  var isOverrun: Bool { invented > available >> 3 }

  /// The first byte of which no bit was used.
  var position: Int { min(count, max(0, next - (available >> 3 - invented))) }

  /// Skips the rest of a byte and continues at the next one.
  mutating func alignToByte() { restart(at: position) }

  mutating func restart(at offset: Int) {
    next = offset
    window = 0
    available = 0
    invented = 0
  }
}
