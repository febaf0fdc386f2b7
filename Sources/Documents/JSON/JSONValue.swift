// JSON as a value, and pointers to values. Strings and keys are bytes, because they are names as
// often as words. PlacedJSON.swift finds the place of a value in a text, but only on request.

import Bytes

/// A JSON value. Objects keep the order of their members.
package enum JSONValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// A number with its digits as written, so that a formatter does not change them.
  case number(Double, text: String)
  case string(ByteString)
  case array([JSONValue])
  case object([JSONMember])

  package static func text(_ text: String) -> JSONValue { .string(ByteString(text)) }

  /// The name for a value of this kind in diagnostics.
  package var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .integer, .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// Returns the value of the last member with that key, like json-c and most readers.
  package subscript(key: ByteString) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.key == key }?.value
  }
}

extension JSONValue {
  /// The number of members of all objects in the value.
  package var memberCount: Int {
    switch self {
    case .array(let elements): elements.reduce(0) { $0 + $1.memberCount }
    case .object(let members): members.reduce(members.count) { $0 + $1.value.memberCount }
    default: 0
    }
  }

  /// The name or text that the value is; nil if it is no string.
  package var name: ByteString? { if case .string(let name) = self { name } else { nil } }

  package var text: String? { name?.text }

  package var flag: Bool? { if case .bool(let flag) = self { flag } else { nil } }

  /// The number that the value is, if it is written without a fraction and an exponent.
  package var wholeNumber: Int? {
    if case .integer(let number) = self { Int(exactly: number) } else { nil }
  }

  package var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .number(let number, _): number
    default: nil
    }
  }

  package var elements: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The names in an array; nil if the value is not an array of names.
  package var names: [ByteString]? {
    guard let elements else { return nil }
    let names = elements.compactMap(\.name)
    return names.count == elements.count ? names : nil
  }

  /// Returns the text of a member.
  package func text(_ key: ByteString) -> String? { self[key]?.text }

  /// Returns the name that a member contains.
  package func name(_ key: ByteString) -> ByteString? { self[key]?.name }

  /// Returns the whole number of a member.
  package func wholeNumber(_ key: ByteString) -> Int? { self[key]?.wholeNumber }

  package func flag(_ key: ByteString) -> Bool? { self[key]?.flag }

  package func names(_ key: ByteString) -> [ByteString]? { self[key]?.names }

  /// Returns the elements of a member that is an array; none for another member.
  package func list(_ key: ByteString) -> [JSONValue] { self[key]?.elements ?? [] }
}

package struct JSONMember: Sendable, Hashable {
  package var key: ByteString
  package var value: JSONValue

  package init(key: ByteString, value: JSONValue) {
    self.key = key
    self.value = value
  }
}

/// Returns a key as a reference token of a JSON pointer.
package func pointerToken(_ key: ByteString) -> ByteString {
  guard key.contains(UInt8(ascii: "~")) || key.contains(UInt8(ascii: "/")) else { return key }
  var token: [UInt8] = []
  for byte in key.bytes {
    switch byte {
    case UInt8(ascii: "~"): token += "~0".utf8
    case UInt8(ascii: "/"): token += "~1".utf8
    default: token.append(byte)
    }
  }
  return ByteString(bytes: token)
}

/// Returns the pointer of the container of a value; nil for the root.
package func parentPointer(_ pointer: ByteString) -> ByteString? {
  if pointer.isEmpty { return nil }
  return pointer.dropLast(lastComponent(pointer).count + 1)
}

/// Returns the keys and indices of a JSON pointer.
package func pointerTokens(_ pointer: ByteString) -> [ByteString] {
  pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { token in
    guard token.contains(UInt8(ascii: "~")) else { return token }
    var key: [UInt8] = []
    var rest = token.bytes[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "~") {
        key.append(rest.popFirst() == UInt8(ascii: "1") ? UInt8(ascii: "/") : byte)
      } else {
        key.append(byte)
      }
    }
    return ByteString(bytes: key)
  }
}
