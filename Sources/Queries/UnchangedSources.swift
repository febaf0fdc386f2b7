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
      let old = files(of: name, kind, key, in: before)
      let new = files(of: name, kind, key, in: after)
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

  /// Returns the files of a variant: one for each size of an icon. Nil if the variant has no file,
  /// or if one cannot be read.
  private func files(
    of name: ByteString, _ kind: AssetKind, _ key: VariantKey, in tables: [CandidateTable]
  ) -> [DrawnSource]? {
    for table in tables {
      guard let asset = table.asset(name, kind) else { continue }
      var files: [DrawnSource] = []
      for candidate in asset.candidates where candidate.key == key {
        guard let path = candidate.picturePath,
          let bytes = try? table.tree.read(path, FileLimit.picture)
        else { return nil }
        files.append(DrawnSource(bytes: bytes, scale: candidate.processing?.drawingScale))
      }
      return files.isEmpty ? nil : files
    }
    return nil
  }
}
