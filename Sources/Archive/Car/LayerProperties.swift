// The properties that refer to other renditions: the link into an atlas, and the layers of a stack.

import Bytes

/// The frame of a picture in an atlas.
package struct InternalLink: Sendable, Hashable {
  /// The distances from the left edge and from the bottom edge of the atlas.
  package var x: UInt32
  package var y: UInt32
  package var width: UInt32
  package var height: UInt32
  /// The layout of the picture. The layout in the header of its rendition is `internalLink`.
  package var layout: RenditionLayout
  /// The attributes of the atlas's key, in the order of the archive.
  package var key: [Facet.Pair]

  package init(
    x: UInt32, y: UInt32, width: UInt32, height: UInt32, layout: RenditionLayout, key: [Facet.Pair]
  ) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
    self.layout = layout
    self.key = key
  }

  /// The key of the atlas's rendition.
  package var target: RenditionKey { AttributePair.key(key) }

  /// Returns the attributes of an atlas's key in the order of Apple's tool, without those that are
  /// 0.
  package static func pairs(of key: RenditionKey) -> [Facet.Pair] {
    key.withValues { value in
      order.compactMap { value($0) == 0 ? nil : Facet.Pair($0, value($0)) }
    }
  }

  /// All attributes in the order of Apple's tool; the last ones are those that it does not use.
  private static let order: [RenditionAttribute] = {
    let first: [RenditionAttribute] = [
      .element, .part, .size, .dimension1, .presentationState, .scale, .localization, .idiom,
      .displayGamut, .deploymentTarget, .appearance,
    ]
    let all = (0..<UInt8(RenditionAttribute.limit)).compactMap(RenditionAttribute.init)
    return first + all.filter { !first.contains($0) }
  }()

  enum Record {
    static let magic: StaticString = "KLNI"
    static let letters = BytesField(0, size: 4)
    static let reserved = Field<UInt32>(4)
    static let x = Field<UInt32>(8)
    static let y = Field<UInt32>(12)
    static let width = Field<UInt32>(16)
    static let height = Field<UInt32>(20)
    static let layout = Field<UInt16>(24)
    static let keyLength = Field<UInt32>(26)
    static let size = 30
    static let members: [any RecordMember] = [
      letters, reserved, x, y, width, height, layout, keyLength,
    ]
  }

  /// The range, in the body of the property, of the fields that state the frame of the picture in
  /// the atlas.
  package static let placeInBody = Record.x.offset..<Record.width.offset

  /// The rectangle alone. To read it, no memory is allocated.
  package typealias Frame = (x: UInt32, y: UInt32, width: UInt32, height: UInt32)

  /// Returns the key of the atlas's rendition. To read it, no memory is allocated.
  static func target(in body: FileBytes) throws(FormatError) -> RenditionKey {
    try body.require(Record.magic, "the link")
    let length = Int(try body.load(Record.keyLength))
    return try AttributePair.key(
      in: try body.slice(at: Record.size, count: length, "the key of a link"))
  }

  static func frame(in body: FileBytes) throws(FormatError) -> Frame {
    try body.require(Record.magic, "the link")
    let record = try body.slice(at: 0, count: Record.size, "the link")
    return (
      record.trusted(Record.x), record.trusted(Record.y), record.trusted(Record.width),
      record.trusted(Record.height)
    )
  }

  init(_ body: FileBytes) throws(FormatError) {
    (x, y, width, height) = try InternalLink.frame(in: body)
    let record = try body.slice(at: 0, count: Record.size, "the link")
    layout = RenditionLayout(rawValue: record.trusted(Record.layout))
    let length = Int(record.trusted(Record.keyLength))
    key = try AttributePair.read(
      try body.slice(at: Record.size, count: length, "the key of a link"))
  }

  func append(to bytes: inout [UInt8]) {
    let base = bytes.count
    bytes.append(zeros: Record.size)
    bytes.store(magic: Record.magic, at: base)
    bytes.store(x, Record.x, at: base)
    bytes.store(y, Record.y, at: base)
    bytes.store(width, Record.width, at: base)
    bytes.store(height, Record.height, at: base)
    bytes.store(layout.rawValue, Record.layout, at: base)
    bytes.store(UInt32((key.count + 1) * AttributePair.size), Record.keyLength, at: base)
    AttributePair.append(key, to: &bytes)
  }
}

extension AttributePair {
  /// Reads pairs up to the end mark: a pair whose attribute is 0.
  static func read(_ bytes: FileBytes) throws(FormatError) -> [Facet.Pair] {
    var pairs: [Facet.Pair] = []
    try forEach(in: bytes) { pairs.append($0) }
    return pairs
  }

