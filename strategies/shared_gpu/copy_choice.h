/* SPDX-License-Identifier: GPL-3.0-or-later */
/* copy_choice.h - collectives of the ranks of one GPU per node, in which some
 * ranks copy by IPC and others through the host: common functions of the two
 * choices Static and Dynamic (Faraji and Afsahi 2018, 5.2), and pairs of ranks
 * that only copy. */
#ifndef STRATEGIES_SHARED_GPU_COPY_CHOICE_H
#define STRATEGIES_SHARED_GPU_COPY_CHOICE_H

#include "strategies/shared_gpu/shared_gpu.h"

/* The ranks of a GPU, which send their vectors, or blocks, to the first of
 * them, the leader. */
struct copy_choice {
    struct collective_build *b;
    struct collective_comm comm;
    uint64_t in_B, out_B; /* bytes of each member's input and result */
    /* The leader's dependencies before it polls. */
    struct collective_after since;
    /* 1 + the operation that copies the leader's result to the host; 0: none
     * yet. */
    uint32_t staged;
};
/* Returns the state for a node's GPU, before any copy. */
struct copy_choice choice_begin(struct collective_build *b, unsigned node);

/*
 * A copy of a member, which the leader requests by a flag after it has done
 * `after` (a dependency). `seen` is the operation by which the leader knows
 * that the vector is in its buffer, or that the member has the result. `there`
 * is the operation by which that is the case, which differs if a copy returns
 * early.
 */
struct choice_end {
    uint32_t seen, there;
};
/* choice_bring() plans the copy of member i's vector to the leader,
 * choice_fetch() that of the result to member i. */
struct choice_end choice_bring(struct copy_choice *c, uint32_t i,
                               enum shared_copy by, uint32_t after);
struct choice_end choice_fetch(struct copy_choice *c, uint32_t i,
                               enum shared_copy by, uint32_t after);
/* choice_sum() plans the sum of an allreduce once the n operations of there[]
 * have ended. choice_between_nodes() plans the leaders' part between nodes. */
void choice_sum(struct copy_choice *c, const uint32_t *there, size_t n);
void choice_between_nodes(struct collective_build *b);
/* Lets the leader continue once the n operations of done[] have ended. */
void choice_join(struct copy_choice *c, const uint32_t *done, size_t n);

/* Returns the reason why these algorithms do not apply, or NULL. */
const char *choice_refuses(const struct collective *c);

#endif
