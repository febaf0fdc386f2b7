// Everything that a catalogue holds by name, and what a change of traits touches.

import Archive
import Bytes
import Traits

/// One name of one kind.
public struct Asset: Sendable, Hashable {
  public let id: AssetID
  public let name: String
  public let kind: AssetKind
  /// The number by which Apple's trees know the name.
  public let identifier: UInt16

  /// The id of one drawing of a symbol.
  public func id(of glyph: Glyph) -> AssetID {
    name.withName {
      AssetID(rawValue: AssetNameHash(of: $0, kind: LookupKind(glyph).rawValue).value)
    }
  }
}

extension Catalog {
  /// How many names there are, counted once for each kind.
  public var assetCount: Int { storage.index.order.count }

  /// The asset at a place among all, sorted by name and then kind.
  public func asset(at place: Int) -> Asset? {
    guard let slot = storage.index.slot(at: place), let name = storage.index.name(of: slot),
      let record = storage.index.nameRecord(of: slot), let kind = AssetKind(rawValue: record.kind)
    else { return nil }
    return Asset(
      id: AssetID(utf8: name, kind), name: String(decoding: name, as: UTF8.self), kind: kind,
      identifier: record.identifier)
  }

  /// All assets, sorted by name and then kind.
  public var assets: some Sequence<Asset> & Sendable { AssetList(catalog: self) }

  /// The keys of an asset's variants, in their order.
  public func keys(of id: AssetID) -> [VariantKey] {
    guard let slot = storage.index.slot(of: id) else { return [] }
    return Array(storage.signatures.keys(of: Int(slot.signature)))
  }

  /// How many variants an asset has. Nothing is read for it but its slot.
  public func variantCount(of id: AssetID) -> Int {
    storage.index.slot(of: id).map { storage.signatures.keys(of: Int($0.signature)).count } ?? 0
  }

  /// The key of the variant at a place in the order of `keys(of:)`.
  public func key(_ place: Int, of id: AssetID) -> VariantKey? {
    guard let slot = storage.index.slot(of: id) else { return nil }
    let keys = storage.signatures.keys(of: Int(slot.signature))
    guard place >= 0, place < keys.count else { return nil }
    return keys[keys.startIndex + place]
  }

  /// The variant at a place in the order of `keys(of:)`.
  public func variant(_ place: Int, of id: AssetID) -> Variant? {
    guard let slot = storage.index.slot(of: id) else { return nil }
    let signature = Int(slot.signature)
    guard place >= 0, place < storage.signatures.keys(of: signature).count else { return nil }
    let first = storage.signatures.firstRendition(of: signature, key: place)
    guard let number = UInt32(exactly: first + Int(slot.rank)) else { return nil }
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
    from.decisions.index.slot(of: id).map(affects) ?? false
  }

  private func affects(_ slot: AssetSlot) -> Bool {
    let signature = Int(slot.signature)
    guard signature < isTouched.count, isTouched[signature] else { return false }
    let index = from.decisions.index
    let old = from.decisions.choice(slot)
    let new = to.decisions.choice(slot)
    guard let old, let new else { return (old == nil) != (new == nil) }
    // Two variants may share one block, when they were made from the same file.
    return old.isMirrored != new.isMirrored
      || index.blocks[Int(old.rendition)]?.offset != index.blocks[Int(new.rendition)]?.offset
  }

  /// The assets that look different, in the order of their names.
  public var assets: [AssetID] {
    let index = from.decisions.index
    return (0..<index.order.count).compactMap { place in
      guard let slot = index.slot(at: place), affects(slot) else { return nil }
      return from.catalog.asset(at: place)?.id
    }
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
  /// Where the block of a variant lies in the file, and the block of the atlas that has its pixels.
  package func blocks(of variant: Variant) -> (own: Range<Int>, atlas: Range<Int>?)? {
    guard let own = storage.index.blocks[Int(variant.choice.rendition)],
      let range = own.range(below: fileSize)
    else { return nil }
    let atlas = own.atlas == BlockRecord.noAtlas ? nil : storage.index.blocks[Int(own.atlas)]
    return (range, atlas?.range(below: fileSize))
  }

  /// The name that the archive keeps with a variant, as a rule of the file it was made from; nil
  /// where its block cannot be read.
  public func storedName(of variant: Variant) -> String? {
    guard (try? checkSize()) != nil, let block = try? block(of: variant.choice.rendition) else {
      return nil
    }
    return try? Rendition(block).header.name.text
  }

  /// The tags of the localizations and their numbers in keys; empty where they cannot be read.
  public var localizations: [NamedNumber] { storage.localizations.value { readLocalizations() } }

  private func readLocalizations() -> [NamedNumber] {
    guard let archive = try? Archive(storage.file.bytes) else { return [] }
    return (try? archive.localizations()) ?? []
  }
}

extension BlockRecord {
  /// Nil where it lies outside of a file of this size.
  fileprivate func range(below size: Int) -> Range<Int>? {
    guard let offset = Int(exactly: offset), offset <= size, Int(length) <= size - offset else {
      return nil
    }
    return offset..<offset + Int(length)
  }
}
