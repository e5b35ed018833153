#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What `sluice export` writes takes the same time when it is read again: plans to
# the last digit, of every strategy, every algorithm of collectives and a trace
# of every format; time-independent traces to 1e-9, or their export is refused
# with what the format cannot say.
set -eu
sluice=$1
root=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
failed=0 trips=0 refusals=0

# Prints "NAME SECONDS" of each way that a run compares.
times() {
    "$sluice" run "$@" --json 2>said |
        sed -nE 's/^ *"(strategy|time_s)": "?([^",]*)"?,?$/\1 \2/p' |
        awk '$1 == "strategy" { name = $2 } $1 == "time_s" { print name, $2 }'
}

wrong() {
    echo "$*" >&2
    failed=1
}

near() { # seconds seconds part
    awk -v a="$1" -v b="$2" -v most="$3" 'BEGIN {
        exit !(a > 0 && b > 0 && a / b - 1 < most && a / b - 1 > -most) }'
}

# A ring of NCCL is run as a loop, whose times are added up and whose messages
# carry equal parts, and is written as the plan of all its steps, whose messages
# carry whole elements.
loops() {
    case $1 in *" nccl_ring/"*) ;; *) false ;; esac
}

# The plan of one way, which took $1 on $2.
plan_again() { # seconds platform options...
    local want=$1 platform=$2 got
    shift 2
    "$sluice" export --platform "$platform" "$@" --plan plan >said 2>&1 || {
        wrong "$platform $*: no plan: $(tail -1 said)"
        return
    }
    got=$(times --platform "$platform" --workload plan:plan)
    trips=$((trips + 1))
    [ "${got#as-given }" = "$want" ] ||
        { loops "$*" && near "$want" "${got#as-given }" 3e-5; } ||
        wrong "$platform $*: $want s, its plan $got: $(tail -1 said)"
}

# Likewise its trace on as many ranks, or what it cannot say.
trace_again() { # seconds ranks-per-node platform options...
    local want=$1 ranks=$2 platform=$3 got
    shift 3
    "$sluice" export --platform "$platform" "$@" --ti ti >said 2>&1 || {
        grep -qE 'a trace cannot say|which a trace cannot say' said ||
            wrong "$platform $*: no trace: $(tail -1 said)"
        refusals=$((refusals + 1))
        return
    }
    got=$(times --platform "$platform" --ranks-per-node "$ranks" \
        --workload trace:ti:ti --strategy as-given)
    trips=$((trips + 1))
    near "$want" "${got#as-given }" 1e-9 ||
        wrong "$platform $*: $want s, its trace $got: $(tail -1 said)"
}

# Every way to do it there.
all() { # the option that names a way, ranks-per-node or 0: no trace; platform...
    local option=$1 ranks=$2 platform=$3 name time
    shift 3
    if [ "$option" = --strategy ]; then
        times --platform "$platform" "$@" >list
    else
        times --platform "$platform" "$@" --algorithm all >list
    fi
    [ -s list ] || wrong "$platform $*: nothing runs: $(tail -1 said)"
    while read -r name time; do
        plan_again "$time" "$platform" "$@" "$option" "$name"
        [ "$ranks" = 0 ] ||
            trace_again "$time" "$ranks" "$platform" "$@" "$option" "$name"
    done <list
}

all --strategy 40 lassen --nodes 2 \
    --workload random:rows=400,row_nnz=6,seed=1
for kind in allreduce allgather reduce_scatter broadcast reduce; do
    all --algorithm 8 flat8 --nodes 2 --workload $kind:bytes=100000
    all --algorithm 0 lassen --nodes 2 \
        --workload $kind:bytes=100000,memory=device
    all --algorithm 0 h200-x2 --workload $kind:bytes=100000
done
all --algorithm 0 lassen --nodes 1 \
    --workload allreduce:bytes=100000,memory=device,per_gpu=4
all --algorithm 0 gb200-nvl72 --nodes 1 --workload allreduce:bytes=1000000
all --algorithm 8 flat8 --nodes 2 --workload alltoall:memory=host,bytes=1000
all --algorithm 0 lassen --nodes 2 \
    --workload alltoall:memory=device,bytes=1000

# Traces, as they are.
trace() { # ranks-per-node platform file
    local time
    time=$(times --platform "$2" --ranks-per-node "$1" --workload "trace:$3" \
        --strategy as-given)
    [ "$time" ] || {
        echo "left out: $(tail -1 said)"
        return
    }
    set -- "${time#as-given }" "$@"
    plan_again "$1" "$3" --ranks-per-node "$2" --workload "trace:$4" \
        --strategy as-given
    trace_again "$1" "$2" "$3" --ranks-per-node "$2" --workload "trace:$4" \
        --strategy as-given
}
for file in "$root"/workloads/data/conformance/*.ti \
    "$root"/workloads/data/conformance/*.goal; do
    trace 1 flat8 "$file"
done
data=$root/tests/data
trace 8 lassen "$root/workloads/data/halo.ti"
trace 4 lassen "$data/dumpi/dumpi-2019.05.22.11.54.43.meta"
trace 4 lassen "$data/otf2/traces.otf2"
trace 1 lassen "$data/nsys/saxpy-mpi-cuda_nsys_perlmutter0.sqlite.xz"
trace 8 dgx-h100 "$data/chakra/custom_ring_allreduce_8npus_1MB.0.et.xz"
trace 1 dgx-h100 "$data/kineto/alexnet_trace.json.gz"

echo "$trips round trips, $refusals refusals"
[ $trips -ge 250 ] || wrong "only $trips round trips"
exit $failed
