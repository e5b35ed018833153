/* SPDX-License-Identifier: GPL-3.0-or-later */
/* collective_build.h - what the phases of all-to-alls are made of: exchanges,
 * gathers and scatters of communicators. */
#ifndef STRATEGIES_COLLECTIVE_COLLECTIVE_BUILD_H
#define STRATEGIES_COLLECTIVE_COLLECTIVE_BUILD_H

#include "strategies/collective/collective.h"

struct collective_build {
    struct plan *p;
    const struct machine *m;
    const struct collective *c;
    unsigned nodes;     /* that are planned: perhaps one of c->nodes */
    uint32_t ranks;     /* of the job: of all c->nodes */
    unsigned per_group; /* ranks of a group */
    /* Of each rank: what its next operation waits for. */
    struct collective_after {
        uint32_t deps[2]; /* as plan_after() takes them */
        uint8_t n;
    } * after;
};

/* Ranks `first`, first + stride, ... count of them. */
struct collective_comm {
    uint32_t first, stride, count;
    enum phase phase; /* of its messages */
};

/* The blocks that rank `from` hands rank `to`, which the algorithm knows: calls
 * collective_block() for each of `npieces`. */
typedef void collective_blocks(struct collective_build *b, uint32_t from,
                               uint32_t to);
/* The newest message carries the blocks of rank `src` for `count` ranks from
 * `dst` on. */
void collective_block(struct collective_build *b, uint32_t src, uint32_t dst,
                      uint32_t count);

/* Every rank of the communicator hands every rank of it `bytes`. */
void collective_exchange(struct collective_build *b,
                         const struct collective_comm *comm, uint64_t bytes,
                         collective_blocks *blocks);
/* The others send `bytes` to the first rank, in one message each; so does it to
 * itself. */
void collective_gather(struct collective_build *b,
                       const struct collective_comm *comm, uint64_t bytes,
                       collective_blocks *blocks);
/* The other way round. */
void collective_scatter(struct collective_build *b,
                        const struct collective_comm *comm, uint64_t bytes,
                        collective_blocks *blocks);
/* The ranks of the communicator copy `bytes` in parts of part_B bytes from one
 * of their buffers to another. */
void collective_repack(struct collective_build *b,
                       const struct collective_comm *comm, uint64_t bytes,
                       uint64_t part_B);

#endif
