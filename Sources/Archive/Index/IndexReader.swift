// Reads the tables of IndexLayout.swift in place. The lengths of the sections and the few styles
// are checked once, when the reader is created. Every other number in a record is checked at its
// use, so that no index, however wrong, makes the reader read outside of the bytes. The caller
// keeps the bytes alive and unchanged.

/// The records of one section.
public struct IndexTable<Record: BitwiseCopyable>: BitwiseCopyable, @unchecked Sendable {
  @usableFromInline let base: UnsafeRawPointer
  public let count: Int

  @usableFromInline init(_ base: UnsafeRawPointer, count: UInt32) {
    self.base = base
    self.count = Int(count)
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

  @inlinable @inline(__always) func address(unchecked number: Int) -> UnsafeRawPointer {
    base + number &* MemoryLayout<Record>.stride
  }

  /// Returns the address of a record; nil if the table has no record with this number.
  @inlinable @inline(__always) func address(of number: Int) -> UnsafeRawPointer? {
    UInt(bitPattern: number) < UInt(bitPattern: count)
      ? address(unchecked: number) : nil
  }

  @inlinable @inline(__always) subscript(unchecked number: Int) -> Record {
    address(unchecked: number).loadUnaligned(as: Record.self)
  }
}

/// Numbers of records of another section. Each takes 16 bits if the other section has so few
/// records, otherwise 32.
package struct NumberTable: BitwiseCopyable, @unchecked Sendable {
  private let base: UnsafeRawPointer
  package let count: Int
  private let isWide: Bool

  /// Creates the table. The caller has checked that the numbers lie in the index.
  init(_ base: UnsafeRawPointer, count: UInt32, below limit: UInt32) {
    self.base = base
    self.count = Int(count)
    isWide = NumberTable.size(below: limit) == 4
  }

  /// Returns the size of a number that is below a limit.
  static func size(below limit: UInt32) -> Int { limit <= 1 << 16 ? 2 : 4 }

  /// Returns the number at an index; nil if the table ends before it.
  package subscript(index: Int) -> Int? {
    guard index >= 0, index < count else { return nil }
    return isWide
      ? Int((base + index * 4).loadUnaligned(as: UInt32.self))
      : Int((base + index * 2).loadUnaligned(as: UInt16.self))
  }
}

/// An index, ready for lookups. It is immutable. Its pointers point into the bytes of the index and
/// of the file that it describes.
public struct IndexReader: BitwiseCopyable, @unchecked Sendable {
  public let cells: IndexTable<AssetCell>
  public let pilots: IndexTable<UInt8>
  public let styles: IndexTable<StyleRecord>
  public let stretches: IndexTable<StretchRecord>
  package let signatures: IndexTable<SignatureRecord>
  package let keys: IndexTable<IndexKey>
  private let atlases: IndexTable<UInt64>
  package let members: NumberTable
  package let order: NumberTable
  package let identifiers: IndexTable<UInt16>
  /// The number of cells to which a hash can lead. The cells after them are the overflow, which is
  /// searched.
  public let hashedCells: Int
  public let renditionCount: Int
  @usableFromInline let renditions: UnsafeRawPointer
  /// The size of a LookupEntry, and the bits that the number of a style takes in it.
  @usableFromInline let entrySize: Int
  @usableFromInline let styleMask: UInt32
  @usableFromInline let assetBits: UInt64
  @usableFromInline let assetMask: UInt64
  /// The file from the first name on.
  @usableFromInline let names: UnsafeRawPointer
  @usableFromInline let namesLength: Int
  /// The entries of the file's block index.
  @usableFromInline let entries: UnsafeRawPointer
  public let blockCount: Int
  package let identity: UInt64
  /// The first byte of the index.
  package let start: UnsafeRawPointer
  private let length: Int
  /// The bytes of the index.
  package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: length) }

  /// Creates the reader of an index that describes an archive. The index may lie in the archive or
  /// elsewhere in memory.
  package init(_ bytes: UnsafeRawBufferPointer, of store: BlockStore) throws(IndexError) {
    guard let base = bytes.baseAddress, let file = store.bytes.buffer.baseAddress,
      let index = store.index.buffer.baseAddress
    else { throw .notAnIndex }
    let header = try IndexHeader(bytes)
    let sections = IndexSections(header)
    keys = IndexTable(base + sections.keys, count: header.keys)
    atlases = IndexTable(base + sections.atlases, count: header.atlases)
    styles = IndexTable(base + sections.styles, count: header.styles)
    stretches = IndexTable(base + sections.stretches, count: header.stretches)
    signatures = IndexTable(base + sections.signatures, count: header.signatures)
    cells = IndexTable(base + sections.cells, count: header.cells)
    members = NumberTable(base + sections.members, count: header.members, below: header.keys)
    order = NumberTable(base + sections.order, count: header.assets, below: header.cells)
    identifiers = IndexTable(base + sections.identifiers, count: header.assets)
    pilots = IndexTable(base + sections.pilots, count: header.pilots)
    hashedCells = Int(header.cells) - Int(header.overflow)
    renditions = base + sections.renditions
    renditionCount = Int(header.renditions)
    entrySize = LookupEntry.size(isWide: header.hasWideEntries)
    styleMask = header.hasWideEntries == 0 ? 0xFFFF : .max
    assetBits = UInt64(header.assetBits)
    assetMask = 1 << assetBits - 1
    let firstName = try IndexReader.firstName(header, in: store)
    names = file + firstName
    namesLength = store.bytes.count - firstName
    // Opening the store has checked that the block index has this many entries after its count.
    entries = index + 4
    blockCount = store.capacity
    identity = header.identity
    length = Int(header.length)
    start = base
    for number in 0..<styles.count {
      let style = styles[unchecked: number]
      guard RenditionRecord.isSound(unsafeBitCast(style.kinds, to: UInt64.self)),
        Int(style.stretch) <= stretches.count
      else { throw .sections }
    }
  }

  /// Returns where the names begin in a file; 0 for an index without names.
  private static func firstName(
    _ header: IndexHeader, in store: BlockStore
  ) throws(IndexError) -> Int {
    if header.names == 0 { return 0 }
    guard let entry = store.entry(BlockID(header.names)), Int(entry.address) <= store.bytes.count
    else { throw .sections }
    return Int(entry.address)
  }

  // MARK: Names

  /// Returns the number of the only cell outside of the overflow that can belong to a hash.
  @inlinable @inline(__always)
  func cellNumber(for hash: AssetNameHash) -> Int {
    // `number(below:)` returns a number below its argument, and neither argument is 0.
    let pilot = pilots[unchecked: hash.number(below: pilots.count)]
    return hash.scattered(by: pilot).number(below: hashedCells)
  }

  /// Returns the address of a cell's name; nil if the cell belongs to another hash, kind or length,
  /// or if the name does not lie in the file.
  @inlinable @inline(__always)
  func name(
    of cell: AssetCell, _ hash: AssetNameHash, count: Int, kind: UInt8
  ) -> UnsafeRawPointer? {
    guard cell.tag == hash.tag,
      UInt64(cell.kindAndLength) == UInt64(truncatingIfNeeded: count) &<< 8 | UInt64(kind),
      Int(cell.name) &+ count <= namesLength
    else { return nil }
    return names + Int(cell.name)
  }

  /// Compares names of at least eight bytes: whole words, then the last eight bytes, which may
  /// overlap the word before.
  @inlinable @inline(__always)
  static func areEqual(words a: UnsafeRawPointer, _ b: UnsafeRawPointer, count: Int) -> Bool {
    var position = 0
    while position &+ 8 < count {
      let one = a.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      if one != b.loadUnaligned(fromByteOffset: position, as: UInt64.self) { return false }
      position &+= 8
    }
    let last = a.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
    return last == b.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
  }

  /// Returns the bytes of an asset's name in the file; nil if the cell is empty, or if the name is
  /// too long or does not lie in the file.
  @inlinable @inline(__always)
  package func name(of cell: AssetCell) -> UnsafeRawBufferPointer? {
    guard !cell.isEmpty, cell.nameLength <= Facet.longestName,
      Int(cell.name) + cell.nameLength <= namesLength
    else { return nil }
    return UnsafeRawBufferPointer(start: names + Int(cell.name), count: cell.nameLength)
  }

  /// Returns the cell at an index in the order of the names.
  package func cell(at index: Int) -> AssetCell? { order[index].flatMap { cells[$0] } }

  @inlinable @inline(__always) package func signature(of cell: AssetCell) -> Int {
    Int(truncatingIfNeeded: UInt64(cell.signatureAndAsset) &>> assetBits)
  }

  @inlinable @inline(__always) package func assetNumber(of cell: AssetCell) -> Int {
    Int(truncatingIfNeeded: UInt64(cell.signatureAndAsset) & assetMask)
  }

  // MARK: Blocks

  /// Returns the range of a block in the file as the container states it, which may reach beyond
  /// the end of the file; nil if the container does not have the block.
  @inlinable @inline(__always)
  package func entry(ofBlock number: Int) -> (offset: Int, length: Int)? {
    guard number != 0, UInt(bitPattern: number) < UInt(bitPattern: blockCount) else { return nil }
    // An IndexEntry (BOM/BlockStore.swift): the address, then the length, both big-endian.
    let entry = (entries + number &* 8).loadUnaligned(as: UInt64.self).bigEndian
    return (Int(entry >> 32), Int(entry & 0xFFFF_FFFF))
  }

  // MARK: Renditions

  /// Returns the facts of a rendition for lookups; nil if there is no such rendition or no such
  /// style.
  @inlinable @inline(__always) package func facts(of number: Int) -> FoundFacts? {
    UInt(bitPattern: number) < UInt(bitPattern: renditionCount) ? facts(found: number) : nil
  }

  /// Returns the same without a check of the number, which is below `renditionCount`.
  @inlinable @inline(__always) package func facts(found number: Int) -> FoundFacts? {
    let entry = address(found: number)
    guard
      let style = styles.address(
        of: Int(
          entry.loadUnaligned(fromByteOffset: LookupEntry.Offset.style, as: UInt32.self)
            & styleMask))
    else { return nil }
    // The height follows the width.
    let size = entry.loadUnaligned(fromByteOffset: LookupEntry.Offset.width, as: UInt32.self)
    let kinds = style.loadUnaligned(fromByteOffset: StyleRecord.Offset.kinds, as: UInt64.self)
    var facts = FoundFacts(width: size & 0xFFFF, height: size >> 16, kinds: kinds, stretch: nil)
    let number = Int(
      style.loadUnaligned(fromByteOffset: StyleRecord.Offset.stretch, as: UInt32.self))
    if number == 0 { return facts }
    // The numbers in styles were checked when the reader was made.
    let stretch = stretches.address(unchecked: number &- 1)
    facts.width &+= stretch.loadUnaligned(
      fromByteOffset: StretchRecord.Offset.width, as: UInt32.self)
    facts.height &+= stretch.loadUnaligned(
      fromByteOffset: StretchRecord.Offset.height, as: UInt32.self)
    facts.stretch = stretch + StretchRecord.Offset.insets
    return facts
  }

  /// Returns the address of a rendition's entry. The number is below `renditionCount`: the section
  /// was checked to hold that number of entries when the reader was made.
  @inlinable @inline(__always) func address(found number: Int) -> UnsafeRawPointer {
    renditions + number &* entrySize
  }

  /// Returns the entry of a rendition; nil if there is no such rendition.
  package func entry(of number: Int) -> LookupEntry? {
    guard number >= 0, number < renditionCount else { return nil }
    let address = address(found: number)
    var entry = LookupEntry()
    typealias Offset = LookupEntry.Offset
    entry.width = address.loadUnaligned(fromByteOffset: Offset.width, as: UInt16.self)
    entry.height = address.loadUnaligned(fromByteOffset: Offset.height, as: UInt16.self)
    let isWide = entrySize > LookupEntry.size(isWide: 0)
    let block = address + Offset.block(isWide: isWide)
    if isWide {
      entry.style = address.loadUnaligned(fromByteOffset: Offset.style, as: UInt32.self)
      entry.block = block.loadUnaligned(as: UInt32.self)
    } else {
      entry.style = UInt32(address.loadUnaligned(fromByteOffset: Offset.style, as: UInt16.self))
      entry.block = UInt32(block.loadUnaligned(as: UInt16.self))
    }
    return entry
  }

  /// Returns the number of a rendition's block; nil if there is no such rendition.
  package func block(of number: Int) -> Int? { entry(of: number).map { Int($0.block) } }

  /// Returns the number of the rendition of an atlas; nil if there is no atlas with this key.
  package func atlas(_ key: RenditionKey) -> Int? {
    let digest = key.digest
    var low = 0
    var high = atlases.count
    while low < high {
      let middle = (low + high) / 2
      if atlases[unchecked: middle] < digest { low = middle + 1 } else { high = middle }
    }
    return atlases[low] == digest ? renditionCount - atlases.count + low : nil
  }

  // MARK: Checksum

  /// Compares the checksum with all bytes of an index. Opening leaves this check out, because it
  /// has to read every byte.
  package static func validateChecksum(of bytes: UnsafeRawBufferPointer) throws(IndexError) {
    let header = try IndexHeader(bytes)
    let index = UnsafeRawBufferPointer(rebasing: bytes[..<Int(header.length)])
    if IndexHeader.checksum(of: index, header) != header.checksum { throw .checksum }
  }
}

