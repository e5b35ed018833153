#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# sluice sweep: spaces into databases, resumed, killed, sharded, refused.
. tests/expect.bash

refuse() { # code pattern arguments...
    local code=$1 pattern=$2
    shift 2
    refuses "$code" "$pattern" sweep "$@"
}

space() { # text of SPACE.json
    printf '%s\n' "$1" >"$dir/space.json"
}

bad() { # pattern text: it is refused, and no database is made
    space "$2"
    refuse 2 "$1" "$dir/space.json" -o "$dir/bad.db"
    expect "$1: no database" [ ! -e "$dir/bad.db" ]
}

sweep() { # arguments...: its standard output
    "$sluice" sweep "$@" 2>"$dir/stderr" || {
        echo "sweep $*: $(cat "$dir/stderr")" >&2
        failed=1
    }
}

# All but what the machine took, in order of the points.
rows() { # database
    sweep show "$1" --csv |
        sed -E 's/,[^,"]*,("([^"]|"")*"|[^,"]*)((,[^,"]*){4})$/,\1\3/'
}

base='"base": {"platform": "duo", "workload": "stencil:5pt:8x8", "nodes": 2}'

# --- what is refused
bad 'space.json: axes: nodez: unknown key (did you mean nodes?)' \
    '{"axes": {"nodez": [1]}}'
bad "space.json: base: workloat: unknown key" '{"base": {"workloat": "x"}, "axes": {}}'
bad 'axes: nodes: empty' '{"axes": {"nodes": []}}'
bad 'axes: nodes: empty: from 4 is above to 2' '{"axes": {"nodes": {"from": 4, "to": 2}}}'
bad 'axes: network.bandwidth_GBps: infinite: say "steps"' \
    '{"axes": {"network.bandwidth_GBps": {"from": 1, "to": 2}}}'
bad 'axes: 1001000 points are too many, at most 1000000' \
    '{"axes": {"a.b": {"from": 1, "to": 2, "steps": 1001}, "a.c": {"from": 1, "to": 2, "steps": 1000}}}'
bad 'constraints: empty: they leave none of 2 points' \
    '{"axes": {"nodes": [1, 2]}, "constraints": [["nodes", ">", 2]]}'
bad 'constraints[0]: node: neither an axis' \
    '{"axes": {"nodes": [1, 2]}, "constraints": [["node", ">", 2]]}'
bad 'no key "bandwith_GBps"' \
    "{$base, \"axes\": {\"network.bandwith_GBps.0\": [1, 2]}}"
bad 'did you mean bandwidth_GBps' \
    "{$base, \"axes\": {\"network.bandwith_GBps\": [1, 2]}}"
bad 'objectives[0]: cost: expected "prices"' \
    "{$base, \"axes\": {\"partition\": [\"metis\"]}, \"objectives\": [\"cost\"]}"
bad 'axes: nodes: stands in the base, too' "{$base, \"axes\": {\"nodes\": [1]}}"
bad 'axes: strategy: splt+md: unknown strategy (did you mean split+md?' \
    "{$base, \"axes\": {\"strategy\": [\"split+md\", \"standard/staged,splt+md\"]}}"
bad 'axes: partition: metos: unknown partition' \
    "{$base, \"axes\": {\"partition\": [\"contiguous\", \"metos\"]}}"
bad "axes: runtime: --runtime: expected mpi, lci, mpi-probe, mpi-rma or peer, got 'lcy'" \
    "{$base, \"axes\": {\"runtime\": {\"choose\": [\"mpi\", \"lcy\"]}}, \"sample\": {\"method\": \"random\", \"points\": 2}}"
bad 'axes: platform: lasen: unknown platform (did you mean lassen?)' \
    '{"base": {"workload": "stencil:5pt:8x8"}, "axes": {"platform": ["duo", "lasen"]}}'
bad 'axes: workload: stencl:5pt:8x8: unknown workload (did you mean stencil:?)' \
    '{"axes": {"workload": ["stencil:5pt:8x8", "stencl:5pt:8x8"]}}'
