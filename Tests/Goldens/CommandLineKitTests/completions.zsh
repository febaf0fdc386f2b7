#compdef tool
# zsh completions for tool; generated
_tool_listed() {
  # Offers the words that the tool lists: a word, a tab and a description on each line.
  # Several words are joined by commas.
  local -a values
  values=("${(@f)$(tool "$@" 2>/dev/null)}")
  values=("${(@)${(@)values//:/\:}/$'	'/:}")
  until _describe value values; do compset -P 1 '*,' || return 1; done
}

_tool_for_line() {
  # Offers the words that the tool lists for this command line.
  local -a values
  values=("${(@f)$(tool "$@" -- $words[2,-1] 2>/dev/null)}")
  values=("${(@)${(@)values//:/\:}/$'\t'/:}")
  _describe value values
}

_tool() {
  local context state line
  local -a commands
  commands=(
    'compile:Compile catalogues into an archive'
    'actool:Answer as another tool'
  )
  _arguments -C \
    '(-h --help)'{-h,--help}'[show help]' \
    '--version[show the version]' \
    '1:command:->command' \
    '*::argument:->argument' && return
  case $state in
  command) _describe command commands ;;
  argument)
    case $words[1] in
    help) _describe command commands ;;
    compile)
      _arguments -S \
        '(-o --output)'{-o,--output=}'[where the archive goes]:PATH:_files -g "*.(car)"' \
        '--cache=[the folder of the cache]:DIR:_files -/' \
        '--no-cache[keep no cache]' \
        '(-j --json)'{-j,--json}'[print JSON]' \
        '(-n --jobs)'{-n,--jobs=}'[how many threads work]:N: ' \
        '--diagnostics=[how diagnostics are written]:FORMAT:(text json sarif)' \
        '--platform=[the platform]:NAME:(iphoneos macosx)' \
        '*--device=[thin for this device]:MODEL: _tool_listed words' \
        '*--target-device=[what to build for\: '\''all'\'' when it'\''s left out]:NAME:(iphone ipad)' \
        '*--werror=-[treat warnings as errors]::CODE: _tool_listed words' \
        '(-h --help)'{-h,--help}'[show this help]' \
        '--version[show the version]' \
        '*:CATALOG:_files -g "*.(xcassets)"'
      ;;
    actool)
      _arguments -S \
        '(-h --help)'{-h,--help}'[show this help]' \
        '--version[show the version]'
      ;;
    esac
    ;;
  esac
}

if [ "$funcstack[1]" = _tool ]; then _tool "$@"; else compdef _tool tool; fi
