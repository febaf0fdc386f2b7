// The record of a run, as the cache stores it: rows of observations, their paths, and the answer of
// the run. Rows are compared in place, without decoding the record, because a catalogue has tens of
// thousands.
//
//   0   magic, checksum of the rest, number of rows, start of places, start of answer, key
//                                                                             7 × 8 bytes
//   56  rows                                                                  64 bytes each
//       paths, each with a zero byte at its end
//       places of pixels in the archive: numbers of 4 bytes; may be empty
//       the answer, as JSON

import Bytes
import Host
import Synchronization

/// A complete record. Its rows and their paths are inside of its bytes.
struct RunRecord: Sendable {
  private(set) var bytes: [UInt8]
  let count: Int
  private let placesStart: Int
  private let answerStart: Int

  /// The text "CRVRUN03", read as a little-endian number.
  private static let magic: UInt64 = 0x3330_4e55_5256_5243
  private static let headSize = 56
  private static let rowSize = 64

  /// The key of the command line. With it, a record under the name of another key is not accepted.
  var key: Digest128 { Digest128(first: bytes.number(at: 40), second: bytes.number(at: 48)) }

  /// Creates a record with these rows.
  init(
    _ observations: [Observation], of key: Digest128, places: [UInt32] = [], answer: [UInt8]
  ) {
    count = observations.count
    let pathsStart = RunRecord.headSize + count * RunRecord.rowSize
    placesStart = observations.reduce(pathsStart) { $0 + $1.path.count + 1 }
    answerStart = placesStart + 4 * places.count
    bytes = []
    bytes.reserveCapacity(answerStart + answer.count)
    for number in [
      RunRecord.magic, 0, UInt64(count), UInt64(placesStart), UInt64(answerStart), key.first,
      key.second,
    ] { bytes.append(number: number) }
    var path = pathsStart
    for observation in observations {
      RecordRow(observation, path: path).append(to: &bytes)
      path += observation.path.count + 1
    }
    for observation in observations {
      observation.path.append(to: &bytes)
      bytes.append(0)
    }
    for word in places { bytes.append(word: word) }
    bytes += answer
    seal()
  }

  /// Reads a record; nil if the bytes are not a complete record of this version.
  init?(_ bytes: [UInt8]) {
    let head = RunRecord.headSize
    guard bytes.count >= head, bytes.number(at: 0) == RunRecord.magic,
      bytes.number(at: 8) == RunRecord.checksum(bytes),
      let count = Int(exactly: bytes.number(at: 16)),
      count <= (bytes.count - head) / RunRecord.rowSize,
      let placesStart = Int(exactly: bytes.number(at: 24)), placesStart <= bytes.count,
      let answerStart = Int(exactly: bytes.number(at: 32)), answerStart <= bytes.count,
      answerStart >= placesStart
    else { return nil }
    let paths = head + count * RunRecord.rowSize
    // The last path ends before the next part, and therefore every path does.
    guard placesStart > paths ? bytes[placesStart - 1] == 0 : count == 0 else { return nil }
    (self.bytes, self.count) = (bytes, count)
    (self.placesStart, self.answerStart) = (placesStart, answerStart)
    for index in 0..<count {
      guard (paths..<placesStart).contains(pathStart(index)) else { return nil }
    }
  }

  var answer: [UInt8] {
    get { Array(bytes[answerStart...]) }
    set {
      bytes.replaceSubrange(answerStart..., with: newValue)
      seal()
    }
  }

  /// The places of pixels in the archive; nil if the run stored none.
  var places: StoredPlaces? {
    bytes.withUnsafeBytes { bytes in
      var reader = RecordReader(UnsafeRawBufferPointer(rebasing: bytes[placesStart..<answerStart]))
      var words: [UInt32] = []
      words.reserveCapacity((answerStart - placesStart) / 4)
      while let word = try? reader.word() { words.append(word) }
      return StoredPlaces(words)
    }
  }