/// The functions of a lookup. Their object is the address of a reader: to call a method of the
/// reader itself that is not inlined, the compiler would copy all its fields.
extension UnsafePointer<IndexReader> {
  /// Returns the number of the cell with this name and kind; -1 if no cell has them. `name` points
  /// at `count` readable bytes.
  @inlinable @inline(__always)
  package func cell(named name: UnsafeRawPointer, count: Int, kind: UInt8) -> Int {
    hashedCell(named: name, count: count, kind: kind)
      ?? cellInOverflow(named: name, count: count, kind: kind)
  }

  /// Returns the same without a search of the overflow; nil if the hash leads to another cell, or
  /// if the number of bytes is negative.
  @inlinable @inline(__always)
  package func hashedCell(named name: UnsafeRawPointer, count: Int, kind: UInt8) -> Int? {
    // Most names have eight bytes or more, so their path has no tests for shorter ones.
    if count >= 8 {
      let hash = AssetNameHash(words: name, count: count, kind: kind)
      return cell(of: hash, count: count, kind: kind) {
        IndexReader.areEqual(words: $0, name, count: count)
      }
    }
    if count < 0 { return nil }
    let hash = AssetNameHash(short: name, count: count, kind: kind)
    return cell(of: hash, count: count, kind: kind) {
      AssetNameHash.word(short: $0, count: count) == AssetNameHash.word(short: name, count: count)
    }
  }

