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
