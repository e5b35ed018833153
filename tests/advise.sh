#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# sluice advise: the answer in words and as JSON, what a time is reached with
# where that is known in closed form, and what is refused.
set -u
sluice=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

has() { # file, pattern
    grep -qE -- "$2" "$1" || { echo "no line like '$2' in:"; cat "$1"; failed=1; }
}
refused() { # pattern, arguments
    local pattern=$1
    shift
    "$sluice" advise "$@" >"$folder/out" 2>"$folder/err"
    [ $? = 2 ] || { echo "advise $*: no exit code 2"; failed=1; }
    [ "$(wc -l <"$folder/err")" = 1 ] || { echo "not one line:"; cat "$folder/err"; failed=1; }
    [ ! -s "$folder/out" ] || { echo "advise $*: printed"; failed=1; }
    has "$folder/err" "$pattern"
}

# A message of 10^6 B takes 1 us + 80 us; 41 us need twice the NIC. Its beta
# alone does not do it: a process sends 12.5 GB/s.
printf 'round,src,dst,bytes\n0,0,1,1000000\n' >"$folder/one.csv"
one="--platform flat8 --workload exchange:$folder/one.csv --ranks-per-node 1 --nodes 2"
# shellcheck disable=SC2086 # words
"$sluice" advise $one --reach 41us --vary nic --vary messages.cpu.off_node.segments.0.beta_ns_per_byte \
    >"$folder/reach"
has "$folder/reach" 'to reach 41 us, now 81.00 us'
has "$folder/reach" 'nic: at least (49.9|50|50.[0-4])[0-9]*, now 25 [(]--set nic=x(2|1[.]99|2[.]00)[0-9]*[)]: as-given, 4[01][.]'
has "$folder/reach" 'not by messages.cpu.off_node.segments.0.beta_ns_per_byte: 41 us is not reached'
# shellcheck disable=SC2086
"$sluice" advise $one --reach 41us --vary nic --json >"$folder/reach.json"
has "$folder/reach.json" '"at_least": (49.9|50)'
# A bound that was not found is none.
# shellcheck disable=SC2086
"$sluice" advise $one --reach 9s --vary nic >"$folder/any"
has "$folder/any" 'nic: with any, even 0.025, now 25 [(]--set nic=x0.001[)]: as-given'
# One way: no probability of being first, but elasticities that sum to 1.
# shellcheck disable=SC2086
"$sluice" advise $one --draws 10 --details >"$folder/alone"
has "$folder/alone" 'use as-given: 81.00 us'
has "$folder/alone" 'there is no other candidate'
! grep -q 'next candidate\|two candidates' "$folder/alone" || { echo 'a second candidate where there is none'; failed=1; }
has "$folder/alone" 'off_node.segments.0.alpha_us .*[+]0.01 %'
has "$folder/alone" 'specification rate +uniform +x 0.75 to 1'

# Ways of one plan are advised together, with one error, by no name alone.
one_plan="--platform lassen --nodes 1 --workload stencil:9pt:96x96 --partition contiguous --draws 20 --no-why"
# shellcheck disable=SC2086
"$sluice" advise $one_plan --strategy standard/staged,2-step/staged,standard/device >"$folder/plan"
has "$folder/plan" '^use (standard/staged or 2-step/staged|2-step/staged or standard/staged): '
has "$folder/plan" '^a tie of 2: they take the same time on every machine$'
has "$folder/plan" '^one of them is the fastest of all with probability '
# shellcheck disable=SC2086
"$sluice" advise $one_plan --strategy standard/staged,2-step/staged,standard/device --json >"$folder/plan.json"
# shellcheck disable=SC2086
"$sluice" advise $one_plan --strategy standard/staged,standard/device --json >"$folder/two.json"
python3 - "$folder/plan.json" "$folder/two.json" <<'CHECK' || failed=1
import json, sys
three, two = (json.load(open(name)) for name in sys.argv[1:])
assert sorted(three["tied_ways"]) == ["2-step/staged", "standard/staged"], three
assert three["tie"] and three["next"] == "standard/device", three
p = {w["way"]: w["probability"] for w in three["ways"]}
assert p["standard/staged"] == p["2-step/staged"] == three["probability"], p
assert abs(three["probability"] - two["probability"]) < 0.05, (p, two["probability"])
assert "tied_ways" not in two and two["use"] == "standard/staged"
CHECK

