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
    for place in (0..<heap.count / 2).reversed() { sink(place) }
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
    var place = start
    while 2 * place + 1 < heap.count {
      var child = 2 * place + 1
      if child + 1 < heap.count, precedes(heap[child + 1], heap[child]) { child += 1 }
      if precedes(node, heap[child]) { break }
      heap[place] = heap[child]
      place = child
    }
    heap[place] = node
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
