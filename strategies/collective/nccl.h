/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nccl.h - what NCCL's algorithms share (github.com/NVIDIA/nccl 5067397c,
 * src/device, src/graph): a kernel on each GPU whose channels move chunks
 * through buffers of a few slots. Channels that go the same way are one message
 * of an equal part of each. */
#ifndef STRATEGIES_COLLECTIVE_NCCL_H
#define STRATEGIES_COLLECTIVE_NCCL_H

#include "strategies/collective/collective_build.h"

/* A group of channels that go the same way: ranks in the order of its ring. */
struct nccl_groups {
    uint32_t n, ranks;
    uint32_t *order;   /* of group g: order[g * ranks], ... */
    unsigned channels; /* of each group */
};
void nccl_groups_clear(struct nccl_groups *g);

/* What the loop's operations carry in each step: its `arg`. */
struct nccl_carry {
    struct collective_range whole;
    enum collective_kind kind;
    unsigned element_B;
    bool pieces;
    uint32_t groups, slices, loops;
    uint32_t ranks; /* of a ring */
    uint32_t turns; /* steps of a ring's loop */
    uint32_t edges; /* of a tree */
    uint32_t ups;   /* the first of them add, the others store */
    uint32_t order[];
};

/* One that gives the reason, or NULL. */
const char *nccl_refuses(const struct collective *c);
/* The protocol of an algorithm's messages. */
const struct nccl_protocol *nccl_protocol_of(const struct machine *m,
                                             enum runtime by);
/* Fails where the machine has no model of NCCL, or no tables for it. */
int nccl_check(const struct machine *m, const struct collective_algorithm *a,
               const struct collective *c, struct err *err) MUST_CHECK;
/*
 * The ways: on one node of up to four GPUs that are joined one by one all
 * orders that there are, else one; of several nodes one for each GPU, by which
 * it enters them (and leaves by the one before). Fewer, and with fewer
 * channels, where they would have less than channel_B bytes each.
 */
void nccl_groups_of(struct nccl_groups *g, const struct machine *m,
                    const struct collective *c, uint64_t channel_B);
/* An empty body of the loop, that a kernel's launch precedes. */
void nccl_open(struct loop *l, const struct machine *m,
               const struct collective_algorithm *a,
               const struct collective *c);
uint32_t nccl_send(struct loop *l, const struct machine *m, uint32_t from,
                   uint32_t to, uint64_t bytes, unsigned channels);
/* The i-th of n parts that are as equal as they go. */
static inline struct collective_range nccl_part(struct collective_range whole,
                                                uint32_t i, uint32_t n)
{
    return collective_blocks_of(whole, i, i + 1, n);
}
/* The newest operation of p carries these. */
void nccl_put(struct plan *p, const struct nccl_carry *c,
              struct collective_range range, bool adds);

#endif
