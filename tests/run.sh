# SPDX-License-Identifier: GPL-3.0-or-later
# `sluice run`: a whole run as a golden text, its forms, and what is refused.
set -eu
sluice=$1
. tests/lanes.bash
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

refused() {
    code=$1 want=$2
    shift 2
    if out=$("$sluice" run "$@" 2>&1 >"$folder/stdout"); then
        echo "run $*: not refused" >&2
        exit 1
    elif [ $? -ne "$code" ]; then
        echo "run $*: exit code is not $code: $out" >&2
        exit 1
    fi
    case $out in
    *"$want"*) ;;
    *)
        echo "run $*: expected '$want' in '$out'" >&2
        exit 1
        ;;
    esac
    [ "$(printf '%s\n' "$out" | wc -l)" -eq 1 ] || {
        echo "run $*: more than one line: $out" >&2
        exit 1
    }
    [ ! -s "$folder/stdout" ] || {
        echo "run $*: results beside an error" >&2
        exit 1
    }
}

# Two nodes, numbers that can be checked by hand: golden/run-duo.out. Twice the
# same bytes.
golden=$(sed -E 's/^ +([^ ]+).*/\1/' tests/golden/list_strategies.out | paste -sd,)
small="--platform duo --workload stencil:5pt:8x8 --nodes 2"
"$sluice" run $small --strategy "$golden" >"$folder/one"
"$sluice" run $small --strategy "$golden" >"$folder/two"
cmp "$folder/one" "$folder/two"
diff -u tests/golden/run-duo.out "$folder/one"
# What the answer rests on, in JSON: shares whose sum is 1; a changed number is
# the user's.
"$sluice" run --platform duo --workload stencil:5pt:8x8 --nodes 2 --json \
    --strategy standard/device --set 'messages.gpu.off_node.segments.0.alpha_us=4' |
    sed -n '/"rests_on"/,/}/s/^ *"\([a-z_]*\)": \([0-9.e-]*\),*$/\1 \2/p' >"$folder/rests"
awk '{ all += $2 }
    $1 == "set" { set = $2 } $1 == "assumed" { assumed = $2 }
    END { exit !(NR == 8 && all > 0.999 && all < 1.001 && set > 0.9 &&
          set + assumed > 0.999) }
' "$folder/rests" || { cat "$folder/rests"; exit 1; }

# Also where messages' parts are assumed, which is said beside the shares.
"$sluice" run --platform frontier --nodes 2 --workload alltoall:bytes=64k --json --strategy standard/staged >"$folder/ends.json"
python3 - "$folder/ends.json" <<'CHECK'
import json
import sys

of = json.load(open(sys.argv[1]))["strategies"][0]
assert abs(sum(of["rests_on"].values()) - 1) < 1e-9 and 0 < of["assumed_parts"] <= 1, of["rests_on"]
CHECK
# Plans that are the same are a tie, in every form; of others nothing is said.
tied="--platform lassen --strategy standard/staged,2-step/staged,standard/device"
"$sluice" run $tied --nodes 1 --workload stencil:9pt:96x96 >"$folder/tie"
grep -qx 'a tie of 2: 2-step/staged, standard/staged' "$folder/tie"
"$sluice" run $tied --nodes 1 --workload stencil:9pt:96x96 --json | tr -d ' \n' | grep -q '"tie":\["2-step/staged","standard/staged"\]'
"$sluice" run $tied --nodes 1 --workload alltoall:bytes=1k..2k >"$folder/tie"
[ "$(grep -c ' 2-step/staged (a tie of 2)$' "$folder/tie")" -eq 2 ]
"$sluice" run $tied --nodes 2 --workload alltoall:bytes=64k >"$folder/tie"
! grep -q tie "$folder/tie"

"$sluice" run $small >"$folder/all"

# The forms agree: strategies in the same order, by time.
"$sluice" run $small --csv | tail -n +2 | cut -d, -f5 >"$folder/csv"
"$sluice" run $small --json | grep -o '"strategy": "[^"]*"' |
    cut -d'"' -f4 >"$folder/json"
