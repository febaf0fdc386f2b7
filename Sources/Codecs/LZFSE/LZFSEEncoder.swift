// The LZFSE encoder: chooses the kind of block for an input, and owns the memory that calls share.

package struct LZFSEEncoder: Sendable {
  package enum Effort: Sendable, CaseIterable {
    case fast
    /// Produces exactly the bytes of the format's open-source encoder.
    case reference
    case standard, smallest
  }

  package internal(set) var effort: Effort
  private var memory: EncoderMemory

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
    if let base = source.baseAddress, source.count >= Self.leastForTables {
      encodeTables(source, base, windows, appendingTo: &output)
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

  private func encodeTables(
    _ source: UnsafeRawBufferPointer, _ base: UnsafeRawPointer, _ windows: ReferenceWindows,
    appendingTo output: inout [UInt8]
  ) {
    var taken: [UInt8] = []
    swap(&taken, &output)
    var writer = LZFSEBlockWriter(
      memory.blocks, source: base, count: source.count, appendingTo: taken)
    switch effort {
    case .fast: memory.finder.search(source, effort: .fast, into: &writer)
    case .standard: memory.finder.search(source, effort: .standard, into: &writer)
    case .smallest:
      var parse = ShortestParse(
        base, count: source.count, room: memory.paths, classes: memory.blocks.classes)
      parse.run(into: &writer)
    case .reference:
      ReferenceSearch.run(
        base, count: source.count, windows: windows, places: &memory.places, into: &writer)
    }
    writer.flush()
    output = writer.output
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
  /// source.
  mutating func appendTile(
    _ bytes: UnsafeRawBufferPointer, to output: inout [UInt8]
  ) -> Bool {
    // The LZVN encoders and decoders of Apple's tools do not accept fewer bytes.
    if bytes.count < 8 { return false }
    let start = output.count
    output.append(littleEndian: UInt32(0))
    if bytes.count < Self.leastForTables {
      encodeBareLZVN(bytes, appendingTo: &output)
    } else {
      encode(bytes, appendingTo: &output)
    }
    let size = output.count - start - 4
    output.store(UInt32(truncatingIfNeeded: size), at: start)
    return size < bytes.count
  }

  private func encodeBare(_ source: UnsafeRawBufferPointer, appendingTo output: inout [UInt8]) {
    if effort == .smallest { return encodeSmallerBare(source, appendingTo: &output) }
    if effort == .reference,
      LZVN.encodeAsReference(source, places: &memory.places, appendingTo: &output)
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
    if LZVN.encodeAsReference(source, places: &memory.places, appendingTo: &other),
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
  var places: RecentPlaces {
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
