# SPDX-License-Identifier: GPL-3.0-or-later
# The benchmarks of sluice-native on a few ranks of this host: their files, that
# sluice reads them, and what happens when something fails.
set -eu
. tests/ranks.bash

die() {
    echo "$*" >&2
    exit 1
}
has() { # file, text
    grep -qF -- "$2" "$1" || {
        echo "expected '$2' in:" >&2
        cat "$1" >&2
        exit 1
    }
}
run() { # ranks, then the command and its options
    ranks=$1
    shift
    # shellcheck disable=SC2086
    timeout 60 mpirun $many -n "$ranks" "$native" "$@" --no-gpu --per-point 0.01
}
measure() { # name of the file, ranks, then the command and its options
    file=$dir/$1.csv
    shift
    run "$@" --machine "$machine" -o "$file" 2>"$dir/err" || {
        cat "$dir/err" >&2
        die "$*: failed"
    }
}
columns() { # name of the file, what its columns must be
    got=$(grep -v '^#' "$dir/$1.csv" | head -n 1)
    [ "$got" = "machine,mpi,$2,config,run_id" ] || die "$1: columns $got"
    has "$dir/$1.csv" 'command="sluice-native '
}
# Evaluates an awk condition for all rows, whose columns are variables by name
# (c["bytes"]), and counts distinct values of an awk expression.
rows() { # name of the file, condition, expression, how many
    grep -v '^#' "$dir/$1.csv" | awk -F, -v wanted="$4" '
        NR == 1 { for (i = 1; i <= NF; i++) name[i] = $i; next }
        { for (i = 1; i <= NF; i++) c[name[i]] = $i }
        !(c["time_s"] > 0 && c["iterations"] >= 1 && ('"$2"')) {
            print "row " NR ": " $0; bad = 1 }
        !(('"$3"') in seen) { n++ } { seen['"$3"']++ }
        END {
            for (key in seen) if (seen[key] < 5) {
                print key ": " seen[key] " rows"; bad = 1 }
            if (n != wanted) { print n " points, not " wanted; bad = 1 }
            exit bad
        }' >&2 || die "$1: rows"
}
reads() { # name of the file, a group that sluice finds in it
    "$sluice" validate --platform "$machine" "$dir/$1.csv" >"$dir/out" 2>&1 ||
        { cat "$dir/out" >&2; die "$1: not read"; }
    sed -i 's/ \[[^]]*\]//' "$dir/out" # the MPI that it was measured with
    has "$dir/out" "$2"
}

# --- the files ---------------------------------------------------------------

two="--split-host 2"
machine=duo
# shellcheck disable=SC2086
{
    measure ping_pong 4 ping_pong $two --sizes 64..128
    measure slow 2 ping_pong $two --sizes 64M
    measure pairs 4 ping_pong $two --sizes 64 --pairs all
    measure maxrate 4 maxrate $two --sizes 4..8
    measure node_pong 4 node_pong $two --sizes 4..64
    measure mult 4 mult_pong $two --sizes 4..8
    measure parts 4 mult_pong_split $two --sizes 4..16
    measure memcpy 2 memcpy --sizes 64..128 --config cold,2
}
columns ping_pong "device,locality,rank_a,rank_b,socket_a,socket_b,bytes,\
iterations,time_s,same_rack"
# Not bound to cores, all ranks count as on socket 0.
pair='c["rank_a"] "-" c["rank_b"]'
rows ping_pong 'c["device"] == "cpu" && c["rank_a"] == 0 &&
    c["locality"] == (c["rank_b"] < 2 ? "on_socket" : "off_node")' \
    "$pair"' "/" c["bytes"]' 6
# A batch is one ping-pong where that takes longer than a batch should.
rows slow 'c["iterations"] == 1 && c["time_s"] < 10' 'c["bytes"]' 1
rows pairs 'c["rank_a"] < 2 && c["rank_a"] < c["rank_b"]' "$pair" 5
reads ping_pong ping_pong/cpu/off_node

