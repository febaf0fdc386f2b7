// The LZFSE encoder: which kind of block serves an input, and the memory that calls share.

package struct LZFSEEncoder: Sendable {
  package enum Effort: Sendable, CaseIterable {
    case fast
    /// The bytes of the format's open-source encoder.
    case reference
    case standard, smallest
  }

  package internal(set) var effort: Effort
  private var memory: EncoderMemory

  package init(effort: Effort = .standard) {
    self.effort = effort
    memory = EncoderMemory()
  }

  /// Inputs below this many bytes are left to LZVN, whose blocks have no tables.
  static let leastForTables = 4096

  /// Appends a whole stream that decodes to `source`. Windows matter to `.reference` alone.
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

  /// Appends a bare LZVN stream, as `LZVN.encode` does, in the memory of this encoder.
  mutating func encodeBareLZVN(
    _ source: UnsafeRawBufferPointer, appendingTo output: inout [UInt8]
  ) {
    if !isKnownUniquelyReferenced(&memory) { memory = EncoderMemory() }
    encodeBare(source, appendingTo: &output)
  }

  /// Appends the length of a stream and the stream, as tiles hold it: bare LZVN below the limit, a
  /// whole LZFSE stream from there on. False where it is not smaller than what it packs.
  mutating func appendTile(
    _ bytes: UnsafeRawBufferPointer, to output: inout [UInt8]
  ) -> Bool {
    // The small packer of readers and writers alike takes no fewer.
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

  /// The smaller of the two searches' streams.
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

/// Tables and buffers of one encoder. Only an encoder that is its sole owner touches it, which is
/// why it may move between threads.
final class EncoderMemory: @unchecked Sendable {
  var finder = SequenceFinder()
  let blocks = LZFSEBlockWriter.Memory()
  /// A quarter of a megabyte, for those who encode as the reference does.
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
  /// Four megabytes, for those who search for the shortest parse.
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
