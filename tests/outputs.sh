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
held calibrate tests/data/lassen_excerpt_memcpy.csv --base lassen -o "$folder/fitted"
held calibrate results/h200/graph/costs-1.csv --base dgx-h100 -o "$folder/fitted"
held calibrate results/h200/gpu/match.csv --base lassen -o "$folder/fitted"
held calibrate results/testbed/runtime/runtime.csv --base testbed-4x4 -o "$folder/fitted"
held study -o "$folder/cells" --scale 1/256 --application bfs --machine daisy \
    --framework Gunrock --graph hollywood-2009
held bench start
for words in "exchange --max-events 1" "engines --max-events 1" \
    "growth --max-events 1" "exchange --against /bin/false"; do # all cases fail
    documents=$((documents + 1))
    # shellcheck disable=SC2086
    if "$sluice" bench $words --json >"$folder/$documents.json" 2>"$folder/err"; then
        echo "sluice bench $words: did not fail"
        exit 1
    fi
done
held advise --workload stencil:5pt:40x40 --nodes 2 --draws 5 --strategy standard/staged,split+md
held advise --workload allreduce:bytes=1k..4k --nodes 2 --draws 3 --algorithm ring,rabenseifner
held advise --workload cc:rmat:scale=8 --nodes 2 --runtime lci,mpi-probe --platform stampede2 --draws 3
held advise --workload stencil:5pt:40x40 --nodes 2 --reach 60us --vary nic --vary nodes
held sweep docs/space.json --pareto
held sweep docs/space.json
held validate --native results/testbed/native-2x8.csv
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
awk -F, -v version="$version" 'FNR > 1 && $NF != version || FNR > 1 && $(NF - 1) != "contiguous" { exit 1 }' \
    "$folder/run.csv" "$folder/model.csv"
for column in platform workload nodes gpus partition strategy sluice; do
    head -1 "$folder/run.csv" | tr , '\n' | grep -qx $column
    head -1 "$folder/model.csv" | tr , '\n' | grep -qx $column
done
