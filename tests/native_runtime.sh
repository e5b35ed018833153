# SPDX-License-Identifier: GPL-3.0-or-later
# sluice-native runtime on two and three ranks of this host: what it measures of
# each layer, that bytes arrive, also where packets run out, and what is refused.
set -eu
. tests/ranks.bash

die() {
    echo "$*" >&2
    exit 1
}
run() { # ranks, then options
    ranks=$1
    shift
    # shellcheck disable=SC2086
    timeout 100 mpirun $many -n "$ranks" "$native" runtime --no-gpu \
        --per-point 0.01 --sizes 64..512 --window 2 "$@"
}
out=$dir/out.csv
measure() {
    run "$@" --machine duo -o "$out" 2>"$dir/err" || {
        cat "$dir/err" >&2
        die "runtime $*: failed"
    }
}
# The points of a layer: operation, hosts, threads and pending, bytes.
points() { # layer
    grep -v '^#' "$out" | awk -F, -v layer="$1" '
        $3 == layer && $13 > 0 && $12 >= 1 {
            print $4 "/" $5 "/" $6 "/" $8 "/" $9 }' | sort -u | wc -l
}
is() { # layer, points
    [ "$(points "$1")" = "$2" ] || {
        grep "^duo,[^,]*,$1," "$out" | cut -d, -f 3-11 | sort | uniq -c >&2
        die "$1: $(points "$1") points, expected $2"
    }
}

# Eager and by rendezvous; so few packets that sends are tried again.
measure 3 --packet-bytes 128 --packets 1
[ "$(grep -v '^#' "$out" | head -n 1)" = "machine,mpi,runtime,operation,hosts,\
threads,window,pending,bytes,packet_bytes,packets_per_host,iterations,time_s,\
config,run_id" ] || die "columns: $(grep -v '^#' "$out" | head -n 1)"
# Latencies of 2 sizes, 2 windows of which the operation says nothing, CPU time
# of 2 sizes at both ends, rounds of 2 and 3 hosts; and the parts.
is mpi_probe 23
is mpi_probe_together 11
is lci 17
is mpi_rma 13
is mpi_rma_fence 7
[ "$(grep '^duo,[^,]*,lci,' "$out" | cut -d, -f 10,11 | sort -u)" = 128,1 ] ||
    die "the pool is not in the rows"

# A platform is made of it, on which the three carry messages.
"$sluice" calibrate "$out" --base testbed-4x4 -o "$dir/made.json" >"$dir/text"
for key in mpi_probe.costs.recv_ns_per_byte lci.costs.packets_per_host \
    mpi_rma.costs.window_us; do
    grep -q "^runtimes.$key " "$dir/text" || die "$key is not fitted"
done
printf 'round,src,dst,bytes\n0,0,4,500\n' >"$dir/one.csv"
"$sluice" run --platform "$dir/made.json" --workload "exchange:$dir/one.csv" \
    --runtime lci,mpi-probe,mpi-rma >"$dir/text"
[ "$(grep -c '^as-given/' "$dir/text")" -ge 3 ] || die "$(cat "$dir/text")"

# Without MPI_THREAD_MULTIPLE there is no pool.
measure 2 --funneled --runtime mpi-probe,lci
is lci 0
is mpi_rma 0
grep -q 'lci is left out: ' "$dir/err" || die "lci is left out without a word"

rm "$out"
refused() { # exit code (x: not 0), text, ranks, options
    wanted=$1 text=$2 code=0
    shift 2
    run "$@" -o "$out" >"$dir/text" 2>&1 || code=$?
    [ "$code" = "$wanted" ] || { [ "$wanted" = x ] && [ "$code" != 0 ]; } ||
        die "$*: exit code $code, expected $wanted: $(cat "$dir/text")"
    grep -qF -- "$text" "$dir/text" || die "$*: $(cat "$dir/text")"
    [ ! -e "$out" ] || die "$*: left a file"
}
refused 2 "runtime: expected two ranks or more" 1
refused 2 "expected some of mpi-probe,mpi-rma,lci, got 'lci,mpi-prob'" \
    2 --runtime lci,mpi-prob
refused 2 "--window" 2 --window 65
for layer in mpi_probe mpi_rma lci; do
    refused 1 "corrupted data: $layer" 2 --runtime $layer --break corrupt
done
refused x "nothing has moved for too long in a timed batch" \
    2 --runtime lci --break hang --watchdog 1
refused x "signal 9" 2 --runtime lci --break die
