#!/bin/bash

__usher_cursor_index_in_current_word() {
    local remaining="${COMP_LINE}"

    local word
    for word in "${COMP_WORDS[@]::COMP_CWORD}"; do
        remaining="${remaining##*([[:space:]])"${word}"*([[:space:]])}"
    done

    local -ir index="$((COMP_POINT - ${#COMP_LINE} + ${#remaining}))"
    if [[ "${index}" -le 0 ]]; then
        printf 0
    else
        printf %s "${index}"
    fi
}

# positional arguments:
#
# - 1: the current (sub)command's count of positional arguments
#
# required variables:
#
# - repeating_flags: the repeating flags that the current (sub)command can accept
# - non_repeating_flags: the non-repeating flags that the current (sub)command can accept
# - repeating_options: the repeating options that the current (sub)command can accept
# - non_repeating_options: the non-repeating options that the current (sub)command can accept
# - positional_number: value ignored
# - unparsed_words: unparsed words from the current command line
#
# modified variables:
#
# - non_repeating_flags: remove flags for this (sub)command that are already on the command line
# - non_repeating_options: remove options for this (sub)command that are already on the command line
# - positional_number: set to the current positional number
# - unparsed_words: remove all flags, options, and option values for this (sub)command
__usher_offer_flags_options() {
    local -ir positional_count="${1}"
    positional_number=0

    local was_flag_option_terminator_seen=false
    local is_parsing_option_value=false

    local -ar unparsed_word_indices=("${!unparsed_words[@]}")
    local -i word_index
    for word_index in "${unparsed_word_indices[@]}"; do
        if "${is_parsing_option_value}"; then
            # This word is an option value:
            # Reset marker for next word iff not currently the last word
            [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]] && is_parsing_option_value=false
            unset "unparsed_words[${word_index}]"
            # Do not process this word as a flag or an option
            continue
        fi

        local word="${unparsed_words["${word_index}"]}"
        if ! "${was_flag_option_terminator_seen}"; then
            case "${word}" in
            --)
                unset "unparsed_words[${word_index}]"
                # by itself -- is a flag/option terminator, but if it is the last word, it is the start of a completion
                if [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]]; then
                    was_flag_option_terminator_seen=true
                fi
                continue
                ;;
            -*)
                # ${word} is a flag or an option
                # If ${word} is an option, mark that the next word to be parsed is an option value
                local option
                for option in "${repeating_options[@]}" "${non_repeating_options[@]}"; do
                    [[ "${word}" = "${option}" ]] && is_parsing_option_value=true && break
                done

                # Remove ${word} from ${non_repeating_flags} or ${non_repeating_options} so it isn't offered again
                local not_found=true
                local -i index
                for index in "${!non_repeating_flags[@]}"; do
                    if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                        unset "non_repeating_flags[${index}]"
                        non_repeating_flags=("${non_repeating_flags[@]}")
                        not_found=false
                        break
                    fi
                done
                if "${not_found}"; then
                    for index in "${!non_repeating_flags[@]}"; do
                        if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                            unset "non_repeating_flags[${index}]"
                            non_repeating_flags=("${non_repeating_flags[@]}")
                            break
                        fi
                    done
                fi
                unset "unparsed_words[${word_index}]"
                continue
                ;;
            esac
        fi

        # ${word} is neither a flag, nor an option, nor an option value
        if [[ "${positional_number}" -lt "${positional_count}" || "${positional_count}" -lt 0 ]]; then
            # ${word} is a positional
            ((positional_number++))
            unset "unparsed_words[${word_index}]"
        else
            if [[ -z "${word}" ]]; then
                # Could be completing a flag, option, or subcommand
                positional_number=-1
            else
                # ${word} is a subcommand or invalid, so stop processing this (sub)command
                positional_number=-2
            fi
            break
        fi
    done

    unparsed_words=("${unparsed_words[@]}")

    if\
        ! "${was_flag_option_terminator_seen}"\
        && ! "${is_parsing_option_value}"\
        && [[ ("${cur}" = -* && "${positional_number}" -ge 0) || "${positional_number}" -eq -1 ]]
    then
        COMPREPLY+=($(compgen -W "${repeating_flags[*]} ${non_repeating_flags[*]} ${repeating_options[*]} ${non_repeating_options[*]}" -- "${cur}"))
    fi
}

