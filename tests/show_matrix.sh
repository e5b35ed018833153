# SPDX-License-Identifier: GPL-3.0-or-later
# `sluice show matrix`: the table, the messages, and what is refused.
set -eu
sluice=$1

refused() {
    want=$1
    shift
    if out=$("$sluice" show matrix "$@" 2>&1); then
        echo "show matrix $*: not refused" >&2
        exit 1
    elif [ $? -ne 2 ]; then
        echo "show matrix $*: exit code is not 2" >&2
        exit 1
    fi
    case $out in
    *"$want"*) ;;
    *)
        echo "show matrix $*: expected '$want' in '$out'" >&2
        exit 1
        ;;
    esac
}

"$sluice" show matrix workloads/data/cvxbqp1.mtx.gz --gpus 64 |
    diff tests/golden/show_matrix.out -
"$sluice" show matrix stencil:9pt:2000x2000 --gpus 16 --messages |
    diff <(grep -v '^#' \
        tests/data/diffusion_9point_2000x2000_messages_16gpus.csv) -
"$sluice" show matrix spmv:workloads/data/cvxbqp1.mtx.gz --gpus 64 --json |
    grep -q '"off_node_messages": 1162,'
"$sluice" show matrix stencil:5pt:8x8 --gpus 8 --partition metis \
    --gpus-per-node 3 --messages | grep -q '^sender_gpu,'
"$sluice" show matrix stencil:5pt:8x8 --gpus 2 --gpus-per-node 1 --messages \
    --value-bytes 64 | grep -q '^0,1,0,1,8,512$'

refused 'values of 2097152 bytes' stencil:5pt:3x3 --gpus 2 --value-bytes 2M
refused '--value-bytes: expected with --gpus' stencil:5pt:3x3 --value-bytes 64
refused 'expected one file or workload, got 0'
refused 'none.mtx: cannot be opened' none.mtx
refused 'stencil:4pt:3x3: expected stencil:5pt:NXxNY' stencil:4pt:3x3
refused '10 GPUs are more than its 9 rows' stencil:5pt:3x3 --gpus 10
refused '129 GPUs per node: expected 1 to 128' stencil:5pt:3x3 --gpus 4 \
    --gpus-per-node 129
refused '--partition: best: unknown partition' stencil:5pt:3x3 --gpus 4 \
    --partition best
refused '--messages: expected with --gpus' stencil:5pt:3x3 --messages
