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
    func field(_ word: UInt64, _ shift: UInt64, _ bits: UInt64) -> Int {
      Int(word >> shift & (1 << bits - 1))
    }
    literals = field(a, 0, 20)
    literalBytes = field(a, 20, 20)
    matches = field(a, 40, 20)
    literalBits = field(a, 60, 3) - 7
    literalStates = (field(b, 0, 10), field(b, 10, 10), field(b, 20, 10), field(b, 30, 10))
    matchBytes = field(b, 40, 20)
    matchBits = field(b, 60, 3) - 7
    literalRunState = field(c, 32, 10)
    matchState = field(c, 42, 10)
    distanceState = field(c, 52, 10)
    let tableBytes = field(c, 0, 32) - LZFSEBlock.packedHeaderSize
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