  func row(_ index: Int) -> RecordRow {
    RecordRow(bytes, at: RunRecord.headSize + index * RunRecord.rowSize)
  }

  /// Returns the offset of a row's path in the record, without reading the rest of the row.
  func pathStart(_ index: Int) -> Int {
    RecordRow.pathStart(bytes, at: RunRecord.headSize + index * RunRecord.rowSize)
  }

  func path(of row: RecordRow) -> ByteString {
    ByteString(bytes: Array(bytes[row.path...].prefix { $0 != 0 }))
  }

  mutating func replace(_ rows: [(index: Int, row: RecordRow)]) {
    for (index, row) in rows {
      var fresh: [UInt8] = []
      row.append(to: &fresh)
      let start = RunRecord.headSize + index * RunRecord.rowSize
      bytes.replaceSubrange(start..<start + RunRecord.rowSize, with: fresh)
    }
    seal()
  }

  private mutating func seal() {
    bytes.replace(number: RunRecord.checksum(bytes), at: 8)
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt64 {
    bytes.withUnsafeBytes { all in
      CacheFile.checksum(UnsafeRawBufferPointer(rebasing: all[16...]))
    }
  }
}

/// One path in a record.
struct RecordRow: Sendable {
  var kind: Observation.Kind?
  var identity: FileIdentity
  /// The digest; nil if it was not made. The identity then decides alone whether the file changed.
  var digest: Digest128?
  var isSettled: Bool
  /// The offset of its path in the record.
  let path: Int

  init(_ observation: Observation, path: Int) {
    kind = observation.kind
    identity =
      observation.identity
      ?? FileIdentity(device: 0, inode: 0, size: 0, modified: 0, changed: 0)
    digest = observation.digest
    isSettled = observation.isSettled
    self.path = path
  }

  /// Reads a row at an offset that is known to be valid.
  init(_ bytes: [UInt8], at start: Int) {
    func number(_ index: Int) -> UInt64 { bytes.number(at: start + 8 * index) }
    identity = FileIdentity(
      device: number(0), inode: number(1), size: number(2),
      modified: Int64(bitPattern: number(3)), changed: Int64(bitPattern: number(4)))
    let last = number(7)
    digest = last >> 41 & 1 == 1 ? nil : Digest128(first: number(5), second: number(6))
    path = RecordRow.pathStart(bytes, at: start)
    kind = Observation.Kind(rawValue: UInt8(last >> 32 & 0xFF))
    isSettled = last >> 40 & 1 == 1
  }

  static func pathStart(_ bytes: [UInt8], at start: Int) -> Int {
    Int(bytes.number(at: start + 56) & 0xFFFF_FFFF)
  }

  func append(to bytes: inout [UInt8]) {
    let kind = UInt64((self.kind ?? .absent).rawValue)
    for number in [
      identity.device, identity.inode, identity.size, UInt64(bitPattern: identity.modified),
      UInt64(bitPattern: identity.changed), digest?.first ?? 0, digest?.second ?? 0,
      UInt64(path) | kind << 32 | (isSettled ? 1 << 40 : 0) | (digest == nil ? 1 << 41 : 0),
    ] { bytes.append(number: number) }
  }
}

// MARK: - Observations

// The state of one path as a compilation saw it, and the comparison with its state now.

/// A path that a result depends on, or that a run has written.
package struct Observation: Sendable {
  /// The part of the path's state that was read. The digest is made from it.
  package enum Kind: UInt8, Sendable {
    /// All bytes of a file.
    case file
    /// The names in a folder, with the kind of each.
    case folder
    /// The kind of the file or folder, and its size.
    case entry
    /// The path without links.
    case realPath
    /// The path did not exist.
    case absent
  }

  var kind: Kind
  var path: ByteString
  /// The identity; nil if the path does not exist, or if its identity does not matter.
  var identity: FileIdentity?
  /// The digest; nil for an output of a run that was not digested.
  var digest: Digest128?
  /// Whether an equal identity proves that the file is unchanged. Otherwise its bytes are compared.
  var isSettled = false
}

extension Observation.Kind {
  /// Whether the identity of a path can prove that it is unchanged.
  var hasIdentity: Bool { self == .file || self == .folder || self == .entry }

