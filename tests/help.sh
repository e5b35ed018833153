#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The help of every command has at most 80 columns, all options and an example,
# and each example is a command line that sluice accepts. The examples run in a
# folder that has the repository's data, for a second each: one that still runs
# then has read its command line.
set -u
. tests/expect.bash
sluice=$(realpath "$sluice")
for data in docs platforms results workloads; do
    ln -s "$PWD/$data" "$dir/$data"
done
ln -s "$sluice" "$dir/sluice"
ln -s "$sluice" "$dir/sluice-before" # which an example of bench runs
export MANWIDTH=80
examples=0

# The command lines below "Examples:", each as one line.
examples_of() { # a file with help
    sed '1,/^Examples:$/d' "$1" | sed -n '/^    /p' |
        sed -e ':a' -e '/\\$/N' -e 's/\\\n *//' -e 'ta' -e 's/^ *//'
}

check() { # words of a command
    local line code words
    "$sluice" "$@" --help >"$dir/help"
    expect "$* --help: more than 80 columns: $(grep -E '.{81}' "$dir/help")" \
        bash -c "! grep -qE '.{81}' '$dir/help'"
    expect "$* --help: no usage" grep -q '^usage: sluice' "$dir/help"
    expect "$* --help: no example" [ -n "$(examples_of "$dir/help")" ]
    if [ $# -gt 0 ] && [ "$*" != show ]; then
        words=$("$sluice" "$@" --help=words)
        for word in $words; do
            expect "$* --help: no $word" \
                grep -qE -- "^  $word( |\$)" "$dir/help"
        done
        expect "$* --help: no heading" grep -qE '^(Options|General):$' "$dir/help"
    fi
    while IFS= read -r line; do
        examples=$((examples + 1))
        expect "$*: an example of sluice: $line" [ "${line%% *}" = sluice ]
        (cd "$dir" && PATH=$dir:$PATH timeout -k 5 1 bash -c "exec $line" \
            >"$dir/stdout" 2>"$dir/stderr" </dev/null)
        code=$?
        # 1: the work failed, such as a figure without gnuplot; 137: it was
        # killed while it still ran, in a library that hears no signal.
        expect "$line: exit code $code: $(head -c 500 "$dir/stderr")" \
            [ $code = 0 -o $code = 1 -o $code = 124 -o $code = 137 ]
    done < <(examples_of "$dir/help")
    if command -v man >/dev/null && man --version >/dev/null 2>&1; then
        "$sluice" "$@" --help=man | man -l - >"$dir/man" 2>/dev/null
        expect "$* --help=man: more than 80 columns" \
            bash -c "! grep -qE '.{81}' '$dir/man'"
        expect "$* --help=man: no examples" grep -q '^EXAMPLES' "$dir/man"
    fi
}

# The examples of figure and report show the database of that of sweep.
(cd "$dir" && ./sluice sweep docs/space.json -o runs.db >stdout) ||
    expect "a database" false

check
for command in $("$sluice" --complete); do
    check "$command"
done
for kind in $("$sluice" show --help=words); do
    check show "$kind"
done
for kind in measured native traverse; do
    check validate "$kind"
done
for kind in messages matching costs; do
    check calibrate "$kind"
done
expect "few examples: $examples" [ "$examples" -gt 25 ]

# sluice-native, which runs without mpirun.
if [ -n "${2-}" ]; then
    for command in "" $("$2" --help | sed -n 's/^  \([a-z_-]*\)  .*/\1/p'); do
        "$2" $command --help >"$dir/help" 2>"$dir/stderr" </dev/null
        expect "sluice-native $command --help: $(grep -E '.{81}' "$dir/help")" \
            bash -c "! grep -qE '.{81}' '$dir/help'"
        expect "sluice-native $command --help: no usage" \
            grep -q '^usage: ' "$dir/help"
        expect "sluice-native $command --help: no example" \
            [ -z "$command" -o -n "$(examples_of "$dir/help")" ]
    done
fi

# The groups of `run`: each heading once, --set with the other machine options.
"$sluice" run --help >"$dir/help"
expect "run --help: groups" [ "$(grep -c '^[A-Z][a-z ]*:$' "$dir/help")" -ge 8 ]
expect "run --help: a heading twice" \
    [ -z "$(grep '^[A-Z].*:$' "$dir/help" | sort | uniq -d)" ]
expect "run --help: --set is of the machine" \
    bash -c "sed -n '/^Machine/,/^\$/p' '$dir/help' | grep -q -- --set"

# A subcommand has its own options and help; one of another is refused, and a
# former spelling is followed by a hint.
"$sluice" validate measured --help >"$dir/help"
expect "validate measured --help: --graphs" bash -c "! grep -q -- --graphs '$dir/help'"
refuses 2 '--graphs: an option of validate traverse, not of validate native' \
    validate native --graphs x y.csv
refuses 2 '--native: not with validate measured, which takes files' validate measured --native y.csv
refuses 2 '--keep-breakpoints: an option of calibrate messages, not of calibrate costs' \
    calibrate costs --keep-breakpoints
refuses 2 'measured runtimes' calibrate runtimes results/h200/gpu/match.csv --base dane -o "$dir/no.json"
expect "calibrate runtimes: a file" [ ! -e "$dir/no.json" ]
file=results/measured/lassen_spectrum_maxrate.csv
"$sluice" validate --platform lassen --against $file >"$dir/former" 2>"$dir/hint"
expect "validate --against: no hint" \
    grep -qx 'sluice: --against: now sluice validate measured FILE ...' "$dir/hint"
"$sluice" validate measured --platform lassen $file >"$dir/now" 2>"$dir/hint"
expect "validate measured: another answer" cmp -s "$dir/former" "$dir/now"
expect "validate measured: a hint" [ ! -s "$dir/hint" ]
for kind in matching ""; do
    "$sluice" calibrate $kind results/h200/gpu/match.csv --base platforms/matching/h200.json -o - \
        >"$dir/kind$kind" 2>"$dir/hint$kind"
done
expect "calibrate matching: another answer" cmp -s "$dir/kind" "$dir/kindmatching"
expect "calibrate match.csv: no hint" grep -q 'match.csv: now sluice calibrate matching FILE' "$dir/hint"
expect "calibrate matching: a hint" bash -c "! grep -q 'now sluice' '$dir/hintmatching'"

# A former name works, and no page has it.
"$sluice" validate --help >"$dir/help"
expect "--sure in the help" bash -c "! grep -q -- --sure '$dir/help'"
refuses 2 '--calibration: given twice' validate --sure 2 --calibration 2
refuses 2 '--json: not with --calibration' validate --sure 2 --json --against x
exit $failed
