// The files that Carve reads, as a value: the disk, or a tree in memory for tests. CatalogModel and
// the compiler reach files only through this value. It does not write.

import Bytes

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
  /// The name is not UTF-8, so no catalogue and no archive can contain it.
  case nameIsNotUTF8
  case failed(errno: Int32)
  /// The tree contains only some of the files, and not this one.
  case notHeld
}

/// Functions that read folders and files.
package struct FileTree: Sendable {
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
