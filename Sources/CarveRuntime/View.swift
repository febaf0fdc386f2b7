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
    var name = name
    return name.withUTF8 { find(utf8: UnsafeRawBufferPointer($0), kind) }
  }

  public func find(utf8 name: UnsafeRawBufferPointer, _ kind: AssetKind = .image) -> Variant? {
    decisions.index.number(named: name, kind).flatMap { variant(ofAsset: $0) }
  }

  public func find(_ id: AssetID) -> Variant? {
    guard let record = decisions.index.record(of: id) else { return nil }
    return decisions.choice(record).flatMap { decisions.variant($0) }
  }

  /// The decision without the facts: for asking whether anything changed.
  public func choice(for id: AssetID) -> Choice? {
    guard let record = decisions.index.record(of: id) else { return nil }
    return decisions.choice(record)
  }

  func variant(ofAsset number: Int) -> Variant? {
    guard let record = decisions.index.assets[number], let choice = decisions.choice(record) else {
      return nil
    }
    return decisions.variant(choice)
  }

  /// Where `find` answers nil for an asset that exists: the axis that removed its last variant.
  public func obstacle(for id: AssetID) -> Axis? {
    guard let record = decisions.index.record(of: id) else { return nil }
    let keys = storage.signatures.keys(of: Int(record.signature))
    return decisions.choice(record) == nil ? environment.obstacle(among: keys) : nil
  }
}

/// The winners of all signatures in one environment.
final class Decisions: @unchecked Sendable {
  // Immutable after init. The winners are this object's; what the index points at belongs to the
  // storage, which outlives every view.
  let index: IndexReader
  private let winners: UnsafeMutablePointer<Winner>
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
        let slice = UnsafeBufferPointer(rebasing: keys[first..<end])
        (winners + number).initialize(to: Winner(of: request, among: slice))
      }
    }
  }

  deinit { winners.deallocate() }

  @inline(__always) func choice(_ asset: AssetRecord) -> Choice? {
    guard Int(asset.signature) < count else { return nil }
    let winner = winners[Int(asset.signature)]
    guard let ordinal = winner.ordinal else { return nil }
    // Two numbers below 2^32 and 2^31: no overflow in 64 bits.
    let number = Int(asset.firstRendition) &+ ordinal
    guard number < index.renditions.count else { return nil }
    return Choice(
      rendition: UInt32(truncatingIfNeeded: number), isMirrored: winner.isMirrored)
  }

  @inline(__always) func variant(_ choice: Choice) -> Variant? {
    index.variant(choice)
  }

  /// By signature: whether another winner, or another direction, is shown there.
  func differences(_ other: Decisions) -> [Bool] {
    (0..<min(count, other.count)).map { winners[$0] != other.winners[$0] }
  }
}

extension IndexReader {
  @inline(__always) func number(named name: UnsafeRawBufferPointer, _ kind: AssetKind) -> Int? {
    // The empty name may have no address; none of its bytes are read.
    let base = name.baseAddress ?? start
    let number = asset(named: base, count: name.count, kind: kind.rawValue)
    return number < 0 ? nil : number
  }

  @inline(__always) func record(of id: AssetID) -> AssetRecord? {
    guard let record = assets[id.number], record.tag == id.tag else { return nil }
    return record
  }

  @inline(__always) func variant(_ choice: Choice) -> Variant? {
    guard let record = renditions[Int(choice.rendition)] else { return nil }
    let slicing = record.slicing == 0 ? nil : slicings[Int(record.slicing) &- 1]
    return Variant(choice: choice, record: record, slicing: slicing ?? SlicingRecord())
  }
}
