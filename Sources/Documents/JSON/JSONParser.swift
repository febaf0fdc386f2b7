// Parses text into a JSONValue, by json-c in its strict mode. An error has a reason and the offset
// of a byte. JSONDocument decides which errors are forgiven.

import Bytes
import CJSON

/// The reason why a text is not JSON.
package struct JSONSyntaxError: Error, Sendable, Hashable {
  package enum Reason: Sendable, Hashable {
    case tooDeep, invalidUTF8, unexpectedEnd
    case syntax(String)
  }

  package var reason: Reason

  /// The reason, for the end of a sentence.
  package var words: String {
    switch reason {
    case .tooDeep: "values are nested more than \(jsonDepthLimit) levels deep"
    case .invalidUTF8: "the text is not valid UTF-8"
    case .unexpectedEnd: "the text ends too early"
    case .syntax(let words): words
    }
  }

  /// The offset of the byte at which reading stopped.
  package var offset: Int

  package init(reason: Reason, offset: Int) {
    self.reason = reason
    self.offset = offset
  }
}

/// The greatest depth of nested values. Files that Xcode writes have eight levels at most.
package let jsonDepthLimit = 64

package func parseJSON(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
  // json-c takes a NUL for the end of the text and would ignore the rest.
  if bytes.withUnsafeBytes({ $0.holds(0) }), let nul = bytes.firstIndex(of: 0) {
    throw JSONSyntaxError(reason: .syntax("a NUL byte"), offset: nul)
  }
  // A key with an escaped NUL would end there, and so be a different key.
  if let nul = escapedNUL(in: bytes) {
    throw JSONSyntaxError(reason: .syntax("an escaped NUL"), offset: nul)
  }
  guard bytes.count < Int32.max, let tokener = json_tokener_new_ex(Int32(jsonDepthLimit)) else {
    throw JSONSyntaxError(reason: .syntax("a text that is too long"), offset: 0)
  }
  defer { json_tokener_free(tokener) }
  json_tokener_set_flags(tokener, Int32(JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8))
  // The NUL at the end marks the end of a number that is the whole text.
  let root = (bytes + [0]).withUnsafeBytes { buffer in
    json_tokener_parse_ex(
      tokener, buffer.bindMemory(to: CChar.self).baseAddress, Int32(bytes.count + 1))
  }
  defer { if let root { json_object_put(root) } }
  let status = json_tokener_get_error(tokener)
  guard status == json_tokener_success else {
    let offset = min(json_tokener_get_parse_end(tokener), bytes.count)
    throw JSONSyntaxError(reason: reason(status, at: offset, in: bytes), offset: offset)
  }
  return value(of: root)
}

/// Returns the offset of `\u0000`. Backslashes outside of strings need no care, because json-c
/// reports them as errors.
private func escapedNUL(in bytes: [UInt8]) -> Int? {
  if !bytes.withUnsafeBytes({ $0.holds(UInt8(ascii: "\\")) }) { return nil }
  var rest = bytes[...]
  while let slash = rest.firstIndex(of: UInt8(ascii: "\\")) {
    if bytes[(slash + 1)...].starts(with: "u0000".utf8) { return slash }
    rest = rest[min(slash + 2, bytes.count)...]
  }
  return nil
}

/// Returns the character beyond ASCII at an offset; nil if the bytes are not UTF-8.
private func character(at offset: Int, in bytes: [UInt8]) -> Unicode.Scalar? {
  let end = min(offset + 4, bytes.count)
  guard offset < end, bytes[offset] >= 0xC2,
    let character = String(decoding: bytes[offset..<end], as: UTF8.self).unicodeScalars.first,
    character != "\u{FFFD}"
  else { return nil }
  return character
}

private func reason(
  _ status: json_tokener_error, at offset: Int, in bytes: [UInt8]
) -> JSONSyntaxError.Reason {
  if status == json_tokener_error_depth { return .tooDeep }
  if status == json_tokener_error_parse_utf8_string {
    // json-c says the same of every character beyond ASCII that is not in quotes.
    guard let character = character(at: offset, in: bytes) else { return .invalidUTF8 }
    let number = String(character.value, radix: 16, uppercase: true)
    let isQuote = character.properties.isQuotationMark
    return .syntax(
      "the character U+\(number.count < 4 ? "00" : "")\(number) is outside of quotes"
        + (isQuote ? "; JSON has only the plain quote (\")" : ""))
  }
  if offset >= bytes.count || status == json_tokener_continue { return .unexpectedEnd }
  switch status {
  case json_tokener_error_parse_object_key_name: return .syntax("a key in quotes is expected here")
  case json_tokener_error_parse_object_key_sep:
    return .syntax("a colon is expected after the key")
  case json_tokener_error_parse_object_value_sep:
    return .syntax("a comma or a closing brace is expected here")
  case json_tokener_error_parse_array:
    return .syntax("a comma or a closing bracket is expected here")
  case json_tokener_error_parse_string: return .syntax("a character that a string cannot hold")
  case json_tokener_error_parse_number: return .syntax("a number is malformed")
  case json_tokener_error_parse_boolean, json_tokener_error_parse_null:
    return .syntax("a word that is not true, false or null")
  case json_tokener_error_parse_comment: return .syntax("JSON has no comments")
  default: return .syntax("an unexpected character")
  }
}

/// Returns the value of a node. The recursion is bounded, because the tokener limits the depth.
private func value(of node: OpaquePointer?) -> JSONValue {
  switch json_object_get_type(node) {
  case json_type_boolean: return .bool(json_object_get_boolean(node) != 0)
  case json_type_int: return .integer(json_object_get_int64(node))
  case json_type_double:
    return .number(
      json_object_get_double(node),
      text: json_object_get_string(node).map { String(cString: $0) } ?? "")
  case json_type_string: return .string(string(of: node))
  case json_type_array:
    return .array(
      (0..<json_object_array_length(node)).map { value(of: json_object_array_get_idx(node, $0)) })
  case json_type_object: return .object(members(of: node))
  default: return .null
  }
}

private func string(of node: OpaquePointer?) -> ByteString {
  let count = Int(json_object_get_string_len(node))
  guard let text = json_object_get_string(node) else { return "" }
  return ByteString(bytes: UnsafeRawBufferPointer(start: text, count: count))
}

private func members(of node: OpaquePointer?) -> [JSONMember] {
  var members: [JSONMember] = []
  members.reserveCapacity(Int(json_object_object_length(node)))
  var next = json_object_iter_begin(node)
  var end = json_object_iter_end(node)
  while json_object_iter_equal(&next, &end) == 0 {
    if let name = json_object_iter_peek_name(&next) {
      members.append(
        JSONMember(
          key: ByteString(cString: name), value: value(of: json_object_iter_peek_value(&next))))
    }
    json_object_iter_next(&next)
  }
  return members
}
