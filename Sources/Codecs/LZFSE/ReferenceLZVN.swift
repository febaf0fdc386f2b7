// LZVN as the open-source encoder writes it: every decision is the same. See ReferenceSearch.swift.

extension LZVN {
  /// Appends a bare stream. Returns false and appends nothing for fewer than eight bytes, because
  /// that encoder does not accept them.
  static func encodeAsReference(
    _ source: UnsafeRawBufferPointer, places: inout RecentPlaces, appendingTo output: inout [UInt8]
  ) -> Bool {
    guard let base = source.baseAddress, source.count >= 8 else { return false }
    var taken: [UInt8] = []
    swap(&taken, &output)
    var search = ReferenceLZVNSearch(
      base, count: source.count, places: &places, writer: LZVNWriter(source, appendingTo: taken))
    output = search.run()
    return true
  }
}

private struct ReferenceLZVNSearch {
  /// A match and the estimated number of bytes that it saves.
  private struct Candidate {
    var match = FoundMatch()
    var gain = 0
  }

  private let base: UnsafeRawPointer
  private let count: Int
  private let origin: UInt32
  private let lines: UnsafeMutablePointer<SIMD4<UInt32>>
  private var writer: LZVNWriter
  private var anchor = 0
  private var lastDistance = 0
  private var pending = Candidate()

  private static let mostWaiting = 400
  private static let waitingRun = 271
  private static let maximumDistance = 0xFFFF

  init(
    _ base: UnsafeRawPointer, count: Int, places: inout RecentPlaces, writer: consuming LZVNWriter
  ) {
    self.base = base
    self.count = count
    origin = places.begin(count: count)
    lines = places.lines
    self.writer = writer
  }

  mutating func run() -> [UInt8] {
    let last = count &- 8
    var position = 0
    while position < last {
      let index = slot(word32(position))
      let line = lines[index]
      if position >= anchor {
        let found = find(position, line)
        if found.match.length == 0 {
          if position &- anchor >= Self.mostWaiting { relieve() }
        } else {
          settle(found)
        }
      }
      lines[index] = SIMD4(place(position), line[0], line[1], line[2])
      position &+= 1
    }
    // A match that is still pending is not written; its bytes become literals.
    if anchor < count { writer.appendAsReference(literals: count &- anchor, match: 0, distance: 0) }
    return writer.finish()
  }

  private mutating func settle(_ found: Candidate) {
    if pending.match.length == 0 {
      pending = found
    } else if pending.match.end <= found.match.start {
      take(pending)
      pending = found
    } else {
      take(found.gain > pending.gain ? found : pending)
      pending = Candidate()
    }
  }

  private mutating func take(_ candidate: Candidate) {
    let match = candidate.match
    writer.appendAsReference(
      literals: match.start &- anchor, match: match.length, distance: match.distance)
    anchor = match.end
    lastDistance = match.distance
  }

  private mutating func relieve() {
    if pending.match.length > 0 {
      take(pending)
      pending = Candidate()
    } else {
      writer.appendAsReference(literals: Self.waitingRun, match: 0, distance: 0)
      anchor &+= Self.waitingRun
    }
  }

  /// Returns the best of the matches at the last places with these bytes and at the last distance.
  private func find(_ position: Int, _ line: SIMD4<UInt32>) -> Candidate {
    var best = Candidate()
    for lane in 0..<4 {
      let distance = Int(place(position) &- line[lane])
      if distance > Self.maximumDistance { break }
      consider(distance, cost: distance < 0x600 ? 2 : 3, position, &best)
    }
    if lastDistance > 0 { consider(lastDistance, cost: 1, position, &best) }
    return best
  }

  private func consider(
    _ distance: Int, cost: Int, _ position: Int, _ best: inout Candidate
  ) {
    guard distance <= position else { return }
    var equal = equalBytes(position &- distance, position)
    guard equal >= 3 else { return }
    var end = position &+ equal
    while equal == 4, end &+ 4 < count {
      equal = equalBytes(end &- distance, end)
      end &+= equal
    }
    var start = position
    while start > anchor, start > distance, byte(start &- 1) == byte(start &- 1 &- distance) {
      start &-= 1
    }
    let gain = end &- start &- cost
    // If two gains are equal, the later match wins only if it ends at least two bytes later.
    if gain > best.gain || gain == best.gain && end > best.match.end &+ 1 {
      best = Candidate(
        match: FoundMatch(start: start, length: end &- start, distance: distance), gain: gain)
    }
  }

  /// Compares four bytes at both positions, and returns how many are equal before the first
  /// difference.
  private func equalBytes(_ earlier: Int, _ later: Int) -> Int {
    min(4, (word32(earlier) ^ word32(later)).trailingZeroBitCount &>> 3)
  }

  private func slot(_ word: UInt32) -> Int {
    let mixed = ((word & 0xFF_FFFF) &* (1 + 1 << 6 + 1 << 12)) &>> 12
    return Int(mixed & (1 << UInt32(RecentPlaces.bits) - 1))
  }

  private func place(_ position: Int) -> UInt32 {
    origin &+ UInt32(truncatingIfNeeded: position)
  }

  private func byte(_ position: Int) -> UInt8 {
    base.load(fromByteOffset: position, as: UInt8.self)
  }

  private func word32(_ position: Int) -> UInt32 {
    UInt32(littleEndian: base.loadUnaligned(fromByteOffset: position, as: UInt32.self))
  }
}

extension LZVNWriter {
  /// Writes the opcodes that the open-source encoder chooses, which are not always the shortest.
  mutating func appendAsReference(literals: Int, match: Int, distance: Int) {
    var literals = literals
    while literals > 3 || literals > 0 && match == 0 {
      let run = min(literals, Self.longest)
      appendLiterals(run)
      literals -= run
    }
    if match == 0 { return }
    let short = min(match, 10 - 2 * literals)
    var said = short
    let head = UInt8(literals << 6 | (short - 3) << 3)
    if distance == lastDistance {
      output.append(literals == 0 ? 0xF0 | UInt8(short) : head | 6)
    } else if distance < 1536 {
      output.append(head | UInt8(distance >> 8))
      output.append(UInt8(distance & 0xFF))
    } else if distance >= 1 << 14 || match == short || match > 34 {
      output.append(head | 7)
      output.append(littleEndian: UInt16(distance))
    } else {
      said = match
      output.append(0xA0 | UInt8(literals << 3 | (match - 3) >> 2))
      output.append(littleEndian: UInt16(distance << 2 | (match - 3) & 3))
    }
    copy(literals)
    lastDistance = distance
    position += said
    appendRepeats(match - said)
  }
}