bad 'axes: algorithm: --algorithm: rng: unknown algorithm' \
    '{"axes": {"workload": ["stencil:5pt:8x8", "allreduce:bytes=8"], "algorithm": ["ring", "rng"]}}'
bad 'axes: strategy: splt+md: unknown strategy (did you mean split+md?' \
    '{"axes": {"workload": ["allreduce:bytes=8", "stencil:5pt:8x8"], "strategy": ["splt+md"]}}'
bad 'axes: workload: --strategy: not for allreduce:, whose candidates are algorithms' \
    '{"base": {"strategy": "split+md"}, "axes": {"workload": ["stencil:5pt:8x8", "allreduce:bytes=8"]}}'
hosts='"workload": ["bfs:rmat:scale=6"], "runtime": ["lci", "mpi-probe"]'
bad 'axes: partition: --partition blockd: expected cvc, cvc:ROWSxCOLUMNS or blocked' \
    "{\"base\": {\"platform\": \"stampede2\"}, \"axes\": {$hosts, \"partition\": [\"cvc\", \"blockd\"]}}"
bad "axes: runtime: --runtime: expected mpi, lci, mpi-probe, mpi-rma or peer, got 'lcy'" \
    '{"base": {"platform": "stampede2", "workload": "bfs:rmat:scale=6"}, "axes": {"runtime": ["lci", "lcy"]}}'
bad 'base: splt+md: unknown strategy' \
    '{"base": {"workload": "stencil:5pt:8x8", "strategy": "splt+md"}, "axes": {"nodes": [1]}}'
bad 'format: expected 1, got 2' '{"format": 2, "axes": {}}'
bad 'axes: nodes: 2 stands twice' '{"axes": {"nodes": [1, 2, 2]}}'

# A runtime of another axis makes them names of hosts.
space "{\"base\": {\"platform\": \"stampede2\", \"nodes\": 2}, \"axes\": {$hosts, \"partition\": [\"cvc\", \"blocked\"]}}"
expect "cuts and runtimes" grep -q '4 of 4 points, 4 runs; the best' <(sweep "$dir/space.json")
# One of several platforms that is too small has a run for each runtime.
space '{"base": {"workload": "bfs:rmat:scale=6", "nodes": 8, "runtime": "mpi-probe,lci"},
  "axes": {"platform": ["stampede2,duo", "duo,stampede2"]}}'
sweep "$dir/space.json" -o "$dir/small.db" >/dev/null
for runtime in mpi-probe lci; do
    expect "duo: $runtime" [ "$(rows "$dir/small.db" |
        grep -c ",duo,bfs:.*,$runtime,.*,$runtime,.*duo has 2 nodes; 8 hosts wanted")" = 2 ]
done

# --- a grid with every form of axis, in one thread and in two
space "{$base,
  \"axes\": {\"strategy\": [\"standard/device\", \"3-step/staged,split+md\"],
             \"network.bandwidth_GBps\": {\"from\": 1, \"to\": 100, \"steps\": 3, \"scale\": \"log\"},
             \"messages.gpu.off_node.segments.0.alpha_us\": {\"from\": 4, \"to\": 6},
             \"value_bytes\": {\"choose\": [8, 64]}},
  \"sample\": {\"method\": \"latin\", \"points\": 4, \"seed\": 7},
  \"constraints\": [{\"any\": [[\"network.bandwidth_GBps\", \"<\", 50],
                               [\"value_bytes\", \"==\", 8]]}],
  \"objectives\": [\"time\", \"cost\"],
  \"prices\": {\"dollars\": {\"node\": 1000, \"nic_GBps\": 10}}}"
sweep "$dir/space.json" -o "$dir/one.db" --jobs 1 >"$dir/best"
sweep "$dir/space.json" -o "$dir/two.db" --jobs 2 >/dev/null
rows "$dir/one.db" >"$dir/one"
rows "$dir/two.db" >"$dir/two"
expect "two threads give the same" cmp "$dir/one" "$dir/two"
# 2 strategies, 3 bandwidths, 4 samples, less 2 x 2 by the constraint; half of
# the points have two ways.
expect "30 runs: $(wc -l <"$dir/one")" [ "$(wc -l <"$dir/one")" = 31 ]
expect "the table" grep -q 'times best' "$dir/best"
expect "nothing failed" [ ! -s "$dir/stderr" ]
# Again: nothing is simulated.
sweep "$dir/space.json" -o "$dir/one.db" --progress >/dev/null
expect "resumed: $(cat "$dir/stderr")" grep -q '20 points are there, 0 to do' "$dir/stderr"

# The same as `run` says, to the last digit.
space "{$base, \"axes\": {\"network.bandwidth_GBps\": [3], \"strategy\": [\"split+md\"]}}"
column() { # name: of the first row of CSV
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i }
        NR == 2 { print $at }'
}
swept=$(sweep "$dir/space.json" --csv | column time_s)
run=$("$sluice" run --platform duo --workload stencil:5pt:8x8 --nodes 2 \
    --set network.bandwidth_GBps=3 --strategy split+md --csv | column time_s)
