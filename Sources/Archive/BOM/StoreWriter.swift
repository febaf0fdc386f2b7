// Writing the container: blocks in the order in which they come, then variables and block index. Only
// the addresses of blocks stay in memory. Trees are laid out by TreeWriter.swift.

/// Where an archive's bytes go. A sink that fails remembers it: who made it asks afterwards.
package protocol ArchiveSink: AnyObject {
  func append(_ bytes: UnsafeRawBufferPointer)
  /// Replaces bytes that were appended before.
  func overwrite(at offset: Int, _ bytes: UnsafeRawBufferPointer)
}

/// A sink in memory.
package final class MemorySink: ArchiveSink {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package func append(_ bytes: UnsafeRawBufferPointer) {
    self.bytes.append(contentsOf: bytes)
  }

  package func overwrite(at offset: Int, _ bytes: UnsafeRawBufferPointer) {
    self.bytes.withUnsafeMutableBytes {
      UnsafeMutableRawBufferPointer(rebasing: $0[offset..<offset + bytes.count]).copyMemory(
        from: bytes)
    }
  }
}

/// Where blocks begin.
let blockAlignment = 16
/// The sink gets pieces of this size that begin at multiples of it, which files take fastest.
private let pieceSize = 1 << 18
/// About how many bytes of small blocks are laid out at once.
private let runSize = 1 << 16

/// Of no type of sink, so that the work on each block is compiled once and for it.
struct StoreWriter {
  private let sink: any ArchiveSink
  /// Bytes that the sink does not have yet.
  private var pending: [UInt8] = []
  private var flushed = 0
  private var starts: [Int] = [0]
  private var ends: [Int] = [0]
  private(set) var variables: [(name: [UInt8], block: BlockID)] = []

  init(into sink: any ArchiveSink) {
    self.sink = sink
    pending.reserveCapacity(pieceSize + 2 * runSize)
    pending.append(zeros: StoreHeader.firstBlock)
  }

  mutating func reserve(blocks: Int) {
    // Some more for the pages of trees.
    starts.reserveCapacity(starts.count + blocks + blocks / 64 + 64)
    ends.reserveCapacity(ends.count + blocks + blocks / 64 + 64)
  }

  private var position: Int { flushed + pending.count }
  /// The number of the next block.
  var nextBlock: BlockID { BlockID(UInt32(starts.count)) }

  private mutating func flush() {
    pending.withUnsafeBytes { sink.append($0) }
    flushed += pending.count
    pending.removeAll(keepingCapacity: true)
  }

  /// Hands over whole pieces, as soon as there are some.
  private mutating func flushPieces() {
    let whole = pending.count - position % pieceSize
    guard whole > 0 else { return }
    pending.withUnsafeBytes { sink.append(UnsafeRawBufferPointer(rebasing: $0[..<whole])) }
    flushed += whole
    pending.removeFirst(whole)
  }

  /// Long runs go by way of the buffer too: pages of a map that nobody has touched yet cost a write
  /// more than they cost a copy.
  private mutating func append(_ bytes: UnsafeRawBufferPointer) {
    var left = bytes[...]
    while !left.isEmpty {
      let part = left.prefix(pieceSize - position % pieceSize)
      pending.append(contentsOf: UnsafeRawBufferPointer(rebasing: part))
      left = left.dropFirst(part.count)
      flushPieces()
    }
  }

  private mutating func align(to alignment: Int = blockAlignment) {
    let excess = position % alignment
    if excess != 0 { pending.append(zeros: alignment - excess) }
  }

  /// Appends a block whose bytes `build` appends.
  @discardableResult
  mutating func addBlock(
    alignment: Int? = nil, _ build: (inout [UInt8]) -> Void
  ) -> BlockID {
    align(to: alignment ?? blockAlignment)
    let block = nextBlock
    starts.append(position)
    build(&pending)
    ends.append(position)
    flushPieces()
    return block
  }

  /// Appends a block, however long it is, through the buffer.
  mutating func addBlock(
    _ bytes: UnsafeRawBufferPointer, alignment: Int = blockAlignment
  ) -> BlockID {
    align(to: alignment)
    let block = nextBlock
    starts.append(position)
    append(bytes)
    ends.append(position)
    return block
  }

  /// Appends a block of two parts.
  mutating func addBlock(_ head: UnsafeRawBufferPointer, _ tail: UnsafeRawBufferPointer) -> BlockID
  {
    align()
    let block = nextBlock
    starts.append(position)
    append(head)
    append(tail)
    ends.append(position)
    return block
  }

