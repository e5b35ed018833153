/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nccl_ring.c - NCCL's rings: in each step each GPU sends a chunk to the next
 * one, slice by slice, and adds or stores the chunk that it receives. A vector
 * that is larger than the buffers takes several loops around the ring. */
#include "strategies/collective/nccl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool ring_of_ranks(enum collective_kind kind)
{
    return kind != COLLECTIVE_ALLREDUCE; /* a block belongs to a rank */
}

/* Returns the elements that position `at` of group g's ring sends in this step
 * as slice j. */
static struct collective_range ring_sends(const struct nccl_carry *c,
                                          uint32_t step, uint32_t g, uint32_t j,
                                          uint32_t at)
{
    uint32_t n = c->ranks, loop = step / c->turns, turn = step % c->turns;
    uint32_t behind = c->kind == COLLECTIVE_ALLGATHER ? 0 : 1;
    uint32_t block = (at + 2 * n - behind - turn) % n;
    struct collective_range range = c->whole;

    if (ring_of_ranks(c->kind))
        range = nccl_part(range, c->order[g * n + block], n);
    range = nccl_part(range, g, c->groups);
    range = nccl_part(range, loop, c->loops);
    if (!ring_of_ranks(c->kind))
        range = nccl_part(range, block, n);
    return nccl_part(range, j, c->slices);
}

static void ring_carry(const void *arg, struct plan *p, uint32_t step,
                       uint32_t i)
{
    const struct nccl_carry *c = arg;
    uint32_t at = i % c->ranks, j = i / c->ranks % c->slices;
    bool adds =
        c->kind == COLLECTIVE_REDUCE_SCATTER ||
        (c->kind == COLLECTIVE_ALLREDUCE && step % c->turns + 1 < c->ranks);

    nccl_put(p, c, ring_sends(c, step, i / c->ranks / c->slices, j, at), adds);
}

static struct nccl_carry *ring_new_carry(const struct collective *c,
                                         const struct nccl_groups *g,
                                         const struct nccl_protocol *p)
{
    size_t n = (size_t)g->n * g->ranks;
    unsigned element_B = c->element_B ? c->element_B : 1;
    struct nccl_carry *carry =
        xcalloc(1, sizeof *carry + n * sizeof carry->order[0]);
    uint64_t loop_B =
        (uint64_t)p->slot_B * p->chunk_slots * g->ranks * g->channels * g->n;

    *carry = (struct nccl_carry){
        .whole = {0, c->bytes / element_B},
        .kind = c->kind,
        .element_B = element_B,
        .pieces = c->pieces,
        .groups = g->n,
        .slices = p->slices,
        .loops = (uint32_t)((c->bytes + loop_B - 1) / loop_B),
        .ranks = g->ranks,
        .turns = (g->ranks - 1) * (c->kind == COLLECTIVE_ALLREDUCE ? 2 : 1),
    };
    if (!carry->loops)
        carry->loops = 1;
    memcpy(carry->order, g->order, n * sizeof g->order[0]);
    return carry;
}

/* Returns the bytes of a channel's slice. */
static double ring_slice_B(const struct nccl_carry *c,
                           const struct nccl_groups *g)
{
    uint64_t slice = ring_sends(c, 0, 0, 0, 1 % c->ranks).count;

    return (double)(slice * c->element_B) / g->channels;
}

/* Returns the bytes by which LL's threads pass on a slice in whole rounds of
 * theirs, if it takes more than one: NCCL's chunks then are of whole rounds,
 * and the last rank's is shorter (github.com/NVIDIA/nccl v2.8.4-1 to 5067397c,
 * src/enqueue.cc). */
static double ring_rest_B(double slice_B, const struct nccl_protocol *p,
                          enum runtime by)
{
    double rounds = ceil(slice_B / p->channel_B);

    return by == RUNTIME_NCCL_LL && rounds > 1 ? rounds * p->channel_B - slice_B
                                               : 0;
}

