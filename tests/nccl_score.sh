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
grep -E '^\| [a-z0-9_]+ (\* )?\| [a-z0-9-]+ \| [0-9]+ x ' "$dir/page" >"$dir/rows"
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
import csv, lzma, statistics, subprocess, sys

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
