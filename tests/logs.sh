#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Logs of benchmarks as measurements: sluice validate scores them, says once
# what it could not read, and names the columns that it expected.
set -eu
sluice=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
logs=tests/data/logs

die() {
    echo "$*" >&2
    exit 1
}
run() { # exit code, then the command
    local want=$1 code=0
    shift
    "$sluice" "$@" >"$dir/out" 2>"$dir/err" || code=$?
    [ "$code" = "$want" ] || die "$*: exit code $code: $(cat "$dir/err")"
}
has() { # out or err, text
    grep -qF -- "$2" "$dir/$1" || die "no '$2' in $1: $(cat "$dir/$1")"
}

# Every size of nccl-tests, in and out of place, is simulated as sluice run
# simulates it.
run 0 validate results/logs/alps_allreduce_2x4.txt --platform alps
[ "$(grep -c '^ .*%' "$dir/out")" = 50 ] || die "not 50 points: $(cat "$dir/out")"
has out nccl-tests/allreduce/2x4/out_of_place
has out nccl-tests/allreduce/2x4/above_64_MiB
us=$(awk '/in_place$/ && NF == 1 { on = 1 } on && $1 == 134217728 { print $3; exit }' "$dir/out")
run 0 run --platform alps --workload allreduce:bytes=128M,memory=device \
    --nodes 2 --algorithm auto
grep -qF -- " $us " "$dir/out" || die "validate says $us us, run: $(cat "$dir/out")"

# What is broken is said once; the rest is read.
run 0 validate $logs/nccl_tests_broken.txt --platform alps
[ "$(wc -l <"$dir/err")" = 6 ] || die "not 6 lines: $(cat "$dir/err")"
has err 'a comma was taken as a decimal point'
run 0 validate $logs/nccl_tests_broken.txt --platform alps --fact nodes=2
! grep -q 'nodes is not stated' "$dir/err" || die "asks for what it was told"

# A log of GPUs of which the machine has fewer a node, and one without rows.
run 2 validate $logs/nccl_tests_old.txt --platform alps
has err 'alps has 4 GPUs a node, for 8 ranks'
printf '# nThread 1 nGpus 8\n' >"$dir/empty"
run 2 validate "$dir/empty" --platform alps
has err 'expected the columns size, count, type, time, algbw, busbw'
run 2 validate results/logs/alps_allreduce_2x4.txt --platform alps --fact gpus=8
has err '--fact gpus=8: expected ranks=N, nodes=N'

# Host memory by OSU and IMB; windows stay below the network's rate.
run 0 validate results/logs/alps_osu_bw.txt --platform alps
has out ' base err '
has out ' pred GB/s'
awk '/^bandwidth/ { n++ } /^ .*%/ { bad += $NF > 25 } END { exit n < 2 || bad }' \
    "$dir/out" || die "windows above 25 GB/s: $(cat "$dir/out")"
run 0 validate $logs/osu_many.txt --platform lassen
has err 'of how many ranks is not stated: --fact ranks=N'
run 0 validate $logs/osu_many.txt --platform lassen --fact ranks=3 --fact nodes=1
has err '3 ranks do not form pairs'
run 0 validate $logs/osu_many.txt --platform lassen --fact ranks=8 --fact nodes=2
has out osu/alltoall/2x4/out_of_place
has out multi_latency/gpu
run 0 validate $logs/imb.txt --platform lassen --fact nodes=2 --json
python3 - "$dir/out" <<'EOF' || die "JSON of a log"
import json, sys
doc = json.load(open(sys.argv[1]))
points = [p for p in doc["points"] if p["group"].startswith("ping_pong/")]
assert len(points) == 4 and points[-1]["measured_s"] == 95.1e-6, points
EOF

# Kernels' times of NCCL Inspector, copies of nvbandwidth.
run 0 validate $logs/nccl_inspector.jsonl --platform alps
has out nccl-inspector/reduce_scatter/2x4
has err 'sends and receives: not simulated'
for log in txt json; do
    run 0 validate $logs/nvbandwidth.$log --platform h200-x2
    awk '/^ .*%/ { n++; e = $4 + 0; bad += e > 5 || e < -5 } END { exit !n || bad }' \
        "$dir/out" || die "copies more than 5 % off: $(cat "$dir/out")"
