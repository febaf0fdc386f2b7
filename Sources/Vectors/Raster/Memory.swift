// The memory that the rasteriser keeps between pictures, and boxes of pixels.

/// Growing memory for plain values, which is kept for the next use. The values are not cleared
/// between uses.
struct Memory<Element>: ~Copyable {
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

/// The pixels x0 ..< x1 of the rows y0 ..< y1, counted from the upper left corner of the bitmap.
struct PixelBox: Equatable {
  var x0: Int
  var y0: Int
  var x1: Int
  var y1: Int

  static let empty = PixelBox(x0: 0, y0: 0, x1: 0, y1: 0)

  var width: Int { x1 - x0 }
  var height: Int { y1 - y0 }
  var area: Int { width * height }
  var isEmpty: Bool { x1 <= x0 || y1 <= y0 }

  /// Returns the first rows of the bands that divide the box from the top down. A band has at most
  /// `most` pixels, or is a single row.
  func bands(of most: Int) -> StrideTo<Int> { stride(from: y0, to: y1, by: bandHeight(most)) }

  /// Returns the band that begins with the row `y`.
  func band(from y: Int, of most: Int) -> PixelBox {
    PixelBox(x0: x0, y0: y, x1: x1, y1: min(y1, y + bandHeight(most)))
  }

  private func bandHeight(_ most: Int) -> Int { max(1, most / max(1, width)) }

  func intersection(_ other: PixelBox) -> PixelBox {
    let box = PixelBox(
      x0: max(x0, other.x0), y0: max(y0, other.y0), x1: min(x1, other.x1), y1: min(y1, other.y1))
    return box.isEmpty ? .empty : box
  }

  func union(_ other: PixelBox) -> PixelBox {
    if isEmpty { return other }
    if other.isEmpty { return self }
    return PixelBox(
      x0: min(x0, other.x0), y0: min(y0, other.y0), x1: max(x1, other.x1), y1: max(y1, other.y1))
  }

  func contains(_ other: PixelBox) -> Bool {
    x0 <= other.x0 && y0 <= other.y0 && x1 >= other.x1 && y1 >= other.y1
  }
}

/// The smallest and largest coordinates of points.
struct Extent {
  var minX = Double.infinity
  var minY = Double.infinity
  var maxX = -Double.infinity
  var maxY = -Double.infinity

  @inline(__always) mutating func add(_ p: Point) {
    minX = p.x < minX ? p.x : minX
    minY = p.y < minY ? p.y : minY
    maxX = p.x > maxX ? p.x : maxX
    maxY = p.y > maxY ? p.y : maxY
  }

  /// The box of the pixels that the points touch; empty if there are no points.
  var box: PixelBox {
    guard minX <= maxX else { return .empty }
    return PixelBox(x0: floor(minX), y0: floor(minY), x1: ceiling(maxX), y1: ceiling(maxY))
  }
}

/// The largest absolute value of a coordinate. `tame` limits coordinates to it.
let farthest = 1e7

/// Returns a coordinate with which pixels can be counted: limited to ±`farthest`, and 0 for NaN.
@inline(__always) func tame(_ value: Double) -> Double {
  // Both comparisons are false for NaN.
  let low = value > -farthest ? value : value <= -farthest ? -farthest : 0
  return low < farthest ? low : farthest
}

@inline(__always) func tame(_ p: Point) -> Point { Point(tame(p.x), tame(p.y)) }

/// Returns the largest whole number that is not above a tame value. The conversion alone would
/// round towards 0, and `floor` of the mathematical library must not be called.
@inline(__always) func floor(_ value: Double) -> Int {
  let whole = Int(value)
  return Double(whole) > value ? whole - 1 : whole
}

@inline(__always) func ceiling(_ value: Double) -> Int {
  let whole = Int(value)
  return Double(whole) < value ? whole + 1 : whole
}
