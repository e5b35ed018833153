# SPDX-License-Identifier: GPL-3.0-or-later
# Completion of sluice in bash. The program itself knows what may come next.
_sluice()
{
    local word=${COMP_WORDS[COMP_CWORD]} words
    words=$("${COMP_WORDS[0]}" --complete "${COMP_WORDS[@]:1:COMP_CWORD-1}" \
        2>/dev/null) || return
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o default -F _sluice sluice
