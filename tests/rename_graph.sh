# SPDX-License-Identifier: GPL-3.0-or-later
# A graph's name decides nothing: the same file under names that are known from
# papers, and its binary copy, give the same bytes but for the name.
set -eu
sluice=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# What runs say of a graph, without its name.
say() { # file, to be looked up in the current folder
    for form in --details --csv --json; do
        "$sluice" run --workload "bfs:$1" --gpus 2 $form \
            --strategy bsp,atos-persistent
        "$sluice" run --workload "pagerank:$1" --gpus 2 $form \
            --strategy bsp --threshold 0.1
    done | sed -e "s|:$1|:GRAPH|"
}

same_by_any_name() { # folder with x.mtx
    cd "$1"
    "$sluice" convert x.mtx -o x.sluice-graph >/dev/null
    say x.mtx >want
    [ "$(grep -c '^platform,workload,' want)" -eq 2 ]
    [ "$(grep -c '"edge_ns"' want)" -eq 3 ]
    for name in road_usa soc-LiveJournal1 x; do
        for form in mtx sluice-graph; do
            [ "$name" = x ] || cp "x.$form" "$name.$form"
            say "$name.$form" >got
            if ! cmp want got; then
                echo "$1: $name.$form: not what x.mtx gives:" >&2
                diff want got | head -5 >&2
                exit 1
            fi
        done
    done
    cd "$OLDPWD"
}

# A grid of 40 by 25 streets; and one where every vertex has an arc to one of
# ten.
matrix() { # arcs; reads the pairs
    printf '%%%%MatrixMarket matrix coordinate pattern symmetric\n%s\n' \
        "1000 1000 $1"
    cat
}
mkdir "$folder/roads" "$folder/hubs"
awk 'BEGIN {
    for (v = 1; v <= 1000; v++) {
        if (v % 40) print v + 1, v
        if (v > 40) print v, v - 40
    }
}' | matrix 1935 >"$folder/roads/x.mtx"
awk 'BEGIN {
    for (v = 11; v <= 1000; v++)
        print v, v % 10 + 1 "\n" v, v - 10
}' | matrix 1980 >"$folder/hubs/x.mtx"
same_by_any_name "$folder/roads"
same_by_any_name "$folder/hubs"

# Another cost is another result.
cd "$folder/roads"
"$sluice" run --workload bfs:x.mtx --gpus 2 --edge-ns 10000 --csv \
    --strategy bsp >dear
"$sluice" run --workload bfs:x.mtx --gpus 2 --csv --strategy bsp >cheap
if cmp -s dear cheap; then
    echo "--edge-ns changes nothing" >&2
    exit 1
fi
