// One rendition: header, properties, payload. Payloads.swift reads the structures of payloads, and
// Codecs decodes the bitmaps in them.

import Bytes

/// A rendition as it is stored in an archive.
package struct Rendition: Sendable {
  package let bytes: FileBytes
  package let header: CSIHeader
  /// The tagged properties between header and payload.
  package let properties: FileBytes
  package private(set) var payload: FileBytes

  /// The largest length of the properties. Properties of real renditions have some hundred bytes.
  /// Any number of keys may share one block, and each key reads the properties again.
  static let mostPropertyBytes = 1 << 16
  /// The largest number of properties. There are about thirty kinds, and a rendition has at most
  /// one of each.
  static let mostProperties = 256

  /// Reads a rendition.
  package init(_ block: FileBytes) throws(FormatError) {
    self = try Rendition(head: block)
    try findPayload(in: block)
  }

  /// Reads a rendition without its name, for which memory would be allocated.
  package init(unnamed block: FileBytes) throws(FormatError) {
    self = try Rendition(unnamedHead: block)
    try findPayload(in: block)
  }

  private mutating func findPayload(in block: FileBytes) throws(FormatError) {
    let record = try block.slice(at: 0, count: CSIRecord.size, "the rendition")
    let length = properties.count
    let stated = Int(record.trusted(CSIRecord.payloadLength))
    let start = CSIRecord.size + length
    // The payload of one of Apple's shape effects has another length than the header states.
    let payloadLength = header.layout == .shapeEffect ? block.count - start : stated
    payload = try block.slice(at: start, count: payloadLength, "the payload")
  }

  /// Reads header and properties alone. The block may end after them; the payload is empty.
  init(head block: FileBytes) throws(FormatError) {
    try self.init(head: block) { (record) throws(FormatError) in try CSIHeader(record) }
  }

  /// Reads header and properties alone, without the name.
  init(unnamedHead block: FileBytes) throws(FormatError) {
    try self.init(head: block) { (record) throws(FormatError) in CSIHeader(unnamed: record) }
  }

  private init(
    head block: FileBytes, _ header: (FileBytes) throws(FormatError) -> CSIHeader
  ) throws(FormatError) {
    try block.require(CSIRecord.magic, "the rendition")
    let record = try block.slice(at: 0, count: CSIRecord.size, "the rendition")
    bytes = block
    self.header = try header(record)
    let length = Int(record.trusted(CSIRecord.propertiesLength))
    if length > Rendition.mostPropertyBytes {
      throw FormatError(
        .number(
          "the length of the properties", found: length,
          expected: "at most \(Rendition.mostPropertyBytes)"), at: block.origin)
    }
    properties = try block.slice(at: CSIRecord.size, count: length, "the properties")
    payload = try block.slice(at: CSIRecord.size + length, count: 0, "the payload")
  }

  /// Returns the bodies of the properties that determine how a picture is placed and how it
  /// stretches. If a kind occurs several times, its first body counts.
  func describingBodies() throws(FormatError) -> (
    slices: FileBytes?, metrics: FileBytes?, link: FileBytes?
  ) {
    var bodies: (slices: FileBytes?, metrics: FileBytes?, link: FileBytes?) = (nil, nil, nil)
    try forEachProperty { (found, body) throws(FormatError) in
      switch RenditionProperty.Tag(rawValue: found) {
      case .slices: bodies.slices = bodies.slices ?? body
      case .metrics: bodies.metrics = bodies.metrics ?? body
      case .link: bodies.link = bodies.link ?? body
      default: break
      }
      return true
    }
    return bodies
  }

  /// Returns the body of the first property with a tag; nil if there is no such property.
  package func body(of tag: RenditionProperty.Tag) throws(FormatError) -> FileBytes? {
    var first: FileBytes?
    try forEachProperty { (found, body) throws(FormatError) in
      if found == tag.rawValue { first = body }
      return first == nil
    }
    return first
  }

  /// Returns all properties in their order.
  package func allProperties() throws(FormatError) -> [RenditionProperty] {
    var result: [RenditionProperty] = []
    try forEachProperty { (tag, body) throws(FormatError) in
      result.append(try RenditionProperty(tag: tag, body))
      return true
    }
    return result
  }

  /// Calls `body` with each property in turn, until it returns false. Any number of keys may share
  /// one block; therefore the cost of one rendition has a limit that does not grow with the file.
  @inline(__always)
  private func forEachProperty(
    _ body: (UInt32, FileBytes) throws(FormatError) -> Bool
  ) throws(FormatError) {
    var offset = 0
    var count = 0
    while offset < properties.count {
      count += 1
      if count > Rendition.mostProperties {
        throw FormatError(
          .number(
            "the number of properties", found: count,
            expected: "at most \(Rendition.mostProperties)"), at: properties.origin + offset)
      }
      let (tag, found) = try property(at: offset)
      if try !body(tag, found) { return }
      offset += PropertyRecord.size + found.count
    }
  }

  private func property(at offset: Int) throws(FormatError) -> (tag: UInt32, body: FileBytes) {
    let tag = try properties.load(PropertyRecord.tag, at: offset)
    let length = Int(try properties.load(PropertyRecord.length, at: offset))
    let body = try properties.slice(
      at: offset + PropertyRecord.size, count: length, "property \(tag)")
    return (tag, body)
  }
}

