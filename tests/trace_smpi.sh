# SPDX-License-Identifier: GPL-3.0-or-later
# SimGrid's SMPI replays the time-independent traces that sluice replays, on the
# platform that sluice exports for them: the times are within 1 %, collectives
# by equal algorithms. SMPI charges nothing for adding up but the flops of the
# trace, nor for copies in a collective: the machine does both at once here.
set -eu
sluice=$1
command -v smpirun >/dev/null || {
    echo "skipped: no smpirun (Debian: libsimgrid-dev)"
    exit 77
}
root=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# At most 1 % apart, of the trace $1 with options of SMPI $2 and of sluice.
same() {
    trace=$1 smpi=$2
    shift 2
    "$sluice" export "$@" --workload "trace:$trace" --strategy as-given \
        --simgrid-platform p.xml --hostfile hosts >said
    here=$("$sluice" run "$@" --workload "trace:$trace" --strategy as-given \
        --json 2>said | sed -n 's/.*"time_s": \(.*\),/\1/p')
    echo "$trace" >list
    # The exported trace has no flops, this one has.
    timeout 100 smpirun -platform p.xml -hostfile hosts $smpi \
        --cfg=smpi/simulate-computation:yes \
        "--log=smpi_replay.fmt:%.12r%e%m%n" -replay list >log 2>&1 || {
        cat log >&2
        exit 1
    }
    awk -v a="$here" -v what="$*" -v trace="$trace" -v smpi="$smpi" '
        / Simulation time/ { b = $1 }
        END {
            off = b > 0 ? (a / b - 1) * 100 : 100
            printf "%+.2f %%: %.3f us here, %.3f us in SMPI: %s %s %s\n", off,
                a * 1e6, b * 1e6, trace, smpi, what
            exit !(a > 0 && off < 1 && off > -1) }' log
}

# Lines of each rank: what awk prints for rank r of n.
ranks() {
    awk -v n="$1" 'function draw(most) {
            seed = (seed * 16807 + 11) % 2147483647
            return int(seed / 2147483647 * most)
        }
        BEGIN {
            seed = 1
            for (r = 0; r < n; r++) {
                print r " init"
                '"$2"'
                print r " finalize"
            }
        }'
}

even="--platform $root/tests/data/even.json --nodes 8"
# Messages there and back between neighbours of a node: eager ones, and large
# ones by isend, since SMPI does not charge the CPU of a blocking send that is
# a rendezvous.
ranks 64 'for (b = 1; b <= 1000000; b *= 8) {
    p = r % 2 ? r - 1 : r + 1
    send = b < 8000 ? r " send " p " 1 " b \
        : r " isend " p " 1 " b "\n" r " wait " r " " p " 1"
    recv = r " recv " p " 1 " b
    print r % 2 ? recv "\n" send : send "\n" recv
}' >pingpong
same pingpong "" $even
# Rounds of messages to ranks at distances that are drawn, and computes.
ranks 64 'seed = 7
for (k = 0; k < 4; k++) {
    for (m = 0; m < 6; m++) {
        d = 1 + draw(n - 1)
        b = 100 + draw(30000)
        print r " irecv " (r + n - d) % n " " m " " b
        print r " isend " (r + d) % n " " m " " b
    }
    print r " waitall\n" r " compute " 1000 * ((r * 37 + k * 11) % 100)
}' >rounds
same rounds "" $even
ranks 64 'for (k = 1; k < 4; k++)
    print r " compute " (r * 13 + 1) * 1000 "\n" r " sendRecv 20000 " \
        (r + k) % n " 20000 " (r + n - k) % n " 6 6\n" r " sleep 1e-5"' >shifts
same shifts "" $even

for case in one eight both-ways fan-out incast one-tag-ring; do
    n=$(sed -n 's/ init//p' "$root/workloads/data/conformance/$case.ti" | wc -l)
    same "$root/workloads/data/conformance/$case.ti" "" --platform flat8 \
        --set node.wire_types.nic.bandwidth_GBps=12.5 --nodes "$n" \
        --ranks-per-node 1
done

apart="--platform flat8 --nodes 16 --ranks-per-node 1
    --set node.devices.0.reduce_GBps=1e9 --set node.devices.0.copy_GBps=1e9"
collective() {
    action=$1 ours=$2 theirs=$3
    arguments=$4
    ranks 16 'for (b = 160; b < 1000000; b *= 50) {
        print r " '"$action"' " '"$arguments"'
        print r " compute 1000"
    }' >"$action"
    same "$action" "--cfg=smpi/$action:$theirs" $apart \
        --algorithm "$ours"
}
collective bcast broadcast=binomial binomial_tree 'b " 0 6"'
collective bcast broadcast=linear flattree 'b " 0 6"'
collective reduce reduce=binomial binomial 'b " 0 0 6"'
collective allreduce allreduce=recursive_doubling rdb 'b " 0 6"'
collective allreduce allreduce=ring lr 'b " 0 6"'
collective allgather allgather=ring ring 'b / 16 " " b / 16 " 6 6"'
collective allgather allgather=bruck bruck 'b / 16 " " b / 16 " 6 6"'
collective alltoall alltoall=pairwise ring 'b / 16 " " b / 16 " 6 6"'
collective alltoall alltoall=bruck bruck 'b / 16 " " b / 16 " 6 6"'
collective gather auto ompi_binomial 'b / 16 " " b / 16 " 0 6 6"'
collective scatter auto ompi_binomial 'b / 16 " " b / 16 " 0 6 6"'
collective barrier auto ompi_recursivedoubling '""'
