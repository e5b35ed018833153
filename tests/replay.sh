# SPDX-License-Identifier: GPL-3.0-or-later
# SimGrid's SMPI replays what `sluice export` writes, in the time that sluice
# says: within 1 %, where a message costs the same on a node and off it. What
# keeps them apart: validate/PEERS.md.
set -eu
sluice=$1
command -v smpirun >/dev/null || {
    echo "skipped: no smpirun (Debian: libsimgrid-dev)"
    exit 77
}
data=$PWD/tests/data matrix=$PWD/workloads/data/cvxbqp1.mtx.gz
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# Simulated by SMPI, in seconds; its log has microseconds unless asked for more.
replayed() {
    timeout 100 smpirun -platform p.xml -hostfile hosts \
        "--log=smpi_replay.fmt:%.12r%e%m%n" -replay ti.list >log 2>&1 || {
        cat log >&2
        exit 1
    }
    sed -n 's/ Simulation time.*//p' log
}

# At most so many percent apart.
same() {
    limit=$1
    shift
    "$sluice" export "$@" --ti ti --simgrid-platform p.xml --hostfile hosts >said
    here=$(sed -n '1s/.*, \([0-9.]*\) us$/\1/p' said)
    there=$(replayed)
    awk -v limit="$limit" -v a="$here" -v b="$there" -v what="$*" 'BEGIN {
        off = (b * 1e6 / a - 1) * 100
        printf "%+.2f %%: %.3f us here, %.3f us in SMPI: %s\n", off, a, b * 1e6,
            what
        exit !(a > 0 && off < limit && off > -limit) }'
}

for strategy in standard/staged standard/device 3-step/staged 2-step/device \
    split+md split+dd; do
    same 1 --platform "$data/even.json" --workload "spmv:$matrix" --nodes 8 \
        --strategy $strategy
done
# Eager, rendezvous, and both; rounds that wait for each other.
for bytes in 100..8000 10000..200000 100..50000; do
    same 1 --platform "$data/even.json" \
        --workload random:ranks=64,messages=20,rounds=4,bytes=$bytes,seed=1
done
same 1 --platform flat8 \
    --workload random:ranks=64,messages=20,rounds=4,bytes=1000..100000,seed=1
# Wildcards, work, a receive that is posted late.
cat >s.csv <<EOT
op,rank,kind,peer,tag,bytes,work_us,after
0,0,send,9,1,100000,,
1,1,send,9,2,5000,,
2,9,work,,,,50,
3,9,recv,any,2,,,
4,9,recv,any,any,,,2
5,9,send,17,3,70000,,3 4
6,17,recv,9,any,,,
7,17,work,,,,20,6
EOT
same 1 --platform "$data/even.json" --workload schedule:s.csv

# The machine is in the platform: half the network, more time, alike.
same 1 --platform "$data/even.json" --workload "spmv:$matrix" --nodes 8 \
    --strategy standard/staged --set network.bandwidth_GBps=1
