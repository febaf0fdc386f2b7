// Walks the text of a JSON file and tells at which byte each value and each key stands. Run only over
// files with a finding. It does not judge: on a text that is not JSON it stops early.

struct JSONWalker {
  private let bytes: [UInt8]
  private var offset = 0
  /// The pointer of the value that is being walked.
  private var pointer: [UInt8] = []
  private var levels: [Level] = []

  /// An array or an object that is open.
  private struct Level {
    var isObject: Bool
    var index = 0
    /// The length of the pointer of the container itself.
    var pointerLength: Int
  }

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// One value: its pointer, where its key starts (in an object) and where it starts.
  typealias Visit = (_ pointer: [UInt8], _ key: Int?, _ value: Int) -> Void

  mutating func walk(_ visit: Visit) {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    skipSpace()
    visit([], nil, offset)
    enterOrSkip()
    while !levels.isEmpty, step(visit) {}
  }

  /// The next member or element, or the end of the innermost container.
  private mutating func step(_ visit: Visit) -> Bool {
    skipSpace()
    guard let level = levels.last, offset < bytes.count else { return false }
    pointer.removeLast(pointer.count - level.pointerLength)
    let byte = bytes[offset]
    if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") {
      offset += 1
      levels.removeLast()
      return true
    }
    if byte == UInt8(ascii: ",") {
      offset += 1
      levels[levels.count - 1].index += 1
      return true
    }
    let start = offset
    pointer.append(UInt8(ascii: "/"))
    if level.isObject {
      guard byte == UInt8(ascii: "\"") else { return false }
      appendKey()
      skipSpace()
      guard offset < bytes.count, bytes[offset] == UInt8(ascii: ":") else { return false }
      offset += 1
      skipSpace()
    } else {
      pointer += Array(String(level.index).utf8)
    }
    visit(pointer, level.isObject ? start : nil, offset)
    return enterOrSkip()
  }

  /// Opens a container or passes over a plain value. False where there is neither.
  @discardableResult private mutating func enterOrSkip() -> Bool {
    guard offset < bytes.count else { return false }
    switch bytes[offset] {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      levels.append(
        Level(isObject: bytes[offset] == UInt8(ascii: "{"), pointerLength: pointer.count))
      offset += 1
      return true
    case UInt8(ascii: "\""):
      skipString()
      return true
    default:
      let start = offset
      while offset < bytes.count, !endsWord(bytes[offset]) { offset += 1 }
      return offset > start
    }
  }

  private func endsWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ":"), 9, 10, 13, 32:
      true
    default: false
    }
  }

  private mutating func skipSpace() {
    while offset < bytes.count, bytes[offset] == 32 || (9...13).contains(bytes[offset]) {
      offset += 1
    }
  }

  private mutating func skipString() {
    offset += 1
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == UInt8(ascii: "\"") { return }
    }
    offset = bytes.count
  }

  /// Appends the key at the offset to the pointer and passes over it.
  private mutating func appendKey() {
    let start = offset
    skipString()
    let raw = bytes[start..<offset]
    let isPlain = !raw.contains { [UInt8(ascii: "\\"), 0x7E, 0x2F].contains($0) }
    if isPlain, raw.count >= 2 {
      pointer += raw.dropFirst().dropLast()
    } else if case .string(let key)? = try? parseJSON(Array(raw)) {
      pointer += Array(pointerToken(key).utf8)
    }
  }
}

/// Where the values of some pointers stand in a text.
struct JSONPlaces {
  /// By pointer; of a repeated key the last, which is the one that is read.
  private var places: [String: (key: Int?, value: Int)] = [:]

  init(of pointers: Set<String>, in bytes: [UInt8]) {
    var wanted = pointers
    for pointer in pointers {
      for parent in sequence(first: pointer, next: { parentPointer($0) }) { wanted.insert(parent) }
    }
    var walker = JSONWalker(bytes)
    walker.walk { pointer, key, value in
      let name = String(decoding: pointer, as: UTF8.self)
      if wanted.contains(name) { places[name] = (key, value) }
    }
  }

  /// Of a value that is not there (a key may be missing, or spelled otherwise), the place of what it
  /// would stand in.
  func offset(of pointer: String, isKey: Bool) -> Int? {
    if let place = places[pointer] { return isKey ? place.key ?? place.value : place.value }
    return parentPointer(pointer).flatMap { offset(of: $0, isKey: false) }
  }
}

private func parentPointer(_ pointer: String) -> String? {
  pointer.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(pointer[..<$0]) }
}

/// The places of keys that an object has already used.
func repeatedKeys(in bytes: [UInt8]) -> [(pointer: String, offset: Int)] {
  var seen: Set<[UInt8]> = []
  var repeated: [(String, Int)] = []
  var walker = JSONWalker(bytes)
  walker.walk { pointer, key, _ in
    guard let key else { return }
    if !seen.insert(pointer).inserted {
      repeated.append((String(decoding: pointer, as: UTF8.self), key))
    }
  }
  return repeated
}

/// Line and column, from 1, of a byte. Columns count code points; a BOM is none.
func lineAndColumn(of offset: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
  let before = bytes[..<min(offset, bytes.count)]
  let lineStart = before.lastIndex(of: 10).map { $0 + 1 } ?? 0
  let line = before.lazy.filter { $0 == 10 }.count + 1
  var column = bytes[lineStart..<before.endIndex].lazy.filter { $0 & 0xC0 != 0x80 }.count + 1
  if lineStart == 0, offset >= 3, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { column -= 1 }
  return (line, column)
}
