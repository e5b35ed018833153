# SPDX-License-Identifier: GPL-3.0-or-later
# The benchmarks of GPUs: what they say where there is none, small runs where
# there is one, validate/measure-gpu, which goes on when a part fails, and
# validate/bundle.
set -eu
native=${2-}
[ -n "$native" ] || { echo "skipped: built without MPI"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# Exit code, a part of what is said, the command.
ends() {
    code=$1 want=$2 got=0
    shift 2
    timeout 100 "$@" >"$dir/out" 2>&1 || got=$?
    if [ $got -ne "$code" ] || ! grep -qF -e "$want" "$dir/out"; then
        echo "$*: expected exit code $code and '$want', got $got and:" >&2
        cat "$dir/out" >&2
        exit 1
    fi
}
# File, rows at least, a text in its head, columns.
file() {
    rows=$(grep -vc '^#' "$dir/$1")
    if [ "$rows" -le "$2" ] || ! grep -qF -e "$3" "$dir/$1" ||
        ! grep -qx "machine,mpi,$4,config,run_id" "$dir/$1"; then
        echo "$1: $rows rows, or not '$3', or not the columns $4:" >&2
        head -n 20 "$dir/$1" >&2
        exit 1
    fi
}

# A program that fails at one part: the others are measured all the same.
cat >"$dir/program" <<'END'
#!/bin/sh
[ "$1" != queue ] || exit 1
while [ $# -gt 1 ]; do
    [ "$1" != -o ] || echo measured >"$2"
    shift
done
END
chmod +x "$dir/program"
all="validate/measure-gpu --program $dir/program"
printf '#!/bin/sh\nshift 2\nexec "$@"\n' >"$dir/mpirun"
chmod +x "$dir/mpirun"
ends 1 "failed: queue" $all --mpirun "$dir/mpirun" "$dir/out.d"
mps=$dir/out.d/MPS_off # as there is nothing that could start MPS
! command -v nvidia-cuda-mps-control >/dev/null || mps=$dir/out.d/MPS_on
for name in "$dir"/out.d/{gpu_calls,gpu_memory,gpu_ipc,match,reduce} \
    "$mps"/{contention,memcpy_mult,pack,ping_pong,ring,memcpy,fan,multi_pair} \
    "$mps"/{matching,pack_cpu,native-2,native-4,native-8}; do
    [ -s "$name.csv" ] || { echo "no $name.csv" >&2; exit 1; }
done
[ ! -e "$dir/out.d/queue.csv" ] || { echo "a file of what failed" >&2; exit 1; }
ends 2 "expected a directory" $all
ends 2 "unknown option --fast" $all --fast "$dir/out.d"
ends 2 "--limit: expected a number, got 'x'" $all --limit x "$dir/out.d"
ends 2 "--part: expected some of calls,node,shared,patterns,nccl, got 'all'" $all --part all \
    "$dir/out.d"
ends 1 "queue: left out, more than 0 s are over" $all --within 0 "$dir/none.d"
ends 2 "not a program" validate/measure-gpu --program "$dir/none" "$dir/out.d"

# A folder that has all that two ranks need, wherever it lies.
got=0
validate/bundle "$native" "$dir/bundle" 2>"$dir/out" || got=$?
if [ $got = 2 ] && grep -q "no Open MPI of Debian here" "$dir/out"; then
    echo "no bundle: $(cat "$dir/out")"
else
    [ $got = 0 ] || { cat "$dir/out" >&2; exit 1; }
    timeout 60 env -i PATH=/usr/bin:/bin "$dir/bundle/mpirun" -n 2 \
        --oversubscribe "$dir/bundle/sluice-native" ring --no-gpu --sizes 4 \
        --per-point 0.01 -o "$dir/ring.csv"
    grep -q ',isend_irecv,2,1,4,' "$dir/ring.csv"
    ends 2 "not a program" validate/bundle "$dir/none" "$dir/bundle"
    mkdir "$dir/others"
    echo >"$dir/others/file"
    ends 2 "has files of others" validate/bundle "$native" "$dir/others"
fi

# Graph searches: what can be refused without a GPU is.
graph=bfs:uniform:vertices=100,arcs=400
search="$native traverse --workload $graph"
if [ "$("$native" traverse 2>&1 | grep -c 'built without CUDA')" = 0 ]; then
    ends 2 "expected --workload bfs:GRAPH" "$native" traverse
    ends 2 "expected bfs:GRAPH or pagerank:GRAPH, got 'halo:x'" "$native" traverse --workload halo:x
    ends 2 "--workload: none.mtx: cannot be opened" "$native" traverse \
        --workload bfs:none.mtx
    ends 2 "--gpus: expected a whole number from 1 to 8, got '9'" $search --gpus 9
    ends 2 "--devices" $search --gpus 4 --devices 0
    ends 2 "--threshold: expected a number between 0 and 1, got 1" "$native" \
        traverse --workload pagerank:uniform,n=64,degree=4 --threshold 1
    ends 2 "--execution: expected one of sweep" "$native" traverse \
        --workload pagerank:uniform,n=64,degree=4 --execution bsp
    ends 2 "--gpus: expected a whole number from 1 to 8, got 'two'" $search \
        --gpus two
    ends 2 "--execution: expected one of bsp" $search --execution best
    ends 2 "--transfer: expected store, copy or ring" $search --transfer by_hand
    ends 2 "--source: expected a vertex below 100, got '100'" $search --source 100
    ends 2 "--skew: expected a number from 0" $search --skew -1
    ends 2 "--delta: expected a whole number from 1" $search --delta 0.5
    ends 2 "unknown partition" $search --gpus 2 --partition mitis
    printf '0\n1\n' >"$dir/short.parts"
    ends 2 "short.parts" $search --gpus 2 --partition "$dir/short.parts"
    yes 2 | head -n 100 >"$dir/high.parts"
    ends 2 "high.parts" $search --gpus 2 --partition "$dir/high.parts"
fi

got=0
timeout 60 "$native" gpu --sizes 1k --part calls --per-point 0.05 \
    -o "$dir/calls.csv" >"$dir/out" 2>&1 || got=$?
if [ $got = 2 ] && grep -q "gpu: needs a GPU: " "$dir/out"; then
    for command in gpu queue match reduce nccl graph-costs; do
        ends 2 "$command: needs a GPU: " "$native" $command -o "$dir/no.csv"
        [ ! -e "$dir/no.csv" ] || { echo "a file without a GPU" >&2; exit 1; }
    done
    ends 2 "traverse: needs a GPU: " $search -o "$dir/no.csv"
    [ ! -e "$dir/no.csv" ] || { echo "a file without a GPU" >&2; exit 1; }
    echo "no GPU: errors only"
    exit 0
fi
[ $got = 0 ] || { cat "$dir/out" >&2; exit 1; }
file calls.csv 50 'events_around_kernel' \
    operation,gpu_a,gpu_b,bytes,threads,iterations,time_s
short="--per-point 0.05"
ends 2 "--part: expected calls" "$native" gpu --part all
ends 2 "multiples of 16 bytes" "$native" gpu --sizes 8
ends 2 "--cta: expected" "$native" queue --cta 48
ends 2 "multiples of 32 threads" "$native" queue --sizes 48
ends 2 "--part ipc: one rank only" "$native" gpu --part ipc
ends 0 "" "$native" gpu --part memory --sizes 1k..1M $short -o "$dir/memory.csv"
file memory.csv 50 'atomic_add_chain' \
    operation,gpu_a,gpu_b,bytes,threads,iterations,time_s
ends 0 "" "$native" gpu --part peer --sizes 16k..64k $short -o "$dir/peer.csv"
file peer.csv 50 'sum_local' \
    operation,gpu_a,gpu_b,bytes,threads,iterations,time_s
ends 2 "nccl: one rank only" "$native" nccl
# One of both is wrong, whether MPS runs or not.
ends 2 "--config MPS_on;MPS_off: it is MPS_o" "$native" memcpy \
    --config "MPS_on;MPS_off" -o "$dir/no.csv"
[ ! -e "$dir/no.csv" ] || { echo "a file of two kinds" >&2; exit 1; }
ends 2 "--operation: expected allreduce" "$native" nccl --operation all
ends 2 "--launch: expected processes, threads" "$native" nccl --launch three
ends 0 "" "$native" queue --sizes 32..4k $short -o "$dir/queue.csv"
file queue.csv 50 'found once' \
    queue,form,operation,threads,items,iterations,time_s,items_per_s
ends 0 "" "$native" match --sizes 32..2k $short -o "$dir/match.csv"
file match.csv 50 'of a serial matcher' \
    algorithm,queue_length,ranks,queues,ctas,threads,wildcards_percent,unexpected_percent,ordering,compaction,matches,iterations,time_s,matches_per_s
ends 0 "" "$native" reduce --sizes 4k..64k $short -o "$dir/reduce.csv"
file reduce.csv 50 'exactly' algorithm,buffers,bytes,iterations,time_s,GBps
ends 0 "" $search --runs 3 -o "$dir/search.csv"
file search.csv 3 'serial search' \
    row,algorithm,graph,vertices,arcs,source,seed,execution,delta,threshold,gpus,devices,partition,transfer,skew_us,latency_us,run,level,frontier,level_arcs,time_s,p90_s,visits,reached,pushes,received,remote_atomics,bytes,busy_s
# As many GPUs as there may be, of which some share a device.
for gpus in 4 8; do
    for work in bfs pagerank; do
        ends 0 "" "$native" traverse --workload "$work:uniform:vertices=5000,arcs=40000" \
            --gpus $gpus --devices 1 --partition metis --partition random \
            --transfer store --transfer copy --runs 2 -o "$dir/many.csv"
        grep -q "^[^#]*,$gpus,1,random,copy," "$dir/many.csv"
    done
done
costs="$native graph-costs"
ends 2 "--part: expected access" $costs --part all
ends 2 "expected a power of two from 4k on" $costs --sizes 5000
ends 2 "up to 64G" $costs --sizes 128G
ends 2 "--gpus: expected 1 or 2" $costs --gpus 3 -o "$dir/no.csv"
[ ! -e "$dir/no.csv" ] || { echo "a file of three GPUs" >&2; exit 1; }
ends 0 "" $costs --part access --part calls --sizes 1M..2M --samples 5 \
    --per-point 0.01 -o "$dir/costs.csv"
file costs.csv 50 'each result was checked' \
    operation,gpu_a,gpu_b,bytes,threads,together,in_flight,samples,median_ns,p90_ns
