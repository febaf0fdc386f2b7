// The place of a cursor among the keys and values of a JSON text, which may be half typed.

import Bytes

/// The place of a cursor among keys and values.
struct Cursor {
  /// The keys that lead to the innermost object; an element of an array is an empty key.
  private(set) var path: [ByteString] = []
  /// The keys of that object before the cursor.
  private(set) var keys: Set<ByteString> = []
  /// Whether a key is typed, and not a value.
  private(set) var isKey = false
  /// The part of the text that a completion replaces: the begun word with its quotes.
  private(set) var replaced: Range<Int>
  private(set) var isInObject = false

  private struct Frame {
    var isObject: Bool
    var key: ByteString = ""
    var keys: Set<ByteString> = []
    var expectsKey: Bool
  }

  /// The greatest depth that is followed.
  private static let mostDepth = 100

  /// Follows a text to a byte. The text after it may have any form.
  init?(at offset: Int, in bytes: [UInt8]) {
    var frames: [Frame] = []
    var index = 0
    var token = offset
    while index < offset {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        guard frames.count < Cursor.mostDepth else { return nil }
        let isObject = byte == UInt8(ascii: "{")
        frames.append(Frame(isObject: isObject, expectsKey: isObject))
        index += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        _ = frames.popLast()
        index += 1
      case UInt8(ascii: ","):
        if let last = frames.indices.last { frames[last].expectsKey = frames[last].isObject }
        index += 1
      case UInt8(ascii: ":"):
        if let last = frames.indices.last { frames[last].expectsKey = false }
        index += 1
      case UInt8(ascii: "\""):
        let end = Cursor.end(ofStringAt: index, in: bytes)
        if end.isClosed, end.offset <= offset, !(end.offset == offset) {
          if let last = frames.indices.last, frames[last].expectsKey {
            let key = ByteString(bytes: Array(bytes[(index + 1)..<(end.offset - 1)]))
            frames[last].key = key
            frames[last].keys.insert(key)
          }
          index = end.offset
        } else {
          token = index
          index = offset
        }
      case 9, 10, 13, 32: index += 1
      default:
        let start = index
        while index < offset, !Cursor.isMark(bytes[index]) { index += 1 }
        if index == offset { token = start }
      }
    }
    guard let inner = frames.last else { return nil }
    for frame in frames.dropLast() { path.append(frame.isObject ? frame.key : "") }
    isInObject = inner.isObject
    isKey = inner.isObject && inner.expectsKey
    if inner.isObject, !inner.expectsKey { path.append(inner.key) }
    if !inner.isObject { path.append("") }
    keys = inner.keys
    replaced = token..<offset
    if token < offset, bytes[token] == UInt8(ascii: "\"") {
      let end = Cursor.end(ofStringAt: token, in: bytes)
      if end.isClosed { replaced = token..<max(end.offset, offset) }
    }
  }

  private static func isMark(_ byte: UInt8) -> Bool {
    "{}[],:\" \t\r\n".utf8.contains(byte)
  }

  /// Returns the end of a string that begins at a byte. A string ends with its line.
  private static func end(
    ofStringAt start: Int, in bytes: [UInt8]
  ) -> (offset: Int, isClosed: Bool) {
    var index = start + 1
    while index < bytes.count, bytes[index] != 10 {
      if bytes[index] == UInt8(ascii: "\\") {
        index += 2
        continue
      }
      if bytes[index] == UInt8(ascii: "\"") { return (index + 1, true) }
      index += 1
    }
    return (min(index, bytes.count), false)
  }
}