expect "the time of run: $swept, $run" [ -n "$run" -a "$swept" = "$run" ]

# --- runs of one work are compared, not those of several
space '{"base": {"platform": "duo", "nodes": 2, "value_bytes": 8000, "strategy": "split+md"},
  "axes": {"workload": ["stencil:5pt:8x8", "stencil:9pt:64x64"],
           "network.bandwidth_GBps": [0.1, 0.3]}}'
sweep "$dir/space.json" -o "$dir/works.db" >"$dir/best"
expect "works: $(head -1 "$dir/best")" grep -q '; the best by time, for each workload$' "$dir/best"
expect "works: of both the best: $(cat "$dir/best")" [ "$(awk '$NF == "1.000"' "$dir/best" | wc -l)" = 2 ]
sweep show "$dir/works.db" --best 1 --csv >"$dir/best"
expect "works: the best of each: $(cat "$dir/best")" [ "$(grep -c ',1,contiguous,' "$dir/best")" = 2 ]
expect "works: nothing else" [ "$(wc -l <"$dir/best")" = 3 ]
"$sluice" report "$dir/works.db" -o "$dir/works.html" >/dev/null
expect "works: in the report" \
    [ "$(grep -o '"times_best","values":\[[^]]*' "$dir/works.html" | grep -oE '[[,]1(,|$)' | wc -l)" = 2 ]

# --- failures are rows
space "{$base, \"axes\": {\"network.nodes\": [1, 2], \"partition\": [\"contiguous\", \"no/such\"]}}"
sweep "$dir/space.json" -o "$dir/failed.db" >/dev/null
expect "failures are told" grep -q 'runs have no result: why is in' "$dir/stderr"
expect "the first one: $(cat "$dir/stderr")" \
    grep -q '^sluice: .*failed.db: point [0-9]*: [a-z]' "$dir/stderr"
rows "$dir/failed.db" >"$dir/rows"
expect "failures are rows: $(cat "$dir/rows")" [ "$(grep -c 'no/such' "$dir/rows")" -ge 1 ]

# --- numbers of any size keep the table together
space '{"base": {"platform": "duo", "nodes": 2, "workload": "stencil:5pt:64x64", "strategy": "split+md"},
  "axes": {"network.bandwidth_GBps": [1e-308, 1e-12, 1]},
  "objectives": ["time", "cost"], "prices": {"dollars": {"node": 1e-9, "nic_GBps": 1e12}}}'
sweep "$dir/space.json" >"$dir/best"
expect "a narrow table: $(cat "$dir/best")" [ "$(tail -n +3 "$dir/best" | wc -L)" -lt 100 ]
expect "short numbers" grep -q ' 1.0e-308  split+md  5.12e+307  2.214e+306   2e-09       1.000$' "$dir/best"

# --- killed at any time: nothing that was reported is lost, nothing is doubled
space "{\"base\": {\"platform\": \"duo\", \"workload\": \"stencil:5pt:64x64\", \"nodes\": 2},
  \"axes\": {\"value_bytes\": {\"from\": 1, \"to\": 150, \"steps\": 150},
             \"network.bandwidth_GBps\": {\"from\": 1, \"to\": 9, \"steps\": 9}}}"
