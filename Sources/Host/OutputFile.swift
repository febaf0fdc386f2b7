// The only place that writes results to disk: beside the final place, synced, then renamed, so that
// a reader sees the old file or the new one. What a kill can leave behind is under a name that the
// next run uses again (UnfinishedName). An output whose bytes did not change is left untouched.

import CPosix

/// A file operation that failed, with what is needed to act on it.
package struct OutputError: Error, Sendable, Hashable {
  package var operation: String
  package var path: String
  /// The system's error number.
  package var code: Int32

  package var description: String {
    "\(path): cannot \(operation): \(String(cString: strerror(code)))"
  }
}

/// A file that is being written and does not exist until `commit` says so.
package struct OutputFile: ~Copyable {
  package let path: String
  /// What is replaced: the path, or the end of the link that is there.
  private let place: String
  private let descriptor: Int32
  /// The name of the unfinished file; nil where the system keeps it nameless.
  private let temporaryPath: String?
  /// A device or a pipe is written to as it stands: nothing may take its place.
  private let isInPlace: Bool
  /// Whether the file is on the disk for good when it gets its name.
  private let survivesPowerCut: Bool
  /// Whether the disk may begin before the end: nothing is there that might hold the same bytes.
  private let beginsEarly: Bool
  private var writtenCount = 0
  /// How much of that the disk was told to begin with.
  private var begunCount = 0
  package private(set) var byteCount = 0
  private var buffer: [UInt8] = []

  private static let bufferSize = 1 << 18
  /// How much is written before the disk is told to begin with it.
  private static let stride = 1 << 21

  package init(path: String, survivesPowerCut: Bool = true) throws(OutputError) {
    self.path = path
    self.survivesPowerCut = survivesPowerCut
    place = OutputFile.endOfLink(path) ?? path
    isInPlace = carve_is_special(place)
    let isNew = access(place, F_OK) != 0
    beginsEarly = survivesPowerCut ? isNew : false
    let folder = OutputFile.folder(of: place)
    var descriptor = isInPlace ? carve_open_write(place) : carve_open_unnamed(folder)
    var temporaryPath: String?
    if descriptor < 0, !isInPlace {
      let created = UnfinishedName(of: place).create()
      descriptor = created?.descriptor ?? -1
      temporaryPath = created?.path
    }
    guard descriptor >= 0 else {
      throw OutputError(operation: "create", path: path, code: carve_errno())
    }
    self.descriptor = descriptor
    self.temporaryPath = temporaryPath
  }

  /// Fills a file that never gets a name.
  package init(_ scratch: ScratchFile) throws(OutputError) {
    path = scratch.name
    place = scratch.name
    isInPlace = true
    survivesPowerCut = false
    beginsEarly = false
    temporaryPath = nil
    descriptor = dup(scratch.descriptor)
    guard descriptor >= 0 else {
      throw OutputError(operation: "create", path: path, code: carve_errno())
    }
  }

  /// A link stays a link: the file that it leads to is replaced.
  private static func endOfLink(_ path: String) -> String? {
    var status = stat()
    guard lstat(path, &status) == 0, carve_is_link(&status), let end = realpath(path, nil) else {
      return nil
    }
    defer { free(end) }
    return String(cString: end)
  }

  deinit {
    // Once it has its own name, the other may be that of another run's file.
    if let temporaryPath, carve_is_same(descriptor, temporaryPath) { unlink(temporaryPath) }
    close(descriptor)
  }

  package static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.utf8.startIndex ? "/" : String(path[..<slash])
  }
}

extension OutputFile {
  package mutating func append(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    byteCount += bytes.count
    if buffer.count + bytes.count > OutputFile.bufferSize { try flush() }
    if bytes.count >= OutputFile.bufferSize {
      try flush()
      try writeThrough(bytes)
    } else {
      buffer.append(contentsOf: bytes)
    }
  }

  package mutating func append(_ bytes: [UInt8]) throws(OutputError) {
    byteCount += bytes.count
    buffer += bytes
    if buffer.count >= OutputFile.bufferSize { try flush() }
  }

  /// Replaces bytes that were appended before.
  package mutating func overwrite(at offset: Int, _ bytes: UnsafeRawBufferPointer)
    throws(OutputError)
  {
    try flush()
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
      try check(count)
      done += max(0, count)
    }
  }

  /// Puts the file in its place. Returns false where the place already held the same bytes.
  @discardableResult
  package consuming func commit() throws(OutputError) -> Bool {
    try flush()
    if isInPlace { return true }
    if holdsSameBytes() { return false }
    keepPermissions()
    if survivesPowerCut, fsync(descriptor) != 0 {
      throw OutputError(operation: "write", path: path, code: carve_errno())
    }
    let folder = OutputFile.folder(of: place)
    defer { if survivesPowerCut { carve_sync_folder(folder) } }
    // Where nothing stands in the place, no other name comes between that a kill could leave.
    if temporaryPath == nil, carve_link_unnamed(descriptor, place) == 0 { return true }
    var code: Int32?
    if let temporaryPath {
      code = rename(temporaryPath, place) == 0 ? nil : carve_errno()
    } else {
      code = UnfinishedName(of: place).replacePlace(with: descriptor)
    }
    if let code { throw OutputError(operation: "replace", path: path, code: code) }
    return true
  }

  /// A file that is replaced keeps who may read it.
  private func keepPermissions() {
    var status = stat()
    if stat(place, &status) == 0, carve_is_regular(&status) {
      fchmod(descriptor, status.st_mode & 0o777)
    }
  }

  private mutating func flush() throws(OutputError) {
    if buffer.isEmpty { return }
    let pending = buffer
    buffer.removeAll(keepingCapacity: true)
    let result = pending.withUnsafeBytes { bytes -> Result<Void, OutputError> in
      do throws(OutputError) { return .success(try writeThrough(bytes)) } catch {
        return .failure(error)
      }
    }
    try result.get()
  }

  private mutating func writeThrough(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      let count = write(descriptor, rest.baseAddress, rest.count)
      try check(count)
      done += max(0, count)
    }
    writtenCount += bytes.count
    if beginsEarly, writtenCount - begunCount >= OutputFile.stride {
      carve_start_writeback(descriptor, Int64(begunCount), Int64(writtenCount - begunCount))
      begunCount = writtenCount
    }
  }

  private func check(_ count: Int) throws(OutputError) {
    if count < 0, carve_errno() != EINTR {
      throw OutputError(operation: "write", path: path, code: carve_errno())
    }
  }

  /// Whether the place holds the bytes just written.
  private func holdsSameBytes() -> Bool {
    let old = carve_open_read(place)
    guard old >= 0 else { return false }
    defer { close(old) }
    var status = stat()
    guard fstat(old, &status) == 0, carve_is_regular(&status), Int(status.st_size) == byteCount
    else { return false }
    var mine = [UInt8](repeating: 0, count: OutputFile.bufferSize)
    var theirs = mine
    var offset = 0
    while offset < byteCount {
      let wanted = min(OutputFile.bufferSize, byteCount - offset)
      guard pread(descriptor, &mine, wanted, off_t(offset)) == wanted,
        pread(old, &theirs, wanted, off_t(offset)) == wanted, memcmp(mine, theirs, wanted) == 0
      else { return false }
      offset += wanted
    }
    return true
  }
}
