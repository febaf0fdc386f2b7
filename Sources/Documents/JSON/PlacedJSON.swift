// Values of a JSON text with their places. A value is divided into ranges that contain every byte
// of the text, so a program can change single values and leave the rest as its author wrote it
// (CatalogModel/Lint/EditText.swift). JSONPlaces finds the lines and columns of values, and
// `repeatedKeys` the keys that occur twice. This code reads only files with a finding or an edit.

import Bytes

/// A value and its place in the text.
package struct PlacedJSON: Sendable {
  package fileprivate(set) var range: Range<Int>
  /// The children in the order of the text; empty if the value is neither an array nor an object.
  package fileprivate(set) var children: [PlacedChild] = []
  package fileprivate(set) var isContainer = false
  /// The range from the last child, or from the comma after it, to the closing bracket.
  package fileprivate(set) var end = 0..<0
}

/// A member of an object or an element of an array.
package struct PlacedChild: Sendable {
  /// The key; nil in arrays. `keyRange` is its place, with the quotes.
  package var key: ByteString?
  package var keyRange: Range<Int>?
  package var value: PlacedJSON
  /// The range from the bracket or comma before the child to the comma after it. If no comma
  /// follows, the range ends with the value.
  package var outer: Range<Int>

  /// The range before the key, or before the value if there is no key.
  package var lead: Range<Int> {
    outer.lowerBound..<(keyRange?.lowerBound ?? value.range.lowerBound)
  }
  /// The range after the value.
  package var trail: Range<Int> { value.range.upperBound..<outer.upperBound }
}

// MARK: - Reading

/// Returns the value of a text, with places. Accepts the texts that a strict parser accepts, and
/// commas before closing brackets. Returns nil for other texts and for values that nest too deeply.
package func placedJSON(_ bytes: [UInt8]) -> PlacedJSON? {
  var reader = PlacedReader(bytes)
  let root = reader.root()
  return reader.isBroken || reader.hasLoneComma ? nil : root
}

private struct PlacedReader {
  private var scanner: JSONScanner
  /// Whether the text is not JSON. The values before the fault have their places; the container
  /// with the fault, and those around it, end there.
  private(set) var isBroken = false
  /// Whether an array or object has a comma and no child. The compiler forgives this comma, too,
  /// but it belongs to no range.
  private(set) var hasLoneComma = false

  init(_ bytes: [UInt8]) { scanner = JSONScanner(bytes) }

  mutating func root() -> PlacedJSON {
    scanner.skipSpace()
    let root = value(depth: 0)
    scanner.skipSpace()
    if scanner.byte != nil { isBroken = true }
    return root
  }

  private mutating func value(depth: Int) -> PlacedJSON {
    let start = scanner.offset
    var value = PlacedJSON(range: start..<start)
    guard depth < jsonDepthLimit, let byte = scanner.byte else {
      isBroken = true
      return value
    }
    switch byte {
    case UInt8(ascii: "{"): readChildren(of: &value, isObject: true, depth)
    case UInt8(ascii: "["): readChildren(of: &value, isObject: false, depth)
    default:
      let isPlain = byte == UInt8(ascii: "\"") || !JSONScanner.isMark(byte)
      if !isPlain || scanner.take() == nil { isBroken = true }
    }
    value.range = start..<scanner.offset
    return value
  }

  private mutating func readChildren(of value: inout PlacedJSON, isObject: Bool, _ depth: Int) {
    let close = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
    value.isContainer = true
    repeat {
      // The first token is the opening bracket, the others are commas.
      _ = scanner.take()
      var outer = scanner.offset
      scanner.skipSpace()
      if value.children.isEmpty, scanner.byte == UInt8(ascii: ",") {
        hasLoneComma = true
        _ = scanner.take()
        outer = scanner.offset
        scanner.skipSpace()
      }
      if scanner.byte == close {
        value.end = outer..<scanner.offset
        break
      }
      guard var child = child(isObject: isObject, depth) else {
        isBroken = true
        return
      }
      scanner.skipSpace()
      child.outer = outer..<scanner.offset
      if scanner.byte == close {
        // The range after the last child belongs to the end.
        child.outer = outer..<child.value.range.upperBound
        value.end = child.value.range.upperBound..<scanner.offset
      }
      value.children.append(child)
    } while !isBroken && scanner.byte == UInt8(ascii: ",")
    if !isBroken, scanner.byte == close { _ = scanner.take() } else { isBroken = true }
  }

  /// Returns a member or an element; nil if a key or its colon is missing.
  private mutating func child(isObject: Bool, _ depth: Int) -> PlacedChild? {
    var key: ByteString?
    var keyRange: Range<Int>?
    if isObject {
      guard scanner.byte == UInt8(ascii: "\""), let range = scanner.take(),
        let name = self.key(range)
      else { return nil }
      (key, keyRange) = (name, range)
      scanner.skipSpace()
      guard scanner.byte == UInt8(ascii: ":") else { return nil }
      _ = scanner.take()
      scanner.skipSpace()
    }
    return PlacedChild(
      key: key, keyRange: keyRange, value: value(depth: depth + 1), outer: 0..<0)
  }

  /// Returns the key in a range with quotes; nil if an escape in it is malformed.
  private func key(_ range: Range<Int>) -> ByteString? {
    let inner = scanner.bytes[(range.lowerBound + 1)..<(range.upperBound - 1)]
    if !inner.contains(UInt8(ascii: "\\")) {
      return inner.withUnsafeBytes { ByteString(bytes: $0) }
    }
    guard case .string(let key)? = try? parseJSON(Array(scanner.bytes[range])) else { return nil }
    return key
  }
}

// MARK: - Lines and columns

