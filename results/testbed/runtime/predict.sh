#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Simulates the latencies and rounds of runtime.csv beside this script and prints
# them with what was measured, the median of the rows of a point.
set -euo pipefail
cd "$(dirname "$0")"
sluice=${1:-sluice}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

grep -v '^#' runtime.csv | awk -F, '
    $4 == "latency" || $4 == "round" {
        key = $3 "," $4 "," $5 "," $9
        if (!(key in n)) order[++keys] = key
        t[key, ++n[key]] = $13
    }
    END {
        for (k = 1; k <= keys; k++) {
            key = order[k]; m = n[key]
            for (i = 2; i <= m; i++) {
                v = t[key, i]
                for (j = i - 1; j > 0 && t[key, j] > v; j--) t[key, j + 1] = t[key, j]
                t[key, j + 1] = v
            }
            print key "," (t[key, int((m + 1) / 2)] + t[key, int(m / 2) + 1]) / 2
        }
    }' >"$dir/measured"
echo "runtime,operation,hosts,bytes,measured_s,predicted_s,error"
while IFS=, read -r runtime operation hosts bytes measured; do
    case $runtime in
    mpi_probe | mpi_rma | lci) ;;
    *) continue ;; # messages together, fences: not simulated
    esac
    awk -v p="$hosts" -v b="$bytes" -v all="$([ "$operation" = round ] && echo 1 || echo 0)" '
        BEGIN {
            print "round,src,dst,bytes"
            for (s = 0; s < (all ? p : 1); s++)
                for (k = 1; k < p; k++) print "0," s "," (s + k) % p "," b
        }' >"$dir/round.csv"
    predicted=$("$sluice" run --platform ./testbed-4x1.json --nodes 4 \
        --ranks-per-node 1 --workload "exchange:$dir/round.csv" \
        --runtime "${runtime/_/-}" --json | sed -nE 's/.*"time_s": ([0-9.e+-]+).*/\1/p' |
        head -n 1)
    awk -v row="$runtime,$operation,$hosts,$bytes" -v m="$measured" \
        -v p="$predicted" \
        'BEGIN { printf "%s,%.4g,%.4g,%+.3f\n", row, m, p, p / m - 1 }'
done <"$dir/measured"
