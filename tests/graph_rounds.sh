#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# `sluice run --runtime`: graph algorithms in rounds on hosts, in all forms, and
# what is refused.
set -eu
sluice=$1
. tests/ends.bash
graph=rmat:scale=10,edge_factor=8
all="--platform dane --nodes 8 --runtime mpi"

# A line for each platform and runtime; CSV and JSON say the same.
for algorithm in bfs cc sssp pagerank; do
    for cut in cvc cvc:1x8 blocked; do
        run="$all --workload $algorithm:$graph --partition $cut"
        "$sluice" run $run >"$folder/text"
        grep -q '^dane  *mpi ' "$folder/text"
        "$sluice" run $run --csv >"$folder/csv"
        [ "$(wc -l <"$folder/csv")" -eq 2 ]
        "$sluice" run $run --csv --jobs 1 | cmp - "$folder/csv"
        "$sluice" run $run --csv --details >"$folder/rounds.csv"
        "$sluice" run $run --json --details >"$folder/json"
        # Rounds add up to the whole, in time and in bytes.
        awk -F, 'FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
            NR != FNR { time += $at["time_s"]; bytes += $at["bytes"]; n++ }
            NR == FNR { want_s = $at["time_s"]; want_B = $at["bytes"]
                rounds = $at["rounds"] }
            END { exit !(n == rounds && bytes == want_B &&
                time / want_s > 1 - 1e-6 && time / want_s < 1 + 1e-6) }' \
            "$folder/csv" "$folder/rounds.csv"
        rounds=$(($(wc -l <"$folder/rounds.csv") - 1))
        [ "$(grep -c '"active"' "$folder/json")" -eq $((2 * rounds)) ]
    done
done

# Several platforms; one that is too small is left out.
"$sluice" run --workload bfs:$graph --nodes 8 --runtime mpi \
    --platform dane,tuolumne --csv >"$folder/two"
[ "$(wc -l <"$folder/two")" -eq 3 ]
"$sluice" run --workload bfs:$graph --nodes 8 --runtime mpi --csv \
    --platform dane,testbed-4x4 >"$folder/left" 2>"$folder/err"
[ "$(wc -l <"$folder/left")" -eq 2 ]
grep -q 'left out: testbed-4x4' "$folder/err"

# It is divided once, and takes a time on each platform under each runtime.
"$sluice" run --workload bfs:$graph --nodes 8 --runtime mpi-probe,lci \
    --platform dane,stampede2 --timings 2>&1 >/dev/null |
    sed 's/ [0-9.]* s$//' | sort >"$folder/timings"
printf 'sluice: %s\n' "dane: lci: simulated in" "dane: mpi-probe: simulated in" \
    "divided and run in" "stampede2: lci: simulated in" \
    "stampede2: mpi-probe: simulated in" | cmp - "$folder/timings"

# As many rounds of a larger graph, beside those of the run.
"$sluice" run $all --workload pagerank:$graph --vertices-as 1048576 \
    --csv >"$folder/scaled"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { x = $at["scaled_bytes"] / $at["bytes"]
      y = $at["scaled_compute_s"] / $at["compute_s"] }
    END { exit !(x == 1024 && y > 1023.99 && y < 1024.01) }' "$folder/scaled"
"$sluice" run $all --workload pagerank:$graph --csv >"$folder/unscaled"
cut -d, -f1-8 "$folder/scaled" | cmp - <(cut -d, -f1-8 "$folder/unscaled")

# Windows of the larger graph that no node holds: which one is told.
"$sluice" run --workload pagerank:$graph --nodes 8 --platform stampede2 \
    --runtime mpi-rma,mpi --max-iterations 2 --vertices-as 17592186044416 \
    --csv >"$folder/left" 2>"$folder/err"
[ "$(wc -l <"$folder/left")" -eq 2 ]
grep -q 'left out: mpi-rma: scaled: mpi-rma: the windows of .* on stampede2' "$folder/err"

# Any number of hosts: recursive doubling, and those beyond a power of two.
for hosts in 2 3 6 7 12 13; do
    for cut in cvc blocked; do
        "$sluice" run --platform stampede2 --nodes $hosts --partition $cut \
            --runtime mpi,lci,mpi-probe,mpi-rma --workload bfs:$graph --csv \
            >"$folder/hosts.csv"
        [ "$(wc -l <"$folder/hosts.csv")" -eq 5 ]
    done
done

# One host sends nothing.
"$sluice" run --platform dane --nodes 1 --runtime mpi --workload cc:$graph \
    --csv | grep -q '^"\?dane"\?,mpi,1,[0-9]*,0,'

# Runtimes with a communication thread: memory of every host, windows of the
# worst case that grow with the graph, packets that do not.
cat >"$folder/toy.json" <<'END'
{ "format": 1, "name": "toy", "about": "dane with threads", "extends": "dane",
  "runtimes": {
    "lci": { "costs": { "call_us": 1, "packet_bytes": 4096,
      "packets_per_host": 2, "source": {"kind": "assumed", "text": "made up"} } },
    "mpi_probe": { "costs": { "call_us": 1, "source": {"kind": "assumed", "text": "made up"} } },
    "mpi_rma": { "costs": { "call_us": 1, "source": {"kind": "assumed", "text": "made up"} } } } }
