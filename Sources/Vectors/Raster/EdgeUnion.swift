// The union of the pieces of a stroke. The pieces overlap, and a place that several pieces cover
// must count only once.
//
// Each row of pixels is cut at every height at which a line begins, ends or crosses another line.
// Between two cuts the lines have a fixed order from left to right, and a running sum of their
// signs (+1 for a line that goes down, −1 for a line that goes up) counts the pieces that cover the
// place to the right of a line. Only the lines at which the sum leaves 0 or returns to 0 are edges
// of the union. Example: two pieces, between the lines a and c and between the lines b and d,
// overlap:
//
//          a   b         c   d
//          ↓###↓#########↑###↑
//   sum  0   1      2      1   0
//
// The lines a (0 to 1) and d (1 to 0) are added to the area buffer; b and c lie inside of the
// stroke.

struct EdgeUnion: ~Copyable, LineSink {
  struct Edge {
    var top: Point
    var bottom: Point
    var sign: Int32
  }

  /// The part of a line that lies in one row.
  struct Piece {
    var y0: Double
    var y1: Double
    var x0: Double
    var x1: Double
    var slope: Double
    var sign: Int32

    @inline(__always) func x(_ y: Double) -> Double { x0 + (y - y0) * slope }
  }

  private var edges = GrowingMemory<Edge>()
  private(set) var count = 0
  private(set) var extent = Extent()
  private var order = GrowingMemory<Int32>()
  private var active = GrowingMemory<Int32>()
  private var pieces = GrowingMemory<Piece>()
  private var cuts = GrowingMemory<Double>()
  private var crossing = GrowingMemory<(x: Double, piece: Int32)>()
  private var rowStarts = GrowingMemory<Int32>()
  /// The number of values that were moved while the cuts and crossings of a row were sorted: a
  /// measure of work.
  private var moves = 0

  /// The most lines that a stroke may have.
  private var most = 0
  var isFull: Bool { count >= most }
  /// The most lines of a row for which the union is computed. In rows with more lines, all lines
  /// are added to the area buffer, so that overlapping pieces are summed.
  private static let mostPieces = 400

  mutating func begin(most: Int) {
    self.most = most
    count = 0
    extent = Extent()
  }

  mutating func line(_ from: Point, _ to: Point) {
    guard count < most else { return }
    extent.add(from)
    extent.add(to)
    if from.y == to.y { return }
    edges.extend(to: count + 1, keeping: count)
    let goesDown = from.y < to.y
    edges.base[count] = Edge(
      top: goesDown ? from : to, bottom: goesDown ? to : from, sign: goesDown ? 1 : -1)
    count += 1
  }

  /// Adds the outline of the union to an area buffer. Stops if lines have crossed more rows than
  /// `mostRows`.
  mutating func addUnion(to area: inout AreaBuffer, mostRows: Int) {
    let box = area.box
    sortByRow(box)
    let count = self.count
    var next = 0
    var activeCount = 0
    for row in 0..<box.height {
      let top = Double(box.y0 + row)
      active.extend(to: activeCount + count - next, keeping: activeCount)
      while next < count, edges.base[Int(order.base[next])].top.y < top + 1 {
        active.base[activeCount] = order.base[next]
        activeCount += 1
        next += 1
      }
      activeCount = cutPieces(row, activeCount, in: &area)
      area.crossedRows &+= activeCount
      if area.crossedRows > mostRows { return }
    }
  }

  /// Sorts the lines by the row in which they begin.
  private mutating func sortByRow(_ box: PixelBox) {
    _ = order.fit(count + 1)
    _ = rowStarts.fit(box.height + 2)
    let starts = rowStarts.base
    starts.update(repeating: 0, count: box.height + 2)
    for i in 0..<count { starts[startRow(i, box) + 1] += 1 }
    for row in 0...box.height { starts[row + 1] += starts[row] }
    for i in 0..<count {
      let row = startRow(i, box)
      order.base[Int(starts[row])] = Int32(truncatingIfNeeded: i)
      starts[row] += 1
    }
  }

  @inline(__always) private func startRow(_ index: Int, _ box: PixelBox) -> Int {
    min(max(floor(edges.base[index].top.y) - box.y0, 0), box.height)
  }

  /// Collects the pieces of the active lines in a row, and removes lines that end above the row.
  /// Returns the number of lines that remain.
  private mutating func collectPieces(_ top: Double, _ activeCount: Int) -> Int {
    pieces.extend(to: activeCount, keeping: 0)
    var kept = 0
    for i in 0..<activeCount {
      let number = active.base[i]
      let edge = edges.base[Int(number)]
      guard edge.bottom.y > top else { continue }
      let slope = (edge.bottom.x - edge.top.x) / (edge.bottom.y - edge.top.y)
      let y0 = edge.top.y > top ? edge.top.y : top
      let y1 = edge.bottom.y < top + 1 ? edge.bottom.y : top + 1
      active.base[kept] = number
      let x0 = edge.top.x + (y0 - edge.top.y) * slope
      pieces.base[kept] = Piece(
        y0: y0, y1: y1, x0: x0, x1: x0 + (y1 - y0) * slope, slope: slope, sign: edge.sign)
      kept += 1
    }
    return kept
  }

