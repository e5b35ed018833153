#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every JSON document of a command is as docs/outputs.schema.json says, and the
# schema refuses what is not; rows of CSV have the columns that docs/outputs.md
# names.
set -eu
sluice=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
data=workloads/data

held() { # the command's words
    documents=$((documents + 1))
    "$sluice" "$@" --json >"$folder/$documents.json" 2>"$folder/err" ||
        { echo "sluice $*: $(cat "$folder/err")"; exit 1; }
}
documents=0
held run --workload stencil:5pt:40x40 --nodes 2 --details
held run --workload stencil:5pt:40x40 --nodes 2 --repeat 10
held run --workload allreduce:bytes=1k --nodes 2
held run --workload allreduce:bytes=1k..4k,place=both --nodes 2 --algorithm ring
held run --workload bfs:rmat:scale=10
held run --workload "trace:$data/halo.ti" --nodes 2 --details
held run --workload random:ranks=16,messages=2,rounds=2,bytes=10..100000,seed=1 \
    --platform stampede2 --runtime lci,mpi-probe
held run --workload cc:rmat:scale=10 --nodes 2 --runtime lci --platform stampede2
held model --workload stencil:5pt:40x40 --nodes 2
held model --scenario messages=32,nodes=4,bytes=1000
held claims L05
held list
held list platforms
held expect results/logs/alps_allreduce_2x4_sockets.txt --platform alps
held validate tests/data/logs/osu_latency.txt --platform alps
held calibrate tests/data/lassen_excerpt_memcpy.csv --base lassen -o "$folder/fitted"
held calibrate results/h200/graph/costs-1.csv --base dgx-h100 -o "$folder/fitted"
held calibrate results/h200/gpu/match.csv --base lassen -o "$folder/fitted"
held calibrate results/testbed/runtime/runtime.csv --base testbed-4x4 -o "$folder/fitted"
held study -o "$folder/cells" --scale 1/256 --application bfs --machine daisy \
    --framework Gunrock --graph hollywood-2009
held bench start --limit 115964117 # in milliseconds 8 beyond 27 * 2^32
for words in "exchange --max-events 1" "engines --max-events 1" \
    "growth --max-events 1" "exchange --against /bin/false"; do # all cases fail
    documents=$((documents + 1))
    # shellcheck disable=SC2086
    if "$sluice" bench $words --json >"$folder/$documents.json" 2>"$folder/err"; then
        echo "sluice bench $words: did not fail"
        exit 1
    fi
done
if TMPDIR=$folder/none "$sluice" bench halo --json >"$folder/none" 2>"$folder/err" ||
    [ -s "$folder/none" ]; then
    echo "sluice bench halo: a document of nothing"
    exit 1
fi
held advise --workload stencil:5pt:40x40 --nodes 2 --draws 5 --strategy standard/staged,split+md
held advise --workload allreduce:bytes=1k..4k --nodes 2 --draws 3 --algorithm ring,rabenseifner
held advise --workload cc:rmat:scale=8 --nodes 2 --runtime lci,mpi-probe --platform stampede2 --draws 3
held advise --workload stencil:5pt:40x40 --nodes 2 --reach 60us --vary nic --vary nodes
held sweep docs/space.json --pareto
held sweep docs/space.json
cat >"$folder/hosts.space" <<'SPACE'
{"format": 1, "base": {"platform": "stampede2", "workload": "cc:rmat:scale=8", "runtime": "lci,mpi-probe"},
 "axes": {"nodes": [4, 6]}}
SPACE
held sweep "$folder/hosts.space"
python3 - "$folder/$documents.json" <<'CHECK'
import json
import sys

runs = json.load(open(sys.argv[1]))["runs"]
assert sorted((r["nodes"], r["strategy"], r["runtime"], r["partition"], r["seed"]) for r in runs) == [
    (n, s, s, p, 1) for n, p in ((4, "cvc:2x2"), (6, "cvc:2x3")) for s in ("lci", "mpi-probe")], runs
CHECK
held validate native results/testbed/native-2x8.csv
held show matrix "$data/cvxbqp1.mtx.gz" --gpus 4
held show graph rmat:scale=10 --gpus 2
held show trace "$data/halo.ti"

