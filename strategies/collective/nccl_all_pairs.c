/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nccl_all_pairs.c - the all-reduces of MSCCL that RCCL has for 8 GPUs of one
 * node (github.com/ROCm/rccl 0cbce2a7, tools/msccl-algorithms): each GPU sends
 * to each other that one's part of the vector, adds the parts that it gets, and
 * sends the sum of its own part to all. All messages of a half are sent at
 * once, each by channels of its own.
 */
#include "strategies/collective/nccl.h"

/* Vectors up to this have FEW channels, others MANY. */
enum { SHORT_B = 65536, FEW = 4, MANY = 8 };

static struct collective_range pairs_part(const struct collective *c,
                                          uint32_t rank)
{
    struct collective_range all = {0, c->bytes /
                                          (c->element_B ? c->element_B : 1)};

    return nccl_part(all, rank, collective_ranks(c));
}

/* Appends the messages of a half. The sums wait for all messages to their
 * rank in the first half. */
static void pairs_half(struct loop *l, const struct machine *m,
                       const struct nccl_carry *carry,
                       const struct collective *c, bool sums)
{
    unsigned channels = c->bytes <= SHORT_B ? FEW : MANY;
    uint32_t n = collective_ranks(c);

    for (uint32_t r = 0; r < n; r++)
        for (uint32_t d = 1; d < n; d++) {
            uint32_t to = (r + d) % n;
            (void)nccl_send(l, m, r, to, 0, channels);
            nccl_put(&l->body, carry, pairs_part(c, sums ? r : to), !sums);
            for (uint32_t e = 1; e < n && sums; e++)
                plan_after(&l->body, (r + n - e) % n * (n - 1) + e - 1);
        }
}

static int pairs_loop(struct loop *l, const struct machine *m,
                      const struct collective_algorithm *a,
                      const struct collective *c, struct err *err)
{
    const struct nccl_protocol *p = nccl_protocol_of(m, a->runtime);
    const struct nccl_carry carry = {
        .element_B = c->element_B ? c->element_B : 1, .pieces = c->pieces};

    if (nccl_check(m, a, c, err) < 0)
        return -1;
    nccl_open(l, m, a, c);
    l->repeats = false;
    if (collective_ranks(c) < 2)
        return 0;
    nccl_call(l, m, c, 1, 0);
    l->body.channel_work.after_s_per_B = p->take_s_per_B;
    pairs_half(l, m, &carry, c, false);
    pairs_half(l, m, &carry, c, true);
    l->steps = 1;
    return 0;
}

static const char *pairs_refuse(const struct collective *c)
{
    const char *why = nccl_refuses(c);

    return why ? why : c->nodes > 1 ? "on one node" : NULL;
}

#define ALL_PAIRS(protocol, PROTOCOL, of)                                      \
    const struct collective_algorithm nccl_all_pairs_##protocol##_collective = \
        {                                                                      \
            .kind = COLLECTIVE_ALLREDUCE,                                      \
            .by_node = true,                                                   \
            .name = "nccl_all_pairs/" #protocol,                               \
            .summary = "RCCL's parts to all and sums to all (MSCCL), " of,     \
            .refuses = pairs_refuse,                                           \
            .runtime = RUNTIME_NCCL_##PROTOCOL,                                \
            .make_loop = pairs_loop,                                           \
    }

ALL_PAIRS(simple, SIMPLE, "protocol Simple");
ALL_PAIRS(ll, LL, "protocol LL");
