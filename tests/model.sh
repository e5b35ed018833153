#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# sluice model: ranked tables, the two readings, and what it refuses.
sluice=$1
failed=0

expect() { # text pattern: a line of the text matches
    grep -qE -- "$2" <<<"$1" || { echo "no line like '$2' in:"; echo "$1"; failed=1; }
}

refuse() { # pattern arguments...: exit code 2, nothing printed, this error
    local pattern=$1 out
    shift
    out=$("$sluice" model "$@" 2>&1 >/dev/null)
    [ $? = 2 ] || { echo "not refused: $*"; failed=1; }
    expect "$out" "$pattern"
}

fig=(--platform lassen-paper --scenario messages=256,nodes=16,bytes=1000)

# By hand in test_model.c: 4 * 7.76 + 10.73 off node, 44.00 on node.
out=$("$sluice" model "${fig[@]}")
expect "$out" '^3-step/staged +113\.02 +41\.77 +44\.00 +27\.25 '
[ "$(wc -l <<<"$out")" = $(($("$sluice" list strategies | wc -l) + 1)) ] ||
    { echo "not all strategies"; failed=1; }
# Those without a closed form, "-", come last.
sort -c -s -g -k2,2 <(tail -n +2 <<<"$out" | sed -E 's/^([^ ]+ +)- /\1inf /') ||
    { echo "not ranked"; failed=1; }
out=$("$sluice" model "${fig[@]}" --reading printed --strategy 3-step/staged)
expect "$out" '^3-step/staged +112\.97 +41\.77 +44\.00 +27\.20 +1\.00$'

out=$("$sluice" model "${fig[@]}" --csv --strategy standard/device,2-step/device)
expect "$out" '^strategy,total_s,off_node_s,on_node_s,copy_s,platform,workload,nodes,gpus,times_best,partition,seed,sluice$'
expect "$out" '^standard/device,0\.000583808,0\.000583808,0,0,"lassen-paper",'
out=$("$sluice" model "${fig[@]}" --json --strategy split+md)
expect "$out" '"strategy": "split\+md"'

out=$("$sluice" model --platform lassen-paper --workload stencil:5pt:100x100 \
    --gpus 8 --strategy standard/staged)
expect "$out" '^standard/staged '

# As many GPUs as `run` takes: 16 nodes; and an experiment file.
file=$(mktemp)
trap 'rm -f "$file"' EXIT
echo '{"workload": "stencil:5pt:100x100", "gpus": 64}' >"$file"
[ "$("$sluice" model "$file")" = \
    "$("$sluice" model --workload stencil:5pt:100x100)" ] ||
    { echo "other than 64 GPUs"; failed=1; }

# One GPU a node, one socket: no cost between sockets is missed.
out=$("$sluice" model --platform duo --workload stencil:5pt:8x8 --gpus 2)
expect "$out" '^3-step/staged +21\.08 '
expect "$out" '^split\+md +22\.14 '

# As by hand in run.sh.
out=$("$sluice" model --platform duo --workload stencil:5pt:8x8 --gpus 2 \
    --value-bytes 64 --csv --strategy standard/device)
expect "$out" '^standard/device,2\.512e-06,'

# What METIS would give, by the closed forms of the same strategy.
work=(--platform lassen-paper --workload stencil:5pt:100x100 --gpus 64)
us=$("$sluice" model "${work[@]}" --partition metis --strategy split+md |
    awk '/^split/ { print $2 }')
out=$("$sluice" model "${work[@]}" --strategy split+md)
expect "$out" "^metis rows: best split\\+md, $us us \\("
out=$("$sluice" model "${work[@]}" --strategy split+md --json)
expect "$out" '"partition": "metis"'
out=$("$sluice" model "${work[@]}" --compare-partition none)
! grep -q '^metis rows' <<<"$out" || { echo "METIS unasked"; failed=1; }
refuse '--no-packing: the closed forms have none' "${work[@]}" --no-packing
refuse '--compare-partition: not with --csv' "${work[@]}" --csv \
    --compare-partition metis

refuse 'values of 2097152 bytes: expected 1 to 1048576' --platform duo \
    --workload stencil:5pt:8x8 --gpus 2 --value-bytes 2M
refuse '--value-bytes: not for --scenario' "${fig[@]}" --value-bytes 64
refuse 'expected either --workload or --scenario'
refuse 'model: random:ranks=2,.* has no closed forms' \
    --workload random:ranks=2,messages=1,rounds=1,bytes=1..1,seed=1
refuse 'has 792 nodes of 4 GPUs; 3169 GPUs wanted' \
    --workload stencil:5pt:100x100 --gpus 3169
refuse 'one node to 792 others: lassen has 792' \
    --scenario messages=3,nodes=792,bytes=1
refuse 'no message leaves a node' --workload stencil:5pt:20x20 --gpus 4
refuse '--scenario: bytes: given twice' --scenario messages=3,nodes=1,bytes=1,bytes=2
refuse '--scenario: node: unknown' --scenario messages=3,node=4
refuse "nodes: expected a whole number from 1 to 1e\+06, got '0'" \
    --scenario messages=3,nodes=0,bytes=1
refuse 'messages, nodes and bytes are needed' --scenario messages=3
refuse "--reading: expected printed or corrected" "${fig[@]}" --reading literal
refuse 'did you mean split\+md\?' "${fig[@]}" --strategy split+mm
refuse 'not both' "${fig[@]}" --json --csv
exit $failed
