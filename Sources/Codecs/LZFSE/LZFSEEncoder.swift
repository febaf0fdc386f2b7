// The LZFSE encoder: chooses the kind of block for an input, writes the blocks, and owns the memory
// that calls share.

package struct LZFSEEncoder: Sendable {
  package enum Effort: Sendable, CaseIterable {
    case fast
    /// Produces exactly the bytes of the format's open-source encoder.
    case reference
    case standard, smallest
  }

  package internal(set) var effort: Effort
  /// The matches that `.fast` takes.
  var fastMatches = FastMatches.all
  /// Whether blocks are only measured: instead of their two streams, about as many other bytes are
  /// written.
  private var isMeasuring = false
  private var memory: EncoderMemory
  /// The number of bytes of the output after which a tile is given up.
  private var limit = Int.max
  /// Whether the last tile was given up.
  private var isOver = false

  package init(effort: Effort = .standard) {
    self.effort = effort
    memory = EncoderMemory()
  }

  /// Inputs with fewer bytes are encoded as LZVN, whose blocks have no tables.
  static let leastForTables = 4096

  /// Appends a whole stream that decodes to `source`. `windows` matters only to `.reference`.
  package mutating func encode(
    _ source: UnsafeRawBufferPointer, windows: ReferenceWindows = .none,
    appendingTo output: inout [UInt8]
  ) {
    if !isKnownUniquelyReferenced(&memory) { memory = EncoderMemory() }
    let start = output.count
    isOver = false
    if let base = source.baseAddress, source.count >= Self.leastForTables {
      encodeTables(source, base, windows, appendingTo: &output)
      if isOver { return }
    }
    if source.count < Self.leastForTables, source.count > 0 {
      encodeLZVN(source, appendingTo: &output)
    }
    if output.count - start > source.count + 8 {
      output.removeSubrange(start...)
      appendRaw(source, to: &output)
    }
    output.append(littleEndian: LZFSEBlock.end)
  }

  private mutating func encodeTables(
    _ source: UnsafeRawBufferPointer, _ base: UnsafeRawPointer, _ windows: ReferenceWindows,
    appendingTo output: inout [UInt8]
  ) {
    var taken: [UInt8] = []
    swap(&taken, &output)
    // If this function kept its reference, the writer would copy the bytes at its first block.
    var writer = LZFSEBlockWriter(
      memory.blocks, source: base, count: source.count, limit: limit, isMeasuring: isMeasuring,
      appendingTo: consume taken)
    switch effort {
    case .fast: memory.finder.searchFast(source, fastMatches, into: &writer)
    case .standard: memory.finder.search(source, effort: .standard, into: &writer)
    case .smallest:
      var parse = ShortestParse(
        base, count: source.count, room: memory.paths, classes: memory.blocks.classes)
      parse.run(into: &writer)
    case .reference:
      ReferenceSearch.run(
        base, count: source.count, windows: windows, recent: &memory.recentPlaces, into: &writer)
    }
    if !writer.isOver { writer.flush() }
    isOver = writer.isOver
    output = writer.output
  }

  /// Lets `body` measure about how many bytes the fast search needs. What `body` appends does not
  /// decode.
  mutating func measuring<Result>(_ body: (inout LZFSEEncoder) -> Result) -> Result {
    let usual = effort
    effort = .fast
    isMeasuring = true
    defer {
      effort = usual
      isMeasuring = false
    }
    return body(&self)
  }

  private func encodeLZVN(
    _ source: UnsafeRawBufferPointer, appendingTo output: inout [UInt8]
  ) {
    output.append(littleEndian: LZFSEBlock.lzvn)
    output.append(littleEndian: UInt32(source.count))
    let size = output.count
    output.append(littleEndian: UInt32(0))
    encodeBare(source, appendingTo: &output)
    output.store(UInt32(output.count - size - 4), at: size)
  }

  /// Appends a bare LZVN stream, as `LZVN.encode` does, with the memory of this encoder.
  mutating func encodeBareLZVN(
    _ source: UnsafeRawBufferPointer, appendingTo output: inout [UInt8]
  ) {
    if !isKnownUniquelyReferenced(&memory) { memory = EncoderMemory() }
    encodeBare(source, appendingTo: &output)
  }

  /// Appends the length of a stream and the stream, as tiles contain it: bare LZVN below the limit,
  /// a whole LZFSE stream from the limit on. Returns false if the stream is not smaller than its
  /// source, or if the output would have more than `most` bytes. The output is then incomplete.
  mutating func appendTile(
    _ bytes: UnsafeRawBufferPointer, to output: inout [UInt8], most: Int = .max
  ) -> Bool {
    // The LZVN encoders and decoders of Apple's tools do not accept fewer bytes.
    if bytes.count < 8 { return false }
    let start = output.count
    output.append(littleEndian: UInt32(0))
    if bytes.count < Self.leastForTables {
      encodeBareLZVN(bytes, appendingTo: &output)
    } else {
      limit = most
      encode(bytes, appendingTo: &output)
      limit = .max
      if isOver { return false }
    }
    if output.count > most { return false }
    let size = output.count - start - 4
    output.store(UInt32(truncatingIfNeeded: size), at: start)
    return size < bytes.count
  }

  private func encodeBare(_ source: UnsafeRawBufferPointer, appendingTo output: inout [UInt8]) {
    if effort == .smallest { return encodeSmallerBare(source, appendingTo: &output) }
    if effort == .reference,
      LZVN.encodeAsReference(source, recent: &memory.recentPlaces, appendingTo: &output)
    {
      return
    }
    LZVN.encode(source, with: &memory.finder, effort: .standard, appendingTo: &output)
  }

  /// Appends the smaller stream of the two searches.
  private func encodeSmallerBare(
    _ source: UnsafeRawBufferPointer, appendingTo output: inout [UInt8]
  ) {
    let start = output.count
    LZVN.encode(source, with: &memory.finder, effort: .smallest, appendingTo: &output)
    var other: [UInt8] = []
    if LZVN.encodeAsReference(source, recent: &memory.recentPlaces, appendingTo: &other),
      other.count < output.count - start
    {
      output.removeSubrange(start...)
      output.append(contentsOf: other)
    }
  }

  private func appendRaw(_ source: UnsafeRawBufferPointer, to output: inout [UInt8]) {
    output.append(littleEndian: LZFSEBlock.raw)
    output.append(littleEndian: UInt32(source.count))
    output.append(contentsOf: source)
  }
}