cmp "$folder/csv" "$folder/json"

# An experiment file says the same as the words of the command line.
cat >"$folder/x.json" <<EOF
{"platform": "duo", "workload": "stencil:5pt:8x8", "nodes": 2, "set": []}
EOF
"$sluice" run "$folder/x.json" | cmp - "$folder/all"

# 64 bytes a value, of eight vectors at once: between the GPUs 2 us and 64
# values of 1 ns a byte, where 8 bytes were 2.064 us.
"$sluice" run $small --value-bytes 64 --strategy standard/device --csv |
    grep -q '^duo,stencil:5pt:8x8,2,2,standard/device,2.512e-06,'
"$sluice" run $small --value-bytes 64 | head -n 1 |
    grep -q 'contiguous rows, values of 64 bytes, not packed'
echo '{"value_bytes": 64}' >"$folder/v.json"
"$sluice" run "$folder/v.json" $small --json >"$folder/v"
grep -q '"value_bytes": 64,' "$folder/v"
grep -q '"time_s": 2.512e-06' "$folder/v"
"$sluice" run "$folder/v.json" $small --value-bytes 8 | cmp - "$folder/all"

# The user's own partition: as contiguous rows by number, and other GPUs.
seq 0 63 | awk '{ print int($1 / 32) }' >"$folder/rows"
"$sluice" run $small --partition "$folder/rows" --csv |
    sed '2,$s#,[^,]*,\([^,]*,[^,]*\)$#,contiguous,\1#' >"$folder/x"
"$sluice" run $small --csv | cmp - "$folder/x"
"$sluice" run $small --partition "$folder/rows" | head -n 1 |
    grep -q "rows by $folder/rows, not packed"
echo "{\"partition\": \"$folder/rows\", \"compare_partition\": \"none\"}" \
    >"$folder/p.json"
"$sluice" run "$folder/p.json" $small --json >"$folder/p"
grep -q "\"partition\": \"$folder/rows\"" "$folder/p"
if grep -q '"compared"' "$folder/p"; then exit 1; fi
# Points of a chessboard: each row needs values of the other GPU, 32 of them
# 8 B, 2 us and 1 ns a byte.
seq 0 63 | awk '{ print (int($1 / 8) + $1) % 2 }' >"$folder/chess"
"$sluice" run $small --partition "$folder/chess" --csv \
    --strategy standard/device | grep -q ',standard/device,2.256e-06,'
sed 5q "$folder/rows" >"$folder/few"
refused 2 "few:5: the file ends after 5 part numbers: there are 64 rows" \
    $small --partition "$folder/few"
(cat "$folder/rows" && echo 0) >"$folder/many"
refused 2 "many:65: more part numbers than rows: there are 64" $small \
    --partition "$folder/many"
refused 2 "rows:33: expected a part number from 0 to 0 (1 GPUs)" \
    --platform duo --workload stencil:5pt:8x8 --gpus 1 \
    --partition "$folder/rows"
sed 's/1/0/' "$folder/rows" >"$folder/empty"
refused 2 "empty:64: part 1 has no rows" $small --partition "$folder/empty"
refused 2 "no/parts: cannot be opened" $small --partition no/parts
refused 2 "--partition: parts: unknown partition" $small --partition parts
refused 2 "a grid of 8x8x1 points: no way to cut it into 11 boxes" \
    --platform lassen --workload stencil:5pt:8x8 --gpus 11 --partition boxes

# Beside it what METIS would give: as when it is asked for.
"$sluice" run $small --partition metis --strategy standard/staged --json |
    grep -m1 -o '"time_s": .*[0-9]' >"$folder/metis"
"$sluice" run $small --partition "$folder/chess" --strategy standard/staged \
    --json | grep -A3 '"compared"' >"$folder/compared"
grep -q '"partition": "metis"' "$folder/compared"
grep -q '"best": "standard/staged"' "$folder/compared"
grep -qF "$(cat "$folder/metis")" "$folder/compared"
"$sluice" run $small --compare-partition boxes |
    grep -q '^rows by boxes: best 2-step-1/device, 2.06 us (+0 %)$'
