// Blocks with equal contents, which an archive stores once: several keys then name one block. Most
// of them are made from equal files in several sets. The header of a block contains the name of
// the file, which no lookup reads. If a small archive is requested, the name is not compared, and
// the first name stays.
//
// Blocks are compared by hashes of 128 bits, which take a tenth of the time of a digest. Their key
// is a secret of the process, so that no input can contain different blocks with equal hashes. Most
// large blocks have a length that no other block has. So the hash of a large block is computed when
// a second block with its length comes; then the first one is read again.

import Archive

/// The contents of a block, as far as they decide whether two blocks are stored as one.
struct BlockContents: Hashable {
  private let first: Int
  private let second: Int

  /// `ignoresNames` states whether two blocks may differ in the names of their files.
  init(_ block: UnsafeRawBufferPointer, ignoresNames: Bool) {
    let name = ignoresNames ? CSIHeader.fileName(in: block) : nil
    func hash(_ number: UInt8) -> Int {
      var hasher = Hasher()
      hasher.combine(number)
      hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: block[..<(name?.lowerBound ?? 0)]))
      hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: block[(name?.upperBound ?? 0)...]))
      return hasher.finalize()
    }
    (first, second) = (hash(1), hash(2))
  }
}

/// The blocks that were written so far.
struct BlockTwins {
  private let ignoresNames: Bool
  private var blocks: [BlockContents: BlockID] = [:]
  /// For each length of large blocks, the first block if it is the only one, otherwise nil.
  private var lengths: [Int: BlockID?] = [:]

  /// The lengths of blocks that are large, and small enough to be read again into memory.
  private static let large = 1 << 11...1 << 22

  init(ignoresNames: Bool) { self.ignoresNames = ignoresNames }

  /// Returns the block that was written for these contents. If no block has them, writes one with
  /// `append`. `read` returns the bytes of a block that was written; nil if it fails.
  mutating func block(
    _ bytes: UnsafeRawBufferPointer, appending append: (UnsafeRawBufferPointer) -> BlockID,
    reading read: (BlockID) -> [UInt8]?
  ) -> BlockID {
    if BlockTwins.large.contains(bytes.count) {
      switch lengths[bytes.count] {
      case nil:
        let block = append(bytes)
        lengths[bytes.count] = .some(block)
        return block
      case .some(let first?):
        lengths[bytes.count] = .some(nil)
        read(first)?.withUnsafeBytes {
          blocks[BlockContents($0, ignoresNames: ignoresNames)] = first
        }
      case .some(nil): break
      }
    }
    let contents = BlockContents(bytes, ignoresNames: ignoresNames)
    if let known = blocks[contents] { return known }
    let block = append(bytes)
    blocks[contents] = block
    return block
  }
}
