// Fuzz target for catalogues of archives from unknown sources: no path leads out of the folder, and
// no file is made twice.

import ArchiveTools
import Builds
import Bytes
import Synchronization

extension FuzzTarget {
  static let recovery = FuzzTarget("recovery") { bytes in
    let seen = Mutex<Set<ByteString>>([])
    let report = try? recoverCatalogs(of: bytes, jobs: 1) {
      (file: ExtractedFile) throws(Never) in
      let parts = file.path.split(separator: "/", omittingEmptySubsequences: false)
      let isSafe = parts.allSatisfy { part in
        !part.isEmpty && part != "." && part != ".." && !part.contains(0) && part.count <= 255
      }
      if !isSafe { fatalError("a recovered file has the path \(file.path.debugDescription)") }
      let isNew = seen.withLock { $0.insert(file.path).inserted }
      if !isNew { fatalError("the file \(file.path.debugDescription) is made twice") }
    }
    _ = report?.text("out")
    _ = report?.json("out").line
  }
}
