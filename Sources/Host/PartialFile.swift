// A file of which parts are read: as long in memory as on the disk, and zero where nothing was read. Unlike
// a map it does not change when the file does, nor end when the file is cut.

import Bytes
import CPosix

package final class PartialFile {
  package let descriptor: Int32
  /// When it was opened.
  package let identity: FileIdentity
  private let memory: UnsafeMutableRawBufferPointer

  /// nil where there is no file, or one without bytes.
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

  /// Whether the file is still what it was when it was opened.
  package var isUnchanged: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && FileIdentity(status) == identity
  }

  /// Whether nobody wrote to it since it was opened; that it lost its name does not count.
  package var hasItsBytes: Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    let now = FileIdentity(status)
    return (now.size, now.modified) == (identity.size, identity.modified)
  }

  /// Reads a part; false where it is not there.
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
