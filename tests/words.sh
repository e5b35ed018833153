#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every source file and table opens with its licence, then a comment that says
# what it does. No name of a static function is defined in more than three product files,
# so that a backtrace says where it is.
set -eu
failed=0

sources=$(find base platforms sim workloads strategies apps study validate results cli \
    tests -name '*.c' -o -name '*.cu' -o -name '*.cpp' -o -name '*.def' |
    grep -v '^tests/data/')
[ "$(wc -l <<<"$sources")" -gt 100 ] || { echo "no sources found"; exit 1; }
for file in $sources; do
    case $(sed -n 1p "$file") in
    *' SPDX-License-Identifier: GPL-3.0-or-later'*) ;;
    *)
        echo "$file: line 1: expected the licence"
        failed=1
        ;;
    esac
    case $(sed -n 2p "$file") in
    '/*'* | '//'*) ;;
    *)
        echo "$file: line 2: expected a comment that says what the file does"
        failed=1
        ;;
    esac
done

shared=$(find base platforms sim workloads strategies apps study validate results cli \
    -name '*.c' | xargs grep -HoE '^static [^=;(]*[ *][a-z_0-9]+\(' |
    sed -E 's/^([^:]+):.*[ *]([a-z_0-9]+)\($/\1 \2/' | sort -u |
    awk '{ n[$2]++; files[$2] = files[$2] " " $1 }
        END { for (f in n) if (n[f] > 3) print f "():" files[f] }')
[ -z "$shared" ] || { echo "name these by their modules:"; echo "$shared"; failed=1; }
exit $failed