# The name and value that are printed are what --set takes: nearer to what it is
# the choice stands.
# shellcheck disable=SC2086
four='--workload alltoall:bytes=64k --nodes 4'
fastest() { "$sluice" run $four --csv "$@" | sed -n 2p | cut -d, -f5; }
# shellcheck disable=SC2086
"$sluice" advise $four --draws 2 >"$folder/four"
flip=$(sed -nE 's/^  (messages[^ ]*send_us[+]recv_us) [(]2 numbers[)], now 0.6: at (x[0-9.]+) and above 2-step.staged$/\1=\2/p' "$folder/four")
[ "$(fastest)" = standard/staged ] && [[ $(fastest --set "$flip") == 2-step*/staged ]] &&
    [ "$(fastest --set "${flip%%=*}=x3.5")" = standard/staged ] || { echo "no flip at '$flip'"; cat "$folder/four"; failed=1; }
# One that the user names moves alone.
# shellcheck disable=SC2086
"$sluice" advise $four --reach 54us --vary "${flip%%+*}" --json >"$folder/alone.json"
set=$(sed -nE 's/.*"set": "--set (.*)",/\1/p' "$folder/alone.json")
# shellcheck disable=SC2086
"$sluice" run $four --csv --set "$set" | sed -n 2p | cut -d, -f6 >"$folder/reached"
awk '{ exit !($1 <= 54e-6 && $1 > 53.9e-6) }' "$folder/reached" || { echo "$set"; cat "$folder/reached"; failed=1; }

# One machine has no error of the mean.
"$sluice" advise --workload stencil:9pt:96x96 --nodes 1 --draws 1 --no-why >"$folder/single"
has "$folder/single" ', 1 node; [0-9]+ candidates, 1 machine drawn'
has "$folder/single" 'fastest of all with probability [01][.][0-9]+, where'

# A choice: the same with one simulation at a time, and again.
stencil='--workload stencil:9pt:96x96 --nodes 3 --strategy standard/staged,split+md,standard/device --draws 30 --seed 4'
# shellcheck disable=SC2086
"$sluice" advise $stencil >"$folder/a" && "$sluice" advise $stencil --jobs 1 >"$folder/b" ||
    failed=1
cmp "$folder/a" "$folder/b" || failed=1
has "$folder/a" 'use [a-z+/]+, (metis|boxes|contiguous): '
has "$folder/a" 'fastest of all with probability [01][.][0-9]+ [+]- '
has "$folder/a" 'critical path of '
has "$folder/a" 'to reduce the doubt measure '
has "$folder/a" 'sluice-native '
# shellcheck disable=SC2086
"$sluice" advise $stencil --json >"$folder/json"
for key in use next probability probability_error regret ways critical_path parameters flips measure; do
    has "$folder/json" "\"$key\":"
done
# shellcheck disable=SC2086
"$sluice" advise $stencil --partition metis --no-why >"$folder/metis"
! grep -q contiguous "$folder/metis" || { echo "another partition"; failed=1; }
has "$folder/metis" '; 3 candidates, 30 machines'
"$sluice" advise --workload allreduce:bytes=64k --nodes 2 --draws 8 --no-why >"$folder/allreduce"
has "$folder/allreduce" 'memory=staged'

# A range of sizes: each as it is alone, the choices those that run ranks first,
# and a switch where they are not the same.
sizes='--nodes 4 --strategy standard/staged,standard/device,split+dd'
# shellcheck disable=SC2086
"$sluice" advise --workload alltoall:bytes=4k..1M*4 $sizes --draws 20 --json >"$folder/sizes.json" &&
    "$sluice" run --workload alltoall:bytes=4k..1M*4 $sizes --json >"$folder/run.json" &&
    "$sluice" advise --workload alltoall:bytes=64k $sizes --draws 20 --no-why --json >"$folder/64k.json"
python3 - "$folder/sizes.json" "$folder/run.json" "$folder/64k.json" <<'CHECK' || failed=1
import json
import sys

advice, run, alone = (json.load(open(path)) for path in sys.argv[1:])
best = [(s["size_bytes"], s["strategies"][0]["strategy"]) for s in run["sizes"]]
assert [(s["size_bytes"], s["use"]) for s in advice["sizes"]] == best
of_64k = next(s for s in advice["sizes"] if s["size_bytes"] == 65536)
for way in of_64k["ways"] + alone["ways"]:
    del way["workload"]  # bytes=65536, bytes=64k
