// Checks vectors that are stored without bitmaps. No other pass draws them, so a fault would appear
// only in an app.

import Bytes
import CatalogModel
import Host
import Vectors

extension RenditionPlan {
  /// Reports, for every vector, the diagnostics that drawing it would give.
  mutating func checkVectors(in tree: FileTree, jobs: Int) {
    var seen: Set<ByteString> = []
    let stored = renditions.filter { rendition in
      guard case .vector(let file) = rendition.content else { return false }
      return seen.insert(file.path).inserted
    }
    let found = parallelMap(stored, jobs: jobs) { [namesOptions] in
      $0.findings(in: tree, namesOptions)
    }
    diagnostics += found.flatMap { $0 }
  }
}

extension PlannedRendition {
  fileprivate func findings(in tree: FileTree, _ namesOptions: Bool) -> [Diagnostic] {
    // A file that cannot be read is reported when it is stored.
    guard let path = source?.path, let bytes = try? tree.read(path, FileLimit.source) else {
      return []
    }
    do throws(VectorError) {
      return undrawn(try VectorFile.read(bytes).drawing.unsupported)
    } catch {
      return [EncodingFailure(error, in: bytes).diagnostic(about: self, namesOptions: namesOptions)]
    }
  }
}
