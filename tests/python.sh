#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The Python module gives what `sluice run --csv` prints, refuses what that
# refuses, leaks no memory, and docs/example.py runs, installed in another folder.
# Frames are tried where a Python has pandas.
set -eu
sluice=$1
build=$(dirname "$sluice")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
case $(ldd "$sluice") in
*asan*)
    echo "python is not built with the sanitizers of the library"
    exit 77
    ;;
esac
export SLUICE_LIBRARY=$build/libsluice.so PYTHONPATH=cli/python PYTHONDONTWRITEBYTECODE=1
"$sluice" run --workload stencil:9pt:100x100 --nodes 2 --partition boxes \
    --set network.bandwidth_GBps=5 --csv >"$folder/run.csv"
echo '{"base": {"platform": "duo", "workload": "stencil:5pt:8x8", "nodes": 2}, "axes":
    {"value_bytes": [8, 16]}}' >"$folder/space.json"
python3 - "$folder" <<'CHECK'
import csv
import os
import resource
import sys

import sluice

folder = sys.argv[1]
options = dict(nodes=2, partition="boxes")
rows = sluice.run("stencil:9pt:100x100", sets={"network.bandwidth_GBps": 5}, **options)
with open(os.path.join(folder, "run.csv")) as file:
    shown = list(csv.DictReader(file))
assert len(sluice._FIELDS) > 20 and shown[0]["off_node_messages"]
assert len(rows) == len(shown) > 5, (len(rows), len(shown))
by_name = {row["strategy"]: row for row in rows}
for one in shown:
    row = by_name[one["strategy"]]
    for key in (*(key for key, _ in sluice._FIELDS), "times_best"):
        if one[key] == "":
            assert row[key] is None, (key, row[key])
        else:
            assert abs(row[key] / float(one[key]) - 1 if float(one[key]) else row[key]) < 1e-8, key
    for key in ("platform", "workload", "sluice"):
        assert row[key] == one[key], key
    for key in ("nodes", "gpus"):
        assert row[key] == int(one[key]), key

assert by_name["standard/staged"]["seed"] is None
drawn = "random:rows=4000,row_nnz=4"
for words, seed in (drawn, 1), (drawn + ",seed=7", 7):
    row, = sluice.run(words, strategies=["standard/staged"], nodes=2)
    assert row["seed"] == seed, row

machine = sluice.Machine("lassen")
assert (machine.gpus_per_node, machine.name) == (4, "lassen")
workload = sluice.Workload(machine, "stencil:9pt:100x100", **options)
result = workload.simulate("standard/staged", links=True, times=True)
assert max(result["end_s"]) == result["time_s"] and min(result["start_s"]) >= 0
used = [link["bytes"] / link["bandwidth_Bps"] for link in result["links"]]
assert used == sorted(used, reverse=True) and 0 < used[0] <= result["time_s"]


def refused(words, make):
    try:
        make()
    except sluice.Error as error:
        assert words in str(error) and error.code == 2, error
    else:
        sys.exit(f"not refused: {words}")


refused("did you mean lassen", lambda: sluice.Machine("lasen"))
refused("bandwidth", lambda: sluice.Machine("lassen", ["network.bandwidth_GBps=-1"]))
refused("expected", lambda: sluice.run("stencil:9pt:ax7"))
refused("nowhere", lambda: sluice.run("spmv:nowhere.mtx", nodes=2))
refused("strategy", lambda: workload.simulate("sandard/staged"))
refused("none.db", lambda: sluice.runs("none.db"))

# What C would cut off, or take for the default, and what is not there.
small = "stencil:9pt:100x100"
for option in "gpus", "nodes", "value_bytes", "message_cap_bytes", "ranks_per_node":
    for number in 0, -1, 2**32 + 2 if "bytes" not in option else 2**64 + 2, 2**64, 2**80:
        refused(f"{option}: expected 1 to", lambda: sluice.run(small, **{option: number}))
    if "cap" not in option:
        refused("", lambda: sluice.run(small, **{option: 2**32 - 1}))
refused("strategy: expected one, got NULL", lambda: workload.simulate(None))
refused("strategy: a 0 byte", lambda: workload.simulate("standard/staged\0x"))
refused("platform: expected one, got NULL", lambda: sluice.Machine(None))
refused("workload: expected one, got NULL", lambda: sluice.Workload(machine, None))
refused("workload: a 0 byte", lambda: sluice.Workload(machine, small + "\0x", nodes=2))
refused("engine: a 0 byte", lambda: sluice.run(small, nodes=2, engine="fluid\0x"))
for make in (
    lambda: sluice.Workload(None, small),
    lambda: sluice.Workload(machine._pointer, small),
    lambda: sluice.Machine("lassen", [None]),
    lambda: sluice.run(small, nodes=2.5),
    lambda: sluice.run(small, nodes="2"),
    lambda: workload.simulate(7),
):
    try:
        make()
        sys.exit("a wrong type was taken")
    except TypeError:
        pass
try:
    sluice.run("stencil:9pt:10x10", node=2)
    sys.exit("an unknown option was taken")
except TypeError as error:
    assert "node: no option" in str(error)

before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for _ in range(300):
    sluice.Workload(machine, "stencil:9pt:100x100", **options).simulate("standard/staged", True, True)
assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 4096, "memory grows"
CHECK

"$sluice" sweep "$folder/space.json" -o "$folder/runs.db" >/dev/null 2>"$folder/err" ||
    { cat "$folder/err"; exit 1; }
python3 -c '
import sys, sluice
rows = sluice.runs(sys.argv[1])
assert {row["axis_value_bytes"] for row in rows} == {"8", "16"} or \
    {row["axis_value_bytes"] for row in rows} == {8, 16}, rows[0]
