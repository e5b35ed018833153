# SPDX-License-Identifier: GPL-3.0-or-later
# `sluice convert`: the copy, the copy of the copy, and what is refused.
set -eu
sluice=$1
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT

refused() {
    want=$1
    shift
    if out=$("$sluice" convert "$@" 2>&1); then
        echo "convert $*: not refused" >&2
        exit 1
    elif [ $? -ne 2 ]; then
        echo "convert $*: exit code is not 2" >&2
        exit 1
    fi
    case $out in
    *"$want"*) ;;
    *)
        echo "convert $*: expected '$want' in '$out'" >&2
        exit 1
        ;;
    esac
}

roads=workloads/data/san-joaquin_road.mtx.gz
out=$("$sluice" convert $roads -o "$folder/a.sluice-graph")
[ "$out" = "$folder/a.sluice-graph: 18263 vertices, 47594 arcs" ]
"$sluice" convert "$folder/a.sluice-graph" -o "$folder/b.sluice-graph" >"$folder/out"
cmp "$folder/a.sluice-graph" "$folder/b.sluice-graph"

refused 'convert: expected one graph, got 0' -o "$folder/c.sluice-graph"
refused 'convert: expected -o FILE.sluice-graph' $roads
refused "-o: expected a name that ends in .sluice-graph, got 'c.mtx'" \
    $roads -o c.mtx
refused 'none.gr: cannot be opened' none.gr -o "$folder/c.sluice-graph"
refused 'none/c.sluice-graph: cannot be written' \
    $roads -o "$folder/none/c.sluice-graph"
[ "$(ls "$folder" | wc -l)" = 3 ]
# A full disk, whatever the stream still knows of it when it is closed.
if [ -w /dev/full ]; then
    ln -s /dev/full "$folder/full.sluice-graph"
    for scale in 8 9 10 12; do
        got=0
        "$sluice" convert rmat:scale=$scale,edge_factor=16 \
            -o "$folder/full.sluice-graph" >"$folder/out" 2>&1 || got=$?
        [ $got -eq 1 ]
        grep -q 'full.sluice-graph: cannot be written: No space left on device$' \
            "$folder/out"
    done
fi