sweep "$dir/space.json" -o "$dir/whole.db" >/dev/null
rows "$dir/whole.db" >"$dir/whole"

# Points that the database has, at least as many as were reported.
has_reported() { # when
    local there said has
    there=$(sed -n 's/.*: \([0-9]*\) points are there.*/\1/p' "$dir/stderr")
    said=$(sed -n 's/.*: \([0-9]*\) of [0-9]* points.*/\1/p' "$dir/stderr" | tail -1)
    "$sluice" sweep show "$dir/killed.db" --csv >"$dir/now" 2>"$dir/why" || {
        expect "$1: $(cat "$dir/why")" [ -z "$said" ]
        return
    }
    has=$(($(cut -d, -f1 "$dir/now" | sort -u | wc -l) - 1))
    expect "$1: $has of ${there:-0} and ${said:-0} points" \
        [ "$has" -ge $((${there:-0} + ${said:-0})) ]
}

begin() { # [database]: it runs in the background as $pid
    "$sluice" sweep "$dir/space.json" -o "$dir/${1:-killed}.db" --progress --jobs 1 \
        >"$dir/stdout" 2>"$dir/stderr" &
    pid=$!
}

for after in 0 0.01 0.02 0.03; do # before anything is reported
    begin
    sleep $after
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
    has_reported "killed after $after s"
done
for round in 1 2 3; do
    begin
    while kill -0 $pid 2>/dev/null && ! grep -q 'points/s' "$dir/stderr"; do
        sleep 0.01
    done
    has_reported "meanwhile, round $round"
    # The child simulates: it would end while the first process is stopped.
    child=$(cat "/proc/$pid/task/$pid/children" 2>/dev/null)
    # shellcheck disable=SC2086 # none or one
    if kill -STOP $child $pid 2>/dev/null; then
        grep -q 'done in' "$dir/stderr" && reports=1
        # shellcheck disable=SC2086
        kill -CONT $child $pid 2>/dev/null
        sleep 0.0$((RANDOM % 10))
    fi
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
    has_reported "killed in round $round"
done
expect "it was killed after a report" [ -n "$reports" ]
sweep "$dir/space.json" -o "$dir/killed.db" --jobs 2 >/dev/null
rows "$dir/killed.db" >"$dir/killed"
expect "killed and undisturbed are the same" cmp "$dir/whole" "$dir/killed"

# --- shards: together they are the whole
space "{\"base\": {\"platform\": \"duo\", \"workload\": \"stencil:5pt:64x64\", \"nodes\": 2,
             \"strategy\": \"split+md\"},
  \"axes\": {\"value_bytes\": {\"from\": 1, \"to\": 20, \"steps\": 20},
             \"network.bandwidth_GBps\": {\"from\": 1, \"to\": 9, \"steps\": 9}}}"
rm "$dir/whole.db"
sweep "$dir/space.json" -o "$dir/whole.db" >/dev/null
rows "$dir/whole.db" >"$dir/whole"
for i in 1 2 3; do
    sweep "$dir/space.json" -o "$dir/$i.db" --shard $i/3 >/dev/null
done
expect "merged: $(sweep merge "$dir/1.db" "$dir/2.db" "$dir/3.db" -o "$dir/merged.db")" \
    [ -e "$dir/merged.db" ]
rows "$dir/merged.db" >"$dir/merged"
expect "the shards are the whole" cmp "$dir/whole" "$dir/merged"
sweep merge "$dir/1.db" "$dir/3.db" "$dir/3.db" -o "$dir/two.of.three.db" >"$dir/said"
expect "what is missing: $(cat "$dir/said")" grep -q '120 points, 60 of the space are missing' "$dir/said"
head -c 12000 "$dir/2.db" >"$dir/cut.db"
refuse 2 "cut.db: " merge "$dir/1.db" "$dir/cut.db" -o "$dir/none.db"
# One letter of a row: no page of SQLite is wrong.
LC_ALL=C sed 's/"stencil:5pt:64x64"/"stencil:5pt:64x65"/' "$dir/2.db" >"$dir/letter.db"
refuse 2 'letter.db: a damaged database: 60 rows of runs are not as they were written' \
    merge "$dir/1.db" "$dir/letter.db" -o "$dir/none.db"
