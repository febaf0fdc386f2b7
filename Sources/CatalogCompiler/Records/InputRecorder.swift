// Records the inputs of a compilation: a tree that passes on all reads, and remembers the paths
// (each as a number) and their contents. If a file changes during the run, there is no record; the
// run itself is not affected.

import Bytes
import Host
import Synchronization

package final class InputRecorder: Sendable {
  private struct SeenPath: Sendable {
    /// The identity before the first read.
    var identity: FileIdentity?
    var kind: Observation.Kind
    /// The digest of the contents; nil if a file was read only in part.
    var digest: Digest128?
  }

  private struct State: Sendable {
    var numbers = PathNumbers()
    /// The observation of each path, by the number of the path.
    var seenPaths: [SeenPath] = []
    var realPaths: [ByteString: Digest128] = [:]
    var isInvalid = false
  }

  private let state = Mutex(State())
  private let tree: FileTree
  /// The time when recording began. A file that changed later can have changed between two reads.
  private let start = FileIdentity.now()

  package init(_ tree: FileTree) { self.tree = tree }

  /// The tree that the compiler must use in place of `tree`.
  package var watchedTree: FileTree {
    FileTree(
      list: { (folder) throws(FileError) in try self.list(folder) },
      status: { (path) throws(FileError) in
        try self.look(at: path, .entry) { (tree) throws(FileError) in
          let entry = try tree.status(path)
          return (entry, Digest128(ofEntry: entry))
        }
      },
      read: { (path, limit) throws(FileError) in
        try self.look(at: path, .file) { (tree) throws(FileError) in
          let bytes = try tree.read(path, limit)
          return (bytes, Digest128(ofBytes: bytes))
        }
      },
      readPart: { (path, offset, count) throws(FileError) in
        try self.look(at: path, .file) { (tree) throws(FileError) in
          (try tree.readPart(path, offset, count), nil)
        }
      },
      realPath: { (path) throws(FileError) in
        let real = try self.look(at: path, .entry) { (tree) throws(FileError) in
          (try tree.realPath(path), try Digest128(ofEntry: tree.status(path)))
        }
        let digest = Digest128(ofBytes: real.bytes)
        self.state.withLock { $0.realPaths[path] = digest }
        return real
      })
  }

  private func list(_ folder: ByteString) throws(FileError) -> [FileEntry] {
    let entries = try look(at: folder, .folder) { (tree) throws(FileError) in
      let entries = try tree.list(folder)
      return (entries, Digest128(ofEntries: entries))
    }
    // The target of a link can change without a change in the folder.
    for entry in entries where entry.isLink {
      let path = joined(folder, entry.name)
      _ = try? watchedTree.status(path)
    }
    return entries
  }

  private func look<Result>(
    at path: ByteString, _ kind: Observation.Kind,
    _ body: (FileTree) throws(FileError) -> (Result, Digest128?)
  ) throws(FileError) -> Result {
    let known = state.withLock { state in
      state.numbers[path].flatMap { state.seenPaths[$0].identity }
    }
    let identity = known ?? FileIdentity(path)
    do throws(FileError) {
      let (result, digest) = try body(tree)
      remember(path, SeenPath(identity: identity, kind: kind, digest: digest))
      return result
    } catch {
      if error.saysAbsent {
        remember(
          path, SeenPath(identity: nil, kind: .absent, digest: Digest128(first: 0, second: 0)))
      } else {
        state.withLock { $0.isInvalid = true }
      }
      throw error
    }
  }

  private func remember(_ path: ByteString, _ seenPath: SeenPath) {
    state.withLock { state in
      let number = state.numbers.number(of: path)
      if number == state.seenPaths.count {
        state.seenPaths.append(seenPath)
        return
      }
      let known = state.seenPaths[number]
      if (known.kind == .absent) != (seenPath.kind == .absent) { state.isInvalid = true }
      if known.kind == seenPath.kind {
        if known.digest == nil { state.seenPaths[number] = seenPath }
        if let a = known.digest, let b = seenPath.digest, a != b { state.isInvalid = true }
      } else if known.kind == .entry {
        // The bytes of a file and the names in a folder prove more than an entry does.
        state.seenPaths[number] = seenPath
      } else if seenPath.kind != .entry {
        state.isInvalid = true
      }
    }
  }

  /// Returns the observations in the order of the paths; nil if a path changed since it was first
  /// read, or if it could not be read.
  package func observations(jobs: Int) -> [Observation]? {
    let seen = state.withLock { $0 }
    if seen.isInvalid { return nil }
    let paths = seen.numbers.paths
    let order = paths.indices.sorted {
      paths[$0] < paths[$1]
    }
    let (tree, start) = (tree, start)
    let rows = parallelMap(order, jobs: jobs) { number -> Observation? in
      let (path, seenPath) = (paths[number], seen.seenPaths[number])
      var digest = seenPath.digest
      // Only the beginning was read of pictures that are not compiled.
      if digest == nil { digest = seenPath.kind.digest(of: path, in: tree) }
      guard let digest, FileIdentity(path) == seenPath.identity, !path.contains(0) else {
        return nil
      }
      return Observation(
        kind: seenPath.kind, path: path, identity: seenPath.identity, digest: digest,
        isSettled: seenPath.identity?.isSettled(at: start) ?? false)
    }
    let links = seen.realPaths.sorted { $0.key < $1.key }.map {
      Observation(kind: .realPath, path: $0.key, digest: $0.value)
    }
    let whole = rows.compactMap { $0 }
    return whole.count == order.count ? whole + links : nil
  }
}

// MARK: - Numbers of paths

// Numbers for paths, in a compact table, because a catalogue has tens of thousands of paths.

/// Paths in the order in which they were added, each once.
struct PathNumbers: Sendable {
  private(set) var paths: [ByteString] = []
  /// The hash table: for each slot the number of its path plus 1, or 0 if the slot is free. Its
  /// size is a power of two, and at most three quarters of the slots are used.
  private var slots = [UInt32](repeating: 0, count: 64)

  /// The number of a path; nil if the path was not added.
  subscript(path: ByteString) -> Int? {
    let number = slots[slot(of: path)]
    return number == 0 ? nil : Int(number) - 1
  }

  /// Returns the number of a path, and adds the path if it is new. Numbers count from 0.
  mutating func number(of path: ByteString) -> Int {
    let slot = slot(of: path)
    if slots[slot] != 0 { return Int(slots[slot]) - 1 }
    paths.append(path)
    slots[slot] = UInt32(paths.count)
    if paths.count * 4 > slots.count * 3 { grow() }
    return paths.count - 1
  }

  /// Returns the slot of the path, or the free slot for it.
  private func slot(of path: ByteString) -> Int {
    let mask = slots.count - 1
    var slot = path.hashValue & mask
    while slots[slot] != 0, paths[Int(slots[slot]) - 1] != path { slot = (slot + 1) & mask }
    return slot
  }

  private mutating func grow() {
    slots = [UInt32](repeating: 0, count: slots.count * 2)
    for (number, path) in paths.enumerated() { slots[slot(of: path)] = UInt32(number) + 1 }
  }
}
