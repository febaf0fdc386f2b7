// Our own match search of the LZFSE and LZVN encoders: its settings, the tables that it keeps from
// one input to the next, and one pass over an input.

/// A receiver of sequences: a number of literals, then a match of earlier bytes. A match of length
/// 0 only carries literals.
protocol SequenceSink {
  static var maximumDistance: Int { get }
  /// Whether the receiver needs no more sequences, because its output is too long.
  var isOver: Bool { get }
  mutating func append(literals: Int, match: Int, distance: Int)
}

/// The thoroughness of the search.
struct SearchEffort {
  /// The number of earlier places with the same five bytes that are compared: 2 or 4.
  var ways = 2
  /// After 2 to this power literals without a match, the search begins to skip bytes.
  var skipShift = 6
  /// The largest distance of matches of three and four bytes. They rarely pay.
  var nearReach: UInt32 = 1024
  /// The size of the table for these short matches, as a power of two.
  var nearBits = 12
  /// The number of bytes of a match that are all entered into the tables; after them every eighth
  /// is.
  var denseLength = 8

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
    let bits = begin(source.count)
    var pass = SearchPass(
      base: base, count: source.count, origin: origin, table: table, near: near,
      shift: UInt64(64 - bits), nearShift: UInt64(64 - effort.nearBits),
      reach: UInt32(Sink.maximumDistance), nearReach: effort.nearReach)
    pass.run(effort, into: &sink)
    origin &+= UInt32(source.count) &+ Self.gap
  }

  /// Does the same several times as fast, and finds less: it compares one earlier place, enters
  /// fewer places, and takes the first match.
  mutating func searchFast(
    _ source: UnsafeRawBufferPointer, _ matches: FastMatches, into writer: inout LZFSEBlockWriter
  ) {
    guard let base = source.baseAddress, source.count >= 16 else {
      writer.append(literals: source.count, match: 0, distance: 0)
      return
    }
    let bits = begin(source.count)
    // The places of earlier inputs are out of reach, so this search can order the table anew.
    table.withMemoryRebound(to: UInt32.self, capacity: 4 << Self.maximumBits) { table in
      let pass = FastSearchPass(base: base, count: source.count, origin: origin, table: table)
      // With constants, the loop is faster. Most inputs use the whole table.
      switch (matches, bits == Self.maximumBits) {
      case (.all, true): pass.run(.all, bits: Self.maximumBits, into: &writer)
      case (.all, false): pass.run(.all, bits: bits, into: &writer)
      case (.long, true): pass.run(.long, bits: Self.maximumBits, into: &writer)
      case (.long, false): pass.run(.long, bits: bits, into: &writer)
      }
    }
    origin &+= UInt32(source.count) &+ Self.gap
  }

  /// Makes room for an input of `count` bytes. Returns the size of its table as a power of two.
  private mutating func begin(_ count: Int) -> Int {
    if origin >= 1 << 30 {
      clear()
      origin = Self.gap
    }
    let wanted = Int.bitWidth - count.leadingZeroBitCount - 1
    return min(Self.maximumBits, max(Self.minimumBits, wanted))
  }
}

// MARK: - One pass of the search

// One pass of our own match search over one input. Most of the time of compiling is spent here. The
// format leaves the choice of matches free.

/// A match: its first byte, and the estimated number of bits that it saves.
private struct Match {
  var start = 0
  var length = 0
  var distance = 0
  var worth = 0
}

struct SearchPass: ByteLoads {
  let base: UnsafeRawPointer
  let count: Int
  let origin: UInt32
  let table: UnsafeMutablePointer<UInt64>
  let near: UnsafeMutablePointer<UInt32>
  let shift: UInt64
  let nearShift: UInt64
  let reach: UInt32
  let nearReach: UInt32
  /// The first literal that no sequence contains yet.
  private var anchor = 0
  private var lastDistance = 0

  /// The approximate cost of a literal in bits.
  fileprivate static let literalBits = 6
  /// The number of bits that a match at a new distance must save.
  private static let leastWorth = 8
  /// The number of bits that a match at the next position must save more than the one it replaces.
  private static let leastGain = 2
  /// A match of this length is written at once.
  private static let longEnough = 64

  init(
    base: UnsafeRawPointer, count: Int, origin: UInt32, table: UnsafeMutablePointer<UInt64>,
    near: UnsafeMutablePointer<UInt32>, shift: UInt64, nearShift: UInt64, reach: UInt32,
    nearReach: UInt32
  ) {
    self.base = base
    self.count = count
    self.origin = origin
    self.table = table
    self.near = near
    self.shift = shift
    self.nearShift = nearShift
    self.reach = reach
    self.nearReach = nearReach
  }

