// The match search of the format's open-source encoder with its default settings. Every decision is
// the same, so the output equals that of Apple's tools byte for byte. LZVN.swift contains the
// same for LZVN, and MatchSearch.swift our own search, which is faster and finds as much.
//
// The search visits every position. A table stores the last four places for the hash of the next
// four bytes. The longest match among these places is extended backwards over literals that are not
// written yet. One match can be pending: it waits until a later position has shown whether a better
// one overlaps it.
//
//     A is pending       ....[=====A=====]..............
//     B overlaps A       .........[=======B=======].....   the longer one is written, the other
//                                                          one is dropped; if equal, A is written
//     C begins after A   ....................[==C==]....   A is written, C becomes pending
//
// A match of at least 40 bytes is written at once, and the pending one is dropped. If more than
// 2,520 literals wait and no match is found, the pending match is written, or else 315 literals.

/// A match. `start` can lie before the position at which the match was found.
struct FoundMatch {
  var start = 0
  var length = 0
  var distance = 0

  var end: Int { start &+ length }
}

/// The last four places for each hash of four bytes, latest first. A place is a position, counted
/// over all inputs of an encoder: so the table need not be cleared for each input, and the distance
/// of a place of an earlier input is larger than the position in this input.
struct RecentPlaces {
  static let bits = 14
  static let lineCount = 1 << bits
  /// The number of lines after those of the hashes. They take positions that must not be entered.
  static let spareLines = 8
  /// The place of the first position. It is larger than the distance of any match, so that the
  /// place 0, which fills the table at first, is out of reach.
  static let first: UInt32 = 1 << 18

  let lines: UnsafeMutablePointer<SIMD4<UInt32>>
  /// The place of the first position of the next input.
  private var next: UInt32

  /// Creates a table without places, as if earlier inputs had taken all places before `next`.
  init(next: UInt32 = Self.first) {
    self.next = next
    let count = Self.lineCount + Self.spareLines
    lines = .allocate(capacity: count)
    lines.initialize(repeating: SIMD4(), count: count)
  }

  func deallocate() { lines.deallocate() }

  /// Returns the place of the first position of an input with `count` bytes. If the places do not
  /// fit into 32 bits, those of earlier inputs are removed.
  mutating func start(_ count: Int) -> UInt32 {
    let count = UInt32(clamping: count)
    if count > .max - next {
      lines.update(repeating: SIMD4(), count: Self.lineCount)
      next = Self.first
    }
    defer { next += min(count, .max - next) }
    return next
  }
}

/// The way in which Apple's tools pass an input to the search.
package enum ReferenceWindows: Sendable {
  /// The whole input at once. Tiles of deepmaps are encoded so.
  case none
  /// Through a buffer, as a writer to a stream does. Pictures that are compressed with LZFSE alone
  /// are encoded so. Of 38 chunks in real archives that are larger than the buffer, this way
  /// reproduces 36, and `none` reproduces 11.
  ///
  ///     input      ------------------------------------------------
  ///     buffer 1   [==================|=]                             768 KiB; searched up to |
  ///     buffer 2         [==================|=]                       begins 256 KiB before that |
  case stream

  /// The bytes of a buffer.
  fileprivate static let size = 3 << 18
  /// The bytes that stay in the buffer when it moves on, so that matches can reach back to them.
  private static let history = 1 << 18
  /// The last bytes of a buffer, in which no match is searched unless the input ends there.
  fileprivate static let margin = 400

  /// The number of bytes by which the buffer moves on.
  fileprivate static let step = size - margin - history
}

/// The state of the parse.
struct ReferenceSearch {
  /// A match of this length is written at once.
  private static let longEnough = 40
  /// The largest number of literals that wait for a match.
  private static let mostWaiting = 8 * LZFSEBlock.maximumLiteralRun

  private var position = 0
  /// The first literal that no sequence contains yet.
  private var anchor = 0
  /// A match that waits for a better one. If no match waits, its length is 0.
  private var pending = FoundMatch()
  private var latest = FoundMatch()

