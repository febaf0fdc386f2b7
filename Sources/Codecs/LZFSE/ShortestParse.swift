// Finds the parse of an input that takes the fewest bits, or nearly so, as a shortest path.
//
// The positions of the input are nodes. A literal is an edge to the next position, and a match of
// length n is an edge to the position n bytes later. An edge costs the bits that its symbols take.
//
//     bytes         a     b     c     a     b     c     d
//     positions  0 ─ 1 ─── 2 ─── 3 ─── 4 ─── 5 ─── 6 ─── 7     literals: 6 bits each
//                                ╰── length 3, distance 3 ─╯   a match: 11 bits instead of 18
//                                ╰─ length 2 ─╯                every shorter match is an edge, too
//
// The cheapest path from 0 to the end is the parse. It is not always the optimum, for two reasons.
// A node remembers only its cheapest path, although the cost of the next match also depends on the
// last distance and on the number of literals before it. And the cost of a symbol depends on how
// often it occurs in the block, which is known only after the parse. Therefore each stretch of 128
// KiB is parsed twice; the second time the costs come from the symbols of the first parse.

/// A position of the input with its cheapest path.
private struct PathNode {
  var cost = UInt32.max
  /// The distance of the last match on the path.
  var distance: UInt32 = 0
  /// The number of literals since the last match.
  var literals: UInt32 = 0
  /// The length of the match that ends here; 0 if a literal ends here.
  var length: UInt32 = 0
}

/// The memory of the search, kept from one input to the next.
struct PathRoom {
  fileprivate static let stretch = 1 << 17
  fileprivate static let hashBits = 16
  /// The size of `links` minus one. They cover the largest distance of a match and the current
  /// stretch.
  fileprivate static let linkMask = 1 << 19 - 1

  fileprivate let nodes: UnsafeMutablePointer<PathNode>
  /// The last position for each hash of three bytes, counted from 1.
  fileprivate let heads: UnsafeMutablePointer<UInt32>
  /// For each position, the previous position with the same hash, counted from 1; 0 for no
  /// position.
  fileprivate let links: UnsafeMutablePointer<UInt32>

  init() {
    nodes = .allocate(capacity: Self.stretch + 1)
    heads = .allocate(capacity: 1 << Self.hashBits)
    links = .allocate(capacity: Self.linkMask + 1)
  }

  func deallocate() {
    nodes.deallocate()
    heads.deallocate()
    links.deallocate()
  }
}

/// The edges that lead from a position by a match.
private struct PathEdges {
  let node: UnsafeMutablePointer<PathNode>
  let matches: UnsafeBufferPointer<UInt32>

  /// Every length up to this one is tried; of longer matches only the two longest.
  private static let everyLength = 18

  @inline(__always)
  func follow(from shortest: Int, to length: Int, _ distance: Int, _ cost: UInt32) {
    let last = min(length, Self.everyLength)
    var short = shortest
    while short <= last {
      follow(length: short, distance: distance, cost: cost)
      short &+= 1
    }
    if length > Self.everyLength {
      if length &- 1 >= shortest { follow(length: length &- 1, distance: distance, cost: cost) }
      follow(length: length, distance: distance, cost: cost)
    }
  }

  @inline(__always)
  private func follow(length: Int, distance: Int, cost: UInt32) {
    let cost = cost &+ matches[length]
    if cost < node[length].cost {
      node[length] = PathNode(
        cost: cost, distance: UInt32(truncatingIfNeeded: distance), literals: 0,
        length: UInt32(truncatingIfNeeded: length))
    }
  }
}

struct ShortestParse: ByteLoads {
  let base: UnsafeRawPointer
  private let count: Int
  private let room: PathRoom
  private let classes: LZFSEClasses
  private var costs = SymbolCosts()
  /// The sequences of a stretch, from its end to its start.
  private var sequences: [Sequence] = []
  private var lastDistance = 0
  /// The number of literals at the end of the previous stretch that no sequence contains yet.
  private var carried = 0

  /// The number of earlier places that are compared, in the first and in the second parse.
  private static let depths = [3, 16]
  /// A match of this length is taken at once.
  private static let longEnough = 160

  init(_ base: UnsafeRawPointer, count: Int, room: PathRoom, classes: LZFSEClasses) {
    self.base = base
    self.count = count
    self.room = room
    self.classes = classes
  }

  mutating func run(into writer: inout LZFSEBlockWriter) {
    room.heads.update(repeating: 0, count: 1 << PathRoom.hashBits)
    var start = 0
    while start < count {
      let end = min(count, start + PathRoom.stretch)
      link(start..<end)
      for depth in Self.depths {
        findPath(start..<end, depth: depth)
        collect(end - start)
        costs = SymbolCosts(counts: countSymbols(from: start))
      }
      var literals = carried
      for sequence in sequences.reversed() {
        if sequence.match == 0 {
          literals += Int(sequence.literals)
          continue
        }
        let run = literals + Int(sequence.literals)
        writer.append(
          literals: run, match: Int(sequence.match), distance: Int(sequence.distance))
        lastDistance = Int(sequence.distance)
        literals = 0
      }
      if writer.isOver { return }
      carried = literals
      start = end
    }
    if carried > 0 { writer.append(literals: carried, match: 0, distance: 0) }
  }

