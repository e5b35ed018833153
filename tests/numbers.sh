#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Numbers that strtod() and strtoull() take and people do not write, at every
# border: options, --set, JSON, CSV, workloads, matrices, plans; and options that
# are given twice.
sluice=$1
failed=0
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

refused() { # arguments...: exit code 2, one line, no results
    timeout 20 "$sluice" "$@" >"$dir/out" 2>"$dir/err"
    local got=$?
    if [ $got != 2 ] || [ -s "$dir/out" ] || [ "$(wc -l <"$dir/err")" != 1 ]; then
        echo "not refused: $*: $got" >&2
        cat "$dir/err" >&2
        failed=1
    fi
}

taken() { # arguments...
    "$sluice" "$@" >"$dir/out" 2>"$dir/err" || {
        echo "not taken: $*" >&2
        cat "$dir/err" >&2
        failed=1
    }
}

small=(run --platform duo --workload stencil:5pt:8x8)
odd=(0x8 0x1p3 nan inf +8 " 8" "8 " 8_ 8e "" 1e999 --8)
taken "${small[@]}" --gpus 2 --value-bytes 8
taken "${small[@]}" --set network.bandwidth_GBps=8
for n in "${odd[@]}"; do
    refused "${small[@]}" --gpus "$n"
    refused "${small[@]}" --value-bytes "$n"
    refused "${small[@]}" --max-events "$n"
    refused "${small[@]}" --accuracy "$n"
    refused run --platform duo --workload "random:rows=$n,row_nnz=5,seed=1"
    refused run --platform duo --workload "random:rows=9,row_nnz=5,seed=$n"
    refused run --platform duo --workload "stencil:5pt:8x$n"
    refused run --platform duo --workload "bfs:rmat:scale=$n,edge_factor=4"
    refused run --platform duo --source "$n" \
        --workload bfs:rmat:scale=4,edge_factor=4
    refused run --platform duo --workload "random:ranks=$n,messages=2,rounds=1,bytes=1..2,seed=1"
    refused model --platform lassen --scenario "messages=$n"
    refused study --scale "$n" -o "$dir/cells.csv"
    [ "$n" = " 8" ] || [ "$n" = "8 " ] || # JSON has blanks around values
        refused "${small[@]}" --set "network.nodes=$n"
done
# Nothing is rounded to another whole number.
two53=9007199254740993
refused "${small[@]}" --set network.nodes=$two53
refused "${small[@]}" --gpus $two53
refused run --platform duo --source $two53.0 --workload bfs:rmat:scale=4,edge_factor=4
refused study --scale 0 -o "$dir/cells.csv"
refused study --scale -1 -o "$dir/cells.csv"

# --- given twice ----------------------------------------------------------------
refused study --jobs 1 --jobs 3 -o "$dir/cells.csv"
grep -q -- '--jobs: given twice' "$dir/err" || { cat "$dir/err"; failed=1; }
refused study -o "$dir/a.csv" -o "$dir/b.csv"
grep -q -- 'sluice: -o: given twice' "$dir/err" || { cat "$dir/err"; failed=1; }
refused "${small[@]}" --gpus 1 --gpus 2
refused "${small[@]}" --value-bytes 8 --value-bytes 16
refused "${small[@]}" --max-events 8 --max-events 16
refused "${small[@]}" --strategy 3-step/staged --strategy 3-step/device
taken "${small[@]}" --set name=a --set name=b
taken "${small[@]}" --csv --csv

# --- files ----------------------------------------------------------------------
matrix() { # text of a size line or entry, as printf has it
    printf '%%%%MatrixMarket matrix coordinate real general\n2 2 1\n%b\n' "$1" \
        >"$dir/m.mtx"
}
matrix '1 2 1.5'
taken show matrix "$dir/m.mtx"
for entry in '1 0x2 1.5' '1 2 0x8' '1 2 nan' '1 2 inf' '1 2 +1' '1 +2 1' \
    '1 2 1\0999' '1 2\0 1' '1 2 1e' '1 2.0 1' '1 18446744073709551618 1'; do
    matrix "$entry"
    refused show matrix "$dir/m.mtx"
done
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 1000\0999999\n1 2 1\n' \
    >"$dir/m.mtx"
refused show matrix "$dir/m.mtx"
grep -q 'zero byte' "$dir/err" || { cat "$dir/err"; failed=1; }

sed 's/"nodes": 2/"nodes": 2\x000/' platforms/duo.json >"$dir/zero.json"
refused show platform "$dir/zero.json"
for n in 0x2 +2 nan 2.5 9007199254740993 9007199254740992; do
    sed "s/\"nodes\": 2/\"nodes\": $n/" platforms/duo.json >"$dir/n.json"
    refused show platform "$dir/n.json"
done

head -3 tests/data/native_duo.csv >"$dir/good.csv"
taken validate native tests/data/native_duo.csv
for n in 0x8 +8 nan 8e 9007199254740993 '8\x0000'; do
    sed "s/,2,2,2,8,/,2,2,2,$n,/" tests/data/native_duo.csv >"$dir/native.csv"
    refused validate native "$dir/native.csv"
done
for n in 0x8 +8 nan inf 1e999; do
    sed "s/,24e-6/,$n/" tests/data/native_duo.csv >"$dir/native.csv"
    refused validate native "$dir/native.csv"
done
exit $failed