  /// Reads the key of pairs up to the end mark.
  static func key(in bytes: FileBytes) throws(FormatError) -> RenditionKey {
    var key = RenditionKey()
    try forEach(in: bytes) { key[$0.attribute] = $0.value }
    return key
  }

  private static func forEach(in bytes: FileBytes, _ body: (Facet.Pair) -> Void) throws(FormatError)
  {
    var offset = 0
    while offset + size <= bytes.count {
      let number = bytes.trusted(attribute, at: offset)
      if number == 0 { break }
      guard let known = UInt8(exactly: number).flatMap(RenditionAttribute.init) else {
        throw FormatError(
          .number(
            "an attribute of a key", found: Int(number),
            expected: "below \(RenditionAttribute.limit)"), at: bytes.origin + offset)
      }
      body(Facet.Pair(known, bytes.trusted(value, at: offset)))
      offset += size
    }
  }

  /// Appends the pairs and the end mark.
  static func append(_ pairs: [Facet.Pair], to bytes: inout [UInt8]) {
    for pair in pairs {
      bytes.append(UInt16(pair.attribute.rawValue), .little)
      bytes.append(pair.value, .little)
    }
    bytes.append(zeros: size)
  }

  static func key(_ pairs: [Facet.Pair]) -> RenditionKey {
    var key = RenditionKey()
    for pair in pairs { key[pair.attribute] = pair.value }
    return key
  }
}

/// One layer of a stack. A stack lists the layer at the back first.
package struct LayerReference: Sendable, Hashable {
  package var flags: UInt32 = 0
  package var x: Int32
  package var y: Int32
  package var width: UInt32
  package var height: UInt32
  package var blendMode: UInt32 = 0
  package var opacity: Float = 1
  package var key: [Facet.Pair]

  package init(x: Int32, y: Int32, width: UInt32, height: UInt32, key: [Facet.Pair]) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
    self.key = key
  }

  enum Record {
    static let flags = Field<UInt32>(0)
    static let x = Field<Int32>(4)
    static let y = Field<Int32>(8)
    static let width = Field<UInt32>(12)
    static let height = Field<UInt32>(16)
    static let blendMode = Field<UInt32>(20)
    static let opacity = Field<UInt32>(24)
    static let keyLength = Field<UInt32>(28)
    static let size = 32
    static let members: [any RecordMember] = [
      flags, x, y, width, height, blendMode, opacity, keyLength,
    ]
  }

  static func read(_ body: FileBytes) throws(FormatError) -> [LayerReference] {
    var layers: [LayerReference] = []
    var offset = 8
    for _ in 0..<(try body.load(Field<UInt32>(0))) {
      let record = try body.slice(at: offset, count: Record.size, "a layer")
      let length = Int(record.trusted(Record.keyLength))
      let key = try body.slice(at: offset + Record.size, count: length, "the key of a layer")
      var layer = LayerReference(
        x: record.trusted(Record.x), y: record.trusted(Record.y),
        width: record.trusted(Record.width), height: record.trusted(Record.height),
        key: try AttributePair.read(key))
      layer.flags = record.trusted(Record.flags)
      layer.blendMode = record.trusted(Record.blendMode)
      layer.opacity = Float(bitPattern: record.trusted(Record.opacity))
      layers.append(layer)
      offset += Record.size + length
    }
    return layers
  }

  func append(to bytes: inout [UInt8]) {
    let base = bytes.count
    bytes.append(zeros: Record.size)
    bytes.store(flags, Record.flags, at: base)
    bytes.store(x, Record.x, at: base)
    bytes.store(y, Record.y, at: base)
    bytes.store(width, Record.width, at: base)
    bytes.store(height, Record.height, at: base)
    bytes.store(blendMode, Record.blendMode, at: base)
    bytes.store(opacity.bitPattern, Record.opacity, at: base)
    bytes.store(UInt32((key.count + 1) * AttributePair.size), Record.keyLength, at: base)
    AttributePair.append(key, to: &bytes)
  }
}

