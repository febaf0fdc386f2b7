// An archive that is needed for one command: a file without a name, which goes with the process, so
// that no kill can leave it behind.

import Bytes
import CPosix

/// Where a compiled archive goes.
package enum Destination {
  /// Whoever looks at the path finds the whole archive there, or what was there before.
  case path(ByteString)
  /// The same, when all outputs of the run are whole.
  case part(of: OutputSet, ByteString)
  case scratch(ScratchFile)
}

/// It may be as large as the disk allows: it costs no memory, and few of its pages are read again.
package final class ScratchFile: Sendable {
  package let descriptor: Int32
  /// What errors are about.
  package let name: ByteString

  /// Where files without a name are made: the folder that TMPDIR names.
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
