// A JSON text taken apart without losing a byte of it: for whoever changes a value here and there and
// leaves everything else as its author wrote it.

import Bytes

/// A value of a text, and where it stands.
package struct PlacedJSON: Sendable {
  package var range: Range<Int>
  /// In the order of the text; empty for what is no array and no object.
  package fileprivate(set) var children: [PlacedChild] = []
  package fileprivate(set) var isContainer = false
  /// What stands between the last child, or the comma behind it, and the closing bracket.
  package fileprivate(set) var end = 0..<0
}

/// A member of an object or an element of an array.
package struct PlacedChild: Sendable {
  /// The key and where it stands with its quotes; nil in arrays.
  package var key: ByteString?
  package var keyRange: Range<Int>?
  package var value: PlacedJSON
  /// From the bracket or comma in front of it to the next one.
  package var outer: Range<Int>

  /// What stands in front of the key, or of the value that has none.
  package var lead: Range<Int> {
    outer.lowerBound..<(keyRange?.lowerBound ?? value.range.lowerBound)
  }
  /// What stands behind the value.
  package var trail: Range<Int> { value.range.upperBound..<outer.upperBound }
}

/// The value of a text that a strict parser takes, but for commas before closing brackets; nil where it is
/// none, or too deep.
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

  /// No parser of catalogues takes more.
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
        // What is behind the last belongs to the end.
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
