# SPDX-License-Identifier: GPL-3.0-or-later
# What `sluice run` says of the ranks of a replayed trace: text, JSON, CSV.
set -eu
sluice=$1
halo=workloads/data/halo.ti

run() {
    "$sluice" run --workload "trace:$halo" --platform lassen --nodes 2 \
        --strategy as-given "$@" \
        2>/dev/null
}

# Rank 5 computes half as long again: its four peers wait for its messages, all
# others in the collective for one of these; what they wait is its fault.
text=$(run)
for part in "  waiting " "    late senders " "    late to collectives, phases " \
    "load balance 68.8 %" "others waited longest because of rank 5 (" \
    "ranks that waited longest (8 of 16)" "  rank 5, "; do
    case $text in
    *"$part"*) ;;
    *)
        echo "expected '$part' in: $text"
        exit 1
        ;;
    esac
done
[ "$(run --details | grep -c '  rank [0-9]*, ')" -ge 15 ]

# The parts of each rank are all of its time, in the JSON as in the CSV.
[ "$(run --csv --details | wc -l)" -eq 17 ]
run --csv --details | awk -F, '
    NR > 1 {
        off = $3 - $4 - $5 - $6
        if (off > 1e-9 || off < -1e-9) { print "rank " $2 ": " off; bad = 1 }
        computing += $4
    }
    END { exit bad || computing < 0.1649 || computing > 0.1651 }'
if command -v python3 >/dev/null; then
    run --json | python3 -c '
import json, sys
one = json.load(sys.stdin)["strategies"][0]
ranks = one["rank_times"]
assert len(ranks) == 16
assert abs(sum(r["waiting_s"] for r in ranks) -
           one["time_of_ranks"]["waiting_s"]) < 1e-9
assert max(ranks, key=lambda r: r["others_waited_s"])["rank"] == 5
'
fi

run --compute-scale 0 --json | grep -q '"computing_s": 0,'
