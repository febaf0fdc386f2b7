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
