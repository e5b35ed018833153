#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The quick pages of results/ are what the program prints; a page that is not
# is named, with the lines that differ.
set -euo pipefail
sluice=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

results/check --sluice "$sluice" --within 10

# A number that changed in a page is found.
page=results/testbed/validate-4x4.txt
mkdir "$tmp/results"
cp results/check "$tmp/results"
sed '$s/[0-9]/7&/' "$page" >"$tmp/results/changed.txt"
sed -i "1s,results/,$PWD/results/,g" "$tmp/results/changed.txt"
if said=$("$tmp/results/check" --sluice "$sluice"); then
    echo "a changed page passed: $said"
    exit 1
fi
grep -q 'changed.txt: differs' <<<"$said"
grep -q '^1 pages, 1 differ' <<<"$said"