__usher_add_completions() {
    local completion
    while IFS='' read -r completion; do
        COMPREPLY+=("${completion}")
    done < <(IFS=$'\n' compgen "${@}" -- "${cur}")
}

__usher_custom_complete() {
    if [[ -n "${cur}" || -z ${COMP_WORDS[${COMP_CWORD}]} || "${COMP_LINE:${COMP_POINT}:1}" != ' ' ]]; then
        local -ar words=("${COMP_WORDS[@]}")
    else
        local -ar words=("${COMP_WORDS[@]::${COMP_CWORD}}" '' "${COMP_WORDS[@]:${COMP_CWORD}}")
    fi

    local line
    while IFS='' read -r line || [[ -n "${line}" ]]; do
        [[ -z "${line}" ]] || printf "'%s'\n" "${line//\'/\'\\\'\'}"
    done < <("${COMP_WORDS[0]}" "${@}" "${words[@]}")
}

_usher() {
    local state
    state="$(shopt -p;shopt -po)"
    trap "${state//$'\n'/;}" RETURN
    shopt -s extglob
    set +o history +o posix

    local -xr SAP_SHELL=bash
    local -x SAP_SHELL_VERSION
    SAP_SHELL_VERSION="$(IFS='.';printf %s "${BASH_VERSINFO[*]}")"
    local -r SAP_SHELL_VERSION

    local -r cur="${2}"
    local -r prev="${3}"

    local -i positional_number
    local -a unparsed_words=("${COMP_WORDS[@]:1:${COMP_CWORD}}")

    local -a repeating_flags=()
    local -a non_repeating_flags=(--version -h --help)
    local -a repeating_options=()
    local -a non_repeating_options=()
    __usher_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    open|reveal|explain|history|monitor|report|handlers|register|unregister|doctor|web|notify|push|download|region|bluetooth|listen|test-open|test-application|remote|ssh|routes|grants|help)
        # Offer subcommand argument completions
        "_usher_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'open reveal explain history monitor report handlers register unregister doctor web notify push download region bluetooth listen test-open test-application remote ssh routes grants help' -- "${cur}"))
        ;;
    esac
}

_usher_open() {
    repeating_flags=()
    non_repeating_flags=(--universal-links-only --open-in-place --progress --callback --dry-run --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--source-application --origin --app --target-content-id --annotation --reason --payload --action --wait --timeout --fallback)
    __usher_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--source-application')
        __usher_add_completions -W "$(__usher_custom_complete ---completion open -- --source-application "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    '--origin')
        return
        ;;
    '--app')
        __usher_add_completions -W "$(__usher_custom_complete ---completion open -- --app "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    '--target-content-id')
        return
        ;;
    '--annotation')
        return
        ;;
    '--reason')
        __usher_add_completions -W 'activate'$'\n''shortcut-item'$'\n''user-activity'$'\n''local-notification'$'\n''remote-notification'
        return
        ;;
    '--payload')
        return
        ;;
    '--action')
        __usher_add_completions -W "$(__usher_custom_complete ---completion open -- --action "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    '--wait')
        __usher_add_completions -W 'accepted'$'\n''delivered'$'\n''handled'
        return
        ;;
    '--timeout')
        return
        ;;
    '--fallback')
        __usher_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __usher_add_completions -f
        return
        ;;
    esac
}

_usher_reveal() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __usher_offer_flags_options -1

    # Offer positional completions
    case "${positional_number}" in
    *)
        __usher_add_completions -f
        return
        ;;
    esac
}

