// Decodes and encodes LZVN: byte-aligned Lempel-Ziv, the faster sibling of LZFSE.

package enum LZVN {
  /// Decodes a bare stream until its end mark or until `destination` is full, and returns the
  /// number of bytes written. The rest of `destination` may have been used as scratch memory.
  package static func decode(
    _ source: UnsafeRawBufferPointer, into destination: UnsafeMutableRawBufferPointer
  ) throws(CodecError) -> Int {
    try decodeStream(source, into: destination, from: 0, to: destination.count).written
  }

  /// Decodes into `output[from ..< to]`. Matches may reach back to the start of `output`.
  static func decodeStream(
    _ source: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, from: Int, to: Int
  ) throws(CodecError) -> (written: Int, ended: Bool) {
    guard let input = source.baseAddress, let target = output.baseAddress else {
      if from == to { return (0, false) }
      throw .truncated(at: 0)
    }
    var position = 0
    var written = from
    var distance = 0
    // Away from both ends one check for each instruction is enough. It covers the opcode (3 bytes),
    // up to 271 literal bytes, up to 271 match bytes and the slack of the wide copies.
    let safeInput = source.count - (3 + 271 + wideCopySlack)
    let safeOutput = min(to, output.count - (271 + 271 + wideCopySlack))
    while written < to {
      guard position < source.count else { throw .truncated(at: position) }
      let instruction = LZVNInstruction(input + position, available: source.count - position)
      guard let instruction else { throw .truncated(at: source.count) }
      if instruction.kind == .end { return (written - from, true) }
      guard instruction.kind == .copy else { throw .corrupt(at: position) }
      let start = position
      let isSafe = start < safeInput && written < safeOutput
      position &+= instruction.length
      let literals = min(instruction.literals, to - written)
      guard isSafe || literals <= source.count - position else {
        throw .truncated(at: source.count)
      }
      copyLiterals(to: target + written, from: input + position, count: literals, wide: isSafe)
      position &+= instruction.literals
      written &+= literals
      if instruction.distance >= 0 { distance = instruction.distance }
      let match = min(instruction.match, to - written)
      guard match > 0 else { continue }
      guard distance > 0, distance <= written else { throw .corrupt(at: start) }
      copyMatch(to: target + written, distance: distance, count: match, wide: isSafe)
      written &+= match
    }
    return (written - from, false)
  }

  @inline(__always)
  private static func copyMatch(
    to target: UnsafeMutableRawPointer, distance: Int, count: Int, wide: Bool
  ) {
    if wide {
      copyMatchWide(to: target, distance: distance, count: count)
    } else {
      copyBytewise(to: target, distance: distance, count: count)
    }
  }

  @inline(__always)
  private static func copyLiterals(
    to target: UnsafeMutableRawPointer, from source: UnsafeRawPointer, count: Int, wide: Bool
  ) {
    if !wide {
      target.copyMemory(from: source, byteCount: count)
    } else if count > 0 {
      copyWide(to: target, from: source, count: count)
    }
  }
}

/// One decoded opcode.
private struct LZVNInstruction {
  enum Kind { case copy, end, undefined }
  var kind = Kind.copy
  var length = 1
  var literals = 0
  var match = 0
  /// The distance of the match; -1 if the previous distance is used again.
  var distance = -1

  /// Decodes an opcode. Returns nil if not all of its bytes are available.
  @inline(__always)
  init?(_ input: UnsafeRawPointer, available: Int) {
    let opcode = Int(input.load(as: UInt8.self))
    if opcode >= 0xE0 {
      var count = opcode & 15
      if count == 0 {
        guard available >= 2 else { return nil }
        count = Int(input.load(fromByteOffset: 1, as: UInt8.self)) &+ 16
        length = 2
      }
      if opcode >= 0xF0 { match = count } else { literals = count }
    } else if opcode & 0xE0 == 0xA0 {
      guard available >= 3 else { return nil }
      let word = Int(UInt16(littleEndian: input.loadUnaligned(fromByteOffset: 1, as: UInt16.self)))
      literals = opcode >> 3 & 3
      match = ((opcode & 7) << 2 | word & 3) &+ 3
      distance = word >> 2
      length = 3
    } else if opcode >= 0xD0 || opcode & 0xF0 == 0x70 {
      kind = .undefined
    } else {
      literals = opcode >> 6
      match = (opcode >> 3 & 7) &+ 3
      switch opcode & 7 {
      case 7:
        guard available >= 3 else { return nil }
        let word = input.loadUnaligned(fromByteOffset: 1, as: UInt16.self)
        distance = Int(UInt16(littleEndian: word))
        length = 3
      case 6:
        guard literals == 0 else { break }
        // Without a literal, the codes for "previous distance" have other meanings.
        match = 0
        kind = opcode == 0x06 ? .end : opcode == 0x0E || opcode == 0x16 ? .copy : .undefined
      default:
        guard available >= 2 else { return nil }
        distance = (opcode & 7) << 8 | Int(input.load(fromByteOffset: 1, as: UInt8.self))
        length = 2
      }
    }
  }
}

