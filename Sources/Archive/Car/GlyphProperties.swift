// The properties of a symbol's drawing: its metrics beside text, and the use of its layers.

/// The metrics of a drawing beside text. Lengths are in points at `pointSize`.
package struct GlyphMetrics: Sendable, Hashable {
  /// A number that depends on the platform and on the age of the tool that wrote it.
  package var revision: UInt32
  /// The size of the text to which the lengths refer.
  package var pointSize: UInt32
  /// The distance that the drawing reaches below the base line.
  package var depth: Float = 0
  package var capHeight: Float = 0
  /// The version of the template; 0 if the file does not state it.
  package var version: Float = 0
  package var leftMargin: Float = 0
  package var rightMargin: Float = 0
  /// The insets. They depend on the point size and, in a template from whose drawings others are
  /// interpolated, on the size of the drawing (small, medium, large).
  package var leftInset: Float = 0
  package var rightInset: Float = 0
  /// The sizes of text for which the archive also contains bitmaps.
  package var rasterSizes: [RasterSize] = []

  package struct RasterSize: Sendable, Hashable {
    package var index: UInt32
    package var points: UInt32
  }

  package init(revision: UInt32, pointSize: UInt32) {
    self.revision = revision
    self.pointSize = pointSize
  }

  enum Record {
    static let revision = Field<UInt32>(0)
    static let pointSize = Field<UInt32>(4)
    static let depth = Field<UInt32>(8)
    static let capHeight = Field<UInt32>(12)
    static let version = Field<UInt32>(16)
    static let leftMargin = Field<UInt32>(20)
    static let leftInset = Field<UInt32>(24)
    static let rightMargin = Field<UInt32>(28)
    static let rightInset = Field<UInt32>(32)
    static let count = Field<UInt32>(36)
    static let size = 40
    static let members: [any RecordMember] = [
      revision, pointSize, depth, capHeight, version, leftMargin, leftInset, rightMargin,
      rightInset, count,
    ]
  }

  enum RasterRecord {
    static let index = Field<UInt32>(0)
    static let points = Field<UInt32>(4)
    static let size = 8
    static let members: [any RecordMember] = [index, points]
  }

  package init(_ body: FileBytes) throws(FormatError) {
    let record = try body.slice(at: 0, count: Record.size, "the metrics of a drawing")
    func length(_ field: Field<UInt32>) -> Float { Float(bitPattern: record.trusted(field)) }
    revision = record.trusted(Record.revision)
    pointSize = record.trusted(Record.pointSize)
    depth = length(Record.depth)
    capHeight = length(Record.capHeight)
    version = length(Record.version)
    leftMargin = length(Record.leftMargin)
    leftInset = length(Record.leftInset)
    rightMargin = length(Record.rightMargin)
    rightInset = length(Record.rightInset)
    let count = Int(record.trusted(Record.count))
    let room = (body.count - Record.size) / RasterRecord.size
    guard count <= room else {
      throw FormatError(
        .count("sizes of a drawing's bitmaps", stated: count, found: room), at: body.origin)
    }
    for number in 0..<count {
      let base = Record.size + number * RasterRecord.size
      rasterSizes.append(
        RasterSize(
          index: body.trusted(RasterRecord.index, at: base),
          points: body.trusted(RasterRecord.points, at: base)))
    }
  }

  func append(to bytes: inout [UInt8]) {
    let base = bytes.count
    bytes.append(zeros: Record.size)
    bytes.store(revision, Record.revision, at: base)
    bytes.store(pointSize, Record.pointSize, at: base)
    bytes.store(depth.bitPattern, Record.depth, at: base)
    bytes.store(capHeight.bitPattern, Record.capHeight, at: base)
    bytes.store(version.bitPattern, Record.version, at: base)
    bytes.store(leftMargin.bitPattern, Record.leftMargin, at: base)
    bytes.store(leftInset.bitPattern, Record.leftInset, at: base)
    bytes.store(rightMargin.bitPattern, Record.rightMargin, at: base)
    bytes.store(rightInset.bitPattern, Record.rightInset, at: base)
    bytes.store(UInt32(rasterSizes.count), Record.count, at: base)
    for size in rasterSizes {
      bytes.append(size.index, .little)
      bytes.append(size.points, .little)
    }
  }
}

/// The ways of drawing for which the file of a symbol distinguishes layers.
package struct GlyphRendering: Sendable, Hashable {
  package var version: UInt32 = 1
  /// The rendering intent; 0 if the catalogue names none. The numbers of the others are not known.
  package var intent: UInt32 = 0
  /// 3 if the drawing has layers, 0 if it has none.
  package var layers: UInt32

  package init(hasLayers: Bool) { layers = hasLayers ? 3 : 0 }

  enum Record {
    static let version = Field<UInt32>(0)
    static let intent = Field<UInt32>(4)
    static let layers = Field<UInt32>(8)
    static let size = 12
    static let members: [any RecordMember] = [version, intent, layers]
  }

  package init(_ body: FileBytes) throws(FormatError) {
    let record = try body.slice(at: 0, count: Record.size, "the layers of a drawing")
    version = record.trusted(Record.version)
    intent = record.trusted(Record.intent)
    layers = record.trusted(Record.layers)
  }

  func append(to bytes: inout [UInt8]) {
    let base = bytes.count
    bytes.append(zeros: Record.size)
    bytes.store(version, Record.version, at: base)
    bytes.store(intent, Record.intent, at: base)
    bytes.store(layers, Record.layers, at: base)
  }
}

extension Rendition {
  /// Returns the metrics of a symbol's drawing; nil for all other renditions.
  package func glyphMetrics() throws(FormatError) -> GlyphMetrics? {
    try body(of: .glyphMetrics).map { (body) throws(FormatError) in try GlyphMetrics(body) }
  }
}
