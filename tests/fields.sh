#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The numbers of strategies/run/fields.def stand in the outputs that the table
# names, with one value in all of them, and in the JSON Schema. A number is one
# line: one is added to a copy of the table, all that includes the table is
# compiled with the copy, and the number stands in all outputs.
set -eu
build=$(cd "$(dirname "$1")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
sanitized=
case $(ldd "$1") in
*asan*) sanitized=yes ;; # Python is not built with the sanitizers
esac
export PYTHONPATH=cli/python PYTHONDONTWRITEBYTECODE=1

table() { # a folder with strategies/run/fields.def: "@ key unit outputs"
    printf '%s\n' '#define FIELD(key, unit, outputs, text, value) @ key unit outputs' \
        '#include <strategies/run/fields.def>' | ${CC:-cc} -E -P "-I$1" -
}

# --- the schema ---------------------------------------------------------------

table . >"$dir/table"
python3 - "$dir/table" docs/outputs.schema.json <<'CHECK'
import json
import sys

wanted = {}
for row in open(sys.argv[1]).read().split("@")[1:]:
    key, unit, outputs = row.split(maxsplit=2)
    if key == "workload":
        continue  # the runs of sweeps have a text of that name
    if "IN_JSON" in outputs or "IN_SWEEP" in outputs:
        wanted[key] = ({"$ref": "#/$defs/count"} if unit == '"count"' else
                       {"type": ["number", "null"]})
found = json.load(open(sys.argv[2]))["$defs"]["fields"]["properties"]
lines = ",\n".join(f'        "{key}": {json.dumps(kind)}' for key, kind in wanted.items())
if list(found.items()) != list(wanted.items()):
    sys.exit(f"{sys.argv[2]}: fields: expected\n{lines}")
CHECK

# --- the outputs --------------------------------------------------------------

cat >"$dir/check.py" <<'CHECK'
"""check.py PROGRAM TABLE FOLDER [KEY]: with a key, it alone is checked, and is
known of every run but those of graphs."""
import csv
import json
import os
import sqlite3
import subprocess
import sys

program, table, folder = sys.argv[1:4]
fields = {}
for row in open(table).read().split("@")[1:]:
    name, unit, outputs = row.split(maxsplit=2)
    fields[name] = outputs.replace("IN_ALL", "IN_RUN_CSV | IN_DATABASE | IN_SWEEP | IN_JSON")
assert len(fields) > 30
del fields["workload"]  # the place has a text of that name
if sys.argv[4:]:
    fields = {name: fields[name] for name in sys.argv[4:]}


