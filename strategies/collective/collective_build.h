/* SPDX-License-Identifier: GPL-3.0-or-later */
/* collective_build.h - what the phases of collectives are made of: steps, in
 * each of which ranks send elements to be stored or added; and of all-to-alls:
 * exchanges, gathers and scatters of communicators. */
#ifndef STRATEGIES_COLLECTIVE_COLLECTIVE_BUILD_H
#define STRATEGIES_COLLECTIVE_COLLECTIVE_BUILD_H

#include "strategies/collective/collective.h"

enum { COLLECTIVE_AFTER = 4 };

struct collective_build {
    struct plan *p;
    const struct machine *m;
    const struct collective *c;
    unsigned nodes;     /* that are planned: perhaps one of c->nodes */
    uint32_t ranks;     /* of the job: of all c->nodes */
    unsigned per_group; /* ranks of a group */
    uint64_t block_B;   /* all-to-all: of each pair of ranks */
    unsigned element_B;
    uint64_t elements; /* of the vector, or of an allgather's result */
    /* Of each rank: what its next operation waits for. */
    struct collective_after {
        uint32_t deps[COLLECTIVE_AFTER]; /* as plan_after() takes them */
        uint8_t n;
    } * after;
    /* Of each rank: what the receives of its next step wait for; NULL: they
     * wait as all else. */
    struct collective_after *posted;
    struct collective_steps *steps; /* what this step has so far */
};

/* The plan of what build() does, for what is no algorithm of a table. */
void collective_plan_by(struct plan *p, const struct machine *m,
                        const struct collective *c,
                        void (*build)(struct collective_build *b, void *arg),
                        void *arg);

/* Why what counts ranks on nodes does not apply. */
const char *refuses_unequal_nodes(const struct collective *c);

/* Ranks `first`, first + stride, ... count of them. */
struct collective_comm {
    uint32_t first, stride, count;
    enum phase phase; /* of its messages */
};
static inline uint32_t collective_rank(const struct collective_comm *comm,
                                       uint32_t i)
{
    return comm->first + i % comm->count * comm->stride;
}

/* --- steps ---------------------------------------------------------------- */

/* ADD_HERE: the message itself adds, as it comes; no OP_REDUCE. */
enum collective_action {
    COLLECTIVE_STORE,
    COLLECTIVE_ADD,
    COLLECTIVE_ADD_HERE
};

struct collective_range {
    uint64_t first, count; /* elements */
};

/* All elements. */
struct collective_range collective_all(const struct collective_build *b);
/* Blocks i to before end of the range's n, which are as equal as they go, the
 * larger ones first. */
struct collective_range collective_blocks_of(struct collective_range whole,
                                             uint32_t i, uint32_t end,
                                             uint32_t n);

/*
 * In this step, rank `from` sends the elements to `to`, which stores them or
 * adds them to its own. A message without elements is sent, too. Messages of a
 * rank are posted in the order of the calls.
 */
void collective_send(struct collective_build *b, enum phase phase,
                     uint32_t from, uint32_t to, struct collective_range range,
                     enum collective_action action);
/* The newest message carries these elements, too. */
void collective_send_also(struct collective_build *b,
                          struct collective_range range);
/* In this step, rank `from` of an all-to-all sends so many bytes; of which
 * blocks collective_block() says. */
void collective_send_blocks(struct collective_build *b, enum phase phase,
                            uint32_t from, uint32_t to, uint64_t bytes);
/* In this step the rank copies so many bytes in its memory. */
void collective_copy(struct collective_build *b, uint32_t rank, uint64_t bytes);
/*
 * The step is complete: what a rank does next waits for all that it has sent
 * (the buffers are free), received and, after these, added in this step, as
 * after MPI_Sendrecv() or MPI_Waitall() and MPI_Reduce_local(). What it copies
 * waits for the step before, and begins with the messages.
 */
void collective_step(struct collective_build *b);
/*
 * From now on receives are posted a step ahead, as a pipeline of segments does
 * by a second buffer: they wait for what their rank sends in the step before,
 * or, if it sends nothing, for the step before that one. Off again: they wait
 * as all else does.
 */
void collective_ahead(struct collective_build *b, bool on);
/* What the rank sends in its next step waits for the operation, too. */
void collective_also_after(struct collective_build *b, uint32_t rank,
                           uint32_t op);
/*
 * What all ranks do from here on, a second time: what is planned until
 * collective_turn_to() and what is planned after it, up to collective_join(),
 * do not wait for each other. collective_turn_to() gives what is to be joined.
 */
struct collective_after *collective_fork(const struct collective_build *b);
struct collective_after *collective_turn_to(struct collective_build *b,
                                            struct collective_after *other);
void collective_join(struct collective_build *b,
                     struct collective_after *other);

/* --- all-to-alls ---------------------------------------------------------- */

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
