// Reads the tables of IndexLayout.swift in place. The sections are checked once, when the reader is
// made; every number found in a record is checked where it is used, so that no index, however
// wrong, leads outside the bytes. The caller keeps the bytes alive and unchanged.

import Traits

/// The records of one section.
@frozen public struct IndexTable<Record: BitwiseCopyable>: BitwiseCopyable, @unchecked Sendable {
  @usableFromInline let base: UnsafeRawPointer
  public let count: Int

  @usableFromInline init(base: UnsafeRawPointer, count: Int) {
    self.base = base
    self.count = count
  }

  /// nil where there is no such record.
  @inlinable @inline(__always) public subscript(number: Int) -> Record? {
    // The section was checked to hold `count` records when the reader was made.
    UInt(bitPattern: number) < UInt(bitPattern: count) ? self[unchecked: number] : nil
  }

  @inlinable @inline(__always) subscript(unchecked number: Int) -> Record {
    (base + number &* MemoryLayout<Record>.stride).loadUnaligned(as: Record.self)
  }
}

/// An index, ready to be asked. Immutable; the pointers are into the bytes it was made from.
@frozen public struct IndexReader: BitwiseCopyable, @unchecked Sendable {
  public let slots: IndexTable<IndexSlot>
  public let assets: IndexTable<AssetRecord>
  public let names: IndexTable<UInt8>
  public let renditions: IndexTable<RenditionRecord>
  public let signatures: IndexTable<SignatureRecord>
  public let keys: IndexTable<IndexKey>
  public let slicings: IndexTable<SlicingRecord>
  public let probes: Int
  public let identity: UInt64
  public let length: Int
  /// The first byte of the index.
  public let start: UnsafeRawPointer

  public init(_ bytes: UnsafeRawBufferPointer) throws(IndexError) {
    guard let base = bytes.baseAddress, bytes.count >= MemoryLayout<IndexHeader>.size else {
      throw .notAnIndex
    }
    let header = base.loadUnaligned(as: IndexHeader.self)
    guard header.magic == IndexHeader.expectedMagic, header.version == IndexHeader.currentVersion,
      (MemoryLayout<IndexHeader>.size...bytes.count).contains(Int(header.length))
    else { throw .notAnIndex }
    let index = UnsafeRawBufferPointer(start: base, count: Int(header.length))
    keys = try IndexReader.table(header.keys, 0, in: index)
    signatures = try IndexReader.table(header.signatures, 1, in: index)
    slots = try IndexReader.table(header.slots, 2, in: index)
    assets = try IndexReader.table(header.assets, 3, in: index)
    renditions = try IndexReader.table(header.renditions, 4, in: index)
    slicings = try IndexReader.table(header.slicings, 5, in: index)
    names = try IndexReader.table(header.names, 6, in: index)
    guard slots.count > 0, slots.count & (slots.count - 1) == 0, header.probes <= slots.count else {
      throw .section(2)
    }
    probes = Int(header.probes)
    identity = header.identity
    length = Int(header.length)
    start = base
  }

  private static func table<Record: BitwiseCopyable>(
    _ section: IndexSection, _ number: Int, in index: UnsafeRawBufferPointer
  ) throws(IndexError) -> IndexTable<Record> {
    // Two 32-bit numbers and a small stride: nothing here overflows 64 bits.
    let offset = Int(section.offset)
    let end = offset + Int(section.count) * MemoryLayout<Record>.stride
    guard end <= index.count, let base = index.baseAddress else { throw .section(number) }
    return IndexTable(base: base + offset, count: Int(section.count))
  }

  /// The number of the asset with this name and kind; -1 where there is none. `name` points at
  /// `count` readable bytes.
  @inlinable @inline(__always)
  public func asset(named name: UnsafeRawPointer, count: Int, kind: UInt8) -> Int {
    let hash = AssetNameHash(name, count: count, kind: kind)
    let mask = slots.count &- 1
    var place = Int(hash.slot) & mask
    var left = probes
    while left > 0 {
      let slot = slots[unchecked: place]  // masked: below the count
      if slot.asset == IndexSlot.empty { return -1 }
      let number = Int(slot.asset)
      if slot.tag == hash.tag, isAsset(number, name, count, kind) { return number }
      place = (place &+ 1) & mask
      left &-= 1
    }
    return -1
  }

  @inlinable @inline(__always)
  func isAsset(_ number: Int, _ name: UnsafeRawPointer, _ count: Int, _ kind: UInt8) -> Bool {
    guard let record = assets[number], Int(record.nameLength) == count, record.kind == kind,
      Int(record.nameOffset) &+ count <= names.count
    else { return false }
    return IndexReader.areEqual(names.base + Int(record.nameOffset), name, count: count)
  }

  /// Whole words first, then the last word again where it overlaps.
  @inlinable @inline(__always)
  static func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, count: Int) -> Bool {
    var position = 0
    while position &+ 8 < count {
      let one = a.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      if one != b.loadUnaligned(fromByteOffset: position, as: UInt64.self) { return false }
      position &+= 8
    }
    return AssetNameHash.tail(a, count: count) == AssetNameHash.tail(b, count: count)
  }

  /// The bytes of an asset's name; nil where the record leaves the pool.
  public func name(of asset: AssetRecord) -> UnsafeRawBufferPointer? {
    guard Int(asset.nameOffset) + Int(asset.nameLength) <= names.count else { return nil }
    return UnsafeRawBufferPointer(
      start: names.base + Int(asset.nameOffset), count: Int(asset.nameLength))
  }

  /// The complete check that `open` leaves out: every byte under the checksum.
  public static func validateChecksum(of bytes: UnsafeRawBufferPointer) throws(IndexError) {
    let reader = try IndexReader(bytes)
    var header = bytes.loadUnaligned(as: IndexHeader.self)
    let expected = header.checksum
    header.identity = 0
    header.checksum = 0
    // The digest is taken over the index as the writer saw it: with both fields zero.
    var digest = IndexDigest()
    digest.add(UInt64(reader.length))
    withUnsafeBytes(of: header) { digest.add(words: $0) }
    digest.add(
      words: UnsafeRawBufferPointer(
        rebasing: bytes[MemoryLayout<IndexHeader>.size..<reader.length]))
    if digest.value != expected { throw .checksum }
  }
}
