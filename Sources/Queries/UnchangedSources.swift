// The variants that two versions of a catalogue make from equal files. Their pictures are the same,
// also if an atlas rounds their colours otherwise.

import Bytes
import CatalogCompiler
import CatalogModel
import Host
import Traits

package struct UnchangedSources: Sendable {
  private let before: [CandidateTable]
  private let after: [CandidateTable]

  /// Each side is a list of catalogues; the first that has an asset counts.
  package init(before: [CandidateTable], after: [CandidateTable]) {
    self.before = before
    self.after = after
  }

  /// Returns whether each asset of this name has the variant on both sides, made from equal files;
  /// nil if no side makes it from a file.
  package func isUnchanged(_ name: ByteString, _ key: VariantKey) -> Bool? {
    let kinds = Set((before + after).flatMap { $0.kinds(of: name) })
    var found = false
    for kind in kinds {
      let old = file(of: name, kind, key, in: before)
      let new = file(of: name, kind, key, in: after)
      if old == nil, new == nil { continue }
      guard let old, let new, old == new else { return false }
      found = true
    }
    return found ? true : nil
  }

  private struct DrawnSource: Equatable {
    var bytes: [UInt8]
    var scale: DrawingScale?
  }

  private func file(
    of name: ByteString, _ kind: AssetKind, _ key: VariantKey, in tables: [CandidateTable]
  ) -> DrawnSource? {
    for table in tables {
      guard let asset = table.asset(name, kind) else { continue }
      guard let candidate = asset.candidates.first(where: { $0.key == key }),
        let path = candidate.picturePath, let bytes = try? table.tree.read(path, FileLimit.picture)
      else { return nil }
      return DrawnSource(bytes: bytes, scale: candidate.processing?.drawingScale)
    }
    return nil
  }
}
