// Facets. A facet connects the name of an asset with the keys of its renditions.

import Bytes

/// A name in an archive, with the attributes that its renditions share.
@usableFromInline package struct Facet: Sendable, Hashable {
  package var name: ByteString
  package var hotSpotX: Int16 = 0
  package var hotSpotY: Int16 = 0
  /// The attributes in the order of the archive: element, part, identifier, and further ones for
  /// symbols.
  package var attributes: [Pair]

  package struct Pair: Sendable, Hashable {
    package var attribute: RenditionAttribute
    package var value: UInt16

    package init(_ attribute: RenditionAttribute, _ value: UInt16) {
      self.attribute = attribute
      self.value = value
    }
  }

  package init(
    name: ByteString, element: UInt16 = Element.universal, part: UInt16, identifier: UInt16
  ) {
    self.name = name
    attributes = [
      Pair(.element, element), Pair(.part, part), Pair(.identifier, identifier),
    ]
  }

  package subscript(attribute: RenditionAttribute) -> UInt16? {
    attributes.first { $0.attribute == attribute }?.value
  }

  package var element: UInt16? { self[.element] }
  package var part: UInt16? { self[.part] }
  package var identifier: UInt16? { self[.identifier] }
}

/// The value of an entry in FACETKEYS: this record, and the attributes.
enum FacetRecord {
  static let hotSpotX = Field<Int16>(0)
  static let hotSpotY = Field<Int16>(2)
  static let count = Field<UInt16>(4)
  static let size = 6
  static let members: [any RecordMember] = [hotSpotX, hotSpotY, count]
}

/// An attribute and its value, in facets and in the keys of links and layers.
enum AttributePair {
  static let attribute = Field<UInt16>(0)
  static let value = Field<UInt16>(2)
  static let size = 4
  static let members: [any RecordMember] = [attribute, value]
}

extension Facet {
  static let treeName = "FACETKEYS"
  /// The largest length of a name in bytes. No path can be longer.
  @inlinable package static var longestName: Int { 4_096 }

  init(name: FileBytes, value: FileBytes) throws(FormatError) {
    try FacetRecord.checkName(name)
    self.name = ByteString(bytes: name.buffer)
    hotSpotX = try value.load(FacetRecord.hotSpotX)
    hotSpotY = try value.load(FacetRecord.hotSpotY)
    attributes = []
    for index in 0..<(try FacetRecord.attributeCount(of: value)) {
      attributes.append(try FacetRecord.pair(index, of: value))
    }
  }

  func appendBlock(to bytes: inout [UInt8]) {
    bytes.append(hotSpotX, .little)
    bytes.append(hotSpotY, .little)
    bytes.append(UInt16(attributes.count), .little)
    for pair in attributes {
      bytes.append(UInt16(pair.attribute.rawValue), .little)
      bytes.append(pair.value, .little)
    }
  }
}

extension FacetRecord {
  static func attributeCount(of value: FileBytes) throws(FormatError) -> Int {
    let number = Int(try value.load(count))
    try FormatError.check(
      "the number of a facet's attributes", number, atMost: RenditionAttribute.limit,
      at: value.origin)
    return number
  }

  /// Throws an error if a name is too long.
  static func checkName(_ name: FileBytes) throws(FormatError) {
    try FormatError.check(
      "the length of a name", name.count, atMost: Facet.longestName, at: name.origin)
  }

  static func pair(_ index: Int, of value: FileBytes) throws(FormatError) -> Facet.Pair {
    let base = size + index * AttributePair.size
    let number = try value.load(AttributePair.attribute, at: base)
    guard let attribute = UInt8(exactly: number).flatMap(RenditionAttribute.init) else {
      throw FormatError(
        .number(
          "an attribute of a facet", found: Int(number),
          expected: "below \(RenditionAttribute.limit)"), at: value.origin + base)
    }
    return Facet.Pair(attribute, try value.load(AttributePair.value, at: base))
  }
}

/// A name and its number in APPEARANCEKEYS or LOCALIZATIONKEYS.
public struct NamedNumber: Sendable, Hashable {
  /// The greatest length of a name that is read. Names are tags of languages, and those of
  /// appearances and system colours.
  static let mostBytes = 256

  /// The name as it is stored. It may contain bytes that are not UTF-8.
  public var bytes: [UInt8]
  public var number: UInt16

  public init(_ name: String, _ number: UInt16) { self.init(bytes: Array(name.utf8), number) }

  public init(bytes: [UInt8], _ number: UInt16) {
    self.bytes = bytes
    self.number = number
  }

  public var name: String { String(decoding: bytes, as: UTF8.self) }

  static let appearances = "APPEARANCEKEYS"
  static let localizations = "LOCALIZATIONKEYS"
}

// MARK: - All facets

// All facets of an archive as they are stored, without an object for each: names and values one
// after the other, and a row of numbers for each facet. `Facet` reads all attributes of one facet.

