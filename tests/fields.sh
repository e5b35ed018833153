#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The numbers of study/run/fields.def stand in the outputs that the table
# names, and the columns of lists.def in all, with one value in all of them, and
# in the JSON Schema. A number is one line, and so is a column: one is added to a
# copy of each table, all that includes the tables is compiled with the copies,
# and they stand in all outputs. The version of databases rises with other
# changes of their tables (tests/golden/store.N.sql).
set -eu
build=$(cd "$(dirname "$1")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
sanitized=
case $(ldd "$1") in
*asan*) sanitized=yes ;; # Python is not built with the sanitizers
esac
export PYTHONPATH=cli/python PYTHONDONTWRITEBYTECODE=1

table() { # a folder with study/run/fields.def: "@ key unit outputs"
    printf '%s\n' '#define FIELD(key, unit, outputs, text, value) @ key unit outputs' \
        '#include <study/run/fields.def>' | ${CC:-cc} -E -P "-I$1" -
}

lists() { # the same for lists.def: "@ list label number" and "@ list : key unit"
    printf '%s\n' '#define LIST(list, type, label, kind, entries, entry, has, words) @ list label kind' \
        '#define COLUMN(list, key, unit, text, value) @ list : key unit' \
        '#define SHOWN(list, name, text, value)' \
        '#include <study/run/lists.def>' | ${CC:-cc} -E -P "-I$1" -
}

# --- the schema ---------------------------------------------------------------

table . >"$dir/table"
lists . >"$dir/lists"
python3 - "$dir/table" docs/outputs.schema.json "$dir/lists" <<'CHECK'
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

wanted = {}
for row in open(sys.argv[3]).read().split("@")[1:]:
    name, *rest = row.split()
    if rest[0] != ":":
        wanted[name] = {"type": "object", "required": [], "properties": {}}
        continue
    wanted[name]["required"].append(rest[1])
    wanted[name]["properties"][rest[1]] = (
        {"$ref": "#/$defs/count"} if rest[2] == '"count"' else {"type": "number"})
found = json.load(open(sys.argv[2]))["$defs"]["lists"]["properties"]
if found != wanted:
    lines = ",\n".join(f'        "{name}": {json.dumps(kind)}' for name, kind in wanted.items())
    sys.exit(f"{sys.argv[2]}: lists: expected\n{lines}")
CHECK

# --- the outputs --------------------------------------------------------------

cat >"$dir/check.py" <<'CHECK'
"""check.py PROGRAM TABLE FOLDER LISTS [KEY]: with a key, it alone is checked of
the fields, and is known of every run but those of graphs."""
import csv
import json
import os
import sqlite3
import subprocess
import sys

program, table, folder, lists = sys.argv[1:5]
labels, columns = {}, {}
for row in open(lists).read().split("@")[1:]:
    name, *rest = row.split()
    if rest[0] != ":":
        labels[name], columns[name] = rest[0].strip('"'), []
    else:
        columns[name].append(rest[1])
assert len(columns) >= 9 and all(columns.values())
fields = {}
for row in open(table).read().split("@")[1:]:
    name, unit, outputs = row.split(maxsplit=2)
    fields[name] = outputs.replace("IN_ALL", "IN_RUN_CSV | IN_DATABASE | IN_SWEEP | IN_JSON")
assert len(fields) > 30
del fields["workload"]  # the place has a text of that name
if sys.argv[5:]:
    fields = {name: fields[name] for name in sys.argv[5:]}


