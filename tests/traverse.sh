# SPDX-License-Identifier: GPL-3.0-or-later
# `sluice run` of bfs: and pagerank:, its forms, and what is refused.
set -eu
sluice=$1
. tests/ends.bash
. tests/lanes.bash
graph=workloads/data/andorra_osm.mtx.gz
bfs="--workload bfs:$graph"

# All executions, fastest first: on a road network Atos, then others, then BSP.
ends 0 'every result agrees with a plain computation' $bfs --gpus 2
ends 0 '20682 reached' $bfs --gpus 2
"$sluice" run $bfs --gpus 2 --csv >"$folder/one"
"$sluice" run $bfs --gpus 2 --csv >"$folder/two"
cmp "$folder/one" "$folder/two"
[ "$(wc -l <"$folder/one")" -eq 7 ]
sed -n 2p "$folder/one" | grep -q ',1,2,atos-persistent,'
tail -1 "$folder/one" | grep -q ,1,2,bsp,
ends 0 '"strategy": "bsp"' $bfs --json --strategy bsp
ends 0 '"reached": 20682' --workload pagerank:$graph --json --strategy bsp

# What the links carried: the busiest, or all.
ends 0 'the busiest links (5 of 12)' $bfs --gpus 4 --strategy atos-persistent
ends 0 'the busiest links (12 of 12)' $bfs --gpus 4 --details \
    --strategy atos-persistent
ends 0 '"name": "node0.gpu2>gpu0"' $bfs --gpus 4 --json --details \
    --strategy atos-persistent
# What the aggregator held.
nodes="--workload bfs:$graph --platform lassen --nodes 2"
ends 0 'kB of buffers' $nodes --strategy atos-persistent
ends 0 'GPU 7     at most' $nodes --strategy atos-persistent --details
ends 0 '"gathered_most_bytes"' $nodes --strategy atos-persistent --json

# One axis at a time.
ends 0 atos-persistent $bfs --strategy atos-persistent \
    --set execution.control=cpu --set gpu.remote_atomic_us=2
ends 0 'from vertex 17' $bfs --strategy bsp --source 17
ends 2 '--source: andorra_osm has 20682 vertices' \
    $bfs --source 20682
ends 2 'has 20682 vertices, from 0; got -1' $bfs --source -1
ends 2 'did you mean atos-persistent?' $bfs --strategy atos-persistant
ends 2 'aggregator: wait_visits: expected 1' $bfs --strategy atos-persistent \
    --set execution.aggregator.wait_visits=0
ends 2 'expected "gpu" or "cpu", got "nic"' $bfs --strategy bsp \
    --set execution.control=nic
ends 2 'overflows: its capacity is 3 vertices' $bfs --strategy bsp \
    --set execution.queue.capacity=3
ends 2 'daisy has 1 nodes of 4 GPUs; 9 GPUs wanted' $bfs --gpus 9
ends 2 'an option of pagerank:, not of bfs' $bfs --damping 0.5
ends 2 'not of pagerank' --workload pagerank:$graph --source 3
ends 2 'bfs:: expected bfs:GRAPH' --workload bfs:
# A run that goes nowhere is an error; not named, it is left out.
slow="--workload pagerank:rmat:scale=6 --platform dgx-1v --gpus 8 --damping 0.7"
ends 1 'async-cpu: on 8 GPUs of dgx-1v it went along ' $slow \
    --strategy async-cpu
ends 0 'left out: async-cpu: on 8 GPUs of dgx-1v' $slow
ends 0 'atos-persistent ' $slow
# In no time at all.
printf '%%%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 2\n' \
    >"$folder/arc.mtx"
ends 0 '0.00 |     1.000' --workload bfs:"$folder/arc.mtx" --gpus 1 --source 2 \
    --strategy atos-persistent --set execution.work.round_us=0 --edge-ns 1 \
    --timeline "$folder/t.json"
if grep -q nan "$folder/out" "$folder/t.json"; then
    echo "a search in no time: nan" >&2
    exit 1
fi
ends 2 'unknown execution' $bfs --strategy bsp,
ends 2 'split+md: a strategy of matrices, no execution' $bfs --strategy split+md
ends 2 'round_us: expected a number up to 1e+12' $bfs --set execution.work.round_us=1e300
ends 1 'more than 5 events' $bfs --max-events 5 --strategy bsp
# With transfers under way, which the sanitizer wants to see freed.
for strategy in atos-persistent async-cpu; do
    ends 1 'more than 400 events' $nodes --max-events 400 --strategy $strategy
