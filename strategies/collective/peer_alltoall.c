/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * peer_alltoall.c - all-to-alls of one kernel on each GPU, which stores in the
 * memory of its node's GPUs and puts to others through its NIC, as NVSHMEM with
 * GPU-initiated RDMA. Nothing is asked for and no receive is posted, because
 * the destination is known.
 *
 * With put each block goes to its rank at once (the low-latency kernels of
 * DeepEP, github.com/deepseek-ai/DeepEP). With put_rail a rank's blocks for
 * another node go one after the other to the GPU of its own number there, whose
 * kernel forwards them over the links of GPUs (its normal kernels), so that
 * traffic between nodes stays on its rail. A rank's own block is copied
 * meanwhile, which is faster than any link.
 */
#include "strategies/collective/peer.h"

#include "sim/plan/exec.h"

enum { MOST_BLOCKS = 32 };

/* Plans that rank `from` puts the block of rank src for rank dst in the memory
 * of rank `to`. */
static uint32_t put(struct collective_build *b, uint32_t from, uint32_t to,
                    uint32_t src, uint32_t dst)
{
    uint32_t n = b->c->ranks_per_node, op = (uint32_t)b->p->nops;

    collective_send_blocks(b,
                           from / n == to / n ? PHASE_ON_NODE : PHASE_OFF_NODE,
                           from, to, b->block_B);
    b->p->ops[op].channels = (uint8_t)peer_blocks(b->block_B, MOST_BLOCKS);
    if (b->c->pieces)
        collective_block(b, src, dst, 1);
    return op;
}

static void put_build(struct collective_build *b)
{
    peer_launch(b);
    for (uint32_t d = 1; d < b->ranks; d++)
        for (uint32_t r = 0; r < b->ranks; r++)
            (void)put(b, r, (r + d) % b->ranks, r, (r + d) % b->ranks);
}

/* Plans the way of a rank's blocks to all ranks of a node by the GPU `relay`,
 * beginning with its own. */
static void rail_to_node(struct collective_build *b, uint32_t src,
                         uint32_t relay)
{
    uint32_t n = b->c->ranks_per_node, first = relay - relay % n;
    uint32_t last = NO_OP;

    for (uint32_t j = 0; j < n; j++) {
        uint32_t dst = first + (relay + j) % n;
        uint32_t op = put(b, src, relay, src, dst);
        if (last != NO_OP)
            plan_after(b->p, last | AFTER_SENT);
        last = op;
        if (dst != relay) {
            (void)put(b, relay, dst, src, dst);
            plan_after(b->p, op);
        }
    }
}

static void put_rail_build(struct collective_build *b)
{
    uint32_t n = b->c->ranks_per_node;

    peer_launch(b);
    for (uint32_t d = 1; d < b->nodes; d++)
        for (uint32_t r = 0; r < b->ranks; r++)
            rail_to_node(b, r, (r + d * n) % b->ranks);
    for (uint32_t d = 1; d < n; d++)
        for (uint32_t r = 0; r < b->ranks; r++) {
            uint32_t to = r - r % n + (r + d) % n;
            (void)put(b, r, to, r, to);
        }
}

static const char *rail_refuses(const struct collective *c)
{
    const char *why = peer_refuses(c);

    return why ? why : refuses_unequal_nodes(c);
}

const struct collective_algorithm put_alltoall_collective = {
    .kind = COLLECTIVE_ALLTOALL,
    .name = "put",
    .summary = "a kernel puts each block to its GPU, as DeepEP's low-latency",
    .refuses = peer_refuses,
    .runtime = RUNTIME_PEER,
    .phases = {{.build = put_build}},
    .make_loop = peer_check,
};

const struct collective_algorithm put_rail_alltoall_collective = {
    .kind = COLLECTIVE_ALLTOALL,
    .by_node = true,
    .name = "put_rail",
    .summary = "a kernel puts blocks along its rail, others forward, as "
               "DeepEP's normal",
    .refuses = rail_refuses,
    .runtime = RUNTIME_PEER,
    .phases = {{.build = put_rail_build}},
    .make_loop = peer_check,
};