END
threads="--platform $folder/toy.json --nodes 8"
threads="$threads --runtime lci,mpi-probe,mpi-rma,mpi"
"$sluice" run $threads --workload pagerank:$graph --vertices-as 65536 \
    >"$folder/memory"
[ "$(grep -c ' scaled ' "$folder/memory")" -ge 3 ]
"$sluice" run $threads --workload pagerank:$graph --vertices-as 65536 \
    --csv >"$folder/memory.csv"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $2 == "mpi-rma" { rma = $at["reserved_B"]
        if ($at["scaled_reserved_B"] != 64 * rma) exit 1 }
    $2 == "lci" { lci = $at["reserved_B"]
        if ($at["scaled_reserved_B"] != lci) exit 1 }
    $2 == "mpi" && $at["reserved_B"] != "" { exit 1 }
    $2 != "mpi" && !($at["buffers_most_B"] >= $at["buffers_least_B"] &&
        $at["buffers_least_B"] > 0) { exit 1 }
    { n++ }
    END { exit !(n == 4 && rma > 0 && lci > 0) }' "$folder/memory.csv"
"$sluice" run $threads --workload bfs:$graph --json >"$folder/hosts.json"
[ "$(grep -c '"buffers_most_B"' "$folder/hosts.json")" -eq 24 ]

# JSON has one shape for all workloads, and the rounds as one plan: what they do
# adds up, the timeline ends with the last, and nothing depends on the forms.
for cut in cvc blocked; do
    for runtime in mpi lci mpi-rma; do
        run="--platform dane --nodes 8 --runtime $runtime --workload bfs:$graph --partition $cut"
        "$sluice" run $run --json --details --operations 300 --timeline "$folder/timeline" >"$folder/json"
        "$sluice" run $run --csv >"$folder/csv"
        "$sluice" run $run --list rounds --csv >"$folder/list"
        python3 - "$folder" "$runtime" <<'CHECK'
import csv
import json
import math
import sys

folder, runtime = sys.argv[1:]
doc = json.load(open(folder + "/json"))
row, = csv.DictReader(open(folder + "/csv"))
rounds = list(csv.DictReader(open(folder + "/list")))
way, = doc["strategies"]
assert (doc["platform"], doc["engine"], way["runtime"]) == ("dane", "fluid", runtime)
assert math.isclose(way["time_s"], float(row["time_s"]), rel_tol=1e-8)
assert len(rounds) == doc["rounds"] == len(way["rounds"]) == len(doc["round_steps"]) > 3
assert math.isclose(sum(float(r["time_s"]) for r in rounds), way["time_s"], rel_tol=1e-8)
# The reductions' messages of 8 B are in the plan, but not among the updates.
of_rounds = sum(float(r["bytes"]) for r in rounds)
traffic = way["traffic"]["off_node"]
assert float(row["bytes"]) == of_rounds
assert traffic["messages"] == way["messages"] > int(row["messages"])
assert traffic["bytes"] == of_rounds + 8 * (traffic["messages"] - int(row["messages"]))
assert sum(r["sent_bytes"] for r in way["ranks"]) == traffic["bytes"]
nic = [x for x in way["links"] if x["name"].startswith("network.node") and x["name"].endswith(".up")]
if runtime == "mpi":
    assert sum(x["bytes"] for x in nic) == traffic["bytes"], (nic, traffic)
assert way["accuracy"] == 0 and all(0 < x["utilisation"] < 1 for x in way["links"])
path = way["critical_path"]
assert math.isclose(path[-1]["to_s"], way["time_s"], rel_tol=1e-9)
assert math.isclose(sum(way["rests_on"].values()), 1, rel_tol=1e-9)
work = sum(float(r["compute_s"]) for r in rounds) / way["time_s"]
assert 0 < way["rests_on"]["workload"] < 1, way["rests_on"]
times = way["timeline"]["operations"]
assert len(times["number"]) == 300
assert max(times["end_s"]) <= way["time_s"] * (1 + 1e-8)
assert max(times["start_s"]) > way["time_s"] / 2  # of later rounds, too
trace = json.load(open(folder + "/timeline"))
events = trace["traceEvents"] if isinstance(trace, dict) else trace
end = max(e.get("ts", 0) + e.get("dur", 0) for e in events)
assert math.isclose(end, way["time_s"] * 1e6, rel_tol=1e-3), (end, way["time_s"])
if runtime == "mpi":
    assert "hosts" not in way
else:
    assert len(way["hosts"]) == 8 and sum(h["messages"] for h in way["hosts"]) > 0
CHECK
    done
done

