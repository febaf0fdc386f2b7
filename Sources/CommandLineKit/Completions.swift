// Shell completions from the rows: the common part and fish. BashCompletion.swift and
// ZshCompletion.swift have the other shells.

import Documents

package enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish
}

extension Program {
  /// Returns a script with which the shell completes this program's command lines.
  package func completions(for shell: Shell) -> String {
    switch shell {
    case .bash: bashCompletion
    case .zsh: zshCompletion
    case .fish: fishCompletion
    }
  }

  var listedCommands: [Command] { commands.filter { !$0.isHidden } }

  private var fishCompletion: String {
    let first = "-n __fish_use_subcommand"
    var text = "# fish completions for \(name); generated\ncomplete -c \(name) -f\n"
    for command in listedCommands {
      text += "complete -c \(name) \(first) -a \(command.name) -d \(quoted(command.summary))\n"
    }
    for row in generalRows { text += "complete -c \(name) \(first)" + fishOption(row) }
    for command in listedCommands {
      let condition = "-n '__fish_seen_subcommand_from \(command.name)'"
      for row in allRows(of: command) {
        text += "complete -c \(name) \(condition)" + fishOption(row)
      }
      if let form = command.offeredForm {
        text += "complete -c \(name) \(condition)" + fishValues(form) + "\n"
      }
    }
    return text
  }

  private func fishOption(_ row: OptionRow) -> String {
    // Other tools' grammars have long names with one dash, which fish calls "old".
    var text = row.short.map { " -s \($0)" } ?? ""
    text += " -l \(row.long)"
    if row.form != .none {
      text += (row.isValueOptional ? "" : " -r") + fishValues(row.form, isList: row.isList)
    }
    return text + " -d \(quoted(row.help))\n"
  }

  private func fishValues(_ form: ValueForm, isList: Bool = false) -> String {
    switch form {
    case .none, .text: " -f"
    case .choice(_, let values): " -f -a \(quoted(values.joined(separator: " ")))"
    case .listed(_, let list) where isList:
      " -f -a '(__fish_complete_list , \"\(name) \(list.joined(separator: " "))\")'"
    case .listedForLine(_, let list, _):
      " -F -a '(\(name) \(list.joined(separator: " ")) -- (commandline -opc)[3..])'"
    case .listed(_, let list): " -f -a '(\(name) \(list.joined(separator: " ")))'"
    case .path: " -F"
    case .folder: " -f -a '(__fish_complete_directories)'"
    }
  }
}

extension Command {
  /// The form that shells offer as operands: the last one that offers words.
  var offeredForm: ValueForm? {
    operands.last {
      if case .text = $0.form { false } else { true }
    }?.form
  }
}

/// Returns the text in single quotes, which all three shells read in the same way.
func quoted(_ text: String) -> String {
  "'" + text.reduce(into: "") { $0 += $1 == "'" ? "'\\''" : String($1) } + "'"
}
