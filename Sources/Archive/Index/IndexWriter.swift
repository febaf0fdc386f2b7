// Fills the tables of IndexLayout.swift. The same input gives the same bytes, in any order of the
// input. The caller (IndexTables.swift) decides which renditions belong to an asset.

import Traits

/// One rendition, before the index is laid out.
package struct IndexedRendition: Sendable {
  package var key: VariantKey
  package var record: RenditionRecord
  /// The place of the block. The writer fills in `atlas` if the rendition is a link.
  package var block: BlockRecord
  /// The position of the link's atlas among the atlases that are given to the writer; nil if the
  /// rendition is no link.
  package var atlas: Int?

  package init(
    key: VariantKey, record: RenditionRecord, block: BlockRecord, atlas: Int? = nil
  ) {
    self.key = key
    self.record = record
    self.block = block
    self.atlas = atlas
  }
}

/// A name of one kind, with one rendition for each key.
package struct IndexedAsset: Sendable {
  package var name: [UInt8]
  package var kind: AssetKind
  package var identifier: UInt16
  package var renditions: [IndexedRendition]

  package init(
    name: [UInt8], kind: AssetKind, identifier: UInt16, renditions: [IndexedRendition]
  ) {
    self.name = name
    self.kind = kind
    self.identifier = identifier
    self.renditions = renditions
  }
}

package enum IndexWriter {
  /// Returns the bytes of an index whose identity is still 0. If two assets have the same name and
  /// kind, or two renditions the same key, the first is kept.
  package static func bytes(
    assets: [IndexedAsset], atlases: [IndexedRendition]
  ) throws(IndexError) -> [UInt8] {
    var all = atlases
    var tables = IndexTables(assets: assets.count, renditions: 0)
    for asset in firstOfEach(assets) {
      var kept: [KeyedRendition] = []
      for rendition in asset.renditions.sorted(by: { $0.key < $1.key })
      where rendition.key != kept.last?.key {
        kept.append(KeyedRendition(key: rendition.key, number: UInt32(all.count)))
        all.append(rendition)
      }
      try tables.add(
        name: asset.name[...], LookupKind(asset.kind), identifier: asset.identifier, kept)
    }
    try tables.finish(atlases: atlases.indices.map { UInt32($0) })
    return try tables.laidOut { all[Int($0)] }
  }

  private static func firstOfEach(_ assets: [IndexedAsset]) -> [IndexedAsset] {
    func precedes(_ a: IndexedAsset, _ b: IndexedAsset) -> Bool {
      if a.name.elementsEqual(b.name) { return a.kind.rawValue < b.kind.rawValue }
      return a.name.lexicographicallyPrecedes(b.name)
    }
    var kept: [IndexedAsset] = []
    kept.reserveCapacity(assets.count)
    // The sort is stable, so the first of two equal assets stays the first.
    for asset in assets.sorted(by: precedes) {
      if let last = kept.last, last.name == asset.name, last.kind == asset.kind { continue }
      kept.append(asset)
    }
    return kept
  }
}

/// A rendition's key, and the number by which the caller knows the rendition.
struct KeyedRendition {
  var key: VariantKey
  var number: UInt32
}

/// The tables of an index while assets are added to them.
struct IndexTables {
  private var keys: [IndexKey] = []
  private var signatures: [SignatureRecord] = []
  /// The assets and the drawings of symbols, which are found as assets are, in the order of their
  /// names. Their slots are chosen at the end.
  private var assets: [HashedAsset] = []
  private var names: [UInt8] = []
  /// The renditions, asset after asset, then the atlases.
  private var renditions: [UInt32] = []
  private var atlasCount = 0
  private var numberOfSignature: [[VariantKey]: UInt32] = [:]

  /// Creates empty tables and reserves memory for these numbers of assets and renditions.
  init(assets: Int, renditions: Int) {
    self.assets.reserveCapacity(assets)
    self.renditions.reserveCapacity(renditions)
    names.reserveCapacity(assets * 32)
  }

  /// Adds an asset; assets are added in the order of their names. `kept` are its renditions in the
  /// order of their keys.
  mutating func add(
    name: ArraySlice<UInt8>, _ kind: LookupKind, identifier: UInt16, _ kept: [KeyedRendition]
  ) throws(IndexError) {
    guard let nameLength = UInt16(exactly: name.count) else {
      throw .tooLarge(.bytesOfName, count: name.count, atMost: Int(UInt16.max))
    }
    let hash = name.withUnsafeBytes { AssetNameHash(of: $0, kind: kind.rawValue) }
    let record = NameRecord(length: nameLength, identifier: identifier, kind: kind.rawValue)
    let signature = number(ofSignature: kept)
    let rank = signatures[Int(signature)].assets
    signatures[Int(signature)].assets += 1
    assets.append(
      HashedAsset(
        hash: hash, name: try append(name, record), rank: rank, signature: signature,
        isListed: kind.asset != nil))
    for rendition in kept { renditions.append(rendition.number) }
  }

