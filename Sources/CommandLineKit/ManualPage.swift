// Makes manual pages in the man(7) macros, from the same rows as the help texts.

extension Program {
  /// The names of all pages, without the section.
  package var manualPages: [String] {
    [name] + listedCommands.map { "\(name)-\($0.name)" }
  }

  /// Returns the source of a page; nil if there is no page with this name.
  package func manualPage(_ page: String) -> String? {
    if page == name { return overview }
    return listedCommands.first { "\(name)-\($0.name)" == page }.map(manualPage)
  }

  private var overview: String {
    var text = header(name, summary: summary)
    text += ".SH SYNOPSIS\n.B \(escaped(name))\n.I COMMAND\n[\\fIOPTIONS\\fR]\n"
    text += ".SH COMMANDS\n"
    for command in listedCommands {
      text += ".TP\n.BR \(escaped("\(name)-\(command.name)")) (1)\n\(line(command.summary)).\n"
    }
    text += ".SH OPTIONS\n" + generalRows.map(entry).joined()
    text += exitStatus { $0.meaning } + environment
    text += ".SH SEE ALSO\n"
    text += listedCommands.map { ".BR \(escaped("\(name)-\($0.name)")) (1)" }.joined(
      separator: " ,\n")
    return text + "\n"
  }

  private func manualPage(_ command: Command) -> String {
    var text = header("\(name)-\(command.name)", summary: command.summary)
    text += ".SH SYNOPSIS\n.B \(escaped("\(name) \(command.name)"))\n\(line(command.usage))\n"
    text += ".SH DESCRIPTION\n\(line(command.summary)).\n"
    for part in parts(of: command.discussion) {
      switch part {
      case .paragraph(let words): text += ".PP\n\(line(words))\n"
      case .table(let rows):
        text += rows.map { ".TP\n\\fB\(escaped($0))\\fR\n\(sentence($1))\n" }.joined()
      }
    }
    if !command.operands.isEmpty {
      text += ".SH ARGUMENTS\n"
      for row in command.operands {
        text += ".TP\n.I \(escaped(row.synopsis))\n\(sentence(row.help))\n"
      }
    }
    text += ".SH OPTIONS\n" + (allRows(of: command)).map(entry).joined()
    if !command.examples.isEmpty {
      text += ".SH EXAMPLES\n"
      for (index, example) in command.examples.enumerated() {
        text +=
          "\(index > 0 ? ".PP\n" : "")\(line(example.effect.capitalized)):\n.PP\n.EX\n\(line(example.command))\n.EE\n"
      }
    }
    return text + exitStatus { command.meaning(of: $0) } + environment
      + ".SH SEE ALSO\n.BR \(escaped(name)) (1)\n"
  }

  private func header(_ page: String, summary: String) -> String {
    let title = escaped(page.uppercased())
    return """
      .TH \(title) 1 "" "\(name) \(version)" "\(name.capitalized) manual"
      .SH NAME
      \(escaped(page)) \\- \(escaped(summary.hasSuffix(".") ? String(summary.dropLast()) : summary))

      """
  }

  private func entry(_ row: OptionRow) -> String {
    var text = ".TP\n"
    if let short = row.short { text += "\\fB\\-\(short)\\fR, " }
    text += "\\fB\(escaped(row.name))\\fR"
    text += escaped(String(row.synopsis.dropFirst(row.name.count)))
    return text + "\n\(sentence(row.fullHelp))\n"
  }

  private func exitStatus(_ meaning: (ExitStatus) -> String) -> String {
    ".SH EXIT STATUS\n"
      + ExitStatus.allCases.map { ".TP\n.B \($0.rawValue)\n\(sentence(meaning($0)))\n" }.joined()
  }

  private var environment: String {
    """
    .SH ENVIRONMENT
    .TP
    .B NO_COLOR
    If it is set, diagnostics are not coloured.

    """
  }
}

extension String {
  fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}

/// Escapes hyphens and backslashes, which have a meaning in man(7).
private func escaped(_ text: String) -> String {
  text.reduce(into: "") { result, character in
    switch character {
    case "\\": result += "\\e"
    case "-": result += "\\-"
    default: result.append(character)
    }
  }
}

/// Escapes a line of text so that it cannot be read as a macro.
private func line(_ text: String) -> String {
  (text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" : "") + escaped(text)
}

private func sentence(_ text: String) -> String {
  let body = line(text.prefix(1).uppercased() + text.dropFirst())
  return body.hasSuffix(".") ? body : body + "."
}
