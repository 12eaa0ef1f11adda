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
            'open:Open URLs and files, and report the outcome.'
            'reveal:Show files in the file manager.'
            'explain:Show which application opens a URL and why, step by step, and open nothing.'
            'history:List requests with source, application and outcome.'
            'monitor:Print or show requests as they happen, until Ctrl-C.'
            'report:Write one HTML file to look at: handlers, findings, the history with charts, and routes.'
            'handlers:List the schemes of this desktop with the application that opens each, since when, and the alternatives.'
            'register:Make an application the default for the links of a scheme.'
            'unregister:Revert a registration and restore the previous default.'
            'doctor:Check that links reach their applications, and print each problem and the command that fixes it.'
            'web:Choose the browser, profile or application for each web link.'
            'notify:Show a notification of an application, now or at a time.'
            'push:Register applications for notifications from their servers.'
            'download:Download a file for an application in the background.'
            'region:Start applications when the computer enters or leaves a region.'
            'bluetooth:Start applications for Bluetooth devices, and offer services to devices.'
            'listen:Receive links for a program in any language, and pass its replies to the callers.'
            'test-open:Open links in an application that is not running, running or suspended, and report each step.'
            'test-application:Check that an application implements org.usher.Application1 correctly.'
            'remote:Open the links of other machines on this desktop.'
            'ssh:Log in to a machine with ssh; its links open on this desktop meanwhile.'
            'routes:Check, test, compare, draw and import route files; match, explain and generate URLs.'
            'grants:List and change the stored answers of the user to prompts.'
            'help:Show subcommand help information.'
        )
        _describe -V subcommand subcommands && ret=0
        ;;
    arg)
        case "${words[1]}" in
        open|reveal|explain|history|monitor|report|handlers|register|unregister|doctor|web|notify|push|download|region|bluetooth|listen|test-open|test-application|remote|ssh|routes|grants|help)
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
        '--source-application[Claim to be this application; the claim never overrides a verified identity.]:id:{__usher_custom_complete ---completion open -- --source-application "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--origin[Set the web origin of the link, such as https\://example.org; without a click, such a link needs the user'\''s consent.]:origin:'
        '--app[Select this application, given by its desktop-file ID.]:id:{__usher_custom_complete ---completion open -- --app "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--universal-links-only[Open only with an application that a route names, or whose own desktop entry declares the scheme; not with the default application of http, https and file.]'
        '--target-content-id[Select the scene for this content.]:text:'
        '--annotation[Pass this value to the application\: any JSON, at most 64 KiB.]:json:'
        '--reason[Set the launch reason\: activate, shortcut-item, user-activity, local-notification, remote-notification …; needs --app, and no URL is required.]:reason:{__usher_complete "${___reason[@]}"}'
        '--payload[Pass the payload of the launch reason\: any JSON, at most 64 KiB.]:json:'
        '--action[Perform this action of the application'\''s desktop entry.]:name:{__usher_custom_complete ---completion open -- --action "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--open-in-place[Allow the application to edit the file in place.]'
        '--wait[Wait until the broker has accepted the request, the application has received it and, if it can reply, has replied (delivered, the default), or has handled it.]:wait:{__usher_complete "${___wait[@]}"}'
        '--timeout[Wait at most this long, 0.001 to 86400 (default\: 20).]:seconds:'
        '--fallback[Open this URL instead if the application was not reached, declined the request or reported an error.]:url:_files'
        '--progress[With --wait handled\: print progress on standard error even if it is not a terminal.]'
        '--callback[Wait for the x-callback-url answer of the application and print it (--timeout\: 300).]'
        '--dry-run[Print the decision and its reasons, and open nothing.]'
        '--json[Print one JSON object\: the receipt, plus error and message on failure.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_reveal() {
    local -i ret=1
    local -ar arg_specs=(
        '*:file:_files'
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
        '--source-application[Claim to be this application; the claim never overrides a verified identity.]:id:{__usher_custom_complete ---completion explain -- --source-application "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--origin[Set the web origin of the link, such as https\://example.org; without a click, such a link needs the user'\''s consent.]:origin:'
        '--app[Select this application, given by its desktop-file ID.]:id:{__usher_custom_complete ---completion explain -- --app "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--universal-links-only[Open only with an application that a route names, or whose own desktop entry declares the scheme; not with the default application of http, https and file.]'
        '--target-content-id[Select the scene for this content.]:text:'
        '--as[Decide as for this caller\: an application'\''s ID with \:claimed (the default), \:executable, \:unit or \:sandbox; or unknown, an unidentified program.]:id\[\:assurance\]:{__usher_custom_complete ---completion explain -- --as "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--sandboxed[With --as\: treat the caller as sandboxed (implied by \:sandbox).]'
        '--installed[With --as ID\: treat the application as installed for all users (system\: only root can modify its files) or by the user (user). Default\: as installed here.]:owner:{__usher_complete "${___installed[@]}"}'
        '--remote[Decide as for a link that comes from this machine, such as build.example.org.]:machine:'
        '--clicked[Decide as if the user had clicked the link; a sandboxed caller'\''s click does not count.]'
        '--in-app[If the application runs, ask it which of its scenes would receive the URL, and why.]'
        '--skip-comparison[Do not compare with the desktop'\''s other openers.]'
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
        '--limit[Print at most this many deliveries, 1 to 10000.]:max:'
        '--since[Print only requests that arrived at this time or later.]:time:'
        '--until[Print only requests that arrived before this time.]:time:'
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
        '--json[Print one JSON object per line.]'
        '--watch[Show the requests on the whole terminal, to select and open them.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_report() {
    local -i ret=1
    local -ar arg_specs=(
        ':file:_files'
        '--since[Show only requests that arrived at this time or later.]:time:'
        '--routes[Show these route files or directories (default\: those of all layers that are in force).]:file:_files -g '\''*.toml'\'''
        '--urls[Explain the URLs of this file, one per line; - is standard input (default\: the newest of the history).]:file:_files'
        '--open[Open the page, as usher open does.]'
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
        ':id|file:{__usher_custom_complete ---completion register -- positional@0 "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--name[Set the name of a program without a desktop entry.]:name:'
        '--exec[Run this command, as in a desktop entry; %u stands for the URL.]:command:'
        '--id[Give a desktop file, an AppImage or a --name this ID, for example for a development build beside a release.]:id:{__usher_custom_complete ---completion register -- --id "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '*--scheme[Register this scheme, such as notes; may be repeated.]:scheme:{__usher_custom_complete ---completion register -- --scheme "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--web[Select web links (http and https), which Usher passes to your browser unless a route decides otherwise.]'
        '--direct[Make the application itself the default, bypassing Usher'\''s broker.]'
        '--system[Register for all users, below /usr/local/share and /etc/xdg; needs root.]'
        '--default[With --system\: also make it the default for users who have chosen no default for the scheme. Without --system, it always becomes the default.]'
        '--reset-portal[Also remove the desktop portal'\''s stored choices for these schemes, which would take precedence over the new default.]'
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
        '*--scheme[Unregister this scheme (default\: all schemes of the application).]:scheme:{__usher_custom_complete ---completion unregister -- --scheme "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--web[Select web links (http and https), which Usher passes to your browser unless a route decides otherwise.]'
        '--system[Unregister for all users what was registered with --system; needs root.]'
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
        '--fix[Repair the problems that need no decision of yours, then check again.]'
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_web() {
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
            'enable:Apply your routes to web links; your browser opens those that no route matches.'
            'disable:Open web links with your browser directly, as before.'
            'status:Show whether each program of this desktop opens web links through Usher.'
            'browsers:List the installed browsers with their profiles, and the ID of each.'
            'try:Show which browser, profile or application would open a web link, and why; open nothing.'
            'catalog:Open web links in their applications, and clean links.'
        )
        _describe -V subcommand subcommands && ret=0
        ;;
    arg)
        case "${words[1]}" in
        enable|disable|status|browsers|try|catalog)
            "_usher_web_${words[1]}" && ret=0
            ;;
        esac
        ;;
    esac

    return "${ret}"
}

