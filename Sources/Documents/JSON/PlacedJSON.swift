// Divides a JSON text into ranges that contain every byte of it. So a program can change single
// values and leave the rest as its author wrote it (CatalogModel/Lint/EditText.swift).

import Bytes

/// A value and its place in the text.
package struct PlacedJSON: Sendable {
  package var range: Range<Int>
  /// The children in the order of the text; empty if the value is neither an array nor an object.
  package fileprivate(set) var children: [PlacedChild] = []
  package fileprivate(set) var isContainer = false
  /// The range from the last child, or from the comma after it, to the closing bracket.
  package fileprivate(set) var end = 0..<0
}

/// A member of an object or an element of an array.
package struct PlacedChild: Sendable {
  /// The key; nil in arrays. `keyRange` is its place, with the quotes.
  package var key: ByteString?
  package var keyRange: Range<Int>?
  package var value: PlacedJSON
  /// The range from the bracket or comma before the child to the comma after it. If no comma
  /// follows, the range ends with the value.
  package var outer: Range<Int>

  /// The range before the key, or before the value if there is no key.
  package var lead: Range<Int> {
    outer.lowerBound..<(keyRange?.lowerBound ?? value.range.lowerBound)
  }
  /// The range after the value.
  package var trail: Range<Int> { value.range.upperBound..<outer.upperBound }
}

/// Returns the value of a text, with places. Accepts the texts that a strict parser accepts, and
/// commas before closing brackets. Returns nil for other texts and for values that nest too deeply.
package func placedJSON(_ bytes: [UInt8]) -> PlacedJSON? {
  var reader = PlacedReader(bytes: bytes)
  reader.skipSpace()
  guard let value = reader.value(depth: 0) else { return nil }
  reader.skipSpace()
  return reader.offset == bytes.count ? value : nil
}

private struct PlacedReader {
  let bytes: [UInt8]
  var offset = 0

  /// The greatest depth, the same as that of the parser (`jsonDepthLimit`).
  private static let deepest = 64

  private var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  mutating func skipSpace() {
    while let byte, byte == 32 || (9...13).contains(byte) { offset += 1 }
  }

  mutating func value(depth: Int) -> PlacedJSON? {
    guard depth < PlacedReader.deepest, let byte else { return nil }
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return container(depth)
    case UInt8(ascii: "\""): return string().map { PlacedJSON(range: $0) }
    default:
      let start = offset
      while let byte = self.byte, !PlacedReader.endsWord(byte) { offset += 1 }
      return offset > start ? PlacedJSON(range: start..<offset) : nil
    }
  }

  private static func endsWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ":"), 9...13, 32:
      true
    default: false
    }
  }

  private mutating func string() -> Range<Int>? {
    let start = offset
    offset += 1
    while let byte {
      offset += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == UInt8(ascii: "\"") { return start..<offset }
    }
    return nil
  }

  private mutating func container(_ depth: Int) -> PlacedJSON? {
    let start = offset
    let isObject = bytes[start] == UInt8(ascii: "{")
    let close = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
    var value = PlacedJSON(range: start..<start, isContainer: true)
    offset += 1
    while true {
      let outer = offset
      skipSpace()
      if byte == close {
        value.end = outer..<offset
        break
      }
      guard var child = child(isObject: isObject, depth) else { return nil }
      skipSpace()
      child.outer = outer..<offset
      let isLast = byte == close
      if isLast {
        // The range after the last child belongs to the end.
        child.outer = outer..<child.value.range.upperBound
        value.end = child.value.range.upperBound..<offset
      }
      value.children.append(child)
      if isLast { break }
      guard byte == UInt8(ascii: ",") else { return nil }
      offset += 1
    }
    offset += 1
    value.range = start..<offset
    return value
  }

  private mutating func child(isObject: Bool, _ depth: Int) -> PlacedChild? {
    var key: ByteString?
    var keyRange: Range<Int>?
    if isObject {
      guard byte == UInt8(ascii: "\""), let range = string() else { return nil }
      guard case .string(let text)? = try? parseJSON(Array(bytes[range])) else { return nil }
      (key, keyRange) = (text, range)
      skipSpace()
      guard byte == UInt8(ascii: ":") else { return nil }
      offset += 1
      skipSpace()
    }
    guard let value = value(depth: depth + 1) else { return nil }
    return PlacedChild(key: key, keyRange: keyRange, value: value, outer: 0..<0)
  }
}