  /// Passes the whole input to `writer`. The input has at least eight bytes.
  static func run(
    _ base: UnsafeRawPointer, count: Int, windows: ReferenceWindows,
    recent: inout RecentPlaces, into writer: inout LZFSEBlockWriter
  ) {
    var search = ReferenceSearch()
    let origin = recent.start(count)
    var end = windows == .stream ? ReferenceWindows.size : count
    while end < count {
      let input = ReferenceInput(base, end: end, origin: origin, lines: recent.lines)
      search = search.searched(input, to: end &- ReferenceWindows.margin, into: &writer)
      if writer.isOver { return }
      end &+= ReferenceWindows.step
    }
    let input = ReferenceInput(base, end: count, origin: origin, lines: recent.lines)
    search = search.searched(input, to: count &- 8, into: &writer)
    if writer.isOver { return }
    search.finish(count, into: &writer)
  }

  /// Searches from `position` to `last`. It returns the new state and does not change `self`, so
  /// that the state can stay in registers.
  private func searched(
    _ input: ReferenceInput, to last: Int, into writer: inout LZFSEBlockWriter
  ) -> ReferenceSearch {
    var state = self
    state.position = input.skip(from: position, to: anchor, last, inside: latest)
    while state.position < last {
      let found = input.find(state.position, after: state.anchor)
      let waiting = state.position &- state.anchor
      state.position &+= 1
      var taken = found
      if found.length > 0 {
        taken = state.settle(found)
      } else if waiting > Self.mostWaiting {
        taken = state.pending
        state.pending.length = 0
        if taken.length == 0 {
          writer.appendWhole(literals: LZFSEBlock.maximumLiteralRun, match: 0, distance: 1)
          state.anchor &+= LZFSEBlock.maximumLiteralRun
        }
      }
      if taken.length == 0 { continue }
      state.take(taken, into: &writer)
      if writer.isOver { break }
      state.position = input.skip(from: state.position, to: state.anchor, last, inside: taken)
    }
    return state
  }

  private mutating func finish(_ count: Int, into writer: inout LZFSEBlockWriter) {
    if pending.length > 0 { take(pending, into: &writer) }
    if anchor < count { writer.appendWhole(literals: count &- anchor, match: 0, distance: 1) }
  }

  @inline(__always)
  private mutating func take(_ match: FoundMatch, into writer: inout LZFSEBlockWriter) {
    writer.appendWhole(
      literals: match.start &- anchor, match: match.length, distance: match.distance)
    anchor = match.end
    latest = match
  }

  /// Compares a new match with the pending one. Returns the match to write; its length is 0 if none
  /// is.
  @inline(__always)
  private mutating func settle(_ found: FoundMatch) -> FoundMatch {
    let waiting = pending
    if found.length >= Self.longEnough {
      pending.length = 0
      return found
    }
    if waiting.length == 0 || waiting.end <= found.start {
      pending = found
      return waiting
    }
    pending.length = 0
    return found.length > waiting.length ? found : waiting
  }
}

/// The input of the search. It is constant, so that a loop can keep it in registers.
private struct ReferenceInput: ByteLoads {
  let base: UnsafeRawPointer
  /// The end of the visible input: of the whole input or of a buffer.
  let end: Int
  let origin: UInt32
  let lines: UnsafeMutablePointer<SIMD4<UInt32>>
  /// The address that the place 0 would have. A place is an offset from it.
  private let placeZero: UnsafeRawPointer
  /// The first position at which matches are not compared in the quick way: near the end of the
  /// input the format's encoder compares fewer bytes, and in an input of 4 GiB the places repeat.
  private let quickEnd: Int

  private static let longest = 100 * LZFSEBlock.maximumMatch

  init(
    _ base: UnsafeRawPointer, end: Int, origin: UInt32,
    lines: UnsafeMutablePointer<SIMD4<UInt32>>
  ) {
    self.base = base
    self.end = end
    self.origin = origin
    self.lines = lines
    placeZero = base - Int(truncatingIfNeeded: origin)
    quickEnd = min(end &- 12, Int(clamping: UInt32.max - origin))
  }

  /// Enters a position, and returns the line of its hash as it was.
  @inline(__always) @discardableResult
  private func enter(_ position: Int, line index: Int) -> SIMD4<UInt32> {
    let line = lines[index]
    lines[index] = SIMD4(place(position), line[0], line[1], line[2])
    return line
  }

