// Decodes LZFSE streams: a chain of blocks (raw, LZVN or entropy coded) with an end mark. The
// headers of blocks, the constants of the format and the classes of values are here, too.
// LZFSEEncoder.swift encodes.

package enum LZFSE {
  /// Returns whether the first bytes are those of a block. A bare LZVN stream cannot begin like
  /// this: its first match would reach back beyond the start.
  static func begins(_ source: UnsafeRawBufferPointer) -> Bool {
    source.starts(with: [0x62, 0x76, 0x78])
  }

  /// Decodes a whole stream and returns the number of bytes written. The rest of `destination` may
  /// have been used as scratch memory; bytes of `source` after the end mark are ignored.
  package static func decode(
    _ source: UnsafeRawBufferPointer, into destination: UnsafeMutableRawBufferPointer
  ) throws(CodecError) -> Int {
    var scratch = DecodingScratch()
    return try decode(source, into: destination, &scratch)
  }

  /// The size of the scratch memory for one entropy-coded block.
  static let scratchSize = EntropyBlock.scratchSize

  /// Decodes a whole stream with scratch memory that can be used for several streams.
  package static func decode(
    _ source: UnsafeRawBufferPointer, into destination: UnsafeMutableRawBufferPointer,
    _ scratch: inout DecodingScratch
  ) throws(CodecError) -> Int {
    var reader = ByteReader(source)
    var written = 0
    while true {
      let start = reader.offset
      let mark = try reader.u32()
      switch mark {
      case LZFSEBlock.end:
        return written
      case LZFSEBlock.raw:
        let count = Int(try reader.u32())
        try require(count, after: written, of: destination)
        let bytes = try reader.take(count)
        UnsafeMutableRawBufferPointer(rebasing: destination[written...]).copyMemory(from: bytes)
        written += count
      case LZFSEBlock.lzvn:
        let count = Int(try reader.u32())
        let payload = try reader.take(Int(try reader.u32()))
        try require(count, after: written, of: destination)
        try decodeLZVN(payload, count, into: destination, from: written, at: start + 12)
        written += count
      case LZFSEBlock.packedTables, LZFSEBlock.plainTables:
        let packed = mark == LZFSEBlock.packedTables
        let block = try EntropyBlock(&reader, packed: packed, scratch: scratch.entropyTables())
        try require(block.header.rawBytes, after: written, of: destination)
        try block.decode(into: destination, from: written, at: start)
        written += block.header.rawBytes
      default:
        throw .corrupt(at: start)
      }
    }
  }

  private static func require(
    _ count: Int, after written: Int, of destination: UnsafeMutableRawBufferPointer
  ) throws(CodecError) {
    if count > destination.count - written { throw .outputTooSmall(needed: written + count) }
  }

  private static func decodeLZVN(
    _ payload: UnsafeRawBufferPointer, _ count: Int,
    into destination: UnsafeMutableRawBufferPointer, from: Int, at offset: Int
  ) throws(CodecError) {
    do throws(CodecError) {
      let result = try LZVN.decodeStream(payload, into: destination, from: from, to: from + count)
      guard result.written == count else { throw .corrupt(at: payload.count) }
    } catch {
      throw error.moved(by: offset)
    }
  }
}

/// An entropy-coded block whose header was read: its tables and its two streams.
private struct EntropyBlock {
  let header: LZFSEHeader
  /// The first byte that may be read backwards from the streams. At least 32 bytes of header lie
  /// before the first stream.
  private let limit: UnsafeRawPointer
  private let literalEnd: UnsafeRawPointer
  private let matchEnd: UnsafeRawPointer
  private let scratch: UnsafeMutableRawPointer

  /// The layout of the scratch memory: literal table, three value tables, frequencies, literals
  /// with the slack of a copy.
  private static let valueOffset = 4 * 1024
  private static let frequencyOffset = valueOffset + 8 * (64 + 64 + 256)
  private static let literalOffset = frequencyOffset + 2 * LZFSEAlphabet.frequencyCount
  static let scratchSize = literalOffset + LZFSEBlock.maximumLiterals + 4 + wideCopySlack

