#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Simulates the cells of the study into DIR/cells-SET.csv, a file a set of them:
#   results/lci/make.sh build/release/sluice out/lci [SET...]
# and then puts the files of results/lci together: cells.csv.
set -euo pipefail
sluice=$1
out=$2
shift 2
head=set,application,graph,cut,threads,vertices,change
rmat28=rmat:scale=18,edge_factor=16
# Its printed degree of 16, not its printed arcs: README.md says why.
kron30=kronecker:scale=18,edge_factor=8
mkdir -p "$out"

# set, application, graph's name, hosts, platforms, runtimes, options
cell() {
    local set=$1 application=$2 graph=$3 hosts=$4 platforms=$5 runtimes=$6
    local words as arcs cut=cvc threads='' change='' options=()
    shift 6
    case $graph in
    rmat28) words=$rmat28 as=268435456 arcs=4294967296 ;;
    kron30) words=$kron30 as=1073741824 arcs=17179869184 ;;
    esac
    for o in "$@"; do
        case $o in
        --partition=*) cut=${o#*=} ;;
        --threads=*) threads=${o#*=} ;;
        --vertices-as=*) as=${o#*=} arcs=$((${o#*=} * 16)) ;;
        --set=*) change=${change:-${o#*=}} ;;
        esac
        [[ $o == --vertices-as=* ]] || options+=("$o")
    done
    local file=$out/cells-$set.csv
    [ -s "$file" ] || "$sluice" run --workload bfs:rmat:scale=4 --nodes 2 \
        --runtime lci --platform stampede2 --vertices-as 16 --csv |
        sed -n "1s/^/$head,/p" >"$file"
    "$sluice" run --workload "$application:$words" --nodes "$hosts" \
        --platform "$platforms" --runtime "$runtimes" --vertices-as "$as" \
        --arcs-as "$arcs" --csv "${options[@]}" | grep -v '^platform,' |
        sed "s/^/$set,$application,$graph,$cut,$threads,$as,$change,/; s/\"//g" \
            >>"$file"
}

all=lci,mpi-probe,mpi-rma
applications='bfs cc sssp pagerank'

# Tables II and IV, figures 5 and 6.
tables() {
    for a in $applications; do
        cell tables "$a" rmat28 128 stampede2,stampede1 $all
        cell tables "$a" kron30 128 stampede2 $all
    done
}

# What a core pays for each byte of a message, left out.
ablation() {
    cell ablation pagerank rmat28 128 stampede2 $all \
        --set=runtimes.mpi_probe.costs.recv_ns_per_byte=0 \
        --set=runtimes.mpi_probe.costs.send_ns_per_byte=0 \
        --set=runtimes.mpi_probe.costs.large_recv_ns_per_byte=0 \
        --set=runtimes.mpi_probe.costs.large_send_ns_per_byte=0
    cell ablation pagerank rmat28 128 stampede2 $all
}

# Figure 3.
hosts() {
    for g in rmat28 kron30; do
        for a in $applications; do
            for p in 2 4 8 16 32 64 128; do
                cell hosts "$a" $g $p stampede2 $all
            done
        done
    done
}

# Figure 4: Gemini.
gemini() {
    for g in rmat28 kron30; do
        for a in $applications; do
            for p in 8 32 128; do
                cell gemini "$a" $g $p stampede2 lci,mpi-probe \
                    --partition=blocked
            done
        done
    done
}

# Where the order of the runtimes changes.
# Three rounds of many: there is no memory left of building the graph.
order() {
    for p in 4 16 64 128; do
        for as in 262144 4194304 67108864 1073741824; do
            order_cell $p --vertices-as=$as
        done
    done
    for t in 1 4 16 64; do
        order_cell 64 --threads=$t
    done
}

order_cell() {
    local p=$1
    shift
    cell order pagerank rmat28 "$p" stampede2 $all "$@" --max-iterations=3 \
        --set=graph.spare_bytes_per_arc=0
    cell order pagerank rmat28 "$p" tuolumne,dane $all "$@" --max-iterations=3
}

if [ $# -eq 0 ]; then
    set -- tables ablation hosts gemini order
fi
for set in "$@"; do
    rm -f "$out/cells-$set.csv"
    $set
done
