// Finds the lines and columns of values in a text of JSON. For every text, the time is that of
// reading it once, and the memory is that of the requested places.

import Bytes

/// A line and a column for people. Both count from 1.
package typealias TextPlace = (line: Int, column: Int)

/// The places of the values of some pointers in a text.
package struct JSONPlaces {
  /// The places by pointer. If a key is repeated, the last one counts, as for the parser.
  private var places: [ByteString: (key: TextPlace?, value: TextPlace)] = [:]

  /// The greatest length of a pointer whose value is searched for. A value with a longer pointer
  /// gets the place of a container above it, because each step of the walk compares its pointer
  /// with the wanted ones.
  private static let longestPointer = 2048

  package init(of pointers: Set<ByteString>, in bytes: [UInt8]) {
    var wanted: Set<ByteString> = []
    for pointer in pointers {
      for parent in sequence(first: pointer, next: { parentPointer($0) }) {
        if parent.count <= JSONPlaces.longestPointer { wanted.insert(parent) }
      }
    }
    var found: [ByteString: (key: Int?, value: Int)] = [:]
    var walker = JSONWalker(bytes)
    walker.walk { pointer, visited in
      guard pointer.count <= JSONPlaces.longestPointer else { return }
      let name = ByteString(bytes: Array(pointer))
      if wanted.contains(name) { found[name] = (visited.key, visited.value) }
    }
    let offsets = found.values.flatMap { [$0.key, $0.value].compactMap { $0 } }
    let lines = linesAndColumns(of: offsets, in: bytes)
    for (pointer, offset) in found {
      guard let value = lines[offset.value] else { continue }
      places[pointer] = (offset.key.flatMap { lines[$0] }, value)
    }
  }

  /// Returns the place of a value. If the value is not there (its key may be missing or have
  /// another spelling), returns the place of the nearest container that is there.
  package func place(of pointer: ByteString, isKey: Bool) -> TextPlace? {
    if let place = places[pointer] { return isKey ? place.key ?? place.value : place.value }
    return parentPointer(pointer).flatMap { place(of: $0, isKey: false) }
  }
}

/// Returns the pointer of the container of a value; nil for the root.
package func parentPointer(_ pointer: ByteString) -> ByteString? {
  if pointer.isEmpty { return nil }
  return pointer.dropLast(lastComponent(pointer).count + 1)
}

/// Returns the places of keys that have occurred in the same object before.
package func repeatedKeys(in bytes: [UInt8]) -> [(pointer: ByteString, offset: Int)] {
  /// A key of one object. It has the number of the object instead of its pointer, because the
  /// pointers of all keys together can be as long as the square of the text.
  struct Member: Hashable {
    var container: Int
    var key: [UInt8]
  }
  var seen: Set<Member> = []
  var repeated: [(ByteString, Int)] = []
  var walker = JSONWalker(bytes)
  walker.walk { pointer, visited in
    guard let key = visited.key else { return }
    let member = Member(
      container: visited.container, key: Array(pointer[visited.containerLength...]))
    if !seen.insert(member).inserted, repeated.count < 10 {
      repeated.append((ByteString(bytes: Array(pointer)), key))
    }
  }
  return repeated
}

/// Returns the line and column of a byte.
package func lineAndColumn(of offset: Int, in bytes: [UInt8]) -> TextPlace {
  linesAndColumns(of: [offset], in: bytes)[offset] ?? (1, 1)
}

/// Returns the lines and columns of some bytes. Columns count code points; a byte-order mark is not
/// counted.
func linesAndColumns(of offsets: [Int], in bytes: [UInt8]) -> [Int: TextPlace] {
  var places: [Int: TextPlace] = [:]
  let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
  var (line, column, at) = (1, 1, 0)
  for offset in offsets.sorted() {
    while at < min(offset, bytes.count) {
      if bytes[at] == 10 {
        (line, column) = (line + 1, 1)
      } else if bytes[at] & 0xC0 != 0x80 {
        column += 1
      }
      at += 1
      if at == 3, hasMark { column = 1 }
    }
    places[offset] = (line, column)
  }
  return places
}
