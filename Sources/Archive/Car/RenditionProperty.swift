// The tagged properties of renditions. The reader and the writer of each kind are side by side.
// LayerProperties.swift contains those of layers, which have the longest records.

import Bytes

/// The record in front of every property.
enum PropertyRecord {
  static let tag = Field<UInt32>(0)
  static let length = Field<UInt32>(4)
  static let size = 8
  static let members: [any RecordMember] = [tag, length]
}

/// A property of a rendition.
package enum RenditionProperty: Sendable {
  case slices([Slice])
  case metrics([Metrics])
  case composition(blendMode: UInt32, opacity: Float)
  case uti(String)
  case orientation(UInt32)
  case bytesPerRow(UInt32)
  case link(InternalLink)
  case names([ByteString])
  case physicalSize(width: Float, height: Float)
  case layers([LayerReference])
  case layerAttributes([LayerAttributes])
  case layerEffects([LayerEffects])
  case layerRefraction([LayerRefraction])
  case glyphMetrics(GlyphMetrics)
  case glyphRendering(GlyphRendering)
  /// A property of another kind, which is copied unchanged.
  case other(tag: UInt32, body: [UInt8])

  package enum Tag: UInt32, Sendable, CaseIterable {
    case slices = 1001
    case metrics = 1003
    case composition
    case uti
    case orientation
    case bytesPerRow
    case externalTags
    case link = 1010
    case croppedFrame
    case layers
    case names
    case texture
    case physicalSize
    case themeProperties
    case transform
    case glyphMetrics
    case glyphRendering
    case layerAttributes
    case layerEffects
    case layerRefraction
  }
}

extension RenditionProperty {
  init(tag number: UInt32, _ body: FileBytes) throws(FormatError) {
    switch Tag(rawValue: number) {
    case .slices: self = .slices(try Slice.read(body))
    case .metrics: self = .metrics(try Metrics.read(body))
    case .composition:
      self = .composition(
        blendMode: try body.load(Field<UInt32>(0)),
        opacity: Float(bitPattern: try body.load(Field<UInt32>(4))))
    case .uti: self = .uti(try RenditionProperty.typeIdentifier(in: body).text)
    case .orientation: self = .orientation(try body.load(Field<UInt32>(0)))
    case .bytesPerRow: self = .bytesPerRow(try body.load(Field<UInt32>(0)))
    case .link: self = .link(try InternalLink(body))
    case .names: self = .names(try RenditionProperty.readNames(body))
    case .physicalSize:
      self = .physicalSize(
        width: Float(bitPattern: try body.load(Field<UInt32>(4))),
        height: Float(bitPattern: try body.load(Field<UInt32>(8))))
    case .layers: self = .layers(try LayerReference.read(body))
    case .layerAttributes: self = .layerAttributes(try LayerAttributes.read(body))
    case .layerEffects: self = .layerEffects(try LayerEffects.read(body))
    case .layerRefraction: self = .layerRefraction(try LayerRefraction.read(body))
    case .glyphMetrics: self = .glyphMetrics(try GlyphMetrics(body))
    case .glyphRendering: self = .glyphRendering(try GlyphRendering(body))
    default: self = .other(tag: number, body: Array(body.buffer))
    }
  }

  var tag: UInt32 {
    switch self {
    case .slices: Tag.slices.rawValue
    case .metrics: Tag.metrics.rawValue
    case .composition: Tag.composition.rawValue
    case .uti: Tag.uti.rawValue
    case .orientation: Tag.orientation.rawValue
    case .bytesPerRow: Tag.bytesPerRow.rawValue
    case .link: Tag.link.rawValue
    case .names: Tag.names.rawValue
    case .physicalSize: Tag.physicalSize.rawValue
    case .layers: Tag.layers.rawValue
    case .layerAttributes: Tag.layerAttributes.rawValue
    case .layerEffects: Tag.layerEffects.rawValue
    case .layerRefraction: Tag.layerRefraction.rawValue
    case .glyphMetrics: Tag.glyphMetrics.rawValue
    case .glyphRendering: Tag.glyphRendering.rawValue
    case .other(let tag, _): tag
    }
  }

  func append(to bytes: inout [UInt8]) {
    let base = bytes.count
    bytes.append(tag, .little)
    bytes.append(0, .little, as: UInt32.self)
    appendBody(to: &bytes)
    bytes.store(
      UInt32(bytes.count - base - PropertyRecord.size), PropertyRecord.length, at: base)
  }

  private func appendBody(to bytes: inout [UInt8]) {
    switch self {
    case .slices(let slices):
      bytes.append(UInt32(slices.count), .little)
      slices.forEach { $0.append(to: &bytes) }
    case .metrics(let metrics):
      bytes.append(UInt32(metrics.count), .little)
      metrics.forEach { $0.append(to: &bytes) }
    case .composition(let blendMode, let opacity):
      bytes.append(blendMode, .little)
      bytes.append(opacity.bitPattern, .little)
    case .uti(let text):
      bytes.append(UInt32(text.utf8.count + 1), .little)
      bytes.append(0, .little, as: UInt32.self)
      bytes.append(contentsOf: text.utf8)
      bytes.append(0)
    case .orientation(let value), .bytesPerRow(let value): bytes.append(value, .little)
    case .link(let link): link.append(to: &bytes)
    case .names(let names):
      bytes.append(UInt32(names.count), .little)
      bytes.append(0, .little, as: UInt32.self)
      for name in names {
        bytes.append(UInt32(name.count), .little)
        bytes.append(contentsOf: name.bytes)
      }
    case .physicalSize(let width, let height):
      bytes.append(0, .little, as: UInt32.self)
      bytes.append(width.bitPattern, .little)
      bytes.append(height.bitPattern, .little)
    case .layers(let layers):
      bytes.appendRowCount(layers.count)
      layers.forEach { $0.append(to: &bytes) }
    case .layerAttributes(let all):
      bytes.appendRowCount(all.count)
      all.forEach { $0.append(to: &bytes) }
    case .layerEffects(let all):
      bytes.appendRowCount(all.count)
      all.forEach { $0.append(to: &bytes) }
    case .layerRefraction(let all):
      bytes.appendRowCount(all.count)
      all.forEach { $0.append(to: &bytes) }
    case .glyphMetrics(let metrics): metrics.append(to: &bytes)
    case .glyphRendering(let rendering): rendering.append(to: &bytes)
    case .other(_, let body): bytes.append(contentsOf: body)
    }
  }