columns maxrate "device,active_pairs,pairs_socket0,bytes_per_message,\
iterations,time_s,same_rack"
pairs='c["active_pairs"] == c["pairs_socket0"]'
rows maxrate "$pairs" 'c["active_pairs"] "/" c["bytes_per_message"]' 4
reads maxrate maxrate/cpu

columns node_pong "device,active_pairs,pairs_socket0,total_bytes,\
bytes_per_message,iterations,time_s,same_rack"
share='c["bytes_per_message"] == 4 * int(c["total_bytes"] / 4 /'
rows node_pong "$pairs && $share"' c["active_pairs"])' \
    'c["active_pairs"] "/" c["total_bytes"]' 9
reads node_pong node_pong/cpu

for f in mult parts; do
    columns $f "device,messages,in_bounds,bytes_per_message,total_bytes,\
iterations,time_s,same_rack"
done
size='c["messages"] "/" c["total_bytes"]'
rows mult 'c["total_bytes"] == c["messages"] * c["bytes_per_message"]' "$size" 4
rows parts "$share"' c["messages"])' "$size" 5
# Told apart by their heads: the names say nothing.
reads mult mult_pong/cpu
reads parts mult_pong_split/cpu

columns memcpy "direction_printed,direction_performed,cpu_rank,cpu_socket,\
gpu_a,gpu_b,locality,bytes,iterations,time_s"
# The user's words and how GPUs are shared.
rows memcpy 'c["direction_printed"] == c["direction_performed"] &&
    c["config"] == "cold;2;host_memory" && c["cpu_rank"] == 0 &&
    c["gpu_b"] == (c["direction_performed"] == "D2D" ? "1" : "")' \
    'c["direction_performed"] c["gpu_a"] "/" c["bytes"]' 10

# Buffers in turn; the ranks of a ring of 2 are all there are on a node.
# shellcheck disable=SC2086
{
    measure ring 4 ring $two --sizes 64..4k --buffers same,written
    measure multi_pair 4 multi_pair $two --sizes 64..256
    measure cold 2 ring --sizes 4k --buffers cold
}
columns ring "device,locality,buffers,method,ranks,messages,\
bytes_per_message,iterations,time_s"
# 4 sizes, 2 kinds of buffers: a ping-pong; rings of 2; off node rings of 4 by
# two methods, with one neighbour and with three.
rows ring 'c["device"] == "cpu" && c["messages"] < c["ranks"] &&
    c["ranks"] <= (c["locality"] == "off_node" ? 4 : 2)' \
    'c["locality"] c["buffers"] c["method"] c["ranks"] "/" c["messages"] "/" \
    c["bytes_per_message"]' 80
rows cold 'c["buffers"] == "cold"' 'c["method"]' 3
columns multi_pair "device,method,locality,same_numa,domain,domains_active,\
pairs_per_domain,pairs_total,pairs_socket0,bytes_per_message,buffers,iterations,\
time_s"
rows multi_pair 'c["method"] == "mpi" && c["buffers"] != "cold" &&
    c["domains_active"] == 1 && c["pairs_total"] == c["pairs_per_domain"] &&
    c["pairs_total"] == c["pairs_socket0"] &&
    c["same_numa"] == (c["locality"] == "on_socket") &&
    c["pairs_total"] <= 1 + (c["locality"] == "off_node")' \
    'c["locality"] c["buffers"] c["pairs_total"] "/" c["bytes_per_message"]' 12

