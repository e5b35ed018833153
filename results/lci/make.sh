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
kron30=kronecker:scale=18,edge_factor=5
mkdir -p "$out"

# set, application, graph's name, hosts, platforms, runtimes, options
cell() {
    local set=$1 application=$2 graph=$3 hosts=$4 platforms=$5 runtimes=$6
    local words as arcs cut=cvc threads='' change='' options=()
    shift 6
    case $graph in
    rmat28) words=$rmat28 as=268435456 arcs=4294967296 ;;
    kron30) words=$kron30 as=1073741824 arcs=10791000000 ;;
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
        --set=runtimes.mpi_probe.costs.large_send_ns_per_byte=0 --max-iterations=10
    cell ablation pagerank rmat28 128 stampede2 $all --max-iterations=10
}

# Figure 3.
hosts() {
    for p in 2 4 8 16 32 64 128; do
        cell hosts bfs rmat28 $p stampede2 $all
        cell hosts cc rmat28 $p stampede2 $all
        cell hosts pagerank rmat28 $p stampede2 $all --max-iterations=10
    done
}

# Figure 4: Gemini.
gemini() {
    for p in 8 32 128; do
        for a in bfs cc sssp; do
            cell gemini "$a" rmat28 $p stampede2 lci,mpi-probe \
                --partition=blocked
        done
        cell gemini pagerank rmat28 $p stampede2 lci,mpi-probe \
            --partition=blocked --max-iterations=5
    done
    cell gemini pagerank kron30 128 stampede2 lci,mpi-probe \
        --partition=blocked --max-iterations=5
}

# Where the order of the runtimes changes.
order() {
    local machines=stampede2,tuolumne,dane
    for p in 4 16 64 128; do
        for as in 262144 4194304 67108864 1073741824; do
            cell order pagerank rmat28 $p $machines $all --vertices-as=$as \
                --max-iterations=3
        done
    done
    for t in 1 4 16 64; do
        cell order pagerank rmat28 64 $machines $all --threads=$t \
            --max-iterations=3
    done
}

if [ $# -eq 0 ]; then
    set -- tables ablation hosts gemini order
fi
for set in "$@"; do
    rm -f "$out/cells-$set.csv"
    $set
done
