# SPDX-License-Identifier: GPL-3.0-or-later
# `sluice run` of long collectives, as loops of steps that are alike, those left
# out of which the state says that they are the same again: the times are those
# of all operations, and so is what links carry.
set -eu
sluice=$1
. tests/ends.bash
common=

field() { sed -n "s/.*\"$1\": *\\([^,]*\\),*\$/\\1/p" "$2" | head -1; }

# Platform, GPUs, workload, algorithm: the time in steps and that of the plan,
# and the bytes of the links that carried anything.
agree() {
    local run="run --platform $1 --gpus $2 --workload $3 --algorithm $4"
    shift 4
    run="$run --accuracy 0 --json --details $*"
    "$sluice" $run >"$folder/steps.json"
    "$sluice" $run --every-step >"$folder/plan.json"
    grep -q '"simulated_steps"' "$folder/steps.json" ||
        { echo "$run: not in steps"; exit 1; }
    ! grep -q '"simulated_steps"' "$folder/plan.json"
    for file in steps plan; do
        field time_s "$folder/$file.json"
        field messages "$folder/$file.json"
        awk -F'[:,]' '/"bytes":/ { sum += $2 } END { printf "%.17g\n", sum }' \
            "$folder/$file.json"
    done | paste -s -d ' ' - | awk -v run="$run" '
        !($1 > 0 && ($1 / $4 - 1) ^ 2 < 1e-18 && $2 == $5 &&
            ($3 / $6 - 1) ^ 2 < 1e-18) { print run ": " $0; exit 1 }'
}
left_out() { # how many steps of how many were simulated at most
    local n
    n=$(field simulated_steps "$folder/steps.json")
    [ "$n" -le "$1" ] || { echo "$n steps were simulated"; exit 1; }
}

# Equal nodes: a few steps tell of all.
agree alps 256 allreduce:bytes=64M ring
left_out 120
agree frontier 256 allreduce:bytes=1M ring
left_out 120
agree frontier 512 allreduce:bytes=256M ring
agree alps 256 allgather:bytes=64M ring
left_out 120
agree alps 256 reduce_scatter:bytes=64M ring
# Nodes that do the same at the same time: the operations of one tell of all.
agree dgx-h100 32 allreduce:bytes=64M nccl_ring/simple
[ "$(field simulated_operations "$folder/steps.json")" = 16 ]
[ "$(field step_operations "$folder/steps.json")" = 512 ]
ends 0 '; 16 of 512 operations of a step, the others are alike' --platform dgx-h100 \
    --gpus 32 --workload allreduce:bytes=64M --algorithm nccl_ring/simple
# Racks that are farther from each other than nodes of one, sockets whose GPUs
# are farther, a node that is not full.
agree lassen 512 allreduce:bytes=8M ring
agree summit 256 allreduce:bytes=16M ring
agree lassen 182 allreduce:bytes=745472 ring
agree el-capitan 250 allreduce:bytes=4194000,element=1 ring --set network.nodes=80
agree lassen 256 allreduce:bytes=64M,memory=staged ring
agree lassen 256 allreduce:bytes=64M,place=out ring
# On nodes, between them, on nodes.
agree alps 512 allreduce:bytes=256M hierarchical_ring
left_out 120
agree el-capitan 512 allreduce:bytes=256M hierarchical_ring
agree lassen 512 allreduce:bytes=64M hierarchical_ring
agree alps 512 allreduce:bytes=256M lanes_ring
left_out 120
agree el-capitan 512 allreduce:bytes=1M lanes_ring
agree lassen 256 allreduce:bytes=64M lanes_ring

# Partners that turn, in no more room than what is under way: all steps.
agree lassen 256 alltoall:memory=device,bytes=64M pairwise
agree frontier 256 alltoall:memory=device,bytes=1M pairwise

# Blocks that are not equal are as large as the largest.
"$sluice" run --platform frontier --gpus 250 --workload allreduce:bytes=1M \
    --algorithm ring >"$folder/rounded"
grep -q 'blocks rounded up to the largest' "$folder/rounded"
ends 0 '"blocks_rounded_up": true' --platform frontier --gpus 250 \
    --workload allreduce:bytes=1M --algorithm ring --json
# Short ones are plans.
ends 0 'critical path' --platform frontier --gpus 64 \
    --workload allreduce:bytes=1M --algorithm ring

echo "collective steps: ok"
