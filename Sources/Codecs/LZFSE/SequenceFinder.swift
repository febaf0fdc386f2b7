// What the match search of the LZFSE and LZVN encoders finds, how thoroughly it looks, and the
// tables that it keeps from input to input. SearchPass.swift searches.

/// What takes the sequences: literals that are copied as they are, then a match of earlier bytes. A
/// match of length 0 only carries literals.
protocol SequenceSink {
  static var maximumDistance: Int { get }
  mutating func append(literals: Int, match: Int, distance: Int)
}

/// How thoroughly matches are searched.
struct SearchEffort {
  /// How many earlier places with the same five bytes are looked at, 1, 2 or 4.
  var ways = 2
  /// Whether a match is given up for a better one that starts a byte later.
  var isLazy = true
  /// After this many literals as a power of two the search begins to skip bytes.
  var skipShift = 6
  /// How far matches of three and four bytes may reach, which rarely pay; 0 for none of them.
  var nearReach: UInt32 = 1024
  /// The size of the table that finds them as a power of two.
  var nearBits = 12
  /// Every byte of a match is entered into the tables up to this many, then every eighth.
  var denseLength = 256

  static let fast = SearchEffort(
    ways: 1, isLazy: false, skipShift: 5, nearReach: 0, denseLength: 2)
  static let standard = SearchEffort()
  static let smallest = SearchEffort(
    ways: 4, skipShift: 30, nearReach: 16_384, nearBits: SequenceFinder.maximumNearBits,
    denseLength: .max)
}

/// The part of the encoder's memory that the search uses. Positions are counted over all inputs
/// that were ever encoded, so that the tables need not be cleared between them: whatever an earlier
/// input left behind is farther away than any match may reach.
struct SequenceFinder {
  static let maximumBits = 14
  static let maximumNearBits = 14
  private static let minimumBits = 8
  /// Where the half of the table with the third and fourth places begins.
  static let olderPlaces = 1 << maximumBits
  /// More than any match may reach.
  private static let gap: UInt32 = 1 << 19

  /// For the hash of five bytes the two last places with it, the later one in the low half of a
  /// word; then, in as many words again, the two before.
  private let table: UnsafeMutablePointer<UInt64>
  /// For the hash of three bytes the last place with it.
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

  /// Passes the sequences of `source` to `sink` in order; together they cover it. Inputs have less
  /// than 1 GiB, so that positions of two of them fit in 32 bits.
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
