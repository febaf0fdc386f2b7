// Property lists: their values, and the choice between the XML form (XMLPropertyList.swift) and the
// binary form (BinaryPropertyList.swift). OldPropertyList.swift reads the form of Xcode's projects.

import Bytes

/// A value of a property list. Dates and data are not read; they become `other`.
package indirect enum PropertyValue: Sendable, Hashable {
  case string(String)
  case integer(Int)
  case real(Double)
  case boolean(Bool)
  case array([PropertyValue])
  case dictionary([ByteString: PropertyValue])
  case other
}

/// The reason why a file cannot be read or written as a property list. Offsets are in bytes.
package enum PropertyListError: Error, Sendable, Hashable {
  case notAPropertyList
  case malformed(at: Int)
  case tooDeep(limit: Int)
  case tooLarge(values: Int)
  case overBudget(String)
  /// The file is a property list, but its outermost value is not a dictionary.
  case notADictionary
  /// A text to be written contains a character that XML cannot represent.
  case unwritable(text: String)
}

extension PropertyListError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notAPropertyList: "is not a property list (neither XML nor binary)"
    case .malformed(let offset): "is a damaged property list (at byte \(offset))"
    case .tooDeep(let limit): "nests values more than \(limit) levels deep"
    case .tooLarge(let values): "holds more than \(values) values"
    case .overBudget(let words): "needs too many resources: \(words)"
    case .notADictionary: "is a property list, but holds no dictionary"
    case .unwritable(let text):
      "cannot hold \(quoted(text)): XML cannot represent one of its characters"
    }
  }
}

/// Returns whether XML can represent a character. It cannot represent most control characters,
/// U+FFFE and U+FFFF.
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

  /// Returns a name as text for people.
  package static func name(_ name: ByteString) -> PropertyValue { .string(name.text) }

  package var string: String? { if case .string(let value) = self { value } else { nil } }
  package var array: [PropertyValue]? { if case .array(let value) = self { value } else { nil } }

  package var dictionary: [ByteString: PropertyValue]? {
    if case .dictionary(let value) = self { value } else { nil }
  }
}