extension Rendition {
  /// Returns the rectangles of the slices, with y upwards.
  package func slices() throws(FormatError) -> [Slice] {
    guard let body = try body(of: .slices) else { return [] }
    return try Slice.read(body)
  }

  /// Returns the alignment insets and the size that they leave of the picture.
  package func metrics() throws(FormatError) -> [Metrics] {
    guard let body = try body(of: .metrics) else { return [] }
    return try Metrics.read(body)
  }

  /// Returns the link to the frame of the picture in an atlas; nil if the picture does not lie in
  /// an atlas.
  package func link() throws(FormatError) -> InternalLink? {
    try body(of: .link).map { (body) throws(FormatError) in try InternalLink(body) }
  }

  /// Returns the rectangle of the picture in its atlas, with y upwards.
  package func frameInAtlas() throws(FormatError) -> InternalLink.Frame? {
    try body(of: .link).map { (body) throws(FormatError) in try InternalLink.frame(in: body) }
  }

  /// Returns the key of the atlas in which the picture lies; nil if it does not lie in an atlas.
  package func atlasKey() throws(FormatError) -> RenditionKey? {
    try body(of: .link).map { (body) throws(FormatError) in try InternalLink.target(in: body) }
  }

  /// Returns the length of a stored row of pixels.
  package func bytesPerRow() throws(FormatError) -> UInt32? {
    try body(of: .bytesPerRow)?.load(Field<UInt32>(0))
  }

  /// Returns the EXIF orientation of a picture that is stored as a file.
  package func orientation() throws(FormatError) -> UInt32? {
    try body(of: .orientation)?.load(Field<UInt32>(0))
  }

  /// Returns the uniform type identifier of data.
  package func uti() throws(FormatError) -> String? { try typeIdentifier()?.text }

  /// Returns the uniform type identifier as it is stored, without the zero byte after it.
  package func typeIdentifier() throws(FormatError) -> FileBytes? {
    try body(of: .uti).map { (body) throws(FormatError) in
      try RenditionProperty.typeIdentifier(in: body)
    }
  }
}

/// The header and the properties of a rendition that is about to be written. The payload follows
/// them.
package struct RenditionHead: Sendable {
  package var header: CSIHeader
  package var properties: [RenditionProperty]

  package init(_ header: CSIHeader, _ properties: [RenditionProperty]) {
    self.header = header
    self.properties = properties
  }

  /// Returns the bytes in front of a payload of this length.
  package func bytes(payloadLength: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: CSIRecord.size)
    for property in properties { property.append(to: &bytes) }
    header.store(
      in: &bytes, propertiesLength: bytes.count - CSIRecord.size, payloadLength: payloadLength)
    return bytes
  }

  /// Returns the whole block.
  package func block(payload: [UInt8]) -> [UInt8] { bytes(payloadLength: payload.count) + payload }
}

// MARK: - The header

// The first 184 bytes of every rendition (the CSI header), and the numbers that they use.

/// The flags of a rendition: how it is used.
package struct RenditionFlags: OptionSet, Sendable, Hashable {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }
  package static let forPositionOnly = Self(rawValue: 1)
  package static let excludedFromContrastFilter = Self(rawValue: 2)
  /// The rendition is a vector, or a raster made from a vector.
  package static let vector = Self(rawValue: 4)
  package static let template = Self(rawValue: 8)
  /// The code that shows the picture decides whether it is a template.
  package static let automatic = Self(rawValue: 0x10)
  package static let keptWhenThinning = Self(rawValue: 0x20)
  package static let flippable = Self(rawValue: 0x40)
  package static let tintable = Self(rawValue: 0x80)
  package static let preservesVector = Self(rawValue: 0x100)
}

