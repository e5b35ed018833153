#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The quick pages of results/ are what the program prints; a page that is not
# is named, with the lines that differ.
set -euo pipefail
sluice=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

results/check --sluice "$sluice" --within 10

# A page that a command did not write is found, one that it wrote is not.
mkdir "$tmp/results"
cp results/check "$tmp/results"
{
    echo "\$ sluice list strategies"
    "$sluice" list strategies
} >"$tmp/results/same.txt"
sed '$s/$/ changed/' "$tmp/results/same.txt" >"$tmp/results/changed.txt"
if said=$("$tmp/results/check" --sluice "$sluice"); then
    echo "a changed page passed: $said"
    exit 1
fi
grep -q 'changed.txt: differs' <<<"$said"
grep -q 'same.txt: the same' <<<"$said"
grep -q '^2 pages, 1 differ' <<<"$said"
"$tmp/results/check" --sluice "$sluice" --write >/dev/null
"$tmp/results/check" --sluice "$sluice" >/dev/null

# A script writes a page, too: it is told which program to run.
printf '#!/bin/sh\n"$2" list strategies\n' >"$tmp/results/script"
chmod +x "$tmp/results/script"
sed '1s/.*/<!-- $ results\/script -->/' "$tmp/results/same.txt" >"$tmp/results/script.md"
"$tmp/results/check" --sluice "$sluice" "$tmp/results/script.md"

# The tables of results/advise are those of its cases.
results/advise/tables >"$tmp/tables"
while IFS= read -r row; do
    grep -qxF -- "$row" results/advise/README.md || {
        echo "results/advise/README.md lacks: $row"
        exit 1
    }
done <"$tmp/tables"
