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
    [ "$(grep '^sluice: ' "$dir/err" | grep -vc ': not used: ')" = 1 ] || {
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
        "$data"_memcpy.csv "$data"_memcpy_mult.csv --base "$1" -o "$2" --name a
}

# What was measured is in the platform, in place of what the base says, and an
# answer beyond it says so; one within does not.
"$sluice" calibrate "$data"_ping_pong.csv "$data"_maxrate.csv --base summit \
    -o "$dir/mine.json" --name mine >/dev/null 2>&1
python3 - "$sluice" "$dir/mine.json" <<'CHECK'
import json, subprocess, sys

sluice, path = sys.argv[1:]
measured = json.load(open(path))["measured"]
assert measured["nodes"] == [1, 2] and "ping_pong.csv" in measured["source"]["from"], measured
least, most = measured["bytes"]
ranks = measured["ranks_per_node"][1]

def marks(nodes, values, ways="standard/staged"):
    out = subprocess.run([sluice, "run", "--platform", path, "--nodes", str(nodes), "--strategy", ways,
                          "--workload", f"alltoall:bytes={values}", "--json"], capture_output=True, text=True, check=True)
    return json.loads(out.stdout).get("extrapolates")

assert marks(2, 8192) is None, marks(2, 8192)
assert marks(4, 8192) == "nodes 4 > 2 measured", marks(4, 8192)
far = marks(2, most * 64)
assert far.startswith("bytes ") and far.endswith(" measured") and " > " in far, far
CHECK

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
"$sluice" show platform "$dir/a.json" | tr -s ' \n' ' ' >"$dir/shown"
has "$dir/shown" \
    "fit: lassen_excerpt_memcpy_mult.csv (BenchPress ac2ede1): "
has "$dir/shown" "recv_ns_per_byte: assumed: each CPU is busy for a whole ping-"
has "$dir/shown" "process_GBps: fit: lassen_excerpt_ping_pong.csv"
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
if grep -q '^messages' "$dir/table"; then
    echo "messages were fitted to copies" >&2
    exit 1
fi

# --- the shipped platforms, and their breakpoints ---

m=results/measured
awk -F, '/^#/ || /^machine/ || $10 >= 1048576' \
    $m/lassen_memcpy_2020_both_directions.csv \
    >"$dir/lassen_memcpy_2020_both_directions.csv"
lassen() { # folder of the measurements, base, output, options
    from=$1
    base=$2
    out=$3
    shift 3
    "$sluice" calibrate "$from"/lassen_spectrum_ping_pong.csv \
        $m/lassen_spectrum_ping_pong_all_pairs_summary.csv \
        "$from"/lassen_spectrum_maxrate.csv \
        "$from"/lassen_spectrum_memcpy.csv $m/lassen_spectrum_memcpy_mult.csv \
        $m/lassen_spectrum_mult_pong.csv \
        "$dir"/lassen_memcpy_2020_both_directions.csv --base "$base" \
        -o "$out" "$@"
}
lassen $m lassen "$dir/lassen.json" >"$dir/shipped" 2>"$dir/notes"
"$sluice" show platform lassen --json | cmp - "$dir/lassen.json"
summit() { # base, output
    "$sluice" calibrate $m/summit_spectrum_ping_pong.csv \
        $m/summit_spectrum_maxrate.csv $m/summit_spectrum_memcpy.csv \
        $m/summit_spectrum_memcpy_mult.csv --base "$1" -o "$2" --name s >/dev/null 2>&1
}
summit summit "$dir/s1.json"
summit "$dir/s1.json" "$dir/s2.json"
cmp "$dir/s1.json" "$dir/s2.json"

