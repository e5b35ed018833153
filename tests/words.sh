#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every source file opens, after its licence, with a comment that says what it
# does.
set -eu
failed=0

sources=$(find base platforms sim workloads strategies validate results cli \
    tests -name '*.c' -o -name '*.cu' -o -name '*.cpp')
[ "$(wc -l <<<"$sources")" -gt 100 ] || { echo "no sources found"; exit 1; }
for file in $sources; do
    case $(sed -n 2p "$file") in
    '/*'* | '//'*) ;;
    *)
        echo "$file: line 2: expected a comment that says what the file does"
        failed=1
        ;;
    esac
done
exit $failed
