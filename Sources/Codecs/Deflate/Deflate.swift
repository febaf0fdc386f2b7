// Writes gzip: the search for matches, the memory that inputs share, and the blocks of a stream
// with their codes.
//
// The format leaves the choice of matches and blocks to the encoder. Apple's tool uses zlib at
// level 6, and this encoder gives the same bytes: limits, order of candidates and ends of blocks
// are zlib's.

struct GzipEncoder: Sendable {
  /// For each hash its last position, for each position the previous one with its hash, and the
  /// tokens of a block. The first input allocates the memory.
  private var words: [UInt32] = []

  /// Appends one gzip member without name and time.
  mutating func encode(_ source: UnsafeRawBufferPointer, appendingTo output: inout [UInt8]) {
    output.append(contentsOf: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3])
    let tables = DeflateSearch.cells + DeflateSearch.window
    if words.isEmpty { words = Array(repeating: 0, count: tables + DeflateBlocks.mostTokens) }
    words.withUnsafeMutableBufferPointer { words in
      guard let memory = words.baseAddress else { return }
      memory.update(repeating: 0, count: DeflateSearch.cells)
      var blocks = DeflateBlocks(source, tokens: memory + tables)
      // If the source has no bytes, the pointer is never read.
      let base = source.baseAddress ?? UnsafeRawPointer(memory)
      let search = DeflateSearch(
        base: base, count: source.count, heads: memory, links: memory + DeflateSearch.cells)
      search.run(into: &blocks, appendingTo: &output)
    }
    output.append(littleEndian: Checksum.crc32(source))
    output.append(littleEndian: UInt32(truncatingIfNeeded: source.count))
  }
}

/// One run of the search over one input. Positions have 32 bits: in longer inputs the positions
/// that do not fit lead to places that are too far away, and so to no match.
private struct DeflateSearch {
  static let cells = 1 << 15
  static let window = 1 << 15
  private static let shortest = 3
  private static let longest = 258
  /// The largest distance. zlib keeps the longest match and the bytes of its hash out of the
  /// window.
  private static let reach = window - longest - shortest - 1
  /// From this distance on a match of three bytes costs more than literals.
  private static let reachOfShortest = 4096
  /// A match of this length is not replaced by one that starts a byte later.
  private static let longEnoughToTake = 16
  /// From this length on the search for a better match is less thorough.
  private static let longEnoughToHurry = 8
  /// A match of this length ends the search at its position.
  private static let longEnoughToStop = 128
  private static let mostCandidates = 128

  let base: UnsafeRawPointer
  let count: Int
  let heads: UnsafeMutablePointer<UInt32>
  let links: UnsafeMutablePointer<UInt32>

  private struct Match {
    var length = shortest - 1
    var distance = 0
  }

  /// Searches the input. A match is written only when the next position has no longer one.
  func run(into blocks: inout DeflateBlocks, appendingTo output: inout [UInt8]) {
    var position = 0
    var match = Match()
    var owesLiteral = false
    while position < count {
      let candidate = enter(position)
      let before = match
      match = Match()
      // Position 0 is never a candidate, because zlib uses 0 for "no position".
      if candidate > 0, before.length < Self.longEnoughToTake, position - candidate <= Self.reach {
        match = longestMatch(at: position, from: candidate, beating: before.length)
      }
      if before.length >= Self.shortest, match.length <= before.length {
        blocks.append(length: before.length, distance: before.distance)
        let end = position - 1 + before.length
        position += 1
        while position < end {
          _ = enter(position)
          position += 1
        }
        match = Match()
        owesLiteral = false
      } else {
        if owesLiteral { blocks.append(literal: byte(position - 1)) }
        owesLiteral = true
      }
      if blocks.isFull { blocks.flush(upTo: position, isLast: false, to: &output) }
      if owesLiteral { position += 1 }
    }
    if owesLiteral { blocks.append(literal: byte(count - 1)) }
    blocks.flush(upTo: count, isLast: true, to: &output)
  }

