// Reads property lists in the old form of NeXT, which Xcode's projects have:
//
//     { name = value; list = ( a, "b c" ); data = <0f>; } // and /* comments */
//
// All values are strings, arrays, dictionaries and data.

import Bytes

extension PropertyValue {
  /// Reads a property list in the old form, in XML or in the binary form.
  package init(anyPropertyList bytes: [UInt8]) throws(PropertyListError) {
    let start = bytes.prefix(64).first { $0 > 32 && $0 < 0x80 }
    if bytes.starts(with: "bplist".utf8) || start == UInt8(ascii: "<") {
      self = try PropertyValue(propertyList: bytes)
    } else {
      var reader = OldPropertyListReader(bytes)
      self = try reader.read()
    }
  }
}

private struct OldPropertyListReader {
  private let bytes: [UInt8]
  private var offset = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func read() throws(PropertyListError) -> PropertyValue {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    let value = try value(depth: 0)
    skipSpace()
    if offset < bytes.count { throw .malformed(at: offset) }
    return value
  }

  private mutating func value(depth: Int) throws(PropertyListError) -> PropertyValue {
    if depth > PropertyValue.depthLimit { throw .tooDeep(limit: PropertyValue.depthLimit) }
    skipSpace()
    guard offset < bytes.count else { throw .malformed(at: offset) }
    switch bytes[offset] {
    case UInt8(ascii: "{"): return try dictionary(depth)
    case UInt8(ascii: "("): return try array(depth)
    case UInt8(ascii: "<"):
      while offset < bytes.count, bytes[offset] != UInt8(ascii: ">") { offset += 1 }
      if offset == bytes.count { throw .malformed(at: offset) }
      offset += 1
      return .other
    default: return .string(try string().text)
    }
  }

  private mutating func dictionary(_ depth: Int) throws(PropertyListError) -> PropertyValue {
    offset += 1
    var members: [ByteString: PropertyValue] = [:]
    while !take(UInt8(ascii: "}")) {
      let key = try string()
      if !take(UInt8(ascii: "=")) { throw .malformed(at: offset) }
      members[key] = try value(depth: depth + 1)
      // The last member needs no semicolon.
      if take(UInt8(ascii: ";")) { continue }
      if !take(UInt8(ascii: "}")) { throw .malformed(at: offset) }
      break
    }
    return .dictionary(members)
  }

  private mutating func array(_ depth: Int) throws(PropertyListError) -> PropertyValue {
    offset += 1
    var items: [PropertyValue] = []
    while !take(UInt8(ascii: ")")) {
      items.append(try value(depth: depth + 1))
      if take(UInt8(ascii: ",")) { continue }
      if !take(UInt8(ascii: ")")) { throw .malformed(at: offset) }
      break
    }
    return .array(items)
  }

  private mutating func string() throws(PropertyListError) -> ByteString {
    skipSpace()
    guard offset < bytes.count else { throw .malformed(at: offset) }
    let quote = bytes[offset]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") { return try quoted(quote) }
    let start = offset
    while offset < bytes.count, isPlain(bytes[offset]) { offset += 1 }
    if offset == start { throw .malformed(at: offset) }
    return ByteString(bytes: Array(bytes[start..<offset]))
  }

  private mutating func quoted(_ quote: UInt8) throws(PropertyListError) -> ByteString {
    var text: [UInt8] = []
    offset += 1
    while offset < bytes.count, bytes[offset] != quote {
      if bytes[offset] == UInt8(ascii: "\\"), offset + 1 < bytes.count {
        offset += 1
        switch bytes[offset] {
        case UInt8(ascii: "n"): text.append(10)
        case UInt8(ascii: "t"): text.append(9)
        default: text.append(bytes[offset])
        }
      } else {
        text.append(bytes[offset])
      }
      offset += 1
    }
    if offset >= bytes.count { throw .malformed(at: offset) }
    offset += 1
    return ByteString(bytes: text)
  }

  private func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"),
      UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "-"),
      UInt8(ascii: "@"), UInt8(ascii: "+"), 0x80...:
      true
    default: false
    }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    guard offset < bytes.count, bytes[offset] == byte else { return false }
    offset += 1
    return true
  }

  private mutating func skipSpace() {
    while offset < bytes.count {
      let next = offset + 1 < bytes.count ? bytes[offset + 1] : 0
      if bytes[offset] <= 32 {
        offset += 1
      } else if bytes[offset] == UInt8(ascii: "/"), next == UInt8(ascii: "/") {
        while offset < bytes.count, bytes[offset] != 10 { offset += 1 }
      } else if bytes[offset] == UInt8(ascii: "/"), next == UInt8(ascii: "*") {
        offset += 2
        while offset < bytes.count,
          !(bytes[offset] == UInt8(ascii: "/") && bytes[offset - 1] == UInt8(ascii: "*"))
        {
          offset += 1
        }
        offset = min(offset + 1, bytes.count)
      } else {
        return
      }
    }
  }
}
