// Writes gzip: the search for matches, and the memory that inputs share. DeflateBlocks.swift turns
// the matches into blocks.
//
// The format leaves the choice of matches and blocks to the encoder. Apple's tool uses zlib at
// level 6, and this encoder gives the same bytes: limits, order of candidates and ends of blocks
// are zlib's.

struct GzipEncoder: Sendable {
  /// For each hash its last position, for each position the previous one with its hash, and the
  /// tokens of a block. The first input allocates the memory.
  private var words: [UInt32] = []

  /// Appends one gzip member without name and time.
  mutating func encode(_ source: UnsafeRawBufferPointer, appendingTo output: inout [UInt8]) {
    output.append(contentsOf: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3])
    let tables = DeflateSearch.slots + DeflateSearch.window
    if words.isEmpty { words = Array(repeating: 0, count: tables + DeflateBlocks.mostTokens) }
    words.withUnsafeMutableBufferPointer { words in
      guard let memory = words.baseAddress else { return }
      memory.update(repeating: 0, count: DeflateSearch.slots)
      var blocks = DeflateBlocks(source, tokens: memory + tables)
      // If the source has no bytes, the pointer is never read.
      let base = source.baseAddress ?? UnsafeRawPointer(memory)
      let search = DeflateSearch(
        base: base, count: source.count, heads: memory, links: memory + DeflateSearch.slots)
      search.run(into: &blocks, appendingTo: &output)
    }
    output.append(littleEndian: Checksum.crc32(source))
    output.append(littleEndian: UInt32(truncatingIfNeeded: source.count))
  }
}

/// One run of the search over one input. Positions have 32 bits: in longer inputs the positions
/// that do not fit lead to places that are too far away, and so to no match.
private struct DeflateSearch {
  static let slots = 1 << 15
  static let window = 1 << 15
  private static let shortest = 3
  private static let longest = 258
  /// The largest distance. zlib keeps the longest match and the bytes of its hash out of the
  /// window.
  private static let reach = window - longest - shortest - 1
  /// From this distance on a match of three bytes costs more than literals.
  private static let reachOfShortest = 4096
  /// A match of this length is not replaced by one that starts a byte later.
  private static let longEnoughToTake = 16
  /// From this length on the search for a better match is less thorough.
  private static let longEnoughToHurry = 8
  /// A match of this length ends the search at its position.
  private static let longEnoughToStop = 128
  private static let mostCandidates = 128

  let base: UnsafeRawPointer
  let count: Int
  let heads: UnsafeMutablePointer<UInt32>
  let links: UnsafeMutablePointer<UInt32>

  private struct Match {
    var length = shortest - 1
    var distance = 0
  }

  /// Searches the input. A match is written only when the next position has no longer one.
  func run(into blocks: inout DeflateBlocks, appendingTo output: inout [UInt8]) {
    var position = 0
    var match = Match()
    var owesLiteral = false
    while position < count {
      let candidate = enter(position)
      let before = match
      match = Match()
      // Position 0 is never a candidate, because zlib uses 0 for "no position".
      if candidate > 0, before.length < Self.longEnoughToTake, position - candidate <= Self.reach {
        match = longestMatch(at: position, from: candidate, beating: before.length)
      }
      if before.length >= Self.shortest, match.length <= before.length {
        blocks.append(length: before.length, distance: before.distance)
        let end = position - 1 + before.length
        position += 1
        while position < end {
          _ = enter(position)
          position += 1
        }
        match = Match()
        owesLiteral = false
      } else {
        if owesLiteral { blocks.append(literal: byte(position - 1)) }
        owesLiteral = true
      }
      if blocks.isFull { blocks.flush(upTo: position, isLast: false, to: &output) }
      if owesLiteral { position += 1 }
    }
    if owesLiteral { blocks.append(literal: byte(count - 1)) }
    blocks.flush(upTo: count, isLast: true, to: &output)
  }

  /// Enters a position into the tables and returns the previous one with the same hash, or 0.
  @inline(__always)
  private func enter(_ position: Int) -> Int {
    guard position &+ Self.shortest <= count else { return 0 }
    let hash = Int(byte(position)) &<< 10 ^ Int(byte(position &+ 1)) &<< 5
    let slot = (hash ^ Int(byte(position &+ 2))) & (Self.slots &- 1)
    let before = heads[slot]
    links[position & (Self.window &- 1)] = before
    heads[slot] = UInt32(truncatingIfNeeded: position)
    return Int(before)
  }

  /// Returns the first of the longest matches, if one is longer than `least`.
  private func longestMatch(at position: Int, from first: Int, beating least: Int) -> Match {
    let most = min(Self.longest, count - position)
    guard least < most else { return Match() }
    let enough = min(Self.longEnoughToStop, most)
    let limit = max(0, position - Self.reach)
    var left = least >= Self.longEnoughToHurry ? Self.mostCandidates / 4 : Self.mostCandidates
    var best = Match(length: least)
    var candidate = first
    // `best.length` is below `most`, so the bytes that are compared lie in the input.
    repeat {
      if pair(candidate &+ best.length &- 1) == pair(position &+ best.length &- 1),
        pair(candidate) == pair(position)
      {
        let length = equalLength(candidate, position, most: most)
        if length > best.length {
          best = Match(length: length, distance: position - candidate)
          if length >= enough { break }
        }
      }
      candidate = Int(links[candidate & (Self.window &- 1)])
      left &-= 1
    } while candidate > limit && left > 0
    let isTooFar = best.length == Self.shortest && best.distance > Self.reachOfShortest
    return best.distance == 0 || isTooFar ? Match() : best
  }

  @inline(__always)
  private func equalLength(_ earlier: Int, _ later: Int, most: Int) -> Int {
    var length = 0
    while length &+ 8 <= most {
      let difference = word(earlier &+ length) ^ word(later &+ length)
      if difference != 0 { return length &+ difference.trailingZeroBitCount &>> 3 }
      length &+= 8
    }
    while length < most, byte(earlier &+ length) == byte(later &+ length) { length &+= 1 }
    return length
  }

  @inline(__always)
  private func byte(_ position: Int) -> UInt8 {
    base.load(fromByteOffset: position, as: UInt8.self)
  }

  @inline(__always)
  private func pair(_ position: Int) -> UInt16 {
    base.loadUnaligned(fromByteOffset: position, as: UInt16.self)
  }

  @inline(__always)
  private func word(_ position: Int) -> UInt64 {
    UInt64(littleEndian: base.loadUnaligned(fromByteOffset: position, as: UInt64.self))
  }
}
