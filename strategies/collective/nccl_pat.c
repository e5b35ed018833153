/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nccl_pat.c - all-gathers and reduce-scatters by NCCL's parallel aggregated
 * trees, on nodes of one GPU each (Jeaugey 2025, arXiv 2506.20252;
 * github.com/NVIDIA/nccl 5067397c, src/include/collectives.h).
 *
 * The block of a rank reaches the rank that is `offset` below it (modulo the
 * ranks) from the one that is nearer by the lowest bit of the offset, so that a
 * block spreads along a binomial tree, the far ranks first. All ranks send in
 * the same order. Offsets are divided by the power of two from which on they go
 * first, as a Bruck algorithm with its distances reversed; the others follow
 * depth first, so that few blocks are on the way at the same time. Blocks with
 * the same distance share a message while a chunk has room for them. A
 * reduce-scatter is the same backwards: blocks are added towards their rank.
 */
#include "strategies/collective/nccl.h"

#include <assert.h>
#include <stdlib.h>

/* A message of each rank: the blocks that its receiver has at the offsets
 * first, first + stride, ... */
struct pat_message {
    uint32_t first, stride, count;
};

/* The state from which the loop's carry() computes; it owns the arrays. */
struct pat {
    struct collective_range whole;
    unsigned element_B;
    bool pieces, adds;
    uint32_t ranks, chunks; /* chunks of a block, one in each step */
    uint32_t together;      /* blocks in a message, at most */
    uint32_t at_once;       /* offsets that are far apart, a power of two */
    uint32_t stride;        /* between them */
    uint32_t ops_each;      /* operations of a message: with work, or without */
    uint32_t n;
    /* messages[brings[offset]] has the block of this offset. Both arrays have
     * an element for each rank, behind this struct, because the loop frees it
     * as a whole. */
    struct pat_message *messages;
    uint32_t *brings;
};

static uint32_t lowest_bit(uint32_t offset)
{
    return offset & (~offset + 1);
}

/* --- the order of messages ------------------------------------------------ */

/* Appends messages for up to `most` blocks. */
static void pat_append(struct pat *x, uint32_t first, uint32_t stride,
                       uint32_t most)
{
    for (uint32_t i = 0; i < most; i++) {
        uint32_t offset = first + i * stride;
        if (offset >= x->ranks)
            return;
        if (i % x->together == 0)
            x->messages[x->n++] = (struct pat_message){offset, stride, 0};
        x->messages[x->n - 1].count++;
        x->brings[offset] = x->n - 1;
    }
}

/* Appends the blocks of an offset and of those below it in the tree. */
static void pat_append_tree(struct pat *x, uint32_t offset)
{
    pat_append(x, offset, x->stride, x->at_once);
    for (uint32_t bit = lowest_bit(offset) / 2; bit; bit /= 2)
        pat_append_tree(x, offset + bit);
}

static void pat_order(struct pat *x)
{
    for (uint32_t apart = x->at_once / 2; apart; apart /= 2)
        pat_append(x, apart * x->stride, 2 * apart * x->stride,
                   x->at_once / 2 / apart);
    for (uint32_t bit = x->stride / 2; bit; bit /= 2)
        pat_append_tree(x, bit);
}

/* Chooses how many blocks go at once: as many as fit in half of a chunk, and
 * then as the slots of the buffer allow. */
static void pat_aggregate(struct pat *x, uint64_t channel_B, uint64_t chunk_B,
                          unsigned slots)
{
    uint32_t all = 1;

    while (all < x->ranks)
        all *= 2;
    x->together = 1;
    while (x->together < x->ranks / 2 && chunk_B / channel_B / x->together >= 2)
        x->together *= 2;
    x->at_once = x->together;
    for (; slots > 1 && x->at_once < x->ranks / 2; slots /= 2)
        x->at_once *= 2;
    x->stride = all / x->at_once;
}

/* --- the body ------------------------------------------------------------- */

/* Returns the message at a place of the order. */
static uint32_t pat_at(const struct pat *x, uint32_t place)
{
    return x->adds ? x->n - 1 - place : place;
}

static uint32_t pat_op(const struct pat *x, uint32_t message, uint32_t sender)
{
    return (pat_at(x, message) * x->ranks + sender) * x->ops_each +
           x->ops_each - 1;
}

static uint32_t pat_to(const struct pat *x, uint32_t message, uint32_t sender)
{
    uint32_t far = lowest_bit(x->messages[message].first);

    return (sender + (x->adds ? far : x->ranks - far)) % x->ranks;
}

/* Sets the bytes of the newest operation, a message. */
static void pat_put(const struct pat *x, struct plan *p, uint32_t step,
                    uint32_t message, uint32_t sender, bool pieces)
{
    const struct pat_message *of = &x->messages[message];
    uint32_t below = x->adds ? sender : pat_to(x, message, sender);
    uint64_t count = 0;

    for (uint32_t i = 0; i < of->count; i++) {
        uint32_t owner = (below + of->first + i * of->stride) % x->ranks;
        struct collective_range range =
            nccl_part(nccl_part(x->whole, owner, x->ranks), step, x->chunks);
        if (pieces && range.count)
            plan_piece(p, (struct piece){x->adds ? COLLECTIVE_ADD_HERE
                                                 : COLLECTIVE_STORE,
                                         range.first, range.count});
        count += range.count;
    }
    p->ops[p->nops - 1].bytes = count * x->element_B;
}

static void pat_carry(const void *arg, struct plan *p, uint32_t step,
                      uint32_t i)
{
    const struct pat *x = arg;
    uint32_t sent = i / x->ops_each;

    if (i % x->ops_each == x->ops_each - 1)
        pat_put(x, p, step, pat_at(x, sent / x->ranks), sent % x->ranks,
                x->pieces);
}

