# SPDX-License-Identifier: GPL-3.0-or-later
# --runtime: messages, exchanges and traces by runtimes with a communication
# thread: names, ranking, buffers in every output, exhaustion, what is refused.
set -eu
sluice=$1
. tests/ends.bash
cat >"$folder/rt.json" <<'PLATFORM'
{"format": 1, "extends": "lassen", "name": "rt", "about": "a test", "runtimes": {
  "lci": {"costs": {"call_us": 0.2, "dequeue_us": 0.1, "copy_GBps": 8, "send_us": 0.05,
    "recv_us": 0.3, "poll_us": 0.1, "packet_bytes": 8192, "packets_per_host": 1, "source": {"kind": "assumed", "text": "a test"}}},
  "mpi_probe": {"costs": {"call_us": 0.2, "dequeue_us": 0.1, "send_us": 0.5, "recv_us": 0.8,
    "recv_ns_per_byte": 0.1, "poll_us": 0.2, "test_us": 0.05, "flush_us": 2, "source": {"kind": "assumed", "text": "a test"}}},
  "mpi_rma": {"costs": {"call_us": 0.3, "start_us": 0.3, "complete_us": 0.3, "post_us": 0.3,
    "wait_us": 0.3, "lock_us": 0.1, "window_us": 80, "source": {"kind": "assumed", "text": "a test"}}}}}
PLATFORM
all=mpi,lci,mpi-probe,mpi-rma
common="--platform $folder/rt.json"
stencil="--workload stencil:9pt:128x128 --nodes 3 --compare-partition none"

# Every strategy that is not between GPUs, under each, on both engines.
for engine in fluid alone; do
    ends 0 'left out' $stencil --runtime $all --engine $engine --csv
    for by in mpi lci mpi-probe mpi-rma; do
        for strategy in standard/staged 2-step/staged 2-step-1/staged \
            3-step/staged split+md split+dd rail/staged; do
            grep -q ",$strategy/$by,[0-9.]" "$folder/out" || {
                echo "$strategy/$by on $engine: no time" >&2
                exit 1
            }
        done
    done
    if grep -q ',standard/device/lci,' "$folder/out"; then
        echo 'standard/device/lci: a time, though it has no table' >&2
        exit 1
    fi
done
ends 2 'lci has no table of messages between GPUs' $stencil --runtime lci \
    --strategy standard/device
ends 0 'as-given/lci' --workload exchange:docs/rounds.csv --runtime $all
for engine in fluid simgrid; do
    "$sluice" run $common --workload exchange:docs/rounds.csv --runtime $all \
        --engine $engine --csv | cut -d, -f5-6 >"$folder/$engine"
done
cmp "$folder/fluid" "$folder/simgrid"
# The critical path goes back to the beginning; a put that waits for the CPU that
# it keeps busy itself is no other operation.
"$sluice" run $common --workload exchange:docs/rounds.csv --runtime $all --json >"$folder/json"
python3 - "$folder/json" <<'CHECK'
import json
import sys

for way in json.load(open(sys.argv[1]))["strategies"]:
    path = way["critical_path"]
    assert len(path) < 6 and path[0]["from_s"] == 0, (way["strategy"], path)
    assert abs(path[-1]["to_s"] / way["time_s"] - 1) < 1e-9
CHECK
ends 0 'as-given/mpi-probe' --workload schedule:docs/late_receive.csv \
    --runtime $all

# Pools of 8 packets, and a rank that sends 40 messages at once.
{
    echo 'round,src,dst,bytes'
    for i in $(seq 40); do echo "0,0,$((1 + i % 7)),4000"; done
} >"$folder/many.csv"
many="--workload exchange:$folder/many.csv --ranks-per-node 1 --nodes 8"
ends 0 'sends or arrivals found no packet or buffer' $many --runtime lci
ends 0 '"retries": 32' $many --runtime lci --json
ends 0 '"buffers_most_bytes": 160000' $many --runtime lci --json
ends 0 'requests' $many --runtime $all --details
ends 0 'buffers_most_bytes,buffers_least_bytes,reserved_bytes,retries' $many \
    --runtime $all --csv
ends 0 'windows are created before, in 640.00 us' $many --runtime mpi-rma
ends 2 'lci: rank 0 has no packets of its pool to send with' $many \
    --runtime lci --runtime-exhaustion error
ends 0 'as-given/lci' $many --runtime lci --runtime-exhaustion error \
    --set runtimes.lci.costs.packets_per_host=100
