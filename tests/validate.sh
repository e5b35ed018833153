#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# sluice validate --against: the machine that a file names, several machines in
# one file, what is told, what is an error, and the summary.
set -eu
sluice=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
pong='machine,mpi,device,locality,rank_a,rank_b,socket_a,socket_b,bytes,config,time_s'

die() {
    echo "$*" >&2
    exit 1
}
validate() { # exit code, then arguments
    local want=$1 code=0
    shift
    "$sluice" validate "$@" >"$dir/out" 2>"$dir/err" || code=$?
    [ "$code" = "$want" ] || die "validate $*: exit code $code: $(cat "$dir/err")"
}
has() { # out or err, text
    grep -qF -- "$2" "$dir/$1" || die "no '$2' in $1: $(cat "$dir/$1")"
}

printf '%s\n' "$pong" \
    lassen,spectrum,cpu,off_node,0,4,0,0,8,default,1.5e-6 \
    Lassen,mvapich,cpu,off_node,0,4,0,0,8,default,1.5e-6 \
    summit,spectrum,cpu,off_node,0,6,0,0,8,default,2.2e-6 \
    nowhere,spectrum,cpu,off_node,0,6,0,0,8,default,2.2e-6 >"$dir/three.csv"

# Halo steps wait for packing, not for unpacking: Frontier's, to whose launches
# and waits were fitted, within 6 % in the middle and 10 % on the small grid.
validate 0 --summary results/measured/stream_triggering_halo_step.csv
awk -F'|' '$2 ~ /frontier/ && $3 ~ /halo_step/ {
    n++; bad += $5 + 0 > 6 || $6 + 0 > 10 } END { exit n != 3 || bad }' \
    "$dir/out" || die "Frontier's halo steps: $(grep frontier "$dir/out")"

# Each machine's rows on its own platform; the one without is told.
validate 0 "$dir/three.csv"
has out lassen
has out summit
has out 'ping_pong [mvapich]/cpu/off_node'
has err "rows of nowhere left out"
has err "measured with mvapich, but the messages of lassen are spectrum's"
# Of the platform that is asked for, its own rows.
validate 0 --platform summit "$dir/three.csv" --points
[ "$(grep -c '8 B' "$dir/out")" = 1 ] || die "more than Summit's point"
has err "rows of lassen left out: of another machine than summit"
has err "rows of nowhere left out: of another machine than summit"
# However its name is written.
validate 0 --platform lassen "$dir/three.csv" --points
[ "$(grep -c '8 B' "$dir/out")" = 2 ] || die "expected the points of Lassen and lassen"
grep '^[lsn]' "$dir/three.csv" | grep -v lassen | grep -v summit |
    sed "1i $pong" >"$dir/nowhere.csv"
validate 2 "$dir/nowhere.csv"
has err "nowhere: unknown platform"
validate 0 --platform summit "$dir/nowhere.csv"
has err "was measured on nowhere, not on summit"

# Pairs of ranks that have nothing to do with each other are never faster than
# one pair by itself.
{
    echo flow,part,ranks,gpus,bytes,mps,time_s
    for ranks in 2 4 6 8 16; do
        echo "pairs,message,$ranks,$ranks,4096,on,1e-5"
    done
} >"$dir/pairs.csv"
validate 0 --platform dgx-2 "$dir/pairs.csv" --points
awk '/ ranks, / { us = $(NF - 1); if (!n++) one = us; bad += us < one }
    END { exit n != 5 || bad }' "$dir/out" || die "pairs: $(cat "$dir/out")"

# A machine without GPUs has no measurements of GPUs.
echo pairs,message,2,0,4096,on,1e-5 | sed '1i flow,part,ranks,gpus,bytes,mps,time_s' \
    >"$dir/none.csv"
validate 2 --platform fugaku "$dir/none.csv"
has err "none.csv: fugaku has no GPU"

# A platform of one kind of measurement comes before the machine's own.
mkdir "$dir/platforms"
printf '{"format": 1, "name": "summit-ping_pong", "about": "x", "extends": "summit"}\n' \
    >"$dir/platforms/summit-ping_pong.json"
SLUICE_PLATFORMS=$dir/platforms validate 0 "$dir/three.csv"
has out summit-ping_pong

# A file of which nothing is scored is an error, and says why.
sed 's/,0,4,0,0,/,0,4,0,7,/' "$dir/three.csv" | grep 'machine\|lassen' >"$dir/none.csv"
validate 2 "$dir/none.csv"
has err "none.csv: nothing to compare: lassen has no socket 7"
[ ! -s "$dir/out" ] || die "printed a table of nothing"

# A mean of no iterations is no time.
for n in 0 -1 many; do
    sed "1s/config/iterations/;2s/default/100/;3s/default/$n/" "$dir/three.csv" |
        sed 4,5d >"$dir/mean.csv"
    validate 2 "$dir/mean.csv"
    has err "mean.csv:3: iterations: expected a"