_usher_web_enable() {
    local -i ret=1
    local -ar arg_specs=(
        ':id:{__usher_custom_complete ---completion web enable -- positional@0 "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--reset-portal[Also remove the desktop portal'\''s stored choices for web links.]'
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_web_disable() {
    local -i ret=1
    local -ar arg_specs=(
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_web_status() {
    local -i ret=1
    local -ar arg_specs=(
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_web_browsers() {
    local -i ret=1
    local -ar arg_specs=(
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_web_try() {
    local -i ret=1
    local -ar ___installed=('system' 'user')
    local -ar arg_specs=(
        ':url:_files'
        '--as[Decide as for this caller\: an application'\''s ID with \:claimed (the default), \:executable, \:unit or \:sandbox; or unknown, an unidentified program.]:id\[\:assurance\]:{__usher_custom_complete ---completion web try -- --as "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--sandboxed[With --as\: treat the caller as sandboxed (implied by \:sandbox).]'
        '--installed[With --as ID\: treat the application as installed for all users (system\: only root can modify its files) or by the user (user). Default\: as installed here.]:owner:{__usher_complete "${___installed[@]}"}'
        '--remote[Decide as for a link that comes from this machine, such as build.example.org.]:machine:'
        '--clicked[Decide as if the user had clicked the link; a sandboxed caller'\''s click does not count.]'
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_web_catalog() {
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
            'list:List the route files for web links.'
            'enable:Enable route files for web links.'
            'disable:Disable route files for web links.'
        )
        _describe -V subcommand subcommands && ret=0
        ;;
    arg)
        case "${words[1]}" in
        list|enable|disable)
            "_usher_web_catalog_${words[1]}" && ret=0
            ;;
        esac
        ;;
    esac

    return "${ret}"
}

_usher_web_catalog_list() {
    local -i ret=1
    local -ar arg_specs=(
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_web_catalog_enable() {
    local -i ret=1
    local -ar arg_specs=(
        '*:name:{__usher_custom_complete ---completion web catalog enable -- positional@0 "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_web_catalog_disable() {
    local -i ret=1
    local -ar arg_specs=(
        '*:name:{__usher_custom_complete ---completion web catalog disable -- positional@0 "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_notify() {
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
            'add:Show a notification, now or at a time, and print its identifier.'
            'list:List the notifications of an application that are stored or shown.'
            'cancel:Remove notifications of an application that are stored or shown.'
            'settings:Show whether an application may show notifications, and what the desktop can do.'
        )
        _describe -V subcommand subcommands && ret=0
        ;;
    arg)
        case "${words[1]}" in
        add|list|cancel|settings)
            "_usher_notify_${words[1]}" && ret=0
            ;;
        esac
        ;;
    esac

    return "${ret}"
}

_usher_notify_add() {
    local -i ret=1
    local -ar ___on=('entry' 'exit')
    local -ar arg_specs=(
        ':id:{__usher_custom_complete ---completion notify add -- positional@0 "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--title[Show this text as the first line.]:text:'
        '--subtitle[Show this text below the title.]:text:'
        '--body[Show this text, which may have several lines.]:text:'
        '--at[Show it at this time\: HH\:MM, YYYY-MM-DD HH\:MM, or RFC 3339 (2026-12-01T09\:00\:00Z).]:time:'
        '--in[Show it after this time, such as 10m or 1h30m.]:time:'
        '--every[Repeat it\: after a time such as 1h; or on each day or weekday (day, monday, …) with --at HH\:MM.]:time:'
        '--calendar[Show it at the next time with these components\: year, month, day, weekday (1 is Sunday), hour, minute, second.]:key=number,…:'
        '--region[Show it when the computer crosses the border of the region with this center, in degrees north and east; negative numbers are south and west.]:latitude,longitude:'
        '--radius[Set the radius of --region, 1 to 1000000.]:metres:'
        '--on[Show it only for this change of --region.]:entry|exit:{__usher_complete "${___on[@]}"}'
        '--repeats[Repeat it at each time of --calendar, or at each change of --region.]'
        '--time-zone[Interpret the time in this time zone, such as Europe/Berlin.]:zone:'
        '--identifier[Set the identifier, instead of a random one.]:text:'
        '*--action[Add a button with this title. If the user clicks it, the application receives ID as action-identifier.]:id=title:'
        '--category[Show the buttons of this category of the application.]:id:'
        '--badge[Show this number on the icon of the application; 0 removes it.]:number:'
        '--sound[Play this sound of the sound theme, or “default”.]:name:'
        '--thread[Name the conversation to which the notification belongs; the application receives this identifier.]:text:'
        '--user-info[Attach this JSON object for the application.]:json:'
        '--target-content-id[Name the content that the notification is about.]:text:'
        '--request[Add this request, a JSON object as org.usher.Triggers1.AddNotification expects it, instead of the options that describe a notification.]:json:'
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_notify_list() {
    local -i ret=1
    local -ar arg_specs=(
        ':id:{__usher_custom_complete ---completion notify list -- positional@0 "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_notify_cancel() {
    local -i ret=1
    local -ar arg_specs=(
        ':id:{__usher_custom_complete ---completion notify cancel -- positional@0 "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '*:identifier:'
        '--all[Remove all notifications of the application.]'
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_notify_settings() {
    local -i ret=1
    local -ar arg_specs=(
        ':id:{__usher_custom_complete ---completion notify settings -- positional@0 "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_push() {
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
            'register:Register an application, and print the token for its server.'
            'list:List the applications that are registered for remote notifications.'
            'unregister:End the registration of an application.'
        )
        _describe -V subcommand subcommands && ret=0
        ;;
    arg)
        case "${words[1]}" in
        register|list|unregister)
            "_usher_push_${words[1]}" && ret=0
            ;;
        esac
        ;;
    esac

    return "${ret}"
}

_usher_push_register() {
    local -i ret=1
    local -ar arg_specs=(
        ':id:{__usher_custom_complete ---completion push register -- positional@0 "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--vapid[Pass this public key of the application'\''s server to the distributor (RFC 8292)\: 87 characters of base64url.]:key:'
        '--distributor[Register with the push distributor that has this bus name.]:name:'
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_push_list() {
    local -i ret=1
    local -ar arg_specs=(
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_push_unregister() {
    local -i ret=1
    local -ar arg_specs=(
        ':id:{__usher_custom_complete ---completion push unregister -- positional@0 "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_download() {
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
            'add:Download a file, and print its path.'
            'list:List the downloads that are not finished.'
            'cancel:Cancel downloads of an application.'
            'pause:Stop transfers of an application until they are resumed.'
            'resume:Resume downloads that are paused, or that wait for their next attempt.'
        )
        _describe -V subcommand subcommands && ret=0
        ;;
    arg)
        case "${words[1]}" in
        add|list|cancel|pause|resume)
            "_usher_download_${words[1]}" && ret=0
            ;;
        esac
        ;;
    esac

    return "${ret}"
}

_usher_download_add() {
    local -i ret=1
    local -ar arg_specs=(
        ':id:{__usher_custom_complete ---completion download add -- positional@0 "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        ':url:'
        '(-o --output)'{-o,--output}'[Write the file to this path.]:file:_files'
        '--replace[Replace an existing file at the path of --output.]'
        '--identifier[Set the identifier, instead of a random one.]:text:'
        '--sha256[Fail if the file has another SHA-256 checksum.]:hex:'
        '--max-size[Fail if the file is longer than this number of bytes.]:bytes:'
        '--session[Name the session to which the download belongs; the application receives this identifier.]:text:'
        '*--header[Send this header field to the server, such as "Accept-Language\: de"; the option can be repeated. With @FILE, read the fields from the lines of a file, so that no other program sees them.]:field:'
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_download_list() {
    local -i ret=1
    local -ar arg_specs=(
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_download_cancel() {
    local -i ret=1
    local -ar arg_specs=(
        ':id:{__usher_custom_complete ---completion download cancel -- positional@0 "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '*:identifier:'
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_download_pause() {
    local -i ret=1
    local -ar arg_specs=(
        ':id:{__usher_custom_complete ---completion download pause -- positional@0 "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '*:identifier:'
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_download_resume() {
    local -i ret=1
    local -ar arg_specs=(
        ':id:{__usher_custom_complete ---completion download resume -- positional@0 "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '*:identifier:'
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_region() {
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
            'add:Monitor a region, or significant changes of the location.'
            'list:List the regions and the applications that monitor significant changes.'
            'remove:End the monitoring of regions, or of significant changes.'
        )
        _describe -V subcommand subcommands && ret=0
        ;;
    arg)
        case "${words[1]}" in
        add|list|remove)
            "_usher_region_${words[1]}" && ret=0
            ;;
        esac
        ;;
    esac

    return "${ret}"
}

_usher_region_add() {
    local -i ret=1
    local -ar ___on=('entry' 'exit')
    local -ar arg_specs=(
        ':id:{__usher_custom_complete ---completion region add -- positional@0 "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        ':identifier:'
        '--at[Set the center of the region, in degrees north and east; negative numbers are south and west.]:latitude,longitude:'
        '--radius[Set the radius of the region, 1 to 1000000.]:metres:'
        '--on[Inform the application only of this change.]:entry|exit:{__usher_complete "${___on[@]}"}'
        '--significant-changes[Monitor significant changes instead of a region.]'
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_region_list() {
    local -i ret=1
    local -ar arg_specs=(
        ':id:{__usher_custom_complete ---completion region list -- positional@0 "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_region_remove() {
    local -i ret=1
    local -ar arg_specs=(
        ':id:{__usher_custom_complete ---completion region remove -- positional@0 "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '*:identifier:'
        '--significant-changes[End the monitoring of significant changes.]'
        '--all[Remove all regions, and end the monitoring of significant changes.]'
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_bluetooth() {
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
            'add:Monitor devices, or services that devices advertise.'
            'list:List the monitored devices and services.'
            'remove:End the monitoring of devices and services.'
            'publish:Offer a service of an application to other devices.'
            'update:Set a value that other devices read.'
            'services:List the services that applications offer to other devices.'
            'unpublish:Withdraw the services that an application offers.'
        )
        _describe -V subcommand subcommands && ret=0
        ;;
    arg)
        case "${words[1]}" in
        add|list|remove|publish|update|services|unpublish)
            "_usher_bluetooth_${words[1]}" && ret=0
            ;;
        esac
        ;;
    esac

    return "${ret}"
}

_usher_bluetooth_add() {
    local -i ret=1
    local -ar arg_specs=(
        ':id:{__usher_custom_complete ---completion bluetooth add -- positional@0 "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        ':central:'
        '*--device[Monitor this device; may be repeated.]:address:'
        '*--service[Monitor devices with this service, by its UUID of 16, 32 or 128 bits; may be repeated.]:uuid:'
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_bluetooth_list() {
    local -i ret=1
    local -ar arg_specs=(
        ':id:{__usher_custom_complete ---completion bluetooth list -- positional@0 "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_bluetooth_remove() {
    local -i ret=1
    local -ar arg_specs=(
        ':id:{__usher_custom_complete ---completion bluetooth remove -- positional@0 "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '*:central:'
        '--all[Remove all centrals of the application.]'
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_bluetooth_publish() {
    local -i ret=1
    local -ar arg_specs=(
        ':id:{__usher_custom_complete ---completion bluetooth publish -- positional@0 "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        ':name:'
        ':service:'
        '*:value:'
        '--advertise[Advertise the services of the peripheral, so that other devices find it.]'
        '--local-name[Advertise this name, of at most 29 bytes.]:text:'
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_bluetooth_update() {
    local -i ret=1
    local -ar arg_specs=(
        ':id:{__usher_custom_complete ---completion bluetooth update -- positional@0 "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        ':name:'
        ':uuid:'
        ':bytes:'
        '--service[Name the service, if several have the value.]:uuid:'
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_bluetooth_services() {
    local -i ret=1
    local -ar arg_specs=(
        ':id:{__usher_custom_complete ---completion bluetooth services -- positional@0 "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_bluetooth_unpublish() {
    local -i ret=1
    local -ar arg_specs=(
        ':id:{__usher_custom_complete ---completion bluetooth unpublish -- positional@0 "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '*:name:'
        '--all[Withdraw all peripherals of the application.]'
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
        '--each[Start a new process of the program for each request.]'
        '--replies[Without a program\: read a reply to each request from standard input.]'
        '--concurrent[Pass up to this many requests at a time, 1 to 64, and report cancelled requests (default\: one, without reports).]:number:'
        '--timeout[Wait at most this long for a reply or for progress, 0.001 to 86400 (default\: 20).]:seconds:'
        '--idle[Exit after this long without a request (default\: never).]:seconds:'
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
        '--simulate[Bring the application into this state first\: cold, warm or suspended.]:state:{__usher_complete "${___simulate[@]}"}'
        ':id:{__usher_custom_complete ---completion test-open -- positional@0 "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '*:url:_files'
        '--restart[Terminate a running instance with SIGTERM first.]'
        '--watch[Run the tests of this route file and open the links again whenever it is written.]:file:_files -g '\''*.toml'\'''
        '--source-application[Claim to be this application; the claim never overrides a verified identity.]:id:{__usher_custom_complete ---completion test-open -- --source-application "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--annotation[Pass this value to the application\: any JSON, at most 64 KiB.]:json:'
        '--timeout[Wait at most this long, 0.001 to 86400 (default\: 20, or 5 if the program reports by its exit status).]:seconds:'
        '--json[Print one JSON object per run.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_test-application() {
    local -i ret=1
    local -ar arg_specs=(
        ':id:{__usher_custom_complete ---completion test-application -- positional@0 "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        ':url:'
        '--slow[Also check requests in progress, with this link, whose handling must take two to ten seconds.]:url:'
        '--failing[Also check errors, with this link, for which the application must report an error.]:url:'
        '--timeout[Wait at most this long for a reply, 1 to 86400 (default\: 30).]:seconds:'
        '--home[Give the application this home directory, with its data, configuration, state and cache (default\: yours).]:directory:_files -/'
        '*--only[Run only this check; can be repeated.]:check:'
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_remote() {
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
            'setup:Install the client for links on a machine or in a container, or remove it.'
            'connect:Connect a machine until this command is interrupted.'
            'list:List the connected machines and containers.'
            'disconnect:End the connection to a machine.'
            'register:On another machine: receive the links of a scheme from the desktop that has connected it.'
            'unregister:Send links of a scheme no longer to the machine that has registered it.'
        )
        _describe -V subcommand subcommands && ret=0
        ;;
    arg)
        case "${words[1]}" in
        setup|connect|list|disconnect|register|unregister)
            "_usher_remote_${words[1]}" && ret=0
            ;;
        esac
        ;;
    esac

    return "${ret}"
}

_usher_remote_setup() {
    local -i ret=1
    local -ar arg_specs=(
        '--container[Prepare the container of this name, instead of a machine.]'
        '--undo[Remove what this command has installed.]'
        '*-o[Pass this option to ssh, such as -o Port=2222; may be repeated.]:option:'
        '-F[Read this configuration file of ssh.]:file:_files'
        ':host:'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_remote_connect() {
    local -i ret=1
    local -ar arg_specs=(
        '*-o[Pass this option to ssh, such as -o Port=2222; may be repeated.]:option:'
        '-F[Read this configuration file of ssh.]:file:_files'
        ':host:'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_remote_list() {
    local -i ret=1
    local -ar arg_specs=(
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_remote_disconnect() {
    local -i ret=1
    local -ar arg_specs=(
        '*-o[Pass this option to ssh, such as -o Port=2222; may be repeated.]:option:'
        '-F[Read this configuration file of ssh.]:file:_files'
        ':host:'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_remote_register() {
    local -i ret=1
    local -ar arg_specs=(
        '--once[End after the first link.]'
        '--open[Open this URL on the desktop when the scheme is registered.]:url:'
        '--timeout[Wait at most this long for the user'\''s answer (default\: 120).]:seconds:'
        ':scheme:'
        '*:word:'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_remote_unregister() {
    local -i ret=1
    local -ar arg_specs=(
        ':scheme:{__usher_custom_complete ---completion remote unregister -- positional@0 "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_ssh() {
    local -i ret=1
    local -ar arg_specs=(
        '*-o[Pass this option to ssh, such as -o Port=2222; may be repeated.]:option:'
        '-F[Read this configuration file of ssh.]:file:_files'
        ':host:'
        '*:word:'
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
            'check:Check route files and print one line per diagnostic: FILE:LINE:COLUMN: error: PROBLEM, and how to fix it.'
            'test:Run the tests in route files: tests.yes, tests.no and tests.decide.'
            'match:Print the route that a URL matches, its captures and its action, and open nothing.'
            'explain:Show which route a URL selects, by which rules it wins over others, and which routes nearly match.'
            'generate:Generate the URL of a route from values for its captures.'
            'coverage:Show which routes the URLs of a file reach, which routes they never reach, and which URLs match no route.'
            'graph:Draw the routes as a tree of schemes, hosts, segments and actions.'
            'diff:Compare two versions of route files, and show an example of each class of URLs that they route differently.'
            'import:Make a route file from the rules of another program.'
        )
        _describe -V subcommand subcommands && ret=0
        ;;
    arg)
        case "${words[1]}" in
        check|test|match|explain|generate|coverage|graph|diff|import)
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
        '--strict[Also warn about overlapping routes that are ordered only by their first difference (with a URL for each), about constructs that are rarely intended, and about application IDs that are not installed.]'
        '--json[Print one JSON object.]'
        '--system[Check the route files of all layers that are in force for this user; of a file with errors, its last version without errors.]'
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
    local -ar ___user_activation=('clicked' 'allowed')
    local -ar arg_specs=(
        '*:file… url:_files -g '\''*.toml'\'''
        '--source-application[Decide as for this source application.]:id:{__usher_custom_complete ---completion routes match -- --source-application "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--assurance[Set the assurance of the source\: sandbox, unit, executable, claimed or unknown (default\: claimed with a source, otherwise unknown).]:level:{__usher_complete "${___assurance[@]}"}'
        '--installed[Set who can modify the installed files of the source\: system (only root) or user (default).]:owner:{__usher_complete "${___installed[@]}"}'
        '--remote[Set the machine from which the link comes, such as build.example.org.]:machine:'
        '--origin[Set the web origin of the request, such as https\://example.org.]:origin:'
        '--user-activation[Set the user activation\: clicked or allowed.]:kind:{__usher_complete "${___user_activation[@]}"}'
        '--sandboxed[Treat the source as sandboxed.]'
        '*--running[Treat this application as running; may be repeated.]:id:{__usher_custom_complete ---completion routes match -- --running "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--installed-targets[Treat the applications and programs that routes start as installed, as target = "installed" demands.]'
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
    local -ar ___user_activation=('clicked' 'allowed')
    local -ar arg_specs=(
        '*:file… url:_files -g '\''*.toml'\'''
        '--source-application[Decide as for this source application.]:id:{__usher_custom_complete ---completion routes explain -- --source-application "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--assurance[Set the assurance of the source\: sandbox, unit, executable, claimed or unknown (default\: claimed with a source, otherwise unknown).]:level:{__usher_complete "${___assurance[@]}"}'
        '--installed[Set who can modify the installed files of the source\: system (only root) or user (default).]:owner:{__usher_complete "${___installed[@]}"}'
        '--remote[Set the machine from which the link comes, such as build.example.org.]:machine:'
        '--origin[Set the web origin of the request, such as https\://example.org.]:origin:'
        '--user-activation[Set the user activation\: clicked or allowed.]:kind:{__usher_complete "${___user_activation[@]}"}'
        '--sandboxed[Treat the source as sandboxed.]'
        '*--running[Treat this application as running; may be repeated.]:id:{__usher_custom_complete ---completion routes explain -- --running "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--installed-targets[Treat the applications and programs that routes start as installed, as target = "installed" demands.]'
        '--limit[Print at most this many routes that nearly match.]:number:'
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
        '--format[Write this format.]:format:{__usher_complete "${___format[@]}"}'
        '--depth[Draw at most this many levels.]:number:'
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

_usher_routes_import() {
    local -i ret=1
    local -ar _format=('handlr' 'mimeapps' 'finicky')
    local -ar arg_specs=(
        ':format:{__usher_complete "${_format[@]}"}'
        '*:file:_files'
        '(-o --output)'{-o,--output}'[Write the route file there instead of to standard output.]:file:_files -g '\''*.toml'\'''
        '*--browser[Open this browser family or application instead of the browser or application that a Finicky configuration names. Can be repeated.]:name=target:'
        '*--application[Treat links of this application as those of the one that a Finicky configuration compares, by its bundle identifier or name. Can be repeated, also for one name.]:name=id:'
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
            'list:List the stored answers and when each expires.'
            'allow:Allow links or a permission in advance, so that the user is not prompted.'
            'revoke:Revoke grants, so that the user is asked again.'
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
    local -ar ___permission=('notifications' 'location' 'bluetooth')
    local -ar arg_specs=(
        '--source[Select requests from this application, given by its desktop-file ID.]:id:{__usher_custom_complete ---completion grants list -- --source "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--container[Select requests from this container, given by its full ID (podman ps --no-trunc) or its scope unit.]:id:'
        '--remote[Select links that come from this machine, such as build.example.org.]:machine:'
        '--origin[Select web pages of this origin, such as https\://example.org.]:url:'
        '--scheme[Select links of this scheme.]:scheme:{__usher_custom_complete ---completion grants list -- --scheme "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--host[Select links with this host.]:host:'
        '--route[Select the prompts of this route, given by its ID or OWNER/ID.]:name:{__usher_custom_complete ---completion grants list -- --route "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--permission[Select this permission; combine it only with the ID of an application.]:name:{__usher_complete "${___permission[@]}"}'
        ':id:{__usher_custom_complete ---completion grants list -- positional@0 "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_grants_allow() {
    local -i ret=1
    local -ar ___permission=('notifications' 'location' 'bluetooth')
    local -ar ___assurance=('claimed' 'executable' 'unit' 'sandbox')
    local -ar arg_specs=(
        '--source[Select requests from this application, given by its desktop-file ID.]:id:{__usher_custom_complete ---completion grants allow -- --source "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--container[Select requests from this container, given by its full ID (podman ps --no-trunc) or its scope unit.]:id:'
        '--remote[Select links that come from this machine, such as build.example.org.]:machine:'
        '--origin[Select web pages of this origin, such as https\://example.org.]:url:'
        '--scheme[Select links of this scheme.]:scheme:{__usher_custom_complete ---completion grants allow -- --scheme "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--host[Select links with this host.]:host:'
        '--route[Select the prompts of this route, given by its ID or OWNER/ID.]:name:{__usher_custom_complete ---completion grants allow -- --route "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--permission[Select this permission; combine it only with the ID of an application.]:name:{__usher_complete "${___permission[@]}"}'
        ':id:{__usher_custom_complete ---completion grants allow -- positional@0 "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--layer[Select the layer of the route if several layers have a route of that name\: final, user, administrator, vendor.]:layer:'
        '--sandboxed[With --route\: apply to sandboxed callers instead of callers outside sandboxes.]'
        '--assurance[Require at least this assurance of the source (default\: executable).]:level:{__usher_complete "${___assurance[@]}"}'
        '--app[For a route that asks which application opens the link\: choose this application.]:id:{__usher_custom_complete ---completion grants allow -- --app "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--refuse[Reject the links, or refuse the permission, instead of allowing them.]'
        '--days[Store the grant for this many days (default\: 30; with --permission\: no expiry).]:number:'
        '--forever[Store the grant without expiry.]'
        '--json[Print one JSON object.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_usher_grants_revoke() {
    local -i ret=1
    local -ar ___permission=('notifications' 'location' 'bluetooth')
    local -ar arg_specs=(
        '--source[Select requests from this application, given by its desktop-file ID.]:id:{__usher_custom_complete ---completion grants revoke -- --source "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--container[Select requests from this container, given by its full ID (podman ps --no-trunc) or its scope unit.]:id:'
        '--remote[Select links that come from this machine, such as build.example.org.]:machine:'
        '--origin[Select web pages of this origin, such as https\://example.org.]:url:'
        '--scheme[Select links of this scheme.]:scheme:{__usher_custom_complete ---completion grants revoke -- --scheme "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--host[Select links with this host.]:host:'
        '--route[Select the prompts of this route, given by its ID or OWNER/ID.]:name:{__usher_custom_complete ---completion grants revoke -- --route "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--permission[Select this permission; combine it only with the ID of an application.]:name:{__usher_complete "${___permission[@]}"}'
        ':id:{__usher_custom_complete ---completion grants revoke -- positional@0 "${current_word_index}" "$(__usher_cursor_index_in_current_word)"}'
        '--all[Revoke all grants.]'
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
