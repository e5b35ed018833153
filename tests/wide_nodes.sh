#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A node of 72 GPUs: every strategy runs on one rack and on two, no all-to-all
# is faster than the links that all of it must cross, large ones take little
# longer, a plan that was written is read again, and advise answers.
set -euo pipefail
sluice=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
moe=moe:tokens=16,experts=144,topk=8,hidden=64

# Each GPU sends 71 of 72 parts over NVLink at 900 GB/s; or, with two racks, 72
# of 144 over a NIC of 50 GB/s.
for nodes in 1 2; do
    "$sluice" run --platform gb200-nvl72 --nodes "$nodes" \
        --workload alltoall:bytes=64M..1G*16 --message-cap 16M \
        --strategy standard/staged,standard/device,3-step/staged,3-step/device,2-step/staged,2-step/device,2-step-1/staged,2-step-1/device,split+md,split+dd,rail/staged,rail/device \
        --json >"$dir/alltoall.json"
    python3 - "$nodes" "$dir/alltoall.json" <<'END'
import json, sys

nodes, rows = int(sys.argv[1]), json.load(open(sys.argv[2]))
rows = rows if isinstance(rows, list) else rows.get("sizes", [rows])
for run in rows:
    part = run["size_bytes"] / (72 * nodes)
    least = part * 71 / 900e9 if nodes == 1 else part * 72 / 50e9
    times = {s["strategy"]: s["time_s"] for s in run["strategies"]}
    assert len(times) == 12, times
    for name, time in times.items():
        assert time > least, f"{name}: {time} s, at least {least}"
    if run["size_bytes"] >= 1 << 30:
        direct = times["standard/device"]
        assert direct < 1.4 * least, f"{direct} s, at least {least}"
END
done

"$sluice" run --platform gb200-nvl72 --nodes 2 --workload "$moe" \
    --strategy 3-step/device --json >"$dir/run.json"
"$sluice" export --platform gb200-nvl72 --nodes 2 --workload "$moe" \
    --strategy 3-step/device --plan "$dir/plan" >/dev/null
"$sluice" run --platform gb200-nvl72 --workload "plan:$dir/plan" \
    --json >"$dir/again.json"
python3 - "$dir/run.json" "$dir/again.json" <<'END'
import json, sys

run, again = (json.load(open(f))["strategies"][0] for f in sys.argv[1:])
assert run["time_s"] == again["time_s"], (run["time_s"], again["time_s"])
END

"$sluice" advise --platform gb200-nvl72 --nodes 2 --workload alltoall:bytes=1M \
    --draws 3 --no-why | grep -q '^use '