/// Tables and buffers of one encoder. It may move between threads, because only an encoder that is
/// its only owner uses it.
final class EncoderMemory: @unchecked Sendable {
  var finder = SequenceFinder()
  let blocks = LZFSEBlockWriter.Memory()
  /// The table of the reference search. It takes a quarter of a megabyte, so it is made on first
  /// use.
  var recentPlaces: RecentPlaces {
    get {
      if let madePlaces { return madePlaces }
      let made = RecentPlaces()
      madePlaces = made
      return made
    }
    set { madePlaces = newValue }
  }
  private var madePlaces: RecentPlaces?
  /// The memory of the shortest parse. It takes four megabytes, so it is made on first use.
  var paths: PathRoom {
    if let madePaths { return madePaths }
    let made = PathRoom()
    madePaths = made
    return made
  }
  private var madePaths: PathRoom?

  deinit {
    finder.deallocate()
    blocks.deallocate()
    madePlaces?.deallocate()
    madePaths?.deallocate()
  }
}

// MARK: - Blocks

// Collects sequences and writes them as entropy-coded LZFSE blocks.

/// A sequence as the block stores it.
struct Sequence {
  var literals: UInt32
  var match: UInt32
  var distance: UInt32
}

struct LZFSEBlockWriter: SequenceSink {
  static let maximumDistance = LZFSEBlock.maximumDistance
  /// From this number on, the literals of a block that is only measured are not all counted.
  private static let leastForEstimate = 1 << 14

  private let memory: Memory
  /// The first literal of the block that is being collected.
  private var source: UnsafeRawPointer
  private let end: UnsafeRawPointer
  private var count = 0
  private var literalCount = 0
  /// The number of bytes of the output after which nothing more is written.
  private let limit: Int
  /// Whether blocks are only measured.
  private let isMeasuring: Bool
  /// Whether the output would exceed the limit. It is then incomplete.
  private(set) var isOver = false
  private(set) var output: [UInt8]

  /// Buffers that are used again for each block.
  struct Memory {
    let sequences: UnsafeMutablePointer<Sequence>
    let literals: UnsafeMutableRawPointer
    let payload: UnsafeMutableRawPointer
    let counts: UnsafeMutablePointer<UInt32>
    let frequencies: UnsafeMutablePointer<UInt16>
    let steps: UnsafeMutablePointer<FSEStep>
    let classes: LZFSEClasses

