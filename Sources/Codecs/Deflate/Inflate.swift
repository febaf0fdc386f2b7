// Decodes deflate streams, bare or wrapped as zlib or gzip, and verifies the wrapper's check value.
// The tables of codes and the bit stream are at the end.

package enum Inflate {
  package enum Wrapper: Sendable {
    case raw, zlib, gzip

    /// Detects the wrapper from the first bytes: gzip, or zlib if they are not gzip's.
    package init(detectedIn source: UnsafeRawBufferPointer) {
      self = source.count >= 2 && source[0] == 0x1F && source[1] == 0x8B ? .gzip : .zlib
    }
  }

  /// Decodes one stream and returns the number of bytes written. The rest of `destination` may have
  /// been used as scratch memory; bytes of `source` after the stream are ignored.
  package static func decode(
    _ source: UnsafeRawBufferPointer, wrapper: Wrapper,
    into destination: UnsafeMutableRawBufferPointer
  ) throws(CodecError) -> Int {
    var reader = ByteReader(source)
    switch wrapper {
    case .raw: break
    case .zlib: try skipZlibHeader(&reader)
    case .gzip: try skipGzipHeader(&reader)
    }
    let start = reader.offset
    let body = try reader.take(reader.remaining)
    var written = 0
    do throws(CodecError) {
      reader.offset = start + (try inflateBlocks(body, into: destination, written: &written))
    } catch {
      throw error.moved(by: start)
    }
    let output = UnsafeRawBufferPointer(rebasing: destination[..<written])
    let check = reader.offset
    switch wrapper {
    case .raw: break
    case .zlib:
      let stated = try reader.u32().byteSwapped
      guard stated == Checksum.adler32(output) else { throw .corrupt(at: check) }
    case .gzip:
      guard try reader.u32() == Checksum.crc32(output) else { throw .corrupt(at: check) }
      guard try reader.u32() == UInt32(truncatingIfNeeded: output.count) else {
        throw .corrupt(at: check + 4)
      }
    }
    return written
  }

  /// Decodes as much as possible of a zlib stream that may be cut or damaged, and ignores its check
  /// value, for formats whose readers have always done so. `needsMore` means that the destination
  /// was too small. `isWhole` means that the stream has an end, and the right check value if
  /// `verifies` is set.
  package static func salvage(
    zlib source: UnsafeRawBufferPointer, into destination: UnsafeMutableRawBufferPointer,
    verifies: Bool = false
  ) -> (written: Int, needsMore: Bool, isWhole: Bool) {
    var written = 0
    do throws(CodecError) {
      var reader = ByteReader(source)
      try skipZlibHeader(&reader)
      let start = reader.offset
      reader.offset =
        start
        + (try inflateBlocks(
          try reader.take(reader.remaining), into: destination, written: &written))
      guard verifies else { return (written, false, true) }
      let output = UnsafeRawBufferPointer(rebasing: destination[..<written])
      return (written, false, try reader.u32().byteSwapped == Checksum.adler32(output))
    } catch .outputTooSmall {
      return (written, true, false)
    } catch {}
    return (written, false, false)
  }

  private static func skipZlibHeader(_ reader: inout ByteReader) throws(CodecError) {
    let method = try reader.byte()
    let flags = try reader.byte()
    guard method & 15 == 8, method >> 4 <= 7, (UInt(method) << 8 | UInt(flags)) % 31 == 0 else {
      throw .corrupt(at: 0)
    }
    if flags & 0x20 != 0 { throw .unsupported("a zlib stream with a preset dictionary") }
  }

  private static func skipGzipHeader(_ reader: inout ByteReader) throws(CodecError) {
    guard try reader.u16() == 0x8B1F, try reader.byte() == 8 else { throw .corrupt(at: 0) }
    let flags = try reader.byte()
    guard flags & 0xE0 == 0 else { throw .corrupt(at: 3) }
    _ = try reader.take(6)
    if flags & 4 != 0 { _ = try reader.take(Int(try reader.u16())) }
    if flags & 8 != 0 { while try reader.byte() != 0 {} }
    if flags & 16 != 0 { while try reader.byte() != 0 {} }
    if flags & 2 != 0 { _ = try reader.u16() }
  }
}

// MARK: - Blocks