done
run 0 list logs
[ "$(grep -c '^  [a-z]' "$dir/out")" = 5 ] || die "not 5 formats: $(cat "$dir/out")"

# A log of latencies determines the segments of messages that it was made with,
# 1.5 us and 0.2 ns/B up to 8 KiB, then 4 us and 0.08 ns/B.
run 0 calibrate $logs/osu_latency.txt --base alps -o "$dir/mine.json" --name mine --json
python3 - "$dir/mine.json" <<'EOF' || die "segments of a log of latencies"
import json, sys
table = json.load(open(sys.argv[1]))["messages"]["cpu"]["off_node"]["segments"]
got = [(s["alpha_us"], s["beta_ns_per_byte"]) for s in table]
want = [(1.5, 0.2), (4.0, 0.08)]
assert len(got) == 2 and table[0]["up_to_bytes"] == 8192, table
assert all(abs(a / b - 1) < 0.01 for g, w in zip(got, want) for a, b in zip(g, w)), got
EOF
run 0 validate $logs/osu_latency.txt --platform "$dir/mine.json" --summary
awk -F'|' '$3 ~ /ping_pong/ { exit !($5 + 0 < 1) }' "$dir/out" ||
    die "the fitted machine misses its log: $(cat "$dir/out")"

# One of NCCL determines numbers of NCCL, which the file names as their source:
# from a base whose calls start 4 times later, those that made the log. No fit
# makes the median worse.
"$sluice" show platform alps --json --set nccl.ll.start_us=x4 >"$dir/late.json" \
    2>/dev/null || die "no platform with late calls"
{
    echo '# Collective test starting: all_reduce_perf'
    echo '# size count type redop root time algbw busbw #wrong time algbw busbw #wrong'
    for bytes in 8 16 32 64 128 256 512 1k 2k; do
        "$sluice" run --platform alps --nodes 2 --algorithm auto --workload \
            "allreduce:bytes=$bytes,memory=device" 2>/dev/null |
            awk '$3 == "float" { print $1, $2, $3, "sum", -1, $4, $5, $6, 0, $4, $5, $6, 0 }'
    done
} >"$dir/small.txt"
run 0 calibrate "$dir/small.txt" --base "$dir/late.json" --fact nodes=2 \
    --fact ranks=8 -o "$dir/nccl.json" --name mine --json
python3 - "$dir/out" "$dir/nccl.json" "$dir/late.json" <<'EOF' || die "NCCL's numbers: $(cat "$dir/out")"
import json, sys
doc, machine, late = (json.load(open(f)) for f in sys.argv[1:])
errors = doc["inputs"][0]
assert errors["median_error_fitted"] < 0.02 < errors["median_error_old"], doc["inputs"]
got, base = (m["nccl"]["ll"]["start_us"] for m in (machine, late))
assert abs(got / (base / 4) - 1) < 0.1, (got, base)
assert "small.txt" in json.dumps(machine["nccl"]["ll"]["start_source"]), "no source"
EOF
run 0 calibrate results/logs/alps_allreduce_2x4.txt --base alps \
    -o "$dir/nccl.json" --name mine --json ||
    grep -q 'determine no number' "$dir/err"
python3 - "$dir/out" <<'EOF' || die "a fit that is worse than its base: $(cat "$dir/out")"
import json, sys
errors = json.load(open(sys.argv[1]))["inputs"][0]
assert errors["median_error_fitted"] <= errors["median_error_old"], errors
EOF
run 2 calibrate "$dir/empty" --base alps -o "$dir/none.json"
has err 'expected the columns size, count, type, time, algbw, busbw'
[ ! -e "$dir/none.json" ] || die "half-written platform"

# Measured points of a log beside the simulated lines.
if command -v gnuplot >/dev/null; then
    run 0 figure collective --platform alps --nodes 2 \
        --workload 'allreduce:bytes=64K..1M*16,memory=device' \
        --algorithm nccl_ring/simple \
        --measured results/logs/alps_allreduce_2x4.txt --out "$dir/figures"
    [ "$(grep -c ',measured,' "$dir/figures/fig-collective.csv")" = 50 ] ||
        die "not 50 measured points"
    run 2 figure collective --platform alps --nodes 2 \
        --workload 'allgather:bytes=64K..1M*16,memory=device' \
        --measured results/logs/alps_allreduce_2x4.txt --out "$dir/figures"
    has err 'no row of allgather'