  /// Returns the index of the line for the four bytes at a position.
  @inline(__always)
  private func line(_ position: Int) -> Int {
    let hash = word32(position) &* 2_654_435_761
    return Int(truncatingIfNeeded: hash &>> UInt32(32 &- RecentPlaces.bits))
  }

  /// Enters a position, and returns the longest match there. If no place matches, the length is 0.
  @inline(__always)
  func find(_ position: Int, after anchor: Int) -> FoundMatch {
    longest(of: enter(position, line: line(position)), position, after: anchor)
  }

  /// Enters the positions inside a match into the table, from `start` to `end` or to `last`, and
  /// returns the next position to search.
  ///
  /// Most matches are short, and the processor could not predict the end of a loop over their
  /// positions. So these are entered in one or two groups of fixed size; positions after the match
  /// go into spare lines.
  @inline(__always)
  func skip(from start: Int, to end: Int, _ last: Int, inside match: FoundMatch) -> Int {
    let group = 6
    guard end <= start &+ 2 &* group, start &+ 2 &* group < last else {
      return skipMany(from: start, to: min(end, last), last, inside: match)
    }
    var first = start
    repeat {
      enterGroup(of: group, from: first, to: end)
      first &+= group
    } while first < end
    return max(start, end)
  }

  /// Enters the positions before `end` among `size` positions.
  @inline(__always)
  private func enterGroup(of size: Int, from first: Int, to end: Int) {
    for index in 0..<size {
      let position = first &+ index
      let line = line(position)
      enter(position, line: position < end ? line : RecentPlaces.lineCount &+ index)
    }
  }

  /// Enters the positions inside a long match. If the match repeats a short period, each hash
  /// returns in every repetition, and four of its places fill the line. So only the last four
  /// repetitions are entered: all earlier places would be pushed out again. The same holds for runs
  /// of one byte value; the loop looks for a run once for eight positions.
  @inline(never)
  private func skipMany(
    from start: Int, to end: Int, _ last: Int, inside match: FoundMatch
  ) -> Int {
    if start >= end { return start }
    var position = max(start, min(end, match.end &- 3 &- 4 &* match.distance))
    while true {
      position = lastPlaces(ofRunAt: position, end)
      if position &+ 8 > end { break }
      for index in 0..<8 { enter(position &+ index, line: line(position &+ index)) }
      position &+= 8
    }
    if position &+ 8 <= last {
      enterGroup(of: 8, from: position, to: end)
    } else {
      for position in position..<end { enter(position, line: line(position)) }
    }
    return end
  }

  /// If a run of one byte value begins at a position, returns the first of the last four positions
  /// before `end` at which the run still has four bytes: earlier places in the run would be pushed
  /// out again, too. Otherwise returns the position.
  @inline(__always)
  private func lastPlaces(ofRunAt position: Int, _ end: Int) -> Int {
    let first = word64(position)
    guard first == first &<< 8 | first & 255 else { return position }
    var stop = position &+ 8
    while stop < end, word64(stop) == first { stop &+= 8 }
    return max(position, min(stop &- 7, end &- 4))
  }

  /// Returns the longest match at the places of a line, and the nearest one of equal length,
  /// extended backwards to `anchor` at most. If no place matches, the length is 0.
  @inline(__always)
  private func longest(
    of line: SIMD4<UInt32>, _ position: Int, after anchor: Int
  ) -> FoundMatch {
    // The places in a line are ordered from late to early, so the last one is the farthest.
    if place(position) &- line[3] > farthest(from: position) || position >= quickEnd {
      return longestInReach(line, position, after: anchor)
    }
    return longestInQuickWay(line, position, after: anchor)
  }

  /// Does the same if places may be out of reach, as at the start of an input, or if the input ends
  /// soon.
  @inline(never)
  private func longestInReach(
    _ line: SIMD4<UInt32>, _ position: Int, after anchor: Int
  ) -> FoundMatch {
    let distances = SIMD4(repeating: place(position)) &- line
    let farthest = farthest(from: position)
    if distances[0] > farthest { return FoundMatch() }
    // If the first place takes the room of those out of reach, the longest match stays the same.
    let reached = line.replacing(with: line[0], where: distances .> farthest)
    if position >= quickEnd { return longestOfMany(reached, position, after: anchor) }
    return longestInQuickWay(reached, position, after: anchor)
  }