    /// A literal takes at most 10 bits and a sequence at most 54.
    static let payloadSize =
      LZFSEBlock.maximumLiterals * 10 / 8 + LZFSEBlock.maximumMatches * 54 / 8 + 64

    init() {
      sequences = .allocate(capacity: LZFSEBlock.maximumMatches)
      literals = .allocate(
        byteCount: LZFSEBlock.maximumLiterals + 8 + wideCopySlack, alignment: 16)
      payload = .allocate(byteCount: Self.payloadSize, alignment: 16)
      // Measured blocks append bytes of the payload that no block has written.
      payload.initializeMemory(as: UInt8.self, repeating: 0, count: Self.payloadSize)
      counts = .allocate(capacity: LZFSEAlphabet.frequencyCount)
      frequencies = .allocate(capacity: LZFSEAlphabet.frequencyCount)
      steps = .allocate(capacity: LZFSEAlphabet.frequencyCount)
      steps.initialize(repeating: FSEStep(), count: LZFSEAlphabet.frequencyCount)
      classes = LZFSEClasses()
    }

    func deallocate() {
      sequences.deallocate()
      literals.deallocate()
      payload.deallocate()
      counts.deallocate()
      frequencies.deallocate()
      steps.deallocate()
      classes.deallocate()
    }
  }

  /// Creates a writer. The sequences that follow have to cover the `count` bytes at `source`.
  init(
    _ memory: Memory, source: UnsafeRawPointer, count: Int, limit: Int = .max,
    isMeasuring: Bool = false, appendingTo output: consuming [UInt8]
  ) {
    self.memory = memory
    self.source = source
    end = source + count
    self.limit = limit
    self.isMeasuring = isMeasuring
    self.output = output
  }

  @inline(__always)
  mutating func append(literals: Int, match: Int, distance: Int) {
    if literals <= LZFSEBlock.maximumLiteralRun, match <= LZFSEBlock.maximumMatch,
      count < LZFSEBlock.maximumMatches, literalCount &+ literals <= LZFSEBlock.maximumLiterals
    {
      add(literals: literals, match: match, distance: distance)
    } else {
      split(literals: literals, match: match, distance: distance)
    }
  }

  @inline(__always)
  private mutating func add(literals: Int, match: Int, distance: Int) {
    memory.sequences[count] = Sequence(
      literals: UInt32(truncatingIfNeeded: literals), match: UInt32(truncatingIfNeeded: match),
      distance: UInt32(truncatingIfNeeded: distance))
    count &+= 1
    literalCount &+= literals
  }

  /// Writes a sequence that has to be divided: it is too long, or this block has no room for it.
  @inline(never)
  private mutating func split(literals: Int, match: Int, distance: Int) {
    var literals = literals
    var match = match
    while literals > 0 || match > 0 {
      if count == LZFSEBlock.maximumMatches || literalCount == LZFSEBlock.maximumLiterals {
        flush()
      }
      let room = LZFSEBlock.maximumLiterals - literalCount
      let run = min(literals, LZFSEBlock.maximumLiteralRun, room)
      literals -= run
      let piece = literals > 0 ? 0 : min(match, LZFSEBlock.maximumMatch)
      match -= piece
      add(literals: run, match: piece, distance: piece == 0 ? 0 : distance)
    }
  }

  /// Appends a sequence as the open-source encoder does: if it divides a sequence, all pieces go
  /// into one block; it ends a block some places before the block is full; pieces without a match
  /// have the distance 1.
  @inline(__always)
  mutating func appendWhole(literals: Int, match: Int, distance: Int) {
    if literals <= LZFSEBlock.maximumLiteralRun, match <= LZFSEBlock.maximumMatch,
      count &+ 9 <= LZFSEBlock.maximumMatches,
      literalCount &+ literals &+ 16 <= LZFSEBlock.maximumLiterals
    {
      add(literals: literals, match: match, distance: distance)
    } else {
      appendPieces(literals: literals, match: match, distance: distance)
    }
  }

  @inline(never)
  private mutating func appendPieces(literals: Int, match: Int, distance: Int) {
    var literals = literals
    var match = match
    let pieces =
      max(0, literals - 1) / LZFSEBlock.maximumLiteralRun
      + max(0, match - 1) / LZFSEBlock.maximumMatch + 1
    if count + pieces + 8 > LZFSEBlock.maximumMatches
      || literalCount + literals + 16 > LZFSEBlock.maximumLiterals
    {
      flush()
    }
    while literals > LZFSEBlock.maximumLiteralRun {
      add(literals: LZFSEBlock.maximumLiteralRun, match: 0, distance: 1)
      literals -= LZFSEBlock.maximumLiteralRun
    }
    while match > LZFSEBlock.maximumMatch {
      add(literals: literals, match: LZFSEBlock.maximumMatch, distance: distance)
      literals = 0
      match -= LZFSEBlock.maximumMatch
    }
    add(literals: literals, match: match, distance: distance)
  }

