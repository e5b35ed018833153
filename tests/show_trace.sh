# SPDX-License-Identifier: GPL-3.0-or-later
# `sluice show trace`: the text, the JSON, the CSV, and what is refused.
set -eu
sluice=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
halo=workloads/data/halo.ti

refused() {
    want=$1
    shift
    if out=$("$sluice" show trace "$@" 2>&1); then
        echo "show trace $*: not refused" >&2
        exit 1
    elif [ $? -ne 2 ]; then
        echo "show trace $*: exit code is not 2" >&2
        exit 1
    fi
    has "$out" "$want"
}

has() {
    case $1 in
    *"$2"*) ;;
    *)
        echo "expected '$2' in '$1'" >&2
        exit 1
        ;;
    esac
}

"$sluice" show trace $halo | diff tests/golden/show_trace.out -
[ "$("$sluice" show trace $halo)" = "$("$sluice" show trace ti:$halo |
    sed 's/ti:workloads/workloads/')" ]

# The JSON says the same, and can be read by others.
json=$("$sluice" show trace $halo --json)
has "$json" '"messages": 320'
has "$json" '"rank_pairs": 64'
if command -v python3 >/dev/null; then
    echo "$json" | python3 -c '
import json, sys
d = json.load(sys.stdin)
assert d["calls"]["isend"] == {"calls": 320, "read_as": ["send"]}
assert sum(r["sends"] for r in d["per_rank"]) == 320
assert sum(s["bytes"] for s in d["point_to_point"]["sizes"]) == 1950720
'
fi

# A line for each rank, and all ranks with --details.
[ "$("$sluice" show trace $halo --csv | wc -l)" -eq 17 ]
has "$("$sluice" show trace $halo --csv)" "5,62,52,20,121920,20,5,4,,,"
has "$("$sluice" show trace $halo --details)" "
15                 52           20"
has "$("$sluice" show trace $halo --timings)" "million events/s"

# Cut off: what is missing is said, and the rest counted.
sed '/^3 .*waitall/,/^4/{/^3/d;}' $halo >"$dir/cut.ti"
text=$("$sluice" show trace "$dir/cut.ti")
has "$text" "no MPI_Finalize in 1 of 16 ranks"
has "$text" "pairs of ranks do not agree"

# Wildcards and calls that nobody knows.
printf '%s\n' '0 init' '0 send 1 7 10 6' '0 dance 5' '0 finalize' '1 init' \
    '1 recv -555 -444 10 6' '1 finalize' >"$dir/any.ti"
text=$("$sluice" show trace "ti:$dir/any.ti")
has "$text" "source in 0, tag in 0, both in 1 of 1 receives"
has "$text" "1 calls are not understood: dance"
has "$text" "1 receives from a rank that the trace does not say"

refused "expected one file, got 0"
refused "expected one file, got 2" $halo $halo
refused "--timings: expected without --json" $halo --json --timings
refused "expected one of --json, --csv and --details" $halo --json --csv
refused "not a trace of a known format (" workloads/data/cvxbqp1.mtx.gz
refused "No such file" "$dir/nowhere"
echo '0 send 9 7 10 6' >"$dir/far.ti"
refused "far.ti:1: rank 0: send" "ti:$dir/far.ti"

"$sluice" list formats | grep -q '^  ti  '

# Queues of matching: of the halo each rank posts 4 receives before 4 messages
# come, five times; rank 5, which is slow, too, since ranks take turns.
queues=$("$sluice" show trace $halo --queues)
has "$queues" "no clocks: the ranks take turns, an event each"
has "$queues" "messages 320, receives 320, of any source 0, of any tag 0"
[ "$("$sluice" show trace $halo --queues --csv | cut -d, -f1,4,6,8-11,15-18 |
    sed -n 7p)" = 5,0,4,20,20,0,0,30,4,4,1 ]
has "$("$sluice" show trace $halo --queues --details)" "looked at"
refused "--queues: expected without" $halo --queues --json