  /// Returns the digest of the current state; nil if the path cannot be read.
  func digest(of path: ByteString, in tree: FileTree) -> Digest128? {
    switch self {
    case .file: (try? tree.read(path, FileLimit.source)).map(Digest128.init(ofBytes:))
    case .folder: (try? tree.list(path)).map(Digest128.init(ofEntries:))
    case .entry: (try? tree.status(path)).map { Digest128(ofEntry: $0) }
    case .realPath: (try? tree.realPath(path)).map { Digest128(ofBytes: $0.bytes) }
    case .absent: isAbsent(path, in: tree) ? Digest128(first: 0, second: 0) : nil
    }
  }

  private func isAbsent(_ path: ByteString, in tree: FileTree) -> Bool {
    do throws(FileError) {
      _ = try tree.status(path)
      return false
    } catch {
      return error.saysAbsent
    }
  }
}

extension FileError {
  /// Whether the path does not exist. After other errors it is unknown.
  var saysAbsent: Bool { self == .notFound || self == .notAFolder }
}

extension Digest128 {
  /// Creates the digest of the bytes that `read` passes on piece by piece; nil if it fails.
  init?(reading read: ((UnsafeRawBufferPointer) -> Void) -> Bool) {
    var digest = BLAKE2b()
    guard read({ digest.add($0) }) else { return nil }
    self = digest.digest()
  }

  /// Creates the digest of a folder's list. Sizes are left out, because they belong to the files.
  init(ofEntries entries: [FileEntry]) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(entries.count * 48)
    for entry in entries { entry.append(to: &bytes) }
    self.init(ofBytes: bytes)
  }

  init(ofEntry entry: FileEntry) {
    var bytes: [UInt8] = []
    bytes.append(number: UInt64(entry.size))
    entry.append(to: &bytes)
    self.init(ofBytes: bytes)
  }
}

extension FileEntry {
  fileprivate func append(to bytes: inout [UInt8]) {
    bytes.append(number: UInt64(name.count))
    name.append(to: &bytes)
    let number: UInt64 =
      switch kind {
      case .file: 0
      case .folder: 1
      case .other: 2
      case .nowhere: 3
      }
    bytes.append(number: number << 1 | (isLink ? 1 : 0))
  }
}

// MARK: - Comparison with the disk

// Checks whether all paths of a record are unchanged. The times of a file decide whether its bytes
// are read; the bytes decide whether it changed.

/// The paths that changed since an earlier run. The check ends early, so there can be more of them.
package struct PathChanges: Sendable {
  package var count: Int
  /// The first of the paths, in the order of the record.
  package var first: ByteString

  init?(_ rows: [Int], in record: RunRecord) {
    guard let first = rows.min() else { return nil }
    (count, self.first) = (rows.count, record.path(of: record.row(first)))
  }
}

/// The result of checking a record.
enum RecordCheck: Sendable {
  /// The paths in these rows were added or removed, or are of another kind, or files changed.
  case changed([Int], UnchangedRows)
  /// Only the bytes of the files in these rows changed. The record has the new times of the other
  /// files.
  case files([Int], RunRecord, UnchangedRows)
  /// Nothing changed. If files have other times than before, the record with the new times.
  case unchanged(RunRecord?)
}

/// The rows of a record whose paths have the identity of their row, which proves that they are
/// unchanged.
struct UnchangedRows: Sendable {
  fileprivate var areUnchanged: [Bool]

  static let none = UnchangedRows(areUnchanged: [])

  func contains(_ row: Int) -> Bool { row < areUnchanged.count && areUnchanged[row] }
}

