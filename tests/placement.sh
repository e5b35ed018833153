# SPDX-License-Identifier: GPL-3.0-or-later
# `sluice run --placement`: ranks on nodes of the user's choice.
set -eu
sluice=$1
. tests/ends.bash
common="--platform lassen"

time_of() {
    "$sluice" run $common "$@" --csv | sed -n '2,$s/.*as-given,\([^,]*\),.*/\1/p'
}
equal() { # A B: to the last digit
    [ -n "$1" ] && [ "$1" = "$2" ] || { echo "$1 is not $2"; exit 1; }
}

# 128 ranks, 4 on a node; ..., the same with nodes in another order; ..., dealt
# out to the nodes in turn.
{ echo rank,node; for r in $(seq 0 127); do echo $r,$((r / 4)); done; } \
    >"$folder/same.csv"
{ echo rank,node; for r in $(seq 0 127); do echo $r,$((r / 4 * 7 % 32)); done; } \
    >"$folder/turned.csv"
{ echo rank,node; for r in $(seq 127 -1 0); do echo $r,$((r % 32)); done; } \
    >"$folder/dealt.csv"

random="--workload random:ranks=128,messages=10,rounds=3,bytes=1000..100000,seed=1"
plain=$(time_of $random --ranks-per-node 4)
for engine in fluid simgrid; do
    equal "$plain" $(time_of $random --engine $engine \
        --placement "$folder/same.csv")
done
for file in turned dealt; do
    fluid=$(time_of $random --placement "$folder/$file.csv")
    equal "$fluid" $(time_of $random --engine simgrid \
        --placement "$folder/$file.csv")
    [ "$fluid" != "$plain" ] || { echo "$file: nothing moved"; exit 1; }
done
# Steps whose partners turn are unrolled where ranks are not in blocks.
turning="--workload alltoall:ranks=128,bytes=1000,exchange=pairwise"
equal $(time_of $turning --ranks-per-node 4) \
    $(time_of $turning --placement "$folder/same.csv")
ends 0 'as-given' $turning --placement "$folder/dealt.csv"

# --- by hand --------------------------------------------------------------------

# One message from rank 0 to rank 1: on a node, in a rack, to another rack (18
# nodes each), which takes 0.359 us longer (platforms/lassen.json).
printf 'op,rank,kind,peer,tag,bytes,work_us,after\n0,0,send,1,0,1000,,\n1,1,recv,0,0,,,\n' \
    >"$folder/one.csv"
one="--workload schedule:$folder/one.csv"
at() { printf 'rank,node\n0,%s\n1,%s\n' "$1" "$2" >"$folder/at.csv"; }
at 5 6
near=$(time_of $one --placement "$folder/at.csv")
at 17 0
equal "$near" "$(time_of $one --placement "$folder/at.csv")"
at 17 18
far=$(time_of $one --placement "$folder/at.csv")
awk -v n="$near" -v f="$far" 'BEGIN { exit !((f - n - 0.359e-6) ^ 2 < 1e-24) }' ||
    { echo "another rack: $near, $far"; exit 1; }
# 10 nodes below a leaf switch of a tree of 2 levels: one hop or three.
tree='network={"topology":"fat_tree","nodes":100,"levels":[{"down":10,"up":1,"links":1},{"down":10,"up":10,"links":1}],"bandwidth_GBps":25,"hop_ns":100,"source":{"kind": "assumed", "text": "a test"}}'
at 12 19
near=$(time_of $one --set "$tree" --placement "$folder/at.csv")
at 19 20
far=$(time_of $one --set "$tree" --placement "$folder/at.csv")
awk -v n="$near" -v f="$far" 'BEGIN { exit !((f - n - 0.2e-6) ^ 2 < 1e-24) }' ||
    { echo "over the root: $near, $far"; exit 1; }
# Links have the numbers of the machine's nodes.
ends 0 'network.node19' $one --details --placement "$folder/at.csv" \
    --set 'network={"topology":"crossbar","nodes":100,"bandwidth_GBps":25,"source":{"kind": "assumed", "text": "a test"}}'
# As many GPUs as there are ranks; two racks instead of one.
halo="--workload stencil:9pt:100x100 --strategy standard/staged --csv"
{ echo rank,node; for r in $(seq 0 31); do echo $r,$((r / 4)); done; } >"$folder/h.csv"
"$sluice" run $common $halo --nodes 8 >"$folder/a"
"$sluice" run $common $halo --placement "$folder/h.csv" | cmp - "$folder/a"
{ echo rank,node; for r in $(seq 0 31); do echo $r,$((r / 4 * 9)); done; } >"$folder/h.csv"
! "$sluice" run $common $halo --placement "$folder/h.csv" | cmp -s - "$folder/a"

# --- names of nodes ---------------------------------------------------------------

at n103 n105
ends 2 "at.csv:2: node: unknown node 'n103': lassen names none" $one \
    --placement "$folder/at.csv"