def said(*words):
    done = subprocess.run([program, *words], text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def equal(key, a, b):
    a, b = (None if x in ("", None) else float(x) for x in (a, b))
    assert (a is None) == (b is None), (key, a, b)
    assert a is None or abs(a - b) <= 1e-8 * abs(a), (key, a, b)


def json_entries(name, way):
    """The list of a strategy in JSON, or None if JSON has none of that name."""
    if name == "durations":
        of = way.get("durations_s")
        return None if of is None else [{"duration_s": x} for x in of.values()]
    place = {"queues": way.get("matching", {}).get("queues"),
             "hosts": way.get("runtime", {}).get("ranks") if isinstance(way.get("runtime"), dict) else None}
    of = place.get(name, way.get(name))
    return list(of.values()) if isinstance(of, dict) else of


def check_lists(words, run, ways):
    """The lists of `run` in CSV, tables, JSON and Python; returns them."""
    found, python = {}, {}
    details = json.loads(said("run", *run, "--json", "--details"))["strategies"]
    if "SLUICE_LIBRARY" in os.environ and not words.keys() & {"algorithm", "runtime"}:
        import sluice
        rest = {k: v for k, v in words.items() if k not in ("workload", "platform")}
        workload = sluice.Workload(sluice.Machine(words["platform"]), words["workload"], **rest)
        for way in ways:
            name = way["strategy"]
            python[name] = workload.simulate(name, lists=columns)
    for name, keys in columns.items():
        rows = list(csv.DictReader(said("run", *run, "--list", name, "--csv").splitlines()))
        text = said("run", *run, "--list", name)
        assert all(key in text for key in keys), (name, text)
        for way in details:
            mine = [row for row in rows if row["strategy"] == way["strategy"]]
            shown = json_entries(name, way)
            assert shown is None or len(shown) == len(mine), (name, len(mine), shown)
            for key in keys:
                for row, entry in zip(mine, shown or []):
                    equal((name, key), row[key], entry.get(key))
                if python and name != "queues":
                    entries = python[way["strategy"]][name]
                    assert len(entries) == len(mine), name
                    for row, entry in zip(mine, entries):
                        equal((name, key), row[key], entry[key])
                        assert row[labels[name]] == str(entry[labels[name]]), name
            found[name, way["strategy"]] = mine
    return found


def check_stored_lists(database, runs, found):
    """The lists of the runs of a sweep with one point."""
    known = set()
    for name, keys in columns.items():
        for run in runs:
            stored = [dict(x) for x in database.execute(
                f"SELECT * FROM {name} WHERE run = ? ORDER BY entry", [run["rank"]])]
            mine = found.get((name, run["way"]))
            if mine is None:
                continue
            assert len(stored) == len(mine), (name, len(stored), len(mine))
            for row, entry in zip(mine, stored):
                assert row[labels[name]] == str(entry[labels[name]]), (row, entry)
                for key in keys:
                    equal((name, key), row[key], entry[key])
                known.add(name)
    return known


def check_run(name, words):
    """The numbers of `run` in CSV, JSON and Python."""
    run = [x for key, value in words.items() for x in ("--" + key, str(value))]
    rows = list(csv.DictReader(said("run", *run, "--csv").splitlines()))
    ways = json.loads(said("run", *run, "--json"))["strategies"]
    python = {}
    if name == "rounds":  # whose CSV has columns of its own
        return {}, check_lists(words, run, ways)
    if "SLUICE_LIBRARY" in os.environ and not words.keys() & {"algorithm", "runtime"}:
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
    return {row["strategy"]: row for row in rows}, check_lists(words, run, ways)


def check_sweep(name, words, ran, found):
    """The numbers of a sweep's one point in its database, CSV, JSON and page."""
    space, path, page = (os.path.join(folder, name + end) for end in (".json", ".db", ".html"))
    with open(space, "w") as file:
        json.dump({"base": {k: v for k, v in words.items() if k not in ("nodes", "gpus")},
                   "axes": {k: [v] for k, v in words.items() if k in ("nodes", "gpus")}}, file)
    if os.path.exists(path):
        os.remove(path)
    said("sweep", space, "-o", path, "--lists", ",".join(columns))
    rows = list(csv.DictReader(said("sweep", "show", path, "--csv").splitlines()))
    runs = json.loads(said("sweep", "show", path, "--json"))["runs"]
    database = sqlite3.connect(path)
    database.row_factory = sqlite3.Row
    stored = [dict(x) for x in database.execute("SELECT * FROM runs ORDER BY rank")]
    known = check_stored_lists(database, stored, found)
    database.close()
    said("report", path, "-o", page)
    page = open(page).read()
    assert len(rows) == len(runs) == len(stored) >= max(len(ran), 2)
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
    return runs, known


every = set()
for name, words in {
    "halo": {"platform": "lassen", "nodes": 2, "workload": "stencil:9pt:100x100"},
    "steps": {"platform": "lassen", "nodes": 64, "workload": "allreduce:bytes=64K",
              "algorithm": "ring,recursive_doubling"},
    "collective": {"platform": "lassen", "nodes": 2, "workload": "allreduce:bytes=64K"},
    "hosts": {"platform": "dane", "nodes": 2, "workload": "exchange:docs/rounds.csv", "runtime": "lci,mpi-probe"},
    "rounds": {"platform": "dane", "nodes": 4, "workload": "bfs:rmat:scale=8", "runtime": "lci,mpi"},
    "graph": {"platform": "daisy", "gpus": 2, "workload": "bfs:rmat:scale=8"},
}.items():
    runs, stored_lists = check_sweep(name, words, *check_run(name, words))
    every |= stored_lists
    known = {key for run in runs for key in run}
    for key in sys.argv[5:] if name not in ("graph", "rounds") else ["time_s"]:
        assert key in known or key not in fields, (name, key)
    if name not in ("graph", "rounds"):
        assert {"off_node_bytes", "copied_bytes"} <= known or sys.argv[5:], name
assert every == set(columns), every
CHECK
[ -n "$sanitized" ] || [ ! -f "$build/libsluice.so" ] ||
    export SLUICE_LIBRARY=$build/libsluice.so
python3 "$dir/check.py" "$1" "$dir/table" "$dir" "$dir/lists"

# --- the version of databases ----------------------------------------------------

# The tables without the lines of fields.def and lists.def, which the program
# compares itself: other changes need another version.
python3 - "$dir/halo.db" "$dir/table" "$dir/lists" <<'CHECK'
import os
import sqlite3
import sys

database = sqlite3.connect(sys.argv[1])
fields = {row.split()[0] for row in open(sys.argv[2]).read().split("@")[1:]
          if "IN_DATABASE" in row or "IN_ALL" in row}
lists = [row.split() for row in open(sys.argv[3]).read().split("@")[1:]]
columns = {(row[0], row[2]) for row in lists if row[1] == ":"}
version = database.execute("PRAGMA user_version").fetchone()[0]
text = ""
for name, sql in database.execute("SELECT name, sql FROM sqlite_master WHERE sql NOT NULL ORDER BY name"):
    head, rest = sql.split("(", 1)
    kept = [part for part in rest.split(", ")
            if not (name == "runs" and part.split()[0] in fields)
            and not ((name, part.split()[0]) in columns)
            and not part.startswith('"axis_')]
    text += head + "(" + ", ".join(kept) + ";\n"
golden = f"tests/golden/store.{version}.sql"
stored = open(golden).read() if os.path.exists(golden) else "nothing"
if text != stored:
    sys.exit(f"the tables of databases are not those of {golden}: a change needs another STORE_SCHEMA "
             f"(study/explore/store.h), and this as a new file of that version\n{text}expected\n{stored}")
CHECK

# --- a number is one line -----------------------------------------------------

[ -f "$build/build.ninja" ] && command -v ninja >/dev/null || exit 0
mkdir -p "$dir/copy/study/run" "$dir/objects"
line='FIELD(largest_bytes, "B", IN_ALL, TEXT(" ", "largest", 10, 0, 1), PLAN(o->report.largest_B))'
sed "/^#undef IN_ROWS/i $line" study/run/fields.def >"$dir/copy/study/run/fields.def"
column='COLUMN(links, doubled_bytes, "B", TEXT(" ", "kB in two", 10, 1, 1e-3), 2 * e->bytes)'
sed "/^LIST(phases/i $column" study/run/lists.def >"$dir/copy/study/run/lists.def"
[ "$(diff study/run/fields.def "$dir/copy/study/run/fields.def" | grep -c '^[<>]')" = 1 ]

# All objects of the program and the library that include the table.
ninja -C "$build" -t deps |
    awk '/^[^ ]/ { o = $1 } /study\/run\/(fields|lists)[.]def$/ { print o }' | sort -u |
    sed -n 's/:$//; /^CMakeFiles\/\(libsluice\|sluice\|sluice_[a-z_]*\)[.]dir\//p' >"$dir/list"
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
    link "$name" libsluice "$(sed -n "/sluice_study_run/s#^#$dir/objects/#p" "$dir/list" | tr '\n' ' ')"
    export SLUICE_LIBRARY=$dir/$name
fi
table "$dir/copy" >"$dir/table"
lists "$dir/copy" >"$dir/lists"
grep -q doubled_bytes "$dir/lists"
python3 "$dir/check.py" "$dir/sluice" "$dir/table" "$dir" "$dir/lists" largest_bytes
"$dir/sluice" run --workload stencil:9pt:100x100 --nodes 2 >"$dir/out"
grep -q ' largest' "$dir/out"
grep -q ' kB in two' "$dir/out"
# It is another database: the program without the number refuses it.
"$1" sweep show "$dir/halo.db" >"$dir/out" 2>&1 && { echo "not refused"; exit 1; }
grep -q 'halo.db: a database of another version: its runs have the columns .*largest_bytes' "$dir/out"
