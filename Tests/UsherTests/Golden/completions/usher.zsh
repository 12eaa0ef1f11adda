#compdef usher

__usher_complete() {
    local -ar non_empty_completions=("${@:#(|:*)}")
    local -ar empty_completions=("${(M)@:#(|:*)}")
    _describe -V '' non_empty_completions -- empty_completions -P $'\'\''
}

__usher_custom_complete() {
    local -a completions
    completions=("${(@f)"$("${command_name}" "${@}" "${command_line[@]}")"}")
    if [[ "${#completions[@]}" -gt 1 ]]; then
        __usher_complete "${completions[@]:0:-1}"
    fi
}

__usher_cursor_index_in_current_word() {
    if [[ -z "${QIPREFIX}${IPREFIX}${PREFIX}" ]]; then
        printf 0
    else
        printf %s "${#${(z)LBUFFER}[-1]}"
    fi
}

_usher() {
    emulate -RL zsh -G
    setopt extendedglob nullglob numericglobsort
    unsetopt aliases banghist

    local -xr SAP_SHELL=zsh
    local -x SAP_SHELL_VERSION
    SAP_SHELL_VERSION="$(builtin emulate zsh -c 'printf %s "${ZSH_VERSION}"')"
    local -r SAP_SHELL_VERSION

    local context state state_descr line
    local -A opt_args

    local -r command_name="${words[1]}"
    local -ar command_line=("${words[@]}")
    local -ir current_word_index="$((CURRENT - 1))"

    local -i ret=1
    local -ar arg_specs=(
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
        '(-): :->command'
        '(-)*:: :->arg'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0
    case "${state}" in
    command)
        local -ar subcommands=(
            'open:Opens URLs and files, and says what became of them.'
            'explain:Says which application opens a URL and why, step by step; opens nothing.'
            'history:Tells what was opened, by whom and where, and what became of it.'
            'monitor:Tells what is opened while it happens, until you stop it with Ctrl-C.'
            'handlers:Lists the schemes of this desktop: which application opens each, since when, and who else could.'
            'register:Makes an application the one that opens a scheme'\''s links.'
            'unregister:Takes a registration back; what was there before is there again.'
            'doctor:Checks the whole chain from link to application, and says what is wrong and what mends it.'
            'listen:Makes any program, in any language, one that gets links and replies to them.'
            'test-open:Opens links with an application that is not running, running or suspended, and tells the story.'
            'routes:Checks, tests, compares and draws route files, says where a URL goes and why, and makes URLs.'
            'grants:Shows and changes which links may be opened without asking.'
            'help:Show subcommand help information.'
        )
        _describe -V subcommand subcommands && ret=0
        ;;
    arg)
        case "${words[1]}" in
        open|explain|history|monitor|handlers|register|unregister|doctor|listen|test-open|routes|grants|help)
            "_usher_${words[1]}" && ret=0
            ;;
        esac
        ;;
    esac

    return "${ret}"
}

