// Walks the text of a JSON file and reports the offset of each value and each key. It runs only
// over files with a finding. It does not check the text; if the text is not JSON, it stops early.
// JSONPlaces.swift turns the offsets into lines and columns.

struct JSONWalker {
  private let bytes: [UInt8]
  private var offset = 0
  /// The pointer of the present value.
  private var pointer: [UInt8] = []
  private var levels: [Level] = []
  private var opened = 0

  /// An open array or object.
  private struct Level {
    var isObject: Bool
    /// The number of the array or object in the text, from 1.
    var number: Int
    var index = 0
    /// The length of the container's own pointer.
    var pointerLength: Int
  }

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// A visited value.
  struct Visited {
    /// The number of the array or object that contains it; 0 for the root.
    var container: Int
    /// The length of the container's pointer. The rest of the value's pointer is its own key.
    var containerLength: Int
    /// The offset of its key; nil if it is not a member of an object.
    var key: Int?
    var value: Int
  }
  typealias Visit = (_ pointer: [UInt8], _ visited: Visited) -> Void

  mutating func walk(_ visit: Visit) {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    skipSpace()
    visit([], Visited(container: 0, containerLength: 0, key: nil, value: offset))
    enterOrSkip()
    while !levels.isEmpty, step(visit) {}
  }

  /// Visits the next member or element, or leaves the innermost container.
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
    visit(
      pointer,
      Visited(
        container: level.number, containerLength: level.pointerLength,
        key: level.isObject ? start : nil, value: offset))
    return enterOrSkip()
  }

  /// Opens a container or skips a plain value. Returns false if the text has neither here.
  @discardableResult private mutating func enterOrSkip() -> Bool {
    guard offset < bytes.count else { return false }
    switch bytes[offset] {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      opened += 1
      levels.append(
        Level(
          isObject: bytes[offset] == UInt8(ascii: "{"), number: opened,
          pointerLength: pointer.count))
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

  /// Appends the key at the offset to the pointer and skips it.
  private mutating func appendKey() {
    let start = offset
    skipString()
    let raw = bytes[start..<offset]
    let isPlain = !raw.contains { [UInt8(ascii: "\\"), 0x7E, 0x2F].contains($0) }
    if isPlain, raw.count >= 2 {
      pointer += raw.dropFirst().dropLast()
    } else if case .string(let key)? = try? parseJSON(Array(raw)) {
      pointer += pointerToken(key).bytes
    }
  }
}