fi

# What is wrong with two nodes whose NCCL went over sockets: the network.
run 0 expect results/logs/alps_allreduce_2x4_sockets.txt --platform alps
has out 'nccl-tests/allreduce/2x4/in_place'
has out 'what would explain it, by simulation:'
grep -A1 'what would explain' "$dir/out" | grep -q 'sockets' ||
    die "sockets are not the first explanation: $(cat "$dir/out")"
[ "$(grep -c '  slow ' "$dir/out")" -gt 20 ] || die "not slow: $(cat "$dir/out")"
# A log that is what the machine does needs no explanation: the simulated times
# With sockets, as a setting or as the log says, the last sizes are as expected;
# variables without a model are passed over in a log, and refused in a command.
sockets=results/logs/alps_allreduce_2x4_sockets.txt
run 0 expect $sockets --platform alps --nccl NCCL_IB_DISABLE=1
[ "$(grep -cE '^ +(67108864|134217728) .*as expected' "$dir/out")" = 4 ] ||
    die "not as expected with sockets: $(cat "$dir/out")"
cp "$dir/out" "$dir/by_option"
sed '2a n0:1:1 [0] NCCL INFO NCCL_IB_DISABLE set by environment to 1.' $sockets |
    sed '2a n0:1:1 [0] NCCL INFO NCCL_SOCKET_IFNAME set by environment to hsn' >"$dir/set.txt"
run 0 expect "$dir/set.txt" --platform alps
has err 'with NCCL_IB_DISABLE=1, as the log says'
! grep -q IFNAME "$dir/err" || die "it reads NCCL_SOCKET_IFNAME"
tail -n +2 "$dir/out" | diff <(tail -n +2 "$dir/by_option") - || die "not as by the option"
run 0 expect "$dir/set.txt" --platform alps --nccl NCCL_IB_DISABLE=0
grep -q '134217728 .*slow' "$dir/out" || die "the option does not override the log"
run 0 validate "$dir/set.txt" --platform alps
has err 'with NCCL_IB_DISABLE=1, as the log says'
run 0 validate "$dir/set.txt" $sockets --platform alps
has err "set.txt: without NCCL_IB_DISABLE=1 of the log, because it is not the only"
! grep -q IFNAME "$dir/err" || die "it names NCCL_SOCKET_IFNAME"
! grep -q 'as the log says' "$dir/err" || die "settings of one of two logs"
# One with a value that the platform does not take is left out, and said.
for setting in NCCL_MIN_NCHANNELS=0 NCCL_NCHANNELS_PER_NET_PEER=-1 \
    'NCCL_ALGO=allreduce:tree;broadcast:ring'; do
    sed "2a n0:1:1 [0] NCCL INFO ${setting%%=*} set by environment to ${setting#*=}." \
        $sockets >"$dir/odd.txt"
    run 0 expect "$dir/odd.txt" --platform alps
    has err "without $setting of the log: --nccl $setting: NCCL_"
done
log=tests/data/logs/rccl_tests_1x8.txt
sed '1i n0:1:1 [0] NCCL INFO NCCL_IB_DISABLE set by environment to 1.' $log >"$dir/odd.txt"
run 0 validate "$dir/odd.txt" --platform mi300x-8
has err 'without NCCL_IB_DISABLE=1 of the log: '
has err 'the platform has no nccl.socket_GBps'
for level in 2 5; do
    sed "2a n0:1:1 [0] NCCL INFO NCCL_P2P_LEVEL set by environment to $level" \
        $sockets >"$dir/odd.txt"
    run 0 expect "$dir/odd.txt" --platform alps
    has err "with NCCL_P2P_LEVEL=$level, as the log says"
