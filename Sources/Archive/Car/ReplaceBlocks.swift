// Writes an archive again with other bytes in some of its blocks. Each run of blocks between them
// is copied at once. The tables are copied too, because they name blocks by number. Only the block
// index and the lookup index get the new places.

import Bytes

/// An archive of which only the container, the header and the lookup index have to be in memory.
package struct ReplaceableArchive {
  private let store: BlockStore
  /// The range of each block. Block n is at position n − 1.
  private let ranges: [Range<Int>]
  private let index: BlockID?

  /// Returns nil if the blocks of the archive do not lie in the order of their numbers, as the
  /// writer places them.
  package init?(_ store: BlockStore) {
    self.store = store
    var ranges: [Range<Int>] = []
    ranges.reserveCapacity(store.blockCount)
    var end = StoreHeader.firstBlock
    for number in 1..<max(1, store.blockCount + 1) {
      guard let range = try? store.range(of: BlockID(UInt32(number))), range.lowerBound >= end,
        range.lowerBound % blockAlignment == 0
      else { return nil }
      ranges.append(range)
      end = range.upperBound
    }
    self.ranges = ranges
    index = store.block(named: Archive.indexName)
    // The lookup index is written last, because it states the places of all other blocks.
    if let index, Int(index.number) != ranges.count { return nil }
  }

  /// The names of the blocks that have to be in memory: those that determine the identity of the
  /// lookup index, and the lookup index.
  package static var describedNames: [String] { IndexIdentity.described + [Archive.indexName] }

  /// Writes the archive with the bytes in `blocks` instead of the old ones. `copy` adds a range of
  /// the old file to the sink. The lookup index keeps its facts about a replaced block, except for
  /// the place.
  package func write(
    _ blocks: [BlockID: [UInt8]], into sink: any ByteSink, copying copy: (Range<Int>) -> Void
  ) throws(ArchiveError) {
    var writer = StoreWriter(into: sink)
    writer.reserve(blocks: ranges.count)
    var next = 0
    for block in blocks.keys.sorted() {
      let place = Int(block.number) - 1
      writer.addBlocks(at: Array(ranges[next..<place]), copying: copy)
      if let bytes = blocks[block] { _ = bytes.withUnsafeBytes { writer.addBlock($0) } }
      next = place + 1
    }
    let last = index == nil ? ranges.count : ranges.count - 1
    writer.addBlocks(at: Array(ranges[next..<last]), copying: copy)
    if let index {
      let moved = try indexBytes(index) { writer.range(of: $0) }
      _ = moved.withUnsafeBytes { writer.addBlock($0, alignment: IndexHeader.alignment) }
    }
    for (name, block) in store.variables { writer.name(block, Array(name.buffer)) }
    let header = try writer.finish()
    guard let index else { return }
    var field: [UInt8] = []
    let described = try ArchiveError.reading { () throws(FormatError) in
      try describedBlocks()
    }
    field.append(IndexIdentity.value(of: [header] + described), .little)
    writer.overwrite(index, at: IndexIdentity.offset, with: field)
  }

  private func describedBlocks() throws(FormatError) -> [[UInt8]] {
    var blocks: [[UInt8]] = []
    for name in IndexIdentity.described {
      if let bytes = try store.bytes(named: name) { blocks.append(Array(bytes.buffer)) }
    }
    return blocks
  }

  /// Returns the lookup index with the new places of the blocks. Its identity is still 0.
  private func indexBytes(
    _ index: BlockID, _ place: (BlockID) -> Range<Int>
  ) throws(ArchiveError) -> [UInt8] {
    let old = try ArchiveError.reading { () throws(FormatError) in try store.bytes(of: index) }
    var bytes = Array(old.buffer)
    do throws(IndexError) {
      try IndexHeader.moveBlocks(in: &bytes) { range in
        guard let number = number(at: range) else { return nil }
        return place(number)
      }
    } catch {
      throw .index(error)
    }
    return bytes
  }

  /// Returns the block at a range; nil if no block has exactly this range.
  private func number(at range: Range<Int>) -> BlockID? {
    let place = ranges.partitioningIndex { $0.lowerBound >= range.lowerBound }
    guard place < ranges.count, ranges[place] == range else { return nil }
    return BlockID(UInt32(place + 1))
  }
}

extension IndexHeader {
  /// Replaces the range of every block by the result of `moved`, and updates the checksum.
  fileprivate static func moveBlocks(
    in bytes: inout [UInt8], _ moved: (Range<Int>) -> Range<Int>?
  ) throws(IndexError) {
    guard let length = bytes.withUnsafeBytes({ try? IndexReader($0).length }),
      length == bytes.count
    else { throw .notAnIndex }
    var isWhole = true
    bytes.withUnsafeMutableBytes { bytes in
      var header = bytes.loadUnaligned(as: IndexHeader.self)
      for number in 0..<Int(header.blocks.count) {
        let offset = Int(header.blocks.offset) + number * MemoryLayout<BlockRecord>.stride
        var record = bytes.loadUnaligned(fromByteOffset: offset, as: BlockRecord.self)
        guard let start = UInt32(exactly: record.offset).map(Int.init),
          let range = moved(start..<start + Int(record.length))
        else {
          isWhole = false
          return
        }
        record.offset = UInt64(range.lowerBound)
        record.length = UInt32(range.count)
        bytes.storeBytes(of: record, toByteOffset: offset, as: BlockRecord.self)
      }
      (header.identity, header.checksum) = (0, 0)
      bytes.storeBytes(of: header, as: IndexHeader.self)
      var digest = IndexDigest()
      digest.add(UnsafeRawBufferPointer(bytes))
      header.checksum = digest.value
      bytes.storeBytes(of: header, as: IndexHeader.self)
    }
    if !isWhole { throw .notAnIndex }
  }
}
