// Everything that a catalogue holds by name, and what a change of traits touches.

import Archive
import Traits

/// One name of one kind.
public struct Asset: Sendable, Hashable {
  public let id: AssetID
  public let name: String
  public let kind: AssetKind
  /// The number by which Apple's trees know the name.
  public let identifier: UInt16
}

extension Catalog {
  /// How many names there are, counted once for each kind.
  public var assetCount: Int { storage.index.assets.count }

  /// The asset at a place among all, sorted by name and then kind.
  public func asset(at place: Int) -> Asset? {
    guard let record = storage.index.assets[place], let kind = AssetKind(rawValue: record.kind),
      let name = storage.index.name(of: record)
    else { return nil }
    return Asset(
      id: AssetID(number: place, tag: record.tag), name: String(decoding: name, as: UTF8.self),
      kind: kind, identifier: record.identifier)
  }

  /// All assets, sorted by name and then kind.
  public var assets: some Sequence<Asset> & Sendable { AssetList(catalog: self) }

  /// The keys of an asset's variants, in their order.
  public func keys(of id: AssetID) -> [VariantKey] {
    guard let record = storage.index.record(of: id) else { return [] }
    return Array(storage.signatures.keys(of: Int(record.signature)))
  }

  /// The variant at a place in the order of `keys(of:)`.
  public func variant(_ place: Int, of id: AssetID) -> Variant? {
    guard let record = storage.index.record(of: id), place >= 0,
      place < storage.signatures.keys(of: Int(record.signature)).count,
      let number = UInt32(exactly: Int(record.firstRendition) + place)
    else { return nil }
    return storage.index.variant(Choice(rendition: number, isMirrored: false))
  }
}

private struct AssetList: Sequence, Sendable {
  let catalog: Catalog

  func makeIterator() -> Iterator { Iterator(catalog: catalog) }

  struct Iterator: IteratorProtocol {
    let catalog: Catalog
    var place = 0

    mutating func next() -> Asset? {
      // Records that say nothing are passed over; there are finitely many.
      while place < catalog.assetCount {
        defer { place += 1 }
        if let asset = catalog.asset(at: place) { return asset }
      }
      return nil
    }
  }
}

/// What differs between two views of one catalogue.
public struct Transition: Sendable {
  private let from: CatalogView
  private let to: CatalogView
  /// By signature: whether its winner changes.
  private let isTouched: [Bool]

  fileprivate init(from: CatalogView, to: CatalogView) {
    self.from = from
    self.to = to
    isTouched = from.decisions.differences(to.decisions)
  }

  /// Whether nothing changes on the screen.
  public var isEmpty: Bool { !isTouched.contains(true) || assets.isEmpty }

  /// Whether an asset looks different after the change.
  public func affects(_ id: AssetID) -> Bool {
    guard let record = from.decisions.index.record(of: id) else { return false }
    return affects(record)
  }

  private func affects(_ record: AssetRecord) -> Bool {
    guard Int(record.signature) < isTouched.count, isTouched[Int(record.signature)] else {
      return false
    }
    let index = from.decisions.index
    let old = from.decisions.choice(record)
    let new = to.decisions.choice(record)
    guard let old, let new else { return (old == nil) != (new == nil) }
    // Two variants may share one block, when they were made from the same file.
    return old.isMirrored != new.isMirrored
      || index.renditions[Int(old.rendition)]?.blockOffset
        != index.renditions[Int(new.rendition)]?.blockOffset
  }

  /// The assets that look different, in the order of their names.
  public var assets: [AssetID] {
    let index = from.decisions.index
    var touched: [AssetID] = []
    for number in 0..<index.assets.count {
      guard let record = index.assets[number], affects(record) else { continue }
      touched.append(AssetID(number: number, tag: record.tag))
    }
    return touched
  }
}

extension Catalog {
  /// What changes between two environments. Views of another catalogue differ in nothing.
  public func transition(from: CatalogView, to: CatalogView) -> Transition {
    guard from.storage === storage, to.storage === storage else {
      let here = view(for: from.environment)
      return Transition(from: here, to: here)
    }
    return Transition(from: from, to: to)
  }

  public func transition(from: Environment, to: Environment) -> Transition {
    Transition(from: view(for: from), to: view(for: to))
  }
}

extension Catalog {
  /// The name that the archive keeps with a variant, as a rule of the file it was made from; nil
  /// where its block cannot be read.
  public func storedName(of variant: Variant) -> String? {
    guard (try? checkSize()) != nil, let block = try? block(of: variant.choice.rendition) else {
      return nil
    }
    return try? Rendition(block).header.name
  }

  /// The tags of the localizations and their numbers in keys; empty where they cannot be read.
  public var localizations: [NamedNumber] {
    guard let archive = try? Archive(storage.file.bytes) else { return [] }
    return (try? archive.localizations()) ?? []
  }
}
