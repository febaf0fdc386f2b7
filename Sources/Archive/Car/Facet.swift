// Facets. A facet connects the name of an asset with the keys of its renditions.

import Bytes

/// A name in an archive, with the attributes that its renditions share.
package struct Facet: Sendable, Hashable {
  package var name: ByteString
  package var hotSpotX: Int16 = 0
  package var hotSpotY: Int16 = 0
  /// The attributes in the order of the archive: element, part, identifier, and further ones for
  /// symbols.
  package var attributes: [Pair]

  package struct Pair: Sendable, Hashable {
    package var attribute: RenditionAttribute
    package var value: UInt16

    package init(_ attribute: RenditionAttribute, _ value: UInt16) {
      self.attribute = attribute
      self.value = value
    }
  }

  package init(
    name: ByteString, element: UInt16 = Element.universal, part: UInt16, identifier: UInt16
  ) {
    self.name = name
    attributes = [
      Pair(.element, element), Pair(.part, part), Pair(.identifier, identifier),
    ]
  }

  package subscript(attribute: RenditionAttribute) -> UInt16? {
    attributes.first { $0.attribute == attribute }?.value
  }

  package var element: UInt16? { self[.element] }
  package var part: UInt16? { self[.part] }
  package var identifier: UInt16? { self[.identifier] }
}

/// The value of an entry in FACETKEYS: this record, and the attributes.
enum FacetRecord {
  static let hotSpotX = Field<Int16>(0)
  static let hotSpotY = Field<Int16>(2)
  static let count = Field<UInt16>(4)
  static let size = 6
  static let members: [any RecordMember] = [hotSpotX, hotSpotY, count]
}

/// An attribute and its value, in facets and in the keys of links and layers.
enum AttributePair {
  static let attribute = Field<UInt16>(0)
  static let value = Field<UInt16>(2)
  static let size = 4
  static let members: [any RecordMember] = [attribute, value]
}

extension Facet {
  static let treeName = "FACETKEYS"

  init(name: Bytes, value: Bytes) throws(FormatError) {
    self.name = ByteString(bytes: name.buffer)
    hotSpotX = try value.load(FacetRecord.hotSpotX)
    hotSpotY = try value.load(FacetRecord.hotSpotY)
    attributes = []
    for index in 0..<(try FacetRecord.attributeCount(of: value)) {
      attributes.append(try FacetRecord.pair(index, of: value))
    }
  }

  func appendBlock(to bytes: inout [UInt8]) {
    bytes.append(hotSpotX, .little)
    bytes.append(hotSpotY, .little)
    bytes.append(UInt16(attributes.count), .little)
    for pair in attributes {
      bytes.append(UInt16(pair.attribute.rawValue), .little)
      bytes.append(pair.value, .little)
    }
  }
}

extension FacetRecord {
  static func attributeCount(of value: Bytes) throws(FormatError) -> Int {
    let number = Int(try value.load(count))
    if number > RenditionAttribute.limit {
      throw FormatError(
        .number(
          "the number of a facet's attributes", found: number,
          expected: "at most \(RenditionAttribute.limit)"), at: value.origin)
    }
    return number
  }

  static func pair(_ index: Int, of value: Bytes) throws(FormatError) -> Facet.Pair {
    let base = size + index * AttributePair.size
    let number = try value.load(AttributePair.attribute, at: base)
    guard let attribute = UInt8(exactly: number).flatMap(RenditionAttribute.init) else {
      throw FormatError(
        .number(
          "an attribute of a facet", found: Int(number),
          expected: "below \(RenditionAttribute.limit)"), at: value.origin + base)
    }
    return Facet.Pair(attribute, try value.load(AttributePair.value, at: base))
  }
}

/// A name and its number in APPEARANCEKEYS or LOCALIZATIONKEYS.
public struct NamedNumber: Sendable, Hashable {
  /// The name as it is stored. It may contain bytes that are not UTF-8.
  public var bytes: [UInt8]
  public var number: UInt16

  public init(_ name: String, _ number: UInt16) { self.init(bytes: Array(name.utf8), number) }

  public init(bytes: [UInt8], _ number: UInt16) {
    self.bytes = bytes
    self.number = number
  }

  public var name: String { String(decoding: bytes, as: UTF8.self) }

  static let appearances = "APPEARANCEKEYS"
  static let localizations = "LOCALIZATIONKEYS"
}