"$sluice" run --workload stencil:9pt:400x400 --nodes 1 \
    --strategy standard/staged |
    grep -q '^metis rows: not tried on 1435204 nonzeros'
if "$sluice" run $small --partition metis | grep '^metis rows: best'; then
    echo "METIS beside METIS" >&2
    exit 1
fi
refused 2 "not with --csv" $small --csv --compare-partition boxes
refused 2 "--compare-partition: mets: unknown partition" $small \
    --compare-partition mets
refused 2 "--compare-partition: not for bfs:" \
    --workload bfs:standin:road_usa,scale=1/4096 --compare-partition metis

# Packing: on lassen a launch of 5 us, the bytes twice at 900 GB/s, before
# messages from GPU memory 6.6 us until the CPU has seen it, and at the end as
# much without that.
cat >"$folder/pair.json" <<EOF
{"workload": "stencil:5pt:8x8", "gpus": 2, "strategy": "standard/device",
 "compare_partition": "none"}
EOF
ns() {
    "$sluice" run "$folder/pair.json" "$@" --json |
        sed -nE 's/^ *"time_s": ([^,]*),$/\1/p'
}
awk -v with="$(ns)" -v without="$(ns --no-packing)" 'BEGIN {
    d = 1e9 * (with - without); exit !(d > 16600.284 && d < 16600.285) }'
"$sluice" run "$folder/pair.json" --csv |
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR == 2 { print $at["pack_wall_s"], $at["unpack_wall_s"] }' |
    grep -qx '1.16001422e-05 5.00014222e-06'
sed 's/"gpus"/"no_packing": true, "gpus"/' "$folder/pair.json" \
    >"$folder/unpacked.json"
"$sluice" run "$folder/unpacked.json" >"$folder/unpacked"
"$sluice" run "$folder/pair.json" --no-packing | cmp - "$folder/unpacked"
head -n 1 "$folder/unpacked" | grep -q ', not packed (--no-packing); engine'
"$sluice" run "$folder/pair.json" | grep -q '^strategy  *pack  *copy out'
"$sluice" run "$folder/pair.json" --json | grep -q '"packing": true'
head -n 1 "$folder/all" | grep -q ', not packed (no gpu.kernel_launch_us); engine'
refused 2 "--no-packing: not for bfs:" \
    --workload bfs:standin:road_usa,scale=1/4096 --no-packing

# A timeline is one JSON document, and stands whole or not at all.
"$sluice" run $small --strategy split+md --timeline "$folder/t.json" >/dev/null
"$sluice" show platform "$folder/t.json" 2>&1 | grep -q 'format\|unknown key'

refused 2 "expected --workload" --platform duo
refused 2 "did you mean split+md" $small --strategy split-md
refused 2 "only for split+md, split+dd" $small --strategy standard/staged \
    --message-cap 100
refused 2 "named twice" $small --strategy split+md,split+md
refused 2 "--json and --csv" $small --json --csv
refused 2 "say one of them" $small --gpus 2
refused 2 "has 2 nodes" --platform duo --workload stencil:5pt:8x8 --nodes 3
refused 2 "GPUs" --platform duo --workload stencil:5pt:1x1 --nodes 2
refused 2 "expected one --strategy" $small --timeline "$folder/no.json"
refused 2 "expected a file" $small --strategy split+md --timeline -
refused 2 "none of the strategies: standard/staged: 3 ranks per node wanted" \
    $small --ranks-per-node 3
refused 2 "cannot be written" $small --strategy split+md \
    --timeline "$folder/none/t.json"
refused 2 "unknown option (did you mean --platform" --plattform duo
refused 2 "expected a whole number above 0" $small --ranks-per-node -1
refused 2 "--value-bytes: expected bytes above 0" $small --value-bytes 0
refused 2 "values of 2097152 bytes: expected 1 to 1048576" $small \
    --value-bytes 2M
