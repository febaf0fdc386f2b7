// The completion script for bash. Needs nothing but bash itself.

extension Program {
  var bashCompletion: String {
    let words = (listedCommands.map(\.name) + ["help", "--help", "--version"])
    let names = listedCommands.map(\.name).joined(separator: " ")
    return """
      # bash completions for \(name); generated
      _\(name)_files() {
        # Folders, and the files that end in one of the given names (all where none is given).
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

      _\(name)() {
        local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} words=
        COMPREPLY=()
        # Bash parts --name=value into three words.
        if [[ $cur == = ]]; then
          cur=
        elif [[ $prev == = ]]; then
          prev=${COMP_WORDS[COMP_CWORD - 2]}
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
    for row in command.options where row.form != .none && !row.isValueOptional {
      let pattern = (row.short.map { "-\($0) | " } ?? "") + row.name
      text += "      \(pattern)) \(bashValues(row.form)) ;;\n"
    }
    text += "      *)\n        if [[ $cur == -* ]]; then\n"
    let names = (allRows(of: command)).map(\.name).joined(separator: " ")
    text += "          words=\"\(names)\"\n"
    if let last = command.operands.last {
      text += "        else\n          \(bashValues(last.form))\n"
    }
    return text + "        fi\n        ;;\n      esac\n      ;;\n"
  }

  private func bashValues(_ form: ValueForm) -> String {
    switch form {
    case .none, .text: ":"
    case .choice(_, let values): "words=\"\(values.joined(separator: " "))\""
    case .path(_, let extensions):
      (["_\(name)_files"] + extensions).joined(separator: " ") + "; return"
    case .folder: "_\(name)_folders; return"
    }
  }
}
