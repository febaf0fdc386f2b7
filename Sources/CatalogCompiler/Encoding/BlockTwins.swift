// Blocks with equal contents, which an archive stores once: several keys then name one block. Most
// of them are made from equal files in several sets. The header of a block contains the name of
// the file, which no lookup reads. If a small archive is requested, the name is not compared, and
// the first name stays.

import Archive
import Bytes

/// The contents of a block, as far as they decide whether two blocks are stored as one.
struct BlockContents: Hashable {
  private let digest: Digest128

  /// `ignoresNames` states whether two blocks may differ in the names of their files.
  init(_ block: UnsafeRawBufferPointer, ignoresNames: Bool) {
    var digest = BLAKE2b()
    if ignoresNames, let name = CSIHeader.fileName(in: block) {
      digest.add(UnsafeRawBufferPointer(rebasing: block[..<name.lowerBound]))
      digest.add(UnsafeRawBufferPointer(rebasing: block[name.upperBound...]))
    } else {
      digest.add(block)
    }
    self.digest = digest.digest()
  }
}

/// The blocks that were written so far.
struct BlockTwins {
  private let ignoresNames: Bool
  private var blocks: [BlockContents: BlockID] = [:]

  init(ignoresNames: Bool) { self.ignoresNames = ignoresNames }

  /// Returns the block that was written for these contents. If no block has them, writes one with
  /// `append`.
  mutating func block(
    _ bytes: UnsafeRawBufferPointer, appending append: (UnsafeRawBufferPointer) -> BlockID
  ) -> BlockID {
    let contents = BlockContents(bytes, ignoresNames: ignoresNames)
    if let known = blocks[contents] { return known }
    let block = append(bytes)
    blocks[contents] = block
    return block
  }
}
