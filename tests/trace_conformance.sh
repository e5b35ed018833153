# SPDX-License-Identifier: GPL-3.0-or-later
# Small cases that simulators of traces have been found to get wrong, as GOAL
# and as time-independent traces, against times by hand. Messages take 0.25 us
# of the sender's CPU, 0.5 us, their bytes at 12.5 GB/s on either NIC, and 0.25
# us of the receiver's CPU; a message of 1 MB is 80 us of a NIC.
set -eu
sluice=$1

takes() {
    want=$1 case=$2 ranks=$3
    for kind in goal ti; do
        got=$("$sluice" run --platform flat8 --set \
            node.wire_types.nic.bandwidth_GBps=12.5 --nodes "$ranks" \
            --ranks-per-node 1 --workload \
            "trace:workloads/data/conformance/$case.$kind" \
            --strategy as-given --json | sed -n 's/.*"time_s": \(.*\),/\1/p')
        awk -v got="$got" -v want="$want" -v what="$case.$kind" 'BEGIN {
            off = got * 1e6 / want - 1
            printf "%-18s %.6f us, by hand %.6f\n", what, got * 1e6, want
            exit !(off < 1e-8 && off > -1e-8) }'
    done
}

takes 81 one 2
takes 81 both-ways 2
# The sender begins one each 0.25 us; all have equal shares of its NIC.
takes 641 fan-out 9
# All are there at 640.75 us, and received one after the other.
takes 642.75 incast 9
# Begun 0.25 us after each other, they share the NIC: k has a lead of
# 0.25 / (k + 1) us over the next, which is how long the next takes behind it,
# times those that still flow. The last are received one after the other.
takes "$(awk 'BEGIN {
    for (k = 7; k > 0; k--) end[k - 1] = end[k] - 0.25 / k * (8 - k)
    for (k = 0; k < 8; k++) {
        if (free < end[k] + 640.75) free = end[k] + 640.75
        free += 0.25
    }
    printf "%.9f", free }')" eight 2
# Messages of a pair and a tag do not overtake each other: seven steps of 125 kB
# (1 us and 10 us) and seven of 1.25 kB (1 us and 0.1 us).
takes 84.7 one-tag-ring 8
