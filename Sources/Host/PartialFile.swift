// A file that is read in parts. Its memory has the size of the file; the parts that were not
// read are zeros:
//
//     file      |tables|block|block|block|block|block|
//     memory    |tables|0000000000000|block|0000000000|      after two calls of `load`
//
// The memory is reserved, so pages that are never read take no room. A mapping of the file (mmap)
// would be simpler, but its content changes if the file does, and access beyond the end of a
// shortened file kills the process. The run reads the old archive in this way while it makes the
// new one; the new archive is a different file (OutputFile.swift), so the open old one keeps its
// bytes even after it is replaced.

import Bytes
import CPosix

package final class PartialFile {
  package let descriptor: Int32
  /// The identity of the file when it was opened.
  package let identity: FileIdentity
  private let memory: UnsafeMutableRawBufferPointer

  /// Returns nil if there is no file, or if it is empty.
  package init?(_ path: ByteString) {
    let descriptor = path.withCString(carve_open_read)
    if descriptor < 0 { return nil }
    var status = stat()
    guard fstat(descriptor, &status) == 0, carve_is_regular(&status), status.st_size > 0,
      let memory = carve_reserve(Int(status.st_size))
    else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
    identity = FileIdentity(status)
    self.memory = UnsafeMutableRawBufferPointer(start: memory, count: Int(status.st_size))
  }

  deinit {
    munmap(memory.baseAddress, memory.count)
    close(descriptor)
  }

  package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(memory) }

  /// Whether the file has the same identity as when it was opened.
  package var isUnchanged: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && FileIdentity(status) == identity
  }

  /// Whether no program has written to the file since it was opened. Removing its name is not a
  /// write.
  package var hasItsBytes: Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    let now = FileIdentity(status)
    return (now.size, now.modified) == (identity.size, identity.modified)
  }

  /// Reads a part of the file. Returns false if that fails, for example because the file is
  /// shorter.
  package func load(_ range: Range<Int>) -> Bool {
    guard range.lowerBound >= 0, range.upperBound <= memory.count else { return false }
    var done = range.lowerBound
    while done < range.upperBound {
      let got = pread(
        descriptor, memory.baseAddress?.advanced(by: done), range.upperBound - done, off_t(done))
      if got == 0 || got < 0 && carve_errno() != EINTR { return false }
      done += max(0, got)
    }
    return true
  }
}
