// The first 184 bytes of every rendition (the CSI header), and the numbers that they use.

import Bytes

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
  package static let onePartFixedSize = Self(10)
  package static let onePartTile = Self(11)
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
  package static let manyPart = Self(40)
  package static let filmstrip = Self(50)
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

  package init(_ block: Bytes) throws(FormatError) {
    try block.require(CSIRecord.magic, "the rendition")
    flags = RenditionFlags(rawValue: try block.load(CSIRecord.flags))
    layout = RenditionLayout(rawValue: try block.load(CSIRecord.layout))
  }
}

enum CSIRecord {
  static let magic: StaticString = "ISTC"
  static let letters = Run(0, size: 4)
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
  static let name = Run(40, size: 128)
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
  /// Reads the record at the beginning of a block. The caller has checked that the block contains
  /// one.
  init(_ record: Bytes) throws(FormatError) {
    self.init(unnamed: record)
    name = try record.name(CSIRecord.name)
  }

  /// Reads all fields except the name.
  init(unnamed record: Bytes) {
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
