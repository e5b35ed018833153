#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# sluice validate --traverse: searches on real GPUs against the simulation of
# the presets of their names: scores, what is left out, and bad files.
set -eu
sluice=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

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
    grep -qE -- "$2" "$dir/$1" || die "no '$2' in $1: $(cat "$dir/$1")"
}

g=uniform:vertices=20000,arcs=400000,seed=1
head='row,algorithm,graph,vertices,arcs,source,seed,execution,delta,gpus,partition,transfer,skew_us,latency_us,run,level,frontier,level_arcs,time_s,visits,reached'
graph=${g//,/;}

# What the simulation says of itself is exact: it is written as if measured.
platform=h200-x2
rows() { # execution gpus parts transfer preset
    "$sluice" run --platform "$platform" --workload "bfs:$g" --gpus "$2" \
        --partition "${3/-/contiguous}" --source 7 --strategy "$5" --json --details >"$dir/run.json"
    awk -v key="bfs,$graph,20000,399818,7,1,$1,0,$2,$3,$4,0,0" '
        /"levels"/ { levels = 1 }
        { gsub(/[{}"]/, ""); gsub(/^ +/, "") }
        levels && /visits: / {
            n = split($0, part, /, */)
            for (i = 1; i <= n; i++) { split(part[i], kv, ": "); v[kv[1]] = kv[2] }
            printf "level,%s,,%d,%s,%s,%s,,\n", key, count++, v["visits"], v["edges"], v["time_s"]
        }
        !time && /^time_s: / { sub(/,$/, "", $2); time = $2 }
        !visits && /^visits: / { sub(/,$/, "", $2); visits = $2 }
        /^reached: / { sub(/,$/, "", $2); reached = $2 }
        END { printf "median,%s,,,,,%s,%s,%s\n", key, time, visits, reached }' "$dir/run.json"
}
{
    echo "$head"
    rows bsp 1 - - native-bsp
    rows bsp 2 metis copy native-bsp-copy
    rows persistent 1 - - native-persistent
    rows persistent 2 metis store native-persistent
} >"$dir/same.csv"
[ "$(grep -c '^level,' "$dir/same.csv")" -gt 6 ] || die "no levels: $(cat "$dir/same.csv")"
validate 0 --traverse "$dir/same.csv" --points
has out 'levels of 10\^4 arcs and more .* [1-9][0-9]* +median error +0.0 %, within 1.3: 100.0 %'
has out 'searches on one GPU +2 +median error +0.0 %'
has out 'searches on more GPUs +2 +median error +0.0 %'
has out 'speed-ups from one GPU +2 +median error +0.0 %'
has out 'visits by reached vertices +4 +off by at most 0.000'
has out 'level-synchronous searches +2 +all frontiers exact in 2'
has out 'pairs of executions more than 5 % apart +2 +the faster one is right in 100.0 %'
has out '    level 3 '

# Ten times as long measured.
awk -F, -v OFS=, '/^row/ { print; next } $8 == "bsp" { $19 *= 10 } { print }' \
    "$dir/same.csv" >"$dir/slow.csv"
validate 0 --traverse "$dir/slow.csv"
has out 'searches on one GPU +2 +median error +45.0 %, within 1.3: +50.0 %'

validate 0 --traverse "$dir/same.csv" --json
has out '"frontiers_exact": 2'

# Left out, and said why.
sed 's/,store,0,0,/,ring,0,0,/' "$dir/same.csv" >"$dir/out.csv"
validate 0 --traverse "$dir/out.csv"
has err '1 searches left out: transfer ring'
# Each level that sends is 50 us longer by a latency, the first by a skew as
# well; the last one sends nothing.
levels=$(grep -c '^level.*,copy,' "$dir/same.csv")
sed 's/,copy,0,0,/,copy,20,50,/' "$dir/same.csv" >"$dir/late.csv"
validate 0 --traverse "$dir/late.csv"
late=$(awk '$6 == "copy" { printf "%.1f", $8 - $7 }' "$dir/out")
[ "$late" = "$((20 + 50 * (levels - 1))).0" ] || die "$late us later in $levels levels"
sed 's/,bsp,/,other,/' "$dir/same.csv" >"$dir/out.csv"
validate 0 --traverse "$dir/out.csv"
has err 'left out: no preset native-other'
sed "s/uniform:[^,]*/nowhere.mtx/" "$dir/same.csv" >"$dir/out.csv"
validate 0 --traverse "$dir/out.csv"
has err '4 searches left out: no file nowhere.mtx'

sed 's/,20000,399818,/,20000,399817,/' "$dir/same.csv" >"$dir/out.csv"
validate 0 --traverse "$dir/out.csv"
has err '4 searches left out: uniform:.* has 20000 vertices and 399818 arcs here'

# A node of eight, with an H200's calls; of what shared its devices nothing is
# simulated.
platform=$dir/x8.json
{
    echo '{ "format": 1, "name": "x8", "about": "made", "extends": "dgx-h100", "gpu": {'
    sed -n '/"calls": {/,$p' platforms/parts/h200-costs.json
} >"$platform"
{
    echo "$head"
    for gpus in 4 8; do
        rows bsp $gpus random store native-bsp
        rows bsp $gpus metis copy native-bsp-copy
        rows persistent $gpus metis store native-persistent
        rows discrete-priority $gpus random store native-discrete-priority
    done
} >"$dir/eight.csv"
validate 0 --traverse "$dir/eight.csv" --platform "$platform"
has out 'searches on more GPUs +8 +median error +0.0 %, within 1.3: 100.0 %'
has out 'level-synchronous searches +4 +all frontiers exact in 4'
sed '1s/gpus/gpus,devices/; s/,8,random/,8,2,random/; s/,8,metis/,8,8,metis/
    s/,4,random/,4,4,random/; s/,4,metis/,4,1,metis/' "$dir/eight.csv" >"$dir/out.csv"
validate 0 --traverse "$dir/out.csv" --platform "$platform"
has out 'searches on more GPUs +4 '
has err '2 searches left out: 4 GPUs on 1 devices'
has err '2 searches left out: 8 GPUs on 2 devices'
sed '1s/gpus/gpus,devices/; s/,8,random/,8,9,random/; s/,8,metis/,8,8,metis/
    s/,4,random/,4,4,random/; s/,4,metis/,4,4,metis/' "$dir/eight.csv" >"$dir/out.csv"
validate 2 --traverse "$dir/out.csv" --platform "$platform"
has err 'devices: expected from 1 to 8, got 9'

# Not such files.
bad() { # what is said; a sed expression
    sed -E "$2" "$dir/same.csv" >"$dir/bad.csv"
    validate 2 --traverse "$dir/bad.csv"
    has err "$1"
}
bad 'row: expected level, total or median, got .x.' '2s/^[a-z]+/x/'
bad 'level: expected 0, got 9' '2s/,,0,/,,9,/'
bad 'no column row' '1s/row/kind/'
bad 'gpus: expected 1 or more, got 0' '2s/,1,-,-,/,0,-,-,/'
bad 'delta' '2s/,0,1,-,-,/,-1,1,-,-,/'
bad 'no row median' '/^median/d'
bad 'algorithm: expected bfs or pagerank' 's/,bfs,/,cc,/; s/^(level|median),bfs/\1,cc/'
bad 'a second median of the same case' '/^median/p'
validate 2 --traverse "$dir/same.csv" --native "$dir/same.csv"
has err 'say one of them'
validate 2 --graphs "$dir" --against "$dir/same.csv"
has err '--graphs: only with --traverse'
