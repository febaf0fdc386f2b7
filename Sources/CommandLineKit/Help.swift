// Makes the help texts from the rows.

import Documents

private let lineLength = 90

extension Program {
  /// The text of `carve --help`.
  package var help: String {
    var text = "\(summary)\n\nUsage: \(name) COMMAND [OPTIONS]\n\nCommands:\n"
    text += table(listedCommands.map { ($0.name, $0.summary) })
    text += "\nOptions:\n" + table(generalRows.map { ($0.label, $0.help) })
    text += "\n'\(name) COMMAND --help' tells more about a command.\n"
    return text
  }

  /// Returns the text of `carve COMMAND --help`.
  package func help(for command: Command) -> String {
    var text = "\(command.summary).\n\nUsage: \(name) \(command.name) \(command.usage)\n"
    for part in parts(of: command.discussion) {
      switch part {
      case .paragraph(let words):
        text += "\n" + wrap(words, to: lineLength).joined(separator: "\n") + "\n"
      case .table(let rows): text += "\n" + table(rows)
      }
    }
    if !command.operands.isEmpty {
      text += "\nArguments:\n" + table(command.operands.map { ($0.synopsis, $0.help) })
    }
    text += "\nOptions:\n" + table((allRows(of: command)).map { ($0.label, $0.fullHelp) })
    if !command.examples.isEmpty {
      text += "\nExamples:\n"
      for example in command.examples { text += "  \(example.command)\n      \(example.effect)\n" }
    }
    let codes = ExitStatus.allCases.map { "\($0.rawValue) \(command.meaning(of: $0))" }
    let line = "Exit codes: " + codes.joined(separator: "; ") + "."
    return text + "\n" + wrap(line, to: lineLength).joined(separator: "\n") + "\n"
  }
}

extension OptionRow {
  /// The names of the option with its placeholder: `-o, --output PATH`.
  var label: String { (short.map { "-\($0), " } ?? "    ") + synopsis }

  /// The help text, with the choices and the marks of the row.
  var fullHelp: String {
    var text = help
    // The placeholder may state the only choice: `--windows all`.
    if !form.choices.isEmpty, form.choices != [form.placeholder] {
      text += ": " + form.choices.joined(separator: ", ")
    }
    var notes: [String] = []
    if isRequired { notes.append("required") }
    if isRepeatable { notes.append("repeatable") }
    if !notes.isEmpty { text += " (" + notes.joined(separator: ", ") + ")" }
    return text
  }
}

/// A part of a discussion, between empty lines.
enum DiscussionPart {
  case paragraph(String)
  /// Terms and their meanings.
  case table([(String, String)])
}

/// Returns the parts of a discussion. If each line of a part begins with two blanks, the part is a
/// table; two or more blanks follow its terms.
func parts(of discussion: String) -> [DiscussionPart] {
  var parts: [[Substring]] = [[]]
  for line in discussion.split(separator: "\n", omittingEmptySubsequences: false) {
    if line.allSatisfy(\.isWhitespace) {
      parts.append([])
    } else {
      parts[parts.count - 1].append(line)
    }
  }
  return parts.filter { !$0.isEmpty }.map { lines in
    lines.allSatisfy { $0.hasPrefix("  ") }
      ? .table(lines.map(row)) : .paragraph(lines.joined(separator: " "))
  }
}

private func row(_ line: Substring) -> (String, String) {
  let pieces = line.split(separator: " ", omittingEmptySubsequences: false).drop(while: \.isEmpty)
  let term = pieces.prefix { !$0.isEmpty }
  let meaning = pieces.dropFirst(term.count).drop(while: \.isEmpty)
  return (term.joined(separator: " "), meaning.joined(separator: " "))
}

/// Returns two columns. An entry that is too wide for the left column has a line of its own.
private func table(_ rows: [(String, String)]) -> String {
  let widest = rows.map(\.0.count).filter { $0 <= 30 }.max() ?? 0
  var text = ""
  for (left, right) in rows {
    var lines = wrap(right, to: lineLength - widest - 4)
    let first = left.count > widest || lines.isEmpty ? "" : lines.removeFirst()
    let gap = String(repeating: " ", count: first.isEmpty ? 0 : widest - left.count + 2)
    text += "  \(left)\(gap)\(first)\n"
    for line in lines { text += String(repeating: " ", count: widest + 4) + line + "\n" }
  }
  return text
}