  /// Appends blocks of another file with the room between them, in one run that `copy` adds to the sink;
  /// `ranges` are theirs, one behind the other, and begin where blocks may begin.
  mutating func addBlocks(at ranges: [Range<Int>], copying copy: (Range<Int>) -> Void) {
    guard let first = ranges.first, let last = ranges.last else { return }
    align()
    let shift = position - first.lowerBound
    for range in ranges {
      starts.append(range.lowerBound + shift)
      ends.append(range.upperBound + shift)
    }
    flush()
    copy(first.lowerBound..<last.upperBound)
    flushed += last.upperBound - first.lowerBound
  }

  /// Appends many small blocks. `fill` gets the room of each, filled with zeros.
  mutating func addBlocks(
    _ count: Int, length: (Int) -> Int, fill: (Int, UnsafeMutableRawBufferPointer) -> Void
  ) -> Range<UInt32> {
    let first = starts.count
    var next = 0
    while next < count {
      align()
      let begin = next
      let base = pending.count
      // From here on relative to `base`, which lies as blocks do.
      var end = 0
      while next < count, end < runSize {
        end = (end + blockAlignment - 1) / blockAlignment * blockAlignment
        starts.append(flushed + base + end)
        end += length(next)
        ends.append(flushed + base + end)
        next += 1
      }
      pending.append(zeros: end)
      pending.withUnsafeMutableBytes { bytes in
        for number in begin..<next {
          let start = starts[first + number] - flushed
          let room = bytes[start..<ends[first + number] - flushed]
          fill(number, UnsafeMutableRawBufferPointer(rebasing: room))
        }
      }
      flushPieces()
    }
    return UInt32(first)..<UInt32(first + count)
  }

  mutating func name(_ block: BlockID, _ name: String) { self.name(block, Array(name.utf8)) }

  /// A name of at most 255 bytes, as every name in a file is.
  mutating func name(_ block: BlockID, _ name: [UInt8]) { variables.append((name, block)) }

  /// Replaces the bytes of a block, or the first of them.
  mutating func overwrite(_ block: BlockID, at offset: Int = 0, with bytes: [UInt8]) {
    let start = starts[Int(block.number)] + offset
    precondition(start + bytes.count <= ends[Int(block.number)])
    overwrite(at: start, bytes)
  }

  private mutating func overwrite(at start: Int, _ bytes: [UInt8]) {
    if start < flushed { flush() }
    if start + bytes.count <= flushed {
      bytes.withUnsafeBytes { sink.overwrite(at: start, $0) }
    } else {
      for (index, byte) in bytes.enumerated() { pending[start - flushed + index] = byte }
    }
  }

  func range(of block: BlockID) -> Range<Int> {
    starts[Int(block.number)]..<ends[Int(block.number)]
  }

  /// Whether a block was written here.
  func contains(_ block: BlockID) -> Bool {
    block.number > 0 && Int(block.number) < starts.count
  }

  /// Writes variables, index and header. Returns the header.
  mutating func finish() throws(ArchiveError) -> [UInt8] {
    align()
    let variablesOffset = position
    pending.append(UInt32(variables.count), .big)
    for (name, block) in variables {
      pending.append(block.number, .big)
      pending.append(UInt8(name.count))
      pending.append(contentsOf: name)
    }
    let variablesLength = position - variablesOffset
    align()
    let indexOffset = position
    let capacity = max(IndexEntry.leastCapacity, starts.count)
    let indexLength = 4 + capacity * IndexEntry.size + IndexEntry.emptyFreeList
    if indexOffset + indexLength > Int(UInt32.max) {
      throw ArchiveError.tooLarge(bytes: indexOffset + indexLength)
    }
    pending.append(UInt32(capacity), .big)
    appendIndexEntries()
    pending.append(zeros: (capacity - starts.count) * IndexEntry.size + IndexEntry.emptyFreeList)
    flush()
    var header = [UInt8](repeating: 0, count: StoreHeader.size)
    header.store(magic: StoreHeader.magic)
    header.store(1, StoreHeader.version)
    header.store(UInt32(starts.count - 1), StoreHeader.blockCount)
    header.store(UInt32(indexOffset), StoreHeader.indexOffset)
    header.store(UInt32(indexLength), StoreHeader.indexLength)
    header.store(UInt32(variablesOffset), StoreHeader.variablesOffset)
    header.store(UInt32(variablesLength), StoreHeader.variablesLength)
    overwrite(at: 0, header)
    return header
  }

  private mutating func appendIndexEntries() {
    let base = pending.count
    pending.append(zeros: starts.count * IndexEntry.size)
    pending.withUnsafeMutableBytes { bytes in
      for number in 0..<starts.count {
        let entry = base + number * IndexEntry.size
        bytes.store(UInt32(starts[number]), IndexEntry.address, at: entry)
        bytes.store(UInt32(ends[number] - starts[number]), IndexEntry.length, at: entry)
      }
    }
  }
}
