// The blocks of a deflate stream: stored, fixed and dynamic codes.

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