/// The format in which pixels or files are stored, as four letters; 0 if the rendition has no such
/// format.
package struct StoredFormat: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  private init(_ letters: StaticString) {
    rawValue = (0..<4).reduce(0) { $0 << 8 | UInt32(letters.utf8Start[$1]) }
  }

  package static let none = Self(rawValue: 0)
  /// Bytes in the order B, G, R, A, premultiplied.
  package static let argb = Self("ARGB")
  package static let grayAlpha8 = Self("GA8 ")
  package static let grayAlpha16 = Self("GA16")
  /// Half floats in the order R, G, B, A, premultiplied.
  package static let wide = Self("RGBW")
  package static let rgb5 = Self("RGB5")
  package static let jpeg = Self("JPEG")
  package static let heif = Self("HEIF")
  package static let webp = Self("WEBP")
  package static let pdf = Self("PDF ")
  package static let svg = Self("SVG ")
  package static let data = Self("DATA")

  /// The number of bytes of one stored pixel; nil if the format is not one of pixels.
  package var bytesPerPixel: Int? {
    switch self {
    case .argb, .grayAlpha16: 4
    case .grayAlpha8, .rgb5: 2
    case .wide: 8
    default: nil
    }
  }

  package var description: String {
    var text = ""
    for shift in [UInt32(24), 16, 8, 0] {
      let byte = UInt8(truncatingIfNeeded: rawValue >> shift)
      if byte > 0x20, byte < 0x7F { text.unicodeScalars.append(Unicode.Scalar(byte)) }
    }
    return text
  }
}

/// The layout of a rendition: its type, and for pictures the way in which they stretch.
package struct RenditionLayout: RawRepresentable, Sendable, Hashable {
  package let rawValue: UInt16
  package init(rawValue: UInt16) { self.rawValue = rawValue }
  private init(_ rawValue: UInt16) { self.rawValue = rawValue }
  package static let flattened = Self(0)
  package static let gradient = Self(6)
  package static let shapeEffect = Self(7)
  package static let vector = Self(9)
  /// The layout of every image without slices.
  package static let onePartScale = Self(12)
  package static let threePartHorizontalTile = Self(20)
  package static let threePartHorizontalScale = Self(21)
  package static let threePartHorizontalUniform = Self(22)
  package static let threePartVerticalTile = Self(23)
  package static let threePartVerticalScale = Self(24)
  package static let threePartVerticalUniform = Self(25)
  package static let ninePartTile = Self(30)
  package static let ninePartScale = Self(31)
  package static let ninePartHorizontalUniformVerticalScale = Self(32)
  package static let ninePartHorizontalScaleVerticalUniform = Self(33)
  package static let ninePartEdgesOnly = Self(34)
  package static let data = Self(1000)
  package static let externalLink = Self(1001)
  package static let layerStack = Self(1002)
  /// A picture that lies in an atlas.
  package static let internalLink = Self(1003)
  package static let atlas = Self(1004)
  package static let namedContents = Self(1005)
  package static let thinningPlaceholder = Self(1006)
  package static let texture = Self(1007)
  package static let textureImage = Self(1008)
  package static let color = Self(1009)
  package static let multisize = Self(1010)
  package static let arObject = Self(1014)
  package static let symbol = Self(1017)
  /// A stack of visionOS.
  package static let solidStack = Self(1018)
  package static let iconStack = Self(1019)
  package static let iconGroup = Self(1020)
  package static let namedGradient = Self(1021)

  /// Whether this is a layout of pictures, which have slices and metrics.
  package var isImage: Bool { (10...50).contains(rawValue) || self == .internalLink }

  /// Whether the meaning of this layout is known.
  package var isKnown: Bool {
    switch rawValue {
    case 0, 6, 7, 9...12, 20...25, 30...34, 40, 50, 1000...1014, 1016...1021: true
    default: false
    }
  }
}

/// The number of the colour space of pixels and colours.
public struct ColorSpaceID: RawRepresentable, Sendable, Hashable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  public static let unspecified = Self(rawValue: 0)
  public static let sRGB = Self(rawValue: 1)
  public static let grayGamma22 = Self(rawValue: 2)
  public static let displayP3 = Self(rawValue: 3)
  public static let extendedSRGB = Self(rawValue: 4)
  public static let extendedLinearSRGB = Self(rawValue: 5)
  public static let extendedGray = Self(rawValue: 6)
}

/// The header of a rendition without the lengths, which follow from the properties and the payload.
package struct CSIHeader: Sendable, Hashable {
  package var version: UInt32 = 1
  package var flags: RenditionFlags = []
  /// The size in pixels; 0 if the rendition has no pixels.
  package var width: UInt32 = 0
  package var height: UInt32 = 0
  /// The scale in hundredths: 100 for 1x; 0 if the rendition has no scale.
  package var scaleFactor: UInt32 = 0
  package var pixelFormat: StoredFormat = .none
  package var colorSpace: ColorSpaceID = .unspecified
  package var modificationDate: UInt32 = 0
  package var layout: RenditionLayout
  /// The name of the source file, or the name of the asset if there is no source file.
  package var name: ByteString

  package init(layout: RenditionLayout, name: ByteString) {
    self.layout = layout
    self.name = name
  }
}

