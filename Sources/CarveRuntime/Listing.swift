// Lists all assets and variants of an archive, and the assets that a change of traits affects.

import Archive
import Bytes
import Traits

/// A name in an archive, with a kind.
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
  public var assetCount: Int { storage.index.pointee.order.count }

  /// Returns the asset at an index in the list of all assets, which is sorted by name, then kind.
  public func asset(at index: Int) -> Asset? {
    guard let cell = storage.index.pointee.cell(at: index),
      let name = storage.index.pointee.name(of: cell),
      let identifier = storage.index.pointee.identifiers[index],
      let kind = AssetKind(rawValue: cell.kind)
    else { return nil }
    return Asset(
      id: AssetID(utf8: name, kind), name: String(decoding: name, as: UTF8.self), kind: kind,
      identifier: identifier)
  }

  /// All assets, sorted by name and then kind.
  public var assets: some Sequence<Asset> & Sendable { AssetList(catalog: self) }

  /// Returns the keys of an asset's variants, in their order.
  public func keys(of id: AssetID) -> [VariantKey] {
    guard let cell = storage.index.cell(of: id) else { return [] }
    return Array(storage.signatures.keys(of: storage.index.pointee.signature(of: cell)))
  }

  /// Returns the number of an asset's variants. Only the cell of the asset is read.
  public func variantCount(of id: AssetID) -> Int {
    storage.index.cell(of: id).map { cell in
      storage.signatures.keys(of: storage.index.pointee.signature(of: cell)).count
    } ?? 0
  }

  /// Returns the key of the variant at an index in the order of `keys(of:)`.
  public func key(_ index: Int, of id: AssetID) -> VariantKey? {
    guard let cell = storage.index.cell(of: id) else { return nil }
    let keys = storage.signatures.keys(of: storage.index.pointee.signature(of: cell))
    guard index >= 0, index < keys.count else { return nil }
    return keys[keys.startIndex + index]
  }

  /// Returns the variant at an index in the order of `keys(of:)`.
  public func variant(_ index: Int, of id: AssetID) -> Variant? {
    guard let cell = storage.index.cell(of: id) else { return nil }
    let signature = storage.index.pointee.signature(of: cell)
    guard index >= 0, index < storage.signatures.keys(of: signature).count else { return nil }
    let first = storage.signatures.firstRendition(of: signature, key: index)
    guard let number = UInt32(exactly: first + storage.index.pointee.assetNumber(of: cell)) else {
      return nil
    }
    return storage.index.variant(Choice(rendition: number, isMirrored: false))
  }
}

private struct AssetList: Sequence, Sendable {
  let catalog: Catalog

  func makeIterator() -> Iterator { Iterator(catalog: catalog) }

  struct Iterator: IteratorProtocol {
    let catalog: Catalog
    var index = 0

    mutating func next() -> Asset? {
      // Records without a meaning are skipped; their number is finite.
      while index < catalog.assetCount {
        defer { index += 1 }
        if let asset = catalog.asset(at: index) { return asset }
      }
      return nil
    }
  }
}

/// The differences between two views of one archive.
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
    from.decisions.index.cell(of: id).map(affects) ?? false
  }

  private func affects(_ cell: AssetCell) -> Bool {
    let index = from.decisions.index.pointee
    let signature = index.signature(of: cell)
    guard signature < isTouched.count, isTouched[signature] else { return false }
    let position = (signature: signature, asset: index.assetNumber(of: cell))
    let old = from.decisions.choice(position)
    let new = to.decisions.choice(position)
    guard let old, let new else { return (old == nil) != (new == nil) }
    // Two variants that were made from the same file may share one block.
    return old.isMirrored != new.isMirrored
      || index.block(of: Int(old.rendition)) != index.block(of: Int(new.rendition))
  }

  /// The assets that look different, in the order of their names.
  public var assets: [AssetID] {
    let index = from.decisions.index.pointee
    return (0..<from.catalog.assetCount).compactMap { number in
      guard let cell = index.cell(at: number), affects(cell) else { return nil }
      return from.catalog.asset(at: number)?.id
    }
  }
}

extension Catalog {
  /// Returns the differences between two environments. Views of another archive have no
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
  /// Returns the range of a variant's block in the file, and that of the atlas that contains its
  /// pixels.
  package func blocks(of variant: Variant) -> (own: Range<Int>, atlas: Range<Int>?)? {
    let number = variant.choice.rendition
    guard let own = range(of: Int(number)) else { return nil }
    guard variant.content == .atlasLink, (try? checkSize()) != nil,
      let rendition = try? rendition(number), let atlas = try? atlas(of: rendition)
    else { return (own, nil) }
    return (own, range(of: Int(atlas)))
  }

  /// Returns the range of a rendition's block; nil if it reaches beyond the end of the file.
  private func range(of rendition: Int) -> Range<Int>? {
    guard let block = storage.index.pointee.block(of: rendition),
      let entry = storage.index.pointee.entry(ofBlock: block),
      entry.offset + entry.length <= fileSize
    else { return nil }
    return entry.offset..<entry.offset + entry.length
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

  /// The platform for which the archive was made; nil if the archive does not state it.
  package var platform: Platform? { (try? Archive(storage.file.bytes))?.platform }

  private func readLocalizations() -> [NamedNumber] {
    guard let archive = try? Archive(storage.file.bytes) else { return [] }
    return (try? archive.localizations()) ?? []
  }
}