  /// Writes the collected block, if there is one.
  mutating func flush() {
    if count == 0 { return }
    defer { (count, literalCount) = (0, 0) }
    if isOver { return }
    let rawBytes = gather()
    let counts = memory.counts
    let tables = memory.steps
    var next = 0
    for alphabet in LZFSEAlphabet.all {
      normalize(counts + next, alphabet, into: memory.frequencies + next)
      FSESymbols(steps: tables + next).build(memory.frequencies + next, alphabet)
      next += alphabet.symbols
    }
    if limit < .max, output.count + leastBytes() > limit {
      isOver = true
      return
    }
    var header = LZFSEHeader()
    header.rawBytes = rawBytes
    header.literals = (literalCount + 3) & ~3
    header.matches = count
    if isMeasuring {
      header.write(memory.frequencies, to: &output)
      let bytes = min(likelyBytes(), Memory.payloadSize)
      output.append(contentsOf: UnsafeRawBufferPointer(start: memory.payload, count: bytes))
    } else {
      let literalEnd = writeLiterals(&header)
      header.literalBytes = literalEnd - memory.payload
      let matchEnd = writeMatches(&header, from: literalEnd)
      header.matchBytes = matchEnd - literalEnd
      header.write(memory.frequencies, to: &output)
      output.append(
        contentsOf: UnsafeRawBufferPointer(
          start: memory.payload, count: header.literalBytes + header.matchBytes))
    }
    isOver = output.count > limit
  }

  /// Returns a number of bytes that the two streams of the block take at least: each symbol with
  /// the fewest bits that any state writes for it, and the further bits of lengths and distances.
  private func leastBytes() -> Int {
    let bits = bitsOfSymbols { most, states, all in (states == all ? most : most - 1) << 8 }
    return (bits + furtherBits()) / 8
  }

  /// Returns about as many bytes as the two streams of the block take: each symbol with the mean of
  /// the bits that its states write for it.
  private func likelyBytes() -> Int {
    let bits = bitsOfSymbols { most, states, all in (most - 1) << 8 + states << 8 / all }
    return (bits + furtherBits()) / 8
  }

  /// Returns the sum of the prices of all symbols in bits. `price` returns the price of one symbol
  /// in units of 1/256. It gets the most bits that a state of the symbol writes, the number of its
  /// states that write these bits, and the number of all its states; the others write one fewer.
  @inline(__always)
  private func bitsOfSymbols(_ price: (_ most: Int, _ states: Int, _ all: Int) -> Int) -> Int {
    var sum = 0
    var next = 0
    for alphabet in LZFSEAlphabet.all {
      for symbol in next..<next + alphabet.symbols where memory.counts[symbol] > 0 {
        let all = Int(memory.frequencies[symbol])
        let most = all.leadingZeroBitCount - alphabet.states.leadingZeroBitCount
        sum += Int(memory.counts[symbol]) * price(most, (2 * alphabet.states) >> most - all, all)
      }
      next += alphabet.symbols
    }
    return sum >> 8
  }

  /// Returns the bits of lengths and distances that follow their symbols.
  private func furtherBits() -> Int {
    var bits = 0
    var next = 0
    for values in [LZFSEValues.literalRun, .match, .distance] {
      for (symbol, extra) in values.bits.enumerated() {
        bits += Int(memory.counts[next + symbol]) * Int(extra)
      }
      next += values.bits.count
    }
    return bits
  }

