#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# sluice sweep: spaces into databases, resumed, killed, sharded, refused.
sluice=$1
failed=0
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

expect() { # what command...: it succeeds
    local what=$1
    shift
    "$@" || { echo "failed: $what" >&2; failed=1; }
}

refuse() { # code pattern arguments...: one line on standard error
    local code=$1 pattern=$2 got
    shift 2
    "$sluice" sweep "$@" >"$dir/stdout" 2>"$dir/stderr"
    got=$?
    expect "$*: exit code $got" [ "$got" = "$code" ]
    expect "$*: one line: $(cat "$dir/stderr")" \
        [ "$(wc -l <"$dir/stderr")" = 1 ]
    expect "$*: '$pattern' in $(cat "$dir/stderr")" \
        grep -qF -- "$pattern" "$dir/stderr"
}

space() { # text of SPACE.json
    printf '%s\n' "$1" >"$dir/space.json"
}

bad() { # pattern text: it is refused, and no database is made
    space "$2"
    refuse 2 "$1" "$dir/space.json" -o "$dir/bad.db"
    expect "$1: no database" [ ! -e "$dir/bad.db" ]
}

sweep() { # arguments...: its standard output
    "$sluice" sweep "$@" 2>"$dir/stderr" || {
        echo "sweep $*: $(cat "$dir/stderr")" >&2
        failed=1
    }
}

# All but what the machine took, in order of the points.
rows() { # database
    sweep show "$1" --csv |
        sed -E 's/,[^,"]*,("([^"]|"")*")?,("[^"]*")$/,\1,\3/'
}

base='"base": {"platform": "duo", "workload": "stencil:5pt:8x8", "nodes": 2}'

# --- what is refused
bad 'space.json: axes: nodez: unknown key (did you mean nodes?)' \
    '{"axes": {"nodez": [1]}}'
bad "space.json: base: workloat: unknown key" '{"base": {"workloat": "x"}, "axes": {}}'
bad 'axes: nodes: empty' '{"axes": {"nodes": []}}'
bad 'axes: nodes: empty: from 4 is above to 2' '{"axes": {"nodes": {"from": 4, "to": 2}}}'
bad 'axes: network.bandwidth_GBps: infinite: say "steps"' \
    '{"axes": {"network.bandwidth_GBps": {"from": 1, "to": 2}}}'
bad 'axes: 1001000 points are too many, at most 1000000' \
    '{"axes": {"a.b": {"from": 1, "to": 2, "steps": 1001}, "a.c": {"from": 1, "to": 2, "steps": 1000}}}'
bad 'constraints: empty: they leave none of 2 points' \
    '{"axes": {"nodes": [1, 2]}, "constraints": [["nodes", ">", 2]]}'
bad 'constraints[0]: node: neither an axis' \
    '{"axes": {"nodes": [1, 2]}, "constraints": [["node", ">", 2]]}'
bad 'no key "bandwith_GBps"' \
    "{$base, \"axes\": {\"network.bandwith_GBps.0\": [1, 2]}}"
bad 'did you mean bandwidth_GBps' \
    "{$base, \"axes\": {\"network.bandwith_GBps\": [1, 2]}}"
bad 'objectives[0]: cost: expected "prices"' \
    "{$base, \"axes\": {\"partition\": [\"metis\"]}, \"objectives\": [\"cost\"]}"
bad 'axes: nodes: stands in the base, too' "{$base, \"axes\": {\"nodes\": [1]}}"
bad 'format: expected 1, got 2' '{"format": 2, "axes": {}}'
bad 'axes: nodes: 2 stands twice' '{"axes": {"nodes": [1, 2, 2]}}'

# --- a grid with every form of axis, in one thread and in two
space "{$base,
  \"axes\": {\"strategy\": [\"standard/device\", \"3-step/staged,split+md\"],
             \"network.bandwidth_GBps\": {\"from\": 1, \"to\": 100, \"steps\": 3, \"scale\": \"log\"},
             \"messages.gpu.off_node.segments.0.alpha_us\": {\"from\": 4, \"to\": 6},
             \"value_bytes\": {\"choose\": [8, 64]}},
  \"sample\": {\"method\": \"latin\", \"points\": 4, \"seed\": 7},
  \"constraints\": [{\"any\": [[\"network.bandwidth_GBps\", \"<\", 50],
                               [\"value_bytes\", \"==\", 8]]}],
  \"objectives\": [\"time\", \"cost\"],
  \"prices\": {\"dollars\": {\"node\": 1000, \"nic_GBps\": 10}}}"
sweep "$dir/space.json" -o "$dir/one.db" --jobs 1 >"$dir/best"
sweep "$dir/space.json" -o "$dir/two.db" --jobs 2 >/dev/null
rows "$dir/one.db" >"$dir/one"
rows "$dir/two.db" >"$dir/two"
expect "two threads give the same" cmp "$dir/one" "$dir/two"
# 2 strategies, 3 bandwidths, 4 samples, less 2 x 2 by the constraint; half of
# the points have two ways.
expect "30 runs: $(wc -l <"$dir/one")" [ "$(wc -l <"$dir/one")" = 31 ]
expect "the table" grep -q 'times best' "$dir/best"
expect "nothing failed" [ ! -s "$dir/stderr" ]
# Again: nothing is simulated.
sweep "$dir/space.json" -o "$dir/one.db" --progress >/dev/null
expect "resumed: $(cat "$dir/stderr")" grep -q '20 points are there, 0 to do' "$dir/stderr"

# --- failures are rows
space "{$base, \"axes\": {\"network.nodes\": [1, 2], \"partition\": [\"contiguous\", \"no/such\"]}}"
sweep "$dir/space.json" -o "$dir/failed.db" >/dev/null
expect "failures are told" grep -q 'runs failed: their errors are in' "$dir/stderr"
rows "$dir/failed.db" >"$dir/rows"
expect "failures are rows: $(cat "$dir/rows")" [ "$(grep -c 'no/such' "$dir/rows")" -ge 1 ]

exit $failed
