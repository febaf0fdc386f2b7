// The key of a rendition: a 16-bit value for every attribute, whichever columns an archive lists;
// then the attributes, and the key format, which lists the columns. VariantNumbers.swift turns keys
// into the constraints of variants.

import Traits

/// The values of all attributes. An attribute that a key format does not list is zero.
public struct RenditionKey: Sendable, Hashable {
  /// The values, four in each word, so that keys are compared and hashed by words.
  @usableFromInline var words: Words = Words()

  @usableFromInline struct Words: Hashable, Sendable {
    @usableFromInline var a: UInt64 = 0
    @usableFromInline var b: UInt64 = 0
    @usableFromInline var c: UInt64 = 0
    @usableFromInline var d: UInt64 = 0
    @usableFromInline var e: UInt64 = 0
    @usableFromInline var f: UInt64 = 0
    @usableFromInline var g: UInt64 = 0
    @usableFromInline var h: UInt64 = 0
  }

  package init() {}

  package init(_ pairs: KeyValuePairs<RenditionAttribute, UInt16>) {
    for (attribute, value) in pairs { self[attribute] = value }
  }

  @inlinable public subscript(attribute: RenditionAttribute) -> UInt16 {
    get {
      // An attribute is below 32, and a value has two of the 64 bytes.
      withUnsafeBytes(of: words) {
        $0.load(fromByteOffset: 2 * Int(attribute.rawValue), as: UInt16.self)
      }
    }
    set {
      withUnsafeMutableBytes(of: &words) {
        $0.storeBytes(of: newValue, toByteOffset: 2 * Int(attribute.rawValue), as: UInt16.self)
      }
    }
  }

  /// The attributes whose values are not zero.
  package var attributes: [RenditionAttribute] {
    (0..<UInt8(RenditionAttribute.limit)).compactMap(RenditionAttribute.init).filter {
      self[$0] != 0
    }
  }

  /// A mask in which bit n is set if attribute n is not zero.
  var columnsInUse: UInt32 {
    withUnsafeBytes(of: words) { values in
      var bits: UInt32 = 0
      for index in 0..<RenditionAttribute.limit
      where values.load(fromByteOffset: 2 * index, as: UInt16.self) != 0 {
        bits |= 1 << UInt32(index)
      }
      return bits
    }
  }

  /// Calls `body` with a function that returns the value of an attribute. This is faster for
  /// several values.
  @inlinable public func withValues<Result>(
    _ body: ((RenditionAttribute) -> UInt16) -> Result
  ) -> Result {
    withUnsafeBytes(of: words) { bytes in
      body { bytes.load(fromByteOffset: 2 * Int($0.rawValue), as: UInt16.self) }
    }
  }

  /// Returns a key in which the given attributes are zero and all bits of the other attributes are
  /// set.
  package static func bits(exceptIn attributes: [RenditionAttribute]) -> RenditionKey {
    var key = RenditionKey()
    for attribute in (0..<UInt8(RenditionAttribute.limit)).compactMap(RenditionAttribute.init)
    where !attributes.contains(attribute) { key[attribute] = .max }
    return key
  }

  /// Returns whether two keys are equal in the bits that are set in `bits`.
  @inlinable package func agrees(with other: RenditionKey, in bits: RenditionKey) -> Bool {
    let (x, y, z) = (words, other.words, bits.words)
    let first = (x.a ^ y.a) & z.a | (x.b ^ y.b) & z.b | (x.c ^ y.c) & z.c | (x.d ^ y.d) & z.d
    let second = (x.e ^ y.e) & z.e | (x.f ^ y.f) & z.f | (x.g ^ y.g) & z.g | (x.h ^ y.h) & z.h
    return first | second == 0
  }

  @inlinable package var identifier: UInt16 { self[.identifier] }
  @inlinable package var element: UInt16 { self[.element] }
  @inlinable package var part: UInt16 { self[.part] }
}