done

# A point that the platform cannot simulate is a row that says why; the others
# are simulated.
printf '%s\n' '{"format": 1, "name": "duo", "about": "x", "extends": "duo",
    "node": {"devices": [
    {"id": "cpu0", "kind": "socket", "cores": 2, "source": {"kind": "assumed", "text": "x"}},
    {"id": "gpu0", "kind": "gpu", "socket": "cpu0", "source": {"kind": "assumed", "text": "x"}},
    {"id": "gpu1", "kind": "gpu", "socket": "cpu0", "source": {"kind": "assumed", "text": "x"}},
    {"id": "nic0", "kind": "nic", "socket": "cpu0"}], "wires": [
    {"type": "pcie", "ends": ["cpu0", "gpu0"]},
    {"type": "pcie", "ends": ["cpu0", "gpu1"]},
    {"type": "pcie", "ends": ["cpu0", "nic0"]}]}}' >"$dir/duo.json"
printf '%s\n' "$pong" duo,spectrum,gpu,on_socket,0,1,0,0,8,default,1.5e-6 \
    duo,spectrum,cpu,off_node,0,2,0,0,8,default,1.5e-6 \
    duo,spectrum,gpu,on_socket,0,1,0,0,16,default,1.5e-6 >"$dir/some.csv"
validate 0 --platform "$dir/duo.json" "$dir/some.csv" --points
has err "2 points left out that cannot be simulated, the first in line 2: "
[ "$(grep -c ' -  .*duo has no gpu messages' "$dir/out")" = 2 ] || die "no reason: $(cat "$dir/out")"
has out "ping_pong [spectrum]                   1 "
validate 0 --platform "$dir/duo.json" "$dir/some.csv" --json
has out '"left_out": "ping_pong: '
has out '"simulated_s": null'
grep -v ',cpu,' "$dir/some.csv" >"$dir/none.csv"
validate 2 --platform "$dir/duo.json" "$dir/none.csv"
has err "none.csv:2: nothing to compare: ping_pong: "

# Decisions: two ways to send from GPU to GPU.
printf '%s,method\n' "$pong" >"$dir/ways.csv"
for bytes in 8 16; do
    printf 'lassen,spectrum,gpu,off_node,0,4,0,0,%s,default,%s\n' \
        $bytes 6e-6,gpu_aware $bytes 5e-6,copy_to_cpu >>"$dir/ways.csv"
done
validate 0 "$dir/ways.csv"
has out decisions
has out "B: advised gpu_aware, measured copy_to_cpu"
validate 0 --summary "$dir/ways.csv"
has out '| lassen | ping_pong | 2 |'
has out '| lassen | ping_pong, ways | 2 |'
validate 0 --json "$dir/ways.csv"
has out '"mean_regret"'
has out '"platform": "lassen"'
# An option that the files, or the answer, have no use for is not ignored.
while IFS='|' read -r text options; do
    # shellcheck disable=SC2086
    validate 2 $options "$dir/ways.csv"
    [ ! -s "$dir/out" ] || die "$options: wrote to standard output"
    has err "sluice: $text"
done <<'REFUSED'
--json: not with --summary|--json --summary
--points: not with --summary|--points --summary
--json: not with --calibration|--calibration 2 --json
--summary: not with --calibration|--calibration 2 --summary
--points: not with --errors|--calibration 2 --errors --points
--model-error: not with --errors|--calibration 2 --errors --model-error 20
--model-error: only with --calibration|--model-error 20
--errors: only with --calibration|--errors
--errors: only with --calibration|--errors --traverse
--graphs: only with --traverse|--graphs .
--graphs: only with --traverse|--graphs . --native
--points: only with --against or --traverse|--points --native
--summary: only with --against|--summary --native
--max-ops: only with --against|--max-ops 9 --native
--max-ops: only with --against|--max-ops 9 --calibration 2 --native
--max-ops: only with --against|--max-ops 9 --calibration 2 --traverse
--rank-nodes: only with --against|--rank-nodes n.csv --traverse
--rank-nodes: only with --against|--rank-nodes n.csv --calibration 2 --traverse
--rank-nodes: only with --against|--rank-nodes n.csv --calibration 2 --native
--rank-nodes n.csv: only of calls of collectives, and |--rank-nodes n.csv
REFUSED
validate 0 --max-ops 1000 "$dir/ways.csv"

# Truncated and compressed.
xz -k "$dir/ways.csv" 2>/dev/null || exit 0 # no xz here: the test csv has some
validate 0 "$dir/ways.csv.xz"
head -c 100 "$dir/ways.csv.xz" >"$dir/cut.csv.xz"
validate 2 "$dir/cut.csv.xz"
has err "cut.csv.xz: truncated"