_usher_explain() {
    repeating_flags=()
    non_repeating_flags=(--universal-links-only --sandboxed --clicked --in-app --skip-comparison --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--source-application --origin --app --target-content-id --as --installed --remote)
    __usher_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--source-application')
        __usher_add_completions -W "$(__usher_custom_complete ---completion explain -- --source-application "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    '--origin')
        return
        ;;
    '--app')
        __usher_add_completions -W "$(__usher_custom_complete ---completion explain -- --app "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    '--target-content-id')
        return
        ;;
    '--as')
        __usher_add_completions -W "$(__usher_custom_complete ---completion explain -- --as "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    '--installed')
        __usher_add_completions -W 'system'$'\n''user'
        return
        ;;
    '--remote')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __usher_add_completions -f
        return
        ;;
    esac
}

_usher_history() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--limit --since --until)
    __usher_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--limit')
        return
        ;;
    '--since')
        return
        ;;
    '--until')
        return
        ;;
    esac
}

_usher_monitor() {
    repeating_flags=()
    non_repeating_flags=(--json --watch --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __usher_offer_flags_options 0
}

_usher_report() {
    repeating_flags=()
    non_repeating_flags=(--open --version -h --help)
    repeating_options=(--routes)
    non_repeating_options=(--since --urls)
    __usher_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--since')
        return
        ;;
    '--routes')
        __usher_add_completions -o plusdirs -fX '!*.@(toml)'
        return
        ;;
    '--urls')
        __usher_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __usher_add_completions -f
        return
        ;;
    esac
}

_usher_handlers() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __usher_offer_flags_options 0
}

_usher_register() {
    repeating_flags=()
    non_repeating_flags=(--web --direct --system --default --reset-portal --json --version -h --help)
    repeating_options=(--scheme)
    non_repeating_options=(--name --exec --id)
    __usher_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--name')
        return
        ;;
    '--exec')
        return
        ;;
    '--id')
        __usher_add_completions -W "$(__usher_custom_complete ---completion register -- --id "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    '--scheme')
        __usher_add_completions -W "$(__usher_custom_complete ---completion register -- --scheme "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __usher_add_completions -W "$(__usher_custom_complete ---completion register -- positional@0 "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_usher_unregister() {
    repeating_flags=()
    non_repeating_flags=(--web --system --json --version -h --help)
    repeating_options=(--scheme)
    non_repeating_options=()
    __usher_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--scheme')
        __usher_add_completions -W "$(__usher_custom_complete ---completion unregister -- --scheme "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __usher_add_completions -W "$(__usher_custom_complete ---completion unregister -- positional@0 "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_usher_doctor() {
    repeating_flags=()
    non_repeating_flags=(--fix --json --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __usher_offer_flags_options 0
}

_usher_web() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __usher_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    enable|disable|status|browsers|try|catalog)
        # Offer subcommand argument completions
        "_usher_web_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'enable disable status browsers try catalog' -- "${cur}"))
        ;;
    esac
}

_usher_web_enable() {
    repeating_flags=()
    non_repeating_flags=(--reset-portal --json --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __usher_offer_flags_options 1

    # Offer positional completions
    case "${positional_number}" in
    1)
        __usher_add_completions -W "$(__usher_custom_complete ---completion web enable -- positional@0 "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_usher_web_disable() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __usher_offer_flags_options 0
}

_usher_web_status() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __usher_offer_flags_options 0
}

_usher_web_browsers() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __usher_offer_flags_options 0
}

_usher_web_try() {
    repeating_flags=()
    non_repeating_flags=(--sandboxed --clicked --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--as --installed --remote)
    __usher_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--as')
        __usher_add_completions -W "$(__usher_custom_complete ---completion web try -- --as "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    '--installed')
        __usher_add_completions -W 'system'$'\n''user'
        return
        ;;
    '--remote')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __usher_add_completions -f
        return
        ;;
    esac
}