/// The part of a key that is no constraint of a variant: it distinguishes the renditions of one
/// asset.
package struct KeyDetails: Sendable, Hashable, Comparable {
  /// The number of an atlas.
  package var dimension1: UInt16 = 0
  /// The position of an icon's size.
  package var dimension2: UInt16 = 0
  /// The weight and the size of a symbol's drawing.
  package var glyphWeight: UInt16 = 0
  package var glyphSize: UInt16 = 0

  package init(dimension1: UInt16 = 0, dimension2: UInt16 = 0) {
    self.dimension1 = dimension1
    self.dimension2 = dimension2
  }

  package init(_ glyph: Glyph) {
    glyphWeight = UInt16(glyph.weight.rawValue)
    glyphSize = UInt16(glyph.size.rawValue)
  }

  package var glyph: Glyph? { Glyph(weight: glyphWeight, size: glyphSize) }

  package static func < (a: KeyDetails, b: KeyDetails) -> Bool { a.number < b.number }

  private var number: UInt64 {
    UInt64(glyphSize) << 48 | UInt64(glyphWeight) << 32 | UInt64(dimension2) << 16
      | UInt64(dimension1)
  }
}

extension RenditionKey {
  package var details: KeyDetails {
    get {
      var details = KeyDetails(dimension1: self[.dimension1], dimension2: self[.dimension2])
      details.glyphWeight = self[.glyphWeight]
      details.glyphSize = self[.glyphSize]
      return details
    }
    set {
      self[.dimension1] = newValue.dimension1
      self[.dimension2] = newValue.dimension2
      self[.glyphWeight] = newValue.glyphWeight
      self[.glyphSize] = newValue.glyphSize
    }
  }
}

/// The numbers of elements that catalogues of applications use.
package enum Element {
  package static let atlas: UInt16 = 9
  package static let texture: UInt16 = 41
  package static let universal: UInt16 = 85
}

/// Values of the attribute that names the oldest system (the deployment target).
package enum Generation {
  /// Systems that draw symbols from catalogues: those of 2019 and later.
  package static let ofSymbols: UInt16 = 5
}

/// The numbers of parts that catalogues of applications use.
package enum Part {
  /// A vector that is kept beside its rasters.
  package static let vector: UInt16 = 42
  package static let symbol: UInt16 = 59
  /// The list of the pictures in a sprite atlas.
  package static let spriteAtlas: UInt16 = 127
  /// Images, data, atlases and layer stacks.
  package static let regular: UInt16 = 181
  package static let arGroup: UInt16 = 206
  package static let arObject: UInt16 = 207
  package static let flattened: UInt16 = 208
  package static let radiosity: UInt16 = 209
  package static let color: UInt16 = 217
  /// The table of an icon's sizes.
  package static let multisize: UInt16 = 218
  package static let icon: UInt16 = 220
  package static let iconStack: UInt16 = 245
  package static let iconGroup: UInt16 = 246
  package static let gradient: UInt16 = 247
}

extension RenditionKey {
  /// Whether the key is that of an atlas, which belongs to no asset. The list of a sprite atlas has
  /// the same element, and belongs to the asset of that name.
  package var isAtlas: Bool { element == Element.atlas && part != Part.spriteAtlas }
}

// MARK: - Attributes

// The attributes that a rendition key can hold, and the orders in which archives list them.

/// One attribute of rendition keys. An attribute whose number has no name here is read and kept.
public struct RenditionAttribute: RawRepresentable, Sendable, Hashable {
  public let rawValue: UInt8
  /// The numbers of attributes are below this number.
  package static let limit = 32

  public init?(rawValue: UInt8) {
    guard rawValue < RenditionAttribute.limit else { return nil }
    self.rawValue = rawValue
  }

  private init(_ rawValue: UInt8) { self.rawValue = rawValue }

