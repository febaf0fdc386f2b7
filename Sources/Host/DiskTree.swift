// The disk as a FileTree, by calls of the system.

import Bytes
import CPosix

extension FileTree {
  package static let disk = FileTree(
    list: { (folder) throws(FileError) in try listFolder(folder) },
    status: { (path) throws(FileError) in try statusOfFile(path) },
    read: { (path, limit) throws(FileError) in
      let part = try readFile(path, offset: 0, count: limit, wholeOnly: true)
      return part.bytes
    },
    readPart: { (path, offset, count) throws(FileError) in
      try readFile(path, offset: offset, count: count, wholeOnly: false)
    },
    realPath: { (path) throws(FileError) in
      try checkName(path)
      guard let resolved = path.withCString(carve_real_path) else { throw fileError(carve_errno()) }
      defer { free(resolved) }
      return ByteString(cString: resolved)
    })
}

/// Returns the folder in which the tool runs, from the root of the disk.
package func currentFolder() throws(FileError) -> ByteString {
  guard let folder = getcwd(nil, 0) else { throw fileError(carve_errno()) }
  defer { free(folder) }
  return ByteString(cString: folder)
}

/// Returns the path from the root of the disk for a path that is relative to `folder`. Links are
/// kept.
package func absolutePath(_ path: ByteString, in folder: ByteString) -> ByteString {
  var path = withoutTrailingSlashes(path)
  if path.isAbsolute { return path }
  while path.hasPrefix("./") { path = path.dropFirst(2) }
  return path == "." || path.isEmpty ? folder : joined(folder, path)
}

private func fileError(_ number: Int32) -> FileError {
  switch number {
  case ENOENT: .notFound
  case EACCES, EPERM: .notPermitted
  case ENOTDIR: .notAFolder
  case EISDIR: .notAFile
  case ELOOP: .linkLoop
  case ENAMETOOLONG: .invalidName
  default: .failed(errno: number)
  }
}

/// Throws if a path is empty, contains a NUL or is not UTF-8. C functions would stop at a NUL and
/// open another file.
private func checkName(_ path: ByteString) throws(FileError) {
  if path.isEmpty || path.contains(0) { throw .invalidName }
  if !path.isUTF8 { throw .pathIsNotUTF8 }
}

private func kind(of status: stat) -> FileKind {
  withUnsafePointer(to: status) {
    carve_is_regular($0) ? .file : carve_is_folder($0) ? .folder : .other
  }
}

private func isLink(_ status: stat) -> Bool { withUnsafePointer(to: status) { carve_is_link($0) } }

private func entry(_ name: ByteString, _ status: stat, isLink: Bool) -> FileEntry {
  let kind = kind(of: status)
  return FileEntry(
    name: name, kind: kind, size: kind == .file ? Int(status.st_size) : 0, isLink: isLink)
}

/// Calls `lstat(2)` and, for a link, `stat(2)`.
private func statusOfFile(_ path: ByteString) throws(FileError) -> FileEntry {
  try checkName(path)
  var status = stat()
  guard path.withCString({ lstat($0, &status) }) == 0 else { throw fileError(carve_errno()) }
  let isLink = isLink(status)
  if isLink, path.withCString({ stat($0, &status) }) != 0 { throw fileError(carve_errno()) }
  return entry(lastComponent(path), status, isLink: isLink)
}

/// Lists a folder. If a name disappeared meanwhile, lists the folder again, so that all names come
/// from one moment.
private func listFolder(_ folder: ByteString) throws(FileError) -> [FileEntry] {
  try checkName(folder)
  for _ in 0..<3 {
    let (entries, isWhole) = try entriesOnce(of: folder)
    if isWhole { return entries }
  }
  return try entriesOnce(of: folder).entries
}