_usher_web_catalog() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __usher_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|enable|disable)
        # Offer subcommand argument completions
        "_usher_web_catalog_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list enable disable' -- "${cur}"))
        ;;
    esac
}

_usher_web_catalog_list() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __usher_offer_flags_options 0
}

_usher_web_catalog_enable() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __usher_offer_flags_options -1

    # Offer positional completions
    case "${positional_number}" in
    *)
        __usher_add_completions -W "$(__usher_custom_complete ---completion web catalog enable -- positional@0 "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_usher_web_catalog_disable() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __usher_offer_flags_options -1

    # Offer positional completions
    case "${positional_number}" in
    *)
        __usher_add_completions -W "$(__usher_custom_complete ---completion web catalog disable -- positional@0 "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_usher_notify() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __usher_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    add|list|cancel|settings)
        # Offer subcommand argument completions
        "_usher_notify_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'add list cancel settings' -- "${cur}"))
        ;;
    esac
}

_usher_notify_add() {
    repeating_flags=()
    non_repeating_flags=(--repeats --json --version -h --help)
    repeating_options=(--action)
    non_repeating_options=(--title --subtitle --body --at --in --every --calendar --region --radius --on --time-zone --identifier --category --badge --sound --thread --user-info --target-content-id --request)
    __usher_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--title')
        return
        ;;
    '--subtitle')
        return
        ;;
    '--body')
        return
        ;;
    '--at')
        return
        ;;
    '--in')
        return
        ;;
    '--every')
        return
        ;;
    '--calendar')
        return
        ;;
    '--region')
        return
        ;;
    '--radius')
        return
        ;;
    '--on')
        __usher_add_completions -W 'entry'$'\n''exit'
        return
        ;;
    '--time-zone')
        return
        ;;
    '--identifier')
        return
        ;;
    '--action')
        return
        ;;
    '--category')
        return
        ;;
    '--badge')
        return
        ;;
    '--sound')
        return
        ;;
    '--thread')
        return
        ;;
    '--user-info')
        return
        ;;
    '--target-content-id')
        return
        ;;
    '--request')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __usher_add_completions -W "$(__usher_custom_complete ---completion notify add -- positional@0 "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_usher_notify_list() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __usher_offer_flags_options 1

    # Offer positional completions
    case "${positional_number}" in
    1)
        __usher_add_completions -W "$(__usher_custom_complete ---completion notify list -- positional@0 "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_usher_notify_cancel() {
    repeating_flags=()
    non_repeating_flags=(--all --json --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __usher_offer_flags_options -1

    # Offer positional completions
    case "${positional_number}" in
    1)
        __usher_add_completions -W "$(__usher_custom_complete ---completion notify cancel -- positional@0 "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_usher_notify_settings() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __usher_offer_flags_options 1

    # Offer positional completions
    case "${positional_number}" in
    1)
        __usher_add_completions -W "$(__usher_custom_complete ---completion notify settings -- positional@0 "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_usher_push() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __usher_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    register|list|unregister)
        # Offer subcommand argument completions
        "_usher_push_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'register list unregister' -- "${cur}"))
        ;;
    esac
}

_usher_push_register() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--vapid --distributor)
    __usher_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--vapid')
        return
        ;;
    '--distributor')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __usher_add_completions -W "$(__usher_custom_complete ---completion push register -- positional@0 "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_usher_push_list() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __usher_offer_flags_options 0
}

_usher_push_unregister() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __usher_offer_flags_options 1

    # Offer positional completions
    case "${positional_number}" in
    1)
        __usher_add_completions -W "$(__usher_custom_complete ---completion push unregister -- positional@0 "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_usher_download() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __usher_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    add|list|cancel|pause|resume)
        # Offer subcommand argument completions
        "_usher_download_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'add list cancel pause resume' -- "${cur}"))
        ;;
    esac
}