/// The flags and the layout of a rendition, which can be read without its name and its properties.
package struct RenditionOutline: Sendable, Hashable {
  package let flags: RenditionFlags
  package let layout: RenditionLayout

  init(flags: RenditionFlags, layout: RenditionLayout) {
    self.flags = flags
    self.layout = layout
  }

  package init(_ block: FileBytes) throws(FormatError) {
    try block.require(CSIRecord.magic, "the rendition")
    flags = RenditionFlags(rawValue: try block.load(CSIRecord.flags))
    layout = RenditionLayout(rawValue: try block.load(CSIRecord.layout))
  }
}

enum CSIRecord {
  static let magic: StaticString = "ISTC"
  static let letters = BytesField(0, size: 4)
  static let version = Field<UInt32>(4)
  static let flags = Field<UInt32>(8)
  static let width = Field<UInt32>(12)
  static let height = Field<UInt32>(16)
  static let scaleFactor = Field<UInt32>(20)
  static let pixelFormat = Field<UInt32>(24)
  static let colorSpace = Field<UInt32>(28)
  static let modificationDate = Field<UInt32>(32)
  static let layout = Field<UInt16>(36)
  static let reserved = Field<UInt16>(38)
  static let name = BytesField(40, size: 128)
  static let propertiesLength = Field<UInt32>(168)
  static let bitmapCount = Field<UInt32>(172)
  static let bitmapOffset = Field<UInt32>(176)
  static let payloadLength = Field<UInt32>(180)
  static let size = 184
  static let members: [any RecordMember] = [
    letters, version, flags, width, height, scaleFactor, pixelFormat, colorSpace, modificationDate,
    layout, reserved, name, propertiesLength, bitmapCount, bitmapOffset, payloadLength,
  ]
}

extension CSIHeader {
  /// Returns the range of the name in a block; nil if the name is not that of a file, but of an
  /// asset or an atlas, or if the block has no header.
  package static func fileName(in block: UnsafeRawBufferPointer) -> Range<Int>? {
    guard block.count >= CSIRecord.size else { return nil }
    let layout = RenditionLayout(
      rawValue: UInt16(
        littleEndian: block.loadUnaligned(
          fromByteOffset: CSIRecord.layout.offset, as: UInt16.self)))
    switch layout {
    case .vector, .data, .symbol: break
    default: guard layout.isImage else { return nil }
    }
    return CSIRecord.name.offset..<CSIRecord.name.offset + CSIRecord.name.size
  }

  /// Reads the record at the beginning of a block. The caller has checked that the block contains
  /// one.
  init(_ record: FileBytes) throws(FormatError) {
    self.init(unnamed: record)
    name = try record.name(CSIRecord.name)
  }

  /// Reads all fields except the name.
  init(unnamed record: FileBytes) {
    version = record.trusted(CSIRecord.version)
    flags = RenditionFlags(rawValue: record.trusted(CSIRecord.flags))
    width = record.trusted(CSIRecord.width)
    height = record.trusted(CSIRecord.height)
    scaleFactor = record.trusted(CSIRecord.scaleFactor)
    pixelFormat = StoredFormat(rawValue: record.trusted(CSIRecord.pixelFormat))
    colorSpace = ColorSpaceID(rawValue: record.trusted(CSIRecord.colorSpace))
    modificationDate = record.trusted(CSIRecord.modificationDate)
    layout = RenditionLayout(rawValue: record.trusted(CSIRecord.layout))
    name = ""
  }

  func store(in bytes: inout [UInt8], propertiesLength: Int, payloadLength: Int) {
    bytes.store(magic: CSIRecord.magic)
    bytes.store(version, CSIRecord.version)
    bytes.store(flags.rawValue, CSIRecord.flags)
    bytes.store(width, CSIRecord.width)
    bytes.store(height, CSIRecord.height)
    bytes.store(scaleFactor, CSIRecord.scaleFactor)
    bytes.store(pixelFormat.rawValue, CSIRecord.pixelFormat)
    bytes.store(colorSpace.rawValue, CSIRecord.colorSpace)
    bytes.store(modificationDate, CSIRecord.modificationDate)
    bytes.store(layout.rawValue, CSIRecord.layout)
    bytes.store(name, CSIRecord.name)
    bytes.store(UInt32(propertiesLength), CSIRecord.propertiesLength)
    bytes.store(1, CSIRecord.bitmapCount)
    bytes.store(UInt32(payloadLength), CSIRecord.payloadLength)
  }
}
