// A tree that remembers the first failure of the system. A caller may treat an error as "the file
// does not exist" if that suffices for it. But a run must not succeed because of such an error, so
// it checks the tree before it puts its outputs in place.

import Bytes
import Synchronization

package final class WitnessedTree: Sendable {
  /// A path that could not be read, and the reason.
  package struct Failure: Sendable, Hashable {
    package var path: ByteString
    package var error: FileError
  }

  private let base: FileTree
  private let first = Mutex<Failure?>(nil)

  package init(_ base: FileTree) { self.base = base }

  /// The first failure; nil if no call failed.
  package var trouble: Failure? { first.withLock { $0 } }

  /// The tree that callers must read instead of the base tree.
  package var tree: FileTree {
    base.observed { path, answer in
      guard let error = answer.error, self.isFailure(error, at: path) else { return }
      // Hidden folders are left out; they are only listed to report sets in them.
      if case .list = answer, lastComponent(path).isHidden { return }
      self.first.withLock { $0 = $0 ?? Failure(path: path, error: error) }
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