_usher_open() {
    local -i ret=1
    local -ar ___reason=('activate' 'shortcut-item' 'user-activity' 'local-notification' 'remote-notification')
    local -ar ___wait=('accepted' 'delivered' 'handled')
    local -ar arg_specs=(
        '*:url:_files'
        '--source-application[The application that asks; a claim that never overrides what is verified.]:id:{__usher_custom_complete ---completion open -- --source-application "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--origin[The page that the link is on, as https\://example.org\: without a click a person is asked.]:origin:'
        '--app[The application to open with, by its desktop-file ID.]:id:{__usher_custom_complete ---completion open -- --app "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--universal-links-only[Only by an application that a route, or its own entry, gives this very link to; by no browser.]'
        '--target-content-id[Which content it is for\: scenes are chosen by it.]:text:'
        '--annotation[A value for the application\: any JSON, at most 64 KiB.]:json:'
        '--reason[Why, where it is not for a URL\: activate, shortcut-item, user-activity, local-notification, remote-notification …; with --app, and with or without URLs.]:reason:{__usher_complete "${___reason[@]}"}'
        '--payload[What the reason is about\: any JSON, at most 64 KiB.]:json:'
        '--action[The action of the application'\''s desktop entry to perform.]:name:{__usher_custom_complete ---completion open -- --action "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--open-in-place[Let the application change the file where it is.]'
        '--wait[How far to wait\: until the broker has it, the application has it, or handled it.]:wait:{__usher_complete "${___wait[@]}"}'
        '--timeout[How long to wait, 0.001 to 86400 (default\: 20).]:seconds:'
        '--fallback[A URL to open when it is certain that nothing arrived.]:url:_files'
        '--progress[With --wait handled\: tell on standard error how far the application is, also where that is no terminal.]'
        '--callback[Wait for the answer of an application that answers by x-callback-url, and print it (--timeout\: 300).]'
        '--dry-run[Decide and say why, open nothing.]'
        '--json[Print one JSON object\: the receipt, with error and message when it failed.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_explain() {
    local -i ret=1
    local -ar ___installed=('system' 'user')
    local -ar arg_specs=(
        ':url:_files'
        '--source-application[The application that asks; a claim that never overrides what is verified.]:id:{__usher_custom_complete ---completion explain -- --source-application "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--origin[The page that the link is on, as https\://example.org\: without a click a person is asked.]:origin:'
        '--app[The application to open with, by its desktop-file ID.]:id:{__usher_custom_complete ---completion explain -- --app "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--universal-links-only[Only by an application that a route, or its own entry, gives this very link to; by no browser.]'
        '--target-content-id[Which content it is for\: scenes are chosen by it.]:text:'
        '--as[Decide as for this caller\: an application'\''s ID with \:claimed (where nothing follows), \:executable, \:unit or \:sandbox; or unknown, a program that cannot be named.]:id\[\:assurance\]:{__usher_custom_complete ---completion explain -- --as "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--sandboxed[With --as\: the caller is in a sandbox; with \:sandbox it is anyway.]'
        '--installed[With --as ID\: who can change what is installed of it, system (root alone) or user; if absent, as it is here.]:owner:{__usher_complete "${___installed[@]}"}'
        '--clicked[Decide as if the user had clicked the link; a sandboxed caller'\''s click does not count.]'
        '--in-app[Ask the application too, where it runs\: which of its scenes would get it, and why.]'
        '--alone[Do not ask the desktop'\''s other openers.]'
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_history() {
    local -i ret=1
    local -ar arg_specs=(
        '--limit[How many at most, 1 to 10000.]:number:'
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_monitor() {
    local -i ret=1
    local -ar arg_specs=(
        '--json[Print one JSON object a line.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_handlers() {
    local -i ret=1
    local -ar arg_specs=(
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_register() {
    local -i ret=1
    local -ar arg_specs=(
        ':id|file.desktop:{__usher_custom_complete ---completion register -- positional@0 "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--name[A name for a program that has no desktop entry.]:name:'
        '--exec[Its command, as in a desktop entry; %u is the URL.]:command:'
        '--id[The ID to give it, for a file or a --name\: so a development build stands beside a release.]:id:{__usher_custom_complete ---completion register -- --id "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '*--scheme[A scheme, as notes; may be given more than once.]:scheme:{__usher_custom_complete ---completion register -- --scheme "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--web[Web links\: http and https, with your browser behind Usher.]'
        '--direct[Make the application itself the default, without Usher'\''s broker in between.]'
        '--system[For all users, below /usr/local/share and /etc/xdg\: needs root.]'
        '--default[With --system\: also make it the default of all users. Without --system it always becomes the default.]'
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_unregister() {
    local -i ret=1
    local -ar arg_specs=(
        ':id:{__usher_custom_complete ---completion unregister -- positional@0 "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '*--scheme[A scheme; all of the application'\''s when left out.]:scheme:{__usher_custom_complete ---completion unregister -- --scheme "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--web[Web links\: http and https, with your browser behind Usher.]'
        '--system[What was registered for all users with --system\: needs root.]'
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_doctor() {
    local -i ret=1
    local -ar arg_specs=(
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_listen() {
    local -i ret=1
    local -ar arg_specs=(
        ':id:{__usher_custom_complete ---completion listen -- positional@0 "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '*:url … -- command:'
        '--each[Start a new command for each request.]'
        '--replies[Without a command\: read a reply to each request from standard input.]'
        '--timeout[How long a reply may take, 0.001 to 86400 (default\: 20).]:seconds:'
        '--idle[End when nothing has come for so long (default\: never).]:seconds:'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_test-open() {
    local -i ret=1
    local -ar ___simulate=('cold' 'warm' 'suspended')
    local -ar arg_specs=(
        '--simulate[What the application is to be\: cold, warm or suspended.]:state:{__usher_complete "${___simulate[@]}"}'
        ':id:{__usher_custom_complete ---completion test-open -- positional@0 "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '*:url:_files'
        '--restart[End an instance that is running, by SIGTERM, and begin anew.]'
        '--watch[Run the tests of this route file and open the links again whenever it is written.]:file:_files -g '\''*.toml'\'''
        '--source-application[The application that asks; a claim that never overrides what is verified.]:id:{__usher_custom_complete ---completion test-open -- --source-application "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--annotation[A value for the application\: any JSON, at most 64 KiB.]:json:'
        '--timeout[How long to wait, 0.001 to 86400 (default\: 20).]:seconds:'
        '--json[Print one JSON object for each time.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_routes() {
    local -i ret=1
    local -ar arg_specs=(
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
        '(-): :->command'
        '(-)*:: :->arg'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0
    case "${state}" in
    command)
        local -ar subcommands=(
            'check:Says what is wrong with route files, a line each: FILE:LINE:COLUMN: error: what, and what to do.'
            'test:Runs the tests that stand beside the routes: tests.yes, tests.no and tests.decide.'
            'match:Says which route a URL matches, what it captures, and what would be done; does nothing.'
            'explain:Says which route a URL goes to and over which others, by which rule, and which nearly match.'
            'generate:Prints the URL of a route with the values that its captures are to have.'
            'coverage:Says which routes the URLs of a file reach, which never, and which URLs reach none.'
            'graph:Draws the routes as a tree: schemes, hosts, segments, and what each route does.'
            'diff:Says which URLs go elsewhere when route files change, with an example of each class.'
        )
        _describe -V subcommand subcommands && ret=0
        ;;
    arg)
        case "${words[1]}" in
        check|test|match|explain|generate|coverage|graph|diff)
            "_usher_routes_${words[1]}" && ret=0
            ;;
        esac
        ;;
    esac

    return "${ret}"
}

_usher_routes_check() {
    local -i ret=1
    local -ar arg_specs=(
        '*:file:_files -g '\''*.toml'\'''
        '--strict[Warn also where two routes cross and the first difference from the left decides, with a URL each, of what is seldom meant, and of application IDs that are not installed.]'
        '--json[Print one JSON object.]'
        '--system[Check what is in force for this user\: the route files of all layers, of a file with errors its last version without any.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_routes_test() {
    local -i ret=1
    local -ar arg_specs=(
        '*:file:_files -g '\''*.toml'\'''
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_routes_match() {
    local -i ret=1
    local -ar ___assurance=('sandbox' 'unit' 'executable' 'claimed' 'unknown')
    local -ar ___installed=('system' 'user')
    local -ar ___person=('clicked' 'allowed')
    local -ar arg_specs=(
        '*:file… url:_files -g '\''*.toml'\'''
        '--source-application[As if this application had asked.]:id:{__usher_custom_complete ---completion routes match -- --source-application "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--assurance[How sure that is\: sandbox, unit, executable, claimed or unknown; if not told, claimed or unknown.]:level:{__usher_complete "${___assurance[@]}"}'
        '--installed[Who can change what is installed of it\: system (root alone) or user, which it is if absent.]:owner:{__usher_complete "${___installed[@]}"}'
        '--origin[The web origin that asks, as https\://example.org.]:origin:'
        '--person[What a person did\: clicked or allowed.]:part:{__usher_complete "${___person[@]}"}'
        '--sandboxed[As if a sandboxed application had asked.]'
        '*--running[An application that runs; may be given more than once.]:id:{__usher_custom_complete ---completion routes match -- --running "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_routes_explain() {
    local -i ret=1
    local -ar ___assurance=('sandbox' 'unit' 'executable' 'claimed' 'unknown')
    local -ar ___installed=('system' 'user')
    local -ar ___person=('clicked' 'allowed')
    local -ar arg_specs=(
        '*:file… url:_files -g '\''*.toml'\'''
        '--source-application[As if this application had asked.]:id:{__usher_custom_complete ---completion routes explain -- --source-application "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--assurance[How sure that is\: sandbox, unit, executable, claimed or unknown; if not told, claimed or unknown.]:level:{__usher_complete "${___assurance[@]}"}'
        '--installed[Who can change what is installed of it\: system (root alone) or user, which it is if absent.]:owner:{__usher_complete "${___installed[@]}"}'
        '--origin[The web origin that asks, as https\://example.org.]:origin:'
        '--person[What a person did\: clicked or allowed.]:part:{__usher_complete "${___person[@]}"}'
        '--sandboxed[As if a sandboxed application had asked.]'
        '*--running[An application that runs; may be given more than once.]:id:{__usher_custom_complete ---completion routes explain -- --running "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--limit[How many routes that nearly match are told.]:number:'
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_routes_generate() {
    local -i ret=1
    local -ar arg_specs=(
        '*:file… route name=value…:_files -g '\''*.toml'\'''
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_routes_coverage() {
    local -i ret=1
    local -ar arg_specs=(
        '*:file… urls-file:_files'
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_routes_graph() {
    local -i ret=1
    local -ar ___format=('mermaid' 'dot' 'svg')
    local -ar arg_specs=(
        '*:file:_files -g '\''*.toml'\'''
        '--format[The language of the picture.]:format:{__usher_complete "${___format[@]}"}'
        '--depth[How many nodes stand behind one another at most.]:number:'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_routes_diff() {
    local -i ret=1
    local -ar arg_specs=(
        ':old:_files -g '\''*.toml'\'''
        ':new:_files -g '\''*.toml'\'''
        '--markdown[Print a table in Markdown.]'
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_grants() {
    local -i ret=1
    local -ar arg_specs=(
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
        '(-): :->command'
        '(-)*:: :->arg'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0
    case "${state}" in
    command)
        local -ar subcommands=(
            'list:Shows what was allowed and refused, and until when.'
            'allow:Answers a question before it is asked: links of this kind may be opened.'
            'revoke:Takes answers back: the next such link is asked about again.'
        )
        _describe -V subcommand subcommands && ret=0
        ;;
    arg)
        case "${words[1]}" in
        list|allow|revoke)
            "_usher_grants_${words[1]}" && ret=0
            ;;
        esac
        ;;
    esac

    return "${ret}"
}

_usher_grants_list() {
    local -i ret=1
    local -ar arg_specs=(
        '--source[The application that asks, by its desktop-file ID.]:id:{__usher_custom_complete ---completion grants list -- --source "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--origin[The web origin that asks, as https\://example.org.]:url:'
        '--scheme[The scheme of the links.]:scheme:{__usher_custom_complete ---completion grants list -- --scheme "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--host[The host in the links.]:host:'
        '--route[The route that asks, as its ID or owner/ID.]:name:{__usher_custom_complete ---completion grants list -- --route "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_grants_allow() {
    local -i ret=1
    local -ar ___assurance=('unknown' 'claimed' 'executable' 'unit' 'sandbox')
    local -ar arg_specs=(
        '--source[The application that asks, by its desktop-file ID.]:id:{__usher_custom_complete ---completion grants allow -- --source "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--origin[The web origin that asks, as https\://example.org.]:url:'
        '--scheme[The scheme of the links.]:scheme:{__usher_custom_complete ---completion grants allow -- --scheme "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--host[The host in the links.]:host:'
        '--route[The route that asks, as its ID or owner/ID.]:name:{__usher_custom_complete ---completion grants allow -- --route "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--layer[The layer of the route, where several have one of that name\: final, user, administrator, vendor.]:word:'
        '--sandboxed[With --route\: about callers in a sandbox. Without it, about callers outside.]'
        '--assurance[How surely the source must be known\: sandbox, unit, executable (default), claimed.]:word:{__usher_complete "${___assurance[@]}"}'
        '--app[Where the question is which, the application that opens them.]:id:{__usher_custom_complete ---completion grants allow -- --app "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--refuse[They may not be opened.]'
        '--days[For how many days (default\: 30).]:number:'
        '--forever[Without end.]'
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_grants_revoke() {
    local -i ret=1
    local -ar arg_specs=(
        '--source[The application that asks, by its desktop-file ID.]:id:{__usher_custom_complete ---completion grants revoke -- --source "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--origin[The web origin that asks, as https\://example.org.]:url:'
        '--scheme[The scheme of the links.]:scheme:{__usher_custom_complete ---completion grants revoke -- --scheme "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--host[The host in the links.]:host:'
        '--route[The route that asks, as its ID or owner/ID.]:name:{__usher_custom_complete ---completion grants revoke -- --route "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--all[All of them.]'
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_help() {
    local -i ret=1
    local -ar arg_specs=(
        '*:subcommands:'
        '--version[Show the version.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

if [[ "${funcstack[1]}" = _usher ]]; then
    _usher "${@}"
else
    compdef _usher usher
fi
