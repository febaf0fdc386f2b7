// Property lists, as far as an Info.plist needs them: the values, and the choice between the two
// forms. The text form is read in XMLPropertyList.swift, the other in BinaryPropertyList.swift.

import Bytes

/// A value of a property list. Dates and bytes are kept apart from other values but not read.
package indirect enum PropertyValue: Sendable, Hashable {
  case string(String)
  case integer(Int)
  case real(Double)
  case boolean(Bool)
  case array([PropertyValue])
  case dictionary([ByteString: PropertyValue])
  case other
}

/// A file that is no property list. Offsets are in bytes.
package enum PropertyListError: Error, Sendable, Hashable {
  case notAPropertyList
  case malformed(at: Int)
  case tooDeep(limit: Int)
  case tooLarge(values: Int)
  case overBudget(String)
  /// A property list, but its outermost value is no dictionary.
  case notADictionary
  /// A text that is to be written has a character for which XML has no place.
  case unwritable(text: String)
}

extension PropertyListError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notAPropertyList: "is no property list (neither XML nor binary)"
    case .malformed(let offset): "is a damaged property list (at byte \(offset))"
    case .tooDeep(let limit): "nests values more than \(limit) deep"
    case .tooLarge(let values): "holds more than \(values) values"
    case .overBudget(let words): "asks for too much: \(words)"
    case .notADictionary: "is a property list, but holds no dictionary"
    case .unwritable(let text):
      "cannot hold \(quoted(text)): XML has no place for one of its characters"
    }
  }
}

/// Whether XML has a place for a character: it has none for most control characters and for U+FFFE and U+FFFF.
func isXMLCharacter(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 9, 10, 13, 0x20...0xFFFD, 0x1_0000...: true
  default: false
  }
}

extension PropertyValue {
  static let depthLimit = 64
  static let valueLimit = 200_000

  /// Reads an XML or binary property list.
  package init(propertyList bytes: [UInt8]) throws(PropertyListError) {
    if bytes.starts(with: "bplist".utf8) {
      self = try readBinaryPropertyList(bytes)
    } else {
      var reader = XMLPropertyListReader(bytes)
      self = try reader.read()
    }
  }

  /// A name as people read it.
  package static func name(_ name: ByteString) -> PropertyValue { .string(name.text) }

  package var string: String? { if case .string(let value) = self { value } else { nil } }
  package var array: [PropertyValue]? { if case .array(let value) = self { value } else { nil } }

  package var dictionary: [ByteString: PropertyValue]? {
    if case .dictionary(let value) = self { value } else { nil }
  }
}
