# SPDX-License-Identifier: GPL-3.0-or-later
# `sluice run` of collectives on 4,096 GPUs takes seconds of CPU time, because
# one of the operations that are alike is simulated; the library's own choice is
# not compared with other algorithms there, but on few GPUs it is.
set -eu
sluice=$1
. tests/ends.bash
ulimit -t 60

auto() {
    "$sluice" run --platform dgx-h100 --set network.nodes=512 --nodes "$1" \
        --workload "$2" --library nccl --algorithm auto --json
}

for workload in allreduce:bytes=1G allgather:bytes=1G \
    alltoall:memory=device,bytes=1G; do
    auto 512 "$workload" >"$folder/many.json" 2>"$folder/said"
    [ "$(grep -c '"strategy":' "$folder/many.json")" = 1 ]
    if grep -q '"best":\|"library_regret":' "$folder/many.json"; then
        echo "other algorithms are compared: $workload" >&2
        exit 1
    fi
done
auto 2 allreduce:bytes=1M >"$folder/few.json" 2>"$folder/said"
grep -q '"best": "' "$folder/few.json"
grep -q '"library_regret": [0-9]' "$folder/few.json"