  init(
    _ reader: inout ByteReader, packed: Bool, scratch: UnsafeMutableRawPointer
  ) throws(CodecError) {
    // The 4 bytes of the mark were read, so the buffer has an address.
    guard let base = reader.bytes.baseAddress else { throw .truncated(at: 0) }
    limit = base + (reader.offset - 4)
    let frequencies = (scratch + Self.frequencyOffset).assumingMemoryBound(to: UInt16.self)
    header = try LZFSEHeader(&reader, packed: packed, frequencies: frequencies)
    _ = try reader.take(header.literalBytes)
    literalEnd = base + reader.offset
    _ = try reader.take(header.matchBytes)
    matchEnd = base + reader.offset
    self.scratch = scratch
    literalTable.build(frequencies + 104)
    literalRuns.build(.literalRun, values: .literalRun, frequencies: frequencies)
    matches.build(.match, values: .match, frequencies: frequencies + 20)
    distances.build(.distance, values: .distance, frequencies: frequencies + 40)
  }

  private var literalTable: LiteralTable {
    LiteralTable(entries: scratch.assumingMemoryBound(to: UInt32.self))
  }
  private var values: UnsafeMutablePointer<UInt64> {
    (scratch + Self.valueOffset).assumingMemoryBound(to: UInt64.self)
  }
  private var literalRuns: ValueTable { ValueTable(entries: values) }
  private var matches: ValueTable { ValueTable(entries: values + 64) }
  private var distances: ValueTable { ValueTable(entries: values + 128) }
  private var literals: UnsafeMutableRawPointer { scratch + Self.literalOffset }

  /// Decodes the block into `output`, which has room for it after `from`. Matches may reach back to
  /// the start of `output`.
  func decode(
    into output: UnsafeMutableRawBufferPointer, from: Int, at offset: Int
  ) throws(CodecError) {
    guard decodeLiterals() else { throw .corrupt(at: offset) }
    guard let target = output.baseAddress else {
      if header.matches == 0 && header.rawBytes == 0 { return }
      throw .corrupt(at: offset)
    }
    let done = decodeMatches(into: target, from: from, capacity: output.count)
    guard done else { throw .corrupt(at: offset) }
  }

  private func decodeLiterals() -> Bool {
    guard var bits = BackwardBits(end: literalEnd, unusedBits: -header.literalBits) else {
      return false
    }
    var (a, b, c, d) = header.literalStates
    let table = literalTable
    let literals = literals
    let limit = limit
    var index = 0
    // There are at most 40,000 literals, rounded up to a multiple of four; the scratch memory holds
    // 40,004. Four symbols take at most 40 bits, so one refill is enough for them.
    while index < header.literals {
      guard bits.refill(limit: limit) else { return false }
      literals.storeBytes(of: table.decode(&a, &bits), toByteOffset: index, as: UInt8.self)
      literals.storeBytes(of: table.decode(&b, &bits), toByteOffset: index &+ 1, as: UInt8.self)
      literals.storeBytes(of: table.decode(&c, &bits), toByteOffset: index &+ 2, as: UInt8.self)
      literals.storeBytes(of: table.decode(&d, &bits), toByteOffset: index &+ 3, as: UInt8.self)
      index &+= 4
    }
    return true
  }

