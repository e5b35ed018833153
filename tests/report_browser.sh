#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The page of sluice report in a real browser, as a person uses it: sorting,
# filters, plots, one run in full, keys, colours, and 100,000 runs.
sluice=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

python3 -c 'import sys; sys.path.insert(0, "tests"); import browser
sys.exit(browser.PROGRAM is None)' || {
    echo "skipped: no chromium (apt-get install chromium)"
    exit 77
}
set -e
"$sluice" run --platform lassen --workload stencil:27pt:32x32x32 --nodes 8 \
    --json --details >"$dir/run.json"
"$sluice" run --platform duo --workload allreduce:bytes=8..1K --nodes 2 \
    --json --details >"$dir/sizes.json" 2>/dev/null
printf '%s\n' '{"base": {"platform": "lassen", "workload": "stencil:5pt:64x64"},
    "axes": {"nodes": [1, 2, 4], "network.bandwidth_GBps": [12.5, 25]}}' >"$dir/space.json"
"$sluice" sweep "$dir/space.json" -o "$dir/runs.db" >/dev/null
# The same database with 100,000 runs.
python3 - "$dir" <<'END'
import random, shutil, sqlite3, struct, sys
shutil.copy(sys.argv[1] + "/runs.db", sys.argv[1] + "/large.db")
db = sqlite3.connect(sys.argv[1] + "/large.db")
random.seed(1)
names = [c[1] for c in db.execute("PRAGMA table_info(runs)")][:-1]
ways = db.execute("SELECT * FROM runs WHERE point = 0").fetchall()


def digest(*values): # FNV-1a of a row, as docs/spaces.md says
    d = 0xCBF29CE484222325
    for v in values:
        kind = {int: 1, float: 2, str: 3, type(None): 5}[type(v)]
        data = struct.pack("=i", kind) + (
            struct.pack("=q", v) if kind == 1 else struct.pack("=d", v) if kind == 2
            else v.encode() if kind == 3 else b"")
        for byte in data:
            d = (d ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return d - (d >> 63 << 64)


# The digest that the program wrote is this one.
assert all(digest(*way[:-1]) == way[-1] for way in ways)
db.execute("UPDATE sweep SET value = ? WHERE key = 'space'", [
    '{"base": {"platform": "lassen", "workload": "stencil:5pt:64x64"}, "axes": '
    '{"nodes": {"from": 1, "to": 100, "steps": 100}, '
    '"network.bandwidth_GBps": {"from": 1, "to": 100, "steps": 200}}}'])
db.execute("DELETE FROM points")
db.execute("DELETE FROM runs")
mark = ",".join("?" * (len(names) + 1))
n, point = 0, 0
while n < 100000:
    row = (point, 1 + point // 200, 1 + point % 200 * 99 / 199)
    db.execute("INSERT INTO points VALUES (?, ?, ?, ?)", (*row, digest(*row)))
    for rank, way in enumerate(ways):
        if n < 100000:
            row = dict(zip(names, way), point=point, rank=rank,
                       time_s=random.lognormvariate(-10, 1),
                       cost_dollars=random.lognormvariate(3, 1))
            row = [row[k] for k in names]
            db.execute(f"INSERT INTO runs VALUES ({mark})", (*row, digest(*row)))
            n += 1
    point += 1
db.execute("UPDATE sweep SET value = ? WHERE key = 'points'", (str(point),))
db.execute("UPDATE sweep SET value = ? WHERE key = 'runs'", (str(n),))
db.commit()
END
python3 - "$dir" <<'END'
import json, sys
doc = json.load(open(sys.argv[1] + "/run.json"))
doc["strategies"][0]["critical_path"] = 5
doc["strategies"][0]["timeline"] = {"kinds": 3, "operations": {"phase": [1e99]}, "tracks": []}
doc["strategies"][0]["links"] = 7
json.dump(doc, open(sys.argv[1] + "/odd.json", "w"))
END
# A dragonfly whose groups have two chassis.
printf '%s\n' '{"format": 1, "extends": "lumi", "name": "fly", "about": "a test", "network": {
    "nodes": 64, "groups": 4, "chassis": 2, "routers": 4, "router_links": 1, "chassis_links": 1,
    "nodes_per_router": 2, "source": {"kind": "assumed", "text": "a test"}}}' >"$dir/fly.json"
"$sluice" run --platform "$dir/fly.json" --workload alltoall:bytes=1K --nodes 32 --json --details \
    --strategy standard/device >"$dir/flown.json"
for page in run sizes odd flown; do
    "$sluice" report "$dir/$page.json" -o "$dir/$page.html"
done
"$sluice" report "$dir/run.json" "$dir/runs.db" -o "$dir/both.html"
"$sluice" report "$dir/large.db" -o "$dir/large.html"
timeout 400 python3 tests/report_browser.py "$dir"
# What the page says gives the details of a sweep's run.
"$sluice" run "$dir/point.json" --json --details >"$dir/point.run.json"
"$sluice" report "$dir/point.run.json" -o "$dir/point.html"