/// Decodes blocks up to the last one and returns how many bytes were read. `written` is also
/// correct after an error.
func inflateBlocks(
  _ source: UnsafeRawBufferPointer, into destination: UnsafeMutableRawBufferPointer,
  written: inout Int
) throws(CodecError) -> Int {
  guard let input = source.baseAddress else { throw .truncated(at: 0) }
  let tables = UnsafeMutablePointer<UInt32>.allocate(capacity: InflateState.tableEntries)
  defer { tables.deallocate() }
  var state = InflateState(
    input: ForwardBits(input, count: source.count), output: destination, tables: tables)
  defer { written = state.written }
  var last = false
  while !last {
    state.input.refill()
    last = state.input.take(1) == 1
    switch state.input.take(2) {
    case 0: try state.copyStored()
    case 1:
      try state.useFixedCodes()
      try state.decodeBlock()
    case 2:
      try state.readCodes()
      try state.decodeBlock()
    default: throw .corrupt(at: state.input.position)
    }
    if state.input.isOverrun { throw .truncated(at: source.count) }
  }
  return state.input.position
}

private struct InflateState {
  var input: ForwardBits
  let output: UnsafeMutableRawBufferPointer
  var written = 0
  let symbols: HuffmanTable
  let distances: HuffmanTable
  private let precodes: HuffmanTable

  /// The largest number of entries that codes of 288, 32 and 19 symbols need, with 11, 8 and 7 bits
  /// in the first level and at most 15, 15 and 7 bits in total.
  private static let capacities = (2342, 402, 128)
  static let tableEntries = 2342 + 402 + 128

  init(
    input: ForwardBits, output: UnsafeMutableRawBufferPointer,
    tables: UnsafeMutablePointer<UInt32>
  ) {
    self.input = input
    self.output = output
    let (a, b, c) = Self.capacities
    symbols = HuffmanTable(entries: tables, firstBits: 11, capacity: a)
    distances = HuffmanTable(entries: tables + a, firstBits: 8, capacity: b)
    precodes = HuffmanTable(entries: tables + a + b, firstBits: 7, capacity: c)
  }

