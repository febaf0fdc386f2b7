// Where in a text of JSON some values stand, as lines and columns. However the text is made, the
// time is that of reading it once and the memory that of what is asked for.

import Bytes

/// A place that a person can find: both count from 1.
package typealias TextPlace = (line: Int, column: Int)

/// Where the values of some pointers stand in a text.
package struct JSONPlaces {
  /// By pointer; of a repeated key the last, which is the one that is read.
  private var places: [ByteString: (key: TextPlace?, value: TextPlace)] = [:]

  /// Values with longer pointers are looked for where their parents are: each step of the walk
  /// compares a pointer with those that are wanted.
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

  /// Of a value that is not there (a key may be missing, or spelled otherwise), the place of what it
  /// would stand in.
  package func place(of pointer: ByteString, isKey: Bool) -> TextPlace? {
    if let place = places[pointer] { return isKey ? place.key ?? place.value : place.value }
    return parentPointer(pointer).flatMap { place(of: $0, isKey: false) }
  }
}

/// The pointer of what a value stands in; nil for the root.
package func parentPointer(_ pointer: ByteString) -> ByteString? {
  if pointer.isEmpty { return nil }
  return pointer.dropLast(lastComponent(pointer).count + 1)
}

/// The places of keys that an object has already used.
package func repeatedKeys(in bytes: [UInt8]) -> [(pointer: ByteString, offset: Int)] {
  /// A key of one object. Whole pointers would take the square of the text.
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

/// Line and column of a byte.
package func lineAndColumn(of offset: Int, in bytes: [UInt8]) -> TextPlace {
  linesAndColumns(of: [offset], in: bytes)[offset] ?? (1, 1)
}

/// Lines and columns of some bytes. Columns count code points; a byte-order mark is none.
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
