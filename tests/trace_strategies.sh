#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A trace as given, and where its halo-like phases are brought by strategies.
set -u
sluice=$1
source tests/ends.bash
trace=trace:$PWD/workloads/data/halo.ti
failed=0
run() { "$sluice" run --platform dane --nodes 2 "$@" 2>"$folder/said"; }

run --workload "$trace" >"$folder/all"
grep -q '^phases: 5 halo-like, with 320 of the 320 messages and 1950.7 of the 1950.7 kB' "$folder/all" ||
    { echo "phases:"; cat "$folder/all"; failed=1; }
for strategy in as-given standard/staged 2-step/staged 2-step-1/staged \
    3-step/staged split+md rail/staged; do
    grep -q "^$strategy  *[0-9.]* " "$folder/all" ||
        { echo "$strategy is not there"; failed=1; }
done
grep -q '^sluice: left out: .*3-step/device.*: the data are in host memory' \
    "$folder/said" || { echo "left out:"; cat "$folder/said"; failed=1; }
# A remark on the trace is said once.
[ -z "$(sort "$folder/said" | uniq -d)" ] || { cat "$folder/said"; failed=1; }

# Alone it takes the same time, and no phases are sought.
alone=$(run --workload "$trace" --strategy as-given | tee "$folder/alone" |
    awk '/^as-given/ { print $2; exit }')
[ "$alone" = "$(awk '/^as-given/ { print $2; exit }' "$folder/all")" ] ||
    { echo "as-given alone: $alone"; failed=1; }
! grep -q '^phases' "$folder/alone" || { echo "phases of as-given"; failed=1; }

# One strategy and as-given, in JSON.
run --workload "$trace" --strategy 3-step/staged,as-given --json |
    python3 -c 'import json, sys
d = json.load(sys.stdin)
assert d["halo_phases"]["messages"] == 320, d["halo_phases"]
times = {s["strategy"]: s["time_s"] for s in d["strategies"]}
for s in d["strategies"]:
    saved = times["as-given"] - s["time_s"]
    assert abs(s["saved_s"] - saved) < 1e-15, s' ||
    { echo "JSON"; failed=1; }

# Where there can be but one way, it is as given; or the one that is named.
"$sluice" run --platform dane --nodes 2 --workload "$trace" \
    --timeline "$folder/t.json" 2>/dev/null | grep -q '^as-given' ||
    { echo "--timeline"; failed=1; }
for strategy in '' '--strategy as-given' '--strategy 3-step/staged'; do
    "$sluice" export --platform dane --nodes 2 --workload "$trace" $strategy \
        --plan - >"$folder/plan${strategy%/*}"
done
cmp -s "$folder/plan" "$folder/plan--strategy as-given" &&
    ! cmp -s "$folder/plan" "$folder/plan--strategy 3-step" ||
    { echo "export"; failed=1; }

# Messages of strategies have no envelopes.
ends 0 'what a strategy brings is matched at no cost' --platform dane \
    --matching list@cpu --workload "$trace" --strategy 3-step/staged

# Ranks with a GPU each, and too many for that.
"$sluice" run --platform lassen --ranks-per-node 4 --all-in-gpus \
    --workload "$trace" >"$folder/gpus" 2>/dev/null
grep -q '^2-step/device' "$folder/gpus" || { cat "$folder/gpus"; failed=1; }
# As many as that by default.
"$sluice" run --platform lassen --all-in-gpus --workload "$trace" 2>/dev/null |
    cmp - "$folder/gpus" || failed=1
# Each beside its own, whatever order the sockets have them in.
"$sluice" run --platform frontier --ranks-per-node 8 --all-in-gpus \
    --workload "$trace" >"$folder/gpus" 2>/dev/null
grep -q '^2-step/staged' "$folder/gpus" || { cat "$folder/gpus"; failed=1; }
ends 2 '3-step/device: 8 ranks on a node, with their data in GPU memory; lassen has 4 GPUs' \
    --platform lassen --ranks-per-node 8 --all-in-gpus --workload "$trace" \
    --strategy 3-step/device
ends 2 'the data are in host memory' \
    --workload "$trace" \
    --strategy 3-step/device --platform lassen
ends 2 '3-stepp' \
    --workload "$trace" --strategy 3-stepp --platform lassen

# Sends that block are of a phase behind receives that do not, and else of none.
printf '%s\n' '0 init' '0 irecv 1 0 8 0' '0 send 1 0 8 0' '0 waitall 1' \
    '0 finalize' '1 init' '1 irecv 0 0 8 0' '1 send 0 0 8 0' '1 waitall 1' \
    '1 finalize' >"$folder/halo.ti"
ends 0 'phases: 1 halo-like, with 2 of the 2 messages' \
    --platform dane \
    --workload "trace:$folder/halo.ti"
printf '%s\n' '0 init' '0 send 1 0 8 0' '0 recv 1 0 8 0' '0 finalize' \
    '1 init' '1 send 0 0 8 0' '1 recv 0 0 8 0' '1 finalize' \
    >"$folder/blocking.ti"
ends 0 'phases: 0 halo-like, with 0 of the 2 messages' \
    --platform dane \
    --workload "trace:$folder/blocking.ti"
ends 0 'standard/staged: the trace has no halo-like phases' \
    --platform dane \
    --workload "trace:$folder/blocking.ti"
exit "$failed"
