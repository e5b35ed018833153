#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# `--timeline` of a plan: a track for each resource whatever the number of
# messages, arrows from sender to receiver, counters that come back to zero, and
# times that are those of the run. What a link's counter sums up to is what the
# summary says that it carried.
set -eu
sluice=$1
. tests/lanes.bash
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
drawn() { # file, words
    local file=$1
    shift
    "$sluice" run "$@" --json --details --timeline "$folder/$file.json" >"$folder/$file.run" 2>/dev/null
}
drawn all --workload alltoall:bytes=1M --nodes 4 --strategy standard/device
drawn halo --workload stencil:9pt:100x100 --nodes 2 --strategy split+md
drawn late --workload schedule:docs/late_receive.csv
drawn lci --workload random:ranks=16,messages=2,rounds=2,bytes=10..100000,seed=1 \
    --platform stampede2 --runtime lci --ranks-per-node 4
# Rates off by a hundredth; and more changes of rates than are written.
drawn rough --workload alltoall:bytes=64K --nodes 8 --platform alps \
    --strategy standard/device --accuracy 0.01
drawn many --workload random:ranks=2048,messages=8,rounds=1,bytes=1..1000000,seed=1 \
    --platform alps --nodes 256
drawn ring --workload allreduce:bytes=1M --nodes 2 --algorithm ring --jobs 1
for file in all halo; do no_overlaps "$folder/$file.json"; done

python3 - "$folder" <<'CHECK'
import collections
import json
import sys


def read(name):
    events = json.load(open(f"{sys.argv[1]}/{name}.json"))["traceEvents"]
    return events, json.load(open(f"{sys.argv[1]}/{name}.run"))["strategies"][0]


def check_links(name, events, run):
    rates = collections.defaultdict(list)
    for e in events:
        if e["ph"] == "C" and "bytes_per_second" in e["args"]:
            rates[e["name"]].append((e["ts"] * 1e-6, e["args"]["bytes_per_second"]))
    links = {link["name"]: link for link in run["links"]}
    assert rates.keys() == links.keys() and links, name
    for link, values in rates.items():
        total = sum(rate * (then - now) for (now, rate), (then, _) in zip(values, values[1:]))
        assert abs(total / links[link]["bytes"] - 1) < 1e-6, (name, link, total, links[link])
        most = links[link]["bandwidth_Bps"] * (1 + 4 * run["accuracy"] + 1e-6)
        assert all(0 <= rate <= most for _, rate in values), (name, link, values)
        assert values[-1][1] == 0 and values[-1][0] <= run["time_s"] + 1e-12, (name, link)
    return sum(map(len, rates.values()))


def check_columns(name, events, run):
    """What --details has of the same: the longest operations, and their spans."""
    line = run["timeline"]
    ops, spans = line["operations"], line["spans"]
    for columns in (ops, spans):
        assert len({len(c) for c in columns.values()}) == 1, name
    shown = [(e["args"]["op"], e["ts"], e["dur"], e["args"]) for e in events if e["ph"] == "X"]
    n = len(ops["number"])
    assert n == min(line["operations_all"], 2000) and n, (name, n)
    kept = set(ops["number"])
    drawn = sorted((op, ts, dur) for op, ts, dur, _ in shown if op in kept)
    listed = sorted((ops["number"][o], a * 1e6, (b - a) * 1e6)
                    for o, a, b in zip(spans["operation"], spans["from_s"], spans["to_s"]))
    assert len(drawn) == len(listed), (name, len(drawn), len(listed))
    slack = run["time_s"] * 1e6 * 3e-9 + 2e-6
    for a, b in zip(drawn, listed):
        assert a[0] == b[0] and abs(a[1] - b[1]) < slack and abs(a[2] - b[2]) < slack, (name, a, b)
    of = {number: i for i, number in enumerate(ops["number"])}
    for op, _, _, args in shown:
        if op not in kept:
            continue
        i = of[op]
        assert line["causes"][ops["waited_for"][i]] == args["waited_for"], (name, op, args)
        for key in ("ready", "start", "end"):
            assert abs(ops[key + "_s"][i] * 1e6 - args[key + "_us"]) < slack, (name, op, key)
    least = min(b - a for a, b in zip(ops["start_s"], ops["end_s"]))
    left_out = [a["end_us"] - a["start_us"] for op, _, _, a in shown if op not in kept]
    assert not left_out or max(left_out) <= least * 1e6 + slack, name
    sent = sum(ops["bytes"][i] for i in range(n) if ops["locality"][i] >= 0)
    all_sent = sum(t["bytes"] for t in run["traffic"].values())
    assert sent == all_sent if n == line["operations_all"] else sent <= all_sent, name
    links = {link["name"]: link["bytes"] for link in run["links"]}
    assert len(line["links"]) == min(40, line["links_all"], len(links)), name
    for link in line["links"]:
        total = sum(rate * (min((b + 1) * line["bin_s"], run["time_s"]) - b * line["bin_s"])
                    for b, rate in enumerate(link["rate_Bps"]))
        assert abs(total / links[link["name"]] - 1) < 1e-3, (name, link)
    # By NICs, in and out: what messages between nodes take, altogether.
    took = {"b": 0, "e": 0}
    for e in events:
        if e["ph"] in took and e["name"] == "messages off_node":
            took[e["ph"]] += e["ts"] * 1e-6
    if len(line["nics"]) == line["nics_all"] and line["nics"]:
        under_way = sum(mean * (min((b + 1) * line["bin_s"], run["time_s"]) - b * line["bin_s"])
                        for nic in line["nics"] for b, mean in enumerate(nic["messages"]))
        assert abs(under_way / 2 / (took["e"] - took["b"]) - 1) < 1e-3, (name, under_way, took)
        return 1
    return 0


