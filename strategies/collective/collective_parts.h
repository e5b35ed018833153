/* SPDX-License-Identifier: GPL-3.0-or-later */
/* collective_parts.h - collectives over a communicator and a range of elements,
 * so that hierarchical collectives are composed of one on each node and one
 * between nodes. Ranks are counted within the communicator, and a range has one
 * block for each of them. All functions plan steps. */
#ifndef STRATEGIES_COLLECTIVE_COLLECTIVE_PARTS_H
#define STRATEGIES_COLLECTIVE_COLLECTIVE_PARTS_H

#include "strategies/collective/collective_build.h"

/* Returns the communicator of all ranks of the job; its messages count as off
 * node. */
struct collective_comm collective_world(const struct collective_build *b);

/* Afterwards rank i has the sum of block i. */
void ring_reduce_scatter(struct collective_build *b,
                         const struct collective_comm *comm,
                         struct collective_range range);
/* Rank i begins with block i; afterwards all ranks have all blocks. */
void ring_allgather(struct collective_build *b,
                    const struct collective_comm *comm,
                    struct collective_range range);
/* Plan the first of the count - 1 steps of a ring that adds or stores. If
 * blocks are equal, all its steps are alike. */
void ring_adding_step(struct collective_build *b,
                      const struct collective_comm *comm,
                      struct collective_range range);
void ring_storing_step(struct collective_build *b,
                       const struct collective_comm *comm,
                       struct collective_range range);
/* As ring_allgather(), but rank i begins with block i + shift. */
void ring_allgather_shifted(struct collective_build *b,
                            const struct collective_comm *comm,
                            struct collective_range range, uint32_t shift);
/* Afterwards all ranks have the sum of the range. The number of ranks is
 * arbitrary. */
void recursive_doubling_allreduce(struct collective_build *b,
                                  const struct collective_comm *comm,
                                  struct collective_range range);
void rabenseifner_allreduce(struct collective_build *b,
                            const struct collective_comm *comm,
                            struct collective_range range);
/* The number of ranks is a power of two. */
void recursive_doubling_allgather(struct collective_build *b,
                                  const struct collective_comm *comm,
                                  struct collective_range range);
void bruck_allgather(struct collective_build *b,
                     const struct collective_comm *comm,
                     struct collective_range range);
/* Broadcasts from rank 0, and reduces to it. */
void binomial_broadcast(struct collective_build *b,
                        const struct collective_comm *comm,
                        struct collective_range range);
void binomial_reduce(struct collective_build *b,
                     const struct collective_comm *comm,
                     struct collective_range range);
/* Afterwards rank 0 has the block of each rank. */
void linear_gather(struct collective_build *b,
                   const struct collective_comm *comm,
                   struct collective_range range);
/* Reduces to the root, which receives from one rank after the other, the last
 * one first. */
void linear_reduce(struct collective_build *b,
                   const struct collective_comm *comm,
                   struct collective_range range, uint32_t root);
#endif
