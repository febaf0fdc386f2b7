// Compares sorting digit by digit with the sorting of the standard library.

import Support
import Testing

@testable import Archive

@Suite struct SortingTests {
  @Test(arguments: [0, 1, 2, 255, 256, 257, 5000], [0, 1, 32, 63])
  func `numbers come in the order of their upper bits, equals as they stood`(
    _ count: Int, _ bit: Int
  ) {
    var generator = SeededGenerator.forTest(UInt64(count * 64 + bit))
    // The masks leave few different numbers, so that some are equal: all bits, the low ones, the
    // high ones.
    for mask in [UInt64.max, 0xFFFF, 0xFFFF_0000_FFFF_0000, 0x8000_0000_0000_0001, 0] {
      let numbers = (0..<count).map { _ in generator.next() & mask }
      var sorted = numbers
      sorted.sort(byBitsFrom: bit)
      let expected = numbers.enumerated().sorted { a, b in
        let (x, y) = (a.element >> UInt64(bit), b.element >> UInt64(bit))
        return x == y ? a.offset < b.offset : x < y
      }.map(\.element)
      #expect(sorted == expected, "\(generator), mask \(mask)")
    }
  }
}
