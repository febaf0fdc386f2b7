// An open catalogue for lookups, and the bytes of its file, which are kept in place. The file's own
// index is used if it describes the file; otherwise an index is built in memory. Any number of
// threads share a catalogue; nothing is global.

import Archive
import Bytes
import CPosix
import Traits

/// An open catalogue. Copies share the same file, which is closed when the last of them and the
/// last of its views are gone.
public struct Catalog: Sendable {
  let storage: CatalogStorage

  init(_ storage: CatalogStorage) { self.storage = storage }

  /// Maps a file. The file must not be cut short while it is open: see `checkSize`.
  public init(path: String) throws(CatalogError) {
    try self.init(at: ByteString(path))
  }

  /// Maps a file, whose path need not be UTF-8.
  package init(at path: ByteString) throws(CatalogError) {
    storage = try .of(.mapped(MappedFile(at: path)))
  }

  /// Maps the file of a descriptor. The descriptor still belongs to the caller and may be closed at
  /// once.
  public init(descriptor: Int32) throws(CatalogError) {
    storage = try .of(.mapped(MappedFile(descriptor: descriptor)))
  }

  /// Uses a copy of the bytes.
  public init(copying bytes: UnsafeRawBufferPointer) throws(CatalogError) {
    storage = try .of(.copied(CatalogFile.copy(bytes)))
  }

  public init(bytes: [UInt8]) throws(CatalogError) {
    storage = try .of(.copied(bytes.withUnsafeBytes { CatalogFile.copy($0) }))
  }

  /// Uses the caller's bytes, which must not change until the catalogue and all views of it are
  /// gone.
  public init(lending bytes: UnsafeRawBufferPointer) throws(CatalogError) {
    storage = try .of(.lent(bytes))
  }

  /// Whether the file's own index is used, and not one built when the file was opened.
  public var usesIndexInPlace: Bool { storage.builtIndex == nil }

  /// The size of the file in bytes.
  public var fileSize: Int { storage.file.bytes.count }

  /// Throws if a mapped file has become shorter: its last pages are gone, and touching them ends
  /// the process. Decoding calls this function; lookups do not.
  public func checkSize() throws(CatalogError) { try storage.file.checkSize() }

  /// Returns a view of the catalogue in an environment. If the environment was used before, this
  /// costs a few comparisons; the last 64 views are kept.
  public func view(for environment: Environment) -> CatalogView {
    let traits = PackedEnvironment(environment)
    if let known = storage.views.find(environment, traits) {
      return CatalogView(decisions: known, storage: storage)
    }
    let decisions = Decisions(storage, environment, traits)
    storage.views.keep(decisions)
    return CatalogView(decisions: decisions, storage: storage)
  }

  /// Returns the id of a name; nil if the catalogue does not have the name.
  public func id(of name: String, _ kind: AssetKind = .image) -> AssetID? {
    name.withName { id(ofUTF8: $0, kind) }
  }

  public func id(ofUTF8 name: UnsafeRawBufferPointer, _ kind: AssetKind = .image) -> AssetID? {
    let number = storage.index.slotNumber(named: name, kind)
    let id = AssetID(utf8: name, kind)
    // If two names have the same hash, the second has no id. No two names have one hash by chance.
    return number >= 0 && storage.index.slotNumber(of: id) == number ? id : nil
  }
}

/// The values that all copies and views of a catalogue share. Immutable, except for the lists of
/// kept views and localizations.
final class CatalogStorage: @unchecked Sendable {
  let file: CatalogFile
  /// The index that was built in memory; nil if the file's own index is used.
  let builtIndex: UnsafeMutableRawBufferPointer?
  /// The reader of the index, in memory of its own, to which the views point.
  let index: UnsafePointer<IndexReader>
  let signatures: SignatureTable
  let views = ViewCache()
  let localizations = KeptList<NamedNumber>()

