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
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func read() throws(PropertyListError) -> PropertyValue {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
    let value = try value(depth: 0)
    skipSpace()
    if place < bytes.count { throw .malformed(at: place) }
    return value
  }

  private mutating func value(depth: Int) throws(PropertyListError) -> PropertyValue {
    if depth > PropertyValue.depthLimit { throw .tooDeep(limit: PropertyValue.depthLimit) }
    skipSpace()
    guard place < bytes.count else { throw .malformed(at: place) }
    switch bytes[place] {
    case UInt8(ascii: "{"): return try dictionary(depth)
    case UInt8(ascii: "("): return try array(depth)
    case UInt8(ascii: "<"):
      while place < bytes.count, bytes[place] != UInt8(ascii: ">") { place += 1 }
      if place == bytes.count { throw .malformed(at: place) }
      place += 1
      return .other
    default: return .string(try string().text)
    }
  }

  private mutating func dictionary(_ depth: Int) throws(PropertyListError) -> PropertyValue {
    place += 1
    var members: [ByteString: PropertyValue] = [:]
    while !take(UInt8(ascii: "}")) {
      let key = try string()
      if !take(UInt8(ascii: "=")) { throw .malformed(at: place) }
      members[key] = try value(depth: depth + 1)
      // The last member needs no semicolon.
      if take(UInt8(ascii: ";")) { continue }
      if !take(UInt8(ascii: "}")) { throw .malformed(at: place) }
      break
    }
    return .dictionary(members)
  }

  private mutating func array(_ depth: Int) throws(PropertyListError) -> PropertyValue {
    place += 1
    var items: [PropertyValue] = []
    while !take(UInt8(ascii: ")")) {
      items.append(try value(depth: depth + 1))
      if take(UInt8(ascii: ",")) { continue }
      if !take(UInt8(ascii: ")")) { throw .malformed(at: place) }
      break
    }
    return .array(items)
  }

  private mutating func string() throws(PropertyListError) -> ByteString {
    skipSpace()
    guard place < bytes.count else { throw .malformed(at: place) }
    let quote = bytes[place]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") { return try quoted(quote) }
    let start = place
    while place < bytes.count, isPlain(bytes[place]) { place += 1 }
    if place == start { throw .malformed(at: place) }
    return ByteString(bytes: Array(bytes[start..<place]))
  }

  private mutating func quoted(_ quote: UInt8) throws(PropertyListError) -> ByteString {
    var text: [UInt8] = []
    place += 1
    while place < bytes.count, bytes[place] != quote {
      if bytes[place] == UInt8(ascii: "\\"), place + 1 < bytes.count {
        place += 1
        switch bytes[place] {
        case UInt8(ascii: "n"): text.append(10)
        case UInt8(ascii: "t"): text.append(9)
        default: text.append(bytes[place])
        }
      } else {
        text.append(bytes[place])
      }
      place += 1
    }
    if place >= bytes.count { throw .malformed(at: place) }
    place += 1
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
    guard place < bytes.count, bytes[place] == byte else { return false }
    place += 1
    return true
  }

  private mutating func skipSpace() {
    while place < bytes.count {
      let next = place + 1 < bytes.count ? bytes[place + 1] : 0
      if bytes[place] <= 32 {
        place += 1
      } else if bytes[place] == UInt8(ascii: "/"), next == UInt8(ascii: "/") {
        while place < bytes.count, bytes[place] != 10 { place += 1 }
      } else if bytes[place] == UInt8(ascii: "/"), next == UInt8(ascii: "*") {
        place += 2
        while place < bytes.count,
          !(bytes[place] == UInt8(ascii: "/") && bytes[place - 1] == UInt8(ascii: "*"))
        {
          place += 1
        }
        place = min(place + 1, bytes.count)
      } else {
        return
      }
    }
  }
}