def said(*words):
    done = subprocess.run([program, *words], text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def equal(key, a, b):
    a, b = (None if x in ("", None) else float(x) for x in (a, b))
    assert (a is None) == (b is None), (key, a, b)
    assert a is None or abs(a - b) <= 1e-8 * abs(a), (key, a, b)


def check_run(name, words):
    """The numbers of `run` in CSV, JSON and Python."""
    run = [x for key, value in words.items() for x in ("--" + key, str(value))]
    rows = list(csv.DictReader(said("run", *run, "--csv").splitlines()))
    ways = json.loads(said("run", *run, "--json"))["strategies"]
    python = {}
    if "SLUICE_LIBRARY" in os.environ and "algorithm" not in words:
        import sluice
        options = {k: v for k, v in words.items() if k != "workload"}
        python = {row["strategy"]: row for row in sluice.run(words["workload"], **options)}
        assert len(python) == len(rows)
    for row, way in zip(rows, ways):
        assert row["strategy"] == way["strategy"]
        for key, outputs in fields.items():
            assert (key in row) == ("IN_RUN_CSV" in outputs or key == "times_best"), key
            if "IN_JSON" in outputs and key in row:
                # A plan in steps has fewer keys, and "steps" of another meaning.
                if "algorithm" in words and (key == "steps" or way.get(key) is None):
                    continue
                equal(key, row[key], way.get(key))
            if "IN_RUN_CSV" in outputs and python:
                equal(key, row[key], python[row["strategy"]][key])
    return {row["strategy"]: row for row in rows}


def check_sweep(name, words, ran):
    """The numbers of a sweep's one point in its database, CSV, JSON and page."""
    space, path, page = (os.path.join(folder, name + end) for end in (".json", ".db", ".html"))
    with open(space, "w") as file:
        json.dump({"base": {k: v for k, v in words.items() if k not in ("nodes", "gpus")},
                   "axes": {k: [v] for k, v in words.items() if k in ("nodes", "gpus")}}, file)
    if os.path.exists(path):
        os.remove(path)
    said("sweep", space, "-o", path)
    rows = list(csv.DictReader(said("sweep", "show", path, "--csv").splitlines()))
    runs = json.loads(said("sweep", "show", path, "--json"))["runs"]
    database = sqlite3.connect(path)
    database.row_factory = sqlite3.Row
    stored = [dict(x) for x in database.execute("SELECT * FROM runs ORDER BY rank")]
    database.close()
    said("report", path, "-o", page)
    page = open(page).read()
    assert len(rows) == len(runs) == len(stored) >= len(ran) > 1
    for row, run, kept in zip(rows, runs, stored):
        for key, outputs in fields.items():
            in_database = "IN_DATABASE" in outputs
            assert (key in kept) == in_database and (not in_database or key in row), key
            if in_database:
                equal(key, row[key], kept[key])
                equal(key, row[key], run.get(key))
            if in_database and "IN_RUN_CSV" in outputs and row["strategy"] in ran:
                equal(key, row[key], ran[row["strategy"]][key])
            if "IN_SWEEP" in outputs and key in run:
                assert f'"name":"{key}"' in page, key
    return runs


for name, words in {
    "halo": {"platform": "lassen", "nodes": 2, "workload": "stencil:9pt:100x100"},
    "steps": {"platform": "lassen", "nodes": 64, "workload": "allreduce:bytes=64K",
              "algorithm": "ring,recursive_doubling"},
    "collective": {"platform": "lassen", "nodes": 2, "workload": "allreduce:bytes=64K"},
    "graph": {"platform": "daisy", "gpus": 2, "workload": "bfs:rmat:scale=8"},
}.items():
    runs = check_sweep(name, words, check_run(name, words))
    known = {key for run in runs for key in run}
    for key in sys.argv[4:] if name != "graph" else ["time_s"]:
        assert key in known or key not in fields, (name, key)
    if name != "graph":
        assert {"off_node_bytes", "copied_bytes"} <= known or sys.argv[4:], name
CHECK
[ -n "$sanitized" ] || [ ! -f "$build/libsluice.so" ] ||
    export SLUICE_LIBRARY=$build/libsluice.so
python3 "$dir/check.py" "$1" "$dir/table" "$dir"

# --- a number is one line -----------------------------------------------------

[ -f "$build/build.ninja" ] && command -v ninja >/dev/null || exit 0
mkdir -p "$dir/copy/strategies/run" "$dir/objects"
line='FIELD(largest_bytes, "B", IN_ALL, TEXT(" ", "largest", 10, 0, 1), PLAN(o->report.largest_B))'
sed "/^#undef IN_ROWS/i $line" strategies/run/fields.def >"$dir/copy/strategies/run/fields.def"
[ "$(diff strategies/run/fields.def "$dir/copy/strategies/run/fields.def" | grep -c '^[<>]')" = 1 ]

# All objects of the program and the library that include the table.
ninja -C "$build" -t deps |
    awk '/^[^ ]/ { o = $1 } /strategies\/run\/fields[.]def$/ { print o }' |
    sed -n 's/:$//; /^CMakeFiles\/\(libsluice\|sluice\|sluice_[a-z]*\)[.]dir\//p' >"$dir/list"
[ "$(wc -l <"$dir/list")" -gt 10 ] || { echo "few objects include the table"; exit 1; }
while read -r object; do
    mkdir -p "$dir/objects/$(dirname "$object")"
    command=$(ninja -C "$build" -t commands "$object" | tail -1 |
        sed -E "s#-I$PWD( |\$)#-I$dir/copy -I$PWD #; s# -o [^ ]+# -o $dir/objects/$object#; s# -M[A-Z]+( [^ -][^ ]*)?##g; s#^ccache ##")
    case $command in
    *" -o $dir/objects/$object "*) ;;
    *) echo "no command compiles $object: $command"; exit 1 ;;
    esac
    (cd "$build" && eval "$command")
done <"$dir/list"
link() { # target, its folder of objects, the other objects
    command=$(ninja -C "$build" -t commands "$1" | tail -1 |
        sed -E "s# -o $1 # -o $dir/$1 $3 #; s#( )(CMakeFiles/$2[.]dir/[^ ]+)#\1\2@#g")
    for object in $(grep "^CMakeFiles/$2[.]dir/" "$dir/list"); do
        command=${command/ $object@ / $dir/objects/$object }
    done
    (cd "$build" && eval "${command//.o@/.o}")
}
others=$(sed "/^CMakeFiles\/\(libsluice\|sluice\)[.]dir/d; s#^#$dir/objects/#" "$dir/list" | tr '\n' ' ')
link sluice sluice "$others"
if [ -n "${SLUICE_LIBRARY-}" ]; then
    name=$(basename "$(readlink -f "$SLUICE_LIBRARY")")
    link "$name" libsluice "$(sed -n "/sluice_strategies/s#^#$dir/objects/#p" "$dir/list" | tr '\n' ' ')"
    export SLUICE_LIBRARY=$dir/$name
fi
table "$dir/copy" >"$dir/table"
python3 "$dir/check.py" "$dir/sluice" "$dir/table" "$dir" largest_bytes
"$dir/sluice" run --workload stencil:9pt:100x100 --nodes 2 | grep -q ' largest'
# It is another database: the program without the number refuses it.
"$1" sweep show "$dir/halo.db" >"$dir/out" 2>&1 && { echo "not refused"; exit 1; }
grep -q 'halo.db: a database of another version: its runs have the columns .*largest_bytes' "$dir/out"
