// Fills the tables of IndexLayout.swift. The caller (IndexOfTrees.swift) decides which renditions
// belong to an asset, and sorts them and the assets.

import Traits

/// One rendition, before the index is laid out.
struct IndexedRendition {
  var record: RenditionRecord
  var block: BlockID
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
  /// The numbers of the keys of each signature, and the index of the first of them.
  private var members: [UInt32] = []
  private var firstMembers: [Int] = []
  /// The assets and the drawings of symbols, which are found as assets are, in the order of their
  /// names. Their cells are chosen at the end.
  private var assets: [HashedAsset] = []
  /// The renditions, asset after asset, then the atlases.
  private var renditions: [UInt32] = []
  /// The digests of the keys of the atlases.
  private var atlases: [UInt64] = []
  private var numberOfSignature: [[UInt32]: UInt32] = [:]
  /// The block of the name that lies first in the file.
  private let firstName: BlockID

  /// Creates empty tables and reserves memory for these numbers of assets and renditions.
  init(assets: Int, renditions: Int, firstName: BlockID) {
    self.firstName = firstName
    self.assets.reserveCapacity(assets)
    self.renditions.reserveCapacity(renditions)
  }

  /// Adds an asset; assets are added in the order of their names. `place` is the number of bytes
  /// from the first name in the file to this name. `kept` are the renditions of the asset in the
  /// order of their keys.
  mutating func add(
    name: ArraySlice<UInt8>, at place: UInt32, _ kind: LookupKind, identifier: UInt16,
    _ kept: [KeyedRendition]
  ) throws(IndexError) {
    guard name.count <= Facet.longestName else {
      throw .tooLarge(.nameLength, count: name.count, atMost: Facet.longestName)
    }
    let hash = name.withUnsafeBytes { AssetNameHash(of: $0, kind: kind.rawValue) }
    let signature = number(ofSignature: kept)
    let number = signatures[Int(signature)].assets
    signatures[Int(signature)].assets += 1
    assets.append(
      HashedAsset(
        hash: hash, kindAndLength: UInt32(name.count) << 8 | UInt32(kind.rawValue), name: place,
        number: number, signature: signature, identifier: identifier, isListed: kind.asset != nil))
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
    return renditions.indices.allSatisfy { index in
      keys.records[Int(members[first + index])] == IndexKey(renditions[index].key)
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

  /// Returns the number of bits that the asset number takes in a cell. The number of the
  /// signature takes the bits above.
  private func assetBits() throws(IndexError) -> Int {
    func bits(below count: Int) -> Int { Int.bitWidth - max(0, count - 1).leadingZeroBitCount }
    let assetBits = bits(below: Int(signatures.map { $0.assets }.max() ?? 0))
    let both = assetBits + bits(below: signatures.count)
    if both > UInt32.bitWidth { throw .tooLarge(.cellBits, count: both, atMost: UInt32.bitWidth) }
    return assetBits
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
private struct LookupEntries {
  private(set) var entries: [LookupEntry]
  private(set) var styles = DistinctRecords<StyleRecord>()
  private(set) var stretches = DistinctRecords<StretchRecord>()
  private var highestBlock: UInt32 = 0

  init(count: Int) { entries = Array(repeating: LookupEntry(), count: count) }

  /// Whether an entry takes 12 bytes.
  var areWide: Bool { max(highestBlock, UInt32(styles.records.count)) > UInt32(UInt16.max) }

  /// Puts a rendition at an index. Renditions for similar keys come with the same hint.
  mutating func put(_ rendition: IndexedRendition, at index: Int, hint: Int) {
    let record = rendition.record
    var stored = LookupEntry()
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
    entries[index] = stored
  }

  func store(in bytes: UnsafeMutableRawBufferPointer, at offset: Int) {
    typealias Offset = LookupEntry.Offset
    let areWide = areWide
    let size = LookupEntry.size(isWide: areWide ? 1 : 0)
    for (number, entry) in entries.enumerated() {
      let base = offset + number * size
      let (style, block) = (base + Offset.style, base + Offset.block(isWide: areWide))
      bytes.storeBytes(of: entry.width, toByteOffset: base + Offset.width, as: UInt16.self)
      bytes.storeBytes(of: entry.height, toByteOffset: base + Offset.height, as: UInt16.self)
      if areWide {
        bytes.storeBytes(of: entry.style, toByteOffset: style, as: UInt32.self)
        bytes.storeBytes(of: entry.block, toByteOffset: block, as: UInt32.self)
      } else {
        bytes.storeBytes(of: UInt16(entry.style), toByteOffset: style, as: UInt16.self)
        bytes.storeBytes(of: UInt16(entry.block), toByteOffset: block, as: UInt16.self)
      }
    }
  }
}

// MARK: - Laying out

extension IndexTables {
  /// Returns the bytes of the index. `indexed` returns a rendition as the index stores it.
  func laidOut(_ indexed: (UInt32) -> IndexedRendition) throws(IndexError) -> [UInt8] {
    let table = NameTable(assets, assetBits: try assetBits())
    let renditions = lookupEntries(indexed)
    var header = IndexHeader()
    header.keys = try UInt32(keys.records.count, .records)
    header.atlases = try UInt32(atlases.count, .renditions)
    header.styles = try UInt32(renditions.styles.records.count, .records)
    header.stretches = try UInt32(renditions.stretches.records.count, .records)
    header.signatures = try UInt32(signatures.count, .records)
    header.renditions = try UInt32(renditions.entries.count, .renditions)
    header.cells = try UInt32(table.cells.count, .records)
    header.overflow = UInt32(table.overflow)
    header.members = try UInt32(members.count, .records)
    header.assets = try UInt32(table.order.count, .records)
    header.pilots = try UInt32(table.pilots.count, .records)
    header.assetBits = UInt8(table.assetBits)
    header.hasWideEntries = renditions.areWide ? 1 : 0
    header.names = firstName.number
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
      bytes.store(table.cells, at: sections.cells)
      bytes.store(members, below: header.keys, at: sections.members)
      bytes.store(table.order, below: header.cells, at: sections.order)
      bytes.store(table.identifiers, at: sections.identifiers)
      bytes.store(table.pilots, at: sections.pilots)
      header.checksum = IndexHeader.checksum(of: UnsafeRawBufferPointer(bytes), header)
      bytes.storeBytes(of: header, as: IndexHeader.self)
    }
    return bytes
  }

  /// Returns the renditions, each at the index that its signature, key and asset number give.
  private func lookupEntries(_ indexed: (UInt32) -> IndexedRendition) -> LookupEntries {
    let firsts = firstRenditions()
    var placed = LookupEntries(count: renditions.count)
    var next = 0
    for asset in assets {
      let signature = signatures[Int(asset.signature)]
      for ordinal in 0..<Int(signature.keys) {
        let start = firsts[Int(asset.signature)] + ordinal * Int(signature.assets)
        placed.put(indexed(renditions[next]), at: start + Int(asset.number), hint: ordinal)
        next += 1
      }
    }
    for index in next..<renditions.count {
      placed.put(indexed(renditions[index]), at: index, hint: 0)
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
