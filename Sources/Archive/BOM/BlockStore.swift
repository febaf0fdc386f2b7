// Reads the container: header, block index and variables. Opening checks only these three.
// StoreValidation.swift checks whether blocks overlap. Tree.swift reads trees.

/// The number of a block: its position in the block index.
package struct BlockID: Sendable, Hashable, Comparable {
  package let number: UInt32
  package init(_ number: UInt32) { self.number = number }
  package static func < (a: BlockID, b: BlockID) -> Bool { a.number < b.number }
}

/// A file of numbered blocks. Some of them have names.
package struct BlockStore: Sendable {
  package let bytes: FileBytes
  /// The number of the highest block in use, as the header states it.
  package let blockCount: Int
  /// The number of entries that the block index has room for.
  package let capacity: Int
  /// The named blocks in the order of the file. If a name is listed twice, the first entry counts.
  /// Names are bytes.
  package let variables: [(name: FileBytes, block: BlockID)]
  let index: FileBytes
  let variableTable: FileBytes

  package init(_ bytes: FileBytes) throws(FormatError) {
    let header = try bytes.slice(at: 0, count: StoreHeader.size, "the header")
    try header.require(StoreHeader.magic, "the file")
    let version = header.trusted(StoreHeader.version)
    if version != 1 {
      throw FormatError(
        .number("the container's version", found: Int(version), expected: "1"),
        at: StoreHeader.version.offset)
    }
    self.bytes = bytes
    blockCount = Int(header.trusted(StoreHeader.blockCount))
    index = try bytes.slice(
      at: Int(header.trusted(StoreHeader.indexOffset)),
      count: Int(header.trusted(StoreHeader.indexLength)), "the block index")
    variableTable = try bytes.slice(
      at: Int(header.trusted(StoreHeader.variablesOffset)),
      count: Int(header.trusted(StoreHeader.variablesLength)), "the table of variables")
    capacity = Int(try index.load(Field<UInt32>(0, .big)))
    if capacity > (index.count - 4) / IndexEntry.size {
      throw FormatError(
        .count("blocks in the index", stated: capacity, found: (index.count - 4) / IndexEntry.size),
        at: index.origin)
    }
    variables = try BlockStore.readVariables(variableTable)
  }

  /// The length of the head of a file. From the head, `tables` computes the offsets of the block
  /// index and the variables.
  package static let headLength = StoreHeader.size

  /// Returns the ranges of the block index and of the table of variables, as the head of a file
  /// states them. Empty if the head is too short.
  package static func tables(ofHead head: FileBytes) -> [Range<Int>] {
    guard head.count >= StoreHeader.size else { return [] }
    let index = Int(head.trusted(StoreHeader.indexOffset))
    let variables = Int(head.trusted(StoreHeader.variablesOffset))
    return [
      index..<index + Int(head.trusted(StoreHeader.indexLength)),
      variables..<variables + Int(head.trusted(StoreHeader.variablesLength)),
    ]
  }

  private static func readVariables(_ table: FileBytes) throws(FormatError)
    -> [(name: FileBytes, block: BlockID)]
  {
    let count = Int(try table.load(Field<UInt32>(0, .big)))
    var variables: [(name: FileBytes, block: BlockID)] = []
    var offset = 4
    // Each entry takes bytes of the table, so a false count ends with an error.
    for _ in 0..<count {
      let block = try table.load(VariableEntry.block, at: offset)
      let length = Int(try table.load(VariableEntry.nameLength, at: offset))
      let name = try table.slice(
        at: offset + VariableEntry.size, count: length, "the name of a variable")
      variables.append((name, BlockID(block)))
      offset += VariableEntry.size + length
    }
    return variables
  }

  /// Returns the block with a name; nil if no variable has this name.
  package func block(named name: String) -> BlockID? {
    variables.first { $0.name.buffer.elementsEqual(name.utf8) }?.block
  }

  /// Returns the address and the length of a block as the block index states them; nil if the
  /// number is beyond the end of the block index.
  func entry(_ block: BlockID) -> (address: UInt32, length: UInt32)? {
    let number = Int(block.number)
    guard number < capacity else { return nil }
    let base = 4 + number * IndexEntry.size
    return (index.trusted(IndexEntry.address, at: base), index.trusted(IndexEntry.length, at: base))
  }

  /// Returns the offset of a block's entry in the block index, for error messages.
  func offset(ofEntry block: BlockID) -> Int {
    index.origin + 4 + min(Int(block.number), capacity) * IndexEntry.size
  }

  /// Returns the range of a block in the file.
  package func range(of block: BlockID) throws(FormatError) -> Range<Int> {
    guard block.number != 0, let entry = entry(block) else {
      throw FormatError(
        .number("a block number", found: Int(block.number), expected: "1 to \(capacity - 1)"),
        at: index.origin)
    }
    let address = Int(entry.address)
    let length = Int(entry.length)
    guard address <= bytes.count, length <= bytes.count - address else {
      let what = entry.address == IndexEntry.freed ? "freed block" : "block"
      throw FormatError(
        .outside(
          "\(what) \(block.number) at \(address)", length: length,
          available: max(0, bytes.count - address)), at: offset(ofEntry: block))
    }
    return address..<address + length
  }

  /// Returns the bytes of a block.
  package func bytes(of block: BlockID) throws(FormatError) -> FileBytes {
    let range = try range(of: block)
    return FileBytes(
      UnsafeRawBufferPointer(rebasing: bytes.buffer[range]), origin: range.lowerBound)
  }

  /// Returns the bytes of a named block; nil if no variable has this name.
  package func bytes(named name: String) throws(FormatError) -> FileBytes? {
    guard let block = block(named: name) else { return nil }
    return try bytes(of: block)
  }
}

