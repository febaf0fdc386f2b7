// The output file to which the writers of archives and objects write.

import Bytes
import CPosix

/// A sink that writes to a file. It keeps a failure until `commit` reports it, and drops all bytes
/// after the failure, so that a full disk ends the work at the next check.
package final class FileSink: ByteSink {
  private var file: OutputFile?
  /// The outputs of a run, among which the file waits until all of them are complete.
  private let set: OutputSet?
  package private(set) var failure: OutputError?
  package private(set) var byteCount = 0

  package init(
    _ destination: Destination, isKnownToDiffer: Bool = false
  ) throws(OutputError) {
    switch destination {
    case .path(let path):
      set = nil
      file = try OutputFile(path: path, isKnownToDiffer: isKnownToDiffer)
    case .part(let set, let path):
      self.set = set
      file = try set.file(at: path, isKnownToDiffer: isKnownToDiffer)
    case .scratch(let scratch):
      set = nil
      file = try OutputFile(scratch)
    }
  }

  package func append(_ bytes: UnsafeRawBufferPointer) {
    guard failure == nil else { return }
    byteCount += bytes.count
    do throws(OutputError) { try file?.append(bytes) } catch { failure = error }
  }

  /// Appends a range of an open file.
  package func append(_ range: Range<Int>, of descriptor: Int32) {
    guard failure == nil else { return }
    byteCount += range.count
    do throws(OutputError) { try file?.append(range, of: descriptor) } catch { failure = error }
  }

  package func overwrite(at offset: Int, _ bytes: UnsafeRawBufferPointer) {
    guard failure == nil else { return }
    do throws(OutputError) { try file?.overwrite(at: offset, bytes) } catch { failure = error }
  }

  /// Reads bytes that were appended before. Returns false if that fails, which is a failure of the
  /// sink, too.
  package func read(_ range: Range<Int>, into room: UnsafeMutableRawBufferPointer) -> Bool {
    guard failure == nil else { return false }
    do throws(OutputError) { try file?.read(range, into: room) } catch { failure = error }
    return failure == nil
  }

  /// Returns the bytes that were appended, mapped into memory. The file has no name yet.
  package func mapped() throws(OutputError) -> MappedScratch {
    if let failure { throw failure }
    guard let bytes = try file?.mapped() else {
      throw OutputError(operation: "read", path: "the output", code: EBADF)
    }
    return bytes
  }

  /// Puts the file in its place, or among the outputs that get to their places together.
  package func commit() throws(OutputError) {
    if let failure { throw failure }
    guard let finished = file.take() else { return }
    if let set { set.add(finished, isArchive: true) } else { try finished.commit() }
  }
}

/// The destination of a compiled archive.
package enum Destination {
  /// A path. A reader of it finds the whole archive or the previous file.
  case path(ByteString)
  /// A path that is placed together with all other outputs of the run.
  case part(of: OutputSet, ByteString)
  case scratch(ScratchFile)
}