refused 2 "not for bfs:" --workload bfs:standin:road_usa,scale=1/4096 \
    --value-bytes 64
refused 2 "--value-bytes: not for random:ranks=" --platform flat8 \
    --workload random:ranks=8,messages=1,rounds=1,bytes=1 --value-bytes 64
echo '{"value_bytes": 1048577}' >"$folder/y.json"
refused 2 "values of 1048577 bytes: expected 1 to 1048576" "$folder/y.json" \
    $small
for bytes in 0 1.5 -8; do
    echo "{\"value_bytes\": $bytes}" >"$folder/y.json"
    refused 2 "y.json: value_bytes: expected" "$folder/y.json" $small
done
echo '{"workloda": "x"}' >"$folder/y.json"
refused 2 "unknown key (did you mean workload" "$folder/y.json"
[ ! -e "$folder/no.json" ]
[ -z "$(ls "$folder" | grep part || true)" ]


# What is no plain file is written through, not replaced.
ln -s t2.json "$folder/link.json"
"$sluice" run $small --strategy split+md --timeline "$folder/link.json" >/dev/null
[ -L "$folder/link.json" ]
cmp "$folder/t.json" "$folder/t2.json"
mkfifo "$folder/pipe"
cat "$folder/pipe" >"$folder/t3.json" &
"$sluice" run $small --strategy split+md --timeline "$folder/pipe" >/dev/null
wait
[ -p "$folder/pipe" ]
cmp "$folder/t.json" "$folder/t3.json"

# A file that may not grow as large as it must.
if (ulimit -f 1 && "$sluice" run $small --strategy split+md \
    --timeline "$folder/large.json") >/dev/null 2>"$folder/large"; then
    echo "a limit of the file's size was not found" >&2
    exit 1
elif [ $? -ne 1 ]; then
    echo "a limit of the file's size: exit code is not 1" >&2
    exit 1
fi
grep -q "large.json: cannot be written: File too large" "$folder/large"
[ -z "$(ls "$folder" | grep large.json || true)" ]

# Environment variables of NCCL: names that it would ignore are refused.
nccl="--platform dgx-h100 --nodes 1 --workload allreduce:bytes=1M,memory=device --nccl"
refused 2 "NCCL_ALGO: unknown algorithm Tre (did you mean Tree?); known: Tree, Ring," \
    $nccl NCCL_ALGO=Ring,Tre
refused 2 "NCCL_ALGO: unknown algorithm foo; known: Tree, Ring," $nccl NCCL_ALGO=^foo
refused 2 "NCCL_ALGO: unknown algorithm ''" $nccl NCCL_ALGO=Ring,
refused 2 "NCCL_PROTO: unknown protocol LL12" $nccl NCCL_PROTO=LL12
refused 2 "--nccl NCCL_FOO: not modelled; all: sluice list keys" $nccl NCCL_FOO=1
refused 2 "--nccl NCCL_NET_GDR_LEVEL: not modelled: a platform's tables" \
    $nccl NCCL_NET_GDR_LEVEL=PHB
refused 2 "NCCL_SHM_DISABLE: without direct access GPUs of a node would use" \
    $nccl NCCL_SHM_DISABLE=1 --nccl NCCL_P2P_LEVEL=LOC
slower() { # by a factor of at least $1 with a setting: arguments
    least=$1 setting=$2
    shift 2
    for set in "" "--nccl $setting"; do
        "$sluice" run "$@" $set --csv 2>/dev/null | tail -1 |
            sed 's/.*memory=device",[^,]*,[^,]*,[^,]*,\([^,]*\),.*/\1/'
    done | awk -v least="$least" 'NR == 1 { was = $1 } END { exit !($1 > least * was) }' || {
        echo "run $* $setting: not slower by $least" >&2
        exit 1
    }
}
large="--platform dgx-h100 --library nccl --algorithm auto --workload"
slower 4 NCCL_P2P_DISABLE=1 $large allreduce:bytes=1G,memory=device --nodes 1
slower 20 NCCL_IB_DISABLE=1 $large allreduce:bytes=1G,memory=device --nodes 2
# Few GPUs have all of the sockets' rate: 3.16 GB/s of one GPU's 1 GB each way.
"$sluice" run $large allreduce:bytes=1G,memory=device --nodes 2 --set gpus_used=1 \
    --nccl NCCL_IB_DISABLE=1 --csv 2>/dev/null | tail -1 |
    sed 's/.*memory=device",[^,]*,[^,]*,[^,]*,\([^,]*\),.*/\1/' |
    awk '{ exit !($1 > 1 / 3.16 && $1 < 1.3 / 3.16) }'