  /// Does the same if all places are in reach. Most matches have fewer than eight bytes, so these
  /// are compared without branches, which the processor could not predict.
  @inline(__always)
  private func longestInQuickWay(
    _ line: SIMD4<UInt32>, _ position: Int, after anchor: Int
  ) -> FoundMatch {
    let bytes = word64(position)
    /// Returns eight times the number of equal bytes, up to 64, plus a number that is larger for
    /// nearer places.
    @inline(__always)
    func rank(_ lane: Int) -> Int {
      let place = Int(truncatingIfNeeded: line[lane])
      let earlier = placeZero.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      return (UInt64(littleEndian: earlier) ^ bytes).trailingZeroBitCount & ~7 | (3 &- lane)
    }
    let best = max(max(rank(0), rank(1)), max(rank(2), rank(3)))
    if best < 8 &* 4 { return FoundMatch() }
    if best >= 8 &* 8 { return longestOfMany(line, position, after: anchor) }
    let distance = place(position) &- line[3 &- best & 3]
    return extendedBackwards(position, best &>> 3, distance, after: anchor)
  }

  /// Does the same for matches of any length. All places are in reach.
  @inline(never)
  private func longestOfMany(
    _ line: SIMD4<UInt32>, _ position: Int, after anchor: Int
  ) -> FoundMatch {
    let word = word32(position)
    var (length, distance) = (0, UInt32(0))
    @inline(__always)
    func compare(_ lane: Int) {
      let other = place(position) &- line[lane]
      let earlier = position &- Int(other)
      if word32(earlier) != word { return }
      // In a longer match, the four bytes that end with the next one are equal, too.
      if length > 0, word32(earlier &+ length &- 3) != word32(position &+ length &- 3) { return }
      let found = equalLength(earlier, position)
      if found > length { (length, distance) = (found, other) }
    }
    compare(0)
    compare(1)
    compare(2)
    compare(3)
    if length == 0 { return FoundMatch() }
    return extendedBackwards(position, length, distance, after: anchor)
  }

  /// Returns the largest distance of a match that begins in this input and that the format can say.
  @inline(__always)
  private func farthest(from position: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: min(position, LZFSEBlock.maximumDistance))
  }

  @inline(__always)
  private func extendedBackwards(
    _ position: Int, _ length: Int, _ distance: UInt32, after anchor: Int
  ) -> FoundMatch {
    var match = FoundMatch(
      start: position, length: min(length, Self.longest), distance: Int(distance))
    while match.start > anchor, match.start > match.distance,
      byte(match.start &- 1) == byte(match.start &- 1 &- match.distance)
    {
      match.start &-= 1
      match.length &+= 1
    }
    return match
  }

  /// Returns the number of equal bytes; the first four are equal already. It counts in steps
  /// of eight, and the last step may not begin within the last eight bytes of the input.
  @inline(__always)
  private func equalLength(_ earlier: Int, _ later: Int) -> Int {
    let limit = end &- later &- 8
    var length = 4
    // Long matches are compared in steps of 64 bytes.
    while length &+ 56 < limit, isSame(earlier &+ length, later &+ length) { length &+= 64 }
    while length < limit {
      let difference = word64(earlier &+ length) ^ word64(later &+ length)
      if difference != 0 { return length &+ difference.trailingZeroBitCount &>> 3 }
      length &+= 8
    }
    return length
  }

  /// Returns whether 64 bytes are equal.
  @inline(__always)
  private func isSame(_ a: Int, _ b: Int) -> Bool {
    @inline(__always) func difference(_ offset: Int) -> SIMD2<UInt64> {
      base.loadUnaligned(fromByteOffset: a &+ offset, as: SIMD2<UInt64>.self)
        ^ base.loadUnaligned(fromByteOffset: b &+ offset, as: SIMD2<UInt64>.self)
    }
    let both = (difference(0) | difference(16)) | (difference(32) | difference(48))
    return both[0] | both[1] == 0
  }

  @inline(__always)
  private func place(_ position: Int) -> UInt32 {
    origin &+ UInt32(truncatingIfNeeded: position)
  }
}