  /// Appends a name to the pool. If the name fits into a cache line but would lie in two, it starts
  /// a new one.
  private mutating func append(
    _ name: ArraySlice<UInt8>, _ record: NameRecord
  ) throws(IndexError) -> UInt32 {
    let line = IndexHeader.alignment
    let used = names.count % line
    let count = MemoryLayout<NameRecord>.size + name.count
    if count <= line, used + count > line { names.append(zeros: line - used) }
    guard let offset = UInt32(exactly: names.count), offset != AssetSlot.noName else {
      throw .tooLarge(.bytesOfAllNames, count: names.count, atMost: Int(AssetSlot.noName) - 1)
    }
    withUnsafeBytes(of: record) { names.append(contentsOf: $0) }
    names.append(contentsOf: name)
    return offset
  }

  /// Adds the atlases. They come last, so that no signature leads to them.
  mutating func finish(atlases: [UInt32]) throws(IndexError) {
    let count = renditions.count + atlases.count
    guard count <= Int(UInt32.max) else {
      throw .tooLarge(.renditions, count: count, atMost: Int(UInt32.max))
    }
    renditions += atlases
    atlasCount = atlases.count
  }

  private mutating func number(ofSignature renditions: [KeyedRendition]) -> UInt32 {
    // Most assets have the same keys as the asset before them.
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

  private func isSignature(_ number: UInt32, of renditions: [KeyedRendition]) -> Bool {
    let signature = signatures[Int(number)]
    guard Int(signature.count) == renditions.count else { return false }
    return renditions.indices.allSatisfy { place in
      let packed = renditions[place].key.packed
      let key = keys[Int(signature.firstKey) + place]
      return key.high == packed.high && key.low == packed.low
    }
  }

  /// Returns the signatures with their places among the renditions.
  private func placedSignatures() -> [SignatureRecord] {
    var next: UInt32 = 0
    return signatures.map { signature in
      var placed = signature
      placed.firstRendition = next
      next += signature.count * signature.assets
      return placed
    }
  }
}

// MARK: - Laying out

extension IndexTables {
  /// Returns the bytes of the index. `indexed` returns a rendition as the index stores it.
  func laidOut(_ indexed: (UInt32) -> IndexedRendition) throws(IndexError) -> [UInt8] {
    var header = IndexHeader()
    let table = NameTable(assets)
    header.overflow = UInt32(table.overflow)
    let signatures = placedSignatures()
    var end = MemoryLayout<IndexHeader>.size
    header.keys = try IndexSection(keys.count, of: IndexKey.self, behind: &end)
    header.signatures = try IndexSection(signatures.count, of: SignatureRecord.self, behind: &end)
    header.pilots = try IndexSection(table.pilots.count, of: UInt8.self, behind: &end)
    header.slots = try IndexSection(table.slots.count, of: AssetSlot.self, behind: &end)
    header.order = try IndexSection(table.order.count, of: UInt32.self, behind: &end)
    header.names = try IndexSection(names.count, of: UInt8.self, behind: &end)
    header.renditions = try IndexSection(renditions.count, of: RenditionRecord.self, behind: &end)
    header.blocks = try IndexSection(renditions.count, of: BlockRecord.self, behind: &end)
    guard let length = UInt32(exactly: end) else {
      throw .tooLarge(.bytes, count: end, atMost: Int(UInt32.max))
    }
    header.length = length
    var bytes = [UInt8](repeating: 0, count: end)
    bytes.withUnsafeMutableBytes { bytes in
      header.keys.store(keys, in: bytes)
      header.signatures.store(signatures, in: bytes)
      header.pilots.store(table.pilots, in: bytes)
      header.slots.store(table.slots, in: bytes)
      header.order.store(table.order, in: bytes)
      header.names.store(names, in: bytes)
      storeRenditions(indexed, signatures, header, in: bytes)
      bytes.storeBytes(of: header, as: IndexHeader.self)
      var digest = IndexDigest()
      digest.add(UnsafeRawBufferPointer(bytes))
      header.checksum = digest.value
      bytes.storeBytes(of: header, as: IndexHeader.self)
    }
    return bytes
  }