counted = 0
for name in ("all", "halo", "late", "lci", "ring", "rough", "many"):
    events, run = read(name)
    counted += check_columns(name, events, run)
    rates = check_links(name, events, run)
    assert rates < 100000, (name, rates)
    end_us = run["time_s"] * 1e6
    by = collections.defaultdict(list)
    for e in events:
        by[e["ph"]].append(e)
    last = max(e["ts"] + e["dur"] for e in by["X"])
    assert abs(last - end_us) < 1e-5, (name, last, end_us)
    # Each message once, between its first and last moment.
    begins = {e["id"]: e for e in by["b"]}
    ends = {e["id"]: e for e in by["e"]}
    assert begins.keys() == ends.keys() and len(begins) == len(by["b"])
    assert len(begins) == run["messages"], (name, len(begins), run["messages"])
    assert all(begins[i]["ts"] <= ends[i]["ts"] <= end_us + 1e-5 for i in begins)
    # Arrows begin and end on spans of their tracks, and never go back in time.
    spans = collections.defaultdict(list)
    for e in by["X"]:
        spans[e["tid"]].append((e["ts"], e["ts"] + e["dur"]))
    to = {e["id"]: e for e in by["f"]}
    assert len(by["s"]) == len(to) == run["messages"], name
    for e in by["s"]:
        f = to[e["id"]]
        assert e["ts"] <= f["ts"] + 1e-6, (name, e, f)
        for one in (e, f):
            assert any(a <= one["ts"] <= b for a, b in spans[one["tid"]]), one
    # Counters: never below nothing, and nothing at the end.
    counters = collections.defaultdict(list)
    for e in by["C"]:
        if "messages" not in e["args"]:
            continue
        counters[e["pid"], e["name"]].append((e["ts"], e["args"]["messages"]))
    assert counters or name in ("late",), name
    for key, values in counters.items():
        assert values == sorted(values, key=lambda v: v[0]), key
        assert min(n for _, n in values) == 0 == values[-1][1], (name, key)
        assert max(n for _, n in values) > 0, key

assert counted > 3, counted
assert 50000 < rates, rates  # of the last: its bins are as wide as it takes
events, _ = read("all")
tracks = [e for e in events if e["name"] == "thread_name"]
assert len(tracks) == 16, len(tracks)
events, _ = read("halo")
names = {e["args"]["name"] for e in events if e["name"] == "thread_name"}
assert {"GPU 0, kernels", "GPU 0, copies to the host", "GPU 0, copies from the host",
        "rank 0, core 0"} <= names, names
CHECK
# So many operations as are asked for, and only where there are any.
"$sluice" run --workload stencil:9pt:100x100 --nodes 2 --strategy split+md --json --details \
    --operations 5 | python3 -c '
import json, sys
line = json.load(sys.stdin)["strategies"][0]["timeline"]
assert len(line["operations"]["number"]) == 5 < line["operations_all"], line["operations_all"]'
"$sluice" run --workload stencil:9pt:100x100 --nodes 2 --json --operations 5 2>"$folder/err" &&
    { echo "--operations without --details"; exit 1; }
grep -q -- '--operations: only with --json and --details' "$folder/err"
without() { # what --operations says of itself, and words of a run that has none
    "$sluice" run "${@:2}" --json --details --operations 5 >"$folder/out" 2>"$folder/err" &&
        { echo "--operations: ${*:2}"; exit 1; }
    grep -qF -- "--operations: $1" "$folder/err" || { cat "$folder/err"; exit 1; }
    [ ! -s "$folder/out" ] || { echo "${*:2}: printed"; exit 1; }
}
without 'not of graphs on GPUs, nor of what is done in steps' --workload bfs:rmat:scale=8
without 'not of graphs on GPUs, nor of what is done in steps' --workload stencil:9pt:100x100 --nodes 2 --repeat 3
drawn hosts --workload bfs:rmat:scale=8 --runtime lci --platform dane
# Other engines keep no rates.
for engine in simgrid alone; do
    drawn "$engine" --workload stencil:9pt:100x100 --nodes 2 --strategy split+md --engine "$engine"
    grep -q bytes_per_second "$folder/$engine.json" && { echo "$engine: rates"; exit 1; }
done
exit 0
