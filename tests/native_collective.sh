# SPDX-License-Identifier: GPL-3.0-or-later
# `sluice-native collective` on a few ranks of this host: every algorithm's plan
# with every element checked, in each memory, by MPI and by memory that
# processes open of each other, as CUDA IPC; and what is refused.
set -eu
. tests/ranks.bash
mkdir "$dir/empty"

die() {
    echo "$*" >&2
    cat "$dir/err" >&2
    exit 1
}
run() { # ranks, then the options of collective
    ranks=$1
    shift
    # shellcheck disable=SC2086
    timeout 100 mpirun $many --mca mpi_yield_when_idle 1 -n "$ranks" "$native" \
        collective --no-gpu --per-point 0.001 "$@"
}
works() { # name of the file, ranks, then the options of collective
    file=$dir/$1.csv
    shift
    run "$@" -o "$file" 2>"$dir/err" || die "$*: failed"
    grep -qF "every element of each result is checked" "$file" ||
        die "$*: no note"
    sed -n '/^[^#]/{p;q}' "$file" | grep -qx "machine,mpi,operation,algorithm,\
nodes,ranks_per_node,per_gpu,bytes,elements,memory,memory_of,iterations,batches,\
time_s,least_s,most_s,simulated_s,config,run_id" || die "$*: columns"
}
rows() { # name of the file, operation, algorithm, bytes: at least one such row
    awk -F, -v o="$2" -v a="$3" -v b="$4" '$3 == o && $4 == a && $8 == b {
        good = $14 > 0 && $15 <= $14 && $14 <= $16 &&
            (a == "mpi" ? $17 == "" : $17 > 0) } END { exit !good }' \
        "$dir/$1.csv" || die "$1: no row $2 $3 $4"
}
refused() { # exit code, text, ranks, options
    wanted=$1 text=$2 code=0
    shift 2
    run "$@" -o "$dir/empty/x.csv" >"$dir/out" 2>"$dir/err" || code=$?
    [ "$code" = "$wanted" ] || die "$*: exit code $code, expected $wanted"
    grep -qF -- "$text" "$dir/err" || die "$*: expected '$text' in"
    [ -z "$(ls -A "$dir/empty")" ] || die "$*: left a file"
}

# All that there are, in host memory on two nodes, an odd number of elements;
# and a size at which messages are large.
works host 4 --split-host 2 --sizes 28 --root 3
works large 4 --split-host 2 --sizes 64k --operation allreduce
for algorithm in ring recursive_doubling rabenseifner mpi; do
    rows host allreduce $algorithm 28
    rows large allreduce $algorithm 65536
done
for operation in allgather reduce_scatter alltoall; do
    rows host $operation mpi 16
done
rows host broadcast mpi 28
rows host reduce mpi 28
rows host alltoall direct 16
# Three and five ranks: not a power of two, fewer elements than ranks.
works odd 3 --sizes 4..64 --no-library --operation allreduce \
    --operation broadcast --operation reduce --operation reduce_scatter
rows odd allreduce ring 4
rows odd reduce_scatter ring 60
works staged 5 --sizes 20..80 --memory staged --per-gpu 2 --no-library \
    --operation allgather --operation alltoall
rows staged allgather ring 80
rows staged alltoall direct 20

# GPUs that ranks share: host memory stands for their memory, messages of which
# go straight into the receiver's; two GPUs of two ranks.
works shared 4 --sizes 4k..16k --memory device --per-gpu 2 --ipc --no-library \
    --operation allreduce
for algorithm in ring recursive_doubling gsb_gsb gsb_btb btb_gsb btb_btb \
    mvapich2; do
    rows shared allreduce $algorithm 4096
    rows shared allreduce $algorithm 16384
done
works ipc 4 --sizes 64 --memory device --ipc --no-library
rows ipc alltoall direct 64
rows ipc allgather ring 64

# One element that is wrong; what is not there.
small="--sizes 64 --operation allreduce --algorithm ring"
# shellcheck disable=SC2086
{
    refused 1 "ring: element 0 of 16 is" 2 $small --break corrupt
    refused 2 "5 ranks with 1 on each" 5 $small --memory device
    refused 2 "--memory: expected host, device or staged, got 'gpu'" 2 $small \
        --memory gpu
    refused 2 "--root 2: there are 2 ranks" 2 $small --root 2
}
refused 2 "--algorithm rings: unknown (did you mean ring?)" 2 --algorithm rings
refused 2 "--operation all: unknown" 2 --operation all
refused 2 "is for vectors in GPUs that ranks share" 2 --sizes 64 \
    --operation allreduce --algorithm gsb_gsb
