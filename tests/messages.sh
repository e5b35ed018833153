# SPDX-License-Identifier: GPL-3.0-or-later
# `sluice run` of messages: rounds, schedules, engines, accuracy, what never
# ends, and what is refused.
set -eu
sluice=$1
. tests/ends.bash
common="--platform flat8"
head=op,rank,kind,peer,tag,bytes,work_us,after

schedule() {
    printf '%s\n' "$head" "$@" >"$folder/s.csv"
}

file="--workload schedule:$folder/s.csv"

# 1 us and 12.5 GB/s: 81 us; a wildcard takes it.
schedule 0,0,send,8,1,1000000,, 1,8,recv,any,any,,,
for engine in fluid simgrid; do
    ends 0 'messages take 81.000 us' $file --engine $engine
done
ends 0 '"messages": 1' $file --json
ends 0 'as-given               81.00 ' $file --timeline "$folder/t.json"
grep -q 'receive, rank 8 from any rank, any tag' "$folder/t.json"
ends 1 'more than 3 events' $file --max-events 3
ends 2 'expected a whole number above 0' $file --max-events 0
ends 2 'only the fluid engine' $file --engine simgrid --accuracy exact
ends 2 "expected exact, auto or 0 to 0.1, got '0.2'" $file --accuracy 0.2
ends 0 ',2,,as-given,8.1e-05,,1,1000000,' $file --csv

# Ranks 0 and 8 on one node or on several; what would be ignored is refused.
"$sluice" run --platform lassen $file --csv --nodes 1 |
    grep -q '^lassen,.*,1,,as-given,'
ends 0 ',9,,as-given,' $file --csv --ranks-per-node 1
ends 0 '9 ranks, 1 messages, 3 nodes' $file --nodes 3 --ranks-per-node 3
ends 2 '9 ranks, 2 on a node, wanted on 3 nodes: they need 5' $file --nodes 3 \
    --ranks-per-node 2
ends 2 '9 ranks per node wanted, flat8 has 8 cores' $file --nodes 1
ends 2 'not for schedule:, which takes: nodes ranks-per-node' $file --gpus 2
ends 2 '--set execution.fetch=2: schedule: has no executions' $file \
    --set execution.fetch=2

# Two wait for each other; nothing is printed but that.
schedule 0,0,recv,8,1,,, 1,0,send,8,2,8,,0 2,8,recv,0,2,,, 3,8,send,0,1,8,,2
ends 2 'operations that never end: 4 of 4; these wait for each other' $file
ends 2 'operation 3 (send, rank 8 to 0, tag 1, 8 B) waits for operation 2' $file
[ "$(grep -c '^  operation [0-3] ' "$folder/err")" -eq 4 ]
schedule 0,0,send,8,1,8,,
ends 2 'operation 0 (send, rank 0 to 8, tag 1, 8 B) is never received' $file
schedule 0,0,sned,8,1,8,,
ends 2 "s.csv:2: kind: expected send, recv or work, got 'sned'" $file
ends 2 'none.csv: cannot be read' --workload schedule:none.csv

# A round waits for the one before, and a rendezvous for its receive.
printf '%s\n' round,src,dst,bytes 0,80,40,100000000 1,0,40,100000 >"$folder/x.csv"
"$sluice" run --platform lassen --workload "exchange:$folder/x.csv" >"$folder/x"
printf '%s\n' "$head" 0,80,send,40,0,100000000,, 1,40,recv,80,0,,, \
    2,0,send,40,1,100000,, 3,40,recv,0,1,,,1 >"$folder/s.csv"
"$sluice" run --platform lassen $file >"$folder/s"
time_of() { awk '/^as-given  / { print $3 }' "$folder/$1"; }
[ -n "$(time_of x)" ] && [ "$(time_of x)" = "$(time_of s)" ] || {
    cat "$folder/x" "$folder/s" >&2
    exit 1
}

# Exact up to 20,000 messages, and it is said when not.
random=random:ranks=200,messages=100,rounds=1,bytes=1..9,seed=1
ends 0 'engine fluid' --workload $random
! grep -q accuracy "$folder/out"
random=random:ranks=200,messages=101,rounds=1,bytes=1..9,seed=1
ends 0 'engine fluid, accuracy 0.01' --workload $random
ends 0 'engine fluid' --workload $random --accuracy exact
! grep -q accuracy "$folder/out"
ends 2 'the machine has 10368 cores' \
    --workload random:ranks=10369,messages=1,rounds=1,bytes=1..9,seed=1

# What a bench would not look at is refused.
for words in "halo --platform duo" "halo --engine fluid" "engines --engine fluid" \
    "growth --accuracy 0.1" "growth --against x" "start --against x"; do
    # shellcheck disable=SC2086
    "$sluice" bench $words >"$folder/b" 2>&1 && code=0 || code=$?
    if [ $code != 2 ] || ! grep -q 'not for bench' "$folder/b"; then
        echo "bench $words: exit code $code" >&2
        exit 1
    fi
done
# A bench case over its limit is ended then, not later.
from=$(date +%s)
"$sluice" bench rounds --limit 1 --accuracy exact >"$folder/b" &
bench=$!
sleep 6
kill $bench 2>"$folder/killed" || true
wait $bench || true
grep -q 'over the limit' "$folder/b"