refuse 2 'letter.db: a damaged database' show "$dir/letter.db"
# What others put into one: nothing of it runs, and nothing waits for its end.
crafted() { # name, SQL on a copy of 2.db
    cp "$dir/2.db" "$dir/$1.db"
    python3 -c 'import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.executescript(sys.argv[2])' "$dir/$1.db" "$2"
}
tampered() { # name, pattern: every command says so
    for command in "sweep show" "report -o $dir/none.out" \
        "figure sweep --out $dir/none.out --runs" "sweep merge -o $dir/none.out"; do
        code=0
        timeout 20 "$sluice" $command "$dir/$1.db" \
            >"$dir/said" 2>"$dir/stderr" || code=$?
        expect "$command $1.db: exit code $code" [ $code = 2 ]
        expect "$command $1.db: $(cat "$dir/stderr")" grep -qF -- "$2" "$dir/stderr"
    done
    code=0
    timeout 20 "$sluice" sweep "$dir/space.json" -o "$dir/$1.db" --shard 2/3 \
        >"$dir/said" 2>"$dir/stderr" || code=$?
    expect "resumed: $1.db: exit code $code" [ $code = 2 ]
    expect "resumed: $1.db: $(cat "$dir/stderr")" grep -qF -- "$2" "$dir/stderr"
}
endless='WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT'
crafted view "ALTER TABLE runs RENAME TO old;
    CREATE VIEW runs AS $endless old.* FROM old, n;"
tampered view 'view.db: a damaged database: it has a view, runs'
crafted view2 "ALTER TABLE points RENAME TO old;
    CREATE VIEW points AS $endless old.* FROM old, n;"
tampered view2 'view2.db: a damaged database: it has a view, points'
crafted trigger "CREATE TRIGGER t BEFORE INSERT ON runs BEGIN $endless max(i) FROM n; END;
    DELETE FROM points WHERE point = (SELECT max(point) FROM points);"
tampered trigger 'trigger.db: a damaged database: it has a trigger, t'
crafted computed "ALTER TABLE runs ADD COLUMN x AS (hex(zeroblob(100000)));"
tampered computed 'computed.db: a damaged database: it has a generated column, x'
crafted fts 'CREATE VIRTUAL TABLE f USING fts5(a);'
tampered fts 'fts.db: a damaged database: it has a '
crafted gone 'DELETE FROM runs WHERE point = (SELECT max(point) FROM runs);'
tampered gone 'gone.db: a damaged database: 59 rows of runs, 60 were written'
crafted gone2 'DELETE FROM points WHERE point = (SELECT max(point) FROM points);'
tampered gone2 'gone2.db: a damaged database: 59 rows of points, 60 were written'
crafted lie "UPDATE sweep SET value = 'many' WHERE key = 'runs';"
tampered lie 'lie.db: a damaged database: 60 rows of runs, many were written'
crafted unsaid "DELETE FROM sweep WHERE key = 'runs';"
tampered unsaid 'unsaid.db: a damaged database: it has no runs'
# Pages in a ring: each entry of an inner page leads back to that page's like.
python3 - "$dir/2.db" "$dir/ring.db" <<'END'
import sqlite3, struct, sys
db = sqlite3.connect(sys.argv[1])
root = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'runs'").fetchone()[0]
size = db.execute("PRAGMA page_size").fetchone()[0]
db.close()
data = bytearray(open(sys.argv[1], "rb").read())
at = (root - 1) * size
assert data[at] == 5, "the rows of runs are on several pages"
cells = struct.unpack_from(">H", data, at + 3)[0]
first = struct.unpack_from(">H", data, at + 12)[0]
leaf = struct.unpack_from(">I", data, at + first)[0]
# 17 levels of inner pages, 500 entries each, all to the next one.
pages = len(data) // size
for level in range(17):
    page = bytearray(size)
    n = 500
    below = pages + level + 2 if level < 16 else leaf
    page[0] = 5
    struct.pack_into(">HHHBI", page, 1, 0, n, size - 5 * n, 0, below)
    for i in range(n):
        place = size - 5 * (i + 1)
        struct.pack_into(">IB", page, place, below, 1)
        struct.pack_into(">H", page, 12 + 2 * i, place)
    data += page
