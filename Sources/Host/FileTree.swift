// The files that Carve reads, as a value: the real disk, or a tree in memory for tests.
// Everything in CatalogModel and the compiler reaches files through it; writing is not its business.

import Bytes

/// What a path leads to, after following links.
package enum FileKind: Sendable, Hashable {
  case file, folder
  /// A device, a pipe or a socket: never opened.
  case other
  /// A link whose end is not there, or that leads to itself.
  case nowhere
}

/// One name in a folder.
package struct FileEntry: Sendable, Hashable {
  package var name: ByteString
  package var kind: FileKind
  /// In bytes; 0 for anything but a file.
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
  /// A folder, a device or a pipe where a file is needed.
  case notAFile
  case notAFolder
  case tooLarge(size: Int, limit: Int)
  case linkLoop
  /// A name that no file can have: empty, or with a NUL in it.
  case invalidName
  /// A name that is not UTF-8: no catalogue and no archive can hold it.
  case nameIsNotUTF8
  case failed(errno: Int32)
  /// Of a tree that holds a part of the files.
  case notHeld
}

/// Reads folders and files.
package struct FileTree: Sendable {
  /// The names in a folder, sorted by their bytes. What has a name that is not UTF-8 is listed and cannot
  /// be opened.
  package var list: @Sendable (_ folder: ByteString) throws(FileError) -> [FileEntry]
  /// What a path leads to; links are followed.
  package var status: @Sendable (_ path: ByteString) throws(FileError) -> FileEntry
  /// The whole of a file, unless it is larger than the limit.
  package var read: @Sendable (_ path: ByteString, _ limit: Int) throws(FileError) -> [UInt8]
  /// At most `count` bytes of a file from an offset, and the size of the file.
  package var readPart:
    @Sendable (_ path: ByteString, _ offset: Int, _ count: Int) throws(FileError) -> FilePart
  /// The path without links, "." and "..": equal for two paths that lead to one file.
  package var realPath: @Sendable (_ path: ByteString) throws(FileError) -> ByteString

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

/// Some bytes of a file.
package struct FilePart: Sendable, Hashable {
  package var bytes: [UInt8]
  package var fileSize: Int

  package init(bytes: [UInt8], fileSize: Int) {
    self.bytes = bytes
    self.fileSize = fileSize
  }
}
