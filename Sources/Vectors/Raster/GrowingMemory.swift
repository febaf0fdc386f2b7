// The memory that the rasteriser keeps between pictures.

/// Growing memory for plain values, which is kept for the next use. The values are not cleared
/// between uses.
struct GrowingMemory<Element>: ~Copyable {
  private(set) var base: UnsafeMutablePointer<Element>
  private(set) var capacity: Int

  init() {
    base = .allocate(capacity: 1)
    capacity = 0
  }

  deinit { base.deallocate() }

  /// Makes room for `count` values. If the memory has to grow, its values are lost. Returns whether
  /// it grew.
  @inline(__always) mutating func fit(_ count: Int) -> Bool {
    if count <= capacity { return false }
    grow(to: count, keeping: 0)
    return true
  }

  /// Makes room for `count` values and keeps the first `kept` values.
  @inline(__always) mutating func extend(to count: Int, keeping kept: Int) {
    if count > capacity { grow(to: count, keeping: kept) }
  }

  private mutating func grow(to count: Int, keeping kept: Int) {
    let size = max(count, capacity + capacity / 2, 256)
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: size)
    if kept > 0 { larger.update(from: base, count: kept) }
    base.deallocate()
    base = larger
    capacity = size
  }

  /// Reduces the room to `count` values. All values are lost if the room changes.
  mutating func shrink(to count: Int) {
    guard capacity > count else { return }
    base.deallocate()
    base = .allocate(capacity: max(count, 1))
    capacity = count
  }
}
