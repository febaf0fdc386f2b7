// Fills the tables of IndexLayout.swift. The same input gives the same bytes, in whatever order it
// arrives. Which renditions make an asset is decided by the caller (IndexTables.swift).

import Traits

public enum IndexError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The bytes do not begin as an index does, or with a version that this reader does not know.
  case notAnIndex
  /// A section, named by its number in the header, leaves the index.
  case section(Int)
  /// A table would outgrow the field that counts it.
  case tooLarge
  case checksum

  public var description: String {
    switch self {
    case .notAnIndex: "not an index of version \(IndexHeader.currentVersion)"
    case .section(let number): "section \(number) does not fit"
    case .tooLarge: "a table that outgrows the field which counts it"
    case .checksum: "the checksum does not match"
    }
  }
}

/// One rendition, before the index is laid out.
public struct IndexedRendition: Sendable {
  public var key: VariantKey
  public var record: RenditionRecord
  /// For a link, `atlas` is filled in by the writer.
  public var block: BlockRecord
  /// For a link, the position of its atlas among the atlases given to the writer.
  public var atlas: Int?

  public init(
    key: VariantKey, record: RenditionRecord, block: BlockRecord, atlas: Int? = nil
  ) {
    self.key = key
    self.record = record
    self.block = block
    self.atlas = atlas
  }
}

/// One name of one kind, with one rendition for each key.
public struct IndexedAsset: Sendable {
  public var name: [UInt8]
  public var kind: AssetKind
  public var identifier: UInt16
  public var renditions: [IndexedRendition]

  public init(
    name: [UInt8], kind: AssetKind, identifier: UInt16, renditions: [IndexedRendition]
  ) {
    self.name = name
    self.kind = kind
    self.identifier = identifier
    self.renditions = renditions
  }
}

public enum IndexWriter {
  /// The bytes of an index whose identity is still 0. Of two assets with one name and kind, and of
  /// two renditions with one key, the first is kept.
  public static func bytes(
    assets: [IndexedAsset], atlases: [IndexedRendition]
  ) throws(IndexError) -> [UInt8] {
    var tables = IndexTables()
    for asset in firstOfEach(assets) {
      var kept: [IndexedRendition] = []
      for rendition in asset.renditions.sorted(by: { $0.key < $1.key })
      where rendition.key != kept.last?.key { kept.append(rendition) }
      try tables.add(name: asset.name[...], asset.kind, identifier: asset.identifier, kept)
    }
    try tables.finish(atlases: atlases)
    return try tables.laidOut()
  }

  private static func firstOfEach(_ assets: [IndexedAsset]) -> [IndexedAsset] {
    func precedes(_ a: IndexedAsset, _ b: IndexedAsset) -> Bool {
      if a.name.elementsEqual(b.name) { return a.kind.rawValue < b.kind.rawValue }
      return a.name.lexicographicallyPrecedes(b.name)
    }
    var kept: [IndexedAsset] = []
    kept.reserveCapacity(assets.count)
    // The sort is stable, so that the first of two equals stays the first.
    for asset in assets.sorted(by: precedes) {
      if let last = kept.last, last.name == asset.name, last.kind == asset.kind { continue }
      kept.append(asset)
    }
    return kept
  }
}

struct IndexTables {
  var keys: [IndexKey] = []
  var signatures: [SignatureRecord] = []
  /// In the order of their names; where they lie among the slots is decided at the end.
  var assets: [HashedAsset] = []
  var renditions: [RenditionRecord] = []
  var blocks: [BlockRecord] = []
  var names: [UInt8] = []
  private var numberOfSignature: [[VariantKey]: UInt32] = [:]
  private var links: [(rendition: Int, atlas: Int)] = []

  /// Adds an asset behind those that precede it, with its renditions in the order of their keys.
  mutating func add(
    name: ArraySlice<UInt8>, _ kind: AssetKind, identifier: UInt16, _ kept: [IndexedRendition]
  ) throws(IndexError) {
    guard let nameLength = UInt16(exactly: name.count) else { throw .tooLarge }
    let hash = name.withUnsafeBytes { AssetNameHash(of: $0, kind: kind.rawValue) }
    let record = NameRecord(length: nameLength, identifier: identifier, kind: kind.rawValue)
    let signature = number(ofSignature: kept)
    let rank = signatures[Int(signature)].assets
    signatures[Int(signature)].assets += 1
    assets.append(
      HashedAsset(hash: hash, name: try append(name, record), rank: rank, signature: signature))
    for rendition in kept { append(rendition) }
  }

