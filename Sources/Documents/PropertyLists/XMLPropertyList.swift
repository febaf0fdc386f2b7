// Reads property lists in their text form: the elements of property lists, in UTF-8. It is not a
// full XML reader: it skips attributes, document types and comments.

import Bytes

struct XMLPropertyListReader {
  private let bytes: [UInt8]
  private var position = 0
  private var count = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  private struct Tag {
    var name: String
    var isEnd: Bool
    var isEmpty: Bool
    var offset: Int
  }

  mutating func read() throws(PropertyListError) -> PropertyValue {
    guard let root = try? nextTag(), !root.isEnd, root.name == "plist" || root.name == "dict" else {
      throw .notAPropertyList
    }
    if root.name == "dict" { return try value(root, depth: 0) }
    guard !root.isEmpty else { throw .malformed(at: root.offset) }
    let value = try value(try nextTag(), depth: 0)
    let end = try nextTag()
    guard end.isEnd, end.name == "plist" else { throw .malformed(at: end.offset) }
    return value
  }

  /// Reads the value that begins with a tag, up to the end of its element.
  private mutating func value(_ tag: Tag, depth: Int) throws(PropertyListError) -> PropertyValue {
    guard !tag.isEnd else { throw .malformed(at: tag.offset) }
    guard depth < PropertyValue.depthLimit else { throw .tooDeep(limit: PropertyValue.depthLimit) }
    count += 1
    guard count <= PropertyValue.valueLimit else {
      throw .tooLarge(values: PropertyValue.valueLimit)
    }
    switch tag.name {
    case "dict": return .dictionary(try dictionary(tag, depth: depth))
    case "array": return .array(try array(tag, depth: depth))
    case "true", "false":
      _ = try text(of: tag)
      return .boolean(tag.name == "true")
    case "string": return .string(try text(of: tag))
    case "integer":
      guard let number = integer(try text(of: tag)) else { throw .malformed(at: tag.offset) }
      return .integer(number)
    case "real":
      guard let number = Double(trimmed(try text(of: tag))) else {
        throw .malformed(at: tag.offset)
      }
      return .real(number)
    case "data", "date":
      _ = try text(of: tag)
      return .other
    default: throw .malformed(at: tag.offset)
    }
  }

  private mutating func dictionary(
    _ tag: Tag, depth: Int
  ) throws(PropertyListError) -> [ByteString: PropertyValue] {
    var entries: [ByteString: PropertyValue] = [:]
    if tag.isEmpty { return entries }
    while true {
      let next = try nextTag()
      if next.isEnd, next.name == "dict" { return entries }
      guard !next.isEnd, next.name == "key" else { throw .malformed(at: next.offset) }
      let key = try text(of: next)
      entries[ByteString(key)] = try value(try nextTag(), depth: depth + 1)
    }
  }

  private mutating func array(
    _ tag: Tag, depth: Int
  ) throws(PropertyListError) -> [PropertyValue] {
    var values: [PropertyValue] = []
    if tag.isEmpty { return values }
    while true {
      let next = try nextTag()
      if next.isEnd, next.name == "array" { return values }
      values.append(try value(next, depth: depth + 1))
    }
  }

  private func trimmed(_ text: String) -> String {
    let isBlank = { (byte: UInt8) in byte == 32 || (9...13).contains(byte) }
    let inner = text.utf8.drop(while: isBlank).reversed().drop(while: isBlank).reversed()
    return String(decoding: Array(inner), as: UTF8.self)
  }

  private func integer(_ text: String) -> Int? {
    let digits = trimmed(text)
    return digits.lowercased().hasPrefix("0x")
      ? Int(digits.dropFirst(2), radix: 16) : Int(digits)
  }
}

// MARK: - Tags and text

