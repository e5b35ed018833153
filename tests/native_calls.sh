#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The calls that sluice-native makes of the plans of its benchmarks are those of
# the programs that they stand for: blocking ones where the next call waits for
# it anyway, and no others.
set -eu
. tests/ranks.bash
[ -n "${COUNT_CALLS-}" ] || { echo "skipped: no library that counts"; exit 77; }

# Tests rank 0's numbers of blocking sends and receives, posted ones, and waits,
# which are awk's $1 to $5.
counts() { # condition, ranks, command and options
    local condition=$1 ranks=$2
    shift 2
    # shellcheck disable=SC2086
    timeout 60 mpirun $many -n "$ranks" -x LD_PRELOAD="$COUNT_CALLS" "$native" \
        "$@" --no-gpu --per-point 0.01 -o "$dir/x.csv" 2>"$dir/err" ||
        { cat "$dir/err" >&2; exit 1; }
    sed -n 's/^calls: //p' "$dir/err" |
        awk "$condition { good = 1 } END { exit !good }" ||
        { echo "$*: $condition: $(grep ^calls: "$dir/err")" >&2; exit 1; }
}

# As many sends as receives, all blocking: a check, two batches that do not
# count, and five, each of a round at least.
blocking='$1 >= 8 && $1 == $2 && $3 + $4 + $5 == 0'
counts "$blocking" 2 ping_pong --sizes 8
counts "$blocking" 4 mult_pong --split-host 2 --sizes 8
counts "$blocking" 4 maxrate --split-host 2 --sizes 8
# Four sends and a wait for them, then four receives and a wait.
counts '$1 + $2 == 0 && $3 >= 32 && $3 == $4 && $5 == $3 / 2' 2 matching --sizes 4
