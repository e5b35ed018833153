#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# sluice study: cells of tiny synthetic graphs, resumed, made anew, refused.
. tests/expect.bash
cells=$dir/cells.csv
tiny=(--scale 1/4096 --scale hollywood-2009=1/1024)

study() { # what it says on standard output
    "$sluice" study "$@" 2>"$dir/stderr" || {
        echo "study $*: $(cat "$dir/stderr")" >&2
        failed=1
    }
}

refuse() { # pattern options...: exit code 2, one line on standard error
    local pattern=$1 got
    shift
    "$sluice" study "$@" >"$dir/stdout" 2>"$dir/stderr"
    got=$?
    expect "$*: exit code $got" [ "$got" = 2 ]
    expect "$*: one line" [ "$(wc -l <"$dir/stderr")" = 1 ]
    expect "$*: '$pattern' in $(cat "$dir/stderr")" \
        grep -qF -- "$pattern" "$dir/stderr"
}

rows() { # of cells, without the head
    grep -vE '^(#|application)' "$1"
}

# --- what is asked for
refuse '--graph road_us: unknown (did you mean road_usa?)' --graph road_us
refuse '--framework Gunrok: unknown (did you mean Gunrock?)' --framework Gunrok
refuse '--machine lassen: unknown; known: daisy, summit-ib' --machine lassen
refuse '--application bf: unknown (did you mean bfs?)' --application bf
refuse 'no cell of the tables' --framework Galois --machine daisy
refuse 'no cell of the tables' --framework Groute --graph twitter50
refuse '--scale 2: soc-LiveJournal1: expected a number from 0 to 1' --scale 2
refuse 'soc-LiveJournal1: leaves less than 256 vertices' --scale 1e-300
refuse '--scale road=1/4: ' --scale road=1/4
refuse 'leaves less than 256 vertices' --scale road_usa=0.00000001 \
    --graph road_usa --gpus 1
refuse '--gpus 9: expected 1 to 8' --gpus 1 --gpus 9
refuse '--jobs: expected at most 8' --jobs 9
refuse 'expected no operand' road_usa
refuse 'cannot be written' --gpus 1 -o "$dir/no/cells.csv"
expect "nothing was made" [ -z "$(ls -A "$dir" | grep -v std)" ]

# --- a part, in one process and in several: the same rows but for the time
part=("${tiny[@]}" --graph road_usa --graph hollywood-2009 --framework Gunrock
    --framework Atos --machine daisy --machine summit-ib --application bfs)
study "${part[@]}" --jobs 1 >"$dir/one"
study "${part[@]}" --jobs 3 >"$dir/three"
for file in one three; do
    rows "$dir/$file" | cut -d, -f1-11,13 | sort >"$dir/$file.rows"
done
expect "24 rows" [ "$(wc -l <"$dir/one.rows")" = 24 ]
expect "processes change nothing" cmp "$dir/one.rows" "$dir/three.rows"
# One GPU of the mesh: every level takes what Gunrock calls, 77.2 us on Daisy,
# whatever its edges.
expect "levels and edges" awk -F, '
    $2 == "daisy" && $4 == "road_usa" && $5 == 1 {
        found = 1
        if (!($11 > 10 && $7 > 0.0772 * $11 && $7 < 0.09 * ($11 + 2) &&
              $8 == 1)) { print; bad = 1 }
    }
    END { exit bad || !found }' "$dir/one.rows"

# --- a file is gone on with; what is there is not made again
expect "a part of it" [ "$(study -o "$cells" "${part[@]}" --gpus 3)" = \
    "$cells: 4 cells, 4 of them simulated now" ]
cp "$cells" "$dir/before.csv"
expect "two numbers of GPUs" [ "$("$sluice" study "${part[@]}" --gpus 1 --gpus 3 |
    rows - | cut -d, -f5 | sort | uniq -c | tr -s ' \n' ' ')" = ' 4 1 4 3 ' ]
expect "the rest" [ "$(study -o "$cells" "${part[@]}")" = \
    "$cells: 24 cells, 20 of them simulated now" ]
expect "what was there stays" cmp <(head -n 6 "$cells") "$dir/before.csv"
expect "all of them" cmp "$dir/one.rows" \
    <(rows "$cells" | cut -d, -f1-11,13 | sort)
cp "$cells" "$dir/whole.csv"
expect "nothing more" [ "$(study -o "$cells" "${part[@]}")" = \
    "$cells: 24 cells, 0 of them simulated now" ]
expect "any scale will do" [ "$(study -o "$cells" --graph road_usa --gpus 8 \
    --framework Atos --application bfs)" = \
    "$cells: 1 cells, 0 of them simulated now" ]
expect "the file is as it was" cmp "$cells" "$dir/whole.csv"
expect "another scale" [ "$(study -o "$cells" --graph road_usa --gpus 8 \
    --framework Atos --application bfs --scale 1/8192)" = \
    "$cells: 1 cells, 1 of them simulated now" ]
expect "one row more" [ "$(rows "$cells" | wc -l)" = 25 ]
# An empty file is one of which nothing is known yet.
: >"$dir/empty.csv"
study -o "$dir/empty.csv" "${tiny[@]}" --graph road_usa --gpus 5 \
    --machine summit-ib --framework Atos --application bfs >/dev/null
expect "head and row" [ "$(wc -l <"$dir/empty.csv")" = 3 ]

