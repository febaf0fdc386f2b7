// Big-endian numbers in the tables of fonts. Bytes outside of the file read as 0, because tables of
// fonts are often wrong, and one wrong glyph is better than no page.

import Bytes

struct FontBytes {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var count: Int { bytes.count }

  func u8(_ offset: Int) -> Int {
    offset >= 0 && offset < bytes.count ? Int(bytes[offset]) : 0
  }

  func u16(_ offset: Int) -> Int { u8(offset) << 8 | u8(offset &+ 1) }
  func i16(_ offset: Int) -> Int { Int(Int16(truncatingIfNeeded: u16(offset))) }
  func u32(_ offset: Int) -> Int { u16(offset) << 16 | u16(offset &+ 2) }

  /// Reads a number of one to four bytes.
  func number(_ offset: Int, size: Int) -> Int {
    var value = 0
    for index in 0..<min(size, 4) { value = value << 8 | u8(offset &+ index) }
    return value
  }

  /// Returns the part of a range that lies inside of the bytes.
  func clamped(_ start: Int, count: Int) -> Range<Int> {
    let low = min(max(start, 0), bytes.count)
    return low..<low + min(max(count, 0), bytes.count - low)
  }
}

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

  /// Charges a step. Returns false if the budget is exceeded.
  func spend() -> Bool { budget.spend(.pathPoints, 2) }

  private func place(_ x: Double, _ y: Double) -> Point { transform.apply(Point(x, y)) }

  mutating func move(_ x: Double, _ y: Double) {
    if spend() { paths.move(to: place(x, y)) }
  }

  mutating func line(_ x: Double, _ y: Double) {
    if spend() { paths.line(to: place(x, y)) }
  }

  mutating func curve(
    _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ x: Double, _ y: Double
  ) {
    if spend() { paths.curve(place(x1, y1), place(x2, y2), to: place(x, y)) }
  }

  mutating func quadratic(_ x1: Double, _ y1: Double, _ x: Double, _ y: Double) {
    if spend() { paths.quadratic(place(x1, y1), to: place(x, y)) }
  }

  mutating func close() { paths.close() }

  mutating func end() -> Path { paths.end() }
}