  private func decodeMatches(
    into target: UnsafeMutableRawPointer, from: Int, capacity: Int
  ) -> Bool {
    guard var bits = BackwardBits(end: matchEnd, unusedBits: -header.matchBits) else {
      return false
    }
    let (literalRuns, matches, distances) = (literalRuns, matches, distances)
    let limit = limit
    var (runState, matchState) = (header.literalRunState, header.matchState)
    var distanceState = header.distanceState
    var literal = UnsafeRawPointer(literals)
    var literalsLeft = header.literals
    var written = from
    let end = from &+ header.rawBytes
    let safeEnd = capacity &- wideCopySlack
    var distance = 0
    for _ in 0..<header.matches {
      // The three symbols take at most 54 bits.
      guard bits.refill(limit: limit) else { return false }
      let run = literalRuns.decode(&runState, &bits)
      let match = matches.decode(&matchState, &bits)
      let new = distances.decode(&distanceState, &bits)
      if new != 0 { distance = new }
      let middle = written &+ run
      let next = middle &+ match
      guard run <= literalsLeft, next <= end else { return false }
      guard distance &- 1 < middle, distance > 0 || match == 0 else { return false }
      if next <= safeEnd {
        copyWide(to: target + written, from: literal, count: run)
        if match > 0 { copyMatchWide(to: target + middle, distance: distance, count: match) }
      } else {
        (target + written).copyMemory(from: literal, byteCount: run)
        copyBytewise(to: target + middle, distance: distance, count: match)
      }
      literal += run
      literalsLeft &-= run
      written = next
    }
    return written == end
  }
}

// MARK: - Headers of blocks

// The header of an entropy-coded LZFSE block, `bvx1` or `bvx2`, as checked values.

struct LZFSEHeader {
  var rawBytes = 0
  var literals = 0
  var matches = 0
  var literalBytes = 0
  var matchBytes = 0
  /// The number of unused bits in the last byte of a stream, negated: −7 … 0.
  var literalBits = 0
  var matchBits = 0
  var literalStates: (Int, Int, Int, Int) = (0, 0, 0, 0)
  var literalRunState = 0
  var matchState = 0
  var distanceState = 0

  /// Reads the header after its mark and stores its 360 frequencies in `frequencies`.
  init(
    _ reader: inout ByteReader, packed: Bool, frequencies: UnsafeMutablePointer<UInt16>
  ) throws(CodecError) {
    let start = reader.offset
    if packed {
      try readPacked(&reader, frequencies)
    } else {
      try readPlain(&reader, frequencies)
    }
    try check(frequencies, at: start)
  }

  private mutating func readPacked(
    _ reader: inout ByteReader, _ frequencies: UnsafeMutablePointer<UInt16>
  ) throws(CodecError) {
    let start = reader.offset
    rawBytes = Int(try reader.u32())
    let a = try reader.u64()
    let b = try reader.u64()
    let c = try reader.u64()
    func field(of word: UInt64, shift: UInt64, bits: UInt64) -> Int {
      Int(word >> shift & (1 << bits - 1))
    }
    literals = field(of: a, shift: 0, bits: 20)
    literalBytes = field(of: a, shift: 20, bits: 20)
    matches = field(of: a, shift: 40, bits: 20)
    literalBits = field(of: a, shift: 60, bits: 3) - 7
    literalStates = (
      field(of: b, shift: 0, bits: 10), field(of: b, shift: 10, bits: 10),
      field(of: b, shift: 20, bits: 10), field(of: b, shift: 30, bits: 10)
    )
    matchBytes = field(of: b, shift: 40, bits: 20)
    matchBits = field(of: b, shift: 60, bits: 3) - 7
    literalRunState = field(of: c, shift: 32, bits: 10)
    matchState = field(of: c, shift: 42, bits: 10)
    distanceState = field(of: c, shift: 52, bits: 10)
    let tableBytes = field(of: c, shift: 0, bits: 32) - LZFSEBlock.packedHeaderSize
    guard tableBytes >= 0 else { throw .corrupt(at: start) }
    try Self.unpack(try reader.take(tableBytes), into: frequencies, at: start)
  }