/// A line and a column for people. Both count from 1.
package typealias TextPlace = (line: Int, column: Int)

/// The places of the values of some pointers in a text.
package struct JSONPlaces {
  /// The places by pointer. If a key is repeated, the last one counts, as for the parser.
  private var places: [ByteString: (key: TextPlace?, value: TextPlace)] = [:]

  /// The greatest length of a pointer whose value is searched for. A value with a longer pointer
  /// gets the place of a container above it, because each step of the search compares its pointer
  /// with the wanted ones.
  private static let longestPointer = 2048

  /// Finds the places in a file, whose text may be UTF-16. If the text is not JSON, finds those
  /// before the fault.
  package init(of pointers: Set<ByteString>, in file: [UInt8]) {
    let bytes = file.count.isMultiple(of: 2) ? textOfUTF16(file) ?? file : file
    var wanted: Set<ByteString> = []
    for pointer in pointers {
      for parent in sequence(first: pointer, next: { parentPointer($0) }) {
        if parent.count <= JSONPlaces.longestPointer { wanted.insert(parent) }
      }
    }
    var found: [ByteString: (key: Int?, value: Int)] = [:]
    var reader = PlacedReader(bytes)
    JSONPlaces.find(wanted, in: reader.root(), key: nil, at: "", &found)
    let offsets = found.values.flatMap { [$0.key, $0.value].compactMap { $0 } }
    let lines = linesAndColumns(of: offsets, in: bytes)
    for (pointer, offset) in found {
      guard let value = lines[offset.value] else { continue }
      places[pointer] = (offset.key.flatMap { lines[$0] }, value)
    }
  }

  /// Adds the offsets of a value and of the wanted values in it. The pointers of all containers of
  /// a wanted value are wanted, too.
  private static func find(
    _ wanted: Set<ByteString>, in value: PlacedJSON, key: Int?, at pointer: ByteString,
    _ found: inout [ByteString: (key: Int?, value: Int)]
  ) {
    guard wanted.contains(pointer) else { return }
    found[pointer] = (key, value.range.lowerBound)
    for (index, child) in value.children.enumerated() {
      find(
        wanted, in: child.value, key: child.keyRange?.lowerBound,
        at: "\(pointer)/\(child.token(index: index))", &found)
    }
  }

  /// Returns the place of a value. If the value is not there (its key may be missing or have
  /// another spelling), returns the place of the nearest container that is there.
  package func place(of pointer: ByteString, isKey: Bool) -> TextPlace? {
    if let place = places[pointer] { return isKey ? place.key ?? place.value : place.value }
    return parentPointer(pointer).flatMap { place(of: $0, isKey: false) }
  }
}

/// Returns a file with the line and column of a value, such as "limits.json:3:5"; the file alone if
/// `bytes` are not its text any more.
package func writtenPlace(
  of pointer: ByteString, isKey: Bool = false, in bytes: [UInt8]?, file: ByteString
) -> String {
  writtenPlaces(of: [pointer], areKeys: isKey, in: bytes, file: file)[0]
}

/// Returns a file with the line and column of each of several values. The file is read once.
package func writtenPlaces(
  of pointers: [ByteString], areKeys: Bool, in bytes: [UInt8]?, file: ByteString
) -> [String] {
  let places = bytes.map { JSONPlaces(of: Set(pointers), in: $0) }
  return pointers.map { pointer in
    let place = places?.place(of: pointer, isKey: areKeys)
    return onOneLine(file) + (place.map { ":\($0.line):\($0.column)" } ?? "")
  }
}

extension PlacedChild {
  /// Returns the last token of the child's pointer.
  package func token(index: Int) -> ByteString { key.map { pointerToken($0) } ?? "\(index)" }
}

/// Returns the pointers and the offsets of keys that have occurred in the same object before; at
/// most ten.
package func repeatedKeys(in bytes: [UInt8]) -> [(pointer: ByteString, offset: Int)] {
  var reader = PlacedReader(bytes)
  var path: [ByteString] = []
  var repeated: [(ByteString, Int)] = []
  findRepeatedKeys(in: reader.root(), &path, &repeated)
  return repeated
}

/// Returns the first key of a text that has occurred in the same object before. `value` is the
/// value of the text.
package func firstRepeatedKey(in bytes: [UInt8], of value: JSONValue) -> ByteString? {
  // Most texts have no such key, and the count of their members says so.
  guard value.memberCount != JSONSurvey(bytes).colons else { return nil }
  return repeatedKeys(in: bytes).first.flatMap { pointerTokens($0.pointer).last }
}

/// Adds the repeated keys in a value, and their offsets. `path` has the tokens of the value's
/// pointer. A pointer is made only for a repeated key, because the pointers of all keys together
/// can be as long as the square of the text.
private func findRepeatedKeys(
  in value: PlacedJSON, _ path: inout [ByteString], _ repeated: inout [(ByteString, Int)]
) {
  var seen: Set<ByteString> = []
  for (index, child) in value.children.enumerated() where repeated.count < 10 {
    path.append(child.token(index: index))
    if let key = child.key, let range = child.keyRange, !seen.insert(key).inserted {
      repeated.append((path.reduce("") { "\($0)/\($1)" }, range.lowerBound))
    }
    findRepeatedKeys(in: child.value, &path, &repeated)
    path.removeLast()
  }
}

/// Returns the line and column of a byte.
package func lineAndColumn(of offset: Int, in bytes: [UInt8]) -> TextPlace {
  linesAndColumns(of: [offset], in: bytes)[offset] ?? (1, 1)
}

/// Returns the lines and columns of some bytes. Columns count code points; a byte-order mark is not
/// counted.
package func linesAndColumns(of offsets: [Int], in bytes: [UInt8]) -> [Int: TextPlace] {
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
