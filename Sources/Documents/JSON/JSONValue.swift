// JSON as a value. Where in a text a value stands is found by JSONWalker, only when asked for.

/// A JSON value; objects keep the order of their members.
package enum JSONValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// With the digits as written, so that a formatter does not change them.
  case number(Double, text: String)
  case string(String)
  case array([JSONValue])
  case object([JSONMember])

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
  package subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.key == key }?.value
  }
}

package struct JSONMember: Sendable, Hashable {
  package var key: String
  package var value: JSONValue

  package init(key: String, value: JSONValue) {
    self.key = key
    self.value = value
  }
}

/// A reference token of a JSON pointer.
package func pointerToken(_ key: String) -> String {
  guard key.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else {
    return key
  }
  var token = ""
  for character in key.unicodeScalars {
    switch character {
    case "~": token += "~0"
    case "/": token += "~1"
    default: token.unicodeScalars.append(character)
    }
  }
  return token
}

/// The keys and indices of a JSON pointer.
package func pointerTokens(_ pointer: String) -> [String] {
  pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { token in
    var key = ""
    var rest = Substring(token)
    while let tilde = rest.firstIndex(of: "~") {
      key += rest[..<tilde]
      let after = rest[rest.index(after: tilde)...]
      key += after.first == "1" ? "/" : "~"
      rest = after.dropFirst()
    }
    return key + rest
  }
}
