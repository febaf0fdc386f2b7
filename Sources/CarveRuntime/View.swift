// A catalogue seen in one environment. Every decision was made when the view was made; a lookup
// finds a name, reads two numbers and copies a record. It takes no lock and allocates nothing.

import Archive
import Traits

/// Immutable and shared freely between threads. It keeps its catalogue alive.
public struct CatalogView: Sendable {
  let decisions: Decisions
  /// Kept alive here: the decisions only point into it, or those that it remembers would keep it.
  let storage: CatalogStorage

  public var environment: Environment { decisions.environment }
  public var catalog: Catalog { Catalog(storage) }

  /// The variant of an asset that is shown here; nil where there is no such asset, or none of its
  /// variants may be shown.
  public func find(_ name: String, _ kind: AssetKind = .image) -> Variant? {
    name.withName { find(utf8: $0, kind) }
  }

  public func find(utf8 name: UnsafeRawBufferPointer, _ kind: AssetKind = .image) -> Variant? {
    decisions.choice(decisions.index.slotNumber(named: name, kind)).flatMap {
      decisions.variant($0)
    }
  }

  public func find(_ id: AssetID) -> Variant? {
    decisions.choice(decisions.index.slotNumber(of: id)).flatMap { decisions.variant($0) }
  }

  /// The decision without the facts: for asking whether anything changed.
  public func choice(for id: AssetID) -> Choice? {
    decisions.choice(decisions.index.slotNumber(of: id))
  }

  /// Where `find` answers nil for an asset that exists: the axis that removed its last variant.
  public func obstacle(for id: AssetID) -> Axis? {
    guard let slot = decisions.index.slot(of: id) else { return nil }
    let keys = storage.signatures.keys(of: Int(slot.signature))
    return decisions.choice(slot) == nil ? environment.obstacle(among: keys) : nil
  }
}

/// The winners of all signatures in one environment.
final class Decisions: @unchecked Sendable {
  // Immutable after init. The winners are this object's; what the index points at belongs to the
  // storage, which outlives every view.
  let index: IndexReader
  private let winners: UnsafeMutablePointer<PlacedWinner>
  private let count: Int
  let environment: Environment
  let traits: PackedEnvironment
  /// For handles of C, which hold the decisions and the storage apart.
  unowned(unsafe) let storage: CatalogStorage

  init(_ storage: CatalogStorage, _ environment: Environment, _ traits: PackedEnvironment) {
    self.storage = storage
    self.environment = environment
    self.traits = traits
    index = storage.index
    count = storage.signatures.count
    winners = .allocate(capacity: max(count, 1))
    let request = Request(environment)
    storage.signatures.keys.withUnsafeBufferPointer { keys in
      for number in 0..<count {
        // A signature table holds its starts in rising order, within its keys.
        let first = Int(storage.signatures.starts[number])
        let end = Int(storage.signatures.starts[number + 1])
        let winner = Winner(of: request, among: UnsafeBufferPointer(rebasing: keys[first..<end]))
        (winners + number).initialize(
          to: PlacedWinner(winner, of: number, in: storage.signatures))
      }
    }
  }

  deinit { winners.deallocate() }

  /// Nil for -1, as a search answers for what is not there.
  @inline(__always) func choice(_ number: Int) -> Choice? {
    // Whatever else a search answers is the number of a slot.
    number < 0 ? nil : choice(index.slots[found: number])
  }

  @inline(__always) func choice(_ slot: AssetSlot) -> Choice? {
    guard Int(slot.signature) < count else { return nil }
    let winner = winners[Int(slot.signature)]
    let number = winner.firstRendition &+ Int(slot.rank)
    guard number < index.renditions.count else { return nil }
    return Choice(rendition: UInt32(truncatingIfNeeded: number), isMirrored: winner.isMirrored)
  }

  @inline(__always) func variant(_ choice: Choice) -> Variant? {
    index.variant(choice)
  }

  /// By signature: whether another winner, or another direction, is shown there.
  func differences(_ other: Decisions) -> [Bool] {
    (0..<min(count, other.count)).map { winners[$0] != other.winners[$0] }
  }
}

/// A winner as a place among the renditions: that of the asset of rank 0.
private struct PlacedWinner: BitwiseCopyable, Equatable {
  private let bits: UInt64
  private static let mirrored: UInt64 = 1 << 63

  init(_ winner: Winner, of signature: Int, in signatures: SignatureTable) {
    guard let ordinal = winner.ordinal else {
      // No index has so many renditions, so that nothing is found there.
      bits = 1 << 61
      return
    }
    let first = UInt64(signatures.firstRendition(of: signature, key: ordinal))
    bits = winner.isMirrored ? first | PlacedWinner.mirrored : first
  }

  /// Below 2^62.
  @inline(__always) var firstRendition: Int {
    Int(truncatingIfNeeded: bits & ~PlacedWinner.mirrored)
  }

  @inline(__always) var isMirrored: Bool { bits & PlacedWinner.mirrored != 0 }
}

extension String {
  /// The bytes of a name, where they lie if the string has them in one piece.
  @inline(__always) func withName<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    if let found = utf8.withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) }) {
      return found
    }
    var copy = self
    return copy.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }
}

extension IndexReader {
  /// -1 where there is no such asset.
  @inline(__always) func slotNumber(named name: UnsafeRawBufferPointer, _ kind: AssetKind) -> Int {
    // The empty name may have no address; none of its bytes are read.
    slot(named: name.baseAddress ?? start, count: name.count, kind: kind.rawValue)
  }

  @inline(__always) func slotNumber(of id: AssetID) -> Int {
    slot(of: AssetNameHash(value: id.rawValue))
  }

  @inline(__always) func slot(of id: AssetID) -> AssetSlot? { slots[slotNumber(of: id)] }

  @inline(__always) func variant(_ choice: Choice) -> Variant? {
    guard let record = renditions.address(of: Int(choice.rendition)),
      RenditionRecord.isSound(record)
    else { return nil }
    return Variant(choice: choice, record: record.loadUnaligned(as: RenditionRecord.self))
  }
}