  /// Searches the whole input. `count` is at least 16.
  @inline(__always)
  mutating func run<Sink: SequenceSink>(_ effort: SearchEffort, into sink: inout Sink) {
    // At every position up to this one, eight bytes can be loaded.
    let last = count &- 9
    var position = 0
    while position <= last {
      var match = find(position, effort)
      if match.length == 0 {
        position &+= 1 &+ (position &- anchor) &>> effort.skipShift
        continue
      }
      while match.length < Self.longEnough, position < last {
        let next = find(position &+ 1, effort)
        if next.length == 0 || next.worth <= match.worth &+ Self.leastGain { break }
        match = next
        position &+= 1
      }
      extendBackwards(&match)
      sink.append(
        literals: match.start &- anchor, match: match.length, distance: match.distance)
      if sink.isOver { return }
      let end = match.start &+ match.length
      enter(from: position &+ 1, to: min(end, last), match.distance, effort)
      lastDistance = match.distance
      anchor = end
      position = end
    }
    if anchor < count { sink.append(literals: count &- anchor, match: 0, distance: 0) }
  }

  /// Enters the positions inside a match at a distance into the table.
  @inline(__always)
  private func enter(from start: Int, to end: Int, _ distance: Int, _ effort: SearchEffort) {
    var position = start
    let dense = effort.denseLength
    let denseEnd = dense > end &- start ? end : start &+ dense
    while position < denseEnd {
      enter(position, cell(word64(position)), effort)
      position &+= 1
    }
    if distance <= 8, distance & (distance &- 1) == 0, end &- position > 16 {
      // Every eighth position has the same bytes up to the last ones.
      position &+= (end &- 16 &- position) & ~7
    }
    while position < end {
      enter(position, cell(word64(position)), effort)
      position &+= 8
    }
    // The bytes after a match often follow equal bytes again.
    if position > denseEnd, end > start { enter(end &- 1, cell(word64(end &- 1)), effort) }
  }

  /// Enters a position before the others of its cell. A word holds two of them; two more are in the
  /// upper half of the table.
  @inline(__always)
  private func enter(_ position: Int, _ index: Int, _ effort: SearchEffort) {
    let entry = table[index]
    table[index] = entry &<< 32 | UInt64(storedPosition(position))
    if effort.ways > 2 {
      let older = index &+ SequenceFinder.olderPlaces
      table[older] = table[older] &<< 32 | entry &>> 32
    }
  }

  /// Returns the best match at a position, with length 0 if no match exists. Enters the position.
  @inline(__always)
  private func find(_ position: Int, _ effort: SearchEffort) -> Match {
    var best = Match()
    best.worth = Self.leastWorth
    let word = word64(position)
    let index = cell(word)
    let entry = table[index]
    let older = effort.ways > 2 ? table[index &+ SequenceFinder.olderPlaces] : 0
    enter(position, index, effort)
    if lastDistance > 0, lastDistance <= position,
      word32(position &- lastDistance) == UInt32(truncatingIfNeeded: word)
    {
      let length = equalLength(position &- lastDistance, position)
      // A match at the previous distance needs almost no bits for its distance.
      best = Match(
        start: position, length: length, distance: lastDistance,
        worth: length &* Self.literalBits &+ 4)
      if length >= 32 { return best }
    }
    consider(UInt32(truncatingIfNeeded: entry), position, word, &best)
    consider(UInt32(truncatingIfNeeded: entry &>> 32), position, word, &best)
    if effort.ways > 2 {
      consider(UInt32(truncatingIfNeeded: older), position, word, &best)
      consider(UInt32(truncatingIfNeeded: older &>> 32), position, word, &best)
    }
    considerNear(position, word, &best)
    return best
  }

  /// Takes the match at an entry of the table if it is better than `best`.
  @inline(__always)
  private func consider(_ entry: UInt32, _ position: Int, _ word: UInt64, _ best: inout Match) {
    let distance = storedPosition(position) &- entry
    // Entries of earlier inputs are farther away than `reach`, so the place is in this input.
    guard distance &- 1 < reach else { return }
    let earlier = position &- Int(distance)
    guard word32(earlier) == UInt32(truncatingIfNeeded: word) else { return }
    let length = equalLength(earlier, position)
    let worth = Self.worth(length: length, distance: Int(distance))
    if worth > best.worth {
      best = Match(start: position, length: length, distance: Int(distance), worth: worth)
    }
  }

