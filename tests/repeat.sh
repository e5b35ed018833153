# SPDX-License-Identifier: GPL-3.0-or-later
# `sluice run` of what is done in steps: all-to-alls that are made as they run,
# and workloads that are repeated.
set -eu
sluice=$1
. tests/ends.bash
common="--platform flat8"

# --- all-to-alls ----------------------------------------------------------------

all="--workload alltoall:ranks=24,bytes=1000,exchange"
for engine in fluid simgrid; do
    ends 0 '24 ranks, 576 messages, 3 nodes' $all=pairwise --engine $engine
    ends 0 '24 ranks, 576 messages, 6 nodes' $all=nonblocking --nodes 6 \
        --engine $engine
done
ends 0 '"messages": 576,' $all=pairwise --json
ends 0 ',384,384000,192,192000,0,0,,' $all=pairwise --csv
ends 2 'not of what is done in steps' $all=pairwise --timeline "$folder/t.json"
ends 2 '--repeat: not for alltoall:' $all=pairwise --repeat 2
ends 2 'expected alltoall:ranks=R,bytes=B,exchange=' $all=linear
ends 2 'the machine has 10368 cores' \
    --workload alltoall:ranks=10369,bytes=1,exchange=pairwise

# The plan that it stands for takes the same time.
common=
time_of() { sed -n 's/.*"time_s": *\([^,]*\),.*/\1/p' "$1" | head -1; }
for way in pairwise nonblocking; do
    "$sluice" run --platform flat8 $all=$way --json >"$folder/loop.json"
    "$sluice" export --platform flat8 $all=$way --plan "$folder/plan" >/dev/null
    grep -q '^ops 576$' "$folder/plan"
    "$sluice" run --platform flat8 $all=$way --engine simgrid --json \
        >"$folder/plan.json"
    a=$(time_of "$folder/loop.json") b=$(time_of "$folder/plan.json")
    awk -v a="$a" -v b="$b" 'BEGIN { exit !(a > 0 && (a / b - 1) ^ 2 < 1e-18) }' ||
        { echo "$way: $a, of the plan $b"; exit 1; }
done

# --- repeated steps -------------------------------------------------------------

halo="--platform lassen --workload stencil:9pt:64x64 --gpus 16"
halo="$halo --compare-partition none"
ends 0 '; 20 times; engine fluid' $halo --repeat 20
ends 0 'us a step' $halo --repeat 20
ends 2 '--every-step: only with --repeat' $halo --every-step
ends 0 '"steps": 20,' $halo --repeat 20 --json
ends 2 "--repeat: expected a whole number above 0, got '0'" $halo --repeat 0
ends 2 "--repeat: expected at most 1000000000, got '2000000000'" $halo \
    --repeat 2000000000
ends 2 '--repeat: not for graphs on GPUs' --workload bfs:rmat:scale=4,edge_factor=2 \
    --repeat 3
ends 2 'not of what is done in steps' $halo --strategy split+md --repeat 3 \
    --timeline "$folder/t.json"
# Sends and receives of their own, by the plan of all steps.
ends 0 '"steps": 3,' --workload schedule:docs/late_receive.csv --repeat 3 --json

# A thousand steps take as long whether those that are the same again are left
# out or not; most states come again within a few dozen steps.
steps() { # JSON: strategy, time, steps that were simulated
    awk -F '[:,]' '/"strategy":/ { s = $2 } /"time_s":/ { t = $2 }
        /"simulated_steps":/ { print s, t, $2 }' "$1" | sort
}
common="--gpus 16 --compare-partition none --repeat 1000 --json"
soon=0 all=0 strategies=$("$sluice" list strategies | wc -l)
for what in lassen.stencil:9pt:64x64 summit.stencil:9pt:64x64 \
    frontier.stencil:9pt:64x64 lassen.random:rows=300,row_nnz=4,seed=1; do
    what="--platform ${what%%.*} --workload ${what#*.}"
    "$sluice" run $what $common >"$folder/few.json"
    "$sluice" run $what $common --every-step >"$folder/all.json"
    steps "$folder/few.json" >"$folder/few"
    steps "$folder/all.json" >"$folder/all"
    counts=$(paste -d ' ' "$folder/few" "$folder/all" |
        awk -v strategies="$strategies" '
        $1 != $4 || ($2 / $5 - 1) ^ 2 > 1e-18 || $6 != 1000 { bad = 1 }
        $3 < 100 { soon++ }
        END { if (bad || NR != strategies) exit 1; print soon + 0, NR }') || {
        paste "$folder/few" "$folder/all"
        exit 1
    }
    soon=$((soon + ${counts% *})) all=$((all + ${counts#* }))
done
[ $((2 * soon)) -ge "$all" ] || { echo "$soon of $all repeat soon"; exit 1; }
