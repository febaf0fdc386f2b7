// The columns of a stretched picture as runs: what is copied as it lies, what is copied and repeated,
// and the rest, which is mixed pixel by pixel. Every row has the same runs.

/// Neighbouring columns of the target.
struct ColumnRun {
  enum Kind { case copied, mirrored, mixed }
  var kind: Kind
  /// In the target.
  var start: Int
  var count: Int
  /// Of the copied columns, which are the first `period` of the run; the others repeat them.
  var source: Int
  var period: Int

  /// Fewer columns are not worth a run of their own.
  private static let least = 4

  static func runs(_ columns: [Sample]) -> [ColumnRun] {
    columns.withUnsafeBufferPointer { columns in
      var runs: [ColumnRun] = []
      var start = 0
      while start < columns.count {
        var run = ColumnRun.copied(columns, from: start)
        if run.count < least { run.kind = .mixed }
        let place = runs.count - 1
        if run.kind == .mixed, place >= 0, runs[place].kind == .mixed {
          runs[place].count += run.count
        } else {
          runs.append(run)
        }
        start += run.count
      }
      return runs
    }
  }

  /// The columns from `start` on that lie side by side in the source, and as often as they repeat.
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