ends 2 'mpi-probe: rank' $many --runtime mpi-probe \
    --runtime-exhaustion error --set runtimes.mpi_probe.costs.flush_us=0 \
    --set runtimes.mpi_probe.costs.recv_us=50 \
    --set runtimes.mpi_probe.costs.unexpected_bytes=4000
"$sluice" run $common $many --runtime lci --timeline "$folder/t.json" >/dev/null
grep -q 'a packet or buffer' "$folder/t.json"

# Steps are simulated one by one; a placement and repeats are as ever.
ends 0 'as-given/lci' $many --runtime lci --repeat 3

ends 2 "--runtime: expected mpi, lci, mpi-probe, mpi-rma or peer, got 'smoke'" $many \
    --runtime smoke
# Kernels of GPUs carry no messages of hosts, and need costs.
ends 2 'rt has no runtimes.peer.costs' $many --runtime peer
before=$common
common="--platform dgx-h100 --nodes 2 --runtime peer"
moe="--workload moe:tokens=8,experts=16,topk=2,hidden=64"
ends 0 'standard/device/peer' $moe --strategy standard/device
ends 2 'peer has no messages of host memory' $moe --strategy standard/staged
ends 2 'peer is of GPUs, not of hosts' --workload bfs:rmat:scale=8
common=$before
ends 2 '--runtime: lci is named twice' $many --runtime lci,mpi,lci
ends 2 '--timeline: expected one --runtime, got 2' $many --runtime lci,mpi \
    --timeline "$folder/no.json"
[ ! -e "$folder/no.json" ]
ends 2 '--runtime-exhaustion: only with --runtime' $many \
    --runtime-exhaustion wait
ends 2 "runtime-exhaustion: expected wait or error, got 'never'" $many --runtime lci \
    --runtime-exhaustion never
ends 2 'nothing of mpi,mpi-rma can be exhausted: expected lci or mpi-probe' \
    $many --runtime mpi,mpi-rma --runtime-exhaustion error
ends 0 'as-given/mpi' $many --runtime mpi,mpi-probe --runtime-exhaustion error
ends 2 'packets_per_host: expected a whole number from 1 to 1000000, got 0' \
    $many --runtime lci --set runtimes.lci.costs.packets_per_host=0
ends 2 'more than the 0.001 GiB of its memory on ' $many --runtime lci \
    --set node.devices.0.memory_GiB=0.0005 --set node.devices.1.memory_GiB=0.0005 \
    --set runtimes.lci.costs.packets_per_host=100
ends 2 'of the ranks of node' $many --runtime mpi-rma \
    --set node.devices.0.memory_GiB=0.0000001 --set node.devices.1.memory_GiB=0.0000001
printf 'op,rank,kind,peer,tag,bytes,work_us,after\n0,0,send,1,0,1000,,\n1,1,recv,any,0,,,\n' \
    >"$folder/any.csv"
ends 0 'as-given/lci' --workload schedule:"$folder/any.csv" --runtime lci
ends 2 'mpi-rma has no wildcards' --workload schedule:"$folder/any.csv" \
    --runtime mpi-rma
# Collectives are planned by libraries for MPI; exchanges between GPUs go by the
# ways over host memory.
for collective in allreduce: alltoall:memory=; do
    ends 2 "runtime: not for $collective, which takes" \
        --workload ${collective%memory=}bytes=1M,memory=host --runtime lci
done
ends 0 'standard/staged/lci' --nodes 2 --runtime lci,mpi \
    --workload moe:tokens=256,experts=8,topk=2,hidden=64
common='--platform lumi'
ends 2 'lci: lumi has no runtimes.lci.costs' $many --runtime lci
common=
for command in model 'export --goal -'; do
    if "$sluice" $command --workload stencil:9pt:64x64 --runtime lci \
        2>"$folder/err"; then
        echo "$command --runtime: expected an error" >&2
        exit 1
    fi
    grep -q -e "--runtime: only for run, not for ${command%% *}" "$folder/err"
done

# Their words, and what they are.
[ "$("$sluice" --complete run --runtime | tr '\n' ' ')" = \
    "mpi lci mpi-probe mpi-rma peer " ]
"$sluice" list runtimes >"$folder/runtimes"
[ "$(wc -l <"$folder/runtimes")" = 5 ]
grep -q '^  mpi-rma  .*post, start, complete' "$folder/runtimes"
