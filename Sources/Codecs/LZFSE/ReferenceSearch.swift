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

/// The last four places for each hash of four bytes, latest first. As in `SequenceFinder`, places
/// are counted over all inputs, so places of an earlier input are out of reach.
struct RecentPlaces {
  static let bits = 14
  private static let gap: UInt32 = 1 << 19

  let lines: UnsafeMutablePointer<SIMD4<UInt32>>
  private(set) var origin = Self.gap

  init() {
    lines = .allocate(capacity: 1 << Self.bits)
    lines.initialize(repeating: SIMD4(), count: 1 << Self.bits)
  }

  func deallocate() { lines.deallocate() }

  /// Makes room for an input of `count` bytes, less than 1 GiB, and returns its first place.
  mutating func begin(count: Int) -> UInt32 {
    if origin >= 1 << 30 {
      lines.update(repeating: SIMD4(), count: 1 << Self.bits)
      origin = Self.gap
    }
    defer { origin &+= UInt32(truncatingIfNeeded: count) &+ Self.gap }
    return origin
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
    let origin = recent.begin(count: count)
    var end = windows == .stream ? ReferenceWindows.size : count
    while end < count {
      let input = ReferenceInput(base: base, end: end, origin: origin, lines: recent.lines)
      search.run(input, to: end &- ReferenceWindows.margin, into: &writer)
      if writer.isOver { return }
      end &+= ReferenceWindows.step
    }
    let input = ReferenceInput(base: base, end: count, origin: origin, lines: recent.lines)
    search.run(input, to: count &- 8, into: &writer)
    if writer.isOver { return }
    search.finish(count, into: &writer)
  }