# The wire of a NIC gets no more than its port has by specification, in the first
# fit and in those after it: 12.5 GB/s of EDR, of which the pairs show 12.9. A
# bandwidth that is itself a specification stays known as one.
nic() { # file: bandwidth, specified rate, kinds of both sources
    python3 - "$1" <<'NIC'
import json, sys
nic = json.load(open(sys.argv[1]))["node"]["wire_types"]["nic"]
sources = nic["source"] if isinstance(nic["source"], list) else [nic["source"]]
print(nic["bandwidth_GBps"], nic.get("specified_GBps"), *(s["kind"] for s in sources))
NIC
}
edit() { # statement about the NIC's type of wires: prints Summit with it
    python3 - "$1" <<'NIC'
import json, sys
doc = json.load(open("platforms/summit.json"))
nic = doc["node"]["wire_types"]["nic"]
exec(sys.argv[1])
doc["extends"] = "parts/v100-access"
json.dump(doc, sys.stdout)
NIC
}
is_nic() { # file, expected
    [ "$(nic "$1")" = "$2" ] || { echo "$1: $(nic "$1"), expected $2" >&2; exit 1; }
}
is_nic platforms/summit.json "12.5 12.5 fit specification"
is_nic "$dir/s1.json" "12.5 12.5 fit specification"
edit 'del nic["specified_GBps"]; del nic["source"][1]' >"$dir/no_limit.json"
summit "$dir/no_limit.json" "$dir/s3.json"
is_nic "$dir/s3.json" "12.94 None fit"
edit 'nic.clear(); nic.update(bandwidth_GBps=12, source={"kind": "specification", "text": "a test"})' \
    >"$dir/limit.json"
summit "$dir/limit.json" "$dir/s3.json"
is_nic "$dir/s3.json" "12 12 fit specification"
summit "$dir/s3.json" "$dir/s4.json"
cmp "$dir/s3.json" "$dir/s4.json"
has "$dir/notes" \
    "shared_cache.segments.4.alpha_us: that of the segment before"

# The breakpoints of the tables in which the times show a step: the protocols' too.
limits() { # table of a calibration
    awk '/^messages.cpu.*up_to_bytes|^messages.gpu.off_node.*up_to_bytes/ ||
        /^copies.D2D.*up_to_bytes/ { print $1, $3 }' "$1"
}
limits "$dir/shipped" >"$dir/limits"
[ "$(wc -l <"$dir/limits")" = 20 ] || { cat "$dir/limits"; exit 1; }
# From breakpoints that are off by a factor, all of them.
sed -z 's/,\n *"next_from_bytes": [0-9]*//g' platforms/lassen.json |
    sed 's/"up_to_bytes": 128,/"up_to_bytes": 32,/
    s/"up_to_bytes": 8192\b/"up_to_bytes": 2048/
    s/"up_to_bytes": 65536\b/"up_to_bytes": 262144/
    s/"up_to_bytes": 4194304\b/"up_to_bytes": 16777216/
    s/"name": "lassen"/"name": "off"/' >"$dir/off.json"
lassen $m "$dir/off.json" "$dir/from_off.json" >"$dir/table" 2>/dev/null
limits "$dir/table" | grep cpu >"$dir/got"
grep cpu "$dir/limits" | diff - "$dir/got"
# Of GPU messages between nodes the step is small, and is found to a size.
grep -q "^messages.gpu.off_node.up_to_bytes.0.  *-  *4096 2048..8192 " "$dir/table"
# They stay when that is asked for.
lassen $m "$dir/off.json" "$dir/kept.json" --keep-breakpoints >/dev/null 2>&1
up_to() { grep -o '"up_to_bytes": [0-9]*' "$1"; }
up_to "$dir/off.json" >"$dir/wanted"
up_to "$dir/kept.json" | diff "$dir/wanted" -

# Limits are between the sizes measured on either side, and odd sizes of many
# messages narrow them: those of 240 B still cost as the short ones do.
has "$dir/lassen.json" '"next_from_bytes": 256'
lassen $m lassen "$dir/odd.json" "$data"_mult_pong_split.csv \
    >"$dir/table" 2>/dev/null
near 'messages.cpu.off_node.up_to_bytes[0]' 224 248
grep -q "^messages.cpu.off_node.up_to_bytes.0.  *128  *2[24]. 2[24].\.\.2.. " "$dir/table"
"$sluice" validate --platform "$dir/odd.json" "$data"_mult_pong_split.csv \
    >"$dir/out" 2>/dev/null