  /// Enters a position into the tables and returns the previous one with the same hash, or 0.
  @inline(__always)
  private func enter(_ position: Int) -> Int {
    guard position &+ Self.shortest <= count else { return 0 }
    let hash = Int(byte(position)) &<< 10 ^ Int(byte(position &+ 1)) &<< 5
    let cell = (hash ^ Int(byte(position &+ 2))) & (Self.cells &- 1)
    let before = heads[cell]
    links[position & (Self.window &- 1)] = before
    heads[cell] = UInt32(truncatingIfNeeded: position)
    return Int(before)
  }

  /// Returns the first of the longest matches, if one is longer than `least`.
  private func longestMatch(at position: Int, from first: Int, beating least: Int) -> Match {
    let most = min(Self.longest, count - position)
    guard least < most else { return Match() }
    let enough = min(Self.longEnoughToStop, most)
    let limit = max(0, position - Self.reach)
    var left = least >= Self.longEnoughToHurry ? Self.mostCandidates / 4 : Self.mostCandidates
    var best = Match(length: least)
    var candidate = first
    // `best.length` is below `most`, so the bytes that are compared lie in the input.
    repeat {
      if pair(candidate &+ best.length &- 1) == pair(position &+ best.length &- 1),
        pair(candidate) == pair(position)
      {
        let length = equalLength(candidate, position, most: most)
        if length > best.length {
          best = Match(length: length, distance: position - candidate)
          if length >= enough { break }
        }
      }
      candidate = Int(links[candidate & (Self.window &- 1)])
      left &-= 1
    } while candidate > limit && left > 0
    let isTooFar = best.length == Self.shortest && best.distance > Self.reachOfShortest
    return best.distance == 0 || isTooFar ? Match() : best
  }

  @inline(__always)
  private func equalLength(_ earlier: Int, _ later: Int, most: Int) -> Int {
    var length = 0
    while length &+ 8 <= most {
      let difference = word(earlier &+ length) ^ word(later &+ length)
      if difference != 0 { return length &+ difference.trailingZeroBitCount &>> 3 }
      length &+= 8
    }
    while length < most, byte(earlier &+ length) == byte(later &+ length) { length &+= 1 }
    return length
  }

  @inline(__always)
  private func byte(_ position: Int) -> UInt8 {
    base.load(fromByteOffset: position, as: UInt8.self)
  }

  @inline(__always)
  private func pair(_ position: Int) -> UInt16 {
    base.loadUnaligned(fromByteOffset: position, as: UInt16.self)
  }

  @inline(__always)
  private func word(_ position: Int) -> UInt64 {
    UInt64(littleEndian: base.loadUnaligned(fromByteOffset: position, as: UInt64.self))
  }
}

// MARK: - Blocks

// The blocks of a deflate stream: collects literals and matches, and writes them in the kind of
// block that takes the fewest bytes.

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

// MARK: - Prefix codes

// Makes deflate's canonical prefix codes from the frequencies of symbols.

struct PrefixCode: Sendable {
  /// The length of each symbol's word; 0 for symbols that do not occur.
  private(set) var lengths: [Int]
  /// The words; their lowest bit is written first.
  private(set) var words: [UInt16] = []
  /// The last symbol that has a word.
  private(set) var last: Int