  /// Links the positions of a stretch with equal hashes, except for the last ones of the input.
  private func link(_ stretch: Range<Int>) {
    for position in stretch.lowerBound..<max(stretch.lowerBound, min(stretch.upperBound, count - 3))
    {
      let word = word32(position) &<< 8
      let cell = Int(truncatingIfNeeded: (word &* 0x9E37_79B1) &>> UInt32(32 - PathRoom.hashBits))
      room.links[position & PathRoom.linkMask] = room.heads[cell]
      room.heads[cell] = UInt32(truncatingIfNeeded: position + 1)
    }
  }

  private func findPath(_ stretch: Range<Int>, depth: Int) {
    let length = stretch.count
    let nodes = room.nodes
    for index in 0...length { nodes[index].cost = .max }
    nodes[0] = PathNode(
      cost: 0, distance: UInt32(lastDistance), literals: UInt32(carried), length: 0)
    costs.literal.withUnsafeBufferPointer { literal in
      costs.matches.withUnsafeBufferPointer { matches in
        costs.distances.withUnsafeBufferPointer { distances in
          var index = 0
          while index < length {
            let node = nodes[index]
            if node.cost == .max {
              index &+= 1
              continue
            }
            let position = stretch.lowerBound &+ index
            let longest = relax(
              node, at: index, position: position, limit: length &- index, depth: depth,
              matches: matches, distances: distances)
            if longest >= Self.longEnough {
              index &+= longest
              continue
            }
            let cost = node.cost &+ literal[Int(byte(position))]
            if cost < nodes[index &+ 1].cost {
              nodes[index &+ 1] = PathNode(
                cost: cost, distance: node.distance, literals: node.literals &+ 1, length: 0)
            }
            index &+= 1
          }
        }
      }
    }
  }

  /// Follows the edges of the matches at a position. Returns the length of the longest match.
  @inline(__always)
  private func relax(
    _ node: PathNode, at index: Int, position: Int, limit: Int, depth: Int,
    matches: UnsafeBufferPointer<UInt32>, distances: UnsafeBufferPointer<UInt32>
  ) -> Int {
    let limit = min(limit, LZFSEBlock.maximumMatch)
    if limit < 3 || position &+ 8 > count { return 0 }
    let start = node.cost &+ runCost(node.literals)
    let edges = PathEdges(node: room.nodes + index, matches: matches)
    var longest = 0
    let repeated = Int(node.distance)
    if repeated > 0, repeated <= position {
      let length = equalLength(position &- repeated, position, limit: limit)
      if length >= 2 {
        edges.follow(from: 2, to: length, repeated, start &+ distances[0])
        longest = length
      }
      if length >= Self.longEnough { return length }
    }
    var known = 2
    var chain = Chain(next: Int(room.links[position & PathRoom.linkMask]), steps: depth)
    while known < limit {
      chain = follow(chain, position, known)
      if chain.next == 0 { break }
      let earlier = chain.next &- 1
      let length = equalLength(earlier, position, limit: limit)
      if length > known {
        let distance = position &- earlier
        let symbol = LZFSEClasses.distance(UInt32(truncatingIfNeeded: distance)).symbol
        edges.follow(from: known &+ 1, to: length, distance, start &+ distances[symbol])
        known = length
        if length >= Self.longEnough { break }
      }
      chain.next = Int(room.links[earlier & PathRoom.linkMask])
    }
    return max(longest, known > 2 ? known : 0)
  }

  /// The next position with the same hash as a position, counted from 1, and the number of those
  /// that may still be compared. It is 0 at the end of the chain.
  private struct Chain {
    var next: Int
    var steps: Int
  }

  /// Follows a chain to the first place at which more than `known` bytes may be equal. A function
  /// of its own, because its short loop takes most of the time and needs all registers.
  @inline(never)
  private func follow(_ chain: Chain, _ position: Int, _ known: Int) -> Chain {
    // The last four of the bytes that have to be equal, or all three.
    let first = known > 2 ? known &- 3 : 0
    let mask: UInt32 = known > 2 ? .max : 0xFF_FFFF
    let wanted = word32(position &+ first)
    let nearest = max(1, position &+ 1 &- LZFSEBlock.maximumDistance)
    var chain = chain
    while chain.steps > 0, chain.next >= nearest {
      chain.steps &-= 1
      let earlier = chain.next &- 1
      if (word32(earlier &+ first) ^ wanted) & mask == 0 { return chain }
      chain.next = Int(room.links[earlier & PathRoom.linkMask])
    }
    return Chain(next: 0, steps: 0)
  }

  /// Returns the cost of the literals before a match. Literals that need several sequences cost
  /// more.
  @inline(__always)
  private func runCost(_ literals: UInt32) -> UInt32 {
    let longest = UInt32(LZFSEBlock.maximumLiteralRun)
    if literals <= longest { return costs.runs[Int(literals)] }
    return literals / longest &* (costs.runs[Int(longest)] &+ 8 &* 64)
      &+ costs.runs[Int(literals % longest)]
  }

