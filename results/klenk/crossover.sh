#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes crossover.csv: what matching engines do to a halo exchange and to traces
# on a DGX H100. crossover.sh SLUICE FOLDER, where the folder has the traces
# unpacked; without it, the halo exchange alone, of up to MOST (64) messages for
# each neighbour (CASES= without).
#
# The halo exchange: 64 ranks on 8 nodes, one for each GPU, in whose memory the
# data are, as a periodic box of 4 x 4 x 4; each sends each of its 26 neighbours
# as many messages and posts as many receives, all at once. The receives are
# posted in the order in which the messages are sent, or in an order of chance.
# `ends`: how much shorter than in the platform an end of a message is busy with
# it (1: a core with today's MPI; 10 and 100: messages that hardware or the GPU
# itself sends and receives, assumed), and a copy engine with one on its node.
set -eu
sluice=$1
traces=${2-}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
engines="none list@cpu list@dane matrix@h200 partitioned@h200 hash@h200"

halo() { # messages for each neighbour, bytes, order: a time-independent trace
    awk -v side=4 -v k="$1" -v b="$2" -v order="$3" '
        function wrap(v) { return (v + side) % side }
        BEGIN {
            for (r = 0; r < side ^ 3; r++) {
                x = r % side; y = int(r / side) % side; z = int(r / side ^ 2)
                m = 0
                for (d = 0; d < 27; d++) {
                    if (d == 13) continue
                    to[m] = wrap(x + d % 3 - 1) + side * (wrap(y + int(d / 3) % 3 - 1) + \
                        side * wrap(z + int(d / 9) - 1))
                    way[m++] = d
                }
                print r, "init"
                n = 0
                for (i = 0; i < k; i++) for (j = 0; j < m; j++)
                    recv[n++] = r " irecv " to[j] " " (26 - way[j]) * k + i " " b
                for (i = n; order == "random" && i > 1; i--) {
                    at = int(rand() * i); swap = recv[at]
                    recv[at] = recv[i - 1]; recv[i - 1] = swap
                }
                for (i = 0; i < n; i++) print recv[i]
                for (i = 0; i < k; i++) for (j = 0; j < m; j++)
                    print r, "isend", to[j], way[j] * k + i, b
                print r, "waitall", 2 * k * m
                print r, "finalize"
            }
        }'
}

# How long an end of a message between GPUs is busy: shares of alpha, and where
# they copy (CUDA IPC) microseconds.
busy="on_socket.segments.0.alpha_shares.0 0.5
on_socket.segments.0.alpha_shares.1 0.5
on_socket.segments.1.send_us 4
on_socket.segments.1.recv_us 1.6
on_node.segments.0.alpha_shares.0 0.5
on_node.segments.0.alpha_shares.1 0.5
on_node.segments.1.send_us 4
on_node.segments.1.recv_us 1.6
off_node.segments.0.alpha_shares.0 0.25
off_node.segments.0.alpha_shares.1 0.25
off_node.segments.1.alpha_shares.0 0.25
off_node.segments.1.alpha_shares.1 0.25"

ends() { # factor
    awk -v f="$1" '{ print "--set messages.gpu." $1 "=" $2 / f }
        END { print "--set copies.engine_us=" 3.779 / f }' <<<"$busy"
}

run() { # case, messages of a rank, bytes, ends, words of the workload, options
    local case=$1 messages=$2 bytes=$3 factor=$4 words=$5 engine set=
    shift 5
    [ "$factor" = 1 ] || set=$(ends "$factor")
    for engine in $engines; do
        # shellcheck disable=SC2086
        "$sluice" run --platform dgx-h100 --strategy as-given --all-in-gpus \
            --ranks-per-node 8 --workload "$words" --matching "$engine" --csv "$@" $set 2>/dev/null |
            awk -F, -v line="$case,$messages,$bytes,$factor,$engine" '
                NR == 2 { printf "%s,%.6g\n", line, 1e6 * $6 }'
    done
}

echo "# matching engines on a DGX H100: simulated; lists of its host, GPU engines of an H200 (platforms/matching)"
echo "# made by results/klenk/crossover.sh; ends: factor by which the ends of messages are busy for less time"
echo "case,messages_of_a_rank,bytes,ends,matching,time_us"
halos() {
    for order in same random; do
        for bytes in 8 65536; do
            for ((k = 1; k <= ${MOST:-64}; k *= 2)); do
                halo $k $bytes $order >"$dir/halo.ti"
                for factor in 1 10 100; do
                    run halo-$order $((26 * k)) $bytes $factor "trace:ti:$dir/halo.ti"
                done
            done
        done
    done
}

traces() {
    for factor in 1 100; do
        run AMG-27 "" "" $factor "trace:dumpi:$traces/df_AMG_n27_dumpi" \
            --compute-scale 0
        run FD4-1024 "" "" $factor "trace:dumpi:$traces/dumpi-fd4-1024p-steps030-037" \
            --compute-scale 0
    done
}

[ "${CASES-halos}" = "" ] || halos
[ -z "$traces" ] || traces