# One message and two between rank 0 and 1, and between it and 2 and 3; rank 0
# sends or receives, with receives that are posted before or late.
# shellcheck disable=SC2086
{
    measure fan 4 fan $two --sizes 4..16 --messages 2
    measure matching 4 matching $two --sizes 1..4
    measure contention 4 contention --sizes 4k --buffers same
    measure pack 2 pack --sizes 4..32
}
columns fan "device,locality,direction,receives,messages,peers,\
bytes_per_message,delay_s,iterations,calls_s,time_s"
rows fan 'c["calls_s"] > 0 && c["calls_s"] < 1 &&
    c["peers"] == (c["locality"] == "off_node" ? c["messages"] : 1) &&
    (c["receives"] == "late" ? c["delay_s"] > 2e-5 : c["delay_s"] == "") &&
    (c["direction"] == "in" && c["receives"] == "posted" ||
     c["time_s"] > c["calls_s"])' \
    'c["locality"] c["direction"] c["receives"] c["messages"] "/" \
    c["bytes_per_message"]' 32
# Two ranks are a pair, or one sends; four also a ring, one to all, all to one,
# all to all; there are no events without a GPU.
measure gpu_messages 4 gpu_messages --sizes 4..64
columns gpu_messages "flow,part,ranks,gpus,bytes,iterations,time_s"
rows gpu_messages 'c["config"] == "host_memory" && c["gpus"] == 1 &&
    c["part"] != "event" &&
    (c["ranks"] == 4 || c["flow"] == "pairs" || c["flow"] == "out")' \
    'c["flow"] c["part"] c["ranks"] "/" c["bytes"]' 56
columns matching "locality,receive_order,messages,iterations,time_s"
rows matching 'c["messages"] <= 4' \
    'c["locality"] c["receive_order"] c["messages"]' 12
columns contention "activity,pairs,h2d_ranks,d2h_ranks,host_copy_ranks,bytes,\
buffers,iterations,time_s"
# Alone: messages of 1 and 2 pairs, copies of 1, 2 and 4 ranks; two activities
# with 1 and, if none is messages, 2 ranks each; and three with 1.
rows contention 'c["config"] == "host_memory" &&
    2 * c["pairs"] + c["h2d_ranks"] + c["d2h_ranks"] + c["host_copy_ranks"] <= 4 &&
    (c["activity"] == "message" ? c["pairs"] : c[c["activity"] "_ranks"]) > 0' \
    'c["activity"] c["pairs"] c["h2d_ranks"] c["d2h_ranks"] c["host_copy_ranks"]' 28
columns pack "device,operation,ranks,value_bytes,stride_values,bytes,iterations,\
time_s"
rows pack 'c["device"] == "cpu" && c["value_bytes"] == 8 && c["bytes"] % 8 == 0' \
    'c["operation"] c["ranks"] "/" c["stride_values"] "/" c["bytes"]' 8

# What stays on a node is compared on a machine of one node, too.
machine=h200-shared
# Sizes by another factor than 2.
measure fourth 2 memcpy --gpus 1 --sizes '64..2k*4'
rows fourth 'c["bytes"] == 64 || c["bytes"] == 256 || c["bytes"] == 1024' \
    'c["direction_performed"] c["bytes"]' 6
# Sizes between powers of two, where protocols have limits: 32, 64, 80, 96, 120,
# 128, 160, 192, 240, 256.
measure between 2 ping_pong --sizes 32..256 --between
rows between 'c["bytes"] % 4 == 0' 'c["bytes"]' 10
rows between 'c["bytes"] != 48 && c["bytes"] <= 256' 'c["bytes"] == 240' 2
# Of another factor a quarter, a half and nine tenths of the way: 16, 64, 112,
# 160, 236, 256; and of sizes that are no powers of two: 100, 124, 148, 188, 200.
measure between4 2 ping_pong --sizes '16..256*4' --between
rows between4 'c["bytes"] % 4 == 0' 'c["bytes"]' 6
rows between4 'c["bytes"] != 48 && c["bytes"] <= 256' 'c["bytes"] == 236' 2
measure between100 2 ping_pong --sizes 100..200 --between
rows between100 'c["bytes"] % 4 == 0' 'c["bytes"]' 5
rows between100 'c["bytes"] >= 100' 'c["bytes"] == 188' 2
measure near_ping 2 ping_pong --sizes 64
measure near_pairs 2 multi_pair --sizes 64 --buffers written
reads near_ping ping_pong/cpu/on_socket
reads near_pairs multi_pair/cpu/on_socket