awk '$1 == "mult_pong_split" { seen = 1; if ($3 + 0 > 12) { print; exit 1 } }
    END { exit !seen }' "$dir/out"
"$sluice" validate --platform lassen "$data"_mult_pong_split.csv |
    awk '$1 == "mult_pong_split" && $3 + 0 < 12 { print; exit 1 }'
# No limit may pass that of the next segment.
sed '/"off_node"/,/"up_to_bytes": 8192/s/"next_from_bytes": 256/"next_from_bytes": 9000/' \
    "$dir/lassen.json" >"$dir/wide.json"
! "$sluice" show platform "$dir/wide.json" >/dev/null 2>"$dir/err"
has "$dir/err" "up_to_bytes: expected at least the next_from_bytes of the segment"

# Each half of the runs has the same breakpoints, but for one that it does without.
mkdir "$dir/even" "$dir/odd"
for half in even odd; do
    for kind in ping_pong maxrate memcpy; do
        awk -F, -v odd=$([ $half = odd ] && echo 1 || echo 0) '
            /^#/ || /^machine/ { print; next }
            { key = $3 FS $4 FS $9 FS $10 }
            NF == 11 { key = $3 FS $4 FS $6 FS $7 }
            n[key]++ % 2 == odd' \
            "$m/lassen_spectrum_$kind.csv" \
            >"$dir/$half/lassen_spectrum_$kind.csv"
    done
    lassen "$dir/$half" lassen "$dir/half.json" >"$dir/table" 2>/dev/null
    limits "$dir/table" | sed 's/\[.*\]//' | sort >"$dir/got"
    sed 's/\[.*\]//' "$dir/limits" | sort | diff - "$dir/got" >"$dir/diff" ||
        [ "$(grep -c '^<' "$dir/diff")" -le 1 ] || { cat "$dir/diff"; exit 1; }
    ! grep '^>' "$dir/diff"
done

x=$dir/x.json
grep -v '^#' "$data"_memcpy.csv >"$dir/plain.csv"
sed 's/,time_s,/,time,/' "$dir/plain.csv" >"$dir/no_time.csv"
awk -F, -v OFS=, 'NR == 3 { $12 = "nan" } 1' "$dir/plain.csv" >"$dir/nan.csv"
awk -F, -v OFS=, 'NR == 3 { $12 = "-1e-6" } 1' "$dir/plain.csv" >"$dir/neg.csv"
printf 'a,b\n1,2\n' >"$dir/other.csv"
head -1 "$dir/plain.csv" >"$dir/empty.csv"
pong='machine,mpi,device,locality,rank_a,rank_b,socket_a,socket_b,bytes,time_s'
pongs() { # file, row, and perhaps a comment
    printf '%s\n%s\nl,s,cpu,off_node,0,4,0,0,4,1e-6\n%s\n' "${3:-# no}" \
        "$pong" "$2" >"$dir/$1.csv"
}
pongs device 'l,s,tpu,off_node,0,4,0,0,4,1e-6'
pongs place 'l,s,cpu,far_away,0,4,0,0,4,1e-6'
pongs socket 'l,s,cpu,off_node,0,4,0,2,4,1e-6'
pongs rank 'l,s,cpu,off_node,0,999999,0,0,4,1e-6'
pongs inf 'l,s,cpu,off_node,0,4,0,0,4,inf'
pongs bytes 'l,s,cpu,off_node,0,4,0,0,-4,1e-6'
pongs no_number 'l,s,cpu,off_node,0,4,0,0,4,'
pongs quote 'l,s,cpu,"off_node,0,4,0,0,4,1e-6'
pongs short 'l,s,cpu,off_node,0,4'
sed '1d;s/$/,r1/;s/time_s,r1/time_s,run_id/' "$dir/rank.csv" >"$dir/many.csv"
sed -i '1i # run: run_id=r1 date=x ranks_per_node=41 hosts=a' "$dir/many.csv"
sed 's/,bytes,/,rank_a,/' "$dir/rank.csv" >"$dir/twice.csv"
sed 's/,bytes,/,octets,/' "$dir/rank.csv" >"$dir/no_bytes.csv"
sed '/^#/d;s/,locality,/,place,/' "$dir/plain.csv" >"$dir/no_place.csv"
awk -F, -v OFS=, 'NR == 3 { $7 = 4 } 1' "$dir/plain.csv" >"$dir/gpu.csv"
awk -F, -v OFS=, 'NR == 3 { $6 = 2 } 1' "$dir/plain.csv" >"$dir/cpu.csv"
awk -F, -v OFS=, 'NR == 3 { $4 = "H2H" } 1' "$dir/plain.csv" >"$dir/dir.csv"
grep -v '^#' "$data"_memcpy_mult.csv | sed '1s/$/,ranks_per_node/;2,$s/$/,8/' \
    >"$dir/ranks.csv"