for key in ("use", "next", "lead", "probability", "probability_error", "regret", "ways"):
    assert of_64k[key] == alone[key], key
switches = [(a[0], b[0], a[1], b[1]) for a, b in zip(best, best[1:]) if a[1] != b[1]]
assert switches and [(s["above_bytes"], s["from_bytes"], s["was"], s["use"]) for s in advice["switches"]] == switches
worst = {}
for size in run["sizes"]:
    for way in size["strategies"]:
        worst[way["strategy"]] = max(worst.get(way["strategy"], 1), way["times_best"])
one = advice["one_for_all"]
assert worst[one["use"]] == min(worst.values()) and abs(one["worst_times_best"] - min(worst.values())) < 1e-12
CHECK
# shellcheck disable=SC2086
"$sluice" advise --workload alltoall:bytes=4k..1M*4 $sizes --draws 20 --details >"$folder/sizes"
has "$folder/sizes" '^alltoall:bytes=4k..1M[*]4 on lassen: 16 GPUs, 4 nodes; 20 machines drawn'
has "$folder/sizes" '^ +65536  standard/staged +[0-9.]+ '
has "$folder/sizes" '^between [0-9]+ and [0-9]+ B the choice switches to standard/device: there standard/staged takes [0-9.]+ % longer'
has "$folder/sizes" '^one candidate for all sizes: '
has "$folder/sizes" '^1048576 B$'

# A graph on hosts: runtime and cut together, the time as run has it.
hosts='--workload bfs:rmat:scale=10 --platform stampede2 --nodes 8 --runtime lci,mpi-probe,mpi-rma'
# shellcheck disable=SC2086
"$sluice" advise $hosts --draws 30 >"$folder/hosts"
has "$folder/hosts" 'on stampede2: 8 nodes; 6 candidates, 30 machines drawn'
has "$folder/hosts" 'use (lci|mpi-probe|mpi-rma), (cvc|blocked): '
has "$folder/hosts" '^[0-9]+ % of the time is computation of the busiest host'
has "$folder/hosts" '  runtimes[.]lci[.]costs[.]'
# shellcheck disable=SC2086
"$sluice" advise $hosts --draws 2 --no-why --json >"$folder/hosts.json" && "$sluice" run $hosts --json >"$folder/rounds.json"
python3 - "$folder/hosts.json" "$folder/rounds.json" <<'CHECK' || failed=1
import json
import sys

advice, run = (json.load(open(path)) for path in sys.argv[1:])
times = {w["strategy"]: w["time_s"] for w in advice["ways"] if w["partition"] == "cvc"}
want = {r["runtime"]: r["as_run"]["time_s"] for r in run["results"]}
assert times == want and len(want) == 3, (times, want)
assert 0 < advice["compute_share"] < 1
CHECK

# What is far behind is on the machine as it is alone, and is told; progress where
# it is asked for, and nothing of it else where there is no terminal.
far='--workload allreduce:bytes=1k --nodes 2 --draws 30 --model-error 20'
# shellcheck disable=SC2086
"$sluice" advise $far --no-why --details >"$folder/far" 2>"$folder/quiet"
has "$folder/far" '^ring +[0-9.]+ +1[0-9][.][0-9]+ +- +- +0[.]00  [*][*]$'
has "$folder/far" '^[*][*] [0-9]+ candidates more than 9[.][0-9]+ times as long as the fastest'
! grep -q simulations/s "$folder/quiet" || { echo "progress"; failed=1; }
# shellcheck disable=SC2086
"$sluice" advise $far --json --no-why >"$folder/far.json"
has "$folder/far.json" '"drawn_up_to_times_best": 9[.]'
has "$folder/far.json" '"low_s": null'
"$sluice" advise --workload allreduce:bytes=64k --nodes 4 --draws 300 --no-why --progress >"$folder/far" 2>"$folder/loud"
has "$folder/loud" '^allreduce:bytes=64k: [0-9]+ of [0-9]+ simulations; [0-9.e+]+ simulations/s'