  /// Searches from `position` to `last`, on a copy of the state that can stay in registers.
  private mutating func run(
    _ input: ReferenceInput, to last: Int, into writer: inout LZFSEBlockWriter
  ) {
    var state = self
    while state.position < last {
      if state.anchor > state.position {
        let end = min(state.anchor, last)
        input.enter(from: state.position, to: end, inside: state.latest)
        state.position = end
        continue
      }
      let found = input.find(state.position, after: state.anchor)
      if found.length > 0 {
        let taken = state.settle(found)
        if taken.length > 0 {
          state.take(taken, into: &writer)
          if writer.isOver { break }
        }
      } else if state.position &- state.anchor > Self.mostWaiting {
        if state.pending.length > 0 {
          state.take(state.pending, into: &writer)
          state.pending.length = 0
        } else {
          writer.appendWhole(literals: LZFSEBlock.maximumLiteralRun, match: 0, distance: 1)
          state.anchor &+= LZFSEBlock.maximumLiteralRun
        }
      }
      state.position &+= 1
    }
    self = state
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

  private static let longest = 100 * LZFSEBlock.maximumMatch

  /// Enters the positions inside a match into the table. If the match repeats a short period, each
  /// hash returns in every repetition, and four of its places fill the line. So only the last four
  /// repetitions are entered: all earlier places would be pushed out again.
  @inline(__always)
  func enter(from start: Int, to end: Int, inside match: FoundMatch) {
    var position = max(start, min(end, match.end &- 3 &- 4 &* match.distance))
    var previous = -1
    while position < end {
      let index = cell(word32(position))
      if index == previous { position = lastPlaces(ofRunAt: position, end) }
      previous = index
      let line = lines[index]
      lines[index] = SIMD4(storedPosition(position), line[0], line[1], line[2])
      position &+= 1
    }
  }

  /// Does the same for a run of one byte value inside a match, whose distance may be long. Returns
  /// the first of the last four positions before `end` at which the run still has four bytes.
  @inline(__always)
  private func lastPlaces(ofRunAt position: Int, _ end: Int) -> Int {
    let first = word64(position)
    guard first == first &<< 8 | first & 255 else { return position }
    var stop = position &+ 8
    while stop < end, word64(stop) == first { stop &+= 8 }
    return max(position, min(stop &- 7, end &- 4))
  }

  /// Returns the longest match at a position, and the nearest one of equal length, extended
  /// backwards to `anchor` at most. Enters the position into the table.
  @inline(__always)
  func find(_ position: Int, after anchor: Int) -> FoundMatch {
    let word = word32(position)
    let index = cell(word)
    let line = lines[index]
    let here = storedPosition(position)
    lines[index] = SIMD4(here, line[0], line[1], line[2])
    // Most positions have no match, and a loop without the search for one keeps its state in
    // registers.
    if begins(here &- line[0], position, word) {
      return longest(of: line, from: 0, position, after: anchor)
    }
    if begins(here &- line[1], position, word) {
      return longest(of: line, from: 1, position, after: anchor)
    }
    if begins(here &- line[2], position, word) {
      return longest(of: line, from: 2, position, after: anchor)
    }
    if begins(here &- line[3], position, word) {
      return longest(of: line, from: 3, position, after: anchor)
    }
    return FoundMatch(start: position)
  }

  /// Returns whether a match of four bytes begins at this distance.
  @inline(__always)
  private func begins(_ distance: UInt32, _ position: Int, _ word: UInt32) -> Bool {
    distance <= LZFSEBlock.maximumDistance && word32(position &- Int(distance)) == word
  }

  /// Returns the longest match at the places of a line, of which `first` is the latest one at which
  /// four bytes are equal.
  @inline(never)
  private func longest(
    of line: SIMD4<UInt32>, from first: Int, _ position: Int, after anchor: Int
  ) -> FoundMatch {
    let here = storedPosition(position)
    var distance = here &- line[first]
    var length = equalLength(position &- Int(distance), position)
    var next = first &+ 1
    while next < 4 {
      let other = here &- line[next]
      // The places in a line are ordered from late to early, so the first one out of reach ends the
      // loop.
      if other > LZFSEBlock.maximumDistance { break }
      next &+= 1
      let earlier = position &- Int(other)
      // In a longer match, the four bytes that end with the next one are equal, too.
      if word32(earlier &+ length &- 3) != word32(position &+ length &- 3)
        || word32(earlier) != word32(position)
      {
        continue
      }
      let found = equalLength(earlier, position)
      if found > length { (length, distance) = (found, other) }
    }
    var match = FoundMatch(start: position, length: length, distance: Int(distance))
    extendBackwards(&match, after: anchor)
    return match
  }

  @inline(__always)
  private func extendBackwards(_ match: inout FoundMatch, after anchor: Int) {
    match.length = min(match.length, Self.longest)
    while match.start > anchor, match.start > match.distance,
      byte(match.start &- 1) == byte(match.start &- 1 &- match.distance)
    {
      match.start &-= 1
      match.length &+= 1
    }
  }

  /// Returns the number of equal bytes; the first four are equal already. It counts in steps
  /// of eight, and the last step may not begin within the last eight bytes of the input.
  @inline(__always)
  private func equalLength(_ earlier: Int, _ later: Int) -> Int {
    let limit = end &- later &- 8
    var length = 4
    // Long matches are compared in steps of 32 bytes.
    while length &+ 24 < limit, isSame(earlier &+ length, later &+ length) { length &+= 32 }
    while length < limit {
      let difference = word64(earlier &+ length) ^ word64(later &+ length)
      if difference != 0 { return length &+ difference.trailingZeroBitCount &>> 3 }
      length &+= 8
    }
    return length
  }

  /// Returns whether 32 bytes are equal.
  @inline(__always)
  private func isSame(_ a: Int, _ b: Int) -> Bool {
    let low =
      base.loadUnaligned(fromByteOffset: a, as: SIMD2<UInt64>.self)
      ^ base.loadUnaligned(fromByteOffset: b, as: SIMD2<UInt64>.self)
    let high =
      base.loadUnaligned(fromByteOffset: a &+ 16, as: SIMD2<UInt64>.self)
      ^ base.loadUnaligned(fromByteOffset: b &+ 16, as: SIMD2<UInt64>.self)
    let both = low | high
    return both[0] | both[1] == 0
  }

  @inline(__always)
  private func cell(_ word: UInt32) -> Int {
    Int(truncatingIfNeeded: (word &* 2_654_435_761) &>> UInt32(32 &- RecentPlaces.bits))
  }

  @inline(__always)
  private func storedPosition(_ position: Int) -> UInt32 {
    origin &+ UInt32(truncatingIfNeeded: position)
  }
}
