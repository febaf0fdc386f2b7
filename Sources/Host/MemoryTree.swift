// A tree of files in memory. Tests and other programs read it instead of the disk.

import Bytes

/// A file, a folder or a special file at a path ("A.xcassets/Contents.json").
package enum MemoryFile: Sendable, Hashable {
  case bytes([UInt8])
  /// A file of this size that contains zeros.
  case sparse(size: Int)
  case folder
  case link(to: ByteString)
  case unreadable
  case pipe
}

extension FileTree {
  /// Creates a tree. Folders that contain files need no entry of their own.
  package static func memory(_ files: [ByteString: MemoryFile]) -> FileTree {
    let store = MemoryStore(files)
    return FileTree(
      list: { (folder) throws(FileError) in try store.list(folder) },
      status: { (path) throws(FileError) in try store.entry(path) },
      read: { (path, limit) throws(FileError) in
        let size = try store.entry(path).size
        if size > limit { throw .tooLarge(size: size, limit: limit) }
        return try store.read(path, offset: 0, count: limit).bytes
      },
      readPart: { (path, offset, count) throws(FileError) in
        try store.read(path, offset: offset, count: count)
      },
      realPath: { (path) throws(FileError) in try store.resolved(path) })
  }
}

private struct MemoryStore: Sendable {
  private var files: [ByteString: MemoryFile] = [:]
  private var children: [ByteString: Set<ByteString>] = [:]
  /// Whether paths are absolute. In other trees, a path from the root is one from the folder.
  private let hasRoot: Bool

  init(_ files: [ByteString: MemoryFile]) {
    hasRoot = files.keys.contains { $0.hasPrefix("/") }
    for (path, file) in files {
      self.files[path] = file
      addFolders(above: path)
    }
  }

  private mutating func addFolders(above path: ByteString) {
    var path = path
    while path.contains(UInt8(ascii: "/")) {
      let name = lastComponent(path)
      let folder = path.dropLast(name.count + 1)
      children[folder, default: []].insert(name)
      if files[folder] == nil { files[folder] = .folder }
      path = folder
    }
  }

  /// Returns the path without links. Any part of it may be a link.
  func resolved(_ path: ByteString) throws(FileError) -> ByteString {
    if path.isEmpty || path.contains(0) { throw .invalidName }
    let root: ByteString = hasRoot && path.hasPrefix("/") ? "/" : ""
    var done = root
    var rest = path.components
    var steps = 0
    while !rest.isEmpty {
      let next = joined(done, rest.removeFirst())
      if case .link(let target)? = files[next] {
        steps += 1
        if steps > FileTree.mostLinks { throw .linkLoop }
        rest = target.components + rest
        done = root
      } else {
        done = next
      }
    }
    guard files[done] != nil else { throw .notFound }
    return done
  }

  func entry(_ path: ByteString) throws(FileError) -> FileEntry {
    let real = try resolved(path)
    var entry = FileEntry(name: lastComponent(path), kind: .file)
    if case .link? = files[path] { entry.isLink = true }
    switch files[real] {
    case .bytes(let bytes): entry.size = bytes.count
    case .sparse(let size): entry.size = size
    case .folder: entry.kind = .folder
    case .pipe: entry.kind = .other
    case .unreadable: entry.kind = children[real] == nil ? .file : .folder
    case .link, nil: throw .notFound
    }
    return entry
  }

  func list(_ folder: ByteString) throws(FileError) -> [FileEntry] {
    let real = try resolved(folder)
    if files[real] == .unreadable { throw .notPermitted }
    guard files[real] == .folder else { throw .notAFolder }
    let names = (children[real] ?? []).sorted()
    return names.map { name in
      (try? entry(joined(real, name))) ?? FileEntry(name: name, kind: .nowhere, isLink: true)
    }
  }

  func read(_ path: ByteString, offset: Int, count: Int) throws(FileError) -> FilePart {
    switch files[try resolved(path)] {
    case .bytes(let bytes):
      let start = min(max(0, offset), bytes.count)
      return FilePart(bytes: Array(bytes[start...].prefix(count)), fileSize: bytes.count)
    case .sparse(let size):
      let wanted = max(0, min(count, size - offset))
      return FilePart(bytes: [UInt8](repeating: 0, count: wanted), fileSize: size)
    case .unreadable: throw .notPermitted
    case .folder, .pipe: throw .notAFile
    case .link, nil: throw .notFound
    }
  }
}