struct.pack_into(">I", data, at + 8, pages + 1)
for i in range(cells):
    place = struct.unpack_from(">H", data, at + 12 + 2 * i)[0]
    struct.pack_into(">I", data, at + place, pages + 1)
struct.pack_into(">I", data, 28, len(data) // size)
open(sys.argv[2], "wb").write(data)
END
tampered ring 'ring.db: a damaged database: '
expect "nothing of what was refused" [ ! -e "$dir/none.out" ]
refuse 2 "one.db: of another space than" merge "$dir/1.db" "$dir/one.db" -o "$dir/none.db"
refuse 2 "merged.db: is there already" merge "$dir/1.db" -o "$dir/merged.db"
refuse 2 "sweep merge: expected databases" merge -o "$dir/none.db"
refuse 2 "sweep: expected SPACE.json, show RUNS.db" show
expect "nothing half-written" [ -z "$(ls "$dir" | grep none)" ]
refuse 2 "--shard: $dir/space.json has only 180 points: 9999 parts are too many" \
    "$dir/space.json" -o "$dir/none.db" --shard 9999/9999
for shard in 0/3 4/3 1 1/3x -1/3; do
    refuse 2 "--shard $shard: expected I/N" "$dir/space.json" -o "$dir/none.db" --shard $shard
done

# --- what is in use: a sweep that takes seconds, stopped in the middle
cp "$dir/space.json" "$dir/shards.json"
space "{\"base\": {\"platform\": \"duo\", \"workload\": \"stencil:5pt:64x64\", \"nodes\": 2},
  \"axes\": {\"value_bytes\": {\"from\": 1, \"to\": 1000, \"steps\": 1000},
             \"network.bandwidth_GBps\": {\"from\": 1, \"to\": 9, \"steps\": 9}}}"
begin killed2
until grep -q 'points/s' "$dir/stderr"; do sleep 0.01; done
kill -STOP $pid
"$sluice" sweep "$dir/space.json" -o "$dir/killed2.db" >/dev/null 2>"$dir/second"
expect "in use: exit code" [ $? = 2 ]
expect "in use: $(cat "$dir/second")" grep -q 'killed2.db: in use by another program' "$dir/second"
kill -9 $pid
wait $pid 2>/dev/null
mv "$dir/shards.json" "$dir/space.json"

# --- what is no database of ours
echo "no database at all, but a text that is longer than a header of SQLite, which has 100 bytes" >"$dir/text.db"
refuse 2 'text.db: not a database' "$dir/space.json" -o "$dir/text.db"
refuse 2 'text.db: not a database' show "$dir/text.db"
refuse 2 'one.db: of another space' "$dir/space.json" -o "$dir/one.db"
refuse 2 'whole.db: of engine fluid auto, this is fluid exact' \
    "$dir/space.json" -o "$dir/whole.db" --accuracy exact
refuse 2 'no/one.db: cannot be opened' "$dir/space.json" -o "$dir/no/one.db"
cp "$dir/whole.db" "$dir/later.db"
printf '\0\0\0\143' | dd of="$dir/later.db" bs=1 seek=60 conv=notrunc status=none
refuse 2 'later.db: a database of another version: schema 99, expected 4' show "$dir/later.db"
refuse 2 'later.db: a database of another version' "$dir/space.json" -o "$dir/later.db"

# --- lists
# Parts with lists are joined, a resumed database keeps its own, and a row that is
# gone is found.
echo '{"base": {"platform": "duo", "workload": "stencil:5pt:8x8", "nodes": 2},
    "axes": {"value_bytes": [8, 16]}}' >"$dir/lists.json"
for shard in 1 2; do
    "$sluice" sweep "$dir/lists.json" -o "$dir/lists$shard.db" --shard $shard/2 --lists phases,links >/dev/null