done
us_of() { # a setting; prints the microseconds of NCCL's own choice
    run 0 run --platform dgx-h100 --nodes 1 --library nccl --algorithm auto \
        --workload allreduce:bytes=64M,memory=device --nccl "$1"
    awk '$3 == "float" { print $4 }' "$dir/out"
}
[ "$(us_of NCCL_P2P_LEVEL=0)" = "$(us_of NCCL_P2P_LEVEL=LOC)" ] || die "level 0 is not LOC"
[ "$(us_of NCCL_P2P_LEVEL=0)" != "$(us_of NCCL_P2P_LEVEL=1)" ] || die "level 0 is level 1"
# An error of a value names the option, and the words that there are.
run 2 expect $sockets --platform alps --nccl NCCL_ALGO=5
has err '--nccl NCCL_ALGO=5: NCCL_ALGO: unknown algorithm 5; known: Tree, Ring'
run 2 expect $sockets --platform alps --nccl NCCL_P2P_LEVEL=near
has err 'expected LOC, NVL, PIX, PXB, PHB or SYS, got "near"'
run 2 expect $sockets --platform alps --nccl NCCL_MIN_NCHANNELS=112
has err 'settings.NCCL_MIN_NCHANNELS: expected at most 64, got 112'
run 2 expect $sockets --platform alps --nccl NCCL_MIN_NCHANNELS=8 --nccl NCCL_MAX_NCHANNELS=4
has err 'settings.NCCL_MIN_NCHANNELS: expected at most 4, the most that are set, got 8'
run 0 expect tests/data/logs/rccl_tests_1x8.txt --platform mi300x-8 --nccl NCCL_MIN_NCHANNELS=112
run 2 expect $sockets --platform dane --nccl NCCL_ALGO=Ring
has err 'dane.json: --set: nccl.settings.NCCL_ALGO=Ring: the platform has no NCCL'
run 2 validate $sockets --platform alps --nccl NCCL_SOCKET_IFNAME=hsn
has err '--nccl NCCL_SOCKET_IFNAME: not modelled: a platform has no names'

# themselves, as nccl-tests print them.
{
    echo '# Collective test starting: all_reduce_perf'
    echo '# size count type redop root time algbw busbw #wrong time algbw busbw #wrong'
    for bytes in 1M 16M 128M; do
        "$sluice" run --platform alps --nodes 2 --algorithm auto --workload \
            "allreduce:bytes=$bytes,memory=device" 2>/dev/null |
            awk '$3 == "float" { print $1, $2, $3, "sum", -1, $4, $5, $6, 0, $4, $5, $6, 0 }'
    done
} >"$dir/made.txt"
run 0 expect "$dir/made.txt" --platform alps --fact nodes=2 --json
python3 - "$dir/out" <<'EOF' || die "a machine that is as it should be: $(cat "$dir/out")"
import json, sys
doc = json.load(open(sys.argv[1]))
assert len(doc["points"]) == 6, doc
assert all(p["verdict"] == "as expected" for p in doc["points"]), doc
assert doc["mean_log_error"] < 0.001, doc
assert any(p["link"].startswith("network") and p["utilisation"] > 0.8 for p in doc["points"]), doc
EOF
# The same with half the network's rate is found out.
{
    sed -n 1,2p "$dir/made.txt"
    for bytes in 16M 32M 64M 128M; do
        "$sluice" run --platform alps --set node.wire_types.slingshot.bandwidth_GBps=x0.5 --nodes 2 \
            --algorithm auto --workload "allreduce:bytes=$bytes,memory=device" \
            2>/dev/null |
            awk '$3 == "float" { print $1, $2, $3, "sum", -1, $4, $5, $6, 0, $4, $5, $6, 0 }'
    done
} >"$dir/half.txt"
run 0 expect "$dir/half.txt" --platform alps --fact nodes=2
grep -A1 'what would explain' "$dir/out" |
    grep -q '100 %  factor 1.00 left  the network at 1/2 of its rate' ||
    die "half a network is not found: $(cat "$dir/out")"
run 2 expect results/logs/README.md --platform alps
has err 'no log that sluice knows'
run 2 expect "$dir/nothing" --platform alps
has err "$dir/nothing: No such file or directory"
run 2 expect "$dir" --platform alps
! grep -q 'no log' "$dir/err" || die "a directory: $(cat "$dir/err")"
run 2 expect results/logs/alps_osu_bw.txt
has err 'expected --platform NAME'

# A log of other GPUs than the machine has is said once.
run 0 expect $logs/nccl_tests_old.txt --platform dgx-h100
[ "$(grep -c 'another GPU, A100-SXM4-40GB, than dgx-h100' "$dir/err")" = 1 ] ||
    die "no warning, or several: $(cat "$dir/err")"
