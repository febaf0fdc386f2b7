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
    var writer = LZVNWriter(source, appendingTo: taken)
    finder.search(source, effort: effort, into: &writer)
    output = writer.finish()
  }
}

struct LZVNWriter: SequenceSink {
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
      first = open(match, distance, literals)
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
  private mutating func open(_ match: Int, _ distance: Int, _ literals: Int) -> Int {
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
