// The blocks of a deflate stream: collects literals and matches, and writes them in the kind of
// block that takes the fewest bytes. PrefixCode.swift makes the codes.

struct DeflateBlocks {
  /// The largest number of tokens in a block: a power of two minus one, as in zlib.
  static let mostTokens = (1 << 14) - 1
  private static let endOfBlock = 256
  private static let lengthSymbols = 257
  private static let mostStored = 0xFFFF

  private let source: UnsafeRawBufferPointer
  /// Literals, and lengths with their distance in the high half.
  private let tokens: UnsafeMutablePointer<UInt32>
  private var count = 0
  private var start = 0
  private var symbolCounts = [Int](repeating: 0, count: 286)
  private var distanceCounts = [Int](repeating: 0, count: 30)
  private var bits = BitAppender()

  /// Creates the writer. `tokens` has room for `mostTokens`.
  init(_ source: UnsafeRawBufferPointer, tokens: UnsafeMutablePointer<UInt32>) {
    self.source = source
    self.tokens = tokens
  }

  var isFull: Bool { count == Self.mostTokens }

  @inline(__always)
  mutating func append(literal: UInt8) {
    tokens[count] = UInt32(literal)
    count += 1
    symbolCounts[Int(literal)] += 1
  }

  @inline(__always)
  mutating func append(length: Int, distance: Int) {
    tokens[count] = UInt32(distance << 16 | length)
    count += 1
    symbolCounts[Self.split(length: length).symbol] += 1
    distanceCounts[Self.split(distance: distance).symbol] += 1
  }

  /// Returns the symbol of a number's class, and how many low bits follow it.
  @inline(__always)
  private static func split(_ value: Int, classBits: Int) -> (symbol: Int, extra: Int) {
    let extra = max(0, Int.bitWidth - 1 - classBits - (value | 1).leadingZeroBitCount)
    return (extra << classBits + value >> extra, extra)
  }

  @inline(__always)
  private static func split(length: Int) -> (symbol: Int, extra: Int) {
    // The longest length has a symbol of its own.
    if length == 258 { return (285, 0) }
    let (symbol, extra) = split(length - 3, classBits: 2)
    return (lengthSymbols + symbol, extra)
  }

  @inline(__always)
  private static func split(distance: Int) -> (symbol: Int, extra: Int) {
    split(distance - 1, classBits: 1)
  }

  /// Writes the tokens as a block; they cover the source up to `end`.
  mutating func flush(upTo end: Int, isLast: Bool, to output: inout [UInt8]) {
    symbolCounts[Self.endOfBlock] = 1
    let symbols = PrefixCode(symbolCounts, longest: 15)
    let distances = PrefixCode(distanceCounts, longest: 15)
    let codes = CodeLengths(symbols, distances)
    let plainSize = (size(.fixedSymbols, .fixedDistances) + 3 + 7) / 8
    let codedSize = (codes.size + size(symbols, distances) + 3 + 7) / 8
    let rawSize = end - start
    bits.push(isLast ? 1 : 0, 1, to: &output)
    if rawSize + 4 <= min(plainSize, codedSize), rawSize <= Self.mostStored {
      bits.push(0, 2, to: &output)
      bits.align(to: &output)
      output.append(littleEndian: UInt16(rawSize))
      output.append(littleEndian: ~UInt16(rawSize))
      output.append(contentsOf: source[start..<end])
    } else if plainSize <= codedSize {
      bits.push(1, 2, to: &output)
      writeTokens(.fixedSymbols, .fixedDistances, to: &output)
    } else {
      bits.push(2, 2, to: &output)
      codes.write(&bits, to: &output)
      writeTokens(symbols, distances, to: &output)
    }
    if isLast { bits.align(to: &output) }
    start = end
    count = 0
    symbolCounts = Array(repeating: 0, count: symbolCounts.count)
    distanceCounts = Array(repeating: 0, count: distanceCounts.count)
  }

  /// Returns the number of bits of the tokens in a code.
  private func size(_ symbols: PrefixCode, _ distances: PrefixCode) -> Int {
    var size = 0
    for (symbol, count) in symbolCounts.enumerated() where count > 0 {
      let isLength = symbol > 264 && symbol < 285
      size += count * (symbols.lengths[symbol] + (isLength ? (symbol - 261) / 4 : 0))
    }
    for (symbol, count) in distanceCounts.enumerated() where count > 0 {
      size += count * (distances.lengths[symbol] + max(0, symbol / 2 - 1))
    }
    return size
  }