  private static func unpack(
    _ table: UnsafeRawBufferPointer, into frequencies: UnsafeMutablePointer<UInt16>, at start: Int
  ) throws(CodecError) {
    frequencies.update(repeating: 0, count: LZFSEAlphabet.frequencyCount)
    if table.isEmpty { return }
    var bits: UInt32 = 0
    var available = 0
    var next = 0
    for index in 0..<LZFSEAlphabet.frequencyCount {
      while available <= 24, next < table.count {
        bits |= UInt32(table[next]) << UInt32(available)
        available += 8
        next += 1
      }
      let (value, length) = LZFSEFrequencyCode.decode(bits)
      guard length <= available else { throw .corrupt(at: start) }
      frequencies[index] = value
      bits >>= UInt32(length)
      available -= length
    }
    guard next == table.count, available < 8 else { throw .corrupt(at: start) }
  }

  private mutating func readPlain(
    _ reader: inout ByteReader, _ frequencies: UnsafeMutablePointer<UInt16>
  ) throws(CodecError) {
    let end = reader.offset + LZFSEBlock.plainHeaderSize - 4
    rawBytes = Int(try reader.u32())
    _ = try reader.u32()
    literals = Int(try reader.u32())
    matches = Int(try reader.u32())
    literalBytes = Int(try reader.u32())
    matchBytes = Int(try reader.u32())
    literalBits = Int(Int32(bitPattern: try reader.u32()))
    let first = Int(try reader.u16())
    let second = Int(try reader.u16())
    let third = Int(try reader.u16())
    literalStates = (first, second, third, Int(try reader.u16()))
    matchBits = Int(Int32(bitPattern: try reader.u32()))
    literalRunState = Int(try reader.u16())
    matchState = Int(try reader.u16())
    distanceState = Int(try reader.u16())
    for index in 0..<LZFSEAlphabet.frequencyCount { frequencies[index] = try reader.u16() }
    _ = try reader.take(end - reader.offset)
  }

  private func check(_ frequencies: UnsafeMutablePointer<UInt16>, at start: Int) throws(CodecError)
  {
    let (a, b, c, d) = literalStates
    let widest = LZFSEAlphabet.literal.states
    guard literals <= LZFSEBlock.maximumLiterals, matches <= LZFSEBlock.maximumMatches,
      (-7...0).contains(literalBits), (-7...0).contains(matchBits),
      max(a, b, c, d) < widest, literalRunState < LZFSEAlphabet.literalRun.states,
      matchState < LZFSEAlphabet.match.states, distanceState < LZFSEAlphabet.distance.states
    else { throw .corrupt(at: start) }
    var next = 0
    for alphabet in LZFSEAlphabet.all {
      var sum = 0
      for index in next..<next + alphabet.symbols { sum += Int(frequencies[index]) }
      guard sum <= alphabet.states else { throw .corrupt(at: start) }
      next += alphabet.symbols
    }
  }
}

extension LZFSEHeader {
  init() {}

  /// Appends the header as `bvx2`, with packed frequencies.
  func write(_ frequencies: UnsafePointer<UInt16>, to output: inout [UInt8]) {
    let start = output.count
    output.append(littleEndian: LZFSEBlock.packedTables)
    output.append(littleEndian: UInt32(rawBytes))
    let a = UInt64(literals) | UInt64(literalBytes) << 20 | UInt64(matches) << 40
    output.append(littleEndian: a | UInt64(literalBits + 7) << 60)
    let (p, q, r, s) = literalStates
    let states = UInt64(p) | UInt64(q) << 10 | UInt64(r) << 20 | UInt64(s) << 30
    output.append(littleEndian: states | UInt64(matchBytes) << 40 | UInt64(matchBits + 7) << 60)
    let third = output.count
    output.append(littleEndian: UInt64(0))
    var window: UInt32 = 0
    var used = 0
    for index in 0..<LZFSEAlphabet.frequencyCount {
      let code = LZFSEFrequencyCode.encode(frequencies[index])
      window |= code.bits << UInt32(used)
      used += code.length
      while used >= 8 {
        output.append(UInt8(truncatingIfNeeded: window))
        window >>= 8
        used -= 8
      }
    }
    if used > 0 { output.append(UInt8(truncatingIfNeeded: window)) }
    output.store(UInt32(output.count - start), at: third)
    let matching = UInt32(literalRunState) | UInt32(matchState) << 10
    output.store(matching | UInt32(distanceState) << 20, at: third + 4)
  }
}

