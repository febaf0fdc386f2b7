// Places in a text: from the lines and characters of the protocol to bytes and back, the changes of
// a text, and the values of a JSON text by their places.

import Bytes
import Documents

/// A text with the starts of its lines.
struct TextPlaces {
  let bytes: [UInt8]
  private let lines: [Int]
  /// Whether characters are counted as bytes, which the client may offer; otherwise as UTF-16.
  private let countsBytes: Bool

  init(_ bytes: [UInt8], countsBytes: Bool) {
    self.bytes = bytes
    self.countsBytes = countsBytes
    lines = [0] + bytes.indices.filter { bytes[$0] == 10 }.map { $0 + 1 }
  }

  /// Returns the byte of a position. A position beyond the end of a line means its end.
  func offset(line: Int, character: Int) -> Int {
    guard line >= 0 else { return 0 }
    guard line < lines.count else { return bytes.count }
    let end = line + 1 < lines.count ? lines[line + 1] - 1 : bytes.count
    var (offset, rest) = (lines[line], character)
    while offset < end, rest > 0 {
      let length = min(sequenceLength(bytes[offset]), end - offset)
      rest -= countsBytes ? length : length == 4 ? 2 : 1
      offset += length
    }
    return offset
  }

  func position(_ offset: Int) -> JSONOutput {
    let offset = min(max(0, offset), bytes.count)
    // The last line that starts at or before the byte.
    var (low, high) = (0, lines.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if lines[middle] <= offset { low = middle } else { high = middle }
    }
    var (place, character) = (lines[low], 0)
    while place < offset {
      let length = min(sequenceLength(bytes[place]), offset - place)
      character += countsBytes ? length : length == 4 ? 2 : 1
      place += length
    }
    return ["line": .integer(low), "character": .integer(character)]
  }

  func range(_ range: Range<Int>) -> JSONOutput {
    ["start": position(range.lowerBound), "end": position(range.upperBound)]
  }

  /// Returns the byte of a position of the protocol.
  func offset(_ position: JSONValue?) -> Int {
    guard let line = position?.whole("line"), let character = position?.whole("character") else {
      return 0
    }
    return offset(line: line, character: character)
  }

  /// Returns the bytes of a range of the protocol.
  func range(_ range: JSONValue?) -> Range<Int> {
    let start = offset(range?["start"])
    return start..<max(start, offset(range?["end"]))
  }

  /// Returns the one edit of the protocol that makes another text of this text.
  func edit(to text: [UInt8]) -> JSONOutput {
    let most = min(bytes.count, text.count)
    var start = 0
    while start < most, bytes[start] == text[start] { start += 1 }
    var end = 0
    while end < most - start, bytes[bytes.count - 1 - end] == text[text.count - 1 - end] {
      end += 1
    }
    // An edit must not divide a character.
    func isInside(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
    while start > 0,
      start < bytes.count && isInside(bytes[start]) || start < text.count && isInside(text[start])
    {
      start -= 1
    }
    while end > 0, isInside(bytes[bytes.count - end]) { end -= 1 }
    return [
      "range": range(start..<(bytes.count - end)),
      "newText": .string(String(decoding: text[start..<(text.count - end)], as: UTF8.self)),
    ]
  }

  /// Returns the byte at a line and a column as findings count them: from 1, in code points.
  func offset(line: Int, column: Int) -> Int {
    guard line >= 1, line <= lines.count else { return line < 1 ? 0 : bytes.count }
    var (offset, rest) = (lines[line - 1], column - 1)
    if line == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    while offset < bytes.count, bytes[offset] != 10, rest > 0 {
      offset += sequenceLength(bytes[offset])
      rest -= 1
    }
    return min(offset, bytes.count)
  }

  /// Returns the rest of a line from a byte on.
  func restOfLine(from offset: Int) -> Range<Int> {
    let end = bytes[min(offset, bytes.count)...].firstIndex { $0 == 10 || $0 == 13 } ?? bytes.count
    return offset..<max(offset, end)
  }
}

// MARK: - Changes

/// The bytes that the changes of one message may look through. The changes of an editor need far
/// fewer.
private let mostChangeBytes = 256 << 20

/// Returns a text after the changes of a message; nil if the changes cost too much, or make the
/// text larger than a limit.
func changed(
  _ text: [UInt8], by changes: [JSONValue], countsBytes: Bool, limit: Int
) -> [UInt8]? {
  var text = text
  var left = mostChangeBytes
  for change in changes {
    guard let new = change.name("text")?.bytes else { continue }
    if let range = change["range"] {
      left -= text.count
      if left < 0 { return nil }
      text.replaceSubrange(TextPlaces(text, countsBytes: countsBytes).range(range), with: new)
    } else {
      text = new
    }
    if text.count > limit { return nil }
  }
  return text
}

private func sequenceLength(_ byte: UInt8) -> Int {
  switch byte {
  case 0xF0...: 4
  case 0xE0...: 3
  case 0xC0...: 2
  default: 1
  }
}

// MARK: - Values

extension PlacedJSON {
  /// Returns the child at a pointer, with its key; nil if it is not there.
  func child(at pointer: ByteString) -> PlacedChild? {
    var value = self
    var found: PlacedChild?
    for token in pointerTokens(pointer) {
      let index = value.children.first?.key == nil ? Int(token.text) : nil
      guard
        let next = value.children.enumerated().last(where: {
          $0.element.key == token || $0.element.key == nil && $0.offset == index
        })
      else { return nil }
      found = next.element
      value = next.element.value
    }
    return found
  }

  /// Returns the keys and indices that lead to a byte, and the innermost member or element there.
  func path(to offset: Int) -> (path: [ByteString], child: PlacedChild)? {
    for (index, child) in children.enumerated() {
      let start = child.keyRange?.lowerBound ?? child.value.range.lowerBound
      guard (start...child.value.range.upperBound).contains(offset) else { continue }
      let token = child.key ?? "\(index)"
      if let inner = child.value.path(to: offset) { return ([token] + inner.path, inner.child) }
      return ([token], child)
    }
    return nil
  }
}
