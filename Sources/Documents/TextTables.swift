// Tables and paragraphs of texts: aligned columns, tables of Markdown, and lines of a given length.

/// Returns rows as a table in Markdown. The first row has the heads of the columns; the columns in
/// `right` are aligned on the right.
package func markdownTable(_ rows: [[String]], right: Set<Int> = []) -> String {
  guard let head = rows.first else { return "" }
  func line(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |\n" }
  let marks = head.indices.map { right.contains($0) ? "--:" : "---" }
  var text = line(head.map(\.escapedForMarkdown)) + "|\(marks.joined(separator: "|"))|\n"
  for row in rows.dropFirst() { text += line(row.map { onOneLine($0).escapedForMarkdown }) }
  return text
}

/// The greatest width of an aligned column.
private let mostColumnWidth = 80

/// Returns rows with aligned columns. The columns in `right` are aligned on the right.
package func alignedColumns(_ rows: [[String]], right: Set<Int> = []) -> [String] {
  let rows = rows.map { $0.map(onOneLine) }
  let columns = rows.map(\.count).max() ?? 0
  // A few long cells must not lengthen all rows.
  let widths = (0..<columns).map { column in
    min(rows.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0, mostColumnWidth)
  }
  return rows.map { row in
    var line = ""
    for (column, cell) in row.enumerated() {
      let gap = String(repeating: " ", count: max(0, widths[column] - cell.count))
      if column > 0 { line += "  " }
      line += right.contains(column) ? gap + cell : cell + gap
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}

/// Breaks a text at blanks. A line is longer than `length` only if a single word is.
package func wrap(_ text: String, to length: Int) -> [String] {
  var lines: [String] = []
  var line = ""
  for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
    if !line.isEmpty, line.count + 1 + word.count > length {
      lines.append(line)
      line = ""
    }
    line += (line.isEmpty ? "" : " ") + word
  }
  return line.isEmpty ? lines : lines + [line]
}
