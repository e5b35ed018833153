# SPDX-License-Identifier: GPL-3.0-or-later
# sluice calibrate on an excerpt of the measurements, and on bad ones.
set -eu
sluice=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
data=tests/data/lassen_excerpt

has() { # file, text
    grep -qF -- "$2" "$1" || {
        echo "expected '$2' in:" >&2
        cat "$1" >&2
        exit 1
    }
}
refused() { # text, then the command's arguments
    text=$1
    shift
    code=0
    "$sluice" calibrate "$@" >"$dir/out" 2>"$dir/err" || code=$?
    [ "$code" = 2 ] || { echo "$*: exit code $code, expected 2" >&2; exit 1; }
    [ ! -s "$dir/out" ] || { echo "$*: wrote to standard output" >&2; exit 1; }
    has "$dir/err" "$text"
    [ "$(grep -c '^sluice: .*\[.*\]$' "$dir/err")" = 1 ] || {
        echo "$*: more than one error" >&2
        exit 1
    }
    [ -z "$(find "$dir" -name 'x.json*')" ] || {
        echo "$*: left a file" >&2
        exit 1
    }
}
fit() { # base, output
    "$sluice" calibrate "$data"_ping_pong.csv "$data"_maxrate.csv \
        "$data"_memcpy.csv "$data"_memcpy_mult.csv --base "$1" -o "$2"
}

# Twice the same, from the shipped platform and from its own result; the form
# is that of the shipped files.
fit lassen "$dir/a.json" >"$dir/table" 2>"$dir/notes"
fit lassen "$dir/b.json" >/dev/null 2>&1
fit "$dir/a.json" "$dir/c.json" >/dev/null 2>&1
cmp "$dir/a.json" "$dir/b.json"
cmp "$dir/a.json" "$dir/c.json"
"$sluice" show platform "$dir/a.json" --json | cmp - "$dir/a.json"
fit lassen - 2>/dev/null | cmp - "$dir/a.json"

has "$dir/table" "messages.cpu.off_node.segments.3.beta_ns_per_byte"
has "$dir/table" "copies.time_slice_below_bytes"
has "$dir/table" "node.wire_types.nic.bandwidth_GBps"
has "$dir/a.json" \
    "fit: lassen_excerpt_memcpy_mult.csv (BenchPress ac2ede1), "
has "$dir/a.json" "; alpha shares assumed: equal thirds; "
has "$dir/a.json" "process: fit: lassen_excerpt_ping_pong.csv"
# What the README of the measurements says of small messages and copies.
near() { # key in the table, from, to
    awk -v key="$1" -v a="$2" -v b="$3" '$1 == key { v = $3 }
        END { if (v < a || v > b) { print key ": " v; exit 1 } }' "$dir/table"
}
near messages.cpu.shared_cache.segments.0.alpha_us 0.33 0.4
near messages.cpu.off_node.other_rack_us 0.25 0.5
near messages.gpu.off_node.other_rack_us 1.6 2.3
near copies.time_slice_us 80 83
near copies.time_slice_below_bytes 32768 32768
near copies.engine_us 3.6 4
near network.process_GBps 12.5 14.5

# One file only: the others' numbers stay as they are.
"$sluice" calibrate "$data"_memcpy_mult.csv --base lassen -o "$dir/d.json" \
    >"$dir/table" 2>/dev/null
has "$dir/table" "copies.engine_us"
if grep -q messages "$dir/table"; then
    echo "messages were fitted to copies" >&2
    exit 1
fi

# A machine that never saw these files: what it has is fitted, or one error.
"$sluice" calibrate "$data"_memcpy.csv --base duo -o "$dir/duo.json" \
    >/dev/null 2>&1
"$sluice" show platform "$dir/duo.json" >/dev/null

x=$dir/x.json
grep -v '^#' "$data"_memcpy.csv >"$dir/plain.csv"
sed 's/,time_s,/,time,/' "$dir/plain.csv" >"$dir/no_time.csv"
awk -F, -v OFS=, 'NR == 3 { $12 = "nan" } 1' "$dir/plain.csv" >"$dir/nan.csv"
awk -F, -v OFS=, 'NR == 3 { $12 = "-1e-6" } 1' "$dir/plain.csv" >"$dir/neg.csv"
printf 'a,b\n1,2\n' >"$dir/other.csv"
head -1 "$dir/plain.csv" >"$dir/empty.csv"
printf 'machine,mpi,device,active_pairs,pairs_socket0,total_bytes,bytes_per_message,time_s\nl,s,cpu,1,1,8,8,1e-6\n' >"$dir/node_pong.csv"

refused "expected --base NAME" "$dir/plain.csv" -o "$x"
refused "expected -o FILE.json" "$dir/plain.csv" --base lassen
refused "expected files of measurements" --base lassen -o "$x"
refused "did you mean lassen?" "$dir/plain.csv" --base lasen -o "$x"
refused "cannot be read" "$dir/absent.csv" --base lassen -o "$x"
refused "known set of columns" "$dir/other.csv" --base lassen -o "$x"
refused "no rows" "$dir/empty.csv" --base lassen -o "$x"
refused "no column named time_s" "$dir/no_time.csv" --base lassen -o "$x"
refused "nan.csv:3: time_s: expected a number, got 'nan'" \
    "$dir/nan.csv" --base lassen -o "$x"
refused "neg.csv:3: time_s: expected a time above 0" \
    "$dir/neg.csv" --base lassen -o "$x"
refused "no file to fit to" "$dir/node_pong.csv" --base lassen -o "$x"
refused "cannot be written" "$dir/plain.csv" --base lassen -o "$dir/no/x.json"
refused "_maxrate.csv:17: duo has no core 2" "$data"_maxrate.csv --base duo -o "$x"
refused "unknown option" "$dir/plain.csv" --base lassen --bse x -o "$x"
