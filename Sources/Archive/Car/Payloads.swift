// The payloads of renditions that are not bitmaps, for reader and writer: colours, files, tables of
// icon sizes, gradients. The module Codecs reads the payload of a bitmap; this file reads only its
// header.

import Bytes

/// A file inside an archive: data, a vector, a JPEG picture.
package struct FilePayload: Sendable {
  /// Whether the contents are one LZFSE stream.
  package var isCompressed: Bool
  package var contents: FileBytes

  enum Record {
    static let magic: StaticString = "DWAR"
    static let letters = BytesField(0, size: 4)
    static let isCompressed = Field<UInt32>(4)
    static let length = Field<UInt32>(8)
    static let size = 12
    static let members: [any RecordMember] = [letters, isCompressed, length]
  }

  /// Reads a payload. Returns nil if it is of another kind.
  package init?(_ payload: FileBytes) throws(FormatError) {
    guard payload.hasPrefix(Record.magic) else { return nil }
    isCompressed = try payload.load(Record.isCompressed) != 0
    contents = try payload.slice(
      at: Record.size, count: Int(try payload.load(Record.length)), "a file in the archive")
  }

  /// Returns the bytes in front of a file's contents.
  package static func head(length: Int, isCompressed: Bool = false) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Record.size)
    bytes.store(magic: Record.magic)
    bytes.store(isCompressed ? 1 : 0, Record.isCompressed)
    bytes.store(UInt32(length), Record.length)
    return bytes
  }
}

/// A colour. The components are not premultiplied.
package struct ColorPayload: Sendable, Hashable {
  package var space: ColorSpaceID
  /// Red, green, blue, alpha; or grey, alpha.
  package var components: [Double]
  /// The name of a system colour. If it is not nil, the components are only a substitute for this
  /// colour.
  package var systemName: String?

  package init(space: ColorSpaceID, components: [Double], systemName: String? = nil) {
    self.space = space
    self.components = components
    self.systemName = systemName
  }

  /// No space of colours has more than four components.
  private static let mostComponents = 16

  enum Record {
    static let magic: StaticString = "RLOC"
    static let letters = BytesField(0, size: 4)
    static let version = Field<UInt32>(4)
    static let space = Field<UInt8>(8)
    /// 1 if the name of a system colour follows the components.
    static let kind = Field<UInt8>(9)
    static let reserved = Field<UInt16>(10)
    static let count = Field<UInt32>(12)
    static let size = 16
    static let component = Field<UInt64>(0)
    static let componentSize = 8
    static let members: [any RecordMember] = [letters, version, space, kind, reserved, count]
  }

  /// The record after the components of a system colour. The name follows it, without a zero byte.
  enum NameRecord {
    static let letters = BytesField(0, size: 4)
    static let version = Field<UInt32>(4)
    static let length = Field<UInt32>(8)
    static let size = 12
    static let members: [any RecordMember] = [letters, version, length]
  }

  /// Reads a payload. Returns nil if it is of another kind.
  package init?(_ payload: FileBytes) throws(FormatError) {
    guard payload.hasPrefix(Record.magic) else { return nil }
    space = ColorSpaceID(rawValue: UInt32(try payload.load(Record.space)))
    let count = Int(try payload.load(Record.count))
    try FormatError.check(
      "the number of a colour's components", count, atMost: ColorPayload.mostComponents,
      at: payload.origin)
    components = []
    for index in 0..<count {
      let base = Record.size + index * Record.componentSize
      components.append(Double(bitPattern: try payload.load(Record.component, at: base)))
    }
    systemName = try ColorPayload.systemName(in: payload)?.text
  }

  /// Returns the name of the system colour in the payload of a colour, as it is stored.
  package static func systemName(in payload: FileBytes) throws(FormatError) -> FileBytes? {
    guard try payload.load(Record.kind) == 1 else { return nil }
    let name = Record.size + Int(try payload.load(Record.count)) * Record.componentSize
    let length = Int(try payload.load(NameRecord.length, at: name))
    try FormatError.check(
      "the length of a system colour's name", length, atMost: NamedNumber.mostBytes,
      at: payload.origin + name)
    return try payload.slice(at: name + NameRecord.size, count: length, "the name of a colour")
      .uptoZero
  }

  package func bytes() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Record.size)
    bytes.store(magic: Record.magic)
    bytes.store(1, Record.version)
    bytes.store(UInt8(truncatingIfNeeded: space.rawValue), Record.space)
    bytes.store(systemName == nil ? 0 : 1, Record.kind)
    bytes.store(UInt32(components.count), Record.count)
    for component in components { bytes.append(component.bitPattern, .little) }
    guard let systemName else { return bytes }
    let base = bytes.count
    bytes.append(zeros: NameRecord.size)
    bytes.store(magic: Record.magic, at: base)
    bytes.store(1, NameRecord.version, at: base)
    bytes.store(UInt32(systemName.utf8.count), NameRecord.length, at: base)
    bytes.append(contentsOf: systemName.utf8)
    return bytes
  }
}

