#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Each claim can fail: on a machine with a suitable defect it does. The expensive
# ones are left to `sluice claims` itself.
set -eu
. tests/python_library.bash
python3 - "$1" <<'CHECK'
import json
import subprocess
import sys

YES, NO = "reproduced", "not reproduced"
CASES = [
    # A message on the socket takes longer than any other.
    ("L01", [], YES, "run: "),
    ("L01", ["messages.cpu.on_socket.segments.0.alpha_us=50"], NO, "fails (input): lassen-paper"),
    # The processes of a GPU share nothing.
    ("L03", [], YES, "run: "),
    ("L03", ["copies.engine_us=0", "node.wire_types.nvlink-cpu.bandwidth_GBps=10000"], NO, "H2D"),
    # A message between GPUs is quick.
    ("L04", [], YES, "run: "),
    ("L04", ["messages.gpu.on_node.segments.0.alpha_us=1"], NO, "fails (input): on-node"),
    # A put of 1 MiB has the latency of the segment above 64 KiB: 84.8 %.
    ("A49", [], NO, "fails (predicted): a put of 1 MiB has 85 %"),
    ("A49", ["gpu.shmem_put_us=6"], YES, "without them it would be 15.2 times"),
    ("A49", ["gpu.shmem_put_us=0.5"], NO, "fails (predicted): it takes"),
    ("A49", ["gpu.shmem_put_us=50"], NO, "fails (predicted): a put of 1 MiB has"),
    # In Fig 2, 52 of 76 B, coded, are 0.674; of a sector 32 of 48.
    ("A52", [], YES, "over PCIe 52 B have as much"),
    ("A52", ["gpu.nvlink_packet.header_bytes=40"], NO, "fails (fitted): a sector of 32 B"),
    # Measured, one of the causes costs less. By the CPU, Atos has no advantage to lose.
    ("A54", [], NO, "holds (predicted): with control=cpu it takes"),
    ("A54", ["execution.control=cpu"], NO, "fails (predicted): atos-persistent takes"),
    # If an IPC copy is noticed at once, it is better than a mixture.
    ("F17", [], YES, "holds (fitted): 65536 B"),
    ("F17", ["gpu.ipc_event_us=1"], NO, "fails (fitted): 65536 B"),
    ("F16", [], YES, "with MPS: by way of"),
    ("F16", ["gpu.ipc_event_us=1"], NO, "fails (predicted): with MPS"),
    ("F14", [], YES, "by IPC: with MPS faster at 15"),
    ("F14", ["copies.time_slice_us=0"], NO, "fails (predicted): by way of"),
    ("F13", [], NO, "copied 8.0 times as fast"),
    ("F13", ["copies.rows.4.beta_ns_per_byte=0.01"], YES, "copied 10.0 times as fast"),
    ("F31", [], YES, "24 processes: BTB's buffers hold 12"),
    # Matching engines, by their constants.
    ("K02", [], YES, "holds (predicted): gtx1080"),
    ("K02", ["matching.scan_cycles=0"], NO, "fails (predicted): gtx1080"),
    ("K01", [], YES, "holds (predicted): K80"),
    ("K01", ["matching.receive_cycles=600"], NO, "fails (predicted): M40"),
    ("K03", [], YES, "gtx1080, 2048: in order 4.00"),
    ("K11", ["matching.miss_cycles=1"], NO, "fails (predicted): H200"),
    ("K07", [], YES, "4 CTAs"),
    ("K07", ["matching.resident_ctas=64"], NO, "fails (construction): gtx1080"),
    ("K15", [], YES, "cpu, list of 32"),
    ("K15", ["matching.entry_ns=100"], NO, "fails (fitted): cpu, list"),
    ("K14", [], YES, "64 of one source and tag"),
    ("K14", ["matching.round_cycles=0", "matching.hash_cycles=0"], NO, "fails (construction): gtx"),
    ("K16", ["matching.round_cycles=0", "matching.hash_cycles=1000"], NO, "fails ("),
]
bad = 0
for claim, changes, status, part in CASES:
    words = [word for change in changes for word in ("--set", change)]
    command = [sys.argv[1], "claims", "--json", claim, *words]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        print(claim, changes, run.stderr)
        bad = 1
        continue
    (got,) = json.loads(run.stdout)["claims"]
    lines = got["evidence"].split("\n")
    fails = any(line.startswith("fails (") for line in lines)
    if got["status"] != status or part not in got["evidence"] or fails != (status == NO):
        print(claim, changes, "expected", status, part, "got", got)
        bad = 1
sys.exit(bad)
CHECK
