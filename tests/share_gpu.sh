# SPDX-License-Identifier: GPL-3.0-or-later
# Ranks that share a GPU: what messages between them take, with MPS and in turn,
# and how near that comes to collectives that an H200 ran.
set -eu
sluice=$1

us() { # platform, ranks on the GPU: an allgather of 1 KiB a rank in a ring
    "$sluice" run --platform "$1" --gpus 1 --algorithm ring \
        --workload "allgather:bytes=$(($2 * 1024)),memory=device,per_gpu=$2" \
        --csv | sed -n 's/.*",[0-9]*,[0-9]*,ring,\([^,]*\),.*/\1/p' |
        awk '{ print 1e6 * $1 }'
}
near() { # what, value, least, most
    awk -v v="$2" -v a="$3" -v b="$4" 'BEGIN { exit !(v >= a && v <= b) }' || {
        echo "$1: $2, expected $3 to $4" >&2
        exit 1
    }
}
# Each of 7 steps takes a message's 11 us: what a call costs its process is not
# the GPU's. In turn, each of the 56 messages changes the process: 138 us.
near "8 ranks, MPS" "$(us h200-shared 8)" 70 130
near "8 ranks, in turn" "$(us h200-turns 8)" 7600 8000

got=$("$sluice" validate results/h200/collective/MPS_*-device-[48].csv.xz \
    --platform h200-turns 2>/dev/null |
    awk '$1 == "native" { print $3, $4 + 0; exit }')
[ "${got% *}" = 328 ] || { echo "points: $got" >&2; exit 1; }
near "median error" "${got#* }" 3 12
got=$("$sluice" validate results/h200/collective/two-device-2.csv.xz \
    --platform h200-x2 2>/dev/null |
    awk '$1 == "native" { print $3, $4 + 0; exit }')
[ "${got% *}" = 312 ] || { echo "points: $got" >&2; exit 1; }
near "median error, two GPUs" "${got#* }" 2 6
