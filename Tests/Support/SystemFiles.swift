// Reads and writes files with system calls. Tests read and write tens of thousands of files, for
// which Foundation takes longer than the tool.

import Glibc

struct SystemFailure: Error, CustomStringConvertible {
  let what: String
  let number: Int32

  init(_ what: String, _ number: Int32 = errno) {
    self.what = what
    self.number = number
  }

  var description: String { "\(what): \(String(cString: strerror(number)))" }
}

/// Returns the contents of an open file.
func readAll(_ descriptor: Int32, what: String) throws -> [UInt8] {
  let size = Int(lseek(descriptor, 0, SEEK_END))
  guard size >= 0 else { throw SystemFailure(what) }
  // All empty arrays share their count, and setting it is a race for the thread sanitizer.
  if size == 0 { return [] }
  return try [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
    while count < size {
      let taken = pread(
        descriptor, buffer.baseAddress?.advanced(by: count), size - count,
        off_t(count))
      guard taken >= 0 else { throw SystemFailure(what) }
      if taken == 0 { break }
      count += taken
    }
  }
}

func readFile(_ path: String) throws -> [UInt8] {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw SystemFailure(path) }
  defer { close(descriptor) }
  return try readAll(descriptor, what: path)
}

/// Writes a file, and creates the folders on its path.
func writeFile(_ bytes: some Sequence<UInt8>, to path: String) throws {
  func opened() -> Int32 { open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666) }
  var descriptor = opened()
  if descriptor < 0, errno == ENOENT {
    try makeFolders(above: path)
    descriptor = opened()
  }
  guard descriptor >= 0 else { throw SystemFailure(path) }
  defer { close(descriptor) }
  try Array(bytes).withUnsafeBytes { bytes in
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      guard count >= 0 else { throw SystemFailure(path) }
      rest = rest.dropFirst(count)
    }
  }
}

/// Creates the missing folders on the path of a file.
func makeFolders(above path: String) throws {
  guard let end = path.lastIndex(of: "/"), end > path.startIndex else { return }
  let folder = String(path[..<end])
  if mkdir(folder, 0o777) == 0 || errno == EEXIST { return }
  guard errno == ENOENT else { throw SystemFailure(folder) }
  try makeFolders(above: folder)
  guard mkdir(folder, 0o777) == 0 || errno == EEXIST else { throw SystemFailure(folder) }
}