# Platforms that say what an arc takes.
"$sluice" show platform stampede2 >"$folder/platform"
grep -q '^graphs in rounds' "$folder/platform"

# What cannot be done.
common="$all --workload sssp:$graph"
ends 2 "expected cvc, cvc:ROWSxCOLUMNS or blocked" --partition metis
ends 2 "a grid of 6 hosts; 8 are wanted" --partition cvc:2x3
ends 2 "--vertices-as, --arcs-as: expected at least the 1024" --vertices-as 1000
ends 2 "--threads: dane has 112 cores a node; 113 threads wanted" --threads 113
ends 2 "--strategy: not for sssp: with --runtime" --strategy bsp
ends 2 "--damping: an option of pagerank:, not of sssp:" --damping 0.5
ends 2 "--source: " --source 1024
ends 2 "--arcs-as: only with --vertices-as" --arcs-as 1e6
ends 2 "--repeat: not for graphs on hosts (--runtime): an algorithm ends when" --repeat 2
common="--nodes 8 --workload sssp:$graph --runtime mpi --platform dane,stampede2"
ends 2 "--timeline: expected one platform and one runtime, got 2" --timeline "$folder/none"
[ ! -e "$folder/none" ]
ends 2 "sssp: with --runtime has no executions" --set execution.workers=2
ends 2 "--every-step: not for graphs on hosts (--runtime): an algorithm ends when" --every-step
common="--nodes 8 --workload sssp:$graph --runtime mpi --platform dane,duo"
ends 2 "--timeline: expected one platform and one runtime, got 2" --timeline "$folder/none"
[ ! -e "$folder/none" ]
common="--nodes 256 --workload pagerank:rmat:scale=14 --runtime mpi --platform dane"
ends 2 "--operations: the rounds of pagerank:rmat:scale=14 have too many operations" \
    --partition blocked --threshold 1e-9 --json --details --operations 4
common="--workload bfs:uniform:vertices=8,arcs=10"
ends 2 "dane has 1544 nodes; 1545 hosts wanted" --runtime mpi --nodes 1545
ends 2 "9 hosts for 8 vertices" --runtime mpi --nodes 9
ends 2 "expected mpi, lci, mpi-probe, mpi-rma or peer, got 'shmem'" --runtime mpi,shmem
ends 2 "runtime: mpi is named twice" --runtime mpi,lci,mpi
ends 2 "platform dane,: a name is empty" --runtime mpi --platform dane,
ends 2 "platform : a name is empty" --runtime mpi --platform ""
ends 2 "expected mpi, lci, mpi-probe, mpi-rma or peer, got ''" --runtime "" --platform dane
ends 2 "expected wait or error, got 'x'" --runtime lci --runtime-exhaustion x
ends 2 "nothing of mpi can be exhausted" --runtime mpi --runtime-exhaustion wait
ends 2 "unknown" --runtime mpi --platform nowhere
common="--platform fugaku --runtime mpi --workload bfs:rmat:scale=16"
ends 2 "32769 hosts: expected at most 32768" --nodes 32769 \
    --set 'graph={"arc_ns":1,"vertex_ns":1,"source":{"kind": "assumed", "text": "made up"}}'
common="$all --workload sssp:road:vertices=400,arcs=1000,diameter=50"
ends 2 "a path is longer than a number of 4 B holds" --max-weight 1000000000
printf 'p sp 2 1\na 1 2 -3\n' >"$folder/negative.gr"
common="--platform dane --nodes 2 --runtime mpi"
ends 2 "negative.gr:2: weight -3: expected a whole number" \
    --workload sssp:$folder/negative.gr
common="--platform $folder/toy.json --workload bfs:$graph --runtime lci"
ends 2 "packets_per_host" --set runtimes.lci.costs.packets_per_host=0
# Memory that is left: none is as a platform without, some is between.
probe_s() {
    "$sluice" run --platform stampede2 --nodes 4 --runtime mpi-probe \
        --workload pagerank:rmat:scale=10 --max-iterations 4 --csv \
        --vertices-as 1e8 --set graph.spare_bytes_per_arc=$1 |
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
            END { print $at["scaled_time_s"] }'
}
printf '%s\n' "$(probe_s 1e6)" "$(probe_s 1)" "$(probe_s 0)" >"$folder/spare"
sort -gc "$folder/spare"
[ "$(sort -u "$folder/spare" | wc -l)" = 3 ]
common="--platform lassen --nodes 2 --workload bfs:$graph --runtime mpi"
ends 2 "what an arc takes is not known (--set 'graph={"
ends 0 lassen --set 'graph={"arc_ns": 1, "vertex_ns": 1, "source": {"kind": "assumed", "text": "toy"}}'
common=
ends 2 "cc: runs on hosts, in rounds: say --runtime" --workload cc:$graph
ends 2 "--threads: not for bfs:" --workload bfs:$graph --threads 2
if "$sluice" export --workload cc:$graph >/dev/null 2>"$folder/err"; then
    echo "export of cc: went through"
    exit 1
fi
