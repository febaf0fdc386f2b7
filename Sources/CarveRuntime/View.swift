// A view of an archive in one environment. All decisions are made when the view is made; a lookup
// finds a name, reads two numbers and puts a record together. It takes no lock and allocates
// nothing. The views that were used last are kept.

import Archive
import CPosix
import Traits

/// A view. It is immutable, may be shared between threads, and keeps its archive alive.
public struct CatalogView: Sendable {
  let decisions: Decisions
  /// The storage is retained here. `Decisions` only points to it; if they retained it, the storage
  /// and its kept views would retain each other.
  let storage: CatalogStorage

  public var environment: Environment { decisions.environment }
  public var catalog: Catalog { Catalog(storage) }

  /// Returns the variant of an asset that is shown in this environment; nil if the asset does not
  /// exist or none of its variants may be shown.
  public func find(_ name: String, _ kind: AssetKind = .image) -> Variant? {
    name.withName { find(utf8: $0, kind) }
  }

  public func find(utf8 name: UnsafeRawBufferPointer, _ kind: AssetKind = .image) -> Variant? {
    decisions.choice(decisions.index.cellNumber(named: name, kind)).flatMap {
      decisions.variant($0)
    }
  }

  public func find(_ id: AssetID) -> Variant? {
    decisions.choice(decisions.index.cellNumber(of: id)).flatMap { decisions.variant($0) }
  }

  /// Returns the decision without the facts, for checking whether anything changed.
  public func choice(for id: AssetID) -> Choice? {
    decisions.choice(decisions.index.cellNumber(of: id))
  }

  /// Returns the axis that excluded the last variant of an asset, if the asset exists but `find`
  /// returns nil for it.
  public func obstacle(for id: AssetID) -> Axis? {
    let number = decisions.index.cellNumber(of: id)
    guard number >= 0 else { return nil }
    let keys = storage.signatures.keys(
      of: decisions.index.signatureAndAsset(ofFound: number).signature)
    return decisions.choice(number) == nil ? environment.obstacle(among: keys) : nil
  }
}

/// The winners of all signatures in one environment.
final class Decisions: @unchecked Sendable {
  // Immutable after init. The winners belong to this object. The memory of the index belongs to the
  // storage, which exists longer than every view.
  let table: DecisionTable
  let environment: Environment
  let traits: PackedEnvironment
  /// The storage, for the handles of C, which hold the decisions and the storage separately.
  unowned(unsafe) let storage: CatalogStorage

  var index: UnsafePointer<IndexReader> { table.index }

  init(_ storage: CatalogStorage, _ environment: Environment, _ traits: PackedEnvironment) {
    self.storage = storage
    self.environment = environment
    self.traits = traits
    let count = storage.signatures.count
    let winners = UnsafeMutablePointer<PlacedWinner>.allocate(capacity: max(count, 1))
    let request = Request(environment)
    storage.signatures.keys.withUnsafeBufferPointer { keys in
      for number in 0..<count {
        // The starts of a signature table rise, and none lies beyond its keys.
        let first = Int(storage.signatures.starts[number])
        let end = Int(storage.signatures.starts[number + 1])
        let winner = Winner(of: request, among: UnsafeBufferPointer(rebasing: keys[first..<end]))
        (winners + number).initialize(
          to: PlacedWinner(winner, of: number, in: storage.signatures))
      }
    }
    table = DecisionTable(index: storage.index, winners: UnsafePointer(winners), count: count)
  }

  deinit { table.winners.deallocate() }

  /// Returns the choice of a cell; nil for -1, with which a search reports that nothing was found.
  @inline(__always) func choice(_ number: Int) -> Choice? { table.choice(number) }

  @inline(__always) func choice(_ position: (signature: Int, asset: Int)) -> Choice? {
    table.choice(position)
  }

  @inline(__always) func variant(_ choice: Choice) -> Variant? {
    index.variant(choice)
  }

  /// Returns, for each signature, whether the two show different winners or different directions.
  func differences(_ other: Decisions) -> [Bool] {
    (0..<min(table.count, other.table.count)).map {
      table.winners[$0] != other.table.winners[$0]
    }
  }
}

/// The addresses that a lookup needs. A copy of them is not a reference, which a lookup would have
/// to count. The memory belongs to the decisions and their storage.
struct DecisionTable: BitwiseCopyable {
  let index: UnsafePointer<IndexReader>
  fileprivate let winners: UnsafePointer<PlacedWinner>
  /// The number of winners.
  fileprivate let count: Int

  /// Returns the choice of a cell; nil for -1, with which a search reports that nothing was found.
  @inline(__always) func choice(_ number: Int) -> Choice? {
    // Any other result of a search is the number of a cell.
    number < 0 ? nil : choice(found: number)
  }

  /// Returns the choice of a cell whose number is the result of a search.
  @inline(__always) func choice(found number: Int) -> Choice? {
    choice(index.signatureAndAsset(ofFound: number))
  }

  @inline(__always) func choice(_ position: (signature: Int, asset: Int)) -> Choice? {
    let (signature, asset) = position
    guard signature < count else { return nil }
    let winner = winners[signature]
    let number = winner.firstRendition &+ asset
    guard number < index.pointee.renditionCount else { return nil }
    return Choice(rendition: UInt32(truncatingIfNeeded: number), isMirrored: winner.isMirrored)
  }

  /// Returns the facts of a choice of this table, whose number was checked; nil if its style does
  /// not exist.
  @inline(__always) func facts(of choice: Choice) -> FoundFacts? {
    index.facts(found: Int(choice.rendition))
  }
}

