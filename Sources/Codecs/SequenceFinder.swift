// The match search of the LZFSE and LZVN encoders: turns bytes into sequences of literals and
// matches. Speed lies here; the format leaves the choice of matches free.

/// Literals that are copied as they are, then a match of earlier bytes. A match of length 0 only
/// carries literals.
struct Sequence {
  var literals: UInt32
  var match: UInt32
  var distance: UInt32
}

/// How thoroughly matches are searched.
struct SearchEffort {
  /// How many earlier places with the same hash are looked at, 1 or 2.
  let ways: Int
  /// Whether a match is given up for a better one that starts a byte later.
  let isLazy: Bool
  /// After this many literals as a power of two the search begins to skip bytes.
  let skipShift: Int

  static let fast = SearchEffort(ways: 1, isLazy: false, skipShift: 5)
  static let thorough = SearchEffort(ways: 2, isLazy: true, skipShift: 6)
}

/// The part of the encoder's memory that the search uses. Positions are counted over all inputs
/// that were ever encoded, so that the table need not be cleared between them: whatever an earlier
/// input left behind is farther away than any match may reach.
struct SequenceFinder {
  static let maximumBits = 14
  private static let minimumBits = 8

  let table: UnsafeMutablePointer<UInt64>
  /// The position of the first byte of the next input.
  var origin: UInt32 = 1 << 19

  init() {
    table = .allocate(capacity: 1 << Self.maximumBits)
    table.initialize(repeating: 0, count: 1 << Self.maximumBits)
  }

  func deallocate() { table.deallocate() }

  /// Passes the sequences of `source` to `sink` in order; what is left is literals.
  mutating func search<Sink: SequenceSink>(
    _ source: UnsafeRawBufferPointer, effort: SearchEffort, into sink: inout Sink
  ) {
    guard let base = source.baseAddress, source.count >= 16 else {
      sink.append(literals: source.count, match: 0, distance: 0)
      return
    }
    // Inputs below 1 GiB: positions of the last and this input never meet in 32 bits.
    if origin >= 1 << 30 {
      table.update(repeating: 0, count: 1 << Self.maximumBits)
      origin = 1 << 19
    }
    let bits = min(
      Self.maximumBits, max(Self.minimumBits, Int.bitWidth - source.count.leadingZeroBitCount - 1))
    var pass = SearchPass(
      base: base, count: source.count, origin: origin, table: table,
      shift: UInt64(64 - bits), reach: UInt32(Sink.maximumDistance))
    pass.run(effort, into: &sink)
    origin &+= UInt32(source.count) &+ 1 << 19
  }
}

/// What takes the sequences.
protocol SequenceSink {
  static var maximumDistance: Int { get }
  mutating func append(literals: Int, match: Int, distance: Int)
}

/// A match that was found: at which byte it begins, and what it is worth in about bits saved.
private struct Match {
  var start = 0
  var length = 0
  var distance = 0
  var worth = 0
}

/// One run over one input.
private struct SearchPass {
  let base: UnsafeRawPointer
  let count: Int
  let origin: UInt32
  let table: UnsafeMutablePointer<UInt64>
  let shift: UInt64
  let reach: UInt32
  /// Start of the literals that no sequence has taken yet.
  var anchor = 0
  var lastDistance = 0

  init(
    base: UnsafeRawPointer, count: Int, origin: UInt32, table: UnsafeMutablePointer<UInt64>,
    shift: UInt64, reach: UInt32
  ) {
    self.base = base
    self.count = count
    self.origin = origin
    self.table = table
    self.shift = shift
    self.reach = reach
  }

  @inline(__always)
  private func word32(_ position: Int) -> UInt32 {
    base.loadUnaligned(fromByteOffset: position, as: UInt32.self)
  }

  @inline(__always)
  private func word64(_ position: Int) -> UInt64 {
    base.loadUnaligned(fromByteOffset: position, as: UInt64.self)
  }

  @inline(__always)
  private func slot(_ word: UInt64) -> Int {
    // Five bytes: matches of four are rarely worth their distance.
    Int(truncatingIfNeeded: ((word &<< 24) &* 0x9E37_79B1_85EB_CA87) &>> shift)
  }

