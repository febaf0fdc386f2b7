// Sorting of packed numbers, digit by digit: tables of an archive are sorted several times while it
// is thinned, and hostile ones take no longer than others.

extension [UInt64] {
  /// Orders the numbers by their bits from `bit` on; those that are equal there stay as they stand.
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
    // Bits that all numbers share decide nothing.
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

  /// Copies the numbers in the order of one digit.
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
          // The counts of all digits together are the count of the numbers.
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
