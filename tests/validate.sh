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
grep '^[lsn]' "$dir/three.csv" | grep -v lassen | grep -v summit |
    sed "1i $pong" >"$dir/nowhere.csv"
validate 2 "$dir/nowhere.csv"
has err "nowhere: unknown platform"
validate 0 --platform summit "$dir/nowhere.csv"
has err "was measured on nowhere, not on summit"

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
validate 2 --json --summary "$dir/ways.csv"
has err "say one of them"
validate 0 --max-ops 1000 "$dir/ways.csv"

# Truncated and compressed.
xz -k "$dir/ways.csv" 2>/dev/null || exit 0 # no xz here: the test csv has some
validate 0 "$dir/ways.csv.xz"
head -c 100 "$dir/ways.csv.xz" >"$dir/cut.csv.xz"
validate 2 "$dir/cut.csv.xz"
has err "cut.csv.xz: truncated"
