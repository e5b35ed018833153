/* SPDX-License-Identifier: GPL-3.0-or-later */
/* collective_parts.h - what collectives consist of, over a communicator and a
 * range of elements: so that a collective of nodes is made of collectives on
 * them and between them. Ranks are counted in the communicator. */
#ifndef STRATEGIES_COLLECTIVE_COLLECTIVE_PARTS_H
#define STRATEGIES_COLLECTIVE_COLLECTIVE_PARTS_H

#include "strategies/collective/collective_build.h"

/* All ranks of the job; messages are off node. */
struct collective_comm collective_world(const struct collective_build *b);

/* Rank i has the sum of block i of the range's blocks, one for each rank. */
void ring_reduce_scatter(struct collective_build *b,
                         const struct collective_comm *comm,
                         struct collective_range range);
/* Rank i has block i; all get all. */
void ring_allgather(struct collective_build *b,
                    const struct collective_comm *comm,
                    struct collective_range range);
/* The first of their count - 1 steps, which are alike where blocks are equal.
 */
void ring_adding_step(struct collective_build *b,
                      const struct collective_comm *comm,
                      struct collective_range range);
void ring_storing_step(struct collective_build *b,
                       const struct collective_comm *comm,
                       struct collective_range range);
/* Rank i has block i + shift. */
void ring_allgather_shifted(struct collective_build *b,
                            const struct collective_comm *comm,
                            struct collective_range range, uint32_t shift);
/* All get the sum of the range, at any number of ranks. */
void recursive_doubling_allreduce(struct collective_build *b,
                                  const struct collective_comm *comm,
                                  struct collective_range range);
void rabenseifner_allreduce(struct collective_build *b,
                            const struct collective_comm *comm,
                            struct collective_range range);
/* At a power of two of ranks. */
void recursive_doubling_allgather(struct collective_build *b,
                                  const struct collective_comm *comm,
                                  struct collective_range range);
void bruck_allgather(struct collective_build *b,
                     const struct collective_comm *comm,
                     struct collective_range range);
/* From rank 0, and to it. */
void binomial_broadcast(struct collective_build *b,
                        const struct collective_comm *comm,
                        struct collective_range range);
void binomial_reduce(struct collective_build *b,
                     const struct collective_comm *comm,
                     struct collective_range range);
/* Rank 0 gets the block of each. */
void linear_gather(struct collective_build *b,
                   const struct collective_comm *comm,
                   struct collective_range range);
/* To a root, from the last rank on, one after the other. */
void linear_reduce(struct collective_build *b,
                   const struct collective_comm *comm,
                   struct collective_range range, uint32_t root);
#endif
