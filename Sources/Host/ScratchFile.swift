// Files without a name, for an archive that is needed during one command only. Such a file
// disappears with the process, so a kill cannot leave it behind.

import Bytes
import CPosix

/// A file without a name. It may be as large as the disk allows, because it takes little memory:
/// few of its pages are read again.
package final class ScratchFile: Sendable {
  package let descriptor: Int32
  /// The name of the file in errors.
  package let name: ByteString

  /// The folder for files without names: the value of TMPDIR, otherwise /tmp.
  package static var folder: ByteString {
    let named = getenv("TMPDIR").map { ByteString(cString: $0) } ?? ""
    return named.isEmpty ? "/tmp" : named
  }

  package init(in folder: ByteString = ScratchFile.folder) throws(OutputError) {
    name = "a temporary file in \(folder)"
    descriptor = folder.withCString(carve_open_scratch)
    guard descriptor >= 0 else {
      throw OutputError(operation: "create", path: name, code: carve_errno())
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}

/// The bytes of a file without a name, mapped into memory.
package final class MappedScratch {
  package let bytes: UnsafeRawBufferPointer

  package convenience init(_ file: ScratchFile) throws(FileError) {
    try self.init(descriptor: file.descriptor)
  }

  init(descriptor: Int32) throws(FileError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .failed(errno: carve_errno()) }
    let size = Int(status.st_size)
    // An empty file cannot be mapped.
    guard size > 0 else {
      bytes = UnsafeRawBufferPointer(start: nil, count: 0)
      return
    }
    guard let base = carve_map_read(descriptor, size) else {
      throw .failed(errno: carve_errno())
    }
    bytes = UnsafeRawBufferPointer(start: base, count: size)
  }

  deinit {
    if bytes.count > 0 { munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count) }
  }
}