done
"$sluice" sweep merge "$dir/lists1.db" "$dir/lists2.db" -o "$dir/lists.db" >/dev/null
"$sluice" sweep "$dir/lists.json" -o "$dir/lists.db" >/dev/null
refuse 2 'lists.db: of lists links,phases, this is ranks' "$dir/lists.json" -o "$dir/lists.db" --lists ranks
refuse 2 'lists: link: no list of a run (did you mean links' "$dir/lists.json" -o "$dir/no.db" --lists link
python3 - "$dir/lists.db" <<'CHECK'
import sqlite3
import sys

database = sqlite3.connect(sys.argv[1])
for name in "links", "phases":
    runs = database.execute(f"SELECT count(DISTINCT point * 1000 + run) FROM {name}").fetchone()[0]
    assert runs == database.execute("SELECT count(*) FROM runs WHERE error IS NULL").fetchone()[0] > 4, runs
database.execute("DELETE FROM links WHERE entry = 0 AND run = 0 AND point = 1")
database.commit()
CHECK
refuse 2 'lists.db: a damaged database: 287 rows of links, 288 were written' show "$dir/lists.db"

# --- files that change under a sweep
cp workloads/data/cvxbqp1.mtx.gz "$dir/m.mtx.gz"
cp platforms/duo.json "$dir/base.json"
printf '%s' '{"format": 1, "name": "two", "about": "like it", "extends": "base"}' >"$dir/two.json"
cp "$dir/space.json" "$dir/before.json"
space "{\"base\": {\"platform\": \"$dir/two.json\", \"nodes\": 2, \"strategy\": \"split+md\"},
  \"axes\": {\"workload\": [\"spmv:$dir/m.mtx.gz\", \"spmv:$dir/late.mtx\"]}}"
echo 'not a matrix' >"$dir/late.mtx"
sweep "$dir/space.json" -o "$dir/files.db" >/dev/null
sweep "$dir/space.json" -o "$dir/files2.db" --shard 1/2 >/dev/null
# One that only failed may be mended.
printf '%s\n' '%%MatrixMarket matrix coordinate pattern general' '2 2 3' '1 1' '2 2' '1 2' >"$dir/late.mtx"
sweep "$dir/space.json" -o "$dir/files.db" --retry >"$dir/stdout"
expect "mended: $(cat "$dir/stdout" "$dir/stderr")" grep -q '2 of 2 points, 2 runs; the best' "$dir/stdout"
printf '%s\n' '%%MatrixMarket matrix coordinate pattern general' '2 2 2' '1 1' '2 2' >"$dir/late.mtx"
refuse 2 "files.db: of another $dir/late.mtx: that has changed since; name another database" \
    "$dir/space.json" -o "$dir/files.db" --retry
sweep show "$dir/files.db" >"$dir/stdout"
expect "it is shown" grep -q '2 of 2 points' "$dir/stdout"
sed -i 's/"bandwidth_GBps": 10/"bandwidth_GBps": 11/' "$dir/base.json"
cmp -s "$dir/base.json" platforms/duo.json && expect "a changed platform" false
refuse 2 "files2.db: of another $dir/two.json: that has changed since" "$dir/space.json" -o "$dir/files2.db"
sweep "$dir/space.json" -o "$dir/files3.db" --shard 2/2 >/dev/null
refuse 2 "files3.db: of another $dir/two.json than the parts before it" \
    merge "$dir/files2.db" "$dir/files3.db" -o "$dir/none.db"
expect "nothing half-written" [ ! -e "$dir/none.db" ]
# Behind the name of its format, too.
cp workloads/data/halo.ti "$dir/halo.ti"
space "{\"axes\": {\"workload\": [\"trace:ti:$dir/halo.ti\"], \"strategy\": [\"split+md\"]}}"
sweep "$dir/space.json" -o "$dir/files4.db" >/dev/null
echo '# more' >>"$dir/halo.ti"
refuse 2 "files4.db: of another $dir/halo.ti: that has changed since" "$dir/space.json" -o "$dir/files4.db"
mv "$dir/before.json" "$dir/space.json"

