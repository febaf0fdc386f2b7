// Numbers for paths: a table of them with little around, for a catalogue has tens of thousands.

import Bytes

/// Paths in the order in which they came, each once.
struct PathNumbers: Sendable {
  private(set) var paths: [ByteString] = []
  /// A path's number and one; 0 for a free slot. A power of two, of which three quarters are used at most.
  private var slots = [UInt32](repeating: 0, count: 64)

  /// The number of a path that is known.
  subscript(path: ByteString) -> Int? {
    let number = slots[slot(of: path)]
    return number == 0 ? nil : Int(number) - 1
  }

  /// The number of a path, which is the count of those before it where it is new.
  mutating func number(of path: ByteString) -> Int {
    let slot = slot(of: path)
    if slots[slot] != 0 { return Int(slots[slot]) - 1 }
    paths.append(path)
    slots[slot] = UInt32(paths.count)
    if paths.count * 4 > slots.count * 3 { grow() }
    return paths.count - 1
  }

  /// Where the path is, or is to be.
  private func slot(of path: ByteString) -> Int {
    let mask = slots.count - 1
    var slot = path.hashValue & mask
    while slots[slot] != 0, paths[Int(slots[slot]) - 1] != path { slot = (slot + 1) & mask }
    return slot
  }

  private mutating func grow() {
    slots = [UInt32](repeating: 0, count: slots.count * 2)
    for (number, path) in paths.enumerated() { slots[slot(of: path)] = UInt32(number) + 1 }
  }
}