grep -v '^#' "$data"_maxrate.csv >"$dir/rate.csv"
awk -F, -v OFS=, 'NR == 3 { $4 = 41 } 1' "$dir/rate.csv" >"$dir/pairs.csv"
awk -F, -v OFS=, 'NR == 3 { $4 = 0; $5 = 0 } 1' "$dir/rate.csv" >"$dir/none.csv"
: >"$dir/nothing.csv"
printf 'machine,mpi,device,active_pairs,pairs_socket0,total_bytes,bytes_per_message,time_s\nl,s,cpu,1,1,8,8,1e-6\n' >"$dir/node_pong.csv"

# Contradictory measurements, and one that cannot be read beside others: what
# can be fitted is, and the rest is said.
{
    echo "$pong"
    for b in 131072 262144 524288 1048576 2097152; do
        echo "l,s,cpu,off_node,0,40,0,0,$b,$(awk -v b=$b 'BEGIN { print 9e-1 - b * 1e-7 }')"
        # The two largest are faster than any message, which bends the line.
        echo "l,s,gpu,off_node,0,40,0,0,$b,$(awk -v b=$b \
            'BEGIN { print b < 1048576 ? 8.4e-6 + b * 7.27e-11 : 1e-6 }')"
    done
} >"$dir/falling.csv"
awk -F, -v OFS=, 'NR > 1 { $12 = 1e-7 } 1' "$dir/plain.csv" >"$dir/instant.csv"
{
    echo machine,mpi,device,active_pairs,pairs_socket0,bytes_per_message,time_s
    for n in 1 2 4 8 16; do
        for b in 16384 32768 65536; do echo "l,s,cpu,$n,$n,$b,${n}e-7"; done
    done
} >"$dir/light.csv"
"$sluice" calibrate "$dir/falling.csv" "$dir/instant.csv" "$dir/light.csv" \
    "$dir/neg.csv" --base lassen -o "$dir/y.json" >"$dir/table" 2>"$dir/err"
has "$dir/err" "left out: $dir/neg.csv:3: time_s: expected a time above 0"
has "$dir/err" "beta_ns_per_byte: kept: the fit is not above 0"
has "$dir/err" "gpu: predicted worse than before: median |error|"
has "$dir/err" "copies.engine_us: all of the shortest copy"
has "$dir/err" "node.wire_types.nic.bandwidth_GBps: more was measured than"
has "$dir/table" "median |error| on the inputs"
has "$dir/y.json" '"mpi": "s"' # whose messages they are now
"$sluice" show platform "$dir/y.json" >/dev/null
# Wires of the base that are slower than the messages measured get their rate,
# but for what was measured by itself, which is named; the new platform has a
# name of its own.
{
    echo "$pong"
    for memory in cpu gpu; do
        for kib in 1 2 4 8 16 32 64 128 256 512 1024 2048 4096; do
            awk -v m=$memory -v b=$((kib * 1024)) 'BEGIN {
                print "mine,s," m ",off_node,0,16,0,0," b "," 4e-6 + b / 24e9 }'
        done
    done
} >"$dir/fast.csv"
"$sluice" calibrate "$dir/fast.csv" --base leonardo -o "$dir/mine.json" \
    >"$dir/table" 2>"$dir/err"
