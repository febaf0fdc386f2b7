// Checks whether all paths of a record are unchanged. The times of a file decide whether its bytes
// are read; the bytes decide whether it changed.

import Codecs
import Host
import Synchronization

/// The result of checking a record.
enum RecordCheck: Sendable {
  case changed
  /// Only the bytes of the files in these rows changed. The record has the new times of the other
  /// files.
  case files([Int], RunRecord)
  /// Nothing changed. If files have other times than before, the record with the new times.
  case unchanged(RunRecord?)
}

extension RunRecord {
  /// Compares the rows with the disk. If `comparesContents` is true, the bytes of every file are
  /// compared.
  func check(comparesContents: Bool, jobs: Int) -> RecordCheck {
    let start = FileIdentity.now()
    let isSmall = count < 4_000
    let size = isSmall ? max(1, count) : 1_000
    let rows = count
    let looks = parallelMap(
      (0..<(rows + size - 1) / size).map { $0 * size..<min(rows, ($0 + 1) * size) },
      jobs: isSmall ? 1 : jobs
    ) { look(at: $0, comparesContents) }
    if looks.contains(where: \.isChanged) { return .changed }
    var files = looks.flatMap(\.files)
    let doubtful = looks.flatMap(\.doubtful)
    if doubtful.isEmpty, files.isEmpty { return .unchanged(nil) }
    let again = parallelMap(doubtful, jobs: doubtful.count < 16 ? 1 : jobs) { index in
      (index: index, found: compared(index, since: start))
    }
    var fresh: [(index: Int, row: RecordRow)] = []
    for (index, found) in again {
      switch found {
      case .changed: return .changed
      case .file: files.append(index)
      case .same(let row):
        let known = self.row(index)
        if row.identity != known.identity || row.isSettled != known.isSettled {
          fresh.append((index, row))
        }
      }
    }
    if fresh.isEmpty, files.isEmpty { return .unchanged(nil) }
    var copy = self
    if !fresh.isEmpty { copy.replace(fresh) }
    return files.isEmpty ? .unchanged(copy) : .files(files.sorted(), copy)
  }

  private struct Look: Sendable {
    var isChanged = false
    /// The rows of files that have another size.
    var files: [Int] = []
    /// The rows whose state the times do not decide.
    var doubtful: [Int] = []
  }

  private enum Comparison: Sendable {
    case changed, file
    case same(RecordRow)
  }

  private func look(at range: Range<Int>, _ comparesContents: Bool) -> Look {
    var look = Look()
    bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else { return }
      for index in range {
        let row = row(index)
        // The path is followed by a zero byte inside of the record.
        let now = row.kind == .realPath ? nil : FileIdentity(path: base + row.path)
        switch row.kind {
        case nil:
          look.isChanged = true
        case .realPath:
          look.doubtful.append(index)
        case .absent:
          // The identity is also nil if the path cannot be read. The comparison decides.
          if now == nil { look.doubtful.append(index) } else { look.isChanged = true }
        case .file, .folder, .entry:
          if now == nil {
            look.isChanged = true
          } else if row.kind == .file, now?.size != row.identity.size {
            look.files.append(index)
          } else if comparesContents || !row.isSettled || now != row.identity {
            look.doubtful.append(index)
          }
        }
        if look.isChanged { return }
      }
    }
    return look
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
