// Fills the tables of IndexLayout.swift. The same input gives the same bytes, in any order of the
// input. The caller (IndexOfTrees.swift) decides which renditions belong to an asset.

import Traits

/// One rendition, before the index is laid out.
package struct IndexedRendition: Sendable {
  package var key: VariantKey
  package var record: RenditionRecord
  package var block: BlockID

  package init(
    key: VariantKey, record: RenditionRecord, block: BlockID
  ) {
    self.key = key
    self.record = record
    self.block = block
  }
}

/// A name of one kind, with one rendition for each key.
package struct IndexedAsset: Sendable {
  package var name: [UInt8]
  /// The block that holds the name.
  package var nameBlock: BlockID
  package var kind: AssetKind
  package var identifier: UInt16
  package var renditions: [IndexedRendition]

  package init(
    name: [UInt8], nameBlock: BlockID, kind: AssetKind, identifier: UInt16,
    renditions: [IndexedRendition]
  ) {
    self.name = name
    self.nameBlock = nameBlock
    self.kind = kind
    self.identifier = identifier
    self.renditions = renditions
  }
}

package enum IndexWriter {
  /// Returns the bytes of an index whose identity is still 0. If two assets have the same name and
  /// kind, or two renditions the same key, the first is kept.
  package static func bytes(
    assets: [IndexedAsset], atlases: [(key: RenditionKey, rendition: IndexedRendition)]
  ) throws(IndexError) -> [UInt8] {
    var all = atlases.map { $0.rendition }
    var tables = IndexTables(assets: assets.count, renditions: 0)
    for asset in firstOfEach(assets) {
      var kept: [KeyedRendition] = []
      for rendition in asset.renditions.sorted(by: { $0.key < $1.key })
      where rendition.key != kept.last?.key {
        kept.append(KeyedRendition(key: rendition.key, number: UInt32(all.count)))
        all.append(rendition)
      }
      try tables.add(
        name: asset.name[...], in: asset.nameBlock, LookupKind(asset.kind),
        identifier: asset.identifier, kept)
    }
    try tables.finish(atlases: atlases.enumerated().map { ($1.key, UInt32($0)) })
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
  private var keys = DistinctRecords<IndexKey>()
  private var signatures: [SignatureRecord] = []
  /// The numbers of the keys of each signature, and the place of the first of them.
  private var members: [UInt32] = []
  private var firstMembers: [Int] = []
  /// The assets and the drawings of symbols, which are found as assets are, in the order of their
  /// names. Their slots are chosen at the end.
  private var assets: [HashedAsset] = []
  /// The renditions, asset after asset, then the atlases.
  private var renditions: [UInt32] = []
  /// The digests of the keys of the atlases.
  private var atlases: [UInt64] = []
  private var numberOfSignature: [[UInt32]: UInt32] = [:]

  /// Creates empty tables and reserves memory for these numbers of assets and renditions.
  init(assets: Int, renditions: Int) {
    self.assets.reserveCapacity(assets)
    self.renditions.reserveCapacity(renditions)
  }

  /// Adds an asset; assets are added in the order of their names. `block` holds the name. `kept`
  /// are the renditions of the asset in the order of their keys.
  mutating func add(
    name: ArraySlice<UInt8>, in block: BlockID, _ kind: LookupKind, identifier: UInt16,
    _ kept: [KeyedRendition]
  ) throws(IndexError) {
    guard block.number <= AssetSlot.lastBlock else {
      throw .tooLarge(.blocks, count: Int(block.number), atMost: Int(AssetSlot.lastBlock))
    }
    let hash = name.withUnsafeBytes { AssetNameHash(of: $0, kind: kind.rawValue) }
    let signature = number(ofSignature: kept)
    let rank = signatures[Int(signature)].assets
    signatures[Int(signature)].assets += 1
    assets.append(
      HashedAsset(
        hash: hash, name: block.number << 8 | UInt32(kind.rawValue), rank: rank,
        signature: signature, identifier: identifier, isListed: kind.asset != nil))
    for rendition in kept { renditions.append(rendition.number) }
  }

  /// Adds the atlases. They come last, so that no signature leads to them.
  mutating func finish(
    atlases: [(key: RenditionKey, number: UInt32)]
  ) throws(IndexError) {
    let count = renditions.count + atlases.count
    guard count <= Int(UInt32.max) else {
      throw .tooLarge(.renditions, count: count, atMost: Int(UInt32.max))
    }
    let digests = atlases.map { $0.key.digest }
    let order = atlases.indices.sorted { digests[$0] < digests[$1] }
    self.atlases = order.map { digests[$0] }
    renditions += order.map { atlases[$0].number }
  }

  private mutating func number(ofSignature renditions: [KeyedRendition]) -> UInt32 {
    // Most assets have the same keys as the asset before them.
    if let last = assets.last?.signature, isSignature(last, of: renditions) { return last }
    let numbers = renditions.map { keys.number(of: IndexKey($0.key)) }
    if let known = numberOfSignature[numbers] { return known }
    let number = UInt32(signatures.count)
    numberOfSignature[numbers] = number
    signatures.append(SignatureRecord(keys: UInt32(numbers.count), assets: 0))
    firstMembers.append(members.count)
    members += numbers
    return number
  }

  private func isSignature(_ number: UInt32, of renditions: [KeyedRendition]) -> Bool {
    guard Int(signatures[Int(number)].keys) == renditions.count else { return false }
    let first = firstMembers[Int(number)]
    return renditions.indices.allSatisfy { place in
      keys.records[Int(members[first + place])] == IndexKey(renditions[place].key)
    }
  }

  /// Returns the number of the first rendition of each signature.
  private func firstRenditions() -> [Int] {
    var next = 0
    return signatures.map { signature in
      defer { next += Int(signature.keys) * Int(signature.assets) }
      return next
    }
  }

  /// Returns the number of bits that the rank takes in the place of a slot. The number of the
  /// signature takes the bits above.
  private func rankBits() throws(IndexError) -> Int {
    func bits(below count: Int) -> Int { Int.bitWidth - max(0, count - 1).leadingZeroBitCount }
    let rankBits = bits(below: Int(signatures.map { $0.assets }.max() ?? 0))
    let both = rankBits + bits(below: signatures.count)
    if both > UInt32.bitWidth { throw .tooLarge(.placeBits, count: both, atMost: UInt32.bitWidth) }
    return rankBits
  }
}

/// Records of which each is kept once. They are numbered in the order in which they come.
struct DistinctRecords<Record: BitwiseCopyable & Hashable> {
  private(set) var records: [Record] = []
  private var numbers: [Record: UInt32] = [:]
  /// The number of the record that was found last with each hint.
  private var recent = [Int](repeating: 0, count: 16)

  /// Returns the number of a record. Records that come with the same hint are often equal.
  mutating func number(of record: Record, hint: Int = 0) -> UInt32 {
    let hint = hint % recent.count
    if recent[hint] < records.count, records[recent[hint]] == record {
      return UInt32(recent[hint])
    }
    let number = numbers[record] ?? UInt32(records.count)
    if Int(number) == records.count {
      numbers[record] = number
      records.append(record)
    }
    recent[hint] = Int(number)
    return number
  }
}

/// The renditions as the index stores them.
private struct PlacedRenditions {
  private(set) var places: [RenditionPlace]
  private(set) var styles = DistinctRecords<StyleRecord>()
  private(set) var stretches = DistinctRecords<StretchRecord>()
  private var highestBlock: UInt32 = 0

  init(count: Int) { places = Array(repeating: RenditionPlace(), count: count) }

  /// Whether a place takes 12 bytes.
  var areWide: Bool { max(highestBlock, UInt32(styles.records.count)) > UInt32(UInt16.max) }

  /// Puts a rendition at a place. Renditions for similar keys come with the same hint.
  mutating func put(_ rendition: IndexedRendition, at place: Int, hint: Int) {
    let record = rendition.record
    var stored = RenditionPlace()
    var stretch = StretchRecord()
    if let width = UInt16(exactly: record.pixelWidth) {
      stored.width = width
    } else {
      stretch.width = record.pixelWidth
    }
    if let height = UInt16(exactly: record.pixelHeight) {
      stored.height = height
    } else {
      stretch.height = record.pixelHeight
    }
    stretch.insets = record.insets
    stretch.caps = record.caps
    stretch.centerWidth = record.centerWidth
    stretch.centerHeight = record.centerHeight
    var style = StyleRecord()
    style.kinds = record.kinds
    style.flags = record.flags
    style.layout = record.layout
    if stretch != StretchRecord() { style.stretch = stretches.number(of: stretch, hint: hint) + 1 }
    stored.style = styles.number(of: style, hint: hint)
    stored.block = rendition.block.number
    highestBlock = max(highestBlock, stored.block)
    places[place] = stored
  }

  func store(in bytes: UnsafeMutableRawBufferPointer, at offset: Int) {
    let areWide = areWide
    let size = RenditionPlace.size(isWide: areWide ? 1 : 0)
    for (number, place) in places.enumerated() {
      let base = offset + number * size
      bytes.storeBytes(of: place.width, toByteOffset: base, as: UInt16.self)
      bytes.storeBytes(of: place.height, toByteOffset: base + 2, as: UInt16.self)
      if areWide {
        bytes.storeBytes(of: place.style, toByteOffset: base + 4, as: UInt32.self)
        bytes.storeBytes(of: place.block, toByteOffset: base + 8, as: UInt32.self)
      } else {
        let numbers = place.block << 16 | place.style
        bytes.storeBytes(of: numbers, toByteOffset: base + 4, as: UInt32.self)
      }
    }
  }
}

// MARK: - Laying out

extension IndexTables {
  /// Returns the bytes of the index. `indexed` returns a rendition as the index stores it.
  func laidOut(_ indexed: (UInt32) -> IndexedRendition) throws(IndexError) -> [UInt8] {
    let table = NameTable(assets, rankBits: try rankBits())
    let renditions = placedRenditions(indexed)
    var header = IndexHeader()
    header.keys = try UInt32(keys.records.count, .records)
    header.atlases = try UInt32(atlases.count, .renditions)
    header.styles = try UInt32(renditions.styles.records.count, .records)
    header.stretches = try UInt32(renditions.stretches.records.count, .records)
    header.signatures = try UInt32(signatures.count, .records)
    header.renditions = try UInt32(renditions.places.count, .renditions)
    header.slots = try UInt32(table.slots.count, .records)
    header.overflow = UInt32(table.overflow)
    header.members = try UInt32(members.count, .records)
    header.assets = try UInt32(table.order.count, .records)
    header.pilots = try UInt32(table.pilots.count, .records)
    header.rankBits = UInt8(table.rankBits)
    header.hasWidePlaces = renditions.areWide ? 1 : 0
    let sections = IndexSections(header)
    header.length = try UInt32(sections.end, .bytes)
    var bytes = [UInt8](repeating: 0, count: sections.end)
    bytes.withUnsafeMutableBytes { bytes in
      bytes.store(keys.records, at: sections.keys)
      bytes.store(atlases, at: sections.atlases)
      bytes.store(renditions.styles.records, at: sections.styles)
      bytes.store(renditions.stretches.records, at: sections.stretches)
      bytes.store(signatures, at: sections.signatures)
      renditions.store(in: bytes, at: sections.renditions)
      bytes.store(table.slots, at: sections.slots)
      bytes.store(members, below: header.keys, at: sections.members)
      bytes.store(table.order, below: header.slots, at: sections.order)
      bytes.store(table.identifiers, at: sections.identifiers)
      bytes.store(table.pilots, at: sections.pilots)
      header.checksum = IndexHeader.checksum(of: UnsafeRawBufferPointer(bytes), header)
      bytes.storeBytes(of: header, as: IndexHeader.self)
    }
    return bytes
  }

  /// Returns the renditions, each at the place that its signature, key and rank give.
  private func placedRenditions(_ indexed: (UInt32) -> IndexedRendition) -> PlacedRenditions {
    let firsts = firstRenditions()
    var placed = PlacedRenditions(count: renditions.count)
    var next = 0
    for asset in assets {
      let signature = signatures[Int(asset.signature)]
      for ordinal in 0..<Int(signature.keys) {
        let place = firsts[Int(asset.signature)] + ordinal * Int(signature.assets)
        placed.put(indexed(renditions[next]), at: place + Int(asset.rank), hint: ordinal)
        next += 1
      }
    }
    for place in next..<renditions.count {
      placed.put(indexed(renditions[place]), at: place, hint: 0)
    }
    return placed
  }
}

extension UInt32 {
  /// Converts a count of the index; throws if it is too large.
  fileprivate init(_ count: Int, _ quantity: IndexQuantity) throws(IndexError) {
    guard let number = UInt32(exactly: count) else {
      throw .tooLarge(quantity, count: count, atMost: Int(UInt32.max))
    }
    self = number
  }
}

extension UnsafeMutableRawBufferPointer {
  fileprivate func store<Record: BitwiseCopyable>(_ records: [Record], at offset: Int) {
    records.withUnsafeBytes { Self(rebasing: self[offset...]).copyMemory(from: $0) }
  }

  /// Stores the numbers of a NumberTable.
  fileprivate func store(_ numbers: [UInt32], below limit: UInt32, at offset: Int) {
    if NumberTable.size(below: limit) == 4 { return store(numbers, at: offset) }
    store(numbers.map { UInt16(truncatingIfNeeded: $0) }, at: offset)
  }
}

// MARK: - Slots of names

// Gives each asset a slot of the index (a perfect hash table). The hash of a name selects a bucket,
// the bucket has a pilot, and hash and pilot together give a slot that no other name has. So a
// lookup reads one slot and never searches.
//
// There are about two assets for each bucket, and nine slots for eight assets. The pilots are
// chosen here, for the largest bucket first, while most slots are free. An example with two buckets
// and five slots:
//
//     bucket 1: Home, Edit, Trash    pilot 0 → slots 4, 2, 4    two names in slot 4
//                                    pilot 1 → slots 0, 1, 3    free, so bucket 1 gets pilot 1
//     bucket 0: Back                 pilot 0 → slot 3           taken by Trash
//                                    pilot 1 → slot 2           free, so bucket 0 gets pilot 1
//
// If none of the 256 pilots fits, which happens only for names that were chosen to collide, the
// assets of the bucket get slots after the others: the overflow, which a lookup searches.

/// The numbers of an asset that the name table needs.
struct HashedAsset {
  var hash: AssetNameHash
  /// The block of the name and the kind, as a slot holds them.
  var name: UInt32
  var rank: UInt32
  var signature: UInt32
  var identifier: UInt16
  /// Whether it is an asset; false for the drawing of a symbol.
  var isListed: Bool
}

struct NameTable {
  private(set) var pilots: [UInt8]
  private(set) var slots: [AssetSlot]
  /// The slot numbers of the assets that are listed, in the order of the assets.
  private(set) var order: [UInt32]
  /// The identifiers of the same assets.
  let identifiers: [UInt16]
  let rankBits: Int
  /// The number of slots at the end whose assets found no slot through their hash.
  private(set) var overflow = 0

  /// Lays out the table. `assets` are in the order of their names.
  init(_ assets: [HashedAsset], rankBits: Int) {
    self.rankBits = rankBits
    pilots = Array(repeating: 0, count: assets.count / 2 + 1)
    slots = Array(repeating: .empty, count: assets.count + assets.count / 8 + 1)
    order = Array(repeating: 0, count: assets.count)
    let listed = assets.indices.filter { assets[$0].isListed }
    identifiers = listed.map { assets[$0].identifier }
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
    order = listed.map { order[$0] }
  }

  private mutating func put(_ assets: [HashedAsset], _ member: UInt64, at place: Int) {
    let number = Int(member & 0xFFFF_FFFF)
    let asset = assets[number]
    order[number] = UInt32(place)
    slots[place] = AssetSlot(
      tag: asset.hash.tag, name: asset.name, place: asset.signature << rankBits | asset.rank)
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
  /// buckets the one that comes first.
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
        if slots[place].nameBlock != 0 || found.contains(place) { break }
        found.append(place)
      }
      if found.count == members.count { return pilot }
    }
    return nil
  }
}

