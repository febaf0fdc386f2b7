// Places in a text: from the lines and characters of the protocol to bytes and back, the changes of
// a text, and the values of a JSON text by their places.

import Bytes
import Documents
import Traits

/// A text with the starts of its lines.
struct TextPlaces {
  let bytes: [UInt8]
  private let lines: [Int]
  /// Places in long lines with the characters before them, so that a place is found without a look
  /// at the whole line.
  let marks: [Mark]
  /// Whether characters are counted as bytes, which the client may offer; otherwise as UTF-16.
  private let countsBytes: Bool

  /// The start of a character, and the numbers of characters before it in its line.
  struct Mark {
    var offset: Int
    /// The number of characters of the protocol.
    var character = 0
    /// The number of code points.
    var points = 0

    fileprivate mutating func pass(_ byte: UInt8, end: Int, countsBytes: Bool) {
      let length = min(sequenceLength(byte), end - offset)
      character += countsBytes ? length : length == 4 ? 2 : 1
      points += 1
      offset += length
    }
  }

  /// The bytes from one mark to the next. A shorter line has no marks.
  static let stride = 1024

  init(_ bytes: [UInt8], countsBytes: Bool) {
    self.bytes = bytes
    self.countsBytes = countsBytes
    let lines = bytes.withUnsafeBufferPointer { bytes in
      var (lines, offset) = ([0], 0)
      while offset < bytes.count {
        if bytes[offset] == 10 { lines.append(offset + 1) }
        offset += 1
      }
      return lines
    }
    var marks: [Mark] = []
    for (line, start) in lines.enumerated() {
      let end = line + 1 < lines.count ? lines[line + 1] - 1 : bytes.count
      var (mark, next) = (Mark(offset: start), start + TextPlaces.stride)
      if next >= end { continue }
      while mark.offset < end {
        mark.pass(bytes[mark.offset], end: end, countsBytes: countsBytes)
        if mark.offset >= next, mark.offset < end {
          marks.append(mark)
          next = mark.offset + TextPlaces.stride
        }
      }
    }
    (self.lines, self.marks) = (lines, marks)
  }

  /// Returns the last mark in a line for which `isBefore` holds; the start of the line if it holds
  /// for none. It holds for no mark after one for which it does not hold.
  private func mark(in line: Range<Int>, where isBefore: (Mark) -> Bool) -> Mark {
    let end = marks.partitioningIndex { mark in
      mark.offset >= line.lowerBound && (mark.offset >= line.upperBound || !isBefore(mark))
    }
    let isInside = end > 0 && marks[end - 1].offset >= line.lowerBound
    return isInside ? marks[end - 1] : Mark(offset: line.lowerBound)
  }

  private func range(ofLine line: Int) -> Range<Int> {
    lines[line]..<(line + 1 < lines.count ? lines[line + 1] - 1 : bytes.count)
  }

  /// Returns the byte of a position. A position beyond the end of a line means its end.
  func offset(line: Int, character: Int) -> Int {
    guard line >= 0 else { return 0 }
    guard line < lines.count else { return bytes.count }
    let range = range(ofLine: line)
    var position = mark(in: range) { $0.character <= character }
    while position.offset < range.upperBound, position.character < character {
      position.pass(bytes[position.offset], end: range.upperBound, countsBytes: countsBytes)
    }
    return position.offset
  }

  func position(_ offset: Int) -> JSONOutput {
    let offset = min(max(0, offset), bytes.count)
    // The last line that starts at or before the byte.
    let line = lines.partitioningIndex { $0 > offset } - 1
    var position = mark(in: range(ofLine: line)) { $0.offset <= offset }
    while position.offset < offset {
      position.pass(bytes[position.offset], end: offset, countsBytes: countsBytes)
    }
    return ["line": .integer(line), "character": .integer(position.character)]
  }

  func range(_ range: Range<Int>) -> JSONOutput {
    ["start": position(range.lowerBound), "end": position(range.upperBound)]
  }

  /// Returns the byte of a position of the protocol.
  func offset(_ position: JSONValue?) -> Int {
    guard let line = position?.wholeNumber("line"),
      let character = position?.wholeNumber("character")
    else {
      return 0
    }
    return offset(line: line, character: character)
  }

  /// Returns the bytes of a range of the protocol.
  func range(_ range: JSONValue?) -> Range<Int> {
    let start = offset(range?["start"])
    return start..<max(start, offset(range?["end"]))
  }

  /// Returns a single edit of the protocol that turns this text into another one.
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
    let range = range(ofLine: line - 1)
    // The mark of a file that is UTF-8 is no column.
    let hasMark = line == 1 && bytes.starts(with: [0xEF, 0xBB, 0xBF])
    let points = max(0, column - 1) + (hasMark ? 1 : 0)
    var position = mark(in: range) { $0.points <= points }
    while position.offset < range.upperBound, position.points < points {
      position.pass(bytes[position.offset], end: range.upperBound, countsBytes: countsBytes)
    }
    return position.offset
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
      let start = offset(range["start"], in: text, countsBytes: countsBytes)
      let end = offset(range["end"], in: text, countsBytes: countsBytes)
      text.replaceSubrange(start..<max(start, end), with: new)
    } else {
      text = new
    }
    if text.count > limit { return nil }
  }
  return text
}

/// Returns the byte of a position of the protocol in a text that changes before the next position
/// is looked for. The answer is that of TextPlaces, which reads the whole text.
private func offset(_ position: JSONValue?, in text: [UInt8], countsBytes: Bool) -> Int {
  guard let line = position?.wholeNumber("line"), line >= 0,
    let character = position?.wholeNumber("character")
  else { return 0 }
  return text.withUnsafeBufferPointer { text in
    var (start, left) = (0, line)
    while left > 0 {
      if start == text.count { return start }
      if text[start] == 10 { left -= 1 }
      start += 1
    }
    var end = start
    while end < text.count, text[end] != 10 { end += 1 }
    var position = TextPlaces.Mark(offset: start)
    while position.offset < end, position.character < character {
      position.pass(text[position.offset], end: end, countsBytes: countsBytes)
    }
    return position.offset
  }
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
      let children = value.children
      let next: PlacedChild?
      if children.first?.key == nil {
        next = Int(token.text).flatMap { children.indices.contains($0) ? children[$0] : nil }
      } else {
        next = children.last { $0.key == token }
      }
      guard let next else { return nil }
      found = next
      value = next.value
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
