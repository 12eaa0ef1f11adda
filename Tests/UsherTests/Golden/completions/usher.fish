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
        case 'reveal'
            __usher_parse_subcommand -r 1 'version' 'h/help'
        case 'explain'
            __usher_parse_subcommand 1 'source-application=' 'origin=' 'app=' 'universal-links-only' 'target-content-id=' 'as=' 'sandboxed' 'installed=' 'clicked' 'in-app' 'skip-comparison' 'json' 'version' 'h/help'
        case 'history'
            __usher_parse_subcommand 0 'limit=' 'since=' 'until=' 'json' 'version' 'h/help'
        case 'monitor'
            __usher_parse_subcommand 0 'json' 'version' 'h/help'
        case 'handlers'
            __usher_parse_subcommand 0 'json' 'version' 'h/help'
        case 'register'
            __usher_parse_subcommand 1 'name=' 'exec=' 'id=' 'scheme=+' 'web' 'direct' 'system' 'default' 'reset-portal' 'json' 'version' 'h/help'
        case 'unregister'
            __usher_parse_subcommand 1 'scheme=+' 'web' 'system' 'json' 'version' 'h/help'
        case 'doctor'
            __usher_parse_subcommand 0 'fix' 'json' 'version' 'h/help'
        case 'notify'
            __usher_parse_subcommand 0 'version' 'h/help'
            switch $unparsed_tokens[1]
            case 'add'
                __usher_parse_subcommand 1 'title=' 'subtitle=' 'body=' 'at=' 'in=' 'every=' 'calendar=' 'repeats' 'time-zone=' 'identifier=' 'action=+' 'category=' 'badge=' 'sound=' 'thread=' 'user-info=' 'target-content-id=' 'request=' 'json' 'version' 'h/help'
            case 'list'
                __usher_parse_subcommand 1 'json' 'version' 'h/help'
            case 'cancel'
                __usher_parse_subcommand -r 2 'all' 'json' 'version' 'h/help'
            case 'settings'
                __usher_parse_subcommand 1 'json' 'version' 'h/help'
            end
        case 'push'
            __usher_parse_subcommand 0 'version' 'h/help'
            switch $unparsed_tokens[1]
            case 'register'
                __usher_parse_subcommand 1 'vapid=' 'distributor=' 'json' 'version' 'h/help'
            case 'list'
                __usher_parse_subcommand 0 'json' 'version' 'h/help'
            case 'unregister'
                __usher_parse_subcommand 1 'json' 'version' 'h/help'
            end
        case 'listen'
            __usher_parse_subcommand -r 2 'each' 'replies' 'concurrent=' 'timeout=' 'idle=' 'version' 'h/help'
        case 'test-open'
            __usher_parse_subcommand -r 2 'simulate=' 'restart' 'watch=' 'source-application=' 'annotation=' 'timeout=' 'json' 'version' 'h/help'
        case 'test-application'
            __usher_parse_subcommand 2 'slow=' 'failing=' 'timeout=' 'home=' 'only=+' 'json' 'version' 'h/help'
        case 'routes'
            __usher_parse_subcommand 0 'version' 'h/help'
            switch $unparsed_tokens[1]
            case 'check'
                __usher_parse_subcommand -r 1 'strict' 'json' 'system' 'version' 'h/help'
            case 'test'
                __usher_parse_subcommand -r 1 'json' 'version' 'h/help'
            case 'match'
                __usher_parse_subcommand -r 1 'source-application=' 'assurance=' 'installed=' 'origin=' 'user-activation=' 'sandboxed' 'running=+' 'json' 'version' 'h/help'
            case 'explain'
                __usher_parse_subcommand -r 1 'source-application=' 'assurance=' 'installed=' 'origin=' 'user-activation=' 'sandboxed' 'running=+' 'limit=' 'json' 'version' 'h/help'
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
                __usher_parse_subcommand 1 'source=' 'container=' 'origin=' 'scheme=' 'host=' 'route=' 'permission=' 'json' 'version' 'h/help'
            case 'allow'
                __usher_parse_subcommand 1 'source=' 'container=' 'origin=' 'scheme=' 'host=' 'route=' 'permission=' 'layer=' 'sandboxed' 'assurance=' 'app=' 'refuse' 'days=' 'forever' 'json' 'version' 'h/help'
            case 'revoke'
                __usher_parse_subcommand 1 'source=' 'container=' 'origin=' 'scheme=' 'host=' 'route=' 'permission=' 'all' 'json' 'version' 'h/help'
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
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher" -eq 1' -fa 'open' -d 'Open URLs and files, and report the outcome.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher" -eq 1' -fa 'reveal' -d 'Show files in the file manager.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher" -eq 1' -fa 'explain' -d 'Show which application opens a URL and why, step by step, and open nothing.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher" -eq 1' -fa 'history' -d 'List requests with source, application and outcome.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher" -eq 1' -fa 'monitor' -d 'Print requests as they happen, until Ctrl-C.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher" -eq 1' -fa 'handlers' -d 'List the schemes of this desktop with the application that opens each, since when, and the alternatives.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher" -eq 1' -fa 'register' -d 'Make an application the default for the links of a scheme.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher" -eq 1' -fa 'unregister' -d 'Revert a registration and restore the previous default.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher" -eq 1' -fa 'doctor' -d 'Check that links reach their applications, and print each problem and the command that fixes it.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher" -eq 1' -fa 'notify' -d 'Show a notification of an application, now or at a time.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher" -eq 1' -fa 'push' -d 'Register applications for notifications from their servers.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher" -eq 1' -fa 'listen' -d 'Receive links for a program in any language, and pass its replies to the callers.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher" -eq 1' -fa 'test-open' -d 'Open links in an application that is not running, running or suspended, and report each step.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher" -eq 1' -fa 'test-application' -d 'Check that an application implements org.usher.Application1 correctly.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher" -eq 1' -fa 'routes' -d 'Check, test, compare and draw route files; match, explain and generate URLs.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher" -eq 1' -fa 'grants' -d 'List and change the stored answers of the user to prompts.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher open" -ge 1' -F
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher open" source-application' -l 'source-application' -d 'Claim to be this application; the claim never overrides a verified identity.' -rfka '(__usher_custom_completion ---completion open -- --source-application (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher open" origin' -l 'origin' -d 'Set the web origin of the link, such as https://example.org; without a click, such a link needs the user\'s consent.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher open" app' -l 'app' -d 'Select this application, given by its desktop-file ID.' -rfka '(__usher_custom_completion ---completion open -- --app (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher open" universal-links-only' -l 'universal-links-only' -d 'Open only with an application that a route names, or whose own desktop entry declares the scheme; not with the default application of http, https and file.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher open" target-content-id' -l 'target-content-id' -d 'Select the scene for this content.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher open" annotation' -l 'annotation' -d 'Pass this value to the application: any JSON, at most 64 KiB.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher open" reason' -l 'reason' -d 'Set the launch reason: activate, shortcut-item, user-activity, local-notification, remote-notification …; needs --app, and no URL is required.' -rfka 'activate shortcut-item user-activity local-notification remote-notification'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher open" payload' -l 'payload' -d 'Pass the payload of the launch reason: any JSON, at most 64 KiB.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher open" action' -l 'action' -d 'Perform this action of the application\'s desktop entry.' -rfka '(__usher_custom_completion ---completion open -- --action (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher open" open-in-place' -l 'open-in-place' -d 'Allow the application to edit the file in place.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher open" wait' -l 'wait' -d 'Wait until the broker has accepted the request, the application has received it, or has handled it.' -rfka 'accepted delivered handled'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher open" timeout' -l 'timeout' -d 'Wait at most this long, 0.001 to 86400 (default: 20).' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher open" fallback' -l 'fallback' -d 'Open this URL instead if the application was not reached, declined the request or reported an error.' -rF
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher open" progress' -l 'progress' -d 'With --wait handled: print progress on standard error even if it is not a terminal.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher open" callback' -l 'callback' -d 'Wait for the x-callback-url answer of the application and print it (--timeout: 300).'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher open" dry-run' -l 'dry-run' -d 'Print the decision and its reasons, and open nothing.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher open" json' -l 'json' -d 'Print one JSON object: the receipt, plus error and message on failure.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher open" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher open" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher reveal" -ge 1' -F
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher reveal" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher reveal" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher explain" -eq 1' -F
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher explain" source-application' -l 'source-application' -d 'Claim to be this application; the claim never overrides a verified identity.' -rfka '(__usher_custom_completion ---completion explain -- --source-application (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher explain" origin' -l 'origin' -d 'Set the web origin of the link, such as https://example.org; without a click, such a link needs the user\'s consent.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher explain" app' -l 'app' -d 'Select this application, given by its desktop-file ID.' -rfka '(__usher_custom_completion ---completion explain -- --app (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher explain" universal-links-only' -l 'universal-links-only' -d 'Open only with an application that a route names, or whose own desktop entry declares the scheme; not with the default application of http, https and file.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher explain" target-content-id' -l 'target-content-id' -d 'Select the scene for this content.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher explain" as' -l 'as' -d 'Decide as for this caller: an application\'s ID with :claimed (the default), :executable, :unit or :sandbox; or unknown, an unidentified program.' -rfka '(__usher_custom_completion ---completion explain -- --as (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher explain" sandboxed' -l 'sandboxed' -d 'With --as: treat the caller as sandboxed (implied by :sandbox).'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher explain" installed' -l 'installed' -d 'With --as ID: treat the application as installed for all users (system: only root can modify its files) or by the user (user). Default: as installed here.' -rfka 'system user'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher explain" clicked' -l 'clicked' -d 'Decide as if the user had clicked the link; a sandboxed caller\'s click does not count.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher explain" in-app' -l 'in-app' -d 'If the application runs, ask it which of its scenes would receive the URL, and why.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher explain" skip-comparison' -l 'skip-comparison' -d 'Do not compare with the desktop\'s other openers.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher explain" json' -l 'json' -d 'Print one JSON object.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher explain" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher explain" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher history" limit' -l 'limit' -d 'Print at most this many requests, 1 to 10000.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher history" since' -l 'since' -d 'Print only requests that arrived at this time or later.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher history" until' -l 'until' -d 'Print only requests that arrived before this time.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher history" json' -l 'json' -d 'Print one JSON object.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher history" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher history" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher monitor" json' -l 'json' -d 'Print one JSON object per line.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher monitor" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher monitor" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher handlers" json' -l 'json' -d 'Print one JSON object.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher handlers" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher handlers" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher register" -eq 1' -fka '(__usher_custom_completion ---completion register -- positional@0 (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher register" name' -l 'name' -d 'Set the name of a program without a desktop entry.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher register" exec' -l 'exec' -d 'Run this command, as in a desktop entry; %u stands for the URL.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher register" id' -l 'id' -d 'Give a desktop file, an AppImage or a --name this ID, for example for a development build beside a release.' -rfka '(__usher_custom_completion ---completion register -- --id (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher register"' -l 'scheme' -d 'Register this scheme, such as notes; may be repeated.' -rfka '(__usher_custom_completion ---completion register -- --scheme (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher register" web' -l 'web' -d 'Select web links (http and https), which Usher passes to your browser unless a route decides otherwise.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher register" direct' -l 'direct' -d 'Make the application itself the default, bypassing Usher\'s broker.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher register" system' -l 'system' -d 'Register for all users, below /usr/local/share and /etc/xdg; needs root.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher register" default' -l 'default' -d 'With --system: also make it the default for users who have chosen no default for the scheme. Without --system, it always becomes the default.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher register" reset-portal' -l 'reset-portal' -d 'Also remove the desktop portal\'s stored choices for these schemes, which would take precedence over the new default.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher register" json' -l 'json' -d 'Print one JSON object.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher register" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher register" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher unregister" -eq 1' -fka '(__usher_custom_completion ---completion unregister -- positional@0 (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher unregister"' -l 'scheme' -d 'Unregister this scheme (default: all schemes of the application).' -rfka '(__usher_custom_completion ---completion unregister -- --scheme (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher unregister" web' -l 'web' -d 'Select web links (http and https), which Usher passes to your browser unless a route decides otherwise.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher unregister" system' -l 'system' -d 'Unregister for all users what was registered with --system; needs root.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher unregister" json' -l 'json' -d 'Print one JSON object.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher unregister" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher unregister" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher doctor" fix' -l 'fix' -d 'Repair the problems that need no decision of yours, then check again.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher doctor" json' -l 'json' -d 'Print one JSON object.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher doctor" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher doctor" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher notify" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher notify" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher notify" -eq 1' -fa 'add' -d 'Show a notification, now or at a time, and print its identifier.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher notify" -eq 1' -fa 'list' -d 'List the notifications of an application that are stored or shown.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher notify" -eq 1' -fa 'cancel' -d 'Remove notifications of an application that are stored or shown.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher notify" -eq 1' -fa 'settings' -d 'Show whether an application may show notifications, and what the desktop can do.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher notify add" -eq 1' -fka '(__usher_custom_completion ---completion notify add -- positional@0 (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher notify add" title' -l 'title' -d 'Show this text as the first line.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher notify add" subtitle' -l 'subtitle' -d 'Show this text below the title.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher notify add" body' -l 'body' -d 'Show this text, which may have several lines.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher notify add" at' -l 'at' -d 'Show it at this time: HH:MM, YYYY-MM-DD HH:MM, or RFC 3339 (2026-12-01T09:00:00Z).' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher notify add" in' -l 'in' -d 'Show it after this time, such as 10m or 1h30m.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher notify add" every' -l 'every' -d 'Repeat it: after a time such as 1h; or on each day or weekday (day, monday, …) with --at HH:MM.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher notify add" calendar' -l 'calendar' -d 'Show it at the next time with these components: year, month, day, weekday (1 is Sunday), hour, minute, second.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher notify add" repeats' -l 'repeats' -d 'Repeat it at each time of --calendar.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher notify add" time-zone' -l 'time-zone' -d 'Interpret the time in this time zone, such as Europe/Berlin.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher notify add" identifier' -l 'identifier' -d 'Set the identifier, instead of a random one.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher notify add"' -l 'action' -d 'Add a button with this title. If the user clicks it, the application receives ID as action-identifier.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher notify add" category' -l 'category' -d 'Show the buttons of this category of the application.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher notify add" badge' -l 'badge' -d 'Show this number on the icon of the application; 0 removes it.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher notify add" sound' -l 'sound' -d 'Play this sound of the sound theme, or “default”.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher notify add" thread' -l 'thread' -d 'Name the conversation to which the notification belongs; the application receives this identifier.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher notify add" user-info' -l 'user-info' -d 'Attach this JSON object for the application.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher notify add" target-content-id' -l 'target-content-id' -d 'Name the content that the notification is about.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher notify add" request' -l 'request' -d 'Add this request, a JSON object as org.usher.Triggers1.AddNotification expects it, instead of the options that describe a notification.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher notify add" json' -l 'json' -d 'Print one JSON object.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher notify add" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher notify add" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher notify list" -eq 1' -fka '(__usher_custom_completion ---completion notify list -- positional@0 (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher notify list" json' -l 'json' -d 'Print one JSON object.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher notify list" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher notify list" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher notify cancel" -eq 1' -fka '(__usher_custom_completion ---completion notify cancel -- positional@0 (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher notify cancel" all' -l 'all' -d 'Remove all notifications of the application.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher notify cancel" json' -l 'json' -d 'Print one JSON object.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher notify cancel" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher notify cancel" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher notify settings" -eq 1' -fka '(__usher_custom_completion ---completion notify settings -- positional@0 (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher notify settings" json' -l 'json' -d 'Print one JSON object.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher notify settings" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher notify settings" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher push" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher push" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher push" -eq 1' -fa 'register' -d 'Register an application, and print the token for its server.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher push" -eq 1' -fa 'list' -d 'List the applications that are registered for remote notifications.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher push" -eq 1' -fa 'unregister' -d 'End the registration of an application.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher push register" -eq 1' -fka '(__usher_custom_completion ---completion push register -- positional@0 (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher push register" vapid' -l 'vapid' -d 'Pass this public key of the application\'s server to the distributor (RFC 8292): 87 characters of base64url.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher push register" distributor' -l 'distributor' -d 'Register with the push distributor that has this bus name.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher push register" json' -l 'json' -d 'Print one JSON object.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher push register" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher push register" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher push list" json' -l 'json' -d 'Print one JSON object.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher push list" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher push list" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher push unregister" -eq 1' -fka '(__usher_custom_completion ---completion push unregister -- positional@0 (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher push unregister" json' -l 'json' -d 'Print one JSON object.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher push unregister" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher push unregister" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher listen" -eq 1' -fka '(__usher_custom_completion ---completion listen -- positional@0 (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher listen" each' -l 'each' -d 'Start a new process of the program for each request.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher listen" replies' -l 'replies' -d 'Without a program: read a reply to each request from standard input.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher listen" concurrent' -l 'concurrent' -d 'Pass up to this many requests at a time, 1 to 64, and report cancelled requests (default: one, without reports).' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher listen" timeout' -l 'timeout' -d 'Wait at most this long for a reply or for progress, 0.001 to 86400 (default: 20).' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher listen" idle' -l 'idle' -d 'Exit after this long without a request (default: never).' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher listen" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher listen" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher test-open" simulate' -l 'simulate' -d 'Bring the application into this state first: cold, warm or suspended.' -rfka 'cold warm suspended'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher test-open" -eq 1' -fka '(__usher_custom_completion ---completion test-open -- positional@0 (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher test-open" -ge 2' -F
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher test-open" restart' -l 'restart' -d 'Terminate a running instance with SIGTERM first.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher test-open" watch' -l 'watch' -d 'Run the tests of this route file and open the links again whenever it is written.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'toml\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher test-open" source-application' -l 'source-application' -d 'Claim to be this application; the claim never overrides a verified identity.' -rfka '(__usher_custom_completion ---completion test-open -- --source-application (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher test-open" annotation' -l 'annotation' -d 'Pass this value to the application: any JSON, at most 64 KiB.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher test-open" timeout' -l 'timeout' -d 'Wait at most this long, 0.001 to 86400 (default: 20, or 5 if the program reports by its exit status).' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher test-open" json' -l 'json' -d 'Print one JSON object per run.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher test-open" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher test-open" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher test-application" -eq 1' -fka '(__usher_custom_completion ---completion test-application -- positional@0 (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher test-application" slow' -l 'slow' -d 'Also check requests in progress, with this link, whose handling must take two to ten seconds.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher test-application" failing' -l 'failing' -d 'Also check errors, with this link, for which the application must report an error.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher test-application" timeout' -l 'timeout' -d 'Wait at most this long for a reply, 1 to 86400 (default: 30).' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher test-application" home' -l 'home' -d 'Give the application this home directory, with its data, configuration, state and cache (default: yours).' -rfa '(__usher_complete_directories)'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher test-application"' -l 'only' -d 'Run only this check; can be repeated.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher test-application" json' -l 'json' -d 'Print one JSON object.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher test-application" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher test-application" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher routes" -eq 1' -fa 'check' -d 'Check route files and print one line per diagnostic: FILE:LINE:COLUMN: error: PROBLEM, and how to fix it.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher routes" -eq 1' -fa 'test' -d 'Run the tests in route files: tests.yes, tests.no and tests.decide.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher routes" -eq 1' -fa 'match' -d 'Print the route that a URL matches, its captures and its action, and open nothing.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher routes" -eq 1' -fa 'explain' -d 'Show which route a URL selects, by which rules it wins over others, and which routes nearly match.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher routes" -eq 1' -fa 'generate' -d 'Generate the URL of a route from values for its captures.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher routes" -eq 1' -fa 'coverage' -d 'Show which routes the URLs of a file reach, which routes they never reach, and which URLs match no route.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher routes" -eq 1' -fa 'graph' -d 'Draw the routes as a tree of schemes, hosts, segments and actions.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher routes" -eq 1' -fa 'diff' -d 'Compare two versions of route files, and show an example of each class of URLs that they route differently.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher routes check" -ge 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'toml\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes check" strict' -l 'strict' -d 'Also warn about overlapping routes that are ordered only by their first difference (with a URL for each), about constructs that are rarely intended, and about application IDs that are not installed.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes check" json' -l 'json' -d 'Print one JSON object.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes check" system' -l 'system' -d 'Check the route files of all layers that are in force for this user; of a file with errors, its last version without errors.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes check" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes check" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher routes test" -ge 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'toml\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes test" json' -l 'json' -d 'Print one JSON object.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes test" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes test" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher routes match" -ge 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'toml\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes match" source-application' -l 'source-application' -d 'Decide as for this source application.' -rfka '(__usher_custom_completion ---completion routes match -- --source-application (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes match" assurance' -l 'assurance' -d 'Set the assurance of the source: sandbox, unit, executable, claimed or unknown (default: claimed with a source, otherwise unknown).' -rfka 'sandbox unit executable claimed unknown'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes match" installed' -l 'installed' -d 'Set who can modify the installed files of the source: system (only root) or user (default).' -rfka 'system user'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes match" origin' -l 'origin' -d 'Set the web origin of the request, such as https://example.org.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes match" user-activation' -l 'user-activation' -d 'Set the user activation: clicked or allowed.' -rfka 'clicked allowed'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes match" sandboxed' -l 'sandboxed' -d 'Treat the source as sandboxed.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes match"' -l 'running' -d 'Treat this application as running; may be repeated.' -rfka '(__usher_custom_completion ---completion routes match -- --running (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes match" json' -l 'json' -d 'Print one JSON object.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes match" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes match" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher routes explain" -ge 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'toml\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes explain" source-application' -l 'source-application' -d 'Decide as for this source application.' -rfka '(__usher_custom_completion ---completion routes explain -- --source-application (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes explain" assurance' -l 'assurance' -d 'Set the assurance of the source: sandbox, unit, executable, claimed or unknown (default: claimed with a source, otherwise unknown).' -rfka 'sandbox unit executable claimed unknown'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes explain" installed' -l 'installed' -d 'Set who can modify the installed files of the source: system (only root) or user (default).' -rfka 'system user'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes explain" origin' -l 'origin' -d 'Set the web origin of the request, such as https://example.org.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes explain" user-activation' -l 'user-activation' -d 'Set the user activation: clicked or allowed.' -rfka 'clicked allowed'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes explain" sandboxed' -l 'sandboxed' -d 'Treat the source as sandboxed.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes explain"' -l 'running' -d 'Treat this application as running; may be repeated.' -rfka '(__usher_custom_completion ---completion routes explain -- --running (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes explain" limit' -l 'limit' -d 'Print at most this many routes that nearly match.' -rfka ''
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
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes graph" format' -l 'format' -d 'Write this format.' -rfka 'mermaid dot svg'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher routes graph" depth' -l 'depth' -d 'Draw at most this many levels.' -rfka ''
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
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher grants" -eq 1' -fa 'list' -d 'List the stored answers and when each expires.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher grants" -eq 1' -fa 'allow' -d 'Allow links or a permission in advance, so that the user is not prompted.'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher grants" -eq 1' -fa 'revoke' -d 'Revoke grants, so that the user is asked again.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants list" source' -l 'source' -d 'Limit the scope to requests from this application, given by its desktop-file ID.' -rfka '(__usher_custom_completion ---completion grants list -- --source (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants list" container' -l 'container' -d 'Limit the scope to this container, given by its full ID (podman ps --no-trunc) or its scope unit.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants list" origin' -l 'origin' -d 'Limit the scope to web pages of this origin, such as https://example.org.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants list" scheme' -l 'scheme' -d 'Limit the scope to links of this scheme.' -rfka '(__usher_custom_completion ---completion grants list -- --scheme (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants list" host' -l 'host' -d 'Limit the scope to links with this host.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants list" route' -l 'route' -d 'Limit the scope to the prompts of this route, given by its ID or OWNER/ID.' -rfka '(__usher_custom_completion ---completion grants list -- --route (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants list" permission' -l 'permission' -d 'Limit the scope to this permission: notifications. Combine it only with an ID.' -rfka 'notifications'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher grants list" -eq 1' -fka '(__usher_custom_completion ---completion grants list -- positional@0 (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants list" json' -l 'json' -d 'Print one JSON object.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants list" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants list" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants allow" source' -l 'source' -d 'Limit the scope to requests from this application, given by its desktop-file ID.' -rfka '(__usher_custom_completion ---completion grants allow -- --source (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants allow" container' -l 'container' -d 'Limit the scope to this container, given by its full ID (podman ps --no-trunc) or its scope unit.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants allow" origin' -l 'origin' -d 'Limit the scope to web pages of this origin, such as https://example.org.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants allow" scheme' -l 'scheme' -d 'Limit the scope to links of this scheme.' -rfka '(__usher_custom_completion ---completion grants allow -- --scheme (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants allow" host' -l 'host' -d 'Limit the scope to links with this host.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants allow" route' -l 'route' -d 'Limit the scope to the prompts of this route, given by its ID or OWNER/ID.' -rfka '(__usher_custom_completion ---completion grants allow -- --route (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants allow" permission' -l 'permission' -d 'Limit the scope to this permission: notifications. Combine it only with an ID.' -rfka 'notifications'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher grants allow" -eq 1' -fka '(__usher_custom_completion ---completion grants allow -- positional@0 (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants allow" layer' -l 'layer' -d 'Select the layer of the route if several layers have a route of that name: final, user, administrator, vendor.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants allow" sandboxed' -l 'sandboxed' -d 'With --route: apply to sandboxed callers instead of callers outside sandboxes.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants allow" assurance' -l 'assurance' -d 'Require at least this assurance of the source (default: executable).' -rfka 'claimed executable unit sandbox'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants allow" app' -l 'app' -d 'For a route that asks which application opens the link: choose this application.' -rfka '(__usher_custom_completion ---completion grants allow -- --app (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants allow" refuse' -l 'refuse' -d 'Reject the links, or refuse the permission, instead of allowing them.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants allow" days' -l 'days' -d 'Store the grant for this many days (default: 30; with --permission: no expiry).' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants allow" forever' -l 'forever' -d 'Store the grant without expiry.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants allow" json' -l 'json' -d 'Print one JSON object.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants allow" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants allow" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants revoke" source' -l 'source' -d 'Limit the scope to requests from this application, given by its desktop-file ID.' -rfka '(__usher_custom_completion ---completion grants revoke -- --source (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants revoke" container' -l 'container' -d 'Limit the scope to this container, given by its full ID (podman ps --no-trunc) or its scope unit.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants revoke" origin' -l 'origin' -d 'Limit the scope to web pages of this origin, such as https://example.org.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants revoke" scheme' -l 'scheme' -d 'Limit the scope to links of this scheme.' -rfka '(__usher_custom_completion ---completion grants revoke -- --scheme (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants revoke" host' -l 'host' -d 'Limit the scope to links with this host.' -rfka ''
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants revoke" route' -l 'route' -d 'Limit the scope to the prompts of this route, given by its ID or OWNER/ID.' -rfka '(__usher_custom_completion ---completion grants revoke -- --route (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants revoke" permission' -l 'permission' -d 'Limit the scope to this permission: notifications. Combine it only with an ID.' -rfka 'notifications'
complete -c 'usher' -n '__usher_should_offer_completions_for_positional "usher grants revoke" -eq 1' -fka '(__usher_custom_completion ---completion grants revoke -- positional@0 (count (__usher_tokens -pc)) (string length -- "$(commandline -t)"))'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants revoke" all' -l 'all' -d 'Revoke all grants.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants revoke" json' -l 'json' -d 'Print one JSON object.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants revoke" version' -l 'version' -d 'Show the version.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher grants revoke" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'usher' -n '__usher_should_offer_completions_for_flags_or_options "usher help" version' -l 'version' -d 'Show the version.'
