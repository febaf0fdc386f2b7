# bash completions for tool; generated
_tool_files() {
  # Offers folders, and files with one of the given endings (all files if none is given).
  local ending
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <({
    compgen -d -- "$cur"
    if (($# == 0)); then compgen -f -- "$cur"; fi
    for ending; do compgen -f -X "!*.$ending" -- "$cur"; done
  } | sort -u)
}

_tool_folders() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -d -- "$cur")
}

_tool_listed() {
  # Offers the words that the tool lists: a word, a tab and a description on each line.
  # Several words are joined by commas.
  local list head= rest=$cur
  list=$(tool "$@" 2>/dev/null | cut -f 1)
  while
    mapfile -t COMPREPLY < <(compgen -W "$list" -P "$head" -- "$rest")
    ((${#COMPREPLY[@]} == 0)) && [[ $rest == *,* ]]
  do
    head+=${rest%%,*},
    rest=${rest#*,}
  done
}

_tool_for_line() {
  # Offers the words that the tool lists for this command line, or files if it lists none.
  local list
  list=$(tool $1 -- "${COMP_WORDS[@]:2}" 2>/dev/null | cut -f 1)
  if [[ -z $list ]]; then
    shift
    _tool_files "$@"
  else
    local IFS=$'\n'
    mapfile -t COMPREPLY < <(compgen -W "$list" -- "$cur")
  fi
}

_tool() {
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
    words="compile actool help --help --version"
  else
    case ${COMP_WORDS[1]} in
    help) words="compile actool" ;;
    compile)
      case $prev in
      -o | --output | --output=) _tool_files car; return ;;
      --cache | --cache=) _tool_folders; return ;;
      -n | --jobs | --jobs=) : ;;
      --diagnostics | --diagnostics=) words="text json sarif" ;;
      --platform | --platform=) words="iphoneos macosx" ;;
      --device | --device=) _tool_listed words; return ;;
      --target-device | --target-device=) words="iphone ipad" ;;
      --werror=) _tool_listed words; return ;;
      *)
        if [[ $cur == -* ]]; then
          words="--output --cache --no-cache --json --jobs --diagnostics --platform --device --target-device --werror --help --version"
        else
          _tool_files xcassets; return
        fi
        ;;
      esac
      ;;
    actool)
      case $prev in
      *)
        if [[ $cur == -* ]]; then
          words="--help --version"
        fi
        ;;
      esac
      ;;
    esac
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}

complete -F _tool tool