assert all(row["time_s"] > 0 for row in rows if not row["error"])' "$folder/runs.db"
# A name is a name, and no part of it an option.
cp "$folder/runs.db" "$folder/q#other?mode=rw.db"
python3 -c '
import sys, sluice
assert sluice.runs(sys.argv[1])
try:
    sluice.runs(sys.argv[2])
except sluice.Error as error:
    assert sys.argv[2] in str(error), error
else:
    raise SystemExit("read a folder")' "$folder/q#other?mode=rw.db" "$folder"

# A library that is older than the module.
echo 'const char *sluice_version(void) { return "0.0.1"; }' >"$folder/old.c"
${CC:-cc} -shared -fPIC -o "$folder/libold.so" "$folder/old.c"
if SLUICE_LIBRARY=$folder/libold.so python3 -c 'import sluice' 2>"$folder/old"; then
    echo "an older library was accepted"
    exit 1
fi
grep -q '^ImportError: .*libold.so is older than this module: it lacks ' "$folder/old"

timeout 60 python3 - <<'CHECK'
import sluice

# Two copies of the data, or one message: each operation of the plan has its times.
workload = sluice.Workload(sluice.Machine("lassen"), "allreduce:bytes=1M,memory=device", nodes=2)
operations = workload.operations("ring")
row = workload.simulate("ring", times=True)
assert len(operations) == len(row["end_s"]) > 8, len(operations)
assert {op.kind for op in operations} == {"message", "reduce"}, operations
assert all(op.from_gpu is not None for op in operations), operations
assert max(row["end_s"]) == row["time_s"]

# A graph algorithm, as the command runs it.
daisy = sluice.Machine("daisy", ["execution.update_bytes=1024"])
words = {"gpus": 2, "source": 3, "strategies": "bsp", "partition": "random"}
plain = sluice.Workload(sluice.Machine("daisy"), "bfs:rmat:scale=8", **words)
slow = sluice.Workload(daisy, "bfs:rmat:scale=8", **words)
assert plain.strategies == slow.strategies == ["bsp"]
assert slow.simulate("bsp")["time_s"] > plain.simulate("bsp")["time_s"] > 0
assert 0 < sluice.Machine("summit").puts(8)[0] < sluice.Machine("summit").puts(1 << 20)[0]

# 1024 messages by two passes of a CTA, and by two CTAs at once.
device = sluice.Machine("duo", ["matching=partitioned@gtx1080", "matching.queues=32"])
one, two = device.match(2048), device.match(4096)
assert 0 < one[0] < two[0] and one[1] < two[1], (one, two)
assert device.match(2048, compact=True)[0] > one[0]
for bad in ({"matched": 0}, {"matched": 3000}, {"order": "sideways"}):
    try:
        device.match(2048, **bad)
        raise SystemExit(f"accepted {bad}")
    except sluice.Error as error:
        assert error.code == 2, error
CHECK

timeout 60 python3 - "$folder/runs.db" <<'CHECK'
import shutil
import sqlite3
import sys

import sluice

for words, script in (
    ("it has a view, runs", "ALTER TABLE runs RENAME TO old; CREATE VIEW runs AS WITH RECURSIVE"
     " n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT old.* FROM old, n"),
    ("rows of runs, ", "DELETE FROM runs WHERE point = 1 AND rank = 0"),
    ("rows of points, ", "DELETE FROM points WHERE point = 1"),
    ("it has a trigger, t", "CREATE TRIGGER t AFTER INSERT ON runs BEGIN SELECT 1; END"),
    ("None were written", "DELETE FROM sweep WHERE key = 'points'"),
    ("not a database of this version", "PRAGMA user_version = 2"),
    ("no such table", "DROP TABLE sweep"),
):
    path = sys.argv[1] + ".crafted"
    shutil.copy(sys.argv[1], path)
    database = sqlite3.connect(path)
    database.executescript(script)
    database.close()
    try:
        sluice.runs(path)
        sys.exit(f"not refused: {words}")
    except sluice.Error as error:
        assert words in str(error), error
CHECK

for python in python3 /usr/bin/python3; do
    "$python" -c 'import pandas' 2>/dev/null || continue
    "$python" - "$folder/runs.db" <<'CHECK'
import sys

import sluice

rows = sluice.run("stencil:9pt:100x100", nodes=2)
frame = sluice.frame(rows)
assert list(frame["strategy"]) == [row["strategy"] for row in rows]
assert list(frame.columns) == list(rows[0]) and len(frame) == len(rows) > 5
assert frame["time_s"].dtype == "float64" and frame["gpus"].dtype == "int64"
best = frame.sort_values("time_s").iloc[0]
assert best["times_best"] == 1 and best["time_s"] == min(row["time_s"] for row in rows)
runs = sluice.frame(sluice.runs(sys.argv[1]))
assert runs.groupby("axis_value_bytes")["time_s"].min().gt(0).all() and len(runs) > 2
CHECK
    framed=yes
    break
done
echo "pandas: ${framed-none here}"

unset SLUICE_LIBRARY PYTHONPATH
cmake --install "$build" --prefix "$folder/usr" >"$folder/log"
module=$(dirname "$(find "$folder/usr" -name sluice.py)")
cp docs/example.py "$folder"
cd "$folder"
LD_LIBRARY_PATH=$(dirname "$(find "$folder/usr" -name libsluice.so)") \
    PYTHONPATH=$module timeout 60 python3 example.py >out
grep -q '50 GB/s  [a-z0-9]' out
grep -q '1.00 x best' out