extension RunRecord {
  /// Compares the rows with the disk. If `comparesContents` is true, the bytes of every file are
  /// compared.
  func check(comparesContents: Bool, jobs: Int) -> RecordCheck {
    let start = FileIdentity.now()
    let isSmall = count < 4_000
    let size = isSmall ? max(1, count) : 1_000
    let rows = count
    let scans = parallelMap(
      (0..<(rows + size - 1) / size).map { $0 * size..<min(rows, ($0 + 1) * size) },
      jobs: isSmall ? 1 : jobs
    ) { scan($0, comparesContents) }
    var files = scans.flatMap(\.files)
    let doubtful = scans.flatMap(\.doubtful)
    let changed = scans.flatMap(\.changed)
    if doubtful.isEmpty, files.isEmpty, changed.isEmpty { return .unchanged(nil) }
    var unchanged = UnchangedRows(areUnchanged: [Bool](repeating: true, count: count))
    for index in files + doubtful + changed { unchanged.areUnchanged[index] = false }
    if !changed.isEmpty { return .changed(files + changed, unchanged) }
    let again = parallelMap(doubtful, jobs: doubtful.count < 16 ? 1 : jobs) { index in
      (index: index, found: compared(index, since: start))
    }
    var fresh: [(index: Int, row: RecordRow)] = []
    for (index, found) in again {
      switch found {
      case .changed: return .changed(files + [index], unchanged)
      case .file: files.append(index)
      case .same(let row):
        unchanged.areUnchanged[index] = row.isSettled
        let known = self.row(index)
        if row.identity != known.identity || row.isSettled != known.isSettled {
          fresh.append((index, row))
        }
      }
    }
    if fresh.isEmpty, files.isEmpty { return .unchanged(nil) }
    var copy = self
    if !fresh.isEmpty { copy.replace(fresh) }
    return files.isEmpty ? .unchanged(copy) : .files(files.sorted(), copy, unchanged)
  }

  private struct RowScan: Sendable {
    /// The rows of paths that were added or removed, or are of another kind.
    var changed: [Int] = []
    /// The rows of files that have another size.
    var files: [Int] = []
    /// The rows whose state the times do not decide.
    var doubtful: [Int] = []
  }

  private enum Comparison: Sendable {
    case changed, file
    case same(RecordRow)
  }

  private func scan(_ range: Range<Int>, _ comparesContents: Bool) -> RowScan {
    var scan = RowScan()
    bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else { return }
      for index in range {
        let row = row(index)
        // The path is followed by a zero byte inside of the record.
        let now = row.kind == .realPath ? nil : FileIdentity(path: base + row.path)
        switch row.kind {
        case nil:
          scan.changed.append(index)
        case .realPath:
          scan.doubtful.append(index)
        case .absent:
          // The identity is also nil if the path cannot be read. The comparison decides.
          if now == nil { scan.doubtful.append(index) } else { scan.changed.append(index) }
        case .file, .folder, .entry:
          if now == nil {
            scan.changed.append(index)
          } else if row.kind == .file, now?.size != row.identity.size {
            scan.files.append(index)
          } else if comparesContents || !row.isSettled || now != row.identity {
            scan.doubtful.append(index)
          }
        }
      }
    }
    return scan
  }

  /// Reads the path and compares it with its row. If it is unchanged, returns the row with the
  /// current times.
  private func compared(_ index: Int, since start: Int64) -> Comparison {
    var row = row(index)
    let path = path(of: row)
    guard let kind = row.kind, let known = row.digest else { return .changed }
    let before = kind.hasIdentity ? FileIdentity(path) : nil
    guard let digest = kind.digest(of: path, in: .disk) else { return .changed }
    guard digest == known else { return kind == .file ? .file : .changed }
    guard kind.hasIdentity else { return .same(row) }
    guard let before, before == FileIdentity(path) else { return .changed }
    row.identity = before
    row.isSettled = before.isSettled(at: start)
    return .same(row)
  }
}
