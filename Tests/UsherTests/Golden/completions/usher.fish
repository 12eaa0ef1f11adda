function __usher_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __usher_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __usher_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __usher_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __usher_parse_tokens -S
    set -l unparsed_tokens (__usher_tokens -pc)
    switch $unparsed_tokens[1]
    case 'usher'
        __usher_parse_subcommand 0 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'open'
            __usher_parse_subcommand -r 1 'source-application=' 'origin=' 'app=' 'universal-links-only' 'target-content-id=' 'annotation=' 'reason=' 'payload=' 'action=' 'open-in-place' 'wait=' 'timeout=' 'fallback=' 'progress' 'callback' 'dry-run' 'json' 'version' 'h/help'
        case 'explain'
            __usher_parse_subcommand 1 'source-application=' 'origin=' 'app=' 'universal-links-only' 'target-content-id=' 'as=' 'sandboxed' 'installed=' 'clicked' 'in-app' 'alone' 'json' 'version' 'h/help'
        case 'history'
            __usher_parse_subcommand 0 'limit=' 'json' 'version' 'h/help'
        case 'monitor'
            __usher_parse_subcommand 0 'json' 'version' 'h/help'
        case 'handlers'
            __usher_parse_subcommand 0 'json' 'version' 'h/help'
        case 'register'
            __usher_parse_subcommand 1 'name=' 'exec=' 'id=' 'scheme=+' 'web' 'direct' 'system' 'default' 'json' 'version' 'h/help'
        case 'unregister'
            __usher_parse_subcommand 1 'scheme=+' 'web' 'system' 'json' 'version' 'h/help'
        case 'doctor'
            __usher_parse_subcommand 0 'json' 'version' 'h/help'
        case 'listen'
            __usher_parse_subcommand -r 2 'each' 'replies' 'timeout=' 'idle=' 'version' 'h/help'
        case 'test-open'
            __usher_parse_subcommand -r 2 'simulate=' 'restart' 'watch=' 'source-application=' 'annotation=' 'timeout=' 'json' 'version' 'h/help'
        case 'routes'
            __usher_parse_subcommand 0 'version' 'h/help'
            switch $unparsed_tokens[1]
            case 'check'
                __usher_parse_subcommand -r 1 'strict' 'json' 'system' 'version' 'h/help'
            case 'test'
                __usher_parse_subcommand -r 1 'json' 'version' 'h/help'
            case 'match'
                __usher_parse_subcommand -r 1 'source-application=' 'assurance=' 'installed=' 'origin=' 'person=' 'sandboxed' 'running=+' 'json' 'version' 'h/help'
            case 'explain'
                __usher_parse_subcommand -r 1 'source-application=' 'assurance=' 'installed=' 'origin=' 'person=' 'sandboxed' 'running=+' 'limit=' 'json' 'version' 'h/help'
            case 'generate'
                __usher_parse_subcommand -r 1 'json' 'version' 'h/help'
            case 'coverage'
                __usher_parse_subcommand -r 1 'json' 'version' 'h/help'
            case 'graph'
                __usher_parse_subcommand -r 1 'format=' 'depth=' 'version' 'h/help'
            case 'diff'
                __usher_parse_subcommand 2 'markdown' 'json' 'version' 'h/help'
            end
        case 'grants'
            __usher_parse_subcommand 0 'version' 'h/help'
            switch $unparsed_tokens[1]
            case 'list'
                __usher_parse_subcommand 0 'source=' 'origin=' 'scheme=' 'host=' 'route=' 'json' 'version' 'h/help'
            case 'allow'
                __usher_parse_subcommand 0 'source=' 'origin=' 'scheme=' 'host=' 'route=' 'layer=' 'sandboxed' 'assurance=' 'app=' 'refuse' 'days=' 'forever' 'json' 'version' 'h/help'
            case 'revoke'
                __usher_parse_subcommand 0 'source=' 'origin=' 'scheme=' 'host=' 'route=' 'all' 'json' 'version' 'h/help'
            end
        case 'help'
            __usher_parse_subcommand -r 1 'version'
        end
    end
end

