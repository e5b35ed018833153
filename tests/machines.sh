# SPDX-License-Identifier: GPL-3.0-or-later
# One node of every machine with NVLink between its GPUs, and Summit with one
# GPU a node: each pair of GPUs has a message, and the times are of the size
# that alphas of 2 to 25 us and some tens of kB give.
set -eu
sluice=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# name, messages off and on node, GPUs, then the command's arguments
exchange() {
    name=$1 off=$2 on=$3 gpus=$4
    shift 4
    "$sluice" run --workload random:rows=20000,row_nnz=9,seed=1 --csv \
        --strategy standard/staged,standard/device "$@" >"$dir/csv"
    sed 's/^[^"]*"[^"]*",[0-9]*,[0-9]*,//' "$dir/csv" >"$dir/rows"
    awk -F, -v off="$off" -v on="$on" -v gpus="$gpus" '
        NR > 1 {
            staged = $1 == "standard/staged"
            bytes[NR] = $5 + $7
            sane = $2 > 5e-6 && $2 < 1e-3 && $4 == off && $6 == on &&
                   $8 == (staged ? 2 * gpus : 0)
            if (!sane) { bad = 1; print }
        }
        END { exit bad || NR != 3 || bytes[2] != bytes[3] || !bytes[2] }
    ' "$dir/rows" || {
        echo "$name: not what was expected:" >&2
        cat "$dir/csv" >&2
        exit 1
    }
}

for machine in daisy:4 dgx-1v:8 dgx-2:16 dgx-a100:8 dgx-h100:8 summit:6; do
    gpus=${machine#*:} machine=${machine%:*}
    exchange "$machine" 0 $((gpus * (gpus - 1))) "$gpus" \
        --platform "$machine" --nodes 1
done
exchange "summit, one GPU a node" 56 0 8 \
    --platform summit --set gpus_used=1 --nodes 8
"$sluice" show platform summit --set gpus_used=1 | grep -q '1 of 6 GPUs'

# Every platform that is shipped sends between its nodes, and says what the time
# rests on.
for file in platforms/*.json; do
    name=$(basename "$file" .json)
    "$sluice" show platform "$name" >"$dir/shown"
    [ "$(awk '$1 == "nodes" { print $2; exit }' "$dir/shown")" -gt 1 ] || continue
    "$sluice" run --platform "$name" --nodes 2 --no-packing --compare-partition none \
        --workload random:rows=400,row_nnz=9,seed=1 --strategy standard/staged \
        >"$dir/out" 2>"$dir/err" || {
        grep -qiE 'GPU' "$dir/err" && continue
        echo "$name: $(cat "$dir/err")" >&2
        exit 1
    }
    grep -q 'of the whole critical path' "$dir/out"
done
cores=$("$sluice" show platform dane-alltoall | sed -nE 's/^node: ([0-9]+) cores.*/\1/p')
sed "s/\b40\b/$cores/g" docs/late_receive.csv >"$dir/late.csv"
"$sluice" run --platform dane-alltoall --workload "schedule:$dir/late.csv" >"$dir/out"
grep -q 'of the whole critical path' "$dir/out"