  static let fixedSymbols = PrefixCode(
    lengths: (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
  static let fixedDistances = PrefixCode(lengths: Array(repeating: 5, count: 30))

  private init(lengths: [Int]) {
    self.lengths = lengths
    last = lengths.count - 1
    assignWords()
  }

  /// Makes a nearly optimal code with words of at most `longest` bits: the code that zlib makes.
  init(_ counts: [Int], longest: Int) {
    let tree = CodeTree(counts)
    last = tree.last
    lengths = tree.lengths(longest: longest)
    assignWords()
  }

  private mutating func assignWords() {
    words = Array(repeating: 0, count: lengths.count)
    var word = 0
    for length in 1...15 {
      word <<= 1
      for (symbol, own) in lengths.enumerated() where own == length {
        words[symbol] = UInt16(word).bitReversed >> UInt16(16 - length)
        word += 1
      }
    }
  }
}

/// Huffman's tree. Of nodes with equal weights, the one with the smaller depth is joined first.
private struct CodeTree {
  /// The weights of the symbols, then of the nodes above them.
  private var weights: [Int]
  private var depths: [Int]
  private var parents: [Int]
  /// A heap of the nodes that are not joined yet.
  private var heap: [Int]
  /// The nodes in the order in which they were joined; the root is the last.
  private var joined: [Int] = []
  private let symbolCount: Int
  private(set) var last: Int

  init(_ counts: [Int]) {
    symbolCount = counts.count
    weights = counts
    heap = counts.indices.filter { counts[$0] > 0 }
    last = heap.last ?? -1
    // Readers require two words, even if they do not occur.
    while heap.count < 2 {
      let symbol = last < 2 ? last + 1 : 0
      last = max(last, symbol)
      heap.append(symbol)
      weights[symbol] = 1
    }
    depths = Array(repeating: 0, count: symbolCount)
    parents = depths
    join()
  }

  private mutating func join() {
    for index in (0..<heap.count / 2).reversed() { sink(index) }
    while heap.count > 1 {
      let first = heap[0]
      heap[0] = heap[heap.count - 1]
      heap.removeLast()
      sink(0)
      let second = heap[0]
      joined += [first, second]
      parents[first] = weights.count
      parents[second] = weights.count
      heap[0] = weights.count
      weights.append(weights[first] + weights[second])
      depths.append(max(depths[first], depths[second]) + 1)
      parents.append(0)
      sink(0)
    }
    joined.append(heap[0])
  }

  private func precedes(_ a: Int, _ b: Int) -> Bool {
    weights[a] < weights[b] || (weights[a] == weights[b] && depths[a] <= depths[b])
  }

  /// Moves a node of the heap down, below all nodes that precede it.
  private mutating func sink(_ start: Int) {
    let node = heap[start]
    var index = start
    while 2 * index + 1 < heap.count {
      var child = 2 * index + 1
      if child + 1 < heap.count, precedes(heap[child + 1], heap[child]) { child += 1 }
      if precedes(node, heap[child]) { break }
      heap[index] = heap[child]
      index = child
    }
    heap[index] = node
  }

  func lengths(longest: Int) -> [Int] {
    var lengths = [Int](repeating: 0, count: weights.count)
    var counts = [Int](repeating: 0, count: longest + 1)
    var excess = 0
    for node in joined.reversed().dropFirst() {
      let length = lengths[parents[node]] + 1
      if length > longest { excess += 1 }
      lengths[node] = min(length, longest)
      if node < symbolCount { counts[lengths[node]] += 1 }
    }
    if excess > 0 {
      shorten(&counts, excess)
      // The rarest symbols get the longest words.
      var rarest = joined.lazy.filter { $0 < symbolCount }.makeIterator()
      for length in (1...longest).reversed() {
        for _ in 0..<counts[length] {
          if let symbol = rarest.next() { lengths[symbol] = length }
        }
      }
    }
    return Array(lengths[..<symbolCount])
  }

  /// Makes room for words that were cut to the greatest length: for every two of them, one shorter
  /// word becomes one bit longer.
  private func shorten(_ counts: inout [Int], _ excess: Int) {
    let longest = counts.count - 1
    for _ in 0..<(excess + 1) / 2 {
      // If a word was cut, one of the two lengths below the greatest has words.
      guard let length = (1..<longest).last(where: { counts[$0] > 0 }) else { return }
      counts[length] -= 1
      counts[length + 1] += 2
      counts[longest] -= 1
    }
  }
}
