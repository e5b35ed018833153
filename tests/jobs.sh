#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --jobs: results and errors to the byte as one after the other, and nothing
# left behind when it is ended.
set -eu
sluice=$1
case $(ldd "$sluice") in
*asan*)
    echo "a process that is forked beside other threads may hang in libasan"
    exit 77
    ;;
esac
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

die() {
    echo "$*" >&2
    exit 1
}

# The words after OUT and ERR, whose exit code is in $code.
run() {
    "$sluice" "${@:3}" >"$1" 2>"$2" && code=0 || code=$?
}

# what words...: with one job, and with several.
same() {
    local jobs code want
    run "$dir/one" "$dir/one.err" "$@" --jobs 1
    want=$code
    for jobs in 2 3 20; do
        run "$dir/out" "$dir/err" "$@" --jobs $jobs
        [ $code = $want ] || die "$*: exit code $code with $jobs jobs, $want with one"
        cmp "$dir/one" "$dir/out" || die "$*: other results with $jobs jobs"
        cmp "$dir/one.err" "$dir/err" || die "$*: other errors with $jobs jobs"
    done
}

halo="--workload stencil:27pt:40x40x40 --nodes 8"
same run $halo
same run $halo --json --details
same run $halo --csv --accuracy 0.01
same run --engine simgrid --workload stencil:9pt:100x100 --nodes 4
same run --platform duo --workload stencil:5pt:8x8 --nodes 2 --strategy split+md,standard/device
same run --workload bfs:rmat:scale=10,edge_factor=8 --gpus 4 --json
same run --workload schedule:docs/late_receive.csv
# On a machine that cannot do all of them; and that can do none.
same run $halo --set copies=null
same run $halo --set copies=null --strategy standard/staged,3-step/staged
# An error in each: the first by order.
same run $halo --max-events 100
[ "$(grep -c . "$dir/one.err")" = 1 ]
same run $halo --max-events 100 --engine simgrid
[ "$(grep -c . "$dir/one.err")" = 1 ]
same validate results/measured/lassen_spectrum_ping_pong.csv \
    results/measured/lassen_spectrum_mult_pong.csv --points
same validate results/measured/lassen_spectrum_mult_pong.csv --max-events 20
[ "$(grep -c . "$dir/one.err")" = 1 ]

# Ended from outside: no child goes on.
"$sluice" run --engine simgrid --workload stencil:27pt:64x64x64 --nodes 32 \
    --jobs 3 >"$dir/out" 2>"$dir/err" &
run=$!
for _ in $(seq 300); do
    children=$(cat /proc/$run/task/*/children 2>/dev/null || true)
    [ "$(wc -w <<<"$children")" -lt 2 ] || break
    sleep 0.02
done
kill -TERM $run 2>/dev/null || true
wait $run && die "ended although it was told to" || true
[ -n "$children" ] || die "no child was seen"
for child in $children; do
    for _ in $(seq 250); do
        grep -q '^State:[[:space:]]*[^ZX]' /proc/$child/status 2>/dev/null || break
        sleep 0.02
    done
    ! grep -q '^State:[[:space:]]*[^ZX]' /proc/$child/status 2>/dev/null ||
        die "a child goes on"
done