// MARK: - Encoding

// Encodes LZVN: writes each sequence with the shortest opcodes that can express it.

extension LZVN {
  /// Appends a bare stream with its end mark.
  package static func encode(
    _ source: UnsafeRawBufferPointer, appendingTo output: inout [UInt8]
  ) {
    var finder = SequenceFinder()
    defer { finder.deallocate() }
    encode(source, with: &finder, effort: .standard, appendingTo: &output)
  }

  static func encode(
    _ source: UnsafeRawBufferPointer, with finder: inout SequenceFinder, effort: SearchEffort,
    appendingTo output: inout [UInt8]
  ) {
    var taken: [UInt8] = []
    swap(&taken, &output)
    var writer = LZVNWriter(source, appendingTo: consume taken)
    finder.search(source, effort: effort, into: &writer)
    output = writer.finish()
  }
}

struct LZVNWriter: SequenceSink {
  var isOver: Bool { false }
  static let maximumDistance = 0xFFFF
  /// The longest run of literals or match that one opcode can express.
  static let longest = 271

  private let source: UnsafeRawBufferPointer
  var position = 0
  var lastDistance = 0
  var output: [UInt8]

  init(_ source: UnsafeRawBufferPointer, appendingTo output: consuming [UInt8]) {
    self.source = source
    self.output = output
  }

  mutating func append(literals: Int, match: Int, distance: Int) {
    var literals = literals
    // The opcode of a match can contain three literals; more literals need an opcode of their own.
    let carried = match == 0 || literals > 3 ? 0 : literals
    while literals > carried {
      let run = min(literals - carried, Self.longest)
      appendLiterals(run)
      literals -= run
    }
    if match > 0 { append(match, at: distance, literals: carried) }
  }

  /// Writes an opcode for a run of literals, and the literals.
  mutating func appendLiterals(_ run: Int) {
    appendCount(run, 0xE0)
    copy(run)
  }

  mutating func copy(_ literals: Int) {
    output.append(contentsOf: source[position..<position + literals])
    position += literals
  }

  private mutating func append(_ match: Int, at distance: Int, literals: Int) {
    var first = 0
    if distance != lastDistance || literals > 0 {
      first = open(match: match, distance: distance, literals: literals)
      copy(literals)
      lastDistance = distance
    }
    position += first
    appendRepeats(match - first)
  }

  /// Writes an opcode that states how many literals or match bytes follow.
  private mutating func appendCount(_ count: Int, _ opcode: UInt8) {
    if count < 16 {
      output.append(opcode | UInt8(count))
    } else {
      output.append(opcode)
      output.append(UInt8(count - 16))
    }
  }

  /// Continues the match at the last distance.
  mutating func appendRepeats(_ count: Int) {
    var left = count
    while left > 0 {
      let piece = min(left, Self.longest)
      appendCount(piece, 0xF0)
      left -= piece
    }
    position += count
  }

  /// Writes an opcode with a distance and up to three literals, whose bytes follow it. Returns how
  /// many bytes of the match the opcode covers.
  private mutating func open(match: Int, distance: Int, literals: Int) -> Int {
    let short = min(match, 10 - 2 * literals)
    let head = UInt8(literals << 6 | (short - 3) << 3)
    if distance == lastDistance {
      output.append(head | 6)
      return short
    }
    // At a middle distance an opcode of three bytes covers up to 34 bytes. An opcode of two bytes
    // and one of repetition cover 15 bytes more than the two bytes alone.
    if distance < 1536, match <= short + 15 || match > 34 {
      output.append(head | UInt8(distance >> 8))
      output.append(UInt8(distance & 0xFF))
      return short
    }
    if distance < 1 << 14 {
      let said = min(match, 34)
      let count = said - 3
      output.append(0xA0 | UInt8(literals << 3 | count >> 2))
      output.append(littleEndian: UInt16(distance << 2 | count & 3))
      return said
    }
    output.append(head | 7)
    output.append(littleEndian: UInt16(distance))
    return short
  }