/* Makes the body. A slice starts once the one before it has left, and once the
 * elements that it forwards have arrived, which is in the step before. */
static void ring_body(struct loop *l, const struct machine *m,
                      const struct nccl_carry *c, unsigned channels)
{
    uint64_t bytes = ring_sends(c, 0, 0, 0, 1 % c->ranks).count * c->element_B;
    uint32_t n = c->ranks;

    for (uint32_t g = 0; g < c->groups; g++)
        for (uint32_t j = 0; j < c->slices; j++)
            for (uint32_t at = 0; at < n; at++) {
                const uint32_t *order = &c->order[g * n];
                uint32_t slice = (g * c->slices + j) * n;
                uint32_t newest = (g * c->slices + c->slices - 1) * n + at;
                nccl_send(l, m, order[at], order[(at + 1) % n], bytes,
                          channels);
                if (j)
                    plan_after(&l->body, (slice - n + at) | AFTER_SENT);
                else
                    plan_after_last(&l->body, newest | AFTER_SENT);
                plan_after_last(&l->body, slice + (at + n - 1) % n);
            }
}

static int ring_loop(struct loop *l, const struct machine *m,
                     const struct collective_algorithm *a,
                     const struct collective *c, struct err *err)
{
    const struct nccl_protocol *p = nccl_protocol_of(m, a->runtime);
    struct nccl_groups g;

    if (nccl_check(m, a, c, err) < 0)
        return -1;
    nccl_open(l, m, a, c);
    if (collective_ranks(c) < 2)
        return 0;
    /* LL's threshold holds for a block, not for the vector. */
    nccl_groups_of(&g, m, c,
                   a->runtime == RUNTIME_NCCL_LL
                       ? (uint64_t)p->channel_B * collective_ranks(c)
                       : p->channel_B);
    nccl_call(l, m, c, g.n * g.channels, 0);
    struct nccl_carry *carry = ring_new_carry(c, &g, p);
    /* The last chunk of each loop is stored and not forwarded. Its cost is
     * spread over the steps, because they have to be alike. */
    l->body.channel_work.after_s_per_B = p->take_s_per_B / carry->turns;
    double slice_B = ring_slice_B(carry, &g);
    double rest_B = ring_rest_B(slice_B, p, a->runtime);
    l->body.channel_work.after_s =
        p->step_s + rest_B * nccl_beta_s_per_B(m, a->runtime, UINT64_MAX);
    l->body.channel_work.less_s = p->ring_less_s;
    l->body.begin_s += p->fill_s_per_B * (slice_B + rest_B);
    ring_body(l, m, carry, g.channels);
    l->steps = carry->loops * carry->turns;
    l->arg = carry;
    l->carry = ring_carry;
    nccl_groups_clear(&g);
    return 0;
}

#define RING(Kind, named, protocol, PROTOCOL, words)                           \
    const struct collective_algorithm                                          \
        nccl_ring_##protocol##_##named##_collective = {                        \
            .kind = COLLECTIVE_##Kind,                                         \
            .by_node = true,                                                   \
            .name = "nccl_ring/" #protocol,                                    \
            .summary = (words),                                                \
            .refuses = nccl_refuses,                                           \
            .runtime = RUNTIME_NCCL_##PROTOCOL,                                \
            .make_loop = ring_loop,                                            \
    }
#define RINGS(protocol, PROTOCOL, of)                                          \
    RING(ALLREDUCE, allreduce, protocol, PROTOCOL, "NCCL's ring, " of);        \
    RING(ALLGATHER, allgather, protocol, PROTOCOL, "NCCL's ring, " of);        \
    RING(REDUCE_SCATTER, reduce_scatter, protocol, PROTOCOL, "NCCL's ring, " of)

RINGS(simple, SIMPLE, "protocol Simple");
RINGS(ll, LL, "protocol LL");
RINGS(ll128, LL128, "protocol LL128");