// MARK: - Decoded sizes

extension LZFSE {
  /// Returns the number of bytes to which the stream decodes, and the number of bytes of the
  /// stream.
  package static func sizes(
    _ source: UnsafeRawBufferPointer
  ) throws(CodecError) -> (decoded: Int, encoded: Int) {
    var reader = ByteReader(source)
    var decoded = 0
    while true {
      let start = reader.offset
      let mark = try reader.u32()
      if mark == LZFSEBlock.end { return (decoded, reader.offset) }
      decoded += Int(try reader.u32())
      switch mark {
      case LZFSEBlock.raw:
        reader.offset = start + 4
        _ = try reader.take(Int(try reader.u32()))
      case LZFSEBlock.lzvn:
        _ = try reader.take(Int(try reader.u32()))
      case LZFSEBlock.plainTables:
        _ = try reader.take(12)
        let literalBytes = Int(try reader.u32())
        let matchBytes = Int(try reader.u32())
        _ = try reader.take(LZFSEBlock.plainHeaderSize - 28)
        _ = try reader.take(literalBytes)
        _ = try reader.take(matchBytes)
      case LZFSEBlock.packedTables:
        let literalBytes = Int(try reader.u64() >> 20 & 0xF_FFFF)
        let matchBytes = Int(try reader.u64() >> 40 & 0xF_FFFF)
        let headerBytes = Int(try reader.u64() & 0xFFFF_FFFF)
        guard headerBytes >= LZFSEBlock.packedHeaderSize else { throw .corrupt(at: start) }
        _ = try reader.take(headerBytes - LZFSEBlock.packedHeaderSize)
        _ = try reader.take(literalBytes)
        _ = try reader.take(matchBytes)
      default: throw .corrupt(at: start)
      }
    }
  }
}

// MARK: - Constants of the format

// The constants of the LZFSE format: block marks, limits, the value classes of literal lengths (L),
// match lengths (M) and distances (D), and the code of the frequency tables.

enum LZFSEBlock {
  static let end: UInt32 = 0x2478_7662  // bvx$
  static let raw: UInt32 = 0x2D78_7662  // bvx-
  static let lzvn: UInt32 = 0x6E78_7662  // bvxn
  static let plainTables: UInt32 = 0x3178_7662  // bvx1
  static let packedTables: UInt32 = 0x3278_7662  // bvx2

  static let maximumLiterals = 40_000
  static let maximumMatches = 10_000
  static let maximumLiteralRun = 315
  static let maximumMatch = 2359
  static let maximumDistance = 262_139
  /// The bytes of a `bvx1` header, and of the fixed part of a `bvx2` header.
  static let plainHeaderSize = 772
  static let packedHeaderSize = 32
}

/// An alphabet of a block: its number of symbols, and the number of states of its coder.
struct LZFSEAlphabet {
  let symbols: Int
  let states: Int

  static let literalRun = LZFSEAlphabet(symbols: 20, states: 64)
  static let match = LZFSEAlphabet(symbols: 20, states: 64)
  static let distance = LZFSEAlphabet(symbols: 64, states: 256)
  static let literal = LZFSEAlphabet(symbols: 256, states: 1024)

  /// The four alphabets in the order in which a block lists their frequencies, 360 in total.
  static let all = [literalRun, match, distance, literal]
  static let frequencyCount = 360
}

/// Value classes: a symbol stands for `base + extra bits`.
struct LZFSEValues: Sendable {
  let bits: [UInt8]
  let base: [UInt32]

  init(bits: [UInt8]) {
    self.bits = bits
    var next: UInt32 = 0
    base = bits.map { count in
      defer { next += 1 << UInt32(count) }
      return next
    }
  }