_usher_download_add() {
    repeating_flags=()
    non_repeating_flags=(--replace --json --version -h --help)
    repeating_options=(--header)
    non_repeating_options=(-o --output --identifier --sha256 --max-size --session)
    __usher_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '-o'|'--output')
        __usher_add_completions -f
        return
        ;;
    '--identifier')
        return
        ;;
    '--sha256')
        return
        ;;
    '--max-size')
        return
        ;;
    '--session')
        return
        ;;
    '--header')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __usher_add_completions -W "$(__usher_custom_complete ---completion download add -- positional@0 "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_usher_download_list() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __usher_offer_flags_options 0
}

_usher_download_cancel() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __usher_offer_flags_options -1

    # Offer positional completions
    case "${positional_number}" in
    1)
        __usher_add_completions -W "$(__usher_custom_complete ---completion download cancel -- positional@0 "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_usher_download_pause() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __usher_offer_flags_options -1

    # Offer positional completions
    case "${positional_number}" in
    1)
        __usher_add_completions -W "$(__usher_custom_complete ---completion download pause -- positional@0 "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_usher_download_resume() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __usher_offer_flags_options -1

    # Offer positional completions
    case "${positional_number}" in
    1)
        __usher_add_completions -W "$(__usher_custom_complete ---completion download resume -- positional@0 "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_usher_region() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __usher_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    add|list|remove)
        # Offer subcommand argument completions
        "_usher_region_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'add list remove' -- "${cur}"))
        ;;
    esac
}

_usher_region_add() {
    repeating_flags=()
    non_repeating_flags=(--significant-changes --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--at --radius --on)
    __usher_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--at')
        return
        ;;
    '--radius')
        return
        ;;
    '--on')
        __usher_add_completions -W 'entry'$'\n''exit'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __usher_add_completions -W "$(__usher_custom_complete ---completion region add -- positional@0 "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_usher_region_list() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __usher_offer_flags_options 1

    # Offer positional completions
    case "${positional_number}" in
    1)
        __usher_add_completions -W "$(__usher_custom_complete ---completion region list -- positional@0 "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_usher_region_remove() {
    repeating_flags=()
    non_repeating_flags=(--significant-changes --all --json --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __usher_offer_flags_options -1

    # Offer positional completions
    case "${positional_number}" in
    1)
        __usher_add_completions -W "$(__usher_custom_complete ---completion region remove -- positional@0 "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_usher_bluetooth() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __usher_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    add|list|remove|publish|update|services|unpublish)
        # Offer subcommand argument completions
        "_usher_bluetooth_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'add list remove publish update services unpublish' -- "${cur}"))
        ;;
    esac
}

