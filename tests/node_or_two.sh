#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The same GPUs on one node are never slower than on two, on every machine that
# comes with sluice, 64 KiB to 64 MiB a GPU to all others. But for those below,
# up to the size where they are, each with what was measured.
set -euo pipefail
sluice=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
sizes="64k 256k 1M 4M 16M 64M"

# MACHINE SIZE WHY
measured() {
    cat <<'END'
lassen 256k Spectrum MPI: 8 KiB take 18.1 us on a socket, 7.5 between nodes (lassen_spectrum_ping_pong.csv), the receiver copies one at a time
summit 256k as on Lassen
lassen-paper 256k as on Lassen
dgx-2 1M messages taken over from Lassen
dgx-1v 64M messages taken over from Lassen; GPUs of the two halves that no NVLink joins share 9.2 GB/s between the sockets
tuolumne 1M Cray MPICH: 16 KiB take 26.8 us on a node, 4.5 between nodes (tuolumne_ping_pong.csv.xz)
el-capitan 1M nodes of Tuolumne
tuolumne-alltoall 1M as on Tuolumne
frontier 1M messages taken over from Tuolumne
lumi 1M as on Frontier
tioga 1M as on Frontier
deltaai 1M Cray MPICH: 16 KiB take 148.3 us on a node, 10.3 between nodes (deltaAI_ping_pong.csv.xz); the platform takes 26.8, of Tuolumne
alps 1M as on DeltaAI
alps-queues 1M as on DeltaAI
abci-v 256k messages taken over from Lassen
mi300x-8 4M messages between GPUs taken over from Frontier
mi325x-8 4M as on mi300x-8
mi355x-8 4M as on mi300x-8
gb300-nvl72 16M as on gb200-nvl72
gb200-nvl72 16M calls of a peer copy take a CPU 5.6 us a message (results/h200/graph), those of a NIC 2.5 as assumed
END
}

# time_of MACHINE NODES GPUS SIZE: empty if the program refuses, because the
# machine has no such messages or nodes; any other failure ends the test.
time_of() {
    if "$sluice" run --platform "$1" --nodes "$2" --set "gpus_used=$3" \
        --workload "alltoall:bytes=$4" --strategy standard/device --json \
        >"$dir/out" 2>"$dir/err"; then
        sed -n 's/^ *"time_s": \(.*\),$/\1/p' "$dir/out" | head -n 1 |
            grep . && return
        echo "no time_s" >"$dir/err"
    elif [ $? -eq 2 ] && [ "$(wc -l <"$dir/err")" -eq 1 ] && grep -Exq \
        -e "sluice: standard/device: $1 has no messages from GPU memory \(gpu(_no_gdr)?\)" \
        -e "sluice: $1 has 1 nodes of $3 GPUs; $2 nodes wanted" "$dir/err"; then
        return
    fi
    echo "$1, $2 nodes, $3 GPUs, $4: $(cat "$dir/err")" >&2
    return 1
}

# The largest size that two nodes are faster with; 0: none. By 0.1 % and less
# they are not. Empty if the machine has no such messages or nodes.
slower_up_to() { # MACHINE GPUS
    local size one two up_to=0
    for size in $sizes; do
        one=$(time_of "$1" 1 $(($2 / 2 * 2)) "$size") || return
        two=$(time_of "$1" 2 $(($2 / 2)) "$size") || return
        [ -n "$one" ] && [ -n "$two" ] || return 0
        ! awk "BEGIN { exit !($one > 1.001 * $two) }" || up_to=$size
    done
    echo "$up_to"
}

compared=0 bad=0
for machine in $("$sluice" list platforms | awk '{ print $1 }'); do
    gpus=$("$sluice" show platform "$machine" --json |
        awk '/"kind": "gpu"/ { n++ } /^  "gpus_used"/ { sub(",", "", $2); used = $2 }
             END { print used ? used : n + 0 }')
    [ "$gpus" -ge 2 ] || continue
    got=$(slower_up_to "$machine" "$gpus")
    listed=$(measured | awk -v m="$machine" '$1 == m { print $2 }')
    [ -n "$got" ] || [ -n "$listed" ] || continue
    compared=$((compared + 1))
    [ "$got" = "${listed:-0}" ] || {
        echo "$machine: one node is slower than two up to ${got:-no size}, listed are ${listed:-0}" >&2
        bad=1
    }
done
[ "$compared" -ge 15 ] || { echo "only $compared machines" >&2; exit 1; }
exit $bad
