// The last run of a command line, which makes the next full run faster: it knows the digests of the
// files that did not change, and the facts about their pictures.
//
// An example, in which one picture of a large catalogue got another size. Everything is planned
// again, but only one picture is decoded:
//
//   the changed picture    read, decoded
//   other small pictures   neither read nor looked up in the cache: their facts are here
//   other large pictures   not read: their digest is here, and the cache has their pixels

import Bytes
import CPosix
import Host

/// The last run. Its record is used only after a comparison with the present: a digest if the file
/// has the recorded identity, and facts if the file has the recorded digest.
package struct EarlierRun: Sendable {
  let pictures: KnownPictures
  private let record: RunRecord
  /// The number of rows at the beginning that are in the order of their paths. All files that were
  /// read are among them.
  private let sortedRows: Int
  /// Whether the times of a file can prove that it is unchanged.
  private let trustsTimes: Bool

  init(_ record: RunRecord, trustsTimes: Bool) {
    (self.record, self.trustsTimes) = (record, trustsTimes)
    sortedRows = record.sortedRows
    var pictures = KnownPictures()
    for place in record.places?.all ?? [] where place.drawing == nil && place.path < record.count {
      if let digest = record.row(place.path).digest {
        pictures.add(place.facts, of: digest, place.gamut)
      }
    }
    self.pictures = pictures
  }

  /// Returns the digest of a file that has this identity now; nil if the identity does not prove
  /// that the file is unchanged.
  func digest(of path: ByteString, _ identity: FileIdentity) -> Digest128? {
    guard trustsTimes, let row = record.row(at: path, amongFirst: sortedRows) else { return nil }
    return row.kind == .file && row.isSettled && row.identity == identity ? row.digest : nil
  }
}

extension RunRecord {
  /// The number of rows at the beginning that are in the order of their paths.
  fileprivate var sortedRows: Int {
    bytes.withUnsafeBytes { bytes in
      guard count > 0, let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else {
        return 0
      }
      // The paths are followed by zero bytes inside of the record.
      return (1..<count).first { strcmp(base + row($0 - 1).path, base + row($0).path) >= 0 }
        ?? count
    }
  }

  /// Returns the row of a path; nil if it is not among the first rows, which are sorted.
  fileprivate func row(at path: ByteString, amongFirst count: Int) -> RecordRow? {
    bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else { return nil }
      return path.withCString { path in
        let index = (0..<count).partitioningIndex { strcmp(base + row($0).path, path) >= 0 }
        guard index < count, strcmp(base + row(index).path, path) == 0 else { return nil }
        return row(index)
      }
    }
  }
}