_usher_bluetooth_add() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=(--device --service)
    non_repeating_options=()
    __usher_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--device')
        return
        ;;
    '--service')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __usher_add_completions -W "$(__usher_custom_complete ---completion bluetooth add -- positional@0 "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_usher_bluetooth_list() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __usher_offer_flags_options 1

    # Offer positional completions
    case "${positional_number}" in
    1)
        __usher_add_completions -W "$(__usher_custom_complete ---completion bluetooth list -- positional@0 "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_usher_bluetooth_remove() {
    repeating_flags=()
    non_repeating_flags=(--all --json --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __usher_offer_flags_options -1

    # Offer positional completions
    case "${positional_number}" in
    1)
        __usher_add_completions -W "$(__usher_custom_complete ---completion bluetooth remove -- positional@0 "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_usher_bluetooth_publish() {
    repeating_flags=()
    non_repeating_flags=(--advertise --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--local-name)
    __usher_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--local-name')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __usher_add_completions -W "$(__usher_custom_complete ---completion bluetooth publish -- positional@0 "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_usher_bluetooth_update() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--service)
    __usher_offer_flags_options 4

    # Offer option value completions
    case "${prev}" in
    '--service')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __usher_add_completions -W "$(__usher_custom_complete ---completion bluetooth update -- positional@0 "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_usher_bluetooth_services() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __usher_offer_flags_options 1

    # Offer positional completions
    case "${positional_number}" in
    1)
        __usher_add_completions -W "$(__usher_custom_complete ---completion bluetooth services -- positional@0 "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_usher_bluetooth_unpublish() {
    repeating_flags=()
    non_repeating_flags=(--all --json --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __usher_offer_flags_options -1

    # Offer positional completions
    case "${positional_number}" in
    1)
        __usher_add_completions -W "$(__usher_custom_complete ---completion bluetooth unpublish -- positional@0 "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_usher_listen() {
    repeating_flags=()
    non_repeating_flags=(--each --replies --version -h --help)
    repeating_options=()
    non_repeating_options=(--concurrent --timeout --idle)
    __usher_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--concurrent')
        return
        ;;
    '--timeout')
        return
        ;;
    '--idle')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __usher_add_completions -W "$(__usher_custom_complete ---completion listen -- positional@0 "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_usher_test-open() {
    repeating_flags=()
    non_repeating_flags=(--restart --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--simulate --watch --source-application --annotation --timeout)
    __usher_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--simulate')
        __usher_add_completions -W 'cold'$'\n''warm'$'\n''suspended'
        return
        ;;
    '--watch')
        __usher_add_completions -o plusdirs -fX '!*.@(toml)'
        return
        ;;
    '--source-application')
        __usher_add_completions -W "$(__usher_custom_complete ---completion test-open -- --source-application "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    '--annotation')
        return
        ;;
    '--timeout')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __usher_add_completions -W "$(__usher_custom_complete ---completion test-open -- positional@0 "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    *)
        __usher_add_completions -f
        return
        ;;
    esac
}

_usher_test-application() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=(--only)
    non_repeating_options=(--slow --failing --timeout --home)
    __usher_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--slow')
        return
        ;;
    '--failing')
        return
        ;;
    '--timeout')
        return
        ;;
    '--home')
        __usher_add_completions -d
        return
        ;;
    '--only')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __usher_add_completions -W "$(__usher_custom_complete ---completion test-application -- positional@0 "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_usher_remote() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __usher_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    setup|connect|list|disconnect|register|unregister)
        # Offer subcommand argument completions
        "_usher_remote_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'setup connect list disconnect register unregister' -- "${cur}"))
        ;;
    esac
}

_usher_remote_setup() {
    repeating_flags=()
    non_repeating_flags=(--container --undo --version -h --help)
    repeating_options=(-o)
    non_repeating_options=(-F)
    __usher_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '-o')
        return
        ;;
    '-F')
        __usher_add_completions -f
        return
        ;;
    esac
}

_usher_remote_connect() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=(-o)
    non_repeating_options=(-F)
    __usher_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '-o')
        return
        ;;
    '-F')
        __usher_add_completions -f
        return
        ;;
    esac
}

_usher_remote_list() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __usher_offer_flags_options 0
}

_usher_remote_disconnect() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=(-o)
    non_repeating_options=(-F)
    __usher_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '-o')
        return
        ;;
    '-F')
        __usher_add_completions -f
        return
        ;;
    esac
}

_usher_remote_register() {
    repeating_flags=()
    non_repeating_flags=(--once --version -h --help)
    repeating_options=()
    non_repeating_options=(--open --timeout)
    __usher_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--open')
        return
        ;;
    '--timeout')
        return
        ;;
    esac
}

_usher_remote_unregister() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __usher_offer_flags_options 1

    # Offer positional completions
    case "${positional_number}" in
    1)
        __usher_add_completions -W "$(__usher_custom_complete ---completion remote unregister -- positional@0 "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_usher_ssh() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=(-o)
    non_repeating_options=(-F)
    __usher_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '-o')
        return
        ;;
    '-F')
        __usher_add_completions -f
        return
        ;;
    esac
}