# These settings change no links of others, which are left out.
for set in NCCL_IB_DISABLE=1 NCCL_P2P_DISABLE=1; do
    "$sluice" run --platform dgx-h100 --nodes 2 --nccl $set --algorithm all \
        --workload allreduce:bytes=1M,memory=device >"$folder/only" 2>&1
    grep -q 'left out: .*ring.*: .*NCCL_IB_DISABLE and NCCL_P2P_DISABLE are for NCCL alone' \
        "$folder/only"
    refused 2 "are for NCCL alone" --platform dgx-h100 --nodes 2 --nccl $set \
        --workload allreduce:bytes=1M,memory=host
done
slower 1.1 NCCL_MAX_P2P_NCHANNELS=2 $large alltoall:bytes=1G,memory=device --nodes 1
slower 1.1 NCCL_BUFFSIZE=65536 $large allreduce:bytes=64M,memory=device --nodes 1 \
    --nccl NCCL_ALGO=Ring --nccl NCCL_PROTO=Simple
"$sluice" run $nccl NCCL_ALGO=ring,PAT --nccl NCCL_PROTO=^ll >/dev/null 2>&1

# Remarks on the library's choice go to standard error, once.
remarks() { # the number of lines with some words, the words, arguments
    n=$1 words=$2
    shift 2
    "$sluice" run "$@" 2>"$folder/remarks" >/dev/null
    [ "$(grep -cF -- "$words" "$folder/remarks")" = "$n" ] || {
        echo "run $*: expected $n times '$words'" >&2
        cat "$folder/remarks" >&2
        exit 1
    }
}
device="--workload allreduce:bytes=1K..1M*32,memory=device"
remarks 1 "NCCL has no algorithm for it: NCCL_ALGO=NVLS excludes Tree, Ring, NVLSTree, PAT, CollnetDirect, CollnetChain; NCCL's NVLS takes switches" \
    --platform dgx-a100 --nodes 1 $device --nccl NCCL_ALGO=NVLS
remarks 1 "CollnetChain; NCCL's search finds no channels for it" --platform dgx-h100 \
    --nodes 4 --set gpus_used=1 --set network.reduces=true $device \
    --nccl NCCL_COLLNET_ENABLE=1 --nccl NCCL_ALGO=CollnetDirect
remarks 1 "NCCL_PROTO=LL excludes LL128, Simple; the others go by Simple alone" \
    --platform dgx-h100 --nodes 1 $device --nccl NCCL_ALGO=^Ring,Tree --nccl NCCL_PROTO=LL
refused 2 "nccl has nothing for it: NCCL has no algorithm for it: NCCL_ALGO=NVLS excludes" \
    --platform dgx-a100 --nodes 1 $device --algorithm auto --nccl NCCL_ALGO=NVLS
remarks 1 "NCCL_NVLS_ENABLE=0 excludes NVLS and NVLSTree" --platform dgx-h100 \
    --nodes 1 $device --nccl NCCL_ALGO=NVLS --nccl NCCL_NVLS_ENABLE=0
remarks 0 "no algorithm" --platform dgx-h100 --nodes 1 $device --nccl NCCL_ALGO=NVLS
many="--platform dgx-h100 --workload alltoall:bytes=4M,memory=device --algorithm nccl_p2p"
remarks 1 "583 GPUs on nodes that are not alike, or not full, send in turns and without PXN" \
    --gpus 583 $many
