// How many bytes the pictures and files of one archive may unfold to, all together: any number of keys may name one
// block, and a few bytes of a block may stand for millions of pixels. Who decodes what an archive holds pays here.

import Archive
import Synchronization

/// The bytes that decoding may still give, for all threads that read one archive.
package final class PictureAllowance: Sendable {
  private let left: Atomic<Int>
  private let most: Int

  /// A quarter of a gigabyte for any archive, and 4,096 bytes for each byte of the file. Pictures of one colour, which
  /// are the smallest that are known, take 1,600.
  package init(fileSize: Int) {
    most = 1 << 28 + 4_096 * min(fileSize, 1 << 40)
    left = Atomic(most)
  }

  /// Pays for so many bytes.
  package func pay(_ bytes: Int) throws(FormatError) {
    let bytes = min(max(0, bytes), 1 << 52)
    let before = left.subtract(bytes, ordering: .relaxed).oldValue
    if before >= bytes { return }
    // The next is refused, too, and no sum of refusals overflows.
    left.store(0, ordering: .relaxed)
    throw FormatError(
      .number(
        "the size of all that was decoded", found: most - before + bytes,
        expected: "at most \(most) bytes for a file of this size"), at: 0)
  }

  /// Pays for the pixels of a rendition; for nothing if it holds no bitmap that is decoded.
  package func pay(for rendition: Rendition) throws(FormatError) {
    try pay(Bitmap.memory(of: rendition) / 3)
  }
}