machine=lassen
measure mult_copies 8 memcpy_mult --gpus 4 --sizes 64..128
columns mult_copies "direction_printed,direction_performed,\
copying_ranks_per_gpu,gpus_copying,bytes_per_rank,ranks_per_node,pattern,\
iterations,time_s"
rows mult_copies 'c["direction_printed"] == c["direction_performed"] &&
    c["gpus_copying"] == 4 && c["ranks_per_node"] == 8 &&
    c["pattern"] == "one_way"' \
    'c["direction_performed"] c["copying_ranks_per_gpu"] c["bytes_per_rank"]' 8
# One rank alone takes turns only.
measure both 2 memcpy_mult --gpus 1 --sizes 64..128 --patterns half,turns
rows both 'c["direction_performed"] == "both" &&
    c["copying_ranks_per_gpu"] >= 1 + (c["pattern"] == "half")' \
    'c["pattern"] c["copying_ranks_per_gpu"] c["bytes_per_rank"]' 6
reads memcpy memcpy/D2D/on_socket
reads mult_copies memcpy_mult/MPS_on
machine=h200-shared
reads both memcpy_mult/MPS_on/turns
machine=lassen

# One rank a GPU, several, and more than there are GPUs.
for gpus in 4 2 1; do
    measure a2a 8 all_to_all_v --split-host 2 --gpus $gpus --sizes 64
    rows a2a 'c["nodes"] == 2 && c["ranks_per_node"] == 4 &&
        c["gpus"] == 2 * '$gpus' && c["bytes_per_gpu_pair"] == 64' \
        'c["strategy"]' 4
    [ $gpus != 4 ] || reads a2a all_to_all_v/isend_irecv/dup_devptr/2
done
columns a2a "nodes,gpus,ranks_per_node,implementation,strategy,\
bytes_per_gpu_pair,iterations,time_s"

# All that is calibrated from in one go; what cannot be measured is left out.
everything() { # what the files must be, ranks, options
    wanted=$1
    shift
    rm -rf "$dir/all"
    ranks=$1
    shift
    run "$ranks" all --sizes=64 --gpus 1 --machine duo -o "$dir/all" "$@" \
        2>"$dir/err" || { cat "$dir/err" >&2; die "all $*: failed"; }
    [ "$(cd "$dir/all" && ls | sed 's/\.csv//' | tr '\n' ' ')" = "$wanted " ] ||
        die "all on $ranks ranks: $(ls "$dir/all")"
    has "$dir/err" "13 of 13, after "
}
everything "contention memcpy memcpy_mult pack" 1
has "$dir/err" "ring is left out: there is one rank only"
everything "contention fan gpu_messages matching memcpy memcpy_mult multi_pair pack \
ping_pong ring" 2
has "$dir/err" "maxrate is left out: all ranks are on one node"
everything "contention fan gpu_messages matching maxrate memcpy memcpy_mult mult_pong \
multi_pair node_pong pack ping_pong ring" 4 --split-host 2

# --- what fails --------------------------------------------------------------

