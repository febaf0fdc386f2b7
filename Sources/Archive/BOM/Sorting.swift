// Sorts packed numbers digit by digit (a radix sort). Tables of an archive are sorted several times
// while it is thinned. The time does not depend on the order of the numbers, so a hostile table
// takes no longer than any other.
//
// A digit has 11 bits. The numbers are copied once for each digit, beginning with the lowest, into
// the order of this digit; numbers with the same digit keep their order. An example with decimal
// digits:
//
//     by ones    32 41 31 12  →  41 31 32 12
//     by tens    41 31 32 12  →  12 31 32 41

extension [UInt64] {
  /// Sorts the numbers by the bits from `bit` upwards. Numbers that are equal in these bits keep
  /// their order.
  package mutating func sort(byBitsFrom bit: Int = 0) {
    if count < 256 {
      sort { $0 >> UInt64(bit) < $1 >> UInt64(bit) }
      return
    }
    var lowest = UInt64.max
    var highest: UInt64 = 0
    for number in self {
      lowest &= number
      highest |= number
    }
    // Bits that are equal in all numbers do not influence the order, so digits begin at the next
    // bit that varies.
    let varied = (lowest ^ highest) & UInt64.max << UInt64(bit)
    var other = self
    var shift = bit
    while shift < UInt64.bitWidth, varied >> UInt64(shift) != 0 {
      shift += (varied >> UInt64(shift)).trailingZeroBitCount
      scatter(into: &other, shift: UInt64(shift))
      swap(&self, &other)
      shift += Digit.width
    }
  }

  private enum Digit {
    static var width: Int { 11 }
    static var count: Int { 1 << width }
    static func of(_ number: UInt64, _ shift: UInt64) -> Int {
      Int(truncatingIfNeeded: number >> shift) & (count - 1)
    }
  }

  /// Copies the numbers into `other`, in the order of the digit that begins at bit `shift`.
  private func scatter(into other: inout [UInt64], shift: UInt64) {
    withUnsafeTemporaryAllocation(of: Int.self, capacity: Digit.count) { next in
      next.initialize(repeating: 0)
      withUnsafeBufferPointer { numbers in
        for number in numbers { next[Digit.of(number, shift)] &+= 1 }
        var start = 0
        for digit in 0..<Digit.count {
          let count = next[digit]
          next[digit] = start
          start += count
        }
        other.withUnsafeMutableBufferPointer { other in
          // The counts of all digits add up to the count of the numbers, so every place lies within
          // `other`.
          for number in numbers {
            let digit = Digit.of(number, shift)
            other[next[digit]] = number
            next[digit] &+= 1
          }
        }
      }
    }
  }
}