  /// Adds the edges of the union in one row. Returns the number of lines that remain active.
  private mutating func cutPieces(
    _ row: Int, _ activeCount: Int, in area: inout AreaBuffer
  ) -> Int {
    let top = Double(area.box.y0 + row)
    let left = Double(area.box.x0)
    let count = collectPieces(top, activeCount)
    guard count > 0 else { return 0 }
    if count > EdgeUnion.mostPieces {
      for i in 0..<count {
        let piece = pieces.base[i]
        area.piece(
          row, piece.x0 - left, piece.x1 - left,
          (piece.y1 - piece.y0) * Double(piece.sign))
      }
      return count
    }
    moves = 0
    let cutCount = collectCuts(count, top)
    area.crossedRows &+= count * count / 4
    _ = crossing.fit(count)
    for i in 0..<cutCount - 1 {
      let y0 = cuts.base[i]
      let y1 = cuts.base[i + 1]
      if y1 > y0 { addSlab(row: row, y0: y0, y1: y1, left: left, count: count, to: area) }
    }
    // Charges the insertions that sorted the cuts and crossings.
    area.crossedRows &+= (moves + (cutCount - 2) * count) / 4
    return count
  }

  /// Collects the cuts of a row in order from the top: the ends of the row and the heights at which
  /// pieces begin, end or cross. Returns the number of cuts.
  private mutating func collectCuts(_ count: Int, _ top: Double) -> Int {
    cuts.extend(to: count * 2 + count * count / 2 + 4, keeping: 0)
    cuts.base[0] = top
    cuts.base[1] = top + 1
    var found = 2
    for i in 0..<count {
      let a = pieces.base[i]
      if a.y0 > top { found = insertCut(a.y0, found) }
      if a.y1 < top + 1 { found = insertCut(a.y1, found) }
      for j in i + 1..<max(count, i + 1) {
        let b = pieces.base[j]
        // Most pieces go through the whole row. Two such pieces do not cross if they have the same
        // order at both ends.
        if a.y0 == b.y0, a.y1 == b.y1, (a.x0 - b.x0 > 0) == (a.x1 - b.x1 > 0) { continue }
        let y0 = a.y0 > b.y0 ? a.y0 : b.y0
        let y1 = a.y1 < b.y1 ? a.y1 : b.y1
        if y0 >= y1 { continue }
        let before = a.x(y0) - b.x(y0)
        let after = a.x(y1) - b.x(y1)
        if before < 0 && after > 0 || before > 0 && after < 0 {
          found = insertCut(y0 + (y1 - y0) * (before / (before - after)), found)
        }
      }
    }
    return found
  }

  /// Inserts a cut in order, unless it exists already. Returns the number of cuts. Insertion is
  /// fast enough, because most rows have only two cuts and most other rows only a few.
  @inline(__always) private mutating func insertCut(_ y: Double, _ count: Int) -> Int {
    var index = count
    while index > 0, cuts.base[index - 1] >= y {
      if cuts.base[index - 1] == y { return count }
      index -= 1
    }
    moves &+= count - index
    var i = count
    while i > index {
      cuts.base[i] = cuts.base[i - 1]
      i -= 1
    }
    cuts.base[index] = y
    return count + 1
  }

  private mutating func addSlab(
    row: Int, y0: Double, y1: Double, left: Double, count: Int,
    to area: borrowing AreaBuffer
  ) {
    var crossed = 0
    let middle = (y0 + y1) * 0.5
    for i in 0..<count where pieces.base[i].y0 <= y0 && pieces.base[i].y1 >= y1 {
      let x = pieces.base[i].x(middle)
      var index = crossed
      while index > 0, crossing.base[index - 1].x > x {
        crossing.base[index] = crossing.base[index - 1]
        index -= 1
      }
      moves &+= crossed - index
      crossing.base[index] = (x, Int32(truncatingIfNeeded: i))
      crossed += 1
    }
    var winding: Int32 = 0
    for i in 0..<crossed {
      let piece = pieces.base[Int(crossing.base[i].piece)]
      let next = winding + piece.sign
      if (winding == 0) != (next == 0) {
        let height = next == 0 ? y0 - y1 : y1 - y0
        area.piece(row, piece.x(y0) - left, piece.x(y1) - left, height)
      }
      winding = next
    }
  }
}