/// A winner as a position among the renditions: the rendition of the asset of number 0.
private struct PlacedWinner: BitwiseCopyable, Equatable {
  private let bits: UInt64
  private static let mirrored: UInt64 = 1 << 63

  init(_ winner: Winner, of signature: Int, in signatures: SignatureTable) {
    guard let ordinal = winner.ordinal else {
      // No index has 2^61 renditions, so a lookup of this number finds nothing.
      bits = 1 << 61
      return
    }
    let first = UInt64(signatures.firstRendition(of: signature, key: ordinal))
    bits = winner.isMirrored ? first | PlacedWinner.mirrored : first
  }

  /// The number of the rendition, below 2^62.
  @inline(__always) var firstRendition: Int {
    Int(truncatingIfNeeded: bits & ~PlacedWinner.mirrored)
  }

  @inline(__always) var isMirrored: Bool { bits & PlacedWinner.mirrored != 0 }
}

extension String {
  /// Calls `body` with the bytes of a name, in place if the string stores them contiguously.
  @inline(__always) func withName<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    if let found = utf8.withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) }) {
      return found
    }
    var copy = self
    return copy.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }
}

extension UnsafePointer<IndexReader> {
  /// Returns the number of an asset's cell; -1 if there is no such asset.
  @inline(__always) func cellNumber(named name: UnsafeRawBufferPointer, _ kind: AssetKind) -> Int {
    cellNumber(named: name.baseAddress, count: name.count, kind)
  }

  @inline(__always)
  func cellNumber(named name: UnsafeRawPointer?, count: Int, _ kind: AssetKind) -> Int {
    // The empty name may have no address; none of its bytes are read.
    cell(named: name ?? pointee.start, count: count, kind: kind.rawValue)
  }

  @inline(__always) func cellNumber(of id: AssetID) -> Int {
    cell(of: AssetNameHash(value: id.rawValue))
  }

  func cell(of id: AssetID) -> AssetCell? { pointee.cells[cellNumber(of: id)] }

  @inline(__always) func variant(_ choice: Choice) -> Variant? {
    facts(of: Int(choice.rendition)).map {
      Variant(choice: choice, record: RenditionRecord($0))
    }
  }
}

// MARK: - Views that are kept

// A cache of views. A window that turns, or that the system shows briefly in the other size class,
// pays for each environment once. If the cache is full, the view that was unused for the longest
// time is removed.

/// All traits except the languages, in two words. Two environments with equal words and languages
/// share a view, so the words must contain every axis.
struct PackedEnvironment: Sendable, Hashable {
  let device: UInt64
  let window: UInt64

  init(_ environment: Environment) {
    device =
      UInt64(environment.graphics.classes) << 32 | UInt64(environment.subtype) << 16
      | UInt64(environment.memory) << 8 | UInt64(environment.osGeneration)
    var window = UInt64(environment.idiom.rawValue) << 8 | UInt64(environment.scale)
    window = window << 8 | UInt64(environment.width.rawValue) << 4
    window |= UInt64(environment.height.rawValue)
    window = window << 8 | UInt64(environment.style.rawValue) << 4
    window |= UInt64(environment.contrast.rawValue)
    window = window << 8 | UInt64(environment.gamut.rawValue) << 4
    window |= UInt64(environment.direction.rawValue)
    self.window = window << 8 | UInt64(environment.contentSize.rawValue)
  }
}

/// A list that is made on first use and then kept: a caller that reads its rows one by one would
/// otherwise make it again for each row.
final class KeptList<Row: Sendable>: @unchecked Sendable {
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  /// The rows, read and written only while `lock` is held.
  private var rows: [Row]?

  init() {
    lock = .allocate(capacity: 1)
    pthread_mutex_init(lock, nil)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  func value(_ make: () -> [Row]) -> [Row] {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    if let rows { return rows }
    let made = make()
    rows = made
    return made
  }
}

/// Views for the environments of an app's life: a style, a contrast and a few window classes, on
/// one or two displays. A server that renders for all devices keeps its views itself.
final class ViewCache: @unchecked Sendable {
  static let capacity = 64
  // A lock of the system, held for a few comparisons: Embedded Swift does not have the lock of the
  // standard library. It guards `kept`; lookups never use it.
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  /// The number of views at the beginning that stay in place when they are used. A window that
  /// rotates uses two views in turn, and moving one of them would take longer than finding it.
  private static let settled = 8
  /// The kept views. A view that is used moves to the beginning, unless it is near it.
  private var kept: [Decisions] = []

  init() {
    lock = .allocate(capacity: 1)
    pthread_mutex_init(lock, nil)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  func find(_ environment: Environment, _ traits: PackedEnvironment) -> Decisions? {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    let index = kept.firstIndex {
      $0.traits == traits && $0.environment.languages == environment.languages
    }
    guard let index else { return nil }
    let decisions = kept[index]
    if index >= ViewCache.settled {
      kept.remove(at: index)
      kept.insert(decisions, at: 0)
    }
    return decisions
  }

  /// Keeps a view. Two threads may keep equal views at the same time, which is harmless.
  func keep(_ decisions: Decisions) {
    pthread_mutex_lock(lock)
    let last = kept.count == ViewCache.capacity ? kept.removeLast() : nil
    kept.insert(decisions, at: 0)
    pthread_mutex_unlock(lock)
    // The removed view is freed after the lock is released, so that other threads need not wait.
    withExtendedLifetime(last) {}
  }
}