named='network.first_node="n101"'
equal "$(at 2 4; time_of $one --placement "$folder/at.csv")" \
    "$(at n103 n105; time_of $one --set "$named" --placement "$folder/at.csv")"
at n100 n105
ends 2 "at.csv:2: node: unknown node 'n100': lassen has those from n101" $one \
    --set "$named" --placement "$folder/at.csv"
printf 'node,place\nalice,18\nbob,17\n' >"$folder/names.csv"
"$sluice" show platform lassen --json --set 'network.node_list="names.csv"' \
    >"$folder/named.json"
at bob alice
common="--platform $folder/named.json"
far=$(time_of $one --placement "$folder/at.csv")
at 17 18
equal "$far" "$(time_of $one --placement "$folder/at.csv")"
at bob carol
ends 2 "at.csv:3: node: unknown node 'carol': lassen has those in names.csv" \
    $one --placement "$folder/at.csv"
echo bob,1 >>"$folder/names.csv"
ends 2 'names.csv: node: bob is there twice' $one --placement "$folder/at.csv"
common="--platform lassen"

# --- collectives ------------------------------------------------------------------

# As many ranks as the file has; in blocks from node 0 on it is the job of so many
# nodes, dealt to other racks it is not.
common="--platform lassen"
ring_s() { "$sluice" run $common "$@" --json | sed -n 's/.*"time_s": *\([^,]*\),.*/\1/p' | head -1; }
ring="--workload allreduce:bytes=1M --algorithm ring"
{ echo rank,node; for r in $(seq 0 15); do echo $r,$((r / 4)); done; } >"$folder/blocks.csv"
{ echo rank,node; for r in $(seq 0 15); do echo $r,$((r % 4)); done; } >"$folder/round.csv"
equal "$(ring_s $ring --nodes 4)" "$(ring_s $ring --placement "$folder/blocks.csv")"
[ "$(ring_s $ring --nodes 4)" != "$(ring_s $ring --placement "$folder/round.csv")" ] ||
    { echo "round.csv: nothing moved"; exit 1; }
host="--workload allreduce:bytes=1M,memory=host --algorithm ring"
equal "$(ring_s $host --nodes 4 --ranks-per-node 4)" \
    "$(ring_s $host --placement "$folder/blocks.csv")"
ends 2 'hierarchical_ring: the ranks of a node are not consecutive' \
    --workload allreduce:bytes=1M --algorithm hierarchical_ring --placement "$folder/round.csv"
ends 0 'the ranks of a node are not consecutive' --workload allreduce:bytes=1M --algorithm all --placement "$folder/round.csv"
ends 2 '--placement says how many ranks there are: leave out --gpus' $ring --gpus 16 \
    --placement "$folder/blocks.csv"
{ echo rank,node; for r in $(seq 0 4); do echo $r,0; done; } >"$folder/five.csv"
ends 2 'five.csv: 5 ranks on a node of 4 GPUs' $ring --placement "$folder/five.csv"

# --- what is wrong ----------------------------------------------------------------

wrong() { # TEXT ROWS
    printf "rank,node\n$2" >"$folder/wrong.csv"
    ends 2 "wrong.csv:$1" $one --placement "$folder/wrong.csv"
}
wrong '3: rank: 0 is in line 2 already' '0,1\n0,2\n'
wrong '3: rank: 2 of 2 rows: ranks are to be 0 to 1, each once' '0,1\n2,2\n'
wrong "2: node: unknown node '792': lassen has 792 nodes" '0,792\n1,2\n'
wrong "2: node: unknown node '': lassen names none" '0,\n1,2\n'
wrong ' has no node for rank 1 of' '0,4\n'
wrong ' no rows' ''
{ echo rank,node; for r in $(seq 0 40); do echo $r,3; done; } >"$folder/wrong.csv"
ends 2 'wrong.csv:42: rank 40: more ranks on node 3 than the 40 cores of lassen' \
    $one --placement "$folder/wrong.csv"
printf 'rank,node,local\n0,1,3\n1,1,3\n' >"$folder/wrong.csv"
ends 2 "wrong.csv:3: rank 1: place 3 on node 1 is rank 0's" $one \
    --placement "$folder/wrong.csv"
printf 'rank,node,core\n0,1,3\n1,2,4\n' >"$folder/wrong.csv"
ends 2 'wrong.csv:3: rank 1: core 4: the ranks of place 0 are on core 3 of' \
    $one --placement "$folder/wrong.csv"
printf 'rank\n0\n1\n' >"$folder/wrong.csv"
ends 2 "wrong.csv:2: no column 'node'" $one --placement "$folder/wrong.csv"
ends 2 '--placement says on which nodes ranks are: leave out --nodes' $one \
    --nodes 2 --placement "$folder/same.csv"
ends 2 'expected a rank for each of the 128 GPUs, 4 after each other' \
    --workload stencil:9pt:100x100 --placement "$folder/dealt.csv"
common="--platform daisy"
ends 2 '--placement: not for bfs:' --workload bfs:path:10 \
    --placement "$folder/same.csv"