remarks 0 "send in turns" --gpus 584 $many
remarks 0 "send in turns" --gpus 575 $many
for version in 2.7:1:2.8 2.8:0: 2.18:0: 2.30:0: 2.31:1:2.30; do
    IFS=: read -r set n nearest <<<"$version"
    remarks "$n" "no rules of this version are known${nearest:+; those of $nearest are used}" \
        --platform dgx-h100 --nodes 1 $device --set "nccl.version=$set"
done
for machine in mi300x-8 mi355x-8 frontier tuolumne dgx-a100; do
    remarks 0 "RCCL is not modelled" --platform "$machine" --nodes 1 $device
done
echo '{"format": 1, "name": "mi100", "about": "a test", "extends": "mi300x-8", "gpu": {"arch": "gfx908"}}' >"$folder/mi100.json"
remarks 1 "RCCL is not modelled for gfx908: an MPI library's choice" \
    --platform "$folder/mi100.json" --nodes 1 $device
remarks 1 "RCCL has no algorithm for it: NCCL_ALGO=NVLS excludes Tree, Ring" \
    --platform mi300x-8 --nodes 1 $device --nccl NCCL_ALGO=NVLS
remarks 0 "RCCL is not modelled" --platform "$folder/mi100.json" --nodes 1 --workload allreduce:bytes=1M,memory=host

# One GPU sends nothing, so that NCCL's loops have no steps.
for kind in allreduce allgather reduce_scatter alltoall broadcast reduce; do
    "$sluice" run --platform dgx-a100 --gpus 1 --algorithm all \
        --workload "$kind:bytes=1M,memory=device" --csv >"$folder/one.csv" 2>/dev/null
    [ "$kind" = broadcast ] || [ "$kind" = reduce ] || grep -q nccl "$folder/one.csv"
done
"$sluice" run --platform dgx-spark --nodes 1 \
    --workload allreduce:bytes=1M,memory=device >/dev/null 2>&1

# A full disk is found.
if [ -w /dev/full ]; then
    if "$sluice" run $small >/dev/full 2>"$folder/full"; then
        echo "a full disk was not found" >&2
        exit 1
    elif [ $? -ne 1 ]; then
        echo "a full disk: exit code is not 1" >&2
        exit 1
    fi
    grep -q "cannot be written: No space left on device" "$folder/full"
    refused 1 "/dev/full: cannot be written: No space left on device" $small \
        --strategy split+md --timeline /dev/full
    [ -c /dev/full ]
fi

# A setting that changes nothing is said, too.
for setting in NCCL_NVLS_ENABLE=0 NCCL_PAT_ENABLE=0 NCCL_COLLNET_ENABLE=1; do
    remarks 1 "without effect here: ${setting%=*} (RCCL has rings and trees)" \
        --platform mi300x-8 --nodes 1 $device --nccl "$setting"
done
remarks 1 "without effect here: NCCL_CROSS_NIC (RCCL has a list of rings" \
    --platform frontier --nodes 2 $device --nccl NCCL_CROSS_NIC=0
remarks 1 "nccl.version (RCCL's rules are those of one version)" \
    --platform mi300x-8 --nodes 1 $device --set nccl.version=2.22
remarks 1 "launch=one-process (the platform has no nccl.call_us)" \
    --platform mi300x-8 --nodes 1 $device,launch=one-process
remarks 1 "NCCL_SHM_DISABLE (GPUs of a node have direct access)" \
    --platform dgx-h100 --nodes 1 $device --nccl NCCL_SHM_DISABLE=1
remarks 0 "without effect" --platform dgx-h100 --nodes 2 $device,launch=one-process \
    --nccl NCCL_NVLS_ENABLE=0 --nccl NCCL_CROSS_NIC=0 --set nccl.version=2.22
remarks 1 "--nccl: NCCL is for memory=device" --platform dgx-h100 --nodes 1 \
    --workload allreduce:bytes=1M,memory=host --nccl NCCL_ALGO=Ring
