// The fuzz targets of the texts that other programs print: logs of builds, and objects of git.

import Bytes
import DropIn
@testable import History

extension FuzzTarget {
  /// Looks for calls of actool in a log, packed or not.
  static let buildLog = FuzzTarget("build-log") { bytes in
    guard let text = try? textOfLog(Array(bytes), atMost: 1 << 22) else { return }
    _ = actoolCalls(inLog: text)
  }

  /// Reads a commit, and the entries of a folder with ids of 20 and 32 bytes.
  static let gitObject = FuzzTarget("git-object") { bytes in
    let id = ByteString(String(repeating: "a", count: 40))
    _ = try? GitCommit(GitObject(id: id, type: "commit", bytes: Array(bytes)))
    for folder in [id, ByteString(String(repeating: "a", count: 64))] {
      _ = try? GitEntry.entries(in: Array(bytes), of: folder)
    }
  }
}
