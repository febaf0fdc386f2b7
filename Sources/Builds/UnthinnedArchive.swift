// An archive for all devices, from which a thinned one is made. It is compiled into a file without
// a name, so that thinning a compiled archive later gives the same bytes.

import ArchiveTools
import Bytes
import Host

package final class UnthinnedArchive {
  private let file: ScratchFile
  private var mapping: MappedScratch?

  package init() throws(OutputError) { file = try ScratchFile() }

  /// The place into which the archive is compiled.
  package var destination: Destination { .scratch(file) }

  /// The name of the file in errors.
  package var name: ByteString { file.name }

  /// Returns the bytes of the compiled archive. They are valid as long as this object is retained.
  package func bytes() throws(FileError) -> UnsafeRawBufferPointer {
    let mapping = try MappedScratch(file)
    self.mapping = mapping
    return mapping.bytes
  }
}

extension Thinner {
  /// Writes an archive with what the devices of a target can show. Returns its size.
  package mutating func write(
    for target: ThinningTarget, to destination: Destination
  ) throws(ThinningError) -> Int {
    let plan = try plan(decide(for: target))
    return try opened.write(plan, to: destination).byteCount
  }
}