/// Calls `opendir(3)`, `readdir(3)` and `fstatat(2)`. `isWhole` is false if a name disappeared
/// meanwhile.
private func entriesOnce(
  of folder: ByteString
) throws(FileError) -> (entries: [FileEntry], isWhole: Bool) {
  guard let stream = folder.withCString(carve_open_folder) else { throw fileError(carve_errno()) }
  defer { closedir(stream) }
  var entries: [FileEntry] = []
  var isWhole = true
  // If NULL is returned, errno tells whether the folder has ended (0) or reading has failed.
  while let item = carve_next_entry(stream) {
    var status = stat()
    var failure: Int32 = 0
    let name = withUnsafePointer(to: &item.pointee.d_name) { tuple in
      // d_name is an array of 256 bytes that ends with a NUL.
      tuple.withMemoryRebound(to: CChar.self, capacity: 256) { text -> ByteString? in
        let name = ByteString(cString: text)
        if name == "." || name == ".." { return nil }
        let descriptor = dirfd(stream)
        if fstatat(descriptor, text, &status, AT_SYMLINK_NOFOLLOW) != 0 { failure = carve_errno() }
        return name
      }
    }
    // In a folder that may be read but not searched, fstatat fails for every name. That is an
    // error, because the folder would otherwise look empty.
    if failure == ENOENT {
      isWhole = false
      continue
    }
    if failure != 0 { throw fileError(failure) }
    guard let name else { continue }
    let isLink = isLink(status)
    if isLink, name.withCString({ fstatat(dirfd(stream), $0, &status, 0) }) != 0 {
      let failure = carve_errno()
      if failure != ENOENT, failure != ENOTDIR, failure != ELOOP { throw fileError(failure) }
      // If the target exists at the second look, it is just being replaced.
      if name.withCString({ fstatat(dirfd(stream), $0, &status, 0) }) == 0 { isWhole = false }
      entries.append(FileEntry(name: name, kind: .nowhere, isLink: true))
    } else {
      entries.append(entry(name, status, isLink: isLink))
    }
  }
  let failure = carve_errno()
  if failure != 0 { throw fileError(failure) }
  return (entries.sorted { $0.name < $1.name }, isWhole)
}

/// Calls `open(2)`, `fstat(2)` and `pread(2)`.
private func readFile(
  _ path: ByteString, offset: Int, count: Int, wholeOnly: Bool
) throws(FileError) -> FilePart {
  try checkName(path)
  let descriptor = path.withCString(carve_open_read)
  guard descriptor >= 0 else { throw fileError(carve_errno()) }
  defer { close(descriptor) }
  var status = stat()
  guard fstat(descriptor, &status) == 0 else { throw fileError(carve_errno()) }
  guard kind(of: status) == .file else { throw .notAFile }
  let size = Int(status.st_size)
  if wholeOnly, size > count { throw .tooLarge(size: size, limit: count) }
  let wanted = max(0, min(count, size - offset))
  let bytes = try readBytes(descriptor, offset: offset, count: wanted)
  return FilePart(bytes: bytes, fileSize: size)
}

/// Returns the bytes of a file of the user. Returns nil for any other file: one that is a link or
/// belongs to another user, or one that is too large. Sets the file's time to now if it is older
/// than `seconds`.
package func readOwnFile(
  _ path: ByteString, limit: Int, marksUseAfter seconds: Int
) throws(FileError) -> [UInt8]? {
  let descriptor = path.withCString(carve_open_own)
  guard descriptor >= 0 else {
    // If the path is a link, open fails with ELOOP.
    if carve_errno() == ELOOP { return nil }
    throw fileError(carve_errno())
  }
  defer { close(descriptor) }
  var status = stat()
  guard fstat(descriptor, &status) == 0 else { throw fileError(carve_errno()) }
  guard kind(of: status) == .file, status.st_uid == geteuid(), Int(status.st_size) <= limit else {
    return nil
  }
  let bytes = try readBytes(descriptor, offset: 0, count: Int(status.st_size))
  if bytes.count < Int(status.st_size) { return nil }
  let age = FileIdentity.now() / 1_000_000_000 &- Int64(status.st_mtim.tv_sec)
  // A time in the future is also set to now, because it would keep the file for ever.
  if age > seconds || age < 0 { _ = carve_touch_open(descriptor) }
  return bytes
}

private func readBytes(_ descriptor: Int32, offset: Int, count: Int) throws(FileError) -> [UInt8] {
  var failure: Int32 = 0
  let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
    // The buffer may be larger than `count`.
    while filled < count {
      let rest = UnsafeMutableBufferPointer(rebasing: buffer[filled..<count])
      let got = pread(descriptor, rest.baseAddress, rest.count, off_t(offset + filled))
      if got > 0 {
        filled += got
      } else if got == 0 {
        return
      } else if carve_errno() != EINTR {
        failure = carve_errno()
        return
      }
    }
  }
  if failure != 0 { throw fileError(failure) }
  return bytes
}
