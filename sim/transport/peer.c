/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels that access each other's memory, as a custom all-reduce of an
 * inference engine does: in a node they load and store over the links of GPUs,
 * and to another node they put through a NIC (GPU-initiated RDMA). A flag is a
 * message of 4 B. Each of a message's channels is a block of threads. */
#include "sim/transport/transport.h"

static struct occupancies peer_progress(const struct segment *s, uint64_t bytes)
{
    (void)s;
    (void)bytes;
    return (struct occupancies){{0, 0}, {0, 0}};
}

const struct transport peer_transport = {
    .summary = "loads, stores and puts of kernels, with flags",
    .pairing = PAIRING_NONE,
    .ordering = ORDER_PAIR,
    .by_gpu = true,
    .progress = peer_progress,
    .push = transfer_push,
    .post_recv = transfer_push_recv,
};