  private mutating func writeTokens(
    _ symbols: PrefixCode, _ distances: PrefixCode, to output: inout [UInt8]
  ) {
    for index in 0..<count {
      let distance = Int(tokens[index] >> 16)
      let value = Int(tokens[index] & 0xFFFF)
      if distance == 0 {
        bits.push(symbols, value, to: &output)
      } else {
        let length = Self.split(length: value)
        bits.push(symbols, length.symbol, to: &output)
        bits.push((value - 3) & (1 << length.extra - 1), length.extra, to: &output)
        let far = Self.split(distance: distance)
        bits.push(distances, far.symbol, to: &output)
        bits.push((distance - 1) & (1 << far.extra - 1), far.extra, to: &output)
      }
    }
    bits.push(symbols, Self.endOfBlock, to: &output)
  }
}

/// The lengths of a block's two codes, as run lengths in a code of their own.
private struct CodeLengths {
  private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
  /// The number of bits after the symbols 16 to 18, and the counts from which they start.
  private static let repeats = [(bits: 2, from: 3), (bits: 3, from: 3), (bits: 7, from: 11)]

  private let symbols: PrefixCode
  private let distances: PrefixCode
  private var runs: [(symbol: Int, count: Int)] = []
  private let code: PrefixCode
  private let stated: Int
  /// The size in bits.
  let size: Int

  init(_ symbols: PrefixCode, _ distances: PrefixCode) {
    self.symbols = symbols
    self.distances = distances
    Self.appendRuns(of: symbols.lengths[...symbols.last], to: &runs)
    Self.appendRuns(of: distances.lengths[...distances.last], to: &runs)
    var counts = [Int](repeating: 0, count: 19)
    for run in runs { counts[run.symbol] += 1 }
    let code = PrefixCode(counts, longest: 7)
    self.code = code
    stated = max(4, (Self.order.lastIndex { code.lengths[$0] > 0 } ?? 0) + 1)
    size = runs.reduce(5 + 5 + 4 + 3 * stated) { size, run in
      let extra = run.symbol < 16 ? 0 : Self.repeats[run.symbol - 16].bits
      return size + code.lengths[run.symbol] + extra
    }
  }

  private static func appendRuns(
    of lengths: ArraySlice<Int>, to runs: inout [(symbol: Int, count: Int)]
  ) {
    var rest = lengths
    var before = -1
    while let length = rest.first {
      let most = length == 0 ? 138 : length == before ? 6 : 7
      let count = rest.prefix(most).prefix { $0 == length }.count
      rest = rest.dropFirst(count)
      let stated = length == 0 || length == before ? 0 : 1
      if count - stated < 3 {
        for _ in 0..<count { runs.append((length, 0)) }
      } else {
        if stated == 1 { runs.append((length, 0)) }
        runs.append((length > 0 ? 16 : count <= 10 ? 17 : 18, count - stated))
      }
      before = length
    }
  }

  func write(_ bits: inout BitAppender, to output: inout [UInt8]) {
    bits.push(symbols.last - 256, 5, to: &output)
    bits.push(distances.last, 5, to: &output)
    bits.push(stated - 4, 4, to: &output)
    for symbol in Self.order.prefix(stated) { bits.push(code.lengths[symbol], 3, to: &output) }
    for run in runs {
      bits.push(code, run.symbol, to: &output)
      if run.symbol >= 16 {
        let (count, from) = Self.repeats[run.symbol - 16]
        bits.push(run.count - from, count, to: &output)
      }
    }
  }
}

/// Collects bits and writes them as whole bytes.
struct BitAppender {
  private var window: UInt64 = 0
  private var used = 0

  /// Appends a value of at most `count` bits; `count` is at most 16.
  @inline(__always)
  mutating func push(_ value: Int, _ count: Int, to output: inout [UInt8]) {
    window |= UInt64(truncatingIfNeeded: value) &<< UInt64(used)
    used &+= count
    guard used >= 48 else { return }
    for _ in 0..<6 {
      output.append(UInt8(truncatingIfNeeded: window))
      window &>>= 8
    }
    used &-= 48
  }

  @inline(__always)
  mutating func push(_ code: PrefixCode, _ symbol: Int, to output: inout [UInt8]) {
    push(Int(code.words[symbol]), code.lengths[symbol], to: &output)
  }

  /// Fills the last byte with zeros.
  mutating func align(to output: inout [UInt8]) {
    while used > 0 {
      output.append(UInt8(truncatingIfNeeded: window))
      window &>>= 8
      used -= 8
    }
    used = 0
  }
}