  mutating func finish() -> [UInt8] {
    output.append(contentsOf: [6, 0, 0, 0, 0, 0, 0, 0])
    return output
  }
}

// MARK: - The reference encoder

// LZVN as the open-source encoder writes it: every decision is the same. See ReferenceSearch.swift.

extension LZVN {
  /// Appends a bare stream. Returns false and appends nothing for fewer than eight bytes, because
  /// that encoder does not accept them.
  static func encodeAsReference(
    _ source: UnsafeRawBufferPointer, recent: inout RecentPlaces, appendingTo output: inout [UInt8]
  ) -> Bool {
    guard let base = source.baseAddress, source.count >= 8 else { return false }
    var taken: [UInt8] = []
    swap(&taken, &output)
    var search = ReferenceLZVNSearch(
      base, count: source.count, &recent, writer: LZVNWriter(source, appendingTo: consume taken))
    output = search.run()
    return true
  }
}

private struct ReferenceLZVNSearch: ByteLoads {
  /// A match and the estimated number of bytes that it saves.
  private struct PossibleMatch {
    var match = FoundMatch()
    var gain = 0
  }

  let base: UnsafeRawPointer
  private let count: Int
  private let origin: UInt32
  private let lines: UnsafeMutablePointer<SIMD4<UInt32>>
  private var writer: LZVNWriter
  private var anchor = 0
  private var lastDistance = 0
  private var pending = PossibleMatch()

  private static let mostWaiting = 400
  private static let waitingRun = 271
  private static let maximumDistance = 0xFFFF

  init(
    _ base: UnsafeRawPointer, count: Int, _ recent: inout RecentPlaces,
    writer: consuming LZVNWriter
  ) {
    self.base = base
    self.count = count
    origin = recent.start(count)
    lines = recent.lines
    self.writer = writer
  }

  mutating func run() -> [UInt8] {
    for position in 0..<count &- 8 { search(position) }
    // A match that is still pending is not written; its bytes become literals.
    if anchor < count { writer.appendAsReference(literals: count &- anchor, match: 0, distance: 0) }
    return writer.finish()
  }

  private mutating func search(_ position: Int) {
    let index = cell(word32(position))
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
  }

  private mutating func settle(_ found: PossibleMatch) {
    if pending.match.length == 0 {
      pending = found
    } else if pending.match.end <= found.match.start {
      take(pending)
      pending = found
    } else {
      take(found.gain > pending.gain ? found : pending)
      pending = PossibleMatch()
    }
  }

  private mutating func take(_ candidate: PossibleMatch) {
    let match = candidate.match
    writer.appendAsReference(
      literals: match.start &- anchor, match: match.length, distance: match.distance)
    anchor = match.end
    lastDistance = match.distance
  }

  private mutating func relieve() {
    if pending.match.length > 0 {
      take(pending)
      pending = PossibleMatch()
    } else {
      writer.appendAsReference(literals: Self.waitingRun, match: 0, distance: 0)
      anchor &+= Self.waitingRun
    }
  }

  /// Returns the best of the matches at the last places with these bytes and at the last distance.
  private func find(_ position: Int, _ line: SIMD4<UInt32>) -> PossibleMatch {
    var best = PossibleMatch()
    let distances = SIMD4(repeating: place(position)) &- line
    for lane in 0..<4 {
      let distance = Int(distances[lane])
      if distance > Self.maximumDistance { break }
      consider(distance, cost: distance < 0x600 ? 2 : 3, position, &best)
    }
    if lastDistance > 0 { consider(lastDistance, cost: 1, position, &best) }
    return best
  }

  private func consider(
    _ distance: Int, cost: Int, _ position: Int, _ best: inout PossibleMatch
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
      best = PossibleMatch(
        match: FoundMatch(start: start, length: end &- start, distance: distance), gain: gain)
    }
  }

  /// Compares four bytes at both positions, and returns how many are equal before the first
  /// difference.
  private func equalBytes(_ earlier: Int, _ later: Int) -> Int {
    min(4, (word32(earlier) ^ word32(later)).trailingZeroBitCount &>> 3)
  }

  private func cell(_ word: UInt32) -> Int {
    let mixed = ((word & 0xFF_FFFF) &* (1 + 1 << 6 + 1 << 12)) &>> 12
    return Int(mixed & (1 << UInt32(RecentPlaces.bits) - 1))
  }

  private func place(_ position: Int) -> UInt32 {
    origin &+ UInt32(truncatingIfNeeded: position)
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