  /// Takes a near match of three bytes or more, if no other match was found.
  @inline(__always)
  private func considerNear(_ position: Int, _ word: UInt64, _ best: inout Match) {
    let index = Int(truncatingIfNeeded: (word &<< 40 &* Self.spread) &>> nearShift)
    let distance = storedPosition(position) &- near[index]
    near[index] = storedPosition(position)
    guard best.length == 0, distance &- 1 < nearReach else { return }
    let earlier = position &- Int(distance)
    guard (word32(earlier) ^ UInt32(truncatingIfNeeded: word)) &<< 8 == 0 else { return }
    let length = equalLength(earlier, position)
    let worth = Self.worth(length: length, distance: Int(distance))
    best = Match(start: position, length: length, distance: Int(distance), worth: worth)
  }

  @inline(__always)
  fileprivate static func worth(length: Int, distance: Int) -> Int {
    length &* literalBits &- (Int.bitWidth &- distance.leadingZeroBitCount)
  }

  /// Extends a match backwards over equal literals.
  @inline(__always)
  private func extendBackwards(_ match: inout Match) {
    while match.start > anchor, match.start > match.distance,
      byte(match.start &- 1) == byte(match.start &- 1 &- match.distance)
    {
      match.start &-= 1
      match.length &+= 1
    }
  }

  /// Returns the number of equal bytes from both positions on. `later` is the later position.
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
    while b < count, byte(a) == byte(b) {
      a &+= 1
      b &+= 1
    }
    return b &- later
  }

  fileprivate static let spread: UInt64 = 0x9E37_79B1_85EB_CA87

  /// Returns the cell of the next five bytes. Five, because a match of four bytes that is farther
  /// away than `nearReach` is rarely worth its distance.
  @inline(__always)
  private func cell(_ word: UInt64) -> Int {
    Int(truncatingIfNeeded: (word &<< 24 &* Self.spread) &>> shift)
  }

  @inline(__always)
  private func storedPosition(_ position: Int) -> UInt32 {
    origin &+ UInt32(truncatingIfNeeded: position)
  }
}

// MARK: - The fast search

/// The matches that the fast search takes; it takes any length at the previous distance.
enum FastMatches: Sendable {
  /// All lengths that save bits in most inputs.
  case all
  /// Lengths that save bits in residuals: their literals take few bits, and shorter matches take as
  /// many and most of the time.
  case long

  /// The number of bytes in the hash.
  @inline(__always) fileprivate var hashedBytes: Int { self == .all ? 5 : 8 }
}

/// One pass of the fast search over one input.
private struct FastSearchPass: ByteLoads {
  let base: UnsafeRawPointer
  let count: Int
  let origin: UInt32
  /// The last place for each hash of the next bytes.
  let table: UnsafeMutablePointer<UInt32>

  /// After 2 to this power literals without a match, the search begins to skip bytes.
  private static let skipShift = 5
  /// A match of four bytes pays up to this distance.
  private static let farthestOfFour = 0x7FFF
  /// The least length of `FastMatches.long`.
  private static let leastLong = 10
  /// A match at the previous distance of this length is taken without looking for another.
  private static let longEnough = 32
  /// The number of bits that a match at the previous distance saves more than its literals take.
  private static let repetitionWorth = 4

  /// Searches the whole input. `count` is at least 16, and the table has 2 to the power of `bits`
  /// entries.
  @inline(__always)
  func run(_ matches: FastMatches, bits: Int, into writer: inout LZFSEBlockWriter) {
    let hash = Hash(
      unused: UInt64(truncatingIfNeeded: 64 &- 8 &* matches.hashedBytes),
      shift: UInt64(truncatingIfNeeded: 64 &- bits))
    // At every position up to this one, eight bytes can be loaded.
    let last = count &- 9
    var position = 0
    var anchor = 0
    var lastDistance = 0
    while position <= last {
      let word = word64(position)
      let entry = self.entry(word, hash)
      var distance = Int(storedPosition(position) &- entry.pointee)
      entry.pointee = storedPosition(position)
      var length = 0
      if distance &- 1 < LZFSEBlock.maximumDistance, distance > 0,
        matches == .all
          ? word32(position &- distance) == UInt32(truncatingIfNeeded: word)
          : word64(position &- distance) == word
      {
        length = equalLength(position &- distance, position)
        if matches == .all
          ? length == 4 && distance > Self.farthestOfFour : length < Self.leastLong
        {
          length = 0
        }
      }
      if lastDistance > 0, word32(position &- lastDistance) == UInt32(truncatingIfNeeded: word) {
        (length, distance) = repetition(at: position, lastDistance, unless: length, distance)
      }
      if length == 0 {
        position &+= 1 &+ (position &- anchor) &>> Self.skipShift
        continue
      }
      var start = position
      while start > anchor, start > distance, byte(start &- 1) == byte(start &- 1 &- distance) {
        start &-= 1
      }
      let end = position &+ length
      writer.append(literals: start &- anchor, match: end &- start, distance: distance)
      if writer.isOver { return }
      enter(from: position &+ 1, to: min(end, last), hash, insideMatchTo: end, distance)
      lastDistance = distance
      anchor = end
      position = end
    }
    if anchor < count { writer.append(literals: count &- anchor, match: 0, distance: 0) }
  }

