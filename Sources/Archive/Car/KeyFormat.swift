// The key format: which attributes the keys of an archive hold, and in which order. Old systems do
// not know some attributes: there the format shows a placeholder, and a second block says what it is.

package struct KeyFormat: Sendable, Hashable {
  /// The attributes of the columns, placeholders replaced by what they stand for.
  package let columns: [RenditionAttribute]
  /// Bit n is set where column n is listed as a placeholder.
  package let placeholders: UInt64

  /// The most columns that are read: each attribute once, and as many placeholders.
  static let mostColumns = 64

  package init(_ columns: [RenditionAttribute], placeholders: UInt64 = 0) {
    precondition(columns.count <= KeyFormat.mostColumns)
    self.columns = columns
    self.placeholders = placeholders
  }

  /// The columns that some key uses and the constant ones, in the canonical order.
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

  /// The key whose bytes these are.
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

  /// The key that lies somewhere, in so many bytes as a key has.
  func key(_ start: UnsafeRawPointer) -> RenditionKey {
    var key = RenditionKey()
    var place = start
    for column in columns {
      key[column] = UInt16(littleEndian: place.loadUnaligned(as: UInt16.self))
      place += MemoryLayout<UInt16>.size
    }
    return key
  }

  /// Bit n is set where a column holds attribute n.
  var columnsInUse: UInt32 { columns.reduce(into: UInt32(0)) { $0 |= 1 << UInt32($1.rawValue) } }

  /// The first attribute with a value that no column holds.
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

  /// Reads the format, and the replacements of its placeholders where there are any.
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

  /// The block KEYFORMAT.
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

  /// The block KEYFORMATWORKAROUND; nil where no placeholder needs it.
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
