// Limits the bytes that all decoded pictures and files of an archive may have together, and the
// work of drawing its vectors. Any number of keys may name one block, and a few bytes of a block
// may decode to millions of pixels. Code that decodes or draws contents of an archive pays here.

import Archive
import Bytes
import Imaging
import Synchronization

/// The number of bytes that may still be decoded, by all threads that read one archive.
package final class PictureAllowance: Sendable {
  private let left: Atomic<Int>
  private let most: Int
  /// The work of drawing that may still be spent, in nanoseconds.
  private let workLeft: Atomic<Int>
  private let mostWork: Int

  /// Allows half a gigabyte for any archive, and 256 bytes for each byte of the file. To decode and
  /// write one byte takes up to 4 ns, so each byte of the file costs about a microsecond. Pictures
  /// of one colour have up to 1,600 bytes for each byte; half a gigabyte is enough for an app's.
  ///
  /// Allows 4 s of drawing, and four times the work that a vector alone may cost for each byte.
  /// Vectors of apps cost some milliseconds.
  package init(fileSize: Int) {
    let fileSize = min(fileSize, 1 << 40)
    most = 1 << 29 + 256 * fileSize
    left = Atomic(most)
    mostWork = 4_000_000_000 + 4 * Budget.workPerByte * fileSize
    workLeft = Atomic(mostWork)
  }

  /// Pays for a number of bytes. Throws an error if the allowance is used up.
  package func pay(_ bytes: Int) throws(FormatError) {
    let bytes = min(max(0, bytes), 1 << 52)
    var before = left.load(ordering: .relaxed)
    while before >= bytes {
      let (exchanged, original) = left.weakCompareExchange(
        expected: before, desired: before - bytes, ordering: .relaxed)
      if exchanged { return }
      before = original
    }
    // A refused payment takes nothing, so that one false size does not refuse other pictures.
    throw FormatError(
      .number(
        "the size of all that was decoded", found: most - before + bytes,
        expected: "at most \(most) bytes for a file of this size"), at: 0)
  }

  /// Pays for work that reading and drawing a vector has cost.
  func count(work: Int) { workLeft.subtract(work, ordering: .relaxed) }

  /// Throws an error if the work of drawing is used up.
  func checkWork() throws(FormatError) {
    if workLeft.load(ordering: .relaxed) > 0 { return }
    throw FormatError(
      .number(
        "the work of drawing all vectors, in milliseconds",
        found: (mostWork - workLeft.load(ordering: .relaxed)) / 1_000_000,
        expected: "at most \(mostWork / 1_000_000) for a file of this size"), at: 0)
  }

  /// Pays for a copy of the frame of a link.
  package func pay(forFrameOf link: InternalLink) throws(FormatError) {
    let pixels = min(UInt64(link.width) * UInt64(link.height), 1 << 52)
    try pay(4 * Int(pixels))
  }

  /// Pays for the pixels of a rendition. Costs nothing if it holds no bitmap that is decoded.
  package func pay(for rendition: Rendition) throws(FormatError) {
    try pay(Bitmap.memory(of: rendition) / 3)
  }
}