  /// Returns the number of the cell to which a hash leads; nil if `isName` is false for its name.
  @inlinable @inline(__always)
  func cell(
    of hash: AssetNameHash, count: Int, kind: UInt8, isName: (UnsafeRawPointer) -> Bool
  ) -> Int? {
    let number = pointee.cellNumber(for: hash)
    let cell = pointee.cells[found: number]
    guard let name = pointee.name(of: cell, hash, count: count, kind: kind), isName(name) else {
      return nil
    }
    return number
  }

  /// Returns the number of the cell with this hash; -1 if no cell has it.
  @inlinable @inline(__always)
  package func cell(of hash: AssetNameHash) -> Int {
    let number = pointee.cellNumber(for: hash)
    return pointee.cells[found: number].has(hash) ? number : cellInOverflow(of: hash)
  }

  // The searches of the overflow are not inlined, so that they take no registers from the lookups
  // above, which find nearly every name.

  @usableFromInline @inline(never)
  package func cellInOverflow(named name: UnsafeRawPointer, count: Int, kind: UInt8) -> Int {
    let hash = AssetNameHash(name, count: count, kind: kind)
    return cellInOverflow { cell in
      guard let other = pointee.name(of: cell, hash, count: count, kind: kind) else { return false }
      return FileBytes.areEqual(
        UnsafeRawBufferPointer(start: other, count: count),
        UnsafeRawBufferPointer(start: name, count: count))
    }
  }

