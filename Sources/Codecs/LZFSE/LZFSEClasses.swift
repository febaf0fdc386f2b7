// Maps literal lengths, match lengths and distances to symbols, by tables or by a formula.

/// The symbols of literal lengths (0 … 315) and match lengths (0 … 2359), and the bases and extra
/// bits of the symbols.
struct LZFSEClasses {
  private let table: UnsafeMutablePointer<UInt8>
  private let bases: UnsafeMutablePointer<UInt32>

  private static let runs = LZFSEBlock.maximumLiteralRun + 1
  private static let matches = LZFSEBlock.maximumMatch + 1

  init() {
    table = .allocate(capacity: Self.runs + Self.matches)
    bases = .allocate(capacity: 80)
    fill(table, .literalRun, Self.runs, bases)
    fill(table + Self.runs, .match, Self.matches, bases + 40)
  }

  private func fill(
    _ table: UnsafeMutablePointer<UInt8>, _ values: LZFSEValues, _ count: Int,
    _ bases: UnsafeMutablePointer<UInt32>
  ) {
    for symbol in 0..<values.base.count {
      let first = Int(values.base[symbol])
      for value in first..<first + 1 << Int(values.bits[symbol]) { table[value] = UInt8(symbol) }
      bases[symbol] = values.base[symbol]
      bases[20 + symbol] = UInt32(values.bits[symbol])
    }
  }

  func deallocate() {
    table.deallocate()
    bases.deallocate()
  }

  @inline(__always) func literalRun(_ length: Int) -> Int { Int(table[length]) }
  @inline(__always) func match(_ length: Int) -> Int { Int(table[Self.runs &+ length]) }
  @inline(__always) func runBase(_ symbol: Int) -> UInt32 { bases[symbol] }
  @inline(__always) func runBits(_ symbol: Int) -> UInt32 { bases[20 &+ symbol] }
  @inline(__always) func matchBase(_ symbol: Int) -> UInt32 { bases[40 &+ symbol] }
  @inline(__always) func matchBits(_ symbol: Int) -> UInt32 { bases[60 &+ symbol] }

  /// Returns the symbol of a distance. Each octave, counted from 4, has four symbols: the two bits
  /// below the highest bit choose the symbol, and the other bits are extra bits.
  @inline(__always)
  static func distance(_ distance: UInt32) -> (symbol: Int, extra: UInt32, bits: UInt32) {
    let value = distance &+ 4
    let bits = 29 &- UInt32(truncatingIfNeeded: value.leadingZeroBitCount)
    let symbol = (bits &<< 2) &+ (value &>> bits) &- 4
    return (Int(symbol), value & ((1 &<< bits) &- 1), bits)
  }
}