  /// Stores each rendition at the place that its signature, key and rank give.
  private func storeRenditions(
    _ indexed: (UInt32) -> IndexedRendition, _ signatures: [SignatureRecord], _ header: IndexHeader,
    in bytes: UnsafeMutableRawBufferPointer
  ) {
    let firstAtlas = renditions.count - atlasCount
    var next = 0
    func storeNext(at place: Int) {
      let rendition = indexed(renditions[next])
      var block = rendition.block
      block.atlas = BlockRecord.noAtlas
      if next < firstAtlas, let atlas = rendition.atlas, (0..<atlasCount).contains(atlas) {
        block.atlas = UInt32(firstAtlas + atlas)
      }
      header.renditions.store(rendition.record, at: place, in: bytes)
      header.blocks.store(block, at: place, in: bytes)
      next += 1
    }
    for asset in assets {
      let signature = signatures[Int(asset.signature)]
      for ordinal in 0..<signature.count {
        storeNext(at: Int(signature.firstRendition + ordinal * signature.assets + asset.rank))
      }
    }
    for place in firstAtlas..<renditions.count { storeNext(at: place) }
  }
}

extension IndexSection {
  /// Creates the next section of the index, and moves `end` behind it.
  fileprivate init<Record: BitwiseCopyable>(
    _ records: Int, of type: Record.Type, behind end: inout Int
  ) throws(IndexError) {
    let alignment = IndexHeader.alignment
    end = (end + alignment - 1) / alignment * alignment
    let limit = Int(UInt32.max)
    guard let count = UInt32(exactly: records) else {
      throw .tooLarge(.records, count: records, atMost: limit)
    }
    guard let offset = UInt32(exactly: end) else {
      throw .tooLarge(.bytes, count: end, atMost: limit)
    }
    self.init()
    self.offset = offset
    self.count = count
    end += records * MemoryLayout<Record>.stride
  }

  fileprivate func store<Record: BitwiseCopyable>(
    _ records: [Record], in bytes: UnsafeMutableRawBufferPointer
  ) {
    records.withUnsafeBytes {
      UnsafeMutableRawBufferPointer(rebasing: bytes[Int(offset)...]).copyMemory(from: $0)
    }
  }

  fileprivate func store<Record: BitwiseCopyable>(
    _ record: Record, at place: Int, in bytes: UnsafeMutableRawBufferPointer
  ) {
    bytes.storeBytes(
      of: record, toByteOffset: Int(offset) + place * MemoryLayout<Record>.stride, as: Record.self)
  }
}

// MARK: - Slots of names

// Gives each asset a slot of the index (a perfect hash table). The hash of a name selects a bucket,
// the bucket has a pilot, and hash and pilot together give a slot that no other name has. So a
// lookup reads one slot and never searches.
//
// There are about three assets for each bucket, and four slots for three assets. The pilots are
// chosen here, for the largest bucket first, while most slots are free. An example with two buckets
// and six slots:
//
//     bucket 1: Home, Edit, Trash    pilot 0 → slots 4, 2, 4    two names in slot 4
//                                    pilot 1 → slots 0, 5, 3    free, so bucket 1 gets pilot 1
//     bucket 0: Back                 pilot 0 → slot 5           taken by Edit
//                                    pilot 1 → slot 1           free, so bucket 0 gets pilot 1
//
// If none of the 256 pilots fits, which happens only for names that were chosen to collide, the
// assets of the bucket get slots behind the others: the overflow, which a lookup searches.

/// The numbers of an asset that the name table needs.
struct HashedAsset {
  var hash: AssetNameHash
  /// The offset of its NameRecord in the pool.
  var name: UInt32
  var rank: UInt32
  var signature: UInt32
  /// Whether it is an asset; false for the drawing of a symbol.
  var isListed = true
}

struct NameTable {
  private(set) var pilots: [UInt8]
  private(set) var slots: [AssetSlot]
  /// The slot numbers of the assets that are listed, in the order of the assets.
  private(set) var order: [UInt32]
  /// The number of slots at the end whose assets found no slot through their hash.
  private(set) var overflow = 0

  /// Lays out the table. `assets` are in the order of their names.
  init(_ assets: [HashedAsset]) {
    pilots = Array(repeating: 0, count: assets.count / 3 + 1)
    slots = Array(repeating: .empty, count: assets.count + assets.count / 3 + 1)
    order = Array(repeating: 0, count: assets.count)
    let places = slots.count
    let members = NameTable.membersByBucket(assets, count: pilots.count)
    var found: [Int] = []
    for bucket in NameTable.bucketsBySize(members) {
      if let pilot = freePlaces(for: members[bucket], of: assets, among: places, &found) {
        pilots[Int(members[bucket.lowerBound] >> 32)] = pilot
        for (member, place) in zip(bucket, found) { put(assets, members[member], at: place) }
      } else {
        for member in bucket {
          slots.append(.empty)
          put(assets, members[member], at: slots.count - 1)
        }
      }
    }
    overflow = slots.count - places
    order = assets.indices.filter { assets[$0].isListed }.map { order[$0] }
  }

