/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels that access each other's memory, as a custom all-reduce of an
 * inference engine does: in a node they load and store over the links of GPUs,
 * and to another node they put through a NIC (GPU-initiated RDMA). A flag is a
 * message of 4 B. Each of a message's channels is a block of threads. */
#include "sim/transport/transport.h"

/* A block has 512 threads, each of which has one access of 16 B under way. */
enum { BLOCK_B = 512 * 16, BLOCKS_UNASKED = 32 };

unsigned peer_blocks(uint64_t bytes, unsigned most)
{
    uint64_t blocks = (bytes + BLOCK_B - 1) / BLOCK_B;

    return blocks < 1 ? 1 : blocks < most ? (unsigned)blocks : most;
}

static void peer_push(struct transfer *t, unsigned channels, bool posted)
{
    transfer_push(
        t, channels ? channels : peer_blocks(t->bytes, BLOCKS_UNASKED), posted);
}

const struct transport peer_transport = {
    .summary = "loads, stores and puts of kernels, with flags",
    .pairing = PAIRING_NONE,
    .ordering = ORDER_PAIR,
    .by_gpu = true,
    .push = peer_push,
    .post_recv = transfer_push_recv,
};