  /// Walks back along the path and lists its sequences.
  private mutating func collect(_ length: Int) {
    sequences.removeAll(keepingCapacity: true)
    var index = length
    var literals: UInt32 = 0
    // The literals after the last match belong to a sequence without a match.
    var match = Sequence(literals: 0, match: 0, distance: 0)
    while index > 0 {
      let node = room.nodes[index]
      if node.length == 0 {
        literals += 1
        index -= 1
      } else {
        match.literals = literals
        sequences.append(match)
        literals = 0
        match = Sequence(literals: 0, match: node.length, distance: node.distance)
        index -= Int(node.length)
      }
    }
    match.literals = literals
    sequences.append(match)
  }

  /// Returns how often each symbol occurs in the sequences, in the order of a block's tables.
  private func countSymbols(from start: Int) -> [UInt32] {
    [UInt32](unsafeUninitializedCapacity: LZFSEAlphabet.frequencyCount) { counts, count in
      counts.initialize(repeating: 0)
      count = counts.count
      countSymbols(from: start, counts)
    }
  }

  /// Adds the symbols to the counts.
  private func countSymbols(from start: Int, _ counts: UnsafeMutableBufferPointer<UInt32>) {
    var position = start
    var distance = UInt32(lastDistance)
    for sequence in sequences.reversed() {
      let end = position &+ Int(sequence.literals)
      while position < end {
        counts[104 &+ Int(byte(position))] &+= 1
        position &+= 1
      }
      if sequence.match == 0 { continue }
      let run = min(LZFSEBlock.maximumLiteralRun, Int(sequence.literals))
      counts[classes.literalRun(run).symbol] += 1
      counts[20 + classes.match(Int(sequence.match)).symbol] += 1
      let isRepeated = sequence.distance == distance
      counts[40 + (isRepeated ? 0 : LZFSEClasses.distance(sequence.distance).symbol)] += 1
      distance = sequence.distance
      position += Int(sequence.match)
    }
  }

  @inline(__always)
  private func equalLength(_ earlier: Int, _ later: Int, limit: Int) -> Int {
    var length = 0
    while length < limit {
      if later &+ length &+ 8 > count {
        if byte(earlier &+ length) != byte(later &+ length) { return length }
        length &+= 1
        continue
      }
      let difference = word64(earlier &+ length) ^ word64(later &+ length)
      if difference != 0 {
        return min(limit, length &+ difference.trailingZeroBitCount &>> 3)
      }
      length &+= 8
    }
    return limit
  }
}

// MARK: - Costs of symbols

// Computes the costs of the symbols of an LZFSE block from their frequencies, for the shortest
// parse.

/// The costs of the symbols, in 64ths of a bit.
struct SymbolCosts {
  var literal = [UInt32](repeating: 6 * 64, count: 256)
  /// The costs by the number of literals and by the length of a match, with extra bits.
  var runs: [UInt32] = []
  var matches: [UInt32] = []
  /// The costs by the symbol of a distance, with extra bits. The first is "previous distance".
  var distances: [UInt32] = []

  /// Creates the costs that are assumed before anything was counted.
  init() {
    let symbols = [Double](repeating: 0, count: LZFSEAlphabet.frequencyCount)
    fill(symbols, runs: 2.5, matches: 4, distances: 5)
    distances[0] = 2 * 64
  }

  /// Computes the costs from the counts of the symbols, in the order of a block. Each count is
  /// raised a little, so that a symbol that did not occur is expensive but possible.
  init(counts: [UInt32]) {
    var bits: [Double] = []
    var next = 0
    for alphabet in LZFSEAlphabet.all {
      let part = counts[next..<next + alphabet.symbols]
      let all = 4 * Int(part.reduce(0, +)) + alphabet.symbols
      // The smallest share of a symbol is one state of the coder.
      let dearest = NaturalLogarithms.ofQuotient(alphabet.states, 1)
      bits += part.map {
        min(dearest, NaturalLogarithms.ofQuotient(all, 4 * Int($0) + 1)) * 1.442_695_040_888_963_4
      }
      next += alphabet.symbols
    }
    fill(bits, runs: 0, matches: 0, distances: 0)
    literal = bits[104...].map { UInt32($0 * 64) }
  }

  private mutating func fill(
    _ bits: [Double], runs: Double, matches: Double, distances: Double
  ) {
    func table(_ values: LZFSEValues, from first: Int, _ more: Double) -> [UInt32] {
      values.bits.enumerated().flatMap { symbol, extra in
        let cost = UInt32((bits[first + symbol] + more + Double(extra)) * 64)
        return [UInt32](repeating: cost, count: 1 << Int(extra))
      }
    }
    self.runs = table(.literalRun, from: 0, runs)
    self.matches = table(.match, from: 20, matches)
    self.distances = LZFSEValues.distance.bits.enumerated().map { symbol, extra in
      UInt32((bits[40 + symbol] + distances + Double(extra)) * 64)
    }
  }
}