// MARK: - Signatures

// The signatures of an index. They are decoded once, when the archive is opened; every view is
// computed from them.

/// All keys, signature after signature, and the number of the first key of each signature. They
/// take at most 8 bytes of memory for each byte of the index.
package struct SignatureTable: Sendable {
  package let keys: [VariantKey]
  /// The number of the first key of each signature, and at the end the number of all keys.
  package let starts: [UInt32]
  private let places: [Place]

  /// The place of a signature's renditions.
  private struct Place {
    var firstRendition: Int
    var assets: Int
  }

  package var count: Int { starts.count - 1 }

  package func keys(of signature: Int) -> ArraySlice<VariantKey> {
    guard signature >= 0, signature < count else { return [] }
    return keys[Int(starts[signature])..<Int(starts[signature + 1])]
  }

  /// Returns the number of the rendition that the asset of rank 0 has for a key of the signature.
  package func firstRendition(of signature: Int, key ordinal: Int) -> Int {
    // The product is at most the number of renditions: `init` has checked it.
    places[signature].firstRendition + ordinal * places[signature].assets
  }

  /// Returns the signature of a rendition, the number of its key in the signature, and the rank of
  /// its asset; nil if no signature has the rendition.
  package func place(of rendition: Int) -> (signature: Int, ordinal: Int, rank: Int)? {
    for signature in 0..<count {
      let place = places[signature]
      let offset = rendition - place.firstRendition
      let keys = Int(starts[signature + 1] - starts[signature])
      guard offset >= 0, place.assets > 0, offset / place.assets < keys else { continue }
      return (signature, offset / place.assets, offset % place.assets)
    }
    return nil
  }

  /// Reads the signatures. Their keys must lie in the table of members and hold values of their
  /// axes, and their renditions must lie in the index.
  package init(_ index: IndexReader) throws(IndexError) {
    var starts: [UInt32] = [0]
    var places: [Place] = []
    places.reserveCapacity(index.signatures.count)
    starts.reserveCapacity(index.signatures.count + 1)
    var end = 0
    var next = 0
    for number in 0..<index.signatures.count {
      guard let record = index.signatures[number] else { throw .sections }
      let keys = Int(record.keys)
      end += keys
      // With both limits, no product overflows.
      guard end <= index.members.count, Int(record.assets) <= index.renditionCount,
        keys == 0 || Int(record.assets) <= (index.renditionCount - next) / keys
      else { throw .sections }
      places.append(Place(firstRendition: next, assets: Int(record.assets)))
      next += keys * Int(record.assets)
      starts.append(UInt32(end))
    }
    self.starts = starts
    self.places = places
    keys = try SignatureTable.keys(of: index, count: end)
  }

  private static func keys(
    of index: IndexReader, count: Int
  ) throws(IndexError) -> [VariantKey] {
    var distinct: [VariantKey] = []
    distinct.reserveCapacity(index.keys.count)
    for number in 0..<index.keys.count {
      guard let packed = index.keys[number],
        let key = VariantKey(high: packed.high, low: packed.low)
      else { throw .sections }
      distinct.append(key)
    }
    var keys: [VariantKey] = []
    keys.reserveCapacity(count)
    for place in 0..<count {
      guard let number = index.members[place], number < distinct.count else { throw .sections }
      keys.append(distinct[number])
    }
    return keys
  }
}
