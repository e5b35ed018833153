# SPDX-License-Identifier: GPL-3.0-or-later
# validate/study-node with a program that stands for sluice-native: it goes on
# where it stopped, keeps to its seconds, goes on when a part fails and says so;
# and scores predictions.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

die() {
    echo "study_node: $*" >&2
    exit 1
}
# Exit code, a part of what is said, the command.
ends() {
    local code=$1 want=$2 got=0
    shift 2
    timeout 120 "$@" >"$dir/said" 2>&1 || got=$?
    if [ $got -ne "$code" ] || ! grep -qF -e "$want" "$dir/said"; then
        die "$*: expected exit code $code and '$want', got $got and: $(cat "$dir/said")"
    fi
}

# What it is asked for goes to a file; $FAILS fails, $SLOW takes longer than it may.
mkdir "$dir/bin"
cat >"$dir/bin/native" <<'END_OF_PROGRAM'
#!/bin/sh
echo "$*" >>"$ASKED"
case " $* " in
*" ${FAILS:-nothing} "*) echo "native: no such luck" >&2; exit 3 ;;
*" ${SLOW:-nothing} "*) exec sleep 60 ;;
esac
while [ "$1" != -o ]; do shift; done
printf 'x,y\n1,2\n' >"$2"
END_OF_PROGRAM
cat >"$dir/bin/mpirun" <<'END_OF_PROGRAM'
#!/bin/sh
while [ "$1" != -n ]; do shift; done
[ "$2" -gt 0 ] && [ "$3" = "$NATIVE" ] || { echo "mpirun: -n $2 $3"; exit 1; }
shift 2
exec "$@"
END_OF_PROGRAM
printf '#!/bin/sh\n[ "$1" != -L ] || printf "GPU %%d: NVIDIA H200 (UUID: x)\\n" 0 1\n' \
    >"$dir/bin/nvidia-smi"
# Without arguments it is told to quit by its input, which it must read.
printf '#!/bin/sh\n[ $# -gt 0 ] || cat >/dev/null\n' \
    >"$dir/bin/nvidia-cuda-mps-control"