extension XMLPropertyListReader {
  /// Returns the next start or end tag. Only blanks, comments and declarations may precede it.
  private mutating func nextTag() throws(PropertyListError) -> Tag {
    while true {
      while position < bytes.count, bytes[position] == 32 || (9...13).contains(bytes[position]) {
        position += 1
      }
      let start = position
      guard position < bytes.count, bytes[position] == UInt8(ascii: "<") else {
        throw .malformed(at: position)
      }
      if skipped("<!--", to: "-->") || skipped("<?", to: "?>") || skipped("<!", to: ">") {
        continue
      }
      guard position == start else { throw .malformed(at: start) }
      return try tag(at: start)
    }
  }

  /// Skips a part of the text with this beginning and end. If the end is missing, moves the
  /// position after the opening, so that the caller notices.
  private mutating func skipped(_ opening: String, to closing: String) -> Bool {
    let opening = Array(opening.utf8)
    guard bytes[position...].starts(with: opening) else { return false }
    position += opening.count
    guard let end = find(Array(closing.utf8)) else { return false }
    position = end
    return true
  }

  /// Returns the offset after the next occurrence of a text.
  private func find(_ text: [UInt8]) -> Int? {
    var start = position
    while start + text.count <= bytes.count {
      if bytes[start] == text[0], bytes[start..<start + text.count].elementsEqual(text) {
        return start + text.count
      }
      start += 1
    }
    return nil
  }

  private mutating func tag(at start: Int) throws(PropertyListError) -> Tag {
    guard let end = bytes[start...].firstIndex(of: UInt8(ascii: ">")) else {
      throw .malformed(at: start)
    }
    var inner = bytes[(start + 1)..<end]
    let isEnd = inner.first == UInt8(ascii: "/")
    if isEnd { inner = inner.dropFirst() }
    let isEmpty = !isEnd && inner.last == UInt8(ascii: "/")
    if isEmpty { inner = inner.dropLast() }
    let name = inner.prefix { $0 != 32 && !(9...13).contains($0) }
    guard !name.isEmpty, name.count <= 16 else { throw .malformed(at: start) }
    position = end + 1
    return Tag(
      name: String(decoding: name, as: UTF8.self), isEnd: isEnd, isEmpty: isEmpty, offset: start)
  }

  /// Returns the text of an element that contains only text, and skips its end tag.
  private mutating func text(of tag: Tag) throws(PropertyListError) -> String {
    var text: [UInt8] = []
    if tag.isEmpty { return "" }
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "&") {
        text += try entity()
      } else if byte != UInt8(ascii: "<") {
        text.append(byte)
        position += 1
      } else if bytes[position...].starts(with: "<![CDATA[".utf8) {
        position += 9
        guard let end = find(Array("]]>".utf8)) else { throw .malformed(at: position) }
        text += bytes[position..<end - 3]
        position = end
      } else if !skipped("<!--", to: "-->") {
        let end = try self.tag(at: position)
        guard end.isEnd, end.name == tag.name else { throw .malformed(at: end.offset) }
        guard let string = String(validating: text, as: UTF8.self),
          string.unicodeScalars.allSatisfy(isXMLCharacter)
        else { throw .malformed(at: tag.offset) }
        return string
      }
    }
    throw .malformed(at: position)
  }

  private mutating func entity() throws(PropertyListError) -> [UInt8] {
    let start = position
    guard let end = bytes[start...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
      throw .malformed(at: start)
    }
    position = end + 1
    let name = String(decoding: bytes[(start + 1)..<end], as: UTF8.self)
    switch name {
    case "lt": return [UInt8(ascii: "<")]
    case "gt": return [UInt8(ascii: ">")]
    case "amp": return [UInt8(ascii: "&")]
    case "quot": return [UInt8(ascii: "\"")]
    case "apos": return [UInt8(ascii: "'")]
    default:
      let number =
        name.hasPrefix("#x")
        ? UInt32(name.dropFirst(2), radix: 16)
        : name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
      guard let number, let scalar = Unicode.Scalar(number) else { throw .malformed(at: start) }
      return Array(String(scalar).utf8)
    }
  }
}
