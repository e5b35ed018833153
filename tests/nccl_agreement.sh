#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# NCCL's choices, rings and trees agree with its logs as the page says: algorithm
# and protocol at 95 % of the sizes and more, and all channels of a p5.
set -euo pipefail
sluice=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

results/nccl/agreement --sluice "$sluice" >"$dir/page"
tail -n +2 results/nccl/agreement.md | diff - "$dir/page"
percent=$(sed -n 's/^(\([0-9.]*\) %).$/\1/p' "$dir/page")
awk -v percent="$percent" 'BEGIN { exit !(percent >= 95) }'
grep -qF '| p5 | 2 x 8 | 16 | 16 | 16 | 16 | 16 of 16 | 256 of 256 | 16 |' "$dir/page"

# Another version chooses otherwise: NCCL 2.18 expects less of LL on Hopper.
sed 's/,2\.26,1,8/,2.18,1,8/' results/nccl/choices.csv >"$dir/choices.csv"
if cmp -s "$dir/choices.csv" results/nccl/choices.csv; then
    echo "no line of choices.csv is changed" >&2
    exit 1
fi
mkdir -p "$dir/results/nccl/h200-x2" "$dir/strategies/collective/libraries"
cp results/nccl/agreement results/nccl/graphs.csv "$dir/choices.csv" "$dir/results/nccl"
cp results/nccl/h200-x2/debug.txt.xz "$dir/results/nccl/h200-x2"
cp strategies/collective/libraries/nccl.def "$dir/strategies/collective/libraries"
"$dir/results/nccl/agreement" --sluice "$(realpath "$sluice")" >"$dir/other"
grep -qF 'allreduce of 1048576 B: nccl_ring/ll, not nccl_nvls' "$dir/other"
