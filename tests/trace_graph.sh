# SPDX-License-Identifier: GPL-3.0-or-later
# A ring of Chakra's nodes, in which every rank sends before it receives, is
# carried out where messages wait for their receives (Lassen) and where they
# need not.
set -eu
sluice=$1
trace=$PWD/tests/data/chakra

for platform in lassen dgx-h100; do
    said=$("$sluice" run --workload "trace:$trace" --platform $platform \
        --strategy as-given --csv 2>&1) || {
        case $said in *"built without"*) echo "skipped: $said"; exit 77 ;; esac
        echo "$said"
        exit 1
    }
    # All 112 messages of 128 KiB, each once.
    echo "$said" | awk -F, '$5 == "as-given" { n = $8 + $10 }
        END { exit n != 112 }' || { echo "$said"; exit 1; }
done

# Unless told otherwise each rank has a GPU of its own, as it had.
time_of() {
    "$sluice" run --workload "trace:$trace" --platform dgx-h100 \
        --strategy as-given --json "$@" | sed -n 's/.*"time_s": \(.*\),/\1/p'
}
test "$(time_of)" = "$(time_of --ranks-per-node 8)"
# What is computed between messages takes its time, 7 times 7 us at most.
awk -v with="$(time_of)" -v without="$(time_of --compute-scale 0)" 'BEGIN {
    exit !(with - without > 30e-6 && with - without < 49.1e-6) }'