  static func typeIdentifier(in body: FileBytes) throws(FormatError) -> FileBytes {
    try body.slice(at: 8, count: Int(try body.load(Field<UInt32>(0))), "a type identifier")
      .uptoZero
  }

  static func readNames(_ body: FileBytes) throws(FormatError) -> [ByteString] {
    var names: [ByteString] = []
    var offset = 8
    for _ in 0..<(try body.load(Field<UInt32>(0))) {
      let length = Int(try body.load(Field<UInt32>(0), at: offset))
      let name = try body.slice(at: offset + 4, count: length, "a name")
      names.append(ByteString(bytes: name.buffer))
      offset += 4 + length
    }
    return names
  }

  /// Returns the count at the beginning of a body of equal records. Throws an error if the body is
  /// too short for it.
  static func recordCount(_ body: FileBytes, size: Int, _ what: String) throws(FormatError) -> Int {
    let count = Int(try body.load(Field<UInt32>(0)))
    let room = (body.count - 4) / size
    if count > room { throw FormatError(.count(what, stated: count, found: room), at: body.origin) }
    return count
  }
}

extension [UInt8] {
  /// Appends the count in front of the records of layers.
  fileprivate mutating func appendRowCount(_ count: Int) {
    append(UInt32(count), .little)
    append(0, .little, as: UInt32.self)
  }
}

/// A rectangle of a picture, with y upwards.
package struct Slice: Sendable, Hashable {
  package var x: Int32
  package var y: Int32
  package var width: UInt32
  package var height: UInt32

  package init(x: Int32, y: Int32, width: UInt32, height: UInt32) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  enum Record {
    static let x = Field<Int32>(0)
    static let y = Field<Int32>(4)
    static let width = Field<UInt32>(8)
    static let height = Field<UInt32>(12)
    static let size = 16
    static let members: [any RecordMember] = [x, y, width, height]
  }

  static func read(_ body: FileBytes) throws(FormatError) -> [Slice] {
    let count = try RenditionProperty.recordCount(body, size: Record.size, "slices")
    return (0..<count).map { index in
      let base = 4 + index * Record.size
      return Slice(
        x: body.trusted(Record.x, at: base), y: body.trusted(Record.y, at: base),
        width: body.trusted(Record.width, at: base), height: body.trusted(Record.height, at: base))
    }
  }

  func append(to bytes: inout [UInt8]) {
    let base = bytes.count
    bytes.append(zeros: Record.size)
    bytes.store(x, Record.x, at: base)
    bytes.store(y, Record.y, at: base)
    bytes.store(width, Record.width, at: base)
    bytes.store(height, Record.height, at: base)
  }
}

/// The alignment insets of a picture in pixels, and the size that they leave.
package struct Metrics: Sendable, Hashable {
  package var right: Int32 = 0
  package var top: Int32 = 0
  package var left: Int32 = 0
  package var bottom: Int32 = 0
  package var width: UInt32
  package var height: UInt32

  package init(width: UInt32, height: UInt32) {
    self.width = width
    self.height = height
  }

  enum Record {
    static let right = Field<Int32>(0)
    static let top = Field<Int32>(4)
    static let left = Field<Int32>(8)
    static let bottom = Field<Int32>(12)
    static let width = Field<UInt32>(16)
    static let height = Field<UInt32>(20)
    static let size = 24
    static let members: [any RecordMember] = [right, top, left, bottom, width, height]
  }

  static func read(_ body: FileBytes) throws(FormatError) -> [Metrics] {
    let count = try RenditionProperty.recordCount(body, size: Record.size, "metrics")
    return (0..<count).map { Metrics(body, at: 4 + $0 * Record.size) }
  }

  /// Reads only the first of the metrics.
  static func first(_ body: FileBytes) throws(FormatError) -> Metrics? {
    let count = try RenditionProperty.recordCount(body, size: Record.size, "metrics")
    return count == 0 ? nil : Metrics(body, at: 4)
  }

  /// Reads a record. The caller has checked that it lies within the body.
  private init(_ body: FileBytes, at base: Int) {
    width = body.trusted(Record.width, at: base)
    height = body.trusted(Record.height, at: base)
    right = body.trusted(Record.right, at: base)
    top = body.trusted(Record.top, at: base)
    left = body.trusted(Record.left, at: base)
    bottom = body.trusted(Record.bottom, at: base)
  }

  func append(to bytes: inout [UInt8]) {
    let base = bytes.count
    bytes.append(zeros: Record.size)
    bytes.store(right, Record.right, at: base)
    bytes.store(top, Record.top, at: base)
    bytes.store(left, Record.left, at: base)
    bytes.store(bottom, Record.bottom, at: base)
    bytes.store(width, Record.width, at: base)
    bytes.store(height, Record.height, at: base)
  }
}