  @usableFromInline @inline(never)
  func cellInOverflow(of hash: AssetNameHash) -> Int { cellInOverflow { $0.has(hash) } }

  private func cellInOverflow(_ isIt: (AssetCell) -> Bool) -> Int {
    (pointee.hashedCells..<pointee.cells.count).first { isIt(pointee.cells[found: $0]) } ?? -1
  }

  /// Returns the signature and the asset number of a cell whose number a search returned.
  @inlinable @inline(__always)
  package func signatureAndAsset(ofFound number: Int) -> (signature: Int, asset: Int) {
    let cell = pointee.cells[found: number]
    return (pointee.signature(of: cell), pointee.assetNumber(of: cell))
  }

  /// Returns the facts of a rendition for lookups; nil if there is no such rendition or no such
  /// style.
  @inlinable @inline(__always)
  package func facts(of number: Int) -> FoundFacts? { pointee.facts(of: number) }

  /// Returns the same without a check of the number, which is below the number of renditions.
  @inlinable @inline(__always)
  package func facts(found number: Int) -> FoundFacts? { pointee.facts(found: number) }
}

/// The facts about a rendition that a lookup finds.
public struct FoundFacts: BitwiseCopyable {
  /// The size in pixels.
  public var width: UInt32
  public var height: UInt32
  /// The bytes of RenditionKinds.
  public var kinds: UInt64
  /// The insets, the caps and the centre, as they lie in a StretchRecord; nil if all are 0.
  public var stretch: UnsafeRawPointer?