  private mutating func put(_ assets: [HashedAsset], _ member: UInt64, at place: Int) {
    let number = Int(member & 0xFFFF_FFFF)
    let asset = assets[number]
    order[number] = UInt32(place)
    slots[place] = AssetSlot(
      tag: asset.hash.tag, name: asset.name, rank: asset.rank, signature: asset.signature)
  }

  /// Returns one number for each asset: its bucket in the upper half, its position in `assets` in
  /// the lower half. The numbers are sorted by bucket; the assets of one bucket stay in the order
  /// of their names.
  private static func membersByBucket(_ assets: [HashedAsset], count: Int) -> [UInt64] {
    var members: [UInt64] = []
    members.reserveCapacity(assets.count)
    for (number, asset) in assets.enumerated() {
      members.append(UInt64(asset.hash.place(among: count)) << 32 | UInt64(number))
    }
    members.sort(byBitsFrom: 32)
    return members
  }

  /// Returns the range of each bucket in `members`: the largest bucket first, and of equally large
  /// buckets the one that stands first.
  private static func bucketsBySize(_ members: [UInt64]) -> [Range<Int>] {
    var starts: [UInt64] = []
    starts.reserveCapacity(members.count)
    var first = 0
    while first < members.count {
      var end = first + 1
      while end < members.count, members[end] >> 32 == members[first] >> 32 { end += 1 }
      starts.append(UInt64(UInt32.max - UInt32(end - first)) << 32 | UInt64(first))
      first = end
    }
    starts.sort(byBitsFrom: 32)
    return starts.map { start in
      let first = Int(start & 0xFFFF_FFFF)
      return first..<first + Int(UInt32.max - UInt32(start >> 32))
    }
  }

  /// Returns the first pilot that gives each asset of a bucket a free slot of its own, and sets
  /// `found` to these slots. Returns nil if no pilot does, for example if two hashes are equal.
  private func freePlaces(
    for members: ArraySlice<UInt64>, of assets: [HashedAsset], among places: Int,
    _ found: inout [Int]
  ) -> UInt8? {
    for pilot in UInt8.min...UInt8.max {
      found.removeAll(keepingCapacity: true)
      for member in members {
        let hash = assets[Int(member & 0xFFFF_FFFF)].hash
        let place = hash.scattered(by: pilot).place(among: places)
        if slots[place].name != AssetSlot.noName || found.contains(place) { break }
        found.append(place)
      }
      if found.count == members.count { return pilot }
    }
    return nil
  }
}

// MARK: - Signatures

// The signatures of an index. They are decoded once, at open; every view is computed from them.

/// All keys, signature after signature, and the number of the first key of each signature.
package struct SignatureTable: Sendable {
  package let keys: [VariantKey]
  /// The number of the first key of each signature, and at the end the number of all keys.
  package let starts: [UInt32]
  private let records: [SignatureRecord]

  package var count: Int { starts.count - 1 }

  package func keys(of signature: Int) -> ArraySlice<VariantKey> {
    guard signature >= 0, signature < count else { return [] }
    return keys[Int(starts[signature])..<Int(starts[signature + 1])]
  }

  /// Returns the number of the rendition that the asset of rank 0 has for a key. The number may lie
  /// outside of the index, but it is below 2^61: the numbers in a record are below 2^32, and a
  /// signature has fewer than 2^28 keys, because the keys of 16 bytes lie in the index, which is
  /// shorter than 2^32 bytes.
  package func firstRendition(of signature: Int, key ordinal: Int) -> Int {
    let record = records[signature]
    return Int(record.firstRendition) + ordinal * Int(record.assets)
  }

  /// Reads the signatures. They must follow one another without gaps and overlaps, otherwise a
  /// small index could demand an immense number of decisions. The keys must hold values of their
  /// axes.
  package init(_ index: IndexReader) throws(IndexError) {
    var starts: [UInt32] = [0]
    var records: [SignatureRecord] = []
    records.reserveCapacity(index.signatures.count)
    starts.reserveCapacity(index.signatures.count + 1)
    var end = 0
    for number in 0..<index.signatures.count {
      guard let record = index.signatures[number], Int(record.firstKey) == end else {
        throw .section(1)
      }
      end += Int(record.count)
      guard end <= index.keys.count else { throw .section(1) }
      starts.append(UInt32(end))
      records.append(record)
    }
    var keys: [VariantKey] = []
    keys.reserveCapacity(end)
    for number in 0..<end {
      guard let packed = index.keys[number],
        let key = VariantKey(high: packed.high, low: packed.low)
      else { throw .section(0) }
      keys.append(key)
    }
    self.keys = keys
    self.starts = starts
    self.records = records
  }
}
