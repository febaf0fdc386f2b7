// Records the inputs of a compilation: a tree that passes on all reads, and remembers the paths
// (each as a number) and their contents. If a file changes during the run, there is no record; the
// run itself is not affected.

import Bytes
import Host
import Synchronization

package final class InputRecorder: Sendable {
  fileprivate struct SeenPath: Sendable {
    /// The identity before the first read.
    var identity: FileIdentity?
    var kind: Observation.Kind
    /// The digest of the contents; nil if a file was read only in part.
    var digest: Digest128?
    /// Whether identity and digest are those of the earlier run. Only an unchanged path has both,
    /// so they need not be compared again.
    var isOfEarlierRun = false
  }

  /// The state of a path before it is read.
  private struct KnownPath: Sendable {
    var identity: FileIdentity?
    /// The digest if the path is unchanged since the earlier run.
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
  private let earlier: EarlierRun?
  /// The time when recording began. A file that changed later can have changed between two reads.
  private let start = FileIdentity.now()

  /// Creates a recorder of the reads of a tree. If the earlier run knows the digest of an unchanged
  /// file, the file need not be read.
  package init(_ tree: FileTree, after earlier: EarlierRun? = nil) {
    (self.tree, self.earlier) = (tree, earlier)
  }

  /// The tree that the compiler must use in place of `tree`.
  package var watchedTree: FileTree {
    var watched = tree.observed(
      before: { self.known($0) }, after: { self.remember($0, $1, $2) })
    watched.digest = { self.digest(of: $0) }
    if let earlier {
      let list = watched.list
      watched.list = { (folder) throws(FileError) in
        guard let (entries, row) = earlier.entries(of: folder) else { return try list(folder) }
        self.remember(folder, SeenPath(row))
        return entries
      }
    }
    return watched
  }

  private func known(_ path: ByteString) -> KnownPath {
    let seen = state.withLock { state in
      state.numbers[path].flatMap { state.seenPaths[$0].identity }
    }
    if let seen { return KnownPath(identity: seen) }
    guard let row = earlier?.unchangedRow(of: path) else {
      return KnownPath(identity: FileIdentity(path))
    }
    return KnownPath(identity: row.identity, digest: row.digest)
  }

  /// Returns the digest of a file that was read, or that did not change since the earlier run. If
  /// any file had other bytes at another read, it is unknown which of them a caller has.
  private func digest(of path: ByteString) -> Digest128? {
    let (isInvalid, seen) = state.withLock { state in
      (state.isInvalid, state.numbers[path].map { state.seenPaths[$0] })
    }
    if isInvalid { return nil }
    if let digest = seen?.digest { return seen?.kind == .file ? digest : nil }
    guard let earlier else { return nil }
    if seen == nil, let row = earlier.unchangedRow(of: path), row.kind == .file {
      remember(path, SeenPath(row))
      return row.digest
    }
    guard let identity = seen?.identity ?? FileIdentity(path),
      let digest = earlier.digest(of: path, identity)
    else { return nil }
    remember(path, SeenPath(identity: identity, kind: .file, digest: digest, isOfEarlierRun: true))
    return digest
  }

  private func remember(_ path: ByteString, _ known: KnownPath, _ answer: FileAnswer) {
    func found(_ kind: Observation.Kind, _ digest: Digest128?) {
      remember(
        path,
        SeenPath(
          identity: known.identity, kind: kind, digest: digest,
          isOfEarlierRun: digest != nil && digest == known.digest))
    }
    switch answer {
    case .list(.success(let entries)):
      found(.folder, Digest128(ofEntries: entries))
      // The target of a link can change without a change in the folder.
      for entry in entries where entry.isLink {
        _ = try? watchedTree.status(joined(path, entry.name))
      }
    case .status(.success(let entry)): found(.entry, Digest128(ofEntry: entry))
    case .read(.success(let bytes)): found(.file, Digest128(ofBytes: bytes))
    case .readPart(_, _, .success): found(.file, nil)
    case .realPath(.success(let real)):
      // A path that has a real path has a status, unless it disappears meanwhile.
      guard let entry = try? tree.status(path) else { return invalidate() }
      found(.entry, Digest128(ofEntry: entry))
      let digest = Digest128(ofBytes: real.bytes)
      state.withLock { $0.realPaths[path] = digest }
    case .list(.failure(let error)), .status(.failure(let error)), .read(.failure(let error)),
      .readPart(_, _, .failure(let error)), .realPath(.failure(let error)):
      guard error.saysAbsent else { return invalidate() }
      remember(
        path, SeenPath(identity: nil, kind: .absent, digest: Digest128(first: 0, second: 0)))
    }
  }

  private func invalidate() { state.withLock { $0.isInvalid = true } }

  private func remember(_ path: ByteString, _ seenPath: SeenPath) {
    var seenPath = seenPath
    state.withLock { state in
      let number = state.numbers.number(of: path)
      if number == state.seenPaths.count {
        state.seenPaths.append(seenPath)
        return
      }
      let known = state.seenPaths[number]
      seenPath.isOfEarlierRun = known.isOfEarlierRun && seenPath.isOfEarlierRun
      state.seenPaths[number].isOfEarlierRun = seenPath.isOfEarlierRun
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
    let (tree, earlier, start) = (tree, earlier, start)
    let rows = parallelMap(order, jobs: jobs) { number -> Observation? in
      let (path, seenPath) = (paths[number], seen.seenPaths[number])
      var digest = seenPath.digest
      // Only the beginning was read of pictures that are not compiled.
      if digest == nil {
        digest =
          seenPath.identity.flatMap { earlier?.digest(of: path, $0) }
          ?? seenPath.kind.digest(of: path, in: tree)
      }
      // If a path of the earlier run changes now, its identity is no longer that of the record.
      guard let digest, seenPath.isOfEarlierRun || FileIdentity(path) == seenPath.identity,
        !path.contains(0)
      else { return nil }
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

extension InputRecorder.SeenPath {
  /// The state of a path that is unchanged since the earlier run.
  fileprivate init(_ row: RecordRow) {
    self.init(
      identity: row.identity, kind: row.kind ?? .absent, digest: row.digest, isOfEarlierRun: true)
  }
}

// MARK: - Numbers of paths

// Numbers for paths, in a hash table of 32-bit numbers that lead to the paths: a catalogue has tens
// of thousands of them. 40,000 paths and the table take 1.0 MB; with a dictionary in place of the
// table they take 2.4 MB, and finding their numbers takes 1.5 times as long.

/// Paths in the order in which they were added, each once.
struct PathNumbers: Sendable {
  private(set) var paths: [ByteString] = []
  /// The hash table: for each slot the number of its path plus 1, or 0 if the slot is free. Its
  /// size is a power of two, and at most three quarters of the slots are used.
  private var slots = [UInt32](repeating: 0, count: 64)

  init() {}

  /// Creates the numbers of paths that differ: each has its index.
  init(of paths: some Collection<ByteString>) {
    var size = slots.count
    while size * 3 < paths.count * 4 { size *= 2 }
    slots = [UInt32](repeating: 0, count: size)
    self.paths.reserveCapacity(paths.count)
    for path in paths { _ = number(of: path) }
  }

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
