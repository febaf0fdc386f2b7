// One rendition: header, properties, payload. The payload's own structures are in Payloads.swift,
// the bitmaps in it belong to Codecs.

/// A rendition as it lies in an archive.
package struct Rendition: Sendable {
  package let bytes: Bytes
  package let header: CSIHeader
  /// The tagged properties between header and payload.
  package let properties: Bytes
  package private(set) var payload: Bytes

  /// Real ones have some hundred. Any number of keys may share one block, and each reads them.
  static let mostPropertyBytes = 1 << 16
  /// There are some thirty kinds of properties, and a rendition has at most one of each.
  static let mostProperties = 256

  package init(_ block: Bytes) throws(FormatError) {
    self = try Rendition(head: block)
    try findPayload(in: block)
  }

  /// The same without the name, for which memory would be taken.
  package init(unnamed block: Bytes) throws(FormatError) {
    self = try Rendition(unnamedHead: block)
    try findPayload(in: block)
  }

  private mutating func findPayload(in block: Bytes) throws(FormatError) {
    let record = try block.slice(at: 0, count: CSIRecord.size, "the rendition")
    let length = properties.count
    let stated = Int(record.trusted(CSIRecord.payloadLength))
    let start = CSIRecord.size + length
    // Apple's shape effects state another length than they have.
    let payloadLength = header.layout == .shapeEffect ? block.count - start : stated
    payload = try block.slice(at: start, count: payloadLength, "the payload")
  }

  /// Header and properties alone: the block may end behind them, and the payload is empty.
  init(head block: Bytes) throws(FormatError) {
    try self.init(head: block) { (record) throws(FormatError) in try CSIHeader(record) }
  }

  /// The same without the name.
  init(unnamedHead block: Bytes) throws(FormatError) {
    try self.init(head: block) { (record) throws(FormatError) in CSIHeader(unnamed: record) }
  }

  private init(
    head block: Bytes, _ header: (Bytes) throws(FormatError) -> CSIHeader
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

  /// The bodies that say how a picture lies and stretches, each the first of its kind.
  func describingBodies() throws(FormatError) -> (slices: Bytes?, metrics: Bytes?, link: Bytes?) {
    var bodies: (slices: Bytes?, metrics: Bytes?, link: Bytes?) = (nil, nil, nil)
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

  /// The body of the first property with a tag; nil where there is none.
  package func body(of tag: RenditionProperty.Tag) throws(FormatError) -> Bytes? {
    var first: Bytes?
    try forEachProperty { (found, body) throws(FormatError) in
      if found == tag.rawValue { first = body }
      return first == nil
    }
    return first
  }

  /// All properties in their order.
  package func allProperties() throws(FormatError) -> [RenditionProperty] {
    var result: [RenditionProperty] = []
    try forEachProperty { (tag, body) throws(FormatError) in
      result.append(try RenditionProperty(tag: tag, body))
      return true
    }
    return result
  }

  /// Calls `body` with the properties in their order until it answers false. Any number of keys may share one
  /// block, so that what one rendition costs has a limit that does not grow with the file.
  @inline(__always)
  private func forEachProperty(
    _ body: (UInt32, Bytes) throws(FormatError) -> Bool
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

  private func property(at offset: Int) throws(FormatError) -> (tag: UInt32, body: Bytes) {
    let tag = try properties.load(PropertyRecord.tag, at: offset)
    let length = Int(try properties.load(PropertyRecord.length, at: offset))
    let body = try properties.slice(
      at: offset + PropertyRecord.size, count: length, "property \(tag)")
    return (tag, body)
  }
}

extension Rendition {
  /// The rectangles of the slices, y upwards.
  package func slices() throws(FormatError) -> [Slice] {
    guard let body = try body(of: .slices) else { return [] }
    return try Slice.read(body)
  }

  /// The alignment insets and what they leave of the picture.
  package func metrics() throws(FormatError) -> [Metrics] {
    guard let body = try body(of: .metrics) else { return [] }
    return try Metrics.read(body)
  }

  /// Where the picture lies in an atlas.
  package func link() throws(FormatError) -> InternalLink? {
    try body(of: .link).map { (body) throws(FormatError) in try InternalLink(body) }
  }

  /// The rectangle alone, y upwards.
  package func placeInAtlas() throws(FormatError) -> InternalLink.Place? {
    try body(of: .link).map { (body) throws(FormatError) in try InternalLink.place(in: body) }
  }

  /// The length of a row of pixels as stored.
  package func bytesPerRow() throws(FormatError) -> UInt32? {
    try body(of: .bytesPerRow)?.load(Field<UInt32>(0))
  }

  /// How the picture of a file is to be turned, as EXIF numbers it.
  package func orientation() throws(FormatError) -> UInt32? {
    try body(of: .orientation)?.load(Field<UInt32>(0))
  }

  /// The type of data.
  package func uti() throws(FormatError) -> String? { try typeIdentifier()?.text }

  /// The same as it lies in the file, without the zero byte behind it.
  package func typeIdentifier() throws(FormatError) -> Bytes? {
    try body(of: .uti).map { (body) throws(FormatError) in
      try RenditionProperty.typeIdentifier(in: body)
    }
  }
}

/// Header and properties of a rendition that is about to be written; the payload follows them.
package struct RenditionHead: Sendable {
  package var header: CSIHeader
  package var properties: [RenditionProperty]

  package init(_ header: CSIHeader, _ properties: [RenditionProperty]) {
    self.header = header
    self.properties = properties
  }

  /// The bytes in front of a payload of a length.
  package func bytes(payloadLength: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: CSIRecord.size)
    for property in properties { property.append(to: &bytes) }
    header.store(
      in: &bytes, propertiesLength: bytes.count - CSIRecord.size, payloadLength: payloadLength)
    return bytes
  }

  /// The whole block.
  package func block(payload: [UInt8]) -> [UInt8] { bytes(payloadLength: payload.count) + payload }
}
