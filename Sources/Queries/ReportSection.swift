// The parts of which the reports about apps and histories consist, as text and as Markdown.

import Documents

/// A part of a report: a title, a table, and lines below it. It is printed as text for people or
/// as Markdown for a comment on a change.
struct ReportSection {
  var title = ""
  var rows: [[String]] = []
  /// The columns that are aligned on the right.
  var right: Set<Int> = []
  var remarks: [String] = []

  /// The lines of the text: the first row is the head of the table.
  var lines: [String] {
    (title.isEmpty ? [] : [title]) + alignedColumns(rows, right: right) + remarks
  }

  var markdown: String {
    var text = title.isEmpty ? "" : "**\(onOneLine(title).escapedForMarkdown)**\n\n"
    text += markdownTable(rows, right: right)
    if !rows.isEmpty { text += "\n" }
    for remark in remarks { text += "- \(onOneLine(remark).escapedForMarkdown)\n" }
    return remarks.isEmpty ? text : text + "\n"
  }
}

extension [ReportSection] {
  /// The sections as lines, with an empty line between two of them.
  var lines: [String] { Array<[String]>(map(\.lines)).joined(separator: [""]).map { $0 } }

  var markdown: String { map(\.markdown).joined() }
}