  package static let look = Self(0)
  public static let element = Self(1)
  public static let part = Self(2)
  package static let size = Self(3)
  package static let direction = Self(4)
  /// Replaces, in a key format, an attribute that old systems do not know.
  package static let placeholder = Self(5)
  package static let value = Self(6)
  package static let appearance = Self(7)
  /// The number of an atlas.
  package static let dimension1 = Self(8)
  /// The position of an icon's size, or the mip level of a texture.
  package static let dimension2 = Self(9)
  package static let state = Self(10)
  package static let layer = Self(11)
  package static let scale = Self(12)
  package static let localization = Self(13)
  package static let presentationState = Self(14)
  package static let idiom = Self(15)
  package static let subtype = Self(16)
  public static let identifier = Self(17)
  package static let previousValue = Self(18)
  package static let previousState = Self(19)
  package static let horizontalSizeClass = Self(20)
  package static let verticalSizeClass = Self(21)
  package static let memoryClass = Self(22)
  package static let graphicsClass = Self(23)
  package static let displayGamut = Self(24)
  package static let deploymentTarget = Self(25)
  package static let glyphWeight = Self(26)
  package static let glyphSize = Self(27)

  /// The attribute's name in Apple's reports.
  package var name: String {
    let names = RenditionAttribute.names
    return Int(rawValue) < names.count ? "kCRTheme\(names[Int(rawValue)])Name" : "\(rawValue)"
  }

  private static let names = [
    "Look", "Element", "Part", "Size", "Direction", "Placeholder", "Value", "Appearance",
    "Dimension1", "Dimension2", "State", "Layer", "Scale", "Localization", "PresentationState",
    "Idiom", "Subtype", "Identifier", "PreviousValue", "PreviousState", "SizeClassHorizontal",
    "SizeClassVertical", "MemoryClass", "GraphicsClass", "DisplayGamut", "DeploymentTarget",
    "GlyphWeight", "GlyphSize",
  ]
}

extension RenditionAttribute {
  /// The order of columns if the key semantics are those of iOS.
  static let phoneOrder: [Self] = [
    .appearance, .localization, .scale, .idiom, .subtype, .glyphWeight, .glyphSize, .dimension2,
    .dimension1, .deploymentTarget, .displayGamut, .direction, .horizontalSizeClass,
    .verticalSizeClass, .graphicsClass, .memoryClass, .identifier, .element, .part, .state, .value,
  ]
  /// The order of columns if the key semantics are those of macOS. Apple's lists end with the glyph
  /// size. The attributes after it are listed so that no constraint of a variant can get lost.
  static let macOrder: [Self] = [
    .appearance, .localization, .element, .part, .size, .direction, .value, .identifier,
    .dimension1, .dimension2, .state, .presentationState, .layer, .scale, .displayGamut,
    .previousState, .previousValue, .deploymentTarget, .glyphWeight, .glyphSize, .idiom, .subtype,
    .horizontalSizeClass, .verticalSizeClass, .graphicsClass, .memoryClass,
  ]
  /// The attributes that are listed even if all their values are zero. Apple's tool always lists
  /// these; the others differ between its versions.
  static let constants: Set<Self> = [.scale, .identifier, .element, .part]
}

// MARK: - The key format

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
    let constants = RenditionAttribute.constants
    let others = (0..<UInt8(RenditionAttribute.limit)).compactMap(RenditionAttribute.init).filter {
      !order.contains($0)
    }
    self.init(
      (order + others).filter { constants.contains($0) || inUse >> UInt32($0.rawValue) & 1 != 0 })
  }

  /// The length of a key in bytes.
  package var keyLength: Int { columns.count * 2 }

  /// Reads a key.
  package func key(_ bytes: FileBytes) throws(FormatError) -> RenditionKey {
    try checkLength(of: bytes)
    return bytes.buffer.baseAddress.map(key) ?? RenditionKey()
  }

  func checkLength(of bytes: FileBytes) throws(FormatError) {
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
    var address = start
    for column in columns {
      key[column] = UInt16(littleEndian: address.loadUnaligned(as: UInt16.self))
      address += MemoryLayout<UInt16>.size
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
  static let letters = BytesField(0, size: 4)
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
  init(_ block: FileBytes, workaround: FileBytes?) throws(FormatError) {
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
