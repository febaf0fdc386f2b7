// Makes the help texts from the rows.

import Documents

private let lineLength = 90

extension Program {
  /// The text of `carve --help`.
  package var help: String {
    let listed = commands.filter { !$0.isHidden }
    var text = "\(summary)\n\nUsage: \(name) COMMAND [OPTIONS]\n\nCommands:\n"
    text += table(listed.map { ($0.name, $0.summary) })
    text += "\nOptions:\n" + table(generalRows.map { ($0.label, $0.help) })
    text += "\n'\(name) COMMAND --help' tells more about a command.\n"
    return text
  }

  /// Returns the text of `carve COMMAND --help`.
  package func help(for command: Command) -> String {
    var text = "\(command.summary).\n\nUsage: \(name) \(command.name) \(command.usage)\n"
    for paragraph in paragraphs(command.discussion) {
      text += "\n" + wrap(paragraph, to: lineLength).joined(separator: "\n") + "\n"
    }
    if !command.operands.isEmpty {
      text += "\nArguments:\n" + table(command.operands.map { ($0.synopsis, $0.help) })
    }
    text += "\nOptions:\n" + table((allRows(of: command)).map { ($0.label, $0.fullHelp) })
    if !command.examples.isEmpty {
      text += "\nExamples:\n"
      for example in command.examples { text += "  \(example.command)\n      \(example.effect)\n" }
    }
    let codes = ExitStatus.allCases.map { "\($0.rawValue) \($0.shortMeaning)" }
    let line = "Exit codes: " + codes.joined(separator: ", ") + "."
    return text + "\n" + wrap(line, to: lineLength).joined(separator: "\n") + "\n"
  }
}

extension OptionRow {
  /// The names of the option with its placeholder: `-o, --output PATH`.
  var label: String { (short.map { "-\($0), " } ?? "    ") + synopsis }

  /// The help text, with the choices and the marks of the row.
  var fullHelp: String {
    var text = help
    if !form.choices.isEmpty { text += ": " + form.choices.joined(separator: ", ") }
    var notes: [String] = []
    if isRequired { notes.append("required") }
    if isRepeatable { notes.append("repeatable") }
    if !notes.isEmpty { text += " (" + notes.joined(separator: ", ") + ")" }
    return text
  }
}

extension ExitStatus {
  fileprivate var shortMeaning: String {
    switch self {
    case .fine: "fine"
    case .inputErrors: "errors in the input, or a limit or check that failed"
    case .usage: "usage"
    case .internalFault: "fault of the tool"
    case .inputOutput: "input/output failure"
    }
  }
}

func paragraphs(_ text: String) -> [String] {
  var result: [[Substring]] = [[]]
  for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
    if line.allSatisfy(\.isWhitespace) {
      result.append([])
    } else {
      result[result.count - 1].append(line)
    }
  }
  return result.filter { !$0.isEmpty }.map { $0.joined(separator: " ") }
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