/// The sizes of an icon, in points.
package struct MultisizePayload: Sendable, Hashable {
  package struct Size: Sendable, Hashable {
    package var width: UInt32
    package var height: UInt32
    /// The number of the size among all sizes of the icon, from 1. The keys of the icons of this
    /// size have it as `dimension2`.
    package var index: UInt32

    package init(width: UInt32, height: UInt32, index: UInt32) {
      self.width = width
      self.height = height
      self.index = index
    }
  }

  package var sizes: [Size]

  package init(_ sizes: [Size]) { self.sizes = sizes }

  /// Icons have some twenty sizes.
  private static let mostSizes = 1_024

  enum Record {
    static let magic: StaticString = "SISM"
    static let letters = BytesField(0, size: 4)
    static let version = Field<UInt32>(4)
    static let count = Field<UInt32>(8)
    static let size = 12
    static let members: [any RecordMember] = [letters, version, count]
  }

  enum SizeRecord {
    static let width = Field<UInt32>(0)
    static let height = Field<UInt32>(4)
    static let index = Field<UInt32>(8)
    static let size = 12
    static let members: [any RecordMember] = [width, height, index]
  }

  /// Reads a payload. Returns nil if it is of another kind.
  package init?(_ payload: FileBytes) throws(FormatError) {
    guard payload.hasPrefix(Record.magic) else { return nil }
    let count = Int(try payload.load(Record.count))
    try FormatError.check(
      "the number of an icon's sizes", count, atMost: MultisizePayload.mostSizes,
      at: payload.origin)
    sizes = []
    for index in 0..<count {
      let base = Record.size + index * SizeRecord.size
      sizes.append(
        Size(
          width: try payload.load(SizeRecord.width, at: base),
          height: try payload.load(SizeRecord.height, at: base),
          index: try payload.load(SizeRecord.index, at: base)))
    }
  }

  package func bytes() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Record.size)
    bytes.store(magic: Record.magic)
    bytes.store(1, Record.version)
    bytes.store(UInt32(sizes.count), Record.count)
    for size in sizes {
      bytes.append(size.width, .little)
      bytes.append(size.height, .little)
      bytes.append(size.index, .little)
    }
    return bytes
  }
}

/// The header of a bitmap's payload.
package struct BitmapPayloadHeader: Sendable, Hashable {
  package var isChunked: Bool
  package var isOpaque: Bool
  package var compression: UInt32

  enum Record {
    static let magic: StaticString = "MLEC"
    static let letters = BytesField(0, size: 4)
    static let flags = Field<UInt32>(4)
    static let compression = Field<UInt32>(8)
    /// The length of the payload, or the number of chunks.
    static let length = Field<UInt32>(12)
    static let size = 16
    static let members: [any RecordMember] = [letters, flags, compression, length]
  }

  /// The record in front of each part, if the payload is divided into parts.
  enum Chunk {
    static let magic: StaticString = "KCBC"
    static let letters = BytesField(0, size: 4)
    static let flags = Field<UInt32>(4)
    static let version = Field<UInt32>(8)
    static let rows = Field<UInt32>(12)
    static let length = Field<UInt32>(16)
    static let size = 20
    static let members: [any RecordMember] = [letters, flags, version, rows, length]
  }

  /// Reads the header of a payload. Returns nil if the payload is of another kind.
  package init?(_ payload: FileBytes) throws(FormatError) {
    guard payload.hasPrefix(Record.magic) else { return nil }
    let flags = try payload.load(Record.flags)
    isChunked = flags & 1 != 0
    isOpaque = flags & 2 != 0
    compression = try payload.load(Record.compression)
  }

  /// The compression's name in Apple's reports.
  package var compressionName: String {
    let names = [
      "uncompressed", "rle", "zip", "lzvn", "lzfse", "jpeg-lzfse", "blurred", "astc", "palette-img",
      "hevc", "deepmap-lzfse", "deepmap2", "dxtc",
    ]
    return Int(compression) < names.count ? names[Int(compression)] : "\(compression)"
  }
}

