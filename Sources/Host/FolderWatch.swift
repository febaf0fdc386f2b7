// Folders of which changes are noticed: everything below some paths, by inotify.

import Bytes
import CPosix

/// What happened below watched paths.
package enum FolderNews: Sendable {
  case files
  /// Folders came, went or moved: what is watched has to be found anew.
  case folders
}

package struct FolderWatch: ~Copyable {
  /// Becomes readable when something changed.
  package let descriptor: Int32

  /// Watches each path: a folder with all below it, or the folder that a file is in. Nil where the
  /// system gives no watch.
  package init?(_ paths: [ByteString], in tree: FileTree) {
    descriptor = carve_watch_start()
    if descriptor < 0 { return nil }
    for path in paths {
      let isFolder = (try? tree.status(path).kind) == .folder
      add(isFolder ? path : OutputFile.folder(of: path), in: tree, isDeep: isFolder, depth: 0)
    }
  }

  /// Takes what happened since the last call.
  package borrowing func take() -> FolderNews? {
    switch carve_watch_take(descriptor) {
    case 0: nil
    case 1: .files
    default: .folders
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Deeper folders are not those of a catalogue.
  private static let mostDepth = 32

  private borrowing func add(_ folder: ByteString, in tree: FileTree, isDeep: Bool, depth: Int) {
    guard folder.withCString({ carve_watch_add(descriptor, $0) }) >= 0, isDeep,
      depth < FolderWatch.mostDepth
    else {
      return
    }
    for entry in (try? tree.list(folder)) ?? [] where entry.kind == .folder && !entry.isLink {
      add(joined(folder, entry.name), in: tree, isDeep: true, depth: depth + 1)
    }
  }
}
