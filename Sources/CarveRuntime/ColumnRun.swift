// Divides the columns of a stretched picture into runs: columns that are copied, columns that are
// copied and then repeated, and columns that are mixed pixel by pixel. Every row has the same runs.
//
// An example: a cap of 5 pixels (a to e) keeps its size, and a middle of 4 pixels (f to i) is
// repeated in 10 columns. The source pixel of each column of the target:
//
//     a b c d e f g h i f g h i f g
//     └ first run ────┘ └ second ─┘
//
// The first run starts at column 0 and copies 9 pixels from a. The second run starts at column 9,
// copies the 4 pixels from f (its period), and repeats them in 2 more columns.

/// Adjacent columns of the target.
struct ColumnRun {
  enum Kind { case copied, mirrored, mixed }
  var kind: Kind
  /// The first column in the target.
  var start: Int
  var count: Int
  /// The first of the copied columns in the source. The first `period` columns of the run are
  /// copied; the others repeat them.
  var source: Int
  var period: Int

  /// A run of fewer columns is not worth its cost; its columns are mixed.
  private static let least = 4

  static func runs(_ columns: [Sample]) -> [ColumnRun] {
    columns.withUnsafeBufferPointer { columns in
      var runs: [ColumnRun] = []
      var start = 0
      while start < columns.count {
        var run = ColumnRun.copied(columns, from: start)
        if run.count < least { run.kind = .mixed }
        let last = runs.count - 1
        if run.kind == .mixed, last >= 0, runs[last].kind == .mixed {
          runs[last].count += run.count
        } else {
          runs.append(run)
        }
        start += run.count
      }
      return runs
    }
  }

  /// Returns the run that begins at `start`: the columns that are adjacent in the source, and their
  /// repetitions.
  private static func copied(
    _ columns: UnsafeBufferPointer<Sample>, from start: Int
  ) -> ColumnRun {
    let first = columns[start]
    guard first.weight == 0 else {
      return ColumnRun(kind: .mixed, start: start, count: 1, source: first.first, period: 1)
    }
    var end = start + 1
    var step = 0
    if end < columns.count, columns[end].weight == 0 {
      step = columns[end].first - first.first
      if step != 1 && step != -1 { step = 0 }
    }
    while step != 0, end < columns.count, columns[end].weight == 0,
      columns[end].first == columns[end - 1].first + step
    { end += 1 }
    let period = end - start
    while end < columns.count, columns[end].weight == 0,
      columns[end].first == columns[end - period].first
    { end += 1 }
    return ColumnRun(
      kind: step < 0 ? .mirrored : .copied, start: start, count: end - start, source: first.first,
      period: period)
  }
}
