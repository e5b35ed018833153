/* SPDX-License-Identifier: GPL-3.0-or-later */
/* copy_choice.h - collectives of the ranks of one GPU a node in which some copy
 * by IPC and some by way of the host: what their two choices, Static and
 * Dynamic (Faraji and Afsahi 2018, 5.2), have in common; and pairs of ranks
 * that do nothing else. */
#ifndef STRATEGIES_SHARED_GPU_COPY_CHOICE_H
#define STRATEGIES_SHARED_GPU_COPY_CHOICE_H

#include "strategies/shared_gpu/shared_gpu.h"

/* The ranks of a GPU, which hand their vectors, or blocks, to the first. */
struct copy_choice {
    struct collective_build *b;
    struct collective_comm comm;
    uint64_t in_B, out_B;          /* that each brings, and gets */
    struct collective_after since; /* what the leader did before it polls */
    uint32_t staged; /* 1 + the leader's copy of the result to the host */
};
struct copy_choice choice_begin(struct collective_build *b, unsigned node);

/* The leader tells member i by which copy, when it has done `after` (a
 * dependency); the member copies. The operation by which the leader knows that
 * the vector is in its buffer, or that the member has the result; and by which
 * that is so, where a copy returns early. */
struct choice_end {
    uint32_t seen, there;
};
struct choice_end choice_bring(struct copy_choice *c, uint32_t i,
                               enum shared_copy by, uint32_t after);
struct choice_end choice_fetch(struct copy_choice *c, uint32_t i,
                               enum shared_copy by, uint32_t after);
/* All are there when those n are done: their sum, of an allreduce; and then the
 * leader's part between the nodes. */
void choice_sum(struct copy_choice *c, const uint32_t *there, size_t n);
void choice_between_nodes(struct collective_build *b);
/* The leader goes on when those are done. */
void choice_join(struct copy_choice *c, const uint32_t *done, size_t n);

/* Why these algorithms do not apply, or NULL. */
const char *choice_refuses(const struct collective *c);

/* How many ranks of a GPU copied by way of the host in a plan of `rounds`
 * rounds on one node, in the last of them: to the leader, and from it. */
void choice_count(const struct plan *p, unsigned rounds, unsigned *in,
                  unsigned *out);

/* Pairs of ranks of GPU 0 of one node, one of which copies a vector to the
 * other in the same GPU, the first `host` of them by way of the host, all at
 * once. */
void choice_pairs(struct plan *p, const struct machine *m, unsigned pairs,
                  unsigned host, uint64_t bytes);

#endif