# --- a disk that is full in the middle: what was reported is there
rm -f "$dir/full.db"
(
    ulimit -f 40 # 40 KiB
    "$sluice" sweep "$dir/space.json" -o "$dir/full.db" --progress --jobs 1 >/dev/null 2>"$dir/stderr"
    echo $? >"$dir/code"
)
expect "a full disk: exit code $(cat "$dir/code")" [ "$(cat "$dir/code")" = 1 ]
expect "a full disk: $(cat "$dir/stderr")" grep -q 'full.db: cannot be \(read or \)\?written' "$dir/stderr"
sweep "$dir/space.json" -o "$dir/full.db" >/dev/null
rows "$dir/full.db" >"$dir/full"
expect "a full disk, then room" cmp "$dir/whole" "$dir/full"

# --- a point that ends the program is a row, and the others are done
# (A sanitizer wants more addresses than that for itself.)
if (ulimit -v 150000 && "$sluice" run --platform duo --workload stencil:5pt:64x64 --nodes 2) \
    >"$dir/stdout" 2>&1; then
    space '{"base": {"platform": "duo", "nodes": 2, "strategy": "split+md"},
  "axes": {"workload": ["stencil:5pt:64x64", "stencil:9pt:1500x1500", "stencil:5pt:32x32"]}}'
    (
        ulimit -v 150000 # of addresses, in KiB: the second wants more
        "$sluice" sweep "$dir/space.json" -o "$dir/dead.db" --jobs 1 >"$dir/stdout" 2>"$dir/stderr"
        echo $? >"$dir/code"
    )
    expect "a death: exit code $(cat "$dir/code"): $(cat "$dir/stderr")" [ "$(cat "$dir/code")" = 0 ]
    "$sluice" sweep show "$dir/dead.db" --csv >"$dir/dead"
    expect "the death is a row: $(cat "$dir/dead")" \
        grep -q '^1,.*it ended the program, most likely for want of memory' "$dir/dead"
    expect "the others are there" [ "$(grep -c '^[02],.*split+md,[0-9]' "$dir/dead")" = 2 ]
    sweep "$dir/space.json" -o "$dir/dead.db" --retry >/dev/null
    "$sluice" sweep show "$dir/dead.db" --csv >"$dir/dead"
    expect "with more memory: $(cat "$dir/dead")" grep -q '^1,.*split+md,[0-9]' "$dir/dead"
fi

# --- pictures
if command -v gnuplot >/dev/null; then
    "$sluice" figure sweep --runs "$dir/one.db" --out "$dir/figures" >"$dir/stdout" 2>"$dir/stderr" ||
        expect "figure sweep: $(cat "$dir/stderr")" false
    for name in lines heat pareto parallel; do
        for end in csv svg pdf png; do
            expect "fig-sweep-$name.$end" [ -s "$dir/figures/fig-sweep-$name.$end" ]
        done
    done
    # Of each work by hand: the slower network times the faster.
    "$sluice" figure sweep --runs "$dir/works.db" --x network.bandwidth_GBps --out "$dir/works" >/dev/null
    sweep show "$dir/works.db" --csv | awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { t[$at["workload"], $at["axis_network.bandwidth_GBps"]] = $at["time_s"]; w[$at["workload"]] = 1 }
        END { for (k in w) { n++; p += log(t[k, 0.1] / t[k, 0.3]) } printf "%.4f\n", exp(p / n) }' >"$dir/by-hand"
    expect "works: lines are of means: $(cat "$dir/by-hand" "$dir/works/fig-sweep-lines.csv")" \
        [ "$(awk -F, '$3 == 0.1 { printf "%.4f\n", $4 }' "$dir/works/fig-sweep-lines.csv")" = "$(cat "$dir/by-hand")" ]
    "$sluice" figure sweep --runs "$dir/one.db" --x value_byte --out "$dir/x" 2>"$dir/stderr"
    expect "an unknown axis: $(cat "$dir/stderr")" \
        grep -qF -- '--x: value_byte: no axis of the sweep (did you mean value_bytes?)' "$dir/stderr"
fi

exit $failed
