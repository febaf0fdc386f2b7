// The files that Carve reads, as a value: the disk (DiskTree.swift), a tree in memory
// (MemoryTree.swift), or one that a module makes, such as a commit (GitTree.swift) or a catalogue
// of loose pictures. CatalogModel and the compiler reach files only through this value. It does not
// write.

import Bytes
import Glibc

/// The type of the file at a path, after following links.
package enum FileKind: Sendable, Hashable {
  case file, folder
  /// A device, a pipe or a socket. It is never opened.
  case other
  /// A link whose target does not exist, or that leads to itself.
  case nowhere
}

/// One name in a folder.
package struct FileEntry: Sendable, Hashable {
  package var name: ByteString
  package var kind: FileKind
  /// The size in bytes; 0 unless the entry is a file.
  package var size: Int
  package var isLink: Bool

  package init(name: ByteString, kind: FileKind, size: Int = 0, isLink: Bool = false) {
    self.name = name
    self.kind = kind
    self.size = size
    self.isLink = isLink
  }
}

/// A file operation that failed.
package enum FileError: Error, Sendable, Hashable {
  case notFound
  case notPermitted
  /// A folder, a device or a pipe is at the path, but a file is needed.
  case notAFile
  case notAFolder
  case tooLarge(size: Int, limit: Int)
  case linkLoop
  /// No file can have this name: it is empty or contains a NUL.
  case invalidName
  /// The path is not UTF-8. Such paths are refused.
  case pathIsNotUTF8
  case failed(errno: Int32)
  /// The tree contains only some of the files, and not this one.
  case notHeld
}

extension FileError {
  /// The reason, for the end of a sentence.
  package var reason: String {
    switch self {
    case .notFound: "No such file or directory"
    case .notPermitted: "permission is denied"
    case .notAFile: "it is not a file"
    case .notAFolder: "it is not a folder"
    case .tooLarge(let size, let limit): "it has \(size) bytes, but only \(limit) are allowed"
    case .linkLoop: "its links lead in a circle"
    case .invalidName: "no file can have this name"
    case .pathIsNotUTF8: "its path is not UTF-8"
    case .notHeld: "no object holds it; compile what belongs together into one object"
    case .failed(let number): String(cString: strerror(number))
    }
  }
}

/// The sizes in bytes of the largest files that are read, by the use of the file.
package enum FileLimit {
  /// A file of a catalogue, or another input of a run.
  package static let source = 1 << 30
  /// A Contents.json or icon.json. That of a real catalogue has some hundred kilobytes at most.
  package static let contents = 4 << 20
  /// The template of a symbol. A template with all drawings has some hundred kilobytes.
  package static let symbolTemplate = 16 << 20
  /// A picture of an icon or a launch screen, and a file whose copies are searched for.
  package static let picture = 256 << 20
  /// A PNG or JPEG file whose end is searched for.
  package static let searchedPicture = 64 << 20
  /// A property list, or a JSON file that is not compiled.
  package static let document = 16 << 20
  /// The sizes that an archive may have. An earlier report can serve as such a file.
  package static let budget = 64 << 20
  /// The log of a build.
  package static let buildLog = 1 << 30
  /// An entry of the cache.
  package static let cacheEntry = 1 << 30
  /// The secret of a remote cache.
  package static let secret = 64 << 10
}

/// The depths of folders in catalogues.
package enum FolderDepth {
  /// The depth from which on folders are not read. Assets lie at levels 3 to 6.
  package static let read = 32
  /// The greatest depth of the groups that Carve writes. Their sets, and the parts of these, lie
  /// deeper and have to be read.
  package static let written = 24
}