refused "expected --workload"
refused "did you mean spmv" --workload spvm:x
refused "[-]-reach: not for a range of sizes" --workload allreduce:bytes=1k..1M --reach 1us
refused "expected sizes above 0, the smaller first" --workload allreduce:bytes=1M..1k
refused "allreduce:bytes=1: 1 bytes are less than an element of 4 B" --workload allreduce:bytes=1..2
# A folder that cannot be written is told before anything is simulated, and one
# is not made for what cannot be done.
for range in 64k 1k..2k; do
    refused "/dev/null/x: cannot be made" --workload "alltoall:bytes=$range" --nodes 2 --figure /dev/null/x
    refused "unknown platform" --workload "alltoall:bytes=$range" --platform lasen --figure "$folder/none"
done
[ ! -e "$folder/none" ] || { echo "a folder for nothing"; failed=1; }
refused "compare-partition" --workload stencil:5pt:64x64 --compare-partition metis
refused "--vary: only with --reach" --workload stencil:5pt:64x64 --vary nic
refused "expected a time above 0 with its unit" --workload stencil:5pt:64x64 --reach 5
refused "--reach: nic: 1 us is not reached" --workload stencil:5pt:64x64 --nodes 2 --reach 1us --vary nic
# More nodes only make it longer: that is seen early, not on all 4000 nodes.
refused "--reach: nodes: 1e-30 us is not reached between 1 and [0-9][0-9]:" --workload alltoall:bytes=64k \
    --nodes 2 --strategy standard/staged --reach 1e-30us --vary nodes
# Nodes are varied instead of the GPUs that were asked for, not beside them.
refused "--reach: nodes: 1e-30 us is not reached between 1 and [0-9]+: the fastest candidate takes [0-9.]+ us at the best, at " \
    --workload alltoall:bytes=64k --gpus 8 --strategy standard/staged --reach 1e-30us --vary nodes
refused "stencil:5pt:64x64: the fastest candidate takes no time: nothing has to be sent" --workload stencil:5pt:64x64 --gpus 1
refused "^sluice: --reach: gpus: --gpus: not for exchange:" --platform flat8 --workload "exchange:$folder/one.csv" \
    --ranks-per-node 1 --nodes 2 --reach 41us --vary gpus
refused "did you mean gpu.memory_GBps" --workload stencil:5pt:64x64 --reach 1us --vary gpu.memory_GBp
refused "up_to_bytes is a limit between two segments, and only costs and counts can be varied" \
    --workload stencil:5pt:64x64 --nodes 2 --reach 1us --vary messages.cpu.off_node.segments.0.up_to_bytes
refused "did you mean nic?" --workload stencil:5pt:64x64 --reach 1us --vary nicc
refused "alltoall:bytes=1k: lassen can do none of the candidates: lci: lassen has no runtimes.lci.costs" \
    --workload alltoall:bytes=1k --nodes 2 --runtime lci
refused "--model-error: expected 0 to 100" --workload stencil:5pt:64x64 --model-error 101
refused "--figure: not with --no-why" --workload stencil:5pt:64x64 --figure "$folder/f" --no-why
refused "--draws: expected at most" --workload stencil:5pt:64x64 --draws 1000000
refused "dane,stampede2: several only for run" --workload bfs:rmat:scale=8 --runtime lci --platform dane,stampede2
refused "cc: runs on hosts, in rounds: say --runtime" --workload cc:rmat:scale=8
refused "has no executions" --workload bfs:rmat:scale=8 --runtime lci --set execution.kernel=bsp
refused "unknown platform" --workload stencil:5pt:64x64 --platform lasen

# What it states, held against what was measured.
"$sluice" validate native --calibration 2 --points --platform testbed-4x4 results/testbed/native-4x4.csv >"$folder/cases"
has "$folder/cases" '^platform,file,decision,kind,nodes,bytes,ways,advised,winner,right,clear,probability,of_winner,held_back,'
has "$folder/cases" '^testbed-4x4,native-4x4.csv,'
"$sluice" validate native --calibration 2 results/testbed/native-4x4.csv 2>"$folder/err" && failed=1
has "$folder/err" 'expected --platform NAME'
# By kind, by what is known of the machine and as if nothing were; and the line
# that the program has of these decisions is the one that they give.
"$sluice" validate native --calibration 2 --platform testbed-4x4 results/testbed/native-4x4.csv >"$folder/kinds"
[ "$(grep -cE '^halo +testbed-4x4 +11 ' "$folder/kinds")" = 2 ] || { echo "not by kind:"; cat "$folder/kinds"; failed=1; }
has "$folder/kinds" '^as if nothing had been measured on the machine$'
"$sluice" validate native --calibration 2 --errors --platform testbed-4x4 results/testbed/native-4x4.csv >"$folder/rows"
grep -qFf "$folder/rows" study/advise/model_errors.def || { echo "other errors than the program's:"; cat "$folder/rows"; failed=1; }
"$sluice" validate --errors results/measured/lassen_spectrum_ping_pong.csv 2>"$folder/err" && failed=1
has "$folder/err" '--errors: only with --calibration'