has "$dir/err" "node.wire_types.hdr100.bandwidth_GBps: the base's is slower than"
near node.wire_types.hdr100.bandwidth_GBps 23.9 24.1
has "$dir/mine.json" '"name": "mine"'
has "$dir/mine.json" '"about": "calibrated from leonardo: '
awk '/^median/ { on = $NF == "worst" } on && $1 == "ping_pong" {
    seen = 1; w = $NF + 0; if (w > 6 || w < -6) { print; bad = 1 } }
    END { exit bad || !seen }' "$dir/table"
"$sluice" validate --platform "$dir/mine.json" --points "$dir/fast.csv" \
    >"$dir/out" 2>&1
awk '/ B .*%$/ { e = $NF + 0; n++; if (e > 6 || e < -6) { print; bad = 1 } }
    END { exit bad || n != 26 }' "$dir/out"
"$sluice" calibrate "$dir/fast.csv" --base leonardo --name other -o - 2>/dev/null |
    grep -qF '"name": "other"'
sed '/"hdr100": {/,/}/s/"bandwidth_GBps": [0-9.]*/"bandwidth_GBps": 12.5/' \
    "$dir/mine.json" >"$dir/narrow.json" # its source is a fit
"$sluice" calibrate "$dir/fast.csv" --base "$dir/narrow.json" \
    -o "$dir/mine.json" >"$dir/table" 2>"$dir/err"
has "$dir/err" "node.wire_types.hdr100.bandwidth_GBps: kept: messages were measured"
# However many rates before it are slower than messages.
"$sluice" show platform leonardo --json | python3 -c '
import json, sys
doc = json.load(sys.stdin)
types = doc["node"]["wire_types"]
slow = {"bandwidth_GBps": 1, "source": {"kind": "assumed", "text": "a test"}}
doc["node"]["wire_types"] = {**{f"slow{i}": slow for i in range(40)}, **types}
json.dump(doc, sys.stdout)' >"$dir/slow.json"
"$sluice" calibrate "$dir/fast.csv" --base "$dir/slow.json" \
    -o "$dir/mine.json" >"$dir/table" 2>"$dir/err"
near node.wire_types.hdr100.bandwidth_GBps 23.9 24.1
if grep -q 'wire_types.slow.*bandwidth_GBps' "$dir/table"; then
    echo "a wire that no message passes was raised" >&2
    exit 1
fi
# A specified rate is not raised.
"$sluice" calibrate "$dir/fast.csv" --base lassen -o "$dir/mine.json" >"$dir/table" 2>"$dir/err"
has "$dir/err" "node.wire_types.nic.bandwidth_GBps: kept: messages were measured to be faster than this wire is specified"
is_nic "$dir/mine.json" "12.11 12.5 fit specification"
# What a fit makes worse is said.
"$sluice" calibrate $m/lassen_spectrum_mult_pong.csv --base lassen \
    -o "$dir/z.json" >"$dir/table" 2>"$dir/err"
has "$dir/table" "mult_pong/gpu "
if grep -q worse "$dir/err"; then cat "$dir/err"; exit 1; fi
# CPUs that are busy for twice alpha are in a valley narrower than a step of the
# scan.
"$sluice" calibrate $m/lassen_spectrum_ping_pong.csv \
    $m/lassen_spectrum_mult_pong.csv --base summit -o "$dir/z.json" >/dev/null 2>&1