/// Functions that read folders and files.
package struct FileTree: Sendable {
  /// The greatest number of links in a chain, the same as the system's own.
  package static let mostLinks = 40

  /// Returns the names in a folder, sorted by their bytes. A name that is not UTF-8 is listed but
  /// cannot be opened.
  package var list: @Sendable (_ folder: ByteString) throws(FileError) -> [FileEntry]
  /// Returns the entry at a path, with links followed.
  package var status: @Sendable (_ path: ByteString) throws(FileError) -> FileEntry
  /// Returns the whole file. Fails if the file is larger than the limit.
  package var read: @Sendable (_ path: ByteString, _ limit: Int) throws(FileError) -> [UInt8]
  /// Returns at most `count` bytes of a file from an offset, and the size of the file.
  package var readPart:
    @Sendable (_ path: ByteString, _ offset: Int, _ count: Int) throws(FileError) -> FilePart
  /// Returns the path without links, "." and "..". It is equal for two paths that lead to the same
  /// file.
  package var realPath: @Sendable (_ path: ByteString) throws(FileError) -> ByteString
  /// Returns the digest of a file if the tree knows it without reading the file. A tree that
  /// records its reads computes digests.
  package var digest: @Sendable (_ path: ByteString) -> Digest128? = { _ in nil }

  package init(
    list: @escaping @Sendable (ByteString) throws(FileError) -> [FileEntry],
    status: @escaping @Sendable (ByteString) throws(FileError) -> FileEntry,
    read: @escaping @Sendable (ByteString, Int) throws(FileError) -> [UInt8],
    readPart: @escaping @Sendable (ByteString, Int, Int) throws(FileError) -> FilePart,
    realPath: @escaping @Sendable (ByteString) throws(FileError) -> ByteString
  ) {
    self.list = list
    self.status = status
    self.read = read
    self.readPart = readPart
    self.realPath = realPath
  }
}

extension FileTree {
  /// Returns whether something is at a path. Throws if the tree cannot tell.
  package func exists(_ path: ByteString) throws(FileError) -> Bool {
    do throws(FileError) {
      _ = try status(path)
      return true
    } catch {
      if error == .notFound { return false }
      throw error
    }
  }
}

/// Some bytes of a file.
package struct FilePart: Sendable, Hashable {
  package var bytes: [UInt8]
  package var fileSize: Int

  package init(bytes: [UInt8], fileSize: Int) {
    self.bytes = bytes
    self.fileSize = fileSize
  }
}

// MARK: - Observed trees

/// The answer to a call of a tree.
package enum FileAnswer: Sendable {
  case list(Result<[FileEntry], FileError>)
  case status(Result<FileEntry, FileError>)
  case read(Result<[UInt8], FileError>)
  case readPart(offset: Int, count: Int, Result<FilePart, FileError>)
  case realPath(Result<ByteString, FileError>)

  /// The error; nil if the call succeeded.
  package var error: FileError? {
    switch self {
    case .list(.failure(let error)), .status(.failure(let error)), .read(.failure(let error)),
      .readPart(_, _, .failure(let error)), .realPath(.failure(let error)):
      error
    case .list, .status, .read, .readPart, .realPath: nil
    }
  }
}

extension FileTree {
  /// Returns a tree with the same answers that calls `before` ahead of each call of this tree, and
  /// `after` with the result of `before` and the answer.
  package func observed<State>(
    before: @escaping @Sendable (_ path: ByteString) -> State,
    after: @escaping @Sendable (_ path: ByteString, _ state: State, _ answer: FileAnswer) -> Void
  ) -> FileTree {
    @Sendable func call<Value>(
      _ path: ByteString, _ answer: (Result<Value, FileError>) -> FileAnswer,
      _ look: () throws(FileError) -> Value
    ) throws(FileError) -> Value {
      let state = before(path)
      let result = Result { () throws(FileError) in try look() }
      after(path, state, answer(result))
      return try result.get()
    }
    var tree = FileTree(
      list: { (path) throws(FileError) in
        try call(path, FileAnswer.list) { () throws(FileError) in try list(path) }
      },
      status: { (path) throws(FileError) in
        try call(path, FileAnswer.status) { () throws(FileError) in try status(path) }
      },
      read: { (path, limit) throws(FileError) in
        try call(path, FileAnswer.read) { () throws(FileError) in try read(path, limit) }
      },
      readPart: { (path, offset, count) throws(FileError) in
        try call(path, { .readPart(offset: offset, count: count, $0) }) { () throws(FileError) in
          try readPart(path, offset, count)
        }
      },
      realPath: { (path) throws(FileError) in
        try call(path, FileAnswer.realPath) { () throws(FileError) in try realPath(path) }
      })
    tree.digest = digest
    return tree
  }

  /// Returns a tree with the same answers that calls `observer` with each answer.
  package func observed(
    by observer: @escaping @Sendable (_ path: ByteString, _ answer: FileAnswer) -> Void
  ) -> FileTree {
    observed(before: { _ in }, after: { path, _, answer in observer(path, answer) })
  }
}