package struct FacetTable: Sendable {
  struct Row {
    /// The offsets of name and value in `bytes`: the name is `start..<nameEnd`, the value
    /// `nameEnd..<end`.
    var start: Int
    var nameEnd: Int
    var end: Int
    /// The block of the archive that holds the name; 0 if the facets are not read from an archive.
    var nameBlock = BlockID(0)
    var element: UInt16?
    var part: UInt16?
    var identifier: UInt16?

    /// Element and identifier, which the facet and its renditions share; nil if the facet lacks one
    /// of them.
    var asset: UInt32? {
      guard let element, let identifier else { return nil }
      return FacetTable.asset(element: element, identifier: identifier)
    }
  }

  private(set) var bytes: [UInt8] = []
  private(set) var rows: [Row] = []

  package init(_ facets: [Facet]) {
    rows.reserveCapacity(facets.count)
    for facet in facets {
      let start = bytes.count
      bytes.append(contentsOf: facet.name.bytes)
      let nameEnd = bytes.count
      facet.appendBlock(to: &bytes)
      rows.append(
        Row(
          start: start, nameEnd: nameEnd, end: bytes.count, element: facet.element,
          part: facet.part, identifier: facet.identifier))
    }
  }

  /// Reads the facets of an archive, in the order of the archive.
  package init(of archive: Archive) throws(FormatError) {
    let tree = try archive.facetTree()
    rows.reserveCapacity(tree.count)
    bytes.reserveCapacity(tree.count * 40)
    try tree.forEach { (entry) throws(FormatError) in
      let name = BlockID(tree.hasRawKeys ? 0 : entry.rawKey)
      try append(entry.key, in: name, try archive.store.bytes(of: entry.value))
    }
  }

  private mutating func append(
    _ name: FileBytes, in block: BlockID, _ value: FileBytes
  ) throws(FormatError) {
    try FacetRecord.checkName(name)
    let count = try FacetRecord.attributeCount(of: value)
    let start = bytes.count
    bytes.append(contentsOf: name.buffer)
    var row = Row(start: start, nameEnd: bytes.count, end: 0, nameBlock: block)
    let length = FacetRecord.size + count * AttributePair.size
    let whole = try value.slice(at: 0, count: length, "a facet")
    for index in 0..<count {
      let pair = try FacetRecord.pair(index, of: whole)
      switch pair.attribute {
      case .element: row.element = row.element ?? pair.value
      case .part: row.part = row.part ?? pair.value
      case .identifier: row.identifier = row.identifier ?? pair.value
      default: break
      }
    }
    bytes.append(contentsOf: whole.buffer)
    row.end = bytes.count
    rows.append(row)
  }

  static func asset(element: UInt16, identifier: UInt16) -> UInt32 {
    UInt32(element) << 16 | UInt32(identifier)
  }
}

extension FacetTable {
  package var count: Int { rows.count }

  package func name(at index: Int) -> ByteString {
    bytes.withUnsafeBytes { bytes in
      let row = rows[index]
      return ByteString(bytes: UnsafeRawBufferPointer(rebasing: bytes[row.start..<row.nameEnd]))
    }
  }

  package var names: [ByteString] { rows.indices.map { name(at: $0) } }

  /// One number for each facet that has an identifier, from the highest bits to the lowest:
  /// element, identifier, number of the row. Sorted.
  package var byAsset: [UInt64] {
    var assets: [UInt64] = []
    assets.reserveCapacity(count)
    for (number, row) in rows.enumerated() {
      guard let identifier = row.identifier else { continue }
      let asset = FacetTable.asset(element: row.element ?? 0, identifier: identifier)
      assets.append(UInt64(asset) << 32 | UInt64(number))
    }
    assets.sort(byBitsFrom: 32)
    return assets
  }

  /// Returns the rows for which `part` returns a part. The facet of such a row gets this part.
  func filtered(_ part: (Row) -> UInt16?) -> FacetTable {
    var copy = self
    copy.rows.removeAll(keepingCapacity: true)
    for var row in rows {
      guard let part = part(row) else { continue }
      if row.part != nil, row.part != part {
        row.part = part
        copy.storePart(of: row)
      }
      copy.rows.append(row)
    }
    return copy
  }

  private mutating func storePart(of row: Row) {
    bytes.withUnsafeMutableBytes { bytes in
      for offset in stride(
        from: row.nameEnd + FacetRecord.size, to: row.end, by: AttributePair.size)
      where bytes[offset] == RenditionAttribute.part.rawValue && bytes[offset + 1] == 0 {
        bytes.store(row.part ?? 0, AttributePair.value, at: offset)
      }
    }
  }

  /// Sorts the rows by the bytes of their names. Rows with equal names keep their order.
  mutating func sort() {
    bytes.withUnsafeBytes { bytes in
      func name(_ row: Row) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[row.start..<row.nameEnd])
      }
      // The facets of an archive are sorted already.
      let isSorted = (1..<max(1, rows.count)).allSatisfy {
        !FileBytes.precedes(name(rows[$0]), name(rows[$0 - 1]))
      }
      if !isSorted { rows.sort { FileBytes.precedes(name($0), name($1)) } }
    }
  }

  /// The first row whose name is equal to the name of the row before it. The rows are sorted.
  var firstRepeated: Int? {
    rows.indices.dropFirst().first { hasEqualNames($0 - 1, $0) }
  }

  func hasEqualNames(_ a: Int, _ b: Int) -> Bool {
    bytes.withUnsafeBytes { bytes in
      FileBytes.areEqual(
        UnsafeRawBufferPointer(rebasing: bytes[rows[a].start..<rows[a].nameEnd]),
        UnsafeRawBufferPointer(rebasing: bytes[rows[b].start..<rows[b].nameEnd]))
    }
  }
}