done
ends 0 'engine fluid, accuracy 0.1' $bfs --accuracy 0.1 --strategy bsp
ends 0 '"accuracy": 0.1' $bfs --accuracy 0.1 --strategy bsp --json
ends 0 '"accuracy": 0,' $bfs --strategy bsp --json
ends 2 'damping' --workload pagerank:$graph --damping 0
ends 2 'damping' --workload pagerank:$graph --damping 1
ends 2 '4 GPUs are more than its 3 vertices' --workload bfs:uniform:vertices=3,arcs=3 --gpus 4
ends 2 'none.txt: cannot be opened' --workload bfs:none.txt
ends 2 'expected contiguous, random, metis, geometric or a file' $bfs --partition best
ends 2 '--edge-ns: expected a number above 0' $bfs --edge-ns -1
ends 2 'an option of pagerank:, not of spmv:' --workload spmv:$graph --damping 0.5

# An experiment file says the same as the words of the command line, which go
# before it.
experiment() {
    printf '%s' "$1" >"$folder/x.json"
}
experiment "{\"workload\": \"bfs:$graph\", \"gpus\": 2, \"strategy\": \"bsp\",
    \"source\": 17, \"edge_ns\": 0.5, \"set\": [\"execution.control=cpu\"]}"
ends 0 'from vertex 17' "$folder/x.json"
mv "$folder/out" "$folder/one"
ends 0 '0.5 ns an edge (--edge-ns)' $bfs --gpus 2 --strategy bsp --source 17 \
    --edge-ns 0.5 --set execution.control=cpu
cmp "$folder/one" "$folder/out"
ends 0 'from vertex 3' "$folder/x.json" --source 3
experiment "{\"workload\": \"pagerank:$graph\", \"strategy\": \"bsp\",
    \"damping\": 0.5, \"threshold\": 1e-3}"
ends 0 'damping 0.5, threshold 0.001' "$folder/x.json"
ends 0 'damping 0.6, threshold 0.001' "$folder/x.json" --damping 0.6
experiment "{\"workload\": \"bfs:$graph\", \"source\": \"hub\"}"
ends 2 'x.json: source: expected' "$folder/x.json"
experiment "{\"workload\": \"bfs:$graph\", \"source\": -1}"
ends 2 'vertices, from 0; got -1' "$folder/x.json"
experiment "{\"workload\": \"bfs:$graph\", \"source\": 20682}"
ends 2 'has 20682 vertices' "$folder/x.json"
experiment "{\"workload\": \"bfs:$graph\", \"damping\": 0.5}"
ends 2 'not of bfs' "$folder/x.json"
experiment "{\"workload\": \"pagerank:$graph\", \"damping\": 0}"
ends 2 'damping: expected' "$folder/x.json"
experiment "{\"workload\": \"stencil:5pt:8x8\", \"edge_ns\": 1}"
ends 2 '--edge-ns: not for stencil:' "$folder/x.json"

# A timeline: one JSON document, whole or not at all, of one execution; all
# visits are in it, and on one thread nothing overlaps.
ends 2 'expected one --strategy, got 6' $bfs --timeline "$folder/no.json"
ends 2 'expected one --strategy, got 2' $bfs --timeline "$folder/no.json" \
    --strategy bsp,async-cpu
ends 2 'expected a file' $bfs --strategy bsp --timeline -
ends 2 'cannot be written' $bfs --strategy bsp --timeline "$folder/none/t.json"
ends 2 'overflows' $bfs --strategy bsp --timeline "$folder/no.json" \
    --set execution.queue.capacity=3
[ ! -e "$folder/no.json" ]
[ -z "$(ls "$folder" | grep part || true)" ]
for strategy in bsp async-cpu atos-persistent; do
    ends 0 "$strategy" $bfs --gpus 4 --strategy $strategy --json \
        --timeline "$folder/t.json"
    visits=$(sed -n 's/^ *"visits": \([0-9]*\),$/\1/p' "$folder/out" | head -1)
    told=$(grep -o '"visits":[0-9]*' "$folder/t.json" | cut -d: -f2 |
        awk '{ n += $1 } END { print n }')
    [ "$visits" -eq "$told" ]
    "$sluice" show platform "$folder/t.json" 2>&1 | grep -q 'format\|unknown key'
    grep '"ph":"X"' "$folder/t.json" >"$folder/spans.json"
    no_overlaps "$folder/spans.json"
    grep -q '"queue of GPU 3"' "$folder/t.json"
    grep -q '"on the wire"' "$folder/t.json"
done
"$sluice" list executions | grep -q '^  atos-priority'