function __usher_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __usher_parse_subcommand -S -a positional_count
    argparse -s r -- $argv
    set -l option_specs $argv[2..]
    set -l is_repeating_positional $_flag_r
    set -el _flag_r
    set -a commands $unparsed_tokens[1]
    set positional_index 0
    while true
        set -e unparsed_tokens[1]
        argparse -sn "$commands" $option_specs -- $unparsed_tokens 2> /dev/null
        set unparsed_tokens $argv
        set positional_index (math $positional_index + 1)
        for non_repeating_flag_or_option in $non_repeating_flags_or_options
            if set -ql "_flag_$(string replace -a - _ -- $non_repeating_flag_or_option)"
                set non_repeating_flags_or_options_absent 1
                break
            end
        end
        test (count $unparsed_tokens) -eq 0 -o \( -z "$is_repeating_positional" -a "$positional_index" -gt "$positional_count" \) && break
    end
end

function __usher_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __usher_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__usher_tokens -p)
    if test -z "$(__usher_tokens -t)"
        set -l index (count (__usher_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens
end

complete -c 'usher' -f
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher" -eq 1' -fa 'open' -d 'Opens URLs and files, and says what became of them.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher" -eq 1' -fa 'explain' -d 'Says which application opens a URL and why, step by step; opens nothing.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher" -eq 1' -fa 'history' -d 'Tells what was opened, by whom and where, and what became of it.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher" -eq 1' -fa 'monitor' -d 'Tells what is opened while it happens, until you stop it with Ctrl-C.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher" -eq 1' -fa 'handlers' -d 'Lists the schemes of this desktop: which application opens each, since when, and who else could.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher" -eq 1' -fa 'register' -d 'Makes an application the one that opens a scheme\'s links.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher" -eq 1' -fa 'unregister' -d 'Takes a registration back; what was there before is there again.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher" -eq 1' -fa 'doctor' -d 'Checks the whole chain from link to application, and says what is wrong and what mends it.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher" -eq 1' -fa 'listen' -d 'Makes any program, in any language, one that gets links and replies to them.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher" -eq 1' -fa 'test-open' -d 'Opens links with an application that is not running, running or suspended, and tells the story.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher" -eq 1' -fa 'routes' -d 'Checks, tests, compares and draws route files, says where a URL goes and why, and makes URLs.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher" -eq 1' -fa 'grants' -d 'Shows and changes which links may be opened without asking.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher open" -ge 1' -F
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher open" source-application' -l 'source-application' -d 'The application that asks; a claim that never overrides what is verified.' -rfka '(__usher_custom_completion ---completion open -- --source-application (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher open" origin' -l 'origin' -d 'The page that the link is on, as https://example.org: without a click a person is asked.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher open" app' -l 'app' -d 'The application to open with, by its desktop-file ID.' -rfka '(__usher_custom_completion ---completion open -- --app (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher open" universal-links-only' -l 'universal-links-only' -d 'Only by an application that a route, or its own entry, gives this very link to; by no browser.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher open" target-content-id' -l 'target-content-id' -d 'Which content it is for: scenes are chosen by it.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher open" annotation' -l 'annotation' -d 'A value for the application: any JSON, at most 64 KiB.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher open" reason' -l 'reason' -d 'Why, where it is not for a URL: activate, shortcut-item, user-activity, local-notification, remote-notification …; with --app, and with or without URLs.' -rfka 'activate shortcut-item user-activity local-notification remote-notification'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher open" payload' -l 'payload' -d 'What the reason is about: any JSON, at most 64 KiB.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher open" action' -l 'action' -d 'The action of the application\'s desktop entry to perform.' -rfka '(__usher_custom_completion ---completion open -- --action (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher open" open-in-place' -l 'open-in-place' -d 'Let the application change the file where it is.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher open" wait' -l 'wait' -d 'How far to wait: until the broker has it, the application has it, or handled it.' -rfka 'accepted delivered handled'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher open" timeout' -l 'timeout' -d 'How long to wait, 0.001 to 86400 (default: 20).' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher open" fallback' -l 'fallback' -d 'A URL to open when it is certain that nothing arrived.' -rF
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher open" progress' -l 'progress' -d 'With --wait handled: tell on standard error how far the application is, also where that is no terminal.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher open" callback' -l 'callback' -d 'Wait for the answer of an application that answers by x-callback-url, and print it (--timeout: 300).'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher open" dry-run' -l 'dry-run' -d 'Decide and say why, open nothing.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher open" json' -l 'json' -d 'Print one JSON object: the receipt, with error and message when it failed.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher open" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher open" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher explain" -eq 1' -F
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher explain" source-application' -l 'source-application' -d 'The application that asks; a claim that never overrides what is verified.' -rfka '(__usher_custom_completion ---completion explain -- --source-application (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher explain" origin' -l 'origin' -d 'The page that the link is on, as https://example.org: without a click a person is asked.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher explain" app' -l 'app' -d 'The application to open with, by its desktop-file ID.' -rfka '(__usher_custom_completion ---completion explain -- --app (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher explain" universal-links-only' -l 'universal-links-only' -d 'Only by an application that a route, or its own entry, gives this very link to; by no browser.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher explain" target-content-id' -l 'target-content-id' -d 'Which content it is for: scenes are chosen by it.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher explain" as' -l 'as' -d 'Decide as for this caller: an application\'s ID with :claimed (where nothing follows), :executable, :unit or :sandbox; or unknown, a program that cannot be named.' -rfka '(__usher_custom_completion ---completion explain -- --as (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher explain" sandboxed' -l 'sandboxed' -d 'With --as: the caller is in a sandbox; with :sandbox it is anyway.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher explain" installed' -l 'installed' -d 'With --as ID: who can change what is installed of it, system (root alone) or user; if absent, as it is here.' -rfka 'system user'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher explain" clicked' -l 'clicked' -d 'Decide as if the user had clicked the link; a sandboxed caller\'s click does not count.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher explain" in-app' -l 'in-app' -d 'Ask the application too, where it runs: which of its scenes would get it, and why.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher explain" alone' -l 'alone' -d 'Do not ask the desktop\'s other openers.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher explain" json' -l 'json' -d 'Print one JSON object.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher explain" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher explain" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher history" limit' -l 'limit' -d 'How many at most, 1 to 10000.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher history" json' -l 'json' -d 'Print one JSON object.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher history" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher history" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher monitor" json' -l 'json' -d 'Print one JSON object a line.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher monitor" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher monitor" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher handlers" json' -l 'json' -d 'Print one JSON object.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher handlers" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher handlers" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher register" -eq 1' -fka '(__usher_custom_completion ---completion register -- positional@0 (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher register" name' -l 'name' -d 'A name for a program that has no desktop entry.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher register" exec' -l 'exec' -d 'Its command, as in a desktop entry; %u is the URL.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher register" id' -l 'id' -d 'The ID to give it, for a file or a --name: so a development build stands beside a release.' -rfka '(__usher_custom_completion ---completion register -- --id (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher register"' -l 'scheme' -d 'A scheme, as notes; may be given more than once.' -rfka '(__usher_custom_completion ---completion register -- --scheme (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher register" web' -l 'web' -d 'Web links: http and https, with your browser behind Usher.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher register" direct' -l 'direct' -d 'Make the application itself the default, without Usher\'s broker in between.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher register" system' -l 'system' -d 'For all users, below /usr/local/share and /etc/xdg: needs root.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher register" default' -l 'default' -d 'With --system: also make it the default of all users. Without --system it always becomes the default.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher register" json' -l 'json' -d 'Print one JSON object.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher register" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher register" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher unregister" -eq 1' -fka '(__usher_custom_completion ---completion unregister -- positional@0 (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher unregister"' -l 'scheme' -d 'A scheme; all of the application\'s when left out.' -rfka '(__usher_custom_completion ---completion unregister -- --scheme (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher unregister" web' -l 'web' -d 'Web links: http and https, with your browser behind Usher.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher unregister" system' -l 'system' -d 'What was registered for all users with --system: needs root.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher unregister" json' -l 'json' -d 'Print one JSON object.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher unregister" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher unregister" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher doctor" json' -l 'json' -d 'Print one JSON object.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher doctor" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher doctor" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher listen" -eq 1' -fka '(__usher_custom_completion ---completion listen -- positional@0 (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher listen" each' -l 'each' -d 'Start a new command for each request.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher listen" replies' -l 'replies' -d 'Without a command: read a reply to each request from standard input.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher listen" timeout' -l 'timeout' -d 'How long a reply may take, 0.001 to 86400 (default: 20).' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher listen" idle' -l 'idle' -d 'End when nothing has come for so long (default: never).' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher listen" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher listen" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher test-open" simulate' -l 'simulate' -d 'What the application is to be: cold, warm or suspended.' -rfka 'cold warm suspended'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher test-open" -eq 1' -fka '(__usher_custom_completion ---completion test-open -- positional@0 (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher test-open" -ge 2' -F
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher test-open" restart' -l 'restart' -d 'End an instance that is running, by SIGTERM, and begin anew.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher test-open" watch' -l 'watch' -d 'Run the tests of this route file and open the links again whenever it is written.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'toml\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher test-open" source-application' -l 'source-application' -d 'The application that asks; a claim that never overrides what is verified.' -rfka '(__usher_custom_completion ---completion test-open -- --source-application (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher test-open" annotation' -l 'annotation' -d 'A value for the application: any JSON, at most 64 KiB.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher test-open" timeout' -l 'timeout' -d 'How long to wait, 0.001 to 86400 (default: 20).' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher test-open" json' -l 'json' -d 'Print one JSON object for each time.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher test-open" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher test-open" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher routes" -eq 1' -fa 'check' -d 'Says what is wrong with route files, a line each: FILE:LINE:COLUMN: error: what, and what to do.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher routes" -eq 1' -fa 'test' -d 'Runs the tests that stand beside the routes: tests.yes, tests.no and tests.decide.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher routes" -eq 1' -fa 'match' -d 'Says which route a URL matches, what it captures, and what would be done; does nothing.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher routes" -eq 1' -fa 'explain' -d 'Says which route a URL goes to and over which others, by which rule, and which nearly match.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher routes" -eq 1' -fa 'generate' -d 'Prints the URL of a route with the values that its captures are to have.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher routes" -eq 1' -fa 'coverage' -d 'Says which routes the URLs of a file reach, which never, and which URLs reach none.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher routes" -eq 1' -fa 'graph' -d 'Draws the routes as a tree: schemes, hosts, segments, and what each route does.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher routes" -eq 1' -fa 'diff' -d 'Says which URLs go elsewhere when route files change, with an example of each class.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher routes check" -ge 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'toml\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes check" strict' -l 'strict' -d 'Warn also where two routes cross and the first difference from the left decides, with a URL each, of what is seldom meant, and of application IDs that are not installed.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes check" json' -l 'json' -d 'Print one JSON object.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes check" system' -l 'system' -d 'Check what is in force for this user: the route files of all layers, of a file with errors its last version without any.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes check" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes check" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher routes test" -ge 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'toml\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes test" json' -l 'json' -d 'Print one JSON object.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes test" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes test" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher routes match" -ge 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'toml\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes match" source-application' -l 'source-application' -d 'As if this application had asked.' -rfka '(__usher_custom_completion ---completion routes match -- --source-application (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes match" assurance' -l 'assurance' -d 'How sure that is: sandbox, unit, executable, claimed or unknown; if not told, claimed or unknown.' -rfka 'sandbox unit executable claimed unknown'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes match" installed' -l 'installed' -d 'Who can change what is installed of it: system (root alone) or user, which it is if absent.' -rfka 'system user'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes match" origin' -l 'origin' -d 'The web origin that asks, as https://example.org.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes match" person' -l 'person' -d 'What a person did: clicked or allowed.' -rfka 'clicked allowed'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes match" sandboxed' -l 'sandboxed' -d 'As if a sandboxed application had asked.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes match"' -l 'running' -d 'An application that runs; may be given more than once.' -rfka '(__usher_custom_completion ---completion routes match -- --running (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes match" json' -l 'json' -d 'Print one JSON object.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes match" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes match" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher routes explain" -ge 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'toml\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes explain" source-application' -l 'source-application' -d 'As if this application had asked.' -rfka '(__usher_custom_completion ---completion routes explain -- --source-application (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes explain" assurance' -l 'assurance' -d 'How sure that is: sandbox, unit, executable, claimed or unknown; if not told, claimed or unknown.' -rfka 'sandbox unit executable claimed unknown'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes explain" installed' -l 'installed' -d 'Who can change what is installed of it: system (root alone) or user, which it is if absent.' -rfka 'system user'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes explain" origin' -l 'origin' -d 'The web origin that asks, as https://example.org.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes explain" person' -l 'person' -d 'What a person did: clicked or allowed.' -rfka 'clicked allowed'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes explain" sandboxed' -l 'sandboxed' -d 'As if a sandboxed application had asked.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes explain"' -l 'running' -d 'An application that runs; may be given more than once.' -rfka '(__usher_custom_completion ---completion routes explain -- --running (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes explain" limit' -l 'limit' -d 'How many routes that nearly match are told.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes explain" json' -l 'json' -d 'Print one JSON object.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes explain" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes explain" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher routes generate" -ge 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'toml\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes generate" json' -l 'json' -d 'Print one JSON object.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes generate" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes generate" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher routes coverage" -ge 1' -F
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes coverage" json' -l 'json' -d 'Print one JSON object.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes coverage" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes coverage" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher routes graph" -ge 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'toml\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes graph" format' -l 'format' -d 'The language of the picture.' -rfka 'mermaid dot svg'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes graph" depth' -l 'depth' -d 'How many nodes stand behind one another at most.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes graph" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes graph" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher routes diff" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'toml\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher routes diff" -eq 2' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'toml\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes diff" markdown' -l 'markdown' -d 'Print a table in Markdown.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes diff" json' -l 'json' -d 'Print one JSON object.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes diff" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes diff" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher grants" -eq 1' -fa 'list' -d 'Shows what was allowed and refused, and until when.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher grants" -eq 1' -fa 'allow' -d 'Answers a question before it is asked: links of this kind may be opened.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher grants" -eq 1' -fa 'revoke' -d 'Takes answers back: the next such link is asked about again.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants list" source' -l 'source' -d 'The application that asks, by its desktop-file ID.' -rfka '(__usher_custom_completion ---completion grants list -- --source (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants list" origin' -l 'origin' -d 'The web origin that asks, as https://example.org.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants list" scheme' -l 'scheme' -d 'The scheme of the links.' -rfka '(__usher_custom_completion ---completion grants list -- --scheme (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants list" host' -l 'host' -d 'The host in the links.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants list" route' -l 'route' -d 'The route that asks, as its ID or owner/ID.' -rfka '(__usher_custom_completion ---completion grants list -- --route (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants list" json' -l 'json' -d 'Print one JSON object.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants list" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants list" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants allow" source' -l 'source' -d 'The application that asks, by its desktop-file ID.' -rfka '(__usher_custom_completion ---completion grants allow -- --source (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants allow" origin' -l 'origin' -d 'The web origin that asks, as https://example.org.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants allow" scheme' -l 'scheme' -d 'The scheme of the links.' -rfka '(__usher_custom_completion ---completion grants allow -- --scheme (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants allow" host' -l 'host' -d 'The host in the links.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants allow" route' -l 'route' -d 'The route that asks, as its ID or owner/ID.' -rfka '(__usher_custom_completion ---completion grants allow -- --route (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants allow" layer' -l 'layer' -d 'The layer of the route, where several have one of that name: final, user, administrator, vendor.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants allow" sandboxed' -l 'sandboxed' -d 'With --route: about callers in a sandbox. Without it, about callers outside.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants allow" assurance' -l 'assurance' -d 'How surely the source must be known: sandbox, unit, executable (default), claimed.' -rfka 'unknown claimed executable unit sandbox'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants allow" app' -l 'app' -d 'Where the question is which, the application that opens them.' -rfka '(__usher_custom_completion ---completion grants allow -- --app (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants allow" refuse' -l 'refuse' -d 'They may not be opened.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants allow" days' -l 'days' -d 'For how many days (default: 30).' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants allow" forever' -l 'forever' -d 'Without end.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants allow" json' -l 'json' -d 'Print one JSON object.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants allow" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants allow" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants revoke" source' -l 'source' -d 'The application that asks, by its desktop-file ID.' -rfka '(__usher_custom_completion ---completion grants revoke -- --source (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants revoke" origin' -l 'origin' -d 'The web origin that asks, as https://example.org.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants revoke" scheme' -l 'scheme' -d 'The scheme of the links.' -rfka '(__usher_custom_completion ---completion grants revoke -- --scheme (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants revoke" host' -l 'host' -d 'The host in the links.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants revoke" route' -l 'route' -d 'The route that asks, as its ID or owner/ID.' -rfka '(__usher_custom_completion ---completion grants revoke -- --route (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants revoke" all' -l 'all' -d 'All of them.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants revoke" json' -l 'json' -d 'Print one JSON object.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants revoke" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants revoke" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher help" version' -l 'version' -d 'Show the version.'
