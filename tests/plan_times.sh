#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Plans of all strategies on several machines and both engines take, bit for
# bit, the times of golden/plan_times.csv. `plan_times.sh SLUICE --store` writes
# that file anew, for a change that is meant to change times.
set -eu
sluice=$1
golden=tests/golden/plan_times.csv
now=$(mktemp)
trap 'rm -f "$now"' EXIT

# Prints engine,platform,workload,strategy,time_s of one run without packing, or
# with it where the engine's name ends in +pack.
times() { # engine platform workload options...
    local engine=$1 platform=$2 workload=$3 packing=--no-packing
    shift 3
    case $engine,$workload in *+pack,* | *,random:ranks=*) packing= ;; esac
    # shellcheck disable=SC2086 # none or one
    "$sluice" run --engine "${engine%+pack}" --platform "$platform" \
        --workload "$workload" $packing "$@" --json 2>/dev/null |
        sed -nE 's/^ *"(strategy|time_s)": "?([^",]*)"?,?$/\1 \2/p' |
        awk -v run="$engine,$platform,$workload" '
            $1 == "strategy" { name = $2 }
            $1 == "time_s" { print run "," name "," $2 }'
}

{
    echo "engine,platform,workload,strategy,time_s"
    for engine in fluid simgrid; do
        times $engine lassen stencil:9pt:400x400 --nodes 2
        times $engine lassen random:rows=3000,row_nnz=20,seed=3 --nodes 4
        times $engine lassen-paper stencil:27pt:40x40x40 --nodes 3
        times $engine summit random:rows=2000,row_nnz=12,seed=1 --nodes 2
        times $engine dgx-1v stencil:5pt:600x600 --nodes 2
        times $engine dgx-h100 random:rows=2000,row_nnz=8,seed=2 --nodes 2
        times $engine duo stencil:5pt:200x200
        times $engine h200-shared stencil:9pt:300x300 --nodes 1
        times $engine testbed-4x4 stencil:5pt:300x300 --nodes 4
        times $engine flat8 random:ranks=24,messages=6,rounds=3,bytes=100..100000,seed=5
        times $engine lassen random:ranks=80,messages=5,rounds=3,bytes=1..40000,seed=7
        times $engine lassen random:ranks=90,messages=4,rounds=2,bytes=8000..300000,seed=9
        times $engine summit random:ranks=100,messages=8,rounds=2,bytes=10..70000,seed=4
        times $engine+pack lassen stencil:9pt:400x400 --nodes 2
        times $engine+pack lassen random:rows=3000,row_nnz=20,seed=3 --nodes 4
        times $engine+pack dgx-h100 random:rows=2000,row_nnz=8,seed=2 --nodes 2
    done
} >"$now"

if [ "${2-}" = --store ]; then
    cp "$now" "$golden"
    exit 0
fi
runs=$(($(wc -l <"$now") - 1))
[ "$runs" -ge 60 ] || { echo "only $runs runs"; exit 1; }

# What the golden file has no line of, as of a strategy that was added later, is
# not compared.
known() {
    awk '{ run = $0; sub(/,[^,]*$/, "", run) }
        NR == FNR { golden[run]; next } run in golden' "$golden" "$now"
}
diff "$golden" <(known) && runs=$(($(wc -l <"$golden") - 1)) && echo "$runs times equal to the last digit"