python3 - docs/outputs.schema.json "$folder/1.json" "$folder"/*.json <<'CHECK'
import json
import sys

from jsonschema import Draft201909Validator

schema = json.load(open(sys.argv[1]))
Draft201909Validator.check_schema(schema)
validator = Draft201909Validator(schema)
for path in sys.argv[2:]:
    document = json.load(open(path))
    for error in validator.iter_errors(document):
        sys.exit(f"{document['command']}: {list(error.absolute_path)}: {error.message}")
    for key in ("schema", "sluice", "command"):
        without = {k: v for k, v in document.items() if k != key}
        assert not validator.is_valid(without), (path, key)
    # One shape for all workloads: candidates, the fastest first.
    for one in document.get("sizes", [document]) if document["command"] == "run" else []:
        best = one["strategies"][0]["time_s"]
        for way in one["strategies"]:
            assert way["strategy"] and abs(way["times_best"] - way["time_s"] / best) < 1e-12, path
        assert one["strategies"] == sorted(one["strategies"], key=lambda way: way["time_s"]), path
    if document["command"] == "bench":
        rows = document["rows"]
        assert [row["error"] for row in rows if "error" in row] == (
            [] if document["kind"] == "start" else ["failed"] * len(rows)), path
        del rows[0]["error" if "error" in rows[0] else "cpu_s"]
        assert not validator.is_valid(document)
run = json.load(open(sys.argv[2]))
assert run["command"] == "run"
times = [way["time_s"] for way in run["strategies"]]
for way in run["strategies"]:
    assert abs(way["times_best"] - way["time_s"] / min(times)) < 1e-12
    slow = json.loads(json.dumps(run))
    slow["strategies"][0]["time_s"] = "long"
    assert not validator.is_valid(slow)
CHECK

"$sluice" run --workload stencil:5pt:40x40 --nodes 2 --partition contiguous --csv >"$folder/run.csv"
"$sluice" model --workload stencil:5pt:40x40 --nodes 2 --partition contiguous --csv >"$folder/model.csv"
version=$("$sluice" --version | cut -d' ' -f2)
awk -F, -v version="$version" 'FNR > 1 && $NF != version || FNR > 1 && $(NF - 2) != "contiguous" { exit 1 }' \
    "$folder/run.csv" "$folder/model.csv"
"$sluice" run --workload pagerank:rmat:scale=8 --runtime lci,mpi-probe --platform stampede2,stampede1 \
    --nodes 6 --csv >"$folder/rounds.csv"
"$sluice" run --workload pagerank:rmat:scale=8 --runtime lci --platform stampede2 --nodes 6 \
    --csv --details >"$folder/details.csv"
for column in platform workload nodes gpus times_best partition seed strategy sluice; do
    for file in run model rounds details; do
        head -1 "$folder/$file.csv" | tr , '\n' | grep -qx $column ||
            { echo "no column $column: $file"; exit 1; }
    done
done

# The seed in a row is the one that the workload was drawn with.
python3 - "$sluice" "$folder/rounds.csv" <<'CHECK'
import csv
import subprocess
import sys


def rows(words, *options):
    command = [sys.argv[1], "run", "--workload", words, "--csv", *options]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, (command, run.stderr)
    return list(csv.DictReader(run.stdout.splitlines()))


def without(rows):
    return [{k: v for k, v in r.items() if k not in ("workload", "seed")} for r in rows]


drawn = [
    ("random:rows=4000,row_nnz=4", "--nodes", "2"),
    ("alltoallv:mean=10000,spread=0.5", "--nodes", "2"),
    ("moe:tokens=64,experts=16,topk=2,skew=1,hidden=64", "--nodes", "2"),
    ("match:length=512,matched=0.5,peers=3,tags=3", "--platform", "lassen"),
    ("bfs:rmat:scale=8",),
    ("bfs:kronecker:scale=8",),
    ("bfs:uniform:vertices=500,arcs=3000",),
    ("bfs:community:vertices=500,arcs=3000,communities=9,mix=0.2,exponent=2.1,max_degree=40",),
    ("bfs:road:vertices=2000,arcs=5000,diameter=90",),
    ("bfs:standin:hollywood-2009,scale=1/256",),
    ("cc:rmat:scale=8", "--runtime", "lci", "--platform", "stampede2", "--nodes", "4"),
]
for words, *options in drawn:
    plain = rows(words, *options)
    seed = plain[0]["seed"]
    assert without(rows(f"{words},seed={seed}", *options)) == without(plain), words
    other = rows(f"{words},seed=77", *options)
    assert other[0]["seed"] == "77" and without(other) != without(plain), words
one = "random:ranks=8,messages=2,rounds=1,bytes=10..1000,seed=5"
assert [r["seed"] for r in rows(one)] == ["5"]
assert rows("surrogate:thermal2", "--nodes", "2", "--strategy", "2-step/staged")[0]["seed"] == "1"
for words in "spmv:workloads/data/cvxbqp1.mtx.gz", "allreduce:bytes=1k":
    assert {r["seed"] for r in rows(words, "--nodes", "2")} == {""}, words

rounds = list(csv.DictReader(open(sys.argv[2])))
times = [float(r["time_s"]) for r in rounds]
assert len({r["platform"] for r in rounds}) == 2
for r, t in zip(rounds, times):
    assert abs(float(r["times_best"]) / (t / min(times)) - 1) < 1e-6, r
    assert (r["partition"], r["strategy"], r["nodes"]) == ("cvc:2x3", r["runtime"], "6"), r
CHECK

# What a spreadsheet would compute is a text there, in every CSV.
small="--workload stencil:5pt:40x40 --nodes 2"
sed 's/"name": "duo"/"name": "=1+2"/' platforms/duo.json >"$folder/formula.json"
echo "{\"base\": {\"platform\": \"$folder/formula.json\", \"workload\": \"stencil:5pt:8x8\",
    \"nodes\": 2}, \"axes\": {\"value_bytes\": [8]}}" >"$folder/space.json"
"$sluice" sweep "$folder/space.json" -o "$folder/formula.db" >/dev/null 2>&1
"$sluice" run $small --platform "$folder/formula.json" --csv >"$folder/formula-run.csv"
"$sluice" model $small --platform "$folder/formula.json" --csv >"$folder/formula-model.csv"
"$sluice" sweep show "$folder/formula.db" --csv >"$folder/formula-sweep.csv"
fail() { echo "$*" >&2; exit 1; }
for command in run model sweep; do
    grep -qF "\"'=1+2\"" "$folder/formula-$command.csv" ||
        fail "$command --csv: a formula: $(sed -n 2p "$folder/formula-$command.csv")"
    ! grep -qE "(^|,)\"?[=+@]" "$folder/formula-$command.csv" ||
        fail "$command --csv: a formula"
done
