#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# tests/behaviour finds no difference between two stores of one program, and
# finds another text, another exit code and a run that is gone.
set -eu
sluice=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() {
    echo "$*" >&2
    exit 1
}

for twice in before after; do
    tests/behaviour store "$folder/$twice" --sluice "$sluice" \
        --only '^(show strategy|convert|model --scenario|figure nothing|sweep docs)' \
        >"$folder/said"
done
n=$(find "$folder/before" -type f | wc -l)
[ "$n" -ge 40 ] || fail "only $n runs"
tests/behaviour compare "$folder/before" "$folder/after" >"$folder/said" ||
    fail "one program differs: $(head -5 "$folder/said")"
grep -q "^--- file small.sluice-graph" "$folder"/after/*convert+tests* ||
    fail "no file that was written"
grep -q "INSERT INTO" "$folder"/after/*sweep+docs* || fail "no database"

differs() { # what a pattern
    if tests/behaviour compare "$folder/before" "$folder/after" >"$folder/said"; then
        fail "$1 is not found"
    fi
    grep -qE "$2" "$folder/said" || fail "$1: $(cat "$folder/said")"
    rm -r "$folder/after"
    cp -r "$folder/before" "$folder/after"
}
sed -i 's/^exit 2/exit 1/' "$folder/after/sluice+figure+nothing"
differs "an exit code" '^ *-exit 2'
sed -i 's/one/two/' "$folder/after/sluice+show+strategy+standard+staged"
differs "a text" '^ *\+.*two'
rm "$folder/after/sluice+figure+nothing"
differs "a run that is gone" '^1 of'
