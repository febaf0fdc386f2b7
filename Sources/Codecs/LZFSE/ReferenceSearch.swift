// The parse of the format's open-source encoder with its default settings, decision for decision:
// what it gives, byte for byte, is what Apple's tools write. ReferenceLZVN.swift does the same for
// the small sibling; SearchPass.swift is our own search, which is faster and finds as much.

/// A match with the byte where it begins, which may lie before the one where it was found.
struct FoundMatch {
  var start = 0
  var length = 0
  var distance = 0

  var end: Int { start &+ length }
}

/// For the hash of a few bytes the last four places with it, the latest first. Places are counted
/// over all inputs, as in `SequenceFinder`: what an earlier input left behind is out of reach.
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

  /// Makes room for an input of so many bytes, less than 1 GiB, and returns its first place.
  mutating func begin(count: Int) -> UInt32 {
    if origin >= 1 << 30 {
      lines.update(repeating: SIMD4(), count: 1 << Self.bits)
      origin = Self.gap
    }
    defer { origin &+= UInt32(truncatingIfNeeded: count) &+ Self.gap }
    return origin
  }
}

/// How Apple's tools hand an input to the search.
package enum ReferenceWindows: Sendable {
  /// As a whole: the tiles of deepmaps.
  case none
  /// Through a buffer, as whoever writes to a stream does: pictures compressed with LZFSE alone. It
  /// gives 36 of 38 chunks beyond a buffer's size in real archives, of which the whole gives 11.
  case stream

  /// The bytes of a buffer.
  fileprivate static let size = 3 << 18
  /// What stays in it for matches to reach back to, when more is read.
  private static let history = 1 << 18
  /// No match is looked for so near to the end of a buffer, unless it is that of the input.
  fileprivate static let margin = 400

  /// By how much the buffer moves on.
  fileprivate static let step = size - margin - history
}

/// The parse so far.
struct ReferenceSearch {
  /// A match of this length is taken as it is.
  private static let longEnough = 40
  /// More literals than this do not wait for a match.
  private static let mostWaiting = 8 * LZFSEBlock.maximumLiteralRun

  private var position = 0
  /// Start of the literals that no sequence has taken yet.
  private var anchor = 0
  /// A match that waits for a better one.
  private var pending = FoundMatch()
  private var latest = FoundMatch()

  /// Passes all of the input to `writer`; it has at least eight bytes.
  static func run(
    _ base: UnsafeRawPointer, count: Int, windows: ReferenceWindows,
    places: inout RecentPlaces, into writer: inout LZFSEBlockWriter
  ) {
    var search = ReferenceSearch()
    let origin = places.begin(count: count)
    var end = windows == .stream ? ReferenceWindows.size : count
    while end < count {
      let input = ReferenceInput(base: base, end: end, origin: origin, lines: places.lines)
      search.run(input, to: end &- ReferenceWindows.margin, into: &writer)
      end &+= ReferenceWindows.step
    }
    let input = ReferenceInput(base: base, end: count, origin: origin, lines: places.lines)
    search.run(input, to: count &- 8, into: &writer)
    search.finish(count, into: &writer)
  }

  /// Searches from `position` to `last`; a copy of the state may stay in registers.
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
        if taken.length > 0 { state.take(taken, into: &writer) }
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

  /// What a match means for the one that waits: which of them is taken now, if one is.
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

/// What the search looks at. It does not change, so that a loop can keep it in registers.
private struct ReferenceInput {
  let base: UnsafeRawPointer
  /// Of what can be seen: of the input, or of a window of it.
  let end: Int
  let origin: UInt32
  let lines: UnsafeMutablePointer<SIMD4<UInt32>>

  private static let longest = 100 * LZFSEBlock.maximumMatch

