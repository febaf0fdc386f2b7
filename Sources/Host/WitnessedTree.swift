// A tree that remembers where the system failed. Callers may take an error for "nothing is there" where that is
// all they need; a run must not succeed if that was wrong, and asks here before it puts its outputs in place.

import Bytes
import Synchronization

package final class WitnessedTree: Sendable {
  /// A path that could not be read, and why.
  package struct Trouble: Sendable, Hashable {
    package var path: ByteString
    package var error: FileError
  }

  private let base: FileTree
  private let first = Mutex<Trouble?>(nil)

  package init(_ base: FileTree) { self.base = base }

  /// The first failure; nil if the system answered every question.
  package var trouble: Trouble? { first.withLock { $0 } }

  /// The tree to read instead.
  package var tree: FileTree {
    FileTree(
      list: { (path) throws(FileError) in
        try self.witness(path) { () throws(FileError) in try self.base.list(path) }
      },
      status: { (path) throws(FileError) in
        try self.witness(path) { () throws(FileError) in try self.base.status(path) }
      },
      read: { (path, limit) throws(FileError) in
        try self.witness(path) { () throws(FileError) in try self.base.read(path, limit) }
      },
      readPart: { (path, offset, count) throws(FileError) in
        try self.witness(path) { () throws(FileError) in
          try self.base.readPart(path, offset, count)
        }
      },
      realPath: { (path) throws(FileError) in
        try self.witness(path) { () throws(FileError) in try self.base.realPath(path) }
      })
  }

  private func witness<Result>(
    _ path: ByteString, _ look: () throws(FileError) -> Result
  ) throws(FileError) -> Result {
    do throws(FileError) {
      return try look()
    } catch {
      if isFailure(error, at: path) {
        first.withLock { $0 = $0 ?? Trouble(path: path, error: error) }
      }
      throw error
    }
  }

  /// Whether an error says nothing about what is at the path. A file that is not there now and there at the
  /// next look is being replaced.
  private func isFailure(_ error: FileError, at path: ByteString) -> Bool {
    switch error {
    case .failed, .notPermitted: true
    case .notFound: (try? base.status(path)) != nil
    default: false
    }
  }
}