  mutating func copyStored() throws(CodecError) {
    if input.isOverrun { throw .truncated(at: input.count) }
    input.alignToByte()
    let start = input.next
    guard start + 4 <= input.count else { throw .truncated(at: input.count) }
    func word(_ offset: Int) -> UInt16 {
      UInt16(littleEndian: input.base.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
    }
    guard word(start) == ~word(start + 2) else { throw .corrupt(at: start) }
    let length = Int(word(start))
    guard length <= input.count - start - 4 else { throw .truncated(at: input.count) }
    guard length <= output.count - written else { throw .outputTooSmall(needed: written + length) }
    if let target = output.baseAddress {
      (target + written).copyMemory(from: input.base + start + 4, byteCount: length)
    }
    written += length
    input.restart(at: start + 4 + length)
  }

  mutating func useFixedCodes() throws(CodecError) {
    let lengths =
      [UInt8](repeating: 8, count: 144) + [UInt8](repeating: 9, count: 112)
      + [UInt8](repeating: 7, count: 24) + [UInt8](repeating: 8, count: 8)
      + [UInt8](repeating: 5, count: 32)
    try build(lengths, symbolCount: 288)
  }

  mutating func readCodes() throws(CodecError) {
    let start = input.position
    let symbolCount = input.take(5) + 257
    let distanceCount = input.take(5) + 1
    let precodeCount = input.take(4) + 4
    guard symbolCount <= 286, distanceCount <= 30 else { throw .corrupt(at: start) }
    var precodeLengths = [UInt8](repeating: 0, count: 19)
    let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
    for symbol in order.prefix(precodeCount) {
      input.refill()
      precodeLengths[symbol] = UInt8(input.take(3))
    }
    let known = precodeLengths.withUnsafeBufferPointer { lengths in
      precodes.build(lengths) { HuffmanEntry.base($0, extra: 0) }
    }
    guard known else { throw .corrupt(at: start) }
    try build(
      readLengths(symbolCount + distanceCount, from: start), symbolCount: symbolCount)
  }

  private mutating func readLengths(_ count: Int, from start: Int) throws(CodecError) -> [UInt8] {
    var lengths: [UInt8] = []
    while lengths.count < count {
      input.refill()
      let entry = precodes.look(input.window)
      input.skip(entry.length)
      if entry.isStop { throw .corrupt(at: start) }
      if input.isOverrun { throw .truncated(at: input.count) }
      var times = 1
      var length = UInt8(entry.value)
      switch entry.value {
      case 16:
        guard let last = lengths.last else { throw .corrupt(at: start) }
        length = last
        times = 3 + input.take(2)
      case 17: (length, times) = (0, 3 + input.take(3))
      case 18: (length, times) = (0, 11 + input.take(7))
      default: break
      }
      lengths.append(contentsOf: repeatElement(length, count: times))
    }
    guard lengths.count == count else { throw .corrupt(at: start) }
    return lengths
  }

  private func build(_ lengths: [UInt8], symbolCount: Int) throws(CodecError) {
    let known = lengths.withUnsafeBufferPointer { all in
      let first = UnsafeBufferPointer(rebasing: all[..<symbolCount])
      let second = UnsafeBufferPointer(rebasing: all[symbolCount...])
      return symbols.build(first, meaning: Self.symbolMeaning)
        && distances.build(second, meaning: Self.distanceMeaning)
    }
    guard known else { throw .corrupt(at: input.position) }
  }

  private static func symbolMeaning(_ symbol: Int) -> UInt32 {
    switch symbol {
    case ..<256: return HuffmanEntry.literal(symbol)
    case 256: return HuffmanEntry.stop(1)
    case ..<265: return HuffmanEntry.base(symbol - 254, extra: 0)
    case ..<285:
      let extra = (symbol - 261) / 4
      return HuffmanEntry.base(3 + (4 + (symbol - 261) % 4) << extra, extra: extra)
    case 285: return HuffmanEntry.base(258, extra: 0)
    default: return HuffmanEntry.stop(0)
    }
  }

  private static func distanceMeaning(_ symbol: Int) -> UInt32 {
    switch symbol {
    case ..<4: return HuffmanEntry.base(symbol + 1, extra: 0)
    case ..<30:
      let extra = symbol / 2 - 1
      return HuffmanEntry.base(1 + (2 + symbol % 2) << extra, extra: extra)
    default: return HuffmanEntry.stop(0)
    }
  }

  /// Decodes symbols up to the end of the block.
  mutating func decodeBlock() throws(CodecError) {
    guard let target = output.baseAddress else {
      // Without a destination, only an empty block can be decoded.
      input.refill()
      let entry = nextSymbol()
      if entry.isStop && entry.value == 1 { return }
      throw .outputTooSmall(needed: 1)
    }
    while true {
      input.refill()
      var entry = nextSymbol()
      if entry.isLiteral {
        if written + 2 <= output.count {
          target.storeBytes(
            of: UInt8(truncatingIfNeeded: entry.value), toByteOffset: written, as: UInt8.self)
          written &+= 1
          // At most 15 bits were used, so the window still contains the longest symbol.
          entry = nextSymbol()
        }
        if entry.isLiteral {
          guard written < output.count else { throw outputOrInputEnded(1) }
          target.storeBytes(
            of: UInt8(truncatingIfNeeded: entry.value), toByteOffset: written, as: UInt8.self)
          written &+= 1
          if input.isOverrun { throw .truncated(at: input.count) }
          continue
        }
      }
      if entry.isStop {
        if entry.value == 1 { return }
        throw .corrupt(at: input.position)
      }
      try copyMatch(entry, to: target)
    }
  }

  @inline(__always)
  private mutating func nextSymbol() -> HuffmanEntry {
    var entry = symbols.look(input.window)
    input.skip(entry.length)
    if entry.isLink {
      entry = symbols.follow(entry, input.window)
      input.skip(entry.length)
    }
    return entry
  }

  @inline(__always)
  private mutating func copyMatch(
    _ symbol: HuffmanEntry, to target: UnsafeMutableRawPointer
  ) throws(CodecError) {
    // At most 30 of 56 bits were used; the 5 bits of the length fit, the 28 of the distance may
    // not.
    let length = symbol.value &+ input.take(symbol.extra)
    input.refill()
    var entry = distances.look(input.window)
    input.skip(entry.length)
    if entry.isLink {
      entry = distances.follow(entry, input.window)
      input.skip(entry.length)
    }
    if entry.isStop { throw .corrupt(at: input.position) }
    let distance = entry.value &+ input.take(entry.extra)
    guard distance <= written else { throw .corrupt(at: input.position) }
    let end = written &+ length
    if end &+ wideCopySlack <= output.count {
      copyMatchWide(to: target + written, distance: distance, count: length)
    } else {
      guard end <= output.count else { throw outputOrInputEnded(length) }
      copyBytewise(to: target + written, distance: distance, count: length)
    }
    written = end
    if input.isOverrun { throw .truncated(at: input.count) }
  }

  /// Bits past the end of the input are zeros, which may decode to more output.
  private func outputOrInputEnded(_ count: Int) -> CodecError {
    input.isOverrun ? .truncated(at: input.count) : .outputTooSmall(needed: written + count)
  }
}

// MARK: - Tables of codes

// Decoder tables for deflate's canonical Huffman codes: the next bits are the index into a first
// level; longer codes continue in second levels.

/// One table entry with the meaning of its bits.
struct HuffmanEntry {
  let word: UInt32

