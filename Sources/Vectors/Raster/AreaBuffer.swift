// The exact coverage of pixels: lines are added, and then each row is summed up to one byte for
// each pixel. The buffer knows neither curves nor colours.
//
// The covered area of a pixel is the sum over all lines that cross its row. A line that goes down
// adds the area to its right, as high as the part of the line in this row, and a line that goes up
// subtracts it. A cell does not hold the area of its pixel but the difference from the area of the
// pixel before, because then a line changes only the cells around its place, and one running sum
// along the row gives all areas. Example: a shape in one row, whose left edge at x = 1.5 goes down
// and whose right edge at x = 4 goes up:
//
//   x        0     1     2     3     4     5     6
//            |     |  ↓##|#####|#####↑     |     |
//   cells       0   +0.5  +0.5    0    −1     0
//   sums        0    0.5    1     1     0     0
//
// A sloped line is distributed in the same way. This line goes from (0.5, 0) down to (2.5, 1); the
// area on its right is the sum below each pixel, and every pixel after x = 3 has the area 1:
//
//   x        0        1        2        3        4
//            |      \#|########|########|########|
//            |        |    \###|########|########|
//            |        |        | \######|########|
//   cells      0.0625   0.4375   0.4375   0.0625
//   sums       0.0625   0.5      0.9375   1

struct AreaBuffer: ~Copyable {
  /// The most pixels that are summed at once. A larger shape is summed in bands of rows, so that
  /// the memory of the cells is bounded.
  static let mostPixels = 1 << 22
  private(set) var box = PixelBox.empty
  /// The cells of all rows of the box. Each row has two cells more than it has pixels, because a
  /// line at the right edge also changes the cells after it. All cells are 0 between shapes.
  private var cells = GrowingMemory<Double>()
  /// A bit for each cell that may differ from 0. All bits are 0 between shapes.
  private var marks = GrowingMemory<UInt64>()
  private var stride = 0
  private var markStride = 0
  private var width = 0.0
  private var height = 0.0
  /// A measure of the work since the start: the number of lines, plus the rows that they cross,
  /// plus a fourth of the columns that they cross.
  var crossedRows = 0

  /// Begins a shape in a box, which must not be empty. All rows of the shape before must have been
  /// summed.
  mutating func begin(_ box: PixelBox) {
    self.box = box
    stride = box.width + 2
    markStride = (stride + 63) / 64
    width = Double(box.width)
    height = Double(box.height)
    if cells.fit(stride * box.height) { cells.base.update(repeating: 0, count: cells.capacity) }
    if marks.fit(markStride * box.height) { marks.base.update(repeating: 0, count: marks.capacity) }
  }

  mutating func release() {
    cells.shrink(to: 0)
    marks.shrink(to: 0)
  }

  /// Adds a line between two points of the bitmap, whose coordinates must have gone through `tame`.
  @inline(__always) mutating func line(_ from: Point, _ to: Point) { line(from, to, weight: 1) }

  /// Adds a line whose coverage is multiplied by `weight`.
  mutating func line(_ from: Point, _ to: Point, weight: Double) {
    crossedRows &+= 1
    if from.y == to.y { return }
    let goesDown = from.y < to.y
    let top = goesDown ? from : to
    let bottom = goesDown ? to : from
    let y0 = top.y - Double(box.y0)
    let y1 = bottom.y - Double(box.y0)
    if y1 <= 0 || y0 >= height { return }
    let x0 = top.x - Double(box.x0)
    let x1 = bottom.x - Double(box.x0)
    let sign = goesDown ? weight : -weight
    let slope = (x1 - x0) / (y1 - y0)
    crossedRows &+= Int(min(magnitude(x1 - x0), width)) >> 2
    var y = y0
    var x = x0
    if y0 < 0 {
      y = 0
      x = x0 - y0 * slope
    }
    let end = y1 < height ? y1 : height
    var row = Int(y)
    crossedRows &-= row
    while y < end {
      let edge = Double(row + 1)
      let isLast = edge >= y1
      let nextY = isLast ? y1 : edge
      let nextX = isLast ? x1 : x0 + (edge - y0) * slope
      piece(row, x, nextX, (nextY - y) * sign)
      x = nextX
      y = nextY
      row += 1
    }
    crossedRows &+= row
  }

  /// Adds the piece of a line that lies in one row. The piece leads from the x `from` to the x
  /// `to`, both counted from the left edge of the box. `height` is its height, positive if the line
  /// goes down. Parts on the left of the box cover the whole row; parts on the right of it cover
  /// nothing.
  @inline(__always)
  func piece(_ row: Int, _ from: Double, _ to: Double, _ height: Double) {
    var left = from < to ? from : to
    var right = from < to ? to : from
    var height = height
    if left < 0 || right > width {
      if left >= width { return }
      if right <= 0 {
        add(row, 0, height)
        return
      }
      let length = right - left
      let whole = height
      if left < 0 {
        let outside = whole * (-left / length)
        add(row, 0, outside)
        height -= outside
        left = 0
      }
      if right > width {
        height -= whole * ((right - width) / length)
        right = width
      }
    }
    cross(row, left, right, height)
  }

