#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What README.md and docs/ show a command to print, it prints: blocks of four
# spaces whose first line is "$ build/release/sluice ...". A line of "..."
# stands for any lines. Those of `validate` and `claims --summary`, which take
# long, are compared with the pages of results/ that they wrote (results/check). A strategy that the file does not name
# may be listed, too: it was added later.
set -u
sluice=$1
failed=0 shown=0

check() { # the command, the text shown
    local command=$1 shown_text=$2 run printed pattern='' line

    case $command in
    'validate results/measured/lassen_'*)
        run="sed 1d results/validation/lassen.txt ${command#*.csv}"
        ;;
    'claims --summary') run="sed 1d results/claims/summary.md" ;;
    *) run="\"$sluice\" $command" ;;
    esac
    printed=$(eval "$run" 2>&1 | sed 's/ *$//' |
        awk -v "later=$later" 'BEGIN { split(later, names); for (i in names) skip[names[i]] }
            !($1 in skip)')
    while IFS= read -r line; do
        if [ "$line" = ... ]; then
            pattern+='*'
        else
            pattern+="$(sed 's/[][\\*?]/\\&/g' <<<"$line")"$'\n'
        fi
    done <<<"$shown_text"
    shown=$((shown + 1))
    # shellcheck disable=SC2053 # a pattern
    [[ $printed$'\n' == $pattern ]] && return
    echo "$file: sluice $command: prints"
    diff <(echo "$shown_text") <(echo "$printed") | sed 's/^/  /'
    failed=1
}

for file in README.md docs/*.md; do
    command='' text='' later=''
    for name in $("$sluice" list strategies | awk '/^  / { print $1 }'); do
        grep -qF -- "$name" "$file" || later+=" $name"
    done
    while IFS= read -r line || [ -n "$line" ]; do
        line=${line%"${line##*[! ]}"}
        case $line in
        '    $ build/release/sluice '*) next=${line#'    $ build/release/sluice '} ;;
        '    '* | '')
            [ -n "$command" ] && text+=${line#    }$'\n'
            continue
            ;;
        *) next='' ;;
        esac
        if [ -n "$command" ]; then
            while [[ $text == *$'\n\n' ]]; do text=${text%$'\n'}; done
            check "$command" "${text%$'\n'}"
        fi
        command=$next text=''
    done <"$file"
done

# A cell of a table is read in a column, so it has 200 characters at most; longer
# ones are lists or paragraphs.
pages=$(find README.md CONTRIBUTING.md docs platforms results strategies apps study validate \
    workloads tests -name '*.md')
wide=$(awk '/^ *[|]/ {
        gsub(/\\[|]/, "/")
        n = split($0, cells, "|")
        for (i = 1; i <= n; i++) {
            gsub(/^ +| +$/, "", cells[i])
            if (length(cells[i]) > 200)
                print FILENAME ":" FNR ": a cell of " length(cells[i]) " characters"
        }
    }' $pages)
[ -z "$wide" ] || { echo "$wide"; failed=1; }

[ $shown -ge 3 ] || { echo "$shown commands shown, expected 3 or more"; failed=1; }
exit $failed