  /// Returns the match at the previous distance, which needs almost no bits for its distance; the
  /// given match if that saves more.
  @inline(never)
  private func repetition(
    at position: Int, _ lastDistance: Int, unless length: Int, _ distance: Int
  ) -> (length: Int, distance: Int) {
    let repeated = equalLength(position &- lastDistance, position)
    if length > 0, repeated < Self.longEnough {
      let repeatedWorth = repeated &* SearchPass.literalBits &+ Self.repetitionWorth
      if SearchPass.worth(length: length, distance: distance) > repeatedWorth {
        return (length, distance)
      }
    }
    return (repeated, lastDistance)
  }

  /// The way from the next eight bytes to an entry: `unused` bits are shifted out before the
  /// multiplication, and `shift` bits after it.
  private struct Hash {
    let unused: UInt64
    let shift: UInt64
  }

  /// Enters the first two positions inside a match, every eighth, and the last one, whose bytes
  /// often follow equal bytes again.
  @inline(__always)
  private func enter(
    from start: Int, to end: Int, _ hash: Hash, insideMatchTo matchEnd: Int, _ distance: Int
  ) {
    guard start &+ 2 < end else {
      for position in start..<max(start, end) { enter(position, hash) }
      return
    }
    enter(start, hash)
    enter(start &+ 1, hash)
    var position = start &+ 2
    if distance <= 8, distance & (distance &- 1) == 0 {
      // Every eighth position has the same hashed bytes, so only the last of them stays entered.
      let hashedBytes = 8 &- Int(truncatingIfNeeded: hash.unused &>> 3)
      let same = min(matchEnd &- 7 &- hashedBytes, end &- 8) &- position
      if same > 0 { position &+= (same &+ 7) & ~7 }
    }
    while position < end {
      enter(position, hash)
      position &+= 8
    }
    enter(end &- 1, hash)
  }

  @inline(__always)
  private func enter(_ position: Int, _ hash: Hash) {
    entry(word64(position), hash).pointee = storedPosition(position)
  }

  /// Returns the entry of the table for the next bytes.
  @inline(__always)
  private func entry(_ word: UInt64, _ hash: Hash) -> UnsafeMutablePointer<UInt32> {
    table + Int(truncatingIfNeeded: (word &<< hash.unused &* SearchPass.spread) &>> hash.shift)
  }

  /// Returns the number of equal bytes from both positions on. `later` is the later position. The
  /// first four bytes are equal.
  @inline(__always)
  private func equalLength(_ earlier: Int, _ later: Int) -> Int {
    let back = earlier &- later
    var address = base + later
    let end = base + count
    @inline(__always) func difference(_ step: Int) -> UInt64 {
      address.loadUnaligned(fromByteOffset: step, as: UInt64.self)
        ^ address.loadUnaligned(fromByteOffset: back &+ step, as: UInt64.self)
    }
    @inline(__always) func length(_ step: Int, _ difference: UInt64) -> Int {
      let equal = UInt64(littleEndian: difference).trailingZeroBitCount &>> 3
      return address - base &- later &+ step &+ equal
    }
    while address + 16 <= end {
      let first = difference(0)
      if first != 0 { return length(0, first) }
      let second = difference(8)
      if second != 0 { return length(8, second) }
      address += 16
    }
    while address < end,
      address.load(as: UInt8.self) == address.load(fromByteOffset: back, as: UInt8.self)
    { address += 1 }
    return address - base &- later
  }

  @inline(__always)
  private func storedPosition(_ position: Int) -> UInt32 {
    origin &+ UInt32(truncatingIfNeeded: position)
  }
}
