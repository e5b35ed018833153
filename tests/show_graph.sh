# SPDX-License-Identifier: GPL-3.0-or-later
# `sluice show graph`: the tables, the JSON, and what is refused.
set -eu
sluice=$1

refused() {
    want=$1
    shift
    if out=$("$sluice" show graph "$@" 2>&1); then
        echo "show graph $*: not refused" >&2
        exit 1
    elif [ $? -ne 2 ]; then
        echo "show graph $*: exit code is not 2" >&2
        exit 1
    fi
    case $out in
    *"$want"*) ;;
    *)
        echo "show graph $*: expected '$want' in '$out'" >&2
        exit 1
        ;;
    esac
}

"$sluice" show graph standin:road_usa,scale=1/1024 --gpus 4 \
    --partition geometric | diff tests/golden/show_graph.out -
"$sluice" show graph road:vertices=900,arcs=2200,diameter=50 --gpus 3 --json |
    grep -q '"diameter_at_least": 50'
"$sluice" show graph standin:hollywood-2009,scale=1/1024 --gpus 4 \
    --partition metis --json | grep -q '"property": "METIS edge cut, 4 GPUs"'
"$sluice" show graph uniform:vertices=40,arcs=90 --gpus 2 --partition random \
    --seed 7 | grep -q '^edge cut'
"$sluice" show graph --help | grep -q 'road:vertices=N,arcs=M,diameter=D'

# Seeds are told apart, and a seed gives the same parts again.
random() {
    "$sluice" show graph uniform:vertices=400,arcs=900 --gpus 4 \
        --partition random --seed "$1"
}
[ "$(random 1)" = "$(random 1)" ]
[ "$(random 1)" != "$(random 2)" ]

refused 'expected one file or words, got 0'
refused 'none.el' none.el
refused 'uniform:vertices=9: arcs: expected arcs=NUMBER' uniform:vertices=9
refused '10 GPUs are more than its 9 vertices' uniform:vertices=9,arcs=20 \
    --gpus 10
refused 'no coordinates' uniform:vertices=9,arcs=20 --gpus 2 \
    --partition geometric
# A file's parts: those of contiguous vertices.
file=$(mktemp)
seq 0 99 | awk '{ print int($1 / 25) }' >"$file"
"$sluice" show graph uniform:vertices=100,arcs=300 --gpus 4 --partition "$file" |
    sed "s|$file|contiguous|" |
    diff - <("$sluice" show graph uniform:vertices=100,arcs=300 --gpus 4)
refused ':100: part 4 has no vertices' uniform:vertices=100,arcs=300 --gpus 5 \
    --partition "$file"
refused ':100: the file ends after 100' uniform:vertices=101,arcs=300 --gpus 4 \
    --partition "$file"
rm "$file"
refused '--partition: best: unknown partition: expected contiguous' \
    uniform:vertices=9,arcs=20 --partition best
refused '--seed: expected a whole number, got -1' uniform:vertices=9,arcs=20 \
    --seed=-1