  private func add(_ row: Int, _ column: Int, _ value: Double) {
    cells.base[row * stride + column] += value
    mark(row, column, 1)
  }

  @inline(__always) private func mark(_ row: Int, _ column: Int, _ count: Int) {
    let word = marks.base + (row * markStride + column >> 6)
    let bits: UInt64 = (1 &<< UInt64(count)) &- 1
    let shift = UInt64(column & 63)
    word[0] |= bits &<< shift
    if Int(shift) + count > 64 { word[1] |= bits &>> (64 &- shift) }
  }

  /// Adds a piece that lies within the row: 0 ≤ left ≤ right ≤ width.
  @inline(__always)
  private func cross(_ row: Int, _ left: Double, _ right: Double, _ height: Double) {
    let first = Int(left)
    let cell = cells.base + (row * stride + first)
    let start = left - Double(first)
    if right <= Double(first + 1) {
      let middle = (start + (right - Double(first))) * 0.5
      cell[0] += height * (1 - middle)
      cell[1] += height * middle
      mark(row, first, 2)
      return
    }
    // The piece crosses several pixels. For a height of 1, `head` is the area of the triangle in
    // the first pixel and `tail` the area of the triangle that is missing in the last one. From
    // each pixel between them to the next, the area grows by `step`.
    let count = ceiling(right) - first
    let step = 1 / (right - left)
    let rest = 1 - start
    let head = 0.5 * step * rest * rest
    let end = right - Double(first + count - 1)
    let tail = 0.5 * step * end * end
    cell[0] += height * head
    if count == 2 {
      cell[1] += height * (1 - head - tail)
    } else {
      let second = step * (1.5 - start)
      cell[1] += height * (second - head)
      for i in 2..<count - 1 { cell[i] += height * step }
      cell[count - 1] += height * (1 - (second + Double(count - 3) * step) - tail)
    }
    cell[count] += height * tail
    var column = first
    var left = count + 1
    while left > 0 {
      mark(row, column, min(left, 63))
      column += 63
      left -= 63
    }
  }

  /// Sums a row up to a byte for each pixel and clears its cells for the next shape. Only the bytes
  /// from the first to the last that differ from 0 are written; their range is returned. `bytes`
  /// must have room for the row and two more bytes.
  mutating func sum(
    _ row: Int, _ rule: FillRule, into bytes: UnsafeMutablePointer<UInt8>
  ) -> Range<Int> {
    let marks = self.marks.base + row * markStride
    let cells = self.cells.base + row * stride
    var area = 0.0
    var value: UInt8 = 0
    var next = 0
    var first = -1
    for word in 0..<markStride where marks[word] != 0 {
      var bits = marks[word]
      marks[word] = 0
      while bits != 0 {
        let skipped = bits.trailingZeroBitCount
        let column = word << 6 + skipped
        let count = (~(bits >> UInt64(skipped))).trailingZeroBitCount
        if first < 0 { first = column } else { fill(bytes, next..<column, value) }
        for i in column..<column + count {
          area += cells[i]
          cells[i] = 0
          value = coverage(area, rule)
          bytes[i] = value
        }
        next = column + count
        bits = next & 63 == 0 ? 0 : bits & (~0 &<< UInt64(skipped + count))
      }
    }
    if first < 0 { return 0..<0 }
    if value != 0 {
      fill(bytes, min(next, box.width)..<box.width, value)
      next = box.width
    }
    return first..<max(first, min(next, box.width))
  }

  @inline(__always)
  private func fill(_ bytes: UnsafeMutablePointer<UInt8>, _ range: Range<Int>, _ value: UInt8) {
    (bytes + range.lowerBound).update(repeating: value, count: range.count)
  }
}

/// Returns the coverage byte of an area. The sum of many lines can lie a little below the whole
/// number that it should be. The error is less than the 1e-9 that is added.
@inline(__always) func coverage(_ area: Double, _ rule: FillRule) -> UInt8 {
  var size = area < 0 ? -area : area
  if rule == .evenOdd, size > 1 {
    size -= 2 * Double(Int(size * 0.5))
    if size > 1 { size = 2 - size }
  }
  let value = Int32((size < 1 ? size : 1) * 256 + 1e-9)
  return UInt8(truncatingIfNeeded: value < 255 ? value : 255)
}
