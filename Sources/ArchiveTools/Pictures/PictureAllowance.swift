// Limits the bytes that all decoded pictures and files of an archive may have together. Any number
// of keys may name one block, and a few bytes of a block may decode to millions of pixels. Code
// that decodes contents of an archive pays here.

import Archive
import Imaging
import Synchronization

/// The number of bytes that may still be decoded, by all threads that read one archive.
package final class PictureAllowance: Sendable {
  private let left: Atomic<Int>
  private let most: Int

  /// Allows half a gigabyte for any archive, and 256 bytes for each byte of the file. To decode and
  /// write one byte takes up to 4 ns, so each byte of the file costs about a microsecond. Pictures
  /// of one colour have up to 1,600 bytes for each byte; half a gigabyte is enough for an app's.
  package init(fileSize: Int) {
    most = 1 << 29 + 256 * min(fileSize, 1 << 40)
    left = Atomic(most)
  }

  /// Pays for a number of bytes. Throws an error if the allowance is used up.
  package func pay(_ bytes: Int) throws(FormatError) {
    let bytes = min(max(0, bytes), 1 << 52)
    let before = left.subtract(bytes, ordering: .relaxed).oldValue
    if before >= bytes { return }
    // With 0 left, the next payment fails, too, and repeated payments cannot overflow the number.
    left.store(0, ordering: .relaxed)
    throw FormatError(
      .number(
        "the size of all that was decoded", found: most - before + bytes,
        expected: "at most \(most) bytes for a file of this size"), at: 0)
  }

  /// Pays for the pixels of a rendition. Costs nothing if it holds no bitmap that is decoded.
  package func pay(for rendition: Rendition) throws(FormatError) {
    try pay(Bitmap.memory(of: rendition) / 3)
  }
}
