// Writes one result to the disk. A reader of the place always finds the whole old file or the whole
// new one, even if the process is killed at any moment.
//
//     create     a file without a name (O_TMPFILE) in the folder of the place
//     append     bytes; nothing is visible yet
//     prepare    compare with the old file; take its permissions; fsync
//     place      nothing at the place: link the file there
//                otherwise: link it as ".carve-HASH", rename that over the place
//                then fsync the folder
//
// A file without a name disappears with the process. So a kill can leave a name only between the
// link and the rename, and the next run with this place removes that name (`UnfinishedName`).
// If the file system has no files without names, the file is called ".carve-HASH.part" from the
// start. An output whose bytes equal those of the old file is not placed, so the old file keeps its
// time.

import Bytes
import CPosix

/// A file operation that failed, with the path and the reason.
package struct OutputError: Error, Sendable, Hashable {
  package var operation: String
  package var path: ByteString
  /// The system's error number.
  package var code: Int32

  package var description: String {
    "\(path): cannot \(operation): \(String(cString: strerror(code)))"
  }
}

/// A file that is being written. It does not exist at its path before `commit`.
package struct OutputFile: ~Copyable {
  package let path: ByteString
  /// The path of the file to be replaced: `path`, or its target if it is a link.
  private let place: ByteString
  private let descriptor: Int32
  /// The name of the unfinished file; nil if it has no name.
  private let temporaryPath: ByteString?
  /// The place of that name among those that a signal removes.
  private var leftover: Int32
  /// Whether the output never gets a name, because its place is a device, a pipe or a file without
  /// a name.
  private let isNameless: Bool
  /// The device or pipe that receives all bytes at the end; nil for other outputs. Until then the
  /// bytes are in a scratch file, because `overwrite` may change them, and because a reader would
  /// take half an output for a whole one.
  private let stream: Int32?
  /// Whether the file is synced to the disk before it gets its name.
  private let survivesPowerCut: Bool
  /// Whether the system may write to the disk before the end. It may if the output is needed for
  /// certain: the place has no file, or one with other bytes.
  private let beginsEarly: Bool
  /// Whether the caller knows that the place holds other bytes, so that they need not be compared.
  private let isKnownToDiffer: Bool
  private var writtenCount = 0
  /// The number of written bytes that the system was told to write to the disk.
  private var begunCount = 0
  package private(set) var byteCount = 0
  private var buffer: [UInt8] = []

  private static let bufferSize = 1 << 18
  /// The number of bytes after which the system is told to write them to the disk.
  private static let stride = 1 << 21

  package init(
    path: ByteString, survivesPowerCut: Bool = true, isKnownToDiffer: Bool = false
  ) throws(OutputError) {
    // A local variable, because Swift 6.3 with optimisation frees a wrong address if a short string
    // is a property of a non-copyable value and is passed to C.
    let (place, trouble) = OutputFile.endOfLink(path)
    self.path = path
    self.survivesPowerCut = survivesPowerCut
    self.isKnownToDiffer = isKnownToDiffer
    self.place = place
    let isNameless = place.withCString(carve_is_special)
    self.isNameless = isNameless
    beginsEarly =
      survivesPowerCut && !isNameless
      && (isKnownToDiffer || place.withCString({ access($0, F_OK) }) != 0)
    let opened: Opened =
      trouble != nil
      ? (-1, nil, nil, -1)
      : isNameless ? OutputFile.openStream(place) : OutputFile.openFile(for: place)
    guard opened.descriptor >= 0 else {
      let code = trouble ?? carve_errno()
      if let stream = opened.stream, stream >= 0 { close(stream) }
      throw OutputError(operation: "create", path: path, code: code)
    }
    (descriptor, temporaryPath, stream) = (opened.descriptor, opened.temporaryPath, opened.stream)
    leftover = opened.leftover
  }

  /// The result of opening a file. If `descriptor` is negative, errno has the reason.
  private typealias Opened = (
    descriptor: Int32, temporaryPath: ByteString?, stream: Int32?, leftover: Int32
  )

  private static func openFile(for place: ByteString) -> Opened {
    let descriptor = parentFolder(place).withCString(carve_open_unnamed)
    if descriptor >= 0 { return (descriptor, nil, nil, -1) }
    return holdingSignals {
      guard let created = UnfinishedName(of: place).create() else { return (-1, nil, nil, -1) }
      let leftover = created.path.withCString(carve_add_leftover)
      return (created.descriptor, created.path, nil, leftover)
    }
  }

  private static func openStream(_ place: ByteString) -> Opened {
    let stream = place.withCString(carve_open_stream)
    return (stream < 0 ? -1 : ScratchFile.folder.withCString(carve_open_scratch), nil, stream, -1)
  }

  /// Creates an output in a scratch file, which never gets a name. `path` is the path in errors, if
  /// it is not that of the scratch file.
  package init(_ scratch: ScratchFile, as path: ByteString? = nil) throws(OutputError) {
    self.path = path ?? scratch.name
    place = scratch.name
    isNameless = true
    stream = nil
    survivesPowerCut = false
    beginsEarly = false
    isKnownToDiffer = false
    temporaryPath = nil
    leftover = -1
    descriptor = dup(scratch.descriptor)
    guard descriptor >= 0 else {
      throw OutputError(operation: "create", path: scratch.name, code: carve_errno())
    }
  }

  /// Returns the target of a link, or the path itself. So a link stays, and its target is replaced.
  /// `trouble` is the system's error number if it does not tell what is at the path.
  private static func endOfLink(_ path: ByteString) -> (place: ByteString, trouble: Int32?) {
    var status = stat()
    if path.withCString({ lstat($0, &status) }) == 0 {
      if !carve_is_link(&status) { return (path, nil) }
      if let end = path.withCString(carve_real_path) {
        defer { free(end) }
        return (ByteString(cString: end), nil)
      }
    }
    let code = carve_errno()
    return (path, code == ENOENT ? nil : code)
  }

  deinit {
    carve_drop_leftover(leftover)
    // After the rename, this name may belong to the file of another run. It is removed only if it
    // is still this file.
    if let temporaryPath, temporaryPath.withCString({ carve_is_same(descriptor, $0) }) {
      temporaryPath.withCString { _ = unlink($0) }
    }
    close(descriptor)
    if let stream { close(stream) }
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
    try bytes.withUnsafeBufferPointer { bytes throws(OutputError) in
      try append(UnsafeRawBufferPointer(bytes))
    }
  }

  /// Appends bytes of an open file. The offsets in the two files differ within a page. So a buffer
  /// whose writes end at multiples of its size is faster here than the system's calls for copying.
  package mutating func append(
    _ range: Range<Int>, of descriptor: Int32
  ) throws(OutputError) {
    try flush()
    byteCount += range.count
    let size = OutputFile.bufferSize
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 4096)
    defer { piece.deallocate() }
    var done = range.lowerBound
    while done < range.upperBound {
      let count = min(size - writtenCount % size, range.upperBound - done)
      let got = pread(descriptor, piece.baseAddress, count, off_t(done))
      // The file was shortened.
      if got == 0 { throw OutputError(operation: "read", path: path, code: EIO) }
      try check(got, "read")
      try writeThrough(UnsafeRawBufferPointer(rebasing: piece.prefix(max(0, got))))
      done += max(0, got)
    }
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
      try check(count, "write")
      done += max(0, count)
    }
  }

  /// Reads bytes that were appended before.
  mutating func read(_ range: Range<Int>, into room: UnsafeMutableRawBufferPointer)
    throws(OutputError)
  {
    try flush()
    var done = 0
    while done < range.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: room[done..<range.count])
      let count = pread(descriptor, rest.baseAddress, rest.count, off_t(range.lowerBound + done))
      try check(count, "read")
      // No other process writes to the file, so it cannot end early.
      if count == 0 { throw OutputError(operation: "read", path: path, code: EIO) }
      done += max(0, count)
    }
  }

  /// Maps all written bytes into memory. The buffer is freed, because files of a set wait for one
  /// another.
  mutating func mapped() throws(OutputError) -> MappedScratch {
    try flush()
    buffer = []
    do throws(FileError) { return try MappedScratch(descriptor: descriptor) } catch {
      var code = EIO
      if case .failed(let stated) = error { code = stated }
      throw OutputError(operation: "read", path: path, code: code)
    }
  }

  /// Whether the place keeps the bytes. Devices and pipes do not.
  var keepsBytes: Bool { !isNameless }

  /// The identity of a prepared file, for records of the run; nil if the file cannot be read back.
  var identity: FileIdentity? {
    var status = stat()
    guard !isNameless, fstat(descriptor, &status) == 0 else { return nil }
    return FileIdentity(status)
  }

  /// Passes all written bytes to `body`, piece by piece. Returns false if they cannot be read back.
  func read(_ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    var buffer = [UInt8](repeating: 0, count: OutputFile.bufferSize)
    var offset = 0
    while offset < byteCount {
      let count = pread(descriptor, &buffer, buffer.count, off_t(offset))
      if count == 0 || count < 0 && carve_errno() != EINTR { return false }
      buffer.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0.prefix(max(0, count)))) }
      offset += max(0, count)
    }
    return true
  }

  /// Puts the file in its place. Returns false if the place already holds the same bytes.
  @discardableResult
  package consuming func commit() throws(OutputError) -> Bool {
    let isNew = try prepare()
    try place(isNew)
    return isNew
  }

  /// Does all steps that can fail for lack of space. Afterwards the whole file is on the disk, but
  /// not under its own name. Returns whether it has to be placed: true if the place holds other
  /// bytes, or is a device or a pipe.
  mutating func prepare() throws(OutputError) -> Bool {
    try flush()
    try OutputFile.checkInputs(for: path)
    if isNameless { return true }
    if !isKnownToDiffer, holdsSameBytes() { return false }
    try keepPermissions()
    if survivesPowerCut, carve_sync(descriptor) != 0 {
      throw OutputError(operation: "write", path: path, code: carve_errno())
    }
    return true
  }

  /// Throws if an input that is read in place has changed, so that no output contains a part of
  /// another input.
  static func checkInputs(for path: ByteString) throws(OutputError) {
    if carve_changed_input() != nil {
      throw OutputError(operation: "write", path: path, code: ESTALE)
    }
  }

  /// Gives a prepared file its name, or copies its bytes to the device or pipe.
  consuming func place(_ isNew: Bool) throws(OutputError) {
    if let stream { try copy(to: stream) }
    if isNameless || !isNew { return }
    let folder = parentFolder(place)
    defer { if survivesPowerCut { folder.withCString(carve_sync_folder) } }
    // If nothing is at the place, the file is linked there directly, and a kill cannot leave
    // another name.
    if temporaryPath == nil, place.withCString({ carve_link_unnamed(descriptor, $0) }) == 0 {
      return
    }
    var code: Int32?
    if let temporaryPath {
      carve_drop_leftover(leftover)
      leftover = -1
      code = renameFile(temporaryPath, to: place) == 0 ? nil : carve_errno()
    } else {
      code = UnfinishedName(of: place).replacePlace(with: descriptor)
    }
    if let code { throw OutputError(operation: "replace", path: path, code: code) }
  }

  /// Gives the new file the permissions of the file that it replaces. Fails if a folder is at the
  /// place.
  private func keepPermissions() throws(OutputError) {
    var status = stat()
    guard place.withCString({ stat($0, &status) }) == 0 else {
      let code = carve_errno()
      if code == ENOENT { return }
      throw OutputError(operation: "replace", path: path, code: code)
    }
    if carve_is_folder(&status) {
      throw OutputError(operation: "replace", path: path, code: EISDIR)
    }
    if carve_is_regular(&status) { fchmod(descriptor, status.st_mode & 0o777) }
  }

  private mutating func flush() throws(OutputError) {
    if buffer.isEmpty { return }
    let pending = buffer
    buffer.removeAll(keepingCapacity: true)
    try pending.withUnsafeBufferPointer { (bytes) throws(OutputError) in
      try writeThrough(UnsafeRawBufferPointer(bytes))
    }
  }

  private func writeAll(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32
  ) throws(OutputError) {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      let count = write(descriptor, rest.baseAddress, rest.count)
      try check(count, "write")
      done += max(0, count)
    }
  }

  private mutating func writeThrough(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    try writeAll(bytes, to: descriptor)
    writtenCount += bytes.count
    if beginsEarly, writtenCount - begunCount >= OutputFile.stride {
      carve_start_writeback(descriptor, Int64(begunCount), Int64(writtenCount - begunCount))
      begunCount = writtenCount
    }
  }

  /// Copies all written bytes to a device or a pipe.
  private func copy(to stream: Int32) throws(OutputError) {
    var buffer = [UInt8](repeating: 0, count: OutputFile.bufferSize)
    var offset = 0
    while offset < byteCount {
      let count = pread(descriptor, &buffer, buffer.count, off_t(offset))
      try check(count, "read")
      // No other process writes to the scratch file, so it cannot end early.
      if count == 0 { throw OutputError(operation: "read", path: path, code: EIO) }
      offset += max(0, count)
      try buffer.withUnsafeBufferPointer { (bytes) throws(OutputError) in
        let filled = UnsafeBufferPointer(rebasing: bytes.prefix(max(0, count)))
        try writeAll(UnsafeRawBufferPointer(filled), to: stream)
      }
    }
  }

  /// Throws if a call that read or wrote this number of bytes failed.
  private func check(_ count: Int, _ operation: String) throws(OutputError) {
    if count < 0, carve_errno() != EINTR {
      throw OutputError(operation: operation, path: path, code: carve_errno())
    }
  }

  /// Returns whether the place holds the bytes that were written.
  private func holdsSameBytes() -> Bool {
    let old = place.withCString(carve_open_read)
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

/// Calls `rename(2)`.
func renameFile(_ path: ByteString, to place: ByteString) -> Int32 {
  path.withCString { old in place.withCString { rename(old, $0) } }
}
