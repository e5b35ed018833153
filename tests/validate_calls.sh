# SPDX-License-Identifier: GPL-3.0-or-later
# `sluice validate` of collectives by named algorithms on nodes that a second
# file tells.
set -eu
sluice=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

head='machine,session,test,nodes,torus_dims,ranks,collective,mpi,memory,algorithm,bytes_total,iterations,median_s,p10_s,p90_s,min_s,notes'
row() { # SESSION NODES RANKS COLLECTIVE MEMORY ALGORITHM BYTES TIME
    echo "leonardo,$1,0,$2,,$3,$4,OMPI 4.1.6,$5,$6,$7,99,$8,$8,$8,$8,"
}
{
    echo "$head"
    row near 4 4 allgather host ring_over 4096 8e-6
    row near 4 4 allgather host ring_over 1048576 8e-5
    row far 4 4 allgather host ring_over 4096 8e-6
    row near 4 4 allgather host recursive_doubling_over 4096 7e-6
    row near 4 4 allgather host default_ompi 4096 7e-6
    row near 4 4 gather host linear_ompi 4096 7e-6
    row near 4 4 allgather host ring_over 8 7e-6
    row near 4 4 allreduce host bine_bdw_remap_segmented_over_16384 \
        137438953472 90
    row packed 2 8 allreduce gpu ring_over 4096 5e-5
    row nowhere 3 3 allreduce host ring_over 4096 5e-5
} >"$folder/some_collectives.csv"
nodes="$folder/some_rank_nodes.csv"
{
    echo machine,session,ranks,first_rank,rank_count,node
    # One leaf switch; four cells; two nodes of four ranks in turn.
    i=0
    for n in lrdn0001 lrdn0002 lrdn0003 lrdn0004; do
        echo leonardo,near,4,$i,1,$n
        i=$((i + 1))
    done
    i=0
    for n in lrdn0001 lrdn0250 lrdn0500 lrdn1000; do
        echo leonardo,far,4,$i,1,$n
        i=$((i + 1))
    done
    for i in 0 2 4 6; do
        echo leonardo,packed,8,$i,1,lrdn0001
        echo leonardo,packed,8,$((i + 1)),1,lrdn0500
    done
} >"$nodes"
check() { # TEXT: in what is printed of the points
    grep -qF -e "$1" "$folder/out" ||
        { echo "expected '$1' in:"; cat "$folder/out"; exit 1; }
}
hop='network.hop_ns=1000' # the far nodes' switches are felt
"$sluice" validate --points --set "$hop" --rank-nodes "$nodes" "$folder/some_collectives.csv" \
    >"$folder/out" 2>&1
check 'allgather/host/default_ompi/4' # by the library's rules
check '1 rows left out: gather: not simulated'
check '1 rows left out: fewer elements than ranks'
check '1 rows left out: bine_bdw_remap_segmented: more segments than plans take'
check 'allgather/host/ring_over/4'
check 'allreduce/gpu/ring_over/2'
check 'allreduce/host/ring_over/3' # no nodes told: the first ones
check '4 ranks, 4096 B, near'
# Over leaf, spine and wires between cells: longer by 3 steps of what is far.
simulated() {
    sed -n "s/.*\"simulated_s\": *\([^,]*\),.*/\1/p" "$folder/json" | sed -n "$1p"
}
"$sluice" validate --points --json --set "$hop" --rank-nodes "$nodes" \
    "$folder/some_collectives.csv" >"$folder/json" 2>/dev/null
awk -v n="$(simulated 1)" -v f="$(simulated 3)" \
    'BEGIN { d = (f - n) * 1e6; exit !(n > 0 && d > 6 && d < 30) }' ||
    { echo "near $(simulated 1), far $(simulated 3)"; exit 1; }
refused() { # TEXT
    ! "$sluice" validate --rank-nodes "$nodes" \
        "$folder/some_collectives.csv" >"$folder/out" 2>&1 ||
        { echo "expected an error: $1"; exit 1; }
    check "$1"
}
cp "$nodes" "$folder/kept"
echo leonardo,near,4,4,1,lrdn0005 >>"$nodes"
refused 'some_rank_nodes.csv:18: ranks 4 to 4 of 4'
grep -v 'near,4,3' "$folder/kept" >"$nodes"
refused 'some_rank_nodes.csv: session near has nodes for 3 of 4 ranks'
sed 's/lrdn0250/lrdn9999/' "$folder/kept" >"$nodes"
refused "node: unknown node 'lrdn9999': leonardo has those in leonardo-nodes.csv"
