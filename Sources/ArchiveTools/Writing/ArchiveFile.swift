// The output file as the archive writer sees it.

import Archive
import Host

/// Bytes on their way to a file. A failure is kept until `commit` reports it; what comes after it is
/// dropped, so that a full disk ends the work at the next check.
package final class ArchiveFile: ArchiveSink {
  private var file: OutputFile?
  package private(set) var failure: OutputError?
  package private(set) var byteCount = 0

  package init(path: String) throws(OutputError) { file = try OutputFile(path: path) }

  package init(_ destination: Destination) throws(OutputError) {
    switch destination {
    case .path(let path): file = try OutputFile(path: path)
    case .scratch(let scratch): file = try OutputFile(scratch)
    }
  }

  package func append(_ bytes: UnsafeRawBufferPointer) {
    guard failure == nil else { return }
    byteCount += bytes.count
    do throws(OutputError) { try file?.append(bytes) } catch { failure = error }
  }

  package func overwrite(at offset: Int, _ bytes: UnsafeRawBufferPointer) {
    guard failure == nil else { return }
    do throws(OutputError) { try file?.overwrite(at: offset, bytes) } catch { failure = error }
  }

  /// Puts the file in its place; false where the place held the same bytes.
  @discardableResult
  package func commit() throws(OutputError) -> Bool {
    if let failure { throw failure }
    guard let finished = file.take() else { return false }
    return try finished.commit()
  }
}