  /// Copies the literals together, replaces lengths and distances by their classes, counts all
  /// symbols, and moves `source` after the block. Returns the number of raw bytes.
  private mutating func gather() -> Int {
    let counts = memory.counts
    counts.update(repeating: 0, count: LZFSEAlphabet.frequencyCount)
    let classes = memory.classes
    var position = 0
    var literal = memory.literals
    // A sequence without a match has no distance and counts as one that repeats the last distance.
    // But the first sequence of a block must have a distance.
    if memory.sequences[0].distance == 0 { memory.sequences[0].distance = 1 }
    var distance: UInt32 = 0
    // The buffer has the slack of a wide copy; the input may not have it.
    let room = end - source - wideCopySlack
    for index in 0..<count {
      let sequence = memory.sequences[index]
      let run = Int(sequence.literals)
      let from = source + position
      if position &+ run <= room {
        copyWide(to: literal, from: from, count: run)
      } else {
        literal.copyMemory(from: from, byteCount: run)
      }
      literal += run
      position &+= run &+ Int(sequence.match)
      let runClass = classes.literalRun(run)
      let matchClass = classes.match(Int(sequence.match))
      let coded = sequence.distance == distance ? 0 : sequence.distance
      if coded > 0 { distance = coded }
      let distanceClass = LZFSEClasses.distance(coded)
      counts[runClass.symbol] &+= 1
      counts[20 &+ matchClass.symbol] &+= 1
      counts[40 &+ distanceClass.symbol] &+= 1
      memory.sequences[index] = Sequence(
        literals: runClass.packed, match: matchClass.packed, distance: distanceClass.packed)
    }
    let filled = (literalCount + 3) & ~3
    for index in literalCount..<filled {
      memory.literals.storeBytes(of: 0, toByteOffset: index, as: UInt8.self)
    }
    let literals = UnsafeRawBufferPointer(start: memory.literals, count: filled)
    if isMeasuring, filled >= Self.leastForEstimate {
      estimateByteCounts(literals, into: counts + 104)
    } else {
      countBytes(literals, into: counts + 104)
    }
    source += position
    return position
  }

  private func writeLiterals(_ header: inout LZFSEHeader) -> UnsafeMutableRawPointer {
    let table = FSESymbols(steps: memory.steps + 104)
    let literals = memory.literals
    let first = UInt64(LZFSEAlphabet.literal.states)
    var (a, b, c, d) = (first, first, first, first)
    var bits = BitWriter(memory.payload)
    var index = header.literals
    @inline(__always) func symbol(_ index: Int) -> Int {
      Int(literals.load(fromByteOffset: index, as: UInt8.self))
    }
    while index > 0 {
      table.encode(symbol(index &- 1), &d, &bits)
      table.encode(symbol(index &- 2), &c, &bits)
      table.encode(symbol(index &- 3), &b, &bits)
      table.encode(symbol(index &- 4), &a, &bits)
      bits.flush()
      index &-= 4
    }
    header.literalBits = bits.finish()
    header.literalStates = (
      Int(a - first), Int(b - first), Int(c - first), Int(d - first)
    )
    return bits.pointer
  }

  private func writeMatches(
    _ header: inout LZFSEHeader, from start: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    let runs = FSESymbols(steps: memory.steps)
    let matches = FSESymbols(steps: memory.steps + 20)
    let distances = FSESymbols(steps: memory.steps + 40)
    var runState = UInt64(LZFSEAlphabet.literalRun.states)
    var matchState = UInt64(LZFSEAlphabet.match.states)
    var distanceState = UInt64(LZFSEAlphabet.distance.states)
    // Decoders load whole words backwards and so read bytes before the start of this stream.
    start.storeBytes(of: 0, as: UInt64.self)
    var bits = BitWriter(start + 8)
    var index = count
    while index > 0 {
      index &-= 1
      let sequence = memory.sequences[index]
      distances.put(sequence.distance, &distanceState, &bits)
      // Most lengths are short and have no further bits.
      let (match, run) = (LZFSEClass(packed: sequence.match), LZFSEClass(packed: sequence.literals))
      if match.bits | run.bits == 0 {
        matches.encode(match.symbol, &matchState, &bits)
        runs.encode(run.symbol, &runState, &bits)
      } else {
        matches.put(sequence.match, &matchState, &bits)
        runs.put(sequence.literals, &runState, &bits)
      }
      bits.flush()
    }
    header.matchBits = bits.finish()
    header.literalRunState = Int(runState) - LZFSEAlphabet.literalRun.states
    header.matchState = Int(matchState) - LZFSEAlphabet.match.states
    header.distanceState = Int(distanceState) - LZFSEAlphabet.distance.states
    return bits.pointer
  }
}

extension FSESymbols {
  /// Writes the class of a length or a distance, with its further bits. A local function would
  /// capture the writer, and Swift would check each use of it when the program runs.
  @inline(__always)
  fileprivate func put(_ packed: UInt32, _ state: inout UInt64, _ bits: inout BitWriter) {
    let value = LZFSEClass(packed: packed)
    _ = bits.push(value.extra, value.bits)
    encode(value.symbol, &state, &bits)
  }
}
