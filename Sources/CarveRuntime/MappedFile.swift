// The bytes of an archive, kept in place while the archive exists: mapped, copied, or lent by
// the caller. `Catalog` gives them their meaning.

import Bytes
import CPosix

/// A read-only mapping of a whole file.
package struct MappedFile: ~Copyable, @unchecked Sendable {
  package let bytes: UnsafeRawBufferPointer
  /// The descriptor stays open, so that the size of the file can be read again.
  package let descriptor: Int32

  /// Maps a file, whose path need not be UTF-8.
  package init(at path: ByteString) throws(CatalogError) {
    // The system would ignore everything after a zero byte.
    if path.contains(0) { throw .notAFile(path: path.text) }
    try self.init(owning: path.withCString { carve_open_read($0) }, path.text)
  }

  /// Maps the file at a path that ends with a zero byte.
  init(cPath path: UnsafePointer<CChar>) throws(CatalogError) {
    try self.init(owning: carve_open_read(path), String(cString: path))
  }

  /// Maps the file of a duplicate of the descriptor, which still belongs to the caller.
  package init(descriptor: Int32) throws(CatalogError) {
    try self.init(owning: dup(descriptor), nil)
  }

  private init(
    owning descriptor: Int32, _ path: @autoclosure () -> String?
  ) throws(CatalogError) {
    guard descriptor >= 0 else {
      let code = carve_errno()
      throw .system(code, path: path())
    }
    do throws(CatalogError) {
      bytes = try MappedFile.map(descriptor)
    } catch {
      close(descriptor)
      switch error {
      case .system(let code, _): throw .system(code, path: path())
      case .notAFile: throw .notAFile(path: path())
      default: throw error
      }
    }
    self.descriptor = descriptor
  }

  deinit {
    if bytes.count > 0 { munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count) }
    close(descriptor)
  }

  private static func map(_ descriptor: Int32) throws(CatalogError) -> UnsafeRawBufferPointer {
    let size = try size(of: descriptor)
    // An empty file cannot be mapped, and it has nothing to read.
    if size == 0 { return UnsafeRawBufferPointer(start: nil, count: 0) }
    guard let base = carve_map_read(descriptor, size) else { throw .system(carve_errno()) }
    return UnsafeRawBufferPointer(start: base, count: size)
  }

  private static func size(of descriptor: Int32) throws(CatalogError) -> Int {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .system(carve_errno()) }
    guard carve_is_regular(&status) else { throw .notAFile() }
    return Int(status.st_size)
  }

  /// Throws if the file has become shorter. Reading a page that the file no longer has ends the
  /// process. The system tells the size, but not that it is about to change: this check makes the
  /// accident unlikely, not impossible.
  func checkSize() throws(CatalogError) {
    let size = try MappedFile.size(of: descriptor)
    if size < bytes.count { throw .shrunk(expected: bytes.count, found: size) }
  }
}

/// The owner of the bytes.
enum CatalogFile: ~Copyable, @unchecked Sendable {
  case mapped(MappedFile)
  case copied(UnsafeMutableRawBufferPointer)
  case lent(UnsafeRawBufferPointer)

  static func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeMutableRawBufferPointer {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 16)
    copy.copyMemory(from: bytes)
    return UnsafeMutableRawBufferPointer(rebasing: copy[..<bytes.count])
  }

  var bytes: UnsafeRawBufferPointer {
    switch self {
    case .mapped(let file): file.bytes
    case .copied(let copy): UnsafeRawBufferPointer(copy)
    case .lent(let bytes): bytes
    }
  }

  func checkSize() throws(CatalogError) {
    switch self {
    case .mapped(let file): try file.checkSize()
    default: break
    }
  }

  /// Frees a copy. Called once, when the bytes are no longer read.
  func freeCopy() {
    switch self {
    case .copied(let copy): copy.deallocate()
    default: break
    }
  }
}
