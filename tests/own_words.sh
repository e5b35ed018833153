#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Options that one workload has may stand among its words: the results are those
# of the options, also in a sweep, and other workloads refuse both by a sentence
# that names the workload.
set -eu
sluice=$1
. tests/ends.bash
same() { # words with options among them, words without, options
    "$sluice" run --workload "$1" $common --json >"$folder/among"
    "$sluice" run --workload "$2" $common --json "${@:3}" >"$folder/options"
    grep -qF "\"workload\": \"$1\"" "$folder/among"
    diff <(grep -v '"workload"' "$folder/among") <(grep -v '"workload"' "$folder/options")
    "$sluice" run --workload "$2" $common --json >"$folder/neither"
    ! diff -q <(grep -v '"workload"' "$folder/neither") \
        <(grep -v '"workload"' "$folder/options") >/dev/null ||
        { echo "$1: the options change nothing"; exit 1; }
}
same bfs:rmat:scale=8,source=7,edge_factor=4 bfs:rmat:scale=8,edge_factor=4 --source 7
same pagerank:rmat:scale=8,damping=0.5,threshold=1e-3 pagerank:rmat:scale=8 \
    --damping 0.5 --threshold 1e-3
cp workloads/data/halo.ti "$folder/a,b.ti"
same "trace:$folder/a,b.ti,compute_scale=0.5,as_received" "trace:$folder/a,b.ti" \
    --compute-scale 0.5 --as-received
common="--platform dane --nodes 4 --runtime mpi"
same pagerank:rmat:scale=8,max_iterations=3 pagerank:rmat:scale=8 --max-iterations 3
same sssp:rmat:scale=8,max_weight=9,source=3 sssp:rmat:scale=8 --max-weight 9 --source 3
common=
# The command line has the last word.
"$sluice" run --workload bfs:rmat:scale=8,source=7 --source 9 | grep -q 'from vertex 9,'

ends 2 'sluice: --damping: an option of pagerank:, not of bfs:' --workload bfs:rmat:scale=8 --damping 0.5
ends 2 'sluice: --damping: an option of pagerank:, not of bfs:' --workload bfs:rmat:scale=8,damping=0.5
ends 2 'sluice: --source: an option of bfs: and sssp:, not of pagerank:' --workload pagerank:rmat:scale=8 --source 1
ends 2 'sluice: --flops: an option of trace:, not of stencil:' --workload stencil:5pt:8x8 --nodes 2 --flops 1e9
ends 2 'damping=x: damping: expected a number, got "x"' --workload pagerank:rmat:scale=8,damping=x
"$sluice" show workload sssp | grep -qx 'among its words, too: ,source= ,max_weight='

# A file of a sweep is known by its name, and a change of it found.
seq 0 19 | awk '{ print $1, ($1 + 1) % 20 }' >"$folder/g.txt"
cat >"$folder/space.json" <<END
{"base": {"platform": "daisy", "gpus": 1},
    "axes": {"workload": ["bfs:$folder/g.txt,source=1", "bfs:$folder/g.txt,source=2"]}}
END
"$sluice" sweep "$folder/space.json" -o "$folder/runs.db" >/dev/null
echo '0 2' >>"$folder/g.txt"
if "$sluice" sweep "$folder/space.json" -o "$folder/runs.db" 2>"$folder/err" >/dev/null; then
    echo "a changed file went through"
    exit 1
fi
grep -q 'g.txt' "$folder/err"
