#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# NCCL's collectives by a fixed algorithm and protocol take no less time if they
# have more bytes, from 256 B to 32 MiB, on one node and on several, with 3 and 5
# GPUs, too. But for the part by which a time may fall because NCCL uses channels
# in whole numbers: one of LL128 with 8 KiB gives way to three with 5 KiB each, and
# one of a chain of 5 GPUs by LL with 32 KiB to three with 21 KiB.
set -euo pipefail
sluice=$1
python3 - "$sluice" <<'END'
import json, subprocess, sys

MACHINES = [("dgx-h100", 1, 8), ("dgx-h100", 1, 5), ("dgx-h100", 1, 3),
            ("dgx-a100", 1, 5), ("dgx-a100", 2, 8), ("abci-v", 1, 4),
            ("abci-v", 4, 4), ("abci-a", 2, 8), ("p5", 2, 8), ("perlmutter", 2, 4)]
RINGS = ["nccl_ring/ll", "nccl_ring/ll128", "nccl_ring/simple"]
TREES = ["nccl_tree/ll", "nccl_tree/ll128", "nccl_tree/simple"]
# The part by which a time may fall: 2 % if it is not here.
FALLS = {"nccl_tree/ll128": 0.11, "nccl_ring/ll128": 0.08, "nccl_ring/simple": 0.04}
CHAIN_FALLS = {"nccl_ring/ll": 0.13, "nccl_ring/ll128": 0.08}


def times(machine, kind, algorithm):
    """Returns lists of bytes, seconds and algorithm, by size."""
    name, nodes, gpus = machine
    done = subprocess.run(
        [sys.argv[1], "run", "--platform", name, "--nodes", str(nodes),
         "--set", f"gpus_used={gpus}", "--library", "nccl", "--algorithm", algorithm,
         "--workload", f"{kind}:bytes=256..32M,memory=device,element=4", "--json"],
        text=True, capture_output=True, stdin=subprocess.DEVNULL)
    if not done.stdout:
        sys.exit(f"{machine} {kind} {algorithm}: {done.stderr}")
    rows = {}
    for size in json.loads(done.stdout)["sizes"]:
        for s in size["strategies"]:
            rows.setdefault(s["strategy"], []).append((size["size_bytes"], s["time_s"]))
    return rows


def check(machine, kind):
    """Returns the number of pairs of sizes."""
    names = RINGS + (TREES if kind == "allreduce" else [])
    falls = CHAIN_FALLS if kind in ("broadcast", "reduce") else FALLS
    fixed = times(machine, kind, ",".join(names))
    seen = 0
    for name in names:
        for (few, before), (many, after) in zip(fixed[name], fixed[name][1:]):
            seen += 1
            if after < before * (1 - falls.get(name, 0.02)):
                wrong.append(f"{machine} {kind} {name}: {few} B take {before * 1e6:.2f} "
                             f"us, {many} B {after * 1e6:.2f}")
    return seen


wrong = []
pairs = sum(check(m, kind) for m in MACHINES
            for kind in ("allreduce", "allgather", "broadcast", "reduce"))
print("\n".join(wrong))
sys.exit(f"{len(wrong)} of {pairs} pairs" if wrong or pairs < 2000 else 0)
END
