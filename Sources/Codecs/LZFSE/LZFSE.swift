// Decodes LZFSE streams: a chain of blocks, each of which is raw, LZVN or entropy coded, with an
// end mark. LZFSEEncoder.swift encodes.

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
    literalRuns.build(.literalRun, .literalRun, frequencies)
    matches.build(.match, .match, frequencies + 20)
    distances.build(.distance, .distance, frequencies + 40)
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