rm -rf "${dir:?}"/*
mkdir "$dir/empty"
refused() { # exit code (x: not 0), text, ranks, command and options
    wanted=$1 text=$2
    shift 2
    code=0
    run "$@" >"$dir/out" 2>"$dir/err" || code=$?
    [ "$code" = "$wanted" ] || { [ "$wanted" = x ] && [ "$code" != 0 ]; } || {
        cat "$dir/err" >&2
        die "$*: exit code $code, expected $wanted"
    }
    has "$dir/err" "$text"
    [ -z "$(ls -A "$dir/empty")" ] || die "$*: left a file"
}
out=$dir/empty/x.csv
small="$two --sizes 4..8 -o $out"
# shellcheck disable=SC2086
{
    refused x "nothing has moved for too long in a timed batch" \
        4 maxrate $small --break hang --watchdog 1
    refused x "signal 9" 4 maxrate $small --break die
    refused 1 "corrupted data: the message from rank 1" \
        4 maxrate $small --break corrupt
    refused 1 "corrupted data: the message from rank 1" \
        2 mult_pong $small --break corrupt
    refused 1 "corrupted data: message 0, rank 0 receives" \
        2 fan -o $out --sizes 4 --break corrupt
    refused 1 "corrupted data: the message from rank 1" \
        2 gpu_messages -o $out --sizes 4 --break corrupt
    refused 2 "--parts event: there is no GPU" \
        2 gpu_messages -o $out --parts event
    refused 2 "--patterns: expected some of one_way,half,turns, got 'both'" \
        2 memcpy_mult -o $out --patterns both
    refused 1 "corrupted data: the message from rank 1" \
        2 matching -o $out --sizes 1 --break corrupt
    refused 1 "corrupted data: message" \
        2 contention -o $out --sizes 4k --break corrupt
    refused 1 "corrupted data: pack: value 0 of 8" \
        2 pack -o $out --sizes 64 --break corrupt
    refused 2 "expected some of same,cold, got 'written'" \
        2 contention -o $out --buffers written
    refused 2 "or 4..512k*4, up to 1G, got '4..8*1'" 2 pack -o $out --sizes '4..8*1'
    refused 2 "--sizes: a value has 8 bytes" 2 pack -o $out --sizes 4
    refused 2 "--device gpu: there is no GPU" 2 pack -o $out --device gpu
    refused 1 "corrupted data: the message from rank 1" \
        4 all_to_all_v $small --break corrupt
    refused 1 "corrupted data: H2D" 2 memcpy_mult --sizes 4..8 -o $out \
        --gpus 1 --split-host 1 --break corrupt
    refused 2 "maxrate: expected ranks on two nodes" 2 maxrate -o $out
    refused 2 "mult_pong: expected ranks on two nodes" 2 mult_pong -o $out
    refused 2 "ping_pong: expected two ranks" 1 ping_pong -o $out
    for command in fan ring multi_pair matching; do
        refused 2 "$command: expected two ranks" 1 $command -o $out
    done
    for command in ring multi_pair; do
        refused 2 "expected some of same,written,cold, got 'same,warm'" \
            2 $command -o $out --buffers same,warm
        refused 1 "corrupted data: the message from rank 1" \
            2 $command -o $out --sizes 4 --buffers same --break corrupt
    done
    refused 2 "all: expected -o DIR" 2 all
    refused 2 "3 ranks do not divide into 2 nodes" 3 maxrate $small
    refused 2 "--device gpu: there is no GPU" 2 ping_pong -o $out --device gpu
    refused 2 "--mps on: there is no GPU" 2 memcpy -o $out --mps on
    refused 2 "cannot be dealt to 3 GPUs" 4 all_to_all_v -o $out --gpus 3
    refused 1 "/dev/full: cannot be written" \
        2 maxrate $two --sizes 4 -o /dev/full
    refused 2 "$dir/none/x.csv: cannot be written" \
        2 maxrate $two -o "$dir/none/x.csv"
}

# A rank that is killed in the middle ends all.
# shellcheck disable=SC2086
mpirun $many -n 4 "$native" ping_pong $two --no-gpu --pairs all \
    --sizes 4..64M -o "$out" >/dev/null 2>"$dir/err" &
all=$!
sleep 1.5
victim=$(pgrep -P "$all" -f 'sluice-native ping_pong' | sed -n 2p)
[ -n "$victim" ] || die "no rank found: $(cat "$dir/err")"
kill -9 "$victim"
! timeout 30 tail -s 0.1 --pid "$all" -f /dev/null || ! wait "$all" ||
    die "a rank was killed and all went well"
! kill -0 "$all" 2>/dev/null || die "a rank was killed and mpirun goes on"
[ -z "$(ls -A "$dir/empty")" ] || die "a killed rank left a file"