  @usableFromInline
  init(width: UInt32, height: UInt32, kinds: UInt64, stretch: UnsafeRawPointer?) {
    self.width = width
    self.height = height
    self.kinds = kinds
    self.stretch = stretch
  }

  /// The length of a StretchRecord from the insets on.
  @inlinable package static var stretchLength: Int { 40 }
}

extension IndexHeader {
  /// Reads the header of an index, and checks that its sections lie in the index.
  init(_ bytes: UnsafeRawBufferPointer) throws(IndexError) {
    guard let base = bytes.baseAddress, bytes.count >= MemoryLayout<IndexHeader>.size else {
      throw .notAnIndex
    }
    self = base.loadUnaligned(as: IndexHeader.self)
    guard magic == IndexHeader.expectedMagic else { throw .notAnIndex }
    guard version == IndexHeader.currentVersion else { throw .otherVersion(Int(version)) }
    guard Int(length) <= bytes.count, IndexSections(self).end == Int(length) else {
      throw .sections
    }
    // Every hash needs a pilot and a cell.
    guard cells > overflow, pilots > 0 else { throw .sections }
    guard assetBits <= 32, atlases <= renditions else { throw .sections }
  }

  /// Computes the checksum of an index with this header.
  static func checksum(of index: UnsafeRawBufferPointer, _ header: IndexHeader) -> UInt64 {
    var header = header
    (header.identity, header.checksum) = (0, 0)
    var digest = IndexDigest()
    digest.add(UInt64(index.count))
    withUnsafeBytes(of: header) { digest.add(words: $0) }
    digest.add(
      words: UnsafeRawBufferPointer(rebasing: index[MemoryLayout<IndexHeader>.size...]))
    return digest.value
  }
}

extension RenditionRecord {
  /// Puts together the record of a rendition, without its flags and layout.
  @inlinable @inline(__always) package init(_ facts: FoundFacts) {
    self.init()
    pixelWidth = facts.width
    pixelHeight = facts.height
    kinds = unsafeBitCast(facts.kinds, to: RenditionKinds.self)
    typealias Offset = StretchRecord.Offset
    guard let stretch = facts.stretch.map({ $0 - Offset.insets }) else { return }
    insets = stretch.loadUnaligned(fromByteOffset: Offset.insets, as: IndexedInsets.self)
    caps = stretch.loadUnaligned(fromByteOffset: Offset.caps, as: IndexedInsets.self)
    centerWidth = stretch.loadUnaligned(fromByteOffset: Offset.centerWidth, as: Float.self)
    centerHeight = stretch.loadUnaligned(fromByteOffset: Offset.centerHeight, as: Float.self)
  }

  /// Puts together the whole record of a rendition.
  package init(_ entry: LookupEntry, _ style: StyleRecord, _ stretch: StretchRecord) {
    self.init()
    flags = style.flags
    layout = style.layout
    kinds = style.kinds
    pixelWidth = UInt32(entry.width) &+ stretch.width
    pixelHeight = UInt32(entry.height) &+ stretch.height
    insets = stretch.insets
    caps = stretch.caps
    centerWidth = stretch.centerWidth
    centerHeight = stretch.centerHeight
  }
}

extension IndexReader {
  /// Returns the whole record of a rendition; nil if there is no such rendition or no such style.
  package func record(of number: Int) -> RenditionRecord? {
    guard let entry = entry(of: number), let style = styles[Int(entry.style)] else { return nil }
    if style.stretch == 0 { return RenditionRecord(entry, style, StretchRecord()) }
    return stretches[Int(style.stretch) - 1].map { RenditionRecord(entry, style, $0) }
  }
}