chmod +x "$dir"/bin/*
export PATH=$dir/bin:$PATH NATIVE=$dir/bin/native ASKED=$dir/asked
measure="validate/study-node measure --program $NATIVE --mpirun $dir/bin/mpirun"

# One part after the other; --part takes nothing of the others.
ends 0 "" $measure --part p2p "$dir/node"
[ -s "$dir/node/p2p/memcpy.csv" ] && [ -s "$dir/node/p2p/MPS_on/ping_pong.csv" ] ||
    die "parts are missing: $(ls -R "$dir/node")"
[ ! -e "$dir/node/nccl" ] || die "more than --part"
grep -q '"name": "h200-x2"' "$dir/node/machine.json" || die "the machine's name"
[ -s "$dir/node/machine.txt" ] || die "no description of the machine"

# A part that fails and one that takes too long are named, the others are there.
: >"$ASKED"
FAILS=reduce_scatter ends 1 "failed: nccl/2-default: exit code 3: native: no such luck" \
    $measure --part nccl,halo "$dir/node"
grep -q "^nccl/2-ring-LL:" "$dir/node/failed.txt" || die "a failure is not kept"
[ -s "$dir/node/nccl/2-tree-LL.csv" ] || die "not gone on after a failure"
[ "$(ls "$dir/node/halo" | wc -l)" = 9 ] || die "halos: $(ls "$dir/node/halo")"
! grep -q memcpy "$ASKED" || die "measured again: $(grep memcpy "$ASKED")"

# Called again: what failed, and nothing else.
: >"$ASKED"
ends 0 "" $measure --part nccl,halo "$dir/node"
[ ! -e "$dir/node/failed.txt" ] || die "still failed: $(cat "$dir/node/failed.txt")"
[ "$(grep -c . "$ASKED")" = 4 ] || die "asked for more than failed: $(cat "$ASKED")"
[ -s "$dir/node/nccl/2-default.csv" ] || die "not measured again"

# The seconds are kept to, and what did not fit is measured by the next call.
begin=$SECONDS
SLOW=bfs:kronecker:scale=16,edge_factor=16 ends 1 \
    "not measured yet, call again: graph/bfs-kronecker" \
    $measure --part graph --within 16 "$dir/node"
[ $((SECONDS - begin)) -le 22 ] || die "took $((SECONDS - begin)) s of 16"
[ -s "$dir/node/graph/bfs-san-joaquin_road.csv" ] || die "the first search"
[ ! -e "$dir/node/graph/bfs-kronecker.csv" ] || die "a part of a file"

# Killed in the middle: no part of a file; the next call goes on.
code=0
SLOW=pagerank:kronecker:scale=16,edge_factor=16 timeout 4 $measure --part graph \
    "$dir/node" 2>"$dir/said" || code=$?
[ $code = 124 ] || die "not killed: exit code $code"
[ -s "$dir/node/graph/bfs-kronecker.csv" ] || die "killed too early"
! ls "$dir"/node/graph/pagerank-kronecker* 2>/dev/null || die "a part of a file"
ends 0 "" $measure --part graph "$dir/node"
[ "$(find "$dir/node/graph" -type f | wc -l)" = 6 ] || die "graphs: $(ls "$dir/node/graph")"

# All else, on eight GPUs: fewer after all.
printf '#!/bin/sh\n' >"$dir/bin/nvidia-smi"
ends 2 "no GPU that nvidia-smi lists" $measure "$dir/none"
: >"$ASKED"
ends 0 "" $measure --gpus 8 --machine h100-x8 "$dir/eight"
for file in nccl/8-default nccl/4-default nccl/2-tree-LL128 collective/8-large \
    collective/MPS_on-2-a-GPU halo/4-bayer10-512; do
    [ -s "$dir/eight/$file.csv" ] || die "no $file.csv"
done
first() { grep -n -m 1 -e "$1" "$ASKED" | cut -d: -f1; }
[ "$(first '^memcpy ')" -lt "$(first '^nccl ')" ] &&
    [ "$(first '^nccl .*--config default')" -lt "$(first '^traverse ')" ] &&
    [ "$(first '^traverse ')" -lt "$(first 'nccl_ring/ll128')" ] ||
    die "what is important is not first"
# Every option that was asked for is one of the command's, where it can be asked.
[ -z "${2-}" ] || awk '{ print $1 }' "$ASKED" | sort -u | while read -r command; do
    "$2" "$command" --help >"$dir/help" 2>/dev/null || continue
    grep "^$command " "$ASKED" | grep -o -e ' --[a-z-]*' | sort -u |
        while read -r option; do
            grep -qF -e "$option " "$dir/help" || die "$command has no $option"
        done
done
"$1" show platform "$dir/eight/machine.json" >"$dir/said"
grep -q "8 GPUs" "$dir/said" || die "no platform of 8 GPUs: $(head -n 5 "$dir/said")"

# What is wrong.
ends 2 "expected measure, predict or compare, got 'all'" validate/study-node all x
ends 2 "expected a directory" validate/study-node measure
ends 2 "--within: expected a whole number above 0, got 'x'" $measure --within x "$dir/x"
ends 2 "--part: expected some of p2p,nccl,collective,halo,graph, got 'all'" \
    $measure --part all "$dir/x"
ends 2 "not a program" validate/study-node measure --program "$dir/none" "$dir/x"
ends 2 "has measurements of another machine than duo" $measure --gpus 2 \
    --machine duo "$dir/node"
ends 2 "no measurements" validate/study-node predict "$dir/x"
ends 2 "no predicted.csv" validate/study-node compare "$dir/node"
[ ! -e "$dir/x" ] || die "a directory of wrong options"

# A platform of what was measured otherwise, and predictions of it alone.
mkdir -p "$dir/two/p2p"
cp results/h200/two/*.csv "$dir/two/p2p"
cp results/nccl/h200-x2/calls.csv "$dir/two/p2p"
ends 0 "times predicted" validate/study-node predict --sluice "$1" --gpus 2 --machine two \
    --part collective,halo "$dir/two"
[ "$(grep -c '^halo,.*,standard/' "$dir/two/predicted.csv")" = 18 ] &&
    [ "$(grep -c '^collective,allgather,ring,2,' "$dir/two/predicted.csv")" = 30 ] &&
    [ "$(grep -c '^shared,allreduce,gsb_gsb/MPS_on,2,' "$dir/two/predicted.csv")" = 23 ] ||
    die "predicted: $(head -n 5 "$dir/two/predicted.csv")"
awk -F, 'NR > 1 && !($6 > 0 && $6 < 10) { print; bad = 1 } END { exit bad }' \
    "$dir/two/predicted.csv" || die "times that are none"
grep -q "kernel_launch_us  *4.436" "$dir/two/two.txt" || die "launches are not the measured ones"
# What is predicted is reached by itself, sorted otherwise.
{
    head -n 1 "$dir/two/predicted.csv"
    tail -n +2 "$dir/two/predicted.csv" | sort
} >"$dir/measured.csv"
ends 0 "halo 18 0.0% 0.0% 100% 12% reached" sh -c "awk -f validate/node-score.awk \
    '$dir/two/predicted.csv' '$dir/measured.csv' | tr -s ' '"

# NCCL in a row is no faster than its calls, by operation; in a graph it is.
{
    echo operation,method,time_s
    for us in 20 25 30; do echo "allreduce,call,${us}e-6"; done
    echo allreduce,row,1e-6
    echo allgather,call,5.5e-6
} >"$dir/two/p2p/nccl_calls.csv"
ends 0 "times predicted" validate/study-node predict --sluice "$1" --part nccl "$dir/two"
least() { # part, operation
    awk -F, -v part="$1" -v of="$2" '$1 == part && $2 == of && (!m || $6 < m) { m = $6 }
        END { printf "%.3g", m }' "$dir/two/predicted.csv"
}
[ "$(least nccl allreduce)" = 2.5e-05 ] && [ "$(least nccl allgather)" = 5.5e-06 ] ||
    die "NCCL in a row: $(least nccl allreduce), $(least nccl allgather)"
for part in "nccl_graph allreduce" "nccl_graph allgather" "nccl broadcast"; do
    awk -v s="$(least $part)" 'BEGIN { exit !(s > 1e-6 && s < 8e-6) }' ||
        die "$part: $(least $part)"
done
# A compressed graph is the one that was predicted.
mkdir "$dir/two/graph"
printf '%s\n' row,algorithm,graph,partition,execution,transfer,gpus,time_s,delta,skew_us,latency_us \
    median,bfs,g.mtx.gz,metis,bsp,store,2,0.5,0,0,0 >"$dir/two/graph/bfs.csv"
ends 1 "" validate/study-node compare "$dir/two"
grep -qx "graph,bfs:g.mtx/metis,bsp/store,2,0,0.5" "$dir/two/measured.csv" ||
    die "gathered: $(cat "$dir/two/measured.csv")"

# Two of four GPUs whose copies from the host last twice as long together have a
# switch of 2 x 64 MiB in 2.4 ms; the others have none.
cat >"$dir/rows" <<'END_OF_ROWS'
0,0 1.2e-3
1,1 1.2e-3
2,2 1.2e-3
3,3 1.2e-3
0,1 1.25e-3
0,2 2.4e-3
0,3 1.2e-3
1,2 1.2e-3
1,3 1.2e-3
2,3 1.25e-3
END_OF_ROWS
{
    echo operation,gpu_a,gpu_b,bytes,threads,iterations,time_s
    sed 's/\(.*\) \(.*\)/h2d_together,\1,67108864,0,1,\2/' "$dir/rows"
} >"$dir/two/p2p/pairs.csv"
rm "$dir/two/machine.json"
ends 0 "times predicted" validate/study-node predict --sluice "$1" --gpus 4 --machine four \
    --part halo "$dir/two"
for line in " pcie0 bandwidth_GBps 55.92 [0-9[]*\]" " cpu0-pex0" \
    " pex0-gpu0 cpu0-gpu1 pex0-gpu2 cpu0-gpu3"; do
    tr -s ' ' <"$dir/two/four.txt" | grep -qx "$line" ||
        die "not '$line': $(sed -n '/^wires/,/^$/p' "$dir/two/four.txt")"
done

# Scores by hand: 5 % and 15 % above 1 MiB (median 10), 30 % below, a halo of 50 %,
# two of three pairs right, speed-ups of 1.5 and 1 where 2 and 1.67 were predicted.
cat >"$dir/predicted.csv" <<'END_OF_ROWS'
part,case,way,gpus,bytes,time_s
nccl,allreduce,default,2,2097152,1.05
nccl,allreduce,default,2,4194304,1.15
nccl,allreduce,default,2,8,1.3
halo,bayer10,standard/device,2,512,1.5
graph,bfs:g/-,bsp/-,1,0,2
graph,bfs:g/metis,bsp/store,2,0,1
graph,bfs:g/metis,bsp/copy,2,0,1.2
graph,bfs:g/metis,persistent/store,2,0,3
END_OF_ROWS
cat >"$dir/measured.csv" <<'END_OF_ROWS'
part,case,way,gpus,bytes,time_s
nccl,allreduce,default,2,2097152,1
nccl,allreduce,default,2,4194304,1
nccl,allreduce,default,2,8,1
nccl,alltoall,default,2,8,1
halo,bayer10,standard/device,2,512,1
graph,bfs:g/-,bsp/-,1,0,1.5
graph,bfs:g/metis,bsp/store,2,0,1
graph,bfs:g/metis,bsp/copy,2,0,1.5
graph,bfs:g/metis,persistent/store,2,0,1.2
END_OF_ROWS
ends 1 "not predicted: nccl, alltoall (1 points)" awk \
    -f validate/node-score.awk "$dir/predicted.csv" "$dir/measured.csv"
for line in "nccl, above 1 MiB  2 10.0% 15.0% 50% 10% reached" \
    "nccl, up to 1 MiB 1 30.0% 30.0% 0% 20% MISSED" \
    "halo 1 50.0% 50.0% 0% 12% MISSED" \
    "graph: faster of pairs > 5 % apart 3 66.7% - - 95% MISSED" \
    "graph: speed-ups from one GPU 2 50.0% 66.7% 0% 10% MISSED"; do
    tr -s ' ' <"$dir/said" | grep -qxF "$(tr -s ' ' <<<"$line")" ||
        die "not '$line': $(cat "$dir/said")"
done
