// Formats numbers and tables for people.

/// Returns a number with commas between thousands.
package func grouped(_ number: Int) -> String {
  var text = ""
  for (place, digit) in String(number.magnitude).reversed().enumerated() {
    if place > 0, place % 3 == 0 { text.append(",") }
    text.append(digit)
  }
  return (number < 0 ? "-" : "") + String(text.reversed())
}

/// Returns a size in decimal units, in the form of Apple's report.
package func decimalSize(_ bytes: Int) -> String {
  if bytes == 0 { return "Zero KB" }
  let (unit, name) = bytes < 1_000_000 ? (1_000, "KB") : (1_000_000, "MB")
  let tenths = (bytes * 10 + unit / 2) / unit
  return tenths % 10 == 0 ? "\(tenths / 10) \(name)" : "\(tenths / 10).\(tenths % 10) \(name)"
}

/// Returns rows with aligned columns. The columns in `right` are aligned on the right.
package func alignedColumns(_ rows: [[String]], right: Set<Int> = []) -> [String] {
  let rows = rows.map { $0.map(onOneLine) }
  let columns = rows.map(\.count).max() ?? 0
  let widths = (0..<columns).map { column in
    rows.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0
  }
  return rows.map { row in
    var line = ""
    for (column, cell) in row.enumerated() {
      let gap = String(repeating: " ", count: widths[column] - cell.count)
      if column > 0 { line += "  " }
      line += right.contains(column) ? gap + cell : cell + gap
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}