  static let literalRun = LZFSEValues(bits: [UInt8](repeating: 0, count: 16) + [2, 3, 5, 8])
  static let match = LZFSEValues(bits: [UInt8](repeating: 0, count: 16) + [3, 5, 8, 11])
  static let distance = LZFSEValues(bits: (0..<64).map { UInt8($0 / 4) })
}

/// The code of one frequency, read from the lowest bits up: 2, 3, 5, 8 or 14 bits.
enum LZFSEFrequencyCode {
  static func decode(_ bits: UInt32) -> (value: UInt16, length: Int) {
    switch bits & 7 {
    case 0, 4: (0, 2)
    case 2, 6: (1, 2)
    case 1: (2, 3)
    case 5: (3, 3)
    case 3: (UInt16(4 + (bits >> 3 & 3)), 5)
    default:
      if bits & 15 == 7 {
        (UInt16(8 + (bits >> 4 & 15)), 8)
      } else {
        (UInt16(24 + (bits >> 4 & 1023)), 14)
      }
    }
  }

  static func encode(_ value: UInt16) -> (bits: UInt32, length: Int) {
    let value = UInt32(value)
    switch value {
    case 0: return (0, 2)
    case 1: return (2, 2)
    case 2: return (1, 3)
    case 3: return (5, 3)
    case 4...7: return (3 | (value - 4) << 3, 5)
    case 8...23: return (7 | (value - 8) << 4, 8)
    default: return (15 | (value - 24) << 4, 14)
    }
  }
}

// MARK: - Classes of values

// Maps literal lengths, match lengths and distances to symbols, by tables or by a formula.

/// A value as a symbol and extra bits: the symbol in bits 0–7, the number of extra bits in bits
/// 8–15, the extra bits from bit 16 on. Above the extra bits others may follow, which do not count.
struct LZFSEClass {
  let packed: UInt32

  @inline(__always)
  init(packed: UInt32) { self.packed = packed }

  @inline(__always) var symbol: Int { Int(packed & 255) }
  @inline(__always) var bits: UInt64 { UInt64(packed &>> 8 & 255) }
  /// The extra bits, and above them perhaps others.
  @inline(__always) var extra: UInt64 { UInt64(packed &>> 16) }
}

/// The classes of literal lengths (0 … 315), match lengths (0 … 2359) and distances.
struct LZFSEClasses {
  private let runs: UnsafeMutablePointer<LZFSEClass>
  private let matches: UnsafeMutablePointer<LZFSEClass>

  init() {
    runs = .allocate(capacity: LZFSEBlock.maximumLiteralRun + 1)
    matches = .allocate(capacity: LZFSEBlock.maximumMatch + 1)
    fill(runs, .literalRun)
    fill(matches, .match)
  }

  private func fill(_ classes: UnsafeMutablePointer<LZFSEClass>, _ values: LZFSEValues) {
    for symbol in 0..<values.base.count {
      let bits = UInt32(values.bits[symbol])
      for extra in 0..<UInt32(1) << bits {
        classes[Int(values.base[symbol] + extra)] = LZFSEClass(
          packed: UInt32(symbol) | bits << 8 | extra << 16)
      }
    }
  }

  func deallocate() {
    runs.deallocate()
    matches.deallocate()
  }

  @inline(__always) func literalRun(_ length: Int) -> LZFSEClass { runs[length] }
  @inline(__always) func match(_ length: Int) -> LZFSEClass { matches[length] }

  /// Returns the class of a distance. Each octave, counted from 4, has four symbols: the two bits
  /// below the highest bit choose the symbol, and the other bits are extra bits.
  @inline(__always)
  static func distance(_ distance: UInt32) -> LZFSEClass {
    let value = distance &+ 4
    let bits = 29 &- UInt32(truncatingIfNeeded: value.leadingZeroBitCount)
    let symbol = (bits &<< 2) &+ (value &>> bits) &- 4
    return LZFSEClass(packed: symbol &+ bits &<< 8 &+ value &<< 16)
  }
}
