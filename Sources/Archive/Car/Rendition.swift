// One rendition: header, properties, payload. Payloads.swift reads the structures of payloads, and
// Codecs decodes the bitmaps in them.

/// A rendition as it is stored in an archive.
package struct Rendition: Sendable {
  package let bytes: Bytes
  package let header: CSIHeader
  /// The tagged properties between header and payload.
  package let properties: Bytes
  package private(set) var payload: Bytes

  /// The largest length of the properties. Properties of real renditions have some hundred bytes.
  /// Any number of keys may share one block, and each key reads the properties again.
  static let mostPropertyBytes = 1 << 16
  /// The largest number of properties. There are about thirty kinds, and a rendition has at most
  /// one of each.
  static let mostProperties = 256

  /// Reads a rendition.
  package init(_ block: Bytes) throws(FormatError) {
    self = try Rendition(head: block)
    try findPayload(in: block)
  }

  /// Reads a rendition without its name, for which memory would be allocated.
  package init(unnamed block: Bytes) throws(FormatError) {
    self = try Rendition(unnamedHead: block)
    try findPayload(in: block)
  }

  private mutating func findPayload(in block: Bytes) throws(FormatError) {
    let record = try block.slice(at: 0, count: CSIRecord.size, "the rendition")
    let length = properties.count
    let stated = Int(record.trusted(CSIRecord.payloadLength))
    let start = CSIRecord.size + length
    // The payload of one of Apple's shape effects has another length than the header states.
    let payloadLength = header.layout == .shapeEffect ? block.count - start : stated
    payload = try block.slice(at: start, count: payloadLength, "the payload")
  }

  /// Reads header and properties alone. The block may end behind them; the payload is empty.
  init(head block: Bytes) throws(FormatError) {
    try self.init(head: block) { (record) throws(FormatError) in try CSIHeader(record) }
  }

  /// Reads header and properties alone, without the name.
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

  /// Returns the bodies of the properties that determine how a picture is placed and how it
  /// stretches. If a kind occurs several times, its first body counts.
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

  /// Returns the body of the first property with a tag; nil if there is no such property.
  package func body(of tag: RenditionProperty.Tag) throws(FormatError) -> Bytes? {
    var first: Bytes?
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

  /// Returns the link to the place of the picture in an atlas; nil if the picture does not lie in
  /// an atlas.
  package func link() throws(FormatError) -> InternalLink? {
    try body(of: .link).map { (body) throws(FormatError) in try InternalLink(body) }
  }

  /// Returns the rectangle of the picture in its atlas, with y upwards.
  package func placeInAtlas() throws(FormatError) -> InternalLink.Place? {
    try body(of: .link).map { (body) throws(FormatError) in try InternalLink.place(in: body) }
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

  /// Returns the uniform type identifier as it is stored, without the zero byte behind it.
  package func typeIdentifier() throws(FormatError) -> Bytes? {
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