/// The lighting of a layer, and the colour or gradient that fills it.
package struct LayerAttributes: Sendable, Hashable {
  /// 1 for glass; 2 for a group whose layers are lit one by one.
  package var bits: UInt32 = 0
  package var blur: Float = 0
  /// The facet of the fill; empty if the layer has no fill.
  package var fill: ByteString = ""

  package init(bits: UInt32 = 0, blur: Float = 0, fill: ByteString = "") {
    self.bits = bits
    self.blur = blur
    self.fill = fill
  }

  enum Record {
    static let bits = Field<UInt32>(0)
    static let blur = Field<UInt32>(4)
    /// The length of the name of the fill, with the zero byte at its end.
    static let length = Field<UInt32>(8)
    static let size = 12
    static let members: [any RecordMember] = [bits, blur, length]
  }

  static func read(_ body: FileBytes) throws(FormatError) -> [LayerAttributes] {
    var all: [LayerAttributes] = []
    var offset = 8
    for _ in 0..<(try body.load(Field<UInt32>(0))) {
      let record = try body.slice(at: offset, count: Record.size, "the attributes of a layer")
      let length = Int(record.trusted(Record.length))
      let name = try body.slice(at: offset + Record.size, count: length, "the fill of a layer")
      all.append(
        LayerAttributes(
          bits: record.trusted(Record.bits), blur: Float(bitPattern: record.trusted(Record.blur)),
          fill: ByteString(bytes: name.uptoZero.buffer)))
      offset += Record.size + length
    }
    return all
  }

  func append(to bytes: inout [UInt8]) {
    let base = bytes.count
    bytes.append(zeros: Record.size)
    bytes.store(bits, Record.bits, at: base)
    bytes.store(blur.bitPattern, Record.blur, at: base)
    bytes.store(UInt32(fill.count + 1), Record.length, at: base)
    bytes.append(contentsOf: fill.bytes)
    bytes.append(0)
  }
}

/// The shine of a group of layers, and its shadow.
package struct LayerEffects: Sendable, Hashable {
  package var isSpecular = false
  package var translucency: Float = 0
  /// The shadow: 0 for no shadow, 1 for one that the system chooses, 2 for one in the colour of the
  /// layer, 3 for a neutral one.
  package var shadow: UInt32 = 0
  package var shadowOpacity: Float = 0
  /// The place of the shine: 0 if the system chooses it, 1 for inside, 2 for outside.
  package var placement: UInt32 = 0

  package init() {}

  enum Record {
    static let specular = Field<UInt32>(0)
    static let translucency = Field<UInt32>(4)
    static let shadow = Field<UInt32>(8)
    static let shadowOpacity = Field<UInt32>(12)
    static let placement = Field<UInt32>(16)
    static let size = 20
    static let members: [any RecordMember] = [
      specular, translucency, shadow, shadowOpacity, placement,
    ]
  }

  static func read(_ body: FileBytes) throws(FormatError) -> [LayerEffects] {
    var all: [LayerEffects] = []
    for index in 0..<Int(try body.load(Field<UInt32>(0))) {
      let record = try body.slice(
        at: 8 + index * Record.size, count: Record.size, "the effects of a layer")
      var effects = LayerEffects()
      effects.isSpecular = record.trusted(Record.specular) != 0
      effects.translucency = Float(bitPattern: record.trusted(Record.translucency))
      effects.shadow = record.trusted(Record.shadow)
      effects.shadowOpacity = Float(bitPattern: record.trusted(Record.shadowOpacity))
      effects.placement = record.trusted(Record.placement)
      all.append(effects)
    }
    return all
  }

  func append(to bytes: inout [UInt8]) {
    let base = bytes.count
    bytes.append(zeros: Record.size)
    bytes.store(isSpecular ? 1 : 0, Record.specular, at: base)
    bytes.store(translucency.bitPattern, Record.translucency, at: base)
    bytes.store(shadow, Record.shadow, at: base)
    bytes.store(shadowOpacity.bitPattern, Record.shadowOpacity, at: base)
    bytes.store(placement, Record.placement, at: base)
  }
}

/// The refraction of the layers behind a group of layers. Tools since 2026 write it.
package struct LayerRefraction: Sendable, Hashable {
  /// The strength, which can be negative.
  package var strength: Float = 0
  package var depth: Float = 0
  package var reserved: UInt32 = 0

  package init() {}

  enum Record {
    static let strength = Field<UInt32>(0)
    static let depth = Field<UInt32>(4)
    static let reserved = Field<UInt32>(8)
    static let size = 12
    static let members: [any RecordMember] = [strength, depth, reserved]
  }

  static func read(_ body: FileBytes) throws(FormatError) -> [LayerRefraction] {
    var all: [LayerRefraction] = []
    for index in 0..<Int(try body.load(Field<UInt32>(0))) {
      let record = try body.slice(
        at: 8 + index * Record.size, count: Record.size, "the refraction of a layer")
      var refraction = LayerRefraction()
      refraction.strength = Float(bitPattern: record.trusted(Record.strength))
      refraction.depth = Float(bitPattern: record.trusted(Record.depth))
      refraction.reserved = record.trusted(Record.reserved)
      all.append(refraction)
    }
    return all
  }

  func append(to bytes: inout [UInt8]) {
    let base = bytes.count
    bytes.append(zeros: Record.size)
    bytes.store(strength.bitPattern, Record.strength, at: base)
    bytes.store(depth.bitPattern, Record.depth, at: base)
    bytes.store(reserved, Record.reserved, at: base)
  }
}
