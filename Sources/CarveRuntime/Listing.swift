// Lists all assets and variants of a catalogue, and the assets that a change of traits affects.

import Archive
import Bytes
import Traits

/// A name in a catalogue, with a kind.
public struct Asset: Sendable, Hashable {
  public let id: AssetID
  public let name: String
  public let kind: AssetKind
  /// The number that identifies the name in Apple's trees.
  public let identifier: UInt16

  /// Returns the id of one drawing of a symbol.
  public func id(of glyph: Glyph) -> AssetID {
    name.withName {
      AssetID(rawValue: AssetNameHash(of: $0, kind: LookupKind(glyph).rawValue).value)
    }
  }
}

extension Catalog {
  /// The number of names; a name counts once for each of its kinds.
  public var assetCount: Int { storage.index.order.count }

  /// Returns the asset at a place in the list of all assets, which is sorted by name and then kind.
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

  /// Returns the keys of an asset's variants, in their order.
  public func keys(of id: AssetID) -> [VariantKey] {
    guard let slot = storage.index.slot(of: id) else { return [] }
    return Array(storage.signatures.keys(of: Int(slot.signature)))
  }

  /// Returns the number of an asset's variants. Only the slot of the asset is read.
  public func variantCount(of id: AssetID) -> Int {
    storage.index.slot(of: id).map { storage.signatures.keys(of: Int($0.signature)).count } ?? 0
  }

  /// Returns the key of the variant at a place in the order of `keys(of:)`.
  public func key(_ place: Int, of id: AssetID) -> VariantKey? {
    guard let slot = storage.index.slot(of: id) else { return nil }
    let keys = storage.signatures.keys(of: Int(slot.signature))
    guard place >= 0, place < keys.count else { return nil }
    return keys[keys.startIndex + place]
  }

  /// Returns the variant at a place in the order of `keys(of:)`.
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
      // Records without a meaning are skipped; their number is finite.
      while place < catalog.assetCount {
        defer { place += 1 }
        if let asset = catalog.asset(at: place) { return asset }
      }
      return nil
    }
  }
}

/// The differences between two views of one catalogue.
public struct Transition: Sendable {
  private let from: CatalogView
  private let to: CatalogView
  /// Whether the winner changes, for each signature.
  private let isTouched: [Bool]

  fileprivate init(from: CatalogView, to: CatalogView) {
    self.from = from
    self.to = to
    isTouched = from.decisions.differences(to.decisions)
  }

  /// Whether nothing changes on the screen.
  public var isEmpty: Bool { !isTouched.contains(true) || assets.isEmpty }

  /// Returns whether an asset looks different after the change.
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
    // Two variants that were made from the same file may share one block.
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
  /// Returns the differences between two environments. Views of another catalogue have no
  /// differences.
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
  /// Returns the place of a variant's block in the file, and that of the atlas that contains its
  /// pixels.
  package func blocks(of variant: Variant) -> (own: Range<Int>, atlas: Range<Int>?)? {
    guard let own = storage.index.blocks[Int(variant.choice.rendition)],
      let range = own.range(below: fileSize)
    else { return nil }
    let atlas = own.atlas == BlockRecord.noAtlas ? nil : storage.index.blocks[Int(own.atlas)]
    return (range, atlas?.range(below: fileSize))
  }

  /// Returns the name that the archive keeps with a variant, usually that of its source file; nil
  /// if the block cannot be read.
  public func storedName(of variant: Variant) -> String? {
    guard (try? checkSize()) != nil, let block = try? block(of: variant.choice.rendition) else {
      return nil
    }
    return try? Rendition(block).header.name.text
  }

  /// The tags of the localizations and their numbers in keys; empty if they cannot be read.
  public var localizations: [NamedNumber] { storage.localizations.value { readLocalizations() } }

  private func readLocalizations() -> [NamedNumber] {
    guard let archive = try? Archive(storage.file.bytes) else { return [] }
    return (try? archive.localizations()) ?? []
  }
}

extension BlockRecord {
  /// Returns the range of the block in the file; nil if the block reaches beyond the end of the
  /// file.
  fileprivate func range(below size: Int) -> Range<Int>? {
    guard let offset = Int(exactly: offset), offset <= size, Int(length) <= size - offset else {
      return nil
    }
    return offset..<offset + Int(length)
  }
}