  /// Starts a cache line where a short name would lie in two.
  private mutating func append(
    _ name: ArraySlice<UInt8>, _ record: NameRecord
  ) throws(IndexError) -> UInt32 {
    let line = IndexHeader.alignment
    let used = names.count % line
    let count = MemoryLayout<NameRecord>.size + name.count
    if count <= line, used + count > line {
      names.append(contentsOf: repeatElement(0, count: line - used))
    }
    guard let offset = UInt32(exactly: names.count), offset != AssetSlot.noName else {
      throw .tooLarge
    }
    withUnsafeBytes(of: record) { names += $0 }
    names += name
    return offset
  }

  /// Atlases come last, where no signature reaches them.
  mutating func finish(atlases: [IndexedRendition]) throws(IndexError) {
    let first = renditions.count
    guard UInt32(exactly: first + atlases.count) != nil else { throw .tooLarge }
    for link in links where atlases.indices.contains(link.atlas) {
      blocks[link.rendition].atlas = UInt32(first + link.atlas)
    }
    for atlas in atlases { append(atlas) }
  }

  private mutating func append(_ rendition: IndexedRendition) {
    if let atlas = rendition.atlas { links.append((renditions.count, atlas)) }
    renditions.append(rendition.record)
    blocks.append(rendition.block)
    blocks[blocks.count - 1].atlas = BlockRecord.noAtlas
  }

  private mutating func number(ofSignature renditions: [IndexedRendition]) -> UInt32 {
    // Most assets have the keys of the one before.
    if let last = assets.last?.signature, isSignature(last, of: renditions) { return last }
    let sorted = renditions.map { $0.key }
    if let known = numberOfSignature[sorted] { return known }
    let number = UInt32(signatures.count)
    numberOfSignature[sorted] = number
    signatures.append(
      SignatureRecord(
        firstKey: UInt32(keys.count), count: UInt32(sorted.count), firstRendition: 0, assets: 0))
    keys += sorted.map { IndexKey(high: $0.packed.high, low: $0.packed.low) }
    return number
  }

  private func isSignature(_ number: UInt32, of renditions: [IndexedRendition]) -> Bool {
    let signature = signatures[Int(number)]
    guard Int(signature.count) == renditions.count else { return false }
    return renditions.indices.allSatisfy { place in
      let packed = renditions[place].key.packed
      let key = keys[Int(signature.firstKey) + place]
      return key.high == packed.high && key.low == packed.low
    }
  }

  /// The signatures with their places among the renditions.
  private func placedSignatures() -> [SignatureRecord] {
    var next: UInt32 = 0
    return signatures.map { signature in
      var placed = signature
      placed.firstRendition = next
      next += signature.count * signature.assets
      return placed
    }
  }

  /// The records of all renditions in the order of the index, from that in which they were added:
  /// asset after asset.
  private func placed<Record>(_ records: [Record], by signatures: [SignatureRecord]) -> [Record] {
    var placed = records
    var next = 0
    for asset in assets {
      let signature = signatures[Int(asset.signature)]
      for ordinal in 0..<signature.count {
        let place = signature.firstRendition + ordinal * signature.assets + asset.rank
        placed[Int(place)] = records[next]
        next += 1
      }
    }
    return placed
  }

  func laidOut() throws(IndexError) -> [UInt8] {
    var header = IndexHeader()
    let table = NameTable(assets)
    header.overflow = UInt32(table.overflow)
    let signatures = placedSignatures()
    var bytes = [UInt8](repeating: 0, count: MemoryLayout<IndexHeader>.size)
    header.keys = try append(keys, to: &bytes)
    header.signatures = try append(signatures, to: &bytes)
    header.pilots = try append(table.pilots, to: &bytes)
    header.slots = try append(table.slots, to: &bytes)
    header.order = try append(table.order, to: &bytes)
    header.names = try append(names, to: &bytes)
    header.renditions = try append(placed(renditions, by: signatures), to: &bytes)
    header.blocks = try append(placed(blocks, by: signatures), to: &bytes)
    guard let length = UInt32(exactly: bytes.count) else { throw .tooLarge }
    header.length = length
    bytes.withUnsafeMutableBytes { raw in
      raw.storeBytes(of: header, as: IndexHeader.self)
      var digest = IndexDigest()
      digest.add(UnsafeRawBufferPointer(raw))
      header.checksum = digest.value
      raw.storeBytes(of: header, as: IndexHeader.self)
    }
    return bytes
  }

  private func append<Record: BitwiseCopyable>(
    _ records: [Record], to bytes: inout [UInt8]
  ) throws(IndexError) -> IndexSection {
    while bytes.count % IndexHeader.alignment != 0 { bytes.append(0) }
    guard let offset = UInt32(exactly: bytes.count), let count = UInt32(exactly: records.count)
    else { throw .tooLarge }
    records.withUnsafeBytes { bytes.append(contentsOf: $0) }
    var section = IndexSection()
    section.offset = offset
    section.count = count
    return section
  }
}
