// Numbers for paths, in a compact table, because a catalogue has tens of thousands of paths.

import Bytes

/// Paths in the order in which they were added, each once.
struct PathNumbers: Sendable {
  private(set) var paths: [ByteString] = []
  /// The hash table: for each slot the number of its path plus 1, or 0 if the slot is free. Its
  /// size is a power of two, and at most three quarters of the slots are used.
  private var slots = [UInt32](repeating: 0, count: 64)

  /// The number of a path; nil if the path was not added.
  subscript(path: ByteString) -> Int? {
    let number = slots[slot(of: path)]
    return number == 0 ? nil : Int(number) - 1
  }

  /// Returns the number of a path, and adds the path if it is new. Numbers count from 0.
  mutating func number(of path: ByteString) -> Int {
    let slot = slot(of: path)
    if slots[slot] != 0 { return Int(slots[slot]) - 1 }
    paths.append(path)
    slots[slot] = UInt32(paths.count)
    if paths.count * 4 > slots.count * 3 { grow() }
    return paths.count - 1
  }

  /// Returns the slot of the path, or the free slot for it.
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
