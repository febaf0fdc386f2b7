// Signed distances from the outline of a shape, from the coverage of its pixels. The nearest pixel
// of the other side is found exactly, by columns and then by rows; its coverage says where in the
// pixel the outline is.

/// The distances of pixels from the outline of a shape, in pixels, positive inside. The sides of
/// the region are no outline.
struct OutlineDistance {
  /// The distance of pixels that are far from the outline.
  static let far: Float = 1e6

  /// Returns the distances. Inside, pixels up to `inside` pixels from the outline have their exact
  /// distance, outside those up to `outside` pixels.
  static func of(_ coverage: Plane, inside: Int, outside: Int) -> Plane {
    guard coverage.width > 0, coverage.height > 0 else { return coverage }
    return Plane(width: coverage.width, height: coverage.height) { target in
      coverage.values.withUnsafeBufferPointer { values in
        for index in values.indices { target[index] = values[index] >= 0.5 ? far : -far }
        var search = NearestPixels(values, width: coverage.width, height: coverage.height)
        search.measure(isInside: true, reach: inside, into: target)
        search.measure(isInside: false, reach: outside, into: target)
      }
    }
  }
}

/// Finds the nearest pixel of the other side for each pixel.
private struct NearestPixels {
  private let width: Int
  private let height: Int
  private let coverage: UnsafeBufferPointer<Float>
  /// The signed number of rows to the nearest pixel of the other side in the same column.
  private var rows: [Int32]
  /// The same for one row, for the pixels of one side; 0 for the others.
  private var line: [Int32]
  // The lower envelope of one row: the columns of parabolas, and where each begins.
  private var columns: [Int32]
  private var starts: [Int32]

  private static let none: Int32 = 1 << 14

  init(_ coverage: UnsafeBufferPointer<Float>, width: Int, height: Int) {
    self.width = width
    self.height = height
    self.coverage = coverage
    rows = [Int32](repeating: 0, count: width * height)
    line = [Int32](repeating: 0, count: width)
    columns = [Int32](repeating: 0, count: width + 1)
    starts = [Int32](repeating: 0, count: width + 1)
    searchColumns()
  }

  private mutating func searchColumns() {
    let (width, height, none) = (width, height, NearestPixels.none)
    rows.withUnsafeMutableBufferPointer { rows in
      guard let first = rows.baseAddress, let covered = coverage.baseAddress else { return }
      for x in 0..<width { first[x] = -none }
      // With pointers and without checks of overflows, these loops become vector instructions.
      for y in 1..<max(height, 1) {
        let (own, above) = (first + y &* width, first + (y &- 1) &* width)
        let (cover, coverAbove) = (covered + y &* width, covered + (y &- 1) &* width)
        for x in 0..<width {
          let isSame = (cover[x] >= 0.5) == (coverAbove[x] >= 0.5)
          own[x] = isSame ? max(-none, above[x] &- 1) : -1
        }
      }
      for y in stride(from: height - 2, through: 0, by: -1) {
        let (own, below) = (first + y &* width, first + (y &+ 1) &* width)
        let (cover, coverBelow) = (covered + y &* width, covered + (y &+ 1) &* width)
        for x in 0..<width {
          let isSame = (cover[x] >= 0.5) == (coverBelow[x] >= 0.5)
          let continued = below[x] > 0 ? below[x] &+ 1 : none
          let next = isSame ? continued : 1
          own[x] = next < 0 &- own[x] ? next : own[x]
        }
      }
    }
  }

  /// Stores the distances of the pixels of one side.
  mutating func measure(
    isInside: Bool, reach: Int, into target: UnsafeMutableBufferPointer<Float>
  ) {
    for y in 0..<height {
      let start = y * width
      line.withUnsafeMutableBufferPointer { line in
        rows.withUnsafeBufferPointer { rows in
          guard let own = rows.baseAddress, let covered = coverage.baseAddress,
            let target = line.baseAddress
          else { return }
          let (row, cover) = (own + start, covered + start)
          for x in 0..<width { target[x] = (cover[x] >= 0.5) == isInside ? row[x] : 0 }
        }
        columns.withUnsafeMutableBufferPointer { columns in
          starts.withUnsafeMutableBufferPointer { starts in
            let row = Row(
              number: y, reach: Int32(reach), rows: UnsafeBufferPointer(line), columns: columns,
              starts: starts)
            let count = row.envelope()
            if count > 0 { row.measure(count, coverage, isInside: isInside, into: target) }
          }
        }
      }
    }
  }
}

/// The search in one row: the lower envelope of parabolas, one for each column that has a pixel of
/// the other side.
private struct Row {
  let number: Int
  let reach: Int32
  /// The signed numbers of rows to the nearest pixels of the other side.
  let rows: UnsafeBufferPointer<Int32>
  /// The columns of the parabolas, and where each begins.
  let columns: UnsafeMutableBufferPointer<Int32>
  let starts: UnsafeMutableBufferPointer<Int32>

  /// Finds the parabolas of the envelope, and returns their number.
  func envelope() -> Int {
    let last = rows.count - 1
    var count = 0
    for x in 0...last {
      let own = rows[x]
      if own > reach || own < -reach { continue }
      // Of a run of pixels of the other side, only the ends can be nearest.
      if own == 0, x > 0, x < last, rows[x - 1] == 0, rows[x + 1] == 0 { continue }
      let column = Int32(x)
      while count > 0 {
        // The parabolas cross at sum / twice. The new one is lower from the next column on.
        let other = columns[count - 1]
        let otherRows = rows[Int(other)]
        let sum =
          column &* column &- other &* other &+ own &* own &- otherRows &* otherRows
        let twice = 2 &* (column &- other)
        if sum >= starts[count - 1] &* twice {
          // The quotient, rounded down; the sum is negative only if the start is.
          let quotient = sum / twice
          starts[count] = sum < 0 && quotient &* twice != sum ? quotient : quotient &+ 1
          break
        }
        count -= 1
      }
      if count == 0 { starts[0] = 0 }
      columns[count] = column
      count += 1
    }
    return count
  }

  /// Stores the distances of the row, of which the envelope has `count` parabolas.
  func measure(
    _ count: Int, _ coverage: UnsafeBufferPointer<Float>, isInside: Bool,
    into target: UnsafeMutableBufferPointer<Float>
  ) {
    let width = rows.count
    let start = number * width
    var piece = 0
    for x in 0..<width {
      while piece + 1 < count, starts[piece + 1] <= Int32(x) { piece += 1 }
      if rows[x] == 0 { continue }
      let column = columns[piece]
      let (dx, dy) = (Int32(x) &- column, rows[Int(column)])
      let square = dx &* dx &+ dy &* dy
      if square > reach &* reach { continue }
      let other = coverage[(number + Int(dy)) * width + Int(column)]
      let distance = Float(square).squareRoot()
      target[start + x] = isInside ? distance + (other - 0.5) : 0.5 - distance + (other - 1)
    }
  }
}
