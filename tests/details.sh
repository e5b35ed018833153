# SPDX-License-Identifier: GPL-3.0-or-later
# `sluice run --json --details` of every kind of workload on several machines:
# what is sent is received, direct strategies send what the workload has and no
# more, and no link carries more than it can in the time.
set -eu
sluice=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# Prints a line "strategy NAME sent received links worst" for each strategy of
# the document, and first "workload BYTES": of a graph "null".
sums() {
    awk '
        function value(key) {
            if (!match($0, "\"" key "\": [^,}]*"))
                return "-"
            return substr($0, RSTART + length(key) + 4, RLENGTH - length(key) - 4)
        }
        function flush() {
            if (name != "")
                print "strategy", name, sent, received, links, worst
        }
        /"workload_bytes":/ { print "workload", value("workload_bytes") }
        /"strategy":/ {
            flush()
            name = value("strategy")
            gsub(/"/, "", name)
            sent = received = links = worst = 0
        }
        /"time_s":/ { time_s = value("time_s") }
        /"sent_bytes":/ { sent += value("sent_bytes") }
        /"received_bytes":/ { received += value("received_bytes") }
        /"bandwidth_Bps":/ { bandwidth = value("bandwidth_Bps") }
        /"bytes":/ && bandwidth {
            rate = value("bytes") / time_s / bandwidth
            worst = rate > worst ? rate : worst
            bandwidth = 0
            links++
        }
        END { flush() }
    ' "$dir/json"
}

# Which strategies send the workload once, more tolerance than 1 on links, and
# the arguments.
check() {
    direct=$1
    shift
    "$sluice" run "$@" --json --details >"$dir/json" 2>"$dir/left-out"
    sums >"$dir/sums"
    awk -v direct="$direct" '
        $1 == "workload" { bytes = $2 }
        $1 != "strategy" { next }
        {
            n++
            fair = $3 == $4 && $3 > 0
            if ($2 ~ direct)
                fair = fair && $3 == bytes && ++nd
            fair = fair && $5 > 0 && $6 > 0 && $6 <= 1 + 1e-9
            if (!fair) { bad = 1; print "unfair:", $0, "of", bytes }
        }
        END { exit bad || !n || (direct != "none" && !nd) }
    ' "$dir/sums" || {
        echo "run $*:" >&2
        cat "$dir/sums" >&2
        exit 1
    }
}

printf '%s\n' round,src,dst,bytes 0,0,1,70000 0,1,45,8 1,45,0,123456 \
    1,2,0,0 >"$dir/x.csv"
printf '%s\n' op,rank,kind,peer,tag,bytes,work_us,after \
    0,0,send,50,1,1000000,, 1,50,recv,any,any,,, 2,50,send,0,1,77,,1 \
    3,0,recv,50,1,1000,,0 >"$dir/s.csv"

for machine in lassen summit dgx-h100 duo; do
    check '^standard/' --platform $machine --nodes 2 \
        --workload stencil:9pt:200x200
done
check '^standard/' --platform lassen --nodes 3 --keep-duplicates \
    --strategy standard/staged,3-step/staged,split+md \
    --workload random:rows=2000,row_nnz=9,seed=1
for machine in lassen flat8; do
    for engine in fluid simgrid; do
        check as-given --platform $machine --engine $engine \
            --workload "exchange:$dir/x.csv"
        check as-given --platform $machine --engine $engine \
            --workload "schedule:$dir/s.csv"
    done
done
check as-given --platform summit \
    --workload random:ranks=90,messages=5,rounds=2,bytes=1..90000,seed=2
for machine in daisy lassen; do
    check none --platform $machine --gpus 4 \
        --workload bfs:rmat:scale=11,edge_factor=8
done
check none --platform lassen --nodes 2 \
    --workload pagerank:rmat:scale=9,edge_factor=8
# Of a graph what the GPUs send is what the transfers carry.
sent=$(grep -o '"sent_bytes": [0-9]*' "$dir/json" | awk '{ s += $2 } END { print s }')
all=$(grep -o '"transfer_bytes": [0-9]*' "$dir/json" | awk '{ s += $2 } END { print s }')
[ "$sent" = "$all" ] || { echo "GPUs sent $sent B of $all B" >&2; exit 1; }

# Without details the busiest links alone.
[ "$("$sluice" run --platform duo --workload stencil:5pt:8x8 --json \
    --strategy split+md | grep -c utilisation)" -eq 5 ]
