// Shell completions from the rows: the common part, and the scripts of fish, bash and zsh.

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

  private var fishCompletion: String {
    let first = "-n __fish_use_subcommand"
    var text = "# fish completions for \(name); generated\ncomplete -c \(name) -f\n"
    for command in listedCommands {
      text +=
        "complete -c \(name) \(first) -a \(command.name) -d \(inShellQuotes(command.summary))\n"
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
    return text + " -d \(inShellQuotes(row.help))\n"
  }

  private func fishValues(_ form: ValueForm, isList: Bool = false) -> String {
    switch form {
    case .none, .text: " -f"
    case .choice(_, let values): " -f -a \(inShellQuotes(values.joined(separator: " ")))"
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

// MARK: - Bash

// The completion script for bash. It needs only bash and the core utilities.

extension Program {
  var bashCompletion: String {
    let words = (listedCommands.map(\.name) + ["help", "--help", "--version"])
    let names = listedCommands.map(\.name).joined(separator: " ")
    return """
      # bash completions for \(name); generated
      _\(name)_files() {
        # Offers folders, and files with one of the given endings (all files if none is given).
        local ending
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <({
          compgen -d -- "$cur"
          if (($# == 0)); then compgen -f -- "$cur"; fi
          for ending; do compgen -f -X "!*.$ending" -- "$cur"; done
        } | sort -u)
      }

      _\(name)_folders() {
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -d -- "$cur")
      }

      _\(name)_listed() {
        # Offers the words that the tool lists: a word, a tab and a description on each line.
        # Several words are joined by commas.
        local list head= rest=$cur
        list=$(\(name) "$@" 2>/dev/null | cut -f 1)
        while
          mapfile -t COMPREPLY < <(compgen -W "$list" -P "$head" -- "$rest")
          ((${#COMPREPLY[@]} == 0)) && [[ $rest == *,* ]]
        do
          head+=${rest%%,*},
          rest=${rest#*,}
        done
      }

      _\(name)_for_line() {
        # Offers the words that the tool lists for this command line, or files if it lists none.
        local list
        list=$(\(name) $1 -- "${COMP_WORDS[@]:2}" 2>/dev/null | cut -f 1)
        if [[ -z $list ]]; then
          shift
          _\(name)_files "$@"
        else
          local IFS=$'\\n'
          mapfile -t COMPREPLY < <(compgen -W "$list" -- "$cur")
        fi
      }

      _\(name)() {
        local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} words=
        COMPREPLY=()
        # Bash divides --name=value into three words.
        if [[ $cur == = ]]; then
          cur=
          prev+==
        elif [[ $prev == = ]]; then
          prev=${COMP_WORDS[COMP_CWORD - 2]}=
        fi
        if ((COMP_CWORD == 1)); then
          words="\(words.joined(separator: " "))"
        else
          case ${COMP_WORDS[1]} in
          help) words="\(names)" ;;
      \(listedCommands.map(bashCase).joined())    esac
        fi
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
      }

      complete -F _\(name) \(name)

      """
  }

  private func bashCase(_ command: Command) -> String {
    var text = "    \(command.name))\n      case $prev in\n"
    for row in command.options where row.form != .none {
      let apart =
        row.isValueOptional && !row.mayStandApart
        ? "" : (row.short.map { "-\($0) | " } ?? "") + row.name + " | "
      let pattern = apart + row.name + "="
      text += "      \(pattern)) \(bashValues(row.form)) ;;\n"
    }
    text += "      *)\n        if [[ $cur == -* ]]; then\n"
    let names = (allRows(of: command)).map(\.name).joined(separator: " ")
    text += "          words=\"\(names)\"\n"
    if let form = command.offeredForm {
      text += "        else\n          \(bashValues(form))\n"
    }
    return text + "        fi\n        ;;\n      esac\n      ;;\n"
  }

  private func bashValues(_ form: ValueForm) -> String {
    switch form {
    case .none, .text: ":"
    case .choice(_, let values): "words=\"\(values.joined(separator: " "))\""
    case .listed(_, let list):
      (["_\(name)_listed"] + list).joined(separator: " ") + "; return"
    case .listedForLine(_, let list, let extensions):
      (["_\(name)_for_line", "\"\(list.joined(separator: " "))\""] + extensions)
        .joined(separator: " ") + "; return"
    case .path(_, let extensions):
      (["_\(name)_files"] + extensions).joined(separator: " ") + "; return"
    case .folder: "_\(name)_folders; return"
    }
  }
}

// MARK: - Zsh

// The completion script for zsh, which uses its _arguments function.

extension Program {
  var zshCompletion: String {
    let commands = listedCommands.map {
      "    \(inShellQuotes("\($0.name):\(zshText($0.summary))"))\n"
    }
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
      specs.append(inShellQuotes("\(place):\(row.name):\(zshValues(row.form))"))
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
    guard let short = row.short else { return inShellQuotes("\(star)\(long)\(help)\(value)") }
    let either = row.isRepeatable ? "'*'" : "'(-\(short) \(row.name))'"
    return "\(either){-\(short),\(long)}\(inShellQuotes(help + value))"
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
