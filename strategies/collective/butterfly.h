/* SPDX-License-Identifier: GPL-3.0-or-later */
/* butterfly.h - butterflies: collectives whose ranks exchange with one partner
 * in each of log2(n) steps. Recursive halving and doubling, Bine and Swing
 * share these functions, because they differ only in the partners and in the
 * order of the blocks. */
#ifndef STRATEGIES_COLLECTIVE_BUTTERFLY_H
#define STRATEGIES_COLLECTIVE_BUTTERFLY_H

#include "strategies/collective/collective_parts.h"

/* The partner of member i in step s, numbered as in a reduce-scatter: the first
 * step sends half of the vector, the last step one block. */
enum butterfly_kind {
    BUTTERFLY_DOUBLING, /* i xor 2^s */
    BUTTERFLY_HALVING,  /* i xor n / 2^(s + 1) */
    /* i + rho(s) if i is even, i - rho(s) if it is odd, with rho(s) = (1 -
     * (-2)^(s + 1)) / 3: 1, -1, 3, -5, ... (De Sensi and others, Swing:
     * Short-cutting Rings for Higher Bandwidth Allreduce, NSDI 2024; Bine
     * Trees, SC 2025). */
    BUTTERFLY_BINE,
    BUTTERFLY_BINE_HALVING, /* the same from the last rho to the first */
};

/* The number of messages for blocks that are not consecutive in the vector. */
enum butterfly_messages {
    BUTTERFLY_ONE,  /* one message for all of them */
    BUTTERFLY_RUNS, /* a message for each run of consecutive blocks */
    BUTTERFLY_EACH, /* a message for each block */
};

struct butterfly {
    enum butterfly_kind kind;
    struct collective_comm comm;
    /* n is the number of members, the largest power of two up to the number of
     * ranks; `extra` ranks are no members. The first 2 * extra ranks form
     * pairs, in which the odd rank is the member. */
    uint32_t n, extra;
    /* If above 0: in this pair, counted from 1, the even rank is the member. */
    uint32_t even_pair;
    unsigned steps;
    enum butterfly_messages messages;
    /* If above 0, a reduce-scatter sends this many elements at a time, and adds
     * them while the next are under way; needs each partner's blocks to be
     * consecutive. */
    uint64_t segment;
    /* The rank of member 0, which is 0 unless all ranks are members. */
    uint32_t root;
    /* If true the range has a block for each rank of the communicator, so that
     * some members have two; else it has one for each member. */
    bool of_ranks;
    /* The places order the blocks such that those that are sent together have
     * consecutive places: member i has place[i], and place k belongs to member
     * at[k]. butterfly_clear() frees both. */
    uint32_t *place, *at;
    /* The block at place k is block k of the range, not the block of member
     * at[k]: then consecutive places are consecutive in memory. */
    bool renumbered;
};

/* butterfly_init() allocates a butterfly of the communicator's ranks, and
 * butterfly_clear() frees it. butterfly_partner() returns the partner of member
 * i in step s. */
void butterfly_init(struct butterfly *f, enum butterfly_kind kind,
                    const struct collective_comm *comm);
void butterfly_clear(struct butterfly *f);
uint32_t butterfly_partner(const struct butterfly *f, uint32_t i, unsigned s);
/* Return the rank of member i, and for i < extra the rank of its pair that is
 * no member. */
uint32_t butterfly_rank(const struct butterfly *f, uint32_t i);
uint32_t butterfly_outsider(const struct butterfly *f, uint32_t i);
/* Returns the member that rank i of the communicator is, or that acts for
 * it. */
uint32_t butterfly_member(const struct butterfly *f, uint32_t i);
/* Returns the elements of the range's blocks k to before `end`. */
struct collective_range butterfly_blocks(const struct butterfly *f,
                                         struct collective_range range,
                                         uint32_t k, uint32_t end);

/* Plans the steps after which each member has the sum of its block (of the
 * block of its place if blocks are renumbered). Ranks that are no members do
 * not take part: see butterfly_extra(). */
void butterfly_reduce_scatter(struct collective_build *b,
                              const struct butterfly *f,
                              struct collective_range range);
/* Plans the same steps in reverse order, in which blocks are stored and not
 * added. */
void butterfly_allgather(struct collective_build *b, const struct butterfly *f,
                         struct collective_range range);
/* butterfly_scatter() plans the steps by which the root member, which has all
 * blocks, sends each member its own; butterfly_gather() those by which the root
 * member collects them. */
void butterfly_scatter(struct collective_build *b, const struct butterfly *f,
                       struct collective_range range, uint32_t root);
void butterfly_gather(struct collective_build *b, const struct butterfly *f,
                      struct collective_range range, uint32_t root);
/* Plans the step that moves renumbered blocks. After a reduce-scatter (after)
 * each member sends the block of its place to the member that owns the block;
 * before an allgather it sends its own block to the member that has the block's
 * place. */
void butterfly_put_right(struct collective_build *b, const struct butterfly *f,
                         struct collective_range range, bool after);
/* Plans the steps in which partners exchange and add the whole range. */
void butterfly_exchange_all(struct collective_build *b,
                            const struct butterfly *f,
                            struct collective_range range);
/* Plans the step of the ranks that are no members: before the others each sends
 * its range to its member, which adds it; after them it gets the member's
 * range. */
void butterfly_extra(struct collective_build *b, const struct butterfly *f,
                     struct collective_range range, bool before);

/* Returns the reason why a collective does not apply, or NULL if its number of
 * ranks is a power of two. */
const char *refuses_not_power_of_two(const struct collective *c);

#endif
