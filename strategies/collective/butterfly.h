/* SPDX-License-Identifier: GPL-3.0-or-later */
/* butterfly.h - collectives in which ranks exchange with one partner in each of
 * log2(n) steps: what halving and doubling, Bine and Swing have in common. */
#ifndef STRATEGIES_COLLECTIVE_BUTTERFLY_H
#define STRATEGIES_COLLECTIVE_BUTTERFLY_H

#include "strategies/collective/collective_parts.h"

/* The partner of member i in step s, in the order of a reduce-scatter: in the
 * first step half of the vector goes, in the last one block. */
enum butterfly_kind {
    BUTTERFLY_DOUBLING, /* i xor 2^s */
    BUTTERFLY_HALVING,  /* i xor n / 2^(s + 1) */
    /*
     * i + rho(s) of even ones, i - rho(s) of odd ones, rho(s) = (1 - (-2)^(s +
     * 1)) / 3: 1, -1, 3, -5, ... (De Sensi and others, Swing: Short-cutting
     * Rings for Higher Bandwidth Allreduce, NSDI 2024; Bine Trees, SC 2025).
     */
    BUTTERFLY_BINE,
    BUTTERFLY_BINE_HALVING, /* from the last rho to the first */
};

/* How blocks that are not one behind the other are sent. */
enum butterfly_messages {
    BUTTERFLY_ONE,  /* in one message */
    BUTTERFLY_RUNS, /* in a message for each row of them */
    BUTTERFLY_EACH, /* in a message each */
};

struct butterfly {
    enum butterfly_kind kind;
    struct collective_comm comm;
    /*
     * Members, a power of two, and beyond it ranks that are no members: of the
     * first 2 * extra ranks only the odd ones are.
     */
    uint32_t n, extra;
    /* Of this pair, from 1 on, it is the even one. */
    uint32_t even_pair;
    unsigned steps;
    enum butterfly_messages messages;
    /* A reduce-scatter sends so many elements at a time and adds them while the
     * next are on their way; 0: all at once. For blocks in one row. */
    uint64_t segment;
    uint32_t root; /* member 0 is this rank, at a power of two of ranks */
    /* A block for each rank of the communicator, so two for some members; else
     * one for each member. */
    bool of_ranks;
    /*
     * Blocks are sent by places, of which those that go together are one behind
     * the other: member i is at place[i], and at place k there is member at[k].
     */
    uint32_t *place, *at;
    /* The block at a place is that of its number, not that of the member. */
    bool renumbered;
};

void butterfly_init(struct butterfly *f, enum butterfly_kind kind,
                    const struct collective_comm *comm);
void butterfly_clear(struct butterfly *f);
uint32_t butterfly_partner(const struct butterfly *f, uint32_t i, unsigned s);
/* The rank of a member, and that of the one that is no member beside it. */
uint32_t butterfly_rank(const struct butterfly *f, uint32_t i);
uint32_t butterfly_outsider(const struct butterfly *f, uint32_t i);
/* The member that a rank of the communicator is, or that stands for it. */
uint32_t butterfly_member(const struct butterfly *f, uint32_t i);
/* Blocks k to before end of the range. */
struct collective_range butterfly_blocks(const struct butterfly *f,
                                         struct collective_range range,
                                         uint32_t k, uint32_t end);

/* Each member gets the sum of its block, which is that of its place where
 * blocks are renumbered; what ranks that are no members have is left out. */
void butterfly_reduce_scatter(struct collective_build *b,
                              const struct butterfly *f,
                              struct collective_range range);
/* The other way round. */
void butterfly_allgather(struct collective_build *b, const struct butterfly *f,
                         struct collective_range range);
/* The root member has all and sends each member its block, and the other way
 * round. */
void butterfly_scatter(struct collective_build *b, const struct butterfly *f,
                       struct collective_range range, uint32_t root);
void butterfly_gather(struct collective_build *b, const struct butterfly *f,
                      struct collective_range range, uint32_t root);
/* Where blocks are renumbered, each member sends the block of its place to the
 * member that it is for (after a reduce-scatter), or its own to the member that
 * has its place (before an allgather). */
void butterfly_put_right(struct collective_build *b, const struct butterfly *f,
                         struct collective_range range, bool after);
/* Partners exchange all and add it. */
void butterfly_exchange_all(struct collective_build *b,
                            const struct butterfly *f,
                            struct collective_range range);
/* Outsiders hand theirs to their members to be added (before), or get from them
 * what these have. */
void butterfly_extra(struct collective_build *b, const struct butterfly *f,
                     struct collective_range range, bool before);

/* Why a collective of all ranks does not apply. */
const char *refuses_not_power_of_two(const struct collective *c);

#endif
