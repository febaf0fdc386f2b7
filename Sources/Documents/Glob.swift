// Patterns of names and paths, as options and settings contain them. `*` stands for any bytes, also
// for slashes, and `?` for one byte.

import Bytes

/// A text that is compared with patterns, in time proportional to the length of each pattern and to
/// a 64th of the length of the text.
///
/// A set of places in the text is a row of bits. A comparison follows the set of all places that
/// the part of the pattern before the current byte can reach.
package struct GlobText {
  /// The places before each byte that occurs in the text, by the byte.
  private var places: [[UInt64]]
  /// The places before every byte.
  private var all: [UInt64]
  /// The places at which a pattern may end.
  private var ends: [UInt64]
  /// The places that the comparison has reached.
  private var reached: [UInt64]

  /// Creates a text. A pattern matches if it matches the whole text, or the first part of it with
  /// one of these lengths.
  package init(_ text: ByteString, orPartsOf lengths: [Int] = []) {
    let bytes = text.bytes
    let none = [UInt64](repeating: 0, count: bytes.count / 64 + 1)
    places = Array(repeating: [], count: 256)
    (all, ends, reached) = (none, none, none)
    for (place, byte) in bytes.enumerated() {
      if places[Int(byte)].isEmpty { places[Int(byte)] = none }
      places[Int(byte)].insert(place)
      all.insert(place)
    }
    for length in lengths + [bytes.count] { ends.insert(length) }
  }

  /// Returns whether a pattern matches.
  package mutating func matches(_ glob: ByteString) -> Bool {
    for word in reached.indices { reached[word] = word == 0 ? 1 : 0 }
    for byte in glob.bytes {
      let isOpen =
        switch byte {
        case UInt8(ascii: "*"): reachAllFromFirst()
        case UInt8(ascii: "?"): step(over: all)
        default: step(over: places[Int(byte)])
        }
      if !isOpen { return false }
    }
    return zip(reached, ends).contains { $0 & $1 != 0 }
  }

  /// Moves every place behind its byte if the set has the place. Returns whether a place is left.
  private mutating func step(over set: [UInt64]) -> Bool {
    if set.isEmpty { return false }
    var (carry, isOpen): (UInt64, Bool) = (0, false)
    for word in reached.indices {
      let kept = reached[word] & set[word]
      reached[word] = kept << 1 | carry
      carry = kept >> 63
      isOpen = isOpen || kept != 0
    }
    return isOpen
  }

  /// Adds all places behind the first one. Returns true, because one is always left.
  private mutating func reachAllFromFirst() -> Bool {
    guard let first = reached.firstIndex(where: { $0 != 0 }) else { return false }
    reached[first] = ~((reached[first] & (~reached[first] &+ 1)) &- 1)
    for word in reached.indices.dropFirst(first + 1) { reached[word] = .max }
    return true
  }
}

extension [UInt64] {
  fileprivate mutating func insert(_ place: Int) { self[place / 64] |= 1 << UInt64(place % 64) }
}

/// Returns whether a pattern matches a whole name.
package func matches(glob: ByteString, _ name: ByteString) -> Bool {
  var text = GlobText(name)
  return text.matches(glob)
}