/* Lets the newest operation wait for a message that brought a block. */
static void pat_wait(const struct pat *x, struct plan *p, uint32_t offset,
                     uint32_t at, uint32_t *newest)
{
    uint32_t far = lowest_bit(offset);
    uint32_t from = (at + (x->adds ? x->ranks - far : far)) % x->ranks;
    uint32_t op = pat_op(x, x->brings[offset], from);

    if (op != *newest)
        plan_after(p, op);
    *newest = op;
}

/* Lets the newest operation wait for all that its rank passes on. */
static void pat_wait_for_all(const struct pat *x, struct plan *p,
                             uint32_t message, uint32_t rank)
{
    const struct pat_message *of = &x->messages[message];
    uint32_t far = lowest_bit(of->first), newest = UINT32_MAX;

    if (x->adds) {
        for (uint32_t bit = far / 2; bit; bit /= 2)
            for (uint32_t i = 0; i < of->count; i++) {
                uint32_t offset = of->first + i * of->stride + bit;
                if (offset < x->ranks)
                    pat_wait(x, p, offset, rank, &newest);
            }
        return;
    }
    for (uint32_t i = 0; i < of->count; i++) {
        uint32_t offset = of->first + i * of->stride - far;
        if (offset)
            pat_wait(x, p, offset, rank, &newest);
    }
}

static void pat_body(const struct pat *x, struct loop *l,
                     const struct machine *m, unsigned channels, double step_s)
{
    struct plan *p = &l->body;

    for (uint32_t place = 0; place < x->n; place++)
        for (uint32_t rank = 0; rank < x->ranks; rank++) {
            uint32_t message = pat_at(x, place);
            uint32_t before = place ? place - 1 : x->n - 1;
            uint32_t sent = pat_op(x, pat_at(x, before), rank) | AFTER_SENT;
            uint32_t work = (uint32_t)p->nops;
            if (x->ops_each > 1)
                (void)plan_work(p, rank, step_s * x->messages[message].count);
            else
                (void)nccl_send(l, m, rank, pat_to(x, message, rank), 0,
                                channels);
            if (place)
                plan_after(p, sent);
            else
                plan_after_last(p, sent);
            pat_wait_for_all(x, p, message, rank);
            if (x->ops_each > 1) {
                (void)nccl_send(l, m, rank, pat_to(x, message, rank), 0,
                                channels);
                plan_after(p, work);
            }
            pat_put(x, p, 0, message, rank, false);
        }
}

/* Returns a state with room for a message of each rank. */
static struct pat *pat_new(const struct collective *c)
{
    uint32_t n = collective_ranks(c);
    size_t each = sizeof(struct pat_message) + sizeof(uint32_t);
    struct pat *x = xcalloc(1, sizeof *x + n * each);

    x->messages = (struct pat_message *)(x + 1);
    x->brings = (uint32_t *)(x->messages + n);
    x->element_B = c->element_B ? c->element_B : 1;
    x->whole = (struct collective_range){0, c->bytes / x->element_B};
    x->pieces = c->pieces;
    x->adds = c->kind == COLLECTIVE_REDUCE_SCATTER;
    x->ranks = n;
    return x;
}

static int pat_loop(struct loop *l, const struct machine *m,
                    const struct collective_algorithm *a,
                    const struct collective *c, struct err *err)
{
    const struct nccl_protocol *p = nccl_protocol_of(m, a->runtime);
    struct nccl_groups g;

    if (nccl_check(m, a, c, err) < 0)
        return -1;
    if (!p->slot_B)
        return fail(err, "%s: %s has no nccl.pat", a->name, m->name);
    nccl_open(l, m, a, c);
    if (collective_ranks(c) < 2)
        return 0;
    nccl_groups_of(&g, m, c, p->channel_B);
    assert(g.n == 1); /* for nodes of one GPU */
    nccl_call(l, m, c, g.channels, 0);
    struct pat *x = pat_new(c);
    uint64_t least = UINT64_C(32) * g.channels / (x->adds ? 2 : 1);
    uint64_t chunk_B = p->slot_B;
    while (chunk_B > 65536 && chunk_B * least > c->bytes)
        chunk_B /= 2;
    uint64_t channel_B = c->bytes / x->ranks / g.channels;
    channel_B += !channel_B;
    x->chunks = (uint32_t)((channel_B + chunk_B - 1) / chunk_B);
    x->ops_each = p->step_s > 0 ? 2 : 1;
    pat_aggregate(x, channel_B, chunk_B, m->nccl.slots);
    pat_order(x);
    pat_body(x, l, m, g.channels, p->step_s);
    l->steps = x->chunks;
    l->arg = x;
    l->carry = pat_carry;
    nccl_groups_clear(&g);
    return 0;
}

static const char *pat_refuses(const struct collective *c)
{
    const char *why = nccl_refuses(c);

    return why ? why : c->ranks_per_node > 1 ? "one GPU on each node" : NULL;
}

#define PAT(Kind, named)                                                       \
    const struct collective_algorithm nccl_pat_##named##_collective = {        \
        .kind = COLLECTIVE_##Kind,                                             \
        .by_node = true,                                                       \
        .name = "nccl_pat",                                                    \
        .summary = "NCCL's parallel aggregated trees (PAT)",                   \
        .refuses = pat_refuses,                                                \
        .runtime = RUNTIME_NCCL_PAT,                                           \
        .make_loop = pat_loop,                                                 \
    }

PAT(ALLGATHER, allgather);
PAT(REDUCE_SCATTER, reduce_scatter);
