// Fills the tables of IndexLayout.swift. The same input gives the same bytes, in whatever order it
// arrives. Which renditions make an asset is decided by the caller (IndexTables.swift).

import Traits

public enum IndexError: Error, Sendable, Equatable {
  /// The bytes do not begin as an index does, or with a version that this reader does not know.
  case notAnIndex
  /// A section, named by its number in the header, leaves the index.
  case section(Int)
  /// A table would outgrow the field that counts it.
  case tooLarge
  case checksum
}

/// One rendition, before the index is laid out.
public struct IndexedRendition: Sendable {
  public var key: VariantKey
  /// `slicing` and, for a link, `atlas` are filled in by the writer.
  public var record: RenditionRecord
  public var slicing: SlicingRecord?
  /// For a link, the position of its atlas among the atlases given to the writer.
  public var atlas: Int?

  public init(
    key: VariantKey, record: RenditionRecord, slicing: SlicingRecord? = nil, atlas: Int? = nil
  ) {
    self.key = key
    self.record = record
    self.slicing = slicing
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
  var assets: [AssetRecord] = []
  var hashes: [AssetNameHash] = []
  var renditions: [RenditionRecord] = []
  var slicings: [SlicingRecord] = []
  var names: [UInt8] = []
  private var numberOfSignature: [[VariantKey]: UInt32] = [:]
  private var numberOfSlicing: [SlicingRecord: UInt32] = [:]
  private var links: [(rendition: Int, atlas: Int)] = []

  /// Adds an asset behind those that precede it, with its renditions in the order of their keys.
  mutating func add(
    name: ArraySlice<UInt8>, _ kind: AssetKind, identifier: UInt16, _ kept: [IndexedRendition]
  ) throws(IndexError) {
    alignNames(for: name.count)
    guard let nameLength = UInt16(exactly: name.count),
      let nameOffset = UInt32(exactly: names.count),
      let first = UInt32(exactly: renditions.count)
    else { throw .tooLarge }
    let hash = name.withUnsafeBytes { name in
      name.baseAddress.map {
        AssetNameHash($0, count: name.count, kind: kind.rawValue)
      } ?? AssetNameHash.ofNothing(kind: kind.rawValue)
    }
    var record = AssetRecord()
    record.nameOffset = nameOffset
    record.nameLength = nameLength
    record.kind = kind.rawValue
    record.firstRendition = first
    record.signature = number(ofSignature: kept)
    record.tag = hash.tag
    record.identifier = identifier
    assets.append(record)
    hashes.append(hash)
    names += name
    for rendition in kept { append(rendition) }
  }

  /// Starts a cache line where a short name would lie in two.
  private mutating func alignNames(for count: Int) {
    let line = IndexHeader.alignment
    let used = names.count % line
    if count <= line, used + count > line {
      names.append(contentsOf: repeatElement(0, count: line - used))
    }
  }

  /// Atlases come last, where no signature reaches them.
  mutating func finish(atlases: [IndexedRendition]) throws(IndexError) {
    let first = renditions.count
    guard UInt32(exactly: first + atlases.count) != nil else { throw .tooLarge }
    for link in links where atlases.indices.contains(link.atlas) {
      renditions[link.rendition].atlas = UInt32(first + link.atlas)
    }
    for atlas in atlases { append(atlas) }
  }

  private mutating func append(_ rendition: IndexedRendition) {
    var record = rendition.record
    record.atlas = RenditionRecord.noAtlas
    record.slicing = rendition.slicing.map { number(ofSlicing: $0) } ?? 0
    if let atlas = rendition.atlas { links.append((renditions.count, atlas)) }
    renditions.append(record)
  }

  private mutating func number(ofSignature renditions: [IndexedRendition]) -> UInt32 {
    // Most assets have the keys of the one before.
    if let last = assets.last?.signature, isSignature(last, of: renditions) { return last }
    let sorted = renditions.map { $0.key }
    if let known = numberOfSignature[sorted] { return known }
    let number = UInt32(signatures.count)
    numberOfSignature[sorted] = number
    signatures.append(SignatureRecord(firstKey: UInt32(keys.count), count: UInt32(sorted.count)))
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

  private mutating func number(ofSlicing slicing: SlicingRecord) -> UInt32 {
    if let known = numberOfSlicing[slicing] { return known }
    slicings.append(slicing)
    numberOfSlicing[slicing] = UInt32(slicings.count)
    return UInt32(slicings.count)
  }

  /// At most half full; doubled while some name lies far from its place, but not without end.
  private func nameTable() -> (slots: [IndexSlot], probes: Int) {
    var count = 4
    while count < 2 * assets.count { count *= 2 }
    var table = nameTable(slots: count)
    while table.probes > 32, count < 16 * assets.count {
      count *= 2
      table = nameTable(slots: count)
    }
    return table
  }

  private func nameTable(slots count: Int) -> (slots: [IndexSlot], probes: Int) {
    var slots = [IndexSlot](repeating: IndexSlot(tag: 0, asset: IndexSlot.empty), count: count)
    var farthest = 1
    for (number, hash) in hashes.enumerated() {
      var place = Int(hash.slot) & (count - 1)
      var probes = 1
      while slots[place].asset != IndexSlot.empty {
        place = (place + 1) & (count - 1)
        probes += 1
      }
      slots[place] = IndexSlot(tag: hash.tag, asset: UInt32(number))
      farthest = max(farthest, probes)
    }
    return (slots, farthest)
  }

  func laidOut() throws(IndexError) -> [UInt8] {
    var header = IndexHeader()
    let table = nameTable()
    header.probes = UInt32(table.probes)
    var bytes = [UInt8](repeating: 0, count: MemoryLayout<IndexHeader>.size)
    header.keys = try append(keys, to: &bytes)
    header.signatures = try append(signatures, to: &bytes)
    header.slots = try append(table.slots, to: &bytes)
    header.assets = try append(assets, to: &bytes)
    header.names = try append(names, to: &bytes)
    header.slicings = try append(slicings, to: &bytes)
    header.renditions = try append(renditions, to: &bytes)
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

extension AssetNameHash {
  /// The hash of the empty name.
  static func ofNothing(kind: UInt8) -> AssetNameHash {
    withUnsafeBytes(of: UInt8(0)) { bytes in
      // A value always has an address; the byte is not read.
      bytes.baseAddress.map { AssetNameHash($0, count: 0, kind: kind) } ?? AssetNameHash(value: 0)
    }
  }

  private init(value: UInt64) { self.value = value }
}
