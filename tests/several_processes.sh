#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What several processes of an H200 leave each other of it, measured and predicted
# (results/h200/patterns): messages between GPU memories, copies both ways at
# once, all-to-alls; and two GPUs' direct all-to-all.
set -euo pipefail
sluice=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
from=results/h200/patterns
bad=0

# within FILE PLATFORM GROUP POINTS PERCENT: the median error of the points.
within() {
    "$sluice" validate "$1" --platform "$2" 2>/dev/null |
        sed 's/ \[[^]]*\]//' >"$dir/out"
    awk -v group="$3" -v points="$4" -v most="$5" '
        $1 == group { found = $2 >= points && $3 + 0 <= most
            print group ": " $3 " of " $2 " points, at most " most " %" }
        END { exit !found }' "$dir/out" || {
        echo "$1 on $2: $3" >&2
        bad=1
    }
}
within $from/MPS_on/gpu_messages.csv.xz h200-shared gpu_messages 48 18
within $from/MPS_on/gpu_messages.csv.xz h200-shared gpu_messages/MPS_on/in 8 25
within $from/MPS_on/gpu_messages.csv.xz h200-shared gpu_messages/MPS_on/out 12 10
within $from/MPS_on/gpu_messages.csv.xz h200-shared gpu_messages/MPS_on/pairs 12 18
within $from/MPS_off/gpu_messages.csv.xz h200-turns gpu_messages 48 5
# Both ways at once copies are 9 to 16 % slower than the two engines are here.
for mps in on:h200-shared off:h200-turns; do
    file=$from/MPS_${mps%:*}/memcpy_both.csv.xz
    within "$file" "${mps#*:}" memcpy_mult/MPS_${mps%:*}/one_way 112 7
    within "$file" "${mps#*:}" memcpy_mult/MPS_${mps%:*}/half 49 14
    within "$file" "${mps#*:}" memcpy_mult/MPS_${mps%:*}/turns 56 18
done
within results/h200/node/collective/2-large.csv.xz h200-x2 \
    native/alltoall/device/direct 2 5

# exchange FILE PLATFORM STRATEGY PERCENT: of the all-to-alls, none is fitted to.
exchange() {
    xz -dc "$1" | awk -F, -v strategy="$3" '!/^#/ && $0 ~ strategy {
        gsub("\"", ""); n = split($0, c, ",")
        time[c[5] " " c[3]] = time[c[5] " " c[3]] " " c[n - 2] }
        END { for (key in time) print key time[key] }' >"$dir/cases"
    while read -r gpus workload times; do
        simulated=$("$sluice" run --platform "$2" --set "gpus_used=$gpus" \
            --workload "$workload" --strategy "$3" --json 2>/dev/null |
            sed -n 's/^ *"time_s": \(.*\),$/\1/p' | head -n 1)
        tr ' ' '\n' <<<"$times" | sort -g | awk -v s="$simulated" '
            { t[NR] = $1 } END { e = s / t[int((NR + 1) / 2)] - 1
                print e < 0 ? -e : e }'
    done <"$dir/cases" | sort -g >"$dir/errors"
    awk -v most="$4" -v what="$2 $3" '{ e[NR] = 100 * $1 } END {
        m = (e[int((NR + 1) / 2)] + e[int(NR / 2) + 1]) / 2
        printf "all-to-all, %s: %.1f %% of %d cases, at most %d %%\n", what, m, NR, most
        exit !(NR == 12 && m <= most) }' "$dir/errors" || bad=1
}
exchange $from/MPS_on/exchanges.csv.xz h200-shared standard/staged 20
exchange $from/MPS_on/exchanges.csv.xz h200-shared standard/device 27
exchange $from/MPS_off/exchanges.csv.xz h200-turns standard/staged 25
exchange $from/MPS_off/exchanges.csv.xz h200-turns standard/device 12
exit $bad