_usher_routes() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __usher_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    check|test|match|explain|generate|coverage|graph|diff|import)
        # Offer subcommand argument completions
        "_usher_routes_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'check test match explain generate coverage graph diff import' -- "${cur}"))
        ;;
    esac
}

_usher_routes_check() {
    repeating_flags=()
    non_repeating_flags=(--strict --json --system --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __usher_offer_flags_options -1

    # Offer positional completions
    case "${positional_number}" in
    *)
        __usher_add_completions -o plusdirs -fX '!*.@(toml)'
        return
        ;;
    esac
}

_usher_routes_test() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __usher_offer_flags_options -1

    # Offer positional completions
    case "${positional_number}" in
    *)
        __usher_add_completions -o plusdirs -fX '!*.@(toml)'
        return
        ;;
    esac
}

_usher_routes_match() {
    repeating_flags=()
    non_repeating_flags=(--sandboxed --installed-targets --json --version -h --help)
    repeating_options=(--running)
    non_repeating_options=(--source-application --assurance --installed --remote --origin --user-activation)
    __usher_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--source-application')
        __usher_add_completions -W "$(__usher_custom_complete ---completion routes match -- --source-application "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    '--assurance')
        __usher_add_completions -W 'sandbox'$'\n''unit'$'\n''executable'$'\n''claimed'$'\n''unknown'
        return
        ;;
    '--installed')
        __usher_add_completions -W 'system'$'\n''user'
        return
        ;;
    '--remote')
        return
        ;;
    '--origin')
        return
        ;;
    '--user-activation')
        __usher_add_completions -W 'clicked'$'\n''allowed'
        return
        ;;
    '--running')
        __usher_add_completions -W "$(__usher_custom_complete ---completion routes match -- --running "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __usher_add_completions -o plusdirs -fX '!*.@(toml)'
        return
        ;;
    esac
}

_usher_routes_explain() {
    repeating_flags=()
    non_repeating_flags=(--sandboxed --installed-targets --json --version -h --help)
    repeating_options=(--running)
    non_repeating_options=(--source-application --assurance --installed --remote --origin --user-activation --limit)
    __usher_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--source-application')
        __usher_add_completions -W "$(__usher_custom_complete ---completion routes explain -- --source-application "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    '--assurance')
        __usher_add_completions -W 'sandbox'$'\n''unit'$'\n''executable'$'\n''claimed'$'\n''unknown'
        return
        ;;
    '--installed')
        __usher_add_completions -W 'system'$'\n''user'
        return
        ;;
    '--remote')
        return
        ;;
    '--origin')
        return
        ;;
    '--user-activation')
        __usher_add_completions -W 'clicked'$'\n''allowed'
        return
        ;;
    '--running')
        __usher_add_completions -W "$(__usher_custom_complete ---completion routes explain -- --running "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __usher_add_completions -o plusdirs -fX '!*.@(toml)'
        return
        ;;
    esac
}

_usher_routes_generate() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __usher_offer_flags_options -1

    # Offer positional completions
    case "${positional_number}" in
    *)
        __usher_add_completions -o plusdirs -fX '!*.@(toml)'
        return
        ;;
    esac
}

_usher_routes_coverage() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __usher_offer_flags_options -1

    # Offer positional completions
    case "${positional_number}" in
    *)
        __usher_add_completions -f
        return
        ;;
    esac
}

_usher_routes_graph() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--format --depth)
    __usher_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--format')
        __usher_add_completions -W 'mermaid'$'\n''dot'$'\n''svg'
        return
        ;;
    '--depth')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __usher_add_completions -o plusdirs -fX '!*.@(toml)'
        return
        ;;
    esac
}

_usher_routes_diff() {
    repeating_flags=()
    non_repeating_flags=(--markdown --json --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __usher_offer_flags_options 2

    # Offer positional completions
    case "${positional_number}" in
    1)
        __usher_add_completions -o plusdirs -fX '!*.@(toml)'
        return
        ;;
    2)
        __usher_add_completions -o plusdirs -fX '!*.@(toml)'
        return
        ;;
    esac
}

