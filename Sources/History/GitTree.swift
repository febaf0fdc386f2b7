// The catalogues of a commit as a tree of files. The compiler reads it in place of the disk.

import Bytes
import Host
import Synchronization

/// The catalogues of a commit, by the ids of their folders.
struct GitTree: Sendable, Hashable {
  /// A catalogue: its path below the top of the repository, and its id.
  struct Root: Sendable, Hashable {
    var path: ByteString
    var id: ByteString
  }

  /// The catalogues that the commit has.
  var roots: [Root]

  /// Returns the tree. Links are followed if their targets lie in the catalogues: then equal ids
  /// mean equal files.
  func files(in repository: GitRepository) -> FileTree {
    let reader = GitTreeReader(roots: roots, repository: repository)
    return FileTree(
      list: { (folder) throws(FileError) in try reader.list(folder) },
      status: { (path) throws(FileError) in try reader.status(path) },
      read: { (path, limit) throws(FileError) in try reader.read(path, limit) },
      readPart: { (path, offset, count) throws(FileError) in
        let bytes = try reader.read(path, FileLimit.source)
        return FilePart(
          bytes: Array(bytes.dropFirst(offset).prefix(count)), fileSize: bytes.count)
      },
      realPath: { (path) throws(FileError) in try reader.found(path).path })
  }
}

private final class GitTreeReader: Sendable {
  private let roots: [GitTree.Root]
  private let repository: GitRepository
  /// The bytes of the targets of links that were followed, and 64 for each link.
  private let followedBytes = Atomic<Int>(0)

  private static let longestTarget = 4096
  /// The number of these bytes that one commit may have. Git keeps long targets in few bytes, and
  /// each of many links can lead through others.
  private static let mostFollowedBytes = 16 << 20

  init(roots: [GitTree.Root], repository: GitRepository) {
    (self.roots, self.repository) = (roots, repository)
  }

  /// A file or a folder, after following links.
  struct Found {
    var path: ByteString
    var entry: GitEntry
    /// Whether a link was followed.
    var isBehindLink = false
  }

  func list(_ folder: ByteString) throws(FileError) -> [FileEntry] {
    let found = try found(folder)
    guard found.entry.kind == .folder else { throw .notAFolder }
    let inner = try entries(of: found.entry.id).values.sorted { $0.name < $1.name }
    let files = inner.filter { $0.kind == .file }.map(\.id)
    // The sizes of all files are asked for at once.
    _ = try sizes(of: files)
    var entries: [FileEntry] = []
    for entry in inner {
      if entry.kind == .link {
        let target = try? status(joined(found.path, entry.name))
        entries.append(
          FileEntry(
            name: entry.name, kind: target?.kind ?? .nowhere, size: target?.size ?? 0, isLink: true)
        )
      } else {
        entries.append(try self.entry(entry))
      }
    }
    return entries
  }

  func status(_ path: ByteString) throws(FileError) -> FileEntry {
    let found = try found(path)
    var entry = try entry(found.entry)
    entry.name = lastComponent(path)
    entry.isLink = found.isBehindLink
    return entry
  }

  func read(_ path: ByteString, _ limit: Int) throws(FileError) -> [UInt8] {
    let entry = try found(path).entry
    guard entry.kind == .file else { throw .notAFile }
    let size = try sizes(of: [entry.id])[0]
    if size > limit { throw .tooLarge(size: size, limit: limit) }
    return try repository.bytes(of: entry.id)
  }

  private func entry(_ entry: GitEntry) throws(FileError) -> FileEntry {
    switch entry.kind {
    case .file:
      let size = try sizes(of: [entry.id])[0]
      return FileEntry(name: entry.name, kind: .file, size: size)
    case .folder: return FileEntry(name: entry.name, kind: .folder)
    case .link, .module: return FileEntry(name: entry.name, kind: .other)
    }
  }

  /// Follows a path from its catalogue.
  func found(_ path: ByteString) throws(FileError) -> Found {
    if path.isEmpty || path.contains(0) { throw .invalidName }
    if !path.isUTF8 { throw .pathIsNotUTF8 }
    var path = path
    for links in 0...FileTree.mostLinks {
      switch try step(through: path) {
      case .found(let real, let entry):
        return Found(path: real, entry: entry, isBehindLink: links > 0)
      case .link(let target): path = target
      }
    }
    throw .linkLoop
  }

  private enum Step {
    case found(ByteString, GitEntry)
    /// The path with the first link replaced by its target.
    case link(ByteString)
  }

  private func step(through path: ByteString) throws(FileError) -> Step {
    guard let root = roots.first(where: { path == $0.path || path.isInside($0.path) }) else {
      throw .notFound
    }
    var (walked, entry) = (root.path, GitEntry(name: root.path, kind: .folder, id: root.id))
    var names = (path.relative(to: root.path) ?? "").components[...]
    while let name = names.popFirst() {
      guard entry.kind == .folder else { throw .notAFolder }
      guard let next = try entries(of: entry.id)[name] else { throw .notFound }
      if next.kind == .link {
        guard try sizes(of: [next.id])[0] <= GitTreeReader.longestTarget else { throw .notFound }
        let target = ByteString(bytes: try repository.bytes(of: next.id))
        let all = followedBytes.wrappingAdd(64 + target.count, ordering: .relaxed).newValue
        if all > GitTreeReader.mostFollowedBytes { throw repository.noted(.tooManyLinks) }
        return .link(try followed(target, from: walked, then: names))
      }
      (walked, entry) = (joined(walked, name), next)
    }
    return .found(walked, entry)
  }

  /// Returns the path to which a link in a folder leads.
  private func followed(
    _ target: ByteString, from folder: ByteString, then rest: ArraySlice<ByteString>
  ) throws(FileError) -> ByteString {
    if target.isAbsolute { throw .notFound }
    var parts = folder.components
    for part in target.components + rest where part != "." {
      if part != ".." {
        parts.append(part)
      } else if parts.popLast() == nil {
        throw .notFound
      }
    }
    return parts.joined(separator: "/")
  }

  // MARK: Objects

  private func entries(of folder: ByteString) throws(FileError) -> [ByteString: GitEntry] {
    do throws(GitError) { return try repository.entries(of: folder) } catch {
      throw repository.noted(error)
    }
  }

  private func sizes(of files: [ByteString]) throws(FileError) -> [Int] {
    do throws(GitError) { return try repository.sizes(of: files) } catch {
      throw repository.noted(error)
    }
  }
}
