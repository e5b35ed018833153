/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NCCL's protocols: kernels of both GPUs write and wait, block by block. They
 * differ in their tables: simple writes whole slices with a flag after each, ll
 * 4 B and a flag of 4 B at a time, ll128 120 B and a flag of 8 B. */
#include "sim/transport/transport.h"

#define NCCL(name, words)                                                      \
    const struct transport name##_transport = {                                \
        .summary = words,                                                      \
        .pairing = PAIRING_NONE,                                               \
        .ordering = ORDER_PAIR,                                                \
        .by_gpu = true,                                                        \
        .push = transfer_push,                                                 \
        .post_recv = transfer_push_recv,                                       \
    }

NCCL(nccl_simple, "NCCL's protocol Simple: slices of a buffer, a flag behind");
NCCL(nccl_ll, "NCCL's protocol LL: a flag beside every 4 B");
NCCL(nccl_nvls, "NCCL through switches that add and multicast (NVLS)");
NCCL(nccl_p2p, "NCCL's groups of sends and receives");
NCCL(nccl_pat, "NCCL's parallel aggregated trees");
NCCL(nccl_ll128, "NCCL's protocol LL128: a flag of 8 B beside every 120 B");