grep -A2 '"send_us": 16.75,' "$dir/z.json" >"$dir/out"
has "$dir/out" '"rendezvous": "get"'

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
bad() { # name of the file, text
    refused "$1.csv:$2" "$dir/$1.csv" --base lassen -o "$x"
}
bad device "4: device: expected cpu or gpu, got 'tpu'"
bad place "4: locality: expected on_socket, on_node or off_node, got 'far_away'"
bad inf "4: time_s: expected a number, got 'inf'"
bad bytes "4: bytes: "
bad quote "4: malformed"
bad short "4: "
bad twice "2: two columns named rank_a"
bad no_bytes " no column named bytes"
bad no_place " no column named locality"
bad dir "3: direction_performed: expected H2D, D2H or D2D, got 'H2H'"
bad none "3: active_pairs: 0 pairs"
bad nothing ""
# Processes of a GPU wait for their turn (100 us) with small copies to it; copies
# from it do not.
{
    echo "# measured: copies, 8 ranks"
    echo "machine,mpi,direction_performed,copying_ranks_per_gpu,gpus_copying,bytes_per_rank,config,time_s"
    for copiers in 1 2 3 4; do
        for bytes in 1024 4096 16384 65536; do # turns end at the base's 32 KiB
            time_us=$((bytes < 32768 && copiers > 1 ? 100 * copiers : 9 * copiers))
            echo "l,m,H2D,$copiers,2,$bytes,MPS_off,${time_us}e-6"
            echo "l,m,D2H,$copiers,2,$bytes,MPS_off,8e-6"
        done
    done
} >"$dir/both_ways.csv"
"$sluice" calibrate "$dir/both_ways.csv" --base h200-x2 -o "$dir/both_ways.json" \
    >"$dir/table" 2>/dev/null
near copies.time_slice_us 99.9 100.1
near copies.time_slice_below_bytes 32768 32768

# What the base lacks, and what was not measured, is left out and told.
left() { # file, base, text
    "$sluice" calibrate "$1" --base "$2" -o "$dir/left.json" \
        >/dev/null 2>"$dir/err" || true
    has "$dir/err" "rows left out: $3"
}
left "$dir/socket.csv" lassen "lassen has no socket 2"
left "$dir/rank.csv" lassen "lassen has 792 nodes, too few for rank 999999"
left "$dir/no_number.csv" lassen "no time"
left "$dir/many.csv" lassen "lassen has 40 cores a node, not 41"
left "$dir/gpu.csv" lassen "lassen has no GPU 4, only 4"
left "$dir/cpu.csv" lassen "lassen has no socket 2"
left "$dir/pairs.csv" lassen "lassen has 40 cores a node, too few for 41"
left "$data"_maxrate.csv duo "duo has"
left "$data"_memcpy.csv duo "duo has no GPU 1, only 1"
refused "copying_ranks_per_gpu: expected from 1 to 2 (8 ranks, 4 GPUs)" \
    "$dir/ranks.csv" --base lassen -o "$x"
refused "unknown option" "$dir/plain.csv" --base lassen --bse x -o "$x"

# Matching: the presets that were fitted come out again, alone or in a platform.
for preset in h200 cpu; do
    "$sluice" calibrate results/h200/gpu/match.csv \
        --base platforms/matching/$preset.json --name $preset -o - |
        cmp - platforms/matching/$preset.json
done
"$sluice" calibrate results/h200/gpu/match.csv --base lassen -o "$dir/m.json" \
    >"$dir/table"
has "$dir/m.json" '"entry_ns": 2.563'
has "$dir/table" "predicted list"
"$sluice" calibrate results/h200/gpu/match.csv \
    --base platforms/matching/h200.json -o "$dir/m.json" >"$dir/table"
has "$dir/table" "predicted partitioned, 16 queues"
refused "measured matching: expected no other files with it" \
    results/h200/gpu/match.csv "$data"_maxrate.csv --base lassen -o "$x"

# Accesses and calls of a GPU.
costs="$(echo results/h200/graph/c*.csv)"
"$sluice" calibrate $costs --base platforms/parts/h200-costs.json -o - |
    cmp - platforms/parts/h200-costs.json
"$sluice" calibrate $costs --base dgx-h100 -o "$dir/m.json" >"$dir/table"
has "$dir/table" "gpu.calls.launch_stream_us"
has "$dir/table" "gpu.l2_MiB"
"$sluice" show platform "$dir/m.json" >"$dir/table"
has "$dir/table" "fit: costs-1.csv (2 x NVIDIA H200)"
refused "not of sluice-native graph-costs, as the others" \
    $costs "$data"_maxrate.csv --base lassen -o "$x"
grep -v ",0,0,[0-9]*[0-9]\{8\},262144,1,8," results/h200/graph/costs-1.csv >"$dir/few.csv"
refused "expected 6 footprints or more" "$dir/few.csv" --base lassen -o "$x"