  private static let literalBit: UInt32 = 1 << 13
  private static let stopBit: UInt32 = 1 << 14
  private static let linkBit: UInt32 = 1 << 15

  @inline(__always) init(word: UInt32) { self.word = word }

  static func literal(_ value: Int) -> UInt32 { literalBit | UInt32(value) << 16 }
  static func base(_ value: Int, extra: Int) -> UInt32 { UInt32(extra) << 8 | UInt32(value) << 16 }
  /// Returns the entry for the end of a block (value 1) or for an unused code (value 0).
  static func stop(_ value: Int) -> UInt32 { stopBit | UInt32(value) << 16 }
  static func link(to start: Int, bits: Int) -> UInt32 {
    linkBit | UInt32(bits) << 8 | UInt32(start) << 16
  }

  /// The number of bits of the code, or of its part in this level.
  @inline(__always) var length: Int { Int(truncatingIfNeeded: word & 0xFF) }
  @inline(__always) var extra: Int { Int(truncatingIfNeeded: word >> 8 & 0x1F) }
  @inline(__always) var value: Int { Int(truncatingIfNeeded: word >> 16) }
  @inline(__always) var isLiteral: Bool { word & Self.literalBit != 0 }
  @inline(__always) var isStop: Bool { word & Self.stopBit != 0 }
  @inline(__always) var isLink: Bool { word & Self.linkBit != 0 }
}

/// A table in memory that its owner lends.
struct HuffmanTable {
  let entries: UnsafeMutablePointer<UInt32>
  let firstBits: Int
  let capacity: Int

  /// Builds the table of the code with these `lengths` (0 … 15). `meaning` returns the entry of a
  /// symbol without its length. Returns false if the lengths are not a code: there are too many
  /// words, or too few. Encoders may leave a code empty or with a single word of one bit.
  func build(_ lengths: UnsafeBufferPointer<UInt8>, meaning: (Int) -> UInt32) -> Bool {
    var counts = (0..<16).map { _ in 0 }
    for length in lengths { counts[Int(length)] += 1 }
    let used = lengths.count - counts[0]
    var left = 1
    for length in 1..<16 {
      left = left * 2 - counts[length]
      if left < 0 { return false }
    }
    if left > 0 {
      if used > 1 || used > counts[1] { return false }
      entries.update(repeating: HuffmanEntry.stop(0) | 1, count: 1 << firstBits)
      if used == 0 { return true }
    }
    return fill(sorted(lengths, counts), lengths, counts, meaning)
  }

  /// Returns the used symbols by length, then by number.
  private func sorted(_ lengths: UnsafeBufferPointer<UInt8>, _ counts: [Int]) -> [Int] {
    var next = [0, 0]
    for length in 1..<15 { next.append(next[length] + counts[length]) }
    var symbols = [Int](repeating: 0, count: lengths.count - counts[0])
    for (symbol, length) in lengths.enumerated() where length > 0 {
      symbols[next[Int(length)]] = symbol
      next[Int(length)] += 1
    }
    return symbols
  }

