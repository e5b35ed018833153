# SPDX-License-Identifier: GPL-3.0-or-later
# Graph agents send by the runtimes that plans send by: both NICs of a node, the
# tables of messages, and the axis `runtime` change their times.
set -eu
sluice=$1
. tests/ends.bash
common="--platform lassen --nodes 2 --workload bfs:rmat:scale=12,edge_factor=16"

time_of() {
    "$sluice" run $common --json "$@" |
        sed -nE 's/.*"time_s": ([0-9.e+-]+).*/\1/p' | head -n 1
}

differ() {
    what=$1
    shift
    was=$(time_of --strategy "$strategy")
    now=$(time_of --strategy "$strategy" "$@")
    awk -v a="$was" -v b="$now" 'BEGIN { exit !(b > 1.01 * a) }' || {
        echo "$strategy, $what: $was s, then $now s" >&2
        exit 1
    }
}

for strategy in atos-persistent async-cpu; do
    # async-cpu waits for more else: a short gap is hidden.
    gap=20000
    [ $strategy = atos-persistent ] || gap=1000000
    differ "both NICs' gap" --set node.devices.6.message_gap_ns=$gap \
        --set node.devices.7.message_gap_ns=$gap
    for nic in 6 7; do
        [ $strategy = async-cpu ] ||
            differ "NIC $nic's gap" --set node.devices.$nic.message_gap_ns=$gap
    done
    differ 'GPU messages' --set messages.gpu.off_node.segments.0.alpha_us=60 \
        --set messages.gpu.off_node.segments.1.alpha_us=60
done
strategy=atos-persistent
differ 'puts' --set gpu.shmem_put_us=60
strategy=async-cpu
differ 'all by MPI' --set execution.runtime=mpi

ends 0 '"runtime": "shmem"' --strategy atos-persistent --json
ends 0 '"runtime": "cpu_copy"' --strategy bsp --json
ends 0 '"runtime": "mpi"' --strategy async-cpu --json \
    --set execution.runtime=mpi
ends 2 'runtime: expected "mpi", "shmem" or "cpu_copy", got "smoke"' \
    --strategy async-cpu --set execution.runtime=smoke
ends 2 'runtime: shmem is for control by the gpu' --strategy async-cpu \
    --set execution.runtime=shmem
ends 2 'runtime: mpi is for control by the cpu' --strategy atos-persistent \
    --set execution.runtime=mpi
ends 2 'runtime: schedule bulk_synchronous has cpu_copy, got mpi' \
    --strategy bsp --set execution.runtime=mpi
