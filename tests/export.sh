# SPDX-License-Identifier: GPL-3.0-or-later
# `sluice export`: its files, the same twice, all or none; what is refused.
set -eu
sluice=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

small="--platform duo --workload stencil:5pt:8x8 --nodes 2 --strategy split+md"

refused() {
    code=$1 want=$2
    shift 2
    got=0
    "$sluice" export "$@" >"$folder/out" 2>"$folder/err" || got=$?
    if [ $got -ne "$code" ] || ! grep -qF -e "$want" "$folder/err"; then
        echo "export $*: expected exit code $code and '$want', got $got and:" >&2
        cat "$folder/err" >&2
        exit 1
    fi
}

# All at once, and each on standard output, are the same bytes.
cd "$folder"
"$sluice" export $small --goal goal --ti ti --simgrid-platform p.xml \
    --hostfile hosts --plan plan >said
cat >want <<EOT
split+md on duo: 4 ranks, 8 operations, 22.141 us
smpirun -platform p.xml -hostfile hosts -replay ti.list
EOT
diff -u want said
"$sluice" export $small --goal - | cmp - goal
"$sluice" export $small --ti - | cmp - ti
"$sluice" export $small --simgrid-platform - | cmp - p.xml
"$sluice" export $small --hostfile - | cmp - hosts
"$sluice" export $small --plan - | cmp - plan
[ "$(cat ti.list)" = ti ]
[ "$(head -1 plan)" = "sluice-plan 1" ]
[ "$(tail -1 plan)" = end ]

# By hand: rank 0 copies 64 B out, sends them, receives and copies in.
sed -n '/^rank 0/,/^}/p' goal >rank0
cat >want <<EOT
rank 0 {
// D2H, GPU 0, 64 B
c0: calc 10006
s1: send 64b to 1 tag 1
s1 requires c0
r2: recv 64b from 3 tag 11
// H2D, GPU 0, 64 B
c3: calc 10006
c3 requires r2
}
EOT
diff -u want rank0

# An experiment file; wildcards stay in GOAL and are resolved in a trace.
echo '{"platform": "duo", "workload": "stencil:5pt:8x8", "nodes": 2,
       "strategy": "split+md"}' >x.json
"$sluice" export x.json --goal - | cmp - goal
printf '%s\n' op,rank,kind,peer,tag,bytes,work_us,after 0,0,send,8,1,1000,, \
    1,8,recv,any,any,,, >s.csv
schedule="--platform flat8 --workload schedule:s.csv"
"$sluice" export $schedule --goal - | grep -qx 'r8: recv 1000b from -1 tag -1'
"$sluice" export $schedule --ti - | grep -qx '8 irecv 0 0 1000'
"$sluice" export $schedule --plan - | grep -qx 'recv off_node 8 any any any'

refused 2 "expected --goal, --ti" $small
refused 2 "expected one --strategy, got " --goal no --platform duo \
    --workload stencil:5pt:8x8 --nodes 2
refused 2 "expected one --strategy, got 2" --goal no --platform duo \
    --workload stencil:5pt:8x8 --nodes 2 --strategy split+md,split+dd
refused 2 "only one file goes to standard output" $small --goal - --ti -
refused 2 "--goal, --plan: the same file" $small --goal no --plan no
refused 2 "--goal, --plan: the same file, ./no" $small --goal no --plan ./no
refused 2 "name of a file to write, got ''" $small --goal no --plan ""
refused 2 "has no plan" --goal no --platform daisy --workload bfs:grid:9x9
refused 2 "--strategy: not for schedule:" --goal no $schedule --strategy split+md
refused 2 "cannot be written" $small --goal no --plan none/no
refused 2 "unknown option (did you mean --goal" $small --gaol no
plus="--set network.topology=dragonfly_plus --set network.groups=3
    --set network.leaves=2 --set network.spines=1 --set network.nodes_per_leaf=1
    --set network.group_links=1 --set network.leaf_links=1"
"$sluice" export $small $plus --simgrid-platform - | grep -q '"group0.leaf0.spine0_UP"'
refused 2 "one way from a node to another" $small $plus \
    --set network.routing=valiant --simgrid-platform no
refused 2 "one latency of all ways" $small --set network.hop_ns=9 --simgrid-platform no
refused 2 "one experiment file" x.json y.json --goal no
printf '%s\n' op,rank,kind,peer,tag,bytes,work_us,after 0,0,send,8,1,9,, >s.csv
refused 2 "is never received" $schedule --goal no
printf '%s\n' op,rank,kind,peer,tag,bytes,work_us,after \
    0,0,send,8,1,5000000000,, 1,8,recv,0,1,,, >s.csv
# Neither format can express a probe, a synchronous send, another runtime.
plan() {
    printf '%s\n' "sluice-plan 1" "name p" "machine flat8" "nodes 2" \
        "gpus_per_node 0" "ranks_per_node 8" "cores 0 1 2 3 4 5 6 7" \
        "halo 0 0 0" "ops $#" "$@" end >p
}
cannot() {
    refused 2 "--goal: p: operation $1: GOAL cannot say $2" --platform flat8 \
        --workload plan:p --goal no --plan no2
    refused 2 "--ti: p: operation $1: a trace cannot say $2" --platform flat8 \
        --workload plan:p --ti no --plan no2
}
plan "send off_node 0 8 1 8" "probe off_node 8 0 1" \
    "recv off_node 8 0 1 8 after 1"
cannot 1 "a probe"
plan "send off_node 0 8 1 8 synced" "recv off_node 8 0 1 8"
cannot 0 "a send that is complete only when it is received"
refused 2 "messages of nccl_simple, which GOAL cannot say" --platform h200-x2 \
    --workload allreduce:bytes=8000 --algorithm nccl_ring/simple --goal no
refused 2 "--ti: s.csv: operation 0: 5000000000 B" $schedule --goal no --ti no2
[ -z "$(ls | grep -e no -e part || true)" ]
if [ -w /dev/full ]; then
    refused 1 "No space left on device" $small --goal no --plan /dev/full
    refused 1 "No space left on device" $small --simgrid-platform /dev/full
fi
