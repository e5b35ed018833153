#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The page of NCCL's tables is what its command prints: rows of some machines,
# run again; and what the command makes of rows that it must not count.
set -euo pipefail
sluice=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# Tables each of which has all rows of its machine.
results/nccl/score --sluice "$sluice" --points "$dir/points.csv" --tables \
    dgxc_h100_1x8,nv309_h100_xe9680_2x8,perlmutter_2x4,mi300x_aac8_1x8 >"$dir/page"
grep -E '^\| [a-z0-9_]+ ([*~] )?\| [a-z0-9-]+ \| [0-9]+ x ' "$dir/page" >"$dir/rows"
[ "$(wc -l <"$dir/rows")" -ge 4 ]
while IFS= read -r row; do
    grep -qxF -- "$row" results/nccl/score.md || {
        echo "results/nccl/score.md lacks: $row"
        exit 1
    }
done <"$dir/rows"

# All tables are in the list, and all platforms of the list are there; the
# errors of the page are those of the points.
python3 - "$dir" "$sluice" <<'END'
import csv, json, lzma, re, statistics, subprocess, sys

folder, program = sys.argv[1:]
listed = list(csv.DictReader(open("results/nccl/tables/tables.csv", newline="")))
with lzma.open("results/nccl/tables/measured.csv.xz", "rt", newline="") as file:
    rows = list(csv.DictReader(file))
assert {r["table"] for r in rows} == {r["table"] for r in listed}
for platform in {r["platform"] for r in listed}:
    subprocess.run([program, "show", "platform", platform], check=True,
                   stdout=subprocess.DEVNULL)
for r in listed:
    assert r["origin"] and r["licence"] and r["about"], r

# A table whose owner's rows a platform's numbers of NCCL on a node are fitted to
# says so; numbers of a platform's own file are fitted to the machine itself.
# Numbers of sockets count where those are asked for alone.
def fits(o):
    if isinstance(o, dict):
        if o.get("kind") == "fit":
            yield o["text"]
        for key, value in o.items():
            if key not in ("off_node", "socket_source"):
                yield from fits(value)
    elif isinstance(o, list):
        for value in o:
            yield from fits(value)

def of_nccl(machine):
    return [machine.get("nccl")] + [
        value for key, value in machine.get("runtimes", {}).items()
        if key.startswith("nccl")]

marked = 0
for r in listed:
    if r["refused"]:
        continue
    shown = subprocess.run([program, "show", "platform", r["platform"], "--json"],
                           check=True, text=True, capture_output=True).stdout
    repository = r["origin"].split(" ")[0]
    if repository == "NVIDIA/nccl-tests":
        repository = r["origin"]
    if repository == "ai-dynamo/aiconfigurator": # as the sources call it
        repository = "aiconfigurator"
    texts = list(fits(of_nccl(json.loads(shown))))
    cited = re.compile(rf"[ (]{re.escape(repository)}[ ,)]")
    if not r["origin"].startswith("a public") and any(cited.search(t) for t in texts):
        assert r["fitted"] or r["near"], r
        marked += 1
    with open(f"platforms/{r['platform']}.json") as file:
        if any(fits(of_nccl(json.load(file)))):
            assert r["fitted"], r
            marked += 1
assert marked >= 15, marked

# The classes of the page are the marks of its groups.
page = open("results/nccl/score.md").read()
machines = [l.split(" | ") for l in page.split("\n\nRefused")[0].splitlines()
            if re.match(r"\| [\w.() -]+[*~]? \| [\w-]+ \| \d+ x ", l)]
for nodes in ("one node", "several nodes"):
    for mark, end in (("*", "(*)"), ("~", "(~)"), ("", "others")):
        own = [m for m in machines if m[2].startswith("1 x") == (nodes == "one node")
               and m[0].endswith(" " + mark if mark else m[0].rstrip("*~ "))]
        counted = sum(m[5] != "" for m in own)
        row = next(l for l in page.splitlines() if l.startswith(f"| {nodes}, ")
                   and l.split(" | ")[0].endswith(end) and "below" in l)
        assert f"of {counted} |" in row, (row, counted)

points = [p for p in csv.DictReader(open(folder + "/points.csv", newline=""))
          if p["table"] == "dgxc_h100_1x8"]
table = {int(r["bytes"]): r for r in rows if r["table"] == "dgxc_h100_1x8"}
assert {int(p["bytes"]) for p in points} == {
    size for size, r in table.items() if r["disturbed"] == "0"}
above = [float(p["predicted_s"]) / float(p["measured_s"]) - 1
         for p in points if int(p["bytes"]) >= 1 << 20]
error = f"{100 * statistics.median(abs(e) for e in above):.0f}"
row = next(l for l in open(folder + "/rows") if "dgxcloud" in l).split(" | ")
assert row[9:11] == [str(len(above)), error], (row, error)
END

code=0
results/nccl/score --sluice "$sluice" --tables nothing >"$dir/out" 2>"$dir/err" || code=$?
[ "$code" = 2 ] && [ ! -s "$dir/out" ] && grep -q 'nothing: no table' "$dir/err"
