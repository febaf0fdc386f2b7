// Reads the tables of IndexLayout.swift in place. The sections are checked once, when the reader is
// created. Every number in a record is checked at its use, so that no index, however wrong, makes
// the reader read outside of the bytes. The caller keeps the bytes alive and unchanged.

import Traits

/// The records of one section.
package struct IndexTable<Record: BitwiseCopyable>: BitwiseCopyable, @unchecked Sendable {
  @usableFromInline let base: UnsafeRawPointer
  package let count: Int

  @usableFromInline init(base: UnsafeRawPointer, count: Int) {
    self.base = base
    self.count = count
  }

  /// Returns a record without a check. Its number is the result of a search in the same table.
  @inlinable @inline(__always) package subscript(found number: Int) -> Record {
    self[unchecked: number]
  }

  /// Returns a record; nil if the table has no record with this number.
  @inlinable @inline(__always) package subscript(number: Int) -> Record? {
    // The section was checked to hold `count` records when the reader was made.
    UInt(bitPattern: number) < UInt(bitPattern: count) ? self[unchecked: number] : nil
  }

  /// Returns the address of a record; nil if the table has no record with this number.
  @inlinable @inline(__always) package func address(of number: Int) -> UnsafeRawPointer? {
    UInt(bitPattern: number) < UInt(bitPattern: count)
      ? base + number &* MemoryLayout<Record>.stride : nil
  }

  @inlinable @inline(__always) subscript(unchecked number: Int) -> Record {
    (base + number &* MemoryLayout<Record>.stride).loadUnaligned(as: Record.self)
  }
}

/// An index, ready for lookups. It is immutable. Its pointers point into the bytes from which it
/// was created.
package struct IndexReader: BitwiseCopyable, @unchecked Sendable {
  package let slots: IndexTable<AssetSlot>
  package let order: IndexTable<UInt32>
  package let names: IndexTable<UInt8>
  package let renditions: IndexTable<RenditionRecord>
  package let signatures: IndexTable<SignatureRecord>
  package let keys: IndexTable<IndexKey>
  package let blocks: IndexTable<BlockRecord>
  package let pilots: IndexTable<UInt8>
  /// The number of slots to which a hash can lead. The slots behind them are the overflow, which is
  /// searched.
  package let places: Int
  package let identity: UInt64
  package let length: Int
  /// The first byte of the index.
  package let start: UnsafeRawPointer

  package init(_ bytes: UnsafeRawBufferPointer) throws(IndexError) {
    guard let base = bytes.baseAddress, bytes.count >= MemoryLayout<IndexHeader>.size else {
      throw .notAnIndex
    }
    let header = base.loadUnaligned(as: IndexHeader.self)
    guard header.magic == IndexHeader.expectedMagic else { throw .notAnIndex }
    guard header.version == IndexHeader.currentVersion else {
      throw .otherVersion(Int(header.version))
    }
    guard (MemoryLayout<IndexHeader>.size...bytes.count).contains(Int(header.length)) else {
      throw .notAnIndex
    }
    let index = UnsafeRawBufferPointer(start: base, count: Int(header.length))
    keys = try IndexReader.table(header.keys, 0, in: index)
    signatures = try IndexReader.table(header.signatures, 1, in: index)
    slots = try IndexReader.table(header.slots, 2, in: index)
    order = try IndexReader.table(header.order, 3, in: index)
    renditions = try IndexReader.table(header.renditions, 4, in: index)
    blocks = try IndexReader.table(header.blocks, 5, in: index)
    names = try IndexReader.table(header.names, 6, in: index)
    pilots = try IndexReader.table(header.pilots, 7, in: index)
    places = slots.count - Int(header.overflow)
    // Every hash needs a pilot and a slot.
    guard places > 0, pilots.count > 0 else { throw .section(7) }
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

  /// Returns the number of the slot with this name and kind; -1 if no slot has them. `name` points
  /// at `count` readable bytes.
  @inlinable @inline(__always)
  package func slot(named name: UnsafeRawPointer, count: Int, kind: UInt8) -> Int {
    let hash = AssetNameHash(name, count: count, kind: kind)
    return slot(hash) { slot in slot.has(hash) && isName(slot, name: name, count: count, kind: kind)
    }
  }

  /// Returns the number of the slot with this hash; -1 if no slot has it.
  @inlinable @inline(__always)
  package func slot(of hash: AssetNameHash) -> Int { slot(hash) { slot in slot.has(hash) } }

  @inlinable @inline(__always)
  func slot(_ hash: AssetNameHash, _ isIt: (AssetSlot) -> Bool) -> Int {
    // `place(among:)` returns a number below its argument, and neither argument is 0.
    let pilot = pilots[unchecked: hash.place(among: pilots.count)]
    let place = hash.scattered(by: pilot).place(among: places)
    if isIt(slots[unchecked: place]) { return place }
    return (places..<slots.count).first { isIt(slots[unchecked: $0]) } ?? -1
  }

  @inlinable @inline(__always)
  func isName(_ slot: AssetSlot, name: UnsafeRawPointer, count: Int, kind: UInt8) -> Bool {
    guard let record = nameRecord(of: slot), Int(record.length) == count, record.kind == kind else {
      return false
    }
    return IndexReader.areEqual(names.base + textOffset(of: slot), name, count: count)
  }

  /// Returns the record of a slot's name; nil if the slot is empty or if the name leaves the pool.
  @inlinable @inline(__always)
  package func nameRecord(of slot: AssetSlot) -> NameRecord? {
    let text = textOffset(of: slot)
    guard text <= names.count else { return nil }
    let record = (names.base + Int(slot.name)).loadUnaligned(as: NameRecord.self)
    return text &+ Int(record.length) <= names.count ? record : nil
  }

  @inlinable @inline(__always)
  func textOffset(of slot: AssetSlot) -> Int {
    Int(slot.name) &+ MemoryLayout<NameRecord>.size
  }

  /// Compares whole words, then the last eight bytes, which may overlap the word before.
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

  /// Returns the bytes of an asset's name; nil if they leave the pool.
  package func name(of slot: AssetSlot) -> UnsafeRawBufferPointer? {
    nameRecord(of: slot).map {
      UnsafeRawBufferPointer(start: names.base + textOffset(of: slot), count: Int($0.length))
    }
  }

  /// Returns the slot at a position in the order of the names.
  package func slot(at place: Int) -> AssetSlot? {
    order[place].flatMap { slots[Int($0)] }
  }

  /// Compares the checksum with all bytes of the index. Opening leaves this check out, because it
  /// has to read every byte.
  package static func validateChecksum(of bytes: UnsafeRawBufferPointer) throws(IndexError) {
    let reader = try IndexReader(bytes)
    var header = bytes.loadUnaligned(as: IndexHeader.self)
    let expected = header.checksum
    header.identity = 0
    header.checksum = 0
    // The writer computed the digest while both fields were zero.
    var digest = IndexDigest()
    digest.add(UInt64(reader.length))
    withUnsafeBytes(of: header) { digest.add(words: $0) }
    digest.add(
      words: UnsafeRawBufferPointer(
        rebasing: bytes[MemoryLayout<IndexHeader>.size..<reader.length]))
    if digest.value != expected { throw .checksum }
  }
}