// MARK: - Records of the container

// The records of the container: header, block index, variables, trees. All numbers are big-endian.
// The readers (BlockStore, Tree) and the writer (StoreWriter) use the same definitions.

/// The record at offset 0 of the file. Zeros follow it up to the first block.
enum StoreHeader {
  static let magic: StaticString = "BOMStore"
  static let letters = BytesField(0, size: 8)
  static let version = Field<UInt32>(8, .big)
  /// The number of the highest block in use.
  static let blockCount = Field<UInt32>(12, .big)
  static let indexOffset = Field<UInt32>(16, .big)
  static let indexLength = Field<UInt32>(20, .big)
  static let variablesOffset = Field<UInt32>(24, .big)
  static let variablesLength = Field<UInt32>(28, .big)
  static let size = 32
  static let firstBlock = 512
  static let members: [any RecordMember] = [
    letters, version, blockCount, indexOffset, indexLength, variablesOffset, variablesLength,
  ]
}

/// An entry of the block index or of the free list. Each of these lists begins with a u32 count,
/// and the entries follow it.
enum IndexEntry {
  static let address = Field<UInt32>(0, .big)
  static let length = Field<UInt32>(4, .big)
  static let size = 8
  /// The address and the length of a block that was freed.
  static let freed = UInt32.max
  /// The length of an empty free list: the count, and room for two entries, which Apple's reader
  /// expects after the count.
  static let emptyFreeList = 20
  static let leastCapacity = 256
  static let members: [any RecordMember] = [address, length]
}

/// An entry of the table of variables. The table begins with a u32 count; the name follows each
/// entry.
enum VariableEntry {
  static let block = Field<UInt32>(0, .big)
  static let nameLength = Field<UInt8>(4)
  static let size = 5
  static let members: [any RecordMember] = [block, nameLength]
}

/// The header of a tree: the block that the variable of a tree names. Old tools leave out the
/// fields after `rawKeys`.
enum TreeHeader {
  static let magic: StaticString = "tree"
  static let letters = BytesField(0, size: 4)
  static let version = Field<UInt32>(4, .big)
  static let root = Field<UInt32>(8, .big)
  static let nodeSize = Field<UInt32>(12, .big)
  static let count = Field<UInt32>(16, .big)
  /// 1 if the key field of a pair is the key itself; 0 if the key field is the number of the key's
  /// block.
  static let rawKeys = Field<UInt8>(20)
  static let shortSize = 21
  /// The length that all keys have; `variedKeys` if the lengths differ; 0 for raw keys.
  static let keyLength = Field<UInt32>(21, .big)
  static let reserved = Field<UInt32>(25, .big)
  static let size = 29
  static let variedKeys = UInt32.max
  static let members: [any RecordMember] = [
    letters, version, root, nodeSize, count, rawKeys, keyLength, reserved,
  ]
}

/// A page of a tree: this record, `count` pairs, the last child (zero in a leaf), and, if the
/// header states the length of the keys, copies of the keys.
///
///     isLeaf count next previous | value key | value key | … | last child | key, key, …
///     12 bytes                     8 bytes     8 bytes         4 bytes
enum TreePage {
  static let isLeaf = Field<UInt16>(0, .big)
  static let count = Field<UInt16>(2, .big)
  static let next = Field<UInt32>(4, .big)
  static let previous = Field<UInt32>(8, .big)
  static let size = 12
  static let members: [any RecordMember] = [isLeaf, count, next, previous]

  /// Returns the largest number of pairs for which a page has room beside its last child.
  static func capacity(nodeSize: Int) -> Int { (nodeSize - size - 4) / TreePair.size }
}

enum TreePair {
  /// The block of the value in a leaf; the block of the child in a branch.
  static let value = Field<UInt32>(0, .big)
  static let key = Field<UInt32>(4, .big)
  static let size = 8
  static let members: [any RecordMember] = [value, key]
}
