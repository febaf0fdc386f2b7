// A catalogue opened for looking up: its file kept in place, its index used where it describes the
// file and built in memory where it does not. Shared by any number of threads; nothing is global.

import Archive
import Traits

/// An open catalogue. Copies are the same catalogue; it closes with the last of them and of its
/// views.
public struct Catalog: Sendable {
  let storage: CatalogStorage

  init(_ storage: CatalogStorage) { self.storage = storage }

  /// Maps a file. It must not be cut short while it is open: see `checkSize`.
  public init(path: String) throws(CatalogError) {
    storage = try .of(.mapped(MappedFile(path: path)))
  }

  /// Maps the file of a descriptor, which stays the caller's and may be closed at once.
  public init(descriptor: Int32) throws(CatalogError) {
    storage = try .of(.mapped(MappedFile(descriptor: descriptor)))
  }

  /// Works on a copy of the bytes.
  public init(copying bytes: UnsafeRawBufferPointer) throws(CatalogError) {
    storage = try .of(.copied(CatalogFile.copy(bytes)))
  }

  public init(bytes: [UInt8]) throws(CatalogError) {
    storage = try .of(.copied(bytes.withUnsafeBytes { CatalogFile.copy($0) }))
  }

  /// Works on the caller's bytes, which must stay as they are until the catalogue and all views of
  /// it are gone.
  public init(lending bytes: UnsafeRawBufferPointer) throws(CatalogError) {
    storage = try .of(.lent(bytes))
  }

  /// Whether the file's own index is used, not one built at open.
  public var usesIndexInPlace: Bool { storage.builtIndex == nil }

  /// The size of the file in bytes.
  public var fileSize: Int { storage.file.bytes.count }

  /// Throws where a mapped file has become shorter than it was: its last pages are gone, and
  /// touching them ends the process. Decoding checks it by itself; lookups do not.
  public func checkSize() throws(CatalogError) { try storage.file.checkSize() }

  /// The catalogue as it is seen in an environment. Environments that were seen before cost a few
  /// comparisons; the last 64 are kept.
  public func view(for environment: Environment) -> CatalogView {
    let traits = PackedEnvironment(environment)
    if let known = storage.views.find(environment, traits) {
      return CatalogView(decisions: known, storage: storage)
    }
    let decisions = Decisions(storage, environment, traits)
    storage.views.keep(decisions)
    return CatalogView(decisions: decisions, storage: storage)
  }

  /// The id of a name that this catalogue has.
  public func id(of name: String, _ kind: AssetKind = .image) -> AssetID? {
    name.withName { id(ofUTF8: $0, kind) }
  }

  public func id(ofUTF8 name: UnsafeRawBufferPointer, _ kind: AssetKind = .image) -> AssetID? {
    let number = storage.index.slotNumber(named: name, kind)
    let id = AssetID(utf8: name, kind)
    // Of two names with one hash, which no names have by chance, the second has no id.
    return number >= 0 && storage.index.slotNumber(of: id) == number ? id : nil
  }
}

/// What all copies and views of a catalogue share. Immutable, but for the places of known views.
final class CatalogStorage: @unchecked Sendable {
  let file: CatalogFile
  /// The index where the file has none of its own.
  let builtIndex: UnsafeMutableRawBufferPointer?
  let index: IndexReader
  let signatures: SignatureTable
  let views = ViewCache()
  let localizations = KeptList<NamedNumber>()

  private init(_ file: consuming CatalogFile, _ opened: Opened) {
    self.file = file
    builtIndex = opened.built
    index = opened.index
    signatures = opened.signatures
  }

  /// What can fail is done before there is an object: the Embedded Swift of 6.3 forgets the memory
  /// of one whose initializer throws.
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
    builtIndex?.deallocate()
    file.freeCopy()
  }

  private typealias Opened = (
    index: IndexReader, signatures: SignatureTable, built: UnsafeMutableRawBufferPointer?
  )

  private static func open(_ bytes: UnsafeRawBufferPointer) throws(CatalogError) -> Opened {
    do throws(FormatError) {
      let store = try BlockStore(Bytes(bytes))
      if let own = IndexIdentity.index(in: store), let index = try? IndexReader(own.buffer),
        let signatures = try? SignatureTable(index)
      {
        return (index, signatures, nil)
      }
    } catch {
      throw .format(error)
    }
    return try build(bytes)
  }

  private static func build(_ bytes: UnsafeRawBufferPointer) throws(CatalogError) -> Opened {
    let tables: [UInt8]
    do throws(FormatError) {
      tables = try IndexWriter.bytes(of: try Archive(bytes))
    } catch {
      throw .format(error)
    }
    let built = UnsafeMutableRawBufferPointer.allocate(byteCount: tables.count, alignment: 64)
    built.copyBytes(from: tables)
    do throws(IndexError) {
      let index = try IndexReader(UnsafeRawBufferPointer(built))
      return (index, try SignatureTable(index), built)
    } catch {
      built.deallocate()
      throw .tooLarge
    }
  }
}