# What is known of such advices: nothing of halos on lassen, which the first
# line says; all-to-alls of dane on 2 and 4 nodes, not on 8. And no probability
# is above what such advices reached.
"$sluice" advise --workload alltoall:bytes=64k --nodes 4 --draws 20 --no-why >"$folder/halo"
head -1 "$folder/halo" >"$folder/first"
has "$folder/first" '^exchanges by strategy on 4 nodes were never measured on lassen: [0-9]+ of [0-9]+ such advices .*and nothing is stated above 0[.][0-9]+$'
hosts='--workload alltoall:bytes=7168,memory=host --platform dane --draws 20 --no-why --algorithm pairwise,bruck,node_aware'
# shellcheck disable=SC2086
"$sluice" advise $hosts --nodes 2 >"$folder/near" && "$sluice" advise $hosts --nodes 8 >"$folder/beyond" || failed=1
head -1 "$folder/near" >"$folder/first"
has "$folder/first" '^alltoall:bytes=7168'
head -1 "$folder/beyond" >"$folder/first"
has "$folder/first" '^extrapolates: nodes 8 > 4 measured; all-to-alls of hosts on 8 nodes, 7168 B were never measured on dane: '
# shellcheck disable=SC2086
"$sluice" advise $hosts --nodes 8 --json >"$folder/beyond.json"
# shellcheck disable=SC2086
"$sluice" advise $hosts --nodes 8 --model-error 0 --json >"$folder/given.json"
python3 - "$folder/beyond.json" "$folder/given.json" <<'CHECK' || failed=1
import json
import sys

table, given = (json.load(open(path)) for path in sys.argv[1:])
assert table["model_error_from"] == "beyond what was measured"
assert table["extrapolates"] == given["extrapolates"] == "nodes 8 > 4 measured"
assert table["never_measured"].startswith("all-to-alls of hosts on 8 nodes")
most = table["probability_at_most"]
assert 0 < most < 1 and table["probability"] <= most and table["probability_before_next"] <= most
assert all(w["probability"] <= most for w in table["ways"])
assert given["model_error"] == 0 and "never_measured" not in given and "probability_at_most" not in given
CHECK

if command -v gnuplot >/dev/null; then
    mkdir "$folder/read"
    cp "$folder/one.csv" "$folder/read/fig-advise.csv"
    refused "$folder/read/fig-advise.csv is the file that is read" --platform flat8 --nodes 2 \
        --workload "exchange:$folder/read/fig-advise.csv" --ranks-per-node 1 --figure "$folder/read"
    cmp -s "$folder/one.csv" "$folder/read/fig-advise.csv" || { echo "written over"; failed=1; }
    # shellcheck disable=SC2086
    "$sluice" advise $stencil --figure "$folder/figures" >/dev/null 2>"$folder/drawn"
    for end in csv svg pdf png; do
        [ -s "$folder/figures/fig-advise.$end" ] || { echo "no fig-advise.$end"; cat "$folder/drawn"; failed=1; }
    done
    has "$folder/figures/fig-advise.csv" "^# sluice advise .*--workload stencil:.* --draws 30 --seed 4"
    has "$folder/figures/fig-advise.csv" '^way,1,'
    has "$folder/figures/fig-advise.csv" '^parameter,1,'
    # shellcheck disable=SC2086
    "$sluice" advise --workload alltoall:bytes=4k..64k $sizes --draws 5 --figure "$folder/figures" >/dev/null 2>&1
    for end in csv svg pdf png; do
        [ -s "$folder/figures/fig-advise-sizes.$end" ] || { echo "no fig-advise-sizes.$end"; failed=1; }
    done
    has "$folder/figures/fig-advise-sizes.csv" '^# sluice advise .*--nodes 4 .*--draws 5 --seed 1'
    has "$folder/figures/fig-advise-sizes.csv" '^1,"standard/staged",65536,[0-9.]+,[0-9.]+,[0-9.]+,[01][.]'
fi
exit $failed
