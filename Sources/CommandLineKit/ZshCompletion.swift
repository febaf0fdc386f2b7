// The completion script for zsh, which uses its _arguments function.

import Documents

extension Program {
  var zshCompletion: String {
    let commands = listedCommands.map { "    \(quoted("\($0.name):\(zshText($0.summary))"))\n" }
    return """
      #compdef \(name)
      # zsh completions for \(name); generated
      _\(name)_listed() {
        # Offers the words that the tool lists: a word, a tab and a description on each line.
        # Several words are joined by commas.
        local -a values
        values=("${(@f)$(\(name) "$@" 2>/dev/null)}")
        values=("${(@)${(@)values//:/\\:}/$'\t'/:}")
        until _describe value values; do compset -P 1 '*,' || return 1; done
      }

      _\(name)_for_line() {
        # Offers the words that the tool lists for this command line.
        local -a values
        values=("${(@f)$(\(name) "$@" -- $words[2,-1] 2>/dev/null)}")
        values=("${(@)${(@)values//:/\\:}/$'\\t'/:}")
        _describe value values
      }

      _\(name)() {
        local context state line
        local -a commands
        commands=(
      \(commands.joined())  )
        _arguments -C \\
          '(-h --help)'{-h,--help}'[show help]' \\
          '--version[show the version]' \\
          '1:command:->command' \\
          '*::argument:->argument' && return
        case $state in
        command) _describe command commands ;;
        argument)
          case $words[1] in
          help) _describe command commands ;;
      \(listedCommands.map(zshCase).joined())    esac
          ;;
        esac
      }

      if [ "$funcstack[1]" = _\(name) ]; then _\(name) "$@"; else compdef _\(name) \(name); fi

      """
  }

  private func zshCase(_ command: Command) -> String {
    var specs = (allRows(of: command)).map(zshOption)
    for (index, row) in command.operands.enumerated() {
      let place = row.isRepeatable ? "*" : "\(index + 1)"
      specs.append(quoted("\(place):\(row.name):\(zshValues(row.form))"))
    }
    let lines = specs.map { "        \($0)" }.joined(separator: " \\\n")
    return "    \(command.name))\n      _arguments -S \\\n\(lines)\n      ;;\n"
  }

  private func zshOption(_ row: OptionRow) -> String {
    let help = "[\(zshText(row.help))]"
    let star = row.isRepeatable ? "*" : ""
    var value = ""
    if row.form != .none {
      value = "\(row.isValueOptional ? "::" : ":")\(row.form.placeholder):\(zshValues(row.form))"
    }
    let long =
      row.form == .none
      ? row.name : row.isValueOptional && !row.mayStandApart ? "\(row.name)=-" : "\(row.name)="
    guard let short = row.short else { return quoted("\(star)\(long)\(help)\(value)") }
    let either = row.isRepeatable ? "'*'" : "'(-\(short) \(row.name))'"
    return "\(either){-\(short),\(long)}\(quoted(help + value))"
  }

  private func zshValues(_ form: ValueForm) -> String {
    switch form {
    case .none, .text: " "
    case .choice(_, let values): "(\(values.joined(separator: " ")))"
    // The blank prevents zsh from adding its own arguments.
    case .listed(_, let list): " _\(name)_listed \(list.joined(separator: " "))"
    case .listedForLine(_, let list, _): " _\(name)_for_line \(list.joined(separator: " "))"
    case .path(_, let extensions) where extensions.isEmpty: "_files"
    case .path(_, let extensions): "_files -g \"*.(\(extensions.joined(separator: "|")))\""
    case .folder: "_files -/"
    }
  }

  private func zshText(_ text: String) -> String {
    text.reduce(into: "") { $0 += ":[]\\".contains($1) ? "\\\($1)" : String($1) }
  }
}