_usher_routes_import() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=(--browser --application)
    non_repeating_options=(-o --output)
    __usher_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '-o'|'--output')
        __usher_add_completions -o plusdirs -fX '!*.@(toml)'
        return
        ;;
    '--browser')
        return
        ;;
    '--application')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __usher_add_completions -W 'handlr'$'\n''mimeapps'$'\n''finicky'
        return
        ;;
    *)
        __usher_add_completions -f
        return
        ;;
    esac
}

_usher_grants() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __usher_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|allow|revoke)
        # Offer subcommand argument completions
        "_usher_grants_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list allow revoke' -- "${cur}"))
        ;;
    esac
}

_usher_grants_list() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--source --container --remote --origin --scheme --host --route --permission)
    __usher_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--source')
        __usher_add_completions -W "$(__usher_custom_complete ---completion grants list -- --source "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    '--container')
        return
        ;;
    '--remote')
        return
        ;;
    '--origin')
        return
        ;;
    '--scheme')
        __usher_add_completions -W "$(__usher_custom_complete ---completion grants list -- --scheme "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    '--host')
        return
        ;;
    '--route')
        __usher_add_completions -W "$(__usher_custom_complete ---completion grants list -- --route "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    '--permission')
        __usher_add_completions -W 'notifications'$'\n''location'$'\n''bluetooth'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __usher_add_completions -W "$(__usher_custom_complete ---completion grants list -- positional@0 "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_usher_grants_allow() {
    repeating_flags=()
    non_repeating_flags=(--sandboxed --refuse --forever --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--source --container --remote --origin --scheme --host --route --permission --layer --assurance --app --days)
    __usher_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--source')
        __usher_add_completions -W "$(__usher_custom_complete ---completion grants allow -- --source "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    '--container')
        return
        ;;
    '--remote')
        return
        ;;
    '--origin')
        return
        ;;
    '--scheme')
        __usher_add_completions -W "$(__usher_custom_complete ---completion grants allow -- --scheme "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    '--host')
        return
        ;;
    '--route')
        __usher_add_completions -W "$(__usher_custom_complete ---completion grants allow -- --route "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    '--permission')
        __usher_add_completions -W 'notifications'$'\n''location'$'\n''bluetooth'
        return
        ;;
    '--layer')
        return
        ;;
    '--assurance')
        __usher_add_completions -W 'claimed'$'\n''executable'$'\n''unit'$'\n''sandbox'
        return
        ;;
    '--app')
        __usher_add_completions -W "$(__usher_custom_complete ---completion grants allow -- --app "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    '--days')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __usher_add_completions -W "$(__usher_custom_complete ---completion grants allow -- positional@0 "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_usher_grants_revoke() {
    repeating_flags=()
    non_repeating_flags=(--all --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--source --container --remote --origin --scheme --host --route --permission)
    __usher_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--source')
        __usher_add_completions -W "$(__usher_custom_complete ---completion grants revoke -- --source "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    '--container')
        return
        ;;
    '--remote')
        return
        ;;
    '--origin')
        return
        ;;
    '--scheme')
        __usher_add_completions -W "$(__usher_custom_complete ---completion grants revoke -- --scheme "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    '--host')
        return
        ;;
    '--route')
        __usher_add_completions -W "$(__usher_custom_complete ---completion grants revoke -- --route "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    '--permission')
        __usher_add_completions -W 'notifications'$'\n''location'$'\n''bluetooth'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __usher_add_completions -W "$(__usher_custom_complete ---completion grants revoke -- positional@0 "${COMP_CWORD}" "$(__usher_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_usher_help() {
    repeating_flags=()
    non_repeating_flags=(--version)
    repeating_options=()
    non_repeating_options=()
    __usher_offer_flags_options -1
}

complete -o filenames -F _usher usher