  /// Makes the places from one position to another known, all inside of a match. Where it repeats a
  /// short stretch, every hash in it comes again within each repetition, and four of them fill its
  /// line: all before the last four would be pushed out again.
  @inline(__always)
  func enter(from start: Int, to end: Int, inside match: FoundMatch) {
    var position = max(start, min(end, match.end &- 3 &- 4 &* match.distance))
    var previous = -1
    while position < end {
      let index = slot(word32(position))
      if index == previous { position = lastPlaces(ofRunAt: position, end) }
      previous = index
      let line = lines[index]
      lines[index] = SIMD4(place(position), line[0], line[1], line[2])
      position &+= 1
    }
  }

  /// The same for a run of one byte value inside of a match, which may repeat a far place: the first
  /// of the last four positions, up to `end`, from which the run has four bytes.
  @inline(__always)
  private func lastPlaces(ofRunAt position: Int, _ end: Int) -> Int {
    let first = word64(position)
    guard first == first &<< 8 | first & 255 else { return position }
    var stop = position &+ 8
    while stop < end, word64(stop) == first { stop &+= 8 }
    return max(position, min(stop &- 7, end &- 4))
  }

  /// The longest match at a position, the nearest of equals, with the equal bytes before it that lie
  /// behind `anchor`; the position becomes known.
  @inline(__always)
  func find(_ position: Int, after anchor: Int) -> FoundMatch {
    let word = word32(position)
    let index = slot(word)
    let line = lines[index]
    let here = place(position)
    lines[index] = SIMD4(here, line[0], line[1], line[2])
    var match = FoundMatch(start: position)
    // Places in a line come later before earlier, so that the first one out of reach ends it.
    if consider(here &- line[0], position, word, &match),
      consider(here &- line[1], position, word, &match),
      consider(here &- line[2], position, word, &match)
    {
      _ = consider(here &- line[3], position, word, &match)
    }
    if match.length > 0 { extendBackwards(&match, after: anchor) }
    return match
  }

  /// False where the place is out of reach.
  @inline(__always)
  private func consider(
    _ distance: UInt32, _ position: Int, _ word: UInt32, _ match: inout FoundMatch
  ) -> Bool {
    if distance > LZFSEBlock.maximumDistance { return false }
    let earlier = position &- Int(distance)
    if word32(earlier) != word { return true }
    let least = match.length
    // A longer match has one byte more.
    if least > 0, byte(earlier &+ least) != byte(position &+ least) { return true }
    let length = equalLength(earlier, position)
    if length > least {
      match.length = length
      match.distance = Int(distance)
    }
    return true
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

  /// How many bytes are equal, four being known to be: counted in eights, of which the last may not
  /// begin within the last eight bytes.
  @inline(__always)
  private func equalLength(_ earlier: Int, _ later: Int) -> Int {
    let limit = end &- later &- 8
    var length = 4
    // Four at once where matches are long.
    while length &+ 24 < limit, isSame(earlier &+ length, later &+ length) { length &+= 32 }
    while length < limit {
      let difference = word64(earlier &+ length) ^ word64(later &+ length)
      if difference != 0 { return length &+ difference.trailingZeroBitCount &>> 3 }
      length &+= 8
    }
    return length
  }

  /// Whether 32 bytes are equal.
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
  private func slot(_ word: UInt32) -> Int {
    Int(truncatingIfNeeded: (word &* 2_654_435_761) &>> UInt32(32 &- RecentPlaces.bits))
  }

  @inline(__always)
  private func place(_ position: Int) -> UInt32 {
    origin &+ UInt32(truncatingIfNeeded: position)
  }

  @inline(__always)
  private func byte(_ position: Int) -> UInt8 {
    base.load(fromByteOffset: position, as: UInt8.self)
  }

  @inline(__always)
  private func word32(_ position: Int) -> UInt32 {
    UInt32(littleEndian: base.loadUnaligned(fromByteOffset: position, as: UInt32.self))
  }

  @inline(__always)
  private func word64(_ position: Int) -> UInt64 {
    UInt64(littleEndian: base.loadUnaligned(fromByteOffset: position, as: UInt64.self))
  }
}
