// An open archive for lookups. The file's own index is used if it describes the file; otherwise
// an index is built in memory. Any number of threads share an archive; nothing is global.

import Archive
import Bytes
import CPosix
import Traits

/// An open archive. Copies share the same file, which is closed when the last of them and the
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
  /// once. The file must not be cut short while it is open: see `checkSize`.
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

  /// Uses the caller's bytes, which must not change until the archive and all views of it are
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

  /// Returns a view of the archive in an environment. If the environment was used before, this
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

  /// Returns the id of a name; nil if the archive does not have the name.
  public func id(of name: String, _ kind: AssetKind = .image) -> AssetID? {
    name.withName { id(ofUTF8: $0, kind) }
  }

  public func id(ofUTF8 name: UnsafeRawBufferPointer, _ kind: AssetKind = .image) -> AssetID? {
    let number = storage.index.cellNumber(named: name, kind)
    let id = AssetID(utf8: name, kind)
    // If two names have the same hash, the second has no id. No two names have one hash by chance.
    return number >= 0 && storage.index.cellNumber(of: id) == number ? id : nil
  }
}

/// The values that all copies and views of an archive share. Immutable, except for the lists of
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
      store = try BlockStore(FileBytes(bytes))
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
