// Writes the container: blocks in the order in which they are added, then variables and block
// index. Only the addresses of blocks stay in memory. Tree.swift lays out trees.

import Bytes

/// Every block begins at a multiple of this number.
let blockAlignment = 16
/// The size of the pieces that the sink receives. A piece begins at a multiple of this size,
/// because files are written fastest in this way.
private let pieceSize = 1 << 18
/// The approximate number of bytes of small blocks that are laid out at once.
private let runSize = 1 << 16

/// The writer of a container. It is not generic over the type of the sink, so that the code that
/// runs for each block is compiled once, in this module.
struct StoreWriter {
  private let sink: any ByteSink
  /// The bytes that the sink has not received yet.
  private var pending: [UInt8] = []
  private var flushed = 0
  private var starts: [Int] = [0]
  private var ends: [Int] = [0]
  private(set) var variables: [(name: [UInt8], block: BlockID)] = []

  init(into sink: any ByteSink) {
    self.sink = sink
    pending.reserveCapacity(pieceSize + 2 * runSize)
    pending.append(zeros: StoreHeader.firstBlock)
  }

  mutating func reserve(blocks: Int) {
    // The pages of trees are blocks too.
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

  /// Passes all complete pieces to the sink.
  private mutating func flushPieces() {
    let whole = pending.count - position % pieceSize
    guard whole > 0 else { return }
    pending.withUnsafeBytes { sink.append(UnsafeRawBufferPointer(rebasing: $0[..<whole])) }
    flushed += whole
    pending.removeFirst(whole)
  }

  /// Appends bytes through the buffer, long runs too: if the bytes lie in a mapped file whose pages
  /// are not in memory yet, a write from the map takes longer than a copy into the buffer.
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

  /// Appends a block. `build` appends its bytes.
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

  /// Appends a block of any length, through the buffer.
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

  /// Returns the bytes of a block that was added. `read` reads a range of those that the sink has
  /// received. Returns nil if it fails.
  func bytes(
    of block: BlockID, reading read: (Range<Int>, UnsafeMutableRawBufferPointer) -> Bool
  ) -> [UInt8]? {
    let range = starts[Int(block.number)]..<ends[Int(block.number)]
    let received = range.clamped(to: 0..<flushed)
    var bytes = [UInt8](repeating: 0, count: received.count)
    guard received.isEmpty || bytes.withUnsafeMutableBytes({ read(received, $0) }) else {
      return nil
    }
    let rest = range.clamped(to: flushed..<position)
    bytes += pending[rest.lowerBound - flushed..<rest.upperBound - flushed]
    return bytes
  }

  /// Appends a block whose bytes are `head` and then `tail`.
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

  /// Appends blocks of another file together with the bytes between them, as one run that `copy`
  /// adds to the sink. `ranges` are the ranges of these blocks in the other file, in ascending
  /// order. Each range begins at a multiple of `blockAlignment`.
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

  /// Appends many small blocks. `length` returns the length of a block, and `fill` writes it into
  /// memory that is filled with zeros. Returns the numbers of the blocks.
  mutating func addBlocks(
    _ count: Int, length: (Int) -> Int, fill: (Int, UnsafeMutableRawBufferPointer) -> Void
  ) -> Range<UInt32> {
    let first = starts.count
    var next = 0
    while next < count {
      align()
      let begin = next
      let base = pending.count
      // `end` is relative to `base`, an offset at which a block may begin.
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

  /// Reserves the numbers up to `last` for blocks that are placed by `place`. A number without a
  /// block stays free.
  mutating func reserveNumbers(upTo last: Int) {
    while starts.count <= last {
      starts.append(0)
      ends.append(0)
    }
  }

  /// Appends a block under a reserved number. Its address has the same remainder as `address`, so
  /// that the block of another file keeps its alignment.
  mutating func place(_ block: BlockID, _ bytes: UnsafeRawBufferPointer, like address: Int = 0) {
    let excess = (address - position) % blockAlignment
    pending.append(zeros: excess < 0 ? excess + blockAlignment : excess)
    starts[Int(block.number)] = position
    append(bytes)
    ends[Int(block.number)] = position
  }

  /// Marks a reserved number as that of a block that does not lie in the file.
  mutating func placeOutside(_ block: BlockID) {
    starts[Int(block.number)] = Int(IndexEntry.freed)
    ends[Int(block.number)] = 2 * Int(IndexEntry.freed)
  }

  /// Puts the variables whose names are in `names` into this order. The others follow them.
  mutating func orderVariables(like names: [[UInt8]]) {
    var ranks: [[UInt8]: Int] = [:]
    for (rank, name) in names.enumerated() where ranks[name] == nil { ranks[name] = rank }
    variables.sort { ranks[$0.name] ?? .max < ranks[$1.name] ?? .max }
  }

  mutating func name(_ block: BlockID, _ name: String) { self.name(block, Array(name.utf8)) }

  /// Gives a name to a block. The name has at most 255 bytes, because its length is stored in one
  /// byte.
  mutating func name(_ block: BlockID, _ name: [UInt8]) { variables.append((name, block)) }

  /// Replaces bytes of a block, from an offset in the block on.
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

  /// Returns the address of a block; nil if no block with this number lies in the file.
  func address(of block: BlockID) -> Int? {
    guard contains(block) else { return nil }
    let address = starts[Int(block.number)]
    return address == 0 || address == Int(IndexEntry.freed) ? nil : address
  }

  /// Returns whether this writer has written a block with this number.
  func contains(_ block: BlockID) -> Bool {
    block.number > 0 && Int(block.number) < starts.count
  }

  /// Writes the variables, the block index and the header. Returns the header.
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
