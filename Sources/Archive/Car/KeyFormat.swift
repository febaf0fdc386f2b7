// The key format: the list of the attributes that the keys of an archive hold, in their order. Old
// systems do not know some attributes. For those the format lists a placeholder, and a second block
// (KEYFORMATWORKAROUND) contains the attribute that the placeholder represents.

/// The columns of an archive's rendition keys.
package struct KeyFormat: Sendable, Hashable {
  /// The attributes of the columns, with each placeholder replaced by the attribute that it
  /// represents.
  package let columns: [RenditionAttribute]
  /// A mask in which bit n is set if column n is listed as a placeholder.
  package let placeholders: UInt64

  /// The largest number of columns that are read: each attribute once, and as many placeholders.
  static let mostColumns = 64

  package init(_ columns: [RenditionAttribute], placeholders: UInt64 = 0) {
    precondition(columns.count <= KeyFormat.mostColumns)
    self.columns = columns
    self.placeholders = placeholders
  }

  /// Creates a format of the constant columns and of the columns that any key uses, in the
  /// canonical order.
  package init(for keys: some Sequence<RenditionKey>, semantics: KeySemantics) {
    let inUse = keys.reduce(into: UInt32(0)) { $0 |= $1.columnsInUse }
    let order = semantics == .mac ? RenditionAttribute.macOrder : RenditionAttribute.phoneOrder
    let constants =
      semantics == .mac ? RenditionAttribute.macConstants : RenditionAttribute.phoneConstants
    let others = (0..<UInt8(RenditionAttribute.limit)).compactMap(RenditionAttribute.init).filter {
      !order.contains($0)
    }
    self.init(
      (order + others).filter { constants.contains($0) || inUse >> UInt32($0.rawValue) & 1 != 0 })
  }

  /// The length of a key in bytes.
  package var keyLength: Int { columns.count * 2 }

  /// Reads a key.
  package func key(_ bytes: Bytes) throws(FormatError) -> RenditionKey {
    try checkLength(of: bytes)
    return bytes.buffer.baseAddress.map(key) ?? RenditionKey()
  }

  func checkLength(of bytes: Bytes) throws(FormatError) {
    if bytes.count != keyLength {
      throw FormatError(
        .number("the length of a rendition key", found: bytes.count, expected: "\(keyLength)"),
        at: bytes.origin)
    }
  }

  /// Reads the key at an address. The caller has checked that as many bytes as a key has are
  /// readable there.
  func key(_ start: UnsafeRawPointer) -> RenditionKey {
    var key = RenditionKey()
    var place = start
    for column in columns {
      key[column] = UInt16(littleEndian: place.loadUnaligned(as: UInt16.self))
      place += MemoryLayout<UInt16>.size
    }
    return key
  }

  /// A mask in which bit n is set if a column holds attribute n.
  var columnsInUse: UInt32 { columns.reduce(into: UInt32(0)) { $0 |= 1 << UInt32($1.rawValue) } }

  /// Returns the first attribute that has a value in the key but no column in the format.
  func attributeWithoutColumn(in key: RenditionKey) -> RenditionAttribute? {
    let missing = key.columnsInUse & ~columnsInUse
    return missing == 0 ? nil : RenditionAttribute(rawValue: UInt8(missing.trailingZeroBitCount))
  }
}

/// The block KEYFORMAT: this record, and a u32 for each column.
enum KeyFormatRecord {
  static let magic: StaticString = "tmfk"
  static let letters = Run(0, size: 4)
  static let version = Field<UInt32>(4)
  static let count = Field<UInt32>(8)
  static let size = 12
  static let column = Field<UInt32>(0)
  static let columnSize = 4
  static let members: [any RecordMember] = [letters, version, count]
}

extension KeyFormat {
  static let name = "KEYFORMAT"
  static let workaroundName = "KEYFORMATWORKAROUND"

  /// Reads the format, and the attributes of its placeholders if the archive has any.
  init(_ block: Bytes, workaround: Bytes?) throws(FormatError) {
    try block.require(KeyFormatRecord.magic, "the key format")
    let count = Int(try block.load(KeyFormatRecord.count))
    guard count <= KeyFormat.mostColumns else {
      throw FormatError(
        .number(
          "the number of key columns", found: count, expected: "at most \(KeyFormat.mostColumns)"),
        at: block.origin + KeyFormatRecord.count.offset)
    }
    var columns: [RenditionAttribute] = []
    var placeholders: UInt64 = 0
    for index in 0..<count {
      let offset = KeyFormatRecord.size + index * KeyFormatRecord.columnSize
      var number = try block.load(KeyFormatRecord.column, at: offset)
      if number == UInt32(RenditionAttribute.placeholder.rawValue) {
        placeholders |= 1 << UInt64(index)
        let replacement = try workaround?.load(
          KeyFormatRecord.column, at: index * KeyFormatRecord.columnSize)
        if let replacement, replacement != 0 { number = replacement }
      }
      guard let attribute = UInt8(exactly: number).flatMap(RenditionAttribute.init) else {
        throw FormatError(
          .number(
            "the attribute of key column \(index)", found: Int(number),
            expected: "below \(RenditionAttribute.limit)"), at: block.origin + offset)
      }
      columns.append(attribute)
    }
    self.init(columns, placeholders: placeholders)
  }

  /// Returns the block KEYFORMAT.
  func block() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: KeyFormatRecord.size)
    bytes.store(magic: KeyFormatRecord.magic)
    bytes.store(UInt32(columns.count), KeyFormatRecord.count)
    for (index, column) in columns.enumerated() {
      let isPlaceholder = placeholders >> UInt64(index) & 1 != 0
      bytes.append(
        UInt32(isPlaceholder ? RenditionAttribute.placeholder.rawValue : column.rawValue), .little)
    }
    return bytes
  }

  /// Returns the block KEYFORMATWORKAROUND; nil if the format has no placeholders.
  func workaroundBlock() -> [UInt8]? {
    guard placeholders != 0 else { return nil }
    var bytes: [UInt8] = []
    for (index, column) in columns.enumerated() {
      let stands = placeholders >> UInt64(index) & 1 != 0 && column != .placeholder
      bytes.append(stands ? UInt32(column.rawValue) : 0, .little)
    }
    return bytes
  }
}
