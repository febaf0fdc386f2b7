// The pen with which readers of font programs draw the outlines of glyphs, and the numbers of
// charstrings.

import Bytes

/// A pen that receives the outline of a glyph, in the units of its font.
struct GlyphPen {
  private(set) var paths: PathStore
  /// The transform from the units of the current component to the units of the glyph.
  var transform = Transform.identity
  private let budget: Budget

  /// Makes a pen with a store of its own, so that no other outlines are copied with it.
  init(budget: Budget) {
    paths = PathStore()
    self.budget = budget
  }

  /// The memory of the outline that was borrowed, for the pen and for the copy in the drawing.
  private(set) var borrowed = 0

  /// Charges a step. Returns false if the budget is exceeded.
  func spend(_ steps: Int = 1) -> Bool { budget.spend(.pathPoints, 2 * steps) }

  /// Charges a step with its points, which a growing array holds twice at times.
  private mutating func spend(points: Int) -> Bool {
    let bytes = 3 * (1 + points * MemoryLayout<Point>.stride)
    guard spend(), budget.borrow(.glyphs, bytes: bytes) else { return false }
    borrowed += bytes
    return true
  }

  private func transformed(_ x: Double, _ y: Double) -> Point { transform.apply(Point(x, y)) }

  mutating func move(_ x: Double, _ y: Double) {
    if spend(points: 1) { paths.move(to: transformed(x, y)) }
  }

  mutating func line(_ x: Double, _ y: Double) {
    if spend(points: 1) { paths.line(to: transformed(x, y)) }
  }

  mutating func curve(
    _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ x: Double, _ y: Double
  ) {
    if spend(points: 3) {
      paths.curve(transformed(x1, y1), transformed(x2, y2), to: transformed(x, y))
    }
  }

  mutating func quadratic(_ x1: Double, _ y1: Double, _ x: Double, _ y: Double) {
    if spend(points: 3) { paths.quadratic(transformed(x1, y1), to: transformed(x, y)) }
  }

  mutating func close() { paths.close() }

  mutating func end() -> Path { paths.end() }
}

// MARK: - Numbers of charstrings

extension BigEndianBytes {
  /// Returns the number that begins with the byte `first`, which is 32 or more, and moves
  /// `position` from the byte after `first` to the end of the number.
  func charStringNumber(_ first: Int, at position: inout Int) -> Double {
    let start = position
    switch first {
    case ...246:
      return Double(first - 139)
    case ...250:
      position += 1
      return Double((first - 247) * 256 + u8(start) + 108)
    case ...254:
      position += 1
      return Double(-(first - 251) * 256 - u8(start) - 108)
    default:
      position += 4
      return Double(Int32(truncatingIfNeeded: u32(start)))
    }
  }
}
