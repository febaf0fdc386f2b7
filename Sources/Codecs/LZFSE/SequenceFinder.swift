// The settings of the match search of the LZFSE and LZVN encoders, and the tables that it keeps
// from one input to the next. SearchPass.swift searches.

/// A receiver of sequences: a number of literals, then a match of earlier bytes. A match of length
/// 0 only carries literals.
protocol SequenceSink {
  static var maximumDistance: Int { get }
  mutating func append(literals: Int, match: Int, distance: Int)
}

/// The thoroughness of the search.
struct SearchEffort {
  /// The number of earlier places with the same five bytes that are compared: 1, 2 or 4.
  var ways = 2
  /// Whether a match is replaced by a better one that starts a byte later.
  var isLazy = true
  /// After 2 to this power literals without a match, the search begins to skip bytes.
  var skipShift = 6
  /// The largest distance of matches of three and four bytes; 0 for no such matches. They rarely
  /// pay.
  var nearReach: UInt32 = 1024
  /// The size of the table for these short matches, as a power of two.
  var nearBits = 12
  /// The number of bytes of a match that are all entered into the tables; after them every eighth
  /// is.
  var denseLength = 256

  static let fast = SearchEffort(
    ways: 1, isLazy: false, skipShift: 5, nearReach: 0, denseLength: 2)
  static let standard = SearchEffort()
  static let smallest = SearchEffort(
    ways: 4, skipShift: 30, nearReach: 16_384, nearBits: SequenceFinder.maximumNearBits,
    denseLength: .max)
}

/// The memory of the search. Positions are counted over all inputs that were ever encoded, so that
/// the tables need not be cleared between inputs: places of an earlier input are farther away than
/// any match may reach.
struct SequenceFinder {
  static let maximumBits = 14
  static let maximumNearBits = 14
  private static let minimumBits = 8
  /// The first word of the half of the table with the third and fourth places.
  static let olderPlaces = 1 << maximumBits
  /// A gap between two inputs, larger than the largest distance of a match.
  private static let gap: UInt32 = 1 << 19

  /// The last two places for each hash of five bytes, the later one in the low half of a word. The
  /// second half of the table has the two places before.
  private let table: UnsafeMutablePointer<UInt64>
  /// The last place for each hash of three bytes.
  private let near: UnsafeMutablePointer<UInt32>
  /// The position of the first byte of the next input.
  private var origin: UInt32 = gap

  init() {
    table = .allocate(capacity: 2 << Self.maximumBits)
    near = .allocate(capacity: 1 << Self.maximumNearBits)
    clear()
  }

  func deallocate() {
    table.deallocate()
    near.deallocate()
  }

  private func clear() {
    table.initialize(repeating: 0, count: 2 << Self.maximumBits)
    near.initialize(repeating: 0, count: 1 << Self.maximumNearBits)
  }

  /// Passes the sequences of `source` to `sink` in order; together they cover it. An input has less
  /// than 1 GiB, so that positions of two inputs fit in 32 bits.
  @inline(__always)
  mutating func search<Sink: SequenceSink>(
    _ source: UnsafeRawBufferPointer, effort: SearchEffort, into sink: inout Sink
  ) {
    guard let base = source.baseAddress, source.count >= 16 else {
      sink.append(literals: source.count, match: 0, distance: 0)
      return
    }
    if origin >= 1 << 30 {
      clear()
      origin = Self.gap
    }
    let wanted = Int.bitWidth - source.count.leadingZeroBitCount - 1
    let bits = min(Self.maximumBits, max(Self.minimumBits, wanted))
    var pass = SearchPass(
      base: base, count: source.count, origin: origin, table: table, near: near,
      shift: UInt64(64 - bits), nearShift: UInt64(64 - effort.nearBits),
      reach: UInt32(Sink.maximumDistance), nearReach: effort.nearReach)
    pass.run(effort, into: &sink)
    origin &+= UInt32(source.count) &+ Self.gap
  }
}
