// The records of the container: header, block index, variables, trees. All numbers are big-endian.
// The reader (BlockStore, Tree) and the writer (StoreWriter, TreeWriter) both use these
// definitions.

/// The record at offset 0 of the file. Zeros follow it up to the first block.
enum StoreHeader {
  static let magic: StaticString = "BOMStore"
  static let letters = Run(0, size: 8)
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
  /// expects behind the count.
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
  static let letters = Run(0, size: 4)
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