run 0 expect $logs/nccl_tests_old.txt --platform dgx-a100
! grep -q 'another GPU' "$dir/err" || die "$(cat "$dir/err")"

# Restrictions are NCCL's own choice among what is left: LL is not LL128, and
# half the channels are tried where NCCL's search finds them.
expect_of() { # microseconds of 64 MiB on 8 GPUs, the machine
    printf '%s\n' '# Collective test starting: all_reduce_perf' \
        '# size count type redop root time algbw busbw #wrong time algbw busbw #wrong' \
        "67108864 16777216 float sum -1 $1 1 1 0 $1 1 1 0" >"$dir/one.txt"
    run 0 expect "$dir/one.txt" --platform "$2" --fact ranks=8 --fact nodes=1
}
us=$("$sluice" run --platform dgx-h100 --nodes 1 --algorithm auto --library nccl \
    --nccl NCCL_PROTO=LL --workload allreduce:bytes=64M,memory=device 2>/dev/null |
    awk '$3 == "float" { print $4 }')
expect_of "$us" dgx-h100
grep 'LL only' "$dir/out" | grep -q '100 %  factor 1.00 left' ||
    die "LL is no explanation: $(cat "$dir/out")"
us=$("$sluice" run --platform dgx-a100 --nodes 1 --algorithm auto --library nccl \
    --set nccl.settings.NCCL_MAX_NCHANNELS=12 \
    --workload allreduce:bytes=64M,memory=device 2>/dev/null |
    awk '$3 == "float" { print $4 }')
expect_of "$us" dgx-a100
grep 'half the channels' "$dir/out" | grep -q '100 %  factor 1.00 left' ||
    die "half the channels are not found: $(cat "$dir/out")"

# Calls of one thread for all GPUs, and GPUs without direct access, are what the same
# machine does with such numbers and settings.
explained() { # text of the explanation, bytes, options of sluice run
    local text=$1 bytes=$2 us
    shift 2
    us=$("$sluice" run --platform dgx-h100 --nodes 1 --algorithm auto --library nccl \
        --workload "allreduce:bytes=$bytes,memory=device" "$@" 2>/dev/null |
        awk '$3 == "float" { print $4 }')
    printf '%s\n' '# Collective test starting: all_reduce_perf' \
        '# size count type redop root time algbw busbw #wrong time algbw busbw #wrong' \
        "$bytes $((bytes / 4)) float sum -1 $us 1 1 0 $us 1 1 0" >"$dir/one.txt"
    run 0 expect "$dir/one.txt" --platform dgx-h100 --fact ranks=8 --fact nodes=1
    grep -F "$text" "$dir/out" | grep -q '100 %  factor 1.00 left' ||
        die "$text: no explanation of $us us: $(cat "$dir/out")"
}
explained 'one thread of the CPU' 1048576 --set nccl.call_us=x8 \
    --set nccl.channel_us=x8 --set nccl.send_us=x8
explained 'NCCL_P2P_DISABLE' 67108864 --nccl NCCL_P2P_DISABLE=1

# The algorithm that NCCL's own line names is compared with the model's.
sed 's/Algo 0 proto 0/Algo 1 proto 2/' results/logs/alps_allreduce_2x4.txt >"$dir/ring.txt"
run 0 expect "$dir/ring.txt" --platform alps
has out '; the log: RING/SIMPLE'
has out "algorithm: the log's at 0 of the 1 sizes of which it names one"
# RCCL is simulated as such: all sizes of a log are within 10 %.
run 0 validate tests/data/logs/rccl_tests_1x8.txt --platform mi300x-8
grep -q 'does not say how it runs NCCL' "$dir/err" && die "$(cat "$dir/err")"
awk '/out_of_place$/ { on = 1 } on && /%/ { e = $4 + 0; if (e < -10 || e > 10) exit 1; n++ }
     /in_place$/ { exit n == 8 ? 0 : 1 }' "$dir/out" || die "RCCL's times differ: $(cat "$dir/out")"
# A machine that does not say how it runs NCCL is not silently another library.
echo '{"format": 1, "name": "mi100", "about": "a test", "extends": "mi300x-8", "gpu": {"arch": "gfx908"}}' >"$dir/mi100.json"
run 0 validate tests/data/logs/rccl_tests_1x8.txt --platform "$dir/mi100.json"
has err 'does not say how it runs NCCL'