# --- a row that another model made
sed '3s/[0-9a-f]\{16\}$/0123456789abcdef/' "$dir/whole.csv" >"$cells"
expect "one is stale" [ "$(study -o "$cells" "${part[@]}")" = \
    "$cells: 24 cells, 1 of them simulated now (1 had been made by another model)" ]
expect "the new row counts" [ "$(study -o "$cells" "${part[@]}")" = \
    "$cells: 24 cells, 0 of them simulated now" ]

# Nothing is said of the scale: that of the stale row, not the graph's.
sed '3,$s/[0-9a-f]\{16\}$/0123456789abcdef/' "$dir/whole.csv" >"$cells"
count=$(rows "$cells" | wc -l)
study -o "$cells" "${part[@]:4}" --gpus 2 >/dev/null
study -o "$cells" "${part[@]:4}" --gpus 2 >"$dir/again"
expect "fresh" grep -q '4 cells, 0 of them' "$dir/again"
expect "stale ones keep their scale" cmp \
    <(rows "$cells" | tail -n +$((count + 1)) | cut -d, -f1-6 | sort) \
    <(rows "$dir/one" | grep ',2,0\.' | cut -d, -f1-6 | sort)
# Nine digits do not hold every scale.
odd=(--scale 1/3000 --graph road_usa --gpus 1 --framework Atos --application bfs
    --machine summit-ib)
study -o "$dir/odd.csv" "${odd[@]}" >/dev/null
expect "a third is found again" [ "$(study -o "$dir/odd.csv" "${odd[@]}")" = \
    "$dir/odd.csv: 1 cells, 0 of them simulated now" ]

# --- graphs and partitions are kept, and give the same rows
expect "made" [ "$(study --graphs "$dir/kept" --only-graphs "${part[@]}")" = \
    "$dir/kept: graphs and partitions of 24 cells" ]
expect "2 graphs, 7 partitions each" [ "$(ls "$dir/kept" | grep -c -E \
    '^(road_usa|hollywood-2009)-[0-9.]+-[0-9a-f]{16}(.sluice-graph|-metis-[2-8].parts)$')" = 16 ]
touch -d @1 "$dir"/kept/*
study --graphs "$dir/kept" "${part[@]}" >"$dir/kept.rows"
expect "what is kept changes nothing" cmp "$dir/one.rows" \
    <(rows "$dir/kept.rows" | cut -d, -f1-11,13 | sort)
expect "each is made once" [ -z "$(find "$dir/kept" -name '*-*' -newermt @2)" ]
parts=$(ls "$dir"/kept/road_usa-*-metis-3.parts)
sed -i '5s/.*/3/' "$parts"
refuse "$parts:5: expected a part number from 0 to 2" --graphs "$dir/kept" \
    "${part[@]}" --gpus 3
refuse '--graphs' --graphs "$dir/no/kept" "${part[@]}"
refuse '--only-graphs: expected --graphs' --only-graphs
refuse '--only-graphs: not with -o' --only-graphs --graphs "$dir/kept" -o "$dir/x"

# --- no more processes: it ends, and says why
(ulimit -n 9 && exec "$sluice" study -o "$dir/few.csv" "${part[@]}" --jobs 8 \
    >/dev/null 2>"$dir/stderr")
expect "no processes: exit code" [ $? = 1 ]
expect "no processes: said" grep -q 'Too many open files' "$dir/stderr"

# --- damage
for cut in 3 30; do
    head -c -$cut "$dir/whole.csv" >"$cells"
    study -o "$cells" "${part[@]}" >"$dir/said"
    expect "cut by $cut: one cell" grep -q ', 1 of them simulated now' "$dir/said"
    expect "cut by $cut: said" \
        grep -qF "$cells: its last row was cut off" "$dir/stderr"
    expect "cut by $cut: as many rows" \
        [ "$(rows "$cells" | wc -l)" = "$(rows "$dir/whole.csv" | wc -l)" ]
done
printf 'not cells, not whole' >"$cells"
refuse "$cells: " -o "$cells" "${part[@]}"
expect "a file of others stays" [ "$(cat "$cells")" = 'not cells, not whole' ]
sed '5s/,Gunrock,/,Gunrok,/' "$dir/whole.csv" >"$cells"
refuse "$cells:5: bfs, " -o "$cells" "${part[@]}"
echo 'not cells' >"$cells"
refuse "$cells: no rows" -o "$cells" "${part[@]}"
expect "a damaged file stays" [ "$(cat "$cells")" = 'not cells' ]

# --- killed: what is written is whole, and the rest is done then
rm "$cells"
"$sluice" study -o "$cells" "${tiny[@]}" --application bfs --machine daisy --jobs 2 \
    >/dev/null 2>&1 &
while [ ! -e "$cells" ] || [ "$(wc -l <"$cells")" -lt 6 ]; do
    kill -0 $! 2>/dev/null || break
    sleep 0.01
done
kill -9 $! 2>/dev/null
wait $! 2>/dev/null
study -o "$cells" "${tiny[@]}" --application bfs --machine daisy >/dev/null
expect "each once" [ "$(rows "$cells" | cut -d, -f1-5 | sort | uniq -d |
    wc -l)" = 0 ]
expect "92 cells" [ "$(rows "$cells" | wc -l)" = 92 ]

# --- a full disk
if [ -e /dev/full ]; then
    "$sluice" study -o /dev/full "${part[@]}" --gpus 1 >/dev/null \
        2>"$dir/stderr"
    expect "a full disk: exit code" [ $? = 1 ]
    expect "a full disk: said" grep -q '/dev/full: .*cannot be written' \
        "$dir/stderr"
fi
exit $failed