  @inline(__always)
  private func insert(_ position: Int) {
    let index = slot(word64(position))
    table[index] = table[index] &<< 32 | UInt64(origin &+ UInt32(truncatingIfNeeded: position))
  }

  /// How many bytes are equal from both positions on, `later` being the later one.
  @inline(__always)
  private func equalLength(_ earlier: Int, _ later: Int) -> Int {
    var a = earlier
    var b = later
    while b &+ 8 <= count {
      let difference = word64(a) ^ word64(b)
      if difference != 0 { return b &- later &+ difference.trailingZeroBitCount &>> 3 }
      a &+= 8
      b &+= 8
    }
    while b < count,
      base.load(fromByteOffset: a, as: UInt8.self) == base.load(fromByteOffset: b, as: UInt8.self)
    {
      a &+= 1
      b &+= 1
    }
    return b &- later
  }

  @inline(__always)
  private static func worth(length: Int, distance: Int) -> Int {
    length &* 6 &- (Int.bitWidth &- distance.leadingZeroBitCount)
  }

  /// The better of `best` and the match that an entry of the table leads to.
  @inline(__always)
  private func consider(_ entry: UInt32, _ position: Int, _ word: UInt64, _ best: inout Match) {
    let distance = origin &+ UInt32(truncatingIfNeeded: position) &- entry
    guard distance <= reach else { return }
    let earlier = position &- Int(distance)
    guard word32(earlier) == UInt32(truncatingIfNeeded: word) else { return }
    let length = equalLength(earlier, position)
    let worth = Self.worth(length: length, distance: Int(distance))
    if worth > best.worth {
      best = Match(start: position, length: length, distance: Int(distance), worth: worth)
    }
  }

  @inline(__always)
  private func find(_ position: Int, ways: Int) -> Match {
    var best = Match()
    best.worth = 12
    let word = word64(position)
    let index = slot(word)
    let entry = table[index]
    table[index] = entry &<< 32 | UInt64(origin &+ UInt32(truncatingIfNeeded: position))
    if lastDistance > 0, lastDistance <= position,
      word32(position &- lastDistance) == UInt32(truncatingIfNeeded: word)
    {
      let length = equalLength(position &- lastDistance, position)
      best = Match(
        start: position, length: length, distance: lastDistance, worth: length &* 6 &- 1)
      if length >= 32 { return best }
    }
    consider(UInt32(truncatingIfNeeded: entry), position, word, &best)
    if ways > 1 { consider(UInt32(truncatingIfNeeded: entry &>> 32), position, word, &best) }
    return best
  }

  @inline(__always)
  mutating func run<Sink: SequenceSink>(_ effort: SearchEffort, into sink: inout Sink) {
    // Every position up to here has the eight bytes that are loaded.
    let last = count &- 9
    var position = 0
    while position <= last {
      var match = find(position, ways: effort.ways)
      if match.length == 0 {
        position &+= 1 &+ (position &- anchor) &>> effort.skipShift
        continue
      }
      if effort.isLazy, match.length < 64, position < last {
        let next = find(position &+ 1, ways: effort.ways)
        if next.worth > match.worth &+ 4 { match = next }
      }
      extendBackwards(&match)
      sink.append(
        literals: match.start &- anchor, match: match.length, distance: match.distance)
      let end = match.start &+ match.length
      if end <= last {
        insert(match.start &+ 2)
        insert(end &- 2)
      }
      lastDistance = match.distance
      anchor = end
      position = end
    }
    if anchor < count { sink.append(literals: count &- anchor, match: 0, distance: 0) }
  }

  @inline(__always)
  private func extendBackwards(_ match: inout Match) {
    while match.start > anchor, match.start > match.distance,
      base.load(fromByteOffset: match.start &- 1, as: UInt8.self)
        == base.load(fromByteOffset: match.start &- 1 &- match.distance, as: UInt8.self)
    {
      match.start &-= 1
      match.length &+= 1
    }
  }
}