  private func fill(
    _ symbols: [Int], _ lengths: UnsafeBufferPointer<UInt8>, _ counts: [Int],
    _ meaning: (Int) -> UInt32
  ) -> Bool {
    var remaining = counts
    var (code, length) = (0, 0)
    var end = 1 << firstBits
    var (openPrefix, subtable, subtableBits) = (-1, 0, 0)
    for symbol in symbols {
      let symbolLength = Int(lengths[symbol])
      code <<= symbolLength - length
      length = symbolLength
      let reversed = Int(UInt16(code).bitReversed) >> (16 - length)
      let prefix = reversed & (1 << firstBits - 1)
      if length <= firstBits {
        let entry = meaning(symbol) | UInt32(length)
        for index in stride(from: reversed, to: 1 << firstBits, by: 1 << length) {
          entries[index] = entry
        }
      } else {
        if prefix != openPrefix {
          openPrefix = prefix
          subtable = end
          subtableBits = bitsOfSubtable(from: length, remaining)
          end += 1 << subtableBits
          if end > capacity { return false }
          let link = HuffmanEntry.link(to: subtable, bits: subtableBits)
          entries[prefix] = link | UInt32(firstBits)
        }
        let rest = length - firstBits
        let entry = meaning(symbol) | UInt32(rest)
        for index in stride(from: reversed >> firstBits, to: 1 << subtableBits, by: 1 << rest) {
          entries[subtable + index] = entry
        }
      }
      remaining[length] -= 1
      code += 1
    }
    return true
  }

  /// Returns the number of bits of the second level whose first code has `length` bits.
  private func bitsOfSubtable(from length: Int, _ remaining: [Int]) -> Int {
    var bits = length - firstBits
    var left = 1 << bits
    while bits + firstBits < 15 {
      left -= remaining[bits + firstBits]
      if left <= 0 { break }
      bits += 1
      left *= 2
    }
    return bits
  }

  @inline(__always)
  func look(_ window: UInt64) -> HuffmanEntry {
    HuffmanEntry(word: entries[Int(truncatingIfNeeded: window) & ((1 &<< firstBits) &- 1)])
  }

  /// Returns the entry to which a link of the first level leads. `window` starts after the bits of
  /// the first level.
  @inline(__always)
  func follow(_ link: HuffmanEntry, _ window: UInt64) -> HuffmanEntry {
    let index = Int(truncatingIfNeeded: window) & ((1 &<< link.extra) &- 1)
    return HuffmanEntry(word: entries[link.value &+ index])
  }
}

extension UInt16 {
  var bitReversed: UInt16 {
    var value = self
    value = (value & 0x5555) << 1 | value >> 1 & 0x5555
    value = (value & 0x3333) << 2 | value >> 2 & 0x3333
    value = (value & 0x0F0F) << 4 | value >> 4 & 0x0F0F
    return value.byteSwapped
  }
}

// MARK: - The bit stream

/// Reads bits from the start of the input. Bits past its end are zeros, and their number is
/// counted.
struct ForwardBits {
  let base: UnsafeRawPointer
  let count: Int
  private(set) var next = 0
  private(set) var window: UInt64 = 0
  private var available = 0
  private var invented = 0

  init(_ base: UnsafeRawPointer, count: Int) {
    self.base = base
    self.count = count
  }

  /// Makes at least 56 bits available.
  @inline(__always)
  mutating func refill() {
    if next &+ 8 <= count {
      refillFast()
    } else {
      refillAtEnd()
    }
  }

  /// Makes at least 56 bits available if at least 8 bytes of input are left.
  @inline(__always)
  mutating func refillFast() {
    let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: next, as: UInt64.self))
    window |= word &<< UInt64(truncatingIfNeeded: available)
    next &+= (63 &- available) >> 3
    available |= 56
  }

  @inline(never)
  private mutating func refillAtEnd() {
    while available <= 55 {
      if next < count {
        let byte = base.load(fromByteOffset: next, as: UInt8.self)
        window |= UInt64(byte) &<< UInt64(truncatingIfNeeded: available)
        next &+= 1
      } else {
        invented &+= 1
      }
      available &+= 8
    }
  }

  @inline(__always)
  mutating func skip(_ bits: Int) {
    window = window &>> UInt64(truncatingIfNeeded: bits)
    available &-= bits
  }

  @inline(__always)
  mutating func take(_ bits: Int) -> Int {
    let value = Int(truncatingIfNeeded: window) & ((1 &<< bits) &- 1)
    skip(bits)
    return value
  }

  /// Whether bits past the end of the input were used.
  var isOverrun: Bool { invented > available >> 3 }

  /// The first byte of which no bit was used.
  var position: Int { min(count, max(0, next - (available >> 3 - invented))) }

  /// Skips the rest of a byte and continues at the next one.
  mutating func alignToByte() { restart(at: position) }

  mutating func restart(at offset: Int) {
    next = offset
    window = 0
    available = 0
    invented = 0
  }
}
