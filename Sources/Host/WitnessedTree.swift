// A tree that remembers the first failure of the system. A caller may treat an error as "the file
// does not exist" if that suffices for it. But a run must not succeed because of such an error, so
// it checks the tree before it puts its outputs in place.

import Bytes
import Synchronization

package final class WitnessedTree: Sendable {
  /// A path that could not be read, and the reason.
  package struct Trouble: Sendable, Hashable {
    package var path: ByteString
    package var error: FileError
  }

  private let base: FileTree
  private let first = Mutex<Trouble?>(nil)

  package init(_ base: FileTree) { self.base = base }

  /// The first failure; nil if no call failed.
  package var trouble: Trouble? { first.withLock { $0 } }

  /// The tree that callers must read instead of the base tree.
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

  /// Returns whether an error tells nothing about the file at the path. If the file is not found
  /// but exists at the next look, it is being replaced.
  private func isFailure(_ error: FileError, at path: ByteString) -> Bool {
    switch error {
    case .failed, .notPermitted: true
    case .notFound: (try? base.status(path)) != nil
    default: false
    }
  }
}
