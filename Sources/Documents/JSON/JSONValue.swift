// JSON as a value. Strings and keys are names as often as words, so they are bytes. Where in a text a value stands is found by JSONWalker, only when asked for.

import Bytes

/// A JSON value; objects keep the order of their members.
package enum JSONValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// With the digits as written, so that a formatter does not change them.
  case number(Double, text: String)
  case string(ByteString)
  case array([JSONValue])
  case object([JSONMember])

  package static func text(_ text: String) -> JSONValue { .string(ByteString(text)) }

  /// What a diagnostic calls a value of this kind.
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

  /// The last member of that name, as json-c and most readers have it.
  package subscript(key: ByteString) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.key == key }?.value
  }
}

package struct JSONMember: Sendable, Hashable {
  package var key: ByteString
  package var value: JSONValue

  package init(key: ByteString, value: JSONValue) {
    self.key = key
    self.value = value
  }
}

/// A reference token of a JSON pointer.
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

/// The keys and indices of a JSON pointer.
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
