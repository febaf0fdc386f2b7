// The last run of a command line, which makes the next full run faster: it knows the digests of the
// files that did not change, and the facts about their pictures.
//
// An example, in which one picture of a large catalogue got another size. Everything is planned
// again, but only one picture is decoded:
//
//   the changed picture    read, decoded
//   other small pictures   neither read nor looked up in the cache: their facts are here
//   other large pictures   not read: their digest is here, and the cache has their pixels
//   unchanged folders      not listed: their names are here

import Bytes
import CPosix
import Host

/// The last run. Its record is used only after a comparison with the present: a digest if the file
/// has the recorded identity, and facts if the file has the recorded digest.
package struct EarlierRun: Sendable {
  let pictures: KnownPictures
  private let record: RunRecord
  /// The rows that the check of the record found unchanged.
  private let unchanged: UnchangedRows
  /// The number of rows at the beginning that are in the order of their paths. All files that were
  /// read are among them.
  private let sortedRows: Int
  /// Whether the times of a file can prove that it is unchanged.
  private let trustsTimes: Bool

  init(_ record: RunRecord, _ unchanged: UnchangedRows, trustsTimes: Bool) {
    (self.record, self.trustsTimes) = (record, trustsTimes)
    self.unchanged = trustsTimes ? unchanged : .none
    sortedRows = record.sortedRows
    var pictures = KnownPictures()
    for place in record.places?.all ?? []
    where place.drawingScale == nil && place.path < record.count {
      if let digest = record.row(place.path).digest {
        pictures.add(place.facts, of: digest, place.gamut)
      }
    }
    self.pictures = pictures
  }

  /// Returns the digest of a file that has this identity now; nil if the identity does not prove
  /// that the file is unchanged.
  func digest(of path: ByteString, _ identity: FileIdentity) -> Digest128? {
    guard trustsTimes, let index = record.index(of: path, amongFirst: sortedRows) else {
      return nil
    }
    let row = record.row(index)
    return row.kind == .file && row.isSettled && row.identity == identity ? row.digest : nil
  }

  /// Returns the row of a path that did not change between the earlier run and the check of its
  /// record; nil if the path changed or is unknown.
  func unchangedRow(of path: ByteString) -> RecordRow? {
    guard let index = record.index(of: path, amongFirst: sortedRows), unchanged.contains(index)
    else { return nil }
    return record.row(index)
  }

  /// Returns the entries of a folder, as `FileTree.list` does, and its row; nil if the folder
  /// changed, or if the earlier run has not read all that is in it. The row has a digest of the
  /// entries, so it shows whether the rows of the record are all of them.
  func entries(of folder: ByteString) -> (entries: [FileEntry], row: RecordRow)? {
    guard let row = unchangedRow(of: folder), row.kind == .folder else { return nil }
    var entries: [FileEntry] = []
    for (name, index) in record.children(of: folder, amongFirst: sortedRows) {
      let child = record.row(index)
      switch child.kind {
      case .absent: continue
      case .folder: entries.append(FileEntry(name: name, kind: .folder))
      case .file:
        guard
          let size = unchanged.contains(index)
            ? child.identity.size : FileIdentity(joined(folder, name))?.size
        else { return nil }
        entries.append(FileEntry(name: name, kind: .file, size: Int(clamping: size)))
      case .entry, .realPath, nil: return nil
      }
    }
    return Digest128(ofEntries: entries) == row.digest ? (entries, row) : nil
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
      return (1..<count).first { strcmp(base + pathStart($0 - 1), base + pathStart($0)) >= 0 }
        ?? count
    }
  }

  /// Returns the index of a path's row; nil if it is not among the first rows, which are sorted.
  fileprivate func index(of path: ByteString, amongFirst count: Int) -> Int? {
    withPaths { base in
      path.withCString { path in
        let index = firstRow(from: path, amongFirst: count, base)
        return index < count && strcmp(base + pathStart(index), path) == 0 ? index : nil
      }
    } ?? nil
  }

  /// Returns the names in a folder that have rows among the first rows, and the indices of these.
  fileprivate func children(
    of folder: ByteString, amongFirst count: Int
  ) -> [(name: ByteString, index: Int)] {
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    return withPaths { base in
      prefix.withCString { start in
        var children: [(name: ByteString, index: Int)] = []
        var index = firstRow(from: start, amongFirst: count, base)
        while index < count {
          let path = base + pathStart(index)
          if strncmp(path, start, prefix.count) != 0 { break }
          let name = path + prefix.count
          if name[0] != 0, strchr(name, CInt(UInt8(ascii: "/"))) == nil {
            children.append((ByteString(cString: name), index))
          }
          index += 1
        }
        return children
      }
    } ?? []
  }

  /// Returns the index of the first of the sorted rows whose path is not less than `path`.
  private func firstRow(
    from path: UnsafePointer<CChar>, amongFirst count: Int, _ base: UnsafePointer<CChar>
  ) -> Int {
    (0..<count).partitioningIndex { strcmp(base + pathStart($0), path) >= 0 }
  }

  /// Calls `use` with the bytes of the record. Each path is followed by a zero byte inside of them.
  private func withPaths<Value>(_ use: (UnsafePointer<CChar>) -> Value) -> Value? {
    bytes.withUnsafeBytes { bytes in
      bytes.baseAddress.map { use($0.assumingMemoryBound(to: CChar.self)) }
    }
  }
}