  private init(_ file: consuming CatalogFile, _ opened: Opened) {
    self.file = file
    builtIndex = opened.built
    let reader = UnsafeMutablePointer<IndexReader>.allocate(capacity: 1)
    reader.initialize(to: opened.index)
    index = UnsafePointer(reader)
    signatures = opened.signatures
  }

  /// Creates a storage. Every step that can fail comes before there is an object: the Embedded
  /// Swift of 6.3 leaks the memory of an object whose initializer throws.
  static func of(_ file: consuming CatalogFile) throws(CatalogError) -> CatalogStorage {
    do throws(CatalogError) {
      let opened = try open(file.bytes)
      return CatalogStorage(file, opened)
    } catch {
      file.freeCopy()
      throw error
    }
  }

  deinit {
    index.deallocate()
    builtIndex?.deallocate()
    file.freeCopy()
  }

  private typealias Opened = (
    index: IndexReader, signatures: SignatureTable, built: UnsafeMutableRawBufferPointer?
  )

  private static func open(_ bytes: UnsafeRawBufferPointer) throws(CatalogError) -> Opened {
    let store: BlockStore
    let tables: [UInt8]
    do throws(FormatError) {
      store = try BlockStore(Bytes(bytes))
      if let index = IndexIdentity.index(in: store), let signatures = try? SignatureTable(index) {
        return (index, signatures, nil)
      }
      tables = try IndexWriter.bytes(of: try Archive(store))
    } catch {
      throw .format(error)
    }
    let built = UnsafeMutableRawBufferPointer.allocate(byteCount: tables.count, alignment: 64)
    built.copyBytes(from: tables)
    do throws(IndexError) {
      let index = try IndexReader(UnsafeRawBufferPointer(built), of: store)
      return (index, try SignatureTable(index), built)
    } catch {
      built.deallocate()
      throw .tooLarge
    }
  }
}

// MARK: - Files

// The bytes of a catalogue, kept in place while the catalogue exists: mapped, copied, or lent by
// the caller. `Catalog` gives them their meaning.

/// A read-only mapping of a whole file.
package struct MappedFile: ~Copyable, @unchecked Sendable {
  package let bytes: UnsafeRawBufferPointer
  /// The descriptor stays open, so that the size of the file can be read again.
  private let descriptor: Int32

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

// MARK: - Resources of a program

// Opens archives among the resources of the running program, in the folders that SwiftPM puts
// beside it. Foundation is not used, because its `Bundle` adds fifty megabytes to a static program.

extension Catalog {
  /// Opens an archive of a resource bundle, which both build systems of SwiftPM put beside the
  /// program: "PACKAGE_TARGET.resources" or "PACKAGE_TARGET.bundle". Bundles for the Mac that Xcode
  /// 27 builds have their resources in "Contents/Resources".
  public init(archive name: String, inBundle bundle: String) throws(CatalogError) {
    let folder = try programFolder()
    for ending in [".resources", ".bundle", ".bundle/Contents/Resources"] {
      let path = folder + "/" + bundle + ending + "/" + name
      do throws(CatalogError) {
        try self.init(path: path)
        return
      } catch {
        guard case .system(let code, _) = error, code == ENOENT || code == ENOTDIR else {
          throw error
        }
      }
    }
    throw .notBeside(folder: folder, bundle: bundle, archive: name)
  }
}

/// Returns the folder of the running program's file, with links resolved.
private func programFolder() throws(CatalogError) -> String {
  var path = [CChar](repeating: 0, count: 4096)
  let length = path.withUnsafeMutableBufferPointer { buffer in
    carve_program_path(buffer.baseAddress, buffer.count)
  }
  guard length > 0 else { throw .system(carve_errno()) }
  let bytes = path[..<Int(length)].map { UInt8(bitPattern: $0) }
  let end = bytes.lastIndex(of: UInt8(ascii: "/")) ?? 0
  return String(decoding: bytes[..<end], as: UTF8.self)
}
