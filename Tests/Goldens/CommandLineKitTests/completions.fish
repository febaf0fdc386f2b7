# fish completions for tool; generated
complete -c tool -f
complete -c tool -n __fish_use_subcommand -a compile -d 'Compile catalogues into an archive'
complete -c tool -n __fish_use_subcommand -a actool -d 'Answer as another tool'
complete -c tool -s h -l help -d 'show this help'
complete -c tool -l version -d 'show the version'
complete -c tool -n '__fish_seen_subcommand_from compile' -s o -l output -r -F -d 'where the archive goes'
complete -c tool -n '__fish_seen_subcommand_from compile' -l cache -r -f -a '(__fish_complete_directories)' -d 'the folder of the cache'
complete -c tool -n '__fish_seen_subcommand_from compile' -l no-cache -d 'keep no cache'
complete -c tool -n '__fish_seen_subcommand_from compile' -s j -l json -d 'print JSON'
complete -c tool -n '__fish_seen_subcommand_from compile' -s n -l jobs -r -f -d 'how many threads work'
complete -c tool -n '__fish_seen_subcommand_from compile' -l diagnostics -r -f -a 'text json sarif' -d 'how diagnostics are written'
complete -c tool -n '__fish_seen_subcommand_from compile' -l platform -r -f -a 'iphoneos macosx' -d 'the platform'
complete -c tool -n '__fish_seen_subcommand_from compile' -l device -r -f -d 'thin for this device'
complete -c tool -n '__fish_seen_subcommand_from compile' -l target-device -r -f -a 'iphone ipad' -d 'what to build for: '\''all'\'' when it'\''s left out'
complete -c tool -n '__fish_seen_subcommand_from compile' -l werror -d 'treat warnings as errors'
complete -c tool -n '__fish_seen_subcommand_from compile' -F