// MARK: - Gradients

// A named gradient: points, and stops whose colours are other names of the archive.

package struct GradientPayload: Sendable, Hashable {
  package enum Style: UInt32, Sendable, Hashable {
    /// The gradient has one stop; the system derives the second from it.
    case automatic = 0
    case linear = 1
  }

  package struct Stop: Sendable, Hashable {
    package var position: Float
    /// The facet of the stop's colour.
    package var color: ByteString

    package init(position: Float, color: ByteString) {
      self.position = position
      self.color = color
    }
  }

  package var style: Style
  /// The start and the end as fractions of the canvas, with y downwards.
  package var startX: Float
  package var startY: Float
  package var endX: Float
  package var endY: Float
  package var stops: [Stop]

  package init(
    style: Style, start: (x: Float, y: Float), end: (x: Float, y: Float), stops: [Stop]
  ) {
    self.style = style
    (startX, startY) = start
    (endX, endY) = end
    self.stops = stops
  }

  /// Icon Composer writes two stops.
  private static let mostStops = 1_024

  enum Record {
    static let magic: StaticString = "ARGG"
    static let letters = BytesField(0, size: 4)
    static let count = Field<UInt32>(4)
    static let style = Field<UInt32>(8)
    static let reserved = Field<UInt32>(12)
    static let startX = Field<UInt32>(16)
    static let startY = Field<UInt32>(20)
    static let endX = Field<UInt32>(24)
    static let endY = Field<UInt32>(28)
    static let size = 32
    static let members: [any RecordMember] = [
      letters, count, style, reserved, startX, startY, endX, endY,
    ]
  }

  /// The record of a stop. The name of the colour and a zero byte follow it.
  enum StopRecord {
    static let position = Field<UInt32>(0)
    static let length = Field<UInt32>(4)
    static let size = 8
    static let members: [any RecordMember] = [position, length]
  }

  /// Reads a payload. Returns nil if it is of another kind.
  package init?(_ payload: FileBytes) throws(FormatError) {
    guard payload.hasPrefix(Record.magic) else { return nil }
    let record = try payload.slice(at: 0, count: Record.size, "a gradient")
    func number(_ field: Field<UInt32>) -> Float { Float(bitPattern: record.trusted(field)) }
    style = Style(rawValue: record.trusted(Record.style)) ?? .linear
    startX = number(Record.startX)
    startY = number(Record.startY)
    endX = number(Record.endX)
    endY = number(Record.endY)
    try FormatError.check(
      "the number of a gradient's stops", Int(record.trusted(Record.count)),
      atMost: GradientPayload.mostStops, at: payload.origin)
    stops = []
    var offset = Record.size
    for _ in 0..<record.trusted(Record.count) {
      let stop = try payload.slice(at: offset, count: StopRecord.size, "a stop of a gradient")
      let length = Int(stop.trusted(StopRecord.length))
      let name = try payload.slice(
        at: offset + StopRecord.size, count: length, "the colour of a gradient")
      stops.append(
        Stop(
          position: Float(bitPattern: stop.trusted(StopRecord.position)),
          color: ByteString(bytes: name.uptoZero.buffer)))
      offset += StopRecord.size + length
    }
  }

  package func bytes() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Record.size)
    bytes.store(magic: Record.magic)
    bytes.store(UInt32(stops.count), Record.count)
    bytes.store(style.rawValue, Record.style)
    bytes.store(startX.bitPattern, Record.startX)
    bytes.store(startY.bitPattern, Record.startY)
    bytes.store(endX.bitPattern, Record.endX)
    bytes.store(endY.bitPattern, Record.endY)
    for stop in stops {
      let base = bytes.count
      bytes.append(zeros: StopRecord.size)
      bytes.store(stop.position.bitPattern, StopRecord.position, at: base)
      bytes.store(UInt32(stop.color.count + 1), StopRecord.length, at: base)
      bytes.append(contentsOf: stop.color.bytes)
      bytes.append(0)
    }
    return bytes
  }
}
